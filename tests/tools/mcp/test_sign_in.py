"""Signing in at a server in the browser, with an authorization server that really runs."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.tools.mcp.kept_secrets import KeptSecrets
from tools import Executor, ToolRegistry
from tools.errors import SignInError, UnavailableError
from tools.mcp.config import ServerConfig, SignInClient, Transport
from tools.mcp.elicitation import Accepted, Answer, DeclineAll, Declined, UrlElicitation
from tools.mcp.secrets import masked
from tools.mcp.servers import Servers
from tools.mcp.sign_in import sign_in, sign_in_at
from tools.mcp.state import FaultKind, ServerStatus
from tools.mcp.store import ServerStore
from tools.mcp.variables import resolve
from tools.review import AutoApproveHandler

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.expects_log("mcp.client.auth.oauth2")


class Browser(DeclineAll):
    """Open an address as a browser does, which follows where it is sent; or change it before."""

    def __init__(self, answer: Answer | None = None, change: Callable[[str], str] = str, then: str = "") -> None:
        self._then = then
        self._answer = answer or Accepted()
        self._change = change
        self.asked: list[UrlElicitation] = []
        self.shown: list[str] = []

    async def visit(self, question: UrlElicitation) -> Answer:
        self.asked.append(question)
        if isinstance(self._answer, Accepted):
            async with httpx.AsyncClient() as client:
                sent = await client.get(question.url)
                where = sent.headers["location"]
                self.shown.append((await client.get(self._change(where))).text)
                if self._then:
                    await client.get(where.split("?")[0] + self._then)
        return self._answer


class Absent(DeclineAll):
    async def visit(self, question: UrlElicitation) -> Answer:
        return Accepted()


class Signing:
    def __init__(self, folder: Path, address: str) -> None:
        self.address = address
        self.secrets = KeptSecrets()
        self.store = ServerStore(folder / "data", folder / "servers.json", self.secrets)
        self.store.add(ServerConfig(name="x", transport=Transport.HTTP, url=f"{address}/mcp", timeout_s=20))

    def seen(self) -> list[str]:
        found: list[str] = httpx.get(f"{self.address}/seen").json()
        return found

    def servers(self, browser: Browser, registry: ToolRegistry | None = None) -> Servers:
        def filled(config: ServerConfig) -> Any:
            return resolve(config, {}, self.secrets)

        store = self.store
        return Servers(
            ToolRegistry() if registry is None else registry,
            resolve=filled,
            pins=store.pins,
            consents=store.consents,
            questions=browser,
            back_off_s=(),
        )


@pytest.fixture
def lasts_s() -> str:
    return "3600"


@pytest.fixture
def signing(tmp_path: Path, lasts_s: str) -> Iterator[Signing]:
    words = [sys.executable, "-m", "tests.mcp_servers.signing_in", lasts_s]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT) as program:
        try:
            assert program.stdout is not None
            yield Signing(tmp_path, f"http://127.0.0.1:{program.stdout.readline().strip()}")
        finally:
            program.kill()


def test_a_person_signs_in_once_and_is_known_from_then_on(signing: Signing, tmp_path: Path) -> None:
    browser = Browser()

    async def use() -> str:
        registry = ToolRegistry()
        servers = signing.servers(browser, registry)
        executor = Executor(registry, review_handler=AutoApproveHandler())
        try:
            await servers.apply(signing.store.wanted)
            if not signing.store.find("x").signs_in:
                with pytest.raises(UnavailableError):
                    await servers.start("x")
                fault = servers.state("x").fault
                assert fault is not None
                assert fault.kind is FaultKind.SIGN_IN
                # Nobody is asked before they want to sign in.
                assert browser.asked == []
                await sign_in_at("x", servers, signing.store)
            else:
                await servers.start("x")
            return (await executor.execute(executor.create_call("x.whoami", {}))).text
        finally:
            await servers.aclose()
            await executor.aclose()

    assert asyncio.run(use()) == "Ada"
    (asked,) = browser.asked
    assert (asked.server, asked.url.startswith(f"{signing.address}/authorize?")) == ("x", True)
    assert "You are signed in. You can close this page." in browser.shown[0]
    assert signing.seen() == ["register", "authorize", "authorization_code"]
    assert signing.store.find("x").signs_in
    # What was given stands in the keyring and in no file.
    (tokens,) = [kept for name, kept in signing.secrets.items() if name.endswith("/tokens")]
    access = json.loads(tokens)["tokens"]["access_token"]
    assert not any(access in path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file())
    # Another start needs nobody.
    assert asyncio.run(use()) == "Ada"
    assert len(browser.asked) == 1

    signing.store.sign("x", is_signed_in=False)
    assert (signing.secrets, signing.store.find("x").signs_in) == ({}, False)


@pytest.mark.parametrize("lasts_s", ["1"])
def test_a_token_that_ends_is_renewed_without_a_person(signing: Signing) -> None:
    browser = Browser()

    async def use() -> None:
        servers = signing.servers(browser)
        try:
            await servers.apply(signing.store.wanted)
            if not signing.store.find("x").signs_in:
                await sign_in_at("x", servers, signing.store)
            else:
                await servers.start("x")
            assert servers.state("x").status is ServerStatus.CONNECTED
        finally:
            await servers.aclose()

    asyncio.run(use())
    before = signing.seen().count("refresh_token")
    asyncio.run(use())
    assert signing.seen().count("refresh_token") > before
    assert len(browser.asked) == 1


# The SDK logs an answer that is on its way while the connection is given up.
@pytest.mark.expects_log("mcp.client.streamable_http")
async def test_whoever_is_not_known_any_more_is_told_to_sign_in_again(signing: Signing) -> None:
    browser = Browser()
    servers = signing.servers(browser)
    try:
        await servers.apply(signing.store.wanted)
        await sign_in_at("x", servers, signing.store)
        await asyncio.to_thread(httpx.post, f"{signing.address}/revoke")
        with pytest.raises(UnavailableError):
            await servers.restart("x")
        fault = servers.state("x").fault
        assert fault is not None
        assert fault.kind is FaultKind.SIGN_IN
        assert len(browser.asked) == 1
        await sign_in_at("x", servers, signing.store)
        assert servers.state("x").status is ServerStatus.CONNECTED
    finally:
        await servers.aclose()
    assert len(browser.asked) == 2
    # It is known to the server already.
    assert signing.seen().count("register") == 1


def one(signing: Signing, browser: DeclineAll, **more: Any) -> None:
    config = signing.store.find("x")
    target = resolve(config, {}, signing.secrets)
    asyncio.run(sign_in(config, target, signing.secrets, browser, clock=lambda: 0.0, **more))


def test_a_person_who_does_not_open_the_address_is_not_signed_in(signing: Signing) -> None:
    with pytest.raises(SignInError, match="the address was not opened"):
        one(signing, Browser(Declined()))
    assert not [name for name in signing.secrets if name.endswith("/tokens")]


@pytest.mark.parametrize(
    ("change", "problem", "shown"),
    [
        (lambda where: where.replace("state=", "state=other"), "State parameter mismatch", "You are signed in"),
        (
            lambda where: where.split("?")[0] + "?error=access_denied&error_description=<b>No",
            "signing in was refused: <b>No",
            "refused: &lt;b&gt;No.",
        ),
    ],
)
def test_what_comes_back_wrong_signs_nobody_in(
    signing: Signing, change: Callable[[str], str], problem: str, shown: str
) -> None:
    browser = Browser(change=change)
    with pytest.raises(SignInError) as caught:
        one(signing, browser)
    assert problem in str(caught.value)
    assert shown in browser.shown[0]
    assert not [name for name in signing.secrets if name.endswith("/tokens")]


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (lambda where: where.split("?")[0] + "?code=x", "Something is missing here"),
        (lambda where: where.replace("/callback", "/other"), "There is nothing here."),
    ],
)
def test_other_requests_of_the_browser_are_no_answer(
    signing: Signing, change: Callable[[str], str], shown: str
) -> None:
    browser = Browser(change=change, then="?error=access_denied")
    with pytest.raises(SignInError, match="signing in was refused: access_denied"):
        one(signing, browser)
    assert shown in browser.shown[0]


def test_the_time_for_signing_in_ends(signing: Signing) -> None:
    with pytest.raises(SignInError, match=r"nobody signed in at 'x' within 0\.2 s; try again"):
        one(signing, Absent(), timeout_s=0.2)


def test_a_client_that_was_given_out_by_hand_registers_nowhere(signing: Signing) -> None:
    port = _free_port()
    known = httpx.post(f"{signing.address}/register", json={"redirect_uris": [f"http://127.0.0.1:{port}/callback"]})
    client = SignInClient(id=known.json()["client_id"], secret="given-by-hand", port=port)
    kept = signing.store.replace("x", signing.store.find("x").model_copy(update={"client": client}))
    assert kept.client == SignInClient(id=client.id, secret="${keyring:user/x/oauth/clientSecret}", port=port)
    assert masked(signing.store.find("x")) == signing.store.find("x")
    one(signing, Browser())
    assert signing.seen() == ["register", "authorize", "authorization_code"]
    assert signing.secrets["user/x/oauth/clientSecret"] == "given-by-hand"
    assert "user/x/sign-in/client" not in signing.secrets


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
    return found
