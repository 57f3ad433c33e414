"""Read what programs measured of which lines ran: coverage.py, Cobertura, LCOV and Go."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_GO: Final = re.compile(r"^(.+):(\d+)\.\d+,(\d+)\.\d+ (\d+) (\d+)$")
_DA: Final = re.compile(r"^DA:(\d+),(\d+)")


class CoveredFile(NamedTuple):
    """Which lines of a file ran.

    Attributes:
        covered: How many lines ran.
        missing: The lines that did not.
    """

    name: str
    covered: int
    missing: tuple[int, ...]


def read_coverage(text: str, name: str) -> tuple[str, list[CoveredFile]]:
    """Return the format of a report and its files.

    Raises:
        ToolFailure: It is of none that is known, or broken.
    """
    start = text.lstrip()[:2000]
    try:
        if start.startswith("{"):
            return "coverage.py", list(_coverage_py(json.loads(text)))
        if start.startswith("<"):
            return "cobertura", list(_cobertura(text, name))
        if start.startswith("mode:"):
            return "go", list(_go(text.splitlines()))
        if re.search(r"^(?:TN:|SF:)", start, re.MULTILINE):
            return "lcov", list(_lcov(text.splitlines()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ToolFailure(f"{name!r} is a broken report of coverage: {error}") from error
    raise ToolFailure(
        f"{name!r} is no report of coverage; expected the JSON of coverage.py (`coverage json`), Cobertura XML, LCOV or"
        " a Go profile"
    )


def _coverage_py(report: dict[str, Any]) -> Iterator[CoveredFile]:
    for name, facts in report["files"].items():
        yield CoveredFile(name, len(facts["executed_lines"]), tuple(facts["missing_lines"]))


def _cobertura(text: str, name: str) -> Iterator[CoveredFile]:
    from defusedxml import DefusedXmlException  # noqa: PLC0415 -- the tools are listed without it
    from defusedxml.ElementTree import ParseError, fromstring  # noqa: PLC0415 -- as above

    try:
        root: Element = fromstring(text, forbid_dtd=False)
    except (ParseError, DefusedXmlException) as error:
        raise ToolFailure(f"{name!r} is no XML that can be read: {error}") from error
    if root.tag != "coverage":
        raise ToolFailure(
            f"expected a Cobertura report, whose first element is coverage, but that of {name!r} is {root.tag}"
        )
    hits: dict[str, dict[int, int]] = defaultdict(dict)
    for part in root.iter("class"):
        lines = hits[part.get("filename") or ""]
        # Lines of methods are listed again for the class.
        for line in part.iter("line"):
            number = int(line.get("number", "0"))
            lines[number] = max(lines.get(number, 0), int(line.get("hits", "0")))
    yield from _from_hits(hits)


def _lcov(lines: Iterable[str]) -> Iterator[CoveredFile]:
    hits: dict[str, dict[int, int]] = defaultdict(dict)
    name = ""
    for line in lines:
        if line.startswith("SF:"):
            name = line[3:].strip()
        elif found := _DA.match(line):
            number = int(found[1])
            hits[name][number] = hits[name].get(number, 0) + int(found[2])
    yield from _from_hits(hits)


def _go(lines: Iterable[str]) -> Iterator[CoveredFile]:
    hits: dict[str, dict[int, int]] = defaultdict(dict)
    for line in lines:
        if found := _GO.match(line):
            counts = hits[found[1]]
            for number in range(int(found[2]), int(found[3]) + 1):
                counts[number] = max(counts.get(number, 0), int(found[5]))
    yield from _from_hits(hits)


def _from_hits(hits: dict[str, dict[int, int]]) -> Iterator[CoveredFile]:
    for name, counts in hits.items():
        missing = tuple(sorted(number for number, count in counts.items() if not count))
        yield CoveredFile(name, len(counts) - len(missing), missing)


def ranges(numbers: Iterable[int]) -> list[str]:
    """Return numbers as ranges, such as `3-5` and `9`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]
