"""What the disk knows of servers: their entries, whom a person let start, what was approved; from any thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from tools.errors import ServerConfigError
from tools.keyring_secrets import KeyringSecrets, Secrets
from tools.mcp.config import ConfigScope, ServerConfig
from tools.mcp.consent import CONSENTS_FILE, Consents, start_digest
from tools.mcp.definitions import Definition
from tools.mcp.imports import OWN_NAME, PROGRAM_WORDS, Import, Importable, NoServersError, known_files, read_import
from tools.mcp.pins import PINS_FILE, DefinitionJudgement, Pins
from tools.mcp.placeholders import blanks_of, filled_in
from tools.mcp.profiles import Profile, with_profile
from tools.mcp.secrets import forget_sign_in, may_refer, move_secrets, reference_to, references, secret_name
from tools.mcp.servers_file import ServerFiles
from tools.sentences import full_sentence


class ServerStore:
    """Keep servers. Whatever cannot be read or written is a `ServerConfigError` or a `VaultError`.

    Args:
        data: The folder of what was agreed to and approved.
        user_file: The person's servers; None is where they usually are.
        secrets: Keeps their secrets; None is the system's keyring.
    """

    def __init__(self, data: Path, user_file: Path | None = None, secrets: Secrets | None = None) -> None:
        self._user_file = user_file
        # A change takes as long as a person needs to open the keyring; whoever only reads does not wait for it.
        self._lock = threading.RLock()
        self._files_lock = threading.Lock()
        self._project_dir: Path | None = None
        self._files: ServerFiles | None = None
        self._found: dict[str, Importable] = {}
        self.secrets: Secrets = KeyringSecrets() if secrets is None else secrets
        self.consents = Consents(data / CONSENTS_FILE)
        self.pins = Pins(data / PINS_FILE)

    @property
    def project_dir(self) -> Path | None:
        """The project whose servers count as well; None has none."""
        return self._project_dir

    def set_project(self, folder: Path | None) -> None:
        """Let the servers of another project count."""
        with self._files_lock:
            if folder != self._project_dir:
                self._project_dir = folder
                self._files = None

    def refresh(self) -> bool:
        """Read what changed on the disk; return whether there was anything."""
        with self._lock:
            was_read = self._files is not None
            files = self._read()
            return files.refresh() or not was_read

    @property
    def configs(self) -> tuple[ServerConfig, ...]:
        """All servers, the person's first."""
        return self._read().servers

    @property
    def wanted(self) -> tuple[ServerConfig, ...]:
        """All servers as the chosen profile wants them: what is not in it is disabled."""
        files = self._read()
        return with_profile(files.servers, files.profile)

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """The person's sets of servers."""
        return self._read().profiles

    @property
    def profile(self) -> Profile | None:
        """The set that counts; None lets all servers."""
        return self._read().profile

    @property
    def problem(self) -> str:
        """What of the files means nothing; empty when all is well."""
        return " ".join(map(full_sentence, self._read().problems))

    def find(self, name: str) -> ServerConfig:
        return self._read().find(name)

    def may_start(self) -> Mapping[str, bool]:
        return {config.name: self.consents.may_start(config) for config in self.configs}

    def add(self, config: ServerConfig, answers: Mapping[str, str] = MappingProxyType({})) -> ServerConfig:
        """Keep a new server of the person, who has seen what starts.

        Args:
            answers: What belongs in the places that its entry leaves open; secrets among them go to the keyring.
        """
        with self._lock:
            files = self._read()
            config = config.model_copy(update={"origin": files.user.origin})
            if any(known.name == config.name for known in files.servers):
                raise ServerConfigError(f"there is a server {config.name!r} already; choose another name")
            kept = files.user.add(move_secrets(self._answered(config, answers), self.secrets))
            self.consents.give(kept, trusted=kept.trusted)
            files.refresh()
            return kept

    def _answered(self, config: ServerConfig, answers: Mapping[str, str]) -> ServerConfig:
        def hold(where: str, value: str) -> str:
            name = secret_name(config, where)
            self.secrets.put(name, value)
            return reference_to(name)

        return filled_in(config, answers, hold)

    def replace(self, former: str, config: ServerConfig) -> ServerConfig:
        """Keep other settings of a server; the person has seen what starts."""
        with self._lock:
            files = self._read()
            before = files.find(former)
            kept = files.file_of(config).replace(move_secrets(config, self.secrets), former)
            self.consents.give(kept, trusted=config.trusted)
            files.refresh()
            if kept.key != before.key:
                self._forget(before)
            self._forget_unused(before)
            return kept

    def choose_profile(self, name: str) -> None:
        """Let a set of servers count; the empty name lets all of them."""
        with self._lock:
            self._read().user.choose_profile(name)
            self._read().refresh()

    def keep_profile(self, profile: Profile) -> None:
        with self._lock:
            self._read().user.keep_profile(profile)
            self._read().refresh()

    def remove_profile(self, name: str) -> None:
        """Forget a set of servers."""
        with self._lock:
            self._read().user.remove_profile(name)
            self._read().refresh()

    def switch(self, name: str, is_on: bool) -> None:  # noqa: FBT001 -- threads are handed arguments by position
        """Let a server be started, or not."""
        self._update(name, lambda _: {"enabled": is_on})

    def sign(self, name: str, is_signed_in: bool) -> None:  # noqa: FBT001 -- as above
        """Remember whether a person signed in at a server; one that they left forgets what that gave."""
        with self._lock:
            config = self._update(name, lambda _: {"signs_in": is_signed_in})
            if not is_signed_in:
                forget_sign_in(config, self.secrets)

    def switch_tool(self, name: str, tool: str, is_on: bool) -> None:  # noqa: FBT001 -- as above
        """Let a tool of a server be called, or not."""

        def switched(config: ServerConfig) -> dict[str, object]:
            others = [other for other in config.disabled_tools if other != tool]
            return {"disabled_tools": tuple(others if is_on else [*others, tool])}

        self._update(name, switched)

    def _update(self, name: str, changes: Callable[[ServerConfig], dict[str, object]]) -> ServerConfig:
        """Keep a server with changes of its entry; return it as it was."""
        with self._lock:
            files = self._read()
            config = files.find(name)
            files.file_of(config).replace(config.model_copy(update=changes(config)))
            files.refresh()
            return config

    def remove(self, name: str) -> None:
        """Forget a server, with its secrets and what was approved of it."""
        with self._lock:
            files = self._read()
            config = files.find(name)
            files.file_of(config).remove(name)
            files.refresh()
            self._forget(config)
            self._forget_unused(config)

    def _forget(self, config: ServerConfig) -> None:
        """Forget what was agreed to and approved of a server, and who signed in there."""
        self.pins.forget(config)
        self.consents.withdraw(config)
        if config.signs_in:
            forget_sign_in(config, self.secrets)

    def _forget_unused(self, before: ServerConfig) -> None:
        """Remove from the keyring what this entry referred to, and no entry does any more."""
        used = {name for config in self.configs for name in references(config)}
        for name in references(before):
            if name not in used and may_refer(before, name):
                self.secrets.remove(name)

    def allow(self, name: str, trusted: bool, digest: str) -> None:  # noqa: FBT001 -- as above
        """Let a server start from now on.

        Args:
            trusted: Whether its word about risk is believed.
            digest: The `start_digest` of what the person saw: the entry may have changed since.

        Raises:
            ServerConfigError: What would start is not what they saw.
        """
        with self._lock:
            config = self.find(name)
            if start_digest(config) != digest:
                raise ServerConfigError(
                    f"the entry of {name!r} changed while you looked at it; look at what it starts now, then allow it"
                )
            if trusted and config.place is ConfigScope.USER and not config.trusted:
                config = self._read().user.replace(config.model_copy(update={"trusted": True}))
                self._read().refresh()
            self.consents.give(config, trusted=trusted)

    def approve(self, name: str, judgements: Iterable[DefinitionJudgement], tools: Collection[str]) -> None:
        """Let tools run as they are defined now."""
        wanted = _definitions(judgements, tools)
        self.pins.approve(self.find(name), wanted)

    def block(self, name: str, judgements: Iterable[DefinitionJudgement], tool: str) -> None:
        for definition in _definitions(judgements, (tool,)):
            self.pins.block(self.find(name), definition)

    def importable(self) -> tuple[tuple[tuple[str, str, Importable], ...], tuple[str, ...]]:
        """Return what other programs know (a key, where it was found, the server), and what cannot be taken."""
        found: list[tuple[str, str, Importable]] = []
        problems: list[str] = []
        for known in known_files(Path.home(), os.environ, self._project_dir):
            if not known.path.is_file():
                continue
            try:
                brought = read_import(known.path, self._project_dir)
            except NoServersError:
                continue
            except ServerConfigError as error:
                problems.append(str(error))
                continue
            others = tuple(server for server in brought.servers if server.config.name != OWN_NAME)
            found += self._remembered(brought._replace(servers=others), PROGRAM_WORDS[known.program])
            problems += brought.problems
        return tuple(found), tuple(problems)

    def importable_in(self, path: Path) -> tuple[tuple[tuple[str, str, Importable], ...], tuple[str, ...]]:
        """Return the servers that a file names, and what of it cannot be taken."""
        brought = read_import(path, self._project_dir)
        return tuple(self._remembered(brought, path.name)), brought.problems

    def take(self, keys: Collection[str]) -> tuple[str, ...]:
        """Take servers over, in the place of those of the person with the same names; return what they are called."""
        taken: list[str] = []
        with self._lock:
            files = self._read()
            mine = {config.name for config in files.user.read().servers}
            for key in keys:
                config = self._found[key].config.model_copy(update={"origin": files.user.origin})
                kept = move_secrets(config, self.secrets)
                if config.name in mine:
                    before = files.find(config.name)
                    files.user.replace(kept)
                    files.refresh()
                    self._forget_unused(before)
                else:
                    files.user.add(kept)
                mine.add(config.name)
                taken.append(config.name)
            files.refresh()
        return tuple(taken)

    def _remembered(self, brought: Import, origin: str) -> list[tuple[str, str, Importable]]:
        found = []
        for server in brought.servers:
            key = f"{brought.path}\n{server.config.name}"
            self._found[key] = server
            found.append((key, origin, server))
        return found

    def _read(self) -> ServerFiles:
        with self._files_lock:
            if self._files is None:
                self._files = ServerFiles(self._user_file, self._project_dir)
            return self._files


def shown_with(config: ServerConfig, answers: Mapping[str, str]) -> ServerConfig:
    """Return a server as it will be kept with answers, before any secret of it is; what is still open says so."""
    open_still = {
        blank.where: f"${{input:{blank.name}}}" for blank in blanks_of(config) if not answers.get(blank.where)
    }
    needed = {blank.where for blank in blanks_of(config) if blank.is_needed}
    told = {**answers, **{where: words for where, words in open_still.items() if where in needed}}
    return filled_in(
        config, told, lambda where, value: value if where in open_still else reference_to(secret_name(config, where))
    )


def _definitions(judgements: Iterable[DefinitionJudgement], tools: Collection[str]) -> list[Definition]:
    return [judgement.definition for judgement in judgements if judgement.definition.name in tools]
