"""Where the steps of a graph and its edges stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.batch.graph_layout import LAYER_PITCH, NODE_HEIGHT, NODE_WIDTH, Layering, Layout, laid_out, layered
from console.batch.graph_model import Graph, GraphEdge, GraphNode
from console.batch.rows import circle_of

DIGEST = {
    "load_tickets": [],
    "load_orders": [],
    "fetch_status": [],
    "group_topics": ["load_tickets"],
    "join_orders": ["load_tickets", "load_orders"],
    "summarise_p1": ["group_topics"],
    "summarise_p2": ["group_topics"],
    "summarise_p3": ["group_topics"],
    "refund_stats": ["join_orders"],
    "chart_refunds": ["refund_stats"],
    "draft_digest": ["fetch_status", "summarise_p1", "summarise_p2", "summarise_p3"],
    "check_links": ["draft_digest"],
    "post_draft": ["chart_refunds", "draft_digest"],
    "archive": ["post_draft"],
}


def graph(needs: Mapping[str, Sequence[str]]) -> Graph:
    nodes = tuple(GraphNode(name, "tool", number) for number, name in enumerate(needs, 1))
    return Graph(nodes, tuple(GraphEdge(needed, name) for name, names in needs.items() for needed in names))


@st.composite
def graphs(draw: st.DrawFn, most: int = 24) -> Graph:
    count = draw(st.integers(0, most))
    needs: dict[str, list[str]] = {}
    for place in range(count):
        before = draw(st.lists(st.integers(0, place - 1), max_size=3, unique=True)) if place else []
        needs[f"s{place}"] = [f"s{other}" for other in sorted(before)]
    return graph(needs)


def large(count: int = 1000) -> Graph:
    chance = Random(3)
    needs: dict[str, list[str]] = {}
    for place in range(count):
        near = range(max(0, place - 40), place)
        needs[f"s{place}"] = [
            f"s{other}" for other in sorted(chance.sample(near, min(len(near), chance.randint(0, 2))))
        ]
    return graph(needs)


def overlapping(layout: Layout) -> list[tuple[str, str]]:
    return [
        (one, other)
        for layer in layout.layers
        for one, other in combinations(layer, 2)
        if abs(layout.places[one][0] - layout.places[other][0]) < NODE_WIDTH + 4
    ]


def run_over(layout: Layout) -> list[tuple[GraphEdge, str]]:
    """Return edges that pass a layer where a step stands, with the step."""
    found = []
    layer_by_top = {layout.places[layer[0]][1]: layer for layer in layout.layers if layer}
    for edge, route in zip(layout.graph.edges, layout.routes, strict=True):
        for x, y in route[1:-1]:
            for name in layer_by_top.get(y, ()):
                left = layout.places[name][0]
                if left - 2 < x < left + NODE_WIDTH + 2:
                    found.append((edge, name))
    return found


@given(graphs())
def test_edges_lead_down_and_nothing_lies_over_a_step(drawn: Graph) -> None:
    layout = laid_out(drawn)
    assert list(layout.places) == [node.name for node in drawn.nodes]
    for edge, route in zip(drawn.edges, layout.routes, strict=True):
        upper, lower = layout.places[edge.needed], layout.places[edge.waiting]
        assert route[0] == (upper[0] + NODE_WIDTH / 2, upper[1] + NODE_HEIGHT)
        assert route[-1] == (lower[0] + NODE_WIDTH / 2, lower[1])
        assert all(above[1] < below[1] for above, below in pairwise(route))
    assert overlapping(layout) == []
    assert run_over(layout) == []
    for x, y in layout.places.values():
        assert 0 <= x <= layout.width - NODE_WIDTH
        assert 0 <= y <= layout.height - NODE_HEIGHT
    assert all(0 <= x <= layout.width for route in layout.routes for x, _ in route)


@given(graphs())
def test_the_same_graph_stands_in_the_same_way(drawn: Graph) -> None:
    assert laid_out(drawn) == laid_out(Graph(tuple(drawn.nodes), tuple(drawn.edges)))


@given(graphs(14))
@settings(max_examples=60)
def test_sweeps_never_leave_more_crossings_than_there_were(drawn: Graph) -> None:
    assert layered(drawn).crossings <= Layering(drawn).crossings


def test_crossings_are_counted_as_pairs_of_edges() -> None:
    crossed = graph({"a": [], "b": [], "c": [], "x": ["c"], "y": ["b"], "z": ["a"]})
    assert Layering(crossed).crossings == 3
    assert layered(crossed).crossings == 0
    everything = graph({"a": [], "b": [], "x": ["a", "b"], "y": ["a", "b"]})
    assert layered(everything).crossings == 1


def test_the_plan_of_the_design_stands_as_it_does_there() -> None:
    layout = laid_out(graph(DIGEST))
    assert [set(layer) for layer in layout.layers] == [
        {"load_tickets", "load_orders", "fetch_status"},
        {"group_topics", "join_orders"},
        {"summarise_p1", "summarise_p2", "summarise_p3", "refund_stats"},
        {"draft_digest", "chart_refunds"},
        {"check_links", "post_draft"},
        {"archive"},
    ]
    assert layered(layout.graph).crossings <= 1
    upright = ["load_tickets", "group_topics", "summarise_p2", "draft_digest"]
    assert len({layout.places[name][0] for name in upright}) == 1


def test_a_chain_is_one_column_and_steps_alone_are_a_block() -> None:
    chain = laid_out(graph({f"s{place}": [f"s{place - 1}"] if place else [] for place in range(30)}))
    assert {x for x, _ in chain.places.values()} == {0.0}
    assert chain.height == 29 * LAYER_PITCH + NODE_HEIGHT
    block = laid_out(graph({f"s{place}": [] for place in range(100)}))
    assert len(block.layers) == 12
    assert max(map(len, block.layers)) == 9


def test_many_edges_into_one_step_share_their_way() -> None:
    needs: dict[str, list[str]] = {}
    for number in range(40):
        needs |= {f"load{number}": [], f"clean{number}": [f"load{number}"]}
    needs["report"] = [f"clean{number}" for number in range(40)]
    layering = layered(graph(needs))
    assert layering.bends <= len(layering.layers)
    layout = laid_out(graph(needs))
    assert run_over(layout) == []
    # Each stands right below the step that it waits for.
    assert all(layout.places[f"load{n}"][0] == layout.places[f"clean{n}"][0] for n in range(40))


def test_a_thousand_steps_stay_about_as_wide_as_high() -> None:
    layout = laid_out(large())
    assert overlapping(layout) == []
    assert run_over(layout) == []
    assert max(map(len, layout.layers)) <= 29
    assert layout.width < 3 * layout.height


def test_nothing_is_laid_out_as_nothing() -> None:
    assert laid_out(Graph()) == Layout(Graph(), {}, (), (), 0.0, 0.0)


def needs_in(drawn: Graph) -> Callable[[str], Sequence[str]]:
    return lambda name: [edge.needed for edge in drawn.edges if edge.waiting == name]


@pytest.mark.reference("A89")
def test_the_edge_that_would_close_a_circle_is_found_with_its_shortest_way() -> None:
    needs = needs_in(graph(DIGEST))
    assert circle_of("archive", ["archive"], needs) == ["archive", "archive"]
    assert circle_of("load_orders", ["post_draft"], needs) == [
        *("load_orders", "post_draft", "chart_refunds", "refund_stats", "join_orders"),
        "load_orders",
    ]
    assert circle_of("archive", ["load_orders"], needs) == []
    assert circle_of("post_draft", ["check_links"], needs) == []


@given(graphs(12), st.data())
def test_a_circle_is_found_exactly_when_there_is_one(drawn: Graph, data: st.DataObject) -> None:
    if len(drawn.nodes) < 2:
        return
    names = [node.name for node in drawn.nodes]
    needed, waiting = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    found = circle_of(waiting, [needed], needs_in(drawn))
    known = set(drawn.edges)
    if found:
        assert found[0] == found[-1] == waiting
        assert found[1] == needed
        assert all((before, after) in known for after, before in pairwise(found[1:]))
    else:
        reached = {waiting}
        for edge in sorted(known, key=lambda edge: int(edge.waiting[1:])):
            if edge.needed in reached:
                reached.add(edge.waiting)
        assert needed not in reached
