"""A full-text index over a folder of texts, in memory."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.catalog._bounds import ProgressThrottle, Skipped
from tools.catalog._documents import file_encoding
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tools.context import ToolContext

MOST_FILES: Final = 20_000
MOST_BYTES: Final = 4_000_000
_PASSAGE_CHARS: Final = 1_200
_WORD: Final = re.compile(r"\w+")
_TITLES: Final = 3.0
"""How much more a word counts in the name of a file or a heading than in the text."""
_KEPT_INDEXES: Final = 4


class Passage(NamedTuple):
    """A part of a file.

    Attributes:
        path: The file, as people read it.
        line: Where it begins, from 1.
        heading: The heading above it; empty for none.
        text: The part.
    """

    path: str
    line: int
    heading: str
    text: str


@dataclass(frozen=True)
class FoundPassage:
    """A passage that fits.

    Attributes:
        path: The file.
        line: Where the passage begins, from 1.
        heading: The heading above it; empty for none.
        text: The passage.
        score: How well it fits (BM25); higher is better, and comparable within one search only.
    """

    path: str
    line: int
    heading: str
    text: str
    score: float


def passages(path: str, text: str) -> Iterator[Passage]:
    """Yield a text in passages of paragraphs, each under its heading."""
    heading, begin, held = "", 1, ""
    for number, line in enumerate(text.splitlines(), 1):
        is_heading = line.startswith("#") and line.lstrip("#").startswith(" ")
        if held.strip() and (is_heading or len(held) > _PASSAGE_CHARS or (not line.strip() and len(held) > 300)):  # noqa: PLR2004
            yield Passage(path, begin, heading, held.strip())
            held = ""
        if is_heading:
            heading = line.lstrip("# ").strip()[:200]
        if not held.strip():
            begin, held = number, ""
        held += line[:20_000] + "\n"
    if held.strip():
        yield Passage(path, begin, heading, held.strip())


class TextIndex:
    """An index of passages; from any thread, one at a time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(
            "CREATE VIRTUAL TABLE passages USING fts5(path, heading, text, line UNINDEXED,"
            ' tokenize = "porter unicode61 remove_diacritics 2")'
        )

    def add(self, found: Iterable[Passage]) -> None:
        with self._lock:
            self._database.executemany("INSERT INTO passages(path, line, heading, text) VALUES (?, ?, ?, ?)", found)

    def find(self, words: Sequence[str], limit: int, *, every: bool, apart_from: str = "") -> list[FoundPassage]:
        """Return the passages that fit some words, best first."""
        if not words:
            return []
        query = (" AND " if every else " OR ").join(f'"{word}"' for word in words)
        with self._lock:
            rows = self._database.execute(
                f"SELECT path, line, heading, text, -bm25(passages, {_TITLES}, {_TITLES}, 1.0) FROM passages"  # noqa: S608
                " WHERE passages MATCH ? AND path <> ? ORDER BY bm25(passages, 3.0, 3.0, 1.0), path, line LIMIT ?",
                (query, apart_from, limit),
            ).fetchall()
        return [FoundPassage(path, line, heading, text, round(score, 4)) for path, line, heading, text, score in rows]

    def rare_words(self, text: str, most: int) -> list[str]:
        """Return the words of a text that tell most about it: frequent in it, rare in the others."""
        counts: dict[str, int] = {}
        for word in words_of(text):
            if len(word) > 2 and not word.isdigit():  # noqa: PLR2004 -- shorter words tell nothing
                counts[word] = counts.get(word, 0) + 1
        often = sorted(counts, key=lambda word: (-counts[word], word))[: 8 * most]
        with self._lock:
            whole = self._database.execute("SELECT count(*) FROM passages").fetchone()[0] or 1
            found = {
                word: self._database.execute(
                    "SELECT count(*) FROM passages WHERE passages MATCH ?", (f'"{word}"',)
                ).fetchone()[0]
                for word in often
            }
        telling = {word: counts[word] * (1 - found[word] / (whole + 1)) / (1 + found[word]) ** 0.5 for word in often}
        return sorted(telling, key=lambda word: (-telling[word], word))[:most]

    def close(self) -> None:
        """Let the memory go."""
        with self._lock:
            self._database.close()


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return [word.casefold() for word in _WORD.findall(text)]


class TextIndexes:
    """Keep the indexes of the folders last searched for as long as their files stay the same."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[tuple[Path, str], tuple[tuple[tuple[str, int, int], ...], TextIndex]] = {}

    def of(self, folder: Path, files: Iterable[tuple[Path, str]], pattern: str, ctx: ToolContext) -> TextIndex:
        """Return the index of some files.

        Args:
            folder: The folder they lie in.
            files: The files and how people read their names.
            pattern: Which of the folder's they are.
            ctx: The running call, which is told how far it is and may stop.
        """
        pairs = list(files)
        if len(pairs) > MOST_FILES:
            raise ToolFailure(f"the folder has more than {MOST_FILES:,} such files; name a folder in it, or a pattern")
        stamps: list[tuple[str, int, int]] = []
        for path, name in pairs:
            with suppress(OSError):
                status = path.stat()
                stamps.append((name, status.st_size, status.st_mtime_ns))
        stamp, key = tuple(stamps), (folder, pattern)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        made = _read(pairs, ctx)
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = (stamp, made)
            # An index that another call still reads goes when that call is over.
            while len(self._kept) > _KEPT_INDEXES:
                del self._kept[next(iter(self._kept))]
        return made


def _read(pairs: Sequence[tuple[Path, str]], ctx: ToolContext) -> TextIndex:
    index, skipped = TextIndex(), Skipped(ctx)
    pace = ProgressThrottle(ctx, len(pairs))
    try:
        for path, name in pairs:
            pace.step(1, name)
            try:
                if path.stat().st_size > MOST_BYTES:
                    skipped.add(path, f"it is larger than {MOST_BYTES:,} bytes")
                    continue
                encoding = file_encoding(path)
                if encoding is None:
                    skipped.add(path, "it is no text")
                    continue
                text = path.read_text(encoding, errors="replace")
            except (OSError, LookupError) as error:
                skipped.add(path, str(getattr(error, "strerror", None) or error))
                continue
            index.add(passages(name, text))
    except BaseException:
        index.close()
        raise
    skipped.summarise()
    return index
