"""A vault that fetches its key from the system's keyring when something is sealed or opened for the first time."""

from __future__ import annotations

import threading

from tools.vault import Vault

__all__ = ["KeyringVault"]


class KeyringVault(Vault):
    """Ask the keyring only when a tool wants encryption: it may have to be unlocked by a person."""

    def __init__(self) -> None:
        super().__init__(Vault.new_key())
        self._lock = threading.Lock()
        self._found: Vault | None = None

    def seal(self, content: bytes, associated: bytes = b"") -> bytes:
        """Return the content encrypted.

        Raises:
            VaultError: When there is no key.
        """
        return self._from_keyring().seal(content, associated)

    def open(self, sealed: bytes, associated: bytes = b"") -> bytes:
        """Return what was sealed.

        Raises:
            VaultError: When there is no key, or it is another one.
        """
        return self._from_keyring().open(sealed, associated)

    def _from_keyring(self) -> Vault:
        with self._lock:
            if self._found is None:
                self._found = Vault.from_keyring()
            return self._found
