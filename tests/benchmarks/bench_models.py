"""What a search in the place of all tools saves in tokens, and how often the right tool is still reached.

Run with `python -m tests.benchmarks.bench_models`. Issue 20 asks for both on the relevance set. The tools are the
built-in ones and those of servers, as OpenAI's Chat Completions are sent them; a query is what the model searches with.
"""

from __future__ import annotations

import json
from statistics import median

from tests.relevance import documents, ours, queries, server_definitions
from tools.catalog import builtin_tools
from tools.declare import resolve_tools
from tools.lint import estimated_tokens
from tools.search import ToolSearch
from tools.wire import PROVIDERS, ToolDefinition, definition_of

WIRE = PROVIDERS["openai-chat"]


def tokens(definition: ToolDefinition) -> int:
    """Return what a tool takes in each request."""
    return estimated_tokens(json.dumps(WIRE.write(definition).document, ensure_ascii=False))


def main() -> None:
    """Print the figures for the queries that chose the weights, and for those that did not."""
    by_name = {f"built-in.{tool.name}": tokens(definition_of(tool)) for tool in builtin_tools()}
    by_name |= {definition.name: tokens(definition) for definition in server_definitions()}
    assert set(by_name) == set(documents())
    search = tokens(definition_of(resolve_tools([ToolSearch()])[0]))
    everything, ranked = sum(by_name.values()), ours()
    print(f"{len(by_name)} tools: {everything:,} tokens in each request; tool_search alone: {search:,}")
    for file in ("queries.tsv", "held_out.tsv"):
        wanted = queries(file)
        found = [ranked(query.words) for query in wanted]
        sent = [search + sum(by_name[name] for name in names) for names in found]
        reached = sum(bool(query.tools.intersection(names)) for query, names in zip(wanted, found, strict=True))
        saved = 1 - median(sent) / everything
        print(
            f"{file}: {len(wanted)} queries, {median(sent):,.0f} tokens after one search ({saved:.1%} saved),"
            f" a right tool among five in {reached / len(wanted):.1%}"
        )


if __name__ == "__main__":
    main()
