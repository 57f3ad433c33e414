"""The icons of servers and of their offers: fetched on the engine's thread, decoded in others, kept in memory."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter

from console.assets import Picture
from tools.mcp.icons import (
    IconBytes,
    IconRefusedError,
    IconSource,
    Theme,
    by_fitness,
    fetched,
    icon_client,
    icons_in,
    written,
)
from tools.mcp.pins import DefinitionJudgement
from tools.mcp.server_primitives import RemotePrompt, Resource, ResourceTemplate
from tools.mcp.servers import Servers
from tools.mcp.state import ServerState, ServerStatus

if TYPE_CHECKING:
    import httpx2

EDGE: Final = 64
"""How wide icons are kept, in pixels: 20 are shown, on screens of up to three pixels for each."""

LARGEST_SIDE: Final = 1024
"""The widest and highest icon that is taken, in pixels."""

MOST_ICONS: Final = 256
"""Most icons of one server that are kept; whatever has none of them is shown with ours."""

_AT_A_TIME: Final = 4
_THEMES: Final[tuple[Theme, Theme]] = ("light", "dark")


class IconOwner(NamedTuple):
    """Something that names icons for itself.

    Attributes:
        what: It, in words for the log.
    """

    what: str
    icons: tuple[IconSource, ...]


class ServerIcons:
    """Get icons and keep them.

    An icon of which there is one size and theme only is fetched once; of several, the one that fits is.

    Args:
        note: Takes a line for a server's log: the server, and the line.
        again: Is told that there is more to show.
        client: Makes what asks for icons; called in a thread.
    """

    def __init__(
        self,
        note: Callable[[str, str], None],
        again: Callable[[], None],
        client: Callable[[], httpx2.AsyncClient] = icon_client,
    ) -> None:
        self._note = note
        self._again = again
        self._client = client
        self._images: dict[str, dict[IconSource, QImage | None]] = {}
        self._looked: dict[str, tuple[str | None, tuple[IconOwner, ...]]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def known(self, server: str, icons: tuple[IconSource, ...]) -> Picture | None:
        """Return what is shown of some icons; None for ours. From any thread."""
        images = self._images.get(server)
        if not images or not icons:
            return None
        light, dark = (
            next((image for icon in by_fitness(icons, theme, EDGE) if (image := images.get(icon)) is not None), None)
            for theme in _THEMES
        )
        return Picture(light, dark) if light is not None and dark is not None else None

    def want(self, server: str, url: str | None, named: Sequence[IconOwner]) -> None:
        """Get what is not there yet; on the engine's thread.

        Args:
            server: Whose icons they are.
            url: Its address, empty for a process; None when it is not connected, so that nobody is asked.
            named: What names icons; the same as last time costs next to nothing.
        """
        question = (url, tuple(item for item in named if item.icons))
        former = self._looked.get(server, (None, ()))
        if former == question:
            return
        self._looked[server] = question
        before = self._tasks.get(server)
        if before is not None and former[0] != url:
            # Nobody waits for icons over a connection that is gone.
            before.cancel()
        if question[1]:
            work = self._get(server, url, question[1], before)
            self._tasks[server] = asyncio.get_running_loop().create_task(work, name=f"icons of {server}")

    @property
    def under_way(self) -> tuple[asyncio.Task[None], ...]:
        """What is being got at the moment; on the engine's thread."""
        return tuple(task for task in self._tasks.values() if not task.done())

    def forget(self, server: str) -> None:
        """Keep nothing of a server any more; on the engine's thread."""
        self._looked.pop(server, None)
        self._images.pop(server, None)
        task = self._tasks.pop(server, None)
        if task is not None:
            task.cancel()

    async def aclose(self) -> None:
        """End whatever is under way; on the engine's thread."""
        tasks = self.under_way
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _get(
        self, server: str, url: str | None, named: Sequence[IconOwner], before: asyncio.Task[None] | None
    ) -> None:
        if before is not None:
            await asyncio.wait({before})
        images = self._images.setdefault(server, {})
        icons = {icon for item in named for icon in item.icons}
        for icon, image in tuple(images.items()):
            # What did not come may come with the next connection.
            if icon not in icons or (url is None and image is None and icon.is_remote):
                del images[icon]
        turns = asyncio.Semaphore(_AT_A_TIME)
        async with contextlib.AsyncExitStack() as stack:
            client: httpx2.AsyncClient | None = None
            if url is not None and any(icon.is_remote and icon not in images for icon in icons):
                client = await stack.enter_async_context(await asyncio.to_thread(self._client))
            get = _Getting(server, url or "", images, client, self._note)

            async def in_turn(item: IconOwner) -> None:
                async with turns:
                    if await get.of(item):
                        self._again()

            await asyncio.gather(*(in_turn(item) for item in named))
        if get.left_out:
            self._note(server, f"{len(get.left_out):,} icons are not shown: {MOST_ICONS} of a server are the most")


class _Getting:
    """Get the icons of one server, each once."""

    def __init__(
        self,
        server: str,
        url: str,
        images: dict[IconSource, QImage | None],
        client: httpx2.AsyncClient | None,
        note: Callable[[str, str], None],
    ) -> None:
        self._server = server
        self._url = url
        self._images = images
        self._client = client
        self._note = note
        self._under_way: dict[IconSource, asyncio.Future[None]] = {}
        self.left_out: set[IconSource] = set()

    async def of(self, item: IconOwner) -> bool:
        """Get what fits best for each theme, else the next best; tell whether anything is new."""
        known = len(self._images)
        for theme in _THEMES:
            for icon in by_fitness(item.icons, theme, EDGE):
                if await self._has(icon, item.what):
                    break
        return len(self._images) > known

    async def _has(self, icon: IconSource, what: str) -> bool:
        if icon in self._under_way:
            await self._under_way[icon]
        if icon in self._images:
            return self._images[icon] is not None
        if icon.is_remote and self._client is None:
            return False
        if len(self._images) + len(self._under_way) >= MOST_ICONS:
            self.left_out.add(icon)
            return False
        over = self._under_way[icon] = asyncio.get_running_loop().create_future()
        try:
            self._images[icon] = await self._got(icon)
        except IconRefusedError as error:
            self._images[icon] = None
            self._note(self._server, f"an icon of {what} is not shown: {error}")
        finally:
            del self._under_way[icon]
            over.set_result(None)
        return self._images[icon] is not None

    async def _got(self, icon: IconSource) -> QImage:
        if icon.is_remote and self._client is not None:
            return await asyncio.to_thread(decoded, await fetched(icon, self._url, self._client))
        return await asyncio.to_thread(_decoded_here, icon)


def decoded(icon: IconBytes) -> QImage:
    """Return the first picture of an icon, no larger than it is shown.

    Raises:
        IconRefusedError: It is too large or broken.
    """
    buffer = QBuffer()
    buffer.setData(QByteArray(icon.data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(icon.kind.encode()))
    # What its bytes are is known: nothing else shall try to make sense of them.
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if max(size.width(), size.height()) > LARGEST_SIDE:
        said = f"it is {size.width():,} × {size.height():,} pixels, and {LARGEST_SIDE:,} are the most on each side"
        raise IconRefusedError(said)
    image = reader.read()
    if image.isNull():
        raise IconRefusedError(f"it is broken: {reader.errorString().rstrip('.')}")
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    small = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    small = small.scaled(EDGE, EDGE, keep, smooth) if max(image.width(), image.height()) > EDGE else small
    return _squared(small)


def _decoded_here(icon: IconSource) -> QImage:
    return decoded(written(icon))


def _squared(image: QImage) -> QImage:
    """Put a picture into the middle of a square, so that all of them stand alike."""
    edge = max(image.width(), image.height())
    if image.width() == image.height():
        return image
    square = QImage(edge, edge, QImage.Format.Format_ARGB32_Premultiplied)
    square.fill(Qt.GlobalColor.transparent)
    painter = QPainter(square)
    painter.drawImage(QPoint((edge - image.width()) // 2, (edge - image.height()) // 2), image)
    painter.end()
    return square


OfferedIcons = Mapping[str, tuple[IconSource, ...]]
"""What resources and prompts name for themselves, by what they are in words; those that name none are left out."""


class Pictures(NamedTuple):
    """The icons that are there."""

    servers: Mapping[str, Picture]
    tools: Mapping[str, Picture]


class ServerPictures:
    """Get the icons of servers and of what they offer.

    Args:
        again: Is told, on the engine's thread, that there is more to show.
    """

    def __init__(self, servers: Servers, again: Callable[[], None]) -> None:
        self._servers = servers
        self._icons = ServerIcons(self._note, again)

    def want(self, state: ServerState, judgements: Iterable[DefinitionJudgement], offers: OfferedIcons) -> None:
        """Get what is not there yet of a server; on the engine's thread."""
        named = [IconOwner("the server", () if state.identity is None else state.identity.icons)]
        for judgement in judgements:
            raw = judgement.definition.raw
            if raw.get("icons"):
                named.append(IconOwner(f"the tool {judgement.definition.name!r}", icons_in(raw["icons"])))
        named += (IconOwner(what, icons) for what, icons in offers.items())
        is_connected = state.status is ServerStatus.CONNECTED
        self._icons.want(state.name, self._servers.url(state.name) if is_connected else None, named)

    def forget(self, server: str) -> None:
        """Keep nothing of a server any more; on the engine's thread."""
        self._icons.forget(server)

    async def aclose(self) -> None:
        """End whatever is under way; on the engine's thread."""
        await self._icons.aclose()

    def of_server(self, state: ServerState) -> Picture | None:
        """Return the icon of a server; None for ours. From any thread, as all that follow."""
        return None if state.identity is None else self._icons.known(state.name, state.identity.icons)

    def of_tool(self, server: str, judgement: DefinitionJudgement) -> Picture | None:
        """Return the icon of a tool; None for ours."""
        raw = judgement.definition.raw.get("icons")
        return self._icons.known(server, icons_in(raw)) if raw else None

    def of_resource(self, server: str, uri: str, offers: OfferedIcons) -> Picture | None:
        """Return the icon of a resource or a template of some; None for ours."""
        return self._icons.known(server, offers.get(_resource(uri), ()))

    def of_prompt(self, server: str, name: str, offers: OfferedIcons) -> Picture | None:
        """Return the icon of a prompt; None for ours."""
        return self._icons.known(server, offers.get(_prompt(name), ()))

    def of_tools(
        self, server: str, judgements: Collection[DefinitionJudgement], names: Mapping[str, str]
    ) -> dict[str, Picture]:
        """Return the icons of a server's tools by what they are called here.

        Args:
            names: What they are called here by the server's names.
        """
        called = ((names.get(one.definition.name), self.of_tool(server, one)) for one in judgements)
        return {name: picture for name, picture in called if name is not None and picture is not None}

    def _note(self, server: str, line: str) -> None:
        if any(state.name == server for state in self._servers.states):
            self._servers.log(server).note(line, "warning")


def icons_of_resources(resources: Iterable[Resource], templates: Iterable[ResourceTemplate]) -> OfferedIcons:
    """Return what resources and templates of them name for themselves."""
    found = {_resource(one.uri): icons_in(one.raw.get("icons")) for one in resources}
    found |= {_resource(one.uri_template): icons_in(one.raw.get("icons")) for one in templates}
    return {what: icons for what, icons in found.items() if icons}


def icons_of_prompts(prompts: Iterable[RemotePrompt]) -> OfferedIcons:
    """Return what prompts name for themselves."""
    found = {_prompt(one.name): icons_in(one.raw.get("icons")) for one in prompts}
    return {what: icons for what, icons in found.items() if icons}


def _resource(uri: str) -> str:
    return f"the resource {uri}"


def _prompt(name: str) -> str:
    return f"the prompt {name!r}"
