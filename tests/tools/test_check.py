"""Checks of tools: planted faults are found, with the smallest arguments; what is sound is left in peace."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.tools.faulty_tools import blocking, split_bill
from tools import ToolRegistry, resolve_tools
from tools.check import CheckFault, CheckOptions, CheckProgress, CheckReport, CheckSkip, SkipReason, ToolChecker
from tools.check.shrinking import shrunk
from tools.cli import main
from tools.discovery import PluginList
from tools.workbench import Workbench

FAULTY = Path(__file__).with_name("faulty_tools.py")
Check = Callable[..., tuple[int, str, str]]
QUICK = CheckOptions(calls=30, call_s=1.0)


def checked(
    folder: Path, options: CheckOptions, names: tuple[str, ...] = (), scratch: Path | None = None
) -> list[CheckReport]:
    async def run() -> list[CheckReport]:
        bench = Workbench(PluginList(folder / "settings"), installed=())
        await bench.plugins.add_all({FAULTY: None})
        try:
            async with ToolChecker(bench.registry, options, scratch=scratch) as checker:
                return [await checker.check(name) for name in names or [tool.name for tool in bench.registry]]
        finally:
            await bench.aclose()

    return asyncio.run(run())


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, CheckReport]:
    return {report.tool: report for report in checked(tmp_path_factory.mktemp("checks"), QUICK)}


@pytest.mark.parametrize(
    ("tool", "fault", "smallest"),
    [
        ("split_bill", CheckFault.UNDECLARED_ERROR, {"amount": 0, "people": 0}),
        ("leaving", CheckFault.CRASH, {"name": ""}),
        ("wrong_result", CheckFault.WRONG_RESULT, {"words": ["", "", ""]}),
        ("hanging", CheckFault.HANG, {"pattern": "", "again": True}),
        ("writing", CheckFault.READ_ONLY_WRITES, {"query": ""}),
    ],
)
def test_a_planted_fault_is_found_with_the_smallest_arguments(
    reports: Mapping[str, CheckReport], tool: str, fault: CheckFault, smallest: dict[str, object]
) -> None:
    [finding] = reports[tool].findings
    assert (finding.fault, finding.arguments) == (fault, smallest)


def test_a_tool_that_kills_its_process_is_found_and_harms_nothing_else(reports: Mapping[str, CheckReport]) -> None:
    [finding] = reports["crashing"].findings
    assert finding.fault is CheckFault.CRASH
    assert set(finding.arguments) == {"depth"}
    assert isinstance(depth := finding.arguments["depth"], int)
    assert depth > 100
    assert reports["sound"].calls == QUICK.calls


def test_a_secret_in_an_error_is_found_and_not_told_again(reports: Mapping[str, CheckReport]) -> None:
    [finding] = reports["telling"].findings
    assert finding.fault is CheckFault.SECRET_TOLD
    assert "api_key" in finding.detail
    assert str(finding.arguments["api_key"])[:12] not in finding.message


def test_a_tool_of_the_program_that_blocks_its_loop_is_found_and_blocks_nothing_else(tmp_path: Path) -> None:
    registry = ToolRegistry()
    registry.register_all(resolve_tools([blocking]))

    async def run() -> CheckReport:
        async with ToolChecker(registry, QUICK) as checker:
            return await checker.check("blocking")

    [finding] = asyncio.run(run()).findings
    assert (finding.fault, finding.arguments) == (CheckFault.HANG, {"forever": True})


def test_a_check_that_is_stopped_has_what_was_found_so_far() -> None:
    registry = ToolRegistry()
    registry.register_all(resolve_tools([split_bill]))

    async def run() -> CheckReport:
        async with ToolChecker(registry, QUICK) as checker:

            def stop_at_first(progress: CheckProgress) -> None:
                if progress.findings:
                    checker.stop()

            report = await checker.check("split_bill", stop_at_first)
            assert (await checker.check("split_bill")).calls == 0, "a checker that was stopped begins nothing"
            return report

    report = asyncio.run(run())
    assert report.skip == CheckSkip(SkipReason.STOPPED)
    assert report.how_it_went.endswith("not finished, because it was stopped")
    assert [finding.fault for finding in report.findings] == [CheckFault.UNDECLARED_ERROR]


def test_a_limit_is_found_in_few_calls() -> None:
    asked: list[dict[str, JsonValue]] = []

    async def shows(candidate: dict[str, JsonValue]) -> bool:
        asked.append(candidate)
        depth = candidate.get("depth")
        return isinstance(depth, int) and depth > 100

    smallest = asyncio.run(shrunk({"depth": 2**31}, shows, most=40))
    assert smallest == {"depth": 101}
    assert len(asked) <= 40


def test_a_sound_tool_has_no_findings_and_refuses_nonsense(reports: Mapping[str, CheckReport]) -> None:
    assert reports["sound"].findings == ()
    assert reports["sound"].refused > 10


def test_a_tool_that_changes_things_is_not_run_and_the_reason_is_told(reports: Mapping[str, CheckReport]) -> None:
    report = reports["removing"]
    assert (report.calls, report.skip is not None and report.skip.reason) == (0, SkipReason.NEEDS_SCRATCH)


def test_a_tool_that_changes_things_runs_in_a_scratch_folder_that_is_empty_again_afterwards(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    [report] = checked(tmp_path, QUICK, ("removing",), scratch)
    assert report.calls
    assert report.in_scratch
    assert report.skip is None
    assert {finding.error for finding in report.findings} >= {"IsADirectoryError"}
    assert list(scratch.iterdir()) == []


def test_a_folder_with_something_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    scratch = tmp_path / "mine"
    scratch.mkdir()
    (scratch / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(FileExistsError, match="not empty"):
        checked(tmp_path, QUICK, ("removing",), scratch)
    assert (scratch / "thesis.txt").read_text(encoding="utf-8") == "years of work"


def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    options = QUICK._replace(seed=7)
    names = ("split_bill", "wrong_result", "sound")
    assert checked(tmp_path, options, names) == checked(tmp_path, options, names)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Check:
    def call(*words: str) -> tuple[int, str, str]:
        return main(["check", *words, "--plugin", str(FAULTY)]), *capsys.readouterr()

    return call


def test_the_command_line_tells_what_to_do_and_gives_1(cli: Check) -> None:
    code, out, err = cli("split_bill", "--calls", "20")
    assert (code, err) == (1, "")
    assert "ZeroDivisionError: float division by zero [undeclared-error]" in out
    assert 'arguments: {"amount": 0, "people": 0}' in out
    assert out.endswith("1 tool: 1 fault in calls, 0 in descriptions, 0 not run; seed 0\n")


def test_json_has_the_findings_and_a_tool_that_did_not_run_says_why(cli: Check) -> None:
    code, out, _ = cli("sound", "removing", "--calls", "5", "--output", "json")
    removing, sound = sorted(json.loads(out)["reports"], key=lambda report: str(report["tool"]))
    assert code == 0
    assert removing["skip"]["reason"] == "needs-scratch"
    assert (sound["calls"], sound["findings"], sound["skip"]) == (5, [], None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no_such_tool",), "no tool and no server"),
        (("sound", "--arguments", "{"), "--arguments: not JSON"),
        (("sound", "--arguments", "[]"), "expected an object"),
        (("sound", "removing", "--arguments", "{}"), "expected the name of one tool, got 2 tools"),
        (("sound", "--scratch", str(Path(__file__).parent)), "the folder is not empty"),
        (("sound", "--scratch", __file__), "is no folder"),
        (("sound", "--calls", "0"), "expected at least 1"),
        (("sound", "--seconds", "nan"), "expected more than 0 seconds"),
    ],
)
def test_words_that_make_no_check_are_told_in_one_line(cli: Check, words: tuple[str, ...], said: str) -> None:
    code, out, err = cli(*words)
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]


def test_a_saved_file_fails_in_pytest_until_the_fault_is_mended(cli: Check, tmp_path: Path) -> None:
    plugin = tmp_path / "shares.py"
    plugin.write_text(
        "from tools import tool\n\n@tool(read_only=True)\ndef share(total: int, people: int) -> float:\n"
        '    """Share."""\n    return total / people\n',
        encoding="utf-8",
    )
    code, _, err = cli(str(plugin), "--calls", "20", "--save", str(tmp_path / "saved"))
    [saved] = (tmp_path / "saved").iterdir()
    assert (code, err) == (1, f"tool-console: saved {saved}\n")
    words = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(saved))
    before = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert before.returncode == 1, before.stdout
    assert "ZeroDivisionError" in before.stdout
    text = plugin.read_text(encoding="utf-8").replace("total / people", "total / people if people else 0.0")
    plugin.write_text(text, encoding="utf-8")
    after = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert after.returncode == 0, after.stdout
