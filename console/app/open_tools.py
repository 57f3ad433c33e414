"""The tools that are open in tabs, each with its page and presenter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from console.assets import Picture
from console.call_result.rows import heading_of
from console.check.page import CheckPane, CheckTab
from console.definition.page import DefinitionPane, DefinitionTabs
from console.history.page import HistoryPane
from console.language import tr
from console.tool_list import ToolList
from console.tool_page.lint_rows import lint_rows
from console.tool_page.ports import ExecutionPorts
from console.widgets.status import status_of_call
from console.window.documents import Documents
from tools.calls import CallRecord
from tools.lint import ToolLint

if TYPE_CHECKING:
    from console.call_result.banner_view import SourceNotice
    from console.history.repeat_arguments import RepeatArguments
    from console.tool_page.library_rows import ExtraInstall
    from console.tool_page.presenter import ExecutionPresenter
    from console.tool_page.view import ExecutionView


class OpenTools(QObject):
    """Open, show and close the pages of tools.

    Args:
        documents: Where the pages are put.
        tools: The tools.
        ports: What the pages need.
        histories: Makes the pages' History tabs.
        definitions: Makes the pages' Wire and Schema tabs.
        checks: Makes the pages' Check tabs.
        parent: Its owner.

    Signals:
        opened(str): The page of this tool was made.
        changed(): Pages were opened, closed or brought to the front.
        refused(str): A sentence about what could not be done.
        noticed(str): A sentence about what was done.
        close_refused(str): The page of this tool was to be closed while it runs.
        batch_requested(str, dict): Add a step that calls this tool with these arguments to the plan that is open.
        folder_requested(): Let the person choose a project folder.
        sample_requested(): Open the sample project.
        messages_requested(str, str): Show what this server was sent for the call with this id, and what it answered.
        reload_requested(): Load saved plugin files.
        install_requested(str): Install this extra, or stop installing it.
        editor_requested(Path): Open this plugin file where it failed.
    """

    opened = Signal(str)
    changed = Signal()
    refused = Signal(str)
    noticed = Signal(str)
    close_refused = Signal(str)
    batch_requested = Signal(str, dict)
    folder_requested = Signal()
    sample_requested = Signal()
    messages_requested = Signal(str, str)
    reload_requested = Signal()
    install_requested = Signal(str)
    editor_requested = Signal(object)

    def __init__(
        self,
        documents: Documents,
        tools: ToolList,
        ports: ExecutionPorts,
        histories: HistoryPane,
        *,
        definitions: DefinitionPane,
        checks: CheckPane,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._tools = tools
        self._ports = ports
        self._histories = histories
        self._definitions = definitions
        self._checks = checks
        self._presenters: dict[str, ExecutionPresenter] = {}
        self._tabs: dict[str, tuple[DefinitionTabs, CheckTab]] = {}
        self._pictures: Mapping[str, Picture] = {}
        self._sources: Mapping[Path, SourceNotice] = {}
        self._lints: dict[str, ToolLint] = {}
        self._install: ExtraInstall | None = None
        checks.filled.connect(self._on_checks_filled)
        documents.close_requested.connect(self.close)
        documents.current_changed.connect(self._on_documents_current_changed)

    @property
    def names(self) -> tuple[str, ...]:
        """The open tools, in the order of their tabs."""
        return self._documents.keys

    @property
    def current(self) -> ExecutionPresenter | None:
        """The presenter of the page in front; None when none is open."""
        return self._presenters.get(self._documents.current_key)

    @Slot(str)
    def open(self, name: str) -> None:
        """Show a tool's page, and make it first if need be."""
        if name in self._presenters:
            self._documents.show_page(name)
            self.changed.emit()
            return
        tool = self._tools.find(name)
        if tool is None:
            self.refused.emit(tr("The tool {name!r} is gone", name=name))
            return
        if tool.name in self._presenters:  # the list takes another spelling as well
            self.open(tool.name)
            return
        from console.tool_page.presenter import ExecutionPresenter  # noqa: PLC0415 -- see console.startup.loading
        from console.tool_page.view import ExecutionView  # noqa: PLC0415 -- see console.startup.loading

        view = ExecutionView(heading_of(tool), self._documents.place)
        presenter = ExecutionPresenter(tool, view, self._ports, parent=self)
        self._connect_page(presenter, view)
        presenter.show_install(self._install)
        view.header.show_picture(self._pictures.get(tool.name))
        if tool.name in self._lints:
            view.header.show_lint(lint_rows(self._lints[tool.name]))
        definition, check = self._tabs[tool.name] = (self._definitions.make_tabs(tool), self._checks.make_tab(tool))
        view.add_document(tr("Wire"), definition.wire)
        view.add_history(self._histories.make_tab(tool.name))
        view.add_document(tr("Schema"), definition.schema)
        view.add_document(tr("Check"), check.page)
        past = self._histories.tab(tool.name)
        if past is not None:
            past.count_changed.connect(view.show_history_count)
        self._presenters[tool.name] = presenter
        self._documents.add(tool.name, tool.spec.title or tool.name, view)
        if tool.source.path is not None and tool.source.path in self._sources:
            presenter.show_source(self._sources[tool.source.path])
        self.opened.emit(tool.name)
        self.changed.emit()

    def _connect_page(self, presenter: ExecutionPresenter, view: ExecutionView) -> None:
        presenter.running_changed.connect(self._on_presenter_running_changed)
        presenter.ended.connect(self._on_presenter_ended)
        presenter.batch_requested.connect(self._on_presenter_batch_requested)
        presenter.install_requested.connect(self.install_requested)
        presenter.messages_requested.connect(self.messages_requested)
        view.project.action_requested.connect(self.folder_requested)
        view.project.other_requested.connect(self.sample_requested)
        view.source.reload_requested.connect(self.reload_requested)
        view.source.editor_requested.connect(self._on_source_editor_requested)
        view.source.copy_requested.connect(self._on_source_copy_requested)

    @Slot(str)
    def run(self, name: str) -> None:
        """Show a tool's page and run it with the arguments it had last."""
        self.open(name)
        presenter = self._presenters.get(name)
        if presenter is not None:
            presenter.run()

    def fill_example(self, name: str) -> None:
        """Fill an open tool's page with its first example."""
        presenter = self._presenters.get(name)
        if presenter is not None:
            presenter.fill_example()

    def focus_arguments(self, name: str) -> None:
        """Let the person type the arguments of an open tool at once."""
        from console.tool_page.view import ExecutionView  # noqa: PLC0415 -- see console.startup.loading

        page = self._documents.page(name)
        if isinstance(page, ExecutionView):
            page.focus_arguments()

    def show_call(self, call: CallRecord) -> None:
        """Show a call on its tool's page: its arguments' result, logs and timing."""
        name = call.tool.name
        self.open(name)
        presenter = self._presenters.get(name)
        if presenter is not None:
            presenter.show_call(call)

    def show_past(self, record: CallRecord, given: RepeatArguments) -> bool:
        """Show a call of the past on its tool's page, and say whether there is such a tool."""
        presenter = self._presenter_of(record.tool.name)
        if presenter is not None:
            presenter.show_past(record, given.arguments, given.missing)
        return presenter is not None

    def run_with(self, name: str, given: RepeatArguments) -> bool:
        """Run a tool with the arguments of a call of the past, and say whether there is such a tool."""
        presenter = self._presenter_of(name)
        if presenter is not None:
            presenter.run_with(given.arguments, given.missing)
        return presenter is not None

    def _presenter_of(self, name: str) -> ExecutionPresenter | None:
        tool = self._tools.find(name)
        if tool is None:
            return None
        self.open(tool.name)
        return self._presenters.get(tool.name)

    @Slot(str)
    def close(self, name: str) -> None:
        """Close a tool's page, unless it runs."""
        presenter = self._presenters.get(name)
        if presenter is None:
            return
        if presenter.is_running:
            self.close_refused.emit(name)
            return
        self.drop(name)

    def drop(self, name: str) -> None:
        """Close a tool's page whatever it does; a running call is stopped."""
        presenter = self._presenters.pop(name, None)
        if presenter is None:
            return
        presenter.stop()
        presenter.close()
        self._histories.drop_tab(name)
        for tab in self._tabs.pop(name):
            tab.close()
            tab.deleteLater()
        presenter.deleteLater()
        self._documents.remove(name)
        self.changed.emit()

    def refresh(self) -> None:
        """Show changed tools as they are now, with what stood and what came of calls, and close those that are gone."""
        for name, presenter in list(self._presenters.items()):
            tool = self._tools.lookup(name)
            if tool is not None:
                for tab in self._tabs[name]:
                    tab.follow(tool)
            if tool is presenter.tool:
                continue
            if tool is not None:
                presenter.adopt(tool)
                self._documents.set_text(name, tool.spec.title or tool.name)
            elif not presenter.is_running:
                self.drop(name)

    def show_sources(self, notices: Mapping[Path, SourceNotice], said: Mapping[Path, str] | None = None) -> None:
        """Say on the pages how the files of their tools stand.

        Args:
            notices: What is said of some files; all others are as they were loaded.
            said: Sentences about what was done with files just now.
        """
        self._sources = notices
        for presenter in self._presenters.values():
            path = presenter.tool.source.path
            if path is not None:
                presenter.show_source(self._sources.get(path), (said or {}).get(path, ""))

    def show_install(self, install: ExtraInstall) -> None:
        """Say on the pages how the newest installation of an extra stands."""
        self._install = install
        for presenter in self._presenters.values():
            presenter.show_install(install)

    @Slot()
    def follow_project(self) -> None:
        """Let the open pages find relative paths from the project folder that is open now."""
        for presenter in self._presenters.values():
            presenter.follow_project()

    def show_pictures(self, pictures: Mapping[str, Picture]) -> None:
        """Show icons that tools of servers have, by name; all others have none."""
        from console.tool_page.view import ExecutionView  # noqa: PLC0415 -- see console.startup.loading

        if pictures == self._pictures:
            return
        self._pictures = pictures
        for name in self._presenters:
            page = self._documents.page(name)
            if isinstance(page, ExecutionView):
                page.header.show_picture(pictures.get(name))

    @Slot(dict)
    def show_lints(self, lints: Mapping[str, ToolLint]) -> None:
        """Say what is wrong with how some tools are described, and what they cost; of others it is as before."""
        from console.tool_page.view import ExecutionView  # noqa: PLC0415 -- see console.startup.loading

        self._lints |= lints
        for name in self._presenters.keys() & lints.keys():
            page = self._documents.page(name)
            if isinstance(page, ExecutionView):
                page.header.show_lint(lint_rows(lints[name]))

    @Slot()
    def close_current(self) -> None:
        """Close the page in front, unless it runs."""
        self.close(self._documents.current_key)

    def close_all(self) -> None:
        """Let go of every page; for the end of the program."""
        for name, presenter in self._presenters.items():
            presenter.close()
            for tab in self._tabs[name]:
                tab.close()

    @Slot()
    def _on_source_editor_requested(self) -> None:
        self.editor_requested.emit(self._path_of_sender())

    @Slot(str)
    def _on_source_copy_requested(self, place: str) -> None:
        QGuiApplication.clipboard().setText(place)
        self.noticed.emit(tr("Copied {place}", place=place))

    def _path_of_sender(self) -> Path | None:
        sender = self.sender()
        pages = ((presenter, self._documents.page(name)) for name, presenter in self._presenters.items())
        return next(
            (
                presenter.tool.source.path
                for presenter, page in pages
                if page is not None and isinstance(sender, QWidget) and page.isAncestorOf(sender)
            ),
            None,
        )

    @Slot(str)
    def _on_documents_current_changed(self, name: str) -> None:
        self._histories.bring_to_front(name)
        self.changed.emit()

    @Slot(str, dict)
    def _on_checks_filled(self, name: str, arguments: dict[str, Any]) -> None:
        self._presenters[name].fill_exactly(arguments, tr("These are the arguments that the check found."))

    @Slot(bool)
    def _on_presenter_running_changed(self, running: bool) -> None:
        sender = self.sender()
        name = next((name for name, presenter in self._presenters.items() if presenter is sender), None)
        if running and name is not None:
            self._documents.set_status(name, "running")

    @Slot(dict)
    def _on_presenter_batch_requested(self, arguments: dict[str, Any]) -> None:
        sender = self.sender()
        for name, presenter in self._presenters.items():
            if presenter is sender:
                self.batch_requested.emit(name, arguments)

    @Slot(object)
    def _on_presenter_ended(self, record: CallRecord) -> None:
        self._documents.set_status(record.tool.name, status_of_call(record.status, error_kind=record.error_kind))
