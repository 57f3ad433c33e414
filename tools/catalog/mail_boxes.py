"""Look through mailboxes over IMAP; nothing is changed, not even what counts as read."""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from email import policy
from email.parser import BytesParser
from typing import Annotated, Final

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._bounds import ProgressThrottle, readable_size, say_cut
from tools.catalog._mail_accounts import (
    TIMEOUT_S,
    Account,
    MailServer,
    mail_server,
    need_admitted,
    readable,
    telling_connection_failures,
)
from tools.catalog._mail_folders import FetchedPart, counts, encoded_name, fetched_parts, listed_folders, quoted
from tools.catalog._mail_messages import MOST_MESSAGE_BYTES, EmailText, header_text, message_date, read_message
from tools.catalog.mail_files import MessageCharacters
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, ToolExample

Folder = Annotated[
    str,
    StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$"),
    Param("The folder's name, as list_mail_folders gives it"),
]
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
_HEADERS: Final = "(UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (FROM TO SUBJECT DATE MESSAGE-ID)])"
_MOST_FOLDERS: Final = 500
_A_FETCH: Final = 50


@dataclass(frozen=True)
class MailFolder:
    """One folder.

    Attributes:
        name: Its name.
        messages: How many messages it has; None when it holds none.
        unread: How many of them nobody has read; None as above.
        use: What it is for, such as Sent or Trash; empty when the server does not say.
    """

    name: str
    messages: int | None
    unread: int | None
    use: str


@dataclass(frozen=True)
class MailFolders:
    """The folders of an account.

    Attributes:
        folders: The folders.
        truncated: Whether there are more.
    """

    folders: tuple[MailFolder, ...]
    truncated: bool


@dataclass(frozen=True)
class MailRow:
    """One message in a folder.

    Attributes:
        uid: Its number in the folder, which read_mail takes.
        sender: Who it says it comes from.
        to: Whom it is for.
        subject: Its subject.
        date: When it says it was written; None when it does not.
        unread: Whether nobody has read it.
        flagged: Whether somebody marked it.
        size_bytes: Its size.
    """

    uid: int
    sender: str
    to: str
    subject: str
    date: datetime | None
    unread: bool
    flagged: bool
    size_bytes: int


@dataclass(frozen=True)
class MailRows:
    """The messages that a search found.

    Attributes:
        messages: The newest of them, the newest first.
        found: How many match in all.
        truncated: Whether some are missing here.
    """

    messages: tuple[MailRow, ...]
    found: int
    truncated: bool


class MailBoxes:
    """Look through mailboxes."""

    _trust: ssl.SSLContext | None

    @tool(
        keywords=("email", "imap", "folders", "mailbox", "unread", "inbox"),
        latency="slow",
        probe="reach_mailbox",
        probe_on_request=True,
        needs=("an IMAP server",),
        read_only=True,
        open_world=True,
        timeout_s=120,
        examples=(ToolExample(input={}, description="The folders and how much in them is unread"),),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    def list_mail_folders(self, *, account: Account = "", ctx: ToolContext) -> MailFolders:
        """List the folders of a mail account with how many messages they have and how many are unread.

        The server comes from IMAP_HOST, IMAP_PORT, IMAP_SECURITY (tls, starttls or none), IMAP_USER and IMAP_PASSWORD;
        the password may be in the keyring instead.
        """
        with self._signed_in(account, ctx) as (imap, server):
            listed = list(listed_folders(_done(imap.list(), server)))
            progress = ProgressThrottle(ctx, min(len(listed), _MOST_FOLDERS))
            folders = []
            for folder in listed[:_MOST_FOLDERS]:
                progress.step(text=folder.name)
                uses = [word for word in folder.attributes if word in _USES]
                messages = unread = None
                if not {"Noselect", "NonExistent"} & set(folder.attributes):
                    status = imap.status(quoted(folder.wire_name), "(MESSAGES UNSEEN)")
                    # A folder that nobody may look into is still there.
                    messages, unread = counts(status[1]) if status[0] == "OK" else (None, None)
                folders.append(MailFolder(folder.name, messages, unread, uses[0] if uses else ""))
        return MailFolders(tuple(folders), len(listed) > _MOST_FOLDERS)

    @tool(
        keywords=("email", "imap", "search", "inbox", "find", "messages", "unread"),
        latency="slow",
        probe="reach_mailbox",
        probe_on_request=True,
        needs=("an IMAP server",),
        read_only=True,
        open_world=True,
        timeout_s=180,
        examples=(
            ToolExample(input={"unread_only": True, "limit": 10}, description="What is new"),
            ToolExample(
                input={"sender": "billing@example.org", "subject": "invoice", "since": "2026-01-01"},
                description="Messages of somebody about something",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    def search_mail(
        self,
        *,
        folder: Folder = "INBOX",
        sender: Annotated[Words, Param("What stands in the sender")] = "",
        recipient: Annotated[Words, Param("What stands in the recipients")] = "",
        subject: Annotated[Words, Param("What stands in the subject")] = "",
        text: Annotated[Words, Param("What stands anywhere in the message")] = "",
        since: Annotated[date | None, Param("Only what came on or after this day")] = None,
        before: Annotated[date | None, Param("Only what came before this day")] = None,
        unread_only: Annotated[bool, Param("Whether only unread messages are wanted")] = False,
        flagged_only: Annotated[bool, Param("Whether only marked messages are wanted")] = False,
        limit: Annotated[int, Ge(1), Le(500), Param("The most messages to return")] = 20,
        account: Account = "",
        ctx: ToolContext,
    ) -> MailRows:
        """List or search the messages of a mail folder, the newest first; all conditions must hold."""
        words = {"FROM": sender, "TO": recipient, "SUBJECT": subject, "TEXT": text}
        plain = [f"{key} {quoted(value)}" for key, value in words.items() if value and value.isascii()]
        plain += [
            *([f"SINCE {_day(since)}"] if since else []),
            *([f"BEFORE {_day(before)}"] if before else []),
            *(["UNSEEN"] if unread_only else []),
            *(["FLAGGED"] if flagged_only else []),
        ]
        others = [(key, value) for key, value in words.items() if value and not value.isascii()]
        with self._signed_in(account, ctx) as (imap, server):
            _open(imap, server, folder)
            found = _uids(_done(imap.uid("SEARCH", *(plain or ["ALL"])), server))
            for key, value in others:
                # Only the last word of a command can be a literal, so each of these is a search of its own.
                imap.literal = value.encode()  # type: ignore[assignment]  # the library sends it as it is
                found &= _uids(_done(imap.uid("SEARCH", "CHARSET", "UTF-8", key), server))
            newest = sorted(found, reverse=True)[:limit]
            rows = {part.uid: _row(part) for part in _fetched(imap, server, newest, ctx)}
        if len(found) > len(newest):
            say_cut(ctx, f"{len(newest):,} of {len(found):,} messages")
        return MailRows(tuple(rows[uid] for uid in newest if uid in rows), len(found), len(found) > len(newest))

    @tool(
        keywords=("email", "imap", "read", "message", "attachments", "inbox"),
        latency="slow",
        probe="reach_mailbox",
        probe_on_request=True,
        needs=("an IMAP server",),
        read_only=True,
        open_world=True,
        timeout_s=180,
        examples=(
            ToolExample(input={"uid": 4711}, description="A message of the inbox"),
            ToolExample(input={"uid": 12, "folder": "Archive", "attach": True}, description="With its attachments"),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    def read_mail(
        self,
        uid: Annotated[int, Ge(1), Le(2**32), Param("The message's number, as search_mail gives it")],
        *,
        folder: Folder = "INBOX",
        max_characters: MessageCharacters = 50_000,
        attach: Annotated[bool, Param("Whether its attachments come with the result")] = False,
        account: Account = "",
        ctx: ToolContext,
    ) -> EmailText:
        """Read a message of a mail folder: headers, text, attachments. It stays unread if it was."""
        with self._signed_in(account, ctx) as (imap, server):
            _open(imap, server, folder)
            known = next(_part(_done(imap.uid("FETCH", str(uid), "(UID RFC822.SIZE)"), server), uid), None)
            if known is None:
                raise ToolFailure(f"the folder {folder!r} has no message {uid}; search_mail finds messages")
            if known.size_bytes > MOST_MESSAGE_BYTES:
                most = readable_size(MOST_MESSAGE_BYTES)
                raise ToolFailure(f"the message has {readable_size(known.size_bytes)}; at most {most} are read")
            part = next(_part(_done(imap.uid("FETCH", str(uid), "(UID BODY.PEEK[])"), server), uid), None)
        if part is None:
            raise TransientError(f"{server.name} did not give the message; try again")
        return read_message(part.content, max_characters, ctx, attach=attach)

    def reach_mailbox(self, ctx: ToolContext) -> None:
        """Sign in at the IMAP server, and leave again."""
        with self._signed_in("", ctx):
            pass

    @contextmanager
    def _signed_in(self, account: str, ctx: ToolContext) -> Iterator[tuple[imaplib.IMAP4, MailServer]]:
        """Yield a connection on which somebody is signed in.

        Raises:
            ToolFailure: No server is set up, it does not let somebody in, or refuses a command.
            TransientError: It cannot be reached, or breaks off.
        """
        server = mail_server("IMAP", account)
        need_admitted(server, ctx)
        trust = self._trust or ssl.create_default_context()
        with telling_connection_failures(server), _telling_refusals(server):
            imap = _connected(server, trust)
            try:
                if server.user:
                    _sign_in(imap, server)
                yield imap, server
            finally:
                # The answer is already there, whatever the server makes of the farewell.
                with suppress(imaplib.IMAP4.error, OSError):
                    imap.logout()


_USES: Final = frozenset({"All", "Archive", "Drafts", "Flagged", "Junk", "Sent", "Trash", "Important"})
"""What folders are for. Source: RFC 6154, RFC 8457."""


def _connected(server: MailServer, trust: ssl.SSLContext) -> imaplib.IMAP4:
    if server.security == "tls":
        return imaplib.IMAP4_SSL(server.host, server.port, ssl_context=trust, timeout=TIMEOUT_S)
    imap = imaplib.IMAP4(server.host, server.port, timeout=TIMEOUT_S)
    if server.security == "starttls":
        imap.starttls(trust)
    return imap


def _sign_in(imap: imaplib.IMAP4, server: MailServer) -> None:
    try:
        imap.login(server.user, server.password)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as error:
        said = readable(error.args[0] if error.args else "")
        raise ToolFailure(
            f"{server.name} did not accept {server.prefix}USER and {server.prefix}PASSWORD ({said}); check both"
        ) from None


@contextmanager
def _telling_refusals(server: MailServer) -> Iterator[None]:
    try:
        yield
    except imaplib.IMAP4.abort as error:
        raise TransientError(f"{server.name} broke off: {readable(error)}; try again") from error
    except imaplib.IMAP4.error as error:
        raise ToolFailure(f"{server.name} refused: {readable(error)}") from error


def _done(answer: tuple[str, Sequence[object]], server: MailServer) -> list[object]:
    """Return what came with an answer.

    Raises:
        ToolFailure: The server refused.
    """
    status, said = answer
    if status != "OK":
        raise ToolFailure(f"{server.name} refused: {readable(said[0] if said else status)}")
    return [line for line in said if line is not None]


def _open(imap: imaplib.IMAP4, server: MailServer, folder: str) -> None:
    status, said = imap.select(quoted(encoded_name(folder)), readonly=True)
    if status != "OK":
        raise ToolFailure(
            f"{server.name} does not open the folder {folder!r} ({readable(said[0])}); list_mail_folders names all"
        )


def _uids(answer: Sequence[object]) -> set[int]:
    return {int(word) for line in answer if isinstance(line, bytes) for word in line.split() if word.isdigit()}


def _part(answer: Sequence[object], uid: int) -> Iterator[FetchedPart]:
    # Servers may tell of other messages at any time.
    return (part for part in fetched_parts(answer) if part.uid == uid)


def _fetched(imap: imaplib.IMAP4, server: MailServer, uids: Sequence[int], ctx: ToolContext) -> Iterator[FetchedPart]:
    progress = ProgressThrottle(ctx, len(uids))
    for start in range(0, len(uids), _A_FETCH):
        some = uids[start : start + _A_FETCH]
        yield from fetched_parts(_done(imap.uid("FETCH", ",".join(map(str, some)), _HEADERS), server))
        progress.step(len(some))


def _row(part: FetchedPart) -> MailRow:
    message = BytesParser(policy=policy.default).parsebytes(part.content, headersonly=True)
    return MailRow(
        uid=part.uid,
        sender=header_text(message, "from", 500),
        to=header_text(message, "to", 500),
        subject=header_text(message, "subject", 500),
        date=message_date(message),
        unread="Seen" not in part.flags,
        flagged="Flagged" in part.flags,
        size_bytes=part.size_bytes,
    )


def _day(day: date) -> str:
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{day.day:02d}-{months[day.month - 1]}-{day.year:04d}"
