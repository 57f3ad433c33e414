"""Secrets of servers: found in entries, kept in the keyring, given to nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.memory_keyring import memory_keyring
from tests.tools.mcp.kept_secrets import KeptSecrets
from tools.errors import ServerConfigError, VaultError
from tools.keyring_secrets import KeyringSecrets
from tools.mcp.config import ConfigScope, Origin, ServerConfig, Transport
from tools.mcp.secrets import is_secret_name, looks_secret, masked, move_secrets, references, written_secrets
from tools.mcp.store import ServerStore
from tools.mcp.variables import resolve, variables_of


def stdio(*args: str, **more: Any) -> ServerConfig:
    return ServerConfig(name="x", transport=Transport.STDIO, command="server", args=args, **more)


def project(*args: str, **more: Any) -> ServerConfig:
    origin = Origin(place=ConfigScope.PROJECT, path=Path("/p/.tool-console/servers.json"), project_dir=Path("/p"))
    return stdio(*args, origin=origin, **more)


@pytest.mark.parametrize(
    "name", ["API_KEY", "GITHUB_PERSONAL_ACCESS_TOKEN", "PGPASSWORD", "X-Api-Key", "Authorization", "--token", "apiKey"]
)
def test_names_that_say_that_something_is_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["PORT", "MAX_TOKENS", "KEYBOARD", "AUTH_MODE", "API_KEY_FILE", "TOKENIZER", "", "-"])
def test_names_that_do_not(name: str) -> None:
    assert not is_secret_name(name)


def test_well_known_tokens_are_known_by_their_form() -> None:
    for text in (
        "sk-proj-abcdefghijklmnop1234",
        "ghp_" + "a" * 36,
        "AKIA" + "A" * 16,
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
    ):
        assert looks_secret(text)
    for text in ("sk-short", "task-list-of-a-project-that-is-long", "hello", "/usr/share"):
        assert not looks_secret(text)


def test_secrets_are_found_wherever_they_are_written_out() -> None:
    config = stdio(
        *("-e", "GITHUB_TOKEN=abc", "--api-key", "def", "--port", "3", "--db=postgres://u:ghi@h/d", "plain"),
        env={"A_KEY": "jkl", "URL": "https://u:mno@h/?q=1", "REF": "${env:TOKEN}", "SECRET": "${env:SECRET}"},
    )
    assert {place.where: place.value for place in written_secrets(config)} == {
        "env/A_KEY": "jkl",
        "env/URL": "mno",
        "args/1": "abc",
        "args/3": "def",
        "args/6": "ghi",
    }
    shown = masked(config).model_dump_json()
    assert not any(secret in shown for secret in ("abc", "def", "ghi", "jkl", "mno"))


def test_a_moved_entry_means_the_same() -> None:
    secrets = KeptSecrets()
    config = ServerConfig(
        name="x",
        transport=Transport.HTTP,
        url="https://h/mcp?token=abc&q=a",
        headers={"Authorization": "Bearer def", "X-Plain": "ghi"},
    )
    moved = move_secrets(config, secrets)
    assert sorted(secrets.values()) == ["abc", "def"]
    assert written_secrets(moved) == ()
    assert move_secrets(moved, secrets) == moved
    target = resolve(moved, {}, secrets)
    assert (target.url, target.headers) == (config.url, config.headers)
    assert target.secrets >= {"abc", "def"}


def test_a_secret_that_changed_its_place_is_not_written_over() -> None:
    secrets = KeptSecrets()
    first = move_secrets(stdio("--token", "one"), secrets)
    both = move_secrets(first.model_copy(update={"args": ("--port", "--token", "two", first.args[1])}), secrets)
    second = move_secrets(both.model_copy(update={"args": ("--token", "three", *both.args)}), secrets)
    assert resolve(second, {}, secrets).argv == ("server", "--token", "three", "--port", "--token", "two", "one")


def test_the_keyring_forgets_what_no_entry_refers_to_any_more(tmp_path: Path) -> None:
    secrets = KeptSecrets()
    store = ServerStore(tmp_path / "data", tmp_path / "servers.json", secrets)
    kept = store.add(stdio("--token", "one", env={"API_KEY": "two"}))
    assert sorted(secrets.values()) == ["one", "two"]
    renamed = store.replace("x", kept.model_copy(update={"name": "y", "args": ()}))
    assert secrets == {"user/x/env/API_KEY": "two"}
    assert (store.consents.of(kept), store.consents.may_start(renamed)) == (None, True)
    both = store.add(stdio(env={"API_KEY": renamed.env["API_KEY"]}))
    store.remove("y")
    assert secrets == {"user/x/env/API_KEY": "two"}
    store.replace("x", both.model_copy(update={"env": {"API_KEY": "three"}}))
    assert secrets == {"user/x/env/API_KEY": "three"}
    store.remove("x")
    assert secrets == {}


def test_variables_are_filled_in() -> None:
    config = stdio("${A}", "${env:A}-${B:-b}", "${env:EMPTY:-e}", "$A", "${workspaceFolder}/x", cwd="sub")
    target = resolve(config, {"A": "a", "EMPTY": ""}, KeptSecrets(), Path("/w"))
    assert target.argv == ("server", "a", "a-b", "e", "$A", "/w/x")
    assert target.cwd == Path("/w/sub")
    assert variables_of(config) == ("A", "env:A", "B:-b", "env:EMPTY:-e", "workspaceFolder")
    assert resolve(stdio(cwd="${userHome}"), {}, KeptSecrets()).cwd == Path.home()
    # A value is put in as it is, never read again.
    assert resolve(stdio("${A}"), {"A": "${B}"}, KeptSecrets()).argv == ("server", "${B}")


def test_everything_that_is_missing_is_named_at_once() -> None:
    config = stdio("${A}", "${env:B}", "${keyring:user/x/c}", "${input:d}", "${oh no}")
    with pytest.raises(ServerConfigError) as caught:
        resolve(config, {}, KeptSecrets())
    assert str(caught.value) == (
        "the server 'x' cannot start: the environment variable A is not set (set it before the start);"
        " the environment variable B is not set (set it before the start);"
        " the keyring has no secret 'user/x/c' (enter it again);"
        " ${input:d} asks for a value in another program (write the value, or ${NAME}, ${env:NAME}, ${keyring:NAME},"
        " ${workspaceFolder} or ${userHome}, in its place);"
        " ${oh no} is no variable (expected ${NAME}, ${env:NAME}, ${keyring:NAME}, ${workspaceFolder} or ${userHome})"
    )


def test_values_with_secret_names_are_hidden_wherever_they_come_from() -> None:
    config = stdio("${MY_TOKEN}", "${HOST}", env={"API_KEY": "${X}", "PASSWORD": "a"})
    target = resolve(config, {"MY_TOKEN": "token-value", "HOST": "example.org", "X": "key-value"}, KeptSecrets())
    assert target.secrets == {"token-value", "key-value"}


def test_a_projects_file_is_given_no_secret_but_its_own() -> None:
    secrets = KeptSecrets({"user/github/env/TOKEN": "mine", "project:/p/x/a": "its"})
    assert resolve(project("${keyring:project:/p/x/a}"), {}, secrets).argv == ("server", "its")
    for name in ("user/github/env/TOKEN", "project:/p/other/a", "project:/q/x/a", "project:/p/x"):
        with pytest.raises(ServerConfigError, match="is not this server's"):
            resolve(project(f"${{keyring:{name}}}"), {}, KeptSecrets(secrets, **{name: "s"}))
    with pytest.raises(ServerConfigError, match="is not this server's"):
        resolve(stdio("${keyring:user/x/sign-in/tokens}"), {}, KeptSecrets({"user/x/sign-in/tokens": "t"}))
    assert references(project("${keyring:a}", "${keyring:b}${keyring:a}")) == ("a", "b")


def test_the_systems_keyring_keeps_them_and_one_that_keeps_nothing_is_told() -> None:
    secrets = KeyringSecrets("test")
    with memory_keyring() as ring:
        secrets.put("user/x/env/A", "abc")
        assert ring.kept == {("test", "user/x/env/A"): "abc"}
        assert secrets.get("user/x/env/A") == "abc"
        secrets.remove("user/x/env/A")
        secrets.remove("user/x/env/A")
        assert secrets.get("user/x/env/A") is None
    with pytest.raises(VaultError, match=r"keeps nothing; install a keyring, or refer"):
        secrets.put("user/x/env/A", "abc")
