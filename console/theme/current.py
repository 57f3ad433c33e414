"""Which theme a widget is painted with."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QObject

from console.theme.tokens import Theme, load_theme

__all__ = ["set_application_theme", "theme_of"]

_PROPERTY: Final = "toolConsoleTheme"


def theme_of(_widget: QObject | None = None) -> Theme:
    """Give the theme that a widget is painted with.

    Qt keeps what all widgets share (palette, style sheet, font) on the application object; the tokens stand beside
    them as a property of that object. So a widget needs no theme in its constructor, the value lives exactly as long
    as the application, and two applications in one test run share nothing.

    Args:
        _widget: The widget that asks; all widgets of one application have the same theme.

    Returns:
        The theme last applied, or the light one as long as none was.
    """
    application = QCoreApplication.instance()
    theme = application.property(_PROPERTY) if application is not None else None
    return theme if isinstance(theme, Theme) else load_theme("light")


def set_application_theme(application: QCoreApplication, theme: Theme | None) -> None:
    """Set what `theme_of` answers from now on; None takes it back.

    Args:
        theme: The theme its palette and style sheet were built from.
    """
    application.setProperty(_PROPERTY, theme)
