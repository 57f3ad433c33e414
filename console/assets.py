"""Icons and other shipped files, coloured for the theme that is shown; and icons of others, as they are."""

from typing import ClassVar, Final, Literal, NamedTuple, get_args

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QImage, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from console.theme.current import theme_of
from console.theme.files import resource_path
from console.theme.mirroring import as_icon
from console.theme.sheet import icon_svg
from console.theme.tokens import Theme, Tone

IconRole = Literal["default", "muted", "strong", "accent", "on_accent", "ok", "warn", "error", "run", "idle"]

_TONES: Final = get_args(Tone)


def icon_pixmap(name: str, size: int, color: QColor, device_pixel_ratio: float, stroke_width: float) -> QPixmap:
    """Render an icon, or take it from Qt's pixmap cache.

    Args:
        name: File name below `resources/icons` without the ending.
        size: Width and height in logical pixels.
        color: Colour of its lines.
        device_pixel_ratio: Device pixels for each logical pixel.
        stroke_width: Line width in units of the icon's 24-unit grid.

    Returns:
        A pixmap that carries the device pixel ratio.
    """
    key = f"tool-console:{name}:{size}:{color.name(QColor.NameFormat.HexArgb)}:{device_pixel_ratio:g}:{stroke_width:g}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    edge = round(size * device_pixel_ratio)
    pixmap = QPixmap(edge, edge)
    pixmap.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(icon_svg(name, color, stroke_width).encode())
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, edge, edge))
    painter.end()
    pixmap.setDevicePixelRatio(device_pixel_ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def paint_icon(
    painter: QPainter,
    rect: QRect,
    name: str,
    color: QColor,
    theme: Theme | None = None,
    *,
    stroke_width: float | None = None,
) -> None:
    """Paint an icon in the middle of a rectangle, as large as its shorter side.

    Args:
        painter: Where to paint; its device decides about the resolution.
        rect: Logical pixels.
        name: File name below `resources/icons` without the ending.
        color: Colour of its lines.
        theme: Whose stroke widths count; None for the theme that is shown.
        stroke_width: Line width in units of the icon's 24-unit grid; None for the theme's.
    """
    size = min(rect.width(), rect.height())
    if size <= 0:
        return
    stroke = (theme or theme_of()).icon_stroke(size) if stroke_width is None else stroke_width
    pixmap = icon_pixmap(name, size, color, painter.device().devicePixelRatioF(), stroke)
    corner = QPoint(rect.x() + (rect.width() - size) // 2, rect.y() + (rect.height() - size) // 2)
    with as_icon(painter, rect, name):
        painter.drawPixmap(corner, pixmap)


class Picture(NamedTuple):
    """An icon that somebody else made, in its own colours.

    Attributes:
        dark: What is shown in the dark one; often the same.
    """

    light: QImage
    dark: QImage


def paint_picture(painter: QPainter, rect: QRect, picture: Picture, theme: Theme | None = None) -> None:
    """Paint somebody's icon in the middle of a rectangle, as large as its shorter side.

    Args:
        painter: Where to paint; its device decides about the resolution.
        rect: Logical pixels.
        theme: For which it is painted; None for the theme that is shown.
    """
    size = min(rect.width(), rect.height())
    if size <= 0:
        return
    image = picture.dark if (theme or theme_of()).is_dark else picture.light
    ratio = painter.device().devicePixelRatioF()
    key = f"tool-console:picture:{image.cacheKey()}:{size}:{ratio:g}"
    pixmap = QPixmap()
    if not QPixmapCache.find(key, pixmap):
        edge = round(size * ratio)
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        pixmap = QPixmap.fromImage(image.scaled(edge, edge, keep, smooth))
        pixmap.setDevicePixelRatio(ratio)
        QPixmapCache.insert(key, pixmap)
    shown = pixmap.deviceIndependentSize().toSize()
    left, top = (rect.width() - shown.width()) // 2, (rect.height() - shown.height()) // 2
    with as_icon(painter, rect, ""):
        painter.drawPixmap(rect.x() + left, rect.y() + top, pixmap)


def icon_color(theme: Theme, role: IconRole, mode: QIcon.Mode, state: QIcon.State = QIcon.State.Off) -> QColor:
    """Give the colour an icon of a role has in a state.

    Args:
        theme: Where the colours come from.
        mode: Normal, active (under the pointer), selected (on a selected row) or disabled.
        state: On for a switched-on control.

    Returns:
        The colour of its lines.
    """
    color = theme.color
    if mode is QIcon.Mode.Disabled:
        return color.text_disabled
    if role in _TONES:
        return theme.tone(role).fill  # type: ignore[arg-type]
    if role == "on_accent":
        return color.on_accent
    if role == "accent" or state is QIcon.State.On:
        return color.accent_text
    if mode is QIcon.Mode.Selected:
        return color.selected_text
    if role == "strong" or mode is QIcon.Mode.Active:
        return color.text
    return color.text3 if role == "muted" else color.text2


class _ThemedIconEngine(QIconEngine):
    """Render one shipped icon in the colours of the theme shown at that moment; so no icon is set anew on a change."""

    _clones: ClassVar[list[QIconEngine]] = []

    def __init__(self, name: str, role: IconRole) -> None:
        super().__init__()
        self._name = name
        self._role: IconRole = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        theme = theme_of()
        paint_icon(painter, rect, self._name, icon_color(theme, self._role, mode, state), theme)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        theme = theme_of()
        logical = min(size.width(), size.height())
        color = icon_color(theme, self._role, mode, state)
        return icon_pixmap(self._name, logical, color, scale, theme.icon_stroke(logical))

    def clone(self) -> QIconEngine:
        # WORKAROUND PySide6 6.11: Qt owns the copy, but Python frees it as soon as this returns; so it is kept. Qt asks
        # for one only when an icon is changed after it was copied.
        copy = _ThemedIconEngine(self._name, self._role)
        self._clones.append(copy)
        return copy

    def key(self) -> str:
        return "tool-console"


def icon(name: str, *, role: IconRole = "default") -> QIcon:
    """Give a shipped icon that follows the theme.

    Args:
        name: File name below `resources/icons` without the ending.
        role: What it is for, which decides about its colours.

    Returns:
        The icon, in every size.

    Raises:
        ValueError: No such icon is shipped.
    """
    if not resource_path("icons", f"{name}.svg").is_file():
        msg = f"expected the name of an icon below resources/icons, got {name!r}; add its file or correct the name"
        raise ValueError(msg)
    return QIcon(_ThemedIconEngine(name, role))


def application_icon() -> QIcon:
    """Give the icon of windows and of the program."""
    return QIcon(str(resource_path("tool-console.svg")))
