"""The Check tab: what a check of the tool will do, how far it is, and what it found."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from console.check.rows import DEFAULT, NOT_CHECKED, CheckPlan, CheckState, FaultRow
from console.language import tr
from console.widgets import (
    Badge,
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    PanelHeader,
    SpinBox,
    StatusGlyph,
    Switch,
    TextLabel,
    ThinSplitter,
    ask_folder,
    ask_save_path,
    lead_focus,
    set_margins,
    set_surface,
)

_PLAN_SHARE: Final = 0.34
_LEAST_PLAN: Final = 220
_NUMBER_WIDTH: Final = 72
_MOST_CALLS: Final = 1_000
_MOST_SECONDS: Final = 600
_MOST_SEED: Final = 999_999


class _FindingEntry(QFrame):
    """Show one finding, with what can be done with its arguments.

    Signals:
        fill_requested(FaultRow): Put its arguments into the form.
        copy_requested(FaultRow): Copy them.
    """

    fill_requested = Signal(object)
    copy_requested = Signal(object)

    def __init__(self, row: FaultRow, parent: QWidget) -> None:
        super().__init__(parent)
        self._row = row
        self.setAccessibleName(f"{row.word}: {row.message}")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(Badge(row.word, tone=row.tone))
        head.addWidget(TextLabel(row.fault, "heading", "text"))
        head.addStretch(1)
        column.addLayout(head)
        column.addWidget(TextLabel(row.message, "body", "text", wrap=True, selectable=True))
        column.addWidget(TextLabel(row.fix, "body", "text2", wrap=True, selectable=True))
        if row.arguments:
            column.addLayout(self._make_arguments())

    def _make_arguments(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        arguments = ElidedLabel(self._row.arguments, "code", "text2")
        arguments.setToolTip(self._row.shown)
        arguments.setAccessibleName(tr("Smallest arguments: {shown}", shown=self._row.shown))
        fill = Button(tr("Fill the form"), icon="file-input", kind="ghost")
        fill.setToolTip(tr("Put these arguments into the form, to run the tool with them"))
        copy = Button(tr("Copy"), icon="copy", kind="ghost")
        copy.setToolTip(tr("Copy these arguments as JSON"))
        fill.setAccessibleName(tr("Fill the form with the arguments of: {fault}", fault=self._row.fault))
        copy.setAccessibleName(tr("Copy the arguments of: {fault}", fault=self._row.fault))
        line.addWidget(arguments, 1)
        line.addWidget(fill)
        line.addWidget(copy)
        fill.clicked.connect(self._on_fill_clicked)
        copy.clicked.connect(self._on_copy_clicked)
        return line

    def _on_fill_clicked(self) -> None:
        self.fill_requested.emit(self._row)

    def _on_copy_clicked(self) -> None:
        self.copy_requested.emit(self._row)


class CheckView(QWidget):
    """Show the check of one tool.

    Signals:
        start_requested: Begin.
        stop_requested: End what runs.
        options_changed: Something else of what a check is to do was chosen.
        folder_chosen(str): This folder was chosen for a tool that changes things.
        fill_requested(object): Put these arguments into the form.
        save_chosen(str): Write what was found into this file for pytest.
        noticed(str): A sentence about what was done.
    """

    start_requested = Signal()
    stop_requested = Signal()
    options_changed = Signal()
    folder_chosen = Signal(str)
    fill_requested = Signal(object)
    save_chosen = Signal(str)
    noticed = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._rows: tuple[FaultRow, ...] = ()
        self._obstacle = ""
        self._is_running = False
        self.setAccessibleName(tr("Check of {name}", name=name))
        self.calls = _number(tr("Most calls"), DEFAULT.calls, 1, _MOST_CALLS)
        self.seconds = _number(tr("Most seconds"), round(DEFAULT.within_s), 1, _MOST_SECONDS)
        self.seconds.setSuffix(" s")
        self.seed = _number(tr("Seed"), DEFAULT.seed, 0, _MOST_SEED)
        self.seed.setToolTip(tr("What arguments are drawn by; the same seed gives the same arguments"))
        self.start = Button(tr("Start check"), icon="flask-conical", kind="soft")
        self.stop = Button(tr("Stop"), icon="square", kind="normal")
        self.stop.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_bar())
        parts = ThinSplitter(Qt.Orientation.Horizontal, self)
        parts.addWidget(self._make_plan())
        parts.addWidget(self._make_findings())
        parts.setStretchFactor(0, 1)
        parts.setStretchFactor(1, 2)
        parts.setSizes([round(1000 * _PLAN_SHARE), round(1000 * (1 - _PLAN_SHARE))])
        column.addWidget(parts, 1)
        lead_focus(self, self.start)
        self._connect_parts()
        self.show_state(NOT_CHECKED)

    def _make_bar(self) -> BarFrame:
        bar = BarFrame(44, surface="surface", edge="bottom", margins=(20, 20), spacing=8)
        for text, field in ((tr("Calls"), self.calls), (tr("Time"), self.seconds), (tr("Seed"), self.seed)):
            bar.row.addWidget(TextLabel(text, "body", "text2"))
            bar.row.addWidget(field)
            bar.row.addSpacing(8)
        bar.row.addStretch(1)
        bar.row.addWidget(self.start)
        bar.row.addWidget(self.stop)
        return bar

    def _make_plan(self) -> QWidget:
        inside = QWidget()
        set_surface(inside, "surface")
        column = QVBoxLayout(inside)
        set_margins(column, 20, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(TextLabel(tr("What it will do"), "heading"))
        self.sentences = TextLabel("", "body", "text2", wrap=True, selectable=True)
        column.addWidget(self.sentences)
        self.folder = TextLabel("", "code", "text", wrap=True, selectable=True)
        column.addWidget(self.folder)
        self.choose = Button(tr("Choose folder…"), icon="folder-open")
        self.choose.setToolTip(tr("An empty folder, in which the tool may change and remove what it likes"))
        column.addWidget(self.choose)
        self.outside = Switch(tr("Let generated arguments leave this computer"))
        self._outside = QWidget()
        row = QHBoxLayout(self._outside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.outside, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(TextLabel(tr("Let generated arguments leave this computer"), "body", "text2", wrap=True), 1)
        column.addWidget(self._outside)
        self.obstacle = TextLabel("", "body", "warn", wrap=True, selectable=True)
        column.addWidget(self.obstacle)
        column.addStretch(1)
        area = _scrolled(inside, tr("What the check will do"))
        area.setMinimumWidth(_LEAST_PLAN)
        for part in (self.folder, self.choose, self._outside, self.obstacle):
            part.hide()
        return area

    def _make_findings(self) -> QWidget:
        panel = QWidget(self)
        set_surface(panel, "panel")
        column = QVBoxLayout(panel)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = PanelHeader(tr("Findings"), edge="bottom")
        self.glyph = StatusGlyph("unknown", 14)
        self.headline = ElidedLabel("", "small", "text2")
        head.row.insertWidget(1, self.glyph)
        head.row.insertWidget(2, self.headline, 1)
        # What stands between the headline and the button is the headline's.
        head.row.setStretch(3, 0)
        self.save = Button(tr("Save for pytest…"), icon="save", kind="ghost")
        self.save.setToolTip(tr("Save a file for pytest, with a test of each call that shows a fault"))
        head.add_button(self.save)
        self._list = _scrolled(QWidget(), tr("Findings of the check"))
        self._state = EmptyState("flask-conical", "", "")
        self._pages = QStackedWidget(panel)
        self._pages.addWidget(self._state)
        self._pages.addWidget(self._list)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        return panel

    def _connect_parts(self) -> None:
        self.start.clicked.connect(self.start_requested)
        self.stop.clicked.connect(self.stop_requested)
        self.choose.clicked.connect(self._on_choose_clicked)
        self.save.clicked.connect(self._on_save_clicked)
        self.outside.toggled.connect(self.options_changed)
        for field in (self.calls, self.seconds, self.seed):
            field.valueChanged.connect(self.options_changed)

    @property
    def entries(self) -> list[_FindingEntry]:
        return self._list.findChildren(_FindingEntry)

    def show_plan(self, plan: CheckPlan) -> None:
        self._obstacle = plan.obstacle
        self.sentences.setText("\n\n".join(plan.sentences))
        self.folder.setText(plan.folder)
        self.folder.setVisible(bool(plan.folder))
        self.choose.setText(tr("Choose another folder…") if plan.folder else tr("Choose folder…"))
        self.choose.updateGeometry()
        self.choose.setVisible(plan.wants_folder)
        self._outside.setVisible(plan.asks_outside)
        self.obstacle.setText(plan.obstacle)
        self.obstacle.setVisible(bool(plan.obstacle))
        self._show_buttons()

    def show_running(self, *, is_running: bool) -> None:
        """Let what runs be stopped, or the next check be begun; the focus stays with the button."""
        had_focus = self.start.hasFocus() or self.stop.hasFocus()
        self._is_running = is_running
        self.start.setVisible(not is_running)
        self.stop.setVisible(is_running)
        self.stop.setEnabled(is_running)
        for field in (self.calls, self.seconds, self.seed, self.choose, self.outside):
            field.setEnabled(not is_running)
        self._show_buttons()
        lead_focus(self, self.stop if is_running else self.start)
        if had_focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_stopping(self) -> None:
        self.stop.setEnabled(False)

    def show_state(self, state: CheckState) -> None:
        self.glyph.set_status(state.status)
        self.glyph.setVisible(bool(state.headline))
        self.headline.set_text(state.headline)
        self.save.setVisible(state.can_save)
        self._state.show_text(state.fact, state.sentence)
        if state.rows != self._rows:
            self._rows = state.rows
            self._show_rows()
        self._pages.setCurrentWidget(self._list if state.rows else self._state)

    def _show_rows(self) -> None:
        place = self._list.verticalScrollBar().value()
        inside = QWidget()
        set_surface(inside, "panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(16)
        for row in self._rows:
            entry = _FindingEntry(row, inside)
            entry.fill_requested.connect(self._on_entry_fill_requested)
            entry.copy_requested.connect(self._on_entry_copy_requested)
            column.addWidget(entry)
        column.addStretch(1)
        self._list.setWidget(inside)
        self._list.verticalScrollBar().setValue(place)

    def _show_buttons(self) -> None:
        self.start.setEnabled(not self._obstacle)
        self.start.setToolTip(self._obstacle or tr("Call the tool with generated arguments, as is said below"))

    def _on_choose_clicked(self) -> None:
        ask_folder(self, tr("Choose an empty folder for the check"), "", self.folder_chosen)

    def _on_save_clicked(self) -> None:
        letters = "".join(letter if letter.isalnum() else "_" for letter in self._name)
        title, kind = tr("Save the findings as a file for pytest"), tr("Python files (*.py)")
        ask_save_path(self, title, f"test_{letters}_check.py", self.save_chosen, [kind])

    def _on_entry_fill_requested(self, row: FaultRow) -> None:
        self.fill_requested.emit(dict(row.given))

    def _on_entry_copy_requested(self, row: FaultRow) -> None:
        QGuiApplication.clipboard().setText(row.arguments)
        self.noticed.emit(tr("The arguments are on the clipboard."))


def _number(name: str, value: int, least: int, most: int) -> SpinBox:
    field = SpinBox()
    field.setRange(least, most)
    field.setValue(value)
    field.setFixedWidth(_NUMBER_WIDTH)
    field.setAccessibleName(name)
    return field


def _scrolled(inside: QWidget, name: str) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(name)
    area.setWidget(inside)
    return area
