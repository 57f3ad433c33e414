"""Connect the programs of agents with the gateway: an entry in the file of each, undone byte for byte."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Mapping
from datetime import timedelta
from difflib import unified_diff
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from tools.atomic_write import write_whole
from tools.errors import GatewayError
from tools.gateway.agents import CONNECTIONS_FOLDER, AddedAgent, Agent, Agents, KeptToken
from tools.gateway.defaults import TOKEN_VARIABLE, address_of
from tools.mcp.config import ConfigScope, ServerConfig, Transport
from tools.mcp.exports import exported, merged
from tools.mcp.imports import LARGEST_BYTES, OWN_NAME, PROGRAM_WORDS, KnownFile, Program, known_files
from tools.mcp.program_files import entry_for, entry_in, with_entry, without_entry
from tools.mcp.secrets import reference_to
from tools.paths import DATA_VARIABLE, data_folder
from tools.shared_file import SharedFile

NEXT_STEPS: Final = {
    Program.CLAUDE_DESKTOP: "Quit Claude Desktop and start it again.",
    Program.CLAUDE_CODE: "Start a new session of Claude Code, or reconnect under /mcp in one that runs.",
    Program.CURSOR: "Switch tool-console on in the MCP settings of Cursor.",
    Program.VS_CODE: "Start tool-console with the command “MCP: List Servers” of VS Code.",
    Program.ZED: "Zed reads its settings at once; look whether tool-console is on in the settings of its agent panel.",
    Program.WINDSURF: "Refresh the MCP servers in the Cascade panel of Windsurf.",
    Program.CODEX: "Start a new session of Codex.",
    Program.MCP_JSON: "Start a new session of the agent, and allow the server where it asks.",
}
"""What a person does next in each program, by which it is connected."""

_TOKEN_MARK: Final = "tc_…"  # noqa: S105 -- stands for one
_OWN_ONLY: Final = 0o700


class ClientFile(NamedTuple):
    """A file in which a program can be told of the gateway.

    Attributes:
        path: The file, which need not exist.
        in_project: Whether it is the project's, and may come to other people.
        is_found: Whether the program seems to be here.
        is_connected: Whether it knows the gateway.
        over_bridge: Whether the program starts the bridge to reach it.
        problem: Why it cannot be changed; empty for nothing.
    """

    program: Program
    path: Path
    in_project: bool = False
    is_found: bool = False
    is_connected: bool = False
    over_bridge: bool = False
    problem: str = ""

    @property
    def takes_http(self) -> bool:
        """Whether the program can send requests to an address with a token; the others need the bridge."""
        return self.program is not Program.CLAUDE_DESKTOP


class GatewayTransport(NamedTuple):
    """How an agent reaches the gateway.

    Attributes:
        over_bridge: Whether the program starts `tool-console bridge` instead of sending requests to the address.
    """

    address: str = address_of()
    over_bridge: bool = False


_USUAL: Final = GatewayTransport()


class ConnectionPlan(NamedTuple):
    """What connecting would change.

    Attributes:
        transport: How the program reaches the gateway then.
        before: Its text; None when there is none.
        after: Its text with the entry; where the token will stand, there is a mark.
        needs_variable: Whether the token stays out of the file, and the program is to be given it otherwise.
    """

    file: ClientFile
    transport: GatewayTransport
    before: str | None
    after: str
    needs_variable: bool

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty when nothing changes."""
        lines = unified_diff(
            (self.before or "").splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            str(self.file.path) if self.before is not None else os.devnull,
            str(self.file.path),
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


class Connected(NamedTuple):
    """What connecting did.

    Attributes:
        agent: The agent, with the only look at its token.
        needs_variable: Whether the token is not in the file, and the program is to be given it otherwise.
    """

    agent: AddedAgent
    file: ClientFile
    needs_variable: bool


class Undone(NamedTuple):
    """What undoing did beside the file.

    Attributes:
        removed: The agent that is let in no longer; empty for none.
        restored: The agent whose former token is good again; empty for none.
        ended: The agent whose former token stays ended, since it has another meanwhile or its time is over; empty for
            none.
    """

    removed: str = ""
    restored: str = ""
    ended: str = ""


class _Record(BaseModel):
    """What was written into one file.

    Attributes:
        program: Whose file it is.
        agent: The agent whose token it has.
        former: The token that the agent had before; None when it was let in for it.
        backup: The file in the folder that holds what was there; empty when nothing was.
        mode: The rights that the file had; None when there was none.
        digest: The SHA-256 of what was written.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    program: Program
    agent: str
    token_digest: str
    former: KeptToken | None = None
    backup: str = ""
    mode: int | None = None
    digest: str


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)

    files: dict[str, _Record] = Field(default_factory=dict)


def client_files(
    home: Path | None = None,
    environment: Mapping[str, str] | None = None,
    project_dir: Path | None = None,
    platform: str = sys.platform,
) -> tuple[ClientFile, ...]:
    """Return where the programs of agents can be told of the gateway, those that seem to be here first.

    Args:
        home: The person's home folder; None is the usual one.
        environment: The variables that say where settings are; None are those of this process.
        project_dir: The project's folder; None has none.
        platform: As `sys.platform`.
    """
    home, environment = home or Path.home(), os.environ if environment is None else environment
    files: dict[Path, ClientFile] = {}
    for known in known_files(home, environment, project_dir, platform):
        # VS Code takes servers from its settings as well, but keeps new ones in a file of their own.
        if known.path.name != "settings.json" or known.program is not Program.VS_CODE:
            # Where the project is the home folder, a file is the person's own.
            files.setdefault(known.path, _looked_at(known, home))
    return tuple(sorted(files.values(), key=lambda file: not file.is_found))


def client_file(program: Program, path: Path) -> ClientFile:
    """Return a file that a person names as one of a program."""
    return _looked_at(KnownFile(program, path), Path.home())


def snippet(program: Program, transport: GatewayTransport, token: str = "") -> str:
    """Return what goes into the file of a program that has nothing else in it.

    Args:
        token: The agent's token; empty puts a mark in its place.
    """
    return with_entry("", program, OWN_NAME, entry_for(program, _server(program, transport, token or _TOKEN_MARK)))


def planned(file: ClientFile, transport: GatewayTransport = _USUAL) -> ConnectionPlan:
    """Return what connecting would change; nothing is written.

    Raises:
        GatewayError: The file cannot be read or changed; the message says why.
    """
    before = _read(file.path)
    after, needs_variable = _changed(file, before, transport, _TOKEN_MARK)
    return ConnectionPlan(file, transport, before, after, needs_variable)


class Connections:
    """Write entries into the files of programs, and take them back.

    Args:
        data: The data folder, which keeps what the files held before.
        agents: Who may call.
    """

    def __init__(self, data: Path, agents: Agents) -> None:
        self._folder = data / CONNECTIONS_FOLDER
        self._records = SharedFile(self._folder / "connections.json", _Document, GatewayError)
        self._agents = agents

    def has(self, path: Path) -> bool:
        """Return whether an entry was written into a file, and can be taken back.

        Raises:
            GatewayError: The records cannot be read.
        """
        return str(path) in self._records.read().files

    def name_for(self, file: ClientFile) -> str:
        """Return what the agent of a file is called unless a person says otherwise: no other file's agent.

        Raises:
            GatewayError: The records cannot be read.
        """
        taken = {agent.name for agent in self._agents.all()}
        record = self._records.read().files.get(str(file.path))
        if record is not None and record.agent in taken:
            return record.agent
        name = "agent" if file.program is Program.MCP_JSON else file.program.value
        further = (f"{name}-{number}" for number in count(2))
        return name if name not in taken else next(other for other in further if other not in taken)

    def connect(
        self,
        change: ConnectionPlan,
        name: str,
        *,
        profile: str | None = None,
        valid_for: timedelta | None = None,
    ) -> Connected:
        """Let an agent in, and write the entry that has its token; an agent of that name gets another token.

        The token that it had is good until the file is written. Only the person can read a file that holds a token.

        Args:
            name: The agent's name.
            profile: What says which tools it sees; empty for all, None for all or what it saw before.
            valid_for: How long the token is good; None for ever.

        Raises:
            GatewayError: The file changed meanwhile, or the agent or the file cannot be written; file and agent are as
                they were.
        """
        file = change.file
        if _read(file.path) != change.before:
            raise GatewayError(f"{file.path} changed meanwhile; look at the change again")
        known = next((agent for agent in self._agents.all() if agent.name == name), None)
        if known is not None and profile is not None:
            self._agents.give_profile(name, profile)
        added = (
            self._agents.add(name, profile=profile or "", valid_for=valid_for)
            if known is None
            else self._agents.renew(name, valid_for=valid_for, keeps_former=True)
        )
        try:
            after, _ = _changed(file, change.before, change.transport, added.token)
            self._write(change, after, added.agent)
        except (GatewayError, OSError) as error:
            if known is None:
                self._agents.remove(name)
            else:
                self._agents.give_profile(name, known.profile.name)
                self._agents.restore_token(name, known.token, instead_of=added.agent.token_digest)
            raise GatewayError(f"{file.path} cannot be written: {error}") from error
        if known is not None:
            self._agents.end_former(name)
        return Connected(added, file._replace(is_found=True, is_connected=True), change.needs_variable)

    def _write(self, change: ConnectionPlan, after: str, agent: Agent) -> None:
        """Keep what is there, and write.

        Raises:
            GatewayError: The records cannot be written.
            OSError: The file cannot be written.
        """
        path = change.file.path
        with self._records.change() as document:
            former = document.files.get(str(path))
            if former is not None and change.before is not None and former.digest == _digest(change.before):
                # Nobody changed it since, so what is undone is all that was written.
                is_same = former.agent == agent.name and agent.former is not None
                record = former.model_copy(
                    update={
                        "agent": agent.name,
                        "token_digest": agent.token_digest,
                        "former": former.former if is_same else agent.former,
                        "digest": _digest(after),
                    }
                )
            else:
                record = self._kept(
                    change,
                    _Record(
                        program=change.file.program,
                        agent=agent.name,
                        token_digest=agent.token_digest,
                        former=agent.former,
                        digest=_digest(after),
                    ),
                )
            if record.mode is not None and not change.needs_variable:
                path.chmod(record.mode & _OWN_ONLY)
            write_whole(path, after)
            document.files[str(path)] = record

    def _kept(self, change: ConnectionPlan, record: _Record) -> _Record:
        """Keep what a file holds, and return the record that says where."""
        path = change.file.path
        if change.before is None:
            return record
        name = f"{_digest(str(path))[:12]}-{path.name}"
        write_whole(self._folder / name, change.before)
        return record.model_copy(update={"backup": name, "mode": stat.S_IMODE(path.stat().st_mode)})

    def undo(self, path: Path, *, entry_only: bool = False) -> Undone:
        """Take back what was written into a file: byte for byte, and the agent that was let in for it.

        An agent that was there before has the token again that it had then, where that is still possible.

        Args:
            entry_only: Whether only the entry is taken out, as of a file that was changed since.

        Raises:
            GatewayError: Nothing was written there, or it changed since; or it cannot be written, and is as it was.
        """
        with self._records.change() as document:
            record = document.files.get(str(path))
            if record is None:
                raise GatewayError(f"nothing was written into {path} from here; take the entry out by hand")
            now = _read(path)
            try:
                if now is not None and entry_only:
                    write_whole(path, without_entry(now, record.program, OWN_NAME))
                elif now is not None:
                    self._restore(path, now, record)
            except (OSError, ValueError) as error:
                raise GatewayError(f"{path} cannot be written: {error}") from error
            del document.files[str(path)]
            if record.backup:
                (self._folder / record.backup).unlink(missing_ok=True)
        if record.agent not in {agent.name for agent in self._agents.all()}:
            return Undone()
        if record.former is None:
            self._agents.remove(record.agent)
            return Undone(removed=record.agent)
        if self._agents.restore_token(record.agent, record.former, instead_of=record.token_digest):
            return Undone(restored=record.agent)
        return Undone(ended=record.agent)

    def _restore(self, path: Path, now: str, record: _Record) -> None:
        if _digest(now) != record.digest:
            raise GatewayError(
                f"{path} changed since it was written, so it is left alone; take out only the entry of {OWN_NAME}"
            )
        if record.mode is None:
            path.unlink()
            return
        before = _read(self._folder / record.backup)
        if before is None:
            raise GatewayError(f"what {path} held before is not kept any more; take out only the entry of {OWN_NAME}")
        write_whole(path, before)
        path.chmod(record.mode)


def _looked_at(known: KnownFile, home: Path) -> ClientFile:
    program, path, in_project = known
    # The home folder and the project say nothing of a program; a folder of its own does.
    is_found = path.exists() or (path.parent != home and path.name != ".mcp.json" and path.parent.is_dir())
    file = ClientFile(program, path, in_project, is_found)
    try:
        entry = entry_in(_read(path) or "", program, OWN_NAME)
        over_bridge = isinstance(entry, dict) and "command" in entry
        return file._replace(is_connected=entry is not None, over_bridge=over_bridge)
    except GatewayError as error:
        return file._replace(problem=str(error))
    except ValueError as error:
        return file._replace(problem=f"{path} cannot be understood: {error}; mend it first")


def _read(path: Path) -> str | None:
    """Return the text of a file, as it stands there; None when there is none.

    Raises:
        GatewayError: It cannot be read as text.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise GatewayError(f"{path}: expected at most {LARGEST_BYTES:,} bytes")
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise GatewayError(f"{path} cannot be read: {error}") from error


def _changed(file: ClientFile, before: str | None, transport: GatewayTransport, token: str) -> tuple[str, bool]:
    """Return the text of a file with the entry, and whether the token stays out of it.

    A file of the project may come to other people: where the program fills in variables, the token is one.

    Raises:
        GatewayError: It cannot be changed.
    """
    program = file.program
    try:
        if file.in_project:
            reference = reference_to(f"{ConfigScope.USER}/{OWN_NAME}/env/{TOKEN_VARIABLE}")
            export = exported([_server(program, transport, reference)], program)
            return merged(before or "", export, program), True
        return with_entry(
            before or "", program, OWN_NAME, entry_for(program, _server(program, transport, token))
        ), False
    except ValueError as error:
        raise GatewayError(f"{file.path} cannot be understood: {error}; mend it first, nothing was written") from error


def _server(program: Program, transport: GatewayTransport, token: str) -> ServerConfig:
    if transport.over_bridge or not ClientFile(program, Path()).takes_http:
        command, *words = own_command()
        # The bridge finds the program that serves by the data folder.
        moved = {DATA_VARIABLE: str(data_folder().absolute())} if os.environ.get(DATA_VARIABLE) else {}
        return ServerConfig(
            name=OWN_NAME,
            transport=Transport.STDIO,
            command=command,
            args=(*words, "bridge"),
            env={TOKEN_VARIABLE: token, **moved},
        )
    return ServerConfig(
        name=OWN_NAME, transport=Transport.HTTP, url=transport.address, headers={"Authorization": f"Bearer {token}"}
    )


def own_command() -> tuple[str, ...]:
    """Return the command that starts this program, by its full path: programs with a window know few folders."""
    if getattr(sys, "frozen", False):
        return (sys.executable,)
    beside = shutil.which(OWN_NAME, path=str(Path(sys.executable).parent)) or shutil.which(OWN_NAME)
    return (beside,) if beside else (sys.executable, "-m", "console")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def words_of(file: ClientFile) -> str:
    """Return what a person calls a file's program."""
    return f"{PROGRAM_WORDS[file.program]}, this project" if file.in_project else PROGRAM_WORDS[file.program]
