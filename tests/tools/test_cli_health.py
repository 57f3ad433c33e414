from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.tools.command_line import Command, command_of
from tests.tools.test_cli import bench_of
from tools import ToolFailure, make_tool, security
from tools.card import SourceKind, ToolSource
from tools.health import HealthChange, HealthLimits, HealthStatus, LimitsFile, LimitsScope, Transitions

pytestmark = pytest.mark.expects_log("tools.history.writer")


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return command_of(bench_of(tmp_path), capsys, monkeypatch)


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
    assert worst.split()[:5] == ["crash", "unknown", "0", "of", "1"]
    assert worst.endswith("  failed once, too few runs to judge")
    assert best.split()[:3] == ["shout", "up", "100.0%"]
    assert best.split()[-1] == "3"


@pytest.mark.reference("A72")
def test_as_json_every_number_has_a_name(ran: Command) -> None:
    document = json.loads(ran("health", "--output", "json")[1])
    assert document["overall"] == "up"
    crash, shout = document["tools"]["crash"], document["tools"]["shout"]
    assert (crash["status"], crash["runs"], crash["failures_by_kind"]) == ("unknown", 1, {"tool": 1})
    assert crash["last_error"]
    assert (shout["status"], shout["reason"], shout["runs"], shout["success_rate"]) == ("up", None, 3, 1.0)
    assert shout["min_ms"] <= shout["p50_ms"] <= shout["p95_ms"] <= shout["p99_ms"] <= shout["max_ms"]
    assert shout["last_run_at"].endswith("+00:00")


def test_as_prometheus_text_every_line_is_a_comment_or_a_sample(ran: Command) -> None:
    lines = ran("health", "--output", "prometheus")[1].splitlines()
    assert 'tool_health{tool="crash",status="unknown"} 1' in lines
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
    assert "degraded" in ran("health", "--tool", "shout", "--p95", "0.0001", "--least", "1")[1]
    assert "degraded" not in ran("health", "--tool", "shout", "--p95", "0.0001")[1]
    assert ran("health", "--tool", "crash", "--least", "1")[1].splitlines()[1].split()[1] == "down"
    assert (
        ran("health", "--tool", "crash", "--up", "0", "--down", "0", "--least", "1")[1].splitlines()[1].split()[1]
        == "up"
    )
    time.sleep(0.01)
    assert ran("health", "--window", "0.001s")[1] == "No tool ran lately\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--up", "1.5"), "success_up: Input should be less than or equal to 1"),
        (("--least", "0"), "least_calls: Input should be greater than or equal to 1"),
        (("--down", "0.99"), "expected success_down to be at most success_up, got 0.99 above 0.95"),
        (("--watch", "0"), "expected --watch with more than 0 seconds, got 0"),
        (("--window", "long"), "expected a number and one of s, m, h, d, w"),
    ],
)
def test_options_that_mean_nothing_are_refused(cli: Command, words: tuple[str, ...], message: str) -> None:
    err = cli.said(2, "health", *words)
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


class Line:
    """A line that is cut, or not."""

    def __init__(self) -> None:
        self.is_cut = True

    def ask(self) -> None:
        if self.is_cut:
            raise ToolFailure("no route")


@pytest.fixture
def asked(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> tuple[Command, Line]:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench, line = bench_of(tmp_path), Line()
    web = ToolSource(SourceKind.BUILT_IN, "Web")
    closed = security(allowed_callers=("nobody",))(lambda: None)
    bench.registry.register_all(
        [
            make_tool("fetch", "Fetch.", lambda: None, (), probe=line.ask, source=web),
            make_tool("fine", "Be fine.", lambda: None, (), probe={}),
            make_tool("closed", "Be closed.", closed, (), probe={}),
            make_tool("far", "Ask far away.", lambda: None, (), probe=line.ask, probe_on_request=True),
        ]
    )
    return command_of(bench, capsys, monkeypatch), line


def statuses(out: str) -> dict[str, str]:
    return {words[0]: words[1] for words in map(str.split, out.splitlines()[1:])}


class TestAsking:
    def test_tools_with_a_probe_are_asked_and_those_that_ran_are_listed_too(self, asked: tuple[Command, Line]) -> None:
        command, _ = asked
        command("call", "shout", "word=hi")
        code, out, err = command("health", "--check")
        assert statuses(out) == {"closed": "unknown", "fetch": "unknown", "fine": "up", "shout": "up"}
        assert "its probe failed once, of the 3 in a row that count: no route" in out
        assert code == 0
        assert "tool-console: closed could not be asked: " in err

    def test_a_probe_on_request_is_made_with_probe_only(self, asked: tuple[Command, Line]) -> None:
        command, line = asked
        line.is_cut = False
        _, out, err = command("health", "--check", "--tool", "far")
        assert statuses(out) == {"far": "unknown"}
        assert "far: asked with --probe only" in err
        assert statuses(command("health", "--probe", "--tool", "far")[1]) == {"far": "up"}
        assert "far" not in statuses(command("health", "--check")[1])

        command("call", "far")
        line.is_cut = True
        out = command("health", "--probe", "--output", "json")[1]
        assert json.loads(out)["tools"]["far"]["probe"]["outcome"] == "failed"

    def test_a_tool_that_is_down_is_told_by_the_exit_code(
        self, asked: tuple[Command, Line], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        command, _ = asked
        LimitsFile().set(LimitsScope("fetch"), HealthLimits(failed_checks=1))
        code, out, _ = command("health", "--check", "--tool", "fetch", "--tool", "shout")
        assert (code, statuses(out)) == (5, {"fetch": "down", "shout": "unknown"})
        assert "  its probe failed: no route" in out

    def test_probes_in_a_row_are_counted_from_one_start_to_the_next(self, asked: tuple[Command, Line]) -> None:
        command, line = asked
        codes = [command("health", "--check", "--tool", "fetch")[0] for _ in range(3)]
        line.is_cut = False
        code, out, _ = command("health", "--check", "--tool", "fetch")
        assert (codes, code, statuses(out)) == ([0, 0, 5], 0, {"fetch": "up"})

    def test_probes_in_a_row_are_counted_while_it_watches(
        self, asked: tuple[Command, Line], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        command, line = asked
        rounds: list[float] = []

        def wait(seconds: float) -> None:
            rounds.append(seconds)
            line.is_cut = len(rounds) < 4
            if len(rounds) == 5:
                raise KeyboardInterrupt

        monkeypatch.setattr("tools.cli.health.time.sleep", wait)
        code, out, _ = command("health", "--check", "--watch", "1", "--tool", "fetch")
        shown = [line.split()[1] for line in out.splitlines() if line.startswith("fetch")]
        assert (code, shown) == (130, ["unknown", "unknown", "down", "down", "up"])

    def test_probes_are_in_the_history_and_count_for_no_use(self, asked: tuple[Command, Line]) -> None:
        command, _ = asked
        command("health", "--check")
        listed = json.loads(command("history", "--caller", "probe", "--output", "json")[1])
        assert sorted(call["tool"] for call in listed) == ["closed", "fetch", "fine"]
        assert json.loads(command("history", "--output", "json")[1]) == []
        assert command("health")[1] == "No tool ran lately\n"

    def test_what_a_probe_said_is_exported(self, asked: tuple[Command, Line]) -> None:
        command, _ = asked
        probe = json.loads(command("health", "--check", "--output", "json")[1])["tools"]["fetch"]["probe"]
        assert (probe["outcome"], probe["message"], probe["failed_in_a_row"]) == ("failed", "no route", 1)
        lines = command("health", "--check", "--output", "prometheus")[1].splitlines()
        assert 'tool_probe_success{tool="fetch"} 0' in lines
        assert 'tool_probe_success{tool="fine"} 1' in lines
        assert 'tool_probe_failed_in_a_row{tool="fetch"} 2' in lines
        assert not [line for line in lines if "closed" in line and line.startswith("tool_probe")]


class TestSavedLimits:
    def test_limits_of_tools_and_of_all_hold_here_too(self, ran: Command) -> None:
        file = LimitsFile()
        file.set(LimitsScope("crash"), HealthLimits(success_up=0, success_down=0, least_calls=1))
        file.set(LimitsScope(), HealthLimits(p95_ms=0.0001, least_calls=1))
        assert statuses(ran("health")[1]) == {"crash": "up", "shout": "degraded"}
        assert statuses(ran("health", "--p95", "60000")[1]) == {"crash": "unknown", "shout": "up"}

    def test_limits_of_a_source_hold_for_its_tools(self, asked: tuple[Command, Line]) -> None:
        command, _ = asked
        command("call", "fetch")
        command("call", "fine")
        web = ToolSource(SourceKind.BUILT_IN, "Web")
        LimitsFile().set(LimitsScope(source=web), HealthLimits(p95_ms=0.0001, least_calls=1))
        assert statuses(command("health")[1]) == {"fetch": "degraded", "fine": "up"}

    @pytest.mark.expects_log("tools.health.limits_file")
    def test_a_file_that_means_nothing_is_told_and_the_defaults_hold(self, ran: Command) -> None:
        path = LimitsFile().path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[tools.crash]\nsuccess = 1")
        code, out, err = ran("health")
        assert (code, statuses(out)) == (0, {"crash": "unknown", "shout": "up"})
        assert "tool-console: health.toml: tools.crash.success: Extra inputs are not permitted" in err


class TestChanges:
    def test_what_changed_is_listed_newest_first(self, cli: Command, tmp_path: Path) -> None:
        assert cli("health", "--changes") == (0, "Nothing changed yet\n", "")
        at = datetime(2026, 3, 31, 6, 0, tzinfo=UTC)
        up, down = HealthStatus.UP, HealthStatus.DOWN
        first = HealthChange("shout", up, down, "its probe failed", at)
        second = HealthChange("crash", down, up, None, at + timedelta(minutes=1))
        transitions = Transitions(tmp_path / "data")
        transitions.take([first, second], at)
        transitions.flush(at)
        out = cli.printed("health", "--changes")
        lines = [line.split() for line in out.splitlines()]
        assert lines[0] == ["WHEN", "TOOL", "CHANGE"]
        assert lines[1][2:] == ["crash", "down", "→", "up"]
        assert lines[2][2:] == ["shout", "up", "→", "down", "its", "probe", "failed"]
        assert cli("health", "--changes", "--tool", "shout")[1].count("→") == 1
        listed = json.loads(cli("health", "--changes", "--output", "json")[1])
        assert listed[1] == {
            "tool": "shout",
            "before": "up",
            "after": "down",
            "reason": "its probe failed",
            "at": "2026-03-31T06:00:00+00:00",
        }
        assert json.loads(cli("health", "--output", "json")[1])["changes"] == listed
        lines_out = cli("health", "--changes", "--output", "prometheus")[1].splitlines()
        assert 'tool_health_changes{tool="shout",status="down"} 1' in lines_out
        assert f'tool_health_changed_timestamp_seconds{{tool="shout"}} {at.timestamp()!r}' in lines_out

    def test_changes_that_cannot_be_read_do_not_hide_the_rest(self, ran: Command, tmp_path: Path) -> None:
        (tmp_path / "data" / "health.sqlite").write_bytes(b"no database" * 200)
        code, out, err = ran("health")
        assert (code, statuses(out)) == (0, {"crash": "unknown", "shout": "up"})
        assert "what changed before cannot be read" in err
