"""Write messages to files and read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._bounds import readable_size
from tools.catalog._dry_runs import refuse_target, telling_failures
from tools.catalog._mail_messages import (
    MOST_MESSAGE_BYTES,
    Draft,
    EmailText,
    address_of,
    attached_size,
    message_of,
    read_message,
)
from tools.catalog._paths import need_file, need_parent, shown
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Count, DryRun, Param, PathRole, ToolExample

Person = Annotated[str, StringConstraints(strip_whitespace=True, max_length=320)]
People = Annotated[list[Person], Param("Addresses such as ada@example.org or Ada <ada@example.org>")]
Subject = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), Param("The subject, in one line")]
Text = Annotated[str, StringConstraints(max_length=1_000_000), Param("What it says, as plain text")]
Html = Annotated[str, StringConstraints(max_length=1_000_000), Param("The same as HTML; empty for plain text only")]
Attachments = Annotated[list[Annotated[Path, PathRole()]], Param("Files to attach, 25 MB together at most")]
MessageCharacters = Annotated[int, Ge(1), Le(500_000), Param("The most of the text to return", unit="characters")]
_SHOWN_LINES: Final = 100


@dataclass(frozen=True)
class ComposedEmail:
    """A message in a file.

    Attributes:
        path: The file.
        size_bytes: Its size.
        recipients: Everybody it is for.
        message_id: What tells it from all others.
    """

    path: str
    size_bytes: int
    recipients: tuple[str, ...]
    message_id: str


def draft_of(arguments: Mapping[str, Any]) -> Draft:
    """Return the draft that a call's arguments make."""
    names = ("to", "subject", "text", "html", "cc", "bcc", "reply_to", "in_reply_to", "attachments")
    return Draft(**{name: arguments[name] for name in names if name in arguments})


def draft_lines(draft: Draft, sender: str) -> tuple[str, ...]:
    """Return a message as people look it over before it goes.

    Raises:
        ToolFailure: An address or an attachment is wrong.
    """
    attached_size(draft.attachments)
    lines = [f"From: {address_of(sender)}"] if sender else []
    for name, people in (("To", draft.to), ("Cc", draft.cc), ("Bcc", draft.bcc)):
        if people:
            lines.append(f"{name}: {', '.join(str(address_of(person)) for person in people)}")
    lines += [f"Subject: {draft.subject}", *(f"Attached: {path.name}" for path in draft.attachments), ""]
    return (*lines, *draft.text.splitlines())


def message_dry_run(text: str, draft: Draft, lines: tuple[str, ...], *more: Count) -> DryRun:
    """Return the dry run that shows a message."""
    people = len(draft.recipients)
    size = len(draft.text.encode()) + len(draft.html.encode()) + attached_size(draft.attachments)
    counts = (
        Count("recipients", people, f"{people} recipient{'' if people == 1 else 's'}"),
        Count("bytes", size, readable_size(size)),
        *more,
    )
    warnings = ("Those in Bcc are known to the server, not to the others.",) if draft.bcc else ()
    return DryRun(text, counts, lines[:_SHOWN_LINES], max(0, len(lines) - _SHOWN_LINES), warnings)


@telling_failures
def _compose_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    target: Path = arguments["target"]
    draft = draft_of(arguments)
    lines = draft_lines(draft, arguments["sender"])
    name = shown(target, project_dir)
    replaced = refuse_target(target, project_dir, overwrite=arguments["overwrite"])
    verb = f"Replace {name} with" if replaced else f"Make the file {name} of"
    return message_dry_run(f"{verb} a message; nothing is sent.", draft, lines, Count("files", 1, "1 file"))


class MailFiles:
    """Write and read messages in files."""

    @tool(
        keywords=("email", "eml", "compose", "write", "draft", "message", "attachment"),
        latency="fast",
        read_only=False,
        destructive=False,
        open_world=False,
        requires_confirmation=True,
        timeout_s=60,
        dry_run=_compose_dry_run,
        examples=(
            ToolExample(
                input={
                    "sender": "ada@example.org",
                    "to": ["Bob <bob@example.org>"],
                    "subject": "The lamp",
                    "text": "It is bright.",
                    "target": "lamp.eml",
                },
                description="A message in a file, which every mail program opens",
            ),
            ToolExample(
                input={
                    "sender": "ada@example.org",
                    "to": ["jo@example.org"],
                    "subject": "Notes",
                    "text": "Here.",
                    "attachments": ["README.md"],
                    "target": "notes.eml",
                },
                description="With a file",
            ),
        ),
    )
    def compose_email(
        self,
        sender: Annotated[Person, Param("Whom it comes from")],
        to: People,
        subject: Subject,
        text: Text,
        target: Annotated[Path, PathRole(writes=True), Param("The file to write, such as letter.eml")],
        *,
        html: Html = "",
        cc: People = [],  # noqa: B006 -- a default of the schema; nothing changes it
        reply_to: Annotated[Person, Param("Where answers go; empty for the sender")] = "",
        in_reply_to: Annotated[str, Param("The Message-ID of the message that it answers")] = "",
        attachments: Attachments = [],  # noqa: B006 -- as above
        overwrite: Annotated[bool, Param("Whether to replace a file that is already there")] = False,
        ctx: ToolContext,
    ) -> ComposedEmail:
        """Write a message with text, HTML and attachments to an EML file; nothing is sent."""
        draft = Draft(to, subject, text, html, cc, (), reply_to, in_reply_to, attachments)
        message = message_of(draft, sender)
        need_parent(target, ctx.project_dir, create=False)
        refuse_target(target, ctx.project_dir, overwrite=overwrite)
        content = message.as_bytes()
        try:
            target.write_bytes(content)
        except OSError as error:
            raise ToolFailure(f"{target} cannot be written: {error.strerror or error}") from error
        return ComposedEmail(str(target), len(content), draft.recipients, str(message["Message-ID"]))

    @tool(
        keywords=("email", "eml", "read", "parse", "headers", "attachments", "message"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "data/lamp.eml"}, description="What a message says"),
            ToolExample(input={"path": "data/lamp.eml", "attach": True}, description="With its attachments"),
        ),
    )
    def read_email_file(
        self,
        path: Annotated[Path, PathRole(), Param("A message in a file, such as letter.eml")],
        *,
        max_characters: MessageCharacters = 50_000,
        attach: Annotated[bool, Param("Whether its attachments come with the result")] = False,
        ctx: ToolContext,
    ) -> EmailText:
        """Read a message in an EML file: headers, text, and its attachments with size and hash."""
        need_file(path, ctx.project_dir)
        try:
            size = path.stat().st_size
            if size > MOST_MESSAGE_BYTES:
                raise ToolFailure(
                    f"{path} has {readable_size(size)}; expected {readable_size(MOST_MESSAGE_BYTES)} or less"
                )
            content = path.read_bytes()
        except OSError as error:
            raise ToolFailure(f"{path} cannot be read: {error.strerror or error}") from error
        return read_message(content, max_characters, ctx, attach=attach)
