"""There is no way round the policy: whoever starts a call, and however, what is refused does not run."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.tools import policed
from tests.tools.running import Answers, Recorder, run
from tests.tools.test_execution_workers_loading import Loading
from tools import (
    Allow,
    CallStatus,
    Continue,
    ExitEarly,
    Fallback,
    Probe,
    ReviewDecided,
    ReviewDecision,
    Session,
    ToolConfigurationError,
    enhance,
    has_enhancements,
    resolve_tools,
    retry,
    tool,
)
from tools.batch import Approve, BatchExecutor, BatchPlan, Step
from tools.calls import PROBE_CALLER, CallOrigin
from tools.cli import main
from tools.discovery import PluginList
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation, user_policy_file
from tools.workbench import Workbench

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf
    from tools import Executor, ToolCall

pytestmark = pytest.mark.expects_log("tools.execution.workers")

AGENT = "agent:coder"
Go = Callable[["Executor", str], Coroutine[Any, Any, None]]


class Way(NamedTuple):
    """One way to start a call.

    Attributes:
        go: Tries to have the tool `target` leave a mark.
        tools: The tools there are.
        options: Of the executor.
    """

    go: Go
    tools: tuple[Any, ...] = (policed.target,)
    options: dict[str, Any] = {}  # noqa: RUF012 -- nobody changes it


async def by_hand(executor: Executor, mark: str) -> None:
    await executor.execute(executor.create_call("target", {"mark": mark}))


async def by_an_agent(executor: Executor, mark: str) -> None:
    await executor.execute(executor.create_call("target", {"mark": mark}, caller=AGENT))


async def by_another_spelling(executor: Executor, mark: str) -> None:
    await executor.execute(executor.create_call("TARGET", {"mark": mark}))


async def by_the_toolkits_name(executor: Executor, mark: str) -> None:
    await executor.execute(executor.create_call("Marks.target", {"mark": mark}))


async def as_text(executor: Executor, mark: str) -> None:
    await executor.execute(executor.create_call("target", f'{{"mark": "{mark}"}}'))


async def anew(executor: Executor, mark: str) -> None:
    await executor.execute(executor.create_call("target", {"mark": mark}, bypass_cache=True))


async def as_a_repetition(executor: Executor, mark: str) -> None:
    first = executor.create_call("target", {"mark": mark}, caller=AGENT)
    await executor.execute(first)
    again = executor.create_call("target", {"mark": mark}, caller=AGENT, origin=CallOrigin(retry_of=first.id))
    await executor.execute(again)


async def agreed_to_ahead(executor: Executor, mark: str) -> None:
    call = executor.create_call("target", {"mark": mark}, caller=AGENT)
    executor.proposals.approve(call, (), by="you")
    await executor.execute(call)


async def proposed_and_asked(executor: Executor, mark: str) -> None:
    call = executor.create_call("target", {"mark": mark}, caller=AGENT)
    await executor.proposals.ask(call)
    if call.pending:
        await executor.execute(call)


async def edited_ahead(executor: Executor, mark: str) -> None:
    call = executor.create_call("target", {"mark": "elsewhere"}, caller=AGENT)
    executor.proposals.revise(call, {"mark": mark}, by="you")
    await executor.execute(call)


async def in_a_session(executor: Executor, mark: str) -> None:
    session = Session(executor, caller=AGENT)
    result = await session.run_turn([("target", {"mark": mark})])
    if result.waits:
        await session.start(session.turns[-1])


async def in_a_session_again(executor: Executor, mark: str) -> None:
    session = Session(executor, caller=AGENT)
    await in_a_session(executor, mark)
    result = await session.run_turn([("target", {"mark": mark})])
    if result.waits:
        await session.start(session.turns[-1])
    await session.run_again(1)


async def in_a_batch(executor: Executor, mark: str) -> None:
    await BatchExecutor(executor=executor).run({"target": {"mark": mark}})


async def with_a_whole_plan(executor: Executor, mark: str) -> None:
    step = Step(id="only", tool="target", arguments={"mark": mark})
    await BatchExecutor(executor=executor).run(BatchPlan(approve=Approve.PLAN, steps=(step,)))


async def elsewhere(executor: Executor, mark: str) -> None:
    call = executor.create_call("target", {"mark": mark}, caller=AGENT)
    await executor.execute(call, places=executor.workers)


async def from_within_a_tool(executor: Executor, mark: str) -> None:
    executor._services.app_objects = (executor,)
    await executor.execute(executor.create_call("calling", {"mark": mark}, caller=AGENT))


async def as_a_fallback(executor: Executor, mark: str) -> None:
    await executor.execute(executor.create_call("failing", {"mark": mark}, caller=AGENT))


async def as_a_probe(executor: Executor, mark: str) -> None:
    origin = CallOrigin(probe=Probe(arguments={"mark": mark}))
    await executor.execute(executor.create_call("target", {"mark": mark}, caller=PROBE_CALLER, origin=origin))


async def by_its_dry_run(executor: Executor, mark: str) -> None:
    await executor.preview("target", {"mark": mark})
    await by_an_agent(executor, mark)


def answered_by_target(call: ToolCall) -> Any:
    return Fallback(tool="target") if call.name == "failing" else Allow()


WAYS = {
    "by hand": Way(by_hand),
    "by an agent": Way(by_an_agent),
    "by another spelling": Way(by_another_spelling),
    "by the toolkit's name": Way(by_the_toolkits_name, (policed.Marks,)),
    "as text": Way(as_text),
    "as a class": Way(by_an_agent, (policed.Written,)),
    "on the event loop": Way(by_an_agent, (policed.in_loop,)),
    "in time": Way(by_an_agent, (policed.slow_to_fail,)),
    "in a process of its own": Way(by_an_agent, (policed.isolated,)),
    "cached": Way(by_an_agent, (policed.known,)),
    "past the cache": Way(anew, (policed.known,)),
    "tried again and again": Way(by_an_agent, (policed.tried,)),
    "as a repetition": Way(as_a_repetition),
    "agreed to ahead": Way(agreed_to_ahead),
    "proposed and asked": Way(proposed_and_asked),
    "edited ahead": Way(edited_ahead),
    "in a session": Way(in_a_session),
    "in a session again": Way(in_a_session_again),
    "in a batch": Way(in_a_batch),
    "with a whole plan": Way(with_a_whole_plan),
    "elsewhere": Way(elsewhere),
    "from within a tool": Way(from_within_a_tool, (policed.target, policed.calling)),
    "as another tool's fallback": Way(as_a_fallback, (policed.target, policed.failing)),
    "by what stands beside it": Way(by_an_agent, (policed.with_fallback,)),
    "as the filter's answer": Way(
        as_a_fallback, (policed.target, policed.failing), {"call_filter": answered_by_target}
    ),
    "as a probe": Way(as_a_probe),
    "by its dry run": Way(by_its_dry_run),
}


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Return where the tool leaves its mark when it runs."""
    return tmp_path / "mark"


def policy_of(effect: Effect) -> Policy:
    policy = Policy(autonomy=Autonomy.FULL_AUTO)
    policy.add(Rule(id="judge", effect=effect, tool="target"), RuleLocation.SESSION)
    return policy


def gone(way: Way, executor_of: ExecutorOf, mark: Path, policy: Policy, reviewer: Any = None) -> Recorder:
    recorder = Recorder()
    executor = executor_of(*way.tools, policy=policy, review_handler=reviewer, listeners=[recorder], **way.options)
    with suppress(ToolConfigurationError):
        run(way.go(executor, str(mark)))
    return recorder


@pytest.mark.parametrize("way", [pytest.param(way, id=name) for name, way in WAYS.items()])
class TestEveryWay:
    def test_leads_to_the_tool(self, executor_of: ExecutorOf, mark: Path, way: Way) -> None:
        # Or else the other tests of it would show nothing.
        gone(way, executor_of, mark, policy_of(Effect.ALLOW))
        assert mark.read_text() == "it ran"

    def test_is_closed_by_a_denial(self, executor_of: ExecutorOf, mark: Path, way: Way) -> None:
        reviewer = Answers()
        gone(way, executor_of, mark, policy_of(Effect.DENY), reviewer)
        assert not mark.exists()
        assert reviewer.requests == []

    def test_is_closed_by_a_persons_refusal(self, executor_of: ExecutorOf, mark: Path, way: Way) -> None:
        reviewer = Answers(*[ExitEarly("no")] * 10)
        recorder = gone(way, executor_of, mark, policy_of(Effect.ASK), reviewer)
        assert not mark.exists()
        answers = [event.decision for event in recorder.events if isinstance(event, ReviewDecided)]
        assert all(event is not None for event in answers)

    def test_is_closed_where_nobody_can_be_asked(self, executor_of: ExecutorOf, mark: Path, way: Way) -> None:
        gone(way, executor_of, mark, policy_of(Effect.ASK))
        assert not mark.exists()


def test_a_probe_function_is_part_of_the_tool_it_looks_at(
    executor_of: ExecutorOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def look(policy: Policy) -> CallStatus:
        executor = executor_of(policed.probed, policy=policy)
        origin = CallOrigin(probe=executor.registry.get("target").probe)
        response = await executor.execute(executor.create_call("target", {}, caller=PROBE_CALLER, origin=origin))
        return response.status

    assert run(look(policy_of(Effect.DENY))) is CallStatus.DENIED
    assert not Path("probed.mark").exists()
    assert run(look(policy_of(Effect.ALLOW))) is CallStatus.EXECUTED
    assert Path("probed.mark").exists()


def test_a_result_that_is_known_from_before_is_refused_too(executor_of: ExecutorOf, mark: Path) -> None:
    policy = policy_of(Effect.ALLOW)
    executor = executor_of(policed.known, policy=policy)
    assert executor.run("target", {"mark": str(mark)}).succeeded
    policy.replace(Rule(id="judge", effect=Effect.DENY, tool="target"))
    response = executor.run("target", {"mark": str(mark)})
    assert (response.status, response.from_cache, response.text[:14]) == (CallStatus.DENIED, False, "Denied by rule")


def test_what_runs_without_an_executor_refuses_whatever_needs_one() -> None:
    @retry(max_attempts=2)
    @tool(requires_confirmation=True)
    def target() -> None:
        """Do something that is asked about."""

    assert has_enhancements(target)
    with pytest.raises(ToolConfigurationError, match="only an Executor"):
        enhance(target)


@pytest.mark.parametrize("autonomy", ["", "full_auto"])
@pytest.mark.parametrize("more", [(), ("--yes",)])
def test_the_command_line_obeys_the_persons_rules(
    mark: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], autonomy: str
) -> None:
    file = user_policy_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('[[rule]]\nid = "no"\neffect = "deny"\ntool = "target"\nreason = "not here"\n', "utf-8")
    try:
        bench = Workbench(PluginList(mark.parent / "settings"), installed=())
        bench.registry.register_all(resolve_tools([policed.target]))
        level = ("--autonomy", autonomy) if autonomy else ()
        code = main(("call", "target", f"mark={mark}", "--no-history", *more, *level), workbench=bench)
    finally:
        file.unlink()
    assert code == 3
    assert not mark.exists()
    assert "not here" in capsys.readouterr().err


def test_the_command_line_obeys_the_projects_rules(mark: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = mark.parent / ".tool-console"
    folder.mkdir()
    (folder / "policy.toml").write_text('[[rule]]\nid = "no"\neffect = "deny"\ntool = "target"\n', "utf-8")
    bench = Workbench(PluginList(mark.parent / "settings"), installed=())
    bench.registry.register_all(resolve_tools([policed.target]))
    words = ("call", "target", f"mark={mark}", "--no-history", "--project", str(mark.parent))
    assert main(words, workbench=bench) == 3
    assert not mark.exists()
    assert "Denied by rule" in capsys.readouterr().err


PLUGIN = """
    from pathlib import Path
    from tools import Concern, ToolFailure, resilience, tool

    def reasons(arguments, project_dir):
        yield Concern("sends_data", "Sends data", "It leaves this computer.")

    def looks_well():
        Path("probed.mark").write_text("it ran")

    @tool(read_only=True, concerns=reasons, probe=looks_well)
    @resilience(fallback="beside")
    def target(mark: str) -> str:
        Path(mark).write_text("it ran")
        return "it ran"

    def beside(mark: str) -> str:
        Path(mark).write_text("it ran")
        return "beside"
"""


@pytest.fixture(scope="module")
def loading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loading]:
    """Load files in worker processes only."""
    made = Loading(tmp_path_factory.mktemp("policed"))
    yield made
    made.pool.close()
    made.runner.close()


@pytest.mark.parametrize(
    ("effect", "answer", "runs"),
    [
        (Effect.ALLOW, None, True),
        (Effect.DENY, None, False),
        (Effect.ASK, Continue(), True),
        (Effect.ASK, ExitEarly("no"), False),
    ],
)
def test_what_only_a_worker_process_has_imported_is_judged_here(
    loading: Loading, mark: Path, effect: Effect, answer: ReviewDecision | None, *, runs: bool
) -> None:
    reviewer = Answers(*([answer] if answer is not None else []))
    given = {"mark": str(mark)}
    tools = loading.tools(PLUGIN)
    response = loading.call(tools, "target", given, policy=policy_of(effect), review_handler=reviewer)
    assert (response.succeeded, mark.exists()) == (runs, runs)
    assert len(reviewer.requests) == (1 if answer is not None else 0)


def test_its_probe_is_judged_here_as_well(loading: Loading) -> None:
    tools = loading.tools(PLUGIN)

    async def look(executor: Executor) -> CallStatus:
        origin = CallOrigin(probe=executor.registry.get("target").probe)
        response = await executor.execute(executor.create_call("target", {}, caller=PROBE_CALLER, origin=origin))
        return response.status

    assert loading.with_executor(tools, look, policy=policy_of(Effect.DENY)) is CallStatus.DENIED
