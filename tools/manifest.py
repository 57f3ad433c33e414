"""The manifest: everything that is known of some tools, as one JSON document and as a catalogue page for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tools.atomic_write import write_whole
from tools.card import PolicyCard, ToolFacts, policy_card
from tools.schema.words import words
from tools.spec import AuditLevel, Isolation, Latency

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA_VERSION: Final = "1.0"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ManifestSource(_Part):
    """Where a tool comes from."""

    kind: str
    """`built-in`, `plugin`, `program` or `server`."""
    name: str
    toolkit: str
    """The title of its toolkit; empty when it stands alone."""


class ManifestContract(_Part):
    """What holds before and after each call; functions stand as their names, such as `is_open(...)`."""

    preconditions: tuple[str, ...] = ()
    postconditions: tuple[str, ...] = ()
    invariants: tuple[str, ...] = ()


class ManifestResilience(_Part):
    """How a call deals with failure, as it holds with all defaults."""

    max_attempts: int
    backoff_ms: float | None
    """The wait before the second attempt in milliseconds; null without one."""
    timeout_ms: float | None
    """How long one attempt may take in milliseconds; null without a limit."""
    circuit_breaker: bool


class ManifestSecurity(_Part):
    """Who may call, what is asked and what is hidden, as it holds with all defaults."""

    approval_required: bool
    audit: AuditLevel
    sensitive: bool
    allowed_callers: tuple[str, ...]
    """Empty admits all."""
    mask_fields: tuple[str, ...]


class ManifestTool(_Part):
    """One tool."""

    name: str
    description: str
    title: str
    category: str
    version: str
    keywords: tuple[str, ...]
    latency: Latency | None
    depends_on: tuple[str, ...]
    priority: int
    idempotent: bool
    parallelizable: bool
    requires_confirmation: bool
    read_only: bool | None
    """Whether it changes nothing; null when nobody said, here as with the next two."""
    destructive: bool | None
    open_world: bool | None
    asks_first: bool
    """Whether every call needs a person's consent."""
    isolation: Isolation | None
    """Where it runs; null leaves it to its plugin file."""
    extra: str
    """The extra of this program whose libraries it needs; empty for none."""
    needs: tuple[str, ...]
    """Services and programs that it works with."""
    untried: bool
    """Whether nobody has run it against these yet: it was tested on their protocol only."""
    source: ManifestSource
    contract: ManifestContract
    resilience: ManifestResilience
    security: ManifestSecurity
    policies: dict[str, JsonValue]
    """Every policy as it was declared; what is not declared is left out."""
    examples: tuple[dict[str, JsonValue], ...]
    input_schema: dict[str, JsonValue]
    output_schema: dict[str, JsonValue] | None
    digest: str
    """SHA-256 of name, version, description and schemas: it changes when the definition does."""

    @property
    def facts(self) -> tuple[str, ...]:
        """Its risk and what it needs, in a few words each."""
        proof = "tested on the protocol, not yet run against the real one" if self.untried else ""
        facts = (
            ("read-only", self.read_only),
            ("destructive", self.destructive),
            ("reaches the network", self.open_world),
            ("asks first", self.asks_first),
            (f"needs the extra {self.extra}", self.extra),
            (f"works with {', '.join(self.needs)}", self.needs),
            (proof, proof),
        )
        return tuple(word for word, holds in facts if holds)


class Manifest(_Part):
    """Everything that is known of some tools, sorted by name.

    Source: seed 0, "Tool Manifest".
    """

    model_config = ConfigDict(title="Tool manifest")

    schema_version: Literal["1.0"] = SCHEMA_VERSION
    generated_at: datetime
    """When it was made, in UTC."""
    tools: tuple[ManifestTool, ...] = Field(default=())

    @classmethod
    def of(cls, tools: Iterable[ToolFacts], *, generated_at: datetime | None = None) -> Manifest:
        """Make the manifest of some tools or their cards; a registry gives all of its own.

        Args:
            generated_at: The time it says; None is now.
        """
        entries = sorted((_entry(tool) for tool in tools), key=lambda entry: entry.name)
        return cls(generated_at=generated_at or datetime.now(UTC), tools=tuple(entries))

    @classmethod
    def schema_of_file(cls) -> dict[str, Any]:
        return cls.model_json_schema(mode="serialization")

    def to_json(self) -> str:
        return self.model_dump_json(indent=2)

    def to_markdown(self) -> str:
        """Return the tools as a page for people: by source and toolkit, each with arguments and examples."""
        count = "1 tool" if len(self.tools) == 1 else f"{len(self.tools)} tools"
        lines = ["# Tools", "", f"{count}, {self.generated_at:%Y-%m-%d %H:%M} UTC.", ""]
        for (source, kit), members in groupby(sorted(self.tools, key=_place), _place):
            lines += [f"## {_plain(source)} › {_plain(kit)}", ""]
            for tool in members:
                lines += _section(tool)
        return "\n".join(lines).rstrip() + "\n"

    def write_to(self, path: Path) -> None:
        """Write the document into a file, whole or not at all: as Markdown when it ends with `.md`, else as JSON.

        Raises:
            OSError: The file cannot be written.
        """
        text = self.to_markdown() if path.suffix.lower() in {".md", ".markdown"} else self.to_json() + "\n"
        write_whole(path, text)


def _entry(tool: ToolFacts) -> ManifestTool:
    spec, hints = tool.spec, tool.hints
    policies: PolicyCard = policy_card(tool.policies)
    retry, contract, security = policies.retry, policies.contract, policies.security
    return ManifestTool(
        **spec.model_dump(include=_SAME),
        read_only=hints.read_only,
        destructive=hints.destructive,
        open_world=hints.open_world,
        asks_first=tool.asks_first,
        isolation=policies.isolation or spec.isolation,
        source=ManifestSource(kind=tool.source.kind.value, name=tool.source.name, toolkit=tool.toolkit),
        contract=ManifestContract()
        if contract is None
        else ManifestContract(
            preconditions=_said(contract.pre),
            postconditions=_said(contract.post),
            invariants=_said(contract.invariants),
        ),
        resilience=ManifestResilience(
            max_attempts=1 if retry is None else retry.max_attempts,
            backoff_ms=None if retry is None or retry.max_attempts == 1 else retry.initial_delay_s * 1000,
            timeout_ms=None if policies.timeout_s is None else policies.timeout_s * 1000,
            circuit_breaker=policies.circuit_breaker is not None,
        ),
        security=ManifestSecurity(
            approval_required=security is not None and security.approval_required,
            audit=AuditLevel.STANDARD if security is None else security.audit,
            sensitive=tool.sensitive,
            allowed_callers=() if security is None else security.allowed_callers,
            mask_fields=() if security is None else security.mask_fields,
        ),
        policies=policies.model_dump(mode="json", exclude_unset=True, exclude_none=True),
        examples=tuple(example.model_dump(mode="json", exclude_defaults=True) for example in spec.examples),
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        digest=tool.digest,
    )


_SAME: Final = {
    "name",
    "description",
    "title",
    "category",
    "version",
    "keywords",
    "latency",
    "depends_on",
    "extra",
    "needs",
    "untried",
    "priority",
    "idempotent",
    "parallelizable",
    "requires_confirmation",
}


def _said(clauses: Iterable[object]) -> tuple[str, ...]:
    return tuple(str(clause) for clause in clauses)


def _place(tool: ManifestTool) -> tuple[str, str]:
    return tool.source.name, tool.source.toolkit or tool.category


def _section(tool: ManifestTool) -> list[str]:
    """Return what the page says of one tool, as lines of Markdown."""
    about = _plain(tool.description) or "No description."
    lines = [f"### {_plain(tool.name)}", "", about, "", f"*{', '.join((*tool.facts, f'version {tool.version}'))}*", ""]
    properties, required = tool.input_schema.get("properties"), tool.input_schema.get("required")
    if isinstance(properties, dict) and properties:
        needed = required if isinstance(required, list) else []
        lines += ["| Argument | Type | Default | Meaning |", "|---|---|---|---|"]
        for name, node in properties.items():
            field = node if isinstance(node, dict) else {}
            default = f"`{json.dumps(field.get('default'), ensure_ascii=False)}`"
            cells = (
                f"`{name}`",
                words(field, tool.input_schema),
                "required" if name in needed else default,
                str(field.get("description", "")),
            )
            lines.append(f"| {' | '.join(map(_cell, cells))} |")
        lines.append("")
    for example in tool.examples:
        head = "Do not" if example.get("negative") else "Example"
        reason = str(example.get("why_bad") or example.get("description") or "")
        text = json.dumps(example.get("input"), indent=2, ensure_ascii=False)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        lines += [f"{head}{': ' if reason else ''}{_plain(reason)}", "", f"{fence}json", text, fence, ""]
    return lines


def _plain(text: str) -> str:
    """Return a text of somebody else's as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(text.split()))


def _cell(text: str) -> str:
    """Return a text for a cell of a table: on one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")
