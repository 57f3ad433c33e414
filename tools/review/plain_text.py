"""What is shown of a call where there are only lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pydantic_core import to_json

from tools.calls import PlannedStep, ReviewRequest, ReviewTiming
from tools.spec import DryRun

_MOST_ITEMS: Final = 10
_MOST_CALLS: Final = 3
_LONGEST_VALUE: Final = 200


def preview_lines(preview: DryRun) -> Iterator[str]:
    """Yield what a call would do: in one sentence with how much, then what, then what a person should know besides."""
    counts = ", ".join(count.words for count in preview.counts)
    yield f"{preview.text} {counts}".rstrip()
    for item in preview.items[:_MOST_ITEMS]:
        yield f"  {item}"
    more = preview.more + max(0, len(preview.items) - _MOST_ITEMS)
    if more:
        yield f"  and {more:,} more"
    for warning in preview.warnings:
        yield f"! {warning}"


def asked_words(step: PlannedStep) -> str:
    """Return what would be asked about a step of a plan, in one line; empty when nothing would be."""
    words = [step.refusal] if step.refusal else []
    reasons = ", ".join(concern.title.lower() for concern in step.concerns)
    if step.asking:
        many = "" if step.asking == step.calls == 1 else f"{step.asking:,} of {step.looked_at:,} calls "
        words.append(f"{many}{'ask' if many else 'asks'}: {reasons}")
    if step.is_open:
        known = f" ({reasons})" if reasons and not step.asking else ""
        words.append(f"may ask{known} when its arguments are known")
    return "; ".join(words)


def calls_words(step: PlannedStep) -> str:
    """Return how many calls a step of a plan makes."""
    if step.calls is None:
        return f"more than {step.looked_at:,} calls" if step.looked_at else "as many calls as there will be rows"
    return f"{step.calls:,} {'call' if step.calls == 1 else 'calls'}"


def caller_gone_words(request: ReviewRequest) -> str:
    """Return what it means for an answer that the caller has given up waiting; empty while the caller waits."""
    left_s = request.caller_back_within_s
    if left_s is None:
        return ""
    if request.timing is not ReviewTiming.BEFORE_EXECUTION:
        return "The caller has given up waiting; it gets the outcome when it asks again."
    return f"The caller has given up waiting; once allowed, the call runs when it asks again within {left_s:g} s."


def plan_lines(steps: Iterable[PlannedStep]) -> Iterator[str]:
    """Yield what a plan would do: the steps that ask with their first arguments, then the names of the others."""
    quiet: list[str] = []
    for step in steps:
        asked = asked_words(step)
        if not asked:
            quiet.append(step.name)
            continue
        yield f"{step.name}: {step.tool}, {calls_words(step)}; {asked}"
        for arguments in step.arguments[:_MOST_CALLS]:
            yield f"  {_shortened(to_json(arguments).decode())}"
        for concern in step.concerns:
            yield f"  ! {concern.title}" + (f": {concern.detail}" if concern.detail else "")
    if quiet:
        yield f"Nothing is asked about: {', '.join(quiet)}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}… ({len(text):,} characters)"


def visible(text: str) -> str:
    """Return a text whose signs all show: what moves the cursor, changes colours or turns the direction is spelled out.

    What a tool or its caller wrote must not be able to write over what it will do, or to add a line to it.
    """
    one_line = " ".join(text.splitlines())
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in one_line)
