"""Icons of servers: decoded away from the window, kept, and replaced by ours where they cannot be had."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import AsyncIterator, Callable, Iterable

import httpx2
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from console.assets import Picture, paint_picture
from console.servers.pictures import EDGE, LARGEST_SIDE, IconOwner, ServerIcons, decoded
from console.theme.tokens import ThemeName, load_theme
from tests.tools.mcp.test_icons import Body
from tools.mcp.icons import IconBytes, IconRefusedError, IconSource

SERVER = "https://mcp.example.org/mcp"
GIF = base64.b64decode(
    # Two pictures of one pixel, red and blue: the first counts.
    "R0lGODlhAQABAIABAP8AAAAA/ywAAAAAAQABAAACAkQBACwAAAAAAQABAAACAkwBADs="
)


def drawn(width: int, height: int, color: str = "red", kind: str = "PNG") -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(color))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def data(content: bytes, **more: str) -> IconSource:
    return IconSource(f"data:;base64,{base64.b64encode(content).decode()}", **more)  # type: ignore[arg-type]


def color_in(image: QImage) -> QColor:
    return image.pixelColor(image.width() // 2, image.height() // 2)


@pytest.mark.parametrize(("kind", "name"), [("PNG", "png"), ("JPEG", "jpeg"), ("WEBP", "webp")])
def test_each_kind_is_decoded_and_no_larger_than_it_is_shown(kind: str, name: str) -> None:
    image = decoded(IconBytes(name, drawn(200, 200, kind=kind)))
    assert (image.width(), image.height()) == (EDGE, EDGE)
    assert color_in(image).red() > 240


def test_the_first_picture_of_a_film_counts() -> None:
    assert color_in(decoded(IconBytes("gif", GIF))) == QColor("red")


def test_a_picture_that_is_no_square_stands_in_the_middle_of_one() -> None:
    image = decoded(IconBytes("png", drawn(40, 10)))
    assert (image.width(), image.height()) == (40, 40)
    assert [image.pixelColor(20, y).alpha() for y in (0, 20, 39)] == [0, 255, 0]


def test_the_largest_picture_is_taken_and_a_larger_one_is_not() -> None:
    assert decoded(IconBytes("png", drawn(LARGEST_SIDE, 1))).width() == EDGE
    with pytest.raises(IconRefusedError, match=r"it is 1,025 × 1 pixels, and 1,024 are the most"):
        decoded(IconBytes("png", drawn(LARGEST_SIDE + 1, 1)))


@pytest.mark.parametrize(("kind", "content"), [("png", drawn(9, 9)[:50]), ("webp", b"RIFF\0\0\0\0WEBP"), ("gif", b"")])
def test_what_is_broken_is_refused(kind: str, content: bytes) -> None:
    with pytest.raises(IconRefusedError, match="it is broken"):
        decoded(IconBytes(kind, content))


def test_no_other_kind_is_tried_than_the_one_the_bytes_say() -> None:
    with pytest.raises(IconRefusedError, match="it is broken"):
        decoded(IconBytes("png", drawn(4, 4, kind="BMP")))


class Kept:
    """Icons of servers that are played."""

    def __init__(self, answer: Callable[[httpx2.Request], httpx2.Response]) -> None:
        self.asked: list[str] = []
        self.lines: list[str] = []
        self.news = 0
        self.makers: set[int] = set()
        self._answer = answer
        self.icons = ServerIcons(self._note, self._again, self._client)

    def _client(self) -> httpx2.AsyncClient:
        self.makers.add(threading.get_ident())
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self._answered))

    def _answered(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request.url.path)
        return self._answer(request)

    def _note(self, server: str, line: str) -> None:
        self.lines.append(f"{server}: {line}")

    def _again(self) -> None:
        self.news += 1

    async def get(self, url: str | None, *icons: Iterable[IconSource]) -> None:
        """Want icons, and wait until nothing is under way."""
        self.icons.want("clock", url, [IconOwner(f"thing {at}", tuple(each)) for at, each in enumerate(icons, 1)])
        await asyncio.gather(*self.icons.under_way)


def red(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, stream=Body(drawn(8, 8)))


def missing(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(404)


async def test_an_icon_is_fetched_once_and_for_whoever_names_it() -> None:
    kept, icon = Kept(red), IconSource("https://mcp.example.org/a.png")
    await kept.get(SERVER, [icon], [icon], [])
    await kept.get(SERVER, [icon], [icon], [])
    await kept.icons.aclose()
    assert kept.asked == ["/a.png"]
    assert kept.news
    picture = kept.icons.known("clock", (icon,))
    assert picture is not None
    assert color_in(picture.light) == color_in(picture.dark) == QColor("red")
    assert kept.icons.known("clock", ()) is None
    assert kept.icons.known("another", (icon,)) is None
    assert kept.makers != {threading.get_ident()}


def test_each_theme_has_its_own_and_the_next_best_counts_where_one_is_refused() -> None:
    light, dark = data(drawn(8, 8), theme="light"), data(drawn(8, 8, "blue"), theme="dark")
    broken = IconSource("data:,broken", theme="dark")
    kept = Kept(red)
    asyncio.run(kept.get("", [light, dark], [light, broken]))
    both, one = kept.icons.known("clock", (light, dark)), kept.icons.known("clock", (light, broken))
    assert both is not None
    assert one is not None
    assert [color_in(image).name() for image in (*both, *one)] == ["#ff0000", "#0000ff", "#ff0000", "#ff0000"]
    assert kept.lines == ["clock: an icon of thing 2 is not shown: its bytes are none of PNG, JPEG, WebP and GIF"]


async def test_a_server_that_is_not_connected_is_not_asked_and_asked_again_when_it_is() -> None:
    far, here = IconSource("https://mcp.example.org/a.png"), data(drawn(8, 8))
    kept = Kept(missing)
    await kept.get(None, [far], [here])
    assert kept.asked == kept.lines == []
    assert kept.icons.known("clock", (here,)) is not None
    for _ in range(2):
        await kept.get(SERVER, [far], [here])
        await kept.get(None, [far], [here])
    assert kept.asked == ["/a.png"] * 2
    assert kept.lines == ["clock: an icon of thing 1 is not shown: its address answered with 404"] * 2


def test_a_server_has_no_more_icons_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.servers.pictures.MOST_ICONS", 3)
    kept = Kept(red)
    asyncio.run(kept.get(SERVER, *([IconSource(f"https://mcp.example.org/{at}.png")] for at in range(5))))
    assert len(kept.asked) == 3
    assert kept.lines == ["clock: 2 icons are not shown: 3 of a server are the most"]


async def test_icons_that_nothing_names_any_more_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.servers.pictures.MOST_ICONS", 2)
    kept, icons = Kept(red), [data(drawn(8, 8 + at)) for at in range(4)]
    for pair in (icons[:2], icons[2:]):
        await kept.get("", pair[:1], pair[1:])
        assert [kept.icons.known("clock", (icon,)) is not None for icon in icons] == [icon in pair for icon in icons]
    assert kept.makers == set()
    assert kept.lines == []


async def test_what_is_forgotten_ends_and_is_gone() -> None:
    begun = asyncio.Event()

    class Slow(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            begun.set()
            await asyncio.Event().wait()
            yield b""

    kept, here = Kept(lambda _: httpx2.Response(200, stream=Slow())), data(drawn(8, 8))
    kept.icons.want("clock", SERVER, [IconOwner("it", (IconSource("https://mcp.example.org/a.png"),))])
    kept.icons.want("other", "", [IconOwner("it", (here,))])
    await begun.wait()
    kept.icons.forget("clock")
    await asyncio.gather(*kept.icons.under_way)
    assert kept.icons.known("other", (here,)) is not None
    kept.icons.forget("other")
    assert kept.icons.known("other", (here,)) is None
    await kept.icons.aclose()


async def test_icons_that_are_under_way_are_let_go_with_the_connection() -> None:
    class Slow(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            begun.set()
            await asyncio.Event().wait()
            yield b""

    begun, far, here = asyncio.Event(), IconSource("https://mcp.example.org/a.png"), data(drawn(8, 8))
    kept = Kept(lambda _: httpx2.Response(200, stream=Slow()))
    kept.icons.want("clock", SERVER, [IconOwner("it", (far,)), IconOwner("other", (here,))])
    await begun.wait()
    await kept.get(None, [far], [here])
    assert kept.icons.known("clock", (here,)) is not None
    assert kept.icons.known("clock", (far,)) is None
    assert kept.lines == []


@pytest.mark.parametrize(("theme", "color"), [("light", "red"), ("dark", "blue")])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_the_picture_of_the_theme_is_painted(qapp: object, theme: ThemeName, color: str, ratio: float) -> None:
    picture = Picture(decoded(IconBytes("png", drawn(64, 64))), decoded(IconBytes("png", drawn(64, 64, "blue"))))
    target = QImage(round(40 * ratio), round(20 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    target.setDevicePixelRatio(ratio)
    target.fill(Qt.GlobalColor.white)
    painter = QPainter(target)
    paint_picture(painter, QRect(10, 3, 30, 14), picture, load_theme(theme))
    paint_picture(painter, QRect(0, 0, 0, 14), picture, load_theme(theme))
    painter.end()
    shown = [target.pixelColor(round(x * ratio), round(10 * ratio)) for x in (17, 18, 31, 32)]
    assert shown == [QColor("white"), QColor(color), QColor(color), QColor("white")]
