"""The keys that the program may use: which there are, where each comes from, and whether a service takes it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.context import KEYRING_SERVICE, find_api_key
from tools.errors import ToolFailure
from tools.keyring_secrets import KeyringSecrets, Secrets
from tools.masking import Scrubber
from tools.models.providers import MODEL_PROVIDERS, KnownProvider

if TYPE_CHECKING:
    import httpx

TRY_S: Final = 15.0
"""Seconds that a service may take to say whether it takes a key."""

_LONGEST_REASON: Final = 200


class KeyProbe(NamedTuple):
    """A request that costs nothing and that only a good key gets an answer to.

    Attributes:
        query: The part of the query that carries the key; empty for none.
        models: Gives the models that the answer names; None when it names none.
    """

    url: str
    headers: Callable[[str], Mapping[str, str]]
    query: str = ""
    models: Callable[[Any], list[str]] | None = None


class KnownKey(NamedTuple):
    """A key that the program looks for.

    Attributes:
        name: The environment variable, which is also the name of the keyring's entry.
        probe: How it is tried; None where nothing would tell, or only for money.
    """

    name: str
    title: str
    purpose: str
    probe: KeyProbe | None = None


class KeyOrigin(StrEnum):
    """Where a key comes from; the environment counts first."""

    ENVIRONMENT = "environment"
    KEYRING = "keyring"
    NOWHERE = "nowhere"


class KeyState(NamedTuple):
    """How it stands with a key; its value is nowhere in it.

    Attributes:
        origin: Where the one that counts comes from.
        is_kept: Whether the keyring has one, which the environment may outweigh.
    """

    name: str
    origin: KeyOrigin
    is_kept: bool


def _bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def _nothing(_key: str) -> dict[str, str]:
    return {}


_OWN_PROBES: Final = {
    # Both name their models to everybody.
    "openrouter": KeyProbe("https://openrouter.ai/api/v1/key", _bearer),
    "huggingface": KeyProbe("https://huggingface.co/api/whoami-v2", _bearer),
}


def _probe_of(provider: KnownProvider) -> KeyProbe | None:
    if provider.name in _OWN_PROBES or not provider.address:
        return _OWN_PROBES.get(provider.name)
    form = provider.made_format()
    return KeyProbe(f"{provider.address}{form.models_path}", form.headers, models=form.models)


def _provider_keys() -> Iterable[KnownKey]:
    # Two ways to ask OpenAI have one key.
    by_name = {one.key_name: one for one in reversed(MODEL_PROVIDERS.values()) if one.key_name}
    for name, provider in reversed(by_name.items()):
        title = provider.title.partition(" (")[0]
        yield KnownKey(name, title, "Models", _probe_of(provider))


_SERVICE_KEYS: Final = (
    KnownKey("BRAVE_API_KEY", "Brave Search", "Web search"),
    KnownKey("TAVILY_API_KEY", "Tavily", "Web search", KeyProbe("https://api.tavily.com/usage", _bearer)),
    KnownKey(
        "SERPAPI_API_KEY", "SerpAPI", "Web search", KeyProbe("https://serpapi.com/account.json", _nothing, "api_key")
    ),
    KnownKey("STACK_EXCHANGE_KEY", "Stack Exchange", "Web search"),
    KnownKey("GITHUB_TOKEN", "GitHub", "Forges", KeyProbe("https://api.github.com/user", _bearer)),
    KnownKey("GITLAB_TOKEN", "GitLab", "Forges", KeyProbe("https://gitlab.com/api/v4/user", _bearer)),
    KnownKey("SMTP_PASSWORD", "Mail that is sent", "Mail"),
    KnownKey("IMAP_PASSWORD", "Mailbox", "Mail"),
    KnownKey("SLACK_WEBHOOK_URL", "Slack", "Messages"),
    KnownKey("DISCORD_WEBHOOK_URL", "Discord", "Messages"),
    KnownKey("TEAMS_WEBHOOK_URL", "Teams", "Messages"),
    KnownKey("MATTERMOST_WEBHOOK_URL", "Mattermost", "Messages"),
    KnownKey("WEBHOOK_URL", "Webhook of one's own", "Messages"),
    KnownKey("WEBHOOK_SECRET", "Signature of that webhook", "Messages"),
    KnownKey("PGPASSWORD", "PostgreSQL", "Databases"),
)

KNOWN_KEYS: Final = {key.name: key for key in (*_provider_keys(), *_SERVICE_KEYS)}
"""The keys that built-in tools and providers of models look for, by name; tools may ask for others."""


def keyring_of_keys() -> Secrets:
    """Return the keyring's entries that keys are looked for in."""
    return KeyringSecrets(KEYRING_SERVICE, "set the environment variable of that name")


def states_of(names: Iterable[str], kept: Secrets) -> list[KeyState]:
    """Return how it stands with keys; it may wait for the keyring.

    Raises:
        VaultError: When the keyring does not answer.
    """
    return [_state(name, is_kept=bool(kept.get(name))) for name in names]


def states_without_keyring(names: Iterable[str]) -> list[KeyState]:
    """Return how it stands with keys where no keyring answers."""
    return [_state(name, is_kept=False) for name in names]


def _state(name: str, *, is_kept: bool) -> KeyState:
    if os.environ.get(name):
        return KeyState(name, KeyOrigin.ENVIRONMENT, is_kept)
    return KeyState(name, KeyOrigin.KEYRING if is_kept else KeyOrigin.NOWHERE, is_kept)


async def try_key(known: KnownKey, client: httpx.AsyncClient) -> str:
    """Ask a service whether it takes the key that counts, and return what it said.

    Raises:
        ToolFailure: There is no key, it is refused, or nobody answered; the message says what to do, without the key.
    """
    import httpx  # noqa: PLC0415 -- takes a tenth of a second

    probe = known.probe
    if probe is None:
        raise ToolFailure(f"{known.title} offers no request that would only try the key")
    key = await asyncio.to_thread(find_api_key, known.name)
    if not key:
        raise ToolFailure(f"there is no {known.name} to try; set it first")
    scrub = Scrubber([key])
    try:
        response = await client.get(
            probe.url,
            headers={**probe.headers(key), "accept": "application/json"},
            params={probe.query: key} if probe.query else None,
            timeout=TRY_S,
        )
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        why = scrub(str(error)) or type(error).__name__
        raise ToolFailure(f"{known.title} could not be asked: {why}") from None
    if response.is_success:
        return f"{known.title} takes the key{_counted(probe, response)}"
    said = _reason(scrub(response.text))
    words = f"{response.status_code}{f': {said}' if said else ''}"
    match response.status_code:
        case 400 | 401 | 403:
            raise ToolFailure(f"{known.title} does not take the key ({words}); replace it")
        case 429:
            raise ToolFailure(f"{known.title} wants fewer requests at the moment ({words}); try again later")
        case _:
            raise ToolFailure(f"{known.title} did not say whether it takes the key ({words}); try again later")


def _counted(probe: KeyProbe, response: httpx.Response) -> str:
    if probe.models is None:
        return ""
    try:
        count = len(probe.models(response.json()))
    except (AttributeError, KeyError, TypeError, ValueError):
        return ", but did not name its models as expected"
    return f" and names {count:,} {'model' if count == 1 else 'models'}"


def _reason(text: str) -> str:
    """Return what an answer says in one short line; nothing of a page for people."""
    from tools.catalog._services import reason_in  # noqa: PLC0415 -- takes the web tools along

    return reason_in(text)[:_LONGEST_REASON]
