"""Put the tools of this computer on the table: built-in, installed, plugin files. Window and command line share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.card import PromptText
from tools.discovery import FileStamp, PluginList, Plugins, SavedFiles, SourceReport, load_entry_points
from tools.errors import DiscoveryError, ToolConfigurationError
from tools.execution.threads import ToolThreads
from tools.execution.workers import WorkerPool
from tools.execution.workers.declaration_client import rendered, schemas_told
from tools.execution.workers.loading import PluginWorkers
from tools.paths import WINDOW_FILE, data_folder
from tools.protected import ProtectedKind, ProtectedPlace
from tools.registry import ToolRegistry
from tools.schema import SchemaPart, SchemaStyle, in_form, response_envelope
from tools.settings import SettingsContent, user_settings_file
from tools.spec import Isolation

if TYPE_CHECKING:
    from tools.openapi.apis import Apis
    from tools.openapi.store import ApiStore
    from tools.policy import Autonomy, Policy

RULE_USES_FILE: Final = "rule-uses.sqlite"
"""Where it stands how often rules were used, in the data folder."""


HISTORY_FOLDER: Final = "history"
AUDIT_FOLDER: Final = "audit"
RUNS_FOLDER: Final = "batches"
CONVERSATIONS_FOLDER: Final = "conversations"
"""Where calls, their proofs, the journals of batches and conversations with models are, in the data folder."""

FOLDERS_FILE: Final = "server-folders.json"
"""The folders that servers are told of, in the data folder."""

_SQLITE: Final = ("", "-wal", "-shm", "-journal")


def open_policy(project_dir: Path | None, autonomy: Autonomy | None = None, denylist: Path | None = None) -> Policy:
    """Return the rules of the person and of a project; how often they are used stands in the folder of the history.

    Args:
        project_dir: The project folder; None has no rules.
        autonomy: What is asked about when no rule speaks; None is as the person keeps it.
        denylist: The commands that the person never wants to run; None is the usual file.
    """
    # Whoever only lists tools judges no call.
    from tools.policy import DENYLIST_NAME, Policy, RuleUses, user_policy_file  # noqa: PLC0415 -- see above

    uses, rules = RuleUses(data_folder() / RULE_USES_FILE), user_policy_file()
    denylist = denylist or rules.with_name(DENYLIST_NAME)
    return Policy(user_file=rules, project_dir=project_dir, denylist=denylist, autonomy=autonomy, uses=uses)


def protected_places(
    data: Path | None = None, servers_file: Path | None = None, plugin_list: PluginList | None = None
) -> tuple[ProtectedPlace, ...]:
    """Return where this program keeps what it goes by, which no tool changes unless a person says yes to exactly that.

    Args:
        data: The data folder; None is the usual one.
        servers_file: The person's servers; None is the usual file.
        plugin_list: The person's plugin files; None is the usual list.
    """
    # Whoever only lists tools needs none of these.
    from tools.gateway.agents import AGENTS_FILE, CONNECTIONS_FOLDER  # noqa: PLC0415 -- see above
    from tools.gateway.defaults import OWNER_FILE, STARTED_FOLDER  # noqa: PLC0415 -- see above
    from tools.health.limits_file import LimitsFile  # noqa: PLC0415 -- see above
    from tools.mcp.consent import CONSENTS_FILE  # noqa: PLC0415 -- see above
    from tools.mcp.listed_cache import REMEMBERED_FILE  # noqa: PLC0415 -- see above
    from tools.mcp.pins import PINS_FILE  # noqa: PLC0415 -- see above
    from tools.mcp.servers_file import user_servers_file  # noqa: PLC0415 -- see above
    from tools.openapi.api_files import APIS_FILE, COPIES_FOLDER  # noqa: PLC0415 -- see above
    from tools.policy import DENYLIST_NAME, user_policy_file  # noqa: PLC0415 -- see above

    data, plugins, kind = data or data_folder(), plugin_list or PluginList(), ProtectedKind
    uses = data / RULE_USES_FILE
    return (
        ProtectedPlace(kind.POLICY, user_policy_file(), "your policy"),
        ProtectedPlace(kind.SERVERS, servers_file or user_servers_file(), "your servers"),
        ProtectedPlace(kind.APIS, (servers_file or user_servers_file()).with_name(APIS_FILE), "your APIs"),
        ProtectedPlace(kind.APIS, data / COPIES_FOLDER, "the documents of APIs"),
        ProtectedPlace(kind.PLUGINS, plugins.file, "your list of plugins"),
        ProtectedPlace(kind.PLUGINS, plugins.folder, "your plugins"),
        ProtectedPlace(kind.LIMITS, LimitsFile().path, "the limits of tools"),
        ProtectedPlace(kind.SETTINGS, plugins.file.parent / WINDOW_FILE, "the settings of the window"),
        ProtectedPlace(kind.SETTINGS, user_settings_file(), "the settings of your tools"),
        ProtectedPlace(kind.POLICY, user_policy_file().with_name(DENYLIST_NAME), "the commands you never run"),
        ProtectedPlace(kind.AGENTS, data / AGENTS_FILE, "the agents that may call tools"),
        ProtectedPlace(kind.AGENTS, data / CONNECTIONS_FOLDER, "what was written into the files of agents' programs"),
        ProtectedPlace(kind.CONSENTS, data / CONSENTS_FILE, "your consents to servers"),
        ProtectedPlace(kind.DEFINITIONS, data / PINS_FILE, "your approvals of servers' tools"),
        ProtectedPlace(kind.DEFINITIONS, data / REMEMBERED_FILE, "the servers' tools as they were"),
        ProtectedPlace(kind.SERVERS, data / FOLDERS_FILE, "the folders shared with servers"),
        ProtectedPlace(kind.AUDIT, data / AUDIT_FOLDER, "the audit log"),
        ProtectedPlace(kind.HISTORY, data / HISTORY_FOLDER, "the history"),
        ProtectedPlace(kind.JOURNALS, data / RUNS_FOLDER, "the journals of batches"),
        ProtectedPlace(kind.JOURNALS, data / CONVERSATIONS_FOLDER, "your conversations with models"),
        ProtectedPlace(kind.JOURNALS, data / STARTED_FOLDER, "the marks of agents' calls"),
        ProtectedPlace(kind.AGENTS, data / OWNER_FILE, "the note of who serves agents"),
        # SQLite keeps what is not in the file yet beside it.
        *(ProtectedPlace(kind.POLICY, uses.with_name(uses.name + end), "the uses of your rules") for end in _SQLITE),
    )


class TrustedPlace(NamedTuple):
    """A plugin file or a folder of such, and whether its code may run."""

    path: Path
    is_folder: bool
    is_trusted: bool


class Workbench:
    """Hold the registry and what came of loading each source; from one event loop, that of the executor.

    Args:
        plugin_list: The plugin files a person chose; None is the user's own list.
        application: The class that `@supported_for` is compared with.
        installed: The entry points; None looks for those of installed packages.
        workers: Where plugin files are imported, ended by whoever made it; None makes one.
        loading_s: Seconds a plugin file may take to be loaded; None is as the list says.

    Attributes:
        registry: The tools that exist.
        workers: Where plugin files are imported, and where an executor best runs their tools.
        plugins: The plugin files.
        plugin_list: Which files are loaded at the next start as well.
        settings: What the settings of tools say; nothing before `apply`.
    """

    def __init__(
        self,
        plugin_list: PluginList | None = None,
        *,
        application: type | None = None,
        installed: Iterable[EntryPoint] | None = None,
        workers: WorkerPool | None = None,
        loading_s: float | None = None,
    ) -> None:
        self.registry = ToolRegistry()
        self.settings = SettingsContent()
        self.workers = workers or WorkerPool()
        self._owns_workers = workers is None
        self._threads = ToolThreads(name="loading")
        self._loading_s = loading_s
        self._loader = PluginWorkers(self.workers, self._threads)
        self.plugins = Plugins(self.registry, self._loader, application, is_trusted=self._is_trusted)
        self.plugin_list = plugin_list or PluginList()
        self._application = application
        self._installed = installed
        self._reports: list[SourceReport] = []
        self._saved = SavedFiles()
        self._chosen: set[Path] = set()

    def apply(self, settings: SettingsContent) -> None:
        """Go by the settings of tools: those that are disabled stay listed, and refuse their calls."""
        self.settings = settings
        self.registry.set_filter(settings.refusal)

    async def load(self, extra: Iterable[Path] = ()) -> None:
        """Load the built-in tools, those of installed packages, and plugin files; a broken source stops nobody.

        Args:
            extra: Further plugin files, for this run only.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read; everything else is loaded then.
        """
        further = tuple(extra)
        await self.load_installed(further)
        await self.load_plugins(further)

    async def load_installed(self, extra: Iterable[Path] = ()) -> None:
        """Load the built-in tools and those of installed packages.

        Packages of others are imported, which takes longer than a frame, so a thread does it. A worker process starts
        meanwhile, if plugin files need one.

        Args:
            extra: Further plugin files that are to be loaded.
        """
        if any(isolation in {None, Isolation.PROCESS} for isolation in self._files(extra)[0].values()):
            self.workers.warm_up()
        await self._threads.run(self._load_installed, {})

    def _load_installed(self) -> None:
        # The window shows before the cards of the tools are read.
        from tools import catalog  # noqa: PLC0415 -- see above
        from tools.catalog.prompts import builtin_prompts  # noqa: PLC0415 -- see above

        tools = [*catalog.builtin_tools(), *catalog.search_of(self.registry)]
        self.registry.register_all(tools, builtin_prompts())
        for report in load_entry_points(self._application, self._installed):
            self._reports.append(self._registered(report))

    async def load_plugins(self, extra: Iterable[Path] = ()) -> None:
        """Load the plugin files, several at a time; the tools of each appear when it is ready.

        Args:
            extra: Further plugin files, for this run only.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read; the further ones are loaded then.
        """
        files, unreadable = self._files(extra)
        await self.plugins.add_all(files)
        if unreadable is not None:
            raise unreadable

    def _files(self, extra: Iterable[Path]) -> tuple[dict[Path, Isolation | None], DiscoveryError | None]:
        """Return the plugin files and where the list says that their tools run, and why it cannot be read."""
        files = tuple(extra)
        try:
            self._keep_to_time()
            files += tuple(self.plugin_list.paths())
            return {path: self.plugin_list.isolation_of(path) for path in files}, None
        except DiscoveryError as error:
            return dict.fromkeys(files), error

    def _is_trusted(self, path: Path) -> bool:
        try:
            return self.plugin_list.is_trusted(path)
        except DiscoveryError:
            # Loaded then are only files that were named for this run; what was not trusted stays so.
            return not any(report.is_untrusted for report in self.plugins.reports if report.source.path == path)

    def _keep_to_time(self) -> None:
        self._loader.timeout_s = self._loading_s or self.plugin_list.loading_s

    def _registered(self, report: SourceReport) -> SourceReport:
        if report.error:
            return report
        try:
            self.registry.register_all(report.tools, report.prompts)
        except ToolConfigurationError as error:
            return report._replace(tools=(), prompts=(), error=str(error), traceback=str(error))
        return report._replace(aside=self.registry.names_aside(report.tools))

    async def add_plugin(self, path: Path) -> SourceReport:
        """Load a plugin file now and at every later start; one that does not load is remembered once it does.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        self._keep_to_time()
        report = await self.plugins.add(path, self.plugin_list.isolation_of(path))
        if report.source.path is not None:
            self._chosen.add(report.source.path)
        self._remember([report])
        return report

    def _remember(self, reports: Iterable[SourceReport]) -> None:
        """Note the files that a person chose and that load now."""
        for report in reports:
            if not report.error and report.source.path in self._chosen:
                self._chosen.discard(report.source.path)
                self.plugin_list.add(report.source.path)

    async def saved_plugins(self) -> tuple[Path, ...]:
        """Return the plugin files that were saved since they were loaded, and new ones in the plugin folder.

        This is to be asked several times a second: a file counts once it is left alone.
        """
        loaded: dict[Path, FileStamp | None] = {
            report.source.path: report.stamp for report in self.plugins.reports if report.source.path is not None
        }
        saved: tuple[Path, ...] = await self._threads.run(self._look, {"loaded": loaded})
        return saved

    def _look(self, loaded: dict[Path, FileStamp | None]) -> tuple[Path, ...]:
        return self._saved.look({**dict.fromkeys(self.plugin_list.folder_files()), **loaded})

    async def load_saved(self, paths: Iterable[Path]) -> list[SourceReport]:
        """Load plugin files that were saved; see `saved_plugins`.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        self._keep_to_time()
        reports = await self.plugins.add_all({path: self.plugin_list.isolation_of(path) for path in paths})
        self._remember(reports)
        return reports

    async def reload_plugins(self) -> list[SourceReport]:
        """Load plugin files again that changed or failed, and new ones of the plugin folder; return what came of those.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        self._keep_to_time()
        known = {report.source.path for report in self.plugins.reports}
        new = [path for path in self.plugin_list.folder_files() if path not in known]
        reports = [*await self.plugins.reload(), *(await self.load_saved(new) if new else ())]
        self._remember(reports)
        return reports

    def plugin_files(self) -> tuple[Path, ...]:
        """Return the plugin files that were looked at, and those of the list.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        known = (report.source.path for report in self.plugins.reports if report.source.path is not None)
        return tuple(dict.fromkeys((*self.plugin_list.paths(), *known)))

    def trusted_places(self) -> list[TrustedPlace]:
        """Return which plugin files may run, each folder before its files, and the plugin folder first.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        files, trusted = self.plugin_files(), self.plugin_list.is_trusted
        found = []
        for folder in dict.fromkeys((self.plugin_list.folder, *(path.parent for path in files))):
            found.append(TrustedPlace(folder, is_folder=True, is_trusted=trusted(folder)))
            inside = (path for path in files if path.parent == folder)
            found += [TrustedPlace(path, is_folder=False, is_trusted=trusted(path)) for path in inside]
        return found

    async def trust_plugins(self, place: Path, *, trusted: bool) -> list[SourceReport]:
        """Let the code of a plugin file, or of all in a folder, run or not, now and at every later start.

        Of what may not run any more the tools are taken away, and idle workers that imported it are ended; the others
        end after their call.

        Args:
            place: The absolute path of the file or the folder.

        Returns:
            What came of each file that it is about.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        self._keep_to_time()
        self.plugin_list.set_trusted(place, trusted=trusted)
        files = [path for path in self.plugin_files() if path.is_relative_to(place)]
        reports = await self.plugins.add_all({path: self.plugin_list.isolation_of(path) for path in files})
        if not trusted:
            self.workers.forget(files)
        return reports

    def remove_plugin(self, path: Path) -> None:
        """Take a plugin file's tools away, now and for later starts."""
        self.plugins.remove(path)
        self.plugin_list.remove(path)

    def apis_of(self, store: ApiStore) -> Apis:
        """Return what keeps the operations of APIs among the tools, as the disk says."""
        # Whoever has no APIs needs none of it.
        from tools.openapi.apis import Apis  # noqa: PLC0415 -- see above

        return Apis(self.registry, store)

    async def render_prompt(self, name: str, arguments: Mapping[str, Any] | None = None) -> PromptText:
        """Return what a prompt says, wherever the function is that makes it.

        Raises:
            ArgumentsError: When the arguments do not fit.
            ToolNotFoundError: When no prompt has that name.
            ToolError: When it fails; the message says how.
        """
        return await rendered(self.registry.prompt(name), arguments or {}, self.workers)

    async def complete_prompt(self, name: str, argument: str, written: str, others: Mapping[str, str]) -> Sequence[str]:
        """Return what a half-written argument of a prompt may become; nothing for those that no server makes.

        Args:
            others: What the other arguments are.

        Raises:
            ToolNotFoundError: When no prompt has that name.
            ToolError: When the server does not answer.
        """
        from tools.mcp.prompt_sync import ServerPrompt  # noqa: PLC0415 -- who has no server needs none of it

        function = self.registry.prompt(name).function
        return await function.complete(argument, written, others) if isinstance(function, ServerPrompt) else ()

    async def schema_of(self, name: str, part: SchemaPart, form: SchemaStyle) -> dict[str, Any] | None:
        """Return a schema of a tool in one of its forms; None for a result that is not there, or not described.

        Raises:
            ToolError: The worker process that knows the types of a plugin file cannot say them.
            ToolNotFoundError: When no tool has that name.
        """
        tool = self.registry.get(name)
        arguments, result = tool.input_schema, tool.output_schema
        if form in {SchemaStyle.TITLED, SchemaStyle.OPENAPI}:
            arguments, result = await schemas_told(tool, self.workers)
        if part is SchemaPart.INPUT:
            return in_form(arguments, form)
        if part is SchemaPart.RESPONSE:
            is_unsaid = result is None and not tool.output.returns_nothing
            result = response_envelope({} if is_unsaid else result)
        return None if result is None else in_form(result, form)

    @property
    def reports(self) -> tuple[SourceReport, ...]:
        """What came of each source besides the built-in tools."""
        return (*self._reports, *self.plugins.reports)

    async def aclose(self) -> None:
        """End the worker processes, and let the threads go."""
        self._threads.close()
        if self._owns_workers:
            self.workers.close()
