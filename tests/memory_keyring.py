"""A keyring that is in memory only, also for a program on the screen, where no desktop has one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import keyring.backend
import keyring.errors


class MemoryKeyring(keyring.backend.KeyringBackend):
    priority = 1

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    @property
    def secrets(self) -> dict[str, str]:
        return {name: secret for (_, name), secret in self.kept.items()}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError(username)


@contextmanager
def memory_keyring() -> Iterator[MemoryKeyring]:
    """Put a keyring that remembers in the place of the system's as long as the block is open."""
    former, made = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(made)
    try:
        yield made
    finally:
        keyring.set_keyring(former)
