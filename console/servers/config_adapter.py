"""The settings of servers behind the page: as values of the form, tried, kept, imported and exported."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from console.engine import Engine
from console.language import sentence_of, tr, tr_count, translated
from console.servers.elicitation import SharedFolders
from console.servers.ports import Settings
from console.servers.rows import (
    ConnectionTest,
    ImportRow,
    MissingValue,
    PastedServer,
    PasteResult,
    StartPartRow,
    StartRow,
)
from console.servers.snapshots import TRANSPORT_WORDS, trouble_of
from console.tasks import Compute
from tools.errors import ServerConfigError, ToolError
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport
from tools.mcp.consent import start_digest
from tools.mcp.exports import exported
from tools.mcp.imports import Importable, Program
from tools.mcp.locating import located
from tools.mcp.pasted import PasteKind, read_paste, unused_name
from tools.mcp.placeholders import Placeholder, blanks_of, filled_in
from tools.mcp.profiles import Profile
from tools.mcp.secrets import address_of, masked
from tools.mcp.servers import Servers
from tools.mcp.start_preview import start_preview
from tools.mcp.store import ServerStore, shown_with
from tools.mcp.supervisor import Resolve
from tools.registry import ToolRegistry

_MOST_NAMES: Final = 4

_FORM_KEYS: Final = (
    *("name", "command", "args", "env", "cwd", "url", "headers"),
    *("description", "timeout_s", "protocol", "trusted"),
)


def form_value(config: ServerConfig) -> dict[str, Any]:
    """Give the settings of a server as the form takes them; what is empty is left out, secrets are bullets."""
    said = masked(config).model_dump(mode="json")
    value = {key: said[key] for key in _FORM_KEYS if said[key] not in ("", [], {})}
    return {"transport": config.transport.value, **value}


def pasted_value(config: ServerConfig) -> dict[str, Any]:
    """Give the settings of a pasted server as the form takes them, secrets as they were written."""
    said = config.model_dump(mode="json")
    value = {key: said[key] for key in (*_FORM_KEYS, "client") if said[key] not in ("", [], {}, None)}
    return {"transport": config.transport.value, **value}


def asked_of(blank: Placeholder) -> MissingValue:
    """Give what a pasted server leaves to be filled in, as the form asks for it."""
    kept = tr("Kept in the keyring") if blank.is_secret else tr("In the place of {written}", written=blank.written)
    note = (
        tr("{kept}. Empty takes the variable {variable} of this computer", kept=kept, variable=blank.variable)
        if blank.variable
        else kept
    )
    return MissingValue(blank.where, blank.name, note, blank.is_secret, blank.is_needed)


def paste_words(kind: PasteKind, names: Sequence[str], notes: Sequence[str]) -> str:
    """Say what a pasted text was taken for."""
    count = len(names)
    shown = ", ".join(names) if count <= _MOST_NAMES else tr_count(count, "1 server", "{count:,} servers")
    words = {
        PasteKind.COMMAND: tr("A command that starts {shown}", shown=shown),
        PasteKind.ADDRESS: tr("An address"),
        PasteKind.BLOCK: tr("Settings of {shown}", shown=shown),
        PasteKind.ADD_COMMAND: tr("A command that adds {shown} to another program", shown=shown),
        PasteKind.LINK: tr("A link that installs {shown}", shown=shown),
    }.get(kind, "")
    return ", ".join((words, *notes))


def config_from(value: Mapping[str, Any], former: ServerConfig | None = None) -> ServerConfig:
    """Return what settings of the form mean.

    Args:
        value: As the form gives them.
        former: The server that is changed: what the form does not have stays as it is.

    Raises:
        ServerConfigError: When they mean nothing; it says why.
    """
    transport = Transport(value["transport"])
    said: dict[str, Any] = {"name": ""} | {key: value[key] for key in _FORM_KEYS if key in value}
    if transport is Transport.STDIO:
        said = {key: entry for key, entry in said.items() if key not in {"url", "headers"}}
    else:
        said = {key: entry for key, entry in said.items() if key not in {"command", "args", "env", "cwd"}}
    client = value.get("client")
    said |= {"client": client} if client and transport is not Transport.STDIO else {}
    said |= {"transport": transport, "protocol": ProtocolChoice(said.get("protocol", "auto"))}
    if former is not None:
        kept = ("enabled", "disabled_tools", "signs_in", "client", "origin", "unknown")
        said |= {key: getattr(former, key) for key in kept}
        _put_secrets_back(said, former)
    try:
        return ServerConfig.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        is_sentence = not where or first["type"] == "value_error"
        message = str(first["msg"]).removeprefix("Value error, ") if is_sentence else f"{where}: {first['msg']}"
        raise ServerConfigError(message) from error


def _put_secrets_back(said: dict[str, Any], former: ServerConfig) -> None:
    """Put what was shown as bullets back where nobody changed it."""
    shown = masked(former)
    for key in ("env", "headers"):
        if key in said:
            before, bullets = getattr(former, key), getattr(shown, key)
            said[key] = {
                name: before[name] if name in before and text == bullets[name] else text
                for name, text in said[key].items()
            }
    if "args" in said:
        written = dict(zip(shown.args, former.args, strict=True))
        said["args"] = [written.get(text, text) for text in said["args"]]
    if said.get("url") == shown.url:
        said["url"] = former.url


class ServerConfigAdapter:
    """Be the `ConfigPort`: the settings of servers on the disk.

    Args:
        store: What the disk knows of them.
        resolve: Fills entries in.
        apply: Lets the servers be as the disk says.
        engine: Runs servers that are tried.
        compute: Runs what waits for a disk.
        folders: Keeps which folders servers may know of.
    """

    def __init__(
        self,
        store: ServerStore,
        *,
        resolve: Resolve,
        apply: Callable[[], Awaitable[None]],
        connect: Callable[[str], Awaitable[None]],
        engine: Engine,
        compute: Compute,
        folders: SharedFolders,
    ) -> None:
        self._store = store
        self._resolve = resolve
        self._apply = apply
        self._connect = connect
        self._engine = engine
        self._compute = compute
        self._folders = folders

    async def settings(self, name: str, /) -> Settings:
        config = self._store.find(name)
        where = "" if config.origin is None else str(config.origin.path)
        return Settings(form_value(config), where)

    async def start_of(self, name: str, /) -> StartRow:
        start: StartRow = await self._compute(self._start, self._store.find(name))
        return start

    async def preview(self, value: Mapping[str, Any], /) -> StartRow:
        start: StartRow = await self._compute(self._preview, value)
        return start

    def _preview(self, value: Mapping[str, Any]) -> StartRow:
        try:
            config = config_from(value)
        except ServerConfigError as error:
            return StartRow(problem=sentence_of(error), is_program=value.get("transport") == Transport.STDIO)
        answers = value.get("answers", {})
        open_still = [blank for blank in blanks_of(config) if blank.is_needed and answers.get(blank.where) == ""]
        start = self._start(shown_with(config, answers))
        return start._replace(missing=tuple(blank.name for blank in open_still))

    def _start(self, config: ServerConfig) -> StartRow:
        """Return what runs when a server starts, and which program that is on this computer."""
        shown, found = start_preview(config), located(config, self._resolve)
        program = ((tr("Program"), found.path),) if found.path else ()
        missing = ". ".join(sentence_of(words) for words in (found.problem, found.advice) if words)
        return StartRow(
            tuple(StartPartRow(part.text, sentence_of(part.risk)) for part in shown.parts),
            (*program, *((translated(name), translated(value)) for name, value in shown.facts)),
            (*filter(None, (missing,)), *map(sentence_of, shown.notes)),
            digest=start_digest(config),
            is_program=config.transport is Transport.STDIO,
        )

    async def understand(self, text: str, /) -> PasteResult:
        understood: PasteResult = await self._compute(self._understand, text)
        return understood

    def _understand(self, text: str) -> PasteResult:
        paste = read_paste(text)
        taken = {config.name for config in self._store.configs}
        servers = []
        for config in paste.servers:
            name = unused_name(config.name, taken)
            taken.add(name)
            note = (
                tr("There is a server {name} already; this one is called {new_name}", name=config.name, new_name=name)
                if name != config.name
                else ""
            )
            value = pasted_value(config.model_copy(update={"name": name}))
            asked = tuple(map(asked_of, blanks_of(config)))
            value |= {"answers": {one.where: "" for one in asked}} if asked else {}
            servers.append(PastedServer(value, asked, self._preview(value), note))
        words = paste_words(paste.kind, [str(server.value["name"]) for server in servers], paste.notes)
        return PasteResult(words if servers else "", ". ".join(map(sentence_of, paste.problems)), tuple(servers))

    async def trial(self, value: Mapping[str, Any], /) -> ConnectionTest:
        config = config_from(value, self._known(str(value.get("name", ""))))
        config = filled_in(config, value.get("answers", {}), _as_it_is)
        return await self._engine.call(self._try, config)

    async def _try(self, config: ServerConfig) -> ConnectionTest:
        # A table of its own: nobody can call what is only looked at.
        servers = Servers(ToolRegistry(), resolve=self._resolve, back_off_s=())
        try:
            await servers.apply([config])
            await servers.start(config.name)
            state = servers.state(config.name)
            identity = state.identity
            who = (
                f"{identity.title or identity.name} {identity.version}".strip() if identity is not None else config.name
            )
            tools = tr_count(state.tool_count, "1 tool", "{count:,} tools")
            return ConnectionTest(
                True,
                tr(
                    "Connected: {who}, {tools}, protocol {version}",
                    who=who,
                    tools=tools,
                    version=state.protocol_version,
                ),
            )
        except ToolError as error:
            fault = servers.state(config.name).fault
            if fault is None:
                return ConnectionTest(False, sentence_of(error))
            trouble = trouble_of(fault)
            return ConnectionTest(False, trouble.fact, (*trouble.details, *filter(None, (trouble.advice,))))
        finally:
            await servers.aclose()

    async def add(self, values: Sequence[Mapping[str, Any]], /) -> Sequence[str]:
        configs = [(config_from(value), value.get("answers", {})) for value in values]
        names: list[str] = []
        try:
            for config, answers in configs:
                kept: ServerConfig = await self._compute(self._store.add, config, answers)
                names.append(kept.name)
        finally:
            # What was kept before one of them could not be is there all the same.
            await self._apply()
        await asyncio.gather(*map(self._begin, names))
        return names

    async def save(self, name: str, value: Mapping[str, Any], /) -> str:
        config = config_from(value, self._store.find(name))
        kept: ServerConfig = await self._compute(self._store.replace, name, config)
        await self._apply()
        if kept.enabled:
            await self._begin(kept.name)
        return kept.name

    async def _begin(self, name: str) -> None:
        # It is kept whether or not it comes up; the page shows why it does not.
        try:
            await self._connect(name)
        except ToolError:
            return

    async def allow(self, name: str, digest: str, /, *, trusted: bool) -> None:
        await self._compute(self._store.allow, name, trusted, digest)
        await self._apply()
        await self._begin(name)

    async def remove(self, name: str, /) -> None:
        await self._compute(self._store.remove, name)
        await self._compute(self._folders.forget, name)
        await self._apply()

    async def forget_folders(self, name: str, /) -> None:
        await self._compute(self._folders.forget, name)

    async def switch_server(self, name: str, /, *, is_on: bool) -> None:
        await self._compute(self._store.switch, name, is_on)
        await self._apply()
        if is_on and self._store.consents.may_start(self._store.find(name)):
            await self._begin(name)

    async def choose_profile(self, name: str, /) -> None:
        """Let a set of servers count, and start those of it that may start."""
        await self._compute(self._store.choose_profile, name)
        await self._apply()
        allowed = await self._compute(self._store.may_start)
        wanted = [config.name for config in self._store.wanted if config.enabled and allowed[config.name]]
        await asyncio.gather(*map(self._begin, wanted))

    async def keep_profile(self, name: str, servers: Collection[str], /) -> None:
        try:
            profile = Profile(name=name, servers=tuple(servers))
        except ValidationError as error:
            raise ServerConfigError(
                tr("{name!r} cannot name a profile: expected at most 128 letters", name=name)
            ) from error
        await self._compute(self._store.keep_profile, profile)

    async def remove_profile(self, name: str, /) -> None:
        await self._compute(self._store.remove_profile, name)
        await self._apply()

    async def exported(self, name: str, /) -> str:
        return exported([self._store.find(name)], Program.MCP_JSON).text

    async def found(self) -> Sequence[ImportRow]:
        found, problems = await self._compute(self._store.importable)
        return [*self._rows(found), *_broken(problems, "")]

    async def found_in(self, path: str, /) -> Sequence[ImportRow]:
        found, problems = await self._compute(self._store.importable_in, Path(path))
        return [*self._rows(found), *_broken(problems, Path(path).name)]

    async def take(self, keys: Collection[str], /) -> str:
        names = await self._compute(self._store.take, keys)
        await self._apply()
        return tr("Imported {names}. Look at what each starts, then allow it.", names=", ".join(names))

    def _rows(self, found: Sequence[tuple[str, str, Importable]]) -> list[ImportRow]:
        known = {config.name: config for config in self._store.configs}
        rows = []
        for key, origin, server in found:
            config = server.config
            here = known.get(config.name)
            note = "; ".join(server.notes)
            if here is not None:
                note = tr("takes the place of yours; {note}", note=note) if note else tr("takes the place of yours")
            transport = TRANSPORT_WORDS[config.transport]
            rows.append(ImportRow(key, config.name, origin, transport, address_of(config), note, here is not None))
        return rows

    def _known(self, name: str) -> ServerConfig | None:
        return next((config for config in self._store.configs if config.name == name), None)


def _broken(problems: Sequence[str], origin: str) -> list[ImportRow]:
    return [ImportRow(problem, "", origin, "", "", problem=sentence_of(problem)) for problem in problems]


def _as_it_is(_where: str, value: str) -> str:
    """Leave a secret where it is: what is only tried is never kept."""
    return value
