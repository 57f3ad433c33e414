"""A keyring in memory."""

from __future__ import annotations


class KeptSecrets(dict[str, str]):
    """Keep secrets as long as the test runs."""

    def put(self, name: str, value: str) -> None:
        self[name] = value

    def remove(self, name: str) -> None:
        self.pop(name, None)
