"""A keyring in memory."""

from __future__ import annotations


class KeptSecrets(dict[str, str]):
    def put(self, name: str, value: str) -> None:
        self[name] = value

    def remove(self, name: str) -> None:
        self.pop(name, None)
