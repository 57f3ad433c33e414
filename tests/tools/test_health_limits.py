"""Limits that a person set: kept in a file, applied by tool and source, and previewed before they are saved."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools import CallStatus, Tool, ToolMetrics, make_tool
from tools.card import SourceKind, ToolSource
from tools.health import HealthLimits, HealthStatus, LimitsFile, LimitsScope, StatusChange, ToolHealthRegistry, preview
from tools.health.preview import BINS
from tools.metrics import EndedCall

UP, DEGRADED, DOWN, UNKNOWN = HealthStatus
WEB = ToolSource(SourceKind.BUILT_IN, "Web")
NOTES = ToolSource(SourceKind.PLUGIN, "notes.py", Path("/plugins/notes.py"))
ALL = LimitsScope()


def listed(name: str, source: ToolSource = WEB) -> Tool:
    return make_tool(name, "Do.", lambda: None, (), source=source)


@pytest.fixture
def metrics() -> ToolMetrics:
    return ToolMetrics(lambda: 10_000.0)


@pytest.fixture
def registry(metrics: ToolMetrics) -> ToolHealthRegistry:
    registry = ToolHealthRegistry(metrics)
    registry.register_all([listed("fetch"), listed("search"), listed("note", NOTES)])
    return registry


def run(metrics: ToolMetrics, name: str, *elapsed_ms: float, status: CallStatus = CallStatus.EXECUTED) -> None:
    for ms in elapsed_ms:
        metrics.record(EndedCall(name, status, ms / 1000))


class TestFile:
    def test_limits_are_there_at_the_next_start(self, tmp_path: Path) -> None:
        file = LimitsFile(tmp_path / "settings")
        scopes = {
            ALL: HealthLimits(p95_ms=9000),
            LimitsScope("fetch"): HealthLimits(p95_ms=2500, least_calls=20, notify=False),
            LimitsScope(source=NOTES): HealthLimits(success_up=0.9, success_down=0.7, failed_checks=5, window_s=60),
        }
        for scope, limits in scopes.items():
            assert file.get(scope) is None
            assert file.set(scope, limits) is None
        again = LimitsFile(tmp_path / "settings")
        assert {scope: again.get(scope) for scope in scopes} == scopes
        assert again.get(LimitsScope(source=WEB)) is None
        assert [path.name for path in (tmp_path / "settings").iterdir()] == ["health.toml"]
        document = tomllib.loads(again.path.read_text())
        assert document["tools"]["fetch"]["p95_ms"] == 2500
        assert [*document["sources"]] == ["/plugins/notes.py"]

    def test_a_change_is_undone_with_what_it_returns(self, tmp_path: Path) -> None:
        file, scope = LimitsFile(tmp_path), LimitsScope("fetch")
        first, second = HealthLimits(p95_ms=1), HealthLimits(p95_ms=2)
        file.set(scope, first)
        before = file.set(scope, second)
        assert before == first
        assert file.set(scope, before) == second
        assert file.get(scope) == first
        assert file.set(scope, None) == first
        assert file.get(scope) is None
        assert LimitsFile(tmp_path).get(scope) is None

    def test_what_another_program_wrote_stays(self, tmp_path: Path) -> None:
        ours, theirs = LimitsFile(tmp_path), LimitsFile(tmp_path)
        theirs.set(LimitsScope("search"), HealthLimits(p95_ms=1))
        ours.set(LimitsScope("fetch"), HealthLimits(p95_ms=2))
        assert ours.get(LimitsScope("search")) == HealthLimits(p95_ms=1)
        assert LimitsFile(tmp_path).get(LimitsScope("search")) == HealthLimits(p95_ms=1)

    def test_a_file_written_by_hand_may_leave_things_out(self, tmp_path: Path) -> None:
        (tmp_path / "health.toml").write_text(
            '[tools.fetch]\np95_ms = 2500\n[sources."built-in: Web"]\nwindow_s = 60\n'
        )
        file = LimitsFile(tmp_path)
        assert file.problem == ""
        assert file.get(LimitsScope("fetch")) == HealthLimits(p95_ms=2500)
        assert file.get(LimitsScope(source=WEB)) == HealthLimits(window_s=60)

    @pytest.mark.expects_log("tools.health.limits_file")
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("[tools", "health.toml cannot be read ("),
            ("\xff", "health.toml cannot be read ("),
            ("[tools.search]\np95_ms = -1", "health.toml: tools.search.p95_ms: Input should be greater than 0"),
            (
                "[tools.search]\nsuccess_up = 0.5",
                "health.toml: tools.search: expected success_down to be at",
            ),
            ("[tools.search]\np95 = 5", "health.toml: tools.search.p95: Extra inputs are not permitted"),
            ("[tools]\nsearch = 5", "health.toml: tools.search: Input should be a valid dictionary"),
            ("default = 5", "health.toml: default: Input should be a valid dictionary"),
            ("sources = 5", "health.toml: sources: Input should be a valid dictionary"),
            ("[tolls.search]\np95_ms = 5", "health.toml: [tolls] means nothing; write [default], [tools.…]"),
        ],
    )
    def test_what_means_nothing_is_told_and_does_not_count(
        self, tmp_path: Path, text: str, problem: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = tmp_path / "health.toml"
        good = "[tools.fetch]\np95_ms = 1\n"
        path.write_bytes(text.encode("latin-1") if text == "\xff" else f"{text}\n{good}".encode())
        file = LimitsFile(tmp_path)
        assert file.problem.startswith(problem)
        assert file.problem in caplog.text
        assert file.get(LimitsScope("search")) is file.get(ALL) is None
        if "cannot be read" not in problem:
            assert file.get(LimitsScope("fetch")) == HealthLimits(p95_ms=1)
        kept = path.read_bytes()
        file.set(LimitsScope("search"), HealthLimits(p95_ms=2))
        assert (file.problem, (tmp_path / "health.toml.bad").read_bytes()) == ("", kept)
        again = LimitsFile(tmp_path)
        assert (again.problem, again.get(LimitsScope("search"))) == ("", HealthLimits(p95_ms=2))

    @pytest.mark.expects_log("tools.health.limits_file")
    def test_what_cannot_be_written_changes_nothing(self, tmp_path: Path) -> None:
        folder = tmp_path / "settings"
        folder.write_text("a file in the folder's place")
        file = LimitsFile(folder)
        assert "Not a directory" in file.problem
        with pytest.raises(OSError, match="settings"):
            file.set(ALL, HealthLimits(p95_ms=1))
        assert file.get(ALL) is None

    def test_it_holds_for_tools_that_come_later_too(
        self, tmp_path: Path, registry: ToolHealthRegistry, metrics: ToolMetrics
    ) -> None:
        file = LimitsFile(tmp_path)
        own, of_source, of_all = (HealthLimits(p95_ms=ms) for ms in (1, 2, 3))
        file.set(LimitsScope("fetch"), own)
        file.set(LimitsScope(source=NOTES), of_source)
        file.set(ALL, of_all)
        registry.set_limits("search", HealthLimits(p95_ms=99))
        file.apply(registry)
        assert [registry.limits(name) for name in registry.names] == [own, of_all, of_source]
        registry.watch_only([listed("search")])
        registry.watch_only([listed("search"), listed("fetch")])
        assert registry.limits("fetch") == of_all
        file.apply(registry)
        assert registry.limits("fetch") == own
        file.set(ALL, None)
        file.set(LimitsScope("fetch"), None)
        file.apply(registry)
        assert registry.limits("fetch") == registry.limits("search") == HealthLimits()

    def test_limits_of_a_program_that_keeps_more_runs_fit_here(self, tmp_path: Path) -> None:
        small = ToolMetrics(most_calls=10)
        registry = ToolHealthRegistry(small)
        registry.register("fetch")
        file = LimitsFile(tmp_path)
        file.set(LimitsScope("fetch"), HealthLimits(p95_ms=7))
        file.apply(registry)
        assert registry.limits("fetch") == HealthLimits(p95_ms=7, window_calls=10)


class TestScopes:
    def test_limits_of_a_scope_hold_where_nothing_narrower_is_said(self, registry: ToolHealthRegistry) -> None:
        assert registry.covered(ALL) == ("fetch", "search", "note")
        assert registry.covered(LimitsScope(source=WEB)) == ("fetch", "search")
        assert registry.covered(LimitsScope("note")) == ("note",)
        assert registry.covered(LimitsScope("nobody")) == ()
        own = HealthLimits(p95_ms=1)
        for scope in (LimitsScope("fetch"), LimitsScope(source=NOTES)):
            assert registry.own_limits(scope) is None
            registry.set_own_limits(scope, own)
            assert registry.own_limits(scope) == own
        assert registry.covered(ALL) == ("search",)
        assert registry.covered(LimitsScope(source=WEB)) == ("search",)
        registry.set_own_limits(ALL, own)
        assert registry.own_limits(ALL) == registry.limits("search") == own
        registry.set_own_limits(ALL, None)
        assert registry.own_limits(ALL) == HealthLimits()
        assert registry.sources == (WEB, NOTES)
        assert (registry.source("note"), registry.source("nobody")) == (NOTES, None)


class TestPreview:
    def test_it_says_what_would_be_different_and_changes_nothing(
        self, registry: ToolHealthRegistry, metrics: ToolMetrics
    ) -> None:
        run(metrics, "fetch", *[1000.0] * 332, *[3000.0] * 49)
        run(metrics, "search", *[10.0] * 20)
        limits = HealthLimits(p95_ms=2500)
        found = preview(registry, metrics, limits, LimitsScope("fetch"))
        assert (found.tools, found.calls, found.above, found.over_s) == (("fetch",), 381, 49, 3600)
        assert (found.before, found.after) == (UP, DEGRADED)
        assert found.changes == (StatusChange("fetch", UP, DEGRADED),)
        assert registry.limits("fetch") == HealthLimits()
        of_all = preview(registry, metrics, limits, ALL)
        assert (of_all.tools, of_all.calls, of_all.above) == (("fetch", "search", "note"), 401, 49)
        assert of_all.changes == found.changes

    def test_exactly_at_the_limit_is_not_above(self, registry: ToolHealthRegistry, metrics: ToolMetrics) -> None:
        run(metrics, "fetch", 250.0, 250.0000001, 249.0)
        assert preview(registry, metrics, HealthLimits(p95_ms=250), LimitsScope("fetch")).above == 1

    def test_runs_are_shown_from_further_back_than_they_are_judged(self) -> None:
        now = [10_000.0]
        metrics = ToolMetrics(lambda: now[0])
        registry = ToolHealthRegistry(metrics)
        registry.register("fetch")
        run(metrics, "fetch", 10.0)
        now[0] += 3600
        run(metrics, "fetch", 20.0)
        limits = HealthLimits()
        assert preview(registry, metrics, limits, LimitsScope("fetch")).calls == 2
        now[0] += 0.5
        assert preview(registry, metrics, limits, LimitsScope("fetch")).calls == 1
        longer = limits.model_copy(update={"window_s": 7200.0})
        assert preview(registry, metrics, longer, LimitsScope("fetch")).calls == 2

    def test_nothing_ran_is_no_trouble(self, registry: ToolHealthRegistry, metrics: ToolMetrics) -> None:
        found = preview(registry, metrics, HealthLimits(p95_ms=2500), ALL)
        assert (found.calls, found.above, found.before, found.after, found.changes) == (0, 0, UNKNOWN, UNKNOWN, ())
        assert found.counts == (0,) * BINS
        assert found.bin_ms * BINS >= 2500 * 1.25

    def test_a_failing_tool_may_be_up_by_other_limits(self, registry: ToolHealthRegistry, metrics: ToolMetrics) -> None:
        run(metrics, "fetch", *[10.0] * 14)
        run(metrics, "fetch", *[10.0] * 7, status=CallStatus.FAILED)
        found = preview(registry, metrics, HealthLimits(success_up=0.6, success_down=0.5), ALL)
        assert found.changes == (StatusChange("fetch", DOWN, UP),)
        assert (found.before, found.after) == (DOWN, UP)

    def test_limits_that_look_at_more_runs_than_are_kept_are_refused(self) -> None:
        metrics = ToolMetrics(most_calls=10)
        registry = ToolHealthRegistry(metrics)
        registry.register("fetch")
        with pytest.raises(ValueError, match="up to 10 runs"):
            preview(registry, metrics, HealthLimits(), ALL)

    @given(st.lists(st.floats(0, 1e6), max_size=60), st.floats(0.5, 1e6))
    def test_each_run_is_in_the_bar_it_belongs_to(self, elapsed_ms: list[float], limit_ms: float) -> None:
        metrics = ToolMetrics(lambda: 10_000.0)
        registry = ToolHealthRegistry(metrics)
        registry.register("fetch")
        run(metrics, "fetch", *elapsed_ms)
        found = preview(registry, metrics, HealthLimits(p95_ms=limit_ms), ALL)
        assert len(found.counts) == BINS
        assert sum(found.counts) == found.calls == len(elapsed_ms)
        taken = sorted(ms / 1000 * 1000 for ms in elapsed_ms)
        assert found.above == sum(ms > limit_ms for ms in taken)
        places = [min(BINS - 1, int(ms / found.bin_ms)) for ms in taken]
        assert [places.count(place) for place in range(BINS)] == list(found.counts)
        assert limit_ms <= found.bin_ms * BINS
        beyond = sum(ms > found.bin_ms * BINS for ms in taken)
        assert beyond <= len(taken) // 100
