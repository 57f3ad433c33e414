"""Arguments that are secret by their type are shown to nobody, but reach the tool."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from pydantic import BaseModel, Field, Secret, SecretStr

from tests.tools.running import Answers, run
from tools import (
    CallStatus,
    Concern,
    Continue,
    Edit,
    Executor,
    PathRole,
    ReviewRequest,
    ToolFailure,
    ToolRegistry,
    cached,
    make_tool,
    resilience,
    resolve_tools,
    security,
    tool,
)
from tools.calls import MASK, CallFinished, Event
from tools.spec import MISSING

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@tool(destructive=True)
def log_in(user: str, password: SecretStr) -> int:
    """Log in."""
    return len(password.get_secret_value())


def test_a_secret_reaches_the_tool_but_no_question_event_or_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "tools")
    asked: list[ReviewRequest] = []
    events: list[Event] = []

    def review(request: ReviewRequest) -> Continue:
        asked.append(request)
        return Continue()

    executor = Executor(ToolRegistry(resolve_tools([log_in])), review_handler=review, listeners=[events.append])
    response = executor.run("log_in", {"user": "mira", "password": "hunter2"})
    executor.close()
    assert response.result == 7
    assert asked[0].arguments == {"user": "mira", "password": MASK}
    assert isinstance(events[-1], CallFinished)
    assert events[-1].call.display_arguments()["password"] == MASK
    assert "hunter2" not in caplog.text


def test_an_edit_is_agreed_to_unless_it_gives_a_reason_of_another_kind(tmp_path: Path) -> None:
    def concerns(arguments: Mapping[str, Any], _project: Path) -> list[Concern]:
        return [Concern("deletes", "Deletes", f"{arguments['path'].name} is deleted")]

    @tool(concerns=concerns)
    def remove(path: Annotated[Path, PathRole(writes=True)]) -> str:
        """Remove something."""
        return path.name

    asked: list[ReviewRequest] = []

    def review_with(path: str) -> str:
        asked.clear()

        def review(request: ReviewRequest) -> Edit | Continue:
            asked.append(request)
            return Edit({"path": path}) if len(asked) == 1 else Continue()

        executor = Executor(ToolRegistry(resolve_tools([remove])), review_handler=review, project_dir=tmp_path)
        text = executor.run("remove", {"path": "a"}).text
        executor.close()
        return text

    assert review_with("b") == "b"
    assert len(asked) == 1
    assert review_with(str(tmp_path.parent / "c")) == "c"
    assert [concern.kind for concern in asked[1].concerns] == ["outside_project", "deletes"]


class Account(BaseModel):
    user: str
    password: SecretStr
    born: Secret[date] | None = None


@tool
@cached()
def account_of(account: Account, more: list[SecretStr] | None = None) -> str:
    """Tell whose account it is."""
    return f"{account.user} {account.password.get_secret_value()} {account.born and account.born.get_secret_value()}"


class TestNestedSecrets:
    def test_they_are_shown_to_nobody_wherever_they_stand(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(account_of)
        given = {"account": {"user": "mira", "password": "hunter2", "born": "1999-01-02"}, "more": ["one", "two"]}
        call = executor.create_call("account_of", given)
        assert call.display_arguments() == {
            "account": {"user": "mira", "password": MASK, "born": MASK},
            "more": [MASK, MASK],
        }
        assert executor.run("account_of", given).text == "mira hunter2 1999-01-02"

    def test_two_that_differ_in_a_secret_alone_are_two_calls(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(account_of)
        first = executor.run("account_of", {"account": {"user": "mira", "password": "one"}})
        second = executor.run("account_of", {"account": {"user": "mira", "password": "two"}})
        assert (first.text, second.text, second.from_cache) == ("mira one None", "mira two None", False)
        assert executor.run("account_of", {"account": {"user": "mira", "password": "two"}}).from_cache

    @pytest.mark.reference("A29", "D34")
    @pytest.mark.parametrize("as_text", [False, True])
    def test_an_edit_beside_them_leaves_them_what_they_are(self, executor_of: ExecutorOf, as_text: bool) -> None:
        @tool(requires_confirmation=True)
        def show(account: Account, count: int = 1) -> str:
            """Show an account."""
            return f"{account.password.get_secret_value()} {count}"

        edited = {"account": {"user": "ben", "password": MASK}, "count": 2}
        edit = Edit(json.dumps(edited) if as_text else edited)
        executor = executor_of(show, review_handler=Answers(edit))
        response = executor.run("show", {"account": {"user": "mira", "password": "hunter2"}})
        assert response.text == "hunter2 2"
        assert response.modified_arguments == {"account": {"user": "ben", "password": MASK, "born": MASK}, "count": 2}


class TestWhoSeesWhat:
    @pytest.mark.reference("A29")
    def test_the_caller_gets_the_result_and_people_see_bullets(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(mask_fields=["result.token", "result.rows[].key"])
        def sign(name: str) -> dict[str, Any]:
            """Sign."""
            return {"token": "t-0123", "rows": [{"key": name, "n": 1}]}

        executor = executor_of(sign)
        call = executor.create_call("sign", {"name": "mira"})
        response = run(executor.execute(call))
        assert response.result == response.json_result == {"token": "t-0123", "rows": [{"key": "mira", "n": 1}]}
        assert response.text == '{"token":"t-0123","rows":[{"key":"mira","n":1}]}'
        assert call.display_result() == {"token": MASK, "rows": [{"key": MASK, "n": 1}]}
        assert call.display_text() == f'{{"token":"{MASK}","rows":[{{"key":"{MASK}","n":1}}]}}'
        assert call.display_result() is call.display_result()
        assert call.display_arguments() == {"name": "mira"}

    def test_a_tool_without_secrets_shows_the_result_itself(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(make_tool("rows", "Rows.", lambda count: [0] * count))
        call = executor.create_call("rows", {"count": 3})
        run(executor.execute(call))
        assert call.display_result() is call.response.json_result
        assert (call.display_text(), call.tool and call.tool.masking) == ("[0,0,0]", None)

    def test_nothing_is_shown_before_there_is_a_result(self, executor_of: ExecutorOf) -> None:
        call = executor_of(log_in).create_call("log_in", {"user": "a", "password": "b"})
        assert call.display_result() is MISSING
        assert call.display_text() == ""

    @pytest.mark.reference("A24")
    def test_what_another_tool_answers_stays_as_hidden_as_its_own(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG, "tools")

        @tool
        @resilience(fallback="second")
        def first(name: str) -> dict[str, str]:
            """Fail."""
            raise ToolFailure("down")

        @tool
        @security(mask_fields=["result.token"])
        def second(name: str) -> dict[str, str]:
            """Answer."""
            return {"token": "t-0123", "name": name}

        executor = executor_of(first, second)
        call = executor.create_call("first", {"name": "mira"})
        response = run(executor.execute(call))
        assert (response.fallback, response.result) == ("second", {"token": "t-0123", "name": "mira"})
        assert call.display_result() == {"token": MASK, "name": "mira"}
        assert "t-0123" not in call.display_text() + caplog.text

    def test_what_a_sensitive_tool_answers_for_another_stays_out_of_logs(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG, "tools")

        @tool
        @resilience(fallback="quiet")
        def loud(name: str) -> str:
            """Fail."""
            raise ToolFailure("down")

        @tool
        @security(sensitive=True)
        def quiet(name: str) -> str:
            """Answer."""
            return f"quiet words for {name}"

        assert executor_of(loud, quiet).run("loud", {"name": "mira"}).text == "quiet words for mira"
        assert "quiet words" not in caplog.text

    @pytest.mark.reference("A29")
    @pytest.mark.parametrize(
        ("edit", "came"),
        [
            ({"note": "use s3cret here", "notes": ["b", "a s3cret"]}, "use s3cret here ['b', 'a s3cret'] s3cret"),
            ({"note": f"use {MASK} here", "notes": [f"a {MASK}"]}, "use s3cret here ['a s3cret'] s3cret"),
            ({"note": "none", "notes": ["b", f"a {MASK}"]}, "none ['b', 'a s3cret'] s3cret"),
            ({"note": f"give {MASK} away", "notes": []}, None),
            ({"note": "none", "notes": [f"a {MASK}", f"a {MASK} again"]}, None),
        ],
    )
    def test_a_secret_that_another_argument_repeats_is_hidden_there_too(
        self, executor_of: ExecutorOf, edit: dict[str, Any], came: str | None
    ) -> None:
        @tool(requires_confirmation=True)
        @security(mask_fields=["key"])
        def use(key: str, note: str, notes: list[str]) -> str:
            """Use a key."""
            return f"{note} {notes} {key}"

        reviewer = Answers(Edit({"key": MASK, **edit}))
        executor = executor_of(use, review_handler=reviewer)
        response = executor.run("use", {"key": "s3cret", "note": "use s3cret here", "notes": ["a s3cret", "b"]})
        assert reviewer.requests[0].arguments == {"key": MASK, "note": f"use {MASK} here", "notes": [f"a {MASK}", "b"]}
        if came is None:
            # Whether the rest of a sentence still wants the secret, nobody can tell.
            assert response.status is CallStatus.REJECTED
            assert "expected the value itself" in response.text
        else:
            assert response.text == came

    def test_the_objections_of_an_edit_show_no_secret(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        def show(pin: Annotated[SecretStr, Field(min_length=6)], count: int) -> str:
            """Show."""
            return pin.get_secret_value()

        edit = Edit({"pin": "4711", "count": "many"})
        executor = executor_of(show, review_handler=Answers(edit))
        call = executor.create_call("show", {"pin": "0815-0815", "count": 1})
        response = run(executor.execute(call))
        assert response.status is CallStatus.REJECTED
        assert response.error is not None
        assert [(problem.path, problem.given) for problem in response.error.problems] == [
            ("pin", MASK),
            ("count", "'many'"),
        ]
        assert call.display_arguments() == {"pin": MASK, "count": 1}
