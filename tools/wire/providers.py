"""Which providers there are, and how each of them differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from tools.errors import DeclarationError
from tools.schema import MismatchFinder
from tools.wire import anthropic, bedrock, cohere, dialects, gemini, mcp, ollama, openai_chat, openai_responses
from tools.wire.definition import ToolDefinition, with_examples
from tools.wire.dialects import Dialect, WireEffect
from tools.wire.fidelity import FidelityFinding, FittedSchema, Fix, fit, refused_of
from tools.wire.messages import ReceivedCall, Result
from tools.wire.names import NameRule, wire_name

if TYPE_CHECKING:
    from tools.spec import ToolExample

_Document = dict[str, Any]


class _Writer(Protocol):
    def __call__(self, definition: ToolDefinition, *, strict: bool) -> _Document: ...


class WrittenTool(NamedTuple):
    """A tool as a provider is sent it.

    Attributes:
        findings: What of the tool's own is not in it as it stands.
    """

    document: _Document
    findings: tuple[FidelityFinding, ...]

    @property
    def refused(self) -> tuple[FidelityFinding, ...]:
        """What the provider still refuses, because only the tool's author can change it."""
        return refused_of(self.findings)


@dataclass(frozen=True, slots=True)
class Provider:
    """How one provider is sent tools, asks for calls and gets results.

    Attributes:
        name: What it is called on a command line.
        title: What people call it.
        dialect: What it takes of JSON Schema.
        calls: Reads the calls of an answer.
        results: Writes the messages that answer some calls.
        strict: What it takes of JSON Schema where it holds a model to it; None when it never does.
        name_rule: What it allows in names; None when it takes all of ours.
        takes_examples: Whether it has a place for good examples.
        request: Writes the value of `tools` in a request.
    """

    name: str
    title: str
    dialect: Dialect
    tool: _Writer
    calls: Callable[[Mapping[str, Any]], list[ReceivedCall]]
    results: Callable[[Sequence[Result]], list[_Document]]
    strict: Dialect | None = None
    name_rule: NameRule | None = NameRule.DASHES
    takes_examples: bool = False
    request: Callable[[list[_Document]], list[_Document]] = list

    def wire_name(self, name: str, attempt: int = 0) -> str:
        """Return a tool's name as this provider allows it; see `tools.wire.wire_name`."""
        return name if self.name_rule is None else wire_name(name, attempt, self.name_rule)

    def fitted(self, schema: Mapping[str, Any], *, strict: bool = False) -> FittedSchema:
        """Return the schema of some arguments as this provider takes it."""
        return fit(schema, self.strict if strict and self.strict is not None else self.dialect)

    def write(
        self, definition: ToolDefinition, *, name: str = "", strict: bool = False, rewrite: bool = True
    ) -> WrittenTool:
        """Return a tool as this provider is sent it, and what was changed for that.

        Args:
            name: What it is called on the wire; empty for its own name as the provider allows it.
            strict: Whether the provider shall hold the model to the schema; nothing where it cannot.
            rewrite: Whether the schema is changed into one that the provider takes, rather than sent as it is.
        """
        fitted = self.fitted(definition.parameters, strict=strict)
        parameters = fitted.schema if rewrite else definition.parameters
        name = name or self.wire_name(definition.name)
        findings = list(fitted.findings)
        if name != definition.name:
            findings.insert(0, FidelityFinding("/name", "name", WireEffect.REFUSED, Fix.RENAME))
        native = self._native(definition.examples, parameters)
        folded = tuple(example for example in definition.examples if example not in native)
        findings += [
            FidelityFinding(f"/examples/{number}", "examples", WireEffect.DROPPED, Fix.FOLD)
            for number, example in enumerate(definition.examples)
            if example not in native
        ]
        document = self.tool(
            definition._replace(
                name=name,
                description=with_examples(definition.description, folded),
                parameters=parameters,
                examples=native,
            ),
            strict=strict and self.strict is not None,
        )
        return WrittenTool(document, tuple(findings))

    def _native(self, examples: tuple[ToolExample, ...], parameters: Mapping[str, Any]) -> tuple[ToolExample, ...]:
        """Return the examples that are sent as such: the good ones that fit, since one that does not is refused."""
        if not self.takes_examples:
            return ()
        good = (example for example in examples if not example.negative)
        return tuple(example for example in good if _fits(dict(example.input), parameters))


def _fits(value: _Document, schema: Mapping[str, Any]) -> bool:
    try:
        return not MismatchFinder(schema).find(value).found
    except DeclarationError:
        return False


def _compatible(name: str, title: str, **differs: Any) -> Provider:
    """Return a provider that takes OpenAI's format and documents no schema of its own."""
    made = {
        "dialect": dialects.COMPATIBLE,
        "tool": openai_chat.chat_tool_without_strict,
        "calls": openai_chat.chat_calls,
        "results": openai_chat.chat_results,
    }
    return Provider(name, title, **{**made, **differs})


_STRICT_CHAT: Final = {"tool": openai_chat.chat_tool, "strict": dialects.OPENAI_STRICT}

OPENAI: Final = Provider(
    "openai", "OpenAI (Responses)", dialects.OPENAI, openai_responses.responses_tool, openai_responses.responses_calls,
    openai_responses.responses_results, strict=dialects.OPENAI_STRICT,
)  # fmt: skip

_ALL: Final = (
    OPENAI,
    _compatible("openai-chat", "OpenAI (Chat Completions)", dialect=dialects.OPENAI, **_STRICT_CHAT),
    _compatible("azure-openai", "Azure OpenAI", dialect=dialects.OPENAI, **_STRICT_CHAT),
    Provider(
        "anthropic", "Anthropic", dialects.ANTHROPIC, anthropic.anthropic_tool, anthropic.anthropic_calls,
        anthropic.anthropic_results, strict=dialects.ANTHROPIC_STRICT, takes_examples=True,
    ),
    Provider(
        "gemini", "Gemini", dialects.GEMINI, gemini.gemini_tool, gemini.gemini_calls, gemini.gemini_results,
        name_rule=NameRule.LETTER_FIRST, request=gemini.gemini_request,
    ),
    Provider(
        "bedrock", "Amazon Bedrock (Converse)", dialects.BEDROCK, bedrock.bedrock_tool, bedrock.bedrock_calls,
        bedrock.bedrock_results, strict=dialects.BEDROCK_STRICT,
    ),
    # Cohere is told to be strict by `strict_tools` of the request, not by the tool. No name there may have a dash.
    _compatible(
        "cohere", "Cohere", results=cohere.cohere_results, strict=dialects.COHERE_STRICT, name_rule=NameRule.IDENTIFIER
    ),
    _compatible("mistral", "Mistral", results=openai_chat.mistral_results, **_STRICT_CHAT),
    _compatible("groq", "Groq"),
    _compatible("openrouter", "OpenRouter", **_STRICT_CHAT),
    _compatible("ollama", "Ollama", dialect=dialects.OLLAMA, results=ollama.ollama_results),
    _compatible("huggingface", "Hugging Face"),
    _compatible("minimax", "MiniMax"),
    _compatible("zhipu", "Zhipu"),
    Provider("mcp", "MCP", dialects.ANY, mcp.mcp_tool, mcp.mcp_calls, mcp.mcp_results, name_rule=None),
)  # fmt: skip

PROVIDERS: Final = {provider.name: provider for provider in _ALL}
"""All providers, by name."""
