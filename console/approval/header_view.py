"""The head of the dialog: who asks for what, when, and how long the question stays open."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSpacerItem, QWidget

from console.approval.model import ApprovalModel, Countdown, SentencePart
from console.approval.spans_view import SpanLabel
from console.assets import paint_icon
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import Button, CountdownRing, grow_with_width, hbox, paint_box, paint_text, vbox

_TILE: Final = 36
_GAP: Final = 8


class _Tile(QWidget):
    """The shield."""

    def __init__(self, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self.setFixedSize(_TILE, _TILE)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        paint_box(painter, self.rect(), theme.radius.large, fill=theme.status.warn.soft)
        paint_icon(painter, QRect(8, 8, 20, 20), self._icon_name, theme.status.warn.text, theme)


class _Caller(QWidget):
    """Who asks, with an icon, and about which call."""

    def __init__(self, model: ApprovalModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon_name = model.caller_icon
        row = hbox(self, margins=(20, 0, 0, 0))
        self.label = SpanLabel((*model.caller, SentencePart(model.note, muted=True)), "small", "text2")
        row.addWidget(self.label)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        paint_icon(painter_of(self), QRect(0, 1, 14, 14), self._icon_name, theme.color.text2, theme)


class _Clock(QWidget):
    """What happens when the time is up, and how much of it is left."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = Countdown("", None, 0.0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_countdown(self, countdown: Countdown) -> None:
        self._shown = countdown
        self.setAccessibleName(f"{countdown.lead} {countdown.clock}".strip())
        self.updateGeometry()
        self.update()

    @property
    def _clock_font(self) -> QFont:
        font = theme_of(self).font("small", tabular=True)
        font.setWeight(QFont.Weight.Bold if self._shown.urgent else QFont.Weight.DemiBold)
        return font

    def sizeHint(self) -> QSize:
        theme = theme_of(self)
        width = QFontMetrics(theme.font("small")).horizontalAdvance(self._shown.lead)
        if self._shown.clock:
            width += 4 + QFontMetrics(self._clock_font).horizontalAdvance(self._shown.clock)
        return QSize(width + 1, theme.line_height("small"))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        font = theme.font("small")
        width = QFontMetrics(font).horizontalAdvance(self._shown.lead)
        paint_text(painter, QRect(0, 0, width + 1, self.height()), self._shown.lead, font, theme.color.text2)
        ink = theme.status.error.text if self._shown.urgent else theme.color.text
        rest = QRect(width + 4, 0, self.width() - width - 4, self.height())
        paint_text(painter, rest, self._shown.clock, self._clock_font, ink)


class QuestionHeaderView(QWidget):
    """Say who asks for what, and count down.

    Args:
        in_page: Whether it stands in a page, where no line closes it.
    """

    def __init__(self, model: ApprovalModel, *, in_page: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._in_page = in_page
        grow_with_width(self)
        row = hbox(self, margins=(20, 18, 20, 10 if in_page else 18))
        row.addWidget(_Tile("shield-question-mark" if model.is_question else "shield-alert", self))
        row.addSpacing(12)
        words = vbox(spacing=2)
        parts = (SentencePart(model.tool_name, code=True), SentencePart(f" {model.title}"))
        self.title = SpanLabel(parts, "title", line_height=20, parent=self)
        words.addWidget(self.title)
        words.addWidget(_Caller(model, self))
        row.addLayout(words, 1)
        row.addSpacing(16)
        self.position = Button("", icon="list", command="oldest_question", parent=self)
        self.position.hide()
        row.addWidget(self.position)
        row.addSpacing(12)
        self._ring = CountdownRing(20, self)
        self.clock = _Clock(self)
        row.addWidget(self._ring)
        row.addSpacing(_GAP)
        row.addWidget(self.clock)
        self.more_time = Button(tr("+5 min"), shortcut_hint="P" if in_page else "", parent=self)
        self.more_time.setAccessibleName(tr("Leave it open for 5 more minutes"))
        self.more_time.hide()
        self._before_more = QSpacerItem(0, 0)
        row.addItem(self._before_more)
        row.addWidget(self.more_time)

    def show_countdown(self, countdown: Countdown) -> None:
        """Show how long the question stays open."""
        self._ring.setVisible(countdown.left_s is not None)
        self._ring.set_left(countdown.part, urgent=countdown.urgent)
        self.clock.show_countdown(countdown)
        self._before_more.changeSize(12 if countdown.is_last_minute else 0, 0)
        self.more_time.setVisible(countdown.is_last_minute)

    def show_position(self, number: int, total: int) -> None:
        """Offer to leave the question open on the Approvals page, and show how many others wait."""
        if total > 1:
            words = tr("{number} of {total}", number=number, total=total)
            name = tr("{number} of {total}, show all", number=number, total=total)
            hint = tr("{count} more to answer after this one. Show all on the Approvals page", count=total - number)
        else:
            words = name = tr("Decide later")
            hint = tr("Leave it open on the Approvals page, and look around in the window first")
        self.position.setText(words)
        self.position.setAccessibleName(name)
        self.position.setToolTip(hint)
        self.position.updateGeometry()
        self.position.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._in_page:
            return
        line = QRect(0, self.height() - 1, self.width(), 1)
        painter_of(self).fillRect(line, theme_of(self).color.border)
