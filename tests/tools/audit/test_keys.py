from __future__ import annotations

import base64
from pathlib import Path

import keyring
import keyring.errors
import pytest

from tests.tools.audit.logs import KEY, draft, kinds_in, ledger_in, written
from tools.audit import AuditLog, checking_key, read_head, seal, verify
from tools.audit.folder import HEAD
from tools.audit.keys import KEYRING_ENTRY, writing_key
from tools.errors import AuditError, VaultError
from tools.vault import KEYRING_SERVICE, key_from_keyring


class Chest:
    """Keep passwords for the length of a test."""

    def __init__(self) -> None:
        self.passwords: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise keyring.errors.KeyringLocked("locked")
        return self.passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.passwords[service, username] = password


@pytest.fixture
def chest(monkeypatch: pytest.MonkeyPatch) -> Chest:
    """Put a keyring that remembers in the place of the system's."""
    chest = Chest()
    for name in ("get_password", "set_password"):
        monkeypatch.setattr(keyring, name, getattr(chest, name))
    return chest


def put_key(chest: Chest, key: bytes) -> None:
    chest.passwords[KEYRING_SERVICE, KEYRING_ENTRY] = base64.b64encode(key).decode()


def test_a_log_that_was_sealed_once_goes_on_with_the_keyrings_key(tmp_path: Path, chest: Chest) -> None:
    folder = written(tmp_path / "audit", 2)
    seal(folder, key_from_keyring(entry=KEYRING_ENTRY))
    with AuditLog(folder) as audit:
        assert not audit.problem
    ledger_in(folder).append([draft(4)])
    assert kinds_in(folder) == ["proposed", "proposed", "sealed", "proposed"]
    report = verify(folder, key=checking_key(folder))
    assert report.intact
    assert report.notes == ("entries 1 to 2 are not sealed: written before there was a key",)


def test_a_log_that_is_written_while_it_is_sealed_goes_on_sealed(tmp_path: Path, chest: Chest) -> None:
    ledger = ledger_in(tmp_path / "audit")
    ledger.append([draft(1)])
    seal(tmp_path / "audit", key_from_keyring(entry=KEYRING_ENTRY))
    ledger.append([draft(2)])
    assert verify(tmp_path / "audit", key=checking_key(tmp_path / "audit")).intact


def test_the_keyring_is_asked_only_for_a_sealed_log(tmp_path: Path, chest: Chest) -> None:
    chest.locked = True
    folder = written(tmp_path / "audit", 2)
    assert writing_key(folder) is None
    assert checking_key(folder) is None
    (folder / HEAD).write_text("damaged", encoding="utf-8")
    assert writing_key(folder) is None
    assert checking_key(folder) is None
    assert checking_key(tmp_path / "nowhere") is None


def test_a_key_that_is_locked_away_or_another_one_is_told(tmp_path: Path, chest: Chest) -> None:
    folder = written(tmp_path / "audit", 2, key=KEY)
    put_key(chest, b"x" * 32)
    with pytest.raises(AuditError, match="put that key back"):
        writing_key(folder)
    chest.locked = True
    with pytest.raises(VaultError, match="unlock"):
        writing_key(folder)
    with pytest.raises(VaultError, match="unlock"):
        checking_key(folder)


@pytest.mark.expects_log("tools.audit.log")
def test_a_log_whose_key_is_gone_is_a_problem_until_it_is_back(tmp_path: Path, chest: Chest) -> None:
    folder = written(tmp_path / "audit", 2, key=KEY)
    with AuditLog(folder) as audit:
        assert "sealed with a key that is not" in audit.problem
    put_key(chest, KEY)
    with AuditLog(folder) as audit:
        assert not audit.problem


def test_a_log_written_anew_without_seals_is_found(tmp_path: Path, chest: Chest) -> None:
    folder = written(tmp_path / "audit", 3)
    put_key(chest, KEY)
    head = read_head(folder)
    assert head is not None
    assert not head.key_id
    report = verify(folder, key=checking_key(folder))
    assert [finding.kind for finding in report.problems] == ["unsealed", "unsealed"]
