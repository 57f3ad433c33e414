"""What we ship is said, and what we say is shipped."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from defusedxml import ElementTree
from packaging.utils import canonicalize_name

import tools
from tools.extras import EXTRAS

ROOT = Path(__file__).parent.parent
PACKAGING = ROOT / "packaging"


def _load(script: str) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location(f"tool_console_{script}", PACKAGING / f"{script}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


@pytest.fixture(scope="module")
def runtime() -> set[str]:
    return set(_load("notices")["shipped_distributions"]())


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    page = (PACKAGING / "THIRD-PARTY-NOTICES.md").read_text(encoding="utf-8")
    return {match[1]: match[2] for match in re.finditer(r"^## (.+)\n\nLicence: (.*)$", page, re.MULTILINE)}


def test_every_runtime_package_has_a_notice(runtime: set[str], sections: dict[str, str]) -> None:
    assert {"httpx", "pydantic-core", "pyside6-essentials", "shiboken6"} <= runtime
    assert runtime - set(sections) == set(), "run `make notices`"
    assert [title for title, licence in sections.items() if not licence.strip()] == []


def test_the_lock_holds_every_runtime_package(runtime: set[str]) -> None:
    lock = (PACKAGING / "requirements.lock").read_text(encoding="utf-8")
    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}

    assert runtime - locked == set()


def test_fonts_icons_and_the_language_have_notices(sections: dict[str, str]) -> None:
    assert {"Inter (typeface)", "JetBrains Mono (typeface)", "Lucide (icons)", "Python"} <= set(sections)


def test_the_desktop_entry_starts_the_installed_program() -> None:
    entry = (PACKAGING / "linux" / "tool-console.desktop").read_text(encoding="utf-8")

    fields = dict(line.split("=", 1) for line in entry.splitlines() if "=" in line)
    assert entry.startswith("[Desktop Entry]\n")
    assert (fields["Type"], fields["Exec"], fields["Icon"]) == ("Application", "tool-console --plan %f", "tool-console")


def test_the_desktop_knows_plans_by_their_names() -> None:
    entry = (PACKAGING / "linux" / "tool-console.desktop").read_text(encoding="utf-8")
    types = ElementTree.parse(PACKAGING / "linux" / "tool-console.xml")

    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    (plan,) = types.iter(f"{space}mime-type")
    assert f"MimeType={plan.get('type')};" in entry.splitlines()
    patterns = {glob.get("pattern") for glob in plan.iter(f"{space}glob")}
    assert patterns == {"*.plan.yaml", "*.plan.yml", "*.plan.json"}


def test_the_help_names_what_is_shipped(sections: dict[str, str]) -> None:
    page = (ROOT / "resources" / "help" / "libraries.md").read_text(encoding="utf-8")

    named = dict(re.findall(r"^\| (.+?) \| (.*) \|$", page, re.MULTILINE))
    assert {title: named.get(title) for title in sections} == sections, "run `make notices`"


def test_the_wheel_holds_everything_and_nothing_of_this_machine(tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    rooms = ("console", "resources", "tools")
    for room in rooms:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    written = {path.relative_to(source).as_posix() for room in rooms for path in (source / room).rglob("*.*")}
    (source / "resources" / "__pycache__").mkdir()
    (source / "resources" / "__pycache__" / "__init__.cpython-311.pyc").touch()

    build = f"from setuptools import build_meta; build_meta.build_wheel({str(out)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)
    (wheel,) = out.iterdir()
    with zipfile.ZipFile(wheel) as content:
        held = {name for name in content.namelist() if ".dist-info/" not in name}
        (metadata,) = (name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        declared = set(re.findall(r"^Provides-Extra: (.+)$", content.read(metadata).decode(), re.MULTILINE))

    # What translators write is shipped compiled alone.
    assert held == {name for name in written if (source / name).is_file() and not name.endswith(".ts")}
    assert set(EXTRAS) <= declared


def _small_application(folder: Path, script: str) -> Path:
    """Make something like the one-folder application; who made it, and when, shows in modes and times."""
    (folder / "_internal").mkdir(parents=True)
    program, library = folder / "tool-console", folder / "_internal" / "libqt.so.6"
    program.write_text(f"#!/bin/sh\n# GLIBC_2.17\n{script}\n")
    library.write_text("GLIBC_2.36 GLIBC_2.4")
    (folder / "libqt.so").symlink_to("_internal/libqt.so.6")
    program.chmod(0o700 if folder.parent.name == "two" else 0o775)
    os.utime(library, (len(folder.parent.name) * 1e8, 1e9))
    return folder


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="only Debian has dpkg-deb")
def test_the_same_application_gives_the_same_files_whoever_packs_it(tmp_path: Path) -> None:
    installers = _load("installers")
    made = []
    for place in ("one", "two"):
        folder = _small_application(tmp_path / place / "tool-console", "exit 3")
        package = tmp_path / place / "tool-console.deb"
        installers["debian_package"](folder, package, 1_700_000_000)
        made.append((installers["packed"](folder, "tool-console-1", 1_700_000_000), package.read_bytes()))

    assert made[0] == made[1]
    told = subprocess.run(
        ["dpkg-deb", "--field", package, "Depends"], check=True, capture_output=True, text=True
    ).stdout
    assert told.startswith("libc6 (>= 2.36), ")
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["tool-console", "tool-console.deb"]


@pytest.mark.skipif(sys.platform != "linux", reason="it is for Linux")
@pytest.mark.parametrize("before", [None, "/opt/libraries"])
def test_programs_started_by_the_built_one_find_the_libraries_of_the_system(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/built/_internal")
    if before is not None:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    _load("entry")["leave_libraries"]()
    assert os.environ.get("LD_LIBRARY_PATH") == before
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


def test_the_single_file_unpacks_itself_once_and_starts_what_is_in_it(tmp_path: Path) -> None:
    installers = _load("installers")
    folder = _small_application(tmp_path / "one" / "tool-console", 'printf "%s|" "$@"; exit 3')
    single = tmp_path / "tool-console.run"
    single.write_bytes(installers["single_file"](installers["packed"](folder, "tool-console-1", 1_700_000_000)))
    single.chmod(0o755)

    def start(**more: str) -> tuple[int, str, str]:
        place = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
        done = subprocess.run(
            [single, "call", "a b"], env=place | more, capture_output=True, text=True, check=False, timeout=60
        )
        return done.returncode, done.stdout, done.stderr

    code, out, said = start()
    assert (code, out) == (3, "call|a b|")
    assert "unpacking into" in said
    assert start() == (3, "call|a b|", "")
    (unpacked,) = (tmp_path / "data" / "tool-console-program").iterdir()
    assert (unpacked / "libqt.so").read_text() == "GLIBC_2.36 GLIBC_2.4"
    assert start(TOOL_CONSOLE_UNPACK=str(tmp_path / "here")) == (0, "", "")
    assert (tmp_path / "here" / "tool-console").exists()
    assert start(TOOL_CONSOLE_UNPACK=str(tmp_path / "here"))[0] == 1
    assert start(TOOL_CONSOLE_UNPACK="remove") == (0, "", "")
    assert list((tmp_path / "data").iterdir()) == []

    single.write_bytes(single.read_bytes()[:-40])
    code, _, said = start()
    assert code == 1
    assert "this file is damaged" in said
    assert list((tmp_path / "data" / "tool-console-program").iterdir()) == []


def test_the_debian_package_depends_on_what_the_window_needs() -> None:
    bootstrap = (PACKAGING / "bootstrap").read_text(encoding="utf-8")

    lists = re.findall(r'^(?:offscreen|window)_packages="([^"]+)"', bootstrap, re.MULTILINE)
    depends = {name.partition(" ")[0] for name in _load("installers")["DEPENDS"]}
    assert depends == {name for words in lists for name in words.split()}


def test_icu_data_without_some_items_has_the_others_where_it_says() -> None:
    header = bytes.fromhex("2000da27 14000000 00000200 436d6e44").ljust(32, b"\0")
    items = {
        "x/coll/de.res": b"sorting",
        "x/unit/de.res": b"units" * 9,
        "x/zone/de.res": b"zones",
        "x/root.res": b"root!",
    }
    data = header + _common_data(items)

    shorter = _load("icu")["shortened"](data)

    kept = {name: items[name] for name in ("x/coll/de.res", "x/root.res")}
    assert len(shorter) < len(data)
    assert _items_of(shorter[32:], kept) == kept


def _common_data(items: dict[str, bytes]) -> bytes:
    """Lay items out as ICU does: their number, the places of names and contents, the names, the contents."""
    names, contents, table = b"", b"", struct.pack("<I", len(items))
    names_at = 4 + 8 * len(items)
    contents_at = names_at + sum(len(name) + 1 for name in items)
    for name, content in items.items():
        table += struct.pack("<II", names_at + len(names), contents_at + len(contents))
        names += name.encode() + b"\0"
        contents += content
    return table + names + contents


def _items_of(data: bytes, lengths: dict[str, bytes]) -> dict[str, bytes]:
    (count,) = struct.unpack_from("<I", data)
    found = {}
    for at in range(count):
        name_at, start = struct.unpack_from("<II", data, 4 + 8 * at)
        name = data[name_at : data.index(b"\0", name_at)].decode()
        found[name] = data[start : start + len(lengths[name])]
        assert (start + 32) % 16 == 0
    return found


def test_names_that_nothing_but_tests_uses_are_found(tmp_path: Path) -> None:
    for room in ("console", "packaging", "resources", "tests", "tools/catalog"):
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "tools" / "__init__.py").write_text("from tools.parts import Kept, Odd\n__all__ = ['Kept', 'Odd']\n")
    (tmp_path / "tools" / "parts.py").write_text(
        "LIMIT_OF_ODD = 1\n"
        "def odd_function(): ...\n"
        "class Odd: ...\n"
        "class Kept:\n"
        "    odd_field: int = 0\n"
        "    def odd_method(self): self.odd_attribute = 1\n"
        "    @property\n"
        "    def odd_property(self): ...\n"
        "    def run(self): ...\n"
        "    def paintEvent(self): ...\n"
        "    @field_validator('x')\n"
        "    def _checked(cls): return cls\n"
    )
    (tmp_path / "tools" / "catalog" / "shown.py").write_text("class Shown:\n    told_to_a_model: int\nprint(Shown)\n")
    (tmp_path / "console" / "window.py").write_text("from tools import Kept\nKept().run()\n")
    (tmp_path / "tests" / "test_odd.py").write_text("from tools import Odd, parts\nOdd(parts.LIMIT_OF_ODD)\n")

    found = _load("unused")["unused"](tmp_path)

    names = ("LIMIT_OF_ODD", "odd_function", "Odd", "odd_field", "odd_method", "odd_attribute", "odd_property")
    assert sorted(re.findall(r"'(\w+)'", "\n".join(found))) == sorted(names)


def test_what_embedding_programs_use_is_told_where_they_look() -> None:
    project = tomllib.loads((PACKAGING.parent / "pyproject.toml").read_text(encoding="utf-8"))

    listed = project["tool"]["unused"]["embedding"]
    assert [path for path in listed if path.rpartition(".")[2] not in (tools.__doc__ or "")] == []


def _sentences(source: str) -> list[str]:
    return sorted(set(_load("sentences")["sentences_of"](source.encode())))


def test_a_sentence_is_read_with_places_for_its_values() -> None:
    source = """
def check(name, count, limit_s):
    raise ToolError(f"{name!r} took {count:,} of {limit_s:g} s {{sic}}")
"""
    assert _sentences(source) == ["{1} took {2:,} of {3:,} s {{sic}}"]


def test_words_that_a_sentence_chooses_from_are_written_out() -> None:
    source = """
_WHY: Final = {1: "was denied", 2: "timed out"}

def _calls(count):
    return "call" if count == 1 else "calls"

def _tell(name, count, kind):
    place = "here" if count else "nowhere"
    return f"{name} made {count} {_calls(count)} {place}" + f", and it {_WHY[kind]}"
"""
    assert [words for words in _sentences(source) if words.startswith("{1} made")] == [
        f"{{1}} made {{2}} {calls} {place}{end}"
        for calls in ("call", "calls")
        for place in ("here", "nowhere")
        for end in ("", ", and it timed out", ", and it was denied")
    ]


def test_a_count_is_read_with_its_noun() -> None:
    source = """
_STEPS: Final = {1: ("step",), 2: ("step that sends", "steps that send")}

def _tell(count, level):
    return Count("entries", counted(count, "entry", "entries")), Count("steps", counted(count, *_STEPS[level]))
"""
    assert {
        "1 entry", "{1:,} entries", "1 step", "{1:,} steps", "1 step that sends", "{1:,} steps that send",
    } <= set(_sentences(source))  # fmt: skip


def test_what_nobody_reads_in_the_window_is_no_sentence() -> None:
    source = """
\"\"\"A docstring of the module.\"\"\"

def work(name: "a type in words", way: Annotated[str, Param("what it is for")]) -> "another type":
    \"\"\"Do the work of it.\"\"\"
    _log.warning("a log line with %s", name)
    _log.info(f"a log line of {name}")
    if name == "the name of it":
        return {"a key of words": name}["a key of words"]
    database.execute("SELECT name FROM runs WHERE id = ?")
    return f"{name}/{way}"
"""
    assert _sentences(source) == []
