"""The texts that JSON values and bytes have: canonical JSON, which keys and digests are taken from, and base64."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pydantic import JsonValue

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value: JsonValue) -> str:
    """Return the one JSON text that equal values share: keys sorted, no spaces."""
    return _ENCODER.encode(value)


def to_base64(value: bytes) -> str:
    """Return bytes as base64 text of the standard alphabet."""
    return base64.b64encode(value).decode("ascii")
