"""A keyring for the program on the screen: it is in memory only, and there where no desktop has one."""

from __future__ import annotations

from typing import ClassVar

import keyring.backend
import keyring.errors


class Ring(keyring.backend.KeyringBackend):
    priority: ClassVar[float] = 1
    _kept: ClassVar[dict[tuple[str, str], str]] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self._kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self._kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError(username)
