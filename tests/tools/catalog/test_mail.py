"""Mail in files, over a real SMTP server and in the mailboxes of a real IMAP server."""

from __future__ import annotations

import imaplib
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tests.tools.catalog.mail_servers import PASSWORD, USER, ImapServer, Taken, imap_server, letter, smtp_server
from tests.tools.catalog.services import Authority
from tools import CallStatus, DryRun, ExitEarly, resolve_tools
from tools.catalog._mail_folders import decoded_name, encoded_name
from tools.catalog.mail import Mail

# aiosmtpd warns of a field of its own.
pytestmark = pytest.mark.expects_log("mail.log")

LETTER: dict[str, Any] = {"to": ["Bob <bob@example.org>"], "subject": "Die Lämpe", "text": "Hell.\nSehr hell."}


@pytest.fixture
def mail(authority: Authority) -> Mail:
    return Mail(authority.trust())


def _compose(tmp_path: Path, **more: Any) -> Any:
    arguments = {**LETTER, "sender": "Ada <ada@example.org>", "target": "letter.eml", **more}
    return result_of(Mail(), "compose_email", arguments, tmp_path, Reviewer())


def test_a_composed_message_reads_back_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "lamp.png").write_bytes(b"\x89PNG\0")
    made = _compose(tmp_path, html="<p>Hell.</p>", cc=["eve@example.org"], attachments=["lamp.png"])
    assert made.recipients == ("bob@example.org", "eve@example.org")

    response = call(Mail(), "read_email_file", {"path": "letter.eml", "attach": True}, tmp_path)

    read = response.result
    assert (read.subject, read.sender, read.to) == ("Die Lämpe", "Ada <ada@example.org>", ("Bob <bob@example.org>",))
    assert (read.text, read.is_html, read.message_id) == ("Hell.\nSehr hell.\n", False, made.message_id)
    assert [(file.name, file.type, file.size_bytes) for file in read.attachments] == [("lamp.png", "image/png", 5)]
    assert [file.data for file in response.attachments] == [b"\x89PNG\0"]
    assert read.date is not None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"to": ["bob"]}, "expected an address such as ada@example.org"),
        ({"to": ["bob@example.org\nBcc: eve@example.org"]}, "expected an address such as"),
        ({"to": []}, "expected somebody to write to"),
        ({"subject": "a\nBcc: eve@example.org"}, "use one line for each header"),
        ({"in_reply_to": "<a@b>\r\nX: y"}, "use one line for each header"),
        ({"attachments": ["missing"]}, "cannot be attached: No such file"),
        ({"target": "missing/letter.eml"}, "missing"),
    ],
)
def test_a_message_that_makes_no_sense_is_not_written(tmp_path: Path, more: dict[str, Any], message: str) -> None:
    arguments = {**LETTER, "sender": "ada@example.org", "target": "letter.eml", **more}

    assert message in failure_of(Mail(), "compose_email", arguments, tmp_path, Reviewer())
    assert list(tmp_path.iterdir()) == []


def test_a_message_replaces_a_file_only_when_it_may(tmp_path: Path) -> None:
    _compose(tmp_path)
    arguments = {**LETTER, "sender": "ada@example.org", "target": "letter.eml"}

    assert "exists already" in failure_of(Mail(), "compose_email", arguments, tmp_path, Reviewer())
    _compose(tmp_path, overwrite=True, text="new")
    assert b"new" in (tmp_path / "letter.eml").read_bytes()


NESTED = b"Subject: deep\r\n" + b"".join(
    b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (depth, depth) for depth in range(300)
)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"Subject: x\r\nContent-Type: text/html\r\n\r\n<p>Only <b>HTML</b></p>", "Only HTML"),
        (b"Subject: x\r\nContent-Type: text/plain; charset=nonsense\r\n\r\nStill read", "Still read"),
        (b"Subject: x\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\nno part", ""),
        (b"Subject: =?utf-8?q?broken\r\nDate: never\r\nTo: ,,<\r\n\r\nok", "ok"),
        (b"", ""),
        (b"\x00\xff\xfe no header\r\n", ""),
    ],
)
def test_odd_messages_are_read_as_far_as_they_go(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "odd.eml").write_bytes(content)

    assert expected in result_of(Mail(), "read_email_file", {"path": "odd.eml"}, tmp_path).text


def test_a_message_that_nests_absurdly_ends_in_a_message(tmp_path: Path) -> None:
    (tmp_path / "deep.eml").write_bytes(NESTED)

    response = call(Mail(), "read_email_file", {"path": "deep.eml"}, tmp_path)

    assert response.succeeded or "cannot be read" in response.text


def _set_up(patch: pytest.MonkeyPatch, protocol: str, port: int, security: str, password: str = PASSWORD) -> None:
    values = {
        "HOST": "localhost",
        "PORT": str(port),
        "SECURITY": security,
        "USER": USER,
        "PASSWORD": password,
        "FROM": "Ada <ada@example.org>",
    }
    for name, value in values.items():
        patch.setenv(f"{protocol}_{name}", value)


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_mail_is_sent_encrypted_after_a_person_agreed(
    mail: Mail, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, security: str
) -> None:
    with smtp_server(authority, security) as taken:
        _set_up(monkeypatch, "SMTP", taken.port, security)
        refusing = Reviewer(ExitEarly("no"))
        assert call(mail, "send_email", LETTER, tmp_path, refusing).status is CallStatus.DENIED
        assert taken.messages == []

        reviewer = Reviewer()
        sent = result_of(
            mail, "send_email", {**LETTER, "bcc": ["eve@example.org", "nobody@example.org"]}, tmp_path, reviewer
        )

    assert reviewer.kinds == ["confirmation", "sends_data"]
    assert (sent.accepted, sent.refused) == (
        ("bob@example.org", "eve@example.org"),
        {"nobody@example.org": "550 no such person"},
    )
    ((sender, people, content),) = taken.messages
    assert (sender, people) == ("ada@example.org", ["bob@example.org", "eve@example.org"])
    assert taken.upgraded == [security == "starttls"]
    message = message_from_bytes(content, _class=EmailMessage, policy=policy.default)
    assert (message["subject"], message["bcc"]) == ("Die Lämpe", None)


def _failing(taken: Taken, patch: pytest.MonkeyPatch, case: str) -> dict[str, Any]:
    _set_up(patch, "SMTP", taken.port, "starttls", "wrong-0123456789" if case == "password" else PASSWORD)
    if case == "encryption":
        patch.setenv("SMTP_SECURITY", "tls")
    people = {"recipient": ["nobody@example.org"], "busy": ["busy@example.org"]}
    return {**LETTER, "to": people.get(case, LETTER["to"])}


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("password", "did not accept SMTP_USER and SMTP_PASSWORD (535"),
        ("recipient", "refused all recipients (nobody@example.org: 550 no such person)"),
        ("busy", "refused all recipients (busy@example.org: 450 come back later)"),
        ("encryption", "cannot be reached with tls"),
    ],
)
def test_what_an_smtp_server_refuses_says_what_to_do(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, message: str
) -> None:
    mail = Mail(authority.trust())
    with smtp_server(authority, "starttls") as taken:
        said = failure_of(mail, "send_email", _failing(taken, monkeypatch, case), tmp_path, Reviewer())

    assert message in said
    assert "0123456789" not in said
    assert taken.messages == []


def test_a_server_whose_certificate_is_not_trusted_gets_no_password(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with smtp_server(authority, "starttls") as taken:
        _set_up(monkeypatch, "SMTP", taken.port, "starttls")
        said = failure_of(Mail(), "send_email", LETTER, tmp_path, Reviewer())

    assert said.startswith("the certificate of localhost is not trusted")


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({}, "set the environment variables SMTP_HOST and SMTP_USER"),
        ({"SMTP_HOST": "localhost", "SMTP_SECURITY": "ssl3"}, "expected tls, starttls or none in SMTP_SECURITY"),
        ({"SMTP_HOST": "localhost", "SMTP_PORT": "mail"}, "expected a port in SMTP_PORT, got 'mail'"),
        ({"SMTP_HOST": "localhost", "SMTP_USER": "ada"}, "set the environment variable SMTP_PASSWORD"),
        ({"SMTP_HOST": "localhost"}, "set SMTP_FROM to an address"),
        ({"SMTP_HOST": "mail.invalid", "SMTP_USER": "a", "SMTP_SECURITY": "none"}, "without encryption"),
        ({"SMTP_HOST": "mail.invalid", "SMTP_FROM": "a@b.example"}, "check SMTP_HOST"),
    ],
)
def test_a_server_that_is_not_set_up_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], message: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert message in failure_of(Mail(), "send_email", LETTER, tmp_path, Reviewer())


def test_another_account_has_variables_of_its_own(tmp_path: Path) -> None:
    message = failure_of(Mail(), "send_email", {**LETTER, "account": "work"}, tmp_path, Reviewer())

    assert "SMTP_WORK_HOST" in message


@pytest.mark.parametrize("tool", ["send_email", "compose_email"])
def test_a_dry_run_shows_the_message(tmp_path: Path, tool: str) -> None:
    tools = {made.name: made for made in resolve_tools([Mail()])}
    more = {"sender": "ada@example.org", "target": tmp_path / "x.eml", "overwrite": False}
    arguments = {**LETTER, "html": "", "cc": [], "bcc": ["eve@example.org"], "attachments": [], "account": "", **more}
    look = tools[tool].dry_run
    assert look is not None

    shown = look(arguments, tmp_path)

    assert isinstance(shown, DryRun)
    assert [*shown.items][-6:] == [
        "To: Bob <bob@example.org>",
        "Bcc: eve@example.org",
        "Subject: Die Lämpe",
        "",
        "Hell.",
        "Sehr hell.",
    ]
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="session")
def imap(authority: Authority) -> Iterator[ImapServer]:
    with imap_server(authority) as server:
        with server.signed_in() as connection:
            connection.create(f'"{encoded_name("Größe & Maß")}"')
            for subject, text, flags in (("Old", "bright lamp", "\\Seen"), ("Neu: Lämpe", "dark", "\\Flagged")):
                message = letter(subject, text).as_bytes(policy=policy.SMTP)
                connection.append("INBOX", flags, imaplib.Time2Internaldate(1767261600), message)
        yield server


@pytest.fixture
def mailbox(imap: ImapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    _set_up(monkeypatch, "IMAP", imap.tls_port, "tls")


@pytest.mark.usefixtures("mailbox")
def test_folders_are_listed_with_what_is_unread(mail: Mail, tmp_path: Path) -> None:
    found = result_of(mail, "list_mail_folders", {}, tmp_path)

    folders = {folder.name: (folder.messages, folder.unread, folder.use) for folder in found.folders}
    assert folders == {"INBOX": (2, 1, ""), "Sent": (0, 0, "Sent"), "Größe & Maß": (0, 0, "")}


@pytest.mark.usefixtures("mailbox")
@pytest.mark.parametrize(
    ("arguments", "subjects"),
    [
        ({}, ["Neu: Lämpe", "Old"]),
        ({"limit": 1}, ["Neu: Lämpe"]),
        ({"unread_only": True}, ["Neu: Lämpe"]),
        ({"flagged_only": True}, ["Neu: Lämpe"]),
        ({"subject": "lämpe"}, ["Neu: Lämpe"]),
        ({"subject": "lämpe", "text": "größe"}, []),
        ({"text": "bright", "sender": "bob"}, ["Old"]),
        ({"recipient": "ada@", "since": "2026-01-01", "before": "2026-01-02"}, ["Neu: Lämpe", "Old"]),
        ({"since": "2026-01-02"}, []),
        ({"text": 'quote " and \\ slash'}, []),
        ({"folder": "Größe & Maß"}, []),
    ],
)
def test_messages_are_found_by_all_conditions(
    mail: Mail, tmp_path: Path, arguments: dict[str, Any], subjects: list[str]
) -> None:
    found = result_of(mail, "search_mail", arguments, tmp_path)

    assert [row.subject for row in found.messages] == subjects
    assert found.truncated == ("limit" in arguments)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_message_is_read_and_stays_unread(
    mail: Mail, imap: ImapServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, security: str
) -> None:
    _set_up(monkeypatch, "IMAP", imap.tls_port if security == "tls" else imap.port, security)
    (row,) = result_of(mail, "search_mail", {"unread_only": True}, tmp_path).messages
    assert (row.unread, row.flagged, row.sender) == (True, True, "Bob <bob@example.org>")

    read = result_of(mail, "read_mail", {"uid": row.uid}, tmp_path)

    assert (read.subject, read.text.strip(), read.sender) == ("Neu: Lämpe", "dark", "Bob <bob@example.org>")
    assert result_of(mail, "search_mail", {"unread_only": True}, tmp_path).found == 1


@pytest.mark.usefixtures("mailbox")
@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("read_mail", {"uid": 99}, "has no message 99; search_mail finds messages"),
        ("search_mail", {"folder": "Nowhere"}, "does not open the folder 'Nowhere'"),
    ],
)
def test_what_a_mailbox_does_not_have_is_told(
    mail: Mail, tmp_path: Path, tool: str, arguments: dict[str, Any], message: str
) -> None:
    assert message in failure_of(mail, tool, arguments, tmp_path)


def test_a_refused_password_is_told_and_not_shown(
    mail: Mail, imap: ImapServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set_up(monkeypatch, "IMAP", imap.tls_port, "tls", "wrong-0123456789")

    said = failure_of(mail, "list_mail_folders", {}, tmp_path)

    assert "did not accept IMAP_USER and IMAP_PASSWORD" in said
    assert "0123456789" not in said


@pytest.mark.parametrize("name", ["INBOX", "Größe & Maß", "台北/日本語", "a&b", "&-", "🙂"])
def test_names_of_folders_come_back_from_the_wire(name: str) -> None:
    assert encoded_name(name).isascii()
    assert decoded_name(encoded_name(name)) == name


def test_a_name_that_is_written_wrongly_stays_as_it_is() -> None:
    assert decoded_name("a &!!- b") == "a &!!- b"
