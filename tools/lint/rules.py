"""The rules themselves, each a generator of findings about one tool; and one about the names of all."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tools import schema
from tools.card import SourceKind, ToolFacts
from tools.errors import ArgumentsError, DeclarationError
from tools.lint.findings import Finding, LintRule
from tools.schema.words import resolved
from tools.spec import ToolExample
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.schema import Arguments

MOST_EXAMPLES: Final = 4
"""Source: seed 2, "Best practices"."""

_FEWEST_EXAMPLES: Final = 2
_FOREIGN: Final = frozenset({SourceKind.API, SourceKind.SERVER})
_MOST_NAMED: Final = 3
_MOST_DEPTH: Final = 20

_EMPTY_WORDS: Final = re.compile(
    r"(?:this|the) (?:tool|function|method|command)\b|a tool (?:that|to|for)\b", re.IGNORECASE
)
_PLACEHOLDER: Final = re.compile(
    r"foo|bar|baz|qux|foo[ _-]?bar|string|test|testing|test[ _-]?\d+|example|sample|dummy|placeholder|todo|tbd|x{2,}"
    r"|abc|asdf|qwerty|lorem ipsum.*|<[a-z][a-z0-9 _-]*>|your[_-]\w+|your \w+ here",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_SELECTION: Final = re.compile(
    r"\b(?:wrong|another|other|different|separate) tool\b|\b(?:use|call) `?\w+`? instead\b", re.IGNORECASE
)
_CHOICES: Final = frozenset({"const", "enum", "format", "pattern"})
_SEPARATORS: Final = re.compile(r"[^0-9a-z]+")


def lint_tool(tool: ToolFacts) -> tuple[Finding, ...]:
    """Return what is wrong with how a tool, or its card, is described.

    The inputs of examples are checked as calls are. A card has no validator of its own: its schema stands in.
    """
    return tuple(chain.from_iterable(rule(tool) for rule in _RULES))


def lint_registry(tools: Iterable[ToolFacts]) -> tuple[Finding, ...]:
    """Return what is wrong with tools that a model sees side by side; those of one tool stand together."""
    known = list(tools)
    collisions = name_collisions(tool.name for tool in known)
    return tuple(finding for tool in known for finding in (*lint_tool(tool), *collisions.get(tool.name, ())))


def name_collisions(names: Iterable[str]) -> Mapping[str, tuple[Finding, ...]]:
    """Return findings by the name of a tool that differs from another one in case and separators only."""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        alike[_SEPARATORS.sub("", name.casefold()) or name].append(name)
    return {
        name: (Finding(LintRule.NAME_COLLISION, name, "/name", _listed([repr(one) for one in same if one != name])),)
        for same in alike.values()
        if len(same) > 1
        for name in same
    }


def _description(tool: ToolFacts) -> Iterator[Finding]:
    said = tool.description.strip()
    if not said:
        yield Finding(LintRule.DESCRIPTION_MISSING, tool.name, "/description")
        return
    if len(said) < len(tool.name) or _bare(said) == _bare(tool.name):
        yield Finding(LintRule.DESCRIPTION_SHORT, tool.name, "/description", repr(said))
    empty = _EMPTY_WORDS.match(said)
    if empty:
        yield Finding(LintRule.DESCRIPTION_EMPTY_WORDS, tool.name, "/description", repr(empty[0]))


def _parameters(tool: ToolFacts) -> Iterator[Finding]:
    for name, field in _properties(tool).items():
        node = resolved(field, tool.input_schema)
        said = next((part["description"] for part in (field, node) if isinstance(part.get("description"), str)), "")
        if not said.strip() or _bare(said) == _bare(name):
            where = f"/input_schema/properties/{_pointer_step(name)}"
            yield Finding(LintRule.PARAMETER_UNDESCRIBED, tool.name, where, repr(name))


def _example_count(tool: ToolFacts) -> Iterator[Finding]:
    count = len(tool.spec.examples)
    if count > MOST_EXAMPLES:
        yield Finding(LintRule.EXAMPLES_MANY, tool.name, "/examples", str(count))
    # Servers and documents of APIs have no place for examples, and what takes one plain argument explains itself.
    elif count < _FEWEST_EXAMPLES and tool.source.kind not in _FOREIGN and len(_properties(tool)) > 1:
        words = "no example" if not count else "one example only"
        yield Finding(LintRule.EXAMPLES_FEW, tool.name, "/examples", words)


def _examples(tool: ToolFacts) -> Iterator[Finding]:
    if not tool.spec.examples:
        return
    by_schema = _schema_check(tool)
    as_called = tool.arguments if isinstance(tool, Tool) else by_schema
    for number, example in enumerate(tool.spec.examples):
        at = f"/examples/{number}"
        if example.negative:
            yield from _negative(tool, example, at, _problems(by_schema, example))
        else:
            if example.why_bad.strip():
                yield Finding(LintRule.REASON_WITHOUT_NEGATIVE, tool.name, f"{at}/why_bad")
            problems = _problems(as_called, example)
            if problems:
                yield Finding(LintRule.EXAMPLE_INVALID, tool.name, f"{at}/input", problems)
        for where, words in _unrealistic(example.input, tool.input_schema):
            yield Finding(LintRule.EXAMPLE_UNREALISTIC, tool.name, f"{at}/input{where}", words)


def _negative(tool: ToolFacts, example: ToolExample, at: str, problems: str) -> Iterator[Finding]:
    if not example.why_bad.strip():
        yield Finding(LintRule.NEGATIVE_WITHOUT_REASON, tool.name, f"{at}/why_bad")
    if problems:
        yield Finding(LintRule.NEGATIVE_OBVIOUS, tool.name, f"{at}/input", f"the schema says so already ({problems})")
    elif _ABOUT_SELECTION.search(f"{example.description}\n{example.why_bad}"):
        yield Finding(LintRule.NEGATIVE_OBVIOUS, tool.name, at, "which tool to choose is said by the descriptions")


def _name(tool: ToolFacts) -> Iterator[Finding]:
    from tools.wire.names import name_of, wire_name  # noqa: PLC0415 -- the package has every provider in it

    if name_of(wire_name(tool.name)) != tool.name:
        yield Finding(LintRule.NAME_TOO_LONG, tool.name, "/name", repr(wire_name(tool.name)))


def _schema_check(tool: ToolFacts) -> Arguments | None:
    """Return the check of arguments by the JSON Schema alone; None when it cannot be used."""
    try:
        return schema.SchemaArguments(tool.input_schema, owner=tool.name)
    except DeclarationError:
        return None


def _problems(check: Arguments | None, example: ToolExample) -> str:
    """Say what does not fit in an example's input; empty when all does."""
    if check is None:
        return ""
    try:
        check.validate(example.input)
    except ArgumentsError as error:
        return _listed([str(problem) for problem in error.problems], "; ")
    return ""


def _unrealistic(value: object, document: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """Yield where a value in an example is none that occurs at work, and what stands there."""
    waiting: list[tuple[str, object, object, int]] = [("", value, document, 0)]
    while waiting:
        where, inner, node, depth = waiting.pop()
        known = resolved(node, document)
        if isinstance(inner, str):
            # The type in a JSON Schema is no placeholder.
            if not (_CHOICES & known.keys() or where.endswith("/type")) and (
                _PLACEHOLDER.fullmatch(inner.strip()) or _is_letter(inner)
            ):
                yield where, repr(inner)
        elif isinstance(inner, Mapping) and depth < _MOST_DEPTH:
            declared = known.get("properties")
            fields: Mapping[str, Any] = declared if isinstance(declared, Mapping) else {}
            for key, part in reversed(list(inner.items())):
                at = f"{where}/{_pointer_step(key)}"
                if _is_letter(key) and key not in fields:
                    yield at, f"the name {key!r}"
                waiting.append((at, part, fields.get(key), depth + 1))
        elif isinstance(inner, Sequence) and depth < _MOST_DEPTH:
            waiting += [(f"{where}/{at}", part, known.get("items"), depth + 1) for at, part in enumerate(inner)][::-1]


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isalpha()


def _properties(tool: ToolFacts) -> Mapping[str, Mapping[str, Any]]:
    properties = tool.input_schema.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    # A foreign schema may say just true.
    return {name: field if isinstance(field, Mapping) else {} for name, field in properties.items()}


def _bare(text: str) -> str:
    return _SEPARATORS.sub("", text.casefold())


def _pointer_step(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _listed(parts: Sequence[str], separator: str = ", ") -> str:
    more = len(parts) - _MOST_NAMED
    return separator.join(parts[:_MOST_NAMED]) + (f"{separator}and {more} more" if more > 0 else "")


_RULES: Final[tuple[Callable[[ToolFacts], Iterator[Finding]], ...]] = (
    _name,
    _description,
    _parameters,
    _example_count,
    _examples,
)
