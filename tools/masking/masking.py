"""`Masking`: what one tool hides, and how it is put back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tools.masking.compiling import marked, rules_of_paths, rules_of_schema
from tools.masking.paths import MASK, parse_path, same_name
from tools.masking.restoring import restored
from tools.masking.rules import Rules, collect, is_misspelled, masked, named, placed
from tools.masking.scrubbing import Scrubber, texts_in

if TYPE_CHECKING:
    from pydantic import JsonValue


class Masking:
    """Hide what a tool's policy and schemas call secret, and put it back where an edit left the bullets.

    Args:
        known: The only names there are for arguments; None when any will do.
    """

    def __init__(self, arguments: Rules, result: Rules, known: frozenset[str] | None = None) -> None:
        self._arguments = arguments
        self._result = result
        self._known = known

    @property
    def hides_result(self) -> bool:
        """Whether anything in the result itself is hidden."""
        return bool(self._result)

    def arguments(self, values: Mapping[str, Any], *, fit: bool = True) -> dict[str, JsonValue]:
        """Return arguments as people may see them.

        Args:
            values: By the names callers use.
            fit: Whether they fit the schema; when not, whatever stands in a secret's way is hidden too, and so is what
                has a name that no argument has, for it may be a secret's name misspelled.
        """
        return {
            name: MASK if not fit and self._is_unknown(name) else masked(value, named(self._arguments, name), fit=fit)
            for name, value in values.items()
        }

    def result(self, value: JsonValue) -> JsonValue:
        """Return a result as people may see it."""
        shown: JsonValue = masked(value, self._result, fit=True)
        return shown

    def secrets(self, values: Mapping[str, Any], *, fit: bool = True) -> set[str]:
        """Return the texts and numbers that `arguments` hides."""
        found: set[str] = set()
        for name, value in values.items():
            if not fit and self._is_unknown(name):
                found.update(texts_in(value))
            else:
                collect(value, named(self._arguments, name), found, fit=fit)
        return found

    def result_secrets(self, value: JsonValue) -> set[str]:
        """Return the texts and numbers that `result` hides."""
        found: set[str] = set()
        collect(value, self._result, found, fit=True)
        return found

    def marked(self, input_schema: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments' schema with `writeOnly` at everything that is hidden."""
        return marked(input_schema, self._arguments)

    def restored(
        self, edited: Mapping[str, Any], real: Mapping[str, Any], scrubber: Scrubber | None = None
    ) -> dict[str, Any]:
        """Return edited arguments with each secret put back that was left as bullets.

        Args:
            scrubber: What hid the same secrets inside other texts; None when nothing did.

        Raises:
            ArgumentsError: When it cannot be told which secret some bullets stand for.
        """
        return restored(edited, real, self._arguments, scrubber)

    def touches(self, path: str) -> bool:
        """Return whether the value at a path of the arguments is hidden, lies in a hidden one, or holds one."""
        try:
            parts = parse_path(path)
        except ValueError:
            return True
        rules = self._arguments
        if self._is_unknown(str(parts[0])):
            return True
        for part in parts:
            if isinstance(part, str) and is_misspelled(rules, part):
                return True
            rules = placed(rules, part) if isinstance(part, int) else named(rules, str(part))
            if any(rule.hidden for rule in rules):
                return True
        return bool(rules)

    def _is_unknown(self, name: str) -> bool:
        return self._known is not None and same_name(name) not in self._known


def masking_of(
    fields: Iterable[str], input_schema: Mapping[str, Any], output_schema: Mapping[str, Any] | None
) -> Masking | None:
    """Return what a tool hides; None when it hides nothing.

    Args:
        fields: The paths its policy names; those that start with `result` lead into the result, and into an argument
            of that name as well if there is one.
        input_schema: Of the arguments: `writeOnly` and `format: password` hide a value, and of what `format: uri` marks
            as an address the password and the parameters that carry keys and tokens.
        output_schema: Of the result, read likewise; None when nobody said.

    Raises:
        ValueError: When a field is no path.
    """
    of_arguments, of_result = rules_of_paths(fields, input_schema)
    of_arguments += rules_of_schema(input_schema)
    of_result += rules_of_schema(output_schema or {})
    if not of_arguments and not of_result:
        return None
    properties = input_schema.get("properties")
    known: frozenset[str] | None = None
    if input_schema.get("additionalProperties") is False and isinstance(properties, Mapping):
        known = frozenset(map(same_name, properties))
    return Masking(of_arguments, of_result, known)
