"""Parts a page is built of: heads, sections, banners, empty states."""

from collections.abc import Sequence
from typing import Final, Literal

from PySide6.QtCore import QEasingCurve, QEvent, QPropertyAnimation, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QSplitter,
    QSplitterHandle,
    QVBoxLayout,
    QWidget,
)

from console.assets import paint_icon
from console.theme import Tone, painter_of, theme_of
from console.widgets.boxes import hbox, set_margins
from console.widgets.buttons import Button
from console.widgets.labels import TextLabel
from console.widgets.motion import motion_ms
from console.widgets.painting import paint_box, paint_text


class _Handle(QSplitterHandle):
    """Draw one pixel, feel eight: the handle lies over its neighbours and only its middle is painted."""

    def paintEvent(self, event: QPaintEvent) -> None:
        color = theme_of(self).color
        QPainter(self).fillRect(self.contentsRect(), color.accent_border if self.underMouse() else color.border)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Qt does the same for 5 px in its own handler, which is replaced: QSplitter lays out by the contents rectangle,
        # the mask limits painting to it, and the mouse is felt in the margins too.
        theme = theme_of(self)
        spare = theme.size.splitter_hit - theme.size.splitter
        before, after = (spare + 1) // 2, spare // 2
        self.setAttribute(Qt.WidgetAttribute.WA_MouseNoMask)
        if self.orientation() is Qt.Orientation.Horizontal:
            self.setContentsMargins(before, 0, after, 0)
        else:
            self.setContentsMargins(0, before, 0, after)
        self.setMask(self.contentsRect())

    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Enter, QEvent.Type.Leave}:
            self.update()
        return super().event(event)


class ThinSplitter(QSplitter):
    """A splitter with a 1 px line and 8 px to grip.

    Args:
        orientation: Horizontal puts its widgets side by side.
    """

    def __init__(self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(theme_of(self).size.splitter)
        self.setChildrenCollapsible(False)
        self._first_sizes: list[int] = []

    def begin_with(self, sizes: Sequence[int]) -> None:
        """Share the room like this as long as nobody shares it another way, and again after `reset`."""
        self._first_sizes = list(sizes)
        self.reset()

    def reset(self) -> None:
        """Share the room as on a first start, if that was said."""
        if self._first_sizes:
            self.setSizes(self._first_sizes)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


_UNLIMITED: Final = 16_777_215
_BANNER_ICONS: Final[dict[Tone, str]] = {
    "warn": "triangle-alert",
    "error": "octagon-x",
    "ok": "circle-check",
    "run": "info",
    "idle": "info",
}
Edge = Literal["top", "bottom", "both", "none"]
Surface = Literal["window", "panel", "surface", "raised", "inset"]


class BarFrame(QWidget):
    """A bar of fixed height on a surface, with a 1 px line at an edge that what stands in the bar may cover.

    Args:
        height: Logical pixels.
        surface: Name of a colour of the theme.
        margins: Left and right margin in logical pixels.
        spacing: Gap between what is in it.
    """

    def __init__(
        self,
        height: int,
        *,
        surface: Surface = "surface",
        edge: Edge = "bottom",
        margins: tuple[int, int] = (0, 12),
        spacing: int = 8,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._surface = surface
        self._edge: Edge = edge
        self.setFixedHeight(height)
        self.row = QHBoxLayout(self)
        set_margins(self.row, margins[0], 0, margins[1], 0)
        self.row.setSpacing(spacing)

    def paintEvent(self, event: QPaintEvent) -> None:
        color = theme_of(self).color
        painter = painter_of(self)
        paint_box(painter, self.rect(), 0, fill=getattr(color, self._surface))
        if self._edge in {"top", "both"}:
            paint_box(painter, QRect(0, 0, self.width(), 1), 0, fill=color.border)
        if self._edge in {"bottom", "both"}:
            paint_box(painter, QRect(0, self.height() - 1, self.width(), 1), 0, fill=color.border)


class PanelHeader(BarFrame):
    """The head of a panel: its title at the left, then what is added to `row`, buttons at the right by `add_button`.

    Args:
        title: The panel's name.
        height: 36, or 32 for Activity.
        surface: Name of a colour of the theme.
    """

    def __init__(self, title: str, *, height: int = 36, edge: Edge = "none", surface: Surface = "panel") -> None:
        super().__init__(height, surface=surface, edge=edge, margins=(12, 4), spacing=8)
        self.title = TextLabel(title, "heading")
        # Qt's middle of 13 px text is one pixel too low; see `paint_text`.
        self.title.setContentsMargins(0, 0, 0, 2)
        self.row.addWidget(self.title)
        self.row.addStretch(1)

    def add_label(self, widget: QWidget) -> None:
        self.row.insertWidget(self.row.count() - self._buttons() - 1, widget)

    def add_button(self, widget: QWidget) -> None:
        self.row.addWidget(widget)

    def _buttons(self) -> int:
        items = [self.row.itemAt(index) for index in range(self.row.count())]
        stretch = next(index for index, item in enumerate(items) if item is not None and item.spacerItem())
        return len(items) - stretch - 1


class _SectionHead(QAbstractButton):
    """The line that opens and closes a section."""

    def __init__(self, title: str, *, code: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(title)
        self.setAccessibleName(title)
        self.setCheckable(True)
        self._code = code
        self.summary = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        theme = theme_of(self)
        font = theme.font("code" if self._code else "heading")
        return QSize(24 + self.fontMetrics().horizontalAdvance(self.text()) + font.pixelSize(), theme.size.control)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            self.setChecked(event.key() == Qt.Key.Key_Right)
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        ink = theme.color.text if self.isEnabled() else theme.color.text_disabled
        chevron = "chevron-down" if self.isChecked() else "chevron-right"
        box = QRect(0, (self.height() - 14) // 2, 14, 14)
        paint_icon(painter, box, chevron, theme.color.text2 if self.isEnabled() else ink, theme)
        font = theme.font("code" if self._code else "heading")
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(self.text())
        paint_text(painter, QRect(22, 0, width + 1, self.height()), self.text(), font, ink)
        if self.summary and not self.isChecked():
            left = 22 + width + 12
            rest = QRect(left, 0, self.width() - left, self.height())
            paint_text(painter, rest, self.summary, theme.font("code"), theme.color.text2)


class Collapsible(QWidget):
    """A section that opens and closes, in 120 ms unless less motion is wanted.

    Space, Enter, Left and Right work on its head.

    Args:
        expanded: Whether it starts open.
        code: Whether the title is an argument's name.

    Signals:
        toggled(bool): It is opening (True) or closing.
    """

    toggled = Signal(bool)

    def __init__(self, title: str, *, expanded: bool = True, code: bool = False) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head_row = QHBoxLayout()
        head_row.setContentsMargins(0, 0, 0, 0)
        self._head = _SectionHead(title, code=code, parent=self)
        self._head.setChecked(expanded)
        head_row.addWidget(self._head, 1)
        column.addLayout(head_row)
        self.body = QWidget(self)
        self.body.setVisible(expanded)
        column.addWidget(self.body)
        self._animation = QPropertyAnimation(self.body, b"maximumHeight", self)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.finished.connect(self._on_animation_finished)
        self._head.toggled.connect(self._on_head_toggled)

    def set_expanded(self, *, expanded: bool) -> None:
        self._head.setChecked(expanded)

    def set_summary(self, summary: str) -> None:
        """Say in code, beside the title, what a closed section holds."""
        self._head.summary = summary
        self._head.update()

    def set_body_layout(self, layout: QLayout) -> None:
        self.body.setLayout(layout)

    def _on_head_toggled(self, expanded: bool) -> None:
        self._animation.stop()
        duration_ms = motion_ms(theme_of(self).motion.expand) if self.isVisible() else 0
        start = self.body.height() if self.body.isVisible() else 0
        self.body.setVisible(True)
        self._animation.setDuration(duration_ms)
        self._animation.setStartValue(start)
        self._animation.setEndValue(self.body.sizeHint().height() if expanded else 0)
        self.toggled.emit(expanded)
        if duration_ms:
            self._animation.start()
        else:
            self._on_animation_finished()

    def _on_animation_finished(self) -> None:
        self.body.setMaximumHeight(_UNLIMITED)
        self.body.setVisible(self._head.isChecked())


class _Glyph(QWidget):
    def __init__(self, icon: str, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon = icon
        self.tone: Tone | None = None
        self.setFixedSize(size, size)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        ink = theme.tone(self.tone).text if self.tone is not None else theme.color.text3
        paint_icon(painter_of(self), self.rect(), self.icon, ink, theme)


class EmptyState(QWidget):
    """Nothing here yet: a 20 px icon, one fact, one sentence, one action and perhaps another one.

    Args:
        icon: Name of a shipped icon.
        fact: "No calls yet".
        action: Words of the button; "" for none.
        other: Words of a second button beside it; "" for none.

    Signals:
        action_requested: The button was pressed.
        other_requested: The second one was pressed.
    """

    action_requested = Signal()
    other_requested = Signal()

    def __init__(
        self,
        icon: str,
        fact: str,
        sentence: str,
        *,
        action: str = "",
        other: str = "",
        shortcut_hint: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"{fact}. {sentence}")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(4)
        column.addStretch(1)
        self._glyph = _Glyph(icon, 20, self)
        self._fact = TextLabel(fact, "body", "text2")
        self._fact.setFixedHeight(theme_of(self).line_height("body"))
        self._sentence = TextLabel(sentence, "small", "text3", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._sentence.setMinimumWidth(120)
        column.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(4)
        column.addWidget(self._fact, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._sentence)
        self.button: Button | None = None
        if action:
            self.button = Button(action, shortcut_hint=shortcut_hint)
            self.button.clicked.connect(self.action_requested)
            buttons = hbox(spacing=8)
            buttons.addStretch(1)
            buttons.addWidget(self.button)
            if other:
                second = Button(other)
                second.clicked.connect(self.other_requested)
                buttons.addWidget(second)
            buttons.addStretch(1)
            column.addSpacing(8)
            column.addLayout(buttons)
        column.addStretch(1)

    def show_text(self, fact: str, sentence: str) -> None:
        self._fact.setText(fact)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{fact}. {sentence}")


class ToneFrame(QFrame):
    """A box in the soft colour of a tone.

    Args:
        tone: "warn", "error", "run" or "ok".
    """

    def __init__(self, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tone: Tone = tone

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.tone(self.tone)
        paint_box(painter_of(self), self.rect(), theme.radius.medium, fill=tone.soft, border=tone.border)


class Banner(ToneFrame):
    """What is wrong on this page: icon, bold fact, consequence, at most two actions.

    Args:
        tone: "warn", "error", "run" or "ok".
        fact: The bold part.
        actions: Words of the buttons, by key.
    """

    action_requested = Signal(str)

    def __init__(
        self,
        tone: Tone,
        fact: str,
        consequence: str,
        *,
        actions: dict[str, str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tone, parent)
        self.setAccessibleName(f"{fact} {consequence}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        set_margins(row, 12, 8, 8, 8)
        row.setSpacing(8)
        self._glyph = _Glyph(_BANNER_ICONS[tone], 16, self)
        self._glyph.tone = tone
        row.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignVCenter)
        self._fact = TextLabel(fact, "heading", tone)
        self._consequence = TextLabel(consequence, "body", "text", wrap=True)
        self._aside: TextLabel | None = None
        row.addWidget(self._fact)
        row.addWidget(self._consequence, 1)
        self._row = row
        self.buttons: dict[str, Button] = {}
        for key, words in (actions or {}).items():
            button = self.buttons[key] = Button(words)
            button.setProperty("actionKey", key)
            button.clicked.connect(self._on_button_clicked)
            row.addWidget(button)

    def show_text(self, fact: str, consequence: str) -> None:
        self._fact.setText(fact)
        self._consequence.setText(consequence)
        self.setAccessibleName(f"{fact} {consequence}".strip())

    def show_aside(self, text: str) -> None:
        """Say something by the way behind the consequence, which stays on one line then."""
        if self._aside is None:
            self._aside = TextLabel("", "small", "text2")
            place = self._row.indexOf(self._consequence)
            self._consequence.setWordWrap(False)
            self._row.setStretch(place, 0)
            self._row.insertWidget(place + 1, self._aside)
            self._row.insertStretch(place + 2, 1)
        self._aside.setText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what is said by the way where there is no room for it."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._aside is None:
            return
        # A label that wraps says nothing of the width of its text in one line.
        consequence = self._consequence.fontMetrics().horizontalAdvance(self._consequence.text())
        others = [self._glyph, self._fact, *self.buttons.values()]
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        needed = margins.left() + margins.right() + consequence + sum(one.sizeHint().width() + gap for one in others)
        self._consequence.setWordWrap(needed > self.width())
        self._aside.setVisible(needed + self._aside.sizeHint().width() + 2 * gap <= self.width())

    def set_tone(self, tone: Tone) -> None:
        """Be about something better or worse."""
        if tone != self.tone:
            self.tone = self._glyph.tone = tone
            self._glyph.icon = _BANNER_ICONS[tone]
            self._fact.set_tone(tone)
            self.update()

    def _on_button_clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.action_requested.emit(sender.property("actionKey"))
