"""Sealed content opens with its key and its name only, whatever was changed; the key comes from the keyring."""

from __future__ import annotations

import base64
import subprocess
import sys

import keyring
import keyring.errors
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import VaultError
from tools.vault import KeyringVault, Vault, is_sealed, stored_key

KEY = bytes(range(32))


@given(content=st.binary(max_size=500), associated=st.binary(max_size=30))
def test_what_is_sealed_opens_again(content: bytes, associated: bytes) -> None:
    sealed = Vault(KEY).seal(content, associated)
    assert Vault(KEY).open(sealed, associated) == content
    assert len(sealed) == len(content) + 29
    assert is_sealed(sealed)


def test_nothing_of_the_content_can_be_read_and_equal_contents_look_different() -> None:
    vault = Vault(KEY)
    first, second = vault.seal(b"the canary sings"), vault.seal(b"the canary sings")
    assert b"canary" not in first
    assert first != second


@given(place=st.integers(min_value=0, max_value=44), bit=st.integers(min_value=0, max_value=7))
def test_any_changed_bit_is_noticed(place: int, bit: int) -> None:
    sealed = bytearray(Vault(KEY).seal(b"sixteen bytes ok", b"record 1"))
    sealed[place] ^= 1 << bit
    with pytest.raises(VaultError):
        Vault(KEY).open(bytes(sealed), b"record 1")


@pytest.mark.parametrize("length", [0, 1, 12, 28])
def test_what_was_cut_short_is_said_to_be_damaged(length: int) -> None:
    with pytest.raises(VaultError, match="damaged"):
        Vault(KEY).open(Vault(KEY).seal(b"content")[:length])


def test_another_key_or_another_name_does_not_open_it() -> None:
    sealed = Vault(KEY).seal(b"content", b"record 1")
    with pytest.raises(VaultError, match="another key, or was changed"):
        Vault(Vault.new_key()).open(sealed, b"record 1")
    with pytest.raises(VaultError, match="another key, or was changed"):
        Vault(KEY).open(sealed, b"record 2")


def test_a_key_has_thirty_two_bytes() -> None:
    assert len(Vault.new_key()) == 32
    with pytest.raises(VaultError, match="32 bytes, got 16"):
        Vault(KEY[:16])


def test_a_vault_does_not_show_its_key() -> None:
    vault = Vault(b"K" * 32)
    assert "KKK" not in repr(vault)


class TestKeyring:
    @pytest.fixture
    def stored(self, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
        entries: dict[tuple[str, str], str] = {}
        monkeypatch.setattr(keyring, "get_password", lambda service, name: entries.get((service, name)))
        monkeypatch.setattr(
            keyring, "set_password", lambda service, name, value: entries.update({(service, name): value})
        )
        return entries

    def test_the_first_use_makes_the_key_and_later_ones_find_it(self, stored: dict[tuple[str, str], str]) -> None:
        sealed = Vault.from_keyring().seal(b"content")
        (entry,) = stored
        assert entry == ("tool-console", "vault-key")
        assert len(base64.b64decode(stored[entry])) == 32
        assert Vault.from_keyring().open(sealed) == b"content"
        assert len(stored) == 1

    def test_the_key_of_whoever_stored_it_last_counts(
        self, stored: dict[tuple[str, str], str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def store(service: str, name: str, value: str) -> None:
            # Another program stores its own right after.
            stored[service, name] = base64.b64encode(KEY).decode() or value

        monkeypatch.setattr(keyring, "set_password", store)
        assert Vault(KEY).open(Vault.from_keyring().seal(b"content")) == b"content"

    @pytest.mark.parametrize("held", ["no base64 !", "c2hvcnQ=", "", "é"])
    def test_something_else_in_its_place_is_left_alone_and_said(
        self, stored: dict[tuple[str, str], str], held: str
    ) -> None:
        stored["tool-console", "vault-key"] = held
        with pytest.raises(VaultError, match="holds no key"):
            Vault.from_keyring()
        assert stored["tool-console", "vault-key"] == held

    def test_no_keyring_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(service: str, name: str) -> str | None:
            raise keyring.errors.NoKeyringError

        monkeypatch.setattr(keyring, "get_password", broken)
        with pytest.raises(VaultError, match=r"did not answer \(NoKeyringError\); unlock or install"):
            Vault.from_keyring()

    def test_a_keyring_that_forgets_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(keyring, "get_password", lambda service, name: None)
        monkeypatch.setattr(keyring, "set_password", lambda service, name, value: None)
        with pytest.raises(VaultError, match="keeps nothing under 'tool-console'"):
            Vault.from_keyring()


def test_the_library_is_loaded_when_something_is_sealed_not_before() -> None:
    script = (
        "import sys, tools.vault as v\n"
        "vault = v.Vault(bytes(32))\n"
        "assert 'cryptography' not in sys.modules\n"
        "vault.seal(b'x')\n"
        "assert 'cryptography' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_a_lazy_vault_asks_the_keyring_once_and_only_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def get_password(service: str, entry: str) -> str:
        asked.append(entry)
        return base64.b64encode(KEY).decode()

    monkeypatch.setattr(keyring, "get_password", get_password)
    vault = KeyringVault()
    assert asked == []
    assert vault.open(vault.seal(b"content", b"1"), b"1") == b"content"
    assert Vault(KEY).open(vault.seal(b"content")) == b"content"
    assert asked == ["vault-key"]


def test_no_key_is_made_where_one_is_only_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "set_password", pytest.fail)
    monkeypatch.setattr(keyring, "get_password", lambda service, entry: None)
    assert stored_key() is None
