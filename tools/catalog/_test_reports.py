"""What test runners report: JUnit XML, the JSON of jest, vitest and go, the text of unittest and cargo."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from pydantic import Field

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MESSAGE_CHARS: Final = 1000
_DETAIL_CHARS: Final = 6000
_PLACE: Final = re.compile(r"""(?:File ")?([^\s":()]+\.[A-Za-z]{1,5})(?:", line |:)(\d+)""")
_UNITTEST_HEAD: Final = re.compile(r"^(FAIL|ERROR): (\S+)(?: \(([^)]*)\))?", re.MULTILINE)
_UNITTEST_RAN: Final = re.compile(r"^Ran (\d+) tests? in ([\d.]+)s", re.MULTILINE)
_UNITTEST_OK: Final = re.compile(r"^(?:.* \.\.\. )?ok$", re.MULTILINE)
_UNITTEST_SKIPPED: Final = re.compile(r"skipped=(\d+)")
_CARGO_TEST: Final = re.compile(r"^test (.+?) \.\.\. (ok|FAILED|ignored)", re.MULTILINE)
_CARGO_DETAIL: Final = re.compile(r"^---- (.+?) stdout ----\n(.*?)(?=^---- |^failures:|\Z)", re.MULTILINE | re.DOTALL)
_ANSI: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class FailedTest:
    """A test that did not pass."""

    name: Annotated[str, Field(description="The test, as its runner names it.")]
    error: Annotated[bool, Field(description="Whether it broke before it could fail, as at an import.")]
    file: Annotated[str | None, Field(description="The file where it failed; null when that is not said.")]
    line: Annotated[int | None, Field(description="The line where it failed; null when that is not said.")]
    message: Annotated[str, Field(description="Why, in short.")]
    details: Annotated[str, Field(description="What the runner says of it, its end when it is long.")]


class TestCounts(NamedTuple):
    """How tests ended.

    Attributes:
        failed: How many failed, or broke.
        failures: Those that did not pass.
    """

    passed: int
    failed: int
    skipped: int
    failures: tuple[FailedTest, ...]


def _failed(
    name: str, short: str, said: str, *, error: bool = False, file: str | None = None, line: int | None = None
) -> FailedTest:
    """Return a test that did not pass.

    Args:
        short: Why, in short; empty takes the last line of what was said.
        error: Whether it broke before it could fail.
        file: Where it failed; None takes the last place that is named.
        line: The line; likewise.
    """
    said = _ANSI.sub("", said).strip()
    short = _ANSI.sub("", short).strip() or next(iter(reversed(said.splitlines())), "")
    if line is None:
        # The last place named is the nearest to the failure.
        for found in _PLACE.finditer(said):
            file, line = found[1], int(found[2])
    return FailedTest(name, error, file, line, short[:_MESSAGE_CHARS], said[-_DETAIL_CHARS:])


def read_junit(text: str, name: str) -> TestCounts:
    """Return the tests of a JUnit XML report.

    Raises:
        ToolFailure: It is none.
    """
    from defusedxml import DefusedXmlException  # noqa: PLC0415 -- the tools are listed without it
    from defusedxml.ElementTree import ParseError, fromstring  # noqa: PLC0415 -- as above

    try:
        root: Element = fromstring(text)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise ToolFailure(f"{name!r} is no XML that can be read: {error}") from error
    if root.tag not in {"testsuites", "testsuite"}:
        raise ToolFailure(
            f"expected a JUnit report, whose first element is testsuites, but that of {name!r} is {root.tag}"
        )
    passed = skipped = 0
    failures: list[FailedTest] = []
    for case in root.iter("testcase"):
        found = case.find("failure")
        broken = case.find("error") if found is None else None
        bad = found if found is not None else broken
        if bad is not None:
            label = "::".join(part for part in (case.get("classname"), case.get("name")) if part)
            line = case.get("line")
            failures.append(
                _failed(
                    label,
                    (bad.get("message") or "").split("\n", 1)[0],
                    bad.text or bad.get("message") or "",
                    error=broken is not None,
                    file=case.get("file"),
                    line=int(line) + 1 if line and line.isdecimal() and not bad.text else None,
                )
            )
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return TestCounts(passed, len(failures), skipped, tuple(failures))


def read_unittest(text: str) -> TestCounts | None:
    """Return the tests of what unittest prints; None when it ran none."""
    ran = _UNITTEST_RAN.search(text)
    if ran is None:
        return None
    heads = list(_UNITTEST_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [ran.start()]
    failures = []
    for head, end in zip(heads, ends, strict=False):
        name = f"{head[3]}.{head[2]}" if head[3] and not head[3].endswith(head[2]) else head[3] or head[2]
        body = text[head.end() : end].strip("=-\n ")
        failures.append(_failed(name, "", body, error=head[1] == "ERROR"))
    skipping = _UNITTEST_SKIPPED.search(text, ran.end())
    skipped = int(skipping[1]) if skipping else 0
    # WORKAROUND Python 3.12.1: skipped tests are not among those that ran, as they are before and after.
    said_ok = min(len(_UNITTEST_OK.findall(text, 0, ran.start())), int(ran[1]) - len(failures))
    passed = max(0, int(ran[1]) - len(failures) - skipped, said_ok)
    return TestCounts(passed, len(failures), skipped, tuple(failures))


def read_cargo(text: str) -> TestCounts | None:
    """Return the tests of what `cargo test` prints; None when it ran none."""
    results = [(found[1], found[2]) for found in _CARGO_TEST.finditer(text)]
    if not results and "test result:" not in text:
        return None
    details = {found[1]: found[2] for found in _CARGO_DETAIL.finditer(text)}
    failures = []
    for name, result in results:
        if result == "FAILED":
            said = details.get(name, "").strip()
            lines = [line for line in said.splitlines() if line and not line.startswith(("thread ", "note:"))]
            failures.append(_failed(name, lines[0] if lines else "", said))
    passed = sum(result == "ok" for _, result in results)
    return TestCounts(passed, len(failures), sum(result == "ignored" for _, result in results), tuple(failures))


def read_go(text: str) -> TestCounts | None:
    """Return the tests of what `go test -json` prints; None when it is none."""
    output: dict[tuple[str, str], list[str]] = {}
    ended: dict[tuple[str, str], str] = {}
    for event in _json_lines(text):
        key = str(event.get("Package", "")), str(event.get("Test", ""))
        action = event.get("Action")
        if action == "output":
            output.setdefault(key, []).append(str(event.get("Output", "")))
        elif action in {"pass", "fail", "skip"}:
            ended[key] = action
    if not ended:
        return None
    tests = {key: action for key, action in ended.items() if key[1]}
    # A package that fails without a failed test did not compile.
    broken = [
        key
        for key, action in ended.items()
        if action == "fail"
        and not key[1]
        and not any(test[0] == key[0] and end == "fail" for test, end in tests.items())
    ]
    bad = [key for key, action in tests.items() if action == "fail"]
    parents = {(package, test.rpartition("/")[0]) for package, test in bad if "/" in test}
    failures = []
    for key in (*bad, *broken):
        if key in parents:
            continue
        said = "".join(output.get(key, []))
        lines = [line.strip() for line in said.splitlines() if not line.lstrip().startswith(("=== ", "--- "))]
        failures.append(
            _failed(".".join(part for part in key if part), next(iter(lines), ""), said, error=key in broken)
        )
    counts = [sum(action == wanted for action in tests.values()) for wanted in ("pass", "skip")]
    return TestCounts(counts[0], len(failures), counts[1], tuple(failures))


def _json_lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


def read_jest(text: str, name: str) -> TestCounts:
    """Return the tests of the JSON that jest and vitest write.

    Raises:
        ToolFailure: It is none.
    """
    try:
        report = json.loads(text)
        counts = [int(report[key]) for key in ("numPassedTests", "numPendingTests")]
        failures = [failed for suite in report["testResults"] for failed in _jest_failures(suite)]
    except (ValueError, KeyError, TypeError) as error:
        raise ToolFailure(f"{name!r} is no report of jest or vitest: {error}") from error
    return TestCounts(counts[0], len(failures), counts[1], tuple(failures))


def _jest_failures(suite: dict[str, Any]) -> Iterator[FailedTest]:
    tests = suite.get("assertionResults", [])
    for test in tests:
        if test.get("status") == "failed":
            said = _ANSI.sub("", "\n".join(test.get("failureMessages") or []))
            where = test.get("location") or {}
            name = test.get("fullName") or test.get("title", "")
            yield _failed(name, said.split("\n", 1)[0], said, file=suite.get("name"), line=where.get("line"))
    if not tests and suite.get("status") == "failed":
        said = suite.get("message") or ""
        yield _failed(str(suite.get("name", "")), "", said, error=True, file=suite.get("name"))
