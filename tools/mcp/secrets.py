"""Secrets of servers live in the system's keyring; entries only refer to them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tools.keyring_secrets import Secrets
from tools.masking.addresses import replaced_secrets
from tools.masking.paths import MASK
from tools.mcp.config import ConfigScope, ServerConfig, Transport

KEYRING: Final = "keyring:"
"""How a reference to a secret begins, as in `${keyring:user/github/env/TOKEN}`."""

_REFERENCE: Final = re.compile(r"\$\{keyring:([^{}]*)\}")
_SECRET_WORDS: Final = frozenset(
    {"apikey", "auth", "authorization", "bearer", "cookie", "credential", "credentials", "jwt", "key", "pass"}
    | {"passphrase", "passwd", "password", "pat", "pwd", "secret", "secrets", "token"}
)
_SECRET_ENDINGS: Final = ("apikey", "password", "passwd", "secret", "token")
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_TOKEN: Final = re.compile(
    r"""(?: \b(?:sk|pk|rk)[-_][-_A-Za-z0-9]{16,}
          | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_[A-Za-z0-9_]{20,} | \bglpat-[-_A-Za-z0-9]{16,}
          | \bxox[abeoprs]-[-A-Za-z0-9]{10,} | \bAKIA[A-Z0-9]{16}\b | \bAIza[-_A-Za-z0-9]{30,} | \bhf_[A-Za-z0-9]{20,}
          | \bnpm_[A-Za-z0-9]{20,} | \beyJ[-_A-Za-z0-9]{8,}\.eyJ[-_A-Za-z0-9]{8,}\.[-_A-Za-z0-9]*
          | -----BEGIN\ [A-Z ]*PRIVATE\ KEY----- )""",
    re.VERBOSE,
)
_SCHEME: Final = re.compile(r"(?:Bearer|Basic|Token|ApiKey)\s+(?=\S)", re.IGNORECASE)
_ASSIGNMENT: Final = re.compile(r"(-{0,2}[A-Za-z_][-A-Za-z0-9_.]*)=(?=.)", re.DOTALL)
_OPTION: Final = re.compile(r"-{1,2}[A-Za-z][-A-Za-z0-9_.]*")


class SecretLocation(NamedTuple):
    """A secret that is written out in an entry.

    Attributes:
        where: Its place, such as `env/TOKEN`, `headers/Authorization`, `args/2` or `url`.
        value: The secret alone, without a word such as Bearer before it.
    """

    where: str
    value: str


def is_secret_name(name: str) -> bool:
    """Return whether what has this name is usually kept to oneself: `API_KEY`, `X-Auth-Token`, `PGPASSWORD`."""
    words = [word.casefold() for word in _WORDS.findall(name)]
    return bool(words) and (words[-1] in _SECRET_WORDS or words[-1].endswith(_SECRET_ENDINGS))


def looks_secret(text: str) -> bool:
    """Return whether a text has the form of a well-known kind of token or key, or holds one."""
    return _TOKEN.search(text) is not None


def written_secrets(config: ServerConfig) -> tuple[SecretLocation, ...]:
    """Return the secrets that an entry has written out, in order."""
    found: list[SecretLocation] = []

    def note(where: str, value: str) -> str:
        found.append(SecretLocation(where, value))
        return value

    _with_secrets(config, note)
    return tuple(found)


def secret_name(config: ServerConfig, where: str) -> str:
    """Return under which name the keyring has the secret of a place of an entry, such as `env/TOKEN`."""
    return f"{config.key}/{where}"


def reference_to(name: str) -> str:
    """Return what an entry has in the place of a secret."""
    return f"${{{KEYRING}{name}}}"


def move_secrets(config: ServerConfig, secrets: Secrets) -> ServerConfig:
    """Return an entry whose secrets went to the keyring, with references in their places.

    Raises:
        VaultError: When one cannot be kept; those before it are.
    """
    taken = set(references(config))

    def moved(where: str, value: str) -> str:
        name = secret_name(config, where)
        while name in taken:
            # Arguments may have changed places since their secrets were moved.
            name += "+"
        taken.add(name)
        secrets.put(name, value)
        return reference_to(name)

    return _with_secrets(config, moved)


def masked(config: ServerConfig) -> ServerConfig:
    """Return an entry as it may be shown: bullets where secrets are written out."""
    return _with_secrets(config, lambda _where, _value: MASK)


class SignInNames(NamedTuple):
    """Under which names the keyring has what signing in gave.

    Attributes:
        client: How this program is known to the server.
        scope: The rights that the server asked for since, which signing in again has to give.
    """

    tokens: str
    client: str
    scope: str


def sign_in_names(config: ServerConfig) -> SignInNames:
    """Return under which names the keyring has what signing in at a server gave."""
    return SignInNames(*(f"{config.key}/sign-in/{name}" for name in SignInNames._fields))


def forget_sign_in(config: ServerConfig, secrets: Secrets) -> None:
    """Remove from the keyring what signing in at a server gave.

    Raises:
        VaultError: When the keyring does not answer.
    """
    for name in sign_in_names(config):
        secrets.remove(name)


def references(config: ServerConfig) -> tuple[str, ...]:
    """Return the names of the keyring's secrets that an entry refers to, each once."""
    secret = () if config.client is None else (config.client.secret,)
    texts = (*config.args, *config.env.values(), config.url, *config.headers.values(), *secret)
    return tuple(dict.fromkeys(name for text in texts for name in _REFERENCE.findall(text)))


def may_refer(config: ServerConfig, name: str) -> bool:
    """Return whether an entry may be given a secret.

    A project's file must not ask for those of the person, and no entry for what signing in gave somewhere.
    """
    own = f"{ConfigScope.USER}/" if config.place is ConfigScope.USER else f"{config.key}/"
    return name.startswith(own) and "/sign-in/" not in name


def _with_secrets(config: ServerConfig, replace: Callable[[str, str], str]) -> ServerConfig:
    """Return an entry whose written secrets went through `replace(place, value)`."""
    update: dict[str, object] = {
        "env": {name: _named(f"env/{name}", name, text, replace) for name, text in config.env.items()},
        "args": tuple(_arguments(config.args, replace)),
        "headers": {name: _named(f"headers/{name}", name, text, replace) for name, text in config.headers.items()},
        "url": _address(config.url, replace),
    }
    client = config.client
    if client is not None and client.secret and "${" not in client.secret:
        update["client"] = client.model_copy(update={"secret": replace("oauth/clientSecret", client.secret)})
    return config.model_copy(update=update)


def _named(where: str, name: str, text: str, replace: Callable[[str, str], str]) -> str:
    if not text or not (is_secret_name(name) or looks_secret(text)):
        return _address(text, replace, where) if "://" in text else text
    if "${" in text:
        return text
    scheme = _SCHEME.match(text)
    start = scheme.end() if scheme else 0
    return text[:start] + replace(where, text[start:])


def _arguments(arguments: tuple[str, ...], replace: Callable[[str, str], str]) -> Iterator[str]:
    option = ""
    for place, text in enumerate(arguments):
        where = f"args/{place}"
        assigned = _ASSIGNMENT.match(text)
        if assigned:
            yield assigned[0] + _named(where, assigned[1], text[assigned.end() :], replace)
        else:
            yield _named(where, option, text, replace)
        option = text if _OPTION.fullmatch(text) else ""


def _address(address: str, replace: Callable[[str, str], str], where: str = "url") -> str:
    count = 0

    def one(_kind: str, value: str) -> str:
        nonlocal count
        if "${" in value:
            return value
        count += 1
        return replace(where if count == 1 else f"{where}-{count}", value)

    return replaced_secrets(address, one)


def address_of(config: ServerConfig) -> str:
    """Return the command line or the address of a server, whole, with secrets hidden."""
    shown = masked(config)
    return shlex.join((shown.command, *shown.args)) if config.transport is Transport.STDIO else shown.url
