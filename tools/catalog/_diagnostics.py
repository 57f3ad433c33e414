"""Problems that compilers, linters and formatters report, as values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from tools.catalog._paths import shown
from tools.errors import ToolFailure

Severity = Literal["error", "warning", "note"]

_MESSAGE_CHARS: Final = 500
# gcc, clang, mypy, go, eslint's compact form, ruff's concise form …
_COLONS: Final = re.compile(
    r"^(?P<file>[^\s:][^:\n]*\.[A-Za-z0-9]+):(?P<line>\d+)(?::(?P<column>\d+))?:\s*"
    r"(?:(?P<severity>fatal error|error|warning|note)(?:\[(?P<code>[\w-]+)\])?:?\s*)?(?P<message>\S.*)$"
)
# tsc and MSBuild.
_BRACKETS: Final = re.compile(
    r"^(?P<file>[^\s(][^(\n]*\.[A-Za-z0-9]+)\((?P<line>\d+),(?P<column>\d+)\): "
    r"(?P<severity>error|warning) (?P<code>\w+): (?P<message>.+)$"
)
_RUSTC: Final = re.compile(r"^(?P<severity>error|warning)(?:\[(?P<code>E\d+)\])?: (?P<message>.+)$")
_RUSTC_PLACE: Final = re.compile(r"^\s*--> (?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+)$")
_ANSI: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class CodeProblem:
    """A problem in source code."""

    file: Annotated[str, Field(description="The file, as the program names it.")]
    line: Annotated[int, Field(description="Number of the line, from 1.")]
    column: Annotated[int | None, Field(description="Number of the character, from 1; null when not said.")]
    severity: Annotated[Severity, Field(description="How bad it is.")]
    code: Annotated[str, Field(description="The rule or number of the problem; empty when it has none.")]
    message: Annotated[str, Field(description="What is wrong.")]
    fixable: Annotated[bool, Field(description="Whether the program says that it can mend it.")] = False


def problems_in(text: str) -> Iterator[CodeProblem]:
    """Yield the problems that a compiler prints with file and line."""
    waiting: re.Match[str] | None = None
    for raw in text.splitlines():
        line = _ANSI.sub("", raw)
        found = _BRACKETS.match(line) or _COLONS.match(line)
        if found is not None:
            yield _problem(found, found)
            continue
        place = _RUSTC_PLACE.match(line)
        if place is not None and waiting is not None:
            yield _problem(place, waiting)
            waiting = None
        waiting = _RUSTC.match(line) or waiting


def _problem(place: re.Match[str], said: re.Match[str]) -> CodeProblem:
    where, what = place.groupdict(), said.groupdict()
    severity = what.get("severity") or "error"
    return CodeProblem(
        file=where["file"],
        line=int(where["line"]),
        column=int(where["column"]) if where.get("column") else None,
        severity="error" if "error" in severity else "warning" if severity == "warning" else "note",
        code=what.get("code") or "",
        message=what["message"][:_MESSAGE_CHARS],
    )


def read_ruff(text: str, project_dir: Path) -> list[CodeProblem]:
    """Return the problems that `ruff check --output-format json` prints.

    Raises:
        ToolFailure: It is something else.
    """
    return [
        CodeProblem(
            file=shown(Path(item["filename"]), project_dir),
            line=item["location"]["row"],
            column=item["location"]["column"],
            severity="error",
            code=item.get("code") or "syntax",
            message=item["message"][:_MESSAGE_CHARS],
            fixable=item.get("fix") is not None,
        )
        for item in _list(text, "ruff")
    ]


def read_eslint(text: str, project_dir: Path) -> list[CodeProblem]:
    """Return the problems that `eslint --format json` prints.

    Raises:
        ToolFailure: It is something else.
    """
    return [
        CodeProblem(
            file=shown(Path(file["filePath"]), project_dir),
            line=item.get("line") or 1,
            column=item.get("column"),
            severity="error" if item.get("severity") == 2 else "warning",  # noqa: PLR2004 -- eslint's number
            code=item.get("ruleId") or "syntax",
            message=item["message"][:_MESSAGE_CHARS],
            fixable="fix" in item,
        )
        for file in _list(text, "eslint")
        for item in file["messages"]
    ]


def read_shellcheck(text: str, project_dir: Path) -> list[CodeProblem]:
    """Return the problems that `shellcheck --format json` prints.

    Raises:
        ToolFailure: It is something else.
    """
    levels: dict[str, Severity] = {"error": "error", "warning": "warning"}
    return [
        CodeProblem(
            file=shown(Path(item["file"]), project_dir),
            line=item["line"],
            column=item["column"],
            severity=levels.get(item["level"], "note"),
            code=f"SC{item['code']}",
            message=item["message"][:_MESSAGE_CHARS],
            fixable=item.get("fix") is not None,
        )
        for item in _list(text, "shellcheck")
    ]


def _list(text: str, program: str) -> list[Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ToolFailure(f"{program} printed no JSON: {text.strip()[:300]!r}") from error
    if not isinstance(found, list):
        raise ToolFailure(f"{program} printed another JSON than is known; its version may be too new")
    return found
