"""Lay a graph out in layers: what stands in which layer, in which order, and where, in logical pixels.

All functions are pure and run in another thread.
"""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Final, NamedTuple

from console.batch.graph_model import Graph

_LEAST_WIDTH: Final = 6
_WIDTH_SHARE: Final = 0.9
"""How many steps stand beside each other, as a part of the root of all: about as wide as high on the screen."""
_SWEEPS: Final = 24
_PATIENCE: Final = 6
"""How many sweeps may bring nothing before the best order so far counts."""
_SWAPPED_UP_TO: Final = 600
"""Up to how many vertices neighbours are also exchanged one by one, which costs more than all sweeps."""


class Layering:
    """Hold vertices in layers: the steps of a plan, and the bends where an edge passes a layer.

    Edges that pass a layer share their bends with others of the same step, so that many long ways are one line. An edge
    of the layering goes from one layer to the next.

    Attributes:
        steps: How many of the vertices are steps; they come first, in the graph's order.
        layers: The vertices of each layer, from left to right.
        above: What each vertex is joined to in the layer above.
        below: The same in the layer below.
        routes: The bends of each edge of the graph, from above to below.
    """

    def __init__(self, graph: Graph) -> None:
        place = {node.name: index for index, node in enumerate(graph.nodes)}
        pairs = [(place[edge.needed], place[edge.waiting]) for edge in graph.edges]
        self.steps = len(graph.nodes)
        self.layer_of = _layer_of(self.steps, pairs)
        self.layers: list[list[int]] = [[] for _ in range(max(self.layer_of, default=-1) + 1)]
        for vertex, layer in enumerate(self.layer_of):
            self.layers[layer].append(vertex)
        self.above: list[list[int]] = [[] for _ in range(self.steps)]
        self.below: list[list[int]] = [[] for _ in range(self.steps)]
        self._bends: dict[tuple[int, bool, int], int] = {}
        self._joined: set[tuple[int, int]] = set()
        fan_out, fan_in = [0] * self.steps, [0] * self.steps
        for upper, lower in pairs:
            fan_out[upper] += 1
            fan_in[lower] += 1
        self.routes = [self._route(upper, lower, fan_out[upper] >= fan_in[lower]) for upper, lower in pairs]

    def _route(self, upper: int, lower: int, is_of_upper: bool) -> tuple[int, ...]:
        owner = upper if is_of_upper else lower
        passed = range(self.layer_of[upper] + 1, self.layer_of[lower])
        bends = tuple(self._bend(owner, is_of_upper, layer) for layer in passed)
        way = (upper, *bends, lower)
        for one, other in pairwise(way):
            if (one, other) not in self._joined:
                self._joined.add((one, other))
                self.below[one].append(other)
                self.above[other].append(one)
        return bends

    def _bend(self, owner: int, is_of_upper: bool, layer: int) -> int:
        vertex = self._bends.get((owner, is_of_upper, layer))
        if vertex is None:
            vertex = self._bends[owner, is_of_upper, layer] = len(self.layer_of)
            self.layer_of.append(layer)
            self.layers[layer].append(vertex)
            self.above.append([])
            self.below.append([])
        return vertex

    @property
    def bends(self) -> int:
        return len(self.layer_of) - self.steps

    @property
    def crossings(self) -> int:
        return sum(_crossings(self, layer) for layer in range(len(self.layers) - 1))


def layered(graph: Graph) -> Layering:
    """Put the steps into layers, each below all it waits for, in an order in which few edges cross.

    Sweeps down and up put each vertex to the mean place of what it is joined to in the layer before; the order with the
    fewest crossings counts. The same graph has the same layers each time.
    """
    layering = Layering(graph)
    best, best_crossings = [list(layer) for layer in layering.layers], layering.crossings
    idle = 0
    for sweep in range(_SWEEPS):
        if not best_crossings or idle == _PATIENCE:
            break
        _sweep(layering, goes_down=sweep % 2 == 0)
        if len(layering.layer_of) <= _SWAPPED_UP_TO:
            _swap(layering)
        crossings = layering.crossings
        idle += 1
        if crossings < best_crossings:
            best, best_crossings, idle = [list(layer) for layer in layering.layers], crossings, 0
    layering.layers[:] = best
    return layering


def _layer_of(count: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the layer of each step, below all it waits for, with no more in a layer than are easily looked at.

    Where not all have room, those go first that wait for what stands just above: so most edges are short.
    """
    missing = [0] * count
    behind: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in pairs:
        behind[upper].append(lower)
        missing[lower] += 1
    most = max(_LEAST_WIDTH, math.ceil(_WIDTH_SHARE * math.sqrt(count)))
    layer_of = [0] * count
    following = [(1 if behind[step] else 2, step) for step in range(count) if not missing[step]]
    heapify(following)
    layer = 0
    while following:
        chosen = [heappop(following)[1] for _ in range(min(most, len(following)))]
        for step in chosen:
            layer_of[step] = layer
        for step in chosen:
            for other in behind[step]:
                missing[other] -= 1
                if not missing[other]:
                    heappush(following, (-layer, other))
        layer += 1
    return layer_of


def _sweep(layering: Layering, *, goes_down: bool) -> None:
    layers = layering.layers if goes_down else layering.layers[::-1]
    joined = layering.above if goes_down else layering.below
    for fixed, free in pairwise(layers):
        place = {vertex: index for index, vertex in enumerate(fixed)}
        scale = len(fixed) / len(free) if free else 1.0
        means = {
            vertex: sum(place[other] for other in joined[vertex]) / len(joined[vertex])
            if joined[vertex]
            else index * scale
            for index, vertex in enumerate(free)
        }
        free.sort(key=means.__getitem__)


def _swap(layering: Layering) -> None:
    """Exchange neighbours as long as that leaves fewer crossings."""
    place = {vertex: index for layer in layering.layers for index, vertex in enumerate(layer)}
    for layer in layering.layers:
        is_better = True
        while is_better:
            is_better = False
            for index in range(len(layer) - 1):
                left, right = layer[index], layer[index + 1]
                if _gain(layering, place, left, right) > 0:
                    layer[index], layer[index + 1] = right, left
                    place[left], place[right] = index + 1, index
                    is_better = True


def _gain(layering: Layering, place: dict[int, int], left: int, right: int) -> int:
    """Return how many crossings fewer there are when two neighbours change places."""
    gain = 0
    for joined in (layering.above, layering.below):
        ours = sorted(place[other] for other in joined[left])
        theirs = sorted(place[other] for other in joined[right])
        for spot in ours:
            gain += sum(other < spot for other in theirs) - sum(other > spot for other in theirs)
    return gain


def _crossings(layering: Layering, layer: int) -> int:
    """Return how many edges cross between a layer and the next one."""
    place = {vertex: index for index, vertex in enumerate(layering.layers[layer + 1])}
    seen: list[int] = []
    found = 0
    for vertex in layering.layers[layer]:
        ends = sorted(place[other] for other in layering.below[vertex])
        found += sum(len(seen) - bisect_right(seen, end) for end in ends)
        for end in ends:
            insort(seen, end)
    return found


_ROUNDS: Final = 4
_UPRIGHT: Final = (2, 1, 8)
"""How much an edge between two steps, at one bend, and between two bends wants to be upright."""
_ROOM: Final = 1.3
"""How wide all of it may become, as a part of the widest layer: straight ways would grow to any width."""

WeightedPosition = tuple[float, int]
"""Where the first vertex of a layer would have to stand so that one edge is upright, and how much that edge counts."""


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
            wanted = _wanted_positions(layering, layer, offset, joined, across)
            for vertex, x, first in zip(layer, offset, _settled(wanted), strict=True):
                across[vertex] = min(max(first, -reach), reach - offset[-1]) + x
    return across


def _offsets(layer: Sequence[int], pitches: Sequence[float]) -> list[float]:
    """Return how far right of the first each vertex of a layer stands when all are as close as they may be."""
    found = [0.0]
    for left, right in pairwise(layer):
        found.append(found[-1] + (pitches[left] + pitches[right]) / 2)
    return found


def _wanted_positions(
    layering: Layering,
    layer: Sequence[int],
    offsets: Sequence[float],
    joined: Sequence[Sequence[int]],
    across: Sequence[float],
) -> list[list[WeightedPosition]]:
    """Return where each vertex of a layer would stand; one that is joined to nothing stays."""
    steps = layering.steps
    return [
        [(across[other] - x, _UPRIGHT[(vertex >= steps) + (other >= steps)]) for other in joined[vertex]]
        or [(across[vertex] - x, 1)]
        for vertex, x in zip(layer, offsets, strict=True)
    ]


def _settled(wanted: Sequence[list[WeightedPosition]]) -> list[float]:
    """Return places that never go back, as near to the wanted ones as possible.

    Neighbours who would overlap form a block, which stands at the middle one of all that they want.
    """
    blocks: list[tuple[float, list[WeightedPosition], int]] = []
    for positions in wanted:
        block, size = positions, 1
        at = _median(block)
        while blocks and blocks[-1][0] > at:
            _, before, count = blocks.pop()
            block, size = before + block, size + count
            at = _median(block)
        blocks.append((at, block, size))
    return [at for at, _, size in blocks for _ in range(size)]


def _median(wanted: list[WeightedPosition]) -> float:
    """Return the first place at which half of the wanted positions, by how much they count, are reached."""
    if len(wanted) == 1:
        return wanted[0][0]
    wanted.sort()
    rest = sum(weight for _, weight in wanted) / 2
    for at, weight in wanted:
        rest -= weight
        if rest <= 0:
            return at
    return wanted[-1][0]


NODE_WIDTH: Final = 124
NODE_HEIGHT: Final = 32
_NODE_PITCH: Final = 136
_BEND_PITCH: Final = 12
LAYER_PITCH: Final = 72

Point = tuple[float, float]


class Layout(NamedTuple):
    """Where the steps of a graph and its edges stand.

    Attributes:
        places: The left upper corner of each step.
        routes: The points of each edge, in the graph's order: where it leaves a step below, where it enters and leaves
            each layer that it passes, and where it meets a step from above.
        layers: The steps of each layer, from left to right.
    """

    graph: Graph = Graph()
    places: Mapping[str, Point] = {}
    routes: tuple[tuple[Point, ...], ...] = ()
    layers: tuple[tuple[str, ...], ...] = ()
    width: float = 0.0
    height: float = 0.0


def laid_out(graph: Graph) -> Layout:
    """Place a graph's steps in layers from above to below; the same graph is placed in the same way each time.

    Takes up to a second for a thousand steps, so it is for threads that are not the window's.
    """
    layering = layered(graph)
    if not layering.steps:
        return Layout(graph)
    across = spread(layering, [_NODE_PITCH] * layering.steps + [_BEND_PITCH] * layering.bends)
    halves = [NODE_WIDTH / 2] * layering.steps + [0.0] * layering.bends
    left = min(x - half for x, half in zip(across, halves, strict=True))
    across = [float(round(x - left)) for x in across]
    width = max(x + half for x, half in zip(across, halves, strict=True))
    names = [node.name for node in graph.nodes]
    places = {
        name: (across[step] - NODE_WIDTH / 2, float(layering.layer_of[step] * LAYER_PITCH))
        for step, name in enumerate(names)
    }
    routes = tuple(
        _route(places[edge.needed], places[edge.waiting], [(across[bend], layering.layer_of[bend]) for bend in bends])
        for edge, bends in zip(graph.edges, layering.routes, strict=True)
    )
    layers = tuple(tuple(names[step] for step in layer if step < layering.steps) for layer in layering.layers)
    return Layout(graph, places, routes, layers, width, (len(layers) - 1) * LAYER_PITCH + NODE_HEIGHT)


def _route(upper: Point, lower: Point, bends: Sequence[tuple[float, int]]) -> tuple[Point, ...]:
    points = [(upper[0] + NODE_WIDTH / 2, upper[1] + NODE_HEIGHT)]
    for x, layer in bends:
        top = float(layer * LAYER_PITCH)
        points += [(x, top), (x, top + NODE_HEIGHT)]
    return (*points, (lower[0] + NODE_WIDTH / 2, lower[1]))
