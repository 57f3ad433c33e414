"""Apply a theme to the application and follow the system's choice."""

from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QObject, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QStyleHints
from PySide6.QtWidgets import QApplication, QToolTip

from console.theme.current import set_application_theme
from console.theme.mirroring import MirroredStyle
from console.theme.polish import PolishQueue
from console.theme.sheet import build_palette, build_style_sheet
from console.theme.tokens import Density, Theme, ThemeName, load_theme

__all__ = ["ThemeController", "ThemeMode"]

ThemeMode = Literal["light", "dark", "system"]

_SCHEMES: Final = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}


class ThemeController(QObject):
    """Own the application's look: Fusion, the palette, the style sheet and the tokens that `theme_of` gives.

    Args:
        application: The application to dress. The theme is applied at once.
        mode: The user's choice; "system" follows the desktop, also when it changes later.
        density: How high rows are; it stays, as layouts are not told of a change.
        hints: Says and changes what the desktop wants; None for the application's own.

    Signals:
        changed(Theme): Another theme was applied; palette and style sheet are in place already.
    """

    changed = Signal(object)

    def __init__(
        self,
        application: QApplication,
        mode: ThemeMode = "system",
        *,
        density: Density = "comfortable",
        hints: QStyleHints | None = None,
    ) -> None:
        super().__init__()
        self._application = application
        self._hints = hints if hints is not None else application.styleHints()
        self._glyphs = QTemporaryDir()
        self._polish_queue = PolishQueue(application, self)
        self._mode: ThemeMode = mode
        self._density: Density = density
        if application.isRightToLeft():
            application.setStyle(MirroredStyle())
        else:
            application.setStyle("Fusion")
        self._follow_mode()
        self._theme = load_theme(self._wanted(), self._density)
        self._apply()
        self._hints.colorSchemeChanged.connect(self._on_hints_color_scheme_changed)

    @property
    def mode(self) -> ThemeMode:
        """Give the user's choice."""
        return self._mode

    @property
    def theme(self) -> Theme:
        return self._theme

    def set_mode(self, mode: ThemeMode) -> None:
        """Choose a theme, or let the system choose.

        Args:
            mode: "light", "dark" or "system".
        """
        self._mode = mode
        self._follow_mode()
        self._show_wanted()

    def close(self) -> None:
        """Take away the pictures of the style sheet; the window is closed."""
        self._glyphs.remove()

    def _follow_mode(self) -> None:
        if self._mode == "system":
            self._hints.unsetColorScheme()
        else:
            # Window frames and file dialogs that the system draws follow the choice as well.
            self._hints.setColorScheme(_SCHEMES[self._mode])

    def _wanted(self) -> ThemeName:
        if self._mode != "system":
            return self._mode
        dark = self._hints.colorScheme() is Qt.ColorScheme.Dark
        return "dark" if dark else "light"

    def _on_hints_color_scheme_changed(self) -> None:
        self._show_wanted()

    def _show_wanted(self) -> None:
        theme = load_theme(self._wanted(), self._density)
        if theme is self._theme:
            return
        self._theme = theme
        self._apply()
        self.changed.emit(theme)

    def _apply(self) -> None:
        application = self._application
        # First the tokens: widgets that are repainted by what follows read them.
        set_application_theme(application, self._theme)
        application.setFont(self._theme.font("body"))
        palette = build_palette(self._theme)
        application.setPalette(palette)
        QToolTip.setPalette(palette)
        QToolTip.setFont(self._theme.font("small"))
        glyphs = Path(self._glyphs.path()) if self._glyphs.isValid() else None
        self._polish_queue.set_style_sheet(build_style_sheet(self._theme, glyphs))
