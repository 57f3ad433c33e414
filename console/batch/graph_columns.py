"""Lay a graph out in layers, second part: how far right everything stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from console.batch.graph_layers import Layering

_ROUNDS: Final = 4
_UPRIGHT: Final = (2, 1, 8)
"""How much an edge between two steps, at one bend, and between two bends wants to be upright."""
_ROOM: Final = 1.3
"""How wide all of it may become, as a part of the widest layer: straight ways would grow to any width."""

Wish = tuple[float, int]
"""Where the first vertex of a layer would have to stand for somebody's sake, and how much that counts."""


def spread(layering: Layering, pitches: Sequence[float]) -> list[float]:
    """Return how far right of the middle each vertex stands.

    Layer after layer, up and down in turn, each vertex is placed below or above the middle one of those that it is
    joined to; so ways are straight where there is room.

    Args:
        layering: What stands in which layer, in which order.
        pitches: How much room each vertex takes from left to right, with its share of the gaps.
    """
    across = [0.0] * len(layering.layer_of)
    offsets = [_offsets(layer, pitches) for layer in layering.layers]
    for layer, offset in zip(layering.layers, offsets, strict=True):
        for vertex, x in zip(layer, offset, strict=True):
            across[vertex] = x - offset[-1] / 2
    reach = _ROOM * max(offset[-1] for offset in offsets) / 2
    down = range(len(layering.layers))
    both = [over + under for over, under in zip(layering.above, layering.below, strict=True)]
    sweeps = [(layering.below, down[::-1]), (layering.above, down)] * _ROUNDS
    # At last, looks both ways take back what was pushed aside for nobody.
    for joined, order in (*sweeps, (both, down[::-1]), (both, down)):
        for index in order:
            layer, offset = layering.layers[index], offsets[index]
            wishes = _wishes(layering, layer, offset, joined, across)
            for vertex, x, first in zip(layer, offset, _settled(wishes), strict=True):
                across[vertex] = min(max(first, -reach), reach - offset[-1]) + x
    return across


def _offsets(layer: Sequence[int], pitches: Sequence[float]) -> list[float]:
    """Return how far right of the first each vertex of a layer stands when all are as close as they may be."""
    found = [0.0]
    for left, right in pairwise(layer):
        found.append(found[-1] + (pitches[left] + pitches[right]) / 2)
    return found


def _wishes(
    layering: Layering,
    layer: Sequence[int],
    offsets: Sequence[float],
    joined: Sequence[Sequence[int]],
    across: Sequence[float],
) -> list[list[Wish]]:
    """Return where each vertex of a layer would stand; one that is joined to nothing stays."""
    steps = layering.steps
    return [
        [(across[other] - x, _UPRIGHT[(vertex >= steps) + (other >= steps)]) for other in joined[vertex]]
        or [(across[vertex] - x, 1)]
        for vertex, x in zip(layer, offsets, strict=True)
    ]


def _settled(wishes: Sequence[list[Wish]]) -> list[float]:
    """Return places that never go back, as near to the wishes as all of them can have it.

    Neighbours who would overlap form a block, which stands at the middle one of all their wishes.
    """
    blocks: list[tuple[float, list[Wish], int]] = []
    for wish in wishes:
        block, size = wish, 1
        at = _median(block)
        while blocks and blocks[-1][0] > at:
            _, before, count = blocks.pop()
            block, size = before + block, size + count
            at = _median(block)
        blocks.append((at, block, size))
    return [at for at, _, size in blocks for _ in range(size)]


def _median(wishes: list[Wish]) -> float:
    """Return the first place at which half of the wishes, by how much they count, are reached."""
    if len(wishes) == 1:
        return wishes[0][0]
    wishes.sort()
    rest = sum(weight for _, weight in wishes) / 2
    for at, weight in wishes:
        rest -= weight
        if rest <= 0:
            return at
    return wishes[-1][0]
