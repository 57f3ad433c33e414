"""Settings a tool may read while it runs, given to it by the program, never by a caller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


class Configurator(Mapping[str, str]):
    """Hold named text settings; a tool receives it by naming this type in its signature.

    Args:
        values: The settings, such as `{"report.folder": "out"}`.
    """

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = dict(values or {})

    def __getitem__(self, key: str) -> str:
        """Return one setting.

        Raises:
            KeyError: When it is not set.
        """
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names that are set."""
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
