"""What travels between the program and its workers: frames, values in pieces, exceptions."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import ArgumentsError, DeniedError, RateLimitError, ToolFailure, TransientError
from tools.execution.workers import chunks
from tools.execution.workers.call_receiver import CallReceiver
from tools.execution.workers.chunks import ValueBuilder, send_value
from tools.execution.workers.failures import WorkerToolError, described, restored
from tools.execution.workers.protocol import (
    FrameBuffer,
    FrameKind,
    ProtocolError,
    WorkerResult,
    frame,
    read_json,
    read_text,
    write_text,
)
from tools.schema import json_bytes
from tools.tool import ToolResult

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=200)
_JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=8)
)


def sent(value: Any) -> list[tuple[FrameKind, bytes]]:
    frames: list[tuple[FrameKind, bytes]] = []
    send_value(value, lambda kind, body: frames.append((kind, body)))
    return frames


def received(frames: list[tuple[FrameKind, bytes]]) -> Any:
    if frames[0][0] is FrameKind.VALUE:
        assert len(frames) == 1
        return read_json(frames[0][1])
    builder = ValueBuilder()
    for kind, body in frames[:-1]:
        builder.take(kind, body)
    assert frames[-1][0] is FrameKind.BUILT
    assert builder.done
    return builder.value


@settings(max_examples=30)
@given(value=_JSON)
def test_a_value_comes_out_as_it_went_in(value: Any) -> None:
    assert received(sent(value)) == value


@settings(max_examples=30)
@given(value=_JSON)
def test_a_value_in_pieces_comes_out_as_it_went_in(value: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("SMALL", 10), ("PIECE", 20), ("LONGEST_TEXT_PART", 40)):
            patch.setattr(chunks, name, size)
        assert received(sent(value)) == value


def test_pieces_are_short() -> None:
    value = {"rows": [{"a": "x" * 100, "b": number} for number in range(50_000)], "text": "y" * 5_000_000}

    assert max(len(body) for _, body in sent(value)) <= 1 << 20
    assert max(len(body) for kind, body in sent(value) if kind is not FrameKind.TEXT) <= 4 * chunks.PIECE


@pytest.mark.parametrize(
    "frames",
    [
        [(FrameKind.CLOSE, b"")],
        [(FrameKind.ITEMS, b"[1]")],
        [(FrameKind.KEY, b"a")],
        [(FrameKind.OPEN_LIST, b""), (FrameKind.ENTRIES, b"{}")],
        [(FrameKind.OPEN_LIST, b""), (FrameKind.ITEMS, b"{}")],
        [(FrameKind.OPEN_LIST, b""), (FrameKind.KEY, b"a")],
        [(FrameKind.OPEN_DICT, b""), (FrameKind.PART, b"1")],
        [(FrameKind.OPEN_DICT, b""), (FrameKind.ITEMS, b"[]")],
        [(FrameKind.OPEN_DICT, b""), (FrameKind.KEY, b"\xff")],
        [(FrameKind.PART, b"1"), (FrameKind.PART, b"2")],
        [(FrameKind.PART, b"no json")],
        [(FrameKind.TEXT, b"\xff")],
        [(FrameKind.TEXT, b"a"), (FrameKind.PART, b"1")],
        [(FrameKind.OPEN_LIST, b"")] * 251,
    ],
)
def test_pieces_that_make_no_value_are_refused(frames: list[tuple[FrameKind, bytes]]) -> None:
    builder = ValueBuilder()
    with pytest.raises(ProtocolError):  # noqa: PT012 -- any of them may be the one
        for kind, body in frames:
            builder.take(kind, body)


@given(
    bodies=st.lists(
        st.tuples(st.sampled_from([FrameKind.SAY, FrameKind.VALUE, FrameKind.BYTES]), st.binary(max_size=300)),
        max_size=8,
    ),
    cuts=st.lists(st.integers(1, 400), min_size=1, max_size=30),
)
def test_frames_survive_any_cutting(bodies: list[tuple[FrameKind, bytes]], cuts: list[int]) -> None:
    stream = b"".join(frame(kind, body) for kind, body in bodies)
    buffer, came, at = FrameBuffer(), [], 0
    while at < len(stream):
        size = cuts[at % len(cuts)]
        came += list(buffer.feed(stream[at : at + size]))
        at += size

    assert came == bodies


def test_a_long_body_is_put_together() -> None:
    body = bytes(range(256)) * 2_000
    buffer, came = FrameBuffer(), []
    stream = frame(FrameKind.BYTES, body) + frame(FrameKind.NOTHING)
    for at in range(0, len(stream), 10_000):
        came += list(buffer.feed(stream[at : at + 10_000]))

    assert came == [(FrameKind.BYTES, body), (FrameKind.NOTHING, b"")]


@given(junk=st.binary(max_size=200))
def test_junk_is_frames_or_refused(junk: bytes) -> None:
    buffer = FrameBuffer()
    try:
        frames = list(buffer.feed(junk))
    except ProtocolError:
        return
    assert sum(5 + len(body) for _, body in frames) <= len(junk)


@given(text=st.text() | st.just("\udcff"))
def test_texts_and_json_survive_letters_that_are_none(text: str) -> None:
    assert read_text(write_text(text)) == text
    assert read_json(json_bytes([text])) == [text]


@pytest.mark.parametrize(
    "error",
    [
        ToolFailure("no"),
        TransientError("again"),
        DeniedError("not you"),
        FileNotFoundError(2, "gone", "a.txt"),
        KeyError("a"),
        ConnectionResetError("reset"),
        ZeroDivisionError(),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    ],
)
def test_an_exception_keeps_its_class_and_its_words(error: Exception) -> None:
    told = read_json(json_bytes(described(error)))
    back = restored(told)

    assert isinstance(back, type(error))
    assert isinstance(back, WorkerToolError)
    assert (str(back), type(back).__name__) == (str(error), type(error).__name__)


def test_exceptions_with_facts_keep_them() -> None:
    limit = restored(described(RateLimitError("too many", 2.5)))
    stop = restored(described(SystemExit(4)))

    assert isinstance(limit, RateLimitError)
    assert limit.retry_after_s == 2.5
    assert isinstance(stop, SystemExit)
    assert stop.code == 4


def test_an_exception_nobody_knows_is_still_one() -> None:
    told = described(ValueError("x")) | {"classes": [["nowhere", "Strange"], ["os", "system"]], "name": "Strange"}
    back = restored(told)

    assert type(back).__name__ == "Strange"
    assert isinstance(back, WorkerToolError)
    assert not isinstance(back, ValueError)


@pytest.mark.parametrize("name", ["KeyboardInterrupt", "GeneratorExit"])
def test_what_ends_more_than_a_call_does_not_come_through(name: str) -> None:
    told = described(ValueError("x")) | {"classes": [["builtins", name], ["builtins", "BaseException"]], "name": name}

    assert isinstance(restored(told), Exception)


@settings(max_examples=30)
@given(told=_JSON | st.fixed_dictionaries({"name": _JSON, "classes": _JSON, "text": _JSON, "known": _JSON}))
def test_whatever_a_worker_tells_is_an_exception(told: Any) -> None:
    assert isinstance(restored(told), BaseException)


def test_arguments_errors_keep_their_problems() -> None:
    told = described(ValueError("x")) | {
        "classes": [["tools.errors", "ArgumentsError"]],
        "known": {"problems": [["a", "text", "5", "string_type"], "junk", ["too short"]]},
    }
    back = restored(told)

    assert isinstance(back, ArgumentsError)
    assert [problem.path for problem in back.problems] == ["a"]


class Ears:
    """Hear what a tool says, and remember it."""

    listens = True

    def __init__(self) -> None:
        self.heard: list[tuple[str, list[Any]]] = []

    def begin(self) -> None:
        """Take no notice."""

    def take(self, method: str, words: list[Any]) -> None:
        self.heard.append((method, words))


def outcome(*frames: tuple[FrameKind, bytes]) -> Any:
    async def take() -> Any:
        reception = CallReceiver(asyncio.get_running_loop(), Ears(), 1_000_000, lambda: None)
        for kind, body in frames:
            reception.take(kind, body)
        return await reception.outcome

    return asyncio.run(take())


def test_each_kind_of_result_arrives() -> None:
    assert outcome((FrameKind.VALUE, b"[1]")) == WorkerResult([1])
    assert outcome((FrameKind.NOTHING, b"")) is None
    assert outcome((FrameKind.BYTES, b"raw")) == b"raw"
    assert outcome((FrameKind.RESULT, b"[true,null]"), (FrameKind.VALUE, b'["text"]')) == ToolResult.ok("text")
    assert outcome((FrameKind.RESULT, b'[false,"why"]'), (FrameKind.VALUE, b'[""]')) == ToolResult.failure("why")
    assert outcome((FrameKind.RESULT, b"[true,null]"), (FrameKind.VALUE, b'["text",5]')) == WorkerResult(
        5, ToolResult.ok("text", structured=5)
    )
    assert outcome((FrameKind.FAILED, json_bytes(described(TypeError("no form"), no_json_form=True)))) == WorkerResult(
        problem="no form"
    )


@pytest.mark.parametrize(
    "frames",
    [
        [(FrameKind.CALL, b"")],
        [(FrameKind.SAY, b'["log",1,2]')],
        [(FrameKind.SAY, b'["progress","a",null,""]')],
        [(FrameKind.SAY, b'["keep_for","a"]')],
        [(FrameKind.SAY, b'["give_up"]')],
        [(FrameKind.SAY, b'"log"')],
        [(FrameKind.ASK, b"[]")],
        [(FrameKind.ATTACH, b"\x02\x00\x00\x00[]data")],
        [(FrameKind.BUILT, b"")],
        [(FrameKind.OPEN_LIST, b""), (FrameKind.BUILT, b"")],
        [(FrameKind.RESULT, b"[1]")],
        [(FrameKind.RESULT, b"null")],
        [(FrameKind.RESULT, b"[true,null]"), (FrameKind.VALUE, b'["text",5,6]')],
        [(FrameKind.RESULT, b"[true,null]"), (FrameKind.VALUE, b"[5]")],
        [(FrameKind.RESULT, b"[true,null]"), (FrameKind.VALUE, b"5")],
        [(FrameKind.VALUE, b"no json")],
        [(FrameKind.BYTES, b"x" * 1_000_001)],
    ],
)
def test_what_makes_no_sense_is_refused(frames: list[tuple[FrameKind, bytes]]) -> None:
    with pytest.raises(ProtocolError):
        outcome(*frames)
