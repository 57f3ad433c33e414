"""One canary in every place a secret can stand, through every way out of a call: it is found nowhere."""

from __future__ import annotations

import base64
import io
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.tools.leaking import CANARY, leak
from tests.tools.running import Answers
from tools import (
    CallStatus,
    CircuitBreaker,
    Continue,
    Edit,
    Event,
    ExitEarly,
    Isolation,
    Policies,
    ReviewAsked,
    ReviewDecided,
    TerminalReviewHandler,
    ToolCall,
    ToolContext,
    ToolFailure,
    contract,
    resilience,
    resolve_tools,
    security,
    tool,
)
from tools.audit import AuditLog
from tools.calls import MASK
from tools.cli.main import main
from tools.discovery import PluginList
from tools.history import History
from tools.workbench import Workbench

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

FORMS = (
    CANARY,
    json.dumps(CANARY)[1:-1],
    json.dumps(CANARY, ensure_ascii=False)[1:-1],
    repr(CANARY)[1:-1],
    quote(CANARY),
    quote(CANARY, safe=""),
    base64.b64encode(CANARY.encode()).decode()[:-4],
)


GIVEN: dict[str, Any] = {
    "login": {"user": "mira", "token": CANARY},
    "plainKey": CANARY,
    "rows": [{"n": 1, "secret": CANARY}, {"n": 2, "secret": CANARY + "2"}],
    "headers": {"authorization": f"Bearer {CANARY}", "Authorization": CANARY, "accept": "x"},
    "notes": [f"say {CANARY} at the door", "knock"],
    "url": f"https://mira:{quote(CANARY, safe='')}@example.org/?api_key={quote(CANARY, safe='')}&page=2",
}


def no_canary(place: object, name: str = "") -> None:
    """Fail when any form of the canary is in what something shows."""
    text = place if isinstance(place, str) else repr(place)
    for form in FORMS:
        assert form not in text, f"{name}: {form!r} in {text[:2000]}"


class Ears:
    """Take everything that events carry, as a listener could."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.calls: list[ToolCall] = []

    def __call__(self, event: Event) -> None:
        self.heard.append(repr(event))
        if isinstance(event, ReviewAsked | ReviewDecided):
            self.heard += [repr(tuple(event.request)), str(event.request.arguments)]
        if isinstance(event, ReviewDecided):
            self.heard.append(repr(tuple(event.decision)))
        call = getattr(event, "call", None)
        if call is not None:
            self.calls.append(call)
            self.heard += shown(call)

    def on_tool_call_start(self, name: str, arguments: Mapping[str, Any], /) -> None:
        self.heard.append(f"{name} {dict(arguments)}")

    def on_tool_call_complete(self, name: str, result: Any, success: bool, latency_ms: float, /) -> None:
        self.heard.append(f"{name} {result} {success}")


def shown(call: ToolCall) -> list[str]:
    """Return everything of a call that may be shown."""
    response = call.response
    final = response.status.final
    return [
        repr(call),
        repr(response),
        str(call.display_arguments()),
        json.dumps(call.display_arguments()),
        *([str(call.display_result()), call.display_text()] if final else []),
        str(response.error),
        str(response.logs),
        str(response.steps),
        str(response.feedback),
        str(response.modified_arguments),
        str([attachment.name for attachment in response.attachments]),
    ]


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(5, "tools")
    yield caplog
    no_canary(caplog.text, "log")
    no_canary([record.args for record in caplog.records], "log arguments")


@pytest.mark.expects_log("tools")
@pytest.mark.reference("A29", "A37")
class TestEveryWayOut:
    @pytest.mark.parametrize("how", ["ask", "fail", "raise", "return failure", "text", "output", "value"])
    @pytest.mark.parametrize("as_text", [False, True])
    def test_a_call_that_runs(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture, tmp_path: Path, how: str, as_text: bool
    ) -> None:
        ears, history, audit = Ears(), History(tmp_path / "history"), AuditLog(tmp_path / "audit")
        history.open()
        audit.open()
        executor = executor_of(leak, review_handler=Answers(), listeners=[ears], history=history, audit=audit)
        executor.add_call_listener(ears)
        given = {**GIVEN, "how": how}
        response = executor.run("leak", json.dumps(given) if as_text else given)
        history.flush(10)
        history.close()
        audit.close()

        failed = how in {"fail", "raise", "return failure"}
        assert response.status is (CallStatus.FAILED if failed else CallStatus.EXECUTED)
        for text in ears.heard:
            no_canary(text, "event")
        for path in (path for path in tmp_path.rglob("*") if path.is_file()):
            no_canary(path.read_bytes().decode(errors="replace"), path.name)
        assert MASK in str(ears.calls[0].display_arguments())
        # Whoever made the call gets what the tool gave.
        if not failed:
            assert CANARY in str(response.result)
        if how == "text":
            assert CANARY in response.text

    @pytest.mark.parametrize("how", ["fail", "raise", "return failure", "text", "value", "print", "die"])
    def test_a_call_in_a_process_of_its_own(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture, how: str
    ) -> None:
        ears = Ears()
        (far,) = resolve_tools([leak])
        far = replace(far, policies=far.policies.merged(Policies(isolation=Isolation.PROCESS)))
        executor = executor_of(far, review_handler=Answers(), listeners=[ears])
        response = executor.run("leak", {**GIVEN, "how": how})
        assert response.status is (CallStatus.EXECUTED if how in {"text", "value", "print"} else CallStatus.FAILED)
        assert ("printed" in str(response.logs)) is (how == "print")
        for text in ears.heard:
            no_canary(text, "event")

    @pytest.mark.parametrize(
        "change",
        [
            {"how": 3},
            {"login": {"user": 3, "token": CANARY}},
            {"login": CANARY},
            {"login": {"user": "a", "tokn": CANARY}},
            {"plainkey": CANARY},
            {"secret": CANARY},
            {"rows": {"secret": CANARY}},
            {"rows": [{"n": "x", "secret": CANARY}, CANARY]},
            {"headers": [CANARY]},
            {"url": [CANARY]},
        ],
    )
    @pytest.mark.parametrize("as_text", [False, True])
    def test_a_call_that_does_not_fit(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture, change: dict[str, Any], as_text: bool
    ) -> None:
        ears = Ears()
        given = {**GIVEN, "how": "text", **change}
        executor_of(leak, listeners=[ears]).run("leak", json.dumps(given) if as_text else given)
        assert ears.calls[-1].response.status is CallStatus.REJECTED
        for text in ears.heard:
            no_canary(text, "event")

    def test_text_that_is_no_json(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        ears = Ears()
        executor_of(leak, listeners=[ears]).run("leak", json.dumps(GIVEN)[:-1])
        assert ears.calls[-1].response.status is CallStatus.REJECTED
        for text in ears.heard:
            no_canary(text, "event")

    @pytest.mark.parametrize(
        "decision",
        [
            Continue(f"I know {CANARY}"),
            ExitEarly(f"{CANARY} is known"),
            Edit({**GIVEN, "how": "fail", "plainKey": "a new one", "rows": [{"n": 1, "secret": "fresh"}]}),
            Edit(json.dumps({**GIVEN, "how": "raise"})),
            Edit({**GIVEN, "how": 3}),
            Edit("{"),
        ],
    )
    def test_a_person_decides(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture, decision: Continue | Edit | ExitEarly
    ) -> None:
        ears = Ears()
        executor_of(leak, review_handler=Answers(decision), listeners=[ears]).run("leak", {**GIVEN, "how": "text"})
        for text in ears.heard:
            no_canary(text, "event")

    def test_what_an_edit_types_is_secret_from_then_on(
        self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture
    ) -> None:
        ears = Ears()
        edit = Edit({**GIVEN, "how": "fail", "plainKey": "typed by hand"})
        response = executor_of(leak, review_handler=Answers(edit), listeners=[ears]).run(
            "leak", {**GIVEN, "how": "text"}
        )
        assert response.status is CallStatus.FAILED
        assert "typed by hand" not in str(ears.heard) + log.text
        for text in ears.heard:
            no_canary(text, "event")

    def test_a_terminal_s_question_and_refusal(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        screen = io.StringIO()
        handler = TerminalReviewHandler(io.StringIO('e\n{"how": "fail"}\nx\n'), screen)
        executor = executor_of(leak, review_handler=handler)
        edited = executor.run("leak", {**GIVEN, "how": "text"})
        refused = executor.run("leak", {**GIVEN, "how": "text"})
        assert (edited.status, refused.status) == (CallStatus.FAILED, CallStatus.DENIED)
        assert "rows = " in screen.getvalue()
        no_canary(screen.getvalue(), "terminal")
        no_canary(edited.text + refused.text, "text")

    @pytest.mark.parametrize("output", ["text", "json"])
    @pytest.mark.parametrize("how", ["raise", "text", "output", "value"])
    def test_the_command_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, how: str, output: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        bench = Workbench(PluginList(tmp_path / "settings"), installed=())
        bench.registry.register_all(resolve_tools([leak]))
        arguments = json.dumps({**GIVEN, "how": how})
        main(("call", "leak", "--json", arguments, "--yes", "--output", output), workbench=bench)
        out, err = capsys.readouterr()
        assert "got" in err
        no_canary(out, "stdout")
        no_canary(err, "stderr")

    def test_contracts_breakers_and_fallbacks(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        def spare(key: str, ctx: ToolContext) -> str:
            ctx.log("info", f"spare with {key}")
            raise ToolFailure(f"no spare for {key}")

        @tool
        @security(mask_fields=["key"])
        @contract(pre=["len(key) > 3", lambda key: key != "wrong " + CANARY], post=["'x' in result"])
        @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1), fallback="spare_tool")
        def guarded(key: str) -> str:
            """Work."""
            return key

        @tool
        @security(mask_fields=["key"])
        def spare_tool(key: str, ctx: ToolContext) -> str:
            """Stand in."""
            return spare(key, ctx)

        ears = Ears()
        executor = executor_of(guarded, spare_tool, listeners=[ears])
        for key in (CANARY, "wrong " + CANARY, CANARY):
            executor.run("guarded", {"key": key})
        ears.heard.append(repr(executor.guards("guarded")))
        assert "open" in ears.heard[-1]
        for text in ears.heard:
            no_canary(text, "event")

    def test_what_breaks_beside_the_call(self, executor_of: ExecutorOf, log: pytest.LogCaptureFixture) -> None:
        def listener(event: Event) -> None:
            raise ValueError(f"cannot store {event} {GIVEN}")

        def call_filter(call: ToolCall) -> Any:
            raise LookupError(f"no rule for {call.arguments} {call.given!r}")

        executor = executor_of(leak, listeners=[listener], call_filter=call_filter)
        response = executor.run("leak", {**GIVEN, "how": "text"})
        assert response.status is CallStatus.DENIED
        assert "cannot store" in log.text
        no_canary(response.text)
