"""The look of the application: tokens, palette, style sheet, fonts."""

from console.theme.controller import ThemeController, ThemeMode
from console.theme.current import theme_of
from console.theme.mirroring import (
    directed,
    draw_words,
    mirror,
    mirrored,
    painter_of,
    place_in,
    text_direction,
    upright,
)
from console.theme.tokens import FontRole, StatusColors, Theme, ThemeName, Tone, load_theme

__all__ = [
    "FontRole",
    "StatusColors",
    "Theme",
    "ThemeController",
    "ThemeMode",
    "ThemeName",
    "Tone",
    "directed",
    "draw_words",
    "load_theme",
    "mirror",
    "mirrored",
    "painter_of",
    "place_in",
    "text_direction",
    "theme_of",
    "upright",
]
