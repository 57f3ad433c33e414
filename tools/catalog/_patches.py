"""Read unified diffs and apply them to a text, exactly or with what moved meanwhile made good."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple, NoReturn

from pydantic import Field

from tools.catalog._edits import quoted, split_lines
from tools.errors import ToolFailure

NO_FILE: Final = "/dev/null"
"""What a diff calls a file that is not there before or after."""

_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_REVERSE: Final = {" ": " ", "-": "+", "+": "-"}
_NO_NEWLINE: Final = "\\ No newline"


class PatchHunk(NamedTuple):
    """One place that a patch changes.

    Attributes:
        header: The line that begins it.
        start: Number of the first old line, from 1; 0 when the patch names none, so that it is searched for.
        steps: Its lines without their ends, each with ` `, `-` or `+`.
        old_is_cut: Whether the last old line has no end.
        new_is_cut: Whether the last new line has none.
    """

    header: str
    start: int
    steps: tuple[tuple[str, str], ...]
    old_is_cut: bool = False
    new_is_cut: bool = False

    @property
    def old(self) -> tuple[str, ...]:
        """The lines that must be there."""
        return tuple(text for sign, text in self.steps if sign != "+")

    @property
    def reverse(self) -> PatchHunk:
        """The hunk that undoes this one, at the place that it names."""
        turned = tuple((_REVERSE[sign], text) for sign, text in self.steps)
        return PatchHunk(self.header, self.start, turned, self.new_is_cut, self.old_is_cut)

    @property
    def context(self) -> tuple[int, int]:
        """How many lines at either end only say where it belongs."""
        signs = "".join(sign for sign, _ in self.steps)
        return len(signs) - len(signs.lstrip(" ")), len(signs) - len(signs.rstrip(" "))


class FilePatch(NamedTuple):
    """What a patch does to one file.

    Attributes:
        old_name: What it is called before; empty when the patch names no file.
        new_name: What it is called afterwards.
        hunks: The places that change.
    """

    old_name: str
    new_name: str
    hunks: tuple[PatchHunk, ...]


@dataclass(frozen=True, slots=True)
class AppliedHunk:
    """Where one hunk of a patch went."""

    header: Annotated[str, Field(description="The line that begins it.")]
    line: Annotated[int, Field(description="Number of the line where it was applied, from 1.")]
    offset: Annotated[int, Field(description="How many lines below the place that the patch names.")]
    fuzz: Annotated[int, Field(description="How many lines of context at each end had to be left out of account.")]


def parse_patch(patch: str) -> list[FilePatch]:
    """Return the files that a unified diff changes; hunks without a file before them belong to one without a name.

    Raises:
        ToolFailure: It is no unified diff; the message names the line.
    """
    lines = [line.rstrip("\r\n") for line in split_lines(patch)]
    files: list[tuple[str, str, list[PatchHunk]]] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        following = lines[place + 1] if place + 1 < len(lines) else ""
        if line.startswith("--- ") and following.startswith("+++ "):
            files.append((_name(line), _name(following), []))
            place += 2
        elif line.startswith("@@"):
            if not files:
                files.append(("", "", []))
            hunk, place = _hunk(lines, place)
            files[-1][2].append(hunk)
        elif line.startswith(("GIT binary patch", "Binary files ")):
            raise ToolFailure(
                f"line {place + 1} of the patch changes a binary file; only changes of text can be applied"
            )
        else:
            place += 1
    found = [FilePatch(old, new, tuple(hunks)) for old, new, hunks in files]
    if not any(file.hunks for file in found):
        raise ToolFailure("expected a unified diff with at least one hunk, which begins with '@@', got none")
    return found


def _name(line: str) -> str:
    name = line[4:].split("\t", maxsplit=1)[0].strip()
    return name.strip('"')


def _hunk(lines: Sequence[str], place: int) -> tuple[PatchHunk, int]:
    """Return the hunk that begins at a line, and the line after it."""
    header, first = lines[place], place + 1
    numbers = _HUNK.match(header)
    wanted = (int(numbers[2] or 1), int(numbers[4] or 1)) if numbers else None
    steps: list[tuple[str, str]] = []
    old = new = 0
    cut = [False, False]
    place += 1
    while place < len(lines) and (wanted != (old, new) or _is_mark(lines[place])):
        line = lines[place]
        if _is_mark(line):
            last = steps[-1][0] if steps else ""
            cut = [cut[0] or last in {"-", " "}, cut[1] or last in {"+", " "}]
        elif _begins_part(lines, place, counted=wanted is not None):
            break
        elif line[:1] in {"", " ", "-", "+"}:
            # Many who write patches by hand leave the blank of an empty line of context out.
            sign = line[:1] or " "
            steps.append((sign, line[1:]))
            old, new = old + (sign != "+"), new + (sign != "-")
        else:
            raise ToolFailure(
                f"line {place + 1} of the patch should begin with ' ', '-' or '+', as it belongs to the hunk of line"
                f" {first}, got {quoted(line)}"
            )
        place += 1
    if wanted is not None and wanted != (old, new):
        raise ToolFailure(
            f"the hunk of line {first} of the patch says {wanted[0]} old and {wanted[1]} new lines in {header!r}, but"
            f" has {old} and {new}; correct the numbers, or write just '@@' to have the place searched for"
        )
    while wanted is None and steps and steps[-1] == (" ", ""):
        steps.pop()
    start = _start(numbers) if numbers else 0
    if not any(sign != " " for sign, _ in steps) or (not start and not any(sign != "+" for sign, _ in steps)):
        raise ToolFailure(f"the hunk of line {first} of the patch has no changed line, or nothing to find its place by")
    return PatchHunk(header, start, tuple(steps), *cut), place


def _start(numbers: re.Match[str]) -> int:
    # A hunk that takes no old lines names the line it stands after.
    return int(numbers[1]) + (numbers[2] == "0")


def _is_mark(line: str) -> bool:
    return line.startswith(_NO_NEWLINE)


def _begins_part(lines: Sequence[str], place: int, *, counted: bool) -> bool:
    """Return whether the next hunk or file begins at a line, where the numbers of the hunk above do not tell."""
    line = lines[place]
    following = lines[place + 1] if place + 1 < len(lines) else ""
    begins_file = line.startswith("diff --git ") or (line.startswith("--- ") and following.startswith("+++ "))
    return line.startswith("@@") or (begins_file and not counted)


def patch_for(files: Sequence[FilePatch], name: str) -> FilePatch:
    """Return the part of a patch that is for one file.

    Args:
        name: The file's path, with `/` between its parts.

    Raises:
        ToolFailure: There are several, and none or more than one has the file's name.
    """
    if len(files) == 1:
        return files[0]
    fitting = [file for file in files if name in {_stripped(file.old_name), _stripped(file.new_name)}]
    if len(fitting) != 1:
        names = ", ".join(repr(_stripped(file.new_name)) for file in files[:5])
        raise ToolFailure(
            f"the patch changes {len(files)} files ({names}), and not one of them alone is {name!r};"
            " give the part of one file, or use git_apply_patch"
        )
    return fitting[0]


def _stripped(name: str) -> str:
    return name[2:] if name.startswith(("a/", "b/")) else name


def apply_hunks(
    text: str, hunks: Sequence[PatchHunk], newline: str, max_fuzz: int, name: str
) -> tuple[str, list[AppliedHunk]]:
    """Return a text with all hunks applied, and where each went.

    Args:
        hunks: The hunks, in the order of their places.
        newline: The end of lines that are new.
        max_fuzz: How many lines of context at each end of a hunk may be different.
        name: What the text is called in messages.

    Raises:
        ToolFailure: One does not fit; the message says where and why. Nothing is half applied.
    """
    lines = split_lines(text)
    bare = [line.rstrip("\r\n") for line in lines]
    result: list[str] = []
    applied: list[AppliedHunk] = []
    done = offset = 0
    for number, hunk in enumerate(hunks, 1):
        at, head, tail = _place(bare, hunk, done, offset, max_fuzz) or _refuse(
            bare, hunk, done, max(hunk.start - 1 + offset, 0), f"hunk {number} ({hunk.header}) does not fit {name!r}"
        )
        result += lines[done:at]
        done = at
        for sign, line in hunk.steps[head : len(hunk.steps) - tail]:
            # Lines that stay, stay byte by byte as the file has them.
            if sign != "-":
                result.append(lines[done] if sign == " " else line + newline)
            done += sign != "+"
        if hunk.new_is_cut and not tail and result and done == len(lines):
            result[-1] = result[-1].rstrip("\r\n")
        moved = at - (hunk.start - 1 + head) if hunk.start else 0
        offset = moved if hunk.start else offset
        applied.append(AppliedHunk(hunk.header, at + 1, moved, max(head, tail)))
    # What follows a line that had no end before must begin a line of its own.
    return "".join(_with_ends(result + lines[done:], newline)), applied


def _with_ends(lines: list[str], newline: str) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        yield line if number == len(lines) or line.endswith("\n") else line + newline


def _place(bare: Sequence[str], hunk: PatchHunk, done: int, offset: int, max_fuzz: int) -> tuple[int, int, int] | None:
    """Return the index where a hunk fits and how many lines of context are left out at its ends; None for none.

    The place that the patch names comes first, then the nearest one, and less context is asked for only then.

    Raises:
        ToolFailure: The patch names no place, and there are several.
    """
    before, after = hunk.context
    whole = hunk.old
    for fuzz in range(min(max_fuzz, max(before, after)) + 1):
        head, tail = min(fuzz, before), min(fuzz, after)
        old = whole[head : len(whole) - tail]
        if fuzz and not old:
            break
        last = len(bare) - len(old)
        likely = max(hunk.start - 1 + head + offset, 0)
        places = _near(likely, done, last) if hunk.start else iter(range(done, last + 1))
        fitting = (at for at in places if tuple(bare[at : at + len(old)]) == old)
        found = next(fitting, None)
        if found is None:
            continue
        other = None if hunk.start else next(fitting, None)
        if other is not None:
            raise ToolFailure(
                f"the hunk {hunk.header!r} fits in line {found + 1} and in line {other + 1}, so nothing was changed;"
                " give it more lines of context, or numbers such as @@ -3,4 +3,5 @@"
            )
        return found, head, tail
    return None


def _near(likely: int, first: int, last: int) -> Iterator[int]:
    for distance in range(max(likely - first, last - likely, 0) + 1):
        for at in dict.fromkeys((likely + distance, likely - distance)):
            if first <= at <= last:
                yield at


def _refuse(bare: Sequence[str], hunk: PatchHunk, done: int, likely: int, said: str) -> NoReturn:
    """Say why a hunk does not fit, at the place where most of it does.

    Raises:
        ToolFailure: Always.
    """
    old = hunk.old
    at = max(
        _near(likely, done, max(len(bare) - 1, done)),
        key=lambda at: sum(here == there for here, there in zip(bare[at : at + len(old)], old, strict=False)),
        default=done,
    )
    said += ", so nothing was changed: "
    for line, expected in enumerate(old, at):
        if line >= len(bare):
            raise ToolFailure(
                f"{said}expected {quoted(expected)} in line {line + 1}, but the file has {len(bare)} lines"
            )
        if bare[line] != expected:
            same = bare[line].split() == expected.split()
            hint = "only blanks differ" if same else "read the file and make the patch anew"
            raise ToolFailure(f"{said}expected {quoted(expected)} in line {line + 1}, got {quoted(bare[line])}; {hint}")
    raise ToolFailure(f"{said}its lines stand above those of the hunk before it; put the hunks in order")
