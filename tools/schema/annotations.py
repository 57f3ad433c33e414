"""Annotations made ready for pydantic: our own marks translated, old TypedDicts renewed."""

from __future__ import annotations

import operator
import sys
import types
import typing
from functools import reduce
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired, Union, get_args, get_origin, is_typeddict

import typing_extensions

from tools.spec import Param, PathRole, ProjectDir

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic_core import CoreSchema

_OLD_PYTHON: Final = sys.version_info < (3, 12)
_OPAQUE: Final = frozenset({Literal, typing.get_origin(typing.Callable[[], None])})


class PathMark:
    """Write a `PathRole` into the JSON Schema."""

    def __init__(self, role: PathRole) -> None:
        self._role = role

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PathMark) and other._role == self._role

    def __hash__(self) -> int:
        return hash((PathMark, self._role))

    def __repr__(self) -> str:
        return f"PathMark({self._role!r})"

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        document = handler(schema)
        for member in document.get("anyOf", [document]):
            target = member.get("items", member)
            if target.get("type") == "string":
                target["format"] = "path"
        if self._role.writes:
            document["x-writes"] = True
        return document


def prepared(annotation: Any) -> Any:
    """Return the annotation as pydantic should read it.

    Raises:
        TypeError: A recursive `typing.TypedDict` on Python 3.11, which pydantic cannot read.
    """
    return _prepared(annotation, ())


def spelled(annotation: Any) -> str:
    """Return an annotation as people write it."""
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__
    return repr(annotation).replace("typing.", "")


def _prepared(annotation: Any, trail: tuple[Any, ...]) -> Any:
    origin = get_origin(annotation)
    if origin is None:
        return _renewed(annotation, trail) if _OLD_PYTHON and is_typeddict(annotation) else annotation
    if origin is Annotated:
        return _prepared_metadata(annotation, trail)
    args = get_args(annotation)
    if origin in _OPAQUE or not args:
        return annotation
    new = tuple(_prepared(inner, trail) for inner in args)
    if all(a is b for a, b in zip(new, args, strict=True)):
        return annotation
    if origin in (Union, types.UnionType):
        return reduce(operator.or_, new)
    return annotation.copy_with(new) if hasattr(annotation, "copy_with") else origin[new]


def _prepared_metadata(annotation: Any, trail: tuple[Any, ...]) -> Any:
    base, *metadata = get_args(annotation)
    new = _prepared(base, trail)
    kept = [_translated(mark) for mark in metadata if not isinstance(mark, (Param, ProjectDir))]
    if new is base and kept == metadata:
        return annotation
    return Annotated[(new, *kept)] if kept else new


def _translated(mark: Any) -> Any:
    if mark is PathRole:
        return PathMark(PathRole())
    return PathMark(mark) if isinstance(mark, PathRole) else mark


def _renewed(typed_dict: Any, trail: tuple[Any, ...]) -> Any:
    """Return a `typing.TypedDict` as the `typing_extensions` one that pydantic wants before Python 3.12."""
    if type(typed_dict).__module__ != "typing":
        return typed_dict
    if typed_dict in trail:
        raise TypeError(
            f"{typed_dict.__qualname__} contains itself: take TypedDict from typing_extensions for it on Python 3.11"
        )
    fields: dict[str, Any] = {}
    for name, hint in typing.get_type_hints(typed_dict, include_extras=True).items():
        inner = _prepared(hint, (*trail, typed_dict))
        marked = get_origin(hint) in {typing.Required, NotRequired}
        fields[name] = inner if marked or name in typed_dict.__required_keys__ else NotRequired[inner]
    make: Any = typing_extensions.TypedDict
    renewed = make(typed_dict.__name__, fields)
    for name in ("__module__", "__qualname__", "__doc__", "__pydantic_config__"):
        if hasattr(typed_dict, name):
            setattr(renewed, name, getattr(typed_dict, name))
    return renewed
