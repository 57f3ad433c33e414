"""Push buttons, icon buttons, and rows whose buttons show only their icons where there is little room."""

from collections.abc import Sequence
from typing import Final, Literal, Protocol

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolButton, QWidget

from console.assets import icon_color, paint_icon
from console.keymap import caps_of, keymap, readable
from console.language import tr
from console.theme import Theme, painter_of, theme_of
from console.widgets.painting import paint_box, paint_text

ButtonKind = Literal["primary", "normal", "soft", "ghost", "danger"]

_ICON_GAP: Final = 6
_HINT_GAP: Final = 8
_RETURN: Final = readable("Return")
_RETURN_SIZE: Final = 12
_RETURN_GAP: Final = 3


class Button(QPushButton):
    """A push button of the design: icon, text, the shortcut inside, a chevron if it opens a menu.

    The shortcut is only shown, as an action elsewhere owns it.

    Args:
        kind: "primary" (one for each pane), "normal", "soft" (a toggled panel, a suggested repair), "ghost" (tool
            bars) or "danger".
        icon: Name of a shipped icon, or "" for none.
        shortcut_hint: As in the design, `Ctrl+Enter`; the window's language has its own words for keys.
        command: Its keys are shown as the shortcut, whichever count.
        large: 32 instead of 28 px high, for dialogs.
        chevron: Whether a chevron says that a menu opens; a menu set later shows it too.
    """

    def __init__(
        self,
        text: str,
        *,
        kind: ButtonKind = "normal",
        icon: str = "",
        shortcut_hint: str = "",
        command: str = "",
        large: bool = False,
        chevron: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self.kind: ButtonKind = kind
        self._icon_name = icon
        self.shortcut_hint = readable(shortcut_hint)
        self._large = large
        self._chevron = chevron
        self.is_compact = False
        self.setProperty("kind", kind)
        self.setProperty("large", large)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        if shortcut_hint:
            self.setAccessibleDescription(tr("Shortcut {keys}", keys=self.shortcut_hint))
        self._command = command
        if command:
            keymap().changed.connect(self._follow_keys)
            self._follow_keys()

    @Slot()
    def _follow_keys(self) -> None:
        self.set_shortcut_hint(keymap().shown(self._command))

    def set_kind(self, kind: ButtonKind) -> None:
        """Change the kind, as when a suggested repair turns primary."""
        self.kind = kind
        self.setProperty("kind", kind)
        self.update()

    def set_icon(self, name: str) -> None:
        """Show another icon; "" for none."""
        self._icon_name = name
        self.updateGeometry()
        self.update()

    def set_shortcut_hint(self, shortcut_hint: str) -> None:
        """Show another shortcut; "" for none."""
        self.shortcut_hint = readable(shortcut_hint)
        self.setAccessibleDescription(tr("Shortcut {keys}", keys=self.shortcut_hint) if shortcut_hint else "")
        self.updateGeometry()
        self.update()

    def set_compact(self, *, compact: bool) -> None:
        """Paint only the icon, with the text as tooltip if there is no other; without an icon nothing changes."""
        if compact == self.is_compact or not self._icon_name:
            return
        if compact and not self.toolTip():
            self.setToolTip(self._text())
        elif not compact and self.toolTip() == self._text():
            self.setToolTip("")
        self.is_compact = compact
        self.updateGeometry()
        self.update()

    def width_for(self, *, compact: bool) -> int:
        """Return the width that the button needs with its text, or with its icon alone."""
        label = "" if compact and self._icon_name else self._text()
        return self._content_width(theme_of(self), label) + sum(self._paddings())

    def sizeHint(self) -> QSize:
        size = theme_of(self).size
        return QSize(self.width_for(compact=self.is_compact), size.control_large if self._large else size.control)

    def minimumSizeHint(self) -> QSize:
        """Return the size hint: a button never hides part of its text."""
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        fill, border = self._box_colors(theme)
        paint_box(painter, self.rect(), theme.radius.medium, fill=fill, border=border)
        left, _ = self._paddings()
        spare = self.width() - self.sizeHint().width()
        self._paint_content(painter, theme, left + max(0, spare // 2))

    def _paddings(self) -> tuple[int, int]:
        # Glyphs have empty space around them, words have not.
        if self._large:
            return (11 if self._icon_name else 15), 15
        ends_in_glyph = self._chevron or self.menu() is not None or self._hint_parts()[1]
        return (11 if self._icon_name else 13), (10 if ends_in_glyph else 13)

    def _label(self) -> str:
        return "" if self.is_compact else self._text()

    def _text(self) -> str:
        return self.text().replace("&&", "\0").replace("&", "").replace("\0", "&")

    def _hint_parts(self) -> tuple[str, bool]:
        keys = caps_of(self.shortcut_hint)
        returns = bool(keys) and keys[-1] == _RETURN
        return " ".join(keys[:-1] if returns else keys), returns

    def _content_width(self, theme: Theme, label: str) -> int:
        width = QFontMetrics(theme.font("medium")).horizontalAdvance(label) if label else 0
        if self._icon_name:
            width += theme.size.icon + (_ICON_GAP if label else 0)
        hint, returns = self._hint_parts()
        if hint:
            width += _HINT_GAP + QFontMetrics(theme.font("caption")).horizontalAdvance(hint)
        if returns:
            width += (_RETURN_GAP if hint else _HINT_GAP) + _RETURN_SIZE
        if self._chevron or self.menu() is not None:
            width += _ICON_GAP + theme.size.icon
        return width

    def _box_colors(self, theme: Theme) -> tuple[QColor | None, QColor | None]:
        color = theme.color
        pressed = self.isDown() or (self.isCheckable() and self.isChecked())
        over = self.underMouse()
        if not self.isEnabled():
            return None, None if self.kind == "ghost" else color.border
        if self.kind == "primary":
            fill = color.accent_pressed if pressed else color.accent_hover if over else color.accent
            return fill, fill
        if self.kind == "soft":
            return (color.selected if over or pressed else color.accent_soft), color.accent_border
        feedback = color.pressed if pressed else color.hover if over else None
        if self.kind == "ghost":
            return feedback, None
        if self.kind == "danger":
            soft = theme.status.error.soft if over or pressed else color.raised
            return soft, theme.status.error.border
        return feedback or color.raised, color.border_strong

    def _ink(self, theme: Theme) -> tuple[QColor, QColor, QColor]:
        """Give the colours of the text, of icons and of the shortcut."""
        color = theme.color
        if not self.isEnabled():
            return color.text_disabled, color.text_disabled, color.text_disabled
        if self.kind == "primary":
            return color.on_accent, color.on_accent, color.on_accent
        if self.kind == "soft":
            return color.accent_text, color.accent_text, color.accent_text
        if self.kind == "danger":
            return theme.status.error.text, theme.status.error.text, theme.status.error.text
        text = color.text2 if self.kind == "ghost" and not self.underMouse() else color.text
        return text, color.text2, color.text3

    def _paint_content(self, painter: QPainter, theme: Theme, left: int) -> None:
        text_ink, icon_ink, hint_ink = self._ink(theme)
        height = self.height()
        if self._icon_name:
            size = theme.size.icon
            paint_icon(painter, QRect(left, (height - size) // 2, size, size), self._icon_name, icon_ink, theme)
            left += size + _ICON_GAP
        label, font = self._label(), theme.font("medium")
        width = QFontMetrics(font).horizontalAdvance(label)
        paint_text(painter, QRect(left, 0, width + 1, height), label, font, text_ink)
        left += width
        hint, returns = self._hint_parts()
        if hint:
            caption = theme.font("caption")
            left += _HINT_GAP
            width = QFontMetrics(caption).horizontalAdvance(hint)
            paint_text(painter, QRect(left, 0, width + 1, height), hint, caption, hint_ink)
            left += width
        if returns:
            left += _RETURN_GAP if hint else _HINT_GAP
            box = QRect(left, (height - _RETURN_SIZE) // 2, _RETURN_SIZE, _RETURN_SIZE)
            paint_icon(painter, box, "corner-down-left", hint_ink, theme, stroke_width=2.4)
            left += _RETURN_SIZE
        if self._chevron or self.menu() is not None:
            box = QRect(left + _ICON_GAP, (height - theme.size.icon) // 2, theme.size.icon, theme.size.icon)
            paint_icon(painter, box, "chevron-down", icon_ink, theme)


class Compactable(Protocol):
    """A widget with an icon and words, which can show the icon alone."""

    is_compact: bool

    def set_compact(self, *, compact: bool) -> None:
        """Show the icon alone, or the words as well."""

    def width_for(self, *, compact: bool) -> int:
        """Return the width that is needed for the icon alone, or for both."""

    def isVisibleTo(self, _ancestor: QWidget, /) -> bool:
        """Return whether it shows when the ancestor does."""


class CompactingRow(QObject):
    """Show buttons and labels of a row as icons only, while the row is too narrow for all of their texts.

    Args:
        row: A widget with a layout; it is watched for its width and for what its layout needs.
        buttons: Those that may become icons, the first to do so first.
    """

    def __init__(self, row: QWidget, buttons: Sequence[Compactable]) -> None:
        super().__init__(row)
        self._row = row
        self._buttons = tuple(buttons)
        self._least = row.minimumWidth()
        # Else the row's layout would keep the window as wide as the texts need.
        row.setMinimumWidth(max(self._least, 1))
        row.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the buttons when the row or what is in it has another width."""
        if watched is self._row and event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit()
        return False

    def _fit(self) -> None:
        layout = self._row.layout()
        if layout is None:
            return
        # The width with all texts is computed, not tried, so that no button blinks and no resize leads to another.
        shown = [button for button in self._buttons if button.isVisibleTo(self._row)]
        saved = {button: button.width_for(compact=False) - button.width_for(compact=True) for button in shown}
        needed = layout.minimumSize().width() + sum(saved[button] for button in shown if button.is_compact)
        needed_as_icons = needed - sum(saved.values())
        for button in shown:
            is_too_wide = needed > self._row.width()
            needed -= saved[button] if is_too_wide else 0
            button.set_compact(compact=is_too_wide)
        self._row.setMinimumWidth(max(self._least, needed_as_icons))


class IconButton(QToolButton):
    """A button that shows only an icon; its name is the tooltip and the accessible name.

    Args:
        icon: Name of a shipped icon.
        name: What it does, sentence case.
        shortcut_hint: Shown behind the name in the tooltip.
        command: Its keys are shown there, whichever count.
        size: 28, or 36 in the rail; rail icons are 20 px.
        outlined: Whether it has a border, as beside a field.
        plain: Whether being on shows in the colour of the icon alone, as for the panel switches of the top bar.
    """

    def __init__(
        self,
        icon: str,
        name: str,
        *,
        shortcut_hint: str = "",
        command: str = "",
        size: int = 28,
        outlined: bool = False,
        plain: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._size = size
        self._outlined = outlined
        self._plain = plain
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._command = command
        if command:
            keymap().changed.connect(self._show_tip)
        self.set_name(name, shortcut_hint)

    def set_name(self, name: str, shortcut_hint: str = "") -> None:
        """Say what the button does now, as when "Close panel" becomes "Open panel"."""
        self._shortcut_hint = readable(shortcut_hint)
        self.setAccessibleName(name)
        self._show_tip()

    @Slot()
    def _show_tip(self) -> None:
        name = self.accessibleName()
        keys = keymap().shown(self._command) if self._command else self._shortcut_hint
        self.setToolTip(f"{name} ({keys})" if keys else name)

    def set_icon(self, icon: str) -> None:
        self._icon_name = icon
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = painter_of(self)
        over = self.underMouse() and self.isEnabled()
        tinted = self.isChecked() and not self._plain
        fill = color.accent_soft if tinted else color.raised if self._outlined else None
        if self.isDown():
            fill = color.pressed
        elif over and not tinted:
            fill = color.hover
        border = (color.border_strong if self.isEnabled() else color.border) if self._outlined else None
        if fill is not None or border is not None:
            paint_box(painter, self.rect(), theme.radius.medium, fill=fill, border=border)
        size = theme.size.icon
        if self._size > theme.size.control_large:
            size = theme.size.icon_large
        elif self._size < theme.size.control:
            size = theme.size.icon_small
        mode = QIcon.Mode.Normal if self.isEnabled() else QIcon.Mode.Disabled
        state = QIcon.State.On if self.isChecked() else QIcon.State.Off
        ink = icon_color(theme, "default", QIcon.Mode.Active if over else mode, state)
        if self._plain:
            ink = color.text if self.isChecked() else color.text3
        paint_icon(
            painter,
            QRect((self.width() - size) // 2, (self.height() - size) // 2, size, size),
            self._icon_name,
            ink,
            theme,
        )
