"""The list of settings: one declaration for each, and nothing else to add for another one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtGui import QGuiApplication

from console.app.maintenance import LOG_LEVELS, SAFE_COMMAND
from console.approval.approval_queue import SILENCES, TimeoutPolicy
from console.approval.own_roles import OwnRoles, checked_roles
from console.gateway.window_closing import LEAVING_ANSWERS
from console.language import LANGUAGES, tr, translated
from console.preferences import DENSITIES, SCALES
from console.settings.preference import OneOf, OnOff, Preference, SettingAction, SettingsSection, WholeNumber, Words
from tools.gateway.defaults import CALLS_A_MINUTE, LAST_PORT, MOST_CALLS_A_MINUTE, MOST_WAIT_MIN, PORT, WAIT_MIN
from tools.mcp.servers_file import PROJECT_FILE as PROJECT_SERVERS
from tools.network import NO_PROXY, SYSTEM, checked_certificates, checked_hosts, checked_proxy, network_now, use_network
from tools.openapi.api_files import APIS_FILE
from tools.paths import is_file
from tools.policy import AUTONOMY_WORDS, Autonomy
from tools.policy.file import PROJECT_FILE as PROJECT_RULES
from tools.protected import PROJECT_FOLDER
from tools.settings import SETTINGS_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from console.app.authoring import Authoring
    from console.app.autonomy import AutonomyChooser
    from console.app.commands import Commands
    from console.app.maintenance import Maintenance
    from console.approval.page import ApprovalsPage
    from console.batch.page import BatchPage
    from console.browser.engine_plugins import EnginePlugins
    from console.browser.presenter import BrowserPresenter
    from console.call_storage import CallStorage
    from console.gateway.page import GatewayPane
    from console.notices import DesktopPresence
    from console.preferences import Preferences
    from console.theme.tokens import Density
    from console.window.project import ProjectChooser
    from console.window.top_bar import NotificationBell
    from tools.card import ToolCard

_LONGEST_DAYS: Final = 3_650
_MOST_MB: Final = 1_000_000
_MB: Final = 1024**2
_USUAL_DAYS: Final = 90
_USUAL_MB: Final = 2_048
_DENSITY_WORDS: Final[dict[Density, str]] = {"comfortable": tr("Comfortable"), "compact": tr("Compact")}
_PROJECT_FILES: Final = (PROJECT_SERVERS, PROJECT_RULES, PROJECT_FOLDER / APIS_FILE, PROJECT_FOLDER / SETTINGS_NAME)
"""What is read of a project, below its folder."""


def look_settings(commands: Commands, preferences: Preferences, *, is_kept: bool = True) -> Iterator[Preference]:
    """Declare how the window looks and moves, and what the program does about failing tools.

    Args:
        commands: Change some of it at once.
        preferences: Remember it.
        is_kept: Whether another start finds what was chosen, so that one is offered.
    """
    yield Preference(
        "theme",
        SettingsSection.APPEARANCE,
        tr("Theme"),
        tr("Light or dark, or whatever the desktop shows."),
        "system",
        OneOf((("light", tr("Light")), ("dark", tr("Dark")), ("system", tr("As the system")))),
        lambda: commands.theme_mode,
        commands.set_theme_mode,
        tr("colours color mode"),
    )
    yield Preference(
        "language",
        SettingsSection.APPEARANCE,
        tr("Language"),
        tr("What the window speaks. Counts from the next start on; the command line speaks English."),
        "",
        OneOf((("", tr("As the system")), *LANGUAGES.items())),
        lambda: preferences.language,
        lambda code: setattr(preferences, "language", code),
        "language sprache deutsch german english translation",
        begun=preferences.language if is_kept else None,
    )
    yield Preference(
        "density",
        SettingsSection.APPEARANCE,
        tr("Density"),
        tr("How high the rows of tables and trees are. Counts from the next start on."),
        DENSITIES[0],
        OneOf(tuple(_DENSITY_WORDS.items())),
        lambda: preferences.density,
        lambda density: setattr(preferences, "density", density),
        tr("compact rows height small"),
        begun=preferences.density if is_kept else None,
    )
    scale = str(preferences.scale if preferences.scale in SCALES else 100)
    yield Preference(
        "scale",
        SettingsSection.APPEARANCE,
        tr("Scale"),
        tr("How large everything is drawn. Counts from the next start on."),
        "100",
        OneOf(tuple((str(percent), f"{percent} %") for percent in SCALES)),
        lambda: str(preferences.scale if preferences.scale in SCALES else 100),
        lambda text: setattr(preferences, "scale", int(text)),
        tr("zoom size large dpi"),
        begun=scale if is_kept else None,
    )
    yield Preference(
        "reduced_motion",
        SettingsSection.APPEARANCE,
        tr("Reduce motion"),
        tr("Nothing slides or turns. When it is off, the desktop's own choice counts."),
        default=False,
        kind=OnOff(),
        read=lambda: commands.has_reduced_motion,
        change=commands.set_reduced_motion,
        words=tr("animation accessibility"),
    )
    yield Preference(
        "block_failing_tools",
        SettingsSection.TOOLS,
        tr("Block tools that fail three times in a row"),
        tr("For five minutes, or until you unblock the tool on its page."),
        default=False,
        kind=OnOff(),
        read=lambda: commands.blocks_failing_tools,
        change=commands.set_failure_block,
    )


def approval_settings(autonomy: AutonomyChooser, approvals: ApprovalsPage) -> Iterator[Preference]:
    """Declare what runs unasked, and what becomes of questions."""
    yield Preference(
        "autonomy",
        SettingsSection.APPROVALS,
        tr("Autonomy"),
        tr("What is asked about when no rule speaks. Protected places are always asked about."),
        Autonomy.SUPERVISED.value,
        OneOf(tuple((level.value, translated(AUTONOMY_WORDS[level]).partition(":")[0]) for level in Autonomy)),
        lambda: autonomy.level.value,
        autonomy.choose,
        " ".join(f"{words} {translated(words)}" for words in AUTONOMY_WORDS.values()),
    )

    def choose_silence(key: str) -> None:
        approvals.set_silence(next(silence for silence in SILENCES if silence.key == key))

    yield Preference(
        "silence",
        SettingsSection.APPROVALS,
        tr("When nobody answers"),
        tr("What becomes of a question whose tool and rule say nothing else."),
        TimeoutPolicy().key,
        OneOf(tuple((silence.key, silence.words) for silence in SILENCES)),
        lambda: approvals.silence.key,
        choose_silence,
        tr("timeout deny approval minutes"),
    )


def role_settings(roles: OwnRoles, tools: Iterable[ToolCard], preferences: Preferences) -> Iterator[Preference]:
    """Declare which roles the person has, and show which ones tools ask for."""

    def use(text: str) -> None:
        preferences.own_roles = checked_roles(text)
        roles.names = frozenset(preferences.own_roles)

    def asked() -> str:
        tools_by_role: dict[str, list[str]] = {}
        for card in tools:
            for role in () if card.security is None else card.security.allowed_roles:
                tools_by_role.setdefault(role, []).append(card.name)
        words = (f"{role}: {', '.join(sorted(names))}" for role, names in sorted(tools_by_role.items()))
        return "\n".join(words) or tr("No tool asks for a role.")

    yield Preference(
        "own_roles",
        SettingsSection.ROLES,
        tr("Your roles"),
        tr("With commas between. They count from the next call and the next question on."),
        "",
        Words(tr("operator, reviewer")),
        lambda: ", ".join(preferences.own_roles),
        use,
        tr("permission allowed required"),
    )
    yield Preference(
        "asked_roles",
        SettingsSection.ROLES,
        tr("Roles that tools ask for"),
        tr("Each with the tools that admit only callers who have it."),
        "",
        SettingAction(tr("Copy")),
        asked,
        lambda _: QGuiApplication.clipboard().setText(asked()),
        "allowed_roles",
    )


def notice_settings(presence: DesktopPresence, bell: NotificationBell) -> Iterator[Preference]:
    """Declare what the desktop tells; the menu of the bell offers the same."""

    def change(make: Callable[[bool], None]) -> Callable[[bool], None]:
        def changed(value: bool) -> None:
            make(value)
            bell.show_settings(sounds=presence.notices.sounds, allowing=presence.may_allow)

        return changed

    for key, title, sentence, default, read, make in (
        (
            "quiet",
            tr("No notices on the desktop"),
            tr("Nothing disturbs while the window is not in front; questions wait in the window."),
            False,
            lambda: presence.notices.is_quiet,
            presence.set_quiet,
        ),
        (
            "sounds",
            tr("Notices sound"),
            tr("The desktop may play its sound with a notice."),
            False,
            lambda: presence.notices.sounds,
            presence.set_sounds,
        ),
        (
            "may_allow",
            tr("Calls can be allowed from notices"),
            tr("When it is off, a notice only opens the window."),
            True,
            lambda: presence.may_allow,
            presence.set_may_allow,
        ),
    ):
        yield Preference(
            key, SettingsSection.NOTICES, title, sentence, default, OnOff(), read, change(make), tr("do not disturb")
        )


def history_settings(records: CallStorage) -> Iterator[Preference]:
    """Declare how much of the past is kept."""
    keeping = asyncio.Lock()

    def days() -> int:
        return int(records.retention.max_age_days or 0)

    def megabytes() -> int:
        return (records.retention.max_size_bytes or 0) // _MB

    async def keep_days(value: int) -> None:
        async with keeping:
            await records.keep(max_age_days=value or None)

    async def keep_megabytes(value: int) -> None:
        async with keeping:
            await records.keep(max_size_bytes=value * _MB or None)

    yield Preference(
        "history_days",
        SettingsSection.HISTORY,
        tr("Keep calls for"),
        tr("Older calls leave within a minute, and cannot be brought back."),
        _USUAL_DAYS,
        WholeNumber(0, _LONGEST_DAYS, tr("days"), tr("For ever")),
        days,
        keep_days,
        tr("retention age"),
    )
    yield Preference(
        "history_size",
        SettingsSection.HISTORY,
        tr("Largest size"),
        tr("When the calls and their attachments take more, the oldest leave."),
        _USUAL_MB,
        WholeNumber(0, _MOST_MB, "MB", tr("No limit")),
        megabytes,
        keep_megabytes,
        tr("retention disk space"),
    )


def agent_settings(
    gateway: GatewayPane, preferences: Preferences, show_page: Callable[[str], None]
) -> Iterator[Preference]:
    """Declare how other programs are served."""
    presenter = gateway.presenter

    def calls(value: int) -> None:
        presenter.set_limits(preferences.gateway_limits._replace(calls_a_minute=value))

    def wait(value: int) -> None:
        presenter.set_limits(preferences.gateway_limits._replace(wait_min=value))

    async def switch(on: bool) -> None:
        if problem := await presenter.switch(on=on):
            raise ValueError(problem)

    yield Preference(
        "gateway_on",
        SettingsSection.AGENTS,
        tr("Gateway"),
        tr("Whether other programs are served. Each of them is let in by you, on the Agents page."),
        default=False,
        kind=OnOff(),
        read=lambda: presenter.is_on,
        change=switch,
        words=tr("mcp serve"),
    )
    yield Preference(
        "agents_page",
        SettingsSection.AGENTS,
        tr("Agents and their budgets of approvals"),
        tr("Who may call, with which tools, and how many questions one may ask, stands on a page of its own."),
        "",
        SettingAction(tr("Open Agents")),
        str,
        _Visit(show_page, "agents"),
        tr("budget profile token"),
    )
    yield Preference(
        "gateway_port",
        SettingsSection.AGENTS,
        tr("Port of the gateway"),
        tr("A gateway that is on starts again there; agents that know the other address have to be told."),
        PORT,
        WholeNumber(0, LAST_PORT, least_words=tr("Any free one")),
        lambda: preferences.gateway_port,
        presenter.set_port,
        tr("address network"),
    )
    yield Preference(
        "gateway_calls",
        SettingsSection.AGENTS,
        tr("Calls of each agent"),
        tr("An agent that makes more is told to wait."),
        CALLS_A_MINUTE,
        WholeNumber(1, MOST_CALLS_A_MINUTE, tr("a min")),
        lambda: preferences.gateway_limits.calls_a_minute,
        calls,
        tr("rate limit"),
    )
    yield Preference(
        "gateway_wait",
        SettingsSection.AGENTS,
        tr("A call that asks waits at most"),
        tr("After that its agent is told that nobody answered."),
        WAIT_MIN,
        WholeNumber(1, MOST_WAIT_MIN, "min"),
        lambda: preferences.gateway_limits.wait_min,
        wait,
        tr("timeout approval"),
    )
    yield Preference(
        "gateway_leaving",
        SettingsSection.AGENTS,
        tr("When the window closes"),
        tr("Whether agents that are connected are served on without the window."),
        LEAVING_ANSWERS[0][0],
        OneOf(LEAVING_ANSWERS),
        lambda: gateway.leaving.answer,
        gateway.leaving.set_answer,
        tr("quit background"),
    )


def network_settings(preferences: Preferences) -> Iterator[Preference]:
    """Declare how the network is reached."""

    def use(**changed: Any) -> None:
        settings = network_now()._replace(**changed)
        preferences.network = settings
        use_network(settings)

    async def use_certificates(text: str) -> None:
        use(certificates=await asyncio.to_thread(checked_certificates, text))

    def use_proxy(text: str) -> None:
        word = text.casefold()
        use(proxy=word or SYSTEM if word in {"", SYSTEM, NO_PROXY} else checked_proxy(text))

    yield Preference(
        "proxy",
        SettingsSection.NETWORK,
        tr("Proxy"),
        tr("The address of one, system for the desktop's, or none. This computer is always reached without one."),
        SYSTEM,
        Words("http://proxy.example.org:3128"),
        lambda: network_now().proxy,
        use_proxy,
        tr("http https tunnel"),
    )
    yield Preference(
        "allowed_hosts",
        SettingsSection.NETWORK,
        tr("Allowed hosts"),
        tr("With commas between, *.example.org for all below it. Others are refused; empty allows all."),
        "",
        Words("example.org, *.example.org"),
        lambda: ", ".join(network_now().allowed_hosts),
        lambda text: use(allowed_hosts=checked_hosts(text)),
        tr("firewall domains internet"),
    )
    yield Preference(
        "certificates",
        SettingsSection.NETWORK,
        tr("Further certificates"),
        tr("A file (PEM) with authorities that are trusted besides the usual ones."),
        "",
        Words("/etc/ssl/company.pem"),
        lambda: network_now().certificates,
        use_certificates,
        tr("tls ssl authority company"),
    )


def plugin_settings(
    authoring: Authoring,
    plugins: EnginePlugins,
    browser: BrowserPresenter,
    commands: Commands,
    maintenance: Maintenance,
) -> Iterator[Preference]:
    """Declare which plugin files are loaded and how, and show what is wrong with them."""

    def packages() -> str:
        reports = [report for report in plugins.reports if report.source.path is None]
        names = ", ".join(report.source.name for report in reports if not report.error)
        broken = (f"{report.source.name}: {report.error}" for report in reports if report.error)
        return "\n".join(filter(None, (names, *broken))) or tr("No installed package brings tools.")

    yield Preference(
        "plugin_files",
        SettingsSection.PLUGINS,
        tr("Plugin files"),
        tr("They may do whatever you may, so add only files that you trust. A broken one keeps no other from loading."),
        "",
        SettingAction(tr("Add a plugin file…")),
        str,
        lambda _: commands.choose_plugin(),
        tr("errors trust python"),
    )
    yield Preference(
        "plugin_folder",
        SettingsSection.PLUGINS,
        tr("Plugin folder"),
        tr("Every Python file in it is loaded, as if it had been added."),
        "",
        SettingAction(tr("Open")),
        lambda: str(plugins.folder),
        lambda _: maintenance.open_folder(plugins.folder),
        tr("directory path"),
    )
    yield Preference(
        "reload_at_once",
        SettingsSection.PLUGINS,
        tr("Reload plugins as soon as they are saved"),
        tr("Otherwise the page says that its file changed, and Reload loads it."),
        default=True,
        kind=OnOff(),
        read=lambda: authoring.reloads_at_once,
        change=authoring.set_reloads_at_once,
    )

    yield Preference(
        "reload_plugins",
        SettingsSection.PLUGINS,
        tr("Plugin files that changed or failed"),
        tr("Loads them again now, and new ones of the plugin folder."),
        "",
        SettingAction(tr("Reload")),
        str,
        lambda _: browser.reload(),
        tr("errors mend broken python"),
    )
    yield Preference(
        "plugin_packages",
        SettingsSection.PLUGINS,
        tr("Packages with tools"),
        tr("Their tools come with the installation; uninstall a package that you do not trust."),
        "",
        SettingAction(tr("Copy")),
        packages,
        lambda _: QGuiApplication.clipboard().setText(packages()),
        tr("entry points pip errors trust"),
    )


def batch_settings(batches: BatchPage, preferences: Preferences) -> Iterator[Preference]:
    """Declare where batches run."""
    yield Preference(
        "batch_backend",
        SettingsSection.TOOLS,
        tr("Cluster for batches"),
        tr("Runs that begin from now on run their tools there; empty is this computer."),
        "",
        Words("dask://host:8786"),
        lambda: preferences.batch_backend,
        batches.set_backend,
        tr("dask network where it runs"),
    )


def project_settings(project: ProjectChooser, show_page: Callable[[str], None]) -> Iterator[Preference]:
    """Declare what the project is, and what is read from it."""

    def read() -> str:
        folder = project.folder
        if folder is None:
            return tr("No project is open.")
        found = [name.name for name in _PROJECT_FILES if is_file(folder / name)]
        return (
            tr(
                "{folder}, with {files} in {project_folder}",
                folder=folder,
                files=", ".join(found),
                project_folder=PROJECT_FOLDER,
            )
            if found
            else str(folder)
        )

    yield Preference(
        "project_folder",
        SettingsSection.PROJECT,
        tr("Project folder"),
        tr("Tools find files from here. Its servers, rules, APIs and settings of tools are in .tool-console."),
        "",
        SettingAction(tr("Open another…")),
        read,
        lambda _: project.ask_folder(),
        tr("directory workspace"),
    )
    for key, title, sentence, page in (
        (
            "servers",
            tr("Servers of the project"),
            tr("MCP servers for all who work on it. They start after your consent only."),
            tr("Servers"),
        ),
        (
            "approvals",
            tr("Rules of the project"),
            tr("They can narrow what your own rules allow, and widen nothing."),
            tr("Approvals"),
        ),
    ):
        yield Preference(
            f"project_{key}",
            SettingsSection.PROJECT,
            title,
            sentence,
            "",
            SettingAction(tr("Open {page}", page=page)),
            str,
            _Visit(show_page, key),
        )


class _Visit:
    """Bring a page to the front."""

    def __init__(self, show_page: Callable[[str], None], page: str) -> None:
        self._show_page = show_page
        self._page = page

    def __call__(self, _value: object) -> None:
        self._show_page(self._page)


def advanced_settings(maintenance: Maintenance) -> Iterator[Preference]:
    """Declare where everything is kept, and what helps when something is wrong."""
    yield Preference(
        "data_folder",
        SettingsSection.ADVANCED,
        tr("Data folder"),
        tr("History, audit log and conversations. TOOL_CONSOLE_DATA moves it before a start."),
        "",
        SettingAction(tr("Open")),
        lambda: maintenance.data_words,
        lambda _: maintenance.open_folder(maintenance.data),
        tr("disk space size path"),
    )
    yield Preference(
        "log_level",
        SettingsSection.ADVANCED,
        tr("Log"),
        tr("The least important entries that are written to the program's log."),
        LOG_LEVELS[0][0],
        OneOf(LOG_LEVELS),
        lambda: maintenance.log_level,
        maintenance.set_log_level,
        tr("debug level verbose"),
    )
    yield Preference(
        "reset_window",
        SettingsSection.ADVANCED,
        tr("Window as on a first start"),
        tr("Forgets how large the window, its panels and its columns were, and makes them so again."),
        "",
        SettingAction(tr("Reset the window")),
        lambda: "",
        lambda _: maintenance.reset_window(),
        tr("layout geometry panels"),
    )
    yield Preference(
        "safe_mode",
        SettingsSection.ADVANCED,
        tr("Start in safe mode"),
        tr(
            "Without plugins, servers and agents, when one of them keeps the window from working. Close this window"
            " first."
        ),
        "",
        SettingAction(tr("Copy the command")),
        lambda: SAFE_COMMAND,
        lambda _: maintenance.copy_safe_command(),
        tr("repair broken trouble"),
    )
