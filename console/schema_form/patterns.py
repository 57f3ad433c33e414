"""Search patterns of a schema in a text, with a time limit."""

from __future__ import annotations

from typing import Final

from tools.schema.patterns import UnreadablePatternError, compiled_pattern

_TIMEOUT_S: Final = 0.01
_TIMEOUT_A_LETTER_S: Final = 1e-7


def pattern_found(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found in a text; one that takes too long is not.

    Args:
        pattern: A regular expression of a schema.
        text: A name or a value.
    """
    try:
        return compiled_pattern(pattern).search(text, timeout=_TIMEOUT_S + len(text) * _TIMEOUT_A_LETTER_S) is not None
    except TimeoutError:
        return False
    except UnreadablePatternError:
        # A pattern of another dialect: the tool itself decides.
        return True
