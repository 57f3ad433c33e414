"""Messages as they are written and read: addresses, texts, attachments."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.catalog._bounds import cut_text, readable_size
from tools.catalog.web_pages import read_page
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from tools.context import ToolContext

MOST_ATTACHED_BYTES: Final = 25_000_000
MOST_MESSAGE_BYTES: Final = 60_000_000
_MOST_PARTS: Final = 500
_MOST_TOLD: Final = 100
_NAMED: Final = re.compile(r'\s*"?([^"<>]*?)"?\s*<([^<>\s]+)>\s*')
_BARE: Final = re.compile(r"[^@\s<>,;:\"]+@[^@\s<>,;:\"]+")
_HEADER_FAULTS: Final = (ValueError, LookupError, AttributeError, TypeError)
"""How the library's parser fails over headers that no program should have sent."""
_TOLD_HEADERS: Final = (
    "reply-to",
    "in-reply-to",
    "references",
    "sender",
    "return-path",
    "list-id",
    "list-unsubscribe",
    "auto-submitted",
    "authentication-results",
)


@dataclass(frozen=True)
class EmailAttachment:
    """One attachment.

    Attributes:
        name: Its file name; empty when it has none.
        type: Its media type.
        size_bytes: Its size.
        sha256: Its hash.
    """

    name: str
    type: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class EmailText:
    """A message.

    Attributes:
        subject: Its subject.
        sender: Who it says it comes from.
        to: Whom it is for.
        cc: Who gets a copy.
        date: When it says it was written; None when it does not, or in no way that can be read.
        message_id: What tells it from all others.
        headers: Further header lines that matter, by names in small letters.
        text: What it says; of a message in HTML only, the words of it.
        is_html: Whether it has no plain text.
        attachments: Its attachments, the first hundred.
        size_bytes: How large it is as a whole.
        truncated: Whether text or attachments are missing here.
    """

    subject: str
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    date: datetime | None
    message_id: str
    headers: dict[str, str]
    text: str
    is_html: bool
    attachments: tuple[EmailAttachment, ...]
    size_bytes: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What a message is to say.

    Attributes:
        to: Whom it is for.
        subject: Its subject.
        text: Its plain text.
        html: The same as HTML; empty for none.
        cc: Who gets a copy.
        bcc: Who gets one without the others knowing.
        reply_to: Where answers go; empty for the sender.
        in_reply_to: The message it answers; empty for none.
        attachments: The files with it.
    """

    to: Sequence[str]
    subject: str
    text: str
    html: str = ""
    cc: Sequence[str] = ()
    bcc: Sequence[str] = ()
    reply_to: str = ""
    in_reply_to: str = ""
    attachments: Sequence[Path] = ()

    @property
    def recipients(self) -> tuple[str, ...]:
        """Everybody who gets it, each once, without names."""
        return tuple(dict.fromkeys(address_of(text).addr_spec for text in (*self.to, *self.cc, *self.bcc)))


def address_of(text: str) -> Address:
    """Return an address, with or without a name before it.

    Raises:
        ToolFailure: It is none.
    """
    named = _NAMED.fullmatch(text)
    name, spec = (named[1], named[2]) if named else ("", text.strip())
    if not _BARE.fullmatch(spec) or any(ord(letter) < 32 for letter in text):  # noqa: PLR2004 -- control characters
        raise ToolFailure(f"expected an address such as ada@example.org or Ada <ada@example.org>, got {text!r}")
    try:
        return Address(name.strip(), addr_spec=spec)
    except (ValueError, MessageError, IndexError) as error:
        raise ToolFailure(f"{text!r} is no address that can be written: {error}") from error


def message_of(draft: Draft, sender: str) -> EmailMessage:
    """Return the message that a draft makes; those who get it without the others knowing are not in it.

    Raises:
        ToolFailure: An address or an attachment is wrong, or the whole too large.
    """
    if not draft.recipients:
        raise ToolFailure("expected somebody to write to, got no address; give at least one in to, cc or bcc")
    message = EmailMessage(policy.SMTP)
    try:
        message["From"] = address_of(sender)
        for name, people in (("To", draft.to), ("Cc", draft.cc)):
            if people:
                message[name] = tuple(map(address_of, people))
        message["Subject"] = draft.subject
        message["Date"] = formatdate(localtime=True)
        message["Message-ID"] = make_msgid(domain=address_of(sender).domain)
        if draft.reply_to:
            message["Reply-To"] = address_of(draft.reply_to)
        if draft.in_reply_to:
            message["In-Reply-To"] = message["References"] = draft.in_reply_to
    except (ValueError, MessageError) as error:
        raise ToolFailure(f"the message cannot be written: {error}; use one line for each header") from error
    message.set_content(draft.text)
    if draft.html:
        message.add_alternative(draft.html, subtype="html")
    for path, content in _contents(draft.attachments):
        main, _, sub = (mimetypes.guess_type(path.name)[0] or "application/octet-stream").partition("/")
        message.add_attachment(content, maintype=main, subtype=sub, filename=path.name)
    return message


def _contents(paths: Sequence[Path]) -> list[tuple[Path, bytes]]:
    contents: list[tuple[Path, bytes]] = []
    left = MOST_ATTACHED_BYTES
    for path in paths:
        try:
            left -= path.stat().st_size
            if left < 0:
                raise ToolFailure(f"the attachments are larger than {readable_size(MOST_ATTACHED_BYTES)}; send less")
            contents.append((path, path.read_bytes()))
        except OSError as error:
            raise ToolFailure(f"{path} cannot be attached: {error.strerror or error}") from error
    return contents


def attached_size(paths: Sequence[Path]) -> int:
    """Return the size of files together.

    Raises:
        ToolFailure: One of them cannot be attached.
    """
    try:
        sizes = [path.stat().st_size for path in paths]
    except OSError as error:
        raise ToolFailure(f"{error.filename} cannot be attached: {error.strerror or error}") from error
    if folder := next((path for path in paths if path.is_dir()), None):
        raise ToolFailure(f"{folder} is a folder; make an archive of it first")
    return sum(sizes)


def read_message(content: bytes, max_characters: int, ctx: ToolContext, *, attach: bool = False) -> EmailText:
    """Return what a message says.

    Args:
        content: The message.
        max_characters: The most of its text that is kept.
        ctx: The running call.
        attach: Whether its attachments become those of the call.

    Raises:
        ToolFailure: It is no message.
    """
    try:
        message = BytesParser(policy=policy.default).parsebytes(content)
        return _told(message, len(content), max_characters, ctx, attach=attach)
    except (RecursionError, MessageError, *_HEADER_FAULTS) as error:
        raise ToolFailure(f"the message cannot be read: {type(error).__name__}: {str(error)[:200]}") from error


def _told(message: EmailMessage, size: int, max_characters: int, ctx: ToolContext, *, attach: bool) -> EmailText:
    plain = message.get_body(("plain",))
    rich = message.get_body(("html",)) if plain is None else None
    chosen = plain or rich
    words = _content(chosen) if chosen is not None else ""
    if rich is not None:
        words = read_page(words, "https://message.invalid/").text
    text, cut = cut_text(words.replace("\r\n", "\n"), max_characters, ctx)
    files = [part for part in list(message.walk())[:_MOST_PARTS] if _is_attachment(part, chosen)]
    attachments = []
    for part in files[:_MOST_TOLD]:
        body = _bytes_of(part)
        name = part.get_filename() or ""
        attachments.append(EmailAttachment(name, part.get_content_type(), len(body), hashlib.sha256(body).hexdigest()))
        if attach:
            ctx.attach(body, part.get_content_type(), Path(name).name or None)
    headers = {name: said for name in _TOLD_HEADERS if (said := header_text(message, name))}
    return EmailText(
        subject=header_text(message, "subject"),
        sender=header_text(message, "from"),
        to=_people(message, "to"),
        cc=_people(message, "cc"),
        date=message_date(message),
        message_id=header_text(message, "message-id"),
        headers=headers,
        text=text,
        is_html=rich is not None,
        attachments=tuple(attachments),
        size_bytes=size,
        truncated=cut or len(files) > _MOST_TOLD,
    )


def _is_attachment(part: Any, body: Any) -> bool:
    if part is body or part.is_multipart():
        return False
    return bool(part.get_content_disposition() == "attachment" or part.get_filename())


def _bytes_of(part: Any) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _content(part: Any) -> str:
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError):
        return _bytes_of(part).decode("utf-8", errors="replace")


def header_text(message: EmailMessage, name: str, limit: int = 2000) -> str:
    """Return a header in one line; words that say so when the library cannot read it."""
    try:
        text = str(message.get(name, ""))
    except _HEADER_FAULTS:
        return "(cannot be read)"
    return " ".join(text.split())[:limit]


def message_date(message: EmailMessage) -> datetime | None:
    """Return when a message says it was written; None when it does not, or in no way that can be read."""
    try:
        moment = getattr(message.get("date"), "datetime", None)
    except _HEADER_FAULTS:
        return None
    return moment if isinstance(moment, datetime) else None


def _people(message: EmailMessage, name: str) -> tuple[str, ...]:
    try:
        found = message.get_all(name, [])
        return tuple(str(address) for header in found for address in getattr(header, "addresses", ()))[:_MOST_TOLD]
    except _HEADER_FAULTS:
        return ("(cannot be read)",)
