"""Probes of the built-in tools: made only when a person asks, without harm, and true."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import executor_for
from tests.tools.catalog.mail_servers import PASSWORD, USER, imap_server, smtp_server
from tests.tools.catalog.services import Authority, FakeServices
from tools.catalog import builtin_tools, declared_tools
from tools.catalog._lazy_tool import LazyTool
from tools.catalog.forges import Forges
from tools.catalog.git import Git
from tools.catalog.mail import Mail
from tools.catalog.media import Media
from tools.catalog.search import Search
from tools.health import CheckOutcome, HealthChecks, ToolHealthRegistry
from tools.registry import ToolRegistry

# aiosmtpd warns of a field of its own.
pytestmark = pytest.mark.expects_log("mail.log")

CONNECTIONS_ARE_ARGUMENTS = {"Databases"}
POSTS = {"Messaging"}
"""Toolkits without a probe: which database is meant, a call says; and a post to a channel is no harmless question."""


def probed(kit: object, name: str, folder: Path) -> tuple[CheckOutcome, str]:
    executor = executor_for(kit, folder)
    try:
        checks = HealthChecks(executor, ToolHealthRegistry(executor.metrics))
        (check,) = asyncio.run(checks.check_now([name]))
    finally:
        executor.close()
    return check.outcome, check.message


def set_up(patch: pytest.MonkeyPatch, protocol: str, port: int, password: str = PASSWORD) -> None:
    values = {"HOST": "localhost", "PORT": str(port), "SECURITY": "starttls", "USER": USER, "PASSWORD": password}
    for name, value in values.items():
        patch.setenv(f"{protocol}_{name}", value)


def test_what_works_with_something_outside_has_a_probe_which_nobody_makes_unasked() -> None:
    for tool in declared_tools():
        if tool.spec.needs and tool.toolkit not in CONNECTIONS_ARE_ARGUMENTS | POSTS:
            assert tool.probe is not None, tool.name
        assert tool.probe is None or tool.probe.on_request, tool.name


def test_a_round_of_probes_asks_no_built_in_tool_and_imports_none(tmp_path: Path) -> None:
    executor = executor_for(Git(), tmp_path)
    try:
        tools = [LazyTool(tool.card, "", lambda: pytest.fail("imported")) for tool in builtin_tools()]
        executor.registry = ToolRegistry(tools)
        checks = HealthChecks(executor, ToolHealthRegistry(executor.metrics))
        assert checks.checkable() == checks.checkable(on_request=True) == ()
    finally:
        executor.close()


def test_git_is_asked_for_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert probed(Git(), "git_log", tmp_path) == (CheckOutcome.PASSED, "")
    monkeypatch.setenv("PATH", str(tmp_path))
    outcome, message = probed(Git(), "git_log", tmp_path)
    assert (outcome, "'git' is not installed" in message) == (CheckOutcome.FAILED, True)


def test_a_program_that_does_not_run_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ffprobe"
    program.write_text("#!/bin/sh\nexit 3\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    outcome, message = probed(Media(), "media_info", tmp_path)

    assert (outcome, "it ended with code 3" in message) == (CheckOutcome.FAILED, True)


def test_the_probe_of_sending_signs_in_and_sends_nothing(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = Mail(authority.trust())
    with smtp_server(authority, "starttls") as taken:
        set_up(monkeypatch, "SMTP", taken.port)
        assert probed(mail, "send_email", tmp_path) == (CheckOutcome.PASSED, "")
        set_up(monkeypatch, "SMTP", taken.port, "wrong")
        outcome, message = probed(mail, "send_email", tmp_path)
    assert outcome is CheckOutcome.FAILED
    assert "wrong" not in message
    assert taken.messages == []


def test_the_probe_of_a_mailbox_signs_in(authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mail = Mail(authority.trust())
    with imap_server(authority) as server:
        set_up(monkeypatch, "IMAP", server.port)
        assert probed(mail, "read_mail", tmp_path) == (CheckOutcome.PASSED, "")
        set_up(monkeypatch, "IMAP", server.port, "wrong")
        assert probed(mail, "read_mail", tmp_path)[0] is CheckOutcome.FAILED


def test_a_search_provider_is_asked_with_its_key(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "sesame-0123456789")
    found: dict[str, Any] = {"web": {"results": [{"title": "SQLite", "url": "https://sqlite.org", "description": "x"}]}}
    others.answers("https://api.search.brave.com/res/v1/web/search", found)
    assert probed(Search(others.services), "web_search", tmp_path) == (CheckOutcome.PASSED, "")

    others.answers("https://api.search.brave.com/res/v1/web/search", {"error": "no"}, status=401)
    outcome, message = probed(Search(others.services), "web_search", tmp_path)
    assert (outcome, "Brave" in message) == (CheckOutcome.FAILED, True)


def test_github_is_asked_for_a_repository(others: FakeServices, tmp_path: Path) -> None:
    others.answers("https://api.github.com/search/repositories", {"total_count": 0, "items": []})

    assert probed(Forges(others.services), "create_issue", tmp_path) == (CheckOutcome.PASSED, "")
