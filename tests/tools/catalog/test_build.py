"""Projects tested, built, checked and formatted with their own programs, and reports of others read."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, dry_run_of, failure_of, result_of
from tools import CallStatus, DryRun
from tools.catalog._diagnostics import problems_in
from tools.catalog._test_reports import read_cargo, read_go
from tools.catalog.build import Build

TESTS = """import unittest


class Sums(unittest.TestCase):
    def test_good(self):
        self.assertEqual(1 + 1, 2)

    def test_bad(self):
        self.assertEqual(1 + 1, 3, "sums are odd")

    @unittest.skip("later")
    def test_later(self):
        pass
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project whose environment is the one of these tests."""
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    # The plugins of these tests take longer to load than everything else here.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "test_sums.py").write_text(TESTS)
    return tmp_path


def run(project: Path, tool: str, **arguments: Any) -> Any:
    return result_of(Build(), tool, arguments, project, Reviewer())


def fail(project: Path, tool: str, **arguments: Any) -> str:
    return failure_of(Build(), tool, arguments, project, Reviewer())


def look(project: Path, tool: str, **arguments: Any) -> DryRun:
    return dry_run_of(Build(), tool, arguments, project)


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
def test_failed_tests_say_where_and_why(project: Path, framework: str) -> None:
    found = run(project, "run_tests", framework=framework)

    assert (found.passed, found.failed, found.skipped, found.exit_code) == (1, 1, 1, 1)
    [failed] = found.failures
    assert "test_bad" in failed.name
    assert "sums are odd" in failed.message
    assert (Path(failed.file or "").name, failed.line, failed.error) == ("test_sums.py", 9, False)


def test_what_breaks_before_it_can_fail_is_an_error(project: Path) -> None:
    (project / "test_broken.py").write_text("import no_such_module\n")

    found = run(project, "run_tests", framework="unittest", targets=["test_broken"])

    assert [(test.error, "no_such_module" in test.message) for test in found.failures] == [(True, True)]


def test_tests_that_hang_are_killed(project: Path) -> None:
    (project / "test_hangs.py").write_text("import time\ntime.sleep(60)\n")
    arguments = {"framework": "unittest", "targets": ["test_hangs"], "timeout_s": 0.5}

    failure_of(Build(), "run_tests", arguments, project, Reviewer(), status=CallStatus.TIMED_OUT)


def test_the_command_is_told_before(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\n")

    [command] = look(project, "run_tests", name_filter="good").items

    assert command.endswith("-m pytest -q --no-header --junitxml=junit.xml -o junit_family=xunit2 -k=good")
    assert "which is an option" in fail(project, "run_tests", targets=["--collect-only"])


CARGO = """running 3 tests
test sums::good ... ok
test sums::later ... ignored
test sums::bad ... FAILED

failures:

---- sums::bad stdout ----
thread 'sums::bad' panicked at src/lib.rs:9:5:
assertion `left == right` failed
note: run with `RUST_BACKTRACE=1`

failures:
    sums::bad

test result: FAILED. 1 passed; 1 failed; 1 ignored
"""


def test_the_reports_of_cargo_and_go_are_read() -> None:
    cargo = read_cargo(CARGO)
    assert cargo is not None
    assert (cargo.passed, cargo.failed, cargo.skipped) == (1, 1, 1)
    assert (cargo.failures[0].file, cargo.failures[0].line) == ("src/lib.rs", 9)
    assert cargo.failures[0].message == "assertion `left == right` failed"

    events = [
        {"Action": "pass", "Package": "p", "Test": "TestGood"},
        {"Action": "output", "Package": "p", "Test": "TestBad", "Output": "=== RUN TestBad\n"},
        {"Action": "output", "Package": "p", "Test": "TestBad", "Output": "    sums_test.go:9: odd\n"},
        {"Action": "fail", "Package": "p", "Test": "TestBad"},
        {"Action": "fail", "Package": "p"},
        {"Action": "output", "Package": "q", "Output": "q/x.go:1:1: syntax error\n"},
        {"Action": "fail", "Package": "q"},
    ]
    go = read_go("\n".join(map(json.dumps, events)))
    assert go is not None
    assert (go.passed, [(test.name, test.line, test.error) for test in go.failures]) == (
        1,
        [("p.TestBad", 9, False), ("q", 1, True)],
    )


def test_reports_of_tests_are_read(project: Path) -> None:
    (project / "jest.json").write_text(
        json.dumps(
            {
                "numPassedTests": 2,
                "numPendingTests": 1,
                "testResults": [
                    {
                        "name": "/x/sums.test.js",
                        "assertionResults": [
                            {"status": "failed", "fullName": "sums odd", "failureMessages": ["\u001b[31mError: odd"]}
                        ],
                    }
                ],
            }
        )
    )
    (project / "bomb.xml").write_text('<!DOCTYPE x [<!ENTITY a "b">]><testsuite>&a;</testsuite>')
    (project / "other.xml").write_text("<html/>")

    found = run(project, "read_test_report", path="jest.json")

    assert (found.passed, found.failed, found.failures[0].message) == (2, 1, "Error: odd")
    assert "no XML that can be read" in fail(project, "read_test_report", path="bomb.xml")
    assert "is html" in fail(project, "read_test_report", path="other.xml")


REPORTS = {
    "coverage.py": json.dumps({"files": {"a.py": {"executed_lines": [1, 2], "missing_lines": [3, 4, 6]}}}),
    "cobertura": '<coverage><class filename="a.py"><lines>'
    + "".join(f'<line number="{n}" hits="{int(n < 3)}"/>' for n in (1, 2, 3, 4, 6))
    + "</lines></class></coverage>",
    "lcov": "TN:\nSF:a.py\nDA:1,1\nDA:2,5\nDA:3,0\nDA:4,0\nDA:6,0\nend_of_record\n",
    "go": "mode: set\na.py:1.1,2.5 2 1\na.py:3.1,4.2 2 0\na.py:6.1,6.9 1 0\n",
}


@pytest.mark.parametrize("form", REPORTS)
def test_reports_of_coverage_are_read(project: Path, form: str) -> None:
    (project / "report").write_text(REPORTS[form])

    found = run(project, "read_coverage", path="report")

    assert (found.format, found.percent, found.lines) == (form, 40.0, 5)
    assert [(file.file, file.missing) for file in found.files] == [("a.py", ["3-4", "6"])]
    assert run(project, "read_coverage", path="report", below_percent=40).files == []


def test_targets_are_listed_and_run(project: Path) -> None:
    (project / "Makefile").write_text(
        "CC := gcc\n# Build it\nall: main.o ## all of it\n\t@echo 'main.c:3:5: error: no x' >&2\n\t@false\nmain.o:\n"
    )
    (project / "package.json").write_text('{"scripts": {"start": "node x.js"}}')
    (project / "justfile").write_text("# Check it\ncheck name='x':\n  echo {{name}}\n")

    targets = run(project, "list_build_targets").targets
    assert [(target.name, target.builder, target.description) for target in targets] == [
        ("all", "make", "all of it"),
        ("main.o", "make", ""),
        ("start", "npm", ""),
        ("check", "just", "Check it"),
    ]
    assert look(project, "run_build_target", target="main.o").text == "Run make main.o in the project."
    found = run(project, "run_build_target", target="all")

    assert (found.succeeded, [(problem.file, problem.line, problem.column) for problem in found.problems]) == (
        False,
        [("main.c", 3, 5)],
    )
    assert "there are all, main.o" in fail(project, "run_build_target", target="none")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("src/a.ts(3,7): error TS2322: no", ("src/a.ts", 3, 7, "error", "TS2322", "no")),
        ("error[E0308]: mismatched\n  --> src/a.rs:3:7\n", ("src/a.rs", 3, 7, "error", "E0308", "mismatched")),
        ("a.py:3: warning: odd  [misc]", ("a.py", 3, None, "warning", "", "odd  [misc]")),
        ("\x1b[1ma.c:3:7: note: here", ("a.c", 3, 7, "note", "", "here")),
    ],
)
def test_problems_of_many_compilers_are_told(said: str, expected: tuple[Any, ...]) -> None:
    [found] = problems_in(f"make: Entering\n{said}\n12:30:01 done\n")

    assert (found.file, found.line, found.column, found.severity, found.code, found.message) == expected


def test_code_is_checked_and_formatted(project: Path) -> None:
    (project / "bad.py").write_bytes(b"import os\r\nx = [1,2]\r\n")
    (project / "broken.py").write_text("def (:\n")
    (project / "fine.py").write_text("x = 1\n")

    found = run(project, "lint_code", path="bad.py")
    assert ("bad.py", 1, "F401", True) in {(item.file, item.line, item.code, item.fixable) for item in found.problems}
    preview = look(project, "format_code", path="bad.py")
    assert {"-x = [1,2]", "+x = [1, 2]"} < set(preview.items)
    formatted = run(project, "format_code", path=".")

    assert [file.path for file in formatted.files] == ["bad.py"]
    assert (formatted.unchanged, formatted.skipped) == (2, 1)
    assert (project / "bad.py").read_bytes() == b"import os\r\n\r\nx = [1, 2]\r\n"
    assert "ruff cannot format 'broken.py'" in fail(project, "format_code", path="broken.py")


def test_a_program_that_is_missing_says_how_to_get_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    (project / "x.js").write_text("x")

    assert "`npm install eslint` adds it" in fail(project, "lint_code", path="x.js")
    assert "install Rust" in fail(project, "run_tests", framework="cargo")
