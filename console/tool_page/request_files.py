"""Saved requests: arguments under a name, each a plain JSON file of the project, so that they live in its git."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from console.language import tr
from console.schema_form import parse_object, write_json
from tools.protected import PROJECT_FOLDER

REQUESTS_FOLDER: Final = PROJECT_FOLDER / "requests"
"""Where a project keeps its requests."""

_MOST_FILES: Final = 2000
_MOST_BYTES: Final = 5_000_000
_LONGEST_NAME: Final = 80
_MOST_FOLDERS: Final = 8
# What no file name may hold on one of the systems the files are shared between.
_FORBIDDEN: Final = re.compile(r'[<>:"\\|?*\x00-\x1f\x7f]')
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


class RequestError(Exception):
    """A request cannot be saved, moved, deleted or read; the message says why."""


class SavedRequest(NamedTuple):
    """Arguments under a name.

    Attributes:
        place: Its folders and its name, with slashes: `billing/lost order`.
        tool: Whose arguments they are.
        arguments: By the names callers use.
        problem: Why the file cannot be opened; "" when it can.
    """

    place: str
    tool: str
    arguments: Mapping[str, Any]
    problem: str = ""

    @property
    def name(self) -> str:
        return self.place.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """Return the folders, with slashes; "" for none."""
        return self.place.rpartition("/")[0]


class RequestFiles:
    """Read and write the requests of one project."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._root = project / REQUESTS_FOLDER

    def of(self, tool: str) -> tuple[SavedRequest, ...]:
        """Return the requests of a tool, and the files that nobody can read, in the order of their places."""
        return tuple(request for request in self._all() if request.tool == tool or request.problem)

    def save(self, request: SavedRequest, *, replace: bool = False) -> None:
        """Write a request.

        Raises:
            RequestError: The place is no good or taken, or the file cannot be written.
        """
        taken = self._known(request.place)
        if taken is not None and not replace:
            raise RequestError(tr("a request {taken!r} is there already", taken=taken))
        self._write(
            self._target(taken or request.place),
            write_json({"tool": request.tool, "arguments": dict(request.arguments)}) + "\n",
        )

    def rename(self, place: str, new: str) -> None:
        """Move a request to another name or folder.

        Args:
            new: Where it goes; its folders are made.

        Raises:
            RequestError: The new place is no good or taken, or the file cannot be moved.
        """
        source, target = self._target(place), self._target(new)
        taken = self._known(new)
        if taken is not None and taken != place:
            raise RequestError(tr("a request {taken!r} is there already", taken=taken))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
        except OSError as error:
            raise RequestError(tr("{place!r} cannot be renamed: {error}", place=place, error=_reason(error))) from error
        self._prune(source.parent)

    def delete(self, place: str) -> str:
        """Delete a request.

        Returns:
            The text of its file, for `restore`.

        Raises:
            RequestError: The file cannot be read or deleted.
        """
        target = self._target(place)
        try:
            text = target.read_text("utf-8", errors="surrogateescape")
            target.unlink()
        except OSError as error:
            raise RequestError(tr("{place!r} cannot be deleted: {error}", place=place, error=_reason(error))) from error
        self._prune(target.parent)
        return text

    def restore(self, place: str, text: str) -> None:
        """Write a deleted request again.

        Args:
            text: What `delete` returned.

        Raises:
            RequestError: Another one stands there by now, or the file cannot be written.
        """
        target = self._target(place)
        taken = self._known(place)
        if taken is not None:
            raise RequestError(tr("a request {taken!r} is there already", taken=taken))
        self._write(target, text)

    def _all(self) -> Iterator[SavedRequest]:
        try:
            found = sorted(path for path in self._root.rglob("*.json") if path.is_file() and not path.is_symlink())
        except OSError as error:
            yield SavedRequest("…", "", {}, tr("the folder cannot be read: {error}", error=_reason(error)))
            return
        for path in found[:_MOST_FILES]:
            yield self._read(path)
        if len(found) > _MOST_FILES:
            more = len(found) - _MOST_FILES
            yield SavedRequest(
                "…",
                "",
                {},
                tr(
                    "{more:,} more files are not listed: {most_files:,} are the most", more=more, most_files=_MOST_FILES
                ),
            )

    def _read(self, path: Path) -> SavedRequest:
        place = path.relative_to(self._root).with_suffix("").as_posix()
        try:
            if path.stat().st_size > _MOST_BYTES:
                return SavedRequest(place, "", {}, tr("expected at most {most_bytes:,} bytes", most_bytes=_MOST_BYTES))
            content, problem = parse_object(path.read_text("utf-8"))
        except OSError as error:
            return SavedRequest(place, "", {}, tr("the file cannot be read: {error}", error=_reason(error)))
        except UnicodeDecodeError:
            return SavedRequest(place, "", {}, tr("expected text in UTF-8"))
        if content is None:
            return SavedRequest(place, "", {}, tr("the file is no JSON object: {problem}", problem=problem))
        tool, arguments = content.get("tool"), content.get("arguments")
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            return SavedRequest(place, "", {}, tr('expected {"tool": …, "arguments": {…}}'))
        return SavedRequest(place, tool, arguments)

    def _known(self, place: str) -> str | None:
        """Return the place of a file that some system would take for the same; None when there is none."""
        wanted = f"{place}.json".casefold()
        for path in self._root.rglob("*.json"):
            found = path.relative_to(self._root)
            if found.as_posix().casefold() == wanted:
                return found.with_suffix("").as_posix()
        return None

    def _target(self, place: str) -> Path:
        problem = place_problem(place)
        if problem:
            raise RequestError(problem)
        target = self._root / f"{place}.json"
        # A link in a foreign project must not lead what is written elsewhere.
        if not target.parent.resolve().is_relative_to(self._project.resolve()):
            raise RequestError(tr("{place!r} lies outside the project", place=place))
        return target

    @staticmethod
    def _write(target: Path, text: str) -> None:
        scratch = target.with_name(f".{target.name}.new")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_text(text, "utf-8", errors="surrogateescape", newline="\n")
            scratch.replace(target)
        except OSError as error:
            raise RequestError(
                tr("the file {name!r} cannot be written: {error}", name=target.name, error=_reason(error))
            ) from error

    def _prune(self, folder: Path) -> None:
        """Take folders away that hold nothing any more; those git would not keep either."""
        while folder != self._root and folder.is_relative_to(self._root):
            try:
                folder.rmdir()
            except OSError:
                return  # something else lies in it
            folder = folder.parent


def place_problem(place: str) -> str:
    """Say why a request cannot have a name; "" when it can."""
    parts = place.split("/")
    if not place.strip():
        return tr("a name is expected")
    if len(parts) > _MOST_FOLDERS:
        return tr(
            "expected at most {most_folders} folders inside each other, got {count}",
            most_folders=_MOST_FOLDERS - 1,
            count=len(parts) - 1,
        )
    for part in parts:
        if not part.strip() or part != part.strip():
            return tr("expected a name before and after each slash, without spaces around it")
        if part.startswith(".") or part.endswith("."):
            return tr("a name does not start or end with a dot: {part!r}", part=part)
        if _FORBIDDEN.search(part) or _RESERVED.fullmatch(part):
            return tr("not every system can have a file called {part!r}", part=part)
        if len(part) > _LONGEST_NAME:
            return tr(
                "expected a name of at most {longest_name} characters, got {count}",
                longest_name=_LONGEST_NAME,
                count=len(part),
            )
    return ""


def _reason(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else str(error)
