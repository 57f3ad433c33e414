"""The files of agents' programs, read and written in threads of the engine; the window gets values only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from console.engine import Engine
from console.gateway.client_model import ClientRow, ConnectedClient, ConnectionPreview, UndoneConnection
from console.language import translated
from console.widgets import home_short
from tools.errors import GatewayError
from tools.gateway.agents import AGENTS_FILE, Agents

if TYPE_CHECKING:
    from tools.gateway.client_configs import ClientFile, ConnectionPlan, Connections


class Clients(Protocol):
    """What the window needs of the programs of agents."""

    async def rows(self) -> tuple[ClientRow, ...]:
        """Return the programs, those that are here first."""
        ...

    async def snippets(self, address: str, token: str = "", *, over_bridge: bool = False) -> dict[str, str]:
        """Return what goes into the settings of each program, by what a person calls it."""
        ...

    async def preview(self, key: str, address: str, *, over_bridge: bool | None = None) -> ConnectionPreview:
        """Return what connecting a program with the gateway at an address would change.

        Args:
            over_bridge: Whether it starts the bridge; None for what it does now, or needs.
        """
        ...

    async def connect(self, key: str, name: str, profile: str) -> ConnectedClient:
        """Let an agent in, and write what was shown of a program last.

        Raises:
            GatewayError: It cannot be written; nothing was.
        """
        ...

    async def undo(self, key: str, *, entry_only: bool) -> UndoneConnection:
        """Put back what the file of a program held, or only take the entry out.

        Raises:
            GatewayError: It cannot be put back; nothing was changed.
        """
        ...


class EngineClients:
    """Find, read and write them.

    Args:
        data: The data folder, which has the agents, and what files held before.
        project: Gives the project's folder; None for none.
    """

    def __init__(self, engine: Engine, data: Path, project: Callable[[], Path | None]) -> None:
        self._engine = engine
        self._data = data
        self._project = project
        self._agents = Agents(data / AGENTS_FILE)
        self._files: dict[str, ClientFile] = {}
        self._plans: dict[str, ConnectionPlan] = {}

    async def rows(self) -> tuple[ClientRow, ...]:
        return await self._engine.compute(self._rows, self._project())

    async def snippets(self, address: str, token: str = "", *, over_bridge: bool = False) -> dict[str, str]:
        return await self._engine.compute(_snippets, address, token, over_bridge)

    async def preview(self, key: str, address: str, *, over_bridge: bool | None = None) -> ConnectionPreview:
        return await self._engine.compute(self._preview, key, address, over_bridge)

    async def connect(self, key: str, name: str, profile: str) -> ConnectedClient:
        return await self._engine.compute(self._connect, key, name, profile)

    async def undo(self, key: str, *, entry_only: bool) -> UndoneConnection:
        return await self._engine.compute(self._undo, key, entry_only=entry_only)

    # Its libraries take a while to import, so a thread does it when somebody connects an agent.

    def _connections(self) -> Connections:
        from tools.gateway.client_configs import Connections  # noqa: PLC0415 -- see above

        return Connections(self._data, self._agents)

    def _rows(self, project: Path | None) -> tuple[ClientRow, ...]:
        from tools.gateway.client_configs import client_files  # noqa: PLC0415 -- see above
        from tools.mcp.imports import PROGRAM_WORDS  # noqa: PLC0415 -- see above

        self._files = {str(file.path): file for file in client_files(project_dir=project)}
        return tuple(
            ClientRow(
                key,
                PROGRAM_WORDS[file.program],
                home_short(file.path),
                file.in_project,
                file.is_found,
                file.is_connected,
                translated(file.problem),
            )
            for key, file in self._files.items()
        )

    def _preview(self, key: str, address: str, over_bridge: bool | None) -> ConnectionPreview:
        from console.comparison.lines import compare_texts  # noqa: PLC0415 -- the dialog has loaded it
        from tools.gateway.client_configs import GatewayTransport, planned  # noqa: PLC0415 -- see above

        file, connections = self._files[key], self._connections()
        self._plans.pop(key, None)
        by_bridge = not file.takes_http or (file.over_bridge if over_bridge is None else over_bridge)
        try:
            can_undo, name = connections.has(file.path), connections.name_for(file)
            plan = self._plans[key] = planned(file, GatewayTransport(address, by_bridge))
            profiles = tuple(profile.name for profile in self._agents.profiles())
            agents = {agent.name: agent for agent in self._agents.all()}
        except GatewayError as error:
            return ConnectionPreview(key, problem=translated(error))
        return ConnectionPreview(
            key,
            name,
            compare_texts(plan.before or "", plan.after),
            plan.needs_variable,
            can_undo,
            profiles=profiles,
            profile=agents[name].profile.name if name in agents else "",
            over_bridge=by_bridge,
            takes_http=file.takes_http,
            agents=tuple(agents),
        )

    def _connect(self, key: str, name: str, profile: str) -> ConnectedClient:
        from tools.gateway.client_configs import NEXT_STEPS  # noqa: PLC0415 -- see above

        plan = self._plans[key]
        done = self._connections().connect(plan, name, profile=profile)
        token = done.agent.token if done.needs_variable else ""
        return ConnectedClient(name, home_short(plan.file.path), translated(NEXT_STEPS[plan.file.program]), token)

    def _undo(self, key: str, *, entry_only: bool) -> UndoneConnection:
        return UndoneConnection(*self._connections().undo(self._files[key].path, entry_only=entry_only))


def _snippets(address: str, token: str, over_bridge: bool) -> dict[str, str]:
    from tools.gateway.client_configs import NEXT_STEPS, GatewayTransport, snippet  # noqa: PLC0415 -- see above
    from tools.mcp.imports import PROGRAM_WORDS  # noqa: PLC0415 -- see above

    transport = GatewayTransport(address, over_bridge)
    return {PROGRAM_WORDS[program]: snippet(program, transport, token) for program in NEXT_STEPS}
