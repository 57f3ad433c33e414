"""Change text files: replace text or lines, in one file or in many, and apply patches. Every tool here asks first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from tools.catalog._bounds import ProgressThrottle, Skipped, Unwatched, Watcher, counted
from tools.catalog._dry_runs import encoded, telling_failures
from tools.catalog._edits import (
    EditableText,
    EditedFile,
    changed_lines,
    diff_dry_run,
    editable,
    quoted,
    refuse_stale,
    save_edit,
    split_lines,
    write_checked,
)
from tools.catalog._patches import NO_FILE, AppliedHunk, FilePatch, apply_hunks, parse_patch, patch_for
from tools.catalog._paths import need_folder, need_parent, refusals, shown
from tools.catalog._patterns import PATTERN_TIMEOUT_S, MatchKind, compiled, time_limited
from tools.catalog._protected_files import DecidingFiles
from tools.catalog._walking import PathKind, is_matched, matcher, walk
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Count, DryRun, Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    import regex

MAX_EDITED_CHARS: Final = 1_000_000
_MOST_FILES: Final = 1000
_LISTED_PLACES: Final = 5

EditedPath = Annotated[Path, Param("The text file"), PathRole(writes=True)]
FileEncoding = Annotated[str | None, Param("Text encoding such as cp1252; none finds out, and the file keeps it")]
ExpectedChecksum = Annotated[
    str | None,
    Param("SHA-256 of the file as it was read; the edit is refused when the file is another one by now"),
    Field(pattern=r"^[0-9a-fA-F]{64}$"),
]


@dataclass(frozen=True, slots=True)
class PatchedFile:
    """A file that a patch was applied to."""

    edit: Annotated[EditedFile | None, Field(description="How the file changed; null for a file that is new.")]
    created: Annotated[str | None, Field(description="The path of a file that is new; null when it was there.")]
    hunks: Annotated[list[AppliedHunk], Field(description="Where each hunk went.")]


@dataclass(frozen=True, slots=True)
class ReplacedInFile:
    """How often one file changed."""

    path: Annotated[str, Field(description="Path within the project folder, absolute when outside it.")]
    replacements: Annotated[int, Field(description="How many places were replaced.")]
    added_lines: Annotated[int, Field(description="Lines that are new or different now.")]
    removed_lines: Annotated[int, Field(description="Lines that are gone or different now.")]


@dataclass(frozen=True, slots=True)
class ReplacedInFiles:
    """What was replaced below a folder."""

    files: Annotated[list[ReplacedInFile], Field(description="The files that changed.")]
    replacements: Annotated[int, Field(description="How many places were replaced in all.")]
    files_searched: Annotated[int, Field(description="How many text files were looked at.")]
    files_skipped: Annotated[int, Field(description="How many were no text, too large or unreadable; see the log.")]


def _replaced_text(arguments: Mapping[str, Any], project_dir: Path) -> tuple[EditableText, str, int]:
    """Return a file, its text with the old text replaced, and at how many places."""
    file = editable(arguments["path"], project_dir, encoding=arguments["encoding"])
    refuse_stale(file, arguments["expected_sha256"])
    old, new = file.fitted(arguments["old_text"]), file.fitted(arguments["new_text"])
    if old == new:
        raise ToolFailure("old_text and new_text are the same, so there is nothing to change")
    found = file.text.count(old)
    if not found:
        raise ToolFailure(f"{file.name!r} does not contain {quoted(old)}{_almost(file.text, old)}")
    if found > 1 and not arguments["replace_all"]:
        places = ", ".join(map(str, _lines_with(file.text, old)))
        raise ToolFailure(
            f"{file.name!r} contains the old text {found} times, in lines {places}{' …' * (found > _LISTED_PLACES)};"
            " give more of the text around it, or set replace_all"
        )
    return file, file.text.replace(old, new), found


def _almost(text: str, old: str) -> str:
    """Say where a text stands that differs in blanks only."""
    wanted = [line.strip() for line in old.strip().splitlines()]
    lines = [line.strip() for line in text.split("\n")]
    for number in range(len(lines) - len(wanted) + 1):
        if wanted and lines[number : number + len(wanted)] == wanted:
            return f"; line {number + 1} differs from it in blanks only: read it again and copy it exactly"
    return "; read the file again, as it may have changed"


def _lines_with(text: str, old: str) -> Iterator[int]:
    at = text.find(old)
    for _ in range(_LISTED_PLACES):
        if at < 0:
            return
        yield text.count("\n", 0, at) + 1
        at = text.find(old, at + len(old))


def _replaced_lines(arguments: Mapping[str, Any], project_dir: Path) -> tuple[EditableText, str]:
    """Return a file, and its text with some lines replaced."""
    file = editable(arguments["path"], project_dir, encoding=arguments["encoding"])
    refuse_stale(file, arguments["expected_sha256"])
    first, last = arguments["first_line"], arguments["last_line"]
    lines = file.lines
    last = first if last is None else last
    if last < first - 1:
        raise ToolFailure(f"expected last_line to be at least first_line - 1 ({first - 1}), got {last}")
    if first > len(lines) + 1 or last > len(lines):
        raise ToolFailure(f"{file.name!r} has {counted(len(lines), 'line')}, but lines {first} to {last} were named")
    old = "".join(lines[first - 1 : last])
    expected = arguments["expected_text"]
    if expected is None and arguments["expected_sha256"] is None:
        raise ToolFailure(
            "expected expected_text (the lines as they were read) or expected_sha256 (the file's checksum), got"
            " neither: line numbers alone could hit other lines by now"
        )
    if expected is not None and _plain(expected) != _plain(old):
        raise ToolFailure(
            f"lines {first} to {last} of {file.name!r} are {quoted(_plain(old))} now, not {quoted(_plain(expected))};"
            " read the file again and repeat the edit"
        )
    new = file.fitted(arguments["text"])
    if new and not new.endswith("\n") and last < len(lines):
        new += file.newline
    head = "".join(lines[: first - 1])
    if head and new and not head.endswith("\n"):
        head += file.newline
    text = head + new + "".join(lines[last:])
    if text == file.text:
        raise ToolFailure("the lines are like that already, so there is nothing to change")
    return file, text


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").removesuffix("\n")


class _Patching:
    """Find out what a patch makes of a file.

    Attributes:
        file: The file; None when the patch makes it.
        text: Its text afterwards.
        hunks: Where each hunk goes.
    """

    def __init__(self, arguments: Mapping[str, Any], project_dir: Path) -> None:
        self.path: Path = arguments["path"]
        self.name = shown(self.path, project_dir)
        patch = patch_for(parse_patch(arguments["patch"]), self.name)
        if arguments["reverse"]:
            hunks = tuple(hunk.reverse for hunk in patch.hunks)
            patch = FilePatch(patch.new_name, patch.old_name, hunks)
        if patch.new_name == NO_FILE:
            raise ToolFailure(f"the patch deletes {self.name!r}; delete_file does that")
        self.file: EditableText | None = None
        text, newline = "", "\n"
        if patch.old_name == NO_FILE and not self.path.exists():
            need_parent(self.path, project_dir, create=False)
        elif patch.old_name == NO_FILE:
            raise ToolFailure(f"the patch makes {self.name!r}, which is there already; give the patch that changes it")
        else:
            self.file = editable(self.path, project_dir, encoding=arguments["encoding"])
            refuse_stale(self.file, arguments["expected_sha256"])
            text, newline = self.file.text, self.file.newline
        self.text, self.hunks = apply_hunks(text, patch.hunks, newline, arguments["max_fuzz"], self.name)
        self._encoding = arguments["encoding"] or "utf-8"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Which hunks went elsewhere than the patch says, one sentence each."""
        moved = [hunk for hunk in self.hunks if hunk.offset or hunk.fuzz]
        return tuple(
            f"The hunk {hunk.header} goes to line {hunk.line}, {abs(hunk.offset)} lines"
            f" {'below' if hunk.offset >= 0 else 'above'} the place it names, with fuzz {hunk.fuzz}."
            for hunk in moved
        )

    def create(self) -> str:
        """Write the file that the patch makes, and return its name."""
        content = encoded(self.text, self._encoding)
        # Exclusively: a file that came meanwhile is nobody's to replace.
        with refusals(f"write {self.name!r}"), self.path.open("xb") as stream:
            stream.write(content)
        return self.name


class _Replacing:
    """Replace a pattern in the text files below a folder.

    Attributes:
        skipped: What was passed over.
        searched: How many text files were looked at.
    """

    def __init__(self, arguments: Mapping[str, Any], watcher: Watcher) -> None:
        self._folder: Path = arguments["path"]
        self._source: str = arguments["pattern"]
        self._replacement: str = arguments["replacement"]
        self._include: Sequence[str] = arguments["include"]
        self._literal = arguments["match"] is not MatchKind.REGULAR_EXPRESSION
        self._pattern = compiled(
            self._source, arguments["match"], case_sensitive=arguments["case_sensitive"], multiline=True
        )
        self._watcher = watcher
        self.skipped = Skipped(watcher)
        self.searched = 0

    def changes(self) -> list[tuple[EditableText, str, int]]:
        """Return the files that change, each with its new text and at how many places.

        Raises:
            ToolFailure: There are none or too many, the replacement is none, or the call was cancelled.
        """
        found: list[tuple[EditableText, str, int]] = []
        pace = ProgressThrottle(self._watcher)
        deciding = DecidingFiles(self._watcher.project_dir)
        for path in self._files():
            pace.step(1, path.name)
            if reason := deciding.reason(path):
                self.skipped.add(path, reason)
                continue
            try:
                file = editable(path, self._watcher.project_dir)
            except ToolFailure as failure:
                self.skipped.add(path, str(failure))
                continue
            self.searched += 1
            text, many = self._replaced(file)
            if not many or text == file.text:
                continue
            if len(found) == _MOST_FILES:
                raise ToolFailure(f"more than {_MOST_FILES:,} files would change; narrow the folder or include")
            found.append((file, text, many))
        if not found:
            raise ToolFailure(
                f"nothing to replace: {self._source!r} is in none of {counted(self.searched, 'text file')},"
                " or is replaced by itself"
            )
        return found

    def _replaced(self, file: EditableText) -> tuple[str, int]:
        from regex import error as pattern_error  # noqa: PLC0415 -- the tools are listed without it

        fitted = file.fitted(self._replacement)

        def as_given(_: regex.Match[str]) -> str:
            return fitted

        with time_limited(self._source, file.name):
            try:
                return self._pattern.subn(as_given if self._literal else fitted, file.text, timeout=PATTERN_TIMEOUT_S)
            except (IndexError, pattern_error) as error:
                raise ToolFailure(
                    f"{self._replacement!r} cannot replace what {self._source!r} finds: {error};"
                    r" write \1 for the first group, \g<name> for a named one, and \\ for a backslash"
                ) from error

    def _files(self) -> Iterator[Path]:
        need_folder(self._folder, self._watcher.project_dir)
        wanted = matcher(self._include) if self._include else None
        for found in walk(self._folder, self._watcher, skip_ignored=True, skipped=self.skipped):
            # Links are passed over: what they lead to may lie outside, and is found by its own name inside.
            if found.kind is PathKind.FILE and (wanted is None or is_matched(found, wanted)):
                yield found.path


@telling_failures
def edit_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Show what replacing a text would change."""
    file, text, many = _replaced_text(arguments, project_dir)
    return diff_dry_run(f"Change {counted(many, 'place')} of {file.name}.", [(file, text)])


@telling_failures
def lines_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Show what replacing lines would change."""
    file, text = _replaced_lines(arguments, project_dir)
    return diff_dry_run(f"Change lines of {file.name}.", [(file, text)])


@telling_failures
def patch_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Show what a patch would change, and what of it does not fit exactly."""
    found = _Patching(arguments, project_dir)
    if found.file is None:
        lines = counted(len(split_lines(found.text)), "line")
        counts = (Count("files", 1, "1 new file"),)
        return DryRun(f"Make the file {found.name} with {lines}.", counts, (found.name,))
    return diff_dry_run(f"Apply a patch to {found.name}.", [(found.file, found.text)], found.warnings)


@telling_failures
def replace_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Show what replacing in many files would change."""
    found = _Replacing(arguments, Unwatched(project_dir)).changes()
    many = sum(count for _, _, count in found)
    text = f"Change {counted(many, 'place')} in {counted(len(found), 'file')}."
    return diff_dry_run(text, [(file, after) for file, after, _ in found])


@toolkit("Editing", category="editing", description="Change text files in place, with the change shown beforehand.")
class Editing:
    """Change text files in place."""

    @tool(
        keywords=("edit", "replace", "find and replace", "str_replace", "change", "code"),
        priority=70,
        latency=Latency.FAST,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        dry_run=edit_dry_run,
        examples=(
            ToolExample(
                input={"path": "README.md", "old_text": "# Sample", "new_text": "# The sample"},
                description="A text that the file has once",
            ),
            ToolExample(
                input={"path": "src/router.py", "old_text": "model", "new_text": "engine"},
                description="A text that the file has several times",
                negative=True,
                why_bad="The place is not clear; give more of the text around it, or set replace_all.",
            ),
        ),
    )
    def edit_file(
        self,
        path: EditedPath,
        old_text: Annotated[
            str, Param("The text to replace, exactly as in the file"), Field(min_length=1, max_length=MAX_EDITED_CHARS)
        ],
        new_text: Annotated[str, Param("The text in its place; empty deletes"), Field(max_length=MAX_EDITED_CHARS)],
        *,
        replace_all: Annotated[bool, Param("Replace it wherever it stands, not once")] = False,
        expected_sha256: ExpectedChecksum = None,
        encoding: FileEncoding = None,
        ctx: ToolContext,
    ) -> EditedFile:
        """Replace a text in a file by another. The old text must be there exactly, and once unless replace_all is set.

        Encoding and line ends of the file are kept. To insert, repeat a piece of the old text in the new one.
        """
        file, text, many = _replaced_text(
            {
                "path": path,
                "old_text": old_text,
                "new_text": new_text,
                "replace_all": replace_all,
                "expected_sha256": expected_sha256,
                "encoding": encoding,
            },
            ctx.project_dir,
        )
        return save_edit(file, text, many, ctx)

    @tool(
        keywords=("edit", "insert", "delete", "lines", "code"),
        latency=Latency.FAST,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        dry_run=lines_dry_run,
        examples=(
            ToolExample(
                input={"path": "README.md", "first_line": 1, "text": "# Title", "expected_text": "# Sample"},
                description="Another first line",
            ),
            ToolExample(
                input={
                    "path": "README.md",
                    "first_line": 2,
                    "last_line": 1,
                    "text": "Inserted",
                    "expected_text": "",
                },
                description="A line inserted before line 2",
            ),
        ),
    )
    def edit_lines(
        self,
        path: EditedPath,
        first_line: Annotated[int, Param("Number of the first line to replace, from 1"), Field(ge=1)],
        text: Annotated[str, Param("The lines in their place; empty deletes"), Field(max_length=MAX_EDITED_CHARS)],
        *,
        last_line: Annotated[
            int | None,
            Param("Number of the last line to replace; none is first_line, first_line - 1 inserts before it"),
            Field(ge=0),
        ] = None,
        expected_text: Annotated[
            str | None, Param("The lines as they were read; the edit is refused when others stand there")
        ] = None,
        expected_sha256: ExpectedChecksum = None,
        encoding: FileEncoding = None,
        ctx: ToolContext,
    ) -> EditedFile:
        """Replace, insert or delete lines of a file by their numbers, as read_file and search_files tell them.

        Either expected_text or expected_sha256 must be given, so that an edit never hits other lines than were read.
        """
        file, changed = _replaced_lines(
            {
                "path": path,
                "first_line": first_line,
                "last_line": last_line,
                "text": text,
                "expected_text": expected_text,
                "expected_sha256": expected_sha256,
                "encoding": encoding,
            },
            ctx.project_dir,
        )
        return save_edit(file, changed, 1, ctx)

    @tool(
        keywords=("diff", "patch", "hunk", "unified", "code"),
        latency=Latency.FAST,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        dry_run=patch_dry_run,
        examples=(
            ToolExample(
                input={"path": "README.md", "patch": "@@ -1,2 +1,2 @@\n-# Sample\n+# The sample\n \n"},
                description="A hunk of a unified diff",
            ),
            ToolExample(
                input={"path": "README.md", "patch": "@@\n-Licensed to all.\n+Licensed to everybody.\n"},
                description="A hunk without numbers, whose place is searched for",
            ),
            ToolExample(
                input={"path": "README.md", "patch": "@@ -1 +1 @@\n-# Another title\n+# The sample\n"},
                description="A hunk for another version of the file",
                negative=True,
                why_bad="Its old line is not in the file; the failure names the line that is there.",
            ),
        ),
    )
    def apply_patch_to_file(
        self,
        path: Annotated[Path, Param("The text file; a patch of /dev/null makes it"), PathRole(writes=True)],
        patch: Annotated[
            str,
            Param("A unified diff; hunks may begin with just @@, then their place is searched for"),
            Field(min_length=1, max_length=MAX_EDITED_CHARS),
        ],
        *,
        max_fuzz: Annotated[
            int, Param("Lines of context at each end of a hunk that may differ", unit="lines"), Field(ge=0, le=3)
        ] = 0,
        reverse: Annotated[bool, Param("Undo the patch instead")] = False,
        expected_sha256: ExpectedChecksum = None,
        encoding: FileEncoding = None,
        ctx: ToolContext,
    ) -> PatchedFile:
        """Apply a unified diff to one text file: all of its hunks, or nothing.

        A hunk whose lines moved is found by them; how far it moved, and with how much fuzz it fits, is said.
        """
        found = _Patching(
            {
                "path": path,
                "patch": patch,
                "max_fuzz": max_fuzz,
                "reverse": reverse,
                "expected_sha256": expected_sha256,
                "encoding": encoding,
            },
            ctx.project_dir,
        )
        for warning in found.warnings:
            ctx.log("warning", warning)
        if found.file is None:
            return PatchedFile(None, found.create(), found.hunks)
        return PatchedFile(save_edit(found.file, found.text, len(found.hunks), ctx), None, found.hunks)

    @tool(
        keywords=("replace", "rename", "refactor", "sed", "regex", "many files"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        dry_run=replace_dry_run,
        examples=(
            ToolExample(
                input={"pattern": "pick_model", "replacement": "choose_model", "path": ".", "include": ["*.py"]},
                description="Another name for a function, everywhere",
            ),
            ToolExample(
                input={
                    "pattern": r"NOTE: (\w+)",
                    "replacement": r"Note: \1",
                    "path": "src",
                    "match": "regular_expression",
                },
                description="A regular expression with a group",
            ),
        ),
    )
    def replace_in_files(
        self,
        pattern: Annotated[str, Param("What to replace"), Field(min_length=1, max_length=10_000)],
        replacement: Annotated[
            str,
            Param(r"What to put in its place; in a regular expression, \1 is its first group"),
            Field(max_length=100_000),
        ],
        path: Annotated[Path, Param("The folder whose files change"), PathRole(writes=True)],
        *,
        match: Annotated[MatchKind, Param("How the pattern is read")] = MatchKind.WHOLE_WORD,
        include: Annotated[
            tuple[Annotated[str, Field(title="Pattern")], ...],
            Param("Only files that fit one of these, such as *.py or docs/**"),
            Field(max_length=100),
        ] = (),
        case_sensitive: Annotated[bool, Param("Match upper and lower case exactly")] = True,
        ctx: ToolContext,
    ) -> ReplacedInFiles:
        """Find and replace in all text files below a folder; what .gitignore names and links are left out.

        All files are read before the first is written. At most 1,000 files change in one call.
        """
        replacing_all = _Replacing(
            {
                "path": path,
                "pattern": pattern,
                "replacement": replacement,
                "match": match,
                "include": include,
                "case_sensitive": case_sensitive,
            },
            ctx,
        )
        changes = replacing_all.changes()
        contents = [file.encoded(text) for file, text, _ in changes]
        files: list[ReplacedInFile] = []
        for (file, text, many), content in zip(changes, contents, strict=True):
            try:
                write_checked(file, content)
            except ToolFailure as failure:
                written = f"{counted(len(files), 'file')} of {len(changes)} were changed before"
                raise ToolFailure(f"{failure}; {written}") from failure
            removed, added = changed_lines(file.text, text)
            files.append(ReplacedInFile(file.name, many, added, removed))
        replacing_all.skipped.summarise()
        total = sum(file.replacements for file in files)
        return ReplacedInFiles(files, total, replacing_all.searched, replacing_all.skipped.count)
