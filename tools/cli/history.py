"""`history`: find, show, export and prune what was recorded of calls."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from tools.calls import PROBE_CALLER, CallStatus, TraceStep
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import say
from tools.cli.times import age, local, moment
from tools.paths import data_folder
from tools.schema import json_text
from tools.spec import MISSING
from tools.trace_words import step_detail, step_title
from tools.workbench import HISTORY_FOLDER

if TYPE_CHECKING:
    from tools.calls import CallRecord
    from tools.history import History, HistoryQuery, HistoryRow
    from tools.history.exporting import ExportFormat

_PAGE: Final = 200
_TRACE_NAME: Final = 34
_LEAST_REVIEW_S: Final = 0.1


def add_history(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser
) -> None:
    """Add the command to the parser."""
    # Suppressed defaults: a filter may stand before or behind `search`, and what is not given must not undo the other.
    filters = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    filters.add_argument("--output", choices=("text", "json"), help="how results are written")
    filters.add_argument("--folder", type=Path, metavar="DIR", help="the history's folder (default: this person's own)")
    filters.add_argument("--tool", action="append", metavar="NAME", help="only calls of this tool; may be repeated")
    filters.add_argument(
        "--caller",
        action="append",
        metavar="NAME",
        help="only this caller's; may be repeated; `probe` only when it is named",
    )
    filters.add_argument(
        "--status",
        action="append",
        choices=[status.value for status in CallStatus],
        metavar="STATUS",
        help="only those that ended so: executed, failed, denied, …; may be repeated",
    )
    filters.add_argument("--since", type=moment, metavar="TIME", help="the first time that counts, or an age as 12h")
    filters.add_argument("--until", type=moment, metavar="TIME", help="the first time that counts no more, or an age")
    filters.add_argument(
        "--limit", type=_count, metavar="N", help="most calls, newest first (default: 20; export: all)"
    )
    parser = commands.add_parser("history", parents=[filters], help="find recorded calls")
    parts = parser.add_subparsers(dest="part", metavar="search | show | export | prune")
    search = parts.add_parser("search", parents=[filters], help="find calls by words in them")
    search.add_argument("words", nargs="*", metavar="WORDS")
    show = parts.add_parser("show", parents=[filters], help="show all of one call")
    show.add_argument("id", metavar="ID", help="as the list shows it, or `last`")
    export = parts.add_parser("export", parents=[filters], help="write calls into a file")
    export.add_argument("words", nargs="*", metavar="WORDS")
    export.add_argument("--to", required=True, metavar="FILE", help="the file; - is standard output")
    export.add_argument("--format", choices=("jsonl", "csv"), help="default: as the file's name ends, else jsonl")
    prune = parts.add_parser("prune", parents=[filters], help="let go what is not to be kept any longer")
    prune.add_argument(
        "--older-than", type=age, metavar="AGE", help="calls older than this, such as 30d (default: 90d)"
    )


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        msg = f"expected a number from 1, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def obey_history(options: argparse.Namespace) -> int:
    """Do what `history` says.

    Raises:
        HistoryError: When the history cannot be read.
    """
    given = vars(options)
    as_json = given.get("output") == "json"
    with _opened(given) as history:
        match options.part:
            case "show":
                return _show(history, options.id, as_json=as_json)
            case "export":
                return _export(history, given)
            case "prune":
                return _prune(history, given, as_json=as_json)
            case _:
                return _list(history, given, as_json=as_json)


@contextmanager
def _opened(given: dict[str, Any]) -> Iterator[History]:
    from tools.history import History  # noqa: PLC0415 -- other commands need no database
    from tools.vault import KeyringVault  # noqa: PLC0415 -- as above

    folder = given.get("folder") or data_folder() / HISTORY_FOLDER
    history = History(folder, vault=KeyringVault())
    if message := history.open().message:
        say(f"{message}")
    try:
        yield history
    finally:
        history.close()


def _query(given: dict[str, Any], limit: int | None) -> HistoryQuery:
    from tools.history import NO_LIMIT, HistoryQuery  # noqa: PLC0415 -- as in `_opened`

    callers = tuple(given.get("caller", ()))
    return HistoryQuery(
        text=" ".join(given.get("words", ())),
        tools=tuple(given.get("tool", ())),
        callers=callers,
        without_callers=() if callers else (PROBE_CALLER,),
        statuses=tuple(CallStatus(word) for word in given.get("status", ())),
        since=given.get("since"),
        until=given.get("until"),
        limit=NO_LIMIT if limit is None else limit,
    )


def _rows(history: History, given: dict[str, Any], limit: int | None) -> Iterator[HistoryRow]:
    """Iterate over the chosen calls, newest first, a page at a time."""
    query = _query(given, min(limit or _PAGE, _PAGE))
    left = limit
    while True:
        page = history.search(query)
        yield from page.rows if left is None else page.rows[:left]
        if left is not None:
            left -= len(page.rows)
        if page.next_before is None or (left is not None and left <= 0):
            return
        query = query._replace(before=page.next_before)


def _list(history: History, given: dict[str, Any], *, as_json: bool) -> Exit:
    rows = list(_rows(history, given, given.get("limit", 20)))
    if as_json:
        documents = [
            {**row._asdict(), "status": row.status.value, "proposed_at": row.proposed_at.isoformat()} for row in rows
        ]
        print(json.dumps(documents, indent=2, ensure_ascii=False))
        return Exit.OK
    if not rows:
        say("no recorded call fits")
    width = shutil.get_terminal_size().columns
    for row in rows:
        facts = f"{row.id}  {local(row.proposed_at)}  {_word(row.status):<10}  {_duration(row.own_s):>8}  {row.tool}"
        waited = f"waited {_duration(row.review_s)} for a person; " if row.review_s >= _LEAST_REVIEW_S else ""
        # What ran stands first: a search that found the other is answered too.
        asked = f" (asked for {row.asked_text})" if row.asked_text else ""
        words = f"{waited}{row.arguments_text}{asked}"
        print(f"{facts}  {_shortened(words, width - len(facts) - 2)}".rstrip())
    return Exit.OK


def _show(history: History, wanted: str, *, as_json: bool) -> Exit:
    from tools.history.exporting import document_of  # noqa: PLC0415 -- as in `_opened`

    if wanted == "last":
        wanted = next((row.id for row in _rows(history, {}, 1)), wanted)
    record = history.get(wanted)
    if record is None:
        say(f"no recorded call is {wanted!r}; `tool-console history` lists them")
        return Exit.USAGE
    if as_json:
        print(document_of([record]))
    else:
        _print_record(record)
    return Exit.OK


def _print_record(record: CallRecord) -> None:
    print(f"{record.tool.name} {record.tool.version}  {_word(record.status)}  {_took(record)}")
    print(
        f"  {record.id}  {local(record.proposed_at)}  by {record.caller}  {', '.join(_circumstances(record))}".rstrip()
    )
    _print_part("Arguments", _json(record.final_arguments))
    _print_part("Edited", "\n".join(edit.words() for edit in record.edits))
    _print_part("Asked for", _json(record.arguments if record.edited else None))
    for decision in record.decisions:
        answer = decision.answer.replace("_", " ") or "no answer"
        print(f"\nAsked: {decision.question}\n  {answer}{f' by {decision.by}' if decision.by else ''}")
        _print_part("Asked because", decision.why)
        _print_part("Void", decision.void)
        _print_part("Reason", decision.reason)
        _print_part("Changed to", _json(decision.revised))
        _print_part("Risk", f"{decision.degree}. {decision.risk_why}" if decision.degree else None)
    _print_part("Hidden", record.hidden)
    if record.error is not None:
        _print_part("Error", record.error.message)
    elif record.result is not MISSING:
        _print_part("Result", record.text)
    _print_part("Log", "\n".join(f"{line.offset_s:9.3f} s  {line.level}: {line.text}" for line in record.logs))
    _print_part("Attachments", "\n".join(f"{file.name}, {file.size_bytes:,} bytes" for file in record.attachments))
    _print_part("Trace", "\n".join(map(_trace_line, record.steps)))


def _trace_line(step: TraceStep) -> str:
    took = f"{step_title(step):<{_TRACE_NAME}} {_duration(step.elapsed_s):>10}"
    detail = step_detail(step)
    return f"{took}  {step.outcome.value} {'' if detail == step.outcome.value else detail}".rstrip()


def _circumstances(record: CallRecord) -> Iterator[str]:
    if record.from_cache:
        yield "from the cache"
    if len(record.attempts) > 1:
        yield f"{len(record.attempts)} attempts"
    if record.fallback:
        yield f"answered by {record.fallback}"
    if record.waited_s - record.review_s > _LEAST_REVIEW_S:
        yield f"waited {_duration(record.waited_s - record.review_s)} for its turn"


def _json(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json_text(value)


def _print_part(title: str, text: str | None) -> None:
    if text:
        print(f"\n{title}\n{textwrap.indent(text, '  ')}")


def _export(history: History, given: dict[str, Any]) -> Exit:
    target = given["to"]
    form: ExportFormat | None = given.get("format")
    query = _query(given, given.get("limit"))
    if target != "-":
        count = history.export(query, Path(target), form)
        say(f"{count:,} calls written to {target}")
        return Exit.OK
    with TemporaryDirectory() as folder:
        written = Path(folder) / "calls"
        history.export(query, written, form)
        with written.open(encoding="utf-8", newline="") as file:
            shutil.copyfileobj(file, sys.stdout)
    return Exit.OK


def _prune(history: History, given: dict[str, Any], *, as_json: bool) -> Exit:
    gone = history.prune()
    if given["older_than"] is not None:
        query = {"until": datetime.now(UTC) - given["older_than"]}
        # Calls that run stay, so what is found may be what cannot go.
        while count := history.forget([row.id for row in _rows(history, query, _PAGE)]):
            gone += count
    print(json.dumps({"forgotten": gone}) if as_json else f"{gone:,} calls let go")
    return Exit.OK


def _word(status: CallStatus) -> str:
    return status.value.replace("_", " ")


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def _took(record: CallRecord) -> str:
    """Return how long a call took, and apart from that how long a person was waited for."""
    waited = f", and {_duration(record.review_s)} waiting for a person" if record.review_s >= _LEAST_REVIEW_S else ""
    return f"{_duration(record.own_s)}{waited}"


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


COMMANDS: Final = {"history": CliCommand(add_history, alone=obey_history)}
