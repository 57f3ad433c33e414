from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import keyring
import keyring.errors
import pytest

from tests.tools.running import execute, run
from tools import AbstractTool, Configurator, ToolContext, ToolFailure, tool
from tools.http import KEPT_ALIVE, KEPT_ALIVE_S, HttpClients
from tools.policy import Autonomy, Policy

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


def answer(request: httpx.Request) -> httpx.Response:
    if request.url.path == "/missing":
        return httpx.Response(404)
    body = request.content.decode()
    kind = request.headers.get("content-type", "")
    return httpx.Response(200, text=f"{request.method} {request.url.path}?{request.url.query.decode()} {kind} {body}")


@pytest.fixture
def http() -> HttpClients:
    return HttpClients(httpx.MockTransport(answer), httpx.MockTransport(answer))


@tool(name="weather_lookup", description="Get the weather of a city", category="data", latency="medium")
class Weather(AbstractTool):
    def do_execute(self, query: str) -> str:
        key = self.require_api_key("WEATHER_API_KEY")
        return self.http_get(f"https://api.example.org/current?q={quote(query)}&key={key}")


class Poster(AbstractTool):
    """Post."""

    def do_execute(self, how: str) -> str:
        if how == "json":
            return self.http_post_json("https://example.org/json", {"when": date(2026, 1, 2)})
        if how == "form":
            return self.http_post_form("https://example.org/form", {"a": "1 2"})
        return self.http_get("https://example.org/missing")


async def test_a_context_is_gone_with_its_call_and_leaves_the_collector_nothing(executor_of: ExecutorOf) -> None:
    seen: list[weakref.ref[Any]] = []

    @tool
    async def look(*, ctx: ToolContext) -> str:
        """Look at the context."""
        seen.append(weakref.ref(ctx))
        return "looked"

    executor = executor_of(look, policy=Policy(autonomy=Autonomy.FULL_AUTO))
    gc.disable()
    try:
        call = executor.create_call("look", {})
        seen.append(weakref.ref(call))
        response = await executor.execute(call)
        assert response.result == "looked"
        del call
        assert [ref() for ref in seen] == [None, None]
    finally:
        gc.enable()


class TestHttp:
    @pytest.mark.reference("A15", "A44", "A16")
    def test_a_tool_that_calls_a_service_has_what_it_needs(
        self, executor_of: ExecutorOf, http: HttpClients, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        executor = executor_of(Weather, http=http)
        assert executor.run("weather_lookup", "Bern").text.startswith("Error: the API key 'WEATHER_API_KEY' is missing")
        monkeypatch.setenv("WEATHER_API_KEY", "k")
        assert executor.run("weather_lookup", "La Paz").text.startswith("GET /current?q=La%20Paz&key=k")

    @pytest.mark.reference("A45", "A46")
    def test_json_and_forms_are_posted_and_bad_answers_are_failures(
        self, executor_of: ExecutorOf, http: HttpClients
    ) -> None:
        executor = executor_of(Poster, http=http)
        assert executor.run("poster", "json").text == 'POST /json? application/json {"when":"2026-01-02"}'
        assert executor.run("poster", "form").text == "POST /form? application/x-www-form-urlencoded a=1+2"
        assert executor.run("poster", "x").text == "Error: GET https://example.org/missing answered 404 Not Found"

    @pytest.mark.reference("A52")
    def test_all_tools_share_one_pool_of_five_connections_for_five_minutes(
        self, executor_of: ExecutorOf, http: HttpClients
    ) -> None:
        seen: list[Any] = []

        @tool
        def sync_tool(ctx: ToolContext) -> None:
            seen.append(ctx.blocking_http)

        @tool
        async def async_tool(ctx: ToolContext) -> str:
            seen.append(ctx.http)
            return (await ctx.http.get("https://example.org/a")).text

        async def work() -> None:
            executor = executor_of(sync_tool, async_tool, http=http)
            for name in ("sync_tool", "async_tool", "sync_tool", "async_tool"):
                await execute(executor, name)

        run(work())
        assert seen[0] is seen[2]
        assert seen[1] is seen[3]
        assert (KEPT_ALIVE, KEPT_ALIVE_S) == (5, 300)
        real = HttpClients()
        carrier: Any = real.blocking._transport
        pool = carrier._transports.carrying(httpx.Request("GET", "https://127.0.0.1/"))._pool
        assert (pool._max_keepalive_connections, pool._keepalive_expiry) == (5, 300)
        assert real.blocking.headers["user-agent"] == "tool-console"
        run(real.aclose())

    def test_threads_that_come_first_together_still_share_it(self, http: HttpClients) -> None:
        barrier = threading.Barrier(8)

        def client() -> httpx.Client:
            barrier.wait()
            return http.blocking

        with ThreadPoolExecutor(8) as pool:
            clients = [job.result() for job in [pool.submit(client) for _ in range(8)]]
        assert len({id(item) for item in clients}) == 1
        run(http.aclose())
        assert clients[0].is_closed
        run(http.aclose())

    def test_a_class_tool_works_by_hand_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            "tools.declare.abstract.new_blocking_client", lambda: httpx.Client(transport=httpx.MockTransport(answer))
        )
        assert Poster().do_execute("json").startswith("POST /json")
        assert Poster().context is None


class TestSecrets:
    @pytest.mark.reference("A16")
    def test_a_key_comes_from_the_environment_then_the_keyring(
        self, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        @tool
        def need(ctx: ToolContext) -> str:
            return ctx.require_api_key("SOME_KEY")

        stored: dict[tuple[str, str], str] = {("tool-console", "SOME_KEY"): "from keyring"}
        monkeypatch.setattr(keyring, "get_password", lambda service, name: stored.get((service, name)))
        executor = executor_of(need)
        assert executor.run("need", {}).text == "from keyring"
        monkeypatch.setenv("SOME_KEY", "from environment")
        assert executor.run("need", {}).text == "from environment"

    @pytest.mark.reference("A16")
    def test_without_any_keyring_the_message_still_names_the_variable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(service: str, name: str) -> str:
            raise keyring.errors.NoKeyringError

        monkeypatch.setattr(keyring, "get_password", broken)
        monkeypatch.setenv("SOME_KEY", "")
        with pytest.raises(ToolFailure, match="set the environment variable SOME_KEY, or store it in the keyring"):
            AbstractTool.require_api_key("SOME_KEY")


@dataclass
class Hit:
    name: str


class TestUtilities:
    @pytest.mark.reference("A47")
    def test_json_is_parsed_and_an_error_says_where(self) -> None:
        assert AbstractTool.parse_json('{"a": [1]}') == {"a": [1]}
        with pytest.raises(ToolFailure, match="not valid JSON at line 2, column 3"):
            AbstractTool.parse_json("{\n  x}")

    @pytest.mark.reference("A48")
    def test_values_are_written_as_json(self) -> None:
        assert AbstractTool.to_json({"a": date(2026, 1, 2), "b": Hit("ü")}) == '{"a":"2026-01-02","b":{"name":"ü"}}'

    @pytest.mark.reference("A49")
    @pytest.mark.parametrize("value", [None, "", " \n"])
    def test_an_empty_value_fails_with_the_name_of_the_field(self, value: str | None) -> None:
        assert AbstractTool.require_non_empty("x", "city") == "x"
        with pytest.raises(ToolFailure, match="city must not be empty"):
            AbstractTool.require_non_empty(value, "city")

    @pytest.mark.reference("A50")
    @pytest.mark.parametrize(
        ("html", "text"),
        [
            ("<p>Hello <b>you</b>!</p><script>bad()</script><style>p{}</style>", "Hello you !"),
            ("a &amp; b<br>c", "a & b c"),
            ("", ""),
            ("<!-- nothing -->", ""),
            ("no tags < at all", "no tags < at all"),
        ],
    )
    def test_html_is_reduced_to_its_text(self, html: str, text: str) -> None:
        assert AbstractTool.clean_html(html) == text

    @pytest.mark.reference("A51")
    def test_long_text_is_cut_with_an_ellipsis(self) -> None:
        assert AbstractTool.truncate("hello", 5) == "hello"
        assert AbstractTool.truncate("hello!", 5) == "hell…"
        assert AbstractTool.truncate("hello", 1) == "…"
        with pytest.raises(ValueError, match="at least 1"):
            AbstractTool.truncate("x", 0)


def test_settings_are_a_mapping_of_texts() -> None:
    config = Configurator({"a": "1"})
    assert (dict(config), len(config), config.get("b")) == ({"a": "1"}, 1, None)
    with pytest.raises(KeyError):
        config["b"]
    assert len(Configurator()) == 0
