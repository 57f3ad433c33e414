"""The help page of the built-in tools, made from their cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tools.catalog._snapshot import ToolkitCards
from tools.manifest import Manifest, ManifestTool
from tools.sentences import full_sentence

_HEAD: Final = """\
# Built-in tools

Tool Console brings {count} tools. The tools tree shows those that suit the project folder, and all of them when you
ask it to; see **Project folder**. *Asks first* means that a person is asked before each call. A tool that needs an
extra offers to install it on its page. This page is made from what the tools say of themselves.
"""


def help_page(toolkits: Iterable[ToolkitCards]) -> str:
    """Return the page as Markdown: each toolkit with its tools, what they do, their risk and what they need."""
    kits = tuple(toolkits)
    lines = [_HEAD.format(count=sum(len(kit.tools) for kit in kits))]
    for kit in kits:
        first = kit.tools[0]
        lines += [f"## {first.toolkit or first.spec.category.capitalize()}", ""]
        lines += [kit.description, ""] if kit.description else []
        lines += [*map(_line, Manifest.of(kit.tools).tools), ""]
    return "\n".join(lines).rstrip() + "\n"


def _line(tool: ManifestTool) -> str:
    about, facts = " ".join(tool.description.split()).replace("*", "\\*"), "; ".join(tool.facts)
    said = f" *{full_sentence(facts)}*" if facts else ""
    return f"- **{tool.name}**: {about}{said}"
