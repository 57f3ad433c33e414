"""Measure source code: what is left to do, how long, how branched, and what imports what."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from tools.catalog._bounds import ProgressThrottle, Skipped, say_cut
from tools.catalog._languages import LineCounts, count_lines, language_of
from tools.catalog._paths import need_folder, shown
from tools.catalog.code_symbols import CodeFolder, OnlyFiles, source_files, source_text
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

_LONGEST_NOTE: Final = 300
_MOST_CYCLES: Final = 50
_MARK: Final = re.compile(r"[A-Z][A-Z0-9_-]{1,20}")


@dataclass(frozen=True, slots=True)
class CodeNote:
    """Something that the authors of source code left to do."""

    path: Annotated[str, Field(description="The file.")]
    line: Annotated[int, Field(description="Number of the line, from 1.")]
    mark: Annotated[str, Field(description="The word it begins with, such as TODO.")]
    owner: Annotated[str | None, Field(description="The name in brackets behind it; null when there is none.")]
    text: Annotated[str, Field(description="What is to do.")]


@dataclass(frozen=True, slots=True)
class CodeNotes:
    """What is left to do in source code."""

    notes: Annotated[list[CodeNote], Field(description="File by file, in order of line.")]
    count_by_mark: Annotated[dict[str, int], Field(description="How many of each word.")]
    files_searched: Annotated[int, Field(description="How many source files were looked at.")]
    truncated: Annotated[bool, Field(description="Whether there are more.")]


@dataclass(frozen=True, slots=True)
class LanguageLines:
    """The lines in one language."""

    language: Annotated[str, Field(description="The language, told by the names of files.")]
    files: Annotated[int, Field(description="How many files.")]
    code: Annotated[int, Field(description="Lines with code.")]
    comments: Annotated[int, Field(description="Lines with comments only.")]
    blank: Annotated[int, Field(description="Lines with nothing.")]


@dataclass(frozen=True, slots=True)
class CodeLines:
    """How much source code there is."""

    languages: Annotated[list[LanguageLines], Field(description="Those with most code first.")]
    files: Annotated[int, Field(description="How many files in all.")]
    code: Annotated[int, Field(description="Lines with code in all.")]
    files_skipped: Annotated[int, Field(description="How many were too large or no text; see the log.")]


@dataclass(frozen=True, slots=True)
class FunctionComplexity:
    """How branched one function is."""

    path: Annotated[str, Field(description="The file.")]
    name: Annotated[str, Field(description="The function, with the names of what it is in.")]
    line: Annotated[int, Field(description="Number of its first line, from 1.")]
    complexity: Annotated[int, Field(description="Ways through it (McCabe): 1 and one for each branch.")]
    lines: Annotated[int, Field(description="How many lines it has.")]
    arguments: Annotated[int, Field(description="How many arguments it takes.")]
    depth: Annotated[int, Field(description="How deep its blocks are nested.")]


@dataclass(frozen=True, slots=True)
class Complexities:
    """How branched functions are."""

    functions: Annotated[list[FunctionComplexity], Field(description="The most branched first.")]
    counted: Annotated[int, Field(description="How many functions there are.")]
    above: Annotated[int, Field(description="How many are at least as branched as asked for.")]
    mean: Annotated[float, Field(description="The mean of all functions.")]
    files_skipped: Annotated[int, Field(description="How many files are no correct Python; see the log.")]
    truncated: Annotated[bool, Field(description="Whether there are more.")]


@dataclass(frozen=True, slots=True)
class ModuleImports:
    """What one module imports of the others."""

    module: Annotated[str, Field(description="The module.")]
    path: Annotated[str, Field(description="Its file.")]
    imports: Annotated[list[str], Field(description="The modules of the folder that it imports.")]
    imported_by: Annotated[list[str], Field(description="The modules of the folder that import it.")]


@dataclass(frozen=True, slots=True)
class ImportGraph:
    """What Python modules import of one another, and what they need from elsewhere."""

    modules: Annotated[list[ModuleImports], Field(description="The modules that are imported most first.")]
    circles: Annotated[list[list[str]], Field(description="Groups of modules that import one another in a circle.")]
    external: Annotated[
        dict[str, int], Field(description="Packages from elsewhere, with how many modules import each.")
    ]
    files_skipped: Annotated[int, Field(description="How many files are no correct Python; see the log.")]
    truncated: Annotated[bool, Field(description="Whether there are more modules.")]


class MeasuringCode:
    """The tools that measure source code."""

    @tool(
        keywords=("todo", "fixme", "notes", "debt", "open points"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "."}, description="What is left to do in a project"),
            ToolExample(input={"path": "src", "marks": ["NOTE"]}, description="Another word"),
        ),
    )
    def find_todos(
        self,
        path: CodeFolder = Path(),
        *,
        marks: Annotated[
            tuple[Annotated[str, Field(title="Word")], ...],
            Param("The words to look for, in capital letters"),
            Field(min_length=1, max_length=50),
        ] = ("TODO", "FIXME", "HACK", "XXX", "BUG"),
        include: OnlyFiles = (),
        max_results: Annotated[int, Param("Most notes returned"), Field(ge=1, le=5000)] = 200,
        ctx: ToolContext,
    ) -> CodeNotes:
        """Find what the authors of source code left to do: words such as TODO and FIXME, and the rest of their line."""
        for mark in marks:
            if not _MARK.fullmatch(mark):
                raise ToolFailure(f"expected words in capital letters such as TODO, got {mark!r}")
        pattern = re.compile(rf"\b({'|'.join(map(re.escape, marks))})\b(?:\(([^)\n]{{1,50}})\))?[:\s-]*(.*)")
        skipped = Skipped(ctx)
        notes: list[CodeNote] = []
        counts: Counter[str] = Counter()
        searched = 0
        for file, text in _texts(path, include, ctx, skipped):
            searched += 1
            for number, line in enumerate(text.splitlines(), 1):
                found = pattern.search(line)
                if found is None:
                    continue
                counts[found[1]] += 1
                if len(notes) < max_results:
                    rest = found[3].strip().removesuffix("*/").removesuffix("-->").strip()
                    notes.append(
                        CodeNote(shown(file, ctx.project_dir), number, found[1], found[2], rest[:_LONGEST_NOTE])
                    )
        truncated = counts.total() > len(notes)
        if truncated:
            say_cut(ctx, f"{len(notes):,} of {counts.total():,} notes are returned")
        return CodeNotes(notes, dict(counts), searched, truncated)

    @tool(
        keywords=("lines of code", "loc", "sloc", "cloc", "languages", "size"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=600,
        examples=(
            ToolExample(input={"path": "."}, description="A project by language"),
            ToolExample(input={"path": ".", "include": ["*.py"]}, description="Its Python only"),
        ),
    )
    def count_code_lines(self, path: CodeFolder = Path(), *, include: OnlyFiles = (), ctx: ToolContext) -> CodeLines:
        """Count the lines of code, of comments and blank lines below a folder, by language.

        Languages are told by the names of files. A mark of a comment at the beginning of a line within a string counts
        as one.
        """
        skipped = Skipped(ctx)
        totals: dict[str, tuple[int, LineCounts]] = {}
        for file, text in _texts(path, include, ctx, skipped):
            language = language_of(file)
            if language is None:
                continue
            counts = count_lines(text, language)
            files, so_far = totals.get(language.name, (0, LineCounts(0, 0, 0)))
            summed = LineCounts(*(one + other for one, other in zip(so_far, counts, strict=True)))
            totals[language.name] = files + 1, summed
        skipped.summarise()
        languages = [LanguageLines(name, files, *counts) for name, (files, counts) in totals.items()]
        languages.sort(key=lambda item: (-item.code, item.language))
        files = sum(item.files for item in languages)
        return CodeLines(languages, files, sum(item.code for item in languages), skipped.count)

    @tool(
        keywords=("complexity", "mccabe", "cyclomatic", "long functions", "refactor"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "src"}, description="The most branched functions"),
            ToolExample(input={"path": ".", "min_complexity": 2, "sort_by": "lines"}, description="Long functions"),
        ),
    )
    def measure_complexity(
        self,
        path: CodeFolder = Path(),
        *,
        min_complexity: Annotated[int, Param("Leave out functions that are less branched"), Field(ge=1)] = 1,
        sort_by: Annotated[
            Literal["complexity", "lines", "arguments", "depth"], Param("What the first ones have most of")
        ] = "complexity",
        include: OnlyFiles = (),
        max_results: Annotated[int, Param("Most functions returned"), Field(ge=1, le=2000)] = 50,
        ctx: ToolContext,
    ) -> Complexities:
        """Measure how branched, long and nested the functions of Python files are, the worst first."""
        skipped = Skipped(ctx)
        found: list[FunctionComplexity] = []
        for file, tree in _trees(path, include or ("*.py",), ctx, skipped):
            found += _functions(tree, shown(file, ctx.project_dir), "")
        skipped.summarise()
        kept = [item for item in found if item.complexity >= min_complexity]
        kept.sort(key=lambda item: (-getattr(item, sort_by), item.path, item.line))
        mean = sum(item.complexity for item in found) / len(found) if found else 0.0
        if len(kept) > max_results:
            say_cut(ctx, f"{max_results:,} of {len(kept):,} functions are returned")
        return Complexities(
            kept[:max_results], len(found), len(kept), round(mean, 2), skipped.count, len(kept) > max_results
        )

    @tool(
        keywords=("imports", "dependencies", "circular", "modules", "architecture"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "src"}, description="What the modules of a folder import"),
            ToolExample(input={"path": ".", "max_modules": 10}, description="The ten most imported ones"),
        ),
    )
    def import_graph(
        self,
        path: Annotated[Path, Param("The folder that imports begin at"), PathRole()] = Path(),
        *,
        max_modules: Annotated[int, Param("Most modules returned"), Field(ge=1, le=5000)] = 200,
        ctx: ToolContext,
    ) -> ImportGraph:
        """Find what the Python modules of a folder import of one another, circles among them, and what from elsewhere.

        Nothing is run: imports are read from the source, those within functions as well.
        """
        need_folder(path, ctx.project_dir)
        skipped = Skipped(ctx)
        trees = {_module_name(file, path): (file, tree) for file, tree in _trees(path, ("*.py",), ctx, skipped)}
        wanted: dict[str, set[str]] = {}
        external: Counter[str] = Counter()
        for module, (file, tree) in trees.items():
            named = set(_imported(tree, module, is_package=file.name == "__init__.py"))
            inside = {found for name in named if (found := _nearest(name, trees.keys())) is not None} - {module}
            wanted[module] = inside
            external.update({name.partition(".")[0] for name in named if _nearest(name, trees.keys()) is None})
        needed_by: dict[str, set[str]] = defaultdict(set)
        for module, names in wanted.items():
            for name in names:
                needed_by[name].add(module)
        modules = [
            ModuleImports(module, shown(trees[module][0], ctx.project_dir), sorted(names), sorted(needed_by[module]))
            for module, names in wanted.items()
        ]
        modules.sort(key=lambda item: (-len(item.imported_by), item.module))
        if len(modules) > max_modules:
            say_cut(ctx, f"{max_modules:,} of {len(modules):,} modules are returned")
        circles = _circles(wanted)[:_MOST_CYCLES]
        return ImportGraph(
            modules[:max_modules], circles, dict(external.most_common(500)), skipped.count, len(modules) > max_modules
        )


def _texts(path: Path, include: tuple[str, ...], ctx: ToolContext, skipped: Skipped) -> Iterator[tuple[Path, str]]:
    pace = ProgressThrottle(ctx)
    for file in source_files(path, include, ctx, skipped):
        pace.step(1, file.name)
        text = source_text(file, skipped)
        if text is not None:
            yield file, text


def _trees(
    path: Path, include: tuple[str, ...], ctx: ToolContext, skipped: Skipped
) -> Iterator[tuple[Path, ast.Module]]:
    for file, text in _texts(path, include, ctx, skipped):
        try:
            yield file, ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            skipped.add(file, f"no correct Python{f' in line {line}' if line else ''}")


def _functions(node: ast.AST, path: str, prefix: str) -> Iterator[FunctionComplexity]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            taken = child.args
            arguments = len(taken.posonlyargs) + len(taken.args) + len(taken.kwonlyargs)
            yield FunctionComplexity(
                path=path,
                name=prefix + child.name,
                line=child.lineno,
                complexity=1 + sum(map(_branches, _own_nodes(child))),
                lines=(child.end_lineno or child.lineno) - child.lineno + 1,
                arguments=arguments + (taken.vararg is not None) + (taken.kwarg is not None),
                depth=_depth(child),
            )
            yield from _functions(child, path, f"{prefix}{child.name}.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, path, f"{prefix}{child.name}.")
        else:
            yield from _functions(child, path, prefix)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield what is in a function without the functions and classes in it, which count for themselves."""
    pending = list(ast.iter_child_nodes(function))
    while pending:
        node = pending.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
            pending += ast.iter_child_nodes(node)


def _branches(node: ast.AST) -> int:
    """Return how many further ways a part of a function opens."""
    if isinstance(node, ast.If | ast.IfExp | ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | ast.Assert):
        return 1
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.match_case):
        return 0 if isinstance(node.pattern, ast.MatchAs) and node.pattern.pattern is None else 1
    return 0


_BLOCKS: Final = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def _depth(node: ast.AST) -> int:
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        # An elif is an if in the else of another one, but nobody reads it as deeper.
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deepest = max(deepest, _depth(child) + (isinstance(child, _BLOCKS) and not is_elif))
    return deepest


def _module_name(file: Path, folder: Path) -> str:
    parts = [*file.relative_to(folder).parts[:-1], *([] if file.name == "__init__.py" else [file.stem])]
    return ".".join(parts) or folder.name


def _imported(tree: ast.Module, module: str, *, is_package: bool) -> Iterator[str]:
    """Yield the full names that a module imports, as far as they can be told without running it."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            # What is imported from a package may be a module of it.
            yield from (f"{base}.{alias.name}" if base else alias.name for alias in node.names)


def _nearest(name: str, modules: Collection[str]) -> str | None:
    """Return the module that a full name is in; None for one from elsewhere."""
    while name:
        if name in modules:
            return name
        name = name.rpartition(".")[0]
    return None


def _circles(wanted: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that reach one another, the largest first (Tarjan's strong components)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for root, first in wanted.items():
        if root in numbers:
            continue
        pending: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(first)))]
        numbers[root] = lowest[root] = len(numbers)
        stack.append(root)
        while pending:
            module, following = pending[-1]
            other = next(following, None)
            if other is None:
                pending.pop()
                if pending:
                    lowest[pending[-1][0]] = min(lowest[pending[-1][0]], lowest[module])
                if lowest[module] == numbers[module]:
                    place = stack.index(module)
                    group, stack[place:] = stack[place:], []
                    if len(group) > 1:
                        found.append(sorted(group))
            elif other not in numbers:
                numbers[other] = lowest[other] = len(numbers)
                stack.append(other)
                pending.append((other, iter(sorted(wanted[other]))))
            elif other in stack:
                lowest[module] = min(lowest[module], numbers[other])
    return sorted(found, key=len, reverse=True)
