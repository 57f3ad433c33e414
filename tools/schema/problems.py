"""Validation errors as problems that name the argument, what it should be and what came."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import ArgumentProblem
from tools.schema.rewriting import BRANCH, EXACT, LENIENT
from tools.schema.words import ANYTHING, alternatives, resolved, words

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails, ValidationError

_MOST_CHARACTERS: Final = 80
_REPR: Final = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = _MOST_CHARACTERS
_CLOSE: Final = 60.0
_MOST_KNOWN: Final = 20
_MOST_MEMBERS: Final = 500
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_POSITION: Final = re.compile(r"line (\d+) column (\d+)")
_EXTRA: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_ABOUT_THE_NAME: Final = _EXTRA | {"missing"}
_TAGS: Final = frozenset({"union_tag_invalid", "union_tag_not_found"})
_HIDDEN: Final = "a hidden value"
_OWN_WORDS: Final = frozenset({"value_error", "assertion_error"})
_NO_STEPS: Final = frozenset({LENIENT, "[key]"})
_ABSENT: Final = object()


class _Finding(NamedTuple):
    path: tuple[str | int, ...]
    branches: tuple[tuple[int, str], ...]
    error: ErrorDetails


def problems_of(
    error: ValidationError, document: Mapping[str, Any], given: Any, *, at: str | None = None
) -> list[ArgumentProblem]:
    """Turn a failed validation, of all arguments or of the one at a name, into one problem a field."""
    prefix = () if at is None else (at,)
    details = error.errors(include_url=False)
    if details[0]["type"] == "json_invalid":
        return [malformed(details[0]["msg"], details[0]["input"])]
    findings = [_finding(detail, given, prefix) for detail in details if EXACT not in detail["loc"]]
    return [_problem(finding, document) for finding in _one_a_field(findings)]


def unreadable_values(error: Exception, given: Any) -> ArgumentProblem:
    """Return the problem of values that make a validator of the author's break instead of refuse."""
    reason = f"{type(error).__name__}: {error}"[:_MOST_CHARACTERS]
    return ArgumentProblem("", f"values its own validators can read ({reason})", shortened(given), "validator_error")


def malformed(message: str, text: Any) -> ArgumentProblem:
    """Return the problem of a text that is not JSON; the parser's message ends in the position."""
    position = _POSITION.search(message)
    where = f"line {position[1]}, column {position[2]}" if position else "the start"
    reason = _POSITION.sub("", message.removeprefix("Invalid JSON: ")).removesuffix(" at ").strip()
    return ArgumentProblem("", f"JSON text ({reason} at {where})", shortened(text), "json_invalid")


def shortened(value: Any) -> str:
    """Return a value's representation, cut to one short line however large the value is."""
    try:
        text = _REPR.repr(value)
    except Exception:  # noqa: BLE001 -- numbers with too many digits and broken classes must not hide the problem
        text = f"<{type(value).__qualname__} that cannot be shown>"
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"


def path_text(path: Sequence[str | int]) -> str:
    """Spell a path such as `context.before`, `include[2]` or `headers["X-Key"]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _IDENTIFIER.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f'["{part}"]'
    return text


def nodes_at(path: Sequence[str | int], document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the schemas that a value at a path may have; several below a union, none where the document is silent."""
    nodes = [resolved(document, document)]
    for part in path:
        nodes = [inner for node in nodes for inner in _inside(node, part, document)]
    return nodes


def _inside(node: Mapping[str, Any], part: str | int, document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found: list[Any] = []
    for member in _members(node, document, ("anyOf", "oneOf", "allOf")):
        if isinstance(part, int):
            prefix = member.get("prefixItems", ())
            found.append(prefix[part] if part < len(prefix) else member.get("items"))
        else:
            found.append(member.get("properties", {}).get(part, member.get("additionalProperties")))
    return [resolved(item, document) for item in found if isinstance(item, Mapping)]


def _members(
    node: Mapping[str, Any], document: Mapping[str, Any], words_of_many: Sequence[str]
) -> list[Mapping[str, Any]]:
    """Return a schema with those it is put together from, each once: they may refer to one another in circles."""
    found: dict[int, Mapping[str, Any]] = {}
    waiting: list[Any] = [node]
    while waiting and len(found) < _MOST_MEMBERS:
        member = resolved(waiting.pop(0), document)
        if id(member) not in found:
            found[id(member)] = member
            waiting += [inner for key in words_of_many for inner in member.get(key, ())]
    return list(found.values())


def _finding(detail: ErrorDetails, given: Any, prefix: tuple[str, ...]) -> _Finding:
    path: list[str | int] = [*prefix]
    branches: list[tuple[int, str]] = []
    value = given
    last = len(detail["loc"]) - 1
    for index, part in enumerate(detail["loc"]):
        if part in _NO_STEPS:
            continue
        if isinstance(part, str) and part.startswith(BRANCH):
            branches.append((len(path), part))
            continue
        inner = _item(value, part)
        if inner is _ABSENT and not (index == last and detail["type"] in _ABOUT_THE_NAME):
            branches.append((len(path), str(part)))
            continue
        value = inner
        path.append(part)
    return _Finding(tuple(path), tuple(branches), detail)


def _item(value: Any, part: str | int) -> Any:
    if isinstance(value, Mapping):
        if part in value:
            return value[part]
        return next((item for key, item in value.items() if str(key) == str(part)), _ABSENT)
    if isinstance(part, int) and isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return value[part] if part < len(value) else _ABSENT
    if isinstance(part, int) and isinstance(value, (set, frozenset)):
        return None
    return (
        getattr(value, part, _ABSENT)
        if isinstance(part, str) and hasattr(type(value), "__dataclass_fields__")
        else _ABSENT
    )


def _one_a_field(findings: list[_Finding]) -> list[_Finding]:
    """Of each union keep the branch that came nearest; of each place one finding."""
    kept = findings
    while unions := {finding.path[: finding.branches[0][0]] for finding in kept if finding.branches}:
        at = max(unions, key=len)
        inside = [finding for finding in kept if finding.branches and finding.path[: finding.branches[0][0]] == at]
        chosen = _nearest(inside, len(at))
        first = kept.index(inside[0])
        outside_before = [finding for finding in kept[:first] if finding not in inside]
        outside_after = [finding for finding in kept[first:] if finding not in inside]
        kept = [*outside_before, *chosen, *outside_after]
    by_path: dict[tuple[str | int, ...], _Finding] = {}
    for finding in kept:
        by_path.setdefault(finding.path, finding)
    return list(by_path.values())


def _nearest(inside: list[_Finding], depth: int) -> list[_Finding]:
    """Return the findings of the branch that the value was probably meant for."""
    by_branch: dict[str, list[_Finding]] = {}
    for finding in inside:
        by_branch.setdefault(finding.branches[0][1], []).append(finding._replace(branches=finding.branches[1:]))
    entered = [group for group in by_branch.values() if all(len(finding.path) > depth for finding in group)]
    if not entered:
        return [next(iter(by_branch.values()))[0]._replace(branches=())]
    nearest = min(entered, key=lambda group: (bool(_wrong_tags(group)), len(group)))
    return _wrong_tags(nearest) or nearest


def _wrong_tags(group: list[_Finding]) -> list[_Finding]:
    return [finding for finding in group if finding.error["type"] == "literal_error"]


def _problem(finding: _Finding, document: Mapping[str, Any]) -> ArgumentProblem:
    detail = finding.error
    kind = detail["type"]
    if kind in _EXTRA:
        return unknown_argument(finding.path, document, detail["input"])
    if kind in _TAGS and (problem := _tag_problem(finding, document)):
        return problem
    path = path_text(finding.path)
    if kind == "invalid_key":
        return ArgumentProblem(path, "text as its name", shortened(detail["input"]), kind)
    nodes = nodes_at(finding.path, document)
    expected = alternatives(nodes, document)
    if kind == "missing":
        return ArgumentProblem(path, expected, "nothing", kind)
    given = _HIDDEN if any(node.get("writeOnly") for node in nodes) else shortened(detail["input"])
    return ArgumentProblem(path, _in_own_words(kind, expected, detail["msg"]), given, kind)


def _in_own_words(kind: str, expected: str, message: str) -> str:
    if kind in _OWN_WORDS:
        return f"{expected} ({message.partition(', ')[2]})"
    if kind == "finite_number":
        return expected.replace("a number", "a finite number", 1)
    return message.removeprefix("Input should be ") if expected == ANYTHING else expected


def _tag_problem(finding: _Finding, document: Mapping[str, Any]) -> ArgumentProblem | None:
    """Return the problem of a discriminated union as one of the field that tells its members apart."""
    discriminator = finding.error.get("ctx", {}).get("discriminator", "").strip("'")
    nodes = [member for node in nodes_at(finding.path, document) for member in (node, *node.get("anyOf", ()))]
    mapping = next((node["discriminator"].get("mapping") for node in nodes if "discriminator" in node), None)
    if not mapping or not _IDENTIFIER.fullmatch(discriminator):
        return None
    expected = words({"enum": list(mapping)}, document)
    path = path_text([*finding.path, discriminator])
    if finding.error["type"] == "union_tag_not_found":
        return ArgumentProblem(path, expected, "nothing", "missing")
    return ArgumentProblem(path, expected, shortened(finding.error["ctx"]["tag"]), finding.error["type"])


def unknown_argument(path: Sequence[str | int], document: Mapping[str, Any], value: Any) -> ArgumentProblem:
    """Return the problem of a name nobody knows, with the name that was probably meant."""
    known = [name for node in nodes_at(path[:-1], document) for name in _known_names(node, document)]
    from rapidfuzz import fuzz, process  # noqa: PLC0415 -- only a wrong name needs it

    close = process.extractOne(str(path[-1]), known, scorer=fuzz.ratio, score_cutoff=_CLOSE)
    if close is not None:
        hint = f"did you mean {close[0]!r}?"
    elif known:
        names = list(dict.fromkeys(known))
        more = f" and {len(names) - _MOST_KNOWN} more" if len(names) > _MOST_KNOWN else ""
        hint = f"the known names are {', '.join(names[:_MOST_KNOWN])}{more}"
    else:
        hint = "it takes none"
    return ArgumentProblem(path_text(path), f"no argument of this name ({hint})", shortened(value), "extra_forbidden")


def _known_names(node: Mapping[str, Any], document: Mapping[str, Any]) -> list[str]:
    members = _members(node, document, ("anyOf", "oneOf"))
    return list(dict.fromkeys(name for member in members for name in member.get("properties", ())))
