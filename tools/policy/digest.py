"""What an approval is bound to: one hash of a tool's definition, its arguments and who calls."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tools.schema import canonical_json

if TYPE_CHECKING:
    from pydantic import JsonValue


def same_form(value: Any) -> JsonValue:
    """Return a value in the form that equal values share: whole floats are integers; true stays true, letters stay.

    Texts that only look alike, such as an accented letter in one sign or in two, are different: as names of files they
    are. Source: RFC 8785, section 3.2.2.3 (a number has one form, however it was written).
    """
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(name): same_form(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [same_form(part) for part in value]
    plain: JsonValue = value
    return plain


def canonical(value: Any) -> str:
    """Return the one text that equal JSON values share, whatever the order of names."""
    return canonical_json(same_form(value))


def call_digest(definition: str, arguments: Mapping[str, JsonValue], caller: str, version: str = "") -> str:
    """Return what identifies a call.

    Args:
        definition: The digest of the tool's definition, `Tool.digest`.
        version: The policy's version, for an approval; empty for what is the same call under any policy.
    """
    # A list cannot be mistaken for another one, as texts put together could.
    text = canonical([definition, arguments, caller, version])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
