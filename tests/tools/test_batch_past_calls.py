"""Plans of calls that were made: where their arguments came from, and in which order they run."""

from __future__ import annotations

from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan
from tools.batch.past_calls import CallOfConversation, plan_of_calls
from tools.masking import MASK

FOUND = {"order": {"id": "A-1042", "rows": [{"sum amount": 4820}]}, "note": "by the way", "state": "ok"}


@tool(read_only=True)
async def find_order(name: str) -> dict[str, object]:
    """Find an order."""
    return {**FOUND, "name": name}


@tool(read_only=True)
async def describe_order(order: str, amount: int, words: str = "") -> str:
    """Describe an order."""
    return f"{order}: {amount} {words}"


def steps_of(plan: BatchPlan) -> list[tuple[str, dict[str, object], tuple[str, ...]]]:
    return [(step.id, dict(step.arguments), step.depends_on) for step in plan.steps]


def test_what_visibly_came_from_an_earlier_result_is_taken_from_there() -> None:
    described = {"order": "A-1042", "amount": 4820, "words": "costs ${50}"}
    calls = [
        CallOfConversation("shop.find_order", {"name": "Mira"}, FOUND, 1, "Find the order of Mira."),
        CallOfConversation("describe_order", described, "A-1042: 4820", 2, "Find the order of Mira."),
        CallOfConversation("describe_order", {"order": "A-1042: 4820", "amount": 3}, "", 3),
    ]
    assert steps_of(plan_of_calls("Orders", calls).plan) == [
        ("find_order", {"name": "Mira"}, ()),
        (
            "describe_order",
            {
                "order": "${steps.find_order.result.order.id}",
                "amount": '${steps.find_order.result.order.rows[0]."sum amount"}',
                "words": "costs $${50}",
            },
            ("find_order",),
        ),
        ("describe_order_2", {"order": "${steps.describe_order.result}", "amount": 3}, ("describe_order",)),
    ]


def test_what_people_said_what_is_short_and_what_came_at_once_stays_as_it_is() -> None:
    calls = [
        CallOfConversation("find_order", {"name": "x"}, FOUND, 1),
        CallOfConversation("find_order", {"name": "A-1042"}, FOUND, 1),
        CallOfConversation("find_order", {"name": "by the way"}, FOUND, 2, "I note by the way"),
        CallOfConversation("find_order", {"name": "ok"}, FOUND, 2),
    ]
    steps = steps_of(plan_of_calls("Orders", calls).plan)
    assert [arguments["name"] for _, arguments, _ in steps] == ["x", "A-1042", "by the way", "ok"]
    assert [before for _, _, before in steps] == [(), (), *[("find_order", "find_order_2")] * 2]


def test_hidden_arguments_are_left_out_and_counted() -> None:
    made = plan_of_calls("Orders", [CallOfConversation("find_order", {"name": MASK, "other": 1}, None)])
    assert (steps_of(made.plan), made.missing) == ([("find_order", {"other": 1}, ())], 1)


def test_such_a_plan_runs() -> None:
    calls = [
        CallOfConversation("find_order", {"name": "Mira"}, FOUND, 1),
        CallOfConversation("describe_order", {"order": "A-1042", "amount": 4820}, "", 2),
    ]
    executor = Executor(ToolRegistry(resolve_tools([find_order, describe_order])))
    with BatchExecutor(executor=executor) as batch:
        result = batch.execute(plan_of_calls("Orders", calls).plan)
    assert result.results["describe_order"].result == "A-1042: 4820 "
