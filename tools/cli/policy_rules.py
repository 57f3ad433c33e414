"""Rules as words of a command line: `policy allow`, `policy ask` and `policy deny`."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from typing import Any, Final

from tools.cli.streams import UsageError
from tools.cli.times import age, moment
from tools.policy import Comparison, Effect, Rule, RuleMoment, new_rule_id
from tools.spec import RiskClass

_HELP: Final = {
    Effect.ALLOW: "let calls run without a question",
    Effect.ASK: "ask about calls",
    Effect.DENY: "refuse calls",
}
_WORDS_OF_CONDITION: Final = 3
_SECRET: Final = "secret"  # noqa: S105 -- a word of the command line


def add_rule_words(parts: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the commands that make rules."""
    for effect, words in _HELP.items():
        parser = parts.add_parser(
            effect.value,
            parents=[common],
            help=words,
            epilog="A condition is a path, a comparison and a value, such as 'path inside src', 'n at_least 3',"
            " 'url host_in example.org' or 'mode in [\"a\", \"b\"]'; or just 'secret', when an argument holds a key or"
            " a token. Comparisons: "
            + ", ".join(comparison.value for comparison in Comparison)
            + ". Names are patterns with * and ?.",
        )
        parser.add_argument("tool", nargs="?", default="*", metavar="TOOL", help="which tools (default: all)")
        parser.add_argument("--source", default="*", metavar="NAME", help="tools of which source (default: any)")
        parser.add_argument("--caller", default="*", metavar="NAME", help="called by whom (default: anybody)")
        parser.add_argument(
            "--risk",
            action="append",
            default=[],
            choices=[risk.value for risk in RiskClass],
            metavar="RISK",
            help="calls of this risk class only; may be repeated",
        )
        parser.add_argument(
            "--where", action="append", default=[], metavar="CONDITION", help="what must hold; may be repeated"
        )
        parser.add_argument("--for", dest="span", type=age, metavar="AGE", help="for how long, such as 2h or 7d")
        parser.add_argument("--until", type=moment, metavar="TIME", help="until when, such as 2026-12-24")
        parser.add_argument("--reason", default="", metavar="TEXT", help="why; the caller is told when it refuses")
        parser.add_argument("--id", metavar="ID", help="its name (default: a new one)")
        parser.add_argument("--in-project", action="store_true", help="keep it in the project's file, not in yours")
        parser.add_argument("--results", action="store_true", help="about results before they are handed on")
        if effect is not Effect.DENY:
            parser.add_argument(
                "--redact", action="append", default=[], metavar="PATH", help="hide this of results; may be repeated"
            )
            parser.add_argument(
                "--redact-secrets", action="store_true", help="hide keys, tokens and private keys in results"
            )
        if effect is Effect.ASK:
            parser.add_argument("--role", default="", metavar="NAME", help="who may answer (default: anybody)")
        if effect is Effect.ALLOW:
            parser.add_argument("--uses", type=int, metavar="N", help="how many calls (default: no limit)")
            parser.add_argument(
                "--answers",
                action="append",
                default=[],
                metavar="KIND",
                help="which of the tool's own reasons to ask it settles (default: all); may be repeated",
            )


def rule_of(options: argparse.Namespace) -> Rule:
    """Return the rule that the words make.

    Raises:
        UsageError: When a condition is none.
        ValidationError: When the rule makes no sense.
    """
    given = vars(options)
    now = datetime.now(UTC)
    hides = given.get("redact") or given.get("redact_secrets")
    said: dict[str, Any] = {
        "id": options.id or new_rule_id(),
        "effect": options.part,
        "moment": RuleMoment.RESULT if hides or options.results else RuleMoment.BEFORE,
        "source": options.source,
        "tool": options.tool,
        "caller": options.caller,
        "risk": options.risk,
        "where": [_condition(text) for text in options.where],
        "expires_at": options.until if options.span is None else now + options.span,
        "max_uses": given.get("uses"),
        "required_role": given.get("role", ""),
        "reason": options.reason,
        "redact": given.get("redact", ()),
        "redact_secrets": given.get("redact_secrets", False),
        "created_at": now,
    }
    if given.get("answers"):
        said["answers"] = given["answers"]
    return Rule.model_validate(said)


def _condition(text: str) -> dict[str, Any]:
    if text in {_SECRET, f"no {_SECRET}"}:
        return {"path": "", Comparison.HOLDS_SECRET: text == _SECRET}
    words = text.split(None, _WORDS_OF_CONDITION - 1)
    known = [comparison.value for comparison in Comparison]
    if len(words) != _WORDS_OF_CONDITION or words[1] not in known:
        msg = f"expected a path, one of {', '.join(known)}, and a value, such as 'path inside src', got {text!r}"
        raise UsageError(msg)
    path, comparison, value = words
    return {"path": path, comparison: _operand(Comparison(comparison), value)}


def _operand(comparison: Comparison, text: str) -> Any:
    if comparison in {Comparison.IN, Comparison.HOST_IN} and not text.startswith("["):
        return [part.strip() for part in text.split(",")]
    if comparison in {Comparison.EQUALS, Comparison.IN, Comparison.HOST_IN, Comparison.HOLDS_SECRET}:
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text
