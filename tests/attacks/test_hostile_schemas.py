"""Schemas from outside neither hang nor end anything; who calls is told what is wrong with them."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from console.json_view.finding import SchemaHints
from console.schema_form.document import Document
from console.viewers.preparing import hints_of
from tests.attacks.hostile_schemas import LONG, OVER_JSON, TOO_LONG, TRAPS, Trap, of
from tests.attacks.one_start import run_all
from tests.tools.mcp.serving import NAME, serving
from tools import CallStatus
from tools.batch.step_previews import ValueShape, misfit, shape_of
from tools.cli.exits import Exit
from tools.errors import ArgumentsError, DeclarationError
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport
from tools.mcp.definitions import Definition
from tools.mcp.differences import differences
from tools.mcp.pins import DefinitionJudgement, PinVerdict
from tools.mcp.poisoning import suspicions
from tools.mcp.remote_tool import tool_of
from tools.schema import Mismatches, MismatchFinder, SchemaArguments
from tools.search import search_tools
from tools.tool import Probe
from tools.wire import PROVIDERS, definition_of

pytestmark = pytest.mark.expects_log("tools.calls")

LATE = "takes too long"
FROM_FILE = Path(__file__).parents[1] / "mcp_servers" / "from_file.py"


@pytest.fixture(params=TRAPS)
def trap(request: pytest.FixtureRequest) -> Trap:
    return TRAPS[request.param]


@pytest.fixture(params=OVER_JSON)
def sent(request: pytest.FixtureRequest) -> Trap:
    """Return a trap that a server can send."""
    return OVER_JSON[request.param]


def _time_for(trap: Trap) -> float:
    """Return the limit in seconds of a check: short where it is what ends the check."""
    return 0.2 if trap.words == TOO_LONG else 1.0


def test_a_check_ends_with_a_sentence_that_names_the_fault(trap: Trap) -> None:
    try:
        SchemaArguments(trap.schema, owner="'find' of the server 'bad'", within_s=_time_for(trap)).validate(
            trap.arguments
        )
    except (ArgumentsError, DeclarationError) as error:
        said = str(error)
    else:
        said = ""

    # On a slow machine the time ends what is only long.
    assert trap.words in said or LATE in said
    assert bool(said) or not trap.words
    assert "\n" not in said
    assert len(said) < 2_000_000


def test_the_time_of_a_check_is_its_own_and_not_the_schemas() -> None:
    arguments = SchemaArguments(TRAPS["pattern of nested repetitions"].schema, owner="'find'", within_s=0.05)

    with pytest.raises(ArgumentsError) as caught:
        arguments.validate({"a": LONG})

    [problem] = caught.value.problems
    assert problem.kind == "unchecked"
    # What came before the pattern took of the time, on a busy machine more.
    taken = re.search(
        r"the schema of 'find' at /properties/a/pattern takes too long: the pattern '\^\(a\+\)\+\$' tried more than"
        r" (0\.0\d+) s",
        str(problem),
    )
    assert taken is not None
    assert float(taken[1]) <= 0.05


def test_a_result_is_compared_with_a_hostile_schema_within_its_time(trap: Trap) -> None:
    found: Mismatches | None = None
    with suppress(DeclarationError):
        found = MismatchFinder(trap.schema).find(trap.arguments, within_s=_time_for(trap))

    assert found is None or found.is_complete or found.fault is not None or found.found


def test_the_form_and_the_viewer_of_a_result_survive(sent: Trap) -> None:
    document = Document(sent.schema)
    document.replace(sent.arguments)
    for _ in range(20):
        if not document.check_more():
            break

    assert document.value() == sent.arguments
    assert isinstance(hints_of(sent.schema, sent.arguments), SchemaHints)


def _tool_of(trap: Trap) -> Any:
    raw = {"name": "find", "description": "Find it.", "inputSchema": trap.schema, "outputSchema": trap.schema}
    return tool_of(
        ServerConfig(name=NAME, transport=Transport.STDIO, command="x", timeout_s=1.0),
        DefinitionJudgement(Definition(raw), PinVerdict.NEW),
        None,  # type: ignore[arg-type]  # nothing is called
        trusted=False,
        name=f"{NAME}.find",
        probe=Probe(arguments={}),
    )


def test_everything_that_reads_a_servers_tool_survives(sent: Trap) -> None:
    tool = _tool_of(sent)

    definition = tool.origin.definition
    assert len(definition.digest) == 64
    assert differences(definition, Definition({**definition.raw, "inputSchema": of("b", {})}))
    assert isinstance(suspicions(definition), tuple)
    assert [match.tool for match in search_tools([tool], "find")] == [tool]
    for provider in PROVIDERS.values():
        assert json.dumps(provider.write(definition_of(tool), strict=True).document)
    assert json.loads(json.dumps(tool.input_schema)) == tool.input_schema
    assert len(tool.digest) == 64
    masked = {} if tool.masking is None else tool.masking.marked(tool.input_schema)
    assert len(json.dumps(masked)) < 50_000_000
    shape = ValueShape(tool.input_schema, tool.input_schema)
    assert isinstance(misfit(shape_of(sent.arguments), shape), str)
    assert isinstance([shape.names, shape.required, shape.items, shape.field("a")], list)


def _config(file: Path, timeout_s: float = 2.0) -> ServerConfig:
    words = ("-S", "-E", str(FROM_FILE), str(file))
    return ServerConfig(
        name=NAME,
        transport=Transport.STDIO,
        command=sys.executable,
        args=words,
        protocol=ProtocolChoice.OLDER,
        timeout_s=timeout_s,
    )


def _written(file: Path, traps: Mapping[str, Trap]) -> list[str]:
    """Write the tools of a server, one for each trap; return their names."""
    names = [f"t{at}" for at in range(len(traps))]
    definitions = [
        {"name": name, "description": "Find it.", "inputSchema": trap.schema}
        for name, trap in zip(names, traps.values(), strict=True)
    ]
    file.write_text(json.dumps(definitions), encoding="utf-8")
    return names


def _is_let_through(schema: Any) -> bool:
    """Tell whether the protocol's own types let the list of a server's tools with this one through."""
    properties = schema.get("properties", {})
    parts = properties.values() if isinstance(properties, dict) else [None]
    required = schema.get("required", [])
    return schema.get("type") == "object" and isinstance(required, list) and all(isinstance(one, dict) for one in parts)


async def test_calls_of_a_hostile_server_end_and_leave_the_loop_to_others(tmp_path: Path) -> None:
    telling = ("circle", "pattern of n", "pattern below", "doubling", "ten thousand", "chain", "null byte", "address")
    small = {
        name: trap for name, trap in OVER_JSON.items() if name.startswith(telling) and _is_let_through(trap.schema)
    }
    names = _written(tmp_path / "tools.json", small)

    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0)
            beats += 1

    async with serving(_config(tmp_path / "tools.json")) as served:
        assert served.state.fault is None, served.state.fault.message
        heart = asyncio.create_task(beat())
        for name, trap in zip(names, small.values(), strict=True):
            before = beats
            call = await served.executor.propose(f"{NAME}.{name}", trap.arguments)
            response = await served.executor.execute(call)
            expected = {CallStatus.REJECTED, CallStatus.FAILED} if trap.words else {CallStatus.EXECUTED}
            assert response.status in expected, (name, response)
            if trap.words:
                assert response.error is not None
                assert trap.words in response.error.message or LATE in response.error.message
            if "too long" in trap.words:
                assert beats > before + 1
        heart.cancel()


def test_the_command_line_says_what_is_wrong_and_ends_with_its_code(tmp_path: Path) -> None:
    chosen = {name: TRAPS[name] for name in ("pattern of nested repetitions", "circle", "ten thousand branches")}
    names = _written(tmp_path / "tools.json", chosen)
    server = (sys.executable, "-S", "-E", str(FROM_FILE), str(tmp_path / "tools.json"))
    calls = [
        ("call", f"{NAME}.{name}", "--servers", "--yes", "--json", json.dumps(trap.arguments))
        for name, trap in zip(names, chosen.values(), strict=True)
    ]
    shown = [("info", f"{NAME}.{name}", "--servers", "--output", "json") for name in names]
    added, allowed, *rest = run_all(
        tmp_path,
        [
            (words, b"")
            for words in (
                ("mcp", "add", NAME, "--protocol", "older", "--timeout", "5", "--", *server),
                ("mcp", "allow", NAME, "--yes"),
                *calls,
                *shown,
                ("list", "--servers"),
            )
        ],
    )
    assert (added.code, allowed.code) == (0, 0)

    for trap, called, told in zip(chosen.values(), rest[: len(names)], rest[len(names) : -1], strict=True):
        assert (called.code, called.stdout) == (Exit.INVALID_ARGUMENTS, "")
        assert trap.words in called.stderr or LATE in called.stderr
        assert "Traceback" not in called.stderr
        assert json.loads(told.stdout)["input_schema"] == trap.schema
    assert (rest[-1].code, f"{NAME}.{names[0]}" in rest[-1].stdout) == (0, True)
