"""What a model's provider is sent of the tools, and which tool it means when it calls one.

A program that talks to OpenAI itself puts three kinds of tools side by side, and sends `request` along::

    tools = OpenAITools(bench.registry)
    tools.add_own({"type": "web_search_preview"})
    answer = client.responses.create(model=..., input=..., tools=tools.request)
    meant = tools.find(called_name)
"""

from tools.wire.names import LONGEST, name_of, wire_name
from tools.wire.openai import OpenAITools, function_tool

__all__ = ["LONGEST", "OpenAITools", "function_tool", "name_of", "wire_name"]
