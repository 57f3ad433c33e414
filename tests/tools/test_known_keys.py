"""Keys of services: which there are, where they come from, and what comes of trying one."""

from __future__ import annotations

import importlib
from pathlib import Path

import httpx
import pytest

import tools.catalog
from tools.catalog._services import Service
from tools.errors import ToolFailure
from tools.known_keys import KNOWN_KEYS, KeyOrigin, states_of, try_key
from tools.models.providers import MODEL_PROVIDERS

KEY = "sk-very-secret-0123456789"


class OwnKeyring:
    def __init__(self, **kept: str) -> None:
        self.kept = kept

    def get(self, name: str) -> str | None:
        return self.kept.get(name)

    def put(self, name: str, value: str) -> None:
        self.kept[name] = value

    def remove(self, name: str) -> None:
        self.kept.pop(name, None)


def test_every_key_of_a_provider_and_of_a_built_in_service_is_known() -> None:
    wanted = {provider.key_name for provider in MODEL_PROVIDERS.values() if provider.key_name}
    for path in Path(tools.catalog.__file__).parent.glob("*.py"):
        if "Service(" in (text := path.read_text("utf-8")) and "ServiceKey" in text:
            module = importlib.import_module(f"tools.catalog.{path.stem}")
            services = [value for value in vars(module).values() if isinstance(value, Service)]
            wanted |= {service.key.variable for service in services if service.key is not None}
    assert {"BRAVE_API_KEY", "STACK_EXCHANGE_KEY", "OPENAI_API_KEY"} <= wanted <= set(KNOWN_KEYS)


def test_the_environment_outweighs_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROQ_API_KEY", "HF_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_TOKEN", KEY)
    states = states_of(("GROQ_API_KEY", "HF_TOKEN", "GITHUB_TOKEN"), OwnKeyring(GROQ_API_KEY=KEY, HF_TOKEN=KEY))
    assert [tuple(state) for state in states] == [
        ("GROQ_API_KEY", KeyOrigin.KEYRING, True),
        ("HF_TOKEN", KeyOrigin.ENVIRONMENT, True),
        ("GITHUB_TOKEN", KeyOrigin.NOWHERE, False),
    ]
    assert KEY not in repr(states)


@pytest.mark.parametrize(
    ("name", "header", "answer", "words"),
    [
        (
            "OPENAI_API_KEY",
            "authorization",
            {"data": [{"id": "a"}, {"id": "b"}]},
            "OpenAI takes the key and names 2 models",
        ),
        ("ANTHROPIC_API_KEY", "x-api-key", {"data": [{"id": "a"}]}, "Anthropic takes the key and names 1 model"),
        ("GITHUB_TOKEN", "authorization", {"login": "me"}, "GitHub takes the key"),
    ],
)
async def test_a_key_that_is_taken_is_told_with_what_came_back(
    monkeypatch: pytest.MonkeyPatch, name: str, header: str, answer: object, words: str
) -> None:
    monkeypatch.setenv(name, KEY)

    def answered(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=answer) if KEY in request.headers[header] else httpx.Response(401)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answered)) as client:
        assert await try_key(KNOWN_KEYS[name], client) == words


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (
            httpx.Response(401, json={"error": {"message": f"Incorrect key {KEY}"}}),
            "does not take the key (401: Incorrect",
        ),
        (httpx.Response(429), "wants fewer requests"),
        (httpx.Response(503, text="<html>down</html>"), "did not say whether it takes the key (503); try again later"),
    ],
)
async def test_a_key_that_is_not_taken_is_told_without_it(
    monkeypatch: pytest.MonkeyPatch, response: httpx.Response, words: str
) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: response)) as client:
        with pytest.raises(ToolFailure) as refused:
            await try_key(KNOWN_KEYS["MISTRAL_API_KEY"], client)
    assert words in str(refused.value)
    assert KEY not in str(refused.value)


async def test_a_service_that_cannot_be_reached_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPAPI_API_KEY", KEY)

    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"no route to {request.url}")

    async with httpx.AsyncClient(transport=httpx.MockTransport(broken)) as client:
        with pytest.raises(ToolFailure, match="SerpAPI could not be asked: no route to https") as refused:
            await try_key(KNOWN_KEYS["SERPAPI_API_KEY"], client)
    assert KEY not in str(refused.value)
