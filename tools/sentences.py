"""How messages are written."""

from __future__ import annotations


def begin_sentence(text: str) -> str:
    """Return a text with a capital first letter and all others as they are, which `str.capitalize` makes small."""
    return text[:1].upper() + text[1:]


def full_sentence(text: str) -> str:
    """Return a text with a capital first letter and one full stop at its end."""
    return f"{begin_sentence(text).rstrip('.')}."
