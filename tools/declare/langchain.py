"""Tools of LangChain as ours; imported once there is such a tool, so that nobody else needs its package."""

from __future__ import annotations

import base64
import binascii
import inspect
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, ToolException
from langchain_core.tools import Tool as TextTool

from tools import schema
from tools.declare.checks import make_spec, owner_of
from tools.errors import DeclarationError, ToolFailure
from tools.spec import ToolExample
from tools.tool import Injected, Injection, Tool, ToolResult

if TYPE_CHECKING:
    from tools.card import ToolSource
    from tools.context import ToolContext

_CONTEXT: Final = "\0context"
"""The parameter that receives the context; LangChain calls an argument what it likes."""

_FILES: Final = frozenset({"audio", "file", "image", "video"})


def tool_from_langchain(target: BaseTool, *, source: ToolSource) -> Tool:
    """Make a tool from a LangChain `BaseTool`.

    LangChain still checks and converts the arguments, tells its callbacks and handles the errors that the tool says it
    handles. What only LangGraph injects, such as a graph's state, is not there.

    Raises:
        DeclarationError: When its name is blank or badly spelled, its arguments have no usable schema, or LangChain
            would keep one of them from it.
    """
    wrapped = getattr(target, "coroutine", None) or getattr(target, "func", None)
    owner = owner_of(type(target) if wrapped is None else wrapped)
    document = _parameters(target)
    properties = document.get("properties") or {}
    for name in _own_arguments(target).intersection(properties):
        raise DeclarationError(f"{owner}: LangChain keeps the argument {name!r} for itself; call it something else")
    examples = (target.extras or {}).get("input_examples") or ()
    spec = make_spec(
        owner,
        name=target.name,
        description=inspect.cleandoc(target.description),
        keywords=tuple(target.tags or ()),
        examples=tuple(ToolExample(input=example) for example in examples),
    )
    is_async = _is_async(target)
    texts = [name for name, inner in properties.items() if inner.get("type") == "string"]
    return Tool(
        spec=spec,
        arguments=schema.SchemaArguments(document, owner=owner),
        output=schema.PlainOutput(None),
        function=_asynchronous(target) if is_async else _blocking(target),
        is_async=is_async,
        injected=(Injected(_CONTEXT, Injection.CONTEXT),),
        source=source,
        owner=owner,
        raw_input=texts[0] if len(properties) == len(texts) == 1 else None,
    )


def _parameters(target: BaseTool) -> dict[str, Any]:
    """Return the schema of the arguments that a model gives."""
    given = target.args_schema
    if isinstance(given, Mapping):
        return dict(given)
    if given is None and isinstance(target, TextTool):
        # It takes one text, whereas its schema is that of its own `_run`.
        return {"type": "object", "properties": dict(target.args), "required": list(target.args)}
    model: Any = target.tool_call_schema
    document = model.model_json_schema() if hasattr(model, "model_json_schema") else model.schema()
    # LangChain puts the tool's own name and description there.
    return {key: value for key, value in document.items() if key not in {"title", "description"}}


def _own_arguments(target: BaseTool) -> set[str]:
    """Return the names under which LangChain gives a tool something of its own, in place of what a model says."""
    parameters = inspect.signature(target._run).parameters  # noqa: SLF001 -- LangChain looks at it as well
    return {
        name
        for name, parameter in parameters.items()
        if name == "run_manager" or "RunnableConfig" in str(parameter.annotation)
    }


def _is_async(target: BaseTool) -> bool:
    if hasattr(target, "coroutine"):
        return target.coroutine is not None
    # A class says so by overriding it.
    return type(target)._arun is not BaseTool._arun  # noqa: SLF001 -- LangChain's own protocol for classes


def _blocking(target: BaseTool) -> Callable[..., Any]:
    def run(**given: Any) -> ToolResult:
        context: ToolContext = given.pop(_CONTEXT)
        try:
            answer = target.invoke(_call(target, given))
        except ToolException as error:
            raise _failure(target, error) from error
        return _result(target, answer, context)

    return run


def _asynchronous(target: BaseTool) -> Callable[..., Any]:
    async def run(**given: Any) -> ToolResult:
        context: ToolContext = given.pop(_CONTEXT)
        try:
            answer = await target.ainvoke(_call(target, given))
        except ToolException as error:
            raise _failure(target, error) from error
        return _result(target, answer, context)

    return run


def _call(target: BaseTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what LangChain's agents invoke a tool with; what answers bare arguments says no status and no artifact."""
    return {"type": "tool_call", "id": uuid4().hex, "name": target.name, "args": dict(arguments)}


def _failure(target: BaseTool, error: Exception) -> ToolFailure:
    return ToolFailure(str(error) or f"{target.name} failed and gave no reason")


def _result(target: BaseTool, answer: Any, context: ToolContext) -> ToolResult:
    if not isinstance(answer, ToolMessage):
        kind = type(answer).__name__
        return ToolResult.failure(f"expected a result of {target.name}, got a {kind}, which only LangGraph can follow")
    texts: list[str] = []
    for block in answer.content_blocks:
        told: Mapping[str, Any] = block
        if told["type"] == "text":
            texts.append(told["text"])
        elif told["type"] in _FILES and (content := _content(told)) is not None:
            context.attach(content, told.get("mime_type"))
        else:
            texts.append(json.dumps(told.get("value", told), ensure_ascii=False, default=str))
    text = "\n".join(texts)
    if answer.status == "error":
        return ToolResult.failure(text)
    return ToolResult.ok(text, _value(answer.content) if answer.artifact is None else _artifact(answer.artifact))


def _content(block: Mapping[str, Any]) -> bytes | None:
    try:
        return base64.b64decode(block["base64"], validate=True)
    except (KeyError, binascii.Error):
        return None


def _artifact(value: Any) -> Any:
    """Return what stands beside a text for programs; None when it has no JSON form."""
    try:
        return schema.PlainOutput(None).dump(value)
    except TypeError:
        return None


def _value(content: Any) -> Any:
    """Return the object or list that LangChain wrote as JSON; None for a text that the tool wrote itself."""
    if not isinstance(content, str) or content[:1] not in {"{", "["}:
        return None
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value if json.dumps(value, ensure_ascii=False) == content else None
