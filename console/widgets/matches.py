"""Where words stand in a text, to be marked there."""

from __future__ import annotations

from collections.abc import Iterable


def match_spans(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Find every place in a text where one of the words stands; places that touch or overlap are one.

    Args:
        words: Case-folded.

    Returns:
        First letter and the one past the last of each place, in order.
    """
    folded = text.casefold()
    if len(folded) != len(text):  # a few letters fold to two; then positions in one text mean nothing in the other
        folded = text.lower() if len(text.lower()) == len(text) else text
    spans = []
    for word in words:
        start = folded.find(word)
        while start >= 0:
            spans.append((start, start + len(word)))
            start = folded.find(word, start + 1)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
