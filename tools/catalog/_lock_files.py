"""Packages and versions that lock files pin."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.catalog._answers import objects_at, part, text_at
from tools.catalog._bounds import readable_size
from tools.errors import ToolFailure

MOST_BYTES: Final = 50_000_000
_PINNED: Final = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*===?\s*([A-Za-z0-9.!+_-]+)")
_GO_SUM: Final = re.compile(r"^(\S+) v([^\s/]+)(?:/go\.mod)? h1:")


class PinnedPackage(NamedTuple):
    """One package at one version.

    Attributes:
        ecosystem: Where it comes from, as OSV calls it.
        name: Its name there.
        version: The version.
    """

    ecosystem: str
    name: str
    version: str


def pinned_packages(path: Path) -> tuple[PinnedPackage, ...]:
    """Return the packages that a lock file pins, each once, in its order.

    Raises:
        ToolFailure: It is no lock file that is known, or cannot be read.
    """
    reader = _reader_of(path)
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ToolFailure(f"{path} has {readable_size(size)}; expected at most {readable_size(MOST_BYTES)}")
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise ToolFailure(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ToolFailure(f"{path} is no UTF-8 text; expected a lock file") from error
    try:
        return tuple(dict.fromkeys(reader(text)))
    except (ValueError, RecursionError) as error:
        raise ToolFailure(f"{path} cannot be read as a lock file: {str(error).splitlines()[0][:200]}") from error


def _reader_of(path: Path) -> Callable[[str], Iterator[PinnedPackage]]:
    found = _READERS.get(path.name.lower())
    if found is not None:
        return found
    if path.suffix in {".txt", ".lock", ".in"}:
        return _requirements
    known = ", ".join(sorted(_READERS))
    raise ToolFailure(f"{path.name!r} is no lock file that is known; expected {known} or a file of pip's requirements")


def _requirements(text: str) -> Iterator[PinnedPackage]:
    for line in text.splitlines():
        if found := _PINNED.match(line):
            yield PinnedPackage("PyPI", found[1], found[2])


def _toml(ecosystem: str) -> Callable[[str], Iterator[PinnedPackage]]:
    def read(text: str) -> Iterator[PinnedPackage]:
        for item in objects_at(tomllib.loads(text), "package"):
            source = item.get("source")
            # A package of the project itself, or of a folder, is in no registry.
            if isinstance(source, dict) and {"editable", "virtual", "directory", "path"} & source.keys():
                continue
            if ecosystem == "crates.io" and source is None:
                continue
            if text_at(item, "name") and text_at(item, "version"):
                yield PinnedPackage(ecosystem, text_at(item, "name"), text_at(item, "version"))

    return read


def _package_lock(text: str) -> Iterator[PinnedPackage]:
    content = json.loads(text)
    packages = part(content, "packages")
    if isinstance(packages, dict):
        for place, item in packages.items():
            name = text_at(item, "name") or place.rpartition("node_modules/")[2]
            if place and not part(item, "link") and text_at(item, "version"):
                yield PinnedPackage("npm", name, text_at(item, "version"))
        return
    yield from _old_package_lock(content)


def _old_package_lock(content: Any) -> Iterator[PinnedPackage]:
    waiting = [content]
    while waiting:
        inner = part(waiting.pop(), "dependencies")
        for name, item in inner.items() if isinstance(inner, dict) else ():
            if text_at(item, "version"):
                yield PinnedPackage("npm", name, text_at(item, "version"))
            waiting.append(item)


def _pipfile_lock(text: str) -> Iterator[PinnedPackage]:
    content = json.loads(text)
    for group in ("default", "develop"):
        packages = part(content, group)
        for name, item in packages.items() if isinstance(packages, dict) else ():
            if version := text_at(item, "version").removeprefix("=="):
                yield PinnedPackage("PyPI", name, version)


def _go_sum(text: str) -> Iterator[PinnedPackage]:
    for line in text.splitlines():
        if found := _GO_SUM.match(line):
            yield PinnedPackage("Go", found[1], found[2])


_READERS: Final[dict[str, Callable[[str], Iterator[PinnedPackage]]]] = {
    "cargo.lock": _toml("crates.io"),
    "go.sum": _go_sum,
    "package-lock.json": _package_lock,
    "pdm.lock": _toml("PyPI"),
    "pipfile.lock": _pipfile_lock,
    "poetry.lock": _toml("PyPI"),
    "uv.lock": _toml("PyPI"),
}
