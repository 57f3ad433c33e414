"""The secrets inside a web address: the password, and the parameters that carry keys and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote, unquote_plus

from tools.masking.paths import MASK, same_name

_CREDENTIALS: Final = re.compile(r"^(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?//)([^/?#]*)@")
_PARAMETER: Final = re.compile(r"([?&;#])([^=&;#?]+)=([^&;#]*)")
_HOST: Final = re.compile(r"^\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#]*@)?([^/?#]*)")
_SECRET: Final = frozenset(
    {"auth", "authorization", "jwt", "key", "pass", "passwd", "pwd", "sas", "session", "sessionid", "sid", "sig"}
)
_SECRET_ENDINGS: Final = ("apikey", "accesskey", "credential", "password", "secret", "signature", "token")


def is_secret_parameter(name: str) -> bool:
    """Return whether a parameter of that name usually carries a key, a token or a password."""
    plain = same_name(unquote_plus(name))
    return plain in _SECRET or plain.endswith(_SECRET_ENDINGS)


def masked_address(address: str) -> str:
    """Return an address with its password and its secret parameters hidden; what is no address stays as it is."""
    return replaced_secrets(address, lambda _kind, _value: MASK)


def address_secrets(address: str) -> Iterator[str]:
    """Yield what `masked_address` hides, as it is written and as it is meant."""
    for kind, value in _secrets_of(address):
        yield value
        yield unquote_plus(value) if kind.startswith("?") else unquote(value)


def restored_address(edited: str, real: str) -> str | None:
    """Return an edited address with the secrets back where bullets were left; None when it is not clear which.

    A secret goes back to the host it was for, and to no other.
    """
    if MASK not in edited:
        return edited
    hosts = [found[1].casefold() if (found := _HOST.match(text)) else None for text in (edited, real)]
    if hosts[0] != hosts[1]:
        return None
    known: dict[str, list[str]] = {}
    for kind, value in _secrets_of(real):
        known.setdefault(kind, []).append(value)
    result = replaced_secrets(edited, lambda kind, value: _next(known, kind) if value == MASK else value)
    return None if MASK in result else result


def _next(known: dict[str, list[str]], kind: str) -> str:
    values = known.get(kind)
    return values.pop(0) if values else MASK


def _secrets_of(address: str) -> list[tuple[str, str]]:
    """Return the secrets of an address, each with its kind."""
    found: list[tuple[str, str]] = []

    def keep(kind: str, value: str) -> str:
        found.append((kind, value))
        return value

    replaced_secrets(address, keep)
    return found


def replaced_secrets(address: str, replace: Callable[[str, str], str]) -> str:
    """Return an address whose secrets went through `replace(kind, value)`; the kind tells which secret it is."""

    def credentials(found: re.Match[str]) -> str:
        user, colon, password = found[2].partition(":")
        if colon:
            return f"{found[1]}{user}:{replace(':', password)}@" if password else found[0]
        # One word alone before the host is a token more often than a user.
        return f"{found[1]}{replace('@', user)}@" if user else found[0]

    def parameter(found: re.Match[str]) -> str:
        mark, name, value = found.groups()
        if not value or not is_secret_parameter(name):
            return found[0]
        return f"{mark}{name}={replace('?' + same_name(name), value)}"

    return _PARAMETER.sub(parameter, _CREDENTIALS.sub(credentials, address))
