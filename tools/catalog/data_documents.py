"""Query XML, change values in files of data, and infer schemas."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_CHARS, MAX_ENTRIES, counted, readable_size, say_cut, stop_if_cancelled
from tools.catalog._cells import json_cell
from tools.catalog._data_edits import edited
from tools.catalog._documents import document, file_encoding, file_text, need_encoding
from tools.catalog._dry_runs import encoded, telling_failures
from tools.catalog._formats import SUFFIXES, Format, format_of, json_text, parse
from tools.catalog._paths import need_file, refusals, shown
from tools.catalog._tree import replacing
from tools.catalog._xml import local_name, parse_root, value_of
from tools.catalog.data_json import GivenPath, GivenText
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Concern, Count, DryRun, Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LAST_PART: Final = re.compile(r"^(?P<path>.*?)/(?:@(?P<name>[\w:.-]+)|(?P<text>text\(\)))$", re.DOTALL)
_MOST_DESCENTS: Final = 3
_SHOWN_LINES: Final = 200
_MOST_ENUM: Final = 10
_MOST_SAMPLES: Final = 100_000
_TEXT_FORMATS: Final = {
    "date-time": re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})"),
    "date": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "uuid": re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "uri": re.compile(r"[a-z][a-z0-9+.-]*://\S+"),
}


@dataclass(frozen=True, slots=True)
class XmlMatch:
    """What an expression found."""

    tag: Annotated[str, Field(description="The element's name without its namespace.")]
    text: Annotated[str | None, Field(description="The attribute or the words; null for an element.")]
    value: Annotated[JsonValue, Field(description="The element: attributes as @name, words as #text.")]


@dataclass(frozen=True, slots=True)
class XmlMatches:
    """What an expression found in XML."""

    expression: Annotated[str, Field(description="The expression.")]
    matches: Annotated[list[XmlMatch], Field(description="What it found, in order.")]
    count: Annotated[int, Field(description="How much it found.")]
    namespaces: Annotated[list[str], Field(description="The namespaces that the document uses.")]
    truncated: Annotated[bool, Field(description="Whether there is more than max_items.")]


@dataclass(frozen=True, slots=True)
class EditedData:
    """How a file of data was changed."""

    path: Annotated[str, Field(description="The file.")]
    diff: Annotated[str, Field(description="What changed, as a unified diff; empty when nothing did.")]
    changed: Annotated[bool, Field(description="Whether the file was written.")]
    truncated: Annotated[bool, Field(description="Whether the diff was cut.")]


@dataclass(frozen=True, slots=True)
class InferredSchema:
    """A schema that data fits."""

    schema: Annotated[dict[str, JsonValue], Field(description="The JSON Schema, draft 2020-12.")]
    samples: Annotated[int, Field(description="How many values it was made from.")]


def _edit_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    path = project_dir / arguments["path"]
    if path.is_file():
        names = ", ".join([*arguments["set"], *arguments["remove"]])[:300]
        size = readable_size(path.stat().st_size)
        yield Concern("changes", "Changes a file", f"Changes {names} in {shown(path, project_dir)}, {size}")


def _edited_text(arguments: Mapping[str, Any], text: str, name: str) -> str:
    path: Path = arguments["path"]
    kind = SUFFIXES.get(path.suffix.lower())
    if kind is None:
        raise ToolFailure(f"expected a file that ends in .json, .yaml, .yml or .toml, got {name}")
    if not (arguments["set"] or arguments["remove"]):
        raise ToolFailure("expected set or remove, got neither; nothing is to be changed")
    return edited(text, kind, name, arguments["set"], arguments["remove"])


def _diff(before: str, after: str, name: str) -> list[str]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return list(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}", n=1))


@telling_failures
def _edit_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which lines would change."""
    path: Path = arguments["path"]
    need_file(path, project_dir)
    name = shown(path, project_dir)
    encoding = file_encoding(path) or "utf-8"
    with refusals(f"read {name!r}"):
        before = path.read_bytes().decode(encoding, "replace")
    diff = [line.rstrip("\n") for line in _diff(before, _edited_text(arguments, before, repr(name)), name)]
    changed = [line for line in diff[2:] if line.startswith(("+", "-"))]
    if not changed:
        return DryRun(f"Nothing: {name} says that already.")
    count = Count("lines", len(changed), counted(len(changed), "changed line"))
    return DryRun(f"Change {name}.", (count,), tuple(diff[:_SHOWN_LINES]), max(0, len(diff) - _SHOWN_LINES))


class DataDocuments:
    """The tools for XML, for single values, and for schemas."""

    @tool(
        keywords=("xml", "xpath", "select", "elements", "attributes"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={
                    "expression": ".//book[@lang='en']/title",
                    "text": "<s><book lang='en'><title>A</title></book></s>",
                },
                description="Titles of English books",
            ),
            ToolExample(
                input={"expression": ".//book/@id", "text": "<s><book id='1'/><book id='2'/></s>"},
                description="An attribute of every book",
            ),
        ),
    )
    def query_xml(
        self,
        expression: Annotated[
            str,
            Param("XPath: steps, //, [@a='b'], [tag='text'], [n], .. and at the end /@name or /text()"),
            Field(min_length=1, max_length=500),
        ],
        *,
        text: GivenText = None,
        path: GivenPath = None,
        namespaces: Annotated[dict[str, str], Param("Namespaces by the prefix used here"), Field(default_factory=dict)],
        max_items: Annotated[int, Param("Most matches returned"), Field(ge=1, le=MAX_ENTRIES)] = 200,
        ctx: ToolContext,
    ) -> XmlMatches:
        """Take elements or attributes of XML with an XPath expression. {*}name means it in any namespace."""
        source = document(text, path, ctx)
        root = parse_root(source.text, source.name)
        last = _LAST_PART.match(expression)
        steps = last["path"] if last else expression
        if steps.count("//") > _MOST_DESCENTS:
            raise ToolFailure(f"expected at most {_MOST_DESCENTS} times // in an expression, got {steps.count('//')}")
        found = list(_found(root, steps or ".", namespaces, expression, ctx))
        matches = [item for item in (_match(element, last) for element in found) if item is not None]
        if len(matches) > max_items:
            say_cut(ctx, f"{max_items:,} of {counted(len(matches), 'match', 'matches')} are kept")
        kept = matches[:max_items]
        length = len(json_text([item.value for item in kept], None))
        if length > MAX_CHARS:
            raise ToolFailure(f"the result has {length:,} characters, at most {MAX_CHARS:,} are returned; ask for less")
        used = sorted({str(item.tag)[1:].partition("}")[0] for item in root.iter() if str(item.tag).startswith("{")})
        return XmlMatches(expression, kept, len(matches), used[:100], len(matches) > max_items)

    @tool(
        keywords=("set", "change", "config", "yaml", "toml", "json", "comments"),
        latency=Latency.FAST,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        concerns=_edit_concerns,
        dry_run=_edit_dry_run,
        examples=(
            ToolExample(
                input={"path": "data/settings.yaml", "set": {"/server/port": 8080}, "remove": ["/server/debug"]},
                description="One value set, one removed",
            ),
            ToolExample(
                input={"path": "data/settings.yaml", "set": {"/tags/-": "new"}}, description="One more item of a list"
            ),
        ),
    )
    def edit_data(
        self,
        path: Annotated[Path, Param("The JSON, YAML or TOML file, changed in place"), PathRole(writes=True)],
        *,
        set: Annotated[dict[str, JsonValue], Param("New values by JSON Pointer, such as /servers/0/port")] = {},  # noqa: B006
        remove: Annotated[list[str], Param("JSON Pointers of what is removed")] = [],  # noqa: B006
        ctx: ToolContext,
    ) -> EditedData:
        """Set or remove values in a JSON, YAML or TOML file. Comments, order and style of the rest stay."""
        name = shown(path, ctx.project_dir)
        need_file(path, ctx.project_dir)
        before = file_text(path, ctx)
        encoding = need_encoding(file_encoding(path) or "utf-8")
        after = _edited_text({"path": path, "set": set, "remove": remove}, before, repr(name))
        if after != before:
            content = encoded(after, encoding)
            with refusals(f"write {name!r}"), replacing(path) as stream:
                stream.write(content)
        diff = "".join(_diff(before, after, name))
        return EditedData(name, diff[:MAX_CHARS], after != before, len(diff) > MAX_CHARS)

    @tool(
        keywords=("json schema", "infer", "generate", "types", "structure"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(
                input={"text": '[{"name": "Mira", "age": 41}, {"name": "Jo"}]'},
                description="The schema of a list of people",
            ),
            ToolExample(
                input={"path": "data/people.json", "detect_choices": True},
                description="A file, with the values that occur again and again",
            ),
        ),
    )
    def infer_json_schema(
        self,
        *,
        text: GivenText = None,
        path: GivenPath = None,
        source_format: Annotated[Format | None, Param("The format it is in; none goes by name or first sign")] = None,
        detect_formats: Annotated[bool, Param("Tell dates, addresses and the like from other texts")] = True,
        detect_choices: Annotated[bool, Param("Name the values where few of them occur again and again")] = False,
        ctx: ToolContext,
    ) -> InferredSchema:
        """Make a JSON Schema that data of JSON, YAML, TOML, XML or CSV fits: types, required names, formats."""
        source = document(text, path, ctx)
        look = partial(stop_if_cancelled, ctx)
        data = parse(source.text, source_format or format_of(source.text, source.path), source.name, look)
        inferred = _inferred([data], detect_formats, detect_choices, look)
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **inferred}
        if len(json_text(schema, None)) > MAX_CHARS:
            raise ToolFailure("the schema is too large; the data has thousands of different names, take a part of it")
        return InferredSchema(schema, len(data) if isinstance(data, list) else 1)


def _found(
    root: Element, steps: str, namespaces: Mapping[str, str], expression: str, ctx: ToolContext
) -> Iterator[Element]:
    # A path that begins at the root begins above it.
    relative = f".{steps}" if steps.startswith("//") else steps
    if relative.startswith("/"):
        first, _, rest = relative[1:].partition("/")
        if first not in {"*", str(root.tag), f"{{*}}{local_name(root.tag)}"}:
            return
        relative = f"./{rest}" if rest else "."
    try:
        for element in root.iterfind(relative, dict(namespaces)):
            stop_if_cancelled(ctx)
            yield element
    except (SyntaxError, KeyError, ValueError, TypeError) as error:
        raise ToolFailure(f"{expression!r} is no XPath that is understood here: {error}") from error


def _match(element: Element, last: re.Match[str] | None) -> XmlMatch | None:
    tag = local_name(element.tag)
    if last is None:
        return XmlMatch(tag, None, json_cell(value_of(element)))
    if last["text"]:
        words = "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
        return XmlMatch(tag, words, None) if words else None
    found = {local_name(key): value for key, value in element.attrib.items()}.get(last["name"].rpartition(":")[2])
    return None if found is None else XmlMatch(tag, found, None)


def _inferred(values: list[Any], formats: bool, choices: bool, look: Any) -> dict[str, Any]:  # noqa: FBT001 -- of a tool
    """Return the schema of values that stand at the same place."""
    look()
    by_type: dict[str, list[Any]] = {}
    for value in values:
        by_type.setdefault(_type(value), []).append(value)
    if "integer" in by_type and "number" in by_type:
        by_type["number"] += by_type.pop("integer")
    schema: dict[str, Any] = {}
    names = sorted(by_type)
    if names:
        schema["type"] = names[0] if len(names) == 1 else names
    if objects := by_type.get("object"):
        keys = dict.fromkeys(key for item in objects for key in item)
        schema["properties"] = {
            key: _inferred([item[key] for item in objects if key in item], formats, choices, look) for key in keys
        }
        schema["required"] = [key for key in keys if all(key in item for item in objects)]
    if arrays := by_type.get("array"):
        items = [value for array in arrays for value in array][:_MOST_SAMPLES]
        schema["items"] = _inferred(items, formats, choices, look) if items else {}
    if texts := by_type.get("string"):
        schema |= _of_texts(texts, formats=formats, choices=choices and names == ["string"])
    return schema


def _of_texts(texts: list[Any], *, formats: bool, choices: bool) -> dict[str, Any]:
    words = [text if isinstance(text, str) else text.isoformat() for text in texts]
    different = dict.fromkeys(words)
    if choices and len(different) <= _MOST_ENUM and len(words) >= 3 * len(different):
        return {"enum": sorted(different)}
    if formats:
        for name, pattern in _TEXT_FORMATS.items():
            if all(pattern.fullmatch(word) for word in different):
                return {"format": name}
    return {}


def _type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    return "string" if isinstance(value, str) or hasattr(value, "isoformat") else "number"
