"""Names of tools as providers allow them: letters, digits, `_` and `-`, at most 64 of them."""

from __future__ import annotations

import re
from enum import Enum
from hashlib import sha256
from typing import Final

LONGEST: Final = 64
"""Letters of the longest name. Source: OpenAI, "Function calling", Anthropic, "Tool use", Gemini, `FunctionDeclaration`
and Amazon Bedrock, `ToolSpecification`."""

_DIGEST: Final = 10
_WRITTEN: Final = re.compile(r"__|_x([0-9a-f]+)_")


class NameRule(Enum):
    """What a provider allows beyond the length.

    The first pattern is what has to be written otherwise. It takes a `_` wherever that would be read as the beginning
    of something else.
    """

    DASHES = re.compile(r"[^A-Za-z0-9_-]|_(?=[^A-Za-z0-9-]|x[0-9a-f]+[^A-Za-z0-9-])")
    LETTER_FIRST = re.compile(r"^[0-9-]|[^A-Za-z0-9_-]|_(?=[^A-Za-z0-9-]|x[0-9a-f]+[^A-Za-z0-9-])")
    IDENTIFIER = re.compile(r"^[0-9]|[^A-Za-z0-9_]|_(?=[^A-Za-z0-9]|x[0-9a-f]+[^A-Za-z0-9])")


def wire_name(name: str, attempt: int = 0, rule: NameRule = NameRule.DASHES) -> str:
    """Return a tool's name as a provider allows it; no two names come to the same.

    A `.` becomes `__`, and whatever else is not allowed its code point, so that `name_of` gives the name back. Of what
    is too long then, the beginning stays with a digest of the whole name; that cannot be read back.

    Args:
        name: The tool's name.
        attempt: Counts the digests that were taken already; they are 40 bits long, and somebody may have searched for
            one.
        rule: What the provider allows.
    """
    written = rule.value.sub(_as_code, name)
    if len(written) <= LONGEST and not attempt:
        return written
    digest = sha256(f"{attempt}:{name}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
    return f"{written[: LONGEST - _DIGEST - 1]}{'_' if rule is NameRule.IDENTIFIER else '-'}{digest}"


def name_of(written: str) -> str:
    """Return the name that `wire_name` wrote, unless it was too long."""
    return _WRITTEN.sub(lambda found: chr(int(found[1], 16)) if found[1] else ".", written)


def _as_code(found: re.Match[str]) -> str:
    return "__" if found[0] == "." else f"_x{ord(found[0]):x}_"
