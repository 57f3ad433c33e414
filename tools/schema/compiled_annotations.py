"""Annotations as core schemas: our own marks translated, read once, kept for the next tool that says the same."""

from __future__ import annotations

import operator
import sys
import types
import typing
import warnings
from functools import cached_property, lru_cache, reduce
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired, Union, get_args, get_origin, is_typeddict

import typing_extensions
from pydantic import PydanticUndefinedAnnotation, PydanticUserError, TypeAdapter
from pydantic_core import SchemaError, SchemaValidator

from tools.errors import DeclarationError
from tools.schema.rewriting import mentions, strict
from tools.schema.writer import written
from tools.spec import Param, PathRole, ProjectDir

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaMode
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


_KEPT: Final = 2048
_DOUBTFUL: Final = frozenset(
    {"callable", "is-instance", "is-subclass", "function-plain", "invalid", "arguments", "call"}
)
_NEVER_JSON: Final = frozenset({"is-subclass"})
UNREADABLE: Final = (
    PydanticUserError,
    PydanticUndefinedAnnotation,
    SchemaError,
    TypeError,
    ValueError,
    NameError,
    RecursionError,
)
"""What reading an annotation or writing its JSON Schema may raise."""


class CompiledAnnotation:
    """One annotation, read.

    Attributes:
        schema: What pydantic made of it, for documents and for writing.
        checked: The stricter one that validates.
    """

    def __init__(self, schema: CoreSchema) -> None:
        self.schema = schema
        self.checked = strict(schema)

    @cached_property
    def validator(self) -> SchemaValidator:
        """What checks one value of the annotation alone."""
        return SchemaValidator(self.checked, _use_prebuilt=False)

    @cached_property
    def doubtful(self) -> bool:
        """Whether the JSON Schema has to be tried before anybody relies on it."""
        return mentions(self.schema, _DOUBTFUL)


def core_of(annotation: Any, *, owner: str) -> CompiledAnnotation:
    """Read an annotation.

    Raises:
        DeclarationError: It cannot be an argument or result of a tool.
    """
    try:
        core = _read(prepared(annotation))
    except UNREADABLE as error:
        raise unreadable(annotation, error, owner) from error
    return core


def described_core_of(annotation: Any, *, owner: str, mode: JsonSchemaMode = "validation") -> CompiledAnnotation:
    """Read an annotation that must have a JSON Schema, and make sure that it has one.

    Raises:
        DeclarationError: It cannot be an argument of a tool.
    """
    core = core_of(annotation, owner=owner)
    if core.doubtful:
        try:
            if mentions(core.schema, _NEVER_JSON):
                raise TypeError("no JSON value is a class")
            written(core.schema, mode)
        except UNREADABLE as error:
            raise unreadable(annotation, error, owner) from error
    return core


def unreadable(annotation: Any, error: BaseException, owner: str) -> DeclarationError:
    """Return the refusal of an annotation."""
    reason = str(error).partition("\n")[0].partition(". ")[0].strip()
    return DeclarationError(
        f"{owner} has the type {spelled(annotation)}, which has no JSON Schema ({reason}); "
        "use plain types, enums, dataclasses, TypedDicts or pydantic models"
    )


def _read(annotation: Any) -> CompiledAnnotation:
    try:
        hash(annotation)
    except TypeError:
        return _made(annotation)
    return _kept(annotation, repr(annotation))


@lru_cache(_KEPT)
def _kept(annotation: Any, spelling: str) -> CompiledAnnotation:
    # Equal annotations may differ in the order of a union; their spelling then differs as well.
    del spelling
    return _made(annotation)


def _made(annotation: Any) -> CompiledAnnotation:
    with warnings.catch_warnings():
        # What pydantic warns of, such as a field's alias that has no effect on a bare type, is settled by `Parameter`.
        warnings.simplefilter("ignore")
        adapter: TypeAdapter[Any] = TypeAdapter(annotation)
        if not adapter.pydantic_complete:
            adapter.rebuild(raise_errors=True)
    return CompiledAnnotation(adapter.core_schema)
