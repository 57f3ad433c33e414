"""A file that is being downloaded: beside its target until it is whole, and kept there for a later call when asked."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.catalog._answers import text_at
from tools.errors import ToolFailure, TransientError

if TYPE_CHECKING:
    from tools.context import ToolContext
    from tools.web.requests import WebReply

_CHUNK_BYTES: Final = 1 << 20
_RANGE: Final = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_PARTIAL: Final = 206
_UNSATISFIABLE: Final = 416


class PartialDownload:
    """What is there of a download.

    Args:
        target: Where the whole file goes.
        keep: Whether what a call that breaks off has fetched stays for the next one.

    Attributes:
        resumed_at: How many bytes an earlier call had fetched.
    """

    def __init__(self, target: Path, *, keep: bool) -> None:
        name = f".{target.name}" if keep else f".{target.name}.{secrets.token_hex(4)}"
        self._target = target
        self._part = target.with_name(f"{name}.part")
        self._about = target.with_name(f"{name}.part.json")
        self._keep = keep
        self._validator = ""
        self.resumed_at = 0

    def headers(self) -> dict[str, str]:
        """Return the headers that ask for the rest, if the server's file is still the one that was begun."""
        # What a compressed answer has fetched tells no place in the file.
        plain = {"accept-encoding": "identity"} if self._keep else {}
        try:
            size = self._part.stat().st_size if self._keep else 0
            known: Any = json.loads(self._about.read_text("utf-8")) if size else None
        except (OSError, ValueError):
            return plain
        validator = text_at(known, "validator")
        if not validator:
            return plain
        self.resumed_at = size
        return {**plain, "range": f"bytes={size}-", "if-range": validator}

    async def fill(self, reply: WebReply, max_size_bytes: int, ctx: ToolContext) -> tuple[int, str]:
        """Write the body, and return the size and the hash of the whole file.

        Raises:
            ToolFailure: The server refuses, the file is too large, or it cannot be written.
            TransientError: The server is out of order.
        """
        self._check(reply)
        expected = _expected_size(reply, self.resumed_at)
        if expected is not None and expected > max_size_bytes:
            raise _too_large(reply, max_size_bytes)
        try:
            return await self._write(reply, max_size_bytes, expected, ctx)
        except OSError as error:
            raise ToolFailure(f"{self._part.parent} cannot be written to: {error.strerror or error}") from error

    def _check(self, reply: WebReply) -> None:
        status = reply.response.status_code
        if status == _UNSATISFIABLE:
            self.discard()
            raise TransientError(f"{reply.url} has no more than what was fetched, which was dropped; try again")
        if reply.response.is_error:
            message = f"{reply.url} answered {reply.status_line}; expected a file, check the address"
            raise (TransientError if reply.response.is_server_error else ToolFailure)(message)
        found = _RANGE.fullmatch(reply.response.headers.get("content-range", ""))
        if status != _PARTIAL:
            self.resumed_at = 0
        elif found is None or int(found[1]) != self.resumed_at:
            raise ToolFailure(f"{reply.url} answered with another part than was asked for; try without resume")
        headers = reply.response.headers
        etag = headers.get("etag", "")
        # A weak tag may stand for different bytes.
        self._validator = etag if etag and not etag.startswith("W/") else headers.get("last-modified", "")

    async def _write(
        self, reply: WebReply, max_size_bytes: int, expected: int | None, ctx: ToolContext
    ) -> tuple[int, str]:
        digest = hashlib.sha256()
        size = self.resumed_at
        if size:
            await asyncio.to_thread(_add_file, digest, self._part)
        elif self._keep:
            self._part.unlink(missing_ok=True)
            self._about.write_text(json.dumps({"validator": self._validator}), "utf-8")
        with self._part.open("ab" if size else "xb") as file:
            async for chunk in _in_blocks(reply.response.aiter_bytes()):
                size += len(chunk)
                if size > max_size_bytes:
                    self.discard()
                    raise _too_large(reply, max_size_bytes)
                digest.update(chunk)
                await asyncio.to_thread(file.write, chunk)
                ctx.progress(size, expected, f"{size:,} bytes")
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
        return size, digest.hexdigest()

    def finish(self) -> None:
        """Put the whole file into its place."""
        self._part.replace(self._target)
        self._about.unlink(missing_ok=True)

    def discard(self) -> None:
        self._keep = False

    def close(self) -> None:
        """Leave nothing behind, unless a later call is to go on."""
        if not self._keep or not self._validator:
            self._part.unlink(missing_ok=True)
            self._about.unlink(missing_ok=True)


def _expected_size(reply: WebReply, before: int) -> int | None:
    """Return the size of the whole file that is announced; None when none is, or it comes compressed."""
    length = reply.response.headers.get("content-length", "")
    known = length.isdecimal() and "content-encoding" not in reply.response.headers
    return before + int(length) if known else None


def _too_large(reply: WebReply, max_size_bytes: int) -> ToolFailure:
    return ToolFailure(
        f"{reply.url} is larger than {max_size_bytes:,} bytes; nothing was kept, raise max_size_bytes if it may be"
    )


def _add_file(digest: hashlib._Hash, path: Path) -> None:
    with path.open("rb") as file:
        while block := file.read(_CHUNK_BYTES):
            digest.update(block)


async def _in_blocks(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Gather small chunks, so that writing them costs few hops to a thread."""
    block = bytearray()
    async for chunk in chunks:
        block += chunk
        if len(block) >= _CHUNK_BYTES:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)
