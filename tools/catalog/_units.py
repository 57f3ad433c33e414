"""Units of measure, looked up and converted."""

from __future__ import annotations

import threading
from decimal import Decimal, Overflow
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import ToolFailure

if TYPE_CHECKING:
    import pint

_DIGITS: Final = 15
_MOST_SUGGESTIONS: Final = 3
_HIGHEST_POWER: Final = 30
# What people write for a temperature; alone, C is the coulomb and F the farad.
_SPELLINGS: Final = {
    "°C": "degC",
    "°F": "degF",
    "celsius": "degC",
    "fahrenheit": "degF",
    "mpg": "mile/gallon",
    "%": "percent",
}


class ConvertedAmount(NamedTuple):
    """An amount in another unit.

    Attributes:
        from_unit: The full name of the unit it was in.
        to_unit: The full name of the unit it is in now.
    """

    value: float
    from_unit: str
    to_unit: str


class Units:
    """Convert between units; the thousand definitions are read when the first one is needed."""

    def __init__(self) -> None:
        self._loaded: pint.UnitRegistry[Any] | None = None
        self._lock = threading.Lock()

    def convert(self, value: float, from_unit: str, to_unit: str) -> ConvertedAmount:
        """Return an amount in another unit.

        Raises:
            ToolFailure: When a unit is unknown, or the two measure different things.
        """
        import pint  # noqa: PLC0415 -- takes half a second

        with self._lock:
            registry = self._registry()
            source, target = self._unit(registry, from_unit), self._unit(registry, to_unit)
            try:
                amount = registry.Quantity(Decimal(repr(value)), source).to(target).magnitude
                number = float(amount)
            except pint.DimensionalityError as error:
                raise ToolFailure(
                    f"{source} ({_kind(source)}) cannot be converted into {target} ({_kind(target)}): they measure"
                    " different things"
                ) from error
            except TypeError as error:
                raise ToolFailure(
                    f"{source} or {target} is a logarithmic unit, which cannot be converted here"
                ) from error
            except (Overflow, OverflowError):
                number = inf
            except (pint.PintError, ArithmeticError, ValueError) as error:
                raise ToolFailure(f"{value:g} {source} cannot be converted into {target}: {error}") from error
        if not isfinite(number):
            raise ToolFailure(f"{value:g} {source} is too large a number of {target}; choose a larger unit")
        return ConvertedAmount(float(f"{number:.{_DIGITS}g}"), str(source), str(target))

    def _registry(self) -> pint.UnitRegistry[Any]:
        if self._loaded is None:
            import pint  # noqa: PLC0415 -- likewise

            # Decimals keep an inch at exactly 2.54 cm.
            self._loaded = pint.UnitRegistry(non_int_type=Decimal)
        return self._loaded

    @staticmethod
    def _unit(registry: pint.UnitRegistry[Any], text: str) -> pint.Unit:
        wanted = _SPELLINGS.get(text.strip(), text.strip())
        for written, meant in _SPELLINGS.items():
            if written.startswith("°"):
                wanted = wanted.replace(written, meant)
        try:
            unit = registry.parse_units(wanted)
        except Exception as error:
            from rapidfuzz import fuzz, process  # noqa: PLC0415 -- only a wrong name needs it

            near = process.extract(wanted, dir(registry), scorer=fuzz.ratio, limit=_MOST_SUGGESTIONS, score_cutoff=70)
            meant = f"; did you mean {', '.join(repr(name) for name, *_ in near)}?" if near else ""
            raise ToolFailure(
                f"expected a unit such as 'km', 'lb', 'degC' or 'mile/hour', got {text!r}{meant}"
            ) from error
        if any(abs(float(str(power))) > _HIGHEST_POWER for power in unit.dimensionality.values()):
            raise ToolFailure(f"the unit {text!r} has a power above {_HIGHEST_POWER}; expected one such as 'm^2'")
        return unit


def _kind(unit: pint.Unit) -> str:
    return str(unit.dimensionality).replace("[", "").replace("]", "")
