"""Post to channels of teams and to programs that listen for webhooks."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json as json_text
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import JsonValue, StringConstraints

from tools.catalog._bounds import readable_size
from tools.catalog._dry_runs import telling_failures
from tools.catalog._services import Service, WebServices
from tools.context import ToolContext, find_api_key, require_api_key
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Concern, Count, DryRun, Param, ToolExample
from tools.web.addresses import host_of, parse_url, private_host_concerns

Channel = Literal["slack", "discord", "teams", "mattermost", "generic"]

_LONGEST: Final[dict[Channel, int]] = {
    "slack": 40_000,
    "discord": 2000,
    "teams": 20_000,
    "mattermost": 16_383,
    "generic": 200_000,
}
_SHOWN_LINES: Final = 100


@dataclass(frozen=True)
class PostedMessage:
    """A message that was posted.

    Attributes:
        service: Where it went.
        host: The host that took it.
        status: The status code that it answered with.
        answer: What it said, shortened.
    """

    service: str
    host: str
    status: int
    answer: str


def _variable(service: Channel, target: str) -> str:
    start = "WEBHOOK_URL" if service == "generic" else f"{service.upper()}_WEBHOOK_URL"
    return f"{start}_{target.upper()}" if target else start


def _post_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    variable = _variable(arguments["service"], arguments["target"])
    address = find_api_key(variable) or ""
    what = f"Posts {len(arguments['text']):,} characters to {arguments['service']}, where {variable} leads"
    return [*private_host_concerns(address), Concern("sends_data", "Sends data", what)]


def _payload(service: Channel, text: str, title: str, data: JsonValue) -> dict[str, Any]:
    """Return what a service is sent.

    Raises:
        ToolFailure: There is nothing to send, or more than the service takes.
    """
    if service != "generic" and data is not None:
        raise ToolFailure(f"data is for generic webhooks only; put it into the text for {service}")
    if not text and data is None:
        raise ToolFailure("expected something to post, got nothing; give text")
    whole = f"**{title}**\n{text}" if title else text
    match service:
        case "slack":
            payload: dict[str, Any] = {"text": f"*{title}*\n{text}" if title else text}
        case "discord":
            # Nobody is woken by a word that happens to look like a mention.
            payload = {"content": whole, "allowed_mentions": {"parse": []}}
        case "mattermost":
            payload = {"text": whole}
        case "teams":
            blocks = [{"type": "TextBlock", "text": title, "weight": "Bolder", "wrap": True}] if title else []
            card = {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.4",
                "body": [*blocks, {"type": "TextBlock", "text": text, "wrap": True}],
            }
            kind = "application/vnd.microsoft.card.adaptive"
            payload = {"type": "message", "attachments": [{"contentType": kind, "content": card}]}
        case "generic":
            payload = {"title": title, "text": text, **({} if data is None else {"data": data})}
    size = len(json_text.dumps(data)) if data is not None else len(whole)
    if size > _LONGEST[service]:
        raise ToolFailure(f"{service} takes at most {_LONGEST[service]:,} characters, got {size:,}; post less")
    return payload


@telling_failures
def _post_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    service: Channel = arguments["service"]
    payload = _payload(service, arguments["text"], arguments["title"], arguments["data"])
    lines = json_text.dumps(payload, ensure_ascii=False, indent=2).splitlines()
    size = len(json_text.dumps(payload, ensure_ascii=False).encode())
    return DryRun(
        f"Post a message to {service}, where {_variable(service, arguments['target'])} leads.",
        (Count("hosts", 1, "1 host"), Count("bytes", size, f"{readable_size(size)} sent")),
        tuple(lines[:_SHOWN_LINES]),
        max(0, len(lines) - _SHOWN_LINES),
    )


def _signature_headers(secret: str, body: bytes) -> dict[str, str]:
    """Return the headers that prove who sent a body. Source: standardwebhooks.com, version 1."""
    name, stamp = f"msg_{uuid.uuid4().hex}", str(int(time.time()))
    encoded = secret.removeprefix("whsec_")
    try:
        key = base64.b64decode(encoded, validate=True) if secret.startswith("whsec_") else secret.encode()
    except ValueError as error:
        raise ToolFailure("expected base64 behind whsec_ in the secret of the webhook; keep the right one") from error
    signed = hmac.new(key, f"{name}.{stamp}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(signed).decode()}"
    return {"webhook-id": name, "webhook-timestamp": stamp, "webhook-signature": signature}


@toolkit("Messaging", category="messaging", description="Post to channels of teams and to webhooks.")
class Messaging:
    """Post to channels of teams and to webhooks.

    Args:
        services: Sends what is posted.
    """

    def __init__(self, services: WebServices | None = None) -> None:
        self._services = services or WebServices()

    @tool(
        keywords=("slack", "discord", "teams", "mattermost", "webhook", "notify", "chat", "post"),
        latency="medium",
        idempotent=False,
        needs=(
            "Slack",
            "Discord",
            "Teams",
            "Mattermost",
        ),
        untried=True,
        read_only=False,
        destructive=False,
        open_world=True,
        requires_confirmation=True,
        timeout_s=60,
        concerns=_post_concerns,
        dry_run=_post_dry_run,
        examples=(
            ToolExample(
                input={"service": "slack", "text": "The build is green.", "target": "builds"},
                description="To the channel whose webhook SLACK_WEBHOOK_URL_BUILDS names",
            ),
            ToolExample(
                input={"service": "generic", "text": "done", "data": {"run": 7}},
                description="To a program of one's own, signed when WEBHOOK_SECRET is set",
            ),
        ),
    )
    async def post_to_webhook(
        self,
        service: Annotated[Channel, Param("Who takes it")],
        text: Annotated[str, StringConstraints(max_length=200_000), Param("What is posted; most read Markdown")] = "",
        *,
        title: Annotated[str, StringConstraints(max_length=200), Param("A line above it, in bold")] = "",
        target: Annotated[
            str,
            StringConstraints(pattern=r"^[A-Za-z0-9_]{0,40}$"),
            Param("Which webhook, when several are set up: builds uses SLACK_WEBHOOK_URL_BUILDS"),
        ] = "",
        data: Annotated[JsonValue, Param("A JSON value for a generic webhook")] = None,
        ctx: ToolContext,
    ) -> PostedMessage:
        """Post a message to a channel of Slack, Discord, Teams or Mattermost, or to a webhook; a person is asked first.

        The webhook's address is a secret and comes from SLACK_WEBHOOK_URL and the like, for generic ones from
        WEBHOOK_URL, in the environment or the keyring. Generic posts are signed with WEBHOOK_SECRET as Standard
        Webhooks.
        """
        variable = _variable(service, target)
        address = await asyncio.to_thread(require_api_key, variable)
        payload = _payload(service, text, title, data)
        try:
            url = parse_url(address)
        except ToolFailure:
            # The address is a secret, so it is not repeated.
            raise ToolFailure(f"expected an address such as https://hooks.example.org/… in {variable}") from None
        headers: dict[str, str] = {}
        if service == "generic":
            name = f"WEBHOOK_SECRET_{target.upper()}" if target else "WEBHOOK_SECRET"
            secret = await asyncio.to_thread(find_api_key, name)
            if secret:
                headers = _signature_headers(secret, json_text.dumps(payload, ensure_ascii=False).encode())
        hidden = (address, url.raw_path.decode("ascii"), url.path.rpartition("/")[2])
        taker = Service(f"the webhook of {variable}", address, secrets=hidden)
        answer = await self._services.ask(
            ctx, taker, "", method="POST", headers=headers, json=payload, max_bytes=100_000, refuse_cut=False
        )
        return PostedMessage(service, host_of(url), answer.status, answer.text[:500])
