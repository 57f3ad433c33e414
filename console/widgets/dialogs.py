"""Dialogs, and the countdown in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from console.language import tr
from console.theme import StatusColors, painter_of, theme_of
from console.widgets.buttons import Button
from console.widgets.labels import TextLabel, set_surface
from console.widgets.overlays import Scrim

_FRAME: Final = QSize(4, 40)
"""About what a window manager puts around a dialog."""


class CountdownRing(QWidget):
    """A ring that empties clockwise while time runs out.

    Args:
        size: Edge in logical pixels.
    """

    def __init__(self, size: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._left = 1.0
        self._urgent = False
        self.setFixedSize(size, size)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Time left"))

    def set_left(self, left: float, *, urgent: bool = False) -> None:
        """Show how much time is left.

        Args:
            left: From 1 (all) to 0 (none).
            urgent: Whether it is shown in the error tone, for the last 30 s.
        """
        self._left = min(1.0, max(0.0, left))
        self._urgent = urgent
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.status.error if self._urgent else theme.status.warn
        painter = painter_of(self)
        paint_countdown(painter, QRectF(self.rect()).adjusted(2, 2, -2, -2), self._left, tone)


def paint_countdown(painter: QPainter, box: QRectF, left: float, tone: StatusColors) -> None:
    """Paint a ring of which so much is left, from 0 to 1."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(tone.border, 2))
    painter.drawEllipse(box)
    painter.setPen(QPen(tone.fill, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    painter.drawArc(box, 90 * 16, round(left * 360 * 16))


ConfirmLoss = Callable[[str, str, str, Callable[[], None]], None]
"""Asks before something is lost: the title, what would be lost, the verb that agrees, and what is done then."""


class WindowDialog(QDialog):
    """A dialog over a window, which is dimmed and takes no input until it is closed; it is gone then.

    Args:
        title: What it is about; also its accessible name.
        parent: The window it stands over, or something in it.
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_surface(self, "raised")

    def showEvent(self, event: QShowEvent) -> None:
        layout = self.layout()
        if layout is not None:
            # Qt lets a least width that was set outweigh the words inside, which are longer in another language.
            self.setMinimumWidth(max(self.minimumWidth(), layout.minimumSize().width()))
        super().showEvent(event)
        window = self._window_behind()
        if window is not None and not event.spontaneous():
            Scrim.lay(window, self)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let the window be bright again."""
        super().hideEvent(event)
        window = self._window_behind()
        if window is not None and not event.spontaneous():
            Scrim.lift(window, self)

    def make_ends(self, *agree: Button, decline: str = tr("Cancel"), before: Sequence[QWidget] = ()) -> QHBoxLayout:
        """Return the row of buttons at the end.

        Args:
            agree: Do what the dialog is for.
            decline: The words of the button that closes it.
            before: What stands apart at the left.
        """
        close = Button(decline, large=True, shortcut_hint="Esc")
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        for widget in before:
            row.addWidget(widget)
        row.addStretch(1)
        for button in (close, *agree):
            row.addWidget(button)
        return row

    def _window_behind(self) -> QWidget | None:
        # Asked for each time: a dialog that keeps the last name for its window takes the window along when it is
        # deleted, and the window deletes its children, the dialog among them, for a second time.
        parent = self.parentWidget()
        return None if parent is None else parent.window()


class CentredDialog(WindowDialog):
    """A dialog in the middle of its window, no larger than the screen."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.resize(self.size().boundedTo(self.screen().availableSize() - _FRAME))
        over = self.parentWidget()
        if over is not None:
            frame = self.frameGeometry()
            frame.moveCenter(over.window().frameGeometry().center())
            self.move(frame.topLeft())


class QuestionBox(WindowDialog):
    """Ask before something is lost; Esc and Enter lose nothing.

    Args:
        text: What would be lost.
        yes: The verb that agrees.
        parent: The window it stands over.
        save: The verb that saves it first; empty where nothing can be saved.
        saving_is_safe: Whether nothing at all is lost by that, so that Enter does it.
        loses: Whether something is lost by agreeing.

    Signals:
        agreed(): The person agreed.
        save_requested(): It is to be saved first.
    """

    agreed = Signal()
    save_requested = Signal()

    def __init__(
        self,
        title: str,
        text: str,
        yes: str,
        parent: QWidget,
        *,
        save: str = "",
        saving_is_safe: bool = True,
        loses: bool = True,
    ) -> None:
        super().__init__(title, parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(TextLabel(title, "title"))
        label = TextLabel(text, "body", "text2", wrap=True)
        label.setMinimumWidth(380)
        layout.addWidget(label)
        layout.addSpacing(12)
        row = QHBoxLayout()
        row.addStretch(1)
        agree = Button(yes, kind="danger" if loses else "normal", large=True)
        agree.clicked.connect(self._on_agree_clicked)
        keep = Button(tr("Cancel"), large=True, shortcut_hint="Esc")
        keep.clicked.connect(self.reject)
        row.addWidget(agree)
        row.addWidget(keep)
        default = keep
        if save:
            saving = Button(save, kind="primary" if saving_is_safe else "normal", large=True)
            saving.clicked.connect(self._on_saving_clicked)
            row.addWidget(saving)
            default = saving if saving_is_safe else keep
        layout.addLayout(row)
        default.setDefault(True)
        default.setFocus()

    @Slot()
    def _on_agree_clicked(self) -> None:
        self.accept()
        self.agreed.emit()

    @Slot()
    def _on_saving_clicked(self) -> None:
        self.accept()
        self.save_requested.emit()


def ask_save_path(
    parent: QWidget,
    title: str,
    name: str,
    chosen: Callable[[str], object] | SignalInstance,
    kinds: Sequence[str] = (),
) -> QFileDialog:
    """Ask where a file shall be saved; the dialog is open then, and gone when it is closed.

    Args:
        parent: The window it stands over, or something in it.
        kinds: The kinds of files to choose from, as `Table (*.csv)`. Of one kind the ending of the name is added where
            the person leaves it out.
    """
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    if kinds:
        dialog.setNameFilters(kinds)
    if len(kinds) == 1:
        dialog.setDefaultSuffix(name.rpartition(".")[2])
    dialog.selectFile(name)
    return _opened(dialog, chosen)


def ask_folder(parent: QWidget, title: str, at: str, chosen: Callable[[str], object] | SignalInstance) -> QFileDialog:
    """Ask for a folder; the dialog is open then, and gone when it is closed.

    Args:
        parent: The window it stands over, or something in it.
        at: Where to begin; empty for where files were chosen last.
        chosen: Is told the path.
    """
    # Qt warns of a null character, which what was typed or pasted may have.
    dialog = QFileDialog(parent, title, at.partition("\0")[0])
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return _opened(dialog, chosen)


def ask_open_path(
    parent: QWidget, title: str, at: str, kind: str, chosen: Callable[[str], object] | SignalInstance
) -> QFileDialog:
    """Ask which file shall be opened; the dialog is open then, and gone when it is closed.

    Args:
        parent: The window it stands over, or something in it.
        at: Where to begin; empty for where files were chosen last.
        kind: The kinds of files to choose from, with `;;` between.
    """
    dialog = QFileDialog(parent, title, at, kind)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _opened(dialog, chosen)


def _opened(dialog: QFileDialog, chosen: Callable[[str], object] | SignalInstance) -> QFileDialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog
