"""What the approval dialog shows of a question, without any widget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.approval.model import Ending, SentencePart, approval_model, changed_names, countdown, ending, pieces, plain
from console.approval.queue_rows import fitting_arguments, pending_row
from console.approval.reasons import disguises, lookalikes
from console.comparison.lines import LineDifference, LinePart, difference
from console.schema_form import ABSENT
from tests.console.approval_questions import DESTRUCTIVE, OUTSIDE, START, call_of, question
from tests.console.shipped_icons import icon_names
from tools import OnTimeout
from tools.calls import MASK, ReviewTiming
from tools.protected import PROTECTED
from tools.spec import Concern, RiskClass, RiskDegree


def _text(parts: tuple[LinePart, ...]) -> str:
    return "".join(part.text for part in parts)


@pytest.mark.reference("A19")
def test_a_question_says_who_what_when_and_why() -> None:
    model = approval_model(question("delete_file", None, DESTRUCTIVE, OUTSIDE), START)

    assert (model.tool_name, model.title, model.is_question) == ("delete_file", "wants to run", False)
    assert plain(model.caller) == "Asked by agent claude-desktop"
    assert model.note.startswith(" · call 1 · ")
    assert [(reason.title, reason.details) for reason in model.reasons] == [
        ("Destructive", ("The tool deletes files and keeps no copy.",)),
        ("Outside the project folder", ("Writes below /home/mira/exports",)),
    ]
    assert [(row.name, row.required, row.value) for row in model.arguments] == [
        ("path", True, "/home/mira/exports/2023"),
        ("recursive", False, True),
        ("missing_ok", False, False),
    ]


@pytest.mark.parametrize(
    ("caller", "icon", "words", "use"),
    [
        ("you", "user", "Asked by you", "Shown with the call"),
        ("agent:scout", "bot", "Asked by agent scout", "Sent to the agent"),
        ("batch: nightly", "workflow", "Asked by batch nightly", "Shown with the batch"),
        ("somebody", "unplug", "Asked by somebody", "Sent to the caller"),
    ],
)
def test_every_caller_is_named(caller: str, icon: str, words: str, use: str) -> None:
    model = approval_model(question(caller=caller), START)

    assert (model.caller_icon, plain(model.caller)) == (icon, words)
    assert model.reason_hint == f"Optional. {use} if you deny"


def test_a_question_that_an_edit_raised_says_so_first() -> None:
    asked = question("delete_file", None, Concern("deletes", "Deletes a folder"))
    reason, deletes, *_ = approval_model(asked._replace(new_reasons=("Deletes a folder",)), START).reasons
    assert (reason.title, reason.details) == ("Your edit gives new reasons to ask", ("New: Deletes a folder",))
    assert (reason.is_warning, deletes.title) == (False, "Deletes a folder")


def test_reasons_of_one_kind_stand_together_and_effects_apart() -> None:
    model = approval_model(
        question(
            "delete_file",
            None,
            Concern("outside_project", "Outside the project folder", "Reads /a"),
            Concern("outside_project", "Outside the project folder", "Reads /b"),
            Concern("deletes", "Deletes a folder", "tmp with 38 files; no copy is kept"),
            Concern("from_a_plugin", "Something new"),
        ),
        START,
    )

    assert [reason.details for reason in model.reasons] == [
        ("Reads /a", "Reads /b"),
        ("tmp with 38 files; no copy is kept",),
        (),
    ]
    assert [effect.title for effect in model.effects] == ["Deletes a folder"]
    assert model.reasons[-1].icon == "info"
    assert {reason.icon for reason in model.reasons} <= icon_names()


def test_a_protected_place_is_named_as_what_it_is_and_allowed_by_itself_only() -> None:
    detail = "/p/.tool-console/policy.toml is the project's policy, which decides what may run"
    request = question("delete_file", None, Concern(PROTECTED, "Changes the project's policy", detail), DESTRUCTIVE)
    model = approval_model(request, START)

    first = model.reasons[0]
    assert (first.icon, first.title, first.details) == ("shield-alert", "Changes the project's policy", (detail,))
    assert model.needs_care
    row = pending_row(request)
    assert (row.tag, row.needs_care) == ("changes the project's policy", True)


@pytest.mark.reference("D27")
@pytest.mark.parametrize(
    ("on_timeout", "lead", "outcome"),
    [
        (OnTimeout.EXIT_EARLY, "Denied automatically in", "The call was denied."),
        (OnTimeout.CONTINUE, "Continues automatically in", "The call goes on as asked."),
        (OnTimeout.FAIL, "Fails automatically in", "The call failed."),
    ],
)
def test_the_countdown_says_what_silence_means(on_timeout: OnTimeout, lead: str, outcome: str) -> None:
    request = question(on_timeout=on_timeout)

    shown = countdown(request, 272.0)
    assert (shown.lead, shown.clock, shown.urgent) == (lead, "4:32", False)
    assert countdown(request, 30.0).urgent
    assert countdown(request, -3.0).clock == "0:00"
    assert ending(request, timed_out=True) == Ending("Time is up.", f"Nobody answered within 5 min. {outcome}")


def test_a_question_may_wait_for_ever() -> None:
    shown = countdown(question(timeout_s=0), None)

    assert (shown.lead, shown.clock, shown.part, shown.urgent) == ("Waits until you answer", "", 1.0, False)


@pytest.mark.parametrize(("timeout_s", "words"), [(30, "30 s"), (90, "1:30"), (0.5, "0.5 s"), (600, "10 min")])
def test_waiting_times_are_readable(timeout_s: float, words: str) -> None:
    assert f"within {words}." in ending(question(timeout_s=timeout_s), timed_out=True).detail


def test_a_secret_may_only_stay_what_it_is() -> None:
    model = approval_model(question("upload", {"url": "https://example.org", "api_key": "geheim"}), START)

    assert [(row.name, row.value, row.hidden) for row in model.arguments] == [
        ("url", "https://example.org", False),
        ("api_key", MASK, True),
    ]
    assert model.schema["properties"]["api_key"] == {"const": MASK}
    assert "geheim" not in repr(model)


def test_an_argument_with_a_hidden_part_is_judged_by_the_tool_alone() -> None:
    given = {"account": {"user": "mira", "pin": 987654}, "headers": {"Authorization": "Bearer geheim", "accept": "x"}}
    request = question("sign_in", given)
    model = approval_model(request, START)

    assert dict(model.values) == {
        "account": {"user": "mira", "pin": MASK},
        "headers": {"Authorization": MASK, "accept": "x"},
    }
    # Bullets are no number, so what holds the number may be anything; bullets are a text like any other.
    assert model.schema["properties"]["account"].get("type") is None
    assert model.schema["properties"]["headers"]["type"] == "object"
    assert not any(row.hidden for row in model.arguments)
    assert "geheim" not in repr(model)
    assert "987654" not in repr(model)
    assert call_of(request).unmasked(model.values) == given


@pytest.mark.reference("D22")
def test_a_running_tool_asks_its_own_question() -> None:
    model = approval_model(question("ask_month", asks="Which month?", prompt="Its name is enough"), START)

    assert (model.is_question, model.title, model.description) == (True, "asks", "Which month?")
    assert (model.prompt, model.arguments, dict(model.values)) == ("Its name is enough", (), {})


@pytest.mark.parametrize(
    ("asked", "now", "names"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ()),
        ({"a": 1}, {"a": True}, ("a",)),
        ({"a": 1}, {"a": 1.0}, ("a",)),
        ({"a": None}, {}, ("a",)),
        ({}, {"c": [1]}, ("c",)),
    ],
)
def test_an_edit_is_a_change_of_a_value(
    asked: Mapping[str, Any], now: Mapping[str, Any], names: tuple[str, ...]
) -> None:
    assert changed_names(asked, now) == names


def test_a_difference_marks_what_changed() -> None:
    assert difference("/home/mira/2023", "/home/mira/2023/tmp") == LineDifference(
        old=(LinePart("/home/mira/2023"),),
        new=(LinePart("/home/mira/2023"), LinePart("/tmp", changed=True)),
        shortened=False,
    )
    assert _text(difference(ABSENT, [1, 2]).old) == "not given"
    assert _text(difference(1, "1").new) == '"1"'
    assert _text(difference("a\nb", "a\nc").new) == "a⏎c"


def test_a_difference_in_a_long_text_is_in_sight() -> None:
    text = "lorem ipsum " * 100_000
    shown = difference(text, f"{text[:600_000]}HERE{text[600_000:]}")

    assert [part.text for part in shown.new if part.changed] == ["HERE"]
    assert len(_text(shown.new)) < 200
    assert shown.shortened


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_difference_loses_no_letter_of_short_texts(old: str, new: str) -> None:
    shown = difference(old, new)

    if old != new:
        signs = str.maketrans({"\n": "⏎", "\t": "⇥"})
        assert _text(shown.old) == old.replace("\r\n", "\n").translate(signs)
        assert _text(shown.new) == new.replace("\r\n", "\n").translate(signs)
        assert any(part.changed for part in (*shown.old, *shown.new))


@pytest.mark.parametrize(
    ("text", "values", "code"),
    [
        ("Delete the folder `tmp` now", (), ["tmp"]),
        ("Writes below /home/mira/exports.", (), ["/home/mira/exports"]),
        ("Runs in ./build: make and/or stop", (), ["./build"]),
        ("tmp with 38 files", ("tmp",), ["tmp"]),
        ("an attempt", ("tmp", "te"), []),
        ("nothing of the kind", (), []),
    ],
)
def test_code_in_a_sentence_is_found(text: str, values: tuple[str, ...], code: list[str]) -> None:
    parts = pieces(text, values)

    assert [part.text for part in parts if part.code] == code
    assert plain(parts) == text.replace("`", "")


def test_an_empty_sentence_is_one_piece() -> None:
    assert pieces("") == (SentencePart(""),)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("notes\u202etxt.exe", "path is really notes<U+202E>txt.exe"),
        ({"deep": ["a", "b\u200bc"]}, "path is really b<U+200B>c"),
        ("nul\x00", "path is really nul<U+0000>"),
        ("x" * 100 + "\u2066" + "y" * 100, f"path is really …{'x' * 40}<U+2066>{'y' * 39}…"),
    ],
)
def test_letters_that_do_not_show_are_spelled_out(value: Any, expected: str) -> None:
    assert disguises({"other": 1, "path": value}) == (expected,)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://p\u0430ypal.example", "path has p\u0430<U+0430>ypal, which mixes Latin and Cyrillic letters"),
        ({"deep": ["\u03bfpen"]}, "path has \u03bf<U+03BF>pen, which mixes Latin and Greek letters"),
    ],
)
def test_letters_that_look_like_others_are_spelled_out(value: Any, expected: str) -> None:
    assert lookalikes({"other": 1, "path": value}) == (expected,)
    asked = question("delete_file", {"path": "p\u0430ypal"}, DESTRUCTIVE)
    assert [reason.title for reason in approval_model(asked, START).reasons][1:] == ["Letters that look like others"]


def test_ordinary_text_of_any_language_is_no_disguise() -> None:
    text = "Grüße, שלום, سلام, 日本語, Привет, Ελλάδα, 5 Ω, 👩\u200d👧, ❤\ufe0f, line\nbreak\ttab"
    assert disguises({"text": text}) == ()
    assert lookalikes({"text": text}) == ()


def test_a_disguised_argument_is_a_reason_of_its_own() -> None:
    asked = question("delete_file", {"path": "invoice\u202efdp.exe"}, DESTRUCTIVE)

    reasons = approval_model(asked, START).reasons

    assert [reason.title for reason in reasons] == ["Destructive", "Letters that do not show"]
    assert reasons[-1].details == ("path is really invoice<U+202E>fdp.exe",)


def folded(*concerns: Concern, **arguments: Any) -> list[str]:
    """Name the arguments of `notify` that fold."""
    model = approval_model(question("notify", {"text": "hi", **arguments}, *concerns), START)
    return [row.name for row in model.arguments if row.folds]


def test_arguments_at_their_defaults_fold_and_nothing_else_does() -> None:
    assert folded() == ["channel", "retries", "silent", "tags", "thread"]
    assert folded(channel="ops", retries=4) == ["silent", "tags", "thread"]


def test_what_is_switched_on_by_default_or_long_stays_in_sight() -> None:
    assert not {"everybody", "footer"} & set(folded())


def test_what_a_reason_speaks_of_stays_in_sight() -> None:
    assert "retries" not in folded(Concern("changes", "Many retries", "It tries again up to 3 times."))
    assert "retries" not in folded(Concern("changes", "Tries again", "The argument retries is 3."))
    assert "channel" not in folded(Concern("sends_data", "Sends data", "To everybody in general."))


def test_paths_and_one_default_alone_stay_in_sight() -> None:
    model = approval_model(question(), START)
    assert [row.name for row in model.arguments if row.folds] == []
    assert folded(channel="ops", retries=4, silent=True, tags=["a"]) == []


def test_a_call_whose_few_arguments_fit_can_be_judged_by_them_alone() -> None:
    request = question("repeat", {"text": "a b"})._replace(degree=RiskDegree.LOW)
    assert fitting_arguments(pending_row(request)) == 'text="a b"\ntimes=1'


@pytest.mark.parametrize(
    "changed",
    [
        {"degree": RiskDegree.HIGH},
        {"degree": RiskDegree.UNKNOWN},
        {"degree": None},
        {"risk": RiskClass.DESTRUCTIVE},
        {"concerns": (Concern(PROTECTED, "Your rules"),)},
        {"required_role": "admin"},
        {"timing": ReviewTiming.AFTER_EXECUTION},
        {"timing": ReviewTiming.DURING_EXECUTION},
        {"arguments": {"text": "a" * 160}},
        {"arguments": {"text": "two\nlines"}},
        {"arguments": {"text": MASK}},
        {"arguments": {"text": "a\u202eb"}},
        {"arguments": dict.fromkeys("abcde", 1)},
        {"arguments": None},
    ],
)
def test_a_call_that_does_harm_or_is_not_seen_whole_cannot_be_judged_by_a_few_words(changed: dict[str, Any]) -> None:
    request = question("repeat", {"text": "a"})._replace(**{"degree": RiskDegree.LOW, **changed})
    assert fitting_arguments(pending_row(request)) == ""


@pytest.mark.parametrize(
    ("timing", "left_s", "words"),
    [
        (ReviewTiming.BEFORE_EXECUTION, 600.0, "within 10 minutes of your answer, else never"),
        (ReviewTiming.BEFORE_EXECUTION, 60.0, "within 1 minute of"),
        (ReviewTiming.BEFORE_EXECUTION, 30.0, "within 30 seconds of"),
        (ReviewTiming.AFTER_EXECUTION, 600.0, "It gets the outcome when it asks again."),
    ],
)
def test_a_question_whose_agent_has_given_up_says_what_an_answer_means(
    timing: ReviewTiming, left_s: float, words: str
) -> None:
    asked = question()._replace(timing=timing, caller_back_within_s=left_s)
    fact, consequence = approval_model(asked, START).caller_gone

    assert fact == "The agent has given up waiting."
    assert words in consequence
    assert pending_row(asked).caller == "agent: claude-desktop, gone"


def test_a_question_whose_agent_waits_says_nothing_of_it() -> None:
    assert approval_model(question(), START).caller_gone == ("", "")
    assert pending_row(question()).caller == "agent: claude-desktop"
