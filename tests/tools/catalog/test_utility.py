"""Identifiers, Base64, hashes, and the question to a person."""

from __future__ import annotations

import hashlib
import uuid
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tools import CallStatus, Continue, Edit, ExitEarly, ExitEarlyError, ReviewTiming
from tools.catalog.utility import ACKNOWLEDGED, SILENCE, Utility
from tools.review.human_input import NOBODY

pytestmark = pytest.mark.expects_log("tools.calls")


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Utility(), name, arguments, folder)


def test_random_identifiers_are_unique(tmp_path: Path) -> None:
    made = run(tmp_path, "make_uuid", count=100).uuids

    assert len(set(made)) == 100
    assert {(uuid.UUID(text).version, uuid.UUID(text).variant) for text in made} == {(4, uuid.RFC_4122)}


def test_a_ulid_begins_with_the_time(tmp_path: Path) -> None:
    kit = Utility(now_ms=lambda: 1469918176385, random_bits=lambda _: 0)

    (made,) = result_of(kit, "make_uuid", {"version": "ulid"}, tmp_path).uuids

    # The example of the specification.
    assert made == "01ARYZ6S410000000000000000"


def test_timed_identifiers_begin_with_the_time(tmp_path: Path) -> None:
    kit = Utility(now_ms=lambda: 0x0123456789AB, random_bits=lambda count: (1 << count) - 1)

    (made,) = result_of(kit, "make_uuid", {"version": 7}, tmp_path).uuids

    assert made == "01234567-89ab-7fff-bfff-ffffffffffff"
    several = run(tmp_path, "make_uuid", version=7, count=20).uuids
    assert list(several) == sorted(set(several))


def test_hashes_are_those_of_the_utf8_bytes(tmp_path: Path) -> None:
    for algorithm in ("sha256", "sha512", "sha3_256", "blake2b", "sha1", "md5"):
        found = run(tmp_path, "hash_text", text="Grüße", algorithm=algorithm)
        assert found.hex == hashlib.new(algorithm, "Grüße".encode()).hexdigest()
        assert found.size_bytes == 7
    assert run(tmp_path, "hash_text", text="Hello", algorithm="crc32").hex == "f7d18982"


@pytest.mark.reference("D41")
@pytest.mark.parametrize(
    ("decision", "answer", "answered"),
    [
        (Edit("the second one"), "the second one", True),
        (Edit({"final": 2}), '{"final":2}', True),
        (Continue(), ACKNOWLEDGED, False),
        (Continue("take your time"), "take your time", True),
        (ExitEarly("nobody answered", timed_out=True), SILENCE, False),
    ],
)
def test_a_person_is_asked(tmp_path: Path, decision: Any, answer: str, answered: bool) -> None:
    reviewer = Reviewer(decision)
    arguments = {"question": "Which one is final?", "hint": "its number"}

    found = result_of(Utility(), "human_input", arguments, tmp_path, reviewer)

    assert (found.answer, found.answered) == (answer, answered)
    (request,) = reviewer.requests
    assert (request.description, request.prompt, request.timing) == (
        "Which one is final?",
        "its number",
        ReviewTiming.DURING_EXECUTION,
    )
    assert request.timeout_s == 300


@pytest.mark.reference("D41")
def test_with_nobody_there_the_work_goes_on(tmp_path: Path) -> None:
    response = call(Utility(), "human_input", {"question": "Which?"}, tmp_path)

    assert (response.result.answer, response.result.answered) == (NOBODY, False)
    assert response.logs[0].text == "nobody was there to ask"


@pytest.mark.reference("D41")
def test_a_person_who_declines_stops_the_tool(tmp_path: Path) -> None:
    message = failure_of(Utility(), "human_input", {"question": "Which?"}, tmp_path, Reviewer(ExitEarly("later")))

    assert message == "the person declined to answer: later; stop, or do without"


@pytest.mark.reference("D41")
def test_a_person_can_stop_the_whole_run(tmp_path: Path) -> None:
    with pytest.raises(ExitEarlyError, match="enough"):
        call(Utility(), "human_input", {"question": "Which?"}, tmp_path, Reviewer(ExitEarly("enough", stop_run=True)))


def test_an_empty_question_is_not_asked(tmp_path: Path) -> None:
    reviewer = Reviewer()

    assert "only blanks" in failure_of(Utility(), "human_input", {"question": "  "}, tmp_path, reviewer)
    assert call(Utility(), "human_input", {"question": ""}, tmp_path).status is CallStatus.REJECTED
    assert reviewer.requests == []
