"""What is said of how a tool is described, in the words of its page."""

from __future__ import annotations

from typing import NamedTuple

from console.call_result.lint_words import lint_words
from console.language import tr, tr_count
from console.widgets.formats import format_count
from console.widgets.labels import BadgeTone
from tools.lint import Severity, TokenCosts, ToolLint


class LintFindingRow(NamedTuple):
    """One thing that is wrong.

    Attributes:
        word: How much it matters.
        where: The place in the definition, as a JSON pointer.
    """

    word: str
    tone: BadgeTone
    where: str
    message: str
    fix: str


class LintRows(NamedTuple):
    """Everything the page says of how a tool is described.

    Attributes:
        tokens: What it costs in each request.
        text: The same to be copied.
    """

    tokens: str
    tokens_tip: str
    findings: tuple[LintFindingRow, ...]
    text: str

    @property
    def heading(self) -> str:
        """How many findings there are; empty for none."""
        return tr_count(len(self.findings), "1 finding", "{count} findings") if self.findings else ""


def lint_rows(lint: ToolLint) -> LintRows:
    """Put together what the page says of how a tool is described."""
    looks: dict[Severity, tuple[str, BadgeTone]] = {
        Severity.ERROR: (tr("Error"), "error"),
        Severity.WARNING: (tr("Warning"), "warn"),
        Severity.HINT: (tr("Hint"), "neutral"),
    }
    return LintRows(
        tr("≈ {total} tokens", total=format_count(lint.costs.total)),
        _cost_words(lint.costs),
        tuple(LintFindingRow(*looks[one.severity], one.where, *lint_words(one)) for one in lint.findings),
        "".join(
            f"{one.tool}{one.where}: {one.severity} [{one.rule}]\n  {one.message}\n  {one.fix}\n"
            for one in lint.findings
        ),
    )


def _cost_words(costs: TokenCosts) -> str:
    definition = format_count(costs.definition)
    if not costs.examples:
        return tr("Sent with every request, estimated: its definition {definition} tokens.", definition=definition)
    return tr(
        "Sent with every request, estimated: its definition {definition} tokens, its examples {examples}.",
        definition=definition,
        examples=", ".join(map(format_count, costs.examples)),
    )
