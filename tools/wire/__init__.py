"""What a model's provider is sent of the tools, which tool it means when it calls one, and what it is told then.

A program that talks to a provider itself sends `request` along, and answers what the model asks for::

    tools = WireTools(bench.registry, PROVIDERS["anthropic"])
    answer = client.messages.create(model=..., messages=messages, tools=tools.request)
    for call in tools.calls(answer.model_dump()):
        tool = tools.find(call.name)
        ...
    messages += tools.results(ended)

`definition` is a tool before any format; `dialects` says what each provider takes of JSON Schema, and `fidelity` makes
that of a schema and tells what was lost. A module a provider writes its format; `providers` lists them all.
"""

from tools.wire.definition import ToolDefinition, definition_of, with_examples
from tools.wire.dialects import WireEffect
from tools.wire.fidelity import FidelityFinding, Fix
from tools.wire.messages import Image, MalformedArguments, ReceivedCall, Result, read_arguments, restored, result_of
from tools.wire.names import LONGEST, NameRule, name_of, wire_name
from tools.wire.providers import OPENAI, PROVIDERS, Provider, WrittenTool
from tools.wire.tool_set import WireTools

__all__ = [
    "LONGEST",
    "OPENAI",
    "PROVIDERS",
    "FidelityFinding",
    "Fix",
    "Image",
    "MalformedArguments",
    "NameRule",
    "Provider",
    "ReceivedCall",
    "Result",
    "ToolDefinition",
    "WireEffect",
    "WireTools",
    "WrittenTool",
    "definition_of",
    "name_of",
    "read_arguments",
    "restored",
    "result_of",
    "wire_name",
    "with_examples",
]
