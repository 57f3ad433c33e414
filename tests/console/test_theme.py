import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from console.theme import Theme, ThemeController, ThemeName, load_theme, theme_of
from console.theme.current import set_application_theme
from console.theme.files import resource_text
from console.theme.fonts import load_fonts
from console.theme.sheet import build_palette, build_style_sheet, icon_svg
from console.theme.tokens import Tone, parse_color

NAMES: tuple[ThemeName, ...] = ("light", "dark")


@pytest.fixture
def application(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    qapp.styleHints().unsetColorScheme()
    qapp.setPalette(QPalette())
    qapp.setStyleSheet("")
    set_application_theme(qapp, None)


def _snake(name: str) -> str:
    return re.sub(r"([A-Z])", lambda found: "_" + found[1].lower(), name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("group", ["color", "syntax", "plot"])
def test_every_colour_of_the_tokens_is_typed(name: ThemeName, group: str) -> None:
    raw = json.loads(resource_text("tokens.json"))[group][name]
    typed = getattr(load_theme(name), group)
    assert set(typed._fields) == {_snake(key) for key in raw}
    assert all(getattr(typed, _snake(key)) == parse_color(value) for key, value in raw.items())


@pytest.mark.parametrize("name", NAMES)
def test_every_tone_and_size_of_the_tokens_is_typed(name: ThemeName) -> None:
    raw = json.loads(resource_text("tokens.json"))
    theme = load_theme(name)
    for tone, colors in raw["status"][name].items():
        for part, value in colors.items():
            assert getattr(theme.tone(tone), part).name() == value.lower()
    assert set(theme.size._fields) == {_snake(key) for key in raw["size"]}
    assert theme.size.row_tree == 24
    assert theme.space[2] == 8
    assert theme.radius.medium == 6
    assert theme.motion.spinner_period == 900
    assert theme.plot_line["p95"].dashes == (6.0, 3.0)
    assert theme.plot_line["p50"].dashes == ()
    assert theme.plot_line["threshold"].color == theme.plot.threshold


def test_colours_are_read_as_css_writes_them() -> None:
    assert parse_color("rgba(22,24,32,0.36)").alpha() == 92
    with pytest.raises(ValueError, match="expected a colour"):
        parse_color("#12")


def _luminance(color: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def _contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _over(paint: QColor, ground: QColor) -> QColor:
    """Return what is seen of a colour that lets its ground shine through."""
    share = paint.alphaF()
    parts = ((paint.redF(), ground.redF()), (paint.greenF(), ground.greenF()), (paint.blueF(), ground.blueF()))
    return QColor.fromRgbF(*(one * share + other * (1 - share) for one, other in parts))


Pairs = Iterator[tuple[str, QColor, QColor]]
TONES: tuple[Tone, ...] = ("ok", "warn", "error", "run", "idle")
READ, SEEN, FAINT = 4.5, 3.0, 2.0
"""What WCAG 2.2 demands of text (1.4.3) and of what is no text (1.4.11); it demands nothing of what is disabled."""


def _surfaces(theme: Theme) -> dict[str, QColor]:
    return {name: getattr(theme.color, name) for name in ("window", "panel", "surface", "raised", "inset", "field")}


def _grounds(theme: Theme) -> dict[str, QColor]:
    """Return the surfaces, and what a row, a button or a chip looks like in its states."""
    color, surfaces = theme.color, _surfaces(theme)
    states = ("hover", "pressed", "selected", "selected_inactive", "accent_soft")
    return surfaces | {name: _over(getattr(color, name), color.surface) for name in states}


def _texts(theme: Theme) -> Pairs:
    color, syntax, surfaces, grounds = theme.color, theme.syntax, _surfaces(theme), _grounds(theme)
    for name, ground in grounds.items():
        for ink in ("text", "text2"):
            yield f"{ink} on {name}", getattr(color, ink), ground
    for name in (*surfaces, "hover", "pressed"):
        yield f"text3 on {name}", color.text3, grounds[name]
    for name in (*surfaces, "selected", "accent_soft"):
        yield f"link on {name}", color.accent_text, grounds[name]
    for name in ("accent", "accent_hover", "accent_pressed"):
        yield f"button in {name}", color.on_accent, getattr(color, name)
    yield "selected row", color.selected_text, grounds["selected"]
    yield "match", color.match_text, color.match_bg
    yield "text on a match", color.text, _over(color.match_bg, color.surface)
    yield "tooltip", color.tooltip_text, color.tooltip
    yield "axis of a plot", theme.plot.axis, color.surface
    for tone in TONES:
        known = theme.tone(tone)
        soft = _over(known.soft, color.surface)
        for paint in (known.text, color.text, color.text2):
            yield f"badge or banner {tone}", paint, soft
        for name, surface in surfaces.items():
            yield f"{tone} on {name}", known.text, surface
    kinds = ("key", "string", "number", "boolean", "null", "punctuation", "comment", "keyword", "function")
    for kind in kinds:
        for name in ("surface", "inset", "panel", "selected"):
            yield f"{kind} on {name}", getattr(syntax, kind), grounds[name]
    for side in ("added", "removed"):
        yield f"words {side}", getattr(syntax, side), _over(getattr(syntax, f"{side}_bg"), color.surface)
        yield f"letters {side}", color.text, _over(getattr(syntax, f"{side}_strong"), color.surface)


def _shapes(theme: Theme) -> Pairs:
    color, grounds = theme.color, _grounds(theme)
    for name, ground in grounds.items():
        yield f"focus ring on {name}", color.focus, ground
    for name, surface in _surfaces(theme).items():
        yield f"edge of a field on {name}", color.border_field, surface
        yield f"switch on {name}", color.accent, surface
        for tone in TONES:
            yield f"sign {tone} on {name}", theme.tone(tone).fill, surface
    for line in ("s1", "s2", "s3", "s4", "s5", "s6", "threshold"):
        for ground in (color.surface, color.panel):
            yield f"line {line}", getattr(theme.plot, line), ground
    for kind, drawn in theme.plot_line.items():
        yield f"line {kind}", drawn.color, color.surface


def _disabled(theme: Theme) -> Pairs:
    for name, surface in _surfaces(theme).items():
        yield f"disabled on {name}", theme.color.text_disabled, surface
    yield "disabled field", theme.color.text_disabled, theme.color.field_disabled


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_is_painted_stands_out_from_its_ground(name: ThemeName) -> None:
    theme = load_theme(name)
    too_faint = [
        f"{what}: {ink.name()} on {ground.name()} is {contrast:.2f}, not {least}"
        for pairs, least in ((_texts, READ), (_shapes, SEEN), (_disabled, FAINT))
        for what, ink, ground in pairs(theme)
        if (contrast := _contrast(_over(ink, ground), ground)) < least
    ]
    assert too_faint == []


def test_fonts_are_ours_and_loaded() -> None:
    assert {"Inter", "JetBrains Mono"} <= set(load_fonts())


def test_font_roles_follow_the_scale() -> None:
    theme = load_theme("light")
    assert (theme.font("body").pixelSize(), theme.font("body").families()[0]) == (13, "Inter")
    assert theme.font("medium").weight() == QFont.Weight.Medium
    assert theme.font("title").weight() == QFont.Weight.DemiBold
    assert theme.font("code").families()[0] == "JetBrains Mono"
    assert theme.line_height("code") == 20


def test_figures_are_tabular_on_request_and_code_has_no_ligatures() -> None:
    theme = load_theme("light")
    tnum, calt = QFont.Tag("tnum"), QFont.Tag("calt")
    assert theme.font("small", tabular=True).featureValue(tnum) == 1
    assert theme.font("metric").isFeatureSet(tnum)
    assert not theme.font("small").isFeatureSet(tnum)
    assert theme.font("code").isFeatureSet(calt)
    assert theme.font("code").featureValue(calt) == 0


def test_a_font_given_out_is_the_callers_own() -> None:
    theme = load_theme("light")
    theme.font("body").setPixelSize(99)
    assert theme.font("body").pixelSize() == 13


def test_icons_stay_clear_when_small_and_light_when_large() -> None:
    theme = load_theme("light")
    assert theme.icon_stroke(16) == pytest.approx(1.85)
    assert theme.icon_stroke(20) == pytest.approx(1.6)
    assert theme.icon_stroke(12) == theme.icon_stroke(16)
    assert theme.icon_stroke(20) < theme.icon_stroke(18) < theme.icon_stroke(16)
    assert theme.icon_stroke(200) == pytest.approx(1.25)


@pytest.mark.parametrize("name", NAMES)
def test_the_sheet_is_filled_and_its_pictures_exist(name: ThemeName, tmp_path: Path) -> None:
    sheet = build_style_sheet(load_theme(name), tmp_path)
    assert "{{" not in sheet
    pictures = {Path(found) for found in re.findall(r'url\("([^"]+)"\)', sheet)}
    assert pictures == set(tmp_path.iterdir())
    assert all("currentColor" not in picture.read_text(encoding="utf-8") for picture in pictures)


@pytest.mark.expects_log("console.theme.sheet")
def test_pictures_that_cannot_be_written_are_left_out_of_the_sheet(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    missing = tmp_path / "missing"
    for folder in (None, missing):
        sheet = build_style_sheet(load_theme("light"), folder)
        assert "url(" not in sheet
        assert "image: none" in sheet
    assert f"a small picture of the window is left out: [Errno 2] No such file or directory: '{missing}" in caplog.text


def test_a_sheet_that_names_an_unknown_token_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*parts: str) -> str:
        return "QWidget { color: {{ color.mauve }}; }"

    monkeypatch.setattr("console.theme.sheet.resource_text", broken)
    with pytest.raises(ValueError, match=r"'color\.mauve'"):
        build_style_sheet(load_theme("light"), tmp_path)


def test_an_icon_takes_colour_and_stroke() -> None:
    svg = icon_svg("check", QColor("#123456"), 1.85)
    assert 'stroke="#123456"' in svg
    assert 'stroke-width="1.85"' in svg
    assert "currentColor" not in svg


@pytest.mark.parametrize("name", NAMES)
def test_the_palette_has_all_three_groups(name: ThemeName) -> None:
    theme = load_theme(name)
    palette = build_palette(theme)
    group, role = QPalette.ColorGroup, QPalette.ColorRole
    assert palette.color(group.Active, role.Text) == theme.color.text
    assert palette.color(group.Active, role.Highlight) == theme.color.selected
    assert palette.color(group.Inactive, role.Highlight) == theme.color.selected_inactive
    assert palette.color(group.Disabled, role.Text) == theme.color.text_disabled
    assert palette.color(group.Active, role.PlaceholderText) == theme.color.text3


def test_without_a_controller_the_light_theme_counts(application: QApplication) -> None:
    assert theme_of() is load_theme("light")


def test_a_chosen_theme_reaches_palette_tokens_and_listeners(application: QApplication) -> None:
    controller = ThemeController(application, "light")
    heard: list[Any] = []
    controller.changed.connect(heard.append)
    controller.set_mode("dark")
    dark = load_theme("dark")
    assert theme_of() is dark
    assert controller.theme is dark
    assert application.palette().color(QPalette.ColorRole.Window) == dark.color.surface
    assert dark.color.border_field.name() in application.styleSheet()
    assert application.font().pixelSize() == 13
    controller.set_mode("dark")
    assert heard == [dark]
    assert controller.mode == "dark"


class DesktopHints(QObject):
    """A desktop whose wish can be changed; without a screen Qt has none."""

    colorSchemeChanged = Signal(Qt.ColorScheme)  # noqa: N815 - Qt's name

    def __init__(self) -> None:
        super().__init__()
        self.wish = Qt.ColorScheme.Dark
        self.override: Qt.ColorScheme | None = None

    def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802 - Qt's name
        return self.override or self.wish

    def setColorScheme(self, scheme: Qt.ColorScheme) -> None:  # noqa: N802 - Qt's name
        self.override = scheme
        self.colorSchemeChanged.emit(scheme)

    def unsetColorScheme(self) -> None:  # noqa: N802 - Qt's name
        self.override = None
        self.colorSchemeChanged.emit(self.wish)

    def change(self, wish: Qt.ColorScheme) -> None:
        self.wish = wish
        self.colorSchemeChanged.emit(wish)


def test_the_system_theme_is_followed_until_the_user_chooses(application: QApplication) -> None:
    hints = DesktopHints()
    controller = ThemeController(application, "system", hints=cast("QStyleHints", hints))
    shown = [controller.theme]
    controller.changed.connect(shown.append)
    hints.change(Qt.ColorScheme.Light)
    controller.set_mode("dark")
    assert hints.override is Qt.ColorScheme.Dark
    hints.change(Qt.ColorScheme.Light)  # the user's choice counts now
    controller.set_mode("system")
    light, dark = load_theme("light"), load_theme("dark")
    assert shown == [dark, light, dark, light]


def _paper(widget: QWidget) -> Theme | None:
    """Return the theme whose field colour a line edit is filled with."""
    color = widget.grab().toImage().pixelColor(widget.width() - 12, widget.height() // 2)
    return next((theme for theme in map(load_theme, NAMES) if theme.color.field == color), None)


def test_standard_widgets_change_with_the_theme(application: QApplication, qtbot: QtBot) -> None:
    controller = ThemeController(application, "light")
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    field = QLineEdit()
    for widget in (field, QCheckBox("on"), QLabel("words")):
        column.addWidget(widget)
    window.show()
    assert field.height() == 28
    assert _paper(field) is load_theme("light")
    controller.set_mode("dark")
    assert _paper(field) is load_theme("dark")


def test_an_error_outlines_the_field(application: QApplication, qtbot: QtBot) -> None:
    controller = ThemeController(application, "light")
    field = QLineEdit("9000")
    field.setProperty("error", "true")
    qtbot.addWidget(field)
    field.show()
    edge = field.grab().toImage().pixelColor(field.width() // 2, 0)
    assert edge == controller.theme.status.error.fill
