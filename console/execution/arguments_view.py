"""The arguments of the page: the row above the form, the form itself, and the one line they fold into."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.execution.rows import ExampleChoice
from console.schema_form import ArgumentsEditor, Validity
from console.theme import theme_of
from console.widgets import Button, IconLabel, Menu, SegmentedControl, TextLabel, paint_text

__all__ = ["ArgumentsRow", "FormArea"]

_COPIES: Final = (("python", "Python"), ("command", "Command line"), ("json", "JSON"))
_LEAST_FORM: Final = 60
_FORM_MARGIN: Final = 16


class _FoldedRow(QAbstractButton):
    """The arguments on one line; pressing it opens the form again."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._summary = ""
        self.setFixedHeight(28)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Show the arguments")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_summary(self, summary: str) -> None:
        self._summary = summary
        self.setAccessibleDescription(summary)
        self.setToolTip(summary)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        paint_icon(painter, QRect(0, 7, 14, 14), "chevron-right", theme.color.text2, theme)
        heading = theme.font("heading")
        width = QFontMetrics(heading).horizontalAdvance("Arguments")
        paint_text(painter, QRect(22, 0, width + 1, self.height()), "Arguments", heading, theme.color.text)
        left = 22 + width + 8
        rest = QRect(left, 0, self.width() - left, self.height())
        paint_text(painter, rest, self._summary, theme.font("code"), theme.color.text2)


class _Heading(TextLabel):
    """The word Arguments; a click folds the form."""

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()


class _ValidityLabel(IconLabel):
    """How many arguments are valid; a click goes to the first that is not."""

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()


class ArgumentsRow(QWidget):
    """Offer Form or JSON, examples, Reset and copies, and say how many arguments are valid.

    Args:
        examples: Arguments to start from.
        parent: Its owner.

    Signals:
        form_chosen(bool): The form (True) or the JSON text was chosen.
        example_chosen(int): An example was chosen, by its place.
        reset_requested: Reset was pressed.
        copy_requested(str): A copy was asked for: `python`, `command` or `json`.
        fold_requested(bool): The arguments are to be folded (True) or opened.
        first_error_requested: The count of valid arguments was pressed.
    """

    form_chosen = Signal(bool)
    example_chosen = Signal(int)
    reset_requested = Signal()
    copy_requested = Signal(str)
    fold_requested = Signal(bool)
    first_error_requested = Signal()

    def __init__(self, examples: tuple[ExampleChoice, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(28)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 20, 0)
        row.setSpacing(8)
        self._folded = _FoldedRow(self)
        self._folded.clicked.connect(self._on_folded_clicked)
        self._heading = _Heading("Arguments", "heading")
        self._heading.setToolTip("Fold the arguments")
        self._heading.pressed.connect(self._on_heading_pressed)
        self.mode = SegmentedControl(("Form", "JSON"), "Edit the arguments as")
        self.mode.setToolTip("Form or JSON (Ctrl+Shift+J)")
        self.mode.selected.connect(self._on_mode_selected)
        self.examples = Button("Examples", icon="book-open", chevron=True)
        self.examples.setMenu(self._examples_menu(examples))
        self.examples.setEnabled(bool(examples))
        self.examples.setToolTip("Fill the form with an example" if examples else "This tool has no examples")
        self.reset = Button("Reset", kind="ghost", icon="rotate-ccw")
        self.reset.setToolTip("Put the defaults in place of all arguments")
        self.reset.clicked.connect(self.reset_requested)
        self._validity = _ValidityLabel("circle-check", "", icon_tone="ok")
        self._validity.pressed.connect(self.first_error_requested)
        self._copy = Button("Copy as", kind="ghost", icon="copy", chevron=True)
        self._copy.setMenu(self._copy_menu())
        self._open_parts = (self._heading, self.mode, self.examples, self.reset)
        row.addWidget(self._folded, 100)
        row.addWidget(self._heading)
        row.addSpacing(4)
        row.addWidget(self.mode)
        row.addSpacing(4)
        row.addWidget(self.examples)
        row.addWidget(self.reset)
        row.addStretch(1)
        row.addWidget(self._validity)
        row.addSpacing(4)
        row.addWidget(self._copy)
        self._folded.hide()

    def show_validity(self, validity: Validity) -> None:
        """Say how many arguments are valid.

        Args:
            validity: The count.
        """
        words = f"{validity.fitting} of {validity.total} valid" if validity.total else "No arguments"
        if not validity.valid and validity.fitting == validity.total:
            words = "Not valid"
        icon, tone = ("circle-check", "ok") if validity.valid else ("circle-alert", "error")
        self._validity.show_state(icon, words, "text2", tone)  # type: ignore[arg-type]
        self._validity.setToolTip("" if validity.valid else "Go to the first argument that is not valid")

    def show_summary(self, summary: str) -> None:
        """Say what the folded row shows."""
        self._folded.show_summary(summary)

    def set_folded(self, *, folded: bool) -> None:
        """Show the one line, or the row of the open form."""
        self._folded.setVisible(folded)
        for widget in self._open_parts:
            widget.setVisible(not folded)
        self._copy.setVisible(not folded)

    def _examples_menu(self, examples: tuple[ExampleChoice, ...]) -> Menu:
        menu = Menu("Examples", self)
        for number, example in enumerate(examples):
            action = QAction(example.title.replace("&", "&&"), menu)
            action.setData(number)
            menu.addAction(action)
        menu.triggered.connect(self._on_examples_triggered)
        return menu

    def _copy_menu(self) -> Menu:
        menu = Menu("Copy as", self)
        for kind, text in _COPIES:
            action = QAction(text, menu)
            action.setData(kind)
            menu.addAction(action)
        menu.triggered.connect(self._on_copy_triggered)
        return menu

    def _on_mode_selected(self, index: int) -> None:
        self.form_chosen.emit(index == 0)

    def _on_examples_triggered(self, action: QAction) -> None:
        self.example_chosen.emit(int(action.data()))

    def _on_copy_triggered(self, action: QAction) -> None:
        self.copy_requested.emit(str(action.data()))

    def _on_folded_clicked(self) -> None:
        self.fold_requested.emit(False)

    def _on_heading_pressed(self) -> None:
        self.fold_requested.emit(True)


class FormArea(QWidget):
    """Hold the editor of the arguments with its margins, and know how high it wants to be.

    Args:
        editor: The form and the JSON text; it scrolls by itself.
        parent: Its owner.

    Signals:
        natural_height_changed(int): The editor wants another height, in logical pixels.
    """

    natural_height_changed = Signal(int)

    def __init__(self, editor: ArgumentsEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._natural = 0
        self.setMinimumHeight(_LEAST_FORM)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, _FORM_MARGIN, 20, _FORM_MARGIN)
        column.addWidget(editor)

    @property
    def natural_height(self) -> int:
        """Give the height that shows the whole editor, in logical pixels."""
        return self._editor.sizeHint().height() + 2 * _FORM_MARGIN

    def event(self, event: QEvent) -> bool:
        """Notice that the editor wants another height."""
        handled = super().event(event)
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            natural = self.natural_height
            if natural != self._natural:
                self._natural = natural
                self.natural_height_changed.emit(natural)
        return handled

    def sizeHint(self) -> QSize:
        """Ask for the height of the editor."""
        return QSize(400, self.natural_height)
