"""One API that a person or a project uses: where its document is, what of it is chosen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field, field_validator

from tools.paths import at_home

LONGEST_NAME: Final = 64
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_NOT_IN_NAMES: Final = re.compile(r"[^a-z0-9_-]+")


class ApiEntry(BaseModel):
    """What a file says of an API.

    Attributes:
        source: The address of its document, or its file; a project's is relative to its folder.
        base_url: What stands in the place of the addresses in the document; empty leaves them.
        operations: The operations that are tools, such as `GET /pets`; None takes all.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, defer_build=True)

    source: Annotated[str, MaxLen(4096)]
    base_url: Annotated[str, MaxLen(4096), Field(alias="baseUrl")] = ""
    operations: Annotated[tuple[str, ...], MaxLen(10_000)] | None = None

    @field_validator("source")
    @classmethod
    def _names_something(cls, source: str) -> str:
        if not source.strip():
            raise ValueError("expected a file or an address")
        return source.strip()


class ApiConfig(BaseModel):
    """Be one API.

    Attributes:
        name: What the person calls it, and what the names of its tools begin with.
        project_dir: The project whose it is; None for the person's own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: Annotated[str, MaxLen(LONGEST_NAME)]
    entry: ApiEntry
    project_dir: Path | None = None

    @field_validator("name")
    @classmethod
    def _is_plain(cls, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise ValueError(f"expected a name of letters, digits, - and _, got {name!r}")
        return name

    @property
    def key(self) -> str:
        """What copies and secrets are kept under: a project's API is another one than the person's."""
        return f"user/{self.name}" if self.project_dir is None else f"project:{self.project_dir}/{self.name}"

    @property
    def source(self) -> str:
        """The address of its document, or the whole path of its file."""
        source = self.entry.source
        if is_address(source):
            return source
        return str((self.project_dir or Path.cwd()) / at_home(source))


def is_address(source: str) -> bool:
    """Return whether a document is fetched, and is no file."""
    return "://" in source


def whole_path(source: str) -> Path:
    """Return the whole path of a file that a person named."""
    return at_home(source).absolute()


def suggested_name(title: str, source: str) -> str:
    """Return what an API may be called, by its title or where its document is."""
    words = title or Path(source).stem
    name = _NOT_IN_NAMES.sub("-", words.casefold()).strip("-_")
    for ending in ("-openapi", "-api", "-swagger"):
        name = name.removesuffix(ending) or name
    return name[:LONGEST_NAME].strip("-_") or "api"
