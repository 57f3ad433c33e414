"""A small real project to run file, text and data tools on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

ROUTER = """import queue


def pick_model(task):
    load = queue.load_average(task.lane)
    # NOTE: fall back to the small model
    if load > 40:
        log.warning("queue is long")
    return models[task.tier]


def route(request):
    # NOTE: routes once
    model = pick_model(request)
    return model.run(request)
"""


def make_project(folder: Path) -> Path:
    _write(folder / "README.md", "# Sample\n\nThe licence is free.\nLicensed to all.\n")
    _write(folder / "CHANGES.md", "# Changes\n\n- First one")
    _write(folder / "src/router.py", ROUTER)
    _write(folder / "src/deep/memory.py", "def remember(what):\n    return what\n")
    _write(folder / "docs/guide.md", "# Guide\n\nNOTE: read it.\n")
    _write(folder / "build/out.log", "NOTE: made by a machine\n" * 3)
    _write(folder / ".gitignore", "build/\n*.tmp\n")
    _write(folder / "note.tmp", "NOTE: ignored\n")
    (folder / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rNOTE")
    rows = "1,9.50,Mira,2026-01-02\n2,20.00,,2026-01-05\n3,12.25,Jo,\n"
    _write(folder / "data/orders.csv", f"id,total,customer,paid\n{rows}")
    with closing(sqlite3.connect(folder / "data/shop.db")) as database:
        database.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, customer TEXT, picture BLOB);"
            "INSERT INTO orders VALUES (1, 9.5, 'Mira', x'00ff'), (2, 20.0, NULL, NULL), (3, 12.25, 'Jo', NULL);"
        )
    return folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def snapshot(folder: Path) -> dict[str, bytes | str | None]:
    """Return everything in a folder: content of files, target of links, None for folders."""
    found: dict[str, bytes | str | None] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found
