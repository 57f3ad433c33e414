"""Keep secrets in the system's keyring, for servers, APIs, models and settings alike."""

from __future__ import annotations

from typing import Any, Final, Protocol

from tools.errors import VaultError

SERVICE: Final = "tool-console-servers"
"""The name under which the keyring lists the secrets of servers."""


class Secrets(Protocol):
    """Keep secrets by name. It may wait for a person who unlocks a keyring, so call it in a thread."""

    def get(self, name: str) -> str | None:
        """Return a secret; None when there is none of that name."""

    def put(self, name: str, value: str) -> None:
        """Keep a secret in the place of the one with that name."""

    def remove(self, name: str) -> None:
        """Forget a secret; that there is none is no error."""


class KeyringSecrets:
    """Keep secrets in the system's keyring.

    Args:
        service: The name under which the keyring lists them.
        instead: What to do where there is no keyring, as the end of a sentence.
    """

    def __init__(
        self, service: str = SERVICE, instead: str = "refer to an environment variable with ${env:NAME}"
    ) -> None:
        self._service = service
        self._instead = instead

    def get(self, name: str) -> str | None:
        """Return a secret; None when there is none of that name.

        Raises:
            VaultError: When there is no keyring, or it does not open.
        """
        found = self._ask("get_password", name)
        return None if found is None else str(found)

    def put(self, name: str, value: str) -> None:
        """Keep a secret, and make sure that it was kept.

        Raises:
            VaultError: When there is no keyring, it does not open, or it keeps nothing.
        """
        self._ask("set_password", name, value)
        if self.get(name) != value:
            raise VaultError(
                f"the secret {name!r} was not kept: this system's keyring keeps nothing; install a keyring, or"
                f" {self._instead}"
            )

    def remove(self, name: str) -> None:
        """Forget a secret; that there is none is no error.

        Raises:
            VaultError: When there is no keyring, or it does not open.
        """
        if self.get(name) is not None:
            self._ask("delete_password", name)

    def _ask(self, question: str, *words: str) -> Any:
        import keyring  # noqa: PLC0415 -- looks for the system's keyrings, and few servers have a secret
        import keyring.errors  # noqa: PLC0415 -- as above

        try:
            return getattr(keyring, question)(self._service, *words)
        except keyring.errors.KeyringError as error:
            why = str(error) or type(error).__name__
            msg = f"the system's keyring did not answer ({why}); unlock or install a keyring, or {self._instead}"
            raise VaultError(msg) from error
