"""Go through a graph step by step, and say in words what stands there."""

from __future__ import annotations

from typing import Final, Literal

from console.batch.graph_layout import Layout
from console.batch.graph_painting import GraphPainting

Direction = Literal["up", "down", "left", "right", "first", "last"]
_MOST_NAMES: Final = 6


def step_beside(layout: Layout, name: str, direction: Direction) -> str:
    """Return the step that an arrow key leads to.

    Up leads to what the step waits for, down to what waits for it: to the nearest of them. Where there is none, to the
    nearest step of the next layer. Left and right lead through the layer.

    Args:
        layout: Where everything stands.
        name: Where to begin; empty, or a step that is not there, begins with the first one.
        direction: The key.

    Returns:
        The step; the same one when there is none in that direction, empty when there is none at all.
    """
    names = [node.name for node in layout.graph.nodes]
    if not names:
        return ""
    if direction == "last":
        return names[-1]
    if direction == "first" or name not in layout.places:
        return names[0]
    number = next(index for index, layer in enumerate(layout.layers) if name in layer)
    layer = layout.layers[number]
    place = layer.index(name)
    if direction in {"left", "right"}:
        return layer[min(max(place + (1 if direction == "right" else -1), 0), len(layer) - 1)]
    goes_up = direction == "up"
    edges = layout.graph.edges
    joined = [needed for needed, waiting in edges if waiting == name] if goes_up else []
    joined = joined if goes_up else [waiting for needed, waiting in edges if needed == name]
    following = number + (-1 if goes_up else 1)
    near = layout.layers[following] if 0 <= following < len(layout.layers) else ()
    x = layout.places[name][0]
    return min(joined or near, key=lambda other: abs(layout.places[other][0] - x), default=name)


def words_of_step(painting: GraphPainting, name: str) -> str:
    """Say what a step is, how far it is, and what it waits for."""
    node, state = painting.node(name), painting.state(name)
    edges = painting.layout.graph.edges
    needs = [needed for needed, waiting in edges if waiting == name]
    head = f"{node.number} {node.name}: {state.word}" + (f", {state.rows} rows" if state.rows else "")
    lines = [head, node.tool]
    if needs:
        more = len(needs) - _MOST_NAMES
        lines.append(f"after {', '.join(needs[:_MOST_NAMES])}" + (f" and {more} more" if more > 0 else ""))
    return "\n".join(lines)
