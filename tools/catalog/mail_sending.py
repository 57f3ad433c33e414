"""Send mail."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tools.catalog._dry_runs import telling_failures
from tools.catalog._mail_accounts import (
    TIMEOUT_S,
    Account,
    MailServer,
    mail_server,
    need_admitted,
    readable,
    sender_of,
    server_words,
    telling_connection_failures,
)
from tools.catalog._mail_messages import message_of
from tools.catalog.mail_files import (
    Attachments,
    Html,
    People,
    Person,
    Subject,
    Text,
    draft_lines,
    draft_of,
    message_dry_run,
)
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure, TransientError
from tools.spec import Concern, Count, DryRun, Param, ToolExample

if TYPE_CHECKING:
    from email.message import EmailMessage


@dataclass(frozen=True)
class SentEmail:
    """A message that was handed to a server.

    Attributes:
        server: The server that took it.
        message_id: What tells it from all others.
        accepted: The recipients the server took it for.
        refused: What the server said of the others, by address.
    """

    server: str
    message_id: str
    accepted: tuple[str, ...]
    refused: dict[str, str]


def _sending_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    people = ", ".join([*arguments["to"], *arguments["cc"], *arguments["bcc"]])
    what = f"Mails {people[:300]} over {server_words('SMTP', arguments['account'])}"
    return [Concern("sends_data", "Sends data", what)]


@telling_failures
def _send_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    draft = draft_of(arguments)
    host = server_words("SMTP", arguments["account"])
    return message_dry_run(f"Send a message over {host}.", draft, draft_lines(draft, ""), Count("hosts", 1, "1 host"))


class MailSending:
    """Send mail."""

    _trust: ssl.SSLContext | None

    @tool(
        keywords=("email", "send", "smtp", "message", "notify", "attachment"),
        latency="slow",
        idempotent=False,
        probe="reach_sender",
        probe_on_request=True,
        needs=("an SMTP server",),
        read_only=False,
        destructive=False,
        open_world=True,
        requires_confirmation=True,
        timeout_s=180,
        concerns=_sending_concerns,
        dry_run=_send_dry_run,
        examples=(
            ToolExample(
                input={"to": ["bob@example.org"], "subject": "The lamp", "text": "It is bright."},
                description="Write to somebody, which asks first",
            ),
            ToolExample(
                input={"to": ["jo@example.org"], "subject": "Notes", "text": "Here.", "attachments": ["README.md"]},
                description="With a file",
            ),
        ),
    )
    def send_email(
        self,
        to: People,
        subject: Subject,
        text: Text,
        *,
        html: Html = "",
        cc: People = [],  # noqa: B006 -- a default of the schema; nothing changes it
        bcc: People = [],  # noqa: B006 -- as above
        reply_to: Annotated[Person, Param("Where answers go; empty for the sender")] = "",
        in_reply_to: Annotated[str, Param("The Message-ID of the message that it answers")] = "",
        attachments: Attachments = [],  # noqa: B006 -- as above
        account: Account = "",
        ctx: ToolContext,
    ) -> SentEmail:
        """Send a mail over the SMTP server that is set up; a person is asked first and sees the message.

        The server comes from SMTP_HOST, SMTP_PORT, SMTP_SECURITY (tls, starttls or none), SMTP_USER, SMTP_FROM and
        SMTP_PASSWORD; the password may be in the keyring instead.
        """
        server = mail_server("SMTP", account)
        draft = draft_of(
            {
                "to": to,
                "subject": subject,
                "text": text,
                "html": html,
                "cc": cc,
                "bcc": bcc,
                "reply_to": reply_to,
                "in_reply_to": in_reply_to,
                "attachments": attachments,
            }
        )
        sender = sender_of(server)
        message = message_of(draft, sender)
        need_admitted(server, ctx)
        refused = self._send(server, message, draft.recipients)
        accepted = tuple(person for person in draft.recipients if person not in refused)
        for person, reason in refused.items():
            ctx.log("warning", f"{person} was refused: {reason}")
        return SentEmail(server.name, str(message["Message-ID"]), accepted, refused)

    def _send(self, server: MailServer, message: EmailMessage, recipients: tuple[str, ...]) -> dict[str, str]:
        """Hand a message over and return what the server said of recipients that it refused."""
        with self._opened_smtp(server) as smtp:
            refused = smtp.send_message(message, to_addrs=list(recipients))
            return {person: f"{code} {readable(said)}" for person, (code, said) in refused.items()}

    def reach_sender(self, ctx: ToolContext) -> None:
        """Sign in at the SMTP server, and leave again; nothing is sent."""
        server = mail_server("SMTP", "")
        need_admitted(server, ctx)
        with self._opened_smtp(server) as smtp:
            smtp.noop()

    @contextmanager
    def _opened_smtp(self, server: MailServer) -> Iterator[smtplib.SMTP]:
        """Yield a connection on which somebody is signed in.

        Raises:
            ToolFailure: The server does not let somebody in, or refuses a command.
            TransientError: It cannot be reached, or breaks off.
        """
        trust = self._trust or ssl.create_default_context()
        with telling_connection_failures(server), _telling_refusals(server), _connected(server, trust) as smtp:
            if server.security == "starttls":
                smtp.starttls(context=trust)
            if server.user:
                smtp.login(server.user, server.password)
            yield smtp


def _connected(server: MailServer, trust: ssl.SSLContext) -> smtplib.SMTP:
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_S, context=trust)
    return smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)


@contextmanager
def _telling_refusals(server: MailServer) -> Iterator[None]:
    """Let what an SMTP server refuses say what to do.

    Raises:
        ToolFailure: It refuses.
        TransientError: It refuses for now, or breaks off.
    """
    try:
        yield
    except smtplib.SMTPAuthenticationError as error:
        said = f"{error.smtp_code} {readable(error.smtp_error)}"
        raise ToolFailure(
            f"{server.name} did not accept {server.prefix}USER and {server.prefix}PASSWORD ({said}); check both"
        ) from error
    except smtplib.SMTPRecipientsRefused as error:
        reasons = "; ".join(f"{who}: {code} {readable(said)}" for who, (code, said) in error.recipients.items())
        raise ToolFailure(f"{server.name} refused all recipients ({reasons}); check the addresses") from error
    except smtplib.SMTPResponseException as error:
        said = f"{error.smtp_code} {readable(error.smtp_error)}"
        if 400 <= error.smtp_code < 500:  # noqa: PLR2004 -- what SMTP calls transient
            raise TransientError(f"{server.name} does not take the message now ({said}); try again later") from error
        raise ToolFailure(f"{server.name} does not take the message ({said}); change what it names") from error
    except smtplib.SMTPNotSupportedError as error:
        raise ToolFailure(f"{server.name} cannot do that: {error}; check {server.prefix}SECURITY") from error
    except smtplib.SMTPException as error:
        raise TransientError(f"{server.name} broke off: {readable(error)}; try again later") from error
