"""The built-in prompts: texts that are asked of a model again and again."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from tools.card import BUILT_IN
from tools.declare import bundle_of, prompt
from tools.spec import Param, Role
from tools.tool import Prompt

_FOCUS: Final = {
    "everything": "Look for faults first, then for what is hard to read or not tested.",
    "faults": "Look only for faults: wrong results, lost data, races, errors that nobody sees.",
    "security": "Look only for what an attacker could use: input that is trusted, secrets, rights, paths, commands.",
    "style": "Look only at names, structure and words: what would slow the next reader down?",
}


@prompt(role=Role.USER)
def review_diff(
    diff: Annotated[str, Param("The change, as git_diff or git diff writes it")],
    focus: Annotated[Literal["everything", "faults", "security", "style"], Param("What to look for")] = "everything",
) -> str:
    """Ask for a review of a change."""
    return (
        f"Review this change. {_FOCUS[focus]} Name each finding with file and line, how it shows, and what to do; the"
        f" worst comes first. Say so when there is none.\n\n{_fenced(diff, 'diff')}"
    )


@prompt(role=Role.USER)
def explain_failed_call(
    tool: Annotated[str, Param("The tool that was called")],
    error: Annotated[str, Param("What it answered")],
    arguments: Annotated[str, Param("What it was given, as JSON")] = "{}",
) -> str:
    """Ask why a call of a tool failed, and what to call instead."""
    return (
        f"A call of the tool {tool} failed. Explain why in one or two sentences, then give the arguments that would"
        " work, or the tool that suits better. Say what you would have to know if that cannot be told.\n\n"
        f"Arguments:\n{_fenced(arguments, 'json')}\n\nAnswer:\n{_fenced(error)}"
    )


@prompt(role=Role.USER)
def summarize_log_text(
    log: Annotated[str, Param("The lines, as get_log_chunk returns them")],
    question: Annotated[str, Param("What somebody wants to know; empty asks what happened")] = "",
) -> str:
    """Ask what a log tells."""
    wanted = (
        question.strip() or "What happened, in the order of time? What failed first, and what only followed from it?"
    )
    return f"Read this log and answer: {wanted} Quote the lines that show it, with their times.\n\n{_fenced(log)}"


@prompt(role=Role.USER)
def write_commit_message(
    diff: Annotated[str, Param("What is staged, as git_diff writes it")],
    why: Annotated[str, Param("Why it was done, where the change does not tell")] = "",
) -> str:
    """Ask for the message of a commit."""
    reason = f" The reason: {why.strip()}" if why.strip() else ""
    return (
        "Write the message of a commit for this change: one line of at most 60 characters that begins with a verb, and"
        f" below it only what the change itself does not tell.{reason}\n\n{_fenced(diff, 'diff')}"
    )


def _fenced(text: str, language: str = "") -> str:
    """Return a text between fences that are longer than any in it, so that nothing in it ends them."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def builtin_prompts() -> list[Prompt]:
    """Return the built-in prompts, in the order they are listed."""
    declared = (review_diff, explain_failed_call, summarize_log_text, write_commit_message)
    return [one for function in declared for one in bundle_of(function, source=BUILT_IN).prompts]
