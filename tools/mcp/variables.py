"""Fill in what an entry only names: variables of the environment, folders, and secrets of the keyring."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tools.errors import ServerConfigError
from tools.keyring_secrets import Secrets
from tools.mcp.config import ServerConfig, Target, Transport
from tools.mcp.secrets import KEYRING, is_secret_name, may_refer
from tools.paths import at_home

_VARIABLE: Final = re.compile(r"\$\{([^{}]*)\}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_()]*")
_ENVIRONMENT: Final = "env:"
_SHORTEST_SECRET: Final = 4
"""Letters of the shortest value that is hidden where it is not from the keyring: hiding `1` would hide everything."""


def variables_of(config: ServerConfig) -> tuple[str, ...]:
    """Return what an entry refers to, each once, as it stands between the braces."""
    client = () if config.client is None else (config.client.secret,)
    named = (*config.env.values(), *config.headers.values(), *client)
    texts = (config.command, *config.args, config.cwd, config.url, *named)
    return tuple(dict.fromkeys(name for text in texts for name in _VARIABLE.findall(text)))


def resolve(
    config: ServerConfig, environment: Mapping[str, str], secrets: Secrets, project_dir: Path | None = None
) -> Target:
    """Return what is started or reached for an entry.

    Known are `${NAME}` and `${env:NAME}`, each also with `:-` and a value for when it is not set, `${keyring:NAME}`,
    `${workspaceFolder}` and `${userHome}`.

    Args:
        project_dir: The project's folder; None is the home folder.

    Raises:
        ServerConfigError: When something is not set or unknown; all of it is named at once.
        VaultError: When the keyring does not answer.
    """
    filling = _Filling(config, environment, secrets, project_dir or Path.home())
    client = config.client
    if client is not None:
        client = client.model_copy(update={"secret": filling.fill(client.secret)})
    env = {name: filling.fill(text) for name, text in config.env.items()}
    headers = {name: filling.fill(text) for name, text in config.headers.items()}
    stdio = config.transport is Transport.STDIO
    argv = tuple(map(filling.fill, (config.command, *config.args))) if stdio else ()
    url = "" if stdio else filling.fill(config.url)
    folder = at_home(filling.fill(config.cwd))
    if filling.missing:
        raise ServerConfigError(f"the server {config.name!r} cannot start: {'; '.join(filling.missing)}")
    auth = None
    if config.signs_in and not stdio:
        from tools.mcp.sign_in import kept_auth  # noqa: PLC0415 -- few servers want it, and the SDK comes with it

        auth = kept_auth(config.model_copy(update={"client": client}), url, secrets, time.time)
    named = {text for name, text in (*env.items(), *headers.items()) if is_secret_name(name)}
    return Target(
        transport=config.transport,
        argv=argv,
        env=env,
        cwd=filling.folder / folder,
        url=url,
        headers=headers,
        auth=auth,
        client=client,
        secrets=frozenset(filling.private | {text for text in named if len(text) >= _SHORTEST_SECRET}),
    )


class _Filling:
    """Fill variables in, and remember what was missing and what is private."""

    def __init__(self, config: ServerConfig, environment: Mapping[str, str], secrets: Secrets, folder: Path) -> None:
        self._config = config
        self._environment = environment
        self._secrets = secrets
        self.folder = folder
        self.missing: dict[str, None] = {}
        self.private: set[str] = set()

    def fill(self, text: str) -> str:
        return _VARIABLE.sub(self._value, text)

    def _value(self, found: re.Match[str]) -> str:
        inside = found[1]
        if inside.startswith(KEYRING):
            return self._secret(inside.removeprefix(KEYRING))
        if inside == "workspaceFolder":
            return str(self.folder)
        if inside == "userHome":
            return str(Path.home())
        name, has_default, default = inside.removeprefix(_ENVIRONMENT).partition(":-")
        if not _NAME.fullmatch(name):
            self.missing[_not_known(found[0])] = None
            return ""
        value = self._environment.get(name)
        if value or (value is not None and not has_default):
            if is_secret_name(name) and len(value) >= _SHORTEST_SECRET:
                self.private.add(value)
            return value
        if has_default:
            return default
        self.missing[f"the environment variable {name} is not set (set it before the start)"] = None
        return ""

    def _secret(self, name: str) -> str:
        if not may_refer(self._config, name):
            self.missing[f"the secret {name!r} is not this server's (enter its own)"] = None
            return ""
        value = self._secrets.get(name)
        if value is None:
            self.missing[f"the keyring has no secret {name!r} (enter it again)"] = None
            return ""
        if value:
            self.private.add(value)
        return value


def _not_known(variable: str) -> str:
    known = "${NAME}, ${env:NAME}, ${keyring:NAME}, ${workspaceFolder} or ${userHome}"
    if variable.startswith("${input:"):
        return f"{variable} asks for a value in another program (write the value, or {known}, in its place)"
    return f"{variable} is no variable (expected {known})"
