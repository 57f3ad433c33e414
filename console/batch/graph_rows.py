"""What the graph of a plan shows: steps, what waits for what, and how far each step is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from console.widgets.status import StatusName


class GraphNode(NamedTuple):
    """One step as the graph draws it; a step with rows is one node, however many rows there are.

    Attributes:
        name: The step's name in the plan.
        tool: The tool it calls.
        number: Its place in the plan, from 1 on.
        has_rows: Whether it is repeated over rows.
    """

    name: str
    tool: str
    number: int
    has_rows: bool = False


class GraphEdge(NamedTuple):
    """One step waits for another.

    Attributes:
        needed: The step that has to end before.
        waiting: The step that waits.
    """

    needed: str
    waiting: str


class Graph(NamedTuple):
    """The steps of a plan and what waits for what; it has no circle.

    Attributes:
        nodes: The steps, in the plan's order.
        edges: Between these steps only, each once.
    """

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()


class NodeState(NamedTuple):
    """How far a step is.

    Attributes:
        status: A name of the status vocabulary.
        word: What people read: `Success`, `Blocked by 10`.
        share: How much of it is done, from 0 to 1; None when nobody knows, or nothing is under way.
        rows: Of a step with rows, how many are done: `88 of 144`; empty otherwise.
        is_blocking: Whether it ended so that what waits for it cannot go on.
    """

    status: StatusName = "queued"
    word: str = "Queued"
    share: float | None = None
    rows: str = ""
    is_blocking: bool = False


def circle_of(edges: Iterable[GraphEdge], needed: str, waiting: str) -> tuple[str, ...]:
    """Return the circle that one more edge would close, each name before the one that waits for it.

    Args:
        edges: What is there; it has no circle.
        needed: The step that would have to end before.
        waiting: The step that would wait.

    Returns:
        The names from `waiting` on, back to `waiting`, by the shortest way; empty when the edge closes none.
    """
    if needed == waiting:
        return (waiting, waiting)
    behind: dict[str, list[str]] = {}
    for edge in edges:
        behind.setdefault(edge.needed, []).append(edge.waiting)
    came_from = _reached(behind, waiting, needed)
    if needed not in came_from:
        return ()
    way = [needed]
    while way[-1] != waiting:
        way.append(came_from[way[-1]])
    return (*reversed(way), waiting)


def _reached(behind: Mapping[str, list[str]], start: str, goal: str) -> dict[str, str]:
    """Return from where each step was reached first, going on from one to those that wait for it."""
    came_from: dict[str, str] = {}
    queue = [start]
    for name in queue:
        if goal in came_from:
            break
        for other in behind.get(name, ()):
            if other not in came_from:
                came_from[other] = name
                queue.append(other)
    return came_from
