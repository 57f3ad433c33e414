"""Say rules in words, so that the same sentence stands in a list, a question, a refusal and an offer.

Every key of a rule appears in its words: what people read must be all that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from tools.policy.digest import same_form
from tools.policy.matching import exact_name
from tools.policy.rules import ANYTHING, Autonomy, Comparison, Effect, Predicate, Rule, RuleLocation, RuleMoment
from tools.schema import json_beginning
from tools.spec import RiskClass, RiskHints

if TYPE_CHECKING:
    from pydantic import JsonValue

LONGEST_VALUE: Final = 200

RISK_WORDS: Final = {
    RiskClass.READ_ONLY: "only reads",
    RiskClass.BUILD_TEST: "builds or tests",
    RiskClass.WRITE: "writes",
    RiskClass.NETWORK: "uses the network",
    RiskClass.UNKNOWN: "has an unknown risk",
    RiskClass.DESTRUCTIVE: "may destroy something",
    RiskClass.ESCALATION: "wants more rights",
}
"""Each risk class as what a call does."""

HINT_PARTS: Final = (
    ("changes nothing", "changes something"),
    ("may destroy something", "destroys nothing"),
    ("reaches beyond this computer", "stays on this computer"),
    ("may change or destroy something", "may change something"),
)
"""What a tool says of its risk, each hint as it is and as it is not; last, what else it is taken as."""

HINT_SENTENCES: Final = {
    (True, False): "says that it {said}",
    (True, True): "says that it {said}; of the rest nothing, taken as one that {taken}",
    (False, False): "says nothing of its risk",
    (False, True): "says nothing of its risk; taken as one that {taken}",
}
"""What is said of the risk of a tool, by whether it says something, and whether it is taken as something."""

LISTED: Final = "{first} and {last}"

AUTONOMY_WORDS: Final = {
    Autonomy.FULL_AUTO: "Full auto: asks about no call because of its risk",
    Autonomy.SUPERVISED: "Supervised: asks before calls that may destroy something or have an unknown risk",
    Autonomy.CAUTIOUS: "Cautious: asks before calls that do more than read, build or test",
    Autonomy.MANUAL: "Manual: asks before every call",
}
"""Each autonomy level in one sentence."""

WHO_CHANGES: Final = {
    RuleLocation.SESSION: "it ends with this run of the program, and you can remove it before",
    RuleLocation.USER: "whoever uses this computer can change it, in their own policy",
    RuleLocation.PROJECT: "whoever keeps the project can change it, in the project's policy",
}
"""Who can change a rule, by where it stands."""

_VERBS: Final = {
    (RuleMoment.BEFORE, Effect.ALLOW): "Allow {tools}",
    (RuleMoment.BEFORE, Effect.ASK): "Ask about {tools}",
    (RuleMoment.BEFORE, Effect.DENY): "Deny {tools}",
    (RuleMoment.RESULT, Effect.ALLOW): "Hand on results of {tools}",
    (RuleMoment.RESULT, Effect.ASK): "Ask before handing on results of {tools}",
    (RuleMoment.RESULT, Effect.DENY): "Withhold results of {tools}",
}
_COMPARISONS: Final = {
    Comparison.EQUALS: "is",
    Comparison.IN: "is one of",
    Comparison.PREFIX: "begins with",
    Comparison.INSIDE: "lies in",
    Comparison.MATCHES: "matches",
    Comparison.ABOVE: "is above",
    Comparison.BELOW: "is below",
    Comparison.AT_LEAST: "is at least",
    Comparison.AT_MOST: "is at most",
    Comparison.HOST_IN: "is at the host",
    Comparison.HOLDS_SECRET: "holds",
}


def hint_words(hints: RiskHints, say: Callable[[str], str] = str) -> str:
    """Return what a tool says of its risk, and what it is taken as where it says nothing: `says that it …; …`.

    Args:
        say: Puts words into another language.
    """
    known = zip(hints[:3], HINT_PARTS[:3], strict=True)
    said = [words[0] if hint else words[1] for hint, words in known if hint is not None]
    taken = _taken(hints)
    words = say(HINT_SENTENCES[bool(said), bool(taken)])
    return words.format(said=_listed(said, say), taken=_listed(taken, say))


def taken_words(hints: RiskHints) -> str:
    """Return what a tool is taken as where it says nothing; empty when it says all, or nothing is taken."""
    return _listed(_taken(hints))


def _taken(hints: RiskHints) -> list[str]:
    taken = []
    if hints.destructive is None and hints.may_destroy:
        taken.append(HINT_PARTS[3][0] if hints.read_only is None else HINT_PARTS[1][0])
    elif hints.read_only is None and hints.assumes_worst and not hints.destructive:
        taken.append(HINT_PARTS[3][1])
    if hints.open_world is None and hints.reaches_out:
        taken.append(HINT_PARTS[2][0])
    return taken


def _listed(words: list[str], say: Callable[[str], str] = str) -> str:
    if not words:
        return ""
    *first, last = map(say, words)
    return say(LISTED).format(first=", ".join(first), last=last) if first else last


def rule_words(rule: Rule) -> str:
    """Return a rule as one sentence without a full stop, all of it that decides."""
    # Word by word, each around what was said before: the window recognises its parts in the same way.
    text = _VERBS[rule.moment, rule.effect].format(tools=_tools(rule))
    if rule.caller != ANYTHING:
        text = f"{text} called by {_name(rule.caller)}"
    if rule.risk:
        text = f"{text} when the call {_either(RISK_WORDS[risk] for risk in rule.risk)}"
    if rule.where:
        predicates = " and ".join(map(predicate_words, rule.where))
        text = f"{text} and {predicates}" if rule.risk else f"{text} when {predicates}"
    if rule.redact:
        text = f"{text} with {_list(rule.redact)} hidden"
    if rule.redact_secrets:
        text = f"{text} and secrets hidden" if rule.redact else f"{text} with secrets hidden"
    notes = [*_settled(rule)]
    if rule.required_role:
        notes.append(f"a person in the role {rule.required_role} answers")
    if rule.max_uses is not None:
        notes.append("once" if rule.max_uses == 1 else f"{rule.max_uses:,} times at most")
    if rule.expires_at is not None:
        notes.append(f"until {local_time(rule.expires_at)}")
    if rule.definition and rule.effect is Effect.ALLOW:
        notes.append("as long as the tool's definition stays the same")
    return visible("; ".join([text, *notes]))


def visible(text: str) -> str:
    """Return a text on one line whose invisible signs are spelled out: somebody else may have chosen its letters."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)


def predicate_words(predicate: Predicate) -> str:
    """Return a predicate in words, as in `path lies in "src"`."""
    if predicate.is_exact:
        return f"the arguments are exactly {_value(predicate.equals)}"
    if predicate.comparison is Comparison.HOLDS_SECRET:
        return f"{predicate.path or 'an argument'} holds {'a' if predicate.holds_secret else 'no'} secret"
    operand: Any = predicate.operand
    if predicate.comparison is Comparison.HOST_IN:
        value = _either(operand)
    elif isinstance(operand, tuple):
        value = ", ".join(map(_value, operand))
    else:
        value = _value(operand)
    return f"{predicate.path} {_COMPARISONS[predicate.comparison]} {value}"


def local_time(moment: datetime) -> str:
    """Return a moment in this computer's time zone, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def _tools(rule: Rule) -> str:
    tools = "all tools" if rule.tool == ANYTHING else _name(rule.tool)
    if rule.source == ANYTHING:
        return tools
    return f"{tools} of {_name(rule.source)}"


def _name(pattern: str) -> str:
    return exact_name(pattern) or pattern


def _settled(rule: Rule) -> Iterable[str]:
    if rule.effect is not Effect.ALLOW or rule.moment is not RuleMoment.BEFORE or rule.answers == (ANYTHING,):
        return
    if rule.answers:
        kinds = ", ".join(word.replace("_", " ") for word in rule.answers)
        yield f"the tool's own reasons to ask are settled ({kinds})"
    else:
        yield "the tool's own reasons to ask stay"


def _list(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _either(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _value(value: JsonValue) -> str:
    text = json_beginning(same_form(value), LONGEST_VALUE)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
