"""`audit`: check the audit log, write it for somebody else, and name its newest entry."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import say
from tools.cli.times import local, moment
from tools.errors import AuditError, VaultError
from tools.paths import data_folder
from tools.workbench import AUDIT_FOLDER

if TYPE_CHECKING:
    from tools.audit import AuditReport, Exported


def add_audit(commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--output", choices=("text", "json"), default="text", help="how results are written")
    common.add_argument("--folder", type=Path, metavar="DIR", help="the log's folder (default: this person's own)")
    parser = commands.add_parser("audit", help="check or export the audit log")
    parts = parser.add_subparsers(dest="part", required=True, metavar="verify | export | seal | head")
    verify = parts.add_parser(
        "verify",
        parents=[common],
        help="find entries that were edited, removed, reordered or put in",
        epilog="Exit codes: 0 nothing was changed, 7 something was, 5 the log cannot be read.",
    )
    verify.add_argument(
        "--head", default="", metavar="N:HASH", help="what `audit head` said once, which must still hold"
    )
    verify.add_argument("--unsealed", action="store_true", help="do not look at seals: this log never had any")
    verify.add_argument("--file", type=Path, metavar="FILE", help="check this export instead of the log")
    export = parts.add_parser(
        "export",
        parents=[common],
        help="write entries into a file that `audit verify --file` checks",
        epilog="What is masked leaves a commitment behind, so the export is still checked as a whole. Maskable: answer,"
        " arguments, by, concerns, error, question, result, words.",
    )
    export.add_argument("--to", required=True, metavar="FILE", help="the file; - is standard output")
    export.add_argument("--mask", default="", metavar="FIELDS", help="values to leave out, such as arguments,result")
    export.add_argument("--since", type=moment, metavar="TIME", help="the first time that counts, or an age as 12h")
    export.add_argument("--until", type=moment, metavar="TIME", help="the first time that counts no more, or an age")
    export.add_argument(
        "--tool", action="append", default=[], metavar="NAME", help="tell only this tool's entries; may be repeated"
    )
    parts.add_parser(
        "seal",
        parents=[common],
        help="seal entries from now on with a key in the system's keyring, so that nobody else can write the log anew",
    )
    parts.add_parser("head", parents=[common], help="print number and hash of the newest entry, to be kept elsewhere")


def obey_audit(options: argparse.Namespace) -> int:
    """Do what `audit` says.

    Raises:
        AuditError: When the log cannot be read.
    """
    folder = options.folder or data_folder() / AUDIT_FOLDER
    match options.part:
        case "verify":
            return _verify(folder, options)
        case "export":
            return _export(folder, options)
        case "seal":
            return _seal(folder)
        case _:
            return _head(folder, options.output)


def _verify(folder: Path, options: argparse.Namespace) -> Exit:
    from tools.audit import verify, verify_export  # noqa: PLC0415 -- other commands do without

    key = None if options.unsealed else _key(folder)
    if options.file is not None:
        report = verify_export(options.file, key=key, head=options.head)
    else:
        report = verify(folder, key=key, head=options.head)
    if options.output == "json":
        print(json.dumps(_document(report), indent=2))
    else:
        _print_report(report, str(options.file or folder))
    return Exit.OK if report.intact else Exit.TAMPERED


def _document(report: AuditReport) -> dict[str, object]:
    return {
        "intact": report.intact,
        "entries": report.entries,
        "first_time": report.first_time,
        "last_time": report.last_time,
        "head": report.head.text,
        "problems": [finding._asdict() for finding in report.problems],
        "more": report.more,
        "notes": list(report.notes),
    }


def _print_report(report: AuditReport, place: str) -> None:
    for note in report.notes:
        print(f"note: {note}")
    for finding in report.problems:
        print(finding)
    if report.more:
        print(f"and {report.more:,} more")
    when = ""
    if report.first_time:
        first, last = (local(datetime.fromisoformat(time)) for time in (report.first_time, report.last_time))
        when = f" from {first} to {last}"
    verdict = "nothing was changed" if report.intact else "NOT as it was written"
    print(f"{place}: {report.entries:,} entries{when}: {verdict}")
    print(f"head {report.head.text}")


def _export(folder: Path, options: argparse.Namespace) -> Exit:
    from tools.audit import export  # noqa: PLC0415 -- as above

    chosen = {
        "mask": [name for name in options.mask.split(",") if name],
        "since": options.since,
        "until": options.until,
        "tools": options.tool,
    }
    if options.to == "-":
        done = export(folder, sys.stdout.write, **chosen)
        _tell(done, "standard output", options.output, sys.stderr)
        return Exit.OK
    target = Path(options.to)
    try:
        with target.open("w", encoding="utf-8", newline="\n") as file:
            done = export(folder, file.write, **chosen)
    except OSError as error:
        say(f"--to: {error}")
        return Exit.USAGE
    _tell(done, str(target), options.output, sys.stdout)
    return Exit.OK


def _tell(done: Exported, place: str, output: str, document: TextIO) -> None:
    if output == "json":
        print(json.dumps(done._asdict()), file=document)
        return
    without = f", {done.left_out:,} without their content" if done.left_out else ""
    say(f"{done.shown:,} entries written to {place}{without}")
    if done.last:
        say(f"it ends with {done.last}:{done.hash}")


def _key(folder: Path) -> bytes | None:
    from tools.audit import checking_key  # noqa: PLC0415 -- as above

    try:
        return checking_key(folder)
    except VaultError as error:
        say(f"warning: the seals are not checked: {error}")
        return None


def _seal(folder: Path) -> Exit:
    from tools.audit import KEYRING_ENTRY, seal  # noqa: PLC0415 -- as above
    from tools.vault import key_from_keyring  # noqa: PLC0415 -- as above

    try:
        seal(folder, key_from_keyring(entry=KEYRING_ENTRY))
    except OSError as error:
        msg = f"the audit log in {folder} cannot be written: {error}"
        raise AuditError(msg) from error
    print(f"entries of {folder} are sealed from now on; the key is the entry {KEYRING_ENTRY!r} of the keyring")
    return Exit.OK


def _head(folder: Path, output: str) -> Exit:
    from tools.audit import read_head  # noqa: PLC0415 -- as above

    head = read_head(folder, _key(folder)) if folder.is_dir() else None
    if head is None:
        msg = f"no audit log is at {folder}"
        raise AuditError(msg)
    print(json.dumps({"seq": head.seq, "hash": head.hash}) if output == "json" else head.text)
    return Exit.OK


COMMANDS: Final = {"audit": CliCommand(add_audit, alone=obey_audit)}
