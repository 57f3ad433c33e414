"""How each provider is reached: its address, its key, its limit, its figures; and the servers on this computer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.tools.models.servers import sse
from tools.models import Answer, ModelRequest, Usage, UserMessage
from tools.models.providers import MODEL_PROVIDERS, find_local, new_client, reach

if TYPE_CHECKING:
    from collections.abc import Callable

REQUEST = ModelRequest("m", (UserMessage(text="Hi"),), [], max_output_tokens=9)
SAID: dict[str, Any] = {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}
FIGURES = {"prompt_tokens": 7, "completion_tokens": 3}


class Asked:
    """Answer as a server of Chat Completions does, and keep what was asked."""

    def __init__(self, *events: Any) -> None:
        self._events = events
        self.request: httpx.Request | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.request = request
        return httpx.Response(200, content=b"".join(sse(*self._events, "[DONE]")))

    @property
    def body(self) -> Any:
        assert self.request is not None
        return json.loads(self.request.content)


async def answer_of(name: str, asked: Asked, address: str, key: str) -> Answer:
    async with new_client(httpx.MockTransport(asked)) as client:
        provider = reach(MODEL_PROVIDERS[name], client, address, key)
        *_, answer = [delta async for delta in provider.stream(REQUEST)]
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize(
    ("name", "address", "url", "key_header", "limit"),
    [
        ("openai-chat", "", "https://api.openai.com/v1", "authorization", "max_completion_tokens"),
        ("mistral", "", "https://api.mistral.ai/v1", "authorization", "max_tokens"),
        ("groq", "", "https://api.groq.com/openai/v1", "authorization", "max_tokens"),
        ("openrouter", "", "https://openrouter.ai/api/v1", "authorization", "max_tokens"),
        ("huggingface", "", "https://router.huggingface.co/v1", "authorization", "max_tokens"),
        (
            "azure-openai", "https://mine.openai.azure.com/openai/v1", "https://mine.openai.azure.com/openai/v1",
            "api-key", "max_completion_tokens",
        ),
        ("llama.cpp", "", "http://127.0.0.1:8080/v1", "", "max_tokens"),
        ("lm-studio", "", "http://127.0.0.1:1234/v1", "", "max_tokens"),
        ("compatible", "http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1", "", "max_tokens"),
    ],
)  # fmt: skip
async def test_each_gets_its_own_key_at_its_own_address_and_its_limit_by_its_own_name(
    name: str, address: str, url: str, *, key_header: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = MODEL_PROVIDERS[name]
    if known.key_name:
        monkeypatch.setenv(known.key_name, "sk-1")
    asked = Asked(SAID, {"choices": [], "usage": FIGURES})
    answer = await answer_of(name, asked, address, "")
    assert (answer.text, answer.usage) == ("Hello", Usage(input_tokens=7, output_tokens=3))
    assert asked.request is not None
    assert str(asked.request.url) == f"{url}/chat/completions"
    keys = {name: asked.request.headers.get(name) for name in ("authorization", "api-key")}
    expected = dict.fromkeys(keys) | (
        {key_header: "Bearer sk-1" if key_header == "authorization" else "sk-1"} if key_header else {}
    )
    assert keys == expected
    assert asked.body[limit] == 9
    # Who counts unasked refuses to be asked.
    assert ("stream_options" in asked.body) is (name != "mistral")


@pytest.mark.parametrize(
    ("event", "usage"),
    [
        ({"choices": [], "x_groq": {"usage": FIGURES}}, Usage(input_tokens=7, output_tokens=3)),
        ({"choices": [], "usage": {**FIGURES, "cost": 0.25}}, Usage(input_tokens=7, output_tokens=3, cost=0.25)),
        (
            {
                "choices": [],
                "usage": {
                    **FIGURES,
                    "prompt_tokens_details": {"cached_tokens": 5},
                    "completion_tokens_details": {"reasoning_tokens": 2},
                },
            },
            Usage(input_tokens=7, output_tokens=3, cached_tokens=5, thinking_tokens=2),
        ),
        ({"choices": []}, Usage(estimated=True)),
    ],
)
async def test_figures_are_the_providers_own(event: Any, usage: Usage) -> None:
    answer = await answer_of("compatible", Asked(SAID, event), "http://127.0.0.1:8000/v1", "")
    assert answer.usage == usage


def _servers(request: httpx.Request) -> httpx.Response:
    """Be Ollama with two models, a website at the port of llama.cpp, and nothing at that of LM Studio."""
    if request.url.port == 11434:
        return httpx.Response(200, json={"models": [{"name": "qwen3:8b"}, {"name": "llama3.2"}]})
    if request.url.port == 8080:
        return httpx.Response(200, text="<html>a website</html>")
    raise httpx.ConnectError("refused")


def _refused(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


@pytest.mark.parametrize(
    ("answers", "found"),
    [(_servers, [("ollama", ("qwen3:8b", "llama3.2"))]), (_refused, [])],
    ids=["one", "none"],
)
async def test_servers_of_models_on_this_computer_are_found_by_themselves(
    answers: Callable[[httpx.Request], httpx.Response], found: list[tuple[str, tuple[str, ...]]]
) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        assert "authorization" not in request.headers
        return answers(request)

    async with new_client(httpx.MockTransport(answer)) as client:
        local = await find_local(client)
    assert [(one.provider.name, one.models) for one in local] == found
    assert sorted(asked) == [
        "http://127.0.0.1:11434/api/tags",
        "http://127.0.0.1:1234/v1/models",
        "http://127.0.0.1:8080/v1/models",
    ]
