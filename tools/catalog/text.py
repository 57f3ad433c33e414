"""Text: compare, extract, replace, count, render."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_CHARS, counted, cut_text, say_cut, stop_if_cancelled
from tools.catalog._documents import file_text
from tools.catalog._paths import shown
from tools.catalog._patterns import PATTERN_TIMEOUT_S, compiled, time_limited
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

MAX_TEXT_CHARS: Final = 5_000_000
MAX_DIFF_LINES: Final = 100_000

GivenText = Annotated[str, Param("The text"), Field(max_length=MAX_TEXT_CHARS)]
Pattern = Annotated[str, Param("The regular expression"), Field(min_length=1, max_length=10_000)]
CaseSensitive = Annotated[bool, Param("Match upper and lower case exactly")]
Multiline = Annotated[bool, Param("Let ^ and $ match at each line")]
DotAll = Annotated[bool, Param("Let . match line ends too")]
ContextLineCount = Annotated[int, Param("Unchanged lines around each change", unit="lines"), Field(ge=0, le=1000)]
MaxChars = Annotated[int, Param("Most characters returned"), Field(ge=1, le=MAX_CHARS)]


@dataclass(frozen=True, slots=True)
class Diff:
    """How two texts differ."""

    equal: Annotated[bool, Field(description="Whether there is no difference at all.")]
    added: Annotated[int, Field(description="How many lines are only in the second.")]
    removed: Annotated[int, Field(description="How many lines are only in the first.")]
    diff: Annotated[str, Field(description="The difference as a unified diff; empty when there is none.")]
    truncated: Annotated[bool, Field(description="Whether the diff was cut.")]


@dataclass(frozen=True, slots=True)
class Extract:
    """One match of a pattern."""

    text: Annotated[str, Field(description="What matched.")]
    start: Annotated[int, Field(description="Number of its first character in the text, from 0.")]
    line: Annotated[int, Field(description="Number of the line it begins in, from 1.")]
    column: Annotated[int, Field(description="Number of its first character in that line, from 1.")]
    groups: Annotated[list[str | None], Field(description="The groups in parentheses; null for those left out.")]
    named: Annotated[dict[str, str | None], Field(description="The named groups.")]


@dataclass(frozen=True, slots=True)
class Extracts:
    """What a pattern found in a text."""

    matches: Annotated[list[Extract], Field(description="The matches, in order.")]
    truncated: Annotated[bool, Field(description="Whether there were more.")]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A text in which something was replaced."""

    text: Annotated[str, Field(description="The new text.")]
    replacements: Annotated[int, Field(description="How many places changed.")]


@dataclass(frozen=True, slots=True)
class Counts:
    """How long a text is."""

    characters: Annotated[int, Field(description="Characters as people see them: an emoji with a skin tone is one.")]
    code_points: Annotated[int, Field(description="Unicode code points, as Python counts.")]
    letters_and_digits: Annotated[int, Field(description="Letters and digits of any script.")]
    words: Annotated[int, Field(description="Runs of anything but white space.")]
    lines: Annotated[int, Field(description="Lines; a last one without an end counts.")]
    paragraphs: Annotated[int, Field(description="Blocks of lines between empty lines.")]
    size_bytes: Annotated[int, Field(description="Size in UTF-8, in bytes.")]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered template."""

    text: Annotated[str, Field(description="The text.")]
    truncated: Annotated[bool, Field(description="Whether it was cut at max_chars.")]


@toolkit("Text", category="text", description="Compare, extract, replace, count and render text.")
class Text:
    """Compare, extract, replace, count and render text."""

    @tool(
        keywords=("compare", "difference", "patch", "unified"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"before": "one\ntwo\n", "after": "one\nthree\n"}, description="One line that changed"),
            ToolExample(
                input={"before": "a\nb\nc\n", "after": "a\nc\n", "context_lines": 0}, description="Only what changed"
            ),
        ),
    )
    def diff_texts(
        self,
        before: Annotated[str, Param("The first text"), Field(max_length=MAX_TEXT_CHARS)],
        after: Annotated[str, Param("The second text"), Field(max_length=MAX_TEXT_CHARS)],
        *,
        context_lines: ContextLineCount = 3,
        max_chars: MaxChars = 100_000,
        ctx: ToolContext,
    ) -> Diff:
        """Show how two texts differ, as a unified diff."""
        return _diff((before, "before"), (after, "after"), context_lines, max_chars, ctx)

    @tool(
        keywords=("compare", "difference", "patch", "unified"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"before": "README.md", "after": "CHANGES.md"}, description="Two files"),
            ToolExample(
                input={"before": "README.md", "after": "docs/guide.md", "context_lines": 1},
                description="With little around it",
            ),
        ),
    )
    def diff_files(
        self,
        before: Annotated[Path, Param("The first text file"), PathRole()],
        after: Annotated[Path, Param("The second text file"), PathRole()],
        *,
        context_lines: ContextLineCount = 3,
        max_chars: MaxChars = 100_000,
        ctx: ToolContext,
    ) -> Diff:
        """Show how two text files differ, as a unified diff."""
        first, second = ((file_text(path, ctx), shown(path, ctx.project_dir)) for path in (before, after))
        return _diff(first, second, context_lines, max_chars, ctx)

    @tool(
        keywords=("regex", "regular expression", "match", "groups", "find"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"text": "a@example.org, b@example.org", "pattern": r"(?P<name>\w+)@[\w.]+"},
                description="Addresses and their first part",
            ),
            ToolExample(
                input={"text": "a=1\nb=2\n", "pattern": r"^(\w)=(\d)$", "multiline": True},
                description="Settings, line by line",
            ),
        ),
    )
    def regex_extract(
        self,
        text: GivenText,
        pattern: Pattern,
        *,
        case_sensitive: CaseSensitive = True,
        multiline: Multiline = False,
        dot_all: DotAll = False,
        max_results: Annotated[int, Param("Most matches returned"), Field(ge=1, le=5000)] = 200,
        ctx: ToolContext,
    ) -> Extracts:
        """Find everything in a text that a regular expression matches, with its groups."""
        ready = compiled(pattern, case_sensitive=case_sensitive, multiline=multiline, dot_all=dot_all)
        matches: list[Extract] = []
        room = MAX_CHARS
        place = _Place(text)
        for found in _matches(ready, pattern, text, ctx):
            room -= len(found.group()) + sum(len(group or "") for group in found.groups())
            if len(matches) == max_results or room < 0:
                say_cut(ctx, f"only the first {counted(len(matches), 'match', 'matches')} are kept")
                return Extracts(matches, truncated=True)
            line, column = place.of(found.start())
            groups, named = list(found.groups()), found.groupdict()
            matches.append(Extract(found.group(), found.start(), line, column, groups, named))
        return Extracts(matches, truncated=False)

    @tool(
        keywords=("regex", "regular expression", "substitute", "sed"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"text": "2026-11-21", "pattern": r"(\d+)-(\d+)-(\d+)", "replacement": r"\3.\2.\1"},
                description="The parts of a date in another order",
            ),
            ToolExample(
                input={"text": "one  two   three", "pattern": r"\s+", "replacement": " "},
                description="Single spaces",
                output={"text": "one two three", "replacements": 2},
            ),
        ),
    )
    def regex_replace(
        self,
        text: GivenText,
        pattern: Pattern,
        replacement: Annotated[str, Param(r"What comes instead; \1 or \g<name> is a group"), Field(max_length=100_000)],
        *,
        case_sensitive: CaseSensitive = True,
        multiline: Multiline = False,
        dot_all: DotAll = False,
        max_replacements: Annotated[int, Param("Most places changed; 0 changes all"), Field(ge=0)] = 0,
        ctx: ToolContext,
    ) -> Replaced:
        """Replace what a regular expression matches in a text. Fails when the new text would be too long."""
        ready = compiled(pattern, case_sensitive=case_sensitive, multiline=multiline, dot_all=dot_all)
        pieces: list[str] = []
        room, position, count = MAX_TEXT_CHARS, 0, 0
        for found in _matches(ready, pattern, text, ctx):
            if max_replacements and count == max_replacements:
                break
            pieces += (text[position : found.start()], _expanded(found, replacement))
            room -= len(pieces[-2]) + len(pieces[-1])
            if room < 0:
                raise ToolFailure(f"the new text has more than {MAX_TEXT_CHARS:,} characters; replace less at a time")
            position = found.end()
            count += 1
        return Replaced("".join(pieces) + text[position:], count)

    @tool(
        keywords=("words", "characters", "lines", "length", "wc"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"text": "Two words.\n\nTwo more."}, description="Two paragraphs"),
            ToolExample(input={"text": "Zoë 👍🏽"}, description="Letters and an emoji"),
        ),
    )
    def count_text(self, text: GivenText) -> Counts:
        """Count the characters, words, lines and paragraphs of a text."""
        import regex  # noqa: PLC0415 -- the tools are listed without it

        return Counts(
            characters=sum(1 for _ in regex.finditer(_SEEN_CHARACTER, text)),
            code_points=len(text),
            letters_and_digits=sum(map(str.isalnum, text)),
            words=len(text.split()),
            lines=text.count("\n") + (not text.endswith("\n") and bool(text)),
            paragraphs=sum(1 for _ in regex.finditer(_PARAGRAPH, text)),
            size_bytes=len(text.encode("utf-8", "surrogatepass")),
        )

    @tool(
        keywords=("jinja", "placeholder", "mail merge", "format"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={
                    "template": "Dear {{ name }},\n{% for item in items %}\n- {{ item }}\n{% endfor %}\n",
                    "values": {"name": "Mira", "items": ["one", "two"]},
                },
                description="A letter with a list",
            ),
            ToolExample(
                input={"template": "{{ total | round(2) }} EUR", "values": {"total": 12.3456}},
                description="A rounded number",
                output={"text": "12.35 EUR", "truncated": False},
            ),
        ),
    )
    def render_template(
        self,
        template: Annotated[str, Param("The template, in Jinja2's language"), Field(max_length=MAX_CHARS)],
        values: Annotated[dict[str, JsonValue], Param("What the template may name")],
        *,
        escape_html: Annotated[bool, Param("Make the values safe for HTML")] = False,
        max_chars: MaxChars = 100_000,
        ctx: ToolContext,
    ) -> Rendered:
        """Fill a Jinja2 template with values. It runs in a sandbox; naming something unknown fails."""
        from tools.catalog._templates import rendered  # noqa: PLC0415 -- loads Jinja, which no other tool needs

        text, truncated = rendered(template, values, max_chars, ctx, escape_html=escape_html)
        if truncated:
            say_cut(ctx, f"max_chars is {max_chars:,}")
        return Rendered(text, truncated)


_SEEN_CHARACTER: Final = r"\X"
_PARAGRAPH: Final = r"(?m)(?:^[^\S\n]*\S.*(?:\n|\Z))+"


class _Place:
    """Tell line and column of growing positions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 1
        self._seen = 0

    def of(self, position: int) -> tuple[int, int]:
        """Return line and column, both from 1, of a position no smaller than the last one."""
        self._line += self._text.count("\n", self._seen, position)
        self._seen = position
        return self._line, position - self._text.rfind("\n", 0, position)


def _matches(ready: regex.Pattern[str], pattern: str, text: str, ctx: ToolContext) -> Iterator[regex.Match[str]]:
    with time_limited(pattern, "the text"):
        for found in ready.finditer(text, timeout=PATTERN_TIMEOUT_S):
            stop_if_cancelled(ctx)
            yield found


def _expanded(found: regex.Match[str], replacement: str) -> str:
    import regex  # noqa: PLC0415 -- the tools are listed without it

    try:
        return found.expand(replacement)
    except (regex.error, IndexError) as error:
        raise ToolFailure(
            f"the replacement {replacement!r} is wrong: {error}; write a backslash twice to mean one"
        ) from error


class _WatchedLines(list[str]):
    """Lines that end a comparison which nobody waits for any more: some take difflib hours."""

    def __init__(self, lines: list[str], ctx: ToolContext) -> None:
        super().__init__(lines)
        self._ctx = ctx

    def __getitem__(self, index: Any) -> Any:
        stop_if_cancelled(self._ctx)
        return super().__getitem__(index)


def _diff_lines(text: str, ctx: ToolContext) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    else:
        lines[-1] += "\n\\ No newline at end of file"
    return _WatchedLines(lines, ctx)


def _diff(
    before: tuple[str, str], after: tuple[str, str], context_lines: int, max_chars: int, ctx: ToolContext
) -> Diff:
    """Compare two (text, name) pairs."""
    (old, old_name), (new, new_name) = before, after
    old_lines, new_lines = (_diff_lines(text, ctx) for text in (old, new))
    if len(old_lines) + len(new_lines) > MAX_DIFF_LINES:
        count = len(old_lines) + len(new_lines)
        raise ToolFailure(f"the texts have {count:,} lines together; at most {MAX_DIFF_LINES:,} can be compared")
    lines = list(difflib.unified_diff(old_lines, new_lines, old_name, new_name, n=context_lines, lineterm=""))
    changes = [line[0] for line in lines[2:] if line[0] in "+-"]
    diff, truncated = cut_text("\n".join(lines), max_chars, ctx)
    return Diff(old == new, changes.count("+"), changes.count("-"), diff, truncated)
