"""Whether models reach for the tools that a file of prompts expects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.command_line import Command, command_of
from tests.tools.models.servers import ModelServer, Reply, calls, says
from tools import ToolRegistry, resolve_tools, tool
from tools.errors import ToolConfigurationError
from tools.models.evaluation import (
    NOT_RUN,
    EvaluatedPrompt,
    ExpectedCall,
    MadeCall,
    PromptOutcome,
    read_prompts,
    with_descriptions,
)
from tools.models.messages import Usage
from tools.workbench import Workbench

SENT: list[str] = []


@tool(read_only=True)
async def weigh(item: str, unit: str = "kg") -> str:
    """Weigh an item."""
    return f"{item}: 3 {unit}"


@tool(read_only=True)
async def measure(item: str) -> str:
    """Measure an item."""
    return f"{item}: 2 m"


@tool(destructive=True)
async def ship(item: str) -> str:
    """Ship an item."""
    SENT.append(item)
    return "shipped"


PROMPTS = """
prompts:
  - ask: How heavy is the lamp?
    expect:
      - tool: weigh
        arguments: {item: lamp}
    never: [ship]
  - ask: Ship the lamp.
    expect: [{tool: ship}]
"""


def bench() -> Workbench:
    made = Workbench()
    made.registry = ToolRegistry(resolve_tools([weigh, measure, ship]))
    return made


@pytest.fixture
def evaluated(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Return a function that runs `evaluate` over a file of the given text."""
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    command = command_of(bench, capsys, monkeypatch)
    (tmp_path / "prompts.yaml").write_text(PROMPTS, "utf-8")
    return Command(lambda *words, typed="": command("evaluate", "prompts.yaml", *words, typed=typed))


def at(server: ModelServer, *models: str) -> tuple[str, ...]:
    return ("--address", server.address, *(word for model in models or ("m",) for word in ("--model", model)))


def good_answers() -> list[Reply]:
    return [calls(("weigh", '{"item": "lamp"}')), says("3 kg"), calls(("ship", '{"item": "lamp"}')), says("Done.")]


def outcome_of(prompt: EvaluatedPrompt, *made: MadeCall) -> PromptOutcome:
    return PromptOutcome(prompt, made, Usage(), None, 0.0)


def test_prompts_are_reached_when_their_calls_are_made(evaluated: Command) -> None:
    with ModelServer(*good_answers()) as server:
        code, out, err = evaluated(*at(server))
    assert code == 0
    assert [line.split()[:4] for line in out.splitlines()] == [
        ["MODEL", "DESCRIPTIONS", "REACHED", "CALLS"],
        ["m", "own", "2/2", "2"],
    ]
    assert "was not called" not in err


def test_calls_that_change_something_are_not_made_and_the_model_is_told(evaluated: Command) -> None:
    SENT.clear()
    with ModelServer(*good_answers()) as server:
        evaluated(*at(server))
    assert SENT == []
    assert server.requests[1].body["messages"][-1]["content"] == "lamp: 3 kg"
    assert server.requests[3].body["messages"][-1]["content"] == NOT_RUN


def test_each_prompt_is_asked_in_a_conversation_of_its_own(evaluated: Command) -> None:
    with ModelServer(*good_answers()) as server:
        evaluated(*at(server))
    assert [len(request.body["messages"]) for request in server.requests] == [1, 3, 1, 3]


def test_it_says_what_was_called_instead(evaluated: Command) -> None:
    with ModelServer(calls(("measure", '{"item": "lamp"}')), says("2 m"), says("No.")) as server:
        code, out, err = evaluated(*at(server))
    assert code == 1
    assert '\'How heavy is the lamp?\': weigh was not called with {"item": "lamp"}, but measure' in err
    assert "'Ship the lamp.': ship was not called, nor any other tool" in err
    assert "0/2" in out


def test_wrong_arguments_and_forbidden_tools_are_told(evaluated: Command) -> None:
    first = calls(("weigh", '{"item": "chair"}'), ("ship", '{"item": "lamp"}'))
    with ModelServer(first, says("3 kg"), says("No.")) as server:
        _, _, err = evaluated(*at(server))
    assert (
        'weigh was not called with {"item": "lamp"}, but with {"item": "chair", "unit": "kg"}; ship was called' in err
    )


def test_changed_descriptions_are_compared_with_the_tools_own(evaluated: Command, tmp_path: Path) -> None:
    (tmp_path / "prompts.yaml").write_text(f"descriptions: {{weigh: Tell how heavy it is.}}{PROMPTS}", "utf-8")
    before = [calls(("measure", '{"item": "lamp"}')), says("2 m"), calls(("ship", '{"item": "lamp"}')), says("Done.")]
    with ModelServer(*before, *good_answers()) as server:
        code, out, err = evaluated(*at(server))
    said = [
        next(one["function"]["description"] for one in request.body["tools"] if one["function"]["name"] == "weigh")
        for request in server.requests
    ]
    assert [text.splitlines()[0] for text in said] == ["Weigh an item."] * 4 + ["Tell how heavy it is."] * 4
    assert [line.split()[:3] for line in out.splitlines()[1:]] == [["m", "own", "1/2"], ["m", "changed", "2/2"]]
    assert "m: the changed descriptions reach +1 prompts and take +0 tokens" in err
    assert code == 1


def test_models_are_compared_and_prompts_repeated(evaluated: Command) -> None:
    with ModelServer(*(good_answers() * 4)) as server:
        code, out, _ = evaluated(*at(server, "small", "large"), "--times", "2", "--prices", "1/10", "--output", "json")
    document: dict[str, Any] = json.loads(out)
    assert code == 0
    assert [(row["model"], row["reached"], len(row["prompts"])) for row in document["rows"]] == [
        ("small", 4, 4),
        ("large", 4, 4),
    ]
    assert document["rows"][0]["cost"] > 0
    assert [request.body["model"] for request in server.requests] == ["small"] * 8 + ["large"] * 8


def test_a_provider_that_fails_costs_that_prompt_only(evaluated: Command) -> None:
    with ModelServer(Reply([b'{"error": {"message": "no such model"}}'], status=404), *good_answers()[2:]) as server:
        code, out, err = evaluated(*at(server))
    assert code == 1
    assert "no such model" in err
    assert "1/2" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prompts: []", "prompts.yaml: prompts: "),
        ("- lamp", "prompts.yaml: the file: "),
        ("prompts: [{ask: Hi, expct: []}]", "prompts.yaml: prompts.0.expct: "),
        ("prompts: [", "prompts.yaml: expected YAML: "),
        ("prompts: [{ask: Hi, expect: [{tool: wiegh}]}]", "no tool is called 'wiegh'; there is 'weigh'"),
        ("prompts: [{ask: Hi}]\ndescriptions: {lamp: x}", "no tool is called 'lamp'"),
    ],
)
def test_a_file_that_means_nothing_is_refused_in_one_line(
    evaluated: Command, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "prompts.yaml").write_text(text, "utf-8")
    with ModelServer() as server:
        code, _, err = evaluated(*at(server))
    assert (code, len(err.splitlines())) == (2, 1)
    assert said in err
    assert not server.requests


@pytest.mark.parametrize("option", [("--times", "0"), ("--max-calls", "-1"), ("--max-tokens", "0")])
def test_a_number_that_means_nothing_is_refused(evaluated: Command, option: tuple[str, str]) -> None:
    with ModelServer() as server:
        code, _, err = evaluated(*at(server), *option)
    assert (code, server.requests) == (2, [])
    assert f"{option[0]}: expected a whole number from" in err


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ToolConfigurationError, match=r"lamp\.yaml cannot be read: No such file"):
        read_prompts(tmp_path / "lamp.yaml")


def test_one_call_meets_one_expectation() -> None:
    twice = EvaluatedPrompt(ask="Twice", expect=(ExpectedCall(tool="weigh"), ExpectedCall(tool="weigh")))
    once = MadeCall("weigh", {"item": "lamp"})
    assert outcome_of(twice, once).missing == (ExpectedCall(tool="weigh"),)
    assert outcome_of(twice, once, once).is_reached


def test_tools_have_their_own_descriptions_back_after_an_error() -> None:
    registry = bench().registry

    def fail() -> None:
        with with_descriptions(registry, {"weigh": "Other."}):
            assert registry.get("weigh").description == "Other."
            raise KeyError("lamp")

    with pytest.raises(KeyError, match="lamp"):
        fail()
    assert registry.get("weigh").description == "Weigh an item."
