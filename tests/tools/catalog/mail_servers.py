"""Real mail servers on this computer: Dovecot for IMAP, aiosmtpd for SMTP."""

from __future__ import annotations

import getpass
import imaplib
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from tests.tools.catalog.services import Authority

USER, PASSWORD = "ada", "sesame-0123456789"
_STARTS_WITHIN_S = 20

_CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
listen = 127.0.0.1
protocols = imap
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{certificate}
disable_plaintext_auth = yes
first_valid_uid = 1
mail_location = maildir:{folder}/mail
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Sent {{
    special_use = \\Sent
    auto = create
  }}
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
{users}
"""


class ImapServer(NamedTuple):
    """A running IMAP server.

    Attributes:
        port: Where it speaks plainly until STARTTLS.
        tls_port: Where it is encrypted from the beginning.
        trust: Trusts its certificate.
    """

    port: int
    tls_port: int
    trust: ssl.SSLContext

    @contextmanager
    def signed_in(self) -> Iterator[imaplib.IMAP4_SSL]:
        with imaplib.IMAP4_SSL("localhost", self.tls_port, ssl_context=self.trust, timeout=20) as imap:
            imap.login(USER, PASSWORD)
            yield imap


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def need_dovecot() -> str:
    """Return the program; without it the test is skipped, or fails where services are required."""
    found = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        if os.environ.get("SERVICES") == "required":
            pytest.fail("Dovecot is not installed; run packaging/bootstrap services")
        pytest.skip("Dovecot is not installed; packaging/bootstrap services does it")
    return found


@contextmanager
def imap_server(authority: Authority) -> Iterator[ImapServer]:
    program = need_dovecot()
    # Its own users must be able to walk to it, which pytest's folders do not let them.
    with tempfile.TemporaryDirectory(prefix="dovecot-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = ImapServer(free_port(), free_port(), authority.trust())
        _configure(folder, server, authority)
        command = [program, "-F", "-c", str(folder / "dovecot.conf")]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _wait_until_it_answers(server, process, folder)
            yield server
        finally:
            process.terminate()
            process.communicate(timeout=20)


def _configure(folder: Path, server: ImapServer, authority: Authority) -> None:
    (folder / "run").mkdir()
    mail = folder / "mail"
    mail.mkdir()
    owner = pwd.getpwuid(os.getuid())
    users = ""
    if os.getuid() == 0:
        # It refuses to read mail as root.
        owner = pwd.getpwnam("nobody")
        os.chown(mail, owner.pw_uid, owner.pw_gid)
    else:
        me = getpass.getuser()
        services = "".join(f"service {name} {{\n  chroot =\n}}\n" for name in ("imap-login", "anvil", "stats"))
        users = f"default_login_user = {me}\ndefault_internal_user = {me}\n{services}"
    certificate = folder / "certificate.pem"
    shutil.copy(authority.certificate("localhost"), certificate)
    (folder / "dovecot.conf").write_text(
        _CONFIGURATION.format(
            folder=folder,
            certificate=certificate,
            password=PASSWORD,
            uid=owner.pw_uid,
            gid=owner.pw_gid,
            port=server.port,
            tls_port=server.tls_port,
            users=users,
        )
    )


def _wait_until_it_answers(server: ImapServer, process: subprocess.Popen[bytes], folder: Path) -> None:
    ends_at = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < ends_at and process.poll() is None:
        with suppress(OSError, imaplib.IMAP4.error), server.signed_in():
            return
        time.sleep(0.05)
    log = folder / "log"
    pytest.fail(f"Dovecot did not start: {log.read_text() if log.exists() else 'it wrote no log'}")


def letter(subject: str, text: str, sender: str = "Bob <bob@example.org>") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "ada@example.org", subject
    message["Date"] = "Thu, 01 Jan 2026 10:00:00 +0000"
    message["Message-ID"] = f"<{subject.encode().hex()}@example.org>"
    message.set_content(text)
    return message


class Taken:
    """What an SMTP server took.

    Attributes:
        port: Where it listens.
        messages: The messages, with who sent them and whom they are for.
        upgraded: Whether each came over a connection that STARTTLS encrypted.
    """

    def __init__(self) -> None:
        self.port = 0
        self.messages: list[tuple[str, list[str], bytes]] = []
        self.upgraded: list[bool] = []

    async def handle_RCPT(self, server: SMTP, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802 -- aiosmtpd's name
        if address.startswith("nobody@"):
            return "550 no such person"
        if address.startswith("busy@"):
            return "450 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802 -- aiosmtpd's name
        self.messages.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        self.upgraded.append(session.ssl is not None)
        return "250 taken"


@contextmanager
def smtp_server(authority: Authority, security: str) -> Iterator[Taken]:
    """Serve SMTP that wants USER and PASSWORD, encrypted from the beginning or from STARTTLS on."""

    def known(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (USER.encode(), PASSWORD.encode()), handled=False)

    taken = Taken()
    context = authority.serving("localhost")
    controller = Controller(
        taken,
        hostname="127.0.0.1",
        port=free_port(),
        authenticator=known,
        auth_required=security == "starttls",
        auth_require_tls=security == "starttls",
        ssl_context=context if security == "tls" else None,
        tls_context=context if security == "starttls" else None,
        require_starttls=security == "starttls",
    )
    controller.start()
    taken.port = controller.port
    try:
        yield taken
    finally:
        controller.stop()
