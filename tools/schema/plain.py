"""Any Python value as plain JSON values, when no annotation says how to write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from tools.schema.text import canonical_json, to_base64

if TYPE_CHECKING:
    from pydantic import JsonValue

_SCALARS: Final = frozenset({str, int, bool, type(None)})
_MAX_DEPTH: Final = 200


def plain(value: Any, where: str = "the result", depth: int = 0) -> JsonValue:
    """Return a value as dicts, lists, text, numbers, booleans and None.

    Bytes become base64 text, sets sorted lists, NaN and infinity the words JavaScript has for them.

    Args:
        value: Anything.
        where: What the value is called in messages.
        depth: How deep it lies.

    Raises:
        TypeError: Something in it has no JSON form, or it contains itself; the message says where.
    """
    kind = type(value)
    if kind in _SCALARS:
        return cast("JsonValue", value)
    if kind is float:
        return value if isfinite(value) else _word(value)
    if depth > _MAX_DEPTH:
        raise TypeError(
            f"{where} contains itself or is nested more than {_MAX_DEPTH} levels deep; return something flatter"
        )
    if isinstance(value, (Mapping, list, tuple, Set, Iterator)):
        return _container(value, where, depth)
    return _object(value, where, depth)


def _container(value: Any, where: str, depth: int) -> JsonValue:
    if isinstance(value, Mapping):
        return {_key(key, where): plain(item, f"{where}[{key!r}]", depth + 1) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item, f"an item of {where}", depth + 1) for item in value), key=canonical_json)
    return [plain(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)]


def _object(value: Any, where: str, depth: int) -> JsonValue:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return to_base64(bytes(value))
    if is_dataclass(value) and not isinstance(value, type):
        members = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: plain(member, f"{where}.{name}", depth + 1) for name, member in members.items()}
    if isinstance(value, BaseModel):
        return plain(value.model_dump(by_alias=True), where, depth + 1)
    if hasattr(type(value), "tolist"):  # numpy's arrays and numbers, array.array
        return plain(value.tolist(), where, depth + 1)
    return _written_by_pydantic(value, where, depth)


def _word(value: float) -> str:
    if value > 0:
        return "Infinity"
    return "-Infinity" if value < 0 else "NaN"


def _key(key: Any, where: str) -> str:
    if type(key) is str:
        return key
    written = plain(key, f"a key of {where}")
    return written if isinstance(written, str) else canonical_json(written)


def _written_by_pydantic(value: Any, where: str, depth: int) -> JsonValue:
    try:
        written = to_jsonable_python(value, by_alias=True)
    except (PydanticSerializationError, ValueError) as error:
        raise TypeError(
            f"{where} is {type(value).__qualname__!r}, which has no JSON form; "
            "return text, a number, a list, a dict, a dataclass or a model instead"
        ) from error
    return plain(written, where, depth + 1)
