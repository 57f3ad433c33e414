from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from tests.tools.test_cli import bench_of
from tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.expects_log("tools.calls", "tools.history.writer")


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run one command; return the exit code and both outputs."""
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    bench = bench_of(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words, workbench=bench)
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def ran(cli: Command) -> Command:
    """Run tools in other programs before."""
    for _ in range(3):
        cli("call", "shout", "word=hi")
    cli("call", "crash")
    return cli


def test_a_computer_where_nothing_ran_says_so(cli: Command) -> None:
    assert cli("health") == (0, "No tool ran lately\n", "")
    assert cli("health", "--tool", "shout")[1].splitlines()[1].split() == [
        *("shout", "unknown", "n/a", "n/a", "n/a", "n/a", "0"),
        *["it", "has", "not", "run", "lately"],
    ]


@pytest.mark.reference("A73")
def test_the_worst_stand_first_with_their_numbers_and_the_reason(ran: Command) -> None:
    code, out, err = ran("health")
    head, worst, best = out.splitlines()
    assert (code, err) == (0, "")
    assert head.split() == ["TOOL", "STATUS", "SUCCESS", "P50", "P95", "P99", "RUNS"]
    assert worst.split()[:3] == ["crash", "down", "0.0%"]
    assert worst.endswith("  success is 0%, below 80%; failed once")
    assert best.split()[:3] == ["shout", "up", "100.0%"]
    assert best.split()[-1] == "3"


@pytest.mark.reference("A72")
def test_as_json_every_number_has_a_name(ran: Command) -> None:
    document = json.loads(ran("health", "--output", "json")[1])
    assert document["overall"] == "down"
    crash, shout = document["tools"]["crash"], document["tools"]["shout"]
    assert (crash["status"], crash["runs"], crash["failures_by_kind"]) == ("down", 1, {"tool": 1})
    assert crash["last_error"]
    assert (shout["status"], shout["reason"], shout["runs"], shout["success_rate"]) == ("up", None, 3, 1.0)
    assert shout["min_ms"] <= shout["p50_ms"] <= shout["p95_ms"] <= shout["p99_ms"] <= shout["max_ms"]
    assert shout["last_run_at"].endswith("+00:00")


def test_as_prometheus_text_every_line_is_a_comment_or_a_sample(ran: Command) -> None:
    lines = ran("health", "--output", "prometheus")[1].splitlines()
    assert 'tool_health{tool="crash",status="down"} 1' in lines
    assert 'tool_health{tool="shout",status="down"} 0' in lines
    assert 'tool_window_failures{tool="crash",kind="tool"} 1' in lines
    assert 'tool_window_run_seconds_count{tool="shout"} 3' in lines
    declared = {line.split()[2] for line in lines if line.startswith("# TYPE ")}
    for line in lines:
        if not line.startswith("# "):
            sample, _, value = line.rpartition(" ")
            assert float(value) >= 0
            assert sample.partition("{")[0].removesuffix("_sum").removesuffix("_count") in declared


def test_limits_and_window_are_options(ran: Command) -> None:
    assert "degraded" in ran("health", "--tool", "shout", "--p95", "0.0001")[1]
    assert ran("health", "--tool", "crash", "--up", "0", "--down", "0")[1].splitlines()[1].split()[1] == "up"
    time.sleep(0.01)
    assert ran("health", "--window", "0.001s")[1] == "No tool ran lately\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--up", "1.5"), "success_up: Input should be less than or equal to 1"),
        (("--down", "0.99"), "expected success_down to be at most success_up, got 0.99 above 0.95"),
        (("--watch", "0"), "expected --watch with more than 0 seconds, got 0"),
        (("--window", "long"), "expected a number and one of s, m, h, d, w"),
    ],
)
def test_options_that_mean_nothing_are_refused(cli: Command, words: tuple[str, ...], message: str) -> None:
    code, out, err = cli("health", *words)
    assert (code, out) == (2, "")
    assert message in err


def test_watching_shows_it_again_until_somebody_stops_it(ran: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("tools.cli.health.time.sleep", wait)
    code, out, err = ran("health", "--watch", "0.5")
    assert (code, out.count("TOOL"), waited, err) == (130, 2, [0.5, 0.5], "tool-console: interrupted\n")
