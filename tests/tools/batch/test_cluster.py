"""Plans on a Dask cluster: a real scheduler and two workers, one of which is killed."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

from tests.clusters import PATIENCE_S, Cluster, soon
from tests.tools.batch import travelling
from tests.tools.running import Answers, Recorder, run
from tools import Executor, GuardChanged, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, BatchResult, BatchRun, Limits, Rows, Step, StepState
from tools.batch.cluster import Cluster as Lender
from tools.batch.cluster import ClusterWorkers, _Call, check_backend, why_here
from tools.batch.cluster_messages import BEGUN_BEFORE, CANCEL, GO, HALT, TOO_LATE
from tools.calls import Logged, Progressed
from tools.cli import main
from tools.discovery import PluginList
from tools.errors import MayHaveRunError, ToolConfigurationError, ToolCrashError
from tools.execution.workers.references import ToolReference, read_reference, reference_of, write_reference
from tools.tool import PluginFile
from tools.workbench import Workbench

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it kills workers as other systems do")

TOOLS = (
    travelling.double,
    travelling.where,
    travelling.fail,
    travelling.crash,
    travelling.ask,
    travelling.wait,
    travelling.once,
    travelling.whisper,
    travelling.attach,
)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster with two workers."""
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        started.add_workers(2)
        yield started
    finally:
        started.close()


Beside = Callable[[BatchRun, asyncio.AbstractEventLoop], None]


def _nothing(_: BatchRun, __: asyncio.AbstractEventLoop) -> None:
    """Do nothing beside a run."""


def plan_of(*steps: Step) -> BatchPlan:
    return BatchPlan(name="away", steps=steps)


def on(
    cluster: Cluster,
    plan: BatchPlan,
    beside: Beside = _nothing,
    *,
    journal: Path | None = None,
    resumed: bool = False,
    **executor: Any,
) -> BatchResult:
    """Run a plan on a cluster, and something beside it in a thread."""

    async def body() -> BatchResult:
        mine = Executor(ToolRegistry(resolve_tools(list(TOOLS))), **executor)
        batches = BatchExecutor(executor=mine, backend=cluster.backend)
        begun = batches.resume(journal) if resumed and journal else batches.prepare(plan, journal=journal)
        try:
            async with asyncio.timeout(2 * PATIENCE_S), asyncio.TaskGroup() as group:
                going = group.create_task(begun.go())
                group.create_task(asyncio.to_thread(beside, begun, asyncio.get_running_loop()))
            return going.result()
        finally:
            begun.close()
            await mine.aclose()

    done: BatchResult = run(body())
    return done


def results_of(result: BatchResult) -> Mapping[str, Any]:
    return {name: item.result for name, item in result.results.items()}


def begun_on(mark: Path) -> list[int]:
    """Return the workers that a step has begun on, by their process ids."""
    path = mark.with_suffix(".begun")
    return [int(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.reference("D22")
def test_tools_run_on_the_cluster_and_are_heard_here(cluster: Cluster) -> None:
    answers, recorder = Answers(), Recorder()
    plan = plan_of(
        Step(id="double", tool="double", arguments={"number": 4}),
        Step(id="again", tool="double", arguments={"number": "${steps.double.result}"}),
        Step(id="where", tool="where"),
        Step(id="question", tool="ask", arguments={"question": "Really?"}),
        Step(id="files", tool="attach"),
        Step(id="failing", tool="fail", arguments={"words": "not here"}),
        Step(id="crashing", tool="crash"),
        Step(id="rows", tool="double", rows=Rows(values=[1, 2, 3]), arguments={"number": "${row}"}),
    )
    result = on(cluster, plan, review_handler=answers, listeners=[recorder])

    found = results_of(result)
    assert (found["double"], found["again"], list(found["rows"])) == (8, 16, [2, 4, 6])
    assert found["where"] in {worker.pid for worker in cluster.workers}
    assert found["question"] == "Continue"
    assert [request.description for request in answers.requests] == ["Really?"]
    assert found["files"] == {"numbers": list(range(1000))}
    assert result.results["failing"].error == "not here"
    assert "exit code 3, on tcp://" in (result.results["crashing"].error or "")

    said = [event.entry.text for event in recorder.events if isinstance(event, Logged)]
    assert "doubling 4" in said
    assert any(line.startswith("runs on tcp://127.0.0.1:") for line in said)
    assert (4, 10, "on the way") in [
        tuple(event.progress) for event in recorder.events if isinstance(event, Progressed)
    ]
    attached = [call.response.attachments for call in _calls(recorder, "attach")]
    assert [(item.name, item.data) for items in attached for item in items] == [("note.txt", b"bytes")]


def _calls(recorder: Recorder, name: str) -> list[Any]:
    calls = {event.call: None for event in recorder.events if not isinstance(event, GuardChanged)}
    return [call for call in calls if call.name == name]


def test_what_hides_something_stays_here(cluster: Cluster) -> None:
    plan = plan_of(Step(id="secret", tool="whisper", arguments={"word": "hush"}))
    assert results_of(on(cluster, plan))["secret"] == os.getpid()


@pytest.mark.parametrize("hears", [True, False], ids=["heard to begin", "not heard to begin yet"])
def test_a_cancelled_batch_stops_what_runs_there(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hears: bool
) -> None:
    """The tool hears it and may tidy up, also when the cluster is left before it was heard that the tool began."""
    mark = tmp_path / "mark"
    if not hears:
        monkeypatch.setattr(Lender, "_on_event", lambda *_: None)

    def cancel(batch: BatchRun, loop: asyncio.AbstractEventLoop) -> None:
        soon(lambda: bool(begun_on(mark)))
        loop.call_soon_threadsafe(batch.cancel, "enough")

    plan = plan_of(Step(id="wait", tool="wait", arguments={"mark": str(mark)}))
    result = on(cluster, plan, cancel)
    assert (result.results["wait"].state, result.results["wait"].error) == (StepState.CANCELLED, "enough")
    assert mark.with_suffix(".stopped").exists()


def test_what_may_run_twice_runs_elsewhere_when_its_worker_is_lost(cluster: Cluster, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    def kill(_: BatchRun, __: asyncio.AbstractEventLoop) -> None:
        soon(lambda: bool(begun_on(mark)))
        cluster.kill(begun_on(mark)[0])
        soon(lambda: len(begun_on(mark)) > 1)
        mark.touch()

    plan = plan_of(Step(id="wait", tool="wait", arguments={"mark": str(mark)}))
    result = on(cluster, plan, kill)
    cluster.add_workers(1)
    assert results_of(result)["wait"] == "batch: away"
    assert len(set(begun_on(mark))) == 2


def test_what_must_not_run_twice_is_held_when_its_worker_is_lost(cluster: Cluster, tmp_path: Path) -> None:
    mark, journal = tmp_path / "mark", tmp_path / "run.jsonl"

    def kill(_: BatchRun, __: asyncio.AbstractEventLoop) -> None:
        soon(lambda: bool(begun_on(mark)))
        cluster.kill(begun_on(mark)[0])

    plan = plan_of(
        Step(id="once", tool="once", arguments={"mark": str(mark)}),
        Step(id="behind", tool="where", depends_on=("once",)),
    )
    result = on(cluster, plan, kill, journal=journal)
    cluster.add_workers(1)
    held = result.results["once"]
    assert held.state is StepState.MAY_HAVE_RUN
    assert "the worker that had begun it was lost; it may have run on tcp://" in (held.error or "")
    assert result.results["behind"].state is StepState.SKIPPED
    assert len(begun_on(mark)) == 1

    again = on(cluster, plan, journal=journal, resumed=True)
    assert again.results["once"].state is StepState.MAY_HAVE_RUN
    assert len(begun_on(mark)) == 1


def test_the_command_line_runs_a_plan_on_a_cluster(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "steps:\n  - {id: a, tool: double, arguments: {number: 3}}\n  - {id: b, tool: whisper, arguments: {word: x}}\n"
    )
    bench = Workbench(PluginList(tmp_path / "plugins.toml"))
    bench.registry.register_all(resolve_tools(list(TOOLS)))
    words = ["batch", "run", str(plan), "--backend", cluster.backend, "--no-history", "--no-journal", "--yes"]

    assert main([*words, "--check"], workbench=bench) == 0
    assert "runs here: it hides something, which stays on this computer" in capsys.readouterr().out
    assert main([*words, "--format", "json"], workbench=bench) == 0
    assert json.loads(capsys.readouterr().out)["results"]["a"]["result"] == 6
    monkeypatch.setattr("tools.batch.cluster.CONNECTING_S", 0.3)
    words[4] = "dask://127.0.0.1:1"
    assert main(words, workbench=bench) == 5
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.parametrize("backend", ["tcp://host:1", "dask://host", "dask://:8786", "dask://host:port", "local"])
def test_what_is_no_cluster_is_refused_at_once(backend: str) -> None:
    with pytest.raises(ToolConfigurationError, match="expected a backend such as dask://host:8786"):
        BatchExecutor(backend=backend)


def test_without_the_library_its_install_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ToolConfigurationError, match=r"pip install 'tool-console\[dask\]'"):
        check_backend("dask://host:8786")


def test_tools_say_why_they_cannot_travel() -> None:
    by_name = {tool.name: tool for tool in resolve_tools(list(TOOLS))}
    assert why_here(by_name["double"]) == ""
    assert why_here(by_name["whisper"]) == "it hides something, which stays on this computer"

    @tool
    def inside() -> None:
        """Do nothing."""

    (closure,) = resolve_tools([inside])
    assert "what declares it has no name in a module" in why_here(closure)


@pytest.mark.expects_log("distributed.client")
def test_a_cluster_that_is_gone_ends_the_run_with_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.batch.cluster.CONNECTING_S", 2.0)
    mark = tmp_path / "mark"
    gone = Cluster(tmp_path)

    def end(_: BatchRun, __: asyncio.AbstractEventLoop) -> None:
        soon(lambda: bool(begun_on(mark)))
        gone.close()

    later = [
        Step(id="double", tool="double", depends_on=("wait",), arguments={"number": 1}, continue_on_failure=True),
        Step(id="never", tool="once", depends_on=("double",), arguments={"mark": str(mark)}, continue_on_failure=True),
        Step(id="last", tool="double", depends_on=("never",), arguments={"number": 1}),
    ]
    plan = plan_of(
        Step(id="once", tool="once", arguments={"mark": str(mark)}),
        Step(id="wait", tool="wait", arguments={"mark": str(mark)}, continue_on_failure=True),
        Step(id="secret", tool="whisper", depends_on=("wait",), arguments={"word": "hush"}, continue_on_failure=True),
        *later,
    )
    try:
        gone.add_workers(1)
        result = on(gone, plan, end)
    finally:
        gone.close()
    assert result.results["once"].state is StepState.MAY_HAVE_RUN
    assert result.results["wait"].state is StepState.FAILED
    assert "the scheduler of the cluster is gone" in (result.results["wait"].error or "")
    assert begun_on(mark)
    # The first of these begins while the library still tries to reach the scheduler, the others when it has given up.
    assert {result.results[step.id].state for step in later} == {StepState.FAILED}
    for step in later:
        assert "had not begun" in (result.results[step.id].error or "")


async def test_a_call_that_waits_for_a_place_is_told_when_the_scheduler_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of it ran, and it says so."""

    class Gone:
        status = "running"

        async def nthreads(self) -> dict[str, int]:
            raise OSError("the connection was closed")

    monkeypatch.setattr("tools.batch.cluster.LOOK_AGAIN_S", 0)

    for status in ("running", "closing", "closed"):
        client = Gone()
        client.status = status
        with pytest.raises(ToolCrashError, match="does not answer any more; the call had not begun"):
            await Lender(client).wait()


def test_the_time_of_a_step_begins_when_its_call_begins_there(cluster: Cluster, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    threads = 2 * len(cluster.workers)

    def let_go(_: BatchRun, __: asyncio.AbstractEventLoop) -> None:
        soon(lambda: len(begun_on(mark)) == threads)
        sleep(1.0)
        mark.touch()

    holding = [Step(id=f"hold{number}", tool="wait", arguments={"mark": str(mark)}) for number in range(threads)]
    late = Step(id="late", tool="double", arguments={"number": 4}, timeout_s=0.5)
    over = Step(
        id="over", tool="wait", arguments={"mark": str(tmp_path / "never")}, depends_on=("late",), timeout_s=0.5
    )
    plan = BatchPlan(name="away", steps=(*holding, late, over), limits=Limits(parallelism=threads + 1))
    result = on(cluster, plan, let_go)
    assert result.results["late"].state is StepState.DONE
    assert result.results["over"].state is StepState.TIMED_OUT


# What must not run twice, with a cluster that says what the test wants


class Told:
    """Be a cluster's client; remember what is told to whom, and return what the test says."""

    status = "running"

    def __init__(self) -> None:
        self.words: list[tuple[str, list[str]]] = []
        self.returned: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def submit(self, _: object, order: Mapping[str, Any], **__: object) -> Told:
        self.order = order
        return self

    async def result(self) -> bytes:
        return await self.returned

    async def run(
        self, _: object, __: str, ___: str, word: str, *____: object, workers: list[str], **_____: str
    ) -> None:
        self.words.append((word, workers))


class Listening:
    """Be the talk of a call."""

    listens = True

    def begin(self) -> None:
        """Take no notice."""

    def take(self, method: str, words: list[Any]) -> None:
        """Take no notice."""


async def test_what_is_sent_of_a_plugin_opens_on_another_system(tmp_path: Path) -> None:
    """A path that Windows pickled raises on Linux, and the other way round."""
    reference = ToolReference("mine", plugin=PluginFile(tmp_path / "mine.py", b"TEXT", 7), beside="check")
    client = Told()
    client.returned.set_result(TOO_LATE)
    with pytest.raises(ToolCrashError, match="waited too long"):
        await _Call(ClusterWorkers(Lender(client), once=False)).call(reference, b"{}", Listening())
    order = client.order
    assert b"pathlib" not in pickle.dumps(order)
    assert read_reference(order["reference"]) == (0, reference)


async def test_what_had_begun_may_have_run_there_whoever_else_waited_for_the_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is not told as something of which nothing ran, and people are sent to the worker that had begun it."""
    begun: list[str] = []
    client = Told()
    lender = Lender(client)
    monkeypatch.setattr(lender, "take", lambda: True)
    (once,) = resolve_tools([travelling.once])
    places = lender.places_for(once, lambda: begun.append("begun"))
    assert places is not None
    call = places.take(reference_of(once))
    assert call is not None
    going = asyncio.ensure_future(call.call(reference_of(once), b"{}", Listening()))
    for worker in ("tcp://first", "tcp://second"):
        await asyncio.sleep(0)
        lender._on_event((0.0, {"call": call.id, "worker": worker, "begins": True, "said": b""}))
    await asyncio.sleep(0)
    assert client.words == [(GO, ["tcp://first"]), (HALT, ["tcp://second"])]
    client.returned.set_result(TOO_LATE)
    with pytest.raises(MayHaveRunError, match="it may have run on tcp://first"):
        await going
    assert begun == ["begun"]


@pytest.mark.parametrize("end", ["told", "left"])
async def test_a_call_that_is_cancelled_in_the_moment_of_its_word_does_not_begin(tmp_path: Path, end: str) -> None:
    from tools.batch import cluster_worker  # noqa: PLC0415 -- needs the library

    mark = tmp_path / "mark"
    plugin = cluster_worker.ClusterWorker("mine")
    worker: Any = SimpleNamespace(address="tcp://here", state=SimpleNamespace(nthreads=1), log_event=lambda *_: None)
    plugin.setup(worker)
    (once,) = resolve_tools([travelling.once])
    order = {
        "call": "one",
        "reference": write_reference(reference_of(once)),
        "arguments": json.dumps({"mark": str(mark)}).encode(),
        "who": b"",
        "surroundings": b"",
        "once": True,
        "listens": False,
    }
    going = asyncio.ensure_future(plugin.run(order))
    await asyncio.sleep(0)
    plugin.hear("one", GO, b"")
    if end == "told":
        plugin.hear("one", CANCEL, b"")
    else:
        await plugin.teardown(worker)
    assert await going == BEGUN_BEFORE
    if end == "told":
        await plugin.teardown(worker)
    assert plugin._pool.pids == ()
    assert not begun_on(mark)
