"""The graph of a plan as values, made of its lines: steps, what waits for what, and how far each step is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from console.batch.rows import StepRow, WrittenStep, has_run, share_words, status_of, status_words
from console.language import tr
from console.responsiveness.heartbeat import yielding
from console.widgets.formats import format_count
from console.widgets.status import StatusName
from tools.batch import StepState
from tools.batch.graph import ToolDependencyGraph
from tools.errors import DependencyCycleError


class GraphNode(NamedTuple):
    """One step as the graph draws it; a step with rows is one node, however many rows there are.

    Attributes:
        number: Its place in the plan, from 1 on.
    """

    name: str
    tool: str
    number: int
    has_rows: bool = False


class GraphEdge(NamedTuple):
    """One step waits for another."""

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
        word: What people read: `Success`, `Blocked by 10`.
        share: How much of it is done, from 0 to 1; None when nobody knows, or nothing is under way.
        rows: Of a step with rows, how many are done: `88 of 144`; empty otherwise.
        is_blocking: Whether it ended so that what waits for it cannot go on.
        state: Where it stands, for other programs.
    """

    status: StatusName = "queued"
    word: str = tr("Queued")
    share: float | None = None
    rows: str = ""
    is_blocking: bool = False
    state: StepState = StepState.QUEUED


_PASSED: Final = frozenset({StepState.DONE, StepState.CACHED, StepState.QUEUED, StepState.RUNNING})


def graph_of(steps: Sequence[WrittenStep], yield_to_ui: Callable[[], object] | None = None) -> Graph:
    """Return the graph of a plan.

    A plan may be wrong while it is written: what waits for a step that is not there waits for nothing, of steps with
    one name the first counts, and the edge that would close a circle is left out, as the line of its step says.

    Args:
        steps: The steps in the plan's order.
        yield_to_ui: Called between steps; it may wait for the window. None never waits.
    """
    first = {step.step: step for step in reversed(steps)}
    known = [step for step in steps if first[step.step] is step]
    needs = {
        step.step: [needed for needed in dict.fromkeys(step.needs) if needed in first]
        for step in yielding(known, yield_to_ui)
    }
    edges = [GraphEdge(needed, step) for step, names in yielding(needs.items(), yield_to_ui) for needed in names]
    try:
        ToolDependencyGraph().add_all(needs)
    except DependencyCycleError:
        edges = _without_circles(edges)
    nodes = tuple(GraphNode(step.step, step.tool, step.number, step.has_rows) for step in yielding(known, yield_to_ui))
    return Graph(nodes, tuple(edges))


def _without_circles(edges: Iterable[GraphEdge]) -> list[GraphEdge]:
    graph = ToolDependencyGraph()
    kept: list[GraphEdge] = []
    for edge in edges:
        try:
            graph.add_dependency(edge.waiting, edge.needed)
        except DependencyCycleError:
            continue
        kept.append(edge)
    return kept


def node_state(row: StepRow) -> NodeState:
    """Return how far a step is, as its node shows it."""
    facts = row.facts
    rows = ""
    if facts.rows is not None:
        done = facts.rows.done
        rows = (
            format_count(done) if facts.rows.total is None else f"{format_count(done)}/{format_count(facts.rows.total)}"
        )
    share = share_words(facts)
    word = status_words(row) + (f", {share}" if share else "")
    is_blocking = facts.state not in _PASSED and has_run(facts)
    return NodeState(status_of(facts), word, facts.share, rows, is_blocking, facts.state)


def dot_of(graph: Graph, states: Mapping[str, NodeState]) -> str:
    """Return a graph in Graphviz's language; as long as no step is further than queued, the bare one."""
    made = ToolDependencyGraph()
    for node in graph.nodes:
        made.add(node.name)
    for edge in graph.edges:
        made.add_dependency(edge.waiting, edge.needed)
    found = {name: node.state for name, node in states.items() if name in made}
    has_begun = any(state is not StepState.QUEUED for state in found.values())
    return made.to_dot(found if has_begun else None)
