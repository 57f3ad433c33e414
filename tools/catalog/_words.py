"""Words of passphrases."""

from __future__ import annotations

from itertools import product
from typing import Final

_BEGINNINGS: Final = ("b", "br", "d", "dr", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "t")
_MIDDLES: Final = ("a", "e", "i", "o")
_ENDS: Final = ("ba", "do", "fi", "ko", "la", "lo", "ma", "mi", "no", "ra", "ri", "sa", "so", "ta", "to", "vi")

WORDS: Final = tuple("".join(parts) for parts in product(_BEGINNINGS, _MIDDLES, _ENDS))
"""1,024 words that can be said in most languages and mean nothing, so each holds exactly ten bits."""
