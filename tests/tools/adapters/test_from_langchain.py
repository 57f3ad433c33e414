"""LangChain's tools as ours: `resolve_tools` takes them as they are."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.tools import BaseTool, InjectedToolArg, InjectedToolCallId, StructuredTool, ToolException
from langchain_core.tools import Tool as TextTool
from langchain_core.tools import tool as langchain_tool
from pydantic import BaseModel, Field
from pydantic.v1 import BaseModel as OldModel

from tests.tools.running import Answers, ExecutorOf
from tests.tools.test_declare import ShoutingAgent, Weather, greet
from tools import (
    CallStatus,
    DeclarationError,
    DuplicateToolError,
    ExitEarly,
    Policies,
    Retry,
    ToolExample,
    resolve_tools,
)
from tools.discovery import load_plugin

PICTURE = b"\x89PNG\r\n\x1a\n"


class Place(BaseModel):
    """A place."""

    city: str = Field(description="Where it is")
    days: int = Field(default=2, ge=1)


@langchain_tool(args_schema=Place)
def weather(city: str, days: int = 2) -> dict[str, Any]:
    """Say what the sky does."""
    return {"city": city, "days": days}


@langchain_tool
async def weather_later(city: str) -> str:
    """Say what the sky does, later."""
    await asyncio.sleep(0)
    return f"sun over {city}"


class Count(BaseTool):
    """A tool as LangChain's users write one with state."""

    name: str = "count_to"
    description: str = "Count."
    limit: int = 3

    def _run(self, number: int) -> list[int]:
        if number > self.limit:
            raise ToolException(f"expected at most {self.limit}, got {number}")
        return list(range(1, number + 1))


class Handled(Count):
    """The same, which tells the model itself what went wrong."""

    name: str = "count_gently"
    handle_tool_error: Any = "Count less far."


class Old(OldModel):
    """Arguments as the pydantic of before has them."""

    word: str


ALL_KINDS: list[Any] = [
    weather,
    weather_later,
    Count(),
    Handled,
    TextTool(name="shout_back", description="Shout.", func=str.upper),
    StructuredTool.from_function(lambda word: word[::-1], name="turn", description="Turn a word.", args_schema=Old),
    StructuredTool(
        name="by_schema",
        description="Say a word twice.",
        args_schema={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
        func=lambda word: word * 2,
    ),
]


@pytest.mark.reference("D7", "D9", "D18")
def test_tools_of_langchain_stand_in_one_list_with_all_other_kinds() -> None:
    tools = resolve_tools([greet, ShoutingAgent(), Weather, *ALL_KINDS])
    assert [made.name for made in tools] == [
        "greet", "shout", "forecast", "look_outside", "units",
        "weather", "weather_later", "count_to", "count_gently", "shout_back", "turn", "by_schema",
    ]  # fmt: skip
    assert [made.is_async for made in tools[5:]] == [False, True, False, False, False, False, False]


@pytest.mark.reference("D12")
@pytest.mark.parametrize(
    ("name", "arguments", "text", "result"),
    [
        ("weather", {"city": "Basel"}, '{"city": "Basel", "days": 2}', {"city": "Basel", "days": 2}),
        ("weather_later", {"city": "Basel"}, "sun over Basel", None),
        ("count_to", {"number": 2}, "[1, 2]", [1, 2]),
        ("shout_back", {"tool_input": "tea"}, "TEA", None),
        ("shout_back", "no json at all", "NO JSON AT ALL", None),
        ("turn", {"word": "tea"}, "aet", None),
        ("by_schema", {"word": "tea"}, "teatea", None),
    ],
)
def test_each_kind_runs_and_gives_text_and_value(
    executor_of: ExecutorOf, name: str, arguments: Any, text: str, result: Any
) -> None:
    response = executor_of(*ALL_KINDS).run(name, arguments)
    assert (response.status, response.text) == (CallStatus.EXECUTED, text)
    assert response.json_result == (text if result is None else result)


def test_what_langchain_says_of_a_tool_stays() -> None:
    tagged = weather.model_copy(update={"tags": ["sky"], "extras": {"input_examples": [{"city": "Oslo"}]}})
    (made,) = resolve_tools([tagged])
    assert (made.name, made.spec.description) == ("weather", "Say what the sky does.")
    assert made.spec.keywords == ("sky",)
    assert made.spec.examples == (ToolExample(input={"city": "Oslo"}),)
    assert made.owner == f"{__name__}.weather"
    assert made.input_schema == {
        "type": "object",
        "properties": {
            "city": {"description": "Where it is", "title": "City", "type": "string"},
            "days": {"default": 2, "minimum": 1, "title": "Days", "type": "integer"},
        },
        "required": ["city"],
    }


def test_a_schema_that_was_given_as_one_is_taken_as_it_is() -> None:
    (made,) = resolve_tools([ALL_KINDS[-1]])
    assert made.input_schema == ALL_KINDS[-1].args_schema


@pytest.mark.reference("D13", "D14")
def test_what_goes_wrong_is_a_failure_with_its_message(executor_of: ExecutorOf) -> None:
    @langchain_tool
    def broken(word: str) -> str:
        """Break."""
        raise OSError(f"no {word}")

    @langchain_tool
    def silent(word: str) -> str:
        """Say nothing about what went wrong."""
        raise ToolException

    executor = executor_of(Count(), Handled(), broken, silent)
    assert executor.run("count_to", {"number": 4}).text == "Error: expected at most 3, got 4"
    assert executor.run("count_gently", {"number": 4}).text == "Error: Count less far."
    assert executor.run("broken", {"word": "tea"}).text == "Error: no tea"
    assert executor.run("silent", {"word": "tea"}).text == "Error: silent failed and gave no reason"
    assert {item.status for item in (executor.run("count_to", {"number": 9}), executor.run("count_to", {}))} == {
        CallStatus.FAILED,
        CallStatus.REJECTED,
    }


@pytest.mark.reference("D15")
def test_nothing_at_all_is_an_empty_success(executor_of: ExecutorOf) -> None:
    @langchain_tool
    def nothing(word: str) -> str:
        """Return nothing."""
        return ""

    response = executor_of(nothing).run("nothing", {"word": "x"})
    assert (response.status, response.text) == (CallStatus.EXECUTED, "")


def test_pictures_become_attachments_and_what_stands_beside_them_the_value(executor_of: ExecutorOf) -> None:
    encoded = base64.b64encode(PICTURE).decode()

    @langchain_tool(response_format="content_and_artifact")
    def draw(what: str) -> Any:
        """Draw."""
        blocks = [
            {"type": "text", "text": f"a {what}"},
            {"type": "image", "base64": encoded, "mime_type": "image/png"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{encoded}"}},
            {"type": "image", "url": "https://example.org/a.png"},
        ]
        return blocks, {"what": what, "pages": [Document("page")]}

    @langchain_tool(response_format="content_and_artifact")
    def handle(what: str) -> Any:
        """Return something that has no JSON form beside the text."""
        return what, object()

    executor = executor_of(draw, handle)
    response = executor.run("draw", {"what": "dot"})
    assert [(item.mime_type, item.data) for item in response.attachments] == [("image/png", PICTURE)] * 2
    assert response.text.startswith("a dot\n")
    assert "https://example.org/a.png" in response.text
    assert response.json_result["what"] == "dot"
    assert response.json_result["pages"][0]["page_content"] == "page"
    assert executor.run("handle", {"what": "a handle"}).json_result == "a handle"


def test_what_a_call_of_langchain_has_by_itself_is_injected_and_hidden(executor_of: ExecutorOf) -> None:
    @langchain_tool
    def ask(
        word: str,
        call_id: Annotated[str, InjectedToolCallId],
        extra: Annotated[str, InjectedToolArg] = "x",
    ) -> str:
        """Ask."""
        return f"{word} {extra} {bool(call_id)}"

    executor = executor_of(ask)
    (made,) = executor.registry
    assert list(made.input_schema["properties"]) == ["word"]  # type: ignore[arg-type]
    assert executor.run("ask", {"word": "tea"}).text == "tea x True"


def echo_of(name: str) -> StructuredTool:
    return StructuredTool(
        name="echo",
        description="Echo.",
        args_schema={"type": "object", "properties": {name: {"type": "string"}}},
        func=lambda **given: str(given),
    )


@pytest.mark.parametrize("name", ["callbacks", "context", "tool_context", "name", "args", "two words"])
def test_an_argument_may_be_called_whatever_langchain_lets_it(executor_of: ExecutorOf, name: str) -> None:
    assert executor_of(echo_of(name)).run("echo", {name: "tea"}).text == str({name: "tea"})


@pytest.mark.parametrize("name", ["config", "run_manager"])
def test_an_argument_that_langchain_would_keep_from_the_tool_is_refused(name: str) -> None:
    with pytest.raises(DeclarationError, match=f"LangChain keeps the argument '{name}' for itself"):
        resolve_tools([echo_of(name)])


def test_the_callbacks_of_langchain_hear_of_the_call(executor_of: ExecutorOf) -> None:
    heard: list[str] = []

    class Ear(BaseCallbackHandler):
        def on_tool_start(self, serialized: Any, input_str: str, **_: Any) -> None:
            heard.append(serialized["name"])

    executor_of(weather.model_copy(update={"callbacks": [Ear()]})).run("weather", {"city": "Basel"})
    assert heard == ["weather"]


def test_rules_and_questions_hold_for_them_as_for_ours(executor_of: ExecutorOf) -> None:
    (made,) = resolve_tools([weather])
    guarded = replace(
        made,
        policies=Policies(retry=Retry(max_attempts=2)),
        spec=made.spec.model_copy(update={"requires_confirmation": True}),
    )
    asked = Answers(ExitEarly("not today"))
    response = executor_of(guarded, review_handler=asked).run("weather", {"city": "Basel"})
    assert response.status is CallStatus.DENIED
    assert [request.tool.name for request in asked.requests if request.tool] == ["weather"]


@pytest.mark.reference("D16", "D17")
def test_a_name_that_is_taken_or_badly_spelled_is_refused_with_the_owners() -> None:
    with pytest.raises(DuplicateToolError, match=r"'greet'.*test_declare\.greet has it, .*<lambda> wants it"):
        resolve_tools([greet, TextTool(name="greet", description="", func=lambda word: word)])
    for name in ("", "two words", "a-b", "9a"):
        with pytest.raises(DeclarationError, match="a tool's name is 1 to 64 letters"):
            resolve_tools([TextTool(name=name, description="", func=lambda word: word)])


def test_those_of_a_plugin_file_are_found(tmp_path: Path, executor_of: ExecutorOf) -> None:
    path = tmp_path / "chained.py"
    path.write_text(
        "from langchain_core.tools import tool\n\n\n@tool\ndef double(number: int) -> int:\n"
        '    """Double a number."""\n    return number * 2\n'
    )
    report = load_plugin(path)
    assert (report.error, [made.name for made in report.tools]) == ("", ["double"])
    assert executor_of(*report.tools).run("double", {"number": 4}).text == "8"
