"""The key that an audit log is sealed with: it is in the system's keyring, and the anchor says whether it is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tools.audit.folder import HeadError, key_id_of, read_head
from tools.errors import AuditError, VaultError
from tools.vault import KEYRING_SERVICE, stored_key

KEYRING_ENTRY: Final = "audit-key"


def writing_key(folder: Path) -> bytes | None:
    """Return the key to go on with a log, asking the keyring only for one that is sealed; None when it is not."""
    try:
        head = read_head(folder)
    except HeadError:
        return None
    if head is None or not head.key_id:
        return None
    key = stored_key(entry=KEYRING_ENTRY)
    if key is None or key_id_of(key) != head.key_id:
        msg = (
            f"the audit log is sealed with a key that is not the keyring's entry {KEYRING_ENTRY!r} of"
            f" {KEYRING_SERVICE!r}; put that key back, or move the log away to begin a new one"
        )
        raise AuditError(msg)
    return key


def checking_key(folder: Path) -> bytes | None:
    """Return the key to check a log with, whatever its anchor says: who forges a log leaves the seals out.

    Returns:
        None when the keyring has none, so that nothing was ever sealed.

    Raises:
        VaultError: When the log is sealed and the keyring does not answer.
    """
    try:
        return stored_key(entry=KEYRING_ENTRY)
    except VaultError:
        try:
            head = read_head(folder)
        except (HeadError, OSError):
            return None
        if head is None or not head.key_id:
            return None
        raise
