"""What requests are signed with: schemes of a document, and their secrets from the environment or the keyring."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import ApiError
from tools.keyring_secrets import KeyringSecrets, Secrets
from tools.openapi.parameters import Style, query_text

if TYPE_CHECKING:
    from tools.openapi.config import ApiConfig
    from tools.openapi.document import ApiDocument

PREFIX: Final = "TOOL_CONSOLE_API_"
"""What the variables that hold keys begin with: a document names its schemes, and must choose no other variable."""

_SERVICE: Final = "tool-console-apis"
_NOT_IN_VARIABLES: Final = re.compile(r"[^A-Z0-9]+")
_PLACES: Final = frozenset({"header", "query", "cookie"})


class Scheme(NamedTuple):
    """One way to sign a request.

    Attributes:
        name: What the document calls it.
        kind: `header`, `query` or `cookie` for a key of that place, `bearer` or `basic` for `Authorization`.
        parameter: What the header, parameter or cookie is called.
    """

    name: str
    kind: str
    parameter: str = ""
    description: str = ""

    @property
    def words(self) -> str:
        """What the secret is, as one reads it before a field."""
        match self.kind:
            case "basic":
                return "user name and password, as user:password"
            case "bearer":
                return "token, sent as Authorization: Bearer"
            case _:
                return f"key, sent as {self.kind} {self.parameter}"


class RequestSignature(NamedTuple):
    """What a request gets of its secrets.

    Attributes:
        headers: Header lines.
        cookies: Parts of the cookie line.
        secrets: What no text may quote.
    """

    headers: Mapping[str, str]
    query: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


def schemes_of(document: ApiDocument) -> tuple[dict[str, Scheme], dict[str, str]]:
    """Return the schemes of a document by name, and why others cannot be used."""
    components = document.part("components").get("securitySchemes")
    schemes: dict[str, Scheme] = {}
    problems: dict[str, str] = {}
    for name, node in components.items() if isinstance(components, Mapping) else ():
        try:
            schemes[name] = _scheme(name, document.resolved(node, f"the security scheme {name!r}"))
        except ApiError as error:
            problems[name] = str(error)
    return schemes, problems


def _scheme(name: str, node: Mapping[str, Any]) -> Scheme:
    description = str(node.get("description") or "")
    kind = node.get("type")
    if kind == "apiKey":
        place, parameter = node.get("in"), node.get("name")
        if place not in _PLACES or not isinstance(parameter, str) or not parameter:
            raise ApiError(f"the security scheme {name!r} does not say in which header, query or cookie its key goes")
        return Scheme(name, str(place), parameter, description)
    if kind in {"oauth2", "openIdConnect"}:
        return Scheme(name, "bearer", description=description)
    said = str(node.get("scheme", "")).lower()
    if kind == "http" and said in {"basic", "bearer"}:
        return Scheme(name, said, description=description)
    raise ApiError(f"the security scheme {name!r} is of a kind that is not known here: {kind} {said}".rstrip())


def signature_of(secrets: Mapping[Scheme, str]) -> RequestSignature:
    """Return what secrets make of a request."""
    headers: dict[str, str] = {}
    query: list[str] = []
    cookies: list[str] = []
    hidden = list(secrets.values())
    for scheme, secret in secrets.items():
        match scheme.kind:
            case "basic":
                coded = base64.b64encode(secret.encode()).decode()
                hidden += [coded, secret.partition(":")[2]]
                headers["authorization"] = f"Basic {coded}"
            case "bearer":
                headers["authorization"] = f"Bearer {secret}"
            case "header":
                headers[scheme.parameter.lower()] = secret
            case place:
                part = query_text(Style.FORM, scheme.parameter, secret, explode=False)
                (query if place == "query" else cookies).append(part)
    return RequestSignature(headers, tuple(query), tuple(cookies), tuple(dict.fromkeys(hidden)))


class ApiKeys:
    """Find and keep the secrets of one API; it may wait for a person who unlocks a keyring, so ask it in a thread.

    Args:
        secrets: Where they are kept; None is the system's keyring.
    """

    def __init__(self, config: ApiConfig, secrets: Secrets | None = None) -> None:
        self._config = config
        self._secrets = KeyringSecrets(_SERVICE) if secrets is None else secrets

    def variable(self, scheme: Scheme) -> str:
        """Return the variable that may hold a secret; empty for a project's API, which gets none of the environment."""
        if self._config.project_dir is not None:
            return ""
        return PREFIX + _NOT_IN_VARIABLES.sub("_", f"{self._config.name}_{scheme.name}".upper())

    def get(self, scheme: Scheme) -> str:
        """Return a secret from the environment, else from the keyring; empty when neither has it.

        Raises:
            VaultError: The keyring does not answer.
        """
        variable = self.variable(scheme)
        return (os.environ.get(variable) if variable else "") or self._secrets.get(self._name(scheme)) or ""

    def put(self, scheme: Scheme, secret: str) -> None:
        """Keep a secret in the keyring.

        Raises:
            VaultError: It keeps nothing.
        """
        self._secrets.put(self._name(scheme), secret)

    def forget(self, schemes: Mapping[str, Scheme]) -> None:
        """Remove the secrets of an API from the keyring.

        Raises:
            VaultError: The keyring does not answer.
        """
        for scheme in schemes.values():
            self._secrets.remove(self._name(scheme))

    def remedy(self, scheme: Scheme) -> str:
        """Return how a secret that is missing gets there."""
        variable = self.variable(scheme)
        instead = f", or set the variable {variable}" if variable else ""
        return f"keep it with `tool-console openapi secret {self._config.name} {scheme.name}`{instead}"

    def _name(self, scheme: Scheme) -> str:
        return f"{self._config.key}/{scheme.name}"
