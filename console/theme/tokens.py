"""The design tokens as frozen, typed values; no other module holds a colour or a size of the design."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeVar

from PySide6.QtGui import QColor, QFont

from console.theme.files import resource_text

__all__ = [
    "Colors",
    "Density",
    "FontRole",
    "Motion",
    "PlotColors",
    "PlotLine",
    "Sizes",
    "StatusColors",
    "StatusTones",
    "SyntaxColors",
    "Theme",
    "ThemeName",
    "Tone",
    "TypeStyle",
    "load_theme",
    "parse_color",
]

ThemeName = Literal["light", "dark"]
Density = Literal["comfortable", "compact"]
Tone = Literal["ok", "warn", "error", "run", "idle"]
FontRole = Literal["display", "title", "heading", "body", "medium", "small", "caption", "code", "metric"]

_Values = TypeVar("_Values", bound=NamedTuple)
_MEDIUM_WEIGHT: Final = 500


class Colors(NamedTuple):
    """Surfaces, text levels, the accent and what is drawn with them."""

    window: QColor
    panel: QColor
    surface: QColor
    raised: QColor
    inset: QColor
    field: QColor
    field_disabled: QColor
    border: QColor
    border_strong: QColor
    border_field: QColor
    divider: QColor
    text: QColor
    text2: QColor
    text3: QColor
    text_disabled: QColor
    on_accent: QColor
    hover: QColor
    pressed: QColor
    selected: QColor
    selected_inactive: QColor
    selected_text: QColor
    accent: QColor
    accent_hover: QColor
    accent_pressed: QColor
    accent_text: QColor
    accent_soft: QColor
    accent_border: QColor
    focus: QColor
    match_bg: QColor
    match_text: QColor
    scrim: QColor
    tooltip: QColor
    tooltip_text: QColor
    scroll_thumb: QColor
    guide: QColor


class StatusColors(NamedTuple):
    """The four colours of one status tone."""

    text: QColor
    fill: QColor
    soft: QColor
    border: QColor


class StatusTones(NamedTuple):
    """The five status tones; `theme.tone(name)` looks one up by its name."""

    ok: StatusColors
    warn: StatusColors
    error: StatusColors
    run: StatusColors
    idle: StatusColors


class SyntaxColors(NamedTuple):
    """Colours of JSON, code and differences between texts."""

    key: QColor
    string: QColor
    number: QColor
    boolean: QColor
    null: QColor
    punctuation: QColor
    comment: QColor
    keyword: QColor
    function: QColor
    added: QColor
    added_bg: QColor
    added_strong: QColor
    removed: QColor
    removed_bg: QColor
    removed_strong: QColor


class PlotColors(NamedTuple):
    """Colours of plots: six series, the grid, the axis text, thresholds and the band of a selection."""

    s1: QColor
    s2: QColor
    s3: QColor
    s4: QColor
    s5: QColor
    s6: QColor
    grid: QColor
    axis: QColor
    threshold: QColor
    band: QColor


class PlotLine(NamedTuple):
    """How one kind of plot line is drawn.

    Attributes:
        width: Pen width in logical pixels.
        dashes: Lengths of dash and gap in logical pixels; empty for a solid line.
    """

    color: QColor
    width: float
    dashes: tuple[float, ...]


class Sizes(NamedTuple):
    """Lengths in logical pixels."""

    top_bar: int
    rail: int
    rail_button: int
    dock_width: int
    dock_min: int
    tab_bar: int
    panel_header: int
    status_bar: int
    toolbar_row: int
    row_tree: int
    row_table: int
    row_table_dense: int
    table_header: int
    control: int
    control_large: int
    icon_small: int
    icon: int
    icon_large: int
    status_glyph: int
    indent: int
    splitter: int
    splitter_hit: int
    scroll_bar: int
    focus_ring: int
    dialog_width: int
    palette_width: int
    drawer_width: int


class Radii(NamedTuple):
    """Corner radii in logical pixels."""

    none: int
    small: int
    medium: int
    large: int
    pill: int


class Motion(NamedTuple):
    """Durations in milliseconds; all easing is OutCubic."""

    hover: int
    press: int
    expand: int
    drawer: int
    toast: int
    spinner_period: int
    countdown_tick: int


class TypeStyle(NamedTuple):
    """One step of the type scale.

    Attributes:
        size: Font size in logical pixels.
        line: Line height in logical pixels.
        weight: 100 to 900.
        mono: Whether it is set in the code face.
        tabular: Whether its figures are always equally wide.
    """

    size: int
    line: int
    weight: int
    mono: bool = False
    tabular: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Theme:
    """All design tokens of one theme. Delegates and custom widgets read colours, sizes and fonts from here only.

    Attributes:
        name: "light" or "dark".
        color: Surfaces, text and accent.
        syntax: Code colours.
        plot_line: Line styles by name: p50, p95, p99, threshold.
        space: Distances on the 4 px grid by step: `theme.space[2]` is 8.
        size: Sizes of regions, rows and controls.
        motion: Durations in milliseconds.
        type_scale: The type scale by font role.
        ui_families: The UI face and its stand-ins.
        mono_families: The code face and its stand-ins.
        icon_stroke_by_size: Stroke width of icons in units of their 24-unit grid, by pixel size.
    """

    name: ThemeName
    color: Colors
    status: StatusTones
    syntax: SyntaxColors
    plot: PlotColors
    plot_line: Mapping[str, PlotLine]
    space: Mapping[int, int]
    radius: Radii
    size: Sizes
    motion: Motion
    type_scale: Mapping[str, TypeStyle]
    ui_families: tuple[str, ...]
    mono_families: tuple[str, ...]
    icon_stroke_by_size: Mapping[int, float]

    @property
    def is_dark(self) -> bool:
        return self.name == "dark"

    def tone(self, name: Tone) -> StatusColors:
        tone: StatusColors = getattr(self.status, name)
        return tone

    def font(self, role: FontRole, *, tabular: bool = False) -> QFont:
        """Give the font of a role of the type scale.

        The code face has no ligatures, so that `->` stays two characters.

        Args:
            role: A step of the scale; "medium" is body at weight 500, as buttons have it.
            tabular: Whether all figures are equally wide, for columns of numbers and for numbers that count. Not for
                words: it widens the hyphen too. The role "metric" is always tabular.

        Returns:
            A font of its own, which the caller may change.
        """
        style = self.type_scale[role]
        families = self.mono_families if style.mono else self.ui_families
        return QFont(_make_font(families, style, tabular or style.tabular))

    def line_height(self, role: FontRole) -> int:
        """Give the line height of a font role in logical pixels."""
        return self.type_scale[role].line

    def icon_stroke(self, size: int) -> float:
        """Give the stroke width for an icon drawn `size` logical pixels wide, in units of its 24-unit grid.

        The tokens name it for two sizes: smaller icons have the lines of the small one, larger ones follow the slope
        between both, so that they stay light.
        """
        (small, small_width), (large, large_width) = sorted(self.icon_stroke_by_size.items())
        slope = (large_width - small_width) / (large - small)
        return min(small_width, max(1.25, small_width + (size - small) * slope))


@lru_cache(maxsize=32)
def _make_font(families: tuple[str, ...], style: TypeStyle, tabular: bool) -> QFont:
    font = QFont()
    font.setFamilies(list(families))
    font.setPixelSize(style.size)
    font.setWeight(QFont.Weight(style.weight))
    # Fractional advances keep the face's own spacing; hinting to whole pixels spreads small text unevenly.
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    if style.mono:
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFixedPitch(True)
        font.setFeature(QFont.Tag("calt"), 0)
    elif tabular:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def parse_color(text: str) -> QColor:
    """Read a colour of the tokens file.

    Args:
        text: `#RRGGBB` or `rgba(r,g,b,a)` with a from 0 to 1.

    Returns:
        The colour.

    Raises:
        ValueError: The text is neither.
    """
    if text.startswith("rgba(") and text.endswith(")"):
        red, green, blue, alpha = (part.strip() for part in text[5:-1].split(","))
        color = QColor(int(red), int(green), int(blue))
        color.setAlphaF(float(alpha))
        return color
    color = QColor(text)
    if not color.isValid():
        msg = f"expected a colour as #RRGGBB or rgba(r,g,b,a), got {text!r}; correct it in tokens.json"
        raise ValueError(msg)
    return color


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _colors(kind: type[_Values], raw: Mapping[str, str]) -> _Values:
    return kind._make(parse_color(raw[_camel(name)]) for name in kind._fields)


def _numbers(kind: type[_Values], raw: Mapping[str, Any]) -> _Values:
    return kind._make(int(raw[_camel(name)]) for name in kind._fields)


def _plot_lines(raw: Mapping[str, Mapping[str, Any]], plot: PlotColors) -> dict[str, PlotLine]:
    lines = {}
    for name, line in raw.items():
        dash = line["dash"]
        dashes = () if dash == "solid" else tuple(float(part) for part in dash.split())
        lines[name] = PlotLine(getattr(plot, line.get("series", "threshold")), float(line["width"]), dashes)
    return lines


def _type_scale(raw: Mapping[str, Mapping[str, Any]]) -> dict[str, TypeStyle]:
    scale = {
        name: TypeStyle(
            step["size"],
            step["line"],
            step["weight"],
            mono=step.get("family") == "mono",
            tabular="tnum" in step.get("features", ()),
        )
        for name, step in raw.items()
    }
    body = scale["body"]
    return scale | {"medium": TypeStyle(body.size, body.line, _MEDIUM_WEIGHT)}


def load_theme(name: ThemeName, density: Density = "comfortable") -> Theme:
    """Read one theme from the shipped tokens file.

    Args:
        name: "light" or "dark".
        density: How high rows are.

    Returns:
        The theme; the same object each time, so that themes can be compared by identity.
    """
    return _theme(name, density)


@lru_cache(maxsize=4)
def _theme(name: ThemeName, density: Density) -> Theme:
    raw = json.loads(resource_text("tokens.json"))
    plot = _colors(PlotColors, raw["plot"][name])
    tones = {tone: _colors(StatusColors, colors) for tone, colors in raw["status"][name].items()}
    return Theme(
        name=name,
        color=_colors(Colors, raw["color"][name]),
        status=StatusTones(**tones),
        syntax=_colors(SyntaxColors, raw["syntax"][name]),
        plot=plot,
        plot_line=_plot_lines(raw["plotLine"], plot),
        space={int(step): length for step, length in raw["space"].items()},
        radius=_numbers(Radii, raw["radius"]),
        size=_numbers(Sizes, raw["size"] | (raw["sizeCompact"] if density == "compact" else {})),
        motion=_numbers(Motion, raw["motion"]),
        type_scale=_type_scale(raw["type"]["scale"]),
        ui_families=tuple(raw["type"]["ui"]["family"]),
        mono_families=tuple(raw["type"]["mono"]["family"]),
        icon_stroke_by_size={int(size): float(width) for size, width in raw["icons"]["strokeWidth"].items()},
    )
