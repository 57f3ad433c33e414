"""YAML as plain values and back, with all digits of its numbers."""

from __future__ import annotations

import io
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.representer import RoundTripRepresenter

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from ruamel.yaml.nodes import ScalarNode


class _ExactConstructor(SafeConstructor):
    """Read YAML's numbers without losing digits."""

    def construct_yaml_float(self, node: ScalarNode) -> Any:
        """Return a decimal number, or a float for infinity and NaN."""
        written = self.construct_scalar(node)
        try:
            return Decimal(written)
        except InvalidOperation:
            return super().construct_yaml_float(node)


_ExactConstructor.add_constructor("tag:yaml.org,2002:float", _ExactConstructor.construct_yaml_float)


class _WatchedText(io.StringIO):
    """A text whose reader is asked now and then whether to go on: YAML is slow to read."""

    def __init__(self, text: str, look: Callable[[], object]) -> None:
        super().__init__(text)
        self._look = look

    def read(self, size: int | None = -1) -> str:
        self._look()
        return super().read(size)


def parse(text: str, name: str, look: Callable[[], object]) -> Any:
    """Return the value of a text; the list of them when it has several documents.

    Args:
        name: What it is called in messages.
        look: Called now and then while it is read; what it raises ends the reading.

    Raises:
        ToolFailure: It is no YAML.
    """
    reader = YAML(typ="safe", pure=True)
    reader.Constructor = _ExactConstructor
    try:
        documents = list(reader.load_all(_WatchedText(text, look)))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise ToolFailure(f"{name} is no YAML: {error.problem or error.context}{where}") from error
    except (YAMLError, ValueError) as error:
        raise ToolFailure(f"{name} is no YAML: {' '.join(str(error).split())}") from error
    return documents[0] if len(documents) == 1 else documents


class _ExactRepresenter(RoundTripRepresenter):
    """Write YAML's numbers with all their digits."""

    def represent_decimal(self, value: Decimal) -> Any:
        if not value.is_finite():
            return self.represent_float(float(value))
        return self.represent_scalar("tag:yaml.org,2002:float", str(value))


_ExactRepresenter.add_representer(Decimal, _ExactRepresenter.represent_decimal)


def write(value: Any) -> str:
    """Return the YAML of a plain value."""
    writer = YAML()
    writer.Representer = _ExactRepresenter
    writer.width = 4096
    writer.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    writer.dump(value, stream)
    return stream.getvalue().removesuffix("...\n")
