"""Dialogs, and what lies over a window: the dimmer, a countdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from console.language import tr
from console.theme import StatusColors, painter_of, theme_of
from console.widgets.buttons import Button
from console.widgets.labels import TextLabel, set_surface
from console.widgets.painting import paint_focus_ring

_OUTSIDE: Final = 3


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


class Scrim(QWidget):
    """Dim a window while a question stands over it; it takes clicks away from what it covers and follows the size.

    Args:
        over: The widget to cover, as a rule a window.

    Attributes:
        reasons: What it is there for, if it was laid by `lay`.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.reasons: set[QObject] = set()
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        self.raise_()

    @classmethod
    def lay(cls, over: QWidget, reason: QObject) -> None:
        """Dim a widget for a reason; several of them dim it once."""
        scrim = cls._over(over) or cls(over)
        scrim.reasons.add(reason)
        scrim.show()

    @classmethod
    def lift(cls, over: QWidget, reason: QObject) -> None:
        """Let a widget be bright again, unless there is another reason."""
        scrim = cls._over(over)
        if scrim is None:
            return
        scrim.reasons.discard(reason)
        if not scrim.reasons:
            scrim.hide()
            scrim.deleteLater()

    @classmethod
    def _over(cls, over: QWidget) -> Scrim | None:
        found = over.findChildren(cls, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return next((scrim for scrim in found if scrim.reasons), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            parent = self.parentWidget()
            if parent is not None:
                self.setGeometry(parent.rect())
                self.raise_()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter_of(self).fillRect(self.rect(), theme_of(self).color.scrim)


class _Ring(QWidget):
    """The line itself: a child that takes no input and follows what it marks."""

    def __init__(self, target: QWidget, *, outside: bool, radius: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._target = target
        self._outside = outside
        self._radius = radius
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        target.installEventFilter(self)
        self._follow()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._follow()
        elif event.type() in {QEvent.Type.Hide, QEvent.Type.EnabledChange}:
            self.hide()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_focus_ring(painter_of(self), self.rect(), self._radius, theme_of(self))

    def _follow(self) -> None:
        rect = self._target.rect()
        if self._outside:
            rect = QRect(self._target.pos(), rect.size()).adjusted(-_OUTSIDE, -_OUTSIDE, _OUTSIDE, _OUTSIDE)
        self.setGeometry(rect)


class FocusRing(QObject):
    """Mark the widget with the focus, but only for people who move by keyboard.

    Buttons and labels get a 2 px ring outside, fields and views a 2 px inner line. Which of both devices was used last
    is seen at the native windows, where few events pass; watching each event of each widget from Python would cost far
    more.
    A dialog that opens shows its first focus always: what Enter will do must be seen.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._by_keyboard = False
        self._ring: _Ring | None = None
        application.focusChanged.connect(self._on_application_focus_changed)

    @property
    def target(self) -> QWidget | None:
        """Give the widget that is marked, None if none is."""
        ring = self._ring
        return ring._target if ring is not None and isValid(ring) and not ring.isHidden() else None  # noqa: SLF001

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.KeyPress:
            self._by_keyboard = True
        elif kind is QEvent.Type.MouseButtonPress:
            self._by_keyboard = False
            self._remove()
        return False

    def _on_application_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        self._remove()
        if new is None:
            return
        # Of a box that Qt made itself, Python forgets the native window together with the last name for the box.
        window = new.window()
        self._watch(window.windowHandle())
        entered_dialog = isinstance(window, QDialog) and (old is None or old.window() is not window)
        if self._by_keyboard or entered_dialog:
            self._mark(new)

    def _watch(self, window: QWindow | None) -> None:
        if window is not None and isValid(window) and not window.property("toolConsoleFocusRing"):
            window.setProperty("toolConsoleFocusRing", True)
            window.installEventFilter(self)

    def _mark(self, target: QWidget) -> None:
        parent = target.parentWidget()
        inline = parent is None or isinstance(parent, QSplitter | QStackedWidget | QAbstractScrollArea)
        # What has no room around its text inside of itself is marked outside.
        if isinstance(target, QAbstractButton | QLabel) and parent is not None and not inline:
            self._ring = _Ring(target, outside=True, radius=8, parent=parent)
        elif target.property("focusRing") != "none":
            square = isinstance(target, QAbstractScrollArea | QTabBar) and target.property("flat") is None
            self._ring = _Ring(target, outside=False, radius=0 if square else 6, parent=target)

    def _remove(self) -> None:
        ring, self._ring = self._ring, None
        if ring is not None and isValid(ring):
            ring.hide()
            ring.deleteLater()


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
    """A dialog in the middle of its window."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
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
