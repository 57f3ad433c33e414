"""The palette as a child of the window: a line to type into over a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QHBoxLayout, QLineEdit, QListView, QWidget
from shiboken6 import isValid

from console.assets import paint_icon
from console.language import tr
from console.palette.delegate import PaletteDelegate, row_height
from console.palette.model import PALETTE_ROLE, PaletteModel
from console.palette.rows import PaletteRow
from console.theme import painter_of, theme_of
from console.widgets import Divider, KeyCap, Scrim, TextLabel, hbox, paint_box, set_margins, set_surface, vbox

_TOP: Final = 92
_MARGIN: Final = 16
_FIELD: Final = 48
_FOOTER: Final = 36
_LETTERS: Final = 15
_PADDING: Final = 8
_MOST_LIST: Final = 428
_LEAST_LIST: Final = 64
_PAGE: Final = 8
_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Tab: 1,
    Qt.Key.Key_Backtab: -1,
    Qt.Key.Key_PageDown: _PAGE,
    Qt.Key.Key_PageUp: -_PAGE,
}


class _Field(QLineEdit):
    """The line to type into; all keys but those for text are the palette's."""

    pressed = Signal(int, bool)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrame(False)
        self.setAccessibleName(tr("Search tools and commands"))
        self.setPlaceholderText(tr("Search tools and commands"))
        self.setProperty("flat", "true")
        self.setProperty("focusRing", "none")  # it always has the focus
        self.setObjectName("paletteField")
        font = theme_of(self).font("body")
        font.setPixelSize(_LETTERS)
        self.setFont(font)

    def event(self, event: QEvent) -> bool:
        # The window's shortcuts are not those of the palette: whatever stands below it stays as it is.
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            key, by_control = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if key in _RETURN or key in _STEPS or key == Qt.Key.Key_Escape or (key == Qt.Key.Key_K and by_control):
                self.pressed.emit(key, by_control)
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        stays = event.reason() in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}
        if not stays or QApplication.activeModalWidget() is not None:
            self.left.emit()


class PaletteView(QFrame):
    """Show what was found while somebody types.

    Args:
        window: What it stands over.

    Signals:
        typed(str): The text is another one.
        chosen(PaletteRow): Enter or a click on a row.
        repeat_requested(PaletteRow): Ctrl+Enter on a row.
        closed: It is gone, and the focus is where it was.
    """

    typed = Signal(str)
    chosen = Signal(object)
    repeat_requested = Signal(object)
    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("palette")
        self.setAccessibleName(tr("Command palette"))
        self.hide()
        self._scrim: Scrim | None = None
        self._focus: QWidget | None = None
        self._moved = False
        self._model = PaletteModel(self)
        self._field = _Field()
        self._count = TextLabel("", "caption", "text3")
        self._list = QListView()
        self._list.setObjectName("paletteList")
        self._list.setAccessibleName(tr("Found"))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setMouseTracking(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setItemDelegate(PaletteDelegate(self._list))
        set_surface(self._list, "raised")
        self._list.setModel(self._model)
        self._lay_out()
        self._field.textChanged.connect(self.typed)
        self._field.pressed.connect(self._on_field_pressed)
        self._field.left.connect(self._on_field_left)
        self._list.clicked.connect(self._on_list_clicked)
        window.installEventFilter(self)

    def _lay_out(self) -> None:
        column = vbox(self, margins=(1, 1, 1, 1))
        top = QWidget()
        top.setFixedHeight(_FIELD - 1)
        row = QHBoxLayout(top)
        set_margins(row, _MARGIN + 28, 0, _MARGIN, 0)
        row.addWidget(self._field, 1)
        row.addWidget(self._count)
        column.addWidget(top)
        column.addWidget(Divider())
        column.addSpacing(_PADDING)
        column.addWidget(self._list, 1)
        column.addSpacing(_PADDING - 4)
        footer = QWidget()
        footer.setFixedHeight(_FOOTER)
        keys = hbox(footer, margins=(_MARGIN, 0, _MARGIN, 0), spacing=4)
        for caps, words in (
            (("↑", "↓"), tr("move", "in a list")),
            ((tr("Enter"),), tr("open", "verb")),
            ((tr("Ctrl"), tr("Enter")), tr("run again")),
        ):
            _add_hint(keys, caps, words)
            keys.addSpacing(12)
        keys.addStretch(1)
        for cap, words in ((">", tr("commands")), ("@", tr("servers")), ("#", tr("calls"))):
            _add_hint(keys, (cap,), words)
            keys.addSpacing(2)
        column.addWidget(footer)

    @property
    def text(self) -> str:
        return self._field.text()

    @property
    def current(self) -> PaletteRow | None:
        """The row that Enter chooses; None when there is none."""
        index = self._list.currentIndex()
        return index.data(PALETTE_ROLE) if index.isValid() else None

    def open_with(self, text: str = "") -> None:
        """Come up over the window, with the focus in the line."""
        window = self.parentWidget()
        if window is None:
            return
        if not self.isVisible():
            self._focus = QApplication.focusWidget()
            self._scrim = Scrim(window)
            self._scrim.installEventFilter(self)
            self._scrim.show()
        self._field.setText(text)
        self._place()
        self.show()
        self.raise_()
        # As for a menu: what is half typed below is not finished by it.
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_palette(self) -> None:
        """Go, and give the focus back."""
        if not self.isVisible():
            return
        before, self._focus = self._focus, None
        scrim, self._scrim = self._scrim, None
        if scrim is not None:
            scrim.hide()
            scrim.deleteLater()
        # Hidden with the focus, it would hand it on to whatever comes next, and be told that it lost it.
        self._field.blockSignals(True)
        if before is not None and isValid(before) and before.isVisible():
            # As after a menu: a field keeps its cursor and what was chosen in it.
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.hide()
        self._field.clear()
        self._field.blockSignals(False)
        self._model.show_rows(())
        self._moved = False
        self.closed.emit()

    def show_rows(self, rows: Sequence[PaletteRow], count: str) -> None:
        """List what was found; the row that was current stays so if it is still there.

        Args:
            count: How many there are, in words.
        """
        current = self.current
        self._model.show_rows(rows)
        self._count.setText(count)
        self._field.setAccessibleDescription(count)
        found = next((place for place, row in enumerate(rows) if current is not None and row.pick == current.pick), -1)
        stays = found >= 0 and rows[found].is_choice and self._moved
        self._choose(found if stays else self._model.next_choice(-1, 1))
        if not stays:
            self._moved = False
            self._list.scrollToTop()
        self._place()

    def _choose(self, row: int) -> None:
        index = self._model.index(row) if row >= 0 else QModelIndex()
        self._list.setCurrentIndex(index)
        current = self.current
        if current is not None:
            self._field.setAccessibleDescription(f"{self._count.text()}; {current.spoken}")

    def _place(self) -> None:
        window = self.parentWidget()
        if window is None:
            return
        width = min(theme_of(self).size.palette_width, window.width() - 2 * _MARGIN)
        wanted = sum(map(row_height, self._model.rows))
        chrome = _FIELD + _FOOTER + 2 * _PADDING
        room = max(_LEAST_LIST, window.height() - _TOP - chrome - 2 * _MARGIN)
        height = chrome + min(wanted, _MOST_LIST, room)
        self.setGeometry(QRect((window.width() - width) // 2, _TOP, width, height))

    def _step(self, by: int) -> None:
        row = self._list.currentIndex().row()
        self._moved = True
        if abs(by) == 1:
            self._choose(self._model.next_choice(row, by))
            return
        # A page stops at the ends.
        for _ in range(abs(by)):
            step = self._model.next_choice(row, 1 if by > 0 else -1)
            if (step <= row) == (by > 0):
                break
            row = step
        self._choose(row)

    def _on_field_pressed(self, key: int, by_control: bool) -> None:
        pressed = Qt.Key(key)
        if pressed in _STEPS:
            self._step(_STEPS[pressed])
            return
        if pressed not in _RETURN:
            self.close_palette()
            return
        row = self.current
        if row is None:
            return
        if not by_control:
            self.chosen.emit(row)
        elif row.can_repeat:
            self.repeat_requested.emit(row)

    def _on_field_left(self) -> None:
        if QApplication.activeModalWidget() is not None:
            self.close_palette()
        elif self.isVisible():
            # A page that was on its way took the focus; it has it when the palette goes.
            self._focus = QApplication.focusWidget() or self._focus
            self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_list_clicked(self, index: QModelIndex) -> None:
        row: PaletteRow = index.data(PALETTE_ROLE)
        if row.is_choice:
            self.chosen.emit(row)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window's size, and go with a click beside."""
        if watched is self._scrim and event.type() is QEvent.Type.MouseButtonPress:
            self.close_palette()
            return True
        if watched is self.parentWidget() and event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
            # The scrim follows as well, and puts itself above.
            self.raise_()
        return False

    def sizeHint(self) -> QSize:
        return QSize(theme_of(self).size.palette_width, _FIELD + _FOOTER + _MOST_LIST)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        color, radius = theme.color, theme.radius.large
        footer = QRect(0, self.height() - _FOOTER - 1, self.width(), _FOOTER + 1)
        paint_box(painter, self.rect(), radius, fill=color.raised)
        painter.setClipRegion(QRegion(footer))
        paint_box(painter, self.rect(), radius, fill=color.inset)
        painter.fillRect(footer.x(), footer.y(), footer.width(), 1, color.border)
        painter.setClipping(False)
        paint_box(painter, self.rect(), radius, border=color.border_strong)
        place = QRect(_MARGIN + 1, (_FIELD - 18) // 2, 18, 18)
        paint_icon(painter, place, "search", color.text2, theme)


def _add_hint(row: QHBoxLayout, caps: Sequence[str], words: str) -> None:
    for cap in caps:
        row.addWidget(KeyCap(cap))
    label = TextLabel(words, "small", "text2")
    row.addWidget(label)
