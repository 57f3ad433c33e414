"""Words: labels, badges, pills, lines."""

from typing import Final, Literal

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QStyle, QWidget

from console.assets import Picture, paint_icon, paint_picture
from console.theme import FontRole, Theme, painter_of, text_direction, theme_of
from console.widgets.painting import paint_box, paint_pill, paint_text, pill_size

TextTone = Literal["text", "text2", "text3", "accent", "ok", "warn", "error", "run", "idle"]
BadgeTone = Literal["neutral", "accent", "ok", "warn", "error", "run", "idle"]
Surface = Literal["window", "panel", "surface", "raised", "inset"]

_FIXED: Final = QSizePolicy.Policy.Fixed


def set_surface(widget: QWidget, surface: Surface) -> None:
    """Fill a widget with one of the theme's surfaces, also after a change of theme.

    Args:
        widget: A container or an item view.
        surface: "window" (bars) < "panel" (docks) < "surface" (pages) < "raised" (dialogs); "inset" for heads.
    """
    widget.setProperty("surface", surface)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def tone_color(theme: Theme, tone: TextTone) -> QColor:
    """Give the colour of a text tone."""
    if tone == "accent":
        return theme.color.accent_text
    if tone in {"text", "text2", "text3"}:
        color: QColor = getattr(theme.color, tone)
        return color
    return theme.tone(tone).text  # type: ignore[arg-type]


class TextLabel(QLabel):
    """A label of the type scale. It shows plain text only, so that no tool's output can act as markup.

    Args:
        font: Role in the type scale.
        tone: Level or status tone of its colour.
        wrap: Whether long text breaks into lines.
        selectable: Whether the text can be marked and copied.
    """

    def __init__(
        self,
        text: str = "",
        font: FontRole = "body",
        tone: TextTone = "text",
        *,
        wrap: bool = False,
        selectable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(theme_of(self).font(font))
        self.setProperty("tone", tone)
        self.setWordWrap(wrap)
        if selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setText(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words by the direction of their letters, not by that of the window; Qt does the latter."""
        words = self.text()
        # What can be marked is laid out as a document, which looks at the letters.
        is_document = bool(self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse)
        if self.isLeftToRight() or is_document or text_direction(words) is self.layoutDirection():
            super().paintEvent(event)
            return
        align = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        wrap = Qt.TextFlag.TextWordWrap if self.wordWrap() else 0
        flags = align | wrap | Qt.TextFlag.TextForceLeftToRight
        painter, ink = QPainter(self), self.foregroundRole()
        self.style().drawItemText(
            painter, self.contentsRect(), int(flags), self.palette(), self.isEnabled(), words, ink
        )

    def set_tone(self, tone: TextTone) -> None:
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)

    def set_font_role(self, font: FontRole) -> None:
        """Change its step in the type scale."""
        self.setFont(theme_of(self).font(font))


class ElidedLabel(QWidget):
    """One line of text that shortens itself; the whole text is the tooltip while it is shortened.

    Args:
        font: Role in the type scale.
        tone: Level or status tone of its colour.
        elide: Right for text, middle for paths.
    """

    def __init__(
        self,
        text: str = "",
        font: FontRole = "body",
        tone: TextTone = "text",
        *,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.text = ""
        self._role: FontRole = font
        self._tone: TextTone = tone
        self._elide = elide
        self.setSizePolicy(QSizePolicy.Policy.Preferred, _FIXED)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        if text == self.text:
            return
        self.text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._follow_width()
        self.update()

    def sizeHint(self) -> QSize:
        theme = theme_of(self)
        metrics = QFontMetrics(theme.font(self._role))
        return QSize(metrics.horizontalAdvance(self.text) + 1, theme.line_height(self._role))

    def minimumSizeHint(self) -> QSize:
        """Return the width below which it may not shrink: a few letters."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), 32), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Offer the whole text as tooltip while it is shortened."""
        super().resizeEvent(event)
        self._follow_width()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = tone_color(theme, self._tone) if self.isEnabled() else theme.color.text_disabled
        paint_text(painter_of(self), self.rect(), self.text, theme.font(self._role), color, elide=self._elide)

    def _follow_width(self) -> None:
        self.setToolTip(self.text if self.width() < self.sizeHint().width() else "")


class IconLabel(QWidget):
    """A small icon with words beside it, as "7 of 7 valid".

    Args:
        icon: Name of a shipped icon.
        font: Role in the type scale.
        tone: Colour of the words.
        icon_tone: Colour of the icon; None for the same as the words.
        size: Edge of the icon in logical pixels.
    """

    def __init__(
        self,
        icon: str,
        text: str = "",
        font: FontRole = "small",
        tone: TextTone = "text2",
        *,
        icon_tone: TextTone | None = None,
        size: int = 14,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self.picture: Picture | None = None
        self.is_compact = False
        self.text = text
        self._role: FontRole = font
        self._tone: TextTone = tone
        self._icon_tone: TextTone | None = icon_tone
        self._size = size
        self.setSizePolicy(_FIXED, _FIXED)
        self.setAccessibleName(text)

    def show_state(self, icon: str, text: str, tone: TextTone = "text2", icon_tone: TextTone | None = None) -> None:
        """Show another state.

        Args:
            icon: Name of a shipped icon.
            tone: Colour of the words.
            icon_tone: Colour of the icon; None for the same.
        """
        self._icon_name, self.text, self._tone, self._icon_tone = icon, text, tone, icon_tone
        self.setAccessibleName(text)
        if self.is_compact:
            self.setToolTip(text)
        self.updateGeometry()
        self.update()

    def set_compact(self, *, compact: bool) -> None:
        """Paint only the icon, with the words as tooltip."""
        if compact == self.is_compact:
            return
        self.is_compact = compact
        self.setToolTip(self.text if compact else "")
        self.updateGeometry()
        self.update()

    def width_for(self, *, compact: bool) -> int:
        """Return the width of the icon alone, or of both."""
        advance = QFontMetrics(theme_of(self).font(self._role)).horizontalAdvance(self.text)
        return self._size + (6 + advance + 1 if self.text and not compact else 0)

    def show_picture(self, picture: Picture | None) -> None:
        """Show somebody else's icon in place of ours; None shows ours again."""
        self.picture = picture
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.width_for(compact=self.is_compact), theme_of(self).line_height(self._role))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        ink = tone_color(theme, self._tone)
        icon_ink = tone_color(theme, self._icon_tone) if self._icon_tone is not None else ink
        top = (self.height() - self._size) // 2
        place = QRect(0, top, self._size, self._size)
        if self.picture is not None:
            paint_picture(painter, place, self.picture, theme)
        else:
            paint_icon(painter, place, self._icon_name, icon_ink, theme)
        left = self._size + 6
        words = QRect(left, 0, self.width() - left, self.height())
        if not self.is_compact:
            paint_text(painter, words, self.text, theme.font(self._role), ink)


class Badge(QWidget):
    """A fact about a tool, 20 px high. Facts are neutral; only "Now destructive" and the like are tinted.

    Args:
        icon: Name of a shipped icon, or "" for none.
        tone: "neutral" or a tone.
    """

    def __init__(
        self, text: str, *, icon: str = "", tone: BadgeTone = "neutral", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.text = text
        self._icon_name = icon
        self._tone: BadgeTone = tone
        self.setSizePolicy(_FIXED, _FIXED)
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        self.text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        advance = QFontMetrics(theme_of(self).font("caption")).horizontalAdvance(self.text)
        return QSize(advance + 16 + (16 if self._icon_name else 0), 20)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        if self._tone == "neutral":
            fill, ink = theme.status.idle.soft, theme.color.text2
        elif self._tone == "accent":
            fill, ink = theme.color.accent_soft, theme.color.accent_text
        else:
            fill, ink = theme.tone(self._tone).soft, theme.tone(self._tone).text
        box = QRect(0, (self.height() - 20) // 2, self.width(), 20)
        paint_box(painter, box, theme.radius.small, fill=fill)
        left = 8
        if self._icon_name:
            paint_icon(painter, QRect(left, box.y() + 4, 12, 12), self._icon_name, ink, theme)
            left += 16
        words = QRect(left, box.y(), box.width() - left - 7, 20)
        paint_text(painter, words, self.text, theme.font("caption"), ink)


class CountPill(QWidget):
    """A count, 16 px high."""

    def __init__(self, text: str = "", *, accent: bool = False) -> None:
        super().__init__()
        self._text = text
        self._accent = accent
        self.setSizePolicy(_FIXED, _FIXED)
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        """Show another count; "" hides the pill."""
        self._text = text
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(*pill_size(self._text, theme_of(self)))

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_pill(painter_of(self), self.rect(), self._text, theme_of(self), accent=self._accent)


class Divider(QFrame):
    """A 1 px line.

    Args:
        orientation: Along which it runs.
        length: Fixed length in logical pixels; None to fill.
    """

    def __init__(self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, *, length: int | None = None) -> None:
        super().__init__()
        if orientation is Qt.Orientation.Horizontal:
            self.setFixedHeight(1)
            if length is not None:
                self.setFixedWidth(length)
        else:
            self.setFixedWidth(1)
            if length is not None:
                self.setFixedHeight(length)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_box(painter_of(self), self.rect(), 0, fill=theme_of(self).color.border)
