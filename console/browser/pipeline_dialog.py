"""Make a pipeline of past calls: its steps, where each argument comes from, its name and file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLineEdit, QScrollArea, QWidget

from console.language import tr
from console.schema_form.choice_editors import ChoiceBox
from console.widgets import (
    Button,
    ElidedLabel,
    IconButton,
    SegmentedControl,
    TextLabel,
    WindowDialog,
    ask_folder,
    hbox,
    set_margins,
    set_surface,
    vbox,
)
from tools.discovery.pipeline_drafts import EarlierResult, Own, PipelineDraft, StepArgument, StepDraft
from tools.paths import at_home
from tools.sentences import begin_sentence
from tools.spec import MISSING, PipelineErrorStrategy

_WIDTH: Final = 680
_LONGEST: Final = 48
_NAMES: Final = 150
_STRATEGIES: Final = (PipelineErrorStrategy.FAIL_FAST, PipelineErrorStrategy.CONTINUE_ON_FAILURE)
_STRATEGY_WORDS: Final = (tr("Stop there"), tr("Go on with its message"))


class PipelineDialog(WindowDialog):
    """Let a person make a pipeline of past calls.

    Args:
        folder: Where its file is put at first.
        name_problem: Says why a tool cannot have a name; empty when it can.

    Signals:
        create_requested(PipelineDraft, Path, bool): Write this pipeline into this folder, and open the file in the
            editor or not.
    """

    create_requested = Signal(object, object, bool)

    def __init__(self, draft: PipelineDraft, folder: Path, name_problem: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(tr("Make a pipeline"), parent)
        self._draft = draft
        self._name_problem = name_problem
        self.setObjectName("pipelineDialog")
        self.setMinimumWidth(_WIDTH)
        self.name = QLineEdit(draft.name)
        self.name.setAccessibleName(tr("Name"))
        self.name.setPlaceholderText("find_then_read")
        self.name.setMaxLength(80)
        self.description = QLineEdit()
        self.description.setAccessibleName(tr("Description"))
        self.description.setPlaceholderText(tr("What it does, as a model reads it"))
        self.strategy = SegmentedControl(_STRATEGY_WORDS, tr("When a step fails"))
        self.strategy.select(_STRATEGIES.index(draft.error_strategy))
        self.folder = QLineEdit(str(folder))
        self.folder.setAccessibleName(tr("Folder"))
        self.opens = QCheckBox(tr("Open the file in my editor"))
        self.make = Button(tr("Make pipeline"), kind="primary", large=True)
        self.make.setDefault(True)
        self._place = TextLabel("", "small", "text3", wrap=True)
        self._problem = TextLabel("", "small", "error", wrap=True)
        self._steps = QScrollArea()
        self._steps.setWidgetResizable(True)
        self._steps.setFrameShape(QFrame.Shape.NoFrame)
        self._steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._steps.setAccessibleName(tr("Steps"))
        self._steps.setMinimumHeight(160)
        self._lay_out()
        self._show_steps()
        self.name.textChanged.connect(self._on_text_changed)
        self.folder.textChanged.connect(self._on_text_changed)
        self.make.clicked.connect(self._on_make_clicked)
        self._on_text_changed()
        height = parent.window().height()
        self.resize(_WIDTH, max(480, min(760, height - 64)))
        self.name.setFocus()
        self.name.selectAll()

    def _lay_out(self) -> None:
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("Make a pipeline"), "title"))
        hint = tr(
            "One tool that makes these calls again, in this order. Each step is a call of its own, with its own rules."
        )
        column.addWidget(TextLabel(hint, "small", "text2", wrap=True))
        column.addSpacing(4)
        words = QGridLayout()
        words.setHorizontalSpacing(12)
        words.setVerticalSpacing(8)
        words.addWidget(TextLabel(tr("Name"), "heading"), 0, 0)
        words.addWidget(self.name, 0, 1)
        words.addWidget(TextLabel(tr("Description"), "heading"), 1, 0)
        words.addWidget(self.description, 1, 1)
        column.addLayout(words)
        column.addSpacing(4)
        column.addWidget(TextLabel(tr("Steps"), "heading"))
        column.addWidget(self._steps, 1)
        failing = hbox(spacing=12)
        failing.addWidget(TextLabel(tr("When a step fails"), "heading"))
        failing.addWidget(self.strategy)
        failing.addStretch(1)
        column.addLayout(failing)
        place = hbox(spacing=8)
        browse = Button(tr("Browse…"), icon="folder-open")
        browse.clicked.connect(self._on_browse_clicked)
        place.addWidget(TextLabel(tr("Folder"), "heading"))
        place.addSpacing(4)
        place.addWidget(self.folder, 1)
        place.addWidget(browse)
        column.addLayout(place)
        column.addWidget(self._place)
        column.addWidget(self._problem)
        column.addSpacing(4)
        ends = self.make_ends(self.make, before=[self.opens])
        ends.setSpacing(8)
        column.addLayout(ends)

    @property
    def draft(self) -> PipelineDraft:
        return replace(
            self._draft,
            name=self.name.text(),
            description=self.description.text().strip(),
            error_strategy=_STRATEGIES[self.strategy.index],
        )

    @property
    def problem(self) -> str:
        """Give what is wrong with what stands here; empty when nothing is."""
        return self._problem.text()

    def show_problem(self, problem: str) -> None:
        """Say why the pipeline cannot be made; empty for nothing."""
        self._problem.setText(begin_sentence(problem))
        self._problem.setVisible(bool(problem))
        self.make.setEnabled(not problem and bool(self.name.text()))

    def _show_steps(self) -> None:
        inside = QWidget()
        set_surface(inside, "raised")
        column = vbox(inside, margins=(0, 4, 8, 4), spacing=16)
        for place, step in enumerate(self._draft.steps):
            block = _StepBlock(place, step, inside)
            block.origin_chosen.connect(self._on_block_origin_chosen)
            block.removed.connect(self._on_block_removed)
            column.addWidget(block)
        column.addStretch(1)
        self._steps.setWidget(inside)

    @Slot()
    def _on_text_changed(self) -> None:
        name, folder = self.name.text(), self.folder.text().strip()
        problem = self.draft.problem if name or not self._draft.steps else ""
        if not problem and name:
            problem = self._name_problem(name)
        if not problem and not folder:
            problem = tr("a folder is needed, such as the project folder")
        path = at_home(folder) / f"{name or 'name'}.py"
        self._place.setText(tr("Makes {path}", path=path) if name and not problem else "")
        self._place.setVisible(bool(self._place.text()))
        self.show_problem(problem)

    @Slot(int, str, object)
    def _on_block_origin_chosen(self, place: int, argument: str, origin: object) -> None:
        if isinstance(origin, Own | EarlierResult):
            self._draft = self._draft.with_origin(place, argument, origin)

    @Slot(int)
    def _on_block_removed(self, place: int) -> None:
        self._draft = self._draft.without(place)
        self._show_steps()
        self._on_text_changed()

    @Slot()
    def _on_make_clicked(self) -> None:
        folder = at_home(self.folder.text().strip())
        self.create_requested.emit(self.draft, folder, self.opens.isChecked())

    @Slot()
    def _on_browse_clicked(self) -> None:
        ask_folder(self, tr("Choose the folder of the pipeline"), self.folder.text(), self.folder.setText)


class _StepBlock(QWidget):
    """One step: its tool, what a person should know of it, and where each argument comes from.

    Signals:
        origin_chosen(int, str, Own | EarlierResult): The argument of this step comes from there now.
        removed(int): The step is to be left out.
    """

    origin_chosen = Signal(int, str, object)
    removed = Signal(int)

    def __init__(self, place: int, step: StepDraft, parent: QWidget) -> None:
        super().__init__(parent)
        self._step_place = place
        self._arguments = step.arguments
        self._boxes: list[ChoiceBox] = []
        column = vbox(self, spacing=6)
        head = hbox(spacing=8)
        head.addWidget(TextLabel(f"{place + 1}", "heading", "text3"))
        head.addWidget(ElidedLabel(step.tool, "heading"), 1)
        leave = IconButton("x", tr("Leave out step {number}", number=place + 1))
        leave.clicked.connect(self._on_leave_clicked)
        head.addWidget(leave)
        column.addLayout(head)
        if step.problem or step.note:
            text = begin_sentence(step.problem) if step.problem else step.note
            said = TextLabel(text, "small", "error" if step.problem else "text2", wrap=True)
            set_margins(said, 18, 0, 0, 0)
            column.addWidget(said)
        elif not step.arguments:
            said = TextLabel(tr("It takes no arguments."), "small", "text3")
            set_margins(said, 18, 0, 0, 0)
            column.addWidget(said)
        grid = QGridLayout()
        set_margins(grid, 18, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, _NAMES)
        grid.setColumnStretch(1, 1)
        for row, argument in enumerate(step.arguments):
            label = ElidedLabel(argument.name, "code", "text2")
            label.setFixedWidth(_NAMES)
            grid.addWidget(label, row, 0)
            grid.addWidget(self._make_box(argument), row, 1)
        column.addLayout(grid)

    def _make_box(self, argument: StepArgument) -> ChoiceBox:
        box = ChoiceBox()
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setAccessibleName(tr("{name} of step {number}", name=argument.name, number=self._step_place + 1))
        if argument.value is not MISSING and not argument.is_secret:
            box.addItem(tr("As it was: {value}", value=_short(argument.value)), Own.FIXED)
        box.addItem(tr("Asked for, and hidden") if argument.is_secret else tr("Asked for in each run"), Own.ASKED)
        for offer in argument.offers:
            box.addItem(_words(offer), offer)
        origins = [box.itemData(index) for index in range(box.count())]
        box.setCurrentIndex(origins.index(argument.origin) if argument.origin in origins else 0)
        box.activated.connect(self._on_box_activated)
        self._boxes.append(box)
        return box

    @Slot(int)
    def _on_box_activated(self, _index: int) -> None:
        for argument, box in zip(self._arguments, self._boxes, strict=True):
            if box is self.sender():
                self.origin_chosen.emit(self._step_place, argument.name, box.currentData())

    @Slot()
    def _on_leave_clicked(self) -> None:
        self.removed.emit(self._step_place)


def _words(offer: EarlierResult) -> str:
    if offer.path == "output":
        return tr("Text of step {number}", number=offer.step + 1)
    inner = offer.path.removeprefix("result").removeprefix(".")
    return tr("Result of step {number}", number=offer.step + 1) + (f": {inner}" if inner else "")


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
