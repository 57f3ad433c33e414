from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from annotated_types import MinLen

from tests.tools.running import Answers, Recorder, run
from tools import AuditLevel, ExitEarly, ToolConfigurationError, ToolFailure, make_tool, resolve_tools, security, tool
from tools.calls import MASK, audit_level_of, audited_arguments, audited_values
from tools.execution.call_log import TRACE, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.running import ExecutorOf


@tool
@security(audit="full", mask_fields=["key"])
def log_in(user: str, key: Annotated[str, MinLen(6)]) -> str:
    """Log in."""
    return f"welcome {user} with ${{key}}"


@tool
@security(sensitive=True, audit="full")
def diagnose(symptom: str, count: int = 1) -> str:
    """Diagnose."""
    if count > 1:
        raise ToolFailure(f"too much of {symptom}")
    return f"it is {symptom}"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    caplog.set_level(TRACE, "tools")
    yield caplog
    logging.getLogger("tools").setLevel(logging.NOTSET)


def lines(log: pytest.LogCaptureFixture, level: int, name: str = "tools.calls") -> list[str]:
    return [record.getMessage() for record in log.records if record.levelno == level and record.name == name]


class TestLevels:
    @pytest.mark.reference("D50")
    def test_info_has_a_short_line_with_the_duration_and_debug_everything(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture
    ) -> None:
        executor_of(make_tool("echo", "Echo.", lambda text: text)).run("echo", {"text": "w" * 300})
        (line,) = lines(log, logging.INFO)
        assert line.startswith('echo(text="wwww')
        assert " -> wwww" in line
        assert line.endswith(" ms]")
        assert len(line) < 400
        assert [len(text) > 300 for text in lines(log, logging.DEBUG)] == [True, True]

    @pytest.mark.reference("D50", "D14")
    def test_failures_warn(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        def fail(text: str) -> None:
            raise ToolFailure("no luck")

        executor = executor_of(make_tool("fail", "Fail.", fail))
        executor.run("fail", {"text": "a"})
        executor.run("fail", {})
        first, second = lines(log, logging.WARNING)
        assert first.startswith('fail(text="a") -> Error: no luck [failed, ')
        assert second.startswith("fail() -> Error: text is required")

    @pytest.mark.reference("D50", "D31")
    def test_a_wrong_program_is_an_error(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        executor = executor_of(make_tool("wipe", "Wipe.", lambda: 1, requires_confirmation=True))
        with pytest.raises(ToolConfigurationError):
            executor.run("wipe", {})
        assert lines(log, logging.ERROR)[0].startswith("wipe() -> Error: tool 'wipe' asks before it runs")

    @pytest.mark.reference("D50")
    def test_a_refusal_is_no_failure_of_the_tool(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        wipe = make_tool("wipe", "Wipe.", lambda: 1, requires_confirmation=True)
        executor_of(wipe, review_handler=Answers(ExitEarly("no"))).run("wipe", {})
        assert "[denied, " in lines(log, logging.INFO)[0]
        assert lines(log, logging.WARNING) == []

    @pytest.mark.reference("D50")
    def test_the_definition_is_traced_when_a_tool_is_taken_up(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture
    ) -> None:
        executor_of(make_tool("echo", "Echo.", lambda text: text))
        (line,) = lines(log, TRACE)
        name, offered = line.split(" is offered as ")
        assert (name, json.loads(offered)["input_schema"]["required"]) == ("echo", ["text"])

    def test_a_line_is_one_line(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        executor_of(make_tool("echo", "Echo.", lambda text: text)).run("echo", {"text": "a\nb\r\nc"})
        (line,) = lines(log, logging.INFO)
        assert "\n" not in line

    def test_a_line_can_be_written_whatever_the_letters(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture
    ) -> None:
        executor_of(make_tool("echo", "Echo.", lambda text: text)).run("echo", {"text": "half \ud800 letter"})
        for record in log.records:
            assert record.getMessage().encode()
        (line,) = lines(log, logging.INFO)
        assert line.startswith('echo(text="half \\ud800 letter") -> half \\ud800 letter')

    def test_long_arguments_are_cut_before_they_are_written(self) -> None:
        text = one_line({"a": "x" * 10_000_000, "b": [1, 2]}, 50)
        assert (len(text), text[-1]) == (50, "…")
        assert one_line({"a": "x\ny", "b": [1]}) == 'a="x\\ny" b=[1]'


class TestSecrets:
    @pytest.mark.reference("A29", "A37")
    @pytest.mark.parametrize(
        "given",
        [
            {"user": "mira", "key": "s3cret-key"},
            {"user": "mira", "key": "s3cr"},
            {"user": "mira", "key": ["s3cret-key"]},
            {"user": 3, "key": "s3cret-key"},
            '{"user": "mira", "key": "s3cr"}',
            '{"user": "mira", "key": "s3cret-key"',
            {"key": "s3cret-key"},
        ],
    )
    def test_masked_arguments_are_in_no_log_audit_event_display_or_message(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture, given: Any
    ) -> None:
        recorder = Recorder()
        executor = executor_of(log_in, listeners=[recorder])
        call = executor.create_call("log_in", given)
        run(executor.execute(call))
        seen = [log.text, call.display_arguments(), call.response.text, call.response.error, call.response.steps]
        assert "s3cr" not in str(seen)
        if call.response.succeeded:
            assert call.response.text == f"welcome mira with {MASK}"
            assert call.display_arguments() == {"user": "mira", "key": MASK}

    @pytest.mark.reference("A29")
    def test_sensitive_arguments_and_results_stay_out_of_the_log(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture
    ) -> None:
        executor = executor_of(diagnose)
        assert executor.run("diagnose", {"symptom": "gout"}).text == "it is gout"
        executor.run("diagnose", {"symptom": "gout", "count": 2})
        executor.run("diagnose", {"symptom": ["gout"]})
        assert "gout" not in log.text
        assert "diagnose(…) -> …" in log.text
        assert "Error: … (tool)" in log.text
        assert "Error: … (arguments)" in log.text

    @pytest.mark.reference("A29")
    @pytest.mark.expects_log("tools.execution")
    def test_what_breaks_beside_a_sensitive_call_is_logged_without_its_words(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture
    ) -> None:
        given = {"symptom": "gout"}

        def listener(event: object) -> None:
            raise ValueError(f"cannot store {given}")

        def call_filter(call: object) -> Any:
            raise LookupError(f"no rule for {given}")

        response = executor_of(diagnose, listeners=[listener], call_filter=call_filter).run("diagnose", given)
        assert response.text == "the call filter failed (LookupError), so the call of 'diagnose' was refused"
        assert "gout" not in log.text
        assert Path(__file__).name in log.text
        assert "ValueError: …" in log.text
        assert "LookupError: …" in log.text


class TestAudit:
    @pytest.mark.reference("A28", "A37")
    @pytest.mark.parametrize(
        ("level", "expected"),
        [
            ("none", []),
            ("basic", ["1 you echo executed"]),
            ("standard", ['1 you echo executed text="' + "w" * 193 + "…"]),
            ("full", ['1 you echo executed text="' + "w" * 500 + '"']),
        ],
    )
    def test_the_audit_has_as_much_as_its_level_says(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture, level: str, expected: list[str]
    ) -> None:
        def echo(text: str) -> str:
            return text

        security(audit=level)(echo)
        executor_of(make_tool("echo", "Echo.", echo)).run("echo", {"text": "w" * 500})
        assert lines(log, logging.INFO, "tools.audit") == expected

    @pytest.mark.reference("A28", "A29")
    @pytest.mark.parametrize("level", list(AuditLevel))
    def test_the_arguments_of_a_record_are_settled_in_one_place(
        self, executor_of: ExecutorOf, level: AuditLevel
    ) -> None:
        long = "w" * 500
        given = {"user": long, "key": "s3cret-key"}
        shown = audited_arguments(executor_of(log_in).create_call("log_in", given), level)
        expected = {
            AuditLevel.NONE: None,
            AuditLevel.BASIC: None,
            AuditLevel.STANDARD: {"user": "w" * 199 + "…", "key": MASK},
            AuditLevel.FULL: {"user": long, "key": MASK},
        }
        assert shown == expected[level]
        assert audited_arguments(executor_of(diagnose).create_call("diagnose", {"symptom": "gout"}), level) is None

    @pytest.mark.reference("A28")
    def test_the_level_is_the_policy_s_else_what_the_program_says(self) -> None:
        quiet, plain = resolve_tools([log_in, make_tool("plain", "Plain.", lambda: 1)])
        assert audit_level_of(quiet, AuditLevel.NONE) is AuditLevel.FULL
        assert (audit_level_of(plain), audit_level_of(None, AuditLevel.BASIC)) == (
            AuditLevel.STANDARD,
            AuditLevel.BASIC,
        )

    def test_long_lists_are_shortened_to_their_beginning(self) -> None:
        shown = audited_values({"many": list(range(500)), "few": [1, {"a": 2}], "n": 10**300}, AuditLevel.STANDARD)
        assert shown["few"] == [1, {"a": 2}]
        assert str(shown["many"]).startswith("[0,1,2,")
        assert str(shown["many"]).endswith("…")
        assert len(str(shown["many"])) == 200

    @pytest.mark.reference("A37")
    def test_refused_and_failed_calls_are_audited_with_masked_fields(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture
    ) -> None:
        @tool(requires_confirmation=True)
        @security(mask_fields=["key"])
        def send(key: str) -> None:
            raise ToolFailure("no")

        executor = executor_of(send, review_handler=Answers(ExitEarly("no")))
        executor.run("send", {"key": "s3cret"})
        executor.run("send", {"key": "s3cret"})
        assert lines(log, logging.INFO, "tools.audit") == [
            f'1 you send denied key="{MASK}"',
            f'2 you send failed key="{MASK}"',
        ]
