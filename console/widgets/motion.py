"""All that moves: the shared clock of running rings, and durations that obey the wish for less motion."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from console.theme import theme_of

_PROPERTY: Final = "toolConsoleReducedMotion"
_TURNING: Final = "toolConsoleTurning"
_FRAME_MS: Final = 40


def set_reduced_motion(*, reduced: bool) -> None:
    """Say that the user wants less motion, whatever the desktop says.

    Args:
        reduced: True stops all motion; False leaves it to the desktop.
    """
    application = QCoreApplication.instance()
    if application is not None:
        application.setProperty(_PROPERTY, reduced)


def motion_ms(duration_ms: int) -> int:
    """Give the duration an animation may take.

    Args:
        duration_ms: What the design wants, of `theme.motion`.

    Returns:
        The same, or 0 if the user or the desktop asks for less motion.
    """
    application = QApplication.instance()
    if not isinstance(application, QApplication) or application.property(_PROPERTY):
        return 0
    wanted = QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
    return duration_ms if wanted > 0 else 0


class SpinnerClock(QObject):
    """Repaint everything that shows a running ring, from one timer, so that all rings turn together.

    The timer rests as long as nothing turns. Get it from `spinner_clock()`: one clock belongs to the application.
    """

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self.ticked)
        self._count = 0
        self._elapsed = QElapsedTimer()
        self._elapsed.start()

    @property
    def turn(self) -> float:
        """Give how far rings have turned now, from 0 to 1; 0 if there shall be no motion."""
        period = motion_ms(theme_of().motion.spinner_period)
        return (self._elapsed.elapsed() % period) / period if period else 0.0

    @property
    def is_active(self) -> bool:
        return self._timer.isActive()

    def set_turning(self, widget: QWidget, *, turning: bool, repaint: Callable[[], object] | None = None) -> None:
        """Repaint a widget with each frame, or no longer.

        Args:
            widget: A widget, or the viewport of a view, that paints a ring; forgotten when it is destroyed.
            turning: Whether it shows a ring at present.
            repaint: Has the rings of it painted anew, always the same for a widget; None for the whole widget.
        """
        repaint = repaint if repaint is not None else widget.update
        known = bool(widget.property(_TURNING))
        if known == turning:
            return
        widget.setProperty(_TURNING, turning)
        if turning:
            self._count += 1
            self.ticked.connect(repaint)
            widget.destroyed.connect(self._on_widget_destroyed)
            if motion_ms(1) and not self._timer.isActive():
                self._timer.start()
        else:
            self.ticked.disconnect(repaint)
            widget.destroyed.disconnect(self._on_widget_destroyed)
            self._on_widget_destroyed()

    def _on_widget_destroyed(self) -> None:
        self._count -= 1
        if self._count == 0:
            self._timer.stop()


def spinner_clock() -> SpinnerClock:
    """Give the clock of the application; it is made on first use and ends with the application object."""
    application = QCoreApplication.instance()
    clock = application.findChild(SpinnerClock) if application is not None else None
    return clock if clock is not None else SpinnerClock(application)


class TurningWidget(QWidget):
    """A widget with rings that turn while it is seen."""

    def is_turning(self) -> bool:
        """Say whether it shows a ring now; `follow_clock` takes another answer over."""
        return True

    def follow_clock(self) -> None:
        spinner_clock().set_turning(self, turning=self.isVisible() and self.is_turning())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.follow_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.follow_clock()
