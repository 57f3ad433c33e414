"""Lay a graph out in layers: where everything stands, in logical pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from console.batch.graph_columns import spread
from console.batch.graph_layers import layered
from console.batch.graph_rows import Graph

NODE_WIDTH: Final = 124
NODE_HEIGHT: Final = 32
_NODE_PITCH: Final = 136
_BEND_PITCH: Final = 12
LAYER_PITCH: Final = 72

Point = tuple[float, float]


class Layout(NamedTuple):
    """Where the steps of a graph and its edges stand.

    Attributes:
        graph: What is laid out.
        places: The left upper corner of each step.
        routes: The points of each edge, in the graph's order: where it leaves a step below, where it enters and leaves
            each layer that it passes, and where it meets a step from above.
        layers: The steps of each layer, from left to right.
        width: How wide all of it is.
        height: How high.
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
