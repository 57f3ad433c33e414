"""Logs: read their end and go on from there, find entries, and sum them up."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from tools.catalog._bounds import MAX_CHARS, counted, say_cut
from tools.catalog._documents import SAMPLE_BYTES, encoding_of
from tools.catalog._log_lines import LogEntryRead, LogLevelFound, read_log
from tools.catalog._paths import need_file, refusals, shown
from tools.catalog._patterns import PATTERN_TIMEOUT_S, compiled, time_limited
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

LogPath = Annotated[Path, Param("The log"), PathRole()]
Since = Annotated[datetime | None, Param("Only entries from this time on; those without a time are left out")]
Until = Annotated[datetime | None, Param("Only entries up to this time; those without a time are left out")]

_WIDE: Final = frozenset({"utf-16", "utf-32"})
_MOST_KINDS: Final = 5000
_KIND_CHARS: Final = 200
_HEADS: Final = re.compile(
    r"^\s*(?:<\d+>)?\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d)\]?"
    r"(?:\s?[+-]\d\d:?\d\d)?\s*"
)
# What differs between entries of one kind.
_VARIABLE: Final = (
    (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"), "<uuid>"),
    (re.compile(r"\b0x[0-9a-fA-F]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b"), "<hex>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"), "<ip>"),
    (re.compile(r"'[^']{1,200}'|\"[^\"]{1,200}\""), "<text>"),
    (re.compile(r"\d+(?:[.,]\d+)*"), "<n>"),
)


@dataclass(frozen=True, slots=True)
class LogChunk:
    """A piece of a log, whole lines only."""

    path: Annotated[str, Field(description="The log.")]
    text: Annotated[str, Field(description="The lines, ends of lines included.")]
    start: Annotated[
        int, Field(description="Where the piece begins, in bytes; give it as before to read what precedes.")
    ]
    end: Annotated[int, Field(description="Where it ends, in bytes; give it as after to read what came since.")]
    size_bytes: Annotated[int, Field(description="Size of the log, in bytes.")]
    at_start: Annotated[bool, Field(description="Whether nothing precedes.")]
    at_end: Annotated[bool, Field(description="Whether nothing follows yet.")]


@dataclass(frozen=True, slots=True)
class LogMatch:
    """An entry of a log that matches."""

    line: Annotated[int, Field(description="Number of its first line, from 1.")]
    text: Annotated[str, Field(description="The entry, with the lines that belong to it, such as a traceback.")]
    time: Annotated[datetime | None, Field(description="When it was written; null when it does not say.")]
    level: Annotated[LogLevelFound | None, Field(description="How serious it is; null when it does not say.")]


@dataclass(frozen=True, slots=True)
class LogMatches:
    """The entries of a log that match."""

    path: Annotated[str, Field(description="The log.")]
    matches: Annotated[list[LogMatch], Field(description="The entries, in their order.")]
    found: Annotated[int, Field(description="How many match in all.")]
    entries: Annotated[int, Field(description="How many entries the log has.")]
    truncated: Annotated[bool, Field(description="Whether some are missing here.")]


@dataclass(frozen=True, slots=True)
class LogKind:
    """Entries of a log that differ in numbers, names and the like only."""

    pattern: Annotated[
        str, Field(description="What they have in common, with <n>, <text>, <hex>, <ip> or <uuid> for the rest.")
    ]
    level: Annotated[LogLevelFound | None, Field(description="How serious they are; null when they do not say.")]
    count: Annotated[int, Field(description="How many there are.")]
    first_line: Annotated[int, Field(description="Number of the first one's line.")]
    last_line: Annotated[int, Field(description="Number of the last one's line.")]
    example: Annotated[str, Field(description="The first line of the last one.")]


@dataclass(frozen=True, slots=True)
class LogHour:
    """What a log holds of one hour."""

    hour: Annotated[datetime, Field(description="Its beginning, UTC.")]
    entries: Annotated[int, Field(description="How many entries.")]
    errors: Annotated[int, Field(description="How many of them are errors or worse.")]


@dataclass(frozen=True, slots=True)
class LogSummary:
    """What a log holds."""

    path: Annotated[str, Field(description="The log.")]
    entries: Annotated[int, Field(description="How many entries.")]
    first: Annotated[datetime | None, Field(description="The earliest time; null when it has none.")]
    last: Annotated[datetime | None, Field(description="The latest time.")]
    count_by_level: Annotated[dict[str, int], Field(description="How many of each level; unknown does not say.")]
    kinds: Annotated[list[LogKind], Field(description="The worst and most frequent kinds of entries.")]
    hours: Annotated[list[LogHour], Field(description="The last 48 hours that have entries.")]
    truncated: Annotated[bool, Field(description="Whether there are more kinds.")]


@toolkit("Logs", category="logs", description="Read logs from their end, find entries, sum them up.")
class Logs:
    """Read logs from their end, find entries, sum them up."""

    @tool(
        keywords=("tail", "log", "end", "follow", "last lines"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "build/out.log"}, description="The end of a log"),
            ToolExample(
                input={"path": "build/out.log", "before": 24, "max_bytes": 1000}, description="What precedes a piece"
            ),
        ),
    )
    def get_log_chunk(
        self,
        path: LogPath,
        *,
        before: Annotated[
            int | None, Param("Read what ends here: start of a piece read before", unit="bytes"), Field(ge=0)
        ] = None,
        after: Annotated[
            int | None, Param("Read what begins here: end of a piece read before", unit="bytes"), Field(ge=0)
        ] = None,
        max_bytes: Annotated[int, Param("Most that is returned", unit="bytes"), Field(ge=100, le=MAX_CHARS)] = 16_000,
        ctx: ToolContext,
    ) -> LogChunk:
        """Read the end of a log, however large it is, then go back or follow it by the places that are returned.

        Whole lines are returned, unless one alone is longer than max_bytes.
        """
        if before is not None and after is not None:
            raise ToolFailure(f"expected before or after, got both ({before} and {after})")
        size_bytes = need_file(path, ctx.project_dir).st_size
        name = shown(path, ctx.project_dir)
        place = before if before is not None else after
        if place is not None and place > size_bytes:
            raise ToolFailure(
                f"{name!r} has {size_bytes:,} bytes, but {place:,} was named: it was begun anew; read its end first"
            )
        with refusals(f"read {name!r}"), path.open("rb") as stream:
            sample = stream.read(SAMPLE_BYTES)
            encoding = encoding_of(sample, whole=len(sample) < SAMPLE_BYTES) if sample else "utf-8"
            if encoding is None or encoding in _WIDE:
                raise ToolFailure(
                    f"expected a log of single bytes or utf-8, but {name!r} is none; read_file may read it"
                )
            end = size_bytes if before is None else before
            start = after if after is not None else max(0, end - max_bytes)
            # One more byte tells whether the piece begins a line.
            stream.seek(max(0, start - 1))
            content = stream.read(min(end - start, max_bytes) + (start > 0))
        if start > 0:
            begins_line, content = content[:1] == b"\n", content[1:]
            if after is None and not begins_line:
                cut = content.find(b"\n") + 1
                start, content = start + cut, content[cut:]
        if start + len(content) < end and b"\n" in content:
            content = content[: content.rfind(b"\n") + 1]
        text = content.decode("utf-8" if encoding == "utf-8-sig" else encoding, "replace")
        stop = start + len(content)
        return LogChunk(name, text, start, stop, size_bytes, at_start=start == 0, at_end=stop == size_bytes)

    @tool(
        keywords=("grep", "log", "errors", "traceback", "filter"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "build/out.log", "pattern": "machine"}, description="Entries with a word"),
            ToolExample(
                input={"path": "build/out.log", "least_level": "error", "since": "2026-01-01T00:00:00Z"},
                description="The newest errors of a time",
            ),
        ),
    )
    def get_log_matches(
        self,
        path: LogPath,
        *,
        pattern: Annotated[
            str, Param("A regular expression in any case; empty takes every entry"), Field(max_length=10_000)
        ] = "",
        least_level: Annotated[
            LogLevelFound | None, Param("Only entries that say they are at least this serious")
        ] = None,
        since: Since = None,
        until: Until = None,
        newest: Annotated[bool, Param("Return the last ones that match, not the first")] = True,
        max_matches: Annotated[int, Param("Most entries returned"), Field(ge=1, le=5000)] = 100,
        ctx: ToolContext,
    ) -> LogMatches:
        """Find the entries of a log by text, level and time. Lines of a traceback stay with the entry they belong to.

        Times of ISO 8601, syslog, Apache and JSON lines are understood; gzipped logs are read as they are.
        """
        wanted = compiled(pattern, case_sensitive=False, multiline=True)
        name = shown(path, ctx.project_dir)
        kept: deque[LogEntryRead] = deque()
        room = MAX_CHARS
        found = entries = 0
        with time_limited(pattern, name):
            for entry in read_log(path, ctx):
                entries += 1
                if not entry.is_at_least(least_level) or not _is_within(entry, since, until):
                    continue
                if pattern and not wanted.search(entry.text, timeout=PATTERN_TIMEOUT_S):
                    continue
                found += 1
                if not newest and (len(kept) == max_matches or room < len(entry.text)):
                    continue
                kept.append(entry)
                room -= len(entry.text)
                while len(kept) > max_matches or (room < 0 and len(kept) > 1):
                    room += len(kept.popleft().text)
        if found > len(kept):
            say_cut(ctx, f"{counted(len(kept), 'entry', 'entries')} of {found:,} are returned; narrow it or allow more")
        matches = [LogMatch(entry.line, entry.text, entry.time, entry.level) for entry in kept]
        return LogMatches(name, matches, found, entries, found > len(kept))

    @tool(
        keywords=("log", "summary", "errors", "frequency", "statistics"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=600,
        examples=(
            ToolExample(input={"path": "build/out.log"}, description="What a log is full of"),
            ToolExample(
                input={"path": "build/out.log", "least_level": "warning", "max_kinds": 5},
                description="The five worst and most frequent kinds of trouble",
            ),
        ),
    )
    def summarize_log(
        self,
        path: LogPath,
        *,
        least_level: Annotated[
            LogLevelFound | None, Param("Only kinds of entries that are at least this serious")
        ] = None,
        since: Since = None,
        until: Until = None,
        max_kinds: Annotated[int, Param("Most kinds of entries returned"), Field(ge=1, le=500)] = 30,
        ctx: ToolContext,
    ) -> LogSummary:
        """Sum up a log: entries by level and hour, and which kinds of entries there are most of.

        Entries that differ in numbers, quoted texts, addresses and the like only are one kind.
        """
        summing = _Summing(least_level)
        for entry in read_log(path, ctx):
            if _is_within(entry, since, until):
                summing.add(entry)
        if summing.overflowed:
            ctx.log("warning", f"after {_MOST_KINDS:,} kinds of entries, rarer ones are not told apart")
        kinds = summing.kinds()
        return LogSummary(
            path=shown(path, ctx.project_dir),
            entries=summing.entries,
            first=summing.first,
            last=summing.last,
            count_by_level=dict(summing.levels),
            kinds=kinds[:max_kinds],
            hours=summing.hours(),
            truncated=len(kinds) > max_kinds or summing.overflowed,
        )


def _is_within(entry: LogEntryRead, since: datetime | None, until: datetime | None) -> bool:
    if since is None and until is None:
        return True
    if entry.time is None:
        return False
    return (since is None or entry.time >= _zoned(since)) and (until is None or entry.time <= _zoned(until))


def _zoned(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.astimezone()


def _kind(entry: LogEntryRead) -> str:
    text = _HEADS.sub("", entry.text.split("\n", 1)[0])
    for pattern, name in _VARIABLE:
        text = pattern.sub(name, text)
    return text[:_KIND_CHARS]


class _Summing:
    """Count the entries of a log."""

    _HOURS: Final = 48

    def __init__(self, least: LogLevelFound | None) -> None:
        self._least = least
        self._kinds: dict[tuple[str, LogLevelFound | None], tuple[int, int, int, str]] = {}
        self._hours: Counter[datetime] = Counter()
        self._errors: Counter[datetime] = Counter()
        self.levels: Counter[str] = Counter()
        self.entries = 0
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.overflowed = False

    def add(self, entry: LogEntryRead) -> None:
        self.entries += 1
        self.levels[entry.level.value if entry.level else "unknown"] += 1
        if entry.time is not None:
            moment = entry.time.astimezone(UTC)
            self.first = min(self.first or moment, moment)
            self.last = max(self.last or moment, moment)
            hour = moment.replace(minute=0, second=0, microsecond=0)
            self._hours[hour] += 1
            self._errors[hour] += entry.is_at_least(LogLevelFound.ERROR)
        if not entry.is_at_least(self._least):
            return
        key = _kind(entry), entry.level
        if key not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            self.overflowed = True
            return
        count, first, _, _ = self._kinds.get(key, (0, entry.line, 0, ""))
        self._kinds[key] = count + 1, first, entry.line, entry.text.split("\n", 1)[0]

    def kinds(self) -> list[LogKind]:
        """Return the kinds, errors and worse first, then the most frequent."""
        found = [
            LogKind(pattern, level, count, first, last, example)
            for (pattern, level), (count, first, last, example) in self._kinds.items()
        ]
        serious = {LogLevelFound.ERROR, LogLevelFound.CRITICAL}
        return sorted(found, key=lambda kind: (kind.level not in serious, -kind.count, kind.first_line))

    def hours(self) -> list[LogHour]:
        """Return the newest hours, in order."""
        return [LogHour(hour, self._hours[hour], self._errors[hour]) for hour in sorted(self._hours)[-self._HOURS :]]
