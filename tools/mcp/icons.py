"""Icons that servers name for themselves and what they offer: which one fits, and its bytes if they may be had."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit

from tools.errors import ToolError
from tools.network import NetworkTransport

if TYPE_CHECKING:
    import httpx2

MAX_ICON_BYTES: Final = 256 * 1024
"""The longest icon that is taken, in bytes."""

FETCH_S: Final = 10.0
"""Seconds after which fetching one icon is given up."""

MAX_ICONS: Final = 16
"""Most icons of one thing that are looked at; a definition may name as many as it likes."""

Theme = Literal["light", "dark"]

_HTTPS_PORT: Final = 443
_LONGEST_SHOWN: Final = 120
_SIGNS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_WEBP: Final = b"RIFF", b"WEBP"
_SVG: Final = "image/svg+xml"
_OTHER_NAMES: Final = {"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg"}


class IconRefusedError(ToolError):
    """Report an icon that is not shown, and why."""


class IconSource(NamedTuple):
    """Where an icon is.

    Attributes:
        src: An address with `https:` or `data:`; anything else is refused.
        mime_type: Of what kind it claims to be; empty when nothing is said.
        sizes: How wide its versions are, in pixels; empty when nothing is said, or it fits any.
        theme: For which background it is made, `light` or `dark`; empty for both.
    """

    src: str
    mime_type: str = ""
    sizes: tuple[int, ...] = ()
    theme: str = ""

    @property
    def is_remote(self) -> bool:
        return _scheme(self.src) != "data"


class IconBytes(NamedTuple):
    """An icon as it came.

    Attributes:
        kind: What its first bytes say it is: `png`, `jpeg`, `gif` or `webp`.
    """

    kind: str
    data: bytes


def icons_in(raw: Any) -> tuple[IconSource, ...]:
    """Return the icons that a definition names, in its order; what is no icon is passed over.

    Source: MCP 2025-11-25, "Icons".

    Args:
        raw: The value of its `icons`, as it came.
    """
    items = raw[:MAX_ICONS] if isinstance(raw, list) else []
    return tuple(
        IconSource(item["src"], _text(item, "mimeType").lower(), _sizes(item.get("sizes")), _text(item, "theme"))
        for item in items
        if isinstance(item, dict) and isinstance(item.get("src"), str)
    )


def by_fitness(icons: Iterable[IconSource], theme: Theme, edge: int) -> list[IconSource]:
    """Return icons with the best one first.

    One for this background goes before one for any, and that before one for the other; then one that is large enough
    before one that is not. What is SVG comes last, since it is refused.

    Args:
        edge: How wide it will be, in pixels.
    """
    return sorted(icons, key=lambda icon: (_is_svg(icon), _strangeness(icon, theme), _misfit(icon, edge)))


def icon_client() -> httpx2.AsyncClient:
    """Return what icons are asked for with: it carries no credentials, keeps no cookies and follows nothing."""
    from http.cookiejar import CookieJar, DefaultCookiePolicy  # noqa: PLC0415 -- as the next

    import httpx2  # noqa: PLC0415 -- only a server that is reached over HTTPS needs it

    nowhere = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    carrier: Any = NetworkTransport(httpx2)
    return httpx2.AsyncClient(cookies=nowhere, follow_redirects=False, timeout=FETCH_S, transport=carrier)


def written(icon: IconSource) -> IconBytes:
    """Return the bytes that stand in the address of an icon itself.

    Raises:
        IconRefusedError: They are not what they should be.
    """
    return checked(icon, _written_in(icon.src))


async def fetched(icon: IconSource, server_url: str, client: httpx2.AsyncClient) -> IconBytes:
    """Return the bytes of an icon that is somewhere else.

    Args:
        server_url: The address of the server that names it; empty for a process, which has none.
        client: Asks for it, as `icon_client` gives one.

    Raises:
        IconRefusedError: It may not be asked for, did not come, or is not what it should be.
    """
    return checked(icon, await _asked_for(icon, server_url, client))


def checked(icon: IconSource, data: bytes) -> IconBytes:
    """Return an icon if its bytes are what they are said to be.

    Raises:
        IconRefusedError: They are something else, or too many.
    """
    if len(data) > MAX_ICON_BYTES:
        raise _too_long()
    found = _kind_of(data)
    claims = {_OTHER_NAMES.get(claim, claim) for claim in (icon.mime_type, _written_type(icon.src)) if claim}
    if claims - {found}:
        raise IconRefusedError(f"it says that it is {', '.join(sorted(claims))}, but its bytes are {found}")
    return IconBytes(found.removeprefix("image/"), data)


def _kind_of(data: bytes) -> str:
    for sign, kind in _SIGNS:
        if data.startswith(sign):
            return kind
    if data[:4] == _WEBP[0] and data[8:12] == _WEBP[1]:
        return "image/webp"
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        raise IconRefusedError("it is SVG or another text, which may load files and never end; give PNG as well")
    if not data:
        raise IconRefusedError("it is empty")
    raise IconRefusedError("its bytes are none of PNG, JPEG, WebP and GIF")


def _written_in(src: str) -> bytes:
    """Return what a `data:` address holds. Source: RFC 2397."""
    head, comma, body = src.partition(",")
    if not comma:
        raise IconRefusedError("its data: address has no comma, after which the bytes would stand")
    # Each byte takes at least one letter, in Base64 four letters for three.
    is_base64 = head.lower().endswith(";base64")
    if len(body) > (MAX_ICON_BYTES * 4 // 3 + 4 if is_base64 else 3 * MAX_ICON_BYTES):
        raise _too_long()
    plain = unquote_to_bytes(body)
    if not is_base64:
        return plain
    try:
        return base64.b64decode(plain, validate=True)
    except binascii.Error as error:
        raise IconRefusedError(f"its data: address is no Base64: {error}") from error


async def _asked_for(icon: IconSource, server_url: str, client: httpx2.AsyncClient) -> bytes:
    import httpx2  # noqa: PLC0415 -- whoever has a client has it already

    _check_address(icon.src, server_url)
    try:
        async with asyncio.timeout(FETCH_S), client.stream(
            "GET", icon.src, headers={"Accept": "image/png, image/jpeg, image/webp, image/gif",
                                      "Accept-Encoding": "identity"}
        ) as response:  # fmt: skip
            if response.is_redirect:
                raise IconRefusedError("its address leads to another one, which is not followed")
            if response.status_code != httpx2.codes.OK:
                raise IconRefusedError(f"its address answered with {response.status_code}")
            # What is packed may be a thousand times as long as what comes.
            if response.headers.get("content-encoding", "identity") != "identity":
                raise IconRefusedError("it came packed, although that was not asked for")
            return await _bounded(response.aiter_raw())
    except TimeoutError as error:
        raise IconRefusedError(f"it did not come within {FETCH_S:g} s") from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise IconRefusedError(f"it did not come: {str(error) or type(error).__name__}") from error


async def _bounded(chunks: AsyncIterator[bytes]) -> bytes:
    found = bytearray()
    async for chunk in chunks:
        found += chunk
        if len(found) > MAX_ICON_BYTES:
            raise _too_long()
    return bytes(found)


def _check_address(src: str, server_url: str) -> None:
    """Refuse an address that is not of the very server that names it."""
    address, own = _split(src), _split(server_url)
    if address is None or address.scheme != "https":
        raise IconRefusedError(f"its address must begin with https: or data:, not {_shown(src)}")
    if own is None or not own.scheme:
        raise IconRefusedError("its server is a program on this computer and has no address, so only data: is taken")
    if address.username is not None or address.password is not None:
        raise IconRefusedError("its address carries a name or a password")
    if _origin(address) != _origin(own):
        here = f"{own.scheme}://{own.netloc.rpartition('@')[2]}"
        raise IconRefusedError(f"its address must be of the server's own origin, {here}, not {_shown(src)}")


def _origin(address: SplitResult) -> tuple[str, str, int | None]:
    return address.scheme, (address.hostname or "").rstrip("."), address.port or _HTTPS_PORT


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address; None when it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _shown(src: str) -> str:
    return repr(src if len(src) <= _LONGEST_SHOWN else f"{src[:_LONGEST_SHOWN]}…")


def _too_long() -> IconRefusedError:
    return IconRefusedError(f"it is longer than {MAX_ICON_BYTES // 1024} kB")


def _scheme(src: str) -> str:
    return src[:8].partition(":")[0].lower()


def _written_type(src: str) -> str:
    """Return of what kind a `data:` address says that it is; empty for any other address."""
    return src[5:200].partition(",")[0].partition(";")[0].strip().lower() if _scheme(src) == "data" else ""


def _is_svg(icon: IconSource) -> bool:
    return _SVG in {icon.mime_type, _written_type(icon.src)} or icon.src[-4:].lower() == ".svg"


def _strangeness(icon: IconSource, theme: Theme) -> int:
    return 0 if icon.theme == theme else 1 if icon.theme not in {"light", "dark"} else 2


def _misfit(icon: IconSource, edge: int) -> tuple[bool, int]:
    """Return how badly the size fits: the least that is large enough first, then the largest that is not."""
    if not icon.sizes:
        return False, edge
    enough = [size for size in icon.sizes if size >= edge]
    return (False, min(enough)) if enough else (True, -max(icon.sizes))


def _sizes(raw: Any) -> tuple[int, ...]:
    # The revisions before 2025-11-25 wrote one text.
    words = raw.split() if isinstance(raw, str) else raw if isinstance(raw, list) else ()
    widths = (word.lower().partition("x")[0] for word in words if isinstance(word, str))
    return tuple(int(width) for width in widths if width.isascii() and width.isdigit() and len(width) < 6)  # noqa: PLR2004


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""
