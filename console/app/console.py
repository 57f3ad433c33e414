"""`Console`: the program behind the window. Makes services and panes, wires them, and ends them in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from console.activity.presenter import ActivityPresenter
from console.apis.page import ApisPane
from console.app.authoring import Authoring
from console.app.autonomy import AutonomyChooser
from console.app.commands import Commands, failure_block_of
from console.app.extra_installs import ExtraInstalls
from console.app.file_drops import DroppedFiles, FileDrops
from console.app.first_steps import FirstSteps
from console.app.last_tabs import LastTabs
from console.app.maintenance import Maintenance
from console.app.open_tools import OpenTools
from console.app.past_call_actions import PastCallActions
from console.app.quitting import Quitting
from console.app.searching import Searching
from console.app.settings_list import (
    advanced_settings,
    agent_settings,
    approval_settings,
    batch_settings,
    history_settings,
    look_settings,
    network_settings,
    notice_settings,
    plugin_settings,
    project_settings,
    role_settings,
)
from console.app.shutdown import SLOW_PATIENCE_S, Part, end_in_turn
from console.app.status_summary import StatusSummary
from console.app.steps_from_calls import StepsFromCalls
from console.app.tool_export import ToolExport
from console.approval.approval_queue import ApprovalQueue
from console.approval.own_roles import OwnRoles
from console.approval.page import ApprovalsPage
from console.approval.review_aids import QuestionAids
from console.assistant.page import AssistantPage
from console.batch.closing_dialog import BatchClosing
from console.batch.page import BatchPage
from console.browser.chosen_tools import ChosenTools
from console.browser.engine_plugins import EnginePlugins
from console.browser.presenter import BrowserPresenter
from console.browser.tool_lints import ToolLints
from console.call_result.recent import RecentCalls
from console.call_storage import CallStorage
from console.check.engine_checks import EngineChecks
from console.check.page import CheckPane
from console.definition.page import DefinitionPane
from console.engine import Engine
from console.file_poller import FilePoller
from console.gateway.page import GatewayPane
from console.health.controller import HealthController, HealthNotices
from console.health.page import HealthPage
from console.history.page import HistoryPane
from console.keymap import keymap
from console.language import tr, translated
from console.notices import DesktopPresence
from console.permissions.page import PermissionsPage
from console.policies import PolicyController, make_policy
from console.preferences import Preferences
from console.prompts.page import PromptsPage
from console.prompts.ports import EnginePrompts
from console.servers.page import ServersPage
from console.settings.page import SettingsPage
from console.settings.plugin_trust import PluginTrust
from console.settings.preference import SettingsSection
from console.settings.service_keys import ServiceKeys
from console.settings.shortcuts import Shortcuts
from console.settings.tool_values import ToolValues
from console.startup.early_window import EarlyWindow
from console.startup.first_window import USUAL, Opening, StartUp, use_token
from console.startup.loading import load_pages, load_the_rest
from console.support.diagnostics import Diagnostics
from console.tasks import TaskScope
from console.theme import ThemeController
from console.tool_list import ToolList
from console.tool_page.engine_ports import EngineCalls, EngineGuards, PastTimings
from console.tool_page.ports import ExecutionPorts
from console.widgets.dialogs import QuestionBox
from console.window import MainWindow
from console.window.notifications import Notifications
from console.window.project import ProjectChooser, folder_of
from tools.discovery import PluginList
from tools.errors import ToolConfigurationError
from tools.execution.executor import Executor
from tools.network import NetworkSettings, use_network
from tools.openapi.api_files import APIS_FILE
from tools.paths import data_folder
from tools.policy import PlacedRule, user_policy_file
from tools.protected import ProtectedPlace
from tools.schema import SchemaPart, SchemaStyle
from tools.settings import SETTINGS_NAME, ToolSettings
from tools.workbench import CONVERSATIONS_FOLDER, Workbench, protected_places

if TYPE_CHECKING:
    from console.servers.pictures import Pictures

_log = logging.getLogger(__name__)
FIRST_STEPS_FOLDER: Final = "first-steps"
_OPENS_SETTINGS: Final = "opens_settings"
PLUGIN_PATIENCE_S: Final = 3.0
"""Seconds that the tabs of the last time wait for plugin files; whichever takes longer appears later."""


class Console(QObject):
    """Own everything between the first window and the last thread.

    Args:
        theme: The look of the application.
        preferences: What is remembered between starts.
        workbench: The tools; still empty.
        project_dir: The project folder; None takes the one used last, and on a first start none.
        plugins: Further plugin files, for this run only.
        data: Where history and audit log live; None for the user's data folder.
        policy_file: The person's rules; None for the user's own file.
        servers_file: The person's servers; None for the user's own file. The APIs stand beside it.
        begun: How this start came about.
        early: The window, if it is shown already; None makes it.

    Attributes:
        restarts: Whether the program is to start again when it has ended.

    Signals:
        ended(): Everything has ended; the event loop may stop.
        loaded(): The tools of this computer are on the table.
        crashed(str): Our own code failed; a sentence for the person, from any thread.
    """

    ended = Signal()
    loaded = Signal()
    crashed = Signal(str)

    def __init__(
        self,
        theme: ThemeController,
        preferences: Preferences,
        workbench: Workbench,
        project_dir: Path | None = None,
        plugins: Sequence[Path] = (),
        *,
        plan: Path | None = None,
        data: Path | None = None,
        policy_file: Path | None = None,
        servers_file: Path | None = None,
        begun: StartUp = USUAL,
        early: EarlyWindow | None = None,
    ) -> None:
        super().__init__()
        self._preferences = preferences
        self._workbench = workbench
        self._extra_plugins = tuple(plugins)
        self._plan_to_open = plan
        self._ending = False
        self._tools_loaded = asyncio.Event()
        self._begun = begun
        self._name_to_drop = ""
        self.stopped_cleanly, self.restarts = True, False
        self._scope = TaskScope("console", self._on_task_failed)
        self._files = FilePoller(self._scope, parent=self)
        self.engine = Engine(self)
        self.desk = ApprovalQueue(self, roles=OwnRoles(preferences.own_roles))
        data = self._data = data or data_folder()
        policy = make_policy(policy_file, data, workbench.registry.lookup)
        self.executor = Executor(
            workbench.registry,
            review_handler=self.desk,
            policy=policy,
            protected=_protected(data, servers_file, workbench.plugin_list, begun),
            listeners=[self.engine.receive],
            app_objects=[self],
            workers=workbench.workers,
            failure_block=failure_block_of(preferences),
            access=self.desk.roles,
        )
        self.records = CallStorage(data, self.executor, self.engine.heartbeat, self)
        self.recent = RecentCalls()
        self.tool_values = ToolValues(
            ToolSettings((policy_file or user_policy_file()).with_name(SETTINGS_NAME)),
            bench=workbench,
            executor=self.executor,
            engine=self.engine,
            scope=self._scope,
            parent=self,
        )
        self.tools = ToolList(self)
        self._unwatch = workbench.registry.watch_cards(self.tools.take)
        self._take_window(early or EarlyWindow(preferences, project_dir, self))
        self._commands = Commands(
            self.window,
            theme=theme,
            preferences=preferences,
            engine=self.engine,
            executor=self.executor,
            records=self.records,
            parent=self,
        )
        self._diagnostics = Diagnostics(
            self.window,
            self.records,
            workbench,
            preferences=preferences,
            start=begun,
            project=self._project_dir,
            scope=self._scope,
            parent=self,
        )
        self._project = ProjectChooser(self.window, self.welcome, self.executor, preferences, project_dir, parent=self)
        policy.project_dir = self._project.folder
        self.tool_values.follow_project(self._project.folder)
        self.policies = PolicyController(
            policy,
            workbench.registry,
            file=policy_file,
            compute=self.engine.compute,
            scope=self._scope,
            parent=self,
        )
        self._autonomy = AutonomyChooser(self.policies, self.window.status_bar, self._scope, self)
        self.presence = DesktopPresence(self.window, preferences, parent=self)
        prompts = EnginePrompts(self.engine, workbench)
        self.prompts = PromptsPage(self.tools, prompts, scope=self._scope, compute=self.engine.compute, parent=self)
        self.servers = ServersPage(
            self.window,
            workbench.registry,
            self.engine,
            prompts=prompts,
            presence=self.presence,
            project=self._project_dir,
            folder=self._folder,
            data=data,
            user_file=servers_file,
            ask=self._ask,
            scope=self._scope,
            parent=self,
        )
        self.apis = ApisPane(
            self.window,
            workbench,
            self.engine,
            project=self._project_dir,
            data=data,
            user_file=None if servers_file is None else servers_file.with_name(APIS_FILE),
            ask=self._ask,
            scope=self._scope,
            parent=self,
        )
        self.gateway = GatewayPane(
            self.window,
            self.servers.widget,
            self.engine,
            self.executor,
            workbench=workbench,
            data=data,
            records=self.records,
            preferences=preferences,
            ask=self._ask,
            scope=self._scope,
            parent=self,
        )
        self._make_panes()
        self._make_first_steps()
        self.searching = self._make_searching()
        self._wire()

    def _take_window(self, early: EarlyWindow) -> None:
        early.fill()
        self._early = early
        self.window = early.window
        self.welcome = early.welcome
        self.documents = early.documents
        self.browser_view = early.browser_view
        self.activity_view = early.activity_view
        # What the environment says of the network counts as long as nobody chose anything else.
        if (network := self._preferences.network) != NetworkSettings():
            use_network(network)

    def _make_panes(self) -> None:
        workbench, window = self._workbench, self.window
        self._plugins = EnginePlugins(self.engine, workbench)
        self.browser = BrowserPresenter(
            self.browser_view,
            self.tools,
            self._plugins,
            self._scope,
            last_arguments=self._preferences.last_arguments,
            parent=self,
        )
        self._chosen_tools = ChosenTools(
            self.browser_view,
            self._project_dir,
            preferences=self._preferences,
            compute=self.engine.compute,
            scope=self._scope,
            parent=self,
        )
        self.activity = ActivityPresenter(self._early.calls, self.activity_view, self._properties_of, parent=self)
        aids = QuestionAids(
            self.policies,
            engine=self.engine,
            executor=self.executor,
            tools=self.tools,
            records=self.records,
            scope=self._scope,
        )
        self.permissions = PermissionsPage(self.policies, self.tools, scope=self._scope, parent=self)
        self.approvals = ApprovalsPage(
            self.desk,
            self.presence,
            window,
            executor=self.executor,
            rules=self._rules,
            records=self.records,
            preferences=self._preferences,
            scope=self._scope,
            aid=aids.aid,
            ask=self._ask,
            remembered=self.permissions.widget,
            folder=self._folder,
            parent=self,
        )
        self.assistant = AssistantPage(
            self.engine,
            self.executor,
            self._data / CONVERSATIONS_FOLDER,
            questions=self.desk,
            inline=self.approvals.inline,
            preferences=self._preferences,
            scope=self._scope,
            own_settings=self._own_settings,
            parent=self,
        )
        self.approvals.leave_to(self.assistant.asks_here)
        self._status_summary = StatusSummary(
            window,
            self.welcome,
            self.browser,
            tools=self.tools,
            desk=self.desk,
            records=self.records,
            preferences=self._preferences,
            parent=self,
        )
        self.healths = HealthController(
            self.executor,
            self.engine,
            self.tools,
            self.records,
            settings=workbench.plugin_list.folder.parent,
            scope=self._scope,
            parent=self,
        )
        self.lints = ToolLints(workbench.registry, self.engine, self._scope, self)
        guards = EngineGuards(self.engine, self.executor)
        self.health_page = HealthPage(
            self.healths,
            self.records,
            engine=self.engine,
            tools=self.tools,
            reset=guards.reset,
            preferences=self._preferences,
            scope=self._scope,
            parent=self,
        )
        self._health_notices = HealthNotices(self.presence.notices, self.presence.is_in_front, self)
        self._calls = EngineCalls(self.engine, self.executor)
        ports = ExecutionPorts(
            calls=self._calls,
            events=self.engine.events,
            scope=self._scope,
            compute=self.engine.compute,
            drafts=self._preferences,
            recent=self.recent.of,
            clock=monotonic,
            project_dir=self._project_dir,
            guards=guards,
        )
        self.histories = HistoryPane(
            self.records,
            self.tools,
            scope=self._scope,
            recent=self.recent.of,
            ask=self._ask,
            parent=self,
        )
        self.batches = BatchPage(
            self.executor,
            self.tools,
            self.engine,
            self.records,
            project_dir=self._folder,
            tools_loaded=self._tools_loaded.wait,
            preferences=self._preferences,
            scope=self._scope,
            parent=self,
        )
        definitions = DefinitionPane(
            self._schema_of,
            preferences=self._preferences,
            compute=self.engine.compute,
            scope=self._scope,
            parent=self,
        )
        self._checks = CheckPane(
            EngineChecks(self.engine, workbench.registry, self.executor),
            ask=self._ask,
            project_dir=self._project_dir,
            compute=self.engine.compute,
            scope=self._scope,
            parent=self,
        )
        self.open_tools = OpenTools(
            self.documents,
            self.tools,
            ports,
            self.histories,
            definitions=definitions,
            checks=self._checks,
            parent=self,
        )
        self._extra_installs = ExtraInstalls(
            self.open_tools, self.browser, tools=self.tools, engine=self.engine, scope=self._scope, parent=self
        )
        self._last_tabs = LastTabs(self.open_tools, self.documents, self.tools, self._preferences, parent=self)
        self.recall = PastCallActions(
            self.records,
            self.histories,
            open_tools=self.open_tools,
            activity=self.activity,
            scope=self._scope,
            parent=self,
        )
        self._batch_closing = BatchClosing(self.batches, self.presence, window, self)
        self._quitting = Quitting(
            window,
            self._status_summary,
            assistant=self.assistant,
            batches=self.batches,
            batch_closing=self._batch_closing,
            presence=self.presence,
            parent=self,
        )
        self.notifications = Notifications(window.top_bar, self.batches, parent=self)
        self._batch_beginnings = StepsFromCalls(
            self.batches,
            self.browser_view,
            self.open_tools,
            self.histories,
            assistant=self.assistant,
            parent=self,
        )
        timings = PastTimings(self.records, self.recent, self._scope, self)
        self.open_tools.opened.connect(timings.recall)
        self.authoring = Authoring(
            window,
            self.browser,
            self.browser_view,
            self.open_tools,
            saved=self._plugins,
            preferences=self._preferences,
            folder=self._folder_of_new_tools,
            tools=self.tools,
            compute=self.engine.compute,
            scope=self._scope,
            parent=self,
        )
        self.drops = FileDrops(
            window,
            self.browser,
            self._project,
            self.batches,
            busy=self._why_ask_for_project,
            ask=self._ask,
            parent=self,
        )
        self._make_settings()
        self._place_panes()

    def _make_settings(self) -> None:
        maintenance = Maintenance(
            self.window, self._preferences, self._data, engine=self.engine, scope=self._scope, parent=self
        )
        plugin_trust = PluginTrust(self._plugins, self._scope, self)
        plugin_trust.trust_requested.connect(self.browser.trust)
        for told in (self.browser.reported, self.browser.failed):
            told.connect(plugin_trust.look)
        self.settings = SettingsPage(
            (
                *look_settings(self._commands, self._preferences, is_kept=not self._begun.safe_mode),
                *approval_settings(self._autonomy, self.approvals),
                *role_settings(self.desk.roles, self.tools, self._preferences),
                *notice_settings(self.presence, self.window.top_bar.bell),
                *history_settings(self.records),
                *agent_settings(self.gateway, self._preferences, self.window.rail.choose),
                *network_settings(self._preferences),
                *project_settings(self._project, self.window.rail.choose),
                *advanced_settings(maintenance),
                *plugin_settings(self.authoring, self._plugins, self.browser, self._commands, maintenance),
                *batch_settings(self.batches, self._preferences),
            ),
            {
                SettingsSection.KEYS: ServiceKeys(self.engine, self._preferences, self._scope, parent=self),
                SettingsSection.SHORTCUTS: Shortcuts(keymap(), self),
                SettingsSection.PLUGINS: plugin_trust,
                SettingsSection.TOOLS: self.tool_values,
            },
            self._scope,
            keep=self._preferences.save,
            parent=self,
        )
        self.settings.shown.connect(maintenance.measure)
        maintenance.measured.connect(self.settings.refresh)

    def _make_first_steps(self) -> None:
        bar = self._early.first_steps_bar
        self.first_steps = FirstSteps(
            bar,
            self.open_tools,
            tools=self.tools,
            batches=self.batches,
            healths=self.healths,
            health_page=self.health_page.widget,
            project=self._project,
            preferences=self._preferences,
            folder=self._data / FIRST_STEPS_FOLDER,
            compute=self.engine.compute,
            scope=self._scope,
            parent=self,
        )
        self._early.step_requested.connect(self.first_steps.lead_to)
        bar.own_requested.connect(self._on_first_steps_own_requested)
        self.first_steps.page_requested.connect(self.window.rail.choose)
        self.window.first_steps_requested.connect(self.first_steps.take_up)
        self._early.first_tool_opened.connect(self.first_steps.begin)
        self.gateway.agent_connected.connect(self.first_steps.take_agent)

    def _place_panes(self) -> None:
        window = self.window
        window.add_page("health", self.health_page.widget, whole=True)
        window.add_page("batch", self.batches.widget, whole=True)
        window.add_page("approvals", self.approvals.widget, whole=True)
        window.add_page("servers", self.gateway.widget, whole=True)
        window.add_page("assistant", self.assistant.widget, whole=True)
        window.add_page("history", self.histories.widget, whole=True)
        window.add_page("prompts", self.prompts.widget, whole=True)
        window.add_page("agents", self.gateway.agents, whole=True)
        window.add_page("settings", self.settings.widget, whole=True)
        self.settings.offer(window)

    def _make_searching(self) -> Searching:
        return Searching(
            self.window,
            tools=self.tools,
            engine=self.engine,
            browser=self.browser,
            browser_view=self.browser_view,
            open_tools=self.open_tools,
            recall=self.recall,
            records=self.records,
            servers=self._server_names,
            preferences=self._preferences,
            scope=self._scope,
            parent=self,
        )

    def _properties_of(self, name: str) -> object:
        tool = self.tools.lookup(name)
        return None if tool is None else tool.input_schema.get("properties")

    def _server_names(self) -> Sequence[str]:
        return self.servers.names

    def _folder(self) -> Path:
        return folder_of(self.executor)

    def _rules(self) -> Sequence[PlacedRule]:
        return self.policies.snapshot.rules

    def _own_settings(self) -> Mapping[str, str]:
        return self._workbench.settings.own_values

    def _project_dir(self) -> Path | None:
        return self._project.folder

    def _why_ask_for_project(self) -> str:
        """Say what another project would meet in the middle; empty when nothing."""
        if self.batches.goes_on or self._status_summary.running or self.assistant.answering:
            return tr("Something still runs. Its relative paths would mean the other folder from now on.")
        unsaved = self.batches.unsaved()
        return (
            tr(
                "{plan} has changes that are not saved. It stays open, but its paths mean the other folder.",
                plan=unsaved,
            )
            if unsaved
            else ""
        )

    def _folder_of_new_tools(self) -> Path:
        return self._project.folder or self._workbench.plugin_list.folder

    def _wire(self) -> None:
        window, view, tools = self.window, self.browser_view, self.open_tools
        events = self.engine.events
        for take in (
            self.recent.record,
            self.desk.take,
            self.recall.take,
            self.activity.on_events,
            self.browser.on_events,
            self.healths.take,
            self._status_summary.take,
            self.notifications.take,
            self.first_steps.take,
        ):
            events.connect(take)
        self._early.tool_opened.connect(self._on_browser_tool_opened)
        view.run_again_requested.connect(tools.run)
        view.plugin_requested.connect(self._commands.choose_plugin)
        self._commands.plugin_chosen.connect(self.browser.add_plugin)
        self.browser.succeeded.connect(window.status_bar.show_notice)
        self.browser.reported.connect(self._status_summary.show_counts)
        self.browser.failed.connect(window.status_bar.show_notice)
        self.healths.changed.connect(self.browser.set_health)
        self.healths.counted.connect(window.status_bar.show_health)
        window.status_bar.health_clicked.connect(self._on_status_bar_health_clicked)
        self.health_page.noticed.connect(window.status_bar.show_notice)
        self.healths.news.connect(self._health_notices.take)
        self.servers.troubled.connect(self.browser.set_servers)
        self.servers.troubled.connect(self.health_page.set_troubles)
        self.servers.pictured.connect(self._on_servers_pictured)
        self.servers.noticed.connect(window.status_bar.show_notice)
        self._wire_gateway(window)
        self.servers.tool_opened.connect(self._on_servers_tool_opened)
        self.servers.waiting_changed.connect(self._on_servers_waiting_changed)
        view.server_requested.connect(self._on_browser_server_requested)
        self._wire_apis()
        self._wire_assistant()
        view.connection_requested.connect(self._on_connection_requested)
        self._health_notices.page_requested.connect(self._on_health_notices_page_requested)
        self.health_page.history_opened.connect(self.histories.show_tool)
        self.health_page.call_opened.connect(self.histories.show_call)
        self.health_page.tool_opened.connect(self._on_health_page_tool_opened)
        self.health_page.restart_requested.connect(self._on_health_page_restart_requested)
        self.health_page.tools_requested.connect(self._on_health_page_tools_requested)
        self.tools.changed.connect(self._on_tools_changed)
        self.crashed.connect(window.status_bar.show_notice, Qt.ConnectionType.QueuedConnection)
        self.desk.rescheduled.connect(self._on_desk_rescheduled)
        self._wire_activity()
        self._wire_notifications()
        self._wire_window()

    def _wire_assistant(self) -> None:
        self.assistant.noticed.connect(self.window.status_bar.show_notice)
        self.assistant.tool_requested.connect(self._on_servers_tool_opened)
        self.assistant.call_requested.connect(self.histories.show_call)
        self.prompts.ask_requested.connect(self._on_prompts_ask_requested)

    def _wire_apis(self) -> None:
        view, apis = self.browser_view, self.apis
        apis.noticed.connect(self.window.status_bar.show_notice)
        apis.troubled.connect(self.browser.set_apis)
        view.api_requested.connect(apis.do)
        self.window.api_requested.connect(apis.add)
        self.servers.api_requested.connect(apis.add)
        self.drops.api_dropped.connect(apis.add_file)
        if not self._begun.safe_mode:
            self._project.chosen.connect(apis.follow_project)

    def _wire_activity(self) -> None:
        self.servers.troubled.connect(self.authoring.take_troubles)
        self.activity_view.tool_opened.connect(self.open_tools.open)
        self.activity_view.call_opened.connect(self.recall.open_call)
        self.activity_view.compare_requested.connect(self.recall.compare_calls)
        self.activity_view.pipeline_requested.connect(self.recall.make_pipeline)
        self.recall.piped.connect(self.authoring.ask_for_pipeline)
        self.histories.piped.connect(self.authoring.ask_for_pipeline)
        self.activity_view.stop_requested.connect(self._on_activity_stop_requested)
        self.activity_view.collapsed.connect(self.window.shrink_bottom)

    def _wire_notifications(self) -> None:
        notifications = self.notifications
        self.healths.news.connect(notifications.take_health)
        self.servers.troubled.connect(notifications.take_troubles)
        notifications.page_requested.connect(self.window.rail.choose)
        notifications.tool_calls_requested.connect(self.histories.show_tool)
        notifications.server_requested.connect(self._on_browser_server_requested)

    def _wire_gateway(self, window: MainWindow) -> None:
        self.gateway.page_requested.connect(window.rail.choose)
        self.gateway.calls_requested.connect(self.histories.show_caller)
        self.gateway.rules_requested.connect(self._show_approvals)
        self.gateway.rules_requested.connect(self.approvals.show_rules)
        self.gateway.switched.connect(window.status_bar.show_gateway)
        self.gateway.paused.connect(window.status_bar.show_pause)
        window.pause_requested.connect(self.gateway.toggle_pause)
        window.status_bar.gateway_clicked.connect(self.gateway.show_panel)

    def _wire_approvals(self) -> None:
        window, approvals, presence = self.window, self.approvals, self.presence
        approvals.waiting_changed.connect(self._status_summary.show_counts)
        approvals.waiting_changed.connect(self._on_approvals_waiting_changed)
        approvals.waiting_changed.connect(presence.show_waiting)
        approvals.page_requested.connect(self._show_approvals)
        approvals.dimmed.connect(window.dim)
        approvals.noticed.connect(window.status_bar.show_notice)
        approvals.call_opened.connect(self.histories.show_call)
        self.permissions.counted.connect(approvals.show_remembered)
        window.status_bar.waiting_clicked.connect(self._show_approvals)
        window.oldest_question_requested.connect(approvals.show_oldest)
        window.top_bar.quiet_toggled.connect(presence.set_quiet)
        window.top_bar.sounds_toggled.connect(presence.set_sounds)
        window.top_bar.allowing_toggled.connect(presence.set_may_allow)
        presence.pause_requested.connect(self.gateway.toggle_pause)
        self.gateway.switched.connect(presence.show_gateway)
        self.gateway.paused.connect(presence.show_pause)
        presence.quiet_changed.connect(window.top_bar.show_quiet)
        window.top_bar.show_quiet(presence.notices.is_quiet)
        window.top_bar.bell.show_settings(sounds=presence.notices.sounds, allowing=presence.may_allow)

    def _wire_window(self) -> None:
        window, tools = self.window, self.open_tools
        self.welcome.plugin_requested.connect(self._commands.choose_plugin)
        self.welcome.new_tool_requested.connect(self.authoring.ask_for_tool)
        tools.reload_requested.connect(self.browser_view.reload_requested)
        self.welcome.connection_requested.connect(self._on_connection_requested)
        self.welcome.agent_requested.connect(self._on_welcome_agent_requested)
        self._early.first_tool_opened.connect(self._on_early_first_tool_opened)
        tools.changed.connect(self._on_open_tools_changed)
        self.lints.changed.connect(self.browser.set_lints)
        self.lints.changed.connect(tools.show_lints)
        tools.refused.connect(window.status_bar.show_notice)
        tools.messages_requested.connect(self._on_tools_messages_requested)
        tools.close_refused.connect(self._on_tools_close_refused)
        self._wire_approvals()
        window.reload_requested.connect(self.browser_view.reload_requested)
        for source in (
            ToolExport(window, self.tools, self._scope, self),
            self.tool_values,
            self.gateway,
            self.histories,
            self.recall,
            self.batches,
            self._batch_beginnings,
            self.authoring,
            self.drops,
            self._checks,
            self._extra_installs,
            self.first_steps,
            tools,
        ):
            source.noticed.connect(window.status_bar.show_notice)
        self.recall.page_requested.connect(window.rail.choose)
        self.searching.page_requested.connect(window.rail.choose)
        self.searching.prompt_requested.connect(self._on_searching_prompt_requested)
        self.searching.server_requested.connect(self._on_browser_server_requested)
        for asking in (self._batch_beginnings, self._batch_closing, self.authoring, self.drops):
            asking.page_requested.connect(window.rail.choose)
        self._quitting.agreed.connect(self.gateway.leaving.ask)
        self.gateway.leaving.agreed.connect(self._on_leaving_agreed)
        self.settings.restart_requested.connect(self._quitting.restart)
        self._project.refused.connect(window.status_bar.show_notice)
        self._project.chosen.connect(self.policies.follow_project)
        if not self._begun.safe_mode:
            self._project.chosen.connect(self.servers.follow_project)
        self._project.chosen.connect(self.tool_values.change_project)
        self._project.chosen.connect(self._chosen_tools.look_again)
        window.settings_requested.connect(self._on_window_settings_requested)
        self.settings.page_requested.connect(window.rail.choose)
        self.policies.changed.connect(self.settings.refresh)
        self._project.chosen.connect(tools.follow_project)
        tools.folder_requested.connect(self._project.ask_folder)
        tools.sample_requested.connect(self._project.choose_sample)
        window.next_tab_requested.connect(self.documents.step)
        window.close_tab_requested.connect(tools.close_current)

    def start(self) -> None:
        """Show the window and begin to load the tools; from inside the running event loop."""
        self.engine.start()
        self._diagnostics.tell_start()
        self.first_steps.show()
        if not self.window.isVisible():
            self._early.show()
        if self._preferences.flag(_OPENS_SETTINGS, default=False):
            self._preferences.set_flag(_OPENS_SETTINGS, value=False)
            self.window.rail.choose("settings")
        self._early.carry_out()
        self.policies.start(self._files)
        self.tool_values.start(self._files)
        self._files.start()
        self.permissions.look_again()
        self.presence.start()
        self._loading = self._scope.start(self._load(), "load the tools")

    @Slot(object)
    def take_opening(self, opening: Opening) -> None:
        """Come to the front with what a second program was started with."""
        if self._ending:
            return
        use_token(opening)
        self.presence.come_to_front()
        QApplication.alert(self.window)
        if opening.project is not None:
            self._project.choose(opening.project)
        if opening.plugins:
            self._scope.start(  # type: ignore[unused-awaitable]
                self._load_further(opening.plugins), "load further plugin files"
            )

        if opening.plan is not None:
            self._plan_to_open = opening.plan
            self._open_plan()

    def _open_plan(self) -> None:
        """Open the plan that a program was started with, once the tools that it calls are there."""
        if self._tools_loaded.is_set() and self._plan_to_open is not None:
            plan, self._plan_to_open = self._plan_to_open, None
            self.drops.take(DroppedFiles(plan=plan))

    async def _load_further(self, files: Sequence[Path]) -> None:
        # What the start loads is the person's own, and stays.
        await asyncio.wait([self._loading])
        await self._plugins.load_further(files)
        self._show_loaded()

    async def _load(self) -> None:
        self._chosen_tools.look_again()
        opening = self._scope.start(self.records.open(), "open history and audit log")
        await self.tool_values.read()
        await self._plugins.load_installed(self._extra_plugins)
        self._early.take_tools(self.tools)
        files = self._scope.start(self._load_files(), "load the plugin files")
        if not self._begun.safe_mode:
            await self.apis.start(self._files)
        # No call is made before it can be kept.
        await asyncio.wait([opening])
        await self.healths.recall()
        await asyncio.wait([files], timeout=PLUGIN_PATIENCE_S)
        self._show_loaded()
        self._early.take_tools(self.tools, are_all=True)
        await load_pages(self.engine.compute)
        self._last_tabs.bring_back()
        if not files.done():
            await asyncio.wait([files])
            self._show_loaded()
            self._last_tabs.bring_back()
        # Those of servers and of late plugins follow.
        self.tools.changed.connect(self._last_tabs.bring_back)
        self.authoring.start(self._files)
        self.loaded.emit()
        self._tools_loaded.set()
        self._open_plan()
        if not self._begun.safe_mode:
            # What another program handed over is asked about, and for that its tools must be there.
            self.gateway.start()
            await self.servers.start(self._files)
            self._scope.start(self._forget_lost_tabs(), "forget tabs")  # type: ignore[unused-awaitable]
        await load_the_rest(self.engine.compute)
        await self.searching.finder.prepare()
        self.searching.prepare()

    @Slot()
    def _on_welcome_agent_requested(self) -> None:
        self.gateway.show_panel()
        self.gateway.connect_agent()

    @Slot()
    def _on_window_settings_requested(self) -> None:
        self.window.rail.choose("settings")

    async def _forget_lost_tabs(self) -> None:
        # The tools of a server that fails today may be there at the next start.
        if await self.servers.all_started():
            self._last_tabs.give_up()

    async def _load_files(self) -> None:
        try:
            await self._plugins.load_files(self._extra_plugins)
        except ToolConfigurationError as error:
            self.window.status_bar.show_notice(translated(error))
        finally:
            self.browser_view.set_loading(False)

    def _show_loaded(self) -> None:
        self.browser.set_reports(self._plugins.reports)
        self._status_summary.note_loaded()
        self._on_tools_changed()

    async def _end(self) -> None:
        """Stop calls, then tasks, then threads, then the window."""
        if self._begun.reports is not None:
            self._begun.reports.expect_end()
        all_ended = await end_in_turn(
            (
                Part("what is remembered", self._remember),
                Part("tabs", self._last_tabs.close),
                Part("agents that are served on", self.gateway.give_back, SLOW_PATIENCE_S),
                Part("the first steps", self.first_steps.clean_up),
                Part("questions", partial(self.approvals.refuse_from_now_on, "The console was closed.")),
                Part("batches", self.batches.stop, SLOW_PATIENCE_S),
                Part("conversations", self.assistant.end),
                Part("agents", self.gateway.end),
                Part("calls", partial(self.engine.call, self.executor.aclose)),
                Part("watched files", self._files.end),
                Part("servers", self.servers.end),
                Part("pages", self._close_panes),
                Part("tasks", self._scope.close),
                Part("health", self.healths.close, SLOW_PATIENCE_S),
                Part("history and audit log", self.records.close, SLOW_PATIENCE_S),
                # A tool may block the engine; the processes end with the program.
                Part("plugins", self._plugins.close, 1.0),
                Part("the tree of tools", self.browser.close),
                Part("activity", self.activity.close),
                Part("the list of tools", self._unwatch),
            )
        )
        ended = self.engine.stop() and self.records.is_closed
        self.stopped_cleanly = all_ended and ended and not self.executor.abandoned_threads
        self.window.close_now()
        self.ended.emit()

    def _close_panes(self) -> None:
        """Let go of all that starts tasks when something happens."""
        self.open_tools.close_all()
        self.histories.close()
        self.searching.close()
        self.servers.close()
        self.prompts.close()
        self.assistant.close()
        self.health_page.close()
        self.batches.close()
        self.approvals.close()
        self.presence.close()
        self.healths.stop()
        self.lints.stop()
        self.policies.close()
        self.gateway.close()
        self.permissions.close()

    def _remember(self) -> None:
        preferences, window = self._preferences, self.window
        window.show_page("tools")  # with the panels that the next start begins with
        preferences.window_geometry = bytes(window.saveGeometry().data())
        preferences.window_state = bytes(window.saveState(window.state_version).data())
        self._last_tabs.remember()
        self.health_page.remember()
        self.batches.remember()
        self.gateway.remember()
        preferences.save()

    @Slot()
    def _on_leaving_agreed(self) -> None:
        self.restarts = self._quitting.restarts
        # What asked for another start stands there, and whoever asked looks whether it counts.
        self._preferences.set_flag(_OPENS_SETTINGS, value=self.restarts)
        self.end()

    def end(self) -> None:
        """End the program, whatever runs."""
        if not self._ending:
            self._ending = True
            self._ending_task = asyncio.get_running_loop().create_task(self._end(), name="end of the program")

    async def _schema_of(self, name: str, part: SchemaPart, form: SchemaStyle) -> dict[str, Any] | None:
        return await self.engine.call(self._workbench.schema_of, name, part, form)

    @Slot(str)
    def _on_tools_close_refused(self, name: str) -> None:
        self._name_to_drop = name
        self._ask(
            tr("Close {name}?", name=name),
            tr("It still runs. Closing its page stops it."),
            tr("Stop and close"),
            self._drop_tool,
        )

    def _drop_tool(self) -> None:
        self.open_tools.drop(self._name_to_drop)

    def _ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        """Ask before something is lost; the default answer loses nothing."""
        box = QuestionBox(title, text, yes, self.window)
        box.agreed.connect(then)
        box.open()

    @Slot()
    def _on_tools_changed(self) -> None:
        self.engine.post(self.executor.warm_up)
        self.open_tools.refresh()
        self._status_summary.show_tools()
        self.first_steps.look_at_tools()
        self.permissions.look_again()
        self.healths.look_again()
        self.lints.look_again()
        self.batches.look_again()

    @Slot(str)
    def _on_desk_rescheduled(self, request_id: str) -> None:
        request = self.desk.request(request_id)
        if request is not None:
            self.activity.reschedule(request)

    @Slot(str)
    def _on_activity_stop_requested(self, call_id: str) -> None:
        self._calls.stop(call_id)

    def _on_task_failed(self, error: BaseException) -> None:
        _log.error("a task of the console failed", exc_info=error)
        self.window.status_bar.show_notice(tr("Something in the console itself failed: {error}", error=error))

    @Slot(str)
    def _on_browser_tool_opened(self, name: str) -> None:
        self.open_tools.open(name)
        self.open_tools.focus_arguments(name)

    @Slot(str)
    def _on_browser_server_requested(self, name: str) -> None:
        self.window.rail.choose("servers")
        self.servers.show_server(name)

    @Slot(str)
    def _on_searching_prompt_requested(self, name: str) -> None:
        self.window.rail.choose("prompts")
        self.prompts.show_prompt(name)

    @Slot(str)
    def _on_prompts_ask_requested(self, text: str) -> None:
        self.window.rail.choose("assistant")
        self.assistant.write(text)

    @Slot(str, str)
    def _on_tools_messages_requested(self, server: str, call_id: str) -> None:
        self.window.rail.choose("servers")
        self.servers.show_messages(server, call_id)

    @Slot()
    def _on_connection_requested(self) -> None:
        self.window.rail.choose("servers")
        self.servers.add_server()

    @Slot(object)
    def _on_servers_pictured(self, pictures: Pictures) -> None:
        self.browser_view.set_pictures(pictures.servers, pictures.tools)
        self.open_tools.show_pictures(pictures.tools)

    @Slot()
    def _show_approvals(self) -> None:
        self.window.rail.choose("approvals")

    @Slot(int)
    def _on_approvals_waiting_changed(self, count: int) -> None:
        self.window.rail.set_count("approvals", count)

    @Slot(int)
    def _on_servers_waiting_changed(self, count: int) -> None:
        self.window.rail.set_count("servers", count)

    @Slot(str)
    def _on_early_first_tool_opened(self, name: str) -> None:
        self.open_tools.open(name)
        self.open_tools.fill_example(name)
        self.open_tools.focus_arguments(name)

    @Slot(str)
    def _on_first_steps_own_requested(self, own: str) -> None:
        match own:
            case "agent":
                self._on_welcome_agent_requested()
            case "server":
                self._on_connection_requested()
            case "tool":
                self.authoring.ask_for_tool()

    @Slot(str)
    def _on_health_page_tool_opened(self, name: str) -> None:
        self.window.rail.choose("tools")
        self.open_tools.open(name)

    @Slot(str)
    def _on_servers_tool_opened(self, name: str) -> None:
        self._on_health_page_tool_opened(name)
        # Whoever opens it there is about to call it.
        self.open_tools.focus_arguments(name)

    @Slot()
    def _on_status_bar_health_clicked(self) -> None:
        self.window.rail.choose("health")

    @Slot()
    def _on_health_notices_page_requested(self) -> None:
        self.presence.come_to_front()
        self.window.rail.choose("health")

    @Slot(str)
    def _on_health_page_restart_requested(self, name: str) -> None:
        tool = self.tools.lookup(name)
        if tool is not None:
            self.servers.restart(tool.source.name)

    @Slot()
    def _on_health_page_tools_requested(self) -> None:
        self.window.rail.choose("tools")

    @Slot()
    def _on_open_tools_changed(self) -> None:
        self.browser_view.select(self.documents.current_key)


def _protected(
    data: Path, servers_file: Path | None, plugins: PluginList, begun: StartUp
) -> tuple[ProtectedPlace, ...]:
    # In safe mode the files that decide what may run are not in use, and protected all the same.
    own = protected_places(data) if begun.safe_mode else ()
    return (*own, *protected_places(data, servers_file, plugins))
