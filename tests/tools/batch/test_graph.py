"""What tools wait for: order, circles, levels, and the graph as Graphviz reads it."""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools import tool
from tools.batch import StepState, ToolDependencyGraph
from tools.declare import resolve_tools
from tools.errors import DependencyCycleError, ToolNotFoundError
from tools.registry import ToolRegistry


def graph_of(*edges: tuple[str, str]) -> ToolDependencyGraph:
    """Return a graph in which each first name waits for the second."""
    graph = ToolDependencyGraph()
    for name, needed in edges:
        graph.add_dependency(name, needed)
    return graph


@pytest.mark.reference("A86")
def test_a_tool_waits_for_another() -> None:
    """Names that are new come into the graph."""
    graph = graph_of(("analyze_data", "fetch_data"))

    assert graph.get_dependencies("analyze_data") == ["fetch_data"]
    assert graph.get_dependents("fetch_data") == ["analyze_data"]
    assert list(graph) == ["fetch_data", "analyze_data"]


@pytest.mark.reference("A12", "A87")
def test_a_registered_tool_brings_what_it_is_declared_to_depend_on() -> None:
    """The declaration is the edge."""

    @tool(depends_on=("fetch_data", "load_model"))
    def analyze_data() -> None:
        """Analyze."""

    graph = ToolDependencyGraph()
    graph.register(resolve_tools([analyze_data])[0])

    assert graph.get_dependencies("analyze_data") == ["fetch_data", "load_model"]


@pytest.mark.reference("A88")
def test_a_registry_is_taken_in_with_all_its_declarations() -> None:
    """Tools without any are in the graph as well."""

    @tool(depends_on=("second",))
    def first() -> None:
        """Come first."""

    @tool()
    def second() -> None:
        """Come second."""

    graph = ToolDependencyGraph()
    graph.auto_discover(ToolRegistry(resolve_tools([first, second])))

    assert graph.topological_order() == ["second", "first"]


def test_declarations_in_a_circle_leave_the_graph_as_it_was() -> None:
    """Neither names nor edges of the refused registry stay."""

    @tool(depends_on=("second",))
    def first() -> None:
        """Come first."""

    @tool(depends_on=("first",))
    def second() -> None:
        """Come second."""

    graph = graph_of(("b", "a"))
    with pytest.raises(DependencyCycleError, match="first → second → first"):
        graph.auto_discover(ToolRegistry(resolve_tools([first, second])))

    assert list(graph) == ["a", "b"]
    assert graph.edges == [("b", "a")]


@pytest.mark.reference("A89")
@pytest.mark.parametrize(
    ("name", "needed", "circle"),
    [("a", "a", ("a", "a")), ("a", "c", ("a", "c", "b", "a")), ("a", "b", ("a", "b", "a"))],
)
def test_an_edge_that_closes_a_circle_is_refused_and_changes_nothing(
    name: str, needed: str, circle: tuple[str, ...]
) -> None:
    """The message names the circle, each waiting for the next."""
    graph = graph_of(("b", "a"), ("c", "b"))

    with pytest.raises(DependencyCycleError) as caught:
        graph.add_dependency(name, needed)

    assert caught.value.circle == circle
    assert " → ".join(circle) in str(caught.value)
    assert graph.edges == [("b", "a"), ("c", "b")]


@pytest.mark.reference("A90")
def test_dependencies_come_first_and_ties_as_they_came_in() -> None:
    """The same graph gives the same order every time."""
    graph = graph_of(("report", "join"), ("join", "tickets"), ("join", "orders"))
    graph.add("lonely")

    assert graph.topological_order() == ["tickets", "orders", "join", "report", "lonely"]


@pytest.mark.reference("A91", "A92")
def test_direct_dependencies_and_all_there_are() -> None:
    """What is behind what one waits for is only among all."""
    graph = graph_of(("c", "b"), ("b", "a"), ("c", "x"))

    assert graph.get_dependencies("c") == ["b", "x"]
    assert graph.get_transitive_dependencies("c") == ["a", "b", "x"]


@pytest.mark.reference("A93")
def test_levels_hold_what_may_run_at_a_time() -> None:
    """All that a member waits for is in levels before."""
    graph = graph_of(("c", "a"), ("c", "b"), ("d", "c"), ("e", "a"))

    assert graph.get_execution_levels() == [["a", "b"], ["c", "e"], ["d"]]


def test_a_name_that_is_not_there_is_named() -> None:
    """A misspelled name is no tool without dependencies."""
    with pytest.raises(ToolNotFoundError, match="has no 'nobody'"):
        ToolDependencyGraph().get_dependencies("nobody")


@pytest.mark.reference("A94")
def test_the_graph_is_written_for_graphviz_with_its_states() -> None:
    """Names cannot break out of their quotes, and colour is not the only sign of a state."""
    odd = 'a "quoted" \\ one\nof two lines'
    graph = graph_of(("next", odd))

    text = graph.to_dot({odd: StepState.FAILED})

    assert '"a \\"quoted\\" \\\\ one\\nof two lines" -> "next";' in text
    assert "failed" in text
    assert graph.to_dot().count("label=") == len(graph)


ODD_NAMES = (
    "plain",
    'a "quoted" one',
    "back\\slash",
    "ends with one\\",
    '\\"',
    "two\nlines",
    "\\N \\G \\l",
    "ümlaut 漢字 🙂",
    "<b>bold</b>",
    "<<i>x</i>>",
    "&lt; &amp; &",
    "node",
    "a:b",
    "-> ; // #",
    "{a|b}",
    "",
)


@pytest.mark.reference("A94")
@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz; packaging/bootstrap test installs it")
@pytest.mark.parametrize("has_states", [False, True])
def test_graphviz_draws_every_name_as_it_is_with_its_state_and_every_arrow(*, has_states: bool) -> None:
    """Nothing in a name means anything to it."""
    graph = graph_of(*((name, before) for before, name in pairwise(ODD_NAMES)))
    states = {name: list(StepState)[index % len(StepState)] for index, name in enumerate(ODD_NAMES)}
    done = subprocess.run(
        ["dot", "-Tsvg"], input=graph.to_dot(states if has_states else None), capture_output=True, text=True, check=True
    )

    assert done.stderr == ""
    svg = "{http://www.w3.org/2000/svg}"
    drawn = list(ET.fromstring(done.stdout).iter(f"{svg}g"))
    shown = ["\n".join(text.text or "" for text in group.iter(f"{svg}text")) for group in drawn if is_a(group, "node")]
    words = {name: f"\n{state.value.replace('_', ' ')}" if has_states else "" for name, state in states.items()}
    assert sorted(shown) == sorted(f"{name}{words[name]}".lstrip("\n") for name in ODD_NAMES)
    assert sum(is_a(group, "edge") for group in drawn) == len(ODD_NAMES) - 1


def is_a(group: ET.Element, kind: str) -> bool:
    """Return whether Graphviz drew a group as this."""
    return group.get("class") == kind


edges = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)


@given(edges)
def test_a_graph_takes_exactly_the_edges_that_close_no_circle(pairs: list[tuple[int, int]]) -> None:
    """A naive walk over everything says which those are."""
    graph = ToolDependencyGraph()
    taken: dict[int, set[int]] = {}

    def reaches(start: int, goal: int) -> bool:
        return start == goal or any(reaches(other, goal) for other in taken.get(start, ()))

    for name, needed in pairs:
        closes = reaches(needed, name)
        try:
            graph.add_dependency(f"t{name}", f"t{needed}")
        except DependencyCycleError as error:
            assert closes
            circle = error.circle
            assert circle[0] == circle[-1] == f"t{name}"
            steps = pairwise(circle[1:])
            assert all(int(after[1:]) in taken[int(before[1:])] for before, after in steps)
        else:
            assert not closes
            taken.setdefault(name, set()).add(needed)

    order = graph.topological_order()
    place = {name: index for index, name in enumerate(order)}
    assert sorted(order) == sorted(graph)
    assert all(place[f"t{needed}"] < place[f"t{name}"] for name, wanted in taken.items() for needed in wanted)
    level = {name: index for index, names in enumerate(graph.get_execution_levels()) for name in names}
    assert all(level[f"t{needed}"] < level[f"t{name}"] for name, wanted in taken.items() for needed in wanted)


@given(edges)
def test_taking_in_many_at_once_is_taking_in_one_after_the_other(pairs: list[tuple[int, int]]) -> None:
    """Either all of it fits, or nothing of it stays."""
    needs: dict[str, list[str]] = {}
    for number, needed in pairs:
        needs.setdefault(f"t{number}", []).append(f"t{needed}")
    singly, at_once = ToolDependencyGraph(), ToolDependencyGraph()
    try:
        for name, wanted in needs.items():
            for other in wanted:
                singly.add_dependency(name, other)
    except DependencyCycleError:
        with pytest.raises(DependencyCycleError):
            at_once.add_all(needs)
        assert not list(at_once)
    else:
        at_once.add_all(needs)
        assert set(at_once.edges) == set(singly.edges)
