"""What an entry leaves to be filled in: recognised, asked for once each, and kept apart from the entry."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.mcp.config import ServerConfig, Transport
from tools.mcp.pasted import read_paste
from tools.mcp.placeholders import blanks_of, filled_in


def entry(env: str = "", *args: str, name: str = "API_KEY") -> ServerConfig:
    return ServerConfig(name="x", transport=Transport.STDIO, command="run", args=args, env={name: env} if env else {})


def far(url: str = "https://example.org/mcp", **headers: str) -> ServerConfig:
    return ServerConfig(name="x", transport=Transport.HTTP, url=url, headers=headers)


@pytest.mark.parametrize(
    "written",
    [
        "<YOUR_KEY>",
        "<your-api-key>",
        "your-api-key-here",
        "YOUR_API_KEY",
        "your_token",
        "sk-your-key",
        "ghp_your_token_here",
        "{{API_KEY}}",
        "[YOUR API KEY]",
        "{your-key}",
        "xxxxxxxx",
        "sk-xxxxxxxxxxxx",
        "xoxb-...",
        "...",
        "\u2026",
        "****",
        "changeme",
        "REPLACE_ME",
        "TODO",
        "insert-your-key-here",
        "enter_api_key",
        "api_key_here",
        "${input:key}",
        "api-key",
    ],
)
def test_what_stands_for_a_secret_is_asked_for_and_kept_as_one(written: str) -> None:
    (blank,) = blanks_of(entry(written))
    assert (blank.where, blank.name, blank.is_secret, blank.is_needed) == ("env/API_KEY", "API_KEY", True, True)
    held: dict[str, str] = {}

    def hold(where: str, value: str) -> str:
        held[where] = value
        return "${keyring:user/x/env/API_KEY}"

    config = filled_in(entry(written), {"env/API_KEY": "s3cret"}, hold)
    assert held == {"env/API_KEY": "s3cret"}
    assert "s3cret" not in config.model_dump_json()
    assert "${keyring:user/x/env/API_KEY}" in config.env["API_KEY"]
    assert blanks_of(config) == ()


def test_a_variable_is_asked_for_and_may_stay_what_it_is_here() -> None:
    (blank,) = blanks_of(entry("${API_KEY}"))
    assert (blank.variable, blank.is_needed, blank.is_secret) == ("API_KEY", False, True)
    assert filled_in(entry("${API_KEY}"), {"env/API_KEY": ""}, lambda _, value: value) == entry("${API_KEY}")


def test_an_empty_secret_is_asked_for_and_may_stay_empty() -> None:
    config = ServerConfig(name="x", transport=Transport.STDIO, command="run", env={"API_KEY": "", "LEVEL": ""})
    (blank,) = blanks_of(config)
    assert (blank.where, blank.is_needed) == ("env/API_KEY", False)


@pytest.mark.parametrize(
    ("args", "asked"),
    [
        (("--token", "<TOKEN>"), [("args/1", "token", True)]),
        (("--api-key=YOUR_API_KEY",), [("args/0", "api-key", True)]),
        (("-e", "KEY=<value>"), [("args/1", "KEY", True)]),
        (("/path/to/your/folder",), [("args/0", "path", False)]),
        (("C:\\path\\to\\files",), [("args/0", "path", False)]),
        (("/Users/username/Desktop",), [("args/0", "path", False)]),
        (
            ("--db", "postgres://<user>:<password>@<host>/db"),
            [("args/1", "db", False), ("args/1#2", "password", True), ("args/1#3", "host", False)],
        ),
        (("--region", "<region>"), [("args/1", "region", False)]),
    ],
)
def test_arguments_are_asked_for_by_their_options(args: tuple[str, ...], asked: list[tuple[str, str, bool]]) -> None:
    found = blanks_of(entry("", *args))
    assert [(blank.where, blank.name, blank.is_secret) for blank in found] == asked
    answers = {blank.where: f"answer {place}" for place, blank in enumerate(found)}
    filled = filled_in(entry("", *args), answers, lambda _, value: value)
    assert all(answer in " ".join(filled.args) for answer in answers.values())
    assert blanks_of(filled) == ()


def test_headers_and_addresses_are_asked_for() -> None:
    (blank,) = blanks_of(far(Authorization="Bearer <YOUR_TOKEN>"))
    assert (blank.where, blank.is_secret) == ("headers/Authorization", True)
    filled = filled_in(far(Authorization="Bearer <YOUR_TOKEN>"), {blank.where: "abc"}, lambda _, value: value)
    assert filled.headers == {"Authorization": "Bearer abc"}
    (blank,) = blanks_of(far("https://example.org/<tenant>/mcp"))
    assert (blank.where, blank.name) == ("url", "tenant")


@pytest.mark.parametrize(
    "config",
    [
        entry("${env:API_KEY}"),
        entry("${API_KEY:-none}"),
        entry("${keyring:user/x/env/API_KEY}"),
        entry("abc123"),
        entry("", "-y", "@scope/server@1.2.3"),
        entry("", "--root", "."),
        entry("", "${workspaceFolder}/data", "${HOME}"),
        entry("", "--format", "{{.Names}}"),
        far("https://mcp.example.org/v1/mcp"),
        entry("", "stdio", "--verbose"),
    ],
)
def test_what_is_written_out_is_not_asked_for(config: ServerConfig) -> None:
    assert blanks_of(config) == ()


@given(
    st.lists(
        st.text(max_size=40) | st.sampled_from(["<a>", "your-", "x" * 50, "{{a}}", "${A}", "[your x]"]), max_size=4
    )
)
@settings(max_examples=300, deadline=None)
def test_answers_take_the_place_of_what_was_left_open_and_of_nothing_else(args: list[str]) -> None:
    config = entry("", *args)
    blanks = blanks_of(config)
    assert len({blank.where for blank in blanks}) == len(blanks)
    assert filled_in(config, {blank.where: blank.written for blank in blanks}, lambda _, value: value) == config
    untouched = {int(blank.where.removeprefix("args/").partition("#")[0]) for blank in blanks}
    filled = filled_in(config, {blank.where: "A" for blank in blanks}, lambda _, value: value)
    kept = [place for place in range(len(args)) if place not in untouched]
    assert [filled.args[place] for place in kept] == [args[place] for place in kept]


def test_a_readme_asks_for_its_key_once() -> None:
    (config,) = read_paste("docker run -i --rm -e TOKEN=<YOUR_TOKEN> acme/notes").servers
    assert [blank.name for blank in blanks_of(config)] == ["TOKEN"]
