"""`apis.json`: one for the person, one for each project."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import JsonValue, ValidationError
from pydantic_core import from_json

from tools.atomic_write import write_whole
from tools.errors import ApiError
from tools.openapi.config import ApiConfig, ApiEntry
from tools.watched_file import WatchedFile

MOST_APIS: Final = 200
_KEY: Final = "apis"


class FileApis(NamedTuple):
    """What a file says.

    Attributes:
        configs: Its APIs, in order.
        problems: What of it means nothing, one sentence each.
    """

    configs: tuple[ApiConfig, ...] = ()
    problems: tuple[str, ...] = ()


class ApisFile(WatchedFile):
    """One file of APIs, which need not exist.

    Args:
        project_dir: The project whose it is; None for the person's own.
    """

    def __init__(self, path: Path, project_dir: Path | None = None) -> None:
        super().__init__(path)
        self._project_dir = project_dir

    def read(self) -> FileApis:
        """Return what the file says now; one entry that means nothing does not stop the others."""
        self.look()
        try:
            entries = self._entries(self._document())
        except ApiError as error:
            return FileApis(problems=(str(error),))
        configs: list[ApiConfig] = []
        problems: list[str] = []
        for name, entry in entries.items():
            try:
                configs.append(config_of(name, entry, self._project_dir))
            except ApiError as error:
                problems.append(f"{self.path}: {error}")
        return FileApis(tuple(configs), tuple(problems))

    def put(self, config: ApiConfig) -> None:
        """Write an API, in the place of the one of that name.

        Raises:
            ApiError: The file cannot be read or written, or has too many.
        """

        def change(entries: dict[str, Any]) -> None:
            entries[config.name] = config.entry.model_dump(mode="json", by_alias=True, exclude_defaults=True)
            if len(entries) > MOST_APIS:
                raise ApiError(f"{self.path} has {MOST_APIS} APIs, which is the most; remove one")

        self._edit(change)

    def remove(self, name: str) -> None:
        """Take an API out.

        Raises:
            ApiError: The file cannot be read or written.
        """

        def change(entries: dict[str, Any]) -> None:
            entries.pop(name, None)

        self._edit(change)

    def _edit(self, change: Callable[[dict[str, Any]], None]) -> None:
        try:
            with self.locked():
                document = self._document()
                entries = self._entries(document)
                change(entries)
                write_whole(self.path, json.dumps({**document, _KEY: entries}, indent=2, ensure_ascii=False) + "\n")
        except OSError as error:
            raise ApiError(f"{self.path} cannot be written ({error}); see to its folder") from error

    def _document(self) -> dict[str, JsonValue]:
        try:
            text = self.text() or ""
            document = from_json(text) if text.strip() else {}
        except (OSError, ValueError) as error:
            raise ApiError(f"{self.path} cannot be read: {str(error).splitlines()[0]}") from error
        if not isinstance(document, dict):
            raise ApiError(f'{self.path} cannot be read: expected an object such as {{"{_KEY}": {{}}}}')
        return document

    def _entries(self, document: dict[str, JsonValue]) -> dict[str, Any]:
        entries = document.get(_KEY, {})
        if not isinstance(entries, dict):
            raise ApiError(f"{self.path} cannot be read: expected {_KEY} to be an object in braces")
        if len(entries) > MOST_APIS:
            raise ApiError(f"{self.path} cannot be read: expected at most {MOST_APIS} APIs, got {len(entries):,}")
        return entries


def config_of(name: str, entry: Any, project_dir: Path | None = None) -> ApiConfig:
    """Return what an entry means.

    Raises:
        ApiError: It means nothing.
    """
    try:
        return ApiConfig(name=name, entry=ApiEntry.model_validate(entry), project_dir=project_dir)
    except ValidationError as error:
        told = "; ".join(_told(one) for one in _first(error))
        raise ApiError(f"the API {name!r}: {told}") from error


def _first(error: ValidationError) -> Iterator[Any]:
    yield from error.errors(include_url=False)[:3]


def _told(one: Any) -> str:
    where, words = ".".join(map(str, one["loc"])), str(one["msg"]).removeprefix("Value error, ")
    return f"{where}: {words}" if where else words
