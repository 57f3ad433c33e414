"""What the rest of the framework sees of a schema: arguments that can be checked, output that can be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue


class Arguments(Protocol):
    """Check and convert the arguments of one tool; callers never know what is behind."""

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        """The JSON Schema (2020-12) of the arguments, always an object. Made once, when first asked for."""
        ...

    def validate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Convert arguments and fill in the defaults.

        Args:
            values: Plain values keyed by the names callers use.

        Returns:
            Converted values keyed by the function's own names, ready for `function(**result)`.

        Raises:
            ArgumentsError: Something does not fit; every problem is listed.
        """
        ...

    def validate_json(self, text: str | bytes) -> dict[str, Any]:
        """Do what `validate` does, from JSON text.

        Raises:
            ArgumentsError: The text is not JSON, or something in it does not fit.
        """
        ...

    def dump(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        """Turn converted arguments back into plain values, keyed by the names callers use.

        Args:
            arguments: What `validate` returned, or part of it.
        """
        ...

    def dump_json(self, arguments: Mapping[str, Any]) -> bytes:
        """Do what `dump` does, as short JSON text.

        Raises:
            TypeError: Something in it has no JSON form.
        """
        ...


class Output(Protocol):
    """Write the results of one tool."""

    @property
    def output_schema(self) -> dict[str, JsonValue] | None:
        """The JSON Schema of the result; None when there is none or nothing is known of it."""
        ...

    @property
    def returns_nothing(self) -> bool:
        """Whether it is known that there is never a result."""
        ...

    def dump(self, value: Any) -> JsonValue:
        """Turn a typed result into plain values.

        Raises:
            TypeError: Something in it has no JSON form; the message says where.
        """
        ...

    def load(self, value: JsonValue) -> Any:
        """Turn plain values back into the typed result, as far as they are one.

        Args:
            value: What `dump` returned, in this process or another.
        """
        ...
