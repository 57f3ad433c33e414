"""Build the palette and the one style sheet of a theme."""

import logging
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtGui import QColor, QPalette

from console.theme.files import resource_text
from console.theme.tokens import Theme

__all__ = ["build_palette", "build_style_sheet", "css_color", "icon_svg"]

_log = logging.getLogger(__name__)

_PLACEHOLDER: Final = re.compile(r"\{\{\s*([^}]+?)\s*\}\}")
_STROKE_WIDTH: Final = re.compile(r'stroke-width="[0-9.]+"')


def css_color(color: QColor) -> str:
    """Write a colour as a style sheet or SVG file spells it.

    Returns:
        `#rrggbb`, or `rgba(r,g,b,a)` if it lets something through.
    """
    if color.alpha() == 255:
        return color.name()
    return f"rgba({color.red()},{color.green()},{color.blue()},{color.alpha()})"


@lru_cache(maxsize=256)
def _icon_source(name: str) -> str:
    return resource_text("icons", f"{name}.svg")


def icon_svg(name: str, color: QColor, stroke_width: float) -> str:
    """Give the SVG text of a shipped icon in one colour.

    Args:
        name: File name below `resources/icons` without the ending.
        color: What `currentColor` becomes.
        stroke_width: Line width in units of the icon's 24-unit grid.

    Returns:
        A whole SVG document.
    """
    svg = _icon_source(name).replace("currentColor", color.name())
    return _STROKE_WIDTH.sub(f'stroke-width="{stroke_width:g}"', svg)


def _lookup(theme: Theme, path: str) -> str:
    value: object = theme
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, dict) else getattr(value, part, None)
    if isinstance(value, QColor):
        return css_color(value)
    if isinstance(value, int):
        return f"{value}px"
    msg = f"the style sheet template names {path!r}, which is no colour or length of the theme; correct the template"
    raise ValueError(msg)


def build_style_sheet(theme: Theme, glyph_folder: Path | None) -> str:
    """Fill the style sheet template.

    The template names tokens as `{{ color.surface }}` and indicator pictures as `{{ glyph NAME COLOUR STROKE }}`. Qt's
    style sheets can show a picture only from a file, so each glyph is written once, in its colour, to `glyph_folder`.

    Args:
        theme: Where the values come from.
        glyph_folder: An existing folder that outlives the use of the style sheet. Glyphs that cannot be written there,
            as on a full disk, are left out; None leaves out all.

    Returns:
        The style sheet for the application.

    Raises:
        ValueError: The template names a token that does not exist.
    """

    def fill(match: re.Match[str]) -> str:
        words = match[1].split()
        if words[0] != "glyph":
            return _lookup(theme, match[1])
        _, name, color_name, stroke = words
        if glyph_folder is None:
            return "none"
        path = glyph_folder / f"{theme.name}-{name}-{color_name}-{stroke}.svg"
        try:
            path.write_text(icon_svg(name, getattr(theme.color, color_name), float(stroke)), encoding="utf-8")
        except OSError as error:
            _log.warning("a small picture of the window is left out: %s", error)
            return "none"
        return f'url("{path.as_posix()}")'

    return _PLACEHOLDER.sub(fill, resource_text("theme.qss.template"))


def build_palette(theme: Theme) -> QPalette:
    """Fill all three groups of a palette, for everything that no style sheet rule reaches.

    Args:
        theme: Where the colours come from.

    Returns:
        The palette for the application.
    """
    color = theme.color
    role = QPalette.ColorRole
    colors = {
        role.Window: color.surface,
        role.WindowText: color.text,
        role.Base: color.surface,
        role.AlternateBase: color.inset,
        role.Text: color.text,
        role.PlaceholderText: color.text3,
        role.Button: color.raised,
        role.ButtonText: color.text,
        role.BrightText: theme.status.error.text,
        role.Highlight: color.selected,
        role.HighlightedText: color.selected_text,
        role.Link: color.accent_text,
        role.LinkVisited: color.accent_text,
        role.ToolTipBase: color.tooltip,
        role.ToolTipText: color.tooltip_text,
        role.Accent: color.accent,
        role.Light: color.raised,
        role.Midlight: color.divider,
        role.Mid: color.border,
        role.Dark: color.border_strong,
        role.Shadow: color.border_strong,
    }
    palette = QPalette()
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled):
        for which, value in colors.items():
            palette.setColor(group, which, value)
    palette.setColor(QPalette.ColorGroup.Inactive, role.Highlight, color.selected_inactive)
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.PlaceholderText, role.Link):
        palette.setColor(QPalette.ColorGroup.Disabled, which, color.text_disabled)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Base, color.field_disabled)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, color.selected_inactive)
    return palette
