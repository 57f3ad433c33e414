from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tools.errors import GatewayError
from tools.gateway.agents import AGENTS_FILE, Agents

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def agents(tmp_path: Path) -> Agents:
    return Agents(tmp_path / AGENTS_FILE)


def test_an_agent_is_known_by_its_token_and_by_no_other(agents: Agents) -> None:
    added = agents.add("claude")
    agents.add("cursor")
    assert agents.with_token(added.token) == added.agent
    assert agents.with_token(added.token[:-1]) is None
    assert agents.with_token("") is None


def test_the_token_itself_is_kept_nowhere(agents: Agents, tmp_path: Path) -> None:
    added = agents.add("claude")
    kept = (tmp_path / AGENTS_FILE).read_text(encoding="utf-8")
    assert added.token not in kept
    assert added.token.endswith(added.agent.token_hint)


def test_a_token_ends_when_it_was_to(agents: Agents) -> None:
    added = agents.add("claude", valid_for=timedelta(days=1), now=NOW)
    assert agents.with_token(added.token, NOW + timedelta(hours=23)) is not None
    assert agents.with_token(added.token, NOW + timedelta(days=1)) is None


def test_a_renewed_token_ends_the_former_one(agents: Agents) -> None:
    former = agents.add("claude", ["read_*"])
    renewed = agents.renew("claude")
    assert agents.with_token(former.token) is None
    found = agents.with_token(renewed.token)
    assert found is not None
    assert found.tools == ("read_*",)


def test_a_blocked_agent_is_refused_until_it_is_unblocked(agents: Agents) -> None:
    added = agents.add("claude")
    agents.block("claude")
    assert agents.with_token(added.token) is None
    agents.block("claude", blocked=False)
    assert agents.with_token(added.token) is not None


def test_a_removed_agent_is_nobody(agents: Agents) -> None:
    added = agents.add("claude")
    agents.remove("claude")
    assert agents.with_token(added.token) is None
    assert agents.all() == ()


def test_an_agent_sees_the_tools_whose_names_fit(agents: Agents) -> None:
    agent = agents.add("claude", ["read_*", "github.*"]).agent
    assert [name for name in ("read_file", "github.push", "delete_file", "READ_FILE") if agent.sees(name)] == [
        "read_file",
        "github.push",
    ]


@pytest.mark.parametrize("name", ["", "two words", "a" * 41, "-x", "ä", "a/b"])
def test_a_name_that_cannot_be_one_is_refused(agents: Agents, name: str) -> None:
    with pytest.raises(GatewayError, match="expected a name of letters"):
        agents.add(name)


def test_a_taken_name_and_an_unknown_one_are_told(agents: Agents) -> None:
    agents.add("claude")
    with pytest.raises(GatewayError, match="there is an agent 'claude' already"):
        agents.add("claude")
    with pytest.raises(GatewayError, match="no agent is called 'codex'; there are: claude"):
        agents.renew("codex")


def test_another_program_s_change_counts_at_once(agents: Agents, tmp_path: Path) -> None:
    added = agents.add("claude")
    Agents(tmp_path / AGENTS_FILE).block("claude")
    assert agents.with_token(added.token) is None


def test_a_damaged_file_lets_nobody_in_and_says_why(agents: Agents, tmp_path: Path) -> None:
    added = agents.add("claude")
    (tmp_path / AGENTS_FILE).write_text(json.dumps({"agents": {"claude": {}}}), encoding="utf-8")
    with pytest.raises(GatewayError, match=r"agents\.json cannot be read"):
        agents.with_token(added.token)
