"""The table of the plan as something to write in: cells, rows that move, come, go and are copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QStringListModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView, QWidget

from console.batch.model import PlanModel
from console.batch.rows import PlanColumn
from console.batch.side_view import complete_names
from console.batch.table_view import PlanTableView
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import ROW_ROLE, TextLabel, paint_box

_ENOUGH: Final = 280
"""Logical pixels that a field is wide at least: a cell may be narrower than what is written into it."""

_MOST_SHOWN: Final = 10
_NO_END: Final = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}
"""Why the focus goes without the person having done with the field."""


class _Said(QWidget):
    """What is wrong, on a small card below the field."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.label = TextLabel("", "small", "error", wrap=True, parent=self)
        self.hide()

    def show_words(self, words: str, place: QPoint, width: int) -> None:
        self.label.setText(words)
        self.label.setGeometry(8, 4, width - 16, self.label.heightForWidth(width - 16))
        self.setGeometry(place.x(), place.y(), width, self.label.height() + 8)
        self.setVisible(bool(words))
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        paint_box(painter, self.rect(), 6, fill=theme.color.raised, border=theme.status.error.border)


class CellEditor(QLineEdit):
    """Let the person write one cell of a table; it stays open while what is written is refused.

    Args:
        name: What the cell is called for people who hear it.
        choices: What can be chosen there; empty where anything can be written.

    Attributes:
        index: The cell; no valid one when it is gone.

    Signals:
        committed(str): Let this stand in the cell.
        left(int): The person goes to the next cell that can be written (1), or to the one before (-1).
    """

    committed = Signal(str)
    left = Signal(int)
    cancelled = Signal()

    def __init__(
        self,
        table: QTableView,
        index: QModelIndex,
        *,
        name: str,
        text: str,
        choices: Sequence[str] = (),
        code: bool = False,
    ) -> None:
        super().__init__(table.viewport())
        self._table = table
        self.index = QPersistentModelIndex(index)
        self._said = _Said(table.viewport())
        self._before = text
        self._is_over = False
        self.setAccessibleName(name)
        self.setObjectName("cellEditor")
        self.setText(text)
        if code:
            self.setFont(theme_of(self).font("code"))
        if choices:
            complete_names(self, QStringListModel(list(choices), self))
            self.completer().setMaxVisibleItems(_MOST_SHOWN)
        self.textEdited.connect(self._on_text_edited)
        self.follow()
        self.show()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow(self) -> None:
        cell = self._table.visualRect(self.index)
        room = self._table.viewport().width()
        width = min(max(cell.width(), _ENOUGH), room)
        self.setGeometry(min(cell.x(), room - width), cell.y() - 1, width, cell.height() + 1)
        if not self._said.isHidden():
            self.refuse(self._said.label.text())

    def refuse(self, words: str) -> None:
        """Say why what is written cannot stand there; the person goes on writing."""
        self.setProperty("error", bool(words))
        self.style().polish(self)
        self.setAccessibleDescription(words)
        below = self.geometry().bottomLeft() + QPoint(0, 2)
        self._said.show_words(words, below, self.width())
        if words and self._said.geometry().bottom() > self._table.viewport().height():
            self._said.move(self.x(), self.y() - self._said.height() - 2)

    def finish(self) -> None:
        self._is_over = True
        self._said.hide()
        self._said.deleteLater()
        had_focus = self.hasFocus()
        self.hide()
        self.deleteLater()
        if had_focus:
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def is_changed(self) -> bool:
        return self.text() != self._before

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.cancelled.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.committed.emit(self.text())
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                event.accept()
            case _:
                super().keyPressEvent(event)

    def focusNextPrevChild(self, next_one: bool) -> bool:
        """Go to the next cell, not to the next widget."""
        self.left.emit(1 if next_one else -1)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._is_over or event.reason() in _NO_END:
            return
        if self.is_changed:
            self.committed.emit(self.text())
        else:
            self.cancelled.emit()

    def _on_text_edited(self) -> None:
        self.refuse("")


_SCROLL_MS: Final = 40
_EDGE: Final = 24


class _Line(QWidget):
    """Where the rows would go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        color = theme_of(self).color.accent
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(4, 2, self.width() - 4, 2, color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(0, 0, 6, 6)


class RowDrag(QObject):
    """Let rows of a table be dragged by one column.

    Signals:
        dropped(int): The selected rows are to stand before the row that is listed here; behind the last one, the
            number of rows.
    """

    dropped = Signal(int)

    def __init__(self, table: QTableView, column: int) -> None:
        super().__init__(table)
        self._table = table
        self._column = column
        self._line = _Line(table.viewport())
        self._pressed: QPoint | None = None
        self._is_dragging = False
        self._before = -1
        self._here = QPoint()
        self._scrolling = QTimer(self, interval=_SCROLL_MS)
        self._scrolling.timeout.connect(self._on_scrolling_timeout)
        self.is_enabled = True
        table.viewport().installEventFilter(self)
        table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer from a press on a row's number to its release."""
        if isinstance(event, QKeyEvent):
            return event.type() is QEvent.Type.KeyPress and self._is_given_up(event)
        if not isinstance(event, QMouseEvent) or watched is not self._table.viewport():
            return False
        match event.type():
            case QEvent.Type.MouseButtonPress:
                return self._press(event)
            case QEvent.Type.MouseMove:
                return self._move(event)
            case QEvent.Type.MouseButtonRelease:
                return self._release()
            case _:
                return False

    def _press(self, event: QMouseEvent) -> bool:
        place = event.position().toPoint()
        index = self._table.indexAt(place)
        if event.button() is not Qt.MouseButton.LeftButton or index.column() != self._column or not self.is_enabled:
            return False
        self._pressed = place
        # Of several that are selected all are dragged: a press must not make it one.
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        return plain and self._table.selectionModel().isRowSelected(index.row())

    def _move(self, event: QMouseEvent) -> bool:
        self._here = event.position().toPoint()
        if self._pressed is None:
            self._show_grip(self._here)
            return False
        far = (self._here - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if not self._is_dragging and far:
            self._is_dragging = True
            self._table.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self._scrolling.start()
        if self._is_dragging:
            self._show_line()
        return True

    def _release(self) -> bool:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return False
        if not self._is_dragging:
            index = self._table.indexAt(pressed)
            if len(self._table.selectionModel().selectedRows()) > 1:
                self._table.selectRow(index.row())
            return False
        before = self._before
        self._end()
        self.dropped.emit(before)
        return True

    def _is_given_up(self, event: QKeyEvent) -> bool:
        if event.key() != Qt.Key.Key_Escape or not self._is_dragging:
            return False
        self._pressed = None
        self._end()
        return True

    def _end(self) -> None:
        self._is_dragging = False
        self._scrolling.stop()
        self._line.hide()
        self._table.viewport().unsetCursor()

    def _show_grip(self, place: QPoint) -> None:
        index = self._table.indexAt(place)
        if self.is_enabled and index.isValid() and index.column() == self._column:
            self._table.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self._table.viewport().unsetCursor()

    def _show_line(self) -> None:
        model, height = self._table.model(), self._table.viewport().height()
        row = self._table.rowAt(min(max(self._here.y(), 0), height - 1))
        if row < 0:
            self._before = model.rowCount()
        else:
            cell = self._table.visualRect(model.index(row, self._column))
            self._before = row if self._here.y() < cell.center().y() else row + 1
        if self._before < model.rowCount():
            y = self._table.visualRect(model.index(self._before, self._column)).top()
        else:
            y = self._table.visualRect(model.index(self._before - 1, self._column)).bottom() + 1
        self._line.setGeometry(0, y - 3, self._table.viewport().width(), 6)
        self._line.show()
        self._line.raise_()

    def _on_scrolling_timeout(self) -> None:
        bar, y, height = self._table.verticalScrollBar(), self._here.y(), self._table.viewport().height()
        if y < _EDGE:
            bar.setValue(bar.value() - (_EDGE - y))
        elif y > height - _EDGE:
            bar.setValue(bar.value() + y - (height - _EDGE))
        else:
            return
        self._show_line()


EDITABLE: Final = (PlanColumn.STEP, PlanColumn.TOOL, PlanColumn.ARGUMENTS, PlanColumn.AFTER)
"""The columns that can be written, in the order in which Tab goes through them."""

_HISTORY: Final = ("undo", "redo")
_ACTIONS: Final = (
    ("edit", tr("Edit cell"), "F2"),
    ("sheet", tr("Edit step…"), "F4"),
    ("add", tr("Add step"), "Ins"),
    ("duplicate", tr("Duplicate"), "Ctrl+D"),
    ("cut", tr("Cut"), "Ctrl+X"),
    ("copy", tr("Copy as YAML"), "Ctrl+C"),
    ("copy_table", tr("Copy as a table"), "Ctrl+Shift+C"),
    ("paste", tr("Paste steps"), "Ctrl+V"),
    ("up", tr("Move up"), "Alt+Up"),
    ("down", tr("Move down"), "Alt+Down"),
    ("remove", tr("Remove"), "Del"),
    ("undo", tr("Undo"), "Ctrl+Z"),
    ("redo", tr("Redo"), "Ctrl+Shift+Z"),
)


class _Refused(NamedTuple):
    """What could not stand in a cell, and was written nowhere else.

    Attributes:
        before: What stands in the cell.
    """

    before: str
    text: str
    words: str


class TableEditing(QObject):
    """Let the person change a plan in its table. It changes nothing itself.

    Rows are named by their place in the plan, from 0 on, whatever the table is narrowed to.

    Attributes:
        editor: The field over the cell that is written; None when none is.

    Signals:
        edit_requested(int, int): The cell of this row and column is to be written; answer with `edit`.
        committed(int, int, str): Let this text stand in the cell; answer with `refuse` if it cannot.
        refused_late(str): What was written is not taken over, though the person has left it; it stays in its field.
        moved(list, int): Put these rows before that one; behind the last one, the number of steps.
        requested(str, list): Do this with these rows, or with none of them; one of the keys of the actions.
        relisted: The rows are others than before.
    """

    edit_requested = Signal(int, int)
    committed = Signal(int, int, str)
    refused_late = Signal(str)
    moved = Signal(list, int)
    requested = Signal(str, list)
    relisted = Signal()

    def __init__(self, table: PlanTableView, model: PlanModel) -> None:
        super().__init__(table)
        self._table = table
        self._model = model
        self.editor: CellEditor | None = None
        self._refusal = ""
        self._before = ""
        self._refused_by_cell: dict[tuple[str, int], _Refused] = {}
        self._is_editable = True
        self._drag = RowDrag(table, PlanColumn.NUMBER)
        self._drag.dropped.connect(self._on_drag_dropped)
        self.actions: dict[str, QAction] = {}
        self._make_actions()
        table.doubleClicked.connect(self._on_table_double_clicked)
        table.verticalScrollBar().valueChanged.connect(self._on_table_scrolled)
        for gone in (model.modelAboutToBeReset, model.rowsAboutToBeRemoved, model.rowsAboutToBeInserted):
            gone.connect(self.cancel)
        model.modelReset.connect(self.relisted)

    def _make_actions(self) -> None:
        context = Qt.ShortcutContext
        for key, text, keys in _ACTIONS:
            action = QAction(text, self)
            action.setObjectName(key)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(context.WidgetWithChildrenShortcut if key in _HISTORY else context.WidgetShortcut)
            action.triggered.connect(self._on_action_triggered)
            self._table.addAction(action)
            self.actions[key] = action

    def set_editable(self, *, editable: bool) -> None:
        """Let the plan be changed, or not, as while it runs; copying is always possible."""
        self._is_editable = self._drag.is_enabled = editable
        for key, action in self.actions.items():
            if key not in {"copy", "copy_table", "sheet", "undo", "redo"}:
                action.setEnabled(editable)
        if not editable:
            self.cancel()

    def offer_history(self, panel: QWidget) -> None:
        """Let changes be taken back and made again from another widget, too, while the focus is there."""
        panel.addActions([self.actions[key] for key in _HISTORY])

    def show_history(self, undo: str, redo: str) -> None:
        """Say what can be taken back and made again, in words; empty for nothing."""
        for key, word, words in (("undo", tr("Undo"), undo), ("redo", tr("Redo"), redo)):
            self.actions[key].setText(f"{word}: {words}" if words else word)
            self.actions[key].setEnabled(bool(words) and self._is_editable)

    def actions_for_rows(self) -> list[list[QAction]]:
        groups = (("edit", "sheet"), ("duplicate", "cut", "copy", "copy_table", "paste"), ("up", "down"), ("remove",))
        return [[self.actions[key] for key in group] for group in groups]

    def edit(self, place: int, column: int, text: str, choices: Sequence[str] = ()) -> None:
        """Let a cell be written; what was refused there and never mended is in the field again."""
        index = self._index(place, column)
        if not index.isValid():
            return
        self.cancel()
        self._table.scrollTo(index)
        self._table.setCurrentIndex(index)
        name = tr("{title} of step {number}", title=self._model.columns[column].title, number=place + 1)
        self.editor = CellEditor(
            self._table, index, name=name, text=text, choices=choices, code=column == PlanColumn.ARGUMENTS
        )
        problem = self._model.cell_problems.get(place, {}).get(column, "")
        self._before = text
        refused = self._refused_by_cell.get(self._cell_of(index))
        if refused is not None and refused.before == text:
            self.editor.setText(refused.text)
            problem = refused.words
        if problem:
            self.editor.refuse(problem)
        self.editor.committed.connect(self._commit)
        self.editor.cancelled.connect(self._on_editor_cancelled)
        self.editor.left.connect(self._on_editor_left)

    def refuse(self, words: str) -> None:
        """Say why what was written cannot stand in its cell."""
        self._refusal = words

    def cancel(self) -> None:
        """Take the field over a cell away; only what was refused there is kept for the next time."""
        editor, self.editor = self.editor, None
        if editor is not None:
            editor.finish()

    def give_up(self) -> None:
        """Give up what is written in a cell, and what was refused."""
        self._refused_by_cell.clear()
        self.cancel()

    def take_over(self) -> bool:
        """Take over what is being written in a cell; return whether nothing of it is left there."""
        return self.editor is None or self._commit(self.editor.text()) or self.editor is None

    @property
    def places(self) -> list[int]:
        """The places of the selected rows in the plan."""
        return sorted(map(self._place_of, self._table.selectionModel().selectedRows()))

    @property
    def names(self) -> list[str]:
        """The steps that the table knows, whether it lists them or not."""
        return [step.step for step in self._model.steps.planned]

    def choose(self, places: Sequence[int]) -> None:
        selection = self._table.selectionModel()
        selection.clearSelection()
        for place in places:
            index = self._index(place, PlanColumn.STEP)
            if index.isValid():
                flag = selection.SelectionFlag
                selection.select(index, flag.Select | flag.Rows)
        first = self._index(places[0], PlanColumn.STEP) if places else QModelIndex()
        if first.isValid():
            selection.setCurrentIndex(first, selection.SelectionFlag.NoUpdate)
            self._table.scrollTo(first)

    def take_focus(self) -> None:
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    def put_on_clipboard(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    @property
    def clipboard_text(self) -> str:
        return QGuiApplication.clipboard().text()

    def _place_of(self, index: QModelIndex) -> int:
        return int(index.data(ROW_ROLE).planned.number) - 1

    def _cell_of(self, index: QModelIndex) -> tuple[str, int]:
        return index.data(ROW_ROLE).planned.step, index.column()

    def _index(self, place: int, column: int) -> QModelIndex:
        """Return the cell of a place in the plan; none when the row is not listed."""
        model = self._model
        # As a rule everything is listed, and a row stands at its place; what is left out lets the others move up.
        for row in range(min(place, model.rowCount() - 1), -1, -1):
            index = model.index(row, column)
            here = self._place_of(index)
            if here <= place:
                return index if here == place else QModelIndex()
        return QModelIndex()

    def _on_table_double_clicked(self, index: QModelIndex) -> None:
        if index.column() in EDITABLE and self._is_editable:
            self.edit_requested.emit(self._place_of(index), index.column())

    def _on_action_triggered(self) -> None:
        key = self.sender().objectName()
        if key == "edit":
            index = self._table.currentIndex()
            if index.isValid():
                column = index.column() if index.column() in EDITABLE else PlanColumn.STEP
                self.edit_requested.emit(self._place_of(index), column)
        elif key == "copy_table":
            self._table.copy()
        else:
            self.requested.emit(key, self.places)

    def _commit(self, text: str) -> bool:
        """Hand over what is written; say whether it stands there now."""
        editor = self.editor
        if editor is None or not editor.index.isValid():
            self.cancel()
            return False
        index = self._model.index(editor.index.row(), editor.index.column())
        place, cell = self._place_of(index), self._cell_of(index)
        had_focus = editor.hasFocus()
        self._refusal = ""
        self._refused_by_cell.pop(cell, None)
        # What is committed may change the rows, which must not be mistaken for giving up.
        self.editor = None
        if editor.is_changed:
            self.committed.emit(place, index.column(), text)
        if not self._refusal:
            editor.finish()
            return True
        self.editor = editor
        self._refused_by_cell[cell] = _Refused(self._before, text, self._refusal)
        editor.refuse(self._refusal)
        if not had_focus:
            self.refused_late.emit(tr("Not taken over: {refusal}", refusal=self._refusal))
        return False

    def _on_editor_cancelled(self) -> None:
        editor = self.editor
        if editor is not None and editor.index.isValid():
            index = self._model.index(editor.index.row(), editor.index.column())
            self._refused_by_cell.pop(self._cell_of(index), None)
        self.cancel()

    def _on_editor_left(self, by: int) -> None:
        editor = self.editor
        if editor is None:
            return
        if not editor.index.isValid():
            self.cancel()
            return
        index = self._model.index(editor.index.row(), editor.index.column())
        # Its own column can have been hidden meanwhile: by the menu of the head, or in a narrow window.
        shown = [column for column in EDITABLE if column == index.column() or not self._table.isColumnHidden(column)]
        place, at = self._place_of(index), shown.index(PlanColumn(index.column())) + by
        if self._commit(editor.text()):
            place += at // len(shown)
            if self._index(place, PlanColumn.STEP).isValid():
                self.edit_requested.emit(place, shown[at % len(shown)])

    def _on_table_scrolled(self) -> None:
        if self.editor is not None:
            self.editor.follow()

    def _on_drag_dropped(self, before: int) -> None:
        model = self._model
        if before < model.rowCount():
            self.moved.emit(self.places, self._place_of(model.index(before, 0)))
        else:
            self.moved.emit(self.places, self._place_of(model.index(before - 1, 0)) + 1)
