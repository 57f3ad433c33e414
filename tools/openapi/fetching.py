"""Read the document of an API from a file or an address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.errors import ApiError, ToolError
from tools.network_hosts import is_this_computer
from tools.openapi.config import is_address
from tools.openapi.document import LARGEST_BYTES
from tools.web.addresses import Resolve, host_of, parse_url, resolve
from tools.web.requests import WebClient, WebRequest

if TYPE_CHECKING:
    import ssl

FETCH_S: Final = 60.0
"""Seconds that the fetching of a document may take."""


async def fetched(source: str, look_up: Resolve = resolve, trust: ssl.SSLContext | None = None) -> bytes:
    """Return the bytes of a document.

    Args:
        source: An address, or a file. Whoever names a host of a private network wants it to be asked.
        trust: Whose certificates are trusted; None means the usual authorities.

    Raises:
        ApiError: It cannot be read, is too large, or would come unencrypted from another computer.
    """
    if not is_address(source):
        return read_file(Path(source))
    try:
        url = parse_url(source)
        host = host_of(url)
        if url.scheme != "https" and not is_this_computer(host):
            raise ApiError(
                f"expected an address with https://, got {source!r}; what others can change decides no tools"
            )
        request = WebRequest(
            url, headers={"accept": "application/json, application/yaml, */*"}, grants=frozenset({f"host:{host}"})
        )
        async with WebClient(look_up, trust).open(request, FETCH_S) as reply:
            if reply.response.is_error:
                raise ApiError(f"{source} answered {reply.status_line}; check the address")
            body, is_cut = await reply.read(LARGEST_BYTES)
    except ApiError:
        raise
    except ToolError as error:
        raise ApiError(f"the document cannot be fetched: {error}") from error
    if is_cut:
        raise ApiError(f"{source} is larger than {LARGEST_BYTES:,} bytes; take out what is not needed")
    return body


def read_file(path: Path) -> bytes:
    """Return the bytes of a document in a file.

    Raises:
        ApiError: It cannot be read, or is too large.
    """
    try:
        if not path.is_file():
            raise ApiError(f"expected the file of an OpenAPI document, found none at {path}")
        if path.stat().st_size > LARGEST_BYTES:
            raise ApiError(f"{path} is larger than {LARGEST_BYTES:,} bytes; take out what is not needed")
        return path.read_bytes()
    except OSError as error:
        raise ApiError(f"{path} cannot be read: {error.strerror or error}") from error
