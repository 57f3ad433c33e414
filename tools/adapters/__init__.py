"""Our tools for programs that are built with other frameworks, whose calls go through an `Executor` all the same.

```python
with ExportedTools(executor, caller="agent:support") as exported:
    agent = create_agent(model, exported.langchain())
    agent.invoke({"messages": [("user", "How many orders are open?")]})
```

A module for each framework, imported when its tools are asked for: the packages are extras (`langchain`,
`openai-agents`, `pydantic-ai`), and importing `tools` imports none of them. The way back needs nothing from here:
`resolve_tools` takes LangChain's tools as they are.
"""

from tools.adapters.exported_tools import ExportedTools
from tools.adapters.functions import ExportedFunction

__all__ = ["ExportedFunction", "ExportedTools"]
