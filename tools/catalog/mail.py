"""Mail: write messages to files, read them, send them, look through mailboxes."""

from __future__ import annotations

import ssl

from tools.catalog.mail_boxes import MailBoxes
from tools.catalog.mail_files import MailFiles
from tools.catalog.mail_sending import MailSending
from tools.declare import toolkit


@toolkit("Mail", category="mail", description="Write, read and send mail, look through mailboxes.")
class Mail(MailFiles, MailSending, MailBoxes):
    """Write, read and send mail, look through mailboxes.

    Args:
        trust: Whose certificates are trusted; None means the usual authorities.
    """

    def __init__(self, trust: ssl.SSLContext | None = None) -> None:
        self._trust = trust
