"""Only the callers, roles and permissions that a policy names get in, also to known results."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import Recorder, execute, run, steps_of
from tools import (
    AccessProvider,
    CallStatus,
    Executor,
    StaticAccess,
    ToolConfigurationError,
    ToolRegistry,
    cached,
    contract,
    security,
    tool,
)
from tools.calls import ErrorKind, StepOutcome
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

pytestmark = pytest.mark.reference("A29")

PEOPLE = StaticAccess(
    roles={"agent:mira": ("editor", "reader"), "agent:ben": ["reader"], "*": {"guest"}},
    permissions={"agent:mira": ("orders.read", "orders.write"), "agent:ben": ("orders.read",)},
)


@tool
@security(allowed_roles=("editor", "owner"))
def edit() -> str:
    """Edit."""
    return "edited"


@tool
@security(required_permissions=("orders.read", "orders.write"))
def order() -> str:
    """Order."""
    return "ordered"


@tool
@security(allowed_callers=("agent:mira", "agent:ben"), allowed_roles=("editor",), required_permissions=("orders.read",))
def everything() -> str:
    """Ask for everything."""
    return "done"


class TestWhoGetsIn:
    @pytest.mark.parametrize(
        ("name", "caller", "refusal"),
        [
            ("edit", "agent:mira", ""),
            ("edit", "agent:ben", "'agent:ben' may not call 'edit'; it admits the roles 'editor', 'owner'"),
            ("edit", "you", "'you' may not call 'edit'; it admits the roles 'editor', 'owner'"),
            ("order", "agent:mira", ""),
            ("order", "agent:ben", "'agent:ben' may not call 'order'; it lacks the permissions 'orders.write'"),
            ("order", "you", "it lacks the permissions 'orders.read', 'orders.write'"),
            ("everything", "agent:mira", ""),
            ("everything", "agent:ben", "it admits the roles 'editor'"),
            ("everything", "you", "'you' may not call 'everything'; it admits agent:ben, agent:mira"),
        ],
    )
    def test_a_caller_needs_what_the_policy_asks_for(
        self, executor_of: ExecutorOf, name: str, caller: str, refusal: str
    ) -> None:
        response = executor_of(edit, order, everything, access=PEOPLE).run(name, {}, caller=caller)
        if not refusal:
            assert response.status is CallStatus.EXECUTED
            return
        assert response.error is not None
        assert (response.status, response.error.kind) == (CallStatus.DENIED, ErrorKind.CALLER)
        assert refusal in response.text
        assert len(response.attempts) == 0
        (step,) = [step for step in response.steps if step_title(step) == "Preconditions"]
        assert (step.outcome, step_detail(step)) == (StepOutcome.DENIED, "caller refused")

    def test_everybody_has_what_the_star_has(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(allowed_roles=("guest",))
        def look() -> str:
            """Look."""
            return "seen"

        assert executor_of(look, access=PEOPLE).run("look", {}, caller="agent:nobody").text == "seen"

    @pytest.mark.reference("A32")
    def test_a_known_result_does_not_leak_to_a_caller_who_may_not_ask(self, executor_of: ExecutorOf) -> None:
        runs: list[int] = []

        @tool
        @cached()
        @security(allowed_roles=("editor",))
        def secrets() -> str:
            """Tell a secret."""
            runs.append(1)
            return "the secret"

        executor = executor_of(secrets, access=PEOPLE)
        assert executor.run("secrets", {}, caller="agent:mira").text == "the secret"
        refused = executor.run("secrets", {}, caller="agent:ben")
        assert (refused.status, refused.from_cache) == (CallStatus.DENIED, False)
        assert "secret'" not in refused.text.replace("'secrets'", "")
        assert "Cache lookup" not in steps_of(refused)
        assert executor.run("secrets", {}, caller="agent:mira").from_cache
        assert runs == [1]

    def test_the_caller_is_judged_before_the_contract(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(allowed_roles=("editor",))
        @contract(pre=["number > 0"])
        def count(number: int) -> int:
            """Count."""
            return number

        executor = executor_of(count, access=PEOPLE)
        assert "it admits the roles" in executor.run("count", {"number": -1}, caller="agent:ben").text
        assert "does not hold" in executor.run("count", {"number": -1}, caller="agent:mira").text


class TestProviders:
    def test_one_may_be_asynchronous_and_is_asked_for_every_call(self, executor_of: ExecutorOf) -> None:
        class Directory:
            def __init__(self) -> None:
                self.editors: set[str] = set()
                self.asked: list[str] = []

            async def roles_of(self, caller: str) -> Collection[str]:
                await asyncio.sleep(0)
                self.asked.append(caller)
                return ["editor"] if caller in self.editors else []

            def permissions_of(self, caller: str) -> Collection[str]:
                raise AssertionError("nobody needs permissions here")

        directory = Directory()
        executor = executor_of(edit, access=directory)
        assert executor.run("edit", {}, caller="agent:ben").status is CallStatus.DENIED
        directory.editors.add("agent:ben")
        assert executor.run("edit", {}, caller="agent:ben").status is CallStatus.EXECUTED
        assert directory.asked == ["agent:ben", "agent:ben"]

    @pytest.mark.expects_log("tools.execution")
    @pytest.mark.parametrize(
        "answer", [ConnectionError("the directory is down"), "editor", None, 3, [3], b"editor", {"editor": 1}.values()]
    )
    def test_one_that_breaks_lets_nobody_in(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture, answer: Any
    ) -> None:
        class Broken:
            def roles_of(self, caller: str) -> Any:
                if isinstance(answer, Exception):
                    raise answer
                return answer

            async def permissions_of(self, caller: str) -> Any:
                return self.roles_of(caller)

        executor = executor_of(edit, order, access=Broken())
        for name, what in (("edit", "roles"), ("order", "permissions")):
            response = executor.run(name, {}, caller="agent:mira")
            assert response.status is CallStatus.DENIED
            kind = type(answer).__name__ if isinstance(answer, Exception) else "TypeError"
            assert response.text == f"'agent:mira' may not call {name!r}: its {what} could not be looked up ({kind})"
            assert f"the {what} of 'agent:mira' could not be looked up" in caplog.text

    async def test_a_call_stopped_while_one_is_asked_is_cancelled(self, executor_of: ExecutorOf) -> None:
        class Slow:
            async def roles_of(self, caller: str) -> Collection[str]:
                await asyncio.Event().wait()
                return ["editor"]

            def permissions_of(self, caller: str) -> Collection[str]:
                return ()

        executor = executor_of(edit, access=Slow())
        call = executor.create_call("edit", {})
        task = asyncio.ensure_future(executor.execute(call))
        await asyncio.sleep(0)
        call.cancel()
        assert (await task).status is CallStatus.CANCELLED

    @pytest.mark.parametrize(("name", "words"), [("edit", "the roles 'editor', 'owner'"), ("order", "the permissions")])
    def test_without_one_the_message_names_what_to_pass(self, executor_of: ExecutorOf, name: str, words: str) -> None:
        recorder = Recorder()
        executor = executor_of(edit, order, listeners=[recorder])
        with pytest.raises(
            ToolConfigurationError, match=rf"{name}.*{words}.*pass access=StaticAccess\(roles="
        ) as caught:
            executor.run(name, {})
        assert "to the Executor" in str(caught.value)
        assert recorder.names[-1] == "CallFinished"

    def test_tools_that_need_none_run_without(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(allowed_callers=("agent:mira",))
        def named() -> str:
            """Ask for names alone."""
            return "hello"

        assert executor_of(named).run("named", {}, caller="agent:mira").text == "hello"

    def test_what_is_no_provider_is_refused_at_once(self) -> None:
        with pytest.raises(ToolConfigurationError, match="access needs the methods roles_of"):
            Executor(ToolRegistry(), access={"you": "editor"})  # type: ignore[arg-type]

    def test_static_access_refuses_what_is_no_collection_of_names(self) -> None:
        with pytest.raises(ToolConfigurationError, match=r"StaticAccess: roles are given as .*'editor'"):
            StaticAccess(roles={"you": "editor"})
        with pytest.raises(ToolConfigurationError, match="StaticAccess: permissions are given as"):
            StaticAccess(permissions={"you": [1]})  # type: ignore[list-item]

    def test_static_access_is_a_provider(self) -> None:
        assert isinstance(PEOPLE, AccessProvider)
        assert PEOPLE.roles_of("agent:ben") == {"reader", "guest"}
        assert PEOPLE.permissions_of("you") == frozenset()


def test_calls_that_a_batch_of_callers_makes_at_once_do_not_mix(executor_of: ExecutorOf) -> None:
    async def work() -> list[CallStatus]:
        executor = executor_of(edit, access=PEOPLE)
        callers = ["agent:mira", "agent:ben"] * 20
        return [
            response.status
            for response in await asyncio.gather(*(execute(executor, "edit", caller=caller) for caller in callers))
        ]

    assert run(work()) == [CallStatus.EXECUTED, CallStatus.DENIED] * 20
