"""What a server says of one of its tools, kept as it came, and the digest that an approval is bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from pydantic import JsonValue

from tools.policy.digest import canonical
from tools.spec import RiskHints

JUDGED_KEYS: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""What of a definition is read by people and models, or decides what is asked: a change of it needs a new approval."""

HINT_DEFAULTS: Final = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
"""What a hint means where it is absent. Source: MCP 2026-07-28, ToolAnnotations."""


@dataclass(frozen=True)
class Definition:
    """Be one tool as its server describes it.

    Attributes:
        raw: The object as it came on the wire, unknown fields included; never changed in place.
    """

    raw: Mapping[str, JsonValue]

    @property
    def name(self) -> str:
        """The server's own name of the tool."""
        return _text(self.raw.get("name"))

    @property
    def title(self) -> str:
        """The title for people: the tool's, else its annotations', else its name."""
        return _text(self.raw.get("title")) or _text(self.annotations.get("title")) or self.name

    @property
    def description(self) -> str:
        """What the server says the tool does; empty when it says nothing."""
        return _text(self.raw.get("description"))

    @property
    def annotations(self) -> Mapping[str, JsonValue]:
        """The server's claims about the tool."""
        found = self.raw.get("annotations")
        return found if isinstance(found, dict) else {}

    def said(self, name: str) -> bool | None:
        """Return what the server says of a hint; None when it says nothing, or no truth value."""
        found = self.annotations.get(name)
        return found if isinstance(found, bool) else None

    def hint(self, name: str) -> bool:
        """Return what a hint is taken as: the server's word, else the protocol's default."""
        said = self.said(name)
        return HINT_DEFAULTS[name] if said is None else said

    @property
    def hints(self) -> RiskHints:
        """What the server says of the tool's risk.

        What a tool destroys has a meaning only where it changes something; that of one that only reads is left out.
        """
        read_only = self.said("readOnlyHint")
        destructive = None if read_only else self.said("destructiveHint")
        return RiskHints(read_only, destructive, self.said("openWorldHint"), assumes_worst=True)

    @property
    def judged(self) -> dict[str, JsonValue]:
        """The part that an approval is about."""
        return {key: self.raw[key] for key in JUDGED_KEYS if key in self.raw}

    @cached_property
    def digest(self) -> str:
        """A hash of the part that an approval is about, whatever the order of names and the spelling of numbers."""
        return sha256(canonical(self.judged).encode("utf-8", "surrogatepass")).hexdigest()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
