"""Measure what declaring 1,000 tools costs beside pydantic's own `create_model` and `model_json_schema`.

Both sides get the same kinds of signatures: scalars, constrained numbers and texts, optional values, lists, enums,
dates and, in each tenth, a nested model. They take turns, no signature is seen twice, and the best round counts.
"""

from __future__ import annotations

import gc
import sys
import time
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Ge, Le
from pydantic import BaseModel, Field, create_model

from tools.schema import arguments_for
from tools.spec import MISSING, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable

TOOLS = 1_000
ROUNDS = 5


class Order(StrEnum):
    """An enumeration that many tools share."""

    RISING = "rising"
    FALLING = "falling"


def signatures(round_: int) -> list[list[Parameter]]:
    """Return the parameters of all tools; most differ in something from every other."""
    return [_signature(round_ * TOOLS + index) for index in range(TOOLS)]


def _signature(index: int) -> list[Parameter]:
    kinds: list[tuple[Any, Any]] = [
        (str, MISSING),
        (Annotated[int, Ge(1), Le(10 + index)], 5),
        (bool, False),
        (str | None, None),
        (list[str], MISSING),
        (Order, Order.RISING),
        (Annotated[str, Field(min_length=1, max_length=20 + index)], MISSING),
        (float, 0.5),
        (Path, MISSING),
        (Literal["a", "b", "c"], "a"),
        (datetime | None, None),
        (dict[str, int], MISSING),
        (date, MISSING),
        (Annotated[float, Ge(0), Le(index + 1)] | None, None),
    ]
    chosen = [kinds[(index * 5 + step * 3) % len(kinds)] for step in range(3 + index % 3)]
    if index % 10 == 0:
        nested = create_model(f"Nested{index}", before=(int, 0), after=(Annotated[int, Field(ge=0, le=index + 1)], 0))
        chosen.append((nested, MISSING))
    return [
        Parameter(
            f"argument_{step}", f"argument_{step}", annotation, default, description=f"What argument {step} means"
        )
        for step, (annotation, default) in enumerate(chosen)
    ]


def declare_with_pydantic(all_parameters: list[list[Parameter]]) -> list[type[BaseModel]]:
    """Make a model of each signature, which is also its validator."""
    models: list[type[BaseModel]] = []
    for index, parameters in enumerate(all_parameters):
        fields: dict[str, Any] = {
            item.python_name: (
                item.annotation,
                Field(... if item.default is MISSING else item.default, description=item.description),
            )
            for item in parameters
        }
        models.append(create_model(f"Tool{index}", **fields))
    return models


def declare_and_describe_with_pydantic(all_parameters: list[list[Parameter]]) -> None:
    """Make the models and their JSON Schemas."""
    for model in declare_with_pydantic(all_parameters):
        model.model_json_schema()


def declare(all_parameters: list[list[Parameter]]) -> None:
    """Read the signatures only; wrong annotations are found here."""
    for index, parameters in enumerate(all_parameters):
        arguments_for(parameters, owner=f"tool_{index}")


def declare_and_use(all_parameters: list[list[Parameter]]) -> None:
    """Read the signatures, write the schemas and have every validator ready."""
    for index, parameters in enumerate(all_parameters):
        arguments_for(parameters, owner=f"tool_{index}").input_schema["type"]


def elapsed_s(work: Callable[[list[list[Parameter]]], object], round_: int) -> float:
    """Return the seconds of one round over signatures nobody has seen before."""
    all_parameters = signatures(round_)
    gc.collect()
    start = time.perf_counter()
    work(all_parameters)
    return time.perf_counter() - start


def main() -> None:
    """Print the times and the two ratios."""
    sides = {
        "pydantic create_model": declare_with_pydantic,
        "pydantic create_model + model_json_schema": declare_and_describe_with_pydantic,
        "ours, declare only": declare,
        "ours, declare + schema + validator": declare_and_use,
    }
    best = dict.fromkeys(sides, float("inf"))
    for round_ in range(ROUNDS):
        for side, (name, work) in enumerate(sides.items()):
            best[name] = min(best[name], elapsed_s(work, round_ * len(sides) + side))
    for name, seconds in best.items():
        sys.stdout.write(f"{name:45} {seconds * 1e3:8.1f} ms for {TOOLS} tools\n")
    floor = best["pydantic create_model + model_json_schema"]
    for name in ("ours, declare only", "ours, declare + schema + validator"):
        sys.stdout.write(f"{name:45} {best[name] / floor:8.2f} x pydantic\n")


if __name__ == "__main__":
    main()
