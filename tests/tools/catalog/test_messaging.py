"""Posts to webhooks, as the services document them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tests.tools.catalog.services import FakeServices
from tools import CallStatus, DryRun, ExitEarly, resolve_tools
from tools.catalog.messaging import Messaging

SECRET = "T00/B00/sesame0123456789"
ADDRESS = f"https://hooks.lamp.example/services/{SECRET}"
CARD = {
    "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
    "type": "AdaptiveCard",
    "version": "1.4",
    "body": [
        {"type": "TextBlock", "text": "Build", "weight": "Bolder", "wrap": True},
        {"type": "TextBlock", "text": "Green.", "wrap": True},
    ],
}
PAYLOADS: dict[str, Any] = {
    "slack": {"text": "*Build*\nGreen."},
    "discord": {"content": "**Build**\nGreen.", "allowed_mentions": {"parse": []}},
    "mattermost": {"text": "**Build**\nGreen."},
    "teams": {
        "type": "message",
        "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": CARD}],
    },
}


@pytest.mark.parametrize("service", list(PAYLOADS))
def test_a_post_is_asked_about_and_written_as_its_service_reads_it(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, service: str
) -> None:
    monkeypatch.setenv(f"{service.upper()}_WEBHOOK_URL_BUILDS", ADDRESS)
    others.answers(ADDRESS, "ok")
    arguments = {"service": service, "text": "Green.", "title": "Build", "target": "builds"}
    messaging = Messaging(others.services)
    assert call(messaging, "post_to_webhook", arguments, tmp_path, Reviewer(ExitEarly())).status is CallStatus.DENIED
    assert others.server.seen == []

    reviewer = Reviewer()
    posted = result_of(messaging, "post_to_webhook", arguments, tmp_path, reviewer)

    assert reviewer.kinds == ["confirmation", "sends_data"]
    assert SECRET not in str(reviewer.requests)
    assert (posted.host, posted.status, posted.answer) == ("hooks.lamp.example", 200, "ok")
    assert json.loads(others.last.body) == PAYLOADS[service]


def test_a_generic_post_is_signed(others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = b"0123456789abcdef"
    monkeypatch.setenv("WEBHOOK_URL", ADDRESS)
    monkeypatch.setenv("WEBHOOK_SECRET", f"whsec_{base64.b64encode(key).decode()}")
    others.answers(ADDRESS, "", status=204)

    arguments = {"service": "generic", "text": "Lämpe", "data": {"run": 7}}
    result_of(Messaging(others.services), "post_to_webhook", arguments, tmp_path, Reviewer())

    headers = others.last.headers
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + others.last.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert json.loads(others.last.body) == {"title": "", "text": "Lämpe", "data": {"run": 7}}


@pytest.mark.parametrize(("status", "words"), [(404, "has nothing at"), (400, "refused"), (500, "is out of order")])
def test_a_refusal_never_shows_where_the_webhook_leads(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, words: str
) -> None:
    monkeypatch.setenv("SLACK_WEBHOOK_URL", ADDRESS)
    others.answers(ADDRESS, f"no_service for {SECRET}", status=status)

    arguments = {"service": "slack", "text": "x"}
    message = failure_of(Messaging(others.services), "post_to_webhook", arguments, tmp_path, Reviewer())

    assert words in message
    assert "sesame" not in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"service": "teams", "text": "x"}, "set the environment variable TEAMS_WEBHOOK_URL"),
        ({"service": "slack", "text": "x", "target": "bad"}, "expected an address such as"),
        ({"service": "slack"}, "got nothing; give text"),
        ({"service": "slack", "text": "x", "data": 1}, "data is for generic webhooks only"),
        ({"service": "discord", "text": "x" * 2001}, "discord takes at most 2,000 characters, got 2,001"),
    ],
)
def test_what_cannot_be_posted_is_told(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], message: str
) -> None:
    for service in ("SLACK", "DISCORD"):
        monkeypatch.setenv(f"{service}_WEBHOOK_URL", ADDRESS)
    monkeypatch.setenv("SLACK_WEBHOOK_URL_BAD", "sesame")

    said = failure_of(Messaging(others.services), "post_to_webhook", arguments, tmp_path, Reviewer())

    assert message in said
    assert "sesame" not in said
    assert others.server.seen == []


def test_a_dry_run_shows_what_would_be_posted(tmp_path: Path) -> None:
    (tool,) = resolve_tools([Messaging()])
    arguments = {"service": "discord", "text": "Green.", "title": "", "target": "", "data": None}
    assert tool.dry_run is not None

    shown = tool.dry_run(arguments, tmp_path)

    assert isinstance(shown, DryRun)
    assert json.loads("\n".join(shown.items)) == {"content": "Green.", "allowed_mentions": {"parse": []}}
