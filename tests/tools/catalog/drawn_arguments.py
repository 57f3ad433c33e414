"""Arguments that hypothesis draws from the input schema of a tool: mostly what it takes, sometimes anything.

`tool-console check` makes arguments at the edges of a schema, the same ones anywhere. Hypothesis looks elsewhere: any
letters, numbers of any size, values in the wrong place; and what fails is made as small as it gets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from tools.check.checker import _CANARY, _stays, is_changing
from tools.schema.words import resolved

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from tools import Tool

PATHS: Final = ("notes.txt", "table.csv", "data.json", "folder", ".", "folder/program.py", "bytes.bin", "naïve ü.txt")
"""What is in the folder that checked tools work in."""
_LONGEST: Final = 40
_MOST: Final = 4
_DEEPEST: Final = 5
_ONE_IN: Final = 12
"""Of so many values one is not what the schema asks for."""
_FORMATS: Final[Mapping[str, SearchStrategy[str]]] = {
    "date": st.dates().map(str),
    "date-time": st.datetimes(timezones=st.timezones()).map(lambda at: at.isoformat()),
    "time": st.times().map(str),
    "uri": st.from_regex(r"\Ahttps?://[a-z]{1,5}\.example(/[a-z?&=#%]{0,9})?\Z"),
}

texts = st.text(max_size=_LONGEST)
anything: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=_MOST) | st.dictionaries(texts, inner, max_size=_MOST),
    max_leaves=_MOST,
)


def arguments_of(tool: Tool) -> SearchStrategy[dict[str, Any]]:
    """Return what draws arguments of a tool; what changes things is given no path that leads out of its folder."""
    schema = tool.input_schema
    names = getattr(tool.arguments, "python_names", {})
    paths = {name for name in schema.get("properties", {}) if names.get(name, name) in dict(tool.path_roles)}  # type: ignore[union-attr]
    fields = {
        name: _sometimes_anything(
            st.just(_CANARY)
            if tool.hides(name)
            else st.sampled_from(PATHS) | texts
            if name in paths
            else _values(node, schema, 0)
        )
        for name, node in schema.get("properties", {}).items()  # type: ignore[union-attr]
    }
    required = {name: fields.pop(name) for name in list(fields) if name in schema.get("required", ())}  # type: ignore[operator]
    drawn = st.fixed_dictionaries(required, optional=fields)
    shown = [dict(example.input) for example in tool.spec.good_examples]
    # An example with one argument more or another gets further into a tool than what is all made up.
    drawn = (
        st.one_of(drawn, st.builds(lambda example, more: {**example, **more}, st.sampled_from(shown), drawn))
        if shown
        else drawn
    )
    return drawn.filter(_stays) if is_changing(tool) else drawn


def _sometimes_anything(values: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.integers(1, _ONE_IN).flatmap(lambda drawn: anything if drawn == _ONE_IN else values)


def _values(node: Any, document: Mapping[str, Any], depth: int) -> SearchStrategy[Any]:
    """Return what draws values that a part of a schema takes, as far as strategies can say it."""
    if not isinstance(node, Mapping) or depth > _DEEPEST:
        return anything
    node = resolved(node, document)
    if "const" in node:
        return st.just(node["const"])
    if "enum" in node:
        return st.sampled_from(node["enum"])
    for word in ("anyOf", "oneOf"):
        if word in node:
            return st.one_of(*(_values(part, document, depth + 1) for part in node[word]))
    kinds = node.get("type", ())
    made = [_of_kind(kind, node, document, depth) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return st.one_of(*made) if made else anything


def _of_kind(kind: str, node: Mapping[str, Any], document: Mapping[str, Any], depth: int) -> SearchStrategy[Any]:
    match kind:
        case "string":
            return _texts(node)
        case "integer":
            return st.integers(_whole(node, "inimum", 1), _whole(node, "aximum", -1))
        case "number":
            least, most = (node.get(f"m{end}", node.get(f"exclusiveM{end}")) for end in ("inimum", "aximum"))
            return st.floats(least, most, allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            fewest = node.get("minItems", 0)
            items = _values(node.get("items", {}), document, depth + 1)
            return st.lists(items, min_size=fewest, max_size=max(fewest, min(node.get("maxItems", _MOST), _MOST)))
        case _:
            properties = node.get("properties", {})
            needed = node.get("required", ())
            named = {name: _values(inner, document, depth + 1) for name, inner in properties.items()}
            known = st.fixed_dictionaries(
                {name: named[name] for name in needed if name in named},
                optional={name: values for name, values in named.items() if name not in needed},
            )
            further = node.get("additionalProperties", True)
            if properties or further is False:
                return known
            return st.dictionaries(texts, _values(further, document, depth + 1), max_size=_MOST)


def _whole(node: Mapping[str, Any], end: str, inward: int) -> int | None:
    if f"m{end}" in node:
        return int(node[f"m{end}"])
    return int(node[f"exclusiveM{end}"]) + inward if f"exclusiveM{end}" in node else None


def _texts(node: Mapping[str, Any]) -> SearchStrategy[str]:
    if "pattern" in node:
        # A line may end before its last sign where Python looks, but not by the rules of JSON Schema.
        return st.from_regex(node["pattern"]).map(lambda text: text.removesuffix("\n"))
    if node.get("format") in _FORMATS:
        return _FORMATS[node["format"]]
    fewest = node.get("minLength", 0)
    return st.text(min_size=fewest, max_size=max(fewest, min(node.get("maxLength", _LONGEST), _LONGEST)))
