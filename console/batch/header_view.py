"""The head of the Batch page: which plan, how its run stands, what can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from console.batch.rows import Abilities, Phase, RunAction
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import (
    STATUS,
    BarFrame,
    Button,
    CompactingRow,
    Divider,
    ElidedLabel,
    Menu,
    StatusName,
    TextLabel,
    TurningWidget,
    format_count,
    paint_box,
    paint_status,
    paint_text,
    spinner_clock,
)

EXPORTS: Final = (
    ("json", tr("Result as JSON…"), tr("JSON (*.json)"), "result.json"),
    ("csv", tr("Steps as CSV…"), tr("Table (*.csv)"), "steps.csv"),
    ("junit", tr("Report as JUnit…"), tr("JUnit XML (*.xml)"), "report.xml"),
    ("dot", tr("Graph as DOT…"), tr("Graphviz (*.dot)"), "graph.dot"),
)
"""What can be written: key, words, name filter of the dialog, and the name that is proposed."""

_HEIGHT: Final = 52
_CRAMPED: Final = 1080
"""Below this width what the run is made of is left out."""

_OPEN, _NEW, _SAVE, _SAVE_AS = "open", "new", "save", "save as"


class PhaseBadge(TurningWidget):
    """Say how a run stands, with its sign: a ring while it runs."""

    _LOOKS: Final = MappingProxyType(
        {
            Phase.READY: ("queued", tr("Ready")),
            Phase.STARTING: ("running", tr("Starting")),
            Phase.LOOKING: ("running", tr("Looking ahead")),
            Phase.ASKING: ("waiting", STATUS["waiting"].word),
            Phase.RUNNING: ("running", tr("Running")),
            Phase.PAUSED: ("paused", tr("Paused")),
            Phase.OVER: ("success", tr("Done")),
            Phase.CANCELLED: ("cancelled", tr("Cancelled")),
            Phase.INTERRUPTED: ("warning", tr("Interrupted")),
        }
    )

    def __init__(self) -> None:
        super().__init__()
        self._status: StatusName = "queued"
        self.text = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_phase(Phase.READY)

    def show_phase(self, phase: Phase, *, failed: int = 0, unsure: int = 0, is_wrong: bool = False) -> None:
        """Say how a run stands.

        Args:
            failed: How many steps failed.
            unsure: How many steps may have run.
            is_wrong: Whether something in the plan keeps it from running.
        """
        before = self._status, self.text
        self._status, self.text = self._LOOKS[phase]  # type: ignore[assignment]
        if phase is Phase.READY and is_wrong:
            self._status, self.text = "rejected", tr("Cannot run")
        elif phase is Phase.OVER and failed:
            self._status, self.text = "failed", tr("Failed")
        elif phase is Phase.OVER and unsure:
            self._status, self.text = "warning", tr("{count} may have run", count=format_count(unsure))
        self.follow_clock()
        if (self._status, self.text) != before:
            self.setAccessibleName(tr("State: {text}", text=self.text))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(theme_of(self).font("caption")).horizontalAdvance(self.text) + 34, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        tone = theme.tone(STATUS[self._status].tone)
        paint_box(painter, self.rect(), theme.radius.small, fill=tone.soft)
        paint_status(painter, QRect(7, 3, 14, 14), self._status, theme, turn=spinner_clock().turn)
        words = QRect(26, 0, self.width() - 26, self.height())
        paint_text(painter, words, self.text, theme.font("caption"), tone.text, elide=Qt.TextElideMode.ElideNone)

    def is_turning(self) -> bool:
        return self._status == "running"


class BatchHeader(BarFrame):
    """Let a person choose a plan, run it, and stop it.

    Signals:
        file_requested(str): `open`, `new`, `save` or `save as`.
        action_requested(str): This is asked of the run, a value of `RunAction`.
        export_requested(str): Write this to a file, one of the keys of `EXPORTS`.
    """

    plan_chosen = Signal(str)
    file_requested = Signal(str)
    run_requested = Signal()
    action_requested = Signal(str)
    export_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__(_HEIGHT, surface="surface", edge="bottom", margins=(20, 20), spacing=8)
        self.setMinimumWidth(560)
        self.plan = Button(tr("No plan"), icon="file-text", chevron=True)
        self.plan.setAccessibleName(tr("Plan"))
        self._plans = Menu(tr("Plan"), self.plan)
        self.plan.setMenu(self._plans)
        self.badge = PhaseBadge()
        self.words = ElidedLabel("", "small", "text2")
        self.run = Button(tr("Run"), icon="play", kind="primary")
        self.pause = Button(tr("Pause"), icon="pause")
        self.resume = Button(tr("Resume"), icon="step-forward")
        self.cancel = Button(tr("Cancel"), icon="square")
        self.retry = Button(tr("Retry failed"), icon="refresh-cw")
        self.export = Button(tr("Export"), icon="download")
        self.export.setMenu(self._make_exports())
        self._recent: tuple[Path, ...] = ()
        self._is_vital = False
        self._can: Abilities | None = None
        self._named: tuple[str, bool] | None = None
        self._has_plan = False
        self._build()
        self._plans.aboutToShow.connect(self._on_plans_about_to_show)
        self._plans.triggered.connect(self._on_plans_triggered)
        self.run.clicked.connect(self.run_requested)
        for button, action in (
            (self.pause, RunAction.PAUSE),
            (self.resume, RunAction.RESUME),
            (self.cancel, RunAction.CANCEL),
            (self.retry, RunAction.RETRY_FAILED),
        ):
            button.setProperty("asks", action.value)
            button.clicked.connect(self._on_action_clicked)
        self.show_abilities(Abilities())

    def _build(self) -> None:
        self.row.addWidget(TextLabel(tr("Batch"), "title"))
        self.row.addSpacing(8)
        self.row.addWidget(self.plan)
        self.row.addWidget(self.badge)
        self.row.addWidget(self.words, 1)
        controls = (self.run, self.pause, self.resume, self.cancel, self.retry)
        for button in controls:
            self.row.addWidget(button)
        self.row.addSpacing(4)
        self.row.addWidget(Divider(Qt.Orientation.Vertical, length=20))
        self.row.addSpacing(4)
        self.row.addWidget(self.export)
        CompactingRow(self, (self.export, *reversed(controls)))

    def _make_exports(self) -> Menu:
        menu = Menu(tr("Export"), self.export)
        for key, words, _, _ in EXPORTS:
            menu.addAction(words).setData(key)
        menu.triggered.connect(self._on_exports_triggered)
        return menu

    def show_plan(self, name: str, *, is_dirty: bool = False) -> None:
        """Say which plan is on the page; an empty name for none."""
        if self._named == (name, is_dirty):
            return
        self._named = name, is_dirty
        self._has_plan = bool(name)
        self.plan.setText((name or tr("No plan")).replace("&", "&&") + (" •" if is_dirty else ""))
        said = tr("Plan: {name}, not saved") if is_dirty else tr("Plan: {name}")
        self.plan.setAccessibleName(said.format(name=name or tr("none", "plan")))
        self.badge.setVisible(bool(name))
        self.plan.updateGeometry()

    def show_recent(self, plans: Sequence[Path]) -> None:
        """Offer the plans that were opened last, the latest first."""
        self._recent = tuple(plans)

    def show_words(self, words: str, *, is_vital: bool = False) -> None:
        """Say what the run is made of.

        Args:
            is_vital: Whether they stand there also where there is little room.
        """
        self.words.set_text(words)
        self._is_vital = is_vital
        self.words.setVisible(is_vital or self.width() >= _CRAMPED)

    def show_abilities(self, can: Abilities) -> None:
        if can == self._can:
            return  # each change of a run tells it again, and to lay the page out costs more than all the rest
        self._can = can
        for button, enabled in (
            (self.run, can.run),
            (self.pause, can.pause),
            (self.resume, can.resume),
            (self.cancel, can.cancel),
            (self.retry, bool(can.failed)),
            (self.export, can.export),
        ):
            button.setEnabled(enabled)
        is_first = can.run and not can.failed and not can.unsure and not can.resume
        self.run.set_kind("primary" if is_first else "normal")
        self.resume.set_kind("soft" if can.resume else "normal")
        self.retry.set_kind("soft" if can.failed else "normal")
        self.retry.setText(
            tr("Retry failed ({count})", count=format_count(can.failed)) if can.failed else tr("Retry failed")
        )
        self.run.setToolTip(can.why or (tr("Run") if self.run.is_compact else ""))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what the run is made of where there is no room for it."""
        super().resizeEvent(event)
        self.words.setVisible(self._is_vital or self.width() >= _CRAMPED)

    def _on_plans_about_to_show(self) -> None:
        self._plans.clear()
        for path in self._recent:
            action = self._plans.addAction(path.stem.replace("&", "&&"))
            action.setData(str(path))
            action.setToolTip(str(path))
        if self._recent:
            self._plans.addSeparator()
        for key, words in (
            (_OPEN, tr("Open plan…")),
            (_NEW, tr("New plan")),
            (_SAVE, tr("Save")),
            (_SAVE_AS, tr("Save as…")),
        ):
            action = self._plans.addAction(words)
            action.setProperty("file", key)
            action.setEnabled(self._has_plan or key in {_OPEN, _NEW})

    def _on_plans_triggered(self, action: QAction) -> None:
        key = action.property("file")
        if key:
            self.file_requested.emit(key)
        else:
            self.plan_chosen.emit(action.data())

    def _on_action_clicked(self) -> None:
        self.action_requested.emit(self.sender().property("asks"))

    def _on_exports_triggered(self, action: QAction) -> None:
        self.export_requested.emit(action.data())
