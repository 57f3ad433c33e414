"""Small things everybody needs: identifiers, hashes, and a question to the person."""

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
from pydantic_core import to_json

from tools.calls import Continue, Edit
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.review.human_input import NOBODY
from tools.spec import Isolation, Param, ToolExample

Algorithm = Literal["sha256", "sha512", "sha3_256", "blake2b", "sha1", "md5", "crc32"]

ACKNOWLEDGED: Final = "The person read the question and let the work go on without adding anything."
SILENCE: Final = "No answer came in time. Go on with your best judgement and say what you assumed."
_ANSWER_TIMEOUT_S: Final = 300.0
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


@dataclass(frozen=True)
class HumanAnswer:
    """What a person said.

    Attributes:
        answer: The person's words, or what their silence means.
        answered: Whether the person wrote something.
    """

    answer: str
    answered: bool


@toolkit("Utility", category="utility")
class Utility:
    """Identifiers, hashes, and a question to the person.

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

    @tool(
        keywords=("question", "user", "input", "clarify", "confirm", "human in the loop"),
        latency="slow",
        idempotent=False,
        parallelizable=False,
        read_only=True,
        open_world=False,
        examples=(
            ToolExample(
                input={"question": "Which of the two reports is the final one?"}, description="An open question"
            ),
            ToolExample(
                input={"question": "May the old index go?", "hint": "yes, or what to keep"},
                description="With a hint for the answer",
            ),
        ),
    )
    async def human_input(
        self,
        question: Annotated[
            str, Len(1, 5000), Param("What to ask, in a sentence the person understands without context")
        ],
        hint: Annotated[str, Len(0, 500), Param("What kind of answer is wanted")] = "",
        *,
        ctx: ToolContext,
    ) -> HumanAnswer:
        """Ask the person at the console a question and return the answer in their words.

        Silence for five minutes means to go on without an answer.
        """
        if not question.strip():
            raise ToolFailure("expected a question, got only blanks")
        decision = await ctx.request_approval(question, prompt=hint, timeout_s=_ANSWER_TIMEOUT_S)
        if isinstance(decision, Edit):
            words = decision.revised if isinstance(decision.revised, str) else to_json(decision.revised).decode()
            return HumanAnswer(words, answered=True)
        if isinstance(decision, Continue):
            if not ctx.has_reviewer:
                ctx.log("warning", "nobody was there to ask")
                return HumanAnswer(NOBODY, answered=False)
            return HumanAnswer(decision.feedback or ACKNOWLEDGED, answered=bool(decision.feedback))
        if decision.timed_out:
            ctx.log("warning", f"nobody answered within {_ANSWER_TIMEOUT_S:g} s")
            return HumanAnswer(SILENCE, answered=False)
        raise ToolFailure(f"the person declined to answer: {decision.reason or 'no reason given'}; stop, or do without")
