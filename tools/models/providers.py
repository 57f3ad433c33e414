"""Which providers of models there are, and how one is reached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from tools.context import require_api_key
from tools.errors import ModelError, ToolConfigurationError, ToolFailure
from tools.models.anthropic import AnthropicFormat
from tools.models.format import WireFormat
from tools.models.gemini import GeminiFormat
from tools.models.http import HttpProvider
from tools.models.ollama import OllamaFormat
from tools.models.openai_chat import ChatFormat
from tools.models.openai_responses import ResponsesFormat
from tools.network import NetworkTransport
from tools.network_hosts import is_this_computer
from tools.wire import PROVIDERS, Provider

if TYPE_CHECKING:
    import httpx

_LOOK_S: Final = 1.0
"""Seconds that a server on this computer may take to name its models."""

_AZURE: Final = ".azure.com"


class KnownProvider(NamedTuple):
    """A provider of models.

    Attributes:
        name: What it is called on a command line.
        title: What people call it.
        address: Where it is; empty when everybody has an address of their own.
        key_name: The environment variable or entry of the keyring with its key; empty when it needs none.
        format: Makes its format of how it is sent tools.
        wire: The name of how it is sent tools; empty for its own name.
    """

    name: str
    title: str
    address: str
    key_name: str
    format: Callable[[Provider], WireFormat]
    wire: str = ""

    def made_format(self) -> WireFormat:
        return self.format(PROVIDERS[self.wire or self.name])


_OPENAI: Final = "https://api.openai.com/v1"
_NEW_LIMIT: Final = "max_completion_tokens"

_ALL: Final = (
    KnownProvider("openai", "OpenAI (Responses)", _OPENAI, "OPENAI_API_KEY", ResponsesFormat),
    KnownProvider(
        "openai-chat", "OpenAI (Chat Completions)", _OPENAI, "OPENAI_API_KEY", partial(ChatFormat, limit=_NEW_LIMIT)
    ),
    KnownProvider("anthropic", "Anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", AnthropicFormat),
    KnownProvider(
        "gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY", GeminiFormat
    ),
    KnownProvider(
        "azure-openai", "Azure OpenAI", "", "AZURE_OPENAI_API_KEY",
        partial(ChatFormat, limit=_NEW_LIMIT, key_header="api-key"),
    ),
    KnownProvider(
        "mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY",
        partial(ChatFormat, counts_on_demand=False),
    ),
    KnownProvider("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", ChatFormat),
    KnownProvider("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", ChatFormat),
    KnownProvider("huggingface", "Hugging Face", "https://router.huggingface.co/v1", "HF_TOKEN", ChatFormat),
    KnownProvider("ollama", "Ollama", "http://127.0.0.1:11434", "", OllamaFormat),
    KnownProvider("llama.cpp", "llama.cpp", "http://127.0.0.1:8080/v1", "", ChatFormat, wire="huggingface"),
    KnownProvider("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1", "", ChatFormat, wire="huggingface"),
    KnownProvider("compatible", "OpenAI-compatible", "", "", ChatFormat, wire="huggingface"),
)  # fmt: skip

MODEL_PROVIDERS: Final = {provider.name: provider for provider in _ALL}
"""All providers of models, by name."""

LOCAL: Final = ("ollama", "llama.cpp", "lm-studio")
"""Those that answer on this computer."""


class LocalModels(NamedTuple):
    """A server of models that answers on this computer."""

    provider: KnownProvider
    models: tuple[str, ...]


def new_client(transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """Return a client of models; whoever asks closes it. No proxy stands before this computer."""
    import httpx  # noqa: PLC0415 -- takes a tenth of a second

    carrier: Any = transport or NetworkTransport(httpx)
    return httpx.AsyncClient(trust_env=False, transport=carrier, headers={"user-agent": "tool-console"})


def reach(known: KnownProvider, client: httpx.AsyncClient, address: str = "", key_name: str = "") -> HttpProvider:
    """Return a provider at an address, with its key from the environment or the keyring.

    A provider's key goes to its own address alone. Another address gets the key that is named for it, or none.

    Args:
        address: Where it is; empty for its own address.
        key_name: The variable or entry with the key; empty for the provider's own.

    Raises:
        ToolConfigurationError: When the address cannot be used, or the key is missing or could be read on the way.
    """
    where = checked_address(known, address)
    name = key_name or (known.key_name if _is_own(known, where) else "")
    key = ""
    if name:
        try:
            key = require_api_key(name)
        except ToolFailure as error:
            raise ToolConfigurationError(f"{known.title}: {error}") from error
        parts = urlsplit(where)
        if parts.scheme != "https" and not is_this_computer(parts.hostname or ""):
            raise ToolConfigurationError(
                f"the key {name} is not sent to {where}, where everybody on the way reads it; use https"
            )
    return HttpProvider(known.name, known.title, known.made_format(), where, client, key=key, key_name=name)


def checked_address(known: KnownProvider, address: str = "") -> str:
    """Return where a provider is reached.

    Raises:
        ToolConfigurationError: When it has no address, or that is none.
    """
    where = address or known.address
    if not where:
        raise ToolConfigurationError(f"{known.title} has no address of its own; say it, such as https://host/v1")
    parts = urlsplit(where)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ToolConfigurationError(f"expected an address such as https://host/v1, got {where!r}")
    return where


def _is_own(known: KnownProvider, where: str) -> bool:
    host = urlsplit(where).hostname or ""
    if known.address:
        return urlsplit(known.address)[:2] == urlsplit(where)[:2]
    return known.name == "azure-openai" and host.endswith(_AZURE)


async def find_local(client: httpx.AsyncClient) -> tuple[LocalModels, ...]:
    """Return the servers of models that answer on this computer, asked all at once for the names of their models."""
    known = [MODEL_PROVIDERS[name] for name in LOCAL]
    found = await asyncio.gather(*(_models_of(provider, client) for provider in known))
    return tuple(LocalModels(provider, models) for provider, models in zip(known, found, strict=True) if models)


async def _models_of(known: KnownProvider, client: httpx.AsyncClient) -> tuple[str, ...]:
    try:
        async with asyncio.timeout(_LOOK_S):
            return tuple(await reach(known, client).models())
    except (ModelError, TimeoutError):
        return ()
