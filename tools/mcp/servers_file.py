"""`servers.json`: one for the person, one for each project; what others wrote into it stays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs
from pydantic import JsonValue

from tools.atomic_write import write_whole
from tools.errors import ServerConfigError
from tools.mcp.commented_json import parsed, with_value, without_value
from tools.mcp.config import ConfigScope, Origin, ServerConfig
from tools.mcp.entries import KNOWN_KEYS, config_of, entry_of
from tools.mcp.profiles import CHOSEN_KEY, PROFILES_KEY, Profile, profile_of
from tools.protected import PROJECT_FOLDER
from tools.watched_file import WatchedFile

MOST_SERVERS: Final = 500
"""The most servers of a file."""

SERVERS_KEY: Final = "mcpServers"
"""Where the servers stand in the file."""

PROJECT_FILE: Final = PROJECT_FOLDER / "servers.json"
"""Where a project keeps its servers, below its folder."""


def user_servers_file() -> Path:
    """Return the person's servers; `TOOL_CONSOLE_CONFIG` moves the folder that the file is in."""
    moved = os.environ.get("TOOL_CONSOLE_CONFIG", "")
    folder = Path(moved) if moved else platformdirs.user_config_path("tool-console", appauthor=False)
    return folder / "servers.json"


class FileServers(NamedTuple):
    """What a file says.

    Attributes:
        servers: Its servers, in order.
        problems: What of it means nothing, one sentence each.
        profiles: Sets of servers, in order; only the person's file has any.
        chosen: The name of the set that counts; empty when none does.
        is_readable: Whether the rest is what the file says; otherwise nothing of it can be known.
    """

    servers: tuple[ServerConfig, ...] = ()
    problems: tuple[str, ...] = ()
    profiles: tuple[Profile, ...] = ()
    chosen: str = ""
    is_readable: bool = True


class ServersFile(WatchedFile):
    """One file of servers, which need not exist.

    Args:
        project_dir: The folder of the project whose it is; None for the person's own.
    """

    def __init__(self, path: Path, project_dir: Path | None = None) -> None:
        super().__init__(path)
        place = ConfigScope.USER if project_dir is None else ConfigScope.PROJECT
        self.origin = Origin(place=place, path=path, project_dir=project_dir)

    def read(self) -> FileServers:
        """Return what the file says now; one entry that means nothing does not stop the others."""
        self.look()
        try:
            document = self._document(self._text())
            entries = self._entries(document)
        except ServerConfigError as error:
            return FileServers(problems=(str(error),), is_readable=False)
        servers: list[ServerConfig] = []
        problems: list[str] = []
        for name, entry in entries.items():
            try:
                servers.append(config_of(name, entry, self.origin))
            except ServerConfigError as error:
                problems.append(f"{self.path}: {error}")
            else:
                if self.origin.place is ConfigScope.PROJECT and isinstance(entry, dict) and entry.get("trusted"):
                    problems.append(f"{self.path}: a project cannot say that {name!r} is trusted; only you can")
        if self.origin.place is ConfigScope.PROJECT:
            return FileServers(tuple(servers), tuple(problems))
        profiles, wrong = self._profiles(document)
        chosen = document.get(CHOSEN_KEY)
        return FileServers(tuple(servers), (*problems, *wrong), profiles, chosen if isinstance(chosen, str) else "")

    def _profiles(self, document: dict[str, JsonValue]) -> tuple[tuple[Profile, ...], tuple[str, ...]]:
        entries = document.get(PROFILES_KEY)
        profiles: list[Profile] = []
        problems: list[str] = []
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            try:
                profiles.append(profile_of(name, entry))
            except ServerConfigError as error:
                problems.append(f"{self.path}: {error}")
        return tuple(profiles), tuple(problems)

    def keep_profile(self, profile: Profile) -> None:
        """Write a set of servers, in the place of the one of that name.

        Raises:
            ServerConfigError: When the file cannot be read or written.
        """
        self._edit(lambda text, _entries: with_value(text, [PROFILES_KEY, profile.name], profile.entry()))

    def remove_profile(self, name: str) -> None:
        """Take a set of servers out; when it was chosen, none is.

        Raises:
            ServerConfigError: When there is none, or the file cannot be read or written.
        """

        def change(text: str, _entries: dict[str, JsonValue]) -> str:
            document = self._with_profile(text, name)
            text = without_value(text, [PROFILES_KEY, name])
            return without_value(text, [CHOSEN_KEY]) if document.get(CHOSEN_KEY) == name else text

        self._edit(change)

    def choose_profile(self, name: str) -> None:
        """Let a set of servers count; the empty name lets all of them.

        Raises:
            ServerConfigError: When there is none, or the file cannot be read or written.
        """

        def change(text: str, _entries: dict[str, JsonValue]) -> str:
            if not name:
                return without_value(text, [CHOSEN_KEY])
            self._with_profile(text, name)
            return with_value(text, [CHOSEN_KEY], name)

        self._edit(change)

    def _with_profile(self, text: str, name: str) -> dict[str, JsonValue]:
        document = self._document(text)
        profiles = document.get(PROFILES_KEY)
        if not isinstance(profiles, dict) or name not in profiles:
            raise ServerConfigError(f"{self.path} has no profile {name!r}; look at the list of profiles")
        return document

    def add(self, config: ServerConfig) -> ServerConfig:
        """Write a server behind the others.

        Returns:
            The server with its origin.

        Raises:
            ServerConfigError: When there is one of that name, or the file cannot be read or written.
        """

        def change(text: str, entries: dict[str, JsonValue]) -> str:
            if config.name in entries:
                raise ServerConfigError(f"{self.path} has a server {config.name!r} already; choose another name")
            if len(entries) >= MOST_SERVERS:
                raise ServerConfigError(f"{self.path} has {MOST_SERVERS} servers, which is the most; remove one")
            return with_value(text, [SERVERS_KEY, config.name], dict(entry_of(config)))

        self._edit(change)
        return config.model_copy(update={"origin": self.origin})

    def replace(self, config: ServerConfig, former: str = "") -> ServerConfig:
        """Write a server in the place of the one with the same name, or of one that is renamed.

        Returns:
            The server with its origin.

        Raises:
            ServerConfigError: When there is none, the new name is taken, or the file cannot be read or written.
        """
        known = former or config.name

        def change(text: str, entries: dict[str, JsonValue]) -> str:
            if known not in entries:
                raise ServerConfigError(f"{self.path} has no server {known!r} any more; it was taken out meanwhile")
            if known != config.name:
                if config.name in entries:
                    raise ServerConfigError(f"{self.path} has a server {config.name!r} already; choose another name")
                # The order of the others stays; a renamed one is the last.
                text = without_value(text, [SERVERS_KEY, known])
                return with_value(text, [SERVERS_KEY, config.name], dict(entry_of(config)))
            return self._with_entry(text, config, entries[known])

        self._edit(change)
        return config.model_copy(update={"origin": self.origin})

    def remove(self, name: str) -> None:
        """Take a server out, with the comment directly above it.

        Raises:
            ServerConfigError: When there is none, or the file cannot be read or written.
        """

        def change(text: str, entries: dict[str, JsonValue]) -> str:
            if name not in entries:
                raise ServerConfigError(f"{self.path} has no server {name!r}; look at the list of servers")
            return without_value(text, [SERVERS_KEY, name])

        self._edit(change)

    def _with_entry(self, text: str, config: ServerConfig, before: JsonValue) -> str:
        """Return the text with an entry changed key by key: those that stay keep their comments."""
        entry = entry_of(config)
        if not isinstance(before, dict):
            return with_value(text, [SERVERS_KEY, config.name], dict(entry))
        meant = entry_of(config_of(config.name, before, self.origin))
        for key, value in entry.items():
            # What means the same is left as it is written, such as a number where a text is usual.
            if key not in before or (value != before[key] and value != meant.get(key)):
                text = with_value(text, [SERVERS_KEY, config.name, key], value)
        for key in before:
            if key not in entry and (key in meant or key not in KNOWN_KEYS):
                text = without_value(text, [SERVERS_KEY, config.name, key])
        return text

    def _edit(self, change: Callable[[str, dict[str, JsonValue]], str]) -> None:
        """Change the file as it is now, whoever changed it before, and put it in its place at once.

        Raises:
            ServerConfigError: When that cannot be done; the file is as it was.
        """
        try:
            with self.locked():
                text = self._text()
                changed = change(text or "{}\n", self._entries(self._document(text)))
                self._entries(self._document(changed))
                write_whole(self.path, changed)
        except OSError as error:
            raise ServerConfigError(f"{self.path} cannot be written ({error}); see to its folder") from error

    def _text(self) -> str:
        try:
            return self.text() or ""
        except (OSError, ValueError) as error:
            raise self._unreadable(str(error)) from error

    def _document(self, text: str) -> dict[str, JsonValue]:
        if not text.strip():
            return {}
        try:
            document = parsed(text).value
        except ValueError as error:
            raise self._unreadable(str(error)) from error
        if not isinstance(document, dict):
            raise self._unreadable(f'expected an object such as {{"{SERVERS_KEY}": {{}}}}')
        return document

    def _entries(self, document: dict[str, JsonValue]) -> dict[str, JsonValue]:
        entries = document.get(SERVERS_KEY, {})
        if not isinstance(entries, dict):
            raise self._unreadable(f"expected {SERVERS_KEY} to be an object in braces")
        if len(entries) > MOST_SERVERS:
            raise self._unreadable(f"expected at most {MOST_SERVERS} servers, got {len(entries)}")
        return entries

    def _unreadable(self, why: str) -> ServerConfigError:
        return ServerConfigError(f"{self.path} cannot be read, so its servers stay as they were: {why}")


class ServerFiles:
    """The servers of the person, and those of a project that have no name of theirs.

    Args:
        user_file: The person's file; None is where it usually is.
        project_dir: The project's folder; None has none.

    Attributes:
        servers: All of them as they were when they were last read, the person's first.
        problems: What of the files means nothing, one sentence each.
        profiles: The person's sets of servers.
        profile: The one that counts; None lets all servers.
    """

    def __init__(self, user_file: Path | None = None, project_dir: Path | None = None) -> None:
        self.user = ServersFile(user_file or user_servers_file())
        self.project = None if project_dir is None else ServersFile(project_dir / PROJECT_FILE, project_dir)
        self.servers: tuple[ServerConfig, ...] = ()
        self.problems: tuple[str, ...] = ()
        self.profiles: tuple[Profile, ...] = ()
        self.profile: Profile | None = None
        self._last: dict[Path, FileServers] = {}
        self.refresh()

    def refresh(self) -> bool:
        """Read what changed on the disk.

        Returns:
            Whether there was anything.
        """
        files = tuple(self._files())
        if not any(file.has_changed() for file in files):
            return False
        found = [self._read(file) for file in files]
        by_name: dict[str, ServerConfig] = {}
        problems = [problem for content in found for problem in content.problems]
        for config in (config for content in found for config in content.servers):
            if config.name in by_name:
                # A project must not take the place of what the person knows under that name.
                problems.append(
                    f"the project's server {config.name!r} has the name of one of yours; rename yours or it"
                )
            else:
                by_name[config.name] = config
        mine = found[0]
        profile = next((item for item in mine.profiles if item.name == mine.chosen), None)
        if mine.chosen and profile is None:
            problems.append(f"there is no profile {mine.chosen!r}, so all servers count; choose another one")
        before = (self.servers, self.problems, self.profiles, self.profile)
        now = (tuple(by_name.values()), tuple(problems), mine.profiles, profile)
        self.servers, self.problems, self.profiles, self.profile = now
        return now != before

    def _read(self, file: ServersFile) -> FileServers:
        """Return what a file says, or what it said before somebody left it half written: nothing is ended by that."""
        now = file.read()
        if now.is_readable:
            self._last[file.path] = now
            return now
        return self._last.get(file.path, now)._replace(problems=now.problems)

    def find(self, name: str) -> ServerConfig:
        """Return the server of that name.

        Raises:
            ServerConfigError: When there is none.
        """
        for config in self.servers:
            if config.name == name:
                return config
        known = f"; there are {', '.join(config.name for config in self.servers)}" if self.servers else ""
        raise ServerConfigError(f"no server is called {name!r}{known}")

    def file_of(self, config: ServerConfig) -> ServersFile:
        """Return the file in which a server stands, or would be kept: the person's."""
        if self.project is not None and config.place is ConfigScope.PROJECT:
            return self.project
        return self.user

    def _files(self) -> Iterable[ServersFile]:
        yield self.user
        if self.project is not None:
            yield self.project
