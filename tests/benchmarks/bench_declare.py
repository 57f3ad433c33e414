"""Measure what declaring 1,000 tools costs beside pydantic's own `create_model` and `model_json_schema`.

All sides get the same kinds of signatures: scalars, constrained numbers and texts, optional values, lists, enums,
dates and, in each tenth, a nested model. They take turns, no signature is seen twice, and the best round counts. The
peers, where they are installed, get functions of those signatures, as does the last of our own sides; as some of them
are slow, they declare a fifth of the tools in two rounds.
"""

from __future__ import annotations

import gc
import importlib.metadata
import inspect
import sys
import time
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from annotated_types import Ge, Le
from pydantic import BaseModel, Field, create_model

from tools import make_tool
from tools.schema import arguments_for
from tools.spec import MISSING, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable

TOOLS = 1_000
ROUNDS = 5
PEER_TOOLS = 200
PEER_ROUNDS = 2
FLOOR = "pydantic create_model + model_json_schema"


Declare: TypeAlias = "Callable[[Callable[..., str]], object]"


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


def as_function(index: int, parameters: list[Parameter]) -> Callable[..., str]:
    """Return a function of a signature, for those who read nothing else."""

    def work(**_: Any) -> str:
        return "done"

    work.__name__ = work.__qualname__ = f"tool_{index}"
    described = "\n".join(f"    {item.python_name}: {item.description}" for item in parameters)
    work.__doc__ = f"Do something.\n\nArgs:\n{described}"
    work.__annotations__ = {**{item.python_name: item.annotation for item in parameters}, "return": str}
    work.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                item.python_name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if item.default is MISSING else item.default,
                annotation=item.annotation,
            )
            for item in parameters
        ],
        return_annotation=str,
    )
    return work


def declare_function(function: Callable[..., str]) -> object:
    """Make one of our tools of a function, with its schema and its validator."""
    return make_tool(function.__name__, "Do something.", function).input_schema["type"]


def openai_agents() -> Declare:
    from agents import function_tool  # noqa: PLC0415 -- a peer may be absent

    return lambda function: function_tool(function, strict_mode=False).params_json_schema


def pydantic_ai() -> Declare:
    from pydantic_ai import Tool  # noqa: PLC0415 -- a peer may be absent

    return lambda function: Tool(function, takes_ctx=False).function_schema.json_schema


def mcp() -> Declare:
    from mcp.server.mcpserver.tools.base import Tool  # noqa: PLC0415 -- a peer may be absent

    return lambda function: Tool.from_function(function).parameters


def fastmcp() -> Declare:
    from fastmcp.tools import Tool  # noqa: PLC0415 -- a peer may be absent

    return lambda function: Tool.from_function(function).parameters


def llama_index() -> Declare:
    from llama_index.core.tools import FunctionTool  # noqa: PLC0415 -- a peer may be absent

    return lambda function: FunctionTool.from_defaults(function).metadata.get_parameters_dict()


def langchain() -> Declare:
    from langchain_core.tools import StructuredTool  # noqa: PLC0415 -- a peer may be absent

    return lambda function: StructuredTool.from_function(function).args


PEERS: dict[str, Callable[[], Declare]] = {
    "openai-agents": openai_agents,
    "pydantic-ai-slim": pydantic_ai,
    "mcp": mcp,
    "fastmcp": fastmcp,
    "llama-index-core": llama_index,
    "langchain-core": langchain,
}


def elapsed_s(work: Callable[[list[list[Parameter]]], object], round_: int) -> float:
    """Return the seconds of one round over signatures nobody has seen before."""
    all_parameters = signatures(round_)
    gc.collect()
    start = time.perf_counter()
    work(all_parameters)
    return time.perf_counter() - start


def peer_elapsed_s(declare_one: Declare, round_: int) -> float:
    """Return the seconds of one round over functions, as if there were as many of them as of signatures."""
    parameters = signatures(round_)[:PEER_TOOLS]
    functions = [as_function(round_ * TOOLS + index, item) for index, item in enumerate(parameters)]
    gc.collect()
    start = time.perf_counter()
    for function in functions:
        declare_one(function)
    return (time.perf_counter() - start) * TOOLS / PEER_TOOLS


def measure_own() -> tuple[dict[str, float], int]:
    """Return the best seconds of pydantic and of our sides, and the number of the next unseen round."""
    sides = {
        "pydantic create_model": declare_with_pydantic,
        FLOOR: declare_and_describe_with_pydantic,
        "ours, declare only": declare,
        "ours, declare + schema + validator": declare_and_use,
    }
    best = dict.fromkeys(sides, float("inf"))
    for round_ in range(ROUNDS):
        for side, (name, work) in enumerate(sides.items()):
            best[name] = min(best[name], elapsed_s(work, round_ * len(sides) + side))
    return best, ROUNDS * len(sides)


def measure_functions(unseen: int) -> dict[str, float]:
    """Return the best seconds of those that declare functions: ours, and the peers that are installed."""
    sides: dict[str, Declare] = {"ours, make_tool of a function": declare_function}
    for package, make in PEERS.items():
        try:
            sides[f"{package} {importlib.metadata.version(package)}"] = make()
        except ImportError as error:
            sys.stdout.write(f"{package}: not measured, {error}\n")
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(PEER_ROUNDS):
        for name, declare_one in sides.items():
            best[name] = min(best[name], peer_elapsed_s(declare_one, unseen))
            unseen += 1
    return best


def main() -> None:
    best, unseen = measure_own()
    best |= measure_functions(unseen)
    for name, seconds in best.items():
        ratio = seconds / best[FLOOR]
        sys.stdout.write(f"{name:45} {seconds * 1e3:8.1f} ms for {TOOLS} tools {ratio:8.2f} x pydantic\n")


if __name__ == "__main__":
    main()
