"""The page of one open tool."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from console.call_result.badges import ToolBadge
from console.call_result.banner_view import BannerView, NoticeBar, PastBar, SourceBar, SourceNotice
from console.call_result.result_header_view import ATTACHMENTS_TAB, LOGS_TAB, RESULT_TAB, TIMING_TAB
from console.call_result.rows import GuardNotice, ToolHeading, argument_path
from console.call_result.view import CallView
from console.keymap import COMMANDS, keymap
from console.language import tr
from console.tool_page.arguments_view import ArgumentsRow, FormArea
from console.tool_page.header_view import ToolHeaderView
from console.widgets import CommandAction, Divider, ThinSplitter, set_surface, vbox

_LEAST_RESULT: Final = 124
_READABLE_RESULT: Final = 220
"""What the result has beside a form that would take more; in a low window half of the height, until a person moves the
handle between them."""
_MOST_FORM_SHARE: Final = 0.5


class _Parts(ThinSplitter):
    """The form above, the result below; tells when there is more or less room for both, and when it is shared anew."""

    resized = Signal()
    was_reset = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def reset(self) -> None:
        self.was_reset.emit()


class ExecutionView(QWidget):
    """Show one tool: what it is, its arguments, and what came of its newest call.

    Signals:
        run_requested: Run the tool.
        batch_requested: Add a step with these arguments to the plan that is open.
        bypass_requested: Run the tool and pass over the cache.
        stop_requested: Stop the running call.
        back_requested: Show again what was shown before a call of the past.
        example_chosen(object): Fill the form with these arguments.
        form_resized(int): A person gave the form this height.
    """

    run_requested = Signal()
    batch_requested = Signal()
    bypass_requested = Signal()
    stop_requested = Signal()
    back_requested = Signal()
    example_chosen = Signal(object)
    form_resized = Signal(int)

    def __init__(self, heading: ToolHeading, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading = heading
        self._folded_by_tab: dict[int, bool] = {TIMING_TAB: True}
        self._maximised = False
        self._history_tab = -1
        self._document_tabs: dict[str, int] = {}
        self._history: QWidget | None = None
        self._form_height: int | None = None
        self.setObjectName(f"execution {heading.name}")
        self.setAccessibleName(heading.title)
        set_surface(self, "surface")
        self._build(heading)
        self._connect_parts()
        self._add_shortcuts()

    def _build(self, heading: ToolHeading) -> None:
        column = vbox(self)
        self.header = ToolHeaderView(heading, self)
        # Tab visits them in the order in which they are made.
        self.project = BannerView(tr("Project"), self)
        self.libraries = BannerView(tr("Libraries"), self)
        self.source = SourceBar(self)
        self.guards = BannerView(tr("Guards"), self)
        self.arguments = ArgumentsRow(heading.title, heading.examples, self)
        self.notice = NoticeBar(self)
        self._below_row = QWidget(self)
        self._below_row.setFixedHeight(8)
        self._below_row.hide()
        self.past = PastBar(self)
        self._fold_line = Divider(Qt.Orientation.Horizontal)
        self._fold_line.hide()
        # From the top down: Qt looks up the style of every descendant again whenever a widget gets a parent.
        self._splitter = _Parts(Qt.Orientation.Vertical, self)
        self.form = FormArea(self._splitter)
        self.editor = self.form.editor
        self.document = self.editor.document
        self.results = self._make_results()
        self._splitter.setObjectName("execution parts")
        self._splitter.addWidget(self.form)
        self._splitter.addWidget(self.results)
        self._splitter.resized.connect(self._fit_form)
        self._splitter.was_reset.connect(self._on_splitter_was_reset)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        column.addWidget(self.header)
        column.addWidget(self.project)
        column.addWidget(self.libraries)
        column.addWidget(self.source)
        column.addWidget(self.guards)
        column.addWidget(self.arguments)
        column.addWidget(self.notice)
        column.addWidget(self._below_row)
        column.addWidget(self._fold_line)
        column.addWidget(self.past)
        column.addWidget(self._splitter, 1)

    def _make_results(self) -> CallView:
        results = CallView(self._heading.name, self._splitter)
        results.setMinimumHeight(_LEAST_RESULT)
        results.result_header.compare.show()
        return results

    def _connect_parts(self) -> None:
        self.header.run_button.clicked.connect(self.run_requested)
        self.header.batch_button.clicked.connect(self.batch_requested)
        self.header.stop_requested.connect(self.stop_requested)
        for key, slot in (
            ("bypass", self.bypass_requested),
            ("copy_name", self._on_copy_name_triggered),
            ("fold", self._on_fold_triggered),
        ):
            self.header.menu_action(key).triggered.connect(slot)
        self.arguments.mode.selected.connect(self._on_mode_selected)
        self.editor.mode_changed.connect(self._on_editor_mode_changed)
        self.editor.submit_requested.connect(self._on_editor_submit_requested)
        self.arguments.example_chosen.connect(self._on_arguments_example_chosen)
        self.arguments.fold_requested.connect(self._on_arguments_fold_requested)
        self.arguments.problems.chosen.connect(self._on_arguments_problem_chosen)
        self.arguments.paste_requested.connect(self._on_arguments_paste_requested)
        self.past.run.clicked.connect(self.run_requested)
        self.past.back.clicked.connect(self.back_requested)
        self.form.natural_height_changed.connect(self._fit_form)
        self._splitter.splitterMoved.connect(self._on_splitter_moved)
        results = self.results
        results.tab_changed.connect(self._apply_fold)
        results.result_header.maximise.toggled.connect(self._on_results_maximise_requested)
        results.result.problem_pressed.connect(self._on_results_problem_pressed)
        results.result_header.compare_past_requested.connect(self._on_compare_past_requested)

    @Slot()
    def _on_editor_submit_requested(self) -> None:
        # The fields know Ctrl+Enter; here it counts as long as it is what runs tools.
        if keymap().keys("tool.run") == COMMANDS["tool.run"].keys:
            self.run_requested.emit()

    def _add_shortcuts(self) -> None:
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for command, slot in (
            ("run", self.run_requested),
            ("bypass", self.bypass_requested),
            ("batch", self.batch_requested),
            ("mode", self._on_mode_shortcut_activated),
            ("examples", self.arguments.examples.showMenu),
            ("save", self.arguments.saved.name_wanted),
            ("paste", self._on_arguments_paste_requested),
            ("next_problem", self._on_next_problem_shortcut_activated),
            ("previous_problem", self._on_previous_problem_shortcut_activated),
            ("find", self._on_find_shortcut_activated),
            ("result", self._on_result_shortcut_activated),
            ("logs", self._on_logs_shortcut_activated),
            ("attachments", self._on_attachments_shortcut_activated),
            ("timing", self._on_timing_shortcut_activated),
            ("wire", self._on_wire_shortcut_activated),
            ("history", self._on_history_shortcut_activated),
            ("schema", self._on_schema_shortcut_activated),
            ("check", self._on_check_shortcut_activated),
        ):
            CommandAction(f"tool.{command}", self, context=context).triggered.connect(slot)

    def focus_arguments(self) -> None:
        """Put the focus into the first field; onto Run when the tool takes no arguments."""
        if not self.editor.focus_first():
            self.header.run_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_schema(
        self, schema: Mapping[str, Any], *, value: Mapping[str, Any] | None = None, project_dir: Path | None = None
    ) -> None:
        """Show the fields of a tool's arguments.

        Args:
            schema: JSON Schema of an object, checked when the tool was declared.
            value: The arguments at first; None takes the schema's defaults.
            project_dir: Where relative paths start; None for the home folder.
        """
        self.set_base(project_dir)
        examples = [example.arguments for example in self._heading.examples]
        self.editor.set_schema(schema, value=value, examples=examples)
        self._fit_form()

    def set_base(self, project_dir: Path | None) -> None:
        """Say where relative paths start; None for the home folder."""
        self.editor.set_base(Path.home() if project_dir is None else project_dir)

    def change_tool(self, heading: ToolHeading, schema: Mapping[str, Any]) -> None:
        """Show another version of the tool; arguments, focus and what came of its calls stay.

        Args:
            schema: JSON Schema of its arguments now.
        """
        if heading.examples != self._heading.examples:
            self.arguments.show_examples(heading.examples)
        self._heading = heading
        self.setAccessibleName(heading.title)
        self.header.show_heading(heading)
        self.editor.change_schema(schema, [example.arguments for example in heading.examples])
        self._fit_form()

    def add_history(self, page: QWidget) -> None:
        """Add the tab that lists the calls of the past."""
        self._history, self._history_tab = page, self.results.add_page(tr("History"), page)
        self.results.result_header.tabs.setTabToolTip(self._history_tab, tr("History (Alt+6)"))
        self._folded_by_tab[self._history_tab] = True

    def add_document(self, text: str, page: QWidget) -> None:
        """Add a tab that says something of the tool itself."""
        tab = self.results.add_page(text, page)
        self._document_tabs[text] = tab
        self._folded_by_tab[tab] = True

    def show_history_count(self, count: str) -> None:
        if self._history_tab >= 0:
            self.results.result_header.tabs.set_count(self._history_tab, count)

    def show_source(self, notice: SourceNotice | None) -> None:
        """Say how the file of the tool stands; None when what is loaded is what it says."""
        self.source.show_notice(notice)
        self._show_banners()
        self.header.show_former(is_former=notice is not None and notice.is_broken)

    def show_guards(self, notice: GuardNotice | None, badge: ToolBadge | None) -> None:
        """Say what holds calls back; None for nothing."""
        self.guards.show_notice(notice)
        self._show_banners()
        self.header.show_state(badge)

    def show_libraries(self, notice: GuardNotice | None) -> None:
        """Say which libraries of the tool are not installed; None for nothing."""
        self.libraries.show_notice(notice)
        self._show_banners()

    def show_project(self, notice: GuardNotice | None) -> None:
        """Say that the tool needs a project folder; None for nothing."""
        self.project.show_notice(notice)
        self._show_banners()

    def reveal_first_error(self) -> None:
        """Open the form at the first argument that is not valid."""
        self._set_folded(folded=False)
        self.editor.reveal_problems()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close what is innermost with Esc: the search, the maximised result; then stop the call."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.results.close_find():
            return
        elif self._maximised:
            self.results.result_header.maximise.setChecked(False)
        elif self.header.stop_button.isEnabled():
            self.stop_requested.emit()
        elif self.past.isVisible():
            self.back_requested.emit()
        else:
            super().keyPressEvent(event)

    def _is_folded(self) -> bool:
        return self._maximised or self._folded_by_tab.get(self.results.current_tab, False)

    def _set_folded(self, *, folded: bool) -> None:
        if not folded and self._maximised:
            self.results.result_header.maximise.setChecked(False)
        self._folded_by_tab[self.results.current_tab] = folded
        self._apply_fold()

    def _apply_fold(self) -> None:
        folded = self._is_folded()
        self.header.setVisible(not self._maximised)
        self._show_banners()
        self.arguments.setVisible(not self._maximised)
        self.arguments.set_folded(folded=folded)
        self.form.setVisible(not folded)
        self._below_row.setVisible(folded and not self._maximised)
        self._fold_line.setVisible(folded and not self._maximised)
        self._fit_form()

    def _show_banners(self) -> None:
        for banner in (self.project, self.libraries, self.source, self.guards):
            banner.setVisible(banner.notice is not None and not self._maximised)

    def set_form_height(self, height: int) -> None:
        """Give the form the height that a person gave it before, in logical pixels, as far as there is room."""
        self._form_height = height
        self._fit_form()

    def _fit_form(self) -> None:
        if not self.form.isVisibleTo(self):
            return
        room = self._splitter.height() - 1
        if self._form_height is not None:
            wanted = min(self._form_height, max(0, room - _LEAST_RESULT))
            self._splitter.setSizes([wanted, max(0, room - wanted)])
            return
        most = max(self.form.minimumHeight(), round(self.height() * _MOST_FORM_SHARE))
        wanted = min(self.form.natural_height, most, max(room // 2, room - _READABLE_RESULT))
        self._splitter.setSizes([wanted, max(0, room - wanted)])

    def _on_copy_name_triggered(self) -> None:
        self.results.put_on_clipboard(self._heading.name)

    def _on_fold_triggered(self) -> None:
        self._set_folded(folded=not self._is_folded())

    def _on_arguments_fold_requested(self, folded: bool) -> None:
        self._set_folded(folded=folded)

    def _on_mode_selected(self, index: int) -> None:
        self.editor.set_mode("json" if index else "form")

    def _on_editor_mode_changed(self, mode: str) -> None:
        self.arguments.mode.select(0 if mode == "form" else 1)

    def _on_arguments_example_chosen(self, number: int) -> None:
        self.example_chosen.emit(self._heading.examples[number].arguments)

    def _on_arguments_problem_chosen(self, path: tuple[str | int, ...]) -> None:
        self._set_folded(folded=False)
        self.editor.reveal_problem(path)

    def _on_arguments_paste_requested(self) -> None:
        problem = self.editor.paste()
        if problem:
            self.notice.show_text(problem)

    def _on_next_problem_shortcut_activated(self) -> None:
        self._set_folded(folded=False)
        self.editor.step_problem(1)

    def _on_previous_problem_shortcut_activated(self) -> None:
        self._set_folded(folded=False)
        self.editor.step_problem(-1)

    def _on_mode_shortcut_activated(self) -> None:
        self._set_folded(folded=False)
        self.arguments.mode.select(1 - self.arguments.mode.index)

    def _on_splitter_moved(self) -> None:
        self._form_height = self._splitter.sizes()[0]
        self.form_resized.emit(self._form_height)

    def _on_splitter_was_reset(self) -> None:
        self._form_height = None
        self._fit_form()

    def _on_results_maximise_requested(self, maximise: bool) -> None:
        self._maximised = maximise
        self._apply_fold()

    def _on_results_problem_pressed(self, path: str) -> None:
        self._set_folded(folded=False)
        self.editor.focus_field(argument_path(path))

    def _on_find_shortcut_activated(self) -> None:
        if self._history is not None and self.results.current_tab == self._history_tab:
            self._history.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.results.open_find()

    def _on_compare_past_requested(self) -> None:
        self._on_history_shortcut_activated()
        self.notice.show_text(tr("Choose two calls, the second one with Ctrl, then Compare."))

    def _on_history_shortcut_activated(self) -> None:
        if self._history_tab >= 0:
            self.results.show_tab(self._history_tab)

    def _on_wire_shortcut_activated(self) -> None:
        self._show_document(tr("Wire"))

    def _on_schema_shortcut_activated(self) -> None:
        self._show_document(tr("Schema"))

    def _on_check_shortcut_activated(self) -> None:
        self._show_document(tr("Check"))

    def _show_document(self, text: str) -> None:
        if text in self._document_tabs:
            self.results.show_tab(self._document_tabs[text])

    def _on_result_shortcut_activated(self) -> None:
        self.results.show_tab(RESULT_TAB)

    def _on_logs_shortcut_activated(self) -> None:
        self.results.show_tab(LOGS_TAB)

    def _on_attachments_shortcut_activated(self) -> None:
        self.results.show_tab(ATTACHMENTS_TAB)

    def _on_timing_shortcut_activated(self) -> None:
        self.results.show_tab(TIMING_TAB)
