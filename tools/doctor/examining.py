"""Look at all of an installation, one check after the other; what fails in one stops no other."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import platformdirs

from tools.discovery import PluginList
from tools.doctor.diagnosis import Diagnosis, Grade, one_line
from tools.doctor.environment import display_checked, extras_checked, programs_checked, python_checked, qt_checked
from tools.doctor.files import audit_checked, folders_checked, history_checked, kept_aside_checked, problems_told
from tools.errors import DiscoveryError, GatewayError, HistoryError, VaultError
from tools.gateway.defaults import HOST, PORT
from tools.paths import data_folder
from tools.policy import user_policy_file
from tools.settings import ToolSettings, user_settings_file
from tools.workbench import AUDIT_FOLDER, HISTORY_FOLDER, open_policy

if TYPE_CHECKING:
    from tools.tool import Tool

_log = logging.getLogger(__name__)
_SECRETS_ELSEWHERE: Final = "Install or unlock one (on Linux gnome-keyring or KWallet), or give secrets by ${env:NAME}"


class Installation(NamedTuple):
    """What is looked at.

    Attributes:
        failures: What did not load, each by its name and why.
        project: The project folder; None for none.
        port: Where agents are served.
    """

    tools: tuple[Tool, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    project: Path | None = None
    port: int = PORT


def examine(installation: Installation) -> tuple[Diagnosis, ...]:
    """Look at everything: reads files and asks the keyring, some tenths of a second, so a window does it in a thread.

    Returns:
        What was found, in the order in which a person best mends it.
    """
    used = _used_tools()
    checks: tuple[tuple[str, Callable[[], Iterable[Diagnosis]]], ...] = (
        ("Python", python_checked),
        ("PySide6", qt_checked),
        ("Display", display_checked),
        ("Folders", lambda: folders_checked(_folders())),
        ("Settings files", lambda: _settings_checked(installation.project)),
        ("History", lambda: history_checked(data_folder() / HISTORY_FOLDER)),
        ("Audit log", lambda: audit_checked(data_folder() / AUDIT_FOLDER)),
        ("Put aside", lambda: kept_aside_checked((data_folder(), data_folder() / HISTORY_FOLDER, _config_folder()))),
        ("Keyring", _keyring_checked),
        ("Plugins", lambda: _plugins_checked(installation.failures)),
        ("Extras", lambda: extras_checked(installation.tools, used)),
        ("Port", lambda: _port_checked(installation.port)),
        ("Programs", lambda: programs_checked(installation.tools, used)),
    )
    return tuple(one for subject, check in checks for one in _survived(subject, check))


def _survived(subject: str, check: Callable[[], Iterable[Diagnosis]]) -> Iterator[Diagnosis]:
    try:
        yield from check()
    except Exception as error:  # noqa: BLE001 -- an installation breaks in ways that nobody foresaw; the rest is looked at
        _log.exception("the check of %s failed", subject)
        why = one_line(f"{type(error).__name__}: {error}")
        yield Diagnosis(
            subject, Grade.PROBLEM, f"cannot be looked at ({why})", "The log has more; see the lines around"
        )


def _config_folder() -> Path:
    return user_settings_file().parent


def _folders() -> list[tuple[str, Path]]:
    return [
        ("Settings folder", _config_folder()),
        ("Data folder", data_folder()),
        ("Log folder", platformdirs.user_log_path("tool-console")),
    ]


def _used_tools() -> frozenset[str]:
    """Return the names of the tools that were called before; none when nobody knows."""
    from tools.history import History  # noqa: PLC0415 -- a database is imported when one is looked at

    try:
        return frozenset(History(data_folder() / HISTORY_FOLDER).names()[0])
    except (HistoryError, OSError):
        # The line of the history says why.
        return frozenset()


def _settings_checked(project: Path | None) -> Iterator[Diagnosis]:
    from tools.gateway.agents import AGENTS_FILE, Agents  # noqa: PLC0415 -- each brings pydantic models
    from tools.health.limits_file import LimitsFile  # noqa: PLC0415 -- as above
    from tools.mcp.servers_file import ServersFile, user_servers_file  # noqa: PLC0415 -- as above
    from tools.openapi.api_files import APIS_FILE  # noqa: PLC0415 -- as above
    from tools.openapi.apis_file import ApisFile  # noqa: PLC0415 -- as above

    settings, policy, servers = user_settings_file(), user_policy_file(), user_servers_file()
    # Each names the file of each problem, which may be the project's.
    problems = ToolSettings(settings, project).read().problems
    yield problems_told("Settings", settings, problems)
    yield problems_told("Rules", policy, open_policy(project).problems)
    yield problems_told("Servers", servers, ServersFile(servers).read().problems)
    apis = servers.with_name(APIS_FILE)
    yield problems_told("APIs", apis, ApisFile(apis).read().problems)
    limits = LimitsFile()
    yield problems_told("Limits", limits.path, [limits.problem] if limits.problem else ())
    agents = data_folder() / AGENTS_FILE
    yield problems_told("Agents", agents, _raised(GatewayError, Agents(agents).profiles))
    plugins = PluginList()
    yield problems_told("Plugin list", plugins.file, _raised(DiscoveryError, plugins.paths))


def _raised(kind: type[Exception], read: Callable[[], object]) -> tuple[str, ...]:
    """Return what keeps a file from being read, as a tuple of one; empty when nothing does."""
    try:
        read()
    except (kind, OSError) as error:
        return (str(error),)
    return ()


def _keyring_checked() -> Iterator[Diagnosis]:
    from tools.vault import keyrings, stored_key  # noqa: PLC0415 -- looks for the system's keyrings

    names = keyrings()
    if not names:
        found = "this system has none, so no secret can be kept and nothing encrypted"
        yield Diagnosis("Keyring", Grade.WARNING, found, _SECRETS_ELSEWHERE)
        return
    try:
        stored_key()
    except VaultError as error:
        yield Diagnosis("Keyring", Grade.WARNING, str(error), _SECRETS_ELSEWHERE)
    else:
        yield Diagnosis("Keyring", Grade.OK, names[0])


def _plugins_checked(failures: Iterable[tuple[str, str]]) -> Iterator[Diagnosis]:
    found = tuple(failures)
    for name, why in found:
        remedy = "Mend it and reload, or take it off the list of plugins"
        yield Diagnosis("Plugin", Grade.PROBLEM, f"{name} did not load: {one_line(why)}", remedy)
    if not found:
        yield Diagnosis("Plugins", Grade.OK, "all loaded")


def _port_checked(port: int) -> Iterator[Diagnosis]:
    from tools.gateway.owner_note import served_port  # noqa: PLC0415 -- brings the executor

    served = served_port(data_folder())
    if served is not None:
        yield Diagnosis("Port", Grade.OK, f"Tool Console serves agents on port {served} of {HOST}")
        return
    with socket.socket() as trying:
        if os.name != "nt":
            # As the server does; without it a connection that just ended keeps the port for a minute.
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trying.bind((HOST, port))
        except OSError as error:
            remedy = "End the program that has it, or choose another port on the Servers page or with serve --port"
            why = (error.strerror or str(error)).lower()
            yield Diagnosis("Port", Grade.WARNING, f"port {port} of {HOST} is not free ({why})", remedy)
            return
    yield Diagnosis("Port", Grade.OK, f"port {port} of {HOST} is free for agents")
