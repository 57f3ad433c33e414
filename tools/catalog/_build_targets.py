"""What a project can be built with: targets of Make and just, scripts of npm."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from tools.catalog._bounds import Watcher
from tools.catalog._documents import file_text
from tools.catalog._paths import shown
from tools.errors import ToolFailure

Builder = Literal["make", "npm", "just"]

_MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES: Final = ("justfile", "Justfile", ".justfile")
_MAKE_RULE: Final = re.compile(r"^(?P<names>[A-Za-z0-9][\w./ -]*?)\s*::?(?![=:])(?P<rest>[^=]*)$")
_MAKE_NOTE: Final = re.compile(r"##\s*(.+)$")
_JUST_RECIPE: Final = re.compile(r"^@?([A-Za-z_][\w-]*)(?:\s+[^:]*)?:(?!=)")
_MOST_LINES: Final = 20


@dataclass(frozen=True, slots=True)
class BuildTarget:
    """Something that a project can be told to do."""

    name: Annotated[str, Field(description="The target or script.")]
    builder: Annotated[Builder, Field(description="What runs it.")]
    file: Annotated[str, Field(description="Where it is written.")]
    description: Annotated[str, Field(description="What is written about it; empty when nothing is.")]
    commands: Annotated[list[str], Field(description="The first commands that it runs, as they are written.")]


def targets_of(folder: Path, watcher: Watcher) -> list[BuildTarget]:
    """Return what the project in a folder can be told to do, without running anything.

    Raises:
        ToolFailure: A file is no text or broken.
    """
    found: list[BuildTarget] = []
    for names, read in ((_MAKEFILES, _make), (("package.json",), _npm), (_JUSTFILES, _just)):
        file = next((folder / name for name in names if (folder / name).is_file()), None)
        if file is not None:
            found += read(file_text(file, watcher), shown(file, watcher.project_dir))
    return found


def _make(text: str, name: str) -> Iterator[BuildTarget]:
    lines = text.splitlines()
    seen: set[str] = set()
    for place, line in enumerate(lines):
        rule = _MAKE_RULE.match(line.split("#")[0].rstrip()) if not line.startswith(("\t", " ", ".")) else None
        if rule is None:
            continue
        note = _MAKE_NOTE.search(line)
        above = lines[place - 1] if place and lines[place - 1].startswith("#") else ""
        commands = _indented(lines[place + 1 :])
        for target in rule["names"].split():
            if target not in seen and "%" not in target:
                seen.add(target)
                yield BuildTarget(target, "make", name, note[1] if note else above.lstrip("# "), commands)


def _npm(text: str, name: str) -> Iterator[BuildTarget]:
    try:
        scripts = json.loads(text).get("scripts", {})
        items = [(str(script), str(command)) for script, command in scripts.items()]
    except (ValueError, AttributeError) as error:
        raise ToolFailure(f"{name!r} is broken: {error}") from error
    for script, command in items:
        yield BuildTarget(script, "npm", name, "", [command])


def _just(text: str, name: str) -> Iterator[BuildTarget]:
    lines = text.splitlines()
    for place, line in enumerate(lines):
        found = _JUST_RECIPE.match(line)
        if found is not None:
            above = lines[place - 1] if place and lines[place - 1].startswith("#") else ""
            yield BuildTarget(found[1], "just", name, above.lstrip("# "), _indented(lines[place + 1 :]))


def _indented(lines: list[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        if not line.startswith(("\t", " ")) or len(found) == _MOST_LINES:
            break
        found.append(line.strip())
    return found
