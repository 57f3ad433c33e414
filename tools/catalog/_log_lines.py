"""Lines of logs: their time, their level, and which of them belong together."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from tools.catalog._bounds import ProgressThrottle
from tools.catalog._documents import SAMPLE_BYTES, encoding_of
from tools.catalog._paths import need_file, refusals, shown
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from tools.context import ToolContext

MAX_LINE_CHARS: Final = 2000
"""Longer lines are cut."""

_LONGEST_ENTRY_LINES: Final = 200
_LOOKED_AT: Final = 120
_PIECE: Final = 64 * 1024
_SECONDS_LIMIT: Final = 1e11
_GZIP: Final = b"\x1f\x8b"


class LogLevelFound(StrEnum):
    """How serious an entry of a log says it is."""

    TRACE = "trace"
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


_RANK: Final = {level: rank for rank, level in enumerate(LogLevelFound)}
_WORDS: Final = {
    "TRACE": LogLevelFound.TRACE,
    "DEBUG": LogLevelFound.DEBUG,
    "INFO": LogLevelFound.INFO,
    "NOTICE": LogLevelFound.INFO,
    "WARN": LogLevelFound.WARNING,
    "WARNING": LogLevelFound.WARNING,
    "ERROR": LogLevelFound.ERROR,
    "ERR": LogLevelFound.ERROR,
    "SEVERE": LogLevelFound.ERROR,
    "CRITICAL": LogLevelFound.CRITICAL,
    "FATAL": LogLevelFound.CRITICAL,
    "PANIC": LogLevelFound.CRITICAL,
    "ALERT": LogLevelFound.CRITICAL,
    "EMERG": LogLevelFound.CRITICAL,
}
# In small letters, these words stand in ordinary sentences; there they count between signs only.
_LEVEL: Final = re.compile(rf"\b({'|'.join(_WORDS)})\b|[\[<=\"|:]({'|'.join(_WORDS).lower()})(?=[\]>\"|: ])")
_ISO: Final = re.compile(r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?\d*\s?(Z|[+-]\d\d:?\d\d)?")
# Names of months are English in logs, whatever language this computer speaks.
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH: Final = f"({'|'.join(_MONTHS)})"
_APACHE: Final = re.compile(rf"(\d\d)/{_MONTH}/(\d{{4}}):(\d\d:\d\d:\d\d) ([+-]\d{{4}})")
_SYSLOG: Final = re.compile(rf"^(?:<\d+>)?{_MONTH} {{1,2}}(\d{{1,2}}) (\d\d:\d\d:\d\d)\b")
_TIME_KEYS: Final = ("timestamp", "time", "ts", "@timestamp", "datetime", "date")
_LEVEL_KEYS: Final = ("level", "severity", "levelname", "lvl", "log.level")


class LogEntryRead(NamedTuple):
    """One entry of a log: a line, and those after it that belong to it.

    Attributes:
        line: Number of its first line, from 1.
        text: Its lines.
        time: When it was written; None when it does not say. A time without a zone is this computer's.
        level: How serious it is; None when it does not say.
    """

    line: int
    text: str
    time: datetime | None
    level: LogLevelFound | None

    def is_at_least(self, least: LogLevelFound | None) -> bool:
        """Return whether the entry is serious enough; one that does not say is not, unless nothing is asked for."""
        return least is None or (self.level is not None and _RANK[self.level] >= _RANK[least])


def read_log(path: Path, ctx: ToolContext) -> Iterator[LogEntryRead]:
    """Yield the entries of a log, which may be gzipped; it is never held as a whole.

    Lines without a time that follow one with a time belong to its entry, such as those of a traceback.

    Raises:
        ToolFailure: It is missing or no text, or the call was cancelled.
    """
    size_bytes = need_file(path, ctx.project_dir).st_size
    name = shown(path, ctx.project_dir)
    with refusals(f"read {name!r}"), path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        stream: Any = gzip.open(raw) if packed else raw  # noqa: SIM115 -- closed with the file below it
        try:
            yield from _entries(_lines(stream, name, ProgressThrottle(ctx, None if packed else size_bytes)))
        except EOFError as error:
            raise ToolFailure(
                f"{name!r} ends in the middle of what was compressed; read it when it is complete"
            ) from error


def _lines(stream: IO[bytes], name: str, pace: ProgressThrottle) -> Iterator[tuple[int, str]]:
    head = stream.read(SAMPLE_BYTES)
    encoding = encoding_of(head, whole=len(head) < SAMPLE_BYTES) if head else "utf-8"
    if encoding is None:
        raise ToolFailure(f"expected a log, but {name!r} is no text; file_info says what it is")
    stream.seek(0)
    number = 1
    begun = ""
    with io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="\n") as reader:
        while piece := reader.readline(_PIECE):
            pace.step(len(piece), name)
            if len(begun) < MAX_LINE_CHARS:
                begun += piece[: MAX_LINE_CHARS + 1]
            if piece.endswith("\n"):
                yield number, _cut(begun)
                number, begun = number + 1, ""
        if begun:
            yield number, _cut(begun)


def _cut(line: str) -> str:
    line = line.rstrip("\r\n")
    return line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + "…"


def _entries(lines: Iterator[tuple[int, str]]) -> Iterator[LogEntryRead]:
    current: LogEntryRead | None = None
    more: list[str] = []
    timed = False
    for number, line in lines:
        time, level = _facts(line)
        timed = timed or time is not None
        begins = time is not None or (level is not None and not line[:1].isspace()) or not timed
        if current is None or begins:
            if current is not None:
                yield _joined(current, more)
            current, more = LogEntryRead(number, line, time, level), []
        elif len(more) < _LONGEST_ENTRY_LINES:
            more.append(line)
    if current is not None:
        yield _joined(current, more)


def _joined(entry: LogEntryRead, more: list[str]) -> LogEntryRead:
    return entry._replace(text="\n".join((entry.text, *more))) if more else entry


def _facts(line: str) -> tuple[datetime | None, LogLevelFound | None]:
    if line.startswith("{"):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            return _json_time(record), _json_level(record)
    head = line[:_LOOKED_AT]
    found = _LEVEL.search(head)
    level = _WORDS[(found[1] or found[2]).upper()] if found else None
    return _time(head), level


def _json_time(record: dict[str, Any]) -> datetime | None:
    value = next((record[key] for key in _TIME_KEYS if key in record), None)
    if isinstance(value, str):
        return _time(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if value > _SECONDS_LIMIT else value
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return None
    return None


def _json_level(record: dict[str, Any]) -> LogLevelFound | None:
    value = next((record[key] for key in _LEVEL_KEYS if key in record), None)
    if isinstance(value, int):
        # The numbers of bunyan and pino.
        names = list(LogLevelFound)
        return names[value // 10 - 1] if value % 10 == 0 and 0 < value // 10 <= len(names) else None
    return _WORDS.get(value.upper()) if isinstance(value, str) else None


def _time(text: str) -> datetime | None:
    """Return the time that a text begins with or holds; None for none."""
    try:
        if found := _ISO.search(text):
            year, month, day, clock, fraction, zone = found.groups()
            return _moment(f"{year}-{month}-{day}T{clock}.{(fraction or '0').ljust(6, '0')}", zone)
        if found := _APACHE.search(text):
            day, name, year, clock, zone = found.groups()
            return _moment(f"{year}-{_MONTHS.index(name) + 1:02}-{day}T{clock}", zone)
        if found := _SYSLOG.search(text):
            now = datetime.now(UTC).astimezone()
            month_and_day = f"{_MONTHS.index(found[1]) + 1:02}-{int(found[2]):02}"
            moment = _moment(f"{now.year}-{month_and_day}T{found[3]}", "")
            # Syslog leaves the year out, and nothing was written tomorrow.
            return moment if moment.date() <= now.date() else moment.replace(year=now.year - 1)
    except ValueError:
        # Digits that look like a time may be none, such as 2026-99-99.
        return None
    return None


def _moment(text: str, zone: str | None) -> datetime:
    """Return a moment; without a zone it is one of this computer's."""
    if not zone:
        return datetime.fromisoformat(text).astimezone()
    return datetime.fromisoformat(text + ("+00:00" if zone == "Z" else zone))
