"""Any Python value as plain JSON values, when no annotation says how to write it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from tools.schema.text import canonical_json, to_base64

if TYPE_CHECKING:
    from pydantic import JsonValue

_SCALARS: Final = frozenset({str, int, bool, type(None)})
_MAX_DEPTH: Final = 200


class _NotPlainError(TypeError):
    """Carry the way to the value that has no JSON form, from the inside out."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.steps: list[str] = []


def plain(value: Any, where: str = "the result") -> JsonValue:
    """Return a value as dicts, lists, text, numbers, booleans and None.

    Bytes become base64 text, sets sorted lists, NaN and infinity the words JavaScript has for them.

    Raises:
        TypeError: Something in it has no JSON form, or it contains itself; the message says where.
    """
    try:
        written: JsonValue = _plain(value, 0)
    except _NotPlainError as error:
        raise TypeError(f"{where}{''.join(reversed(error.steps[-_MAX_DEPTH // 10 :]))} {error.reason}") from error
    return written


def _plain(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is float:
        return value if isfinite(value) else _word(value)
    if depth > _MAX_DEPTH:
        raise _NotPlainError(
            f"contains itself or is nested more than {_MAX_DEPTH} levels deep; return something flatter"
        )
    if kind is dict or isinstance(value, Mapping):
        return _plain_mapping(value.items(), "[{!r}]", depth)
    if isinstance(value, (list, tuple, Iterator)):
        return _plain_items(value, depth)
    if isinstance(value, AbstractSet):
        return sorted(_plain_items(value, depth), key=canonical_json)
    return _plain_object(value, depth)


def _plain_mapping(items: Iterable[tuple[Any, Any]], step: str, depth: int) -> dict[str, Any]:
    written: dict[str, Any] = {}
    key: Any = None
    try:
        for key, item in items:
            written[key if type(key) is str else _key(key)] = _plain(item, depth + 1)
    except _NotPlainError as error:
        error.steps.append(step.format(key))
        raise
    return written


def _plain_items(items: Iterable[Any], depth: int) -> list[Any]:
    written: list[Any] = []
    try:
        for item in items:
            written.append(_plain(item, depth + 1))  # noqa: PERF401 -- how far it came is part of the message
    except _NotPlainError as error:
        error.steps.append(f"[{len(written)}]")
        raise
    return written


def _plain_object(value: Any, depth: int) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return to_base64(bytes(value))
    if is_dataclass(value) and not isinstance(value, type):
        return _plain_mapping(((field.name, getattr(value, field.name)) for field in fields(value)), ".{}", depth)
    if isinstance(value, BaseModel):
        return _plain_mapping(value.model_dump(by_alias=True, warnings=False).items(), ".{}", depth)
    if hasattr(type(value), "tolist"):  # numpy's arrays and numbers, array.array
        return _plain(value.tolist(), depth + 1)
    try:
        written = to_jsonable_python(value, by_alias=True)
    except (PydanticSerializationError, ValueError) as error:
        raise _NotPlainError(
            f"is of type {type(value).__qualname__!r}, which has no JSON form; "
            "return text, a number, a list, a dict, a dataclass or a model instead"
        ) from error
    return _plain(written, depth + 1)


def _word(value: float) -> str:
    if value > 0:
        return "Infinity"
    return "-Infinity" if value < 0 else "NaN"


def _key(key: Any) -> str:
    written = _plain(key, 0)
    return written if isinstance(written, str) else canonical_json(written)


def words_for(value: object) -> str:
    """Return what Python says of an object that has no JSON form; of one that fails to say, its class."""
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 -- foreign code; to show an argument must not end the call
        return f"<{type(value).__name__}>"
