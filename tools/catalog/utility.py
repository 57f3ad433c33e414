"""Small things everybody needs: identifiers and hashes."""

from __future__ import annotations

import hashlib
import secrets
import time
import uuid
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from annotated_types import Ge, Le, Len

from tools.declare import tool, toolkit
from tools.spec import Isolation, Param, ToolExample

Algorithm = Literal["sha256", "sha512", "sha3_256", "blake2b", "sha1", "md5", "crc32"]

_CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LONGEST_TEXT: Final = 10_000_000


@dataclass(frozen=True)
class Identifiers:
    """New identifiers.

    Attributes:
        version: Their version, or `ulid`.
        uuids: The identifiers, in the order they were made.
    """

    version: int | str
    uuids: tuple[str, ...]


@dataclass(frozen=True)
class TextHash:
    """A text's hash.

    Attributes:
        algorithm: How it was made.
        hex: The hash in hexadecimal digits.
        size_bytes: How many bytes of UTF-8 the text is.
    """

    algorithm: str
    hex: str
    size_bytes: int


@toolkit("Utility", category="utility")
class Utility:
    """Identifiers and hashes.

    Args:
        now_ms: The clock, in milliseconds since 1970 began in UTC.
        random_bits: Draws so many random bits.
    """

    def __init__(
        self,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        random_bits: Callable[[int], int] = secrets.randbits,
    ) -> None:
        self._now_ms = now_ms
        self._random_bits = random_bits

    @tool(
        keywords=("guid", "identifier", "random", "unique", "id"),
        latency="fast",
        idempotent=True,
        read_only=True,
        open_world=False,
        isolation=Isolation.INLINE,
        examples=(
            ToolExample(input={}, description="One random identifier"),
            ToolExample(input={"version": 7, "count": 3}, description="Three that sort by the time they were made"),
        ),
    )
    def make_uuid(
        self,
        version: Annotated[
            Literal[4, 7, "ulid"], Param("4 is random; 7 begins with the time and sorts by it, as a ULID does")
        ] = 4,
        count: Annotated[int, Ge(1), Le(1000), Param("How many to make")] = 1,
    ) -> Identifiers:
        """Make new universally unique identifiers: UUIDs, or ULIDs, which are shorter to write."""
        if version == 4:  # noqa: PLR2004 -- the version itself
            return Identifiers(version, tuple(str(self._random_uuid()) for _ in range(count)))
        now_ms = self._now_ms()
        if version == "ulid":
            return Identifiers(version, tuple(sorted(self._ulid(now_ms) for _ in range(count))))
        return Identifiers(version, tuple(sorted(str(self._timed_uuid(now_ms)) for _ in range(count))))

    def _random_uuid(self) -> uuid.UUID:
        return uuid.UUID(int=self._random_bits(128), version=4)

    def _timed_uuid(self, now_ms: int) -> uuid.UUID:
        """Return a UUID of version 7. Source: RFC 9562, section 5.7."""
        bits = (now_ms & ((1 << 48) - 1)) << 80 | self._random_bits(80)
        bits = bits & ~(0xF << 76) | 7 << 76
        return uuid.UUID(int=bits & ~(0b11 << 62) | 0b10 << 62)

    def _ulid(self, now_ms: int) -> str:
        """Return a ULID: 48 bits of time and 80 random ones in Crockford's Base32. Source: github.com/ulid/spec."""
        bits = (now_ms & ((1 << 48) - 1)) << 80 | self._random_bits(80)
        return "".join(_CROCKFORD[bits >> shift & 31] for shift in range(125, -1, -5))

    @tool(
        keywords=("sha256", "md5", "checksum", "digest", "fingerprint"),
        latency="fast",
        read_only=True,
        open_world=False,
        examples=(
            ToolExample(input={"text": "Hello"}, description="SHA-256"),
            ToolExample(
                input={"text": "Hello", "algorithm": "crc32"},
                description="A short checksum",
                output={"hex": "f7d18982"},
            ),
        ),
    )
    def hash_text(
        self,
        text: Annotated[str, Len(0, _LONGEST_TEXT), Param("The text; its UTF-8 bytes are hashed")],
        algorithm: Annotated[Algorithm, Param("How; sha1, md5 and crc32 guard against accidents only")] = "sha256",
    ) -> TextHash:
        """Calculate a text's hash or checksum."""
        content = text.encode()
        if algorithm == "crc32":
            digits = f"{zlib.crc32(content):08x}"
        else:
            digits = hashlib.new(algorithm, content, usedforsecurity=False).hexdigest()
        return TextHash(algorithm, digits, len(content))
