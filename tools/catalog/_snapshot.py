"""The cards of the built-in tools as `resources/catalogue.json` has them, so that a start imports no toolkit.

To make more than two hundred tools, with the types of their arguments and results, takes longer than a second of
processor, and a list of tools needs nothing but their cards. `packaging/catalogue.py` writes the file. It holds a
digest of the sources: where one was changed since, the tools are made from the sources.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from tools.card import ToolCard
from tools.tool import Tool

FILE_NAME: Final = "catalogue.json"
"""The file, in `resources`."""


@dataclass(frozen=True)
class ToolkitCards:
    """A toolkit without its code.

    Attributes:
        class_path: Where its class is, as `module.Class` in `tools.catalog`.
        description: What its tools have in common.
        tools: The cards of its tools, in the order they are listed.
    """

    class_path: str
    description: str
    tools: tuple[ToolCard, ...]


@dataclass(frozen=True)
class Snapshot:
    """What the file holds.

    Attributes:
        sources: A digest of the modules of `tools.catalog`; see `digest`.
        toolkits: The toolkits, in the order they are listed.
    """

    sources: str
    toolkits: tuple[ToolkitCards, ...]


def toolkit_cards(class_path: str, tools: Iterable[Tool]) -> ToolkitCards:
    """Return what is written down of a toolkit."""
    made = tuple(tools)
    return ToolkitCards(class_path, made[0].toolkit_description, tuple(tool.card for tool in made))


def written(snapshot: Snapshot) -> str:
    """Return the text of the file, with a tool a line, so that a change of one is seen as that."""
    plain = TypeAdapter(Snapshot).dump_python(snapshot, mode="json", exclude_defaults=True)
    toolkits = ",\n".join(map(_toolkit_text, plain["toolkits"]))
    return f'{{"sources": {json.dumps(plain["sources"])}, "toolkits": [\n{toolkits}\n]}}\n'


def _toolkit_text(toolkit: dict[str, Any]) -> str:
    head = json.dumps({**toolkit, "tools": []}, ensure_ascii=False).removesuffix("[]}")
    cards = ",\n".join(json.dumps(card, ensure_ascii=False) for card in toolkit["tools"])
    return f"{head}[\n{cards}\n]}}"


def read() -> Snapshot:
    """Return what the file holds."""
    return TypeAdapter(Snapshot).validate_json(files("resources").joinpath(FILE_NAME).read_bytes())


def digest() -> str:
    """Return a digest of the modules of `tools.catalog`; empty where they are shipped without their sources."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    found = sha256()
    for path in sources:
        found.update(path.read_bytes())
    return found.hexdigest() if sources else ""
