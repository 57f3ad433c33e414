import gc
import json

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from console.assets import application_icon, icon, icon_color, icon_pixmap, paint_icon
from console.theme import load_theme
from console.theme.current import set_application_theme
from console.theme.files import resource_path, resource_text
from tests.console.shipped_icons import icon_names


def _inks(pixmap: QPixmap) -> set[str]:
    """Return the colours of all pixels that are painted fully."""
    image = pixmap.toImage()
    points = [(x, y) for x in range(image.width()) for y in range(image.height())]
    colors = [image.pixelColor(*point) for point in points]
    return {color.name() for color in colors if color.alpha() == 255}


def test_every_icon_of_the_tokens_is_shipped() -> None:
    wanted = set(json.loads(resource_text("tokens.json"))["icons"]["names"])
    assert wanted <= icon_names()


def test_every_icon_takes_its_colour(qapp: QApplication) -> None:
    stubborn = [
        name
        for name in icon_names()
        if "currentColor" not in resource_text("icons", f"{name}.svg")
        or icon_pixmap(name, 16, QColor("#ff0000"), 1.0, 2.0).toImage().allGray()
    ]
    assert stubborn == []


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("fonts/Inter-OFL.txt", "SIL OPEN FONT LICENSE"),
        ("fonts/JetBrainsMono-OFL.txt", "SIL OPEN FONT LICENSE"),
        ("icons/LICENSE.txt", "ISC License"),
        ("icons/LICENSE.txt", "The MIT License"),
    ],
)
def test_licences_come_along(file: str, words: str) -> None:
    assert words in resource_text(*file.split("/"))


def test_shipped_files_stay_modest() -> None:
    # What translators write is shipped compiled alone.
    shipped = (path for path in resource_path().rglob("*") if path.is_file() and path.suffix != ".ts")
    size_bytes = sum(path.stat().st_size for path in shipped)
    assert size_bytes < 4_500_000


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_icons_are_rendered_for_the_screen(ratio: float) -> None:
    pixmap = icon("wrench").pixmap(QSize(16, 16), ratio, QIcon.Mode.Normal, QIcon.State.Off)
    assert pixmap.size() == QSize(round(16 * ratio), round(16 * ratio))
    assert pixmap.devicePixelRatio() == pytest.approx(ratio)


def test_an_icon_follows_theme_and_state(qapp: QApplication) -> None:
    square = icon("square")
    light, dark = load_theme("light"), load_theme("dark")
    try:
        assert light.color.text2.name() in _inks(square.pixmap(QSize(40, 40)))
        set_application_theme(qapp, dark)
        assert dark.color.text2.name() in _inks(square.pixmap(QSize(40, 40)))
        disabled = square.pixmap(QSize(40, 40), QIcon.Mode.Disabled)
        assert dark.color.text_disabled.name() in _inks(disabled)
    finally:
        set_application_theme(qapp, None)


def test_roles_decide_about_colours() -> None:
    theme = load_theme("light")
    normal, selected, active = QIcon.Mode.Normal, QIcon.Mode.Selected, QIcon.Mode.Active
    assert icon_color(theme, "muted", normal) == theme.color.text3
    assert icon_color(theme, "default", selected) == theme.color.selected_text
    assert icon_color(theme, "default", active) == theme.color.text
    assert icon_color(theme, "default", normal, QIcon.State.On) == theme.color.accent_text
    assert icon_color(theme, "on_accent", normal) == theme.color.on_accent
    assert icon_color(theme, "error", normal) == theme.status.error.fill
    assert icon_color(theme, "error", QIcon.Mode.Disabled) == theme.color.text_disabled


def test_an_icon_outlives_its_copies() -> None:
    original = icon("check")
    copy = QIcon(original)
    copy.addPixmap(QPixmap(4, 4))  # makes Qt clone the engine
    gc.collect()
    assert copy.pixmap(QSize(20, 20)).size() == QSize(20, 20)
    del copy
    assert original.pixmap(QSize(20, 20)).size() == QSize(20, 20)


def test_an_unknown_icon_is_refused() -> None:
    with pytest.raises(ValueError, match="got 'no-such-icon'"):
        icon("no-such-icon")


def test_an_icon_is_painted_in_the_middle() -> None:
    image = QImage(40, 20, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_icon(painter, QRect(0, 0, 40, 20), "square", QColor("#00ff00"))
    paint_icon(painter, QRect(0, 0, 0, 20), "square", QColor("#00ff00"))
    painter.end()
    painted = [x for x in range(40) if any(image.pixelColor(x, y).alpha() for y in range(20))]
    assert 10 < painted[0] < painted[-1] < 30


def test_the_program_has_an_icon() -> None:
    assert "#4355d6" in _inks(application_icon().pixmap(QSize(64, 64)))
