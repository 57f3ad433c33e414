"""The project that the examples of the built-in tools run in: whoever adds an example puts here what it needs."""

from __future__ import annotations

import hashlib
import zipfile
from typing import TYPE_CHECKING

from PIL import Image

from tests.tools.catalog.sample_documents import add_documents
from tests.tools.catalog.sample_project import make_project
from tests.tools.catalog.test_git import Repo

if TYPE_CHECKING:
    from pathlib import Path

MAIL = b"""From: Ada <ada@example.org>
To: jo@example.org
Subject: The lamp
Date: Tue, 10 Mar 2026 15:00:00 +0000
Content-Type: text/plain; charset=utf-8

It came today.
"""
TEAM = b"\r\n".join(
    [
        b"BEGIN:VCALENDAR",
        b"VERSION:2.0",
        b"PRODID:-//Sample//EN",
        b"BEGIN:VEVENT",
        b"UID:1@sample",
        b"DTSTAMP:20260101T000000Z",
        b"DTSTART:20260310T150000Z",
        b"DTEND:20260310T160000Z",
        b"SUMMARY:Design review",
        b"LOCATION:Room 2",
        b"END:VEVENT",
        b"BEGIN:VEVENT",
        b"UID:2@sample",
        b"DTSTAMP:20260101T000000Z",
        b"DTSTART;VALUE=DATE:20260501",
        b"RRULE:FREQ=YEARLY",
        b"SUMMARY:May Day",
        b"END:VEVENT",
        b"END:VCALENDAR",
        b"",
    ]
)

SITE = """-----BEGIN CERTIFICATE-----
MIIBQjCB9aADAgECAhQbW4UtiE99svkib1a2RGd5IYKO4DAFBgMrZXAwFzEVMBMG
A1UEAwwMc2l0ZS5leGFtcGxlMB4XDTI2MTEyODIxMjAyN1oXDTM2MTEyNTIxMjAy
N1owFzEVMBMGA1UEAwwMc2l0ZS5leGFtcGxlMCowBQYDK2VwAyEA8KcA7Yw4W33J
j2ofsD/EhK8rxtiFuZdON1xYb2C9lAGjUzBRMB0GA1UdDgQWBBTavBFtrUeOyFog
4bZuUBSYqHzn5DAfBgNVHSMEGDAWgBTavBFtrUeOyFog4bZuUBSYqHzn5DAPBgNV
HRMBAf8EBTADAQH/MAUGAytlcANBAJQYMUqbNn6gZMWkqJGmAyn2C0MhTkhI2C6o
Xm7Q+YoHboW0fr8szJ6MdWLCIeHD00Iu5q2OHWXIZugaL2+qigc=
-----END CERTIFICATE-----
"""


def make_example_project(folder: Path) -> Path:
    """Make the sample project as a git repository with a past and a staged file."""
    project = add_documents(make_project(folder))
    (project / "data/SHA256SUMS").write_text(f"{hashlib.sha256(b'').hexdigest()}  README.md\n")
    with zipfile.ZipFile(project / "data/old.zip", "w") as archive:
        archive.writestr("old.md", "# Old\n")
    _add_files(project)
    repo = Repo(project)
    repo.commit("First", **{"libs/parser/x": "1\n", "build/y": "2\n"})
    repo.git("tag", "v1.0")
    repo.commit("Second", **{"libs/parser/x": "2\n"})
    repo.write("libs/new", "3\n")
    repo.git("add", "libs/new")
    return project


def _add_files(project: Path) -> None:
    (project / "requirements.txt").write_text("httpx==0.28.1 \\\n    --hash=sha256:0\nanyio==4.9.0\n")
    (project / "Makefile").write_text("hello:\n\t@echo hello\n")
    (project / "build/junit.xml").write_text('<testsuite><testcase classname="a" name="b"/></testsuite>')
    (project / "build/lcov.info").write_text("SF:src/router.py\nDA:1,1\nDA:2,0\nend_of_record\n")
    (project / "pictures").mkdir()
    Image.new("RGB", (40, 30), "skyblue").save(project / "pictures/sky.png")
    (project / "data/team.ics").write_bytes(TEAM)
    (project / "data/lamp.eml").write_bytes(MAIL)
    (project / "data/site.pem").write_text(SITE)
