"""Check and format source code with the linters and formatters of a project."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from tools.catalog._bounds import ProgressThrottle, Skipped, Unwatched, Watcher, counted, say_cut
from tools.catalog._diagnostics import CodeProblem, read_eslint, read_ruff, read_shellcheck
from tools.catalog._dry_runs import telling_failures
from tools.catalog._edits import EditableText, changed_lines, diff_dry_run, editable, write_checked
from tools.catalog._paths import shown, status_of
from tools.catalog._protected_files import DecidingFiles
from tools.catalog._toolchains import need_program, project_program, run_in_project
from tools.catalog._walking import PathKind, walk
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import DryRun, Latency, Param, PathRole, ToolExample

Linter = Literal["ruff", "eslint", "shellcheck"]

_MOST_FILES: Final = 200
_FILE_TIMEOUT_S: Final = 60.0
_CHECKED_ENDS: Final[dict[Linter, tuple[str, ...]]] = {
    "ruff": (".py", ".pyi"),
    "eslint": (".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".vue"),
    "shellcheck": (".sh", ".bash"),
}
_PRETTIER: Final = (
    ".js",
    ".mjs",
    ".cjs",
    ".jsx",
    ".ts",
    ".tsx",
    ".css",
    ".scss",
    ".less",
    ".html",
    ".vue",
    ".json",
    ".md",
    ".yaml",
    ".yml",
)


class _Formatter(NamedTuple):
    program: str
    hint: str
    arguments: Callable[[Path], Sequence[str]]
    suffixes: tuple[str, ...]


_FORMATTERS: Final = (
    _Formatter(
        "ruff",
        "`pip install ruff` adds it",
        lambda path: ("format", "--stdin-filename", str(path), "-"),
        (".py", ".pyi"),
    ),
    _Formatter("gofmt", "it comes with Go", lambda _: (), (".go",)),
    _Formatter("rustfmt", "it comes with Rust", lambda _: ("--edition", "2021", "--emit", "stdout"), (".rs",)),
    _Formatter("prettier", "`npm install prettier` adds it", lambda path: ("--stdin-filepath", str(path)), _PRETTIER),
)
_READERS: Final[Mapping[Linter, tuple[tuple[str, ...], Callable[[str, Path], list[CodeProblem]], str]]] = {
    "ruff": (
        ("check", "--output-format", "json", "--no-cache", "--exit-zero"),
        read_ruff,
        "`pip install ruff` adds it",
    ),
    "eslint": (("--format", "json"), read_eslint, "`npm install eslint` adds it"),
    "shellcheck": (("--format", "json"), read_shellcheck, "install ShellCheck"),
}


@dataclass(frozen=True, slots=True)
class LintFindings:
    """What a linter found."""

    linter: Annotated[str, Field(description="The linter.")]
    command: Annotated[str, Field(description="The command.")]
    problems: Annotated[list[CodeProblem], Field(description="The problems, file by file.")]
    count_by_code: Annotated[dict[str, int], Field(description="How many of each rule, the most frequent first.")]
    total: Annotated[int, Field(description="How many there are.")]
    truncated: Annotated[bool, Field(description="Whether there are more.")]


@dataclass(frozen=True, slots=True)
class FormattedFile:
    """A file that was formatted."""

    path: Annotated[str, Field(description="The file.")]
    formatter: Annotated[str, Field(description="What formatted it.")]
    added_lines: Annotated[int, Field(description="Lines that are new or different now.")]
    removed_lines: Annotated[int, Field(description="Lines that are gone or different now.")]


@dataclass(frozen=True, slots=True)
class Formatted:
    """What was formatted."""

    files: Annotated[list[FormattedFile], Field(description="The files that changed.")]
    unchanged: Annotated[int, Field(description="How many are fine as they are.")]
    skipped: Annotated[int, Field(description="How many could not be formatted; see the log.")]


class _Change(NamedTuple):
    file: EditableText
    text: str
    formatter: str


class _Formatting:
    """Find out how formatters would change files.

    Attributes:
        unchanged: How many files are fine.
        skipped: What could not be formatted.
    """

    def __init__(self, path: Path, watcher: Watcher) -> None:
        self._path = path
        self._watcher = watcher
        self.unchanged = 0
        self.skipped = Skipped(watcher)

    async def changes(self) -> list[_Change]:
        """Return the files that would change.

        Raises:
            ToolFailure: There is no file to format, there are too many, or no formatter is there.
        """
        files = self._files()
        programs: dict[str, str] = {}
        pace = ProgressThrottle(self._watcher, len(files))
        found: list[_Change] = []
        for path, formatter in files:
            pace.step(1, path.name)
            if formatter.program not in programs:
                programs[formatter.program] = need_program(formatter.program, self._watcher.project_dir, formatter.hint)
            try:
                file = editable(path, self._watcher.project_dir)
                text = await self._formatted(file, programs[formatter.program], formatter)
            except ToolFailure as failure:
                self.skipped.add(path, str(failure))
                if len(files) == 1:
                    raise
                continue
            if text == file.text:
                self.unchanged += 1
            else:
                found.append(_Change(file, text, formatter.program))
        return found

    async def _formatted(self, file: EditableText, program: str, formatter: _Formatter) -> str:
        plain = file.text.replace("\r\n", "\n")
        command = (program, *formatter.arguments(file.path))
        run = await run_in_project(command, self._watcher.project_dir, _FILE_TIMEOUT_S, stdin=plain.encode())
        if run.exit_code != 0:
            raise ToolFailure(f"{formatter.program} cannot format {file.name!r}: {run.told}")
        if run.truncated:
            raise ToolFailure(
                f"{file.name!r} is too large to be formatted here; run {formatter.program} by run_command"
            )
        return file.fitted(run.stdout)

    def _files(self) -> list[tuple[Path, _Formatter]]:
        status_of(self._path, self._watcher.project_dir)
        everything = (
            [
                found.path
                for found in walk(self._path, self._watcher, skip_ignored=True, skipped=self.skipped)
                if found.kind is PathKind.FILE
            ]
            if self._path.is_dir()
            else [self._path]
        )
        if self._path.is_dir():
            deciding = DecidingFiles(self._watcher.project_dir)
            everything = [path for path in everything if not deciding.reason(path)]
        files = [(path, found) for path in everything if (found := _formatter_of(path)) is not None]
        if self._path.is_dir():
            # A project without a formatter has files that nobody formats.
            there = {form.program for form in _FORMATTERS if project_program(form.program, self._watcher.project_dir)}
            files = [(path, form) for path, form in files if form.program in there]
        name = shown(self._path, self._watcher.project_dir)
        if not files:
            known = ", ".join(f"{form.program} ({' '.join(form.suffixes)})" for form in _FORMATTERS)
            raise ToolFailure(f"{name!r} has no file that a formatter is there for; known are {known}")
        if len(files) > _MOST_FILES:
            raise ToolFailure(
                f"{name!r} has {counted(len(files), 'file')} to format; at most {_MOST_FILES} are at once, so name a"
                " folder in it"
            )
        return files


def _formatter_of(path: Path) -> _Formatter | None:
    return next((form for form in _FORMATTERS if path.suffix.lower() in form.suffixes), None)


@telling_failures
def format_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Show what formatting would change."""
    formatting = _Formatting(arguments["path"], Unwatched(project_dir))
    # Dry runs are asked in a thread, which has no loop of its own.
    changes = asyncio.run(formatting.changes())
    if not changes:
        return DryRun(f"Nothing: {counted(formatting.unchanged, 'file')} formatted already.")
    text = f"Format {counted(len(changes), 'file')}; {formatting.unchanged} are fine as they are."
    return diff_dry_run(text, [(change.file, change.text) for change in changes])


class CheckingCode:
    """The tools that check and format source code."""

    @tool(
        keywords=("lint", "ruff", "eslint", "shellcheck", "static analysis", "problems"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=False,
        requires_confirmation=True,
        open_world=False,
        timeout_s=600,
        examples=(
            ToolExample(input={"path": "src", "linter": "ruff"}, description="The Python files of a folder"),
            ToolExample(
                input={"path": "README.md", "linter": "shellcheck", "max_problems": 5},
                description="A file of another language",
                negative=True,
                why_bad="A linter checks files of its own languages.",
            ),
        ),
    )
    async def lint_code(
        self,
        path: Annotated[Path, Param("The file or folder"), PathRole()] = Path(),
        *,
        linter: Annotated[Linter | None, Param("What checks; none takes the one for most of the files")] = None,
        max_problems: Annotated[int, Param("Most problems returned"), Field(ge=1, le=2000)] = 100,
        ctx: ToolContext,
    ) -> LintFindings:
        """Check source code with ruff, eslint or ShellCheck, as the project has set them; nothing is changed.

        A person is asked first, as the settings of eslint are programs themselves.
        """
        status_of(path, ctx.project_dir)
        files = _checkable(path, ctx)
        most = sorted(files, key=lambda name: -len(files[name]))
        chosen = linter or (most[0] if most else None)
        if chosen is None or not files.get(chosen):
            known = ", ".join(f"{name} ({' '.join(ends)})" for name, ends in _CHECKED_ENDS.items())
            raise ToolFailure(
                f"{shown(path, ctx.project_dir)!r} has no file for {chosen or 'a linter'}; known are {known}"
            )
        begin, read, hint = _READERS[chosen]
        program = need_program(chosen, ctx.project_dir, hint)
        # ShellCheck takes files only.
        what = [str(file) for file in files[chosen][:_MOST_FILES]] if chosen == "shellcheck" else [str(path)]
        run = await run_in_project((program, *begin, *what), ctx.project_dir, 600.0)
        if run.truncated or not run.stdout.strip():
            raise ToolFailure(
                f"{run.command} printed {'too much' if run.truncated else 'nothing'}: check less at once. {run.told}"
            )
        problems = sorted(read(run.stdout, ctx.project_dir), key=lambda item: (item.file, item.line, item.column or 0))
        counts = Counter(problem.code for problem in problems)
        if len(problems) > max_problems:
            say_cut(ctx, f"{max_problems:,} of {len(problems):,} problems are returned")
        return LintFindings(
            chosen,
            run.command,
            problems[:max_problems],
            dict(counts.most_common()),
            len(problems),
            len(problems) > max_problems,
        )

    @tool(
        keywords=("format", "prettier", "ruff", "gofmt", "rustfmt", "style"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=900,
        dry_run=format_dry_run,
        examples=(
            ToolExample(
                input={"path": "logo.png"},
                description="A file that no formatter is known for",
                negative=True,
                why_bad="ruff, gofmt, rustfmt and prettier are known, each for its languages.",
            ),
            ToolExample(input={"path": "src/router.py"}, description="A Python file"),
        ),
    )
    async def format_code(
        self,
        path: Annotated[Path, Param("The file or folder"), PathRole(writes=True)],
        *,
        ctx: ToolContext,
    ) -> Formatted:
        """Format source files with ruff, gofmt, rustfmt or prettier, whichever the project has for their language.

        The formatter never writes itself: it is given the text, and the dry run shows the difference.
        """
        formatting = _Formatting(path, ctx)
        files: list[FormattedFile] = []
        for file, text, formatter in await formatting.changes():
            write_checked(file, file.encoded(text))
            removed, added = changed_lines(file.text, text)
            files.append(FormattedFile(file.name, formatter, added, removed))
        formatting.skipped.summarise()
        return Formatted(files, formatting.unchanged, formatting.skipped.count)


def _checkable(path: Path, ctx: ToolContext) -> dict[Linter, list[Path]]:
    """Return the files at a path that linters are known for, by linter."""
    skipped = Skipped(ctx)
    files = (
        [found.path for found in walk(path, ctx, skip_ignored=True, skipped=skipped) if found.kind is PathKind.FILE]
        if path.is_dir()
        else [path]
    )
    by_linter: dict[Linter, list[Path]] = {}
    for file in files:
        for name, ends in _CHECKED_ENDS.items():
            if file.name.lower().endswith(ends):
                by_linter.setdefault(name, []).append(file)
    return by_linter
