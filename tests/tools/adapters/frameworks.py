"""The frameworks that our tools are exported to: each runs an agent whose model makes the calls of a test."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any, Final

import agents
from agents.items import ModelResponse
from agents.usage import Usage
from langchain_core.messages import ToolMessage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic_ai import Agent, BinaryContent, ModelMessage, ModelRequest, TextPart, ToolCallPart
from pydantic_ai import ModelResponse as Answer
from pydantic_ai.messages import RetryPromptPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.tools.adapters.samples import Arguments, Outcome
from tools.adapters import ExportedTools
from tools.errors import ToolFailure

Framework = Callable[[ExportedTools, str, Arguments], Outcome]
"""Has a tool called by the framework: (tools, name, arguments) -> what came of it there."""


def _of_message(message: Any) -> Outcome:
    assert isinstance(message, ToolMessage)
    blocks = message.content_blocks
    texts = [str(block["text"]) for block in blocks if block["type"] == "text"]
    images = tuple(base64.b64decode(block["base64"]) for block in blocks if block["type"] == "image")
    return Outcome("\n".join(texts), message.status == "error", message.artifact, images)


def _langchain_call(exported: ExportedTools, name: str, arguments: Arguments) -> tuple[Any, dict[str, Any]]:
    (chosen,) = [each for each in exported.langchain() if each.name == name]
    return chosen, {"type": "tool_call", "id": "call-1", "name": name, "args": dict(arguments)}


def langchain(exported: ExportedTools, name: str, arguments: Arguments) -> Outcome:
    chosen, call = _langchain_call(exported, name, arguments)
    return _of_message(chosen.invoke(call))


def langchain_later(exported: ExportedTools, name: str, arguments: Arguments) -> Outcome:
    chosen, call = _langchain_call(exported, name, arguments)
    return _of_message(asyncio.run(chosen.ainvoke(call)))


class ScriptedModel(agents.Model):
    """Call one tool, then end; remember what came back."""

    def __init__(self, name: str, arguments: Arguments) -> None:
        self._call = (name, json.dumps(dict(arguments)))
        self.tools: list[Any] = []
        self.output: Any = None

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **options: Any) -> ModelResponse:  # noqa: A002
        self.tools = options["tools"]
        answers = [item for item in input if not isinstance(item, str) and item.get("type") == "function_call_output"]
        if answers:
            self.output = answers[-1]["output"]
            text = ResponseOutputText(annotations=[], text="done", type="output_text")
            said: Any = ResponseOutputMessage(
                id="m", content=[text], role="assistant", status="completed", type="message"
            )
        else:
            name, arguments = self._call
            said = ResponseFunctionToolCall(arguments=arguments, call_id="call-1", name=name, type="function_call")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **_: Any) -> Any:
        raise NotImplementedError


def run_openai_agent(tools: list[Any], model: ScriptedModel) -> ScriptedModel:
    agent = agents.Agent(name="tester", model=model, tools=tools)
    asyncio.run(agents.Runner.run(agent, "go", run_config=agents.RunConfig(tracing_disabled=True)))
    return model


def openai_agents(exported: ExportedTools, name: str, arguments: Arguments) -> Outcome:
    output = run_openai_agent(exported.openai_agents(), ScriptedModel(name, arguments)).output
    if isinstance(output, str):
        return Outcome(output)
    texts = [part["text"] for part in output if part["type"] == "input_text"]
    urls = [part["image_url"] for part in output if part["type"] == "input_image"]
    return Outcome("\n".join(texts), images=tuple(base64.b64decode(url.partition("base64,")[2]) for url in urls))


def run_pydantic_agent(tools: list[Any], name: str, arguments: Arguments) -> list[ModelMessage]:
    def model(messages: list[ModelMessage], _: AgentInfo) -> Answer:
        if len(messages) > 1:
            return Answer(parts=[TextPart("done")])
        return Answer(parts=[ToolCallPart(name, dict(arguments), "call-1")])

    return asyncio.run(Agent(FunctionModel(model), tools=tools).run("go")).all_messages()


def pydantic_ai(exported: ExportedTools, name: str, arguments: Arguments) -> Outcome:
    messages = run_pydantic_agent(exported.pydantic_ai(), name, arguments)
    parts = [part for message in messages[1:] if isinstance(message, ModelRequest) for part in message.parts]
    for part in parts:
        if isinstance(part, RetryPromptPart):
            return Outcome(str(part.content), is_error=True)
        if isinstance(part, ToolReturnPart):
            content = part.content if isinstance(part.content, list) else [part.content]
            images = tuple(item.data for item in content if isinstance(item, BinaryContent))
            values = [item for item in content if not isinstance(item, BinaryContent)]
            value = values[0] if values else None
            text = value if isinstance(value, str) else ""
            return Outcome(text, part.outcome != "success", None if text else value, images)
    raise AssertionError(parts)


def functions(exported: ExportedTools, name: str, arguments: Arguments) -> Outcome:
    (chosen,) = [each for each in exported.functions() if each.name == name]
    return _of_value(lambda: chosen.function(**arguments))


def functions_later(exported: ExportedTools, name: str, arguments: Arguments) -> Outcome:
    (chosen,) = [each for each in exported.functions() if each.name == name]

    async def awaited() -> Any:
        return await chosen.coroutine(**arguments)

    return _of_value(lambda: asyncio.run(awaited()))


def _of_value(call: Callable[[], Any]) -> Outcome:
    try:
        value = call()
    except ToolFailure as failure:
        return Outcome(str(failure), is_error=True)
    if isinstance(value, dict) and "attachments" in value:
        images = tuple(base64.b64decode(item["base64"]) for item in value["attachments"])
        return Outcome(value["result"] or "", images=images)
    return Outcome(value) if isinstance(value, str) else Outcome("", value=value)


FRAMEWORKS: Final[dict[str, Framework]] = {
    "langchain": langchain,
    "langchain-later": langchain_later,
    "openai-agents": openai_agents,
    "pydantic-ai": pydantic_ai,
    "functions": functions,
    "functions-later": functions_later,
}
