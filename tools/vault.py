"""Encrypt what is stored about guarded calls, with a key from the system's keyring."""

from __future__ import annotations

import base64
import binascii
import os
import threading
from typing import TYPE_CHECKING, Any, Final, Self

from tools.errors import VaultError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEYRING_SERVICE: Final = "tool-console"
KEYRING_ENTRY: Final = "vault-key"
KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_NULL_KEYRINGS: Final = ("keyring.backends.null", "keyring.backends.fail")
_TAG_BYTES: Final = 16
_FORM: Final = b"\x01"
"""The first byte of what is sealed: AES-256-GCM with a random nonce before the text."""


class Vault:
    """Seal bytes so that only the holder of the key can read them, and any change of them is noticed.

    What is sealed holds a byte for its form, the nonce, the text and the tag: 29 bytes more than the text. One key is
    good for some billions of texts. It may be used from several threads.

    Args:
        key: 32 random bytes.

    Raises:
        VaultError: When the key has another length.

    Source: NIST SP 800-38D, AES-256-GCM.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            msg = f"a vault needs a key of {KEY_BYTES} bytes, got {len(key)}; make one with Vault.new_key()"
            raise VaultError(msg)
        self._key = bytes(key)
        self._cipher: AESGCM | None = None

    @staticmethod
    def new_key() -> bytes:
        return os.urandom(KEY_BYTES)

    @classmethod
    def from_keyring(cls, service: str = KEYRING_SERVICE, entry: str = KEYRING_ENTRY) -> Self:
        """Return the vault whose key the system's keyring holds; see `key_from_keyring`.

        Raises:
            VaultError: When there is no keyring, it does not open, or it holds something else there.
        """
        return cls(key_from_keyring(service, entry))

    def seal(self, content: bytes, associated: bytes = b"") -> bytes:
        """Return the content encrypted.

        Args:
            associated: What it belongs to, such as a record's id; not hidden, not stored, and needed to open it.

        Raises:
            VaultError: When the library that encrypts is not installed.
        """
        nonce = os.urandom(_NONCE_BYTES)
        return _FORM + nonce + self._aes().encrypt(nonce, content, associated)

    def open(self, sealed: bytes, associated: bytes = b"") -> bytes:
        """Return what was sealed.

        Args:
            sealed: What `seal` returned.

        Raises:
            VaultError: When it was sealed with another key or for something else, or was changed since.
        """
        if not is_sealed(sealed):
            msg = "expected sealed content, got something else; it is damaged, or was never encrypted"
            raise VaultError(msg)
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 -- as in `_aes`

        start = len(_FORM) + _NONCE_BYTES
        try:
            return self._aes().decrypt(sealed[len(_FORM) : start], sealed[start:], associated)
        except InvalidTag as error:
            msg = "the sealed content does not open: it was encrypted with another key, or was changed since"
            raise VaultError(msg) from error

    def _aes(self) -> AESGCM:
        if self._cipher is None:
            try:
                from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 -- few programs encrypt
            except ImportError as error:
                msg = "encryption needs the package 'cryptography'; install it"
                raise VaultError(msg) from error
            self._cipher = AESGCM(self._key)
        return self._cipher

    def __repr__(self) -> str:
        """Return the class alone: the key is shown nowhere."""
        return "<Vault>"


class KeyringVault(Vault):
    """Ask the keyring only when something is sealed or opened for the first time: a person may have to unlock it."""

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


def key_from_keyring(service: str = KEYRING_SERVICE, entry: str = KEYRING_ENTRY) -> bytes:
    """Return the key that the system's keyring holds; the first use makes the key and stores it.

    It may wait for a person who unlocks the keyring, so call it in a thread.

    Args:
        service: The name under which the keyring lists the key.
        entry: The entry below that name.

    Raises:
        VaultError: When there is no keyring, it does not open, or it holds something else there.
    """
    key = stored_key(service, entry)
    if key is None:
        fresh = base64.b64encode(Vault.new_key()).decode()
        _ask_keyring("set_password", service, entry, fresh)
        # Two programs may start at a time: the key is whichever was stored last.
        key = stored_key(service, entry)
    if key is None:
        msg = f"no key for encryption: the keyring keeps nothing under {service!r}; install another one"
        raise VaultError(msg)
    return key


def stored_key(service: str = KEYRING_SERVICE, entry: str = KEYRING_ENTRY) -> bytes | None:
    """Return the key that the system's keyring holds; None when it holds none there.

    Raises:
        VaultError: When there is no keyring, it does not open, or it holds something else there.
    """
    stored = _ask_keyring("get_password", service, entry)
    if stored is None:
        return None
    try:
        key = base64.b64decode(stored, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        msg = (
            f"no key for encryption: the keyring's entry {entry!r} of {service!r} holds no key; what was sealed"
            " with the old one needs it back, or else remove the entry and a new key is made"
        )
        raise VaultError(msg)
    return key


def keyrings() -> list[str]:
    """Return the modules of this system's keyrings, the one that is asked first before the others.

    Those that keep nothing are none; whether one opens is another question.
    """
    import keyring  # noqa: PLC0415 -- looks for the system's keyrings
    from keyring.backends.chainer import ChainerBackend  # noqa: PLC0415 -- as above

    backend = keyring.get_keyring()
    backends = backend.backends if isinstance(backend, ChainerBackend) else [backend]
    names = [type(one).__module__ for one in backends]
    return [name for name in names if name not in _NULL_KEYRINGS]


def _ask_keyring(question: str, *words: str) -> Any:
    import keyring  # noqa: PLC0415 -- looks for the system's keyrings, and few programs need one
    import keyring.errors  # noqa: PLC0415 -- as above

    try:
        return getattr(keyring, question)(*words)
    except keyring.errors.KeyringError as error:
        why = str(error) or type(error).__name__
        msg = f"no key for encryption: the system's keyring did not answer ({why}); unlock or install a keyring"
        raise VaultError(msg) from error


def is_sealed(content: bytes) -> bool:
    """Return whether bytes have the form of sealed content; only opening them tells whether they are whole."""
    return content.startswith(_FORM) and len(content) >= len(_FORM) + _NONCE_BYTES + _TAG_BYTES
