"""A server that does everything wrong: each fault ends in words that help, and nothing else is harmed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.tools.mcp.serving import MISBEHAVING, Person, misbehaving, serving
from tools import CallStatus
from tools.calls import ErrorKind, Progressed
from tools.errors import UnavailableError
from tools.mcp.config import ProtocolChoice
from tools.mcp.message_log import MAX_BYTES, MAX_LINES, Channel
from tools.mcp.state import FaultKind, ProtocolEra, ServerStatus, StateChanged
from tools.mcp.stdio_framing import LineThrottle


async def test_a_good_server_is_called() -> None:
    async with serving(misbehaving(protocol=ProtocolChoice.AUTO)) as served:
        state = served.state
        assert (state.status, state.protocol, state.tool_count) == (ServerStatus.CONNECTED, ProtocolEra.OLDER, 39)
        assert state.identity is not None
        assert (state.identity.title, state.identity.instructions) == ("Misbehaving", "Trust nothing.")
        assert state.pid is not None
        assert psutil.pid_exists(state.pid)
        response = await served.call("echo", {"text": "hello"})
        assert (response.status, response.text) == (CallStatus.EXECUTED, "hello")
        assert served.state.last_call_at is not None
        assert await served.servers.ping("bad") > 0
    assert not psutil.pid_exists(state.pid)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("dies", FaultKind.EXITED, "It ended with exit code 4."),
        ("dies_late", FaultKind.EXITED, "It ended with exit code 5."),
        ("garbage", FaultKind.GARBAGE, "It writes what is no message, such as 'Welcome to the best server of all"),
        ("wrong_version", FaultKind.PROTOCOL, "It speaks none of our versions of the protocol"),
        ("bad_list", FaultKind.PROTOCOL, "answered tools/list with what the protocol does not allow"),
    ],
)
async def test_a_server_that_does_not_come_up_says_why(fault: str, kind: FaultKind, words: str) -> None:
    async with serving(misbehaving(fault)) as served:
        state = served.state
        assert state.status is ServerStatus.FAILED
        assert state.fault is not None
        assert state.fault.kind is kind
        assert words in state.fault.message
        assert state.fault.remedy
        assert state.pid is None
        if fault == "dies_late":
            assert state.fault.request == "tools/list"
            assert state.fault.last_words == "the list is secret\n"
        if fault == "dies":
            assert state.fault.last_words == "no configuration was found\n"
            assert state.fault.exit_code == 4
            assert state.fault.request in {"initialize", ""}
        with pytest.raises(UnavailableError, match="the server 'bad' failed"):
            await served.servers.ping("bad")


@pytest.mark.parametrize(("fault", "request_name"), [("silent", "initialize"), ("slow_list", "tools/list")])
async def test_a_server_that_does_not_answer_is_given_up(fault: str, request_name: str) -> None:
    async with serving(misbehaving(fault, timeout_s=3.0)) as served:
        state = served.state
        assert state.status is ServerStatus.FAILED
        assert state.fault is not None
        assert state.fault.kind is FaultKind.TIMED_OUT
        assert request_name in f"{state.fault.message} {state.fault.request}"
        if fault == "silent":
            assert "thinking about it" in state.fault.message


async def test_a_missing_program_is_named() -> None:
    config = misbehaving().model_copy(update={"command": "no-such-program-anywhere"})
    async with serving(config) as served:
        assert served.state.fault is not None
        assert served.state.fault.kind is FaultKind.COMMAND_MISSING
        assert "no-such-program-anywhere" in served.state.fault.message


async def test_what_is_printed_before_the_first_message_is_passed_over() -> None:
    async with serving(misbehaving("banner")) as served:
        assert served.state.status is ServerStatus.CONNECTED
        warned = [line for line in served.servers.log("bad").lines() if line.level == "warning"]
        assert [(line.channel, line.text) for line in warned] == [(Channel.RECEIVED, "Welcome!")]


async def test_a_failure_a_refusal_and_a_timeout_are_three_things() -> None:
    async with serving(misbehaving(timeout_s=1.0)) as served:
        failed, refused, late = [await served.call(name) for name in ("fail", "refuse", "hang")]
        assert (failed.status, failed.error and failed.error.type_name) == (CallStatus.FAILED, "")
        assert failed.error is not None
        assert failed.error.message == "it did not work"
        assert refused.error is not None
        assert (refused.status, refused.error.type_name) == (CallStatus.FAILED, "ServerRefusedError")
        assert refused.error.message == "bad refused tools/call: not today (code -32602)"
        assert late.error is not None
        assert (late.status, late.error.kind) == (CallStatus.TIMED_OUT, ErrorKind.TIMEOUT)
        # The server was told of the end of the last one.
        assert (await served.call("cancelled")).text == "1"


@pytest.mark.parametrize(
    ("tool", "ending"), [("die", "exit code 3"), ("crash", "SIGKILL"), ("hang_up", "It closed its output")]
)
async def test_a_server_that_goes_in_the_middle_of_a_call_takes_only_its_calls_with_it(tool: str, ending: str) -> None:
    async with serving(misbehaving(), misbehaving(name="other"), back_off_s=(0.0, 0.0)) as served:
        waiting = asyncio.create_task(served.call("hang"))
        elsewhere = asyncio.create_task(served.call("late", server="other"))
        await asyncio.sleep(0)
        response = await served.call(tool)
        assert response.error is not None
        assert (response.status, response.error.kind) == (CallStatus.FAILED, ErrorKind.UNAVAILABLE)
        assert ending in response.error.message
        assert "during tools/call" in response.error.message
        assert response.error.remedy
        if tool == "die":
            assert "its last words: I am leaving" in response.error.message
        assert (await waiting).error is not None
        assert not elsewhere.done()
        await served.until(ServerStatus.CONNECTED)
        assert (await served.call("echo", {"text": "again"})).text == "again"
        elsewhere.cancel()
        await asyncio.gather(elsewhere, return_exceptions=True)


async def test_a_server_that_keeps_dying_is_given_up_after_the_last_attempt() -> None:
    async with serving(misbehaving("dies"), back_off_s=(0.0, 0.01), start=False) as served:
        with pytest.raises(UnavailableError):
            await served.servers.start("bad")
        state = await served.until(ServerStatus.FAILED)
        changes = served.all(StateChanged)
        planned = [event.state.attempt for event in changes if event.state.next_attempt_at is not None]
        assert planned == [2, 3]
        assert state.next_attempt_at is None


async def test_floods_are_bounded_and_lose_no_answer() -> None:
    async with serving(misbehaving()) as served:
        for tool in ("flood_stderr", "flood_stdout", "flood_log"):
            assert (await served.call(tool)).text == "flooded"
        log = served.servers.log("bad")
        lines = log.lines()
        assert len(lines) <= MAX_LINES
        assert log.dropped > 0
        assert sum(len(line.text) for line in lines) <= MAX_BYTES
        assert lines[-1].number == log.last_number


async def test_a_server_that_talks_without_end_leaves_room_for_others() -> None:
    async with serving(misbehaving(), misbehaving(name="other")) as served:
        call = served.start("talk")
        running = asyncio.create_task(served.executor.execute(call))
        await served.logged("talk")
        for _ in range(20):
            assert (await served.call("echo", {"text": "x"}, server="other")).text == "x"
        assert not running.done()
        call.cancel()
        assert (await running).status is CallStatus.CANCELLED
        assert len(served.servers.log("bad").lines()) <= MAX_LINES


async def test_others_get_their_turn_after_some_messages() -> None:
    pace, had_turn = LineThrottle(), asyncio.Event()
    asyncio.get_running_loop().call_soon(had_turn.set)
    for _ in range(19):
        await pace.keep(unasked=False)
    assert not had_turn.is_set()
    await pace.keep(unasked=False)
    assert had_turn.is_set()


async def test_a_call_that_needs_a_sign_in_asks_the_person_to_go_there() -> None:
    person = Person()

    async with serving(misbehaving(), questions=person) as served:
        response = await served.call("sign_in_first")
        assert response.error is not None
        assert response.error.message == "bad refused tools/call: sign in first (code -32042)"
    (question,) = person.asked
    assert (question.url, question.message, question.tool) == (
        "https://example.org/in?a=b",
        "Sign in",
        "sign_in_first",
    )


async def test_what_is_no_result_is_told_and_the_server_goes_on() -> None:
    async with serving(misbehaving()) as served:
        for tool in ("nonsense", "unknown_content"):
            response = await served.call(tool)
            assert response.error is not None
            assert response.error.type_name == "ServerAnswerError"
            assert "answered tools/call with what the protocol does not allow: " in response.error.message
        picture = await served.call("no_base64")
        assert picture.status is CallStatus.EXECUTED
        assert "expected base64" in picture.text
        assert not picture.attachments
        assert (await served.call("empty")).text == ""
        assert (await served.call("twice")).text == "once"
        assert (await served.call("echo", {"text": "still here"})).text == "still here"


async def test_a_message_that_is_too_long_ends_the_connection_and_says_so() -> None:
    async with serving(misbehaving(), back_off_s=(0.0,)) as served:
        assert len((await served.call("large")).text) == 3_000_000
        response = await served.call("huge")
        assert response.error is not None
        assert "it sent a message of more than 32 MiB" in response.error.message
        await served.until(ServerStatus.CONNECTED)
        assert (await served.call("echo", {"text": "new"})).text == "new"


async def test_a_structured_result_that_breaks_its_promise_is_shown() -> None:
    async with serving(misbehaving()) as served:
        lie = await served.call("lie")
        assert lie.status is CallStatus.EXECUTED
        assert lie.json_result == {"n": "three"}
        assert lie.text.startswith("The server's structured result is not what the tool's output schema says: n: ")
        assert [entry.level for entry in lie.logs] == ["warning"]
        quiet = await served.call("keep_quiet")
        assert "it promises one, and none came" in quiet.text
        exact = await served.call("numbers")
        assert exact.json_result == {"large": 2**70 + 1, "negative": -(2**65)}


async def test_progress_does_not_make_a_call_immortal_and_goes_forward_only() -> None:
    async with serving(misbehaving(timeout_s=1.0)) as served:
        endless = await served.call("progress_forever")
        assert endless.status is CallStatus.TIMED_OUT
        seen = len(served.events)
        await served.call("progress_back")
        told = [event.progress.done for event in served.events[seen:] if isinstance(event, Progressed)]
        assert told == [1, 3, 4]


async def test_a_cancelled_call_is_cancelled_on_the_wire_and_its_late_answer_is_ignored() -> None:
    async with serving(misbehaving()) as served:
        call = served.start("late")
        running = asyncio.create_task(served.executor.execute(call))
        await served.logged("tools/call")
        call.cancel()
        assert (await running).status is CallStatus.CANCELLED
        assert (await served.call("cancelled")).text == "1"
        assert (await served.call("echo", {"text": "fine"})).text == "fine"


async def test_all_pages_are_read_and_endless_ones_end() -> None:
    async with serving(misbehaving("two_pages"), misbehaving("same_page", "same")) as served:
        names = [tool.name for tool in served.executor.registry]
        in_order = [name for name in names if name.startswith("bad.")]
        assert in_order == ["bad.first", "bad.second", "bad.twin", "bad.twin~2"]
        assert "same.again~2" in names
        assert "goes on and on" in served.log("same")


async def test_a_list_without_an_end_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.mcp.requests.MAX_PAGES", 5)

    async with serving(misbehaving("endless_pages")) as served:
        assert served.state.tool_count == 5
        assert "taken as it is after 5 pages" in served.log()


async def test_a_schema_that_cannot_be_used_refuses_only_its_tool() -> None:
    async with serving(misbehaving()) as served:
        fetches = await served.call("fetches")
        assert fetches.error is not None
        assert fetches.error.kind is ErrorKind.UNAVAILABLE
        assert "nothing is fetched" in fetches.error.message
        assert (await served.call("arguments", {"n": 3})).text == '{"n": 3}'
        assert (await served.call("arguments", {"n": "x"})).status is CallStatus.REJECTED


async def test_a_server_gets_few_variables_and_no_secret_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET_OF_ANOTHER_PROGRAM", "not yours")
    config = misbehaving(env={"TOKEN": "s3cret-t0ken"}, cwd=str(tmp_path))

    async with serving(config) as served:
        told = json.loads((await served.call("environment")).text)
        assert told["env"]["TOKEN"] == "s3cret-t0ken"
        assert "SECRET_OF_ANOTHER_PROGRAM" not in told["env"]
        assert told["cwd"] == str(tmp_path)
        await served.call("secret")
        assert "s3cret-t0ken" not in served.log()
        assert "the token is ••••" in served.log()


def _children(log: str) -> list[psutil.Process]:
    found = re.search(r"children (\d+) (\d+)", log)
    assert found is not None
    return [psutil.Process(int(number)) for number in found.groups()]


@pytest.mark.parametrize("fault", ["children", "stubborn"])
async def test_nothing_of_a_server_is_left_behind(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.mcp.process.GRACE_S", 0.2)

    async with serving(misbehaving(fault)) as served:
        await served.logged("children")
        pid = served.state.pid
        assert pid is not None
        started = [psutil.Process(pid), *_children(served.log())]
        await served.servers.stop("bad")
        assert served.state.status is ServerStatus.STOPPED
        _, alive = psutil.wait_procs(started, timeout=5)
        assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
        stopped = await served.call("echo", {"text": "x"})
        assert stopped.error is not None
        assert "is stopped" in stopped.error.message


async def test_a_question_stops_the_clock_and_says_which_tool_asks() -> None:
    person = Person()

    person.hold = asyncio.Event()
    async with serving(misbehaving(timeout_s=1.0), questions=person) as served:
        call = served.start("ask_once")
        running = asyncio.create_task(served.executor.execute(call))
        await person.was_asked.wait()
        assert call.response.status is CallStatus.WAITING_FOR_REVIEW
        await asyncio.sleep(1.2)
        person.hold.set()
        response = await running
        assert json.loads(response.text) == {"action": "accept", "content": {"name": "Ada"}}
    (question,) = person.asked
    assert (question.server, question.tool, question.message) == ("bad", "ask_once", "Question q")


async def test_a_question_is_withdrawn_when_its_call_ends() -> None:
    person = Person()

    person.hold = asyncio.Event()
    async with serving(misbehaving(), questions=person) as served:
        call = served.start("ask_once")
        running = asyncio.create_task(served.executor.execute(call))
        await person.was_asked.wait()
        call.cancel()
        assert (await running).status is CallStatus.CANCELLED
        await served.logged('"action":"cancel"')
        assert person.withdrawn == 1


async def test_an_old_server_that_ends_at_the_first_question_is_asked_the_old_way() -> None:
    async with serving(misbehaving("old", protocol=ProtocolChoice.AUTO), back_off_s=(0.0,), start=False) as served:
        with pytest.raises(UnavailableError):
            await served.servers.start("bad")
        assert (await served.until(ServerStatus.CONNECTED)).protocol is ProtocolEra.OLDER


async def test_a_server_cannot_flood_a_person_with_questions() -> None:
    person = Person()

    person.hold = asyncio.Event()
    async with serving(misbehaving(), questions=person) as served:
        running = asyncio.create_task(served.call("ask_often"))
        while (await served.logged("too many questions")).count("too many questions") < 10:
            await served.grown()
        person.hold.set()
        assert (await running).text == "10"
    assert len(person.asked) == 20


async def test_without_a_person_a_server_is_told_that_nobody_answers() -> None:
    async with serving(misbehaving()) as served:
        assert '"elicitation"' not in served.log()
        assert '"sampling"' not in served.log()


async def test_the_process_is_not_waited_for_after_a_kill_from_outside() -> None:
    async with serving(misbehaving(), back_off_s=()) as served:
        pid = served.state.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        state = await served.until(ServerStatus.FAILED)
        assert state.fault is not None
        assert state.fault.exit_code == -signal.SIGKILL


PROGRAM = """
import asyncio, sys
from pathlib import Path
from tools.mcp.process import start

async def main():
    said = asyncio.Queue()
    argv = (sys.executable, "-S", "-E", sys.argv[1], sys.argv[2])
    process = await start(argv, {}, Path.cwd(), said.put_nowait)
    print(process.pid, (await said.get()).split()[1], flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups; servers end when their input does")
@pytest.mark.parametrize("fault", ["children", "stubborn"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_ends_with_the_program_that_started_it(fault: str, number: int) -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(MISBEHAVING), fault], stdout=subprocess.PIPE, text=True, cwd=root
    ) as program:
        assert program.stdout is not None
        # The server, and a child of its that ignores what is polite.
        started = [psutil.Process(int(pid)) for pid in program.stdout.readline().split()]
        os.kill(program.pid, number)
        _, alive = psutil.wait_procs(started, timeout=10)
        for process in alive:
            if process.status() != psutil.STATUS_ZOMBIE:
                process.kill()
        assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
