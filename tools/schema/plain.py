"""Any Python value as plain JSON values, when no annotation says how to write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
        return value  # type: ignore[no-any-return]
    if kind is float:
        return value if isfinite(value) else _word(value)
    if depth > _MAX_DEPTH:
        raise TypeError(f"{where} is nested more than {_MAX_DEPTH} levels deep or contains itself; return something flatter")
    if isinstance(value, Mapping):
        return {_key(key, where): plain(item, f"{where}[{key!r}]", depth + 1) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item, f"an item of {where}", depth + 1) for item in value), key=canonical_json)
    if isinstance(value, (list, tuple, Iterator)):
        return [plain(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return to_base64(bytes(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name), f"{where}.{field.name}", depth + 1) for field in fields(value)}
    if hasattr(kind, "tolist"):  # numpy's arrays and numbers, array.array
        return plain(value.tolist(), where, depth + 1)
    return _written_by_itself(value, where, depth)


def _word(value: float) -> str:
    if value > 0:
        return "Infinity"
    return "-Infinity" if value < 0 else "NaN"


def _key(key: Any, where: str) -> str:
    if type(key) is str:
        return key
    written = plain(key, f"a key of {where}")
    return written if isinstance(written, str) else canonical_json(written)


def _written_by_itself(value: Any, where: str, depth: int) -> JsonValue:
    if isinstance(value, BaseModel):
        return plain(value.model_dump(mode="json", by_alias=True), where, depth + 1)
    try:
        written = to_jsonable_python(value, by_alias=True)
    except (PydanticSerializationError, ValueError) as error:
        raise TypeError(
            f"{where} is {type(value).__qualname__!r}, which has no JSON form; "
            "return text, a number, a list, a dict, a dataclass or a model instead"
        ) from error
    return plain(written, where, depth + 1)
