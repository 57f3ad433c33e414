"""What servers offer and how it changed, in the words and values that the Servers page shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from console.servers.ports import ResourceReading
from console.servers.rows import DefinitionChangeRow, FindingRow, OfferedTool, ResourceRow
from console.viewers import Content, ContentKind, file_content
from console.widgets import format_size
from tools.mcp.definitions import Definition
from tools.mcp.differences import ChangeKind, DefinitionChange
from tools.mcp.offered import Resource, ResourceContent, ResourceTemplate
from tools.mcp.pins import DefinitionJudgement, PinVerdict
from tools.mcp.poisoning import PoisoningFinding
from tools.policy import hint_words

_VERDICTS: Final[Mapping[PinVerdict, tuple[str, str]]] = MappingProxyType(
    {
        PinVerdict.NEW: ("new", "New"),
        PinVerdict.SAME: ("approved", "Approved"),
        PinVerdict.CHANGED: ("changed", "Changed, paused"),
        PinVerdict.BLOCKED: ("blocked", "Blocked"),
    }
)
_DANGERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "annotations.destructiveHint": "Now destructive",
        "annotations.readOnlyHint": "Now changes things",
        "annotations.idempotentHint": "Not to be repeated now",
        "annotations.openWorldHint": "Now reaches out",
    }
)
_ARGUMENT: Final = re.compile(r"inputSchema\.properties\.[^.]+")
_LINE: Final = 88
"""Letters of a line that holds a whole value."""

_DEEPEST: Final = 64
"""Letters of the deepest indentation; what is inside that stands on one line."""


def offered_tool(
    judgement: DefinitionJudgement, full_name: str, findings: Iterable[FindingRow], *, is_on: bool
) -> OfferedTool:
    """Give the row of a tool that a server offers."""
    definition = judgement.definition
    verdict, words = _VERDICTS[judgement.verdict]
    if not is_on and verdict in {"new", "approved"}:
        verdict, words = "off", "Switched off"
    return OfferedTool(
        name=definition.name,
        full_name=full_name,
        title=definition.title if definition.title != definition.name else "",
        description=definition.description,
        said_of_risk=_said_of_risk(definition),
        risk_words=f"{hint_words(definition.hints)}.",
        verdict=verdict,
        verdict_words=words,
        findings=tuple(findings),
        definition=written(definition.raw),
        is_on=is_on,
        digest=definition.digest,
    )


def change_row(judgement: DefinitionJudgement, parts: str, dangers: Sequence[str]) -> DefinitionChangeRow:
    """Give the row of a definition that is not what was approved.

    Args:
        judgement: How it stands.
        parts: What changed, in words.
        dangers: What is worse now.
    """
    now, approved = judgement.definition, judgement.approved
    when = None if judgement.approved_at is None else judgement.approved_at.astimezone()
    consequence = "Calls run as before once you approve it."
    if now.hint("destructiveHint") and not now.hint("readOnlyHint"):
        consequence = "Calls will ask for approval while the tool counts as destructive."
    return DefinitionChangeRow(
        tool=now.name,
        parts=parts,
        danger=dangers[0] if dangers else "",
        before="" if approved is None else written(approved.judged),
        after=written(now.judged),
        consequence=consequence,
        approved_on="" if when is None else f"{when.day} {when:%B}",
        is_blocked=judgement.verdict is PinVerdict.BLOCKED,
        digest=now.digest,
    )


def finding_row(found: PoisoningFinding) -> FindingRow:
    """Give the row of something that looks like a trick."""
    return FindingRow(f"{found.words[:1].upper()}{found.words[1:]}, in {found.where}", found.excerpt)


def parts_of(changes: Sequence[DefinitionChange]) -> tuple[str, tuple[str, ...]]:
    """Say in a few words what changed, and what is worse now."""
    arguments = {change.where for change in changes if _ARGUMENT.fullmatch(change.where)}
    texts = [key for key in ("title", "description") if any(change.where == key for change in changes)]
    hints = [change for change in changes if change.where.startswith("annotations.")]
    rest = [change for change in changes if change.where.startswith("outputSchema")]
    words = list(texts)
    if arguments:
        words.append("1 argument" if len(arguments) == 1 else f"{len(arguments)} arguments")
    elif any(change.where.startswith("inputSchema") for change in changes):
        words.append("the arguments")
    words += ["the result"] if rest else []
    words += ["what it says of its risk"] if hints else []
    # A hint that is gone says nothing: what the tool is taken as then is no word of the server's.
    dangers = tuple(
        "Says less of its risk" if change.kind is ChangeKind.REMOVED else _DANGERS.get(change.where, "More dangerous")
        for change in changes
        if change.is_riskier
    )
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))), dangers


def resource_row(resource: Resource) -> ResourceRow:
    """Give the row of a resource."""
    size = "" if resource.size_bytes is None else format_size(resource.size_bytes)
    return ResourceRow(resource.uri, resource.title or resource.uri, resource.mime_type, size, resource.description)


def template_row(template: ResourceTemplate) -> ResourceRow:
    """Give the row of a template of resources."""
    return ResourceRow(
        template.uri_template,
        template.title or template.uri_template,
        template.mime_type,
        "",
        template.description,
        template.variables,
    )


def content_of(contents: Sequence[ResourceContent], uri: str, elapsed: str) -> ResourceReading:
    """Give what was read of a resource.

    Args:
        contents: Its parts.
        uri: Its address.
        elapsed: How long reading took, in words.
    """
    if not contents:
        return ResourceReading(None, f"{uri} is empty; read in {elapsed}")
    first = contents[0]
    name = PurePosixPath(urlsplit(uri).path).name
    if all(part.text is not None for part in contents):
        text = "\n\n".join(part.text or "" for part in contents)
        content = Content(ContentKind.TEXT, text, name, first.mime_type)
    else:
        content = file_content(name, first.mime_type, first.data or b"")
    parts = "" if len(contents) == 1 else f" in {len(contents):,} parts"
    return ResourceReading(content, f"{uri} read in {elapsed}{parts}")


def written(value: Any, indent: int = 0) -> str:
    """Write a definition as text that is compared and read: what is short on one line, all else one name a line."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) + indent <= _LINE or not isinstance(value, dict | list) or not value or indent >= _DEEPEST:
        return short
    inside = " " * (indent + 2)
    if isinstance(value, dict):
        lines = [
            f"{inside}{json.dumps(name, ensure_ascii=False)}: {written(item, indent + 2)}"
            for name, item in value.items()
        ]
    else:
        lines = [f"{inside}{written(item, indent + 2)}" for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    content = ",\n".join(lines)
    return f"{opening}\n{content}\n{' ' * indent}{closing}"


def _said_of_risk(definition: Definition) -> str:
    """Say in two or three words what a server says of the risk of a tool; what it leaves out is no word of its."""
    hints = definition.hints
    if hints.says_nothing and definition.said("idempotentHint") is None:
        return "says nothing"
    words = ["only reads"] if hints.read_only else []
    if hints.destructive is not None:
        words.append("may destroy" if hints.destructive else "destroys nothing")
    elif hints.read_only is False:
        words.append("changes something")
    words += ["may be repeated"] if definition.said("idempotentHint") and not hints.read_only else []
    if hints.open_world is not None:
        words.append("reaches out" if hints.open_world else "stays here")
    return ", ".join(words) or "says nothing"
