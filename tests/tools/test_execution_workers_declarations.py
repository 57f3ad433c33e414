"""Everything a plugin file may declare works although only worker processes import it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests.tools.running import Answers, Recorder, execute, steps_of
from tests.tools.test_execution_workers_loading import Loading
from tools import (
    Count,
    DryRun,
    Edit,
    Executor,
    ExitEarly,
    Isolation,
    Tool,
    ToolConfigurationError,
    ToolRegistry,
    ToolResponse,
)
from tools.calls import CallFinished, CallStatus, ErrorKind
from tools.discovery import SourceReport, load_plugin
from tools.execution.workers.declaration_client import rendered
from tools.execution.workers.declarations import declared, read_declarations, told_of
from tools.health import Check, HealthChecks, ToolHealthRegistry
from tools.spec import Role
from tools.tool import PluginFile, RemoteFunction
from tools.workbench import Workbench

EVERYTHING = Path(__file__).with_name("everything_declared.py")


@pytest.fixture(scope="module")
def loading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loading]:
    made = Loading(tmp_path_factory.mktemp("declared"))
    yield made
    made.pool.close()
    made.runner.close()


@pytest.fixture(scope="module")
def everything(loading: Loading) -> tuple[Tool, ...]:
    return loading.tools(EVERYTHING)


@pytest.fixture
def call(loading: Loading, everything: tuple[Tool, ...]) -> Any:
    def run(name: str, /, *, reviewer: Answers | None = None, **arguments: Any) -> ToolResponse:
        return loading.call(everything, name, arguments, review_handler=reviewer)

    return run


def message(response: ToolResponse) -> tuple[CallStatus, ErrorKind, str]:
    assert response.error is not None
    return response.status, response.error.kind, response.error.message


def test_what_is_told_of_a_tool_is_what_importing_it_here_would_say(
    loading: Loading, everything: tuple[Tool, ...]
) -> None:
    here = load_plugin(next(tool.origin.path for tool in everything if isinstance(tool.origin, PluginFile))).tools

    def facts(tool: Tool) -> dict[str, Any]:
        retry, breaker, contract = tool.policies.retry, tool.policies.circuit_breaker, tool.policies.contract
        return {
            **{item.name: getattr(tool, item.name) for item in fields(Tool) if item.name in SAME},
            "schemas": (json.loads(json.dumps(tool.input_schema)), json.loads(json.dumps(tool.output_schema))),
            "digest": tool.digest,
            "isolation": tool.isolation,
            "injected": [(item.python_name, item.kind, item.optional) for item in tool.injected],
            "policies": tool.policies.model_dump(exclude={"retry", "circuit_breaker", "contract"}),
            "set": tool.policies.model_fields_set,
            "retry": retry and [*retry.model_dump(exclude=CLASSES), [item.__name__ for item in retry.retry_on]],
            "breaker": breaker and [item.__name__ for item in breaker.ignore],
            "clauses": contract and [len(contract.pre), len(contract.post), len(contract.invariants)],
            "concerns": tool.concerns_of is not None,
            "dry run": tool.dry_run is not None,
            "probe": tool.probe and (tool.probe.arguments, tool.probe.function is not None, tool.probe.on_request),
        }

    assert [tool.name for tool in everything] == [tool.name for tool in here]
    for there, same in zip(everything, here, strict=True):
        assert facts(there) == facts(same)
        assert isinstance(there.function, RemoteFunction) or there.name == "program"


SAME = {
    "spec", "is_async", "toolkit", "toolkit_description", "source", "owner", "path_roles", "raw_input",
    "shell_commands",
}  # fmt: skip
CLASSES = {"retry_on", "no_retry_on"}


class TestPolicies:
    def test_exceptions_of_the_file_itself_are_retried_by_their_names(self, call: Any) -> None:
        attempts = [len(call("flaky", kind=kind).attempts) for kind in ("own", "steady", "other")]
        assert attempts == [3, 1, 1]

    def test_exceptions_of_the_file_itself_say_nothing_about_its_health(
        self, loading: Loading, everything: tuple[Tool, ...]
    ) -> None:
        async def work(executor: Any) -> list[ErrorKind]:
            kinds = []
            for harmless in (True, True, False, False):
                response = await execute(executor, "guarded", {"harmless": harmless})
                kinds.append(message(response)[1])
            return kinds

        kinds = loading.with_executor(everything, work)
        assert kinds == [ErrorKind.TOOL, ErrorKind.TOOL, ErrorKind.TOOL, ErrorKind.UNAVAILABLE]

    def test_clauses_see_the_types_and_functions_of_the_file(self, call: Any) -> None:
        good = call("typed", amount="1.5")
        assert (good.json_result, good.status) == ({"value": "2.5", "scale": 2}, CallStatus.EXECUTED)
        assert [name for name in steps_of(good) if name.endswith("conditions")] == ["Preconditions", "Postconditions"]
        for arguments, words in (
            ({"amount": 2000}, "the precondition 'amount < 1000' does not hold (amount = Decimal('2000'))"),
            ({"amount": 0}, "the precondition 'positive' does not hold: nothing comes from nothing"),
            ({"amount": 1, "when": "1850-01-01"}, "the invariant 'when.year > 1900' does not hold"),
            ({"amount": 5, "less": True}, "the postcondition '<lambda>' does not hold"),
        ):
            status, kind, said = message(call("typed", **arguments))
            assert (status, kind) == (CallStatus.FAILED, ErrorKind.CONTRACT)
            assert words in said

    def test_clauses_see_results_of_every_kind(self, call: Any) -> None:
        assert call("tool_result", text="abc").text == "abc"
        assert message(call("tool_result", text="abcd"))[1] is ErrorKind.CONTRACT
        assert call("in_bytes", size=3).attachments[0].data == b"xxx"
        assert message(call("in_bytes", size=4))[1] is ErrorKind.CONTRACT

    def test_what_a_clause_says_hides_what_is_masked(self, call: Any) -> None:
        assert "key = " in message(call("masked", key="abc"))[2]
        assert "abc" not in str(message(call("masked", key="abc")))

    def test_a_function_beside_the_tool_answers_in_its_worker(self, call: Any) -> None:
        response = call("falling", amount="4")
        assert (response.text, response.fallback) == ("spare 4", "spare")
        assert any(f"spare runs in {response.worker_pid}" in entry.text for entry in response.logs)

    def test_another_tool_answers_through_its_own_steps(self, loading: Loading, everything: tuple[Tool, ...]) -> None:
        async def work(executor: Any) -> list[Any]:
            first = await execute(executor, "falling_to_tool", {"seed": 1})
            second = await execute(executor, "cached_number", {"seed": 1})
            third = await execute(executor, "cached_number", {"seed": 2})
            return [first.fallback, first.json_result, second.from_cache, third.json_result - second.json_result]

        assert loading.with_executor(everything, work) == ["cached_number", 1, True, 1]


class TestQuestions:
    def test_concerns_are_asked_of_the_file(self, call: Any) -> None:
        reviewer = Answers()
        assert call("dated", when="2020-01-01", reviewer=reviewer).json_result == []
        assert reviewer.requests == []
        assert call("dated", when="1990-01-01", reviewer=reviewer).json_result == ["old"]
        (concern,) = reviewer.requests[0].concerns
        assert (concern.kind, concern.detail.partition(" ")[0]) == ("old", "1990")
        declined = call("dated", when="1990-01-01", reviewer=Answers(ExitEarly("no")))
        assert declined.status is CallStatus.DENIED

    def test_a_dry_run_is_asked_of_the_file(self, loading: Loading, everything: tuple[Tool, ...]) -> None:
        async def work(executor: Any) -> list[DryRun | None]:
            return [await executor.preview("returning", {"when": f"{year}-01-01"}) for year in (1990, 1970, 1971)]

        found, failed, nothing = loading.with_executor(everything, work)
        assert found.counts == (Count("years", 1990, "1990 years"),)
        assert found[2:] == (("a", "b"), 3, ("Long ago.",))
        assert failed.warnings == ("The dry run failed: FlakyError: looked.",)
        assert nothing is None

    def test_concerns_that_fail_or_crash_fail_the_call(self, call: Any) -> None:
        assert message(call("worrying", how="raise")) == (CallStatus.FAILED, ErrorKind.TOOL, "worried")
        status, kind, said = message(call("worrying", how="exit"))
        assert (status, kind) == (CallStatus.FAILED, ErrorKind.CRASHED)
        assert "exit code 6" in said

    def test_paths_outside_the_project_are_asked_about_here(self, loading: Loading, call: Any) -> None:
        reviewer = Answers()
        assert call("copy", source="a.txt", reviewer=reviewer).text == "a.txt to a.txt.bak"
        assert call("copy", source="/elsewhere/b.txt", target="c", reviewer=reviewer).text == "b.txt to c"
        assert reviewer.kinds == [["outside_project"]]

    def test_what_only_the_types_refuse_is_refused_as_arguments(self, call: Any) -> None:
        status, kind, said = message(call("welcome", even={"number": 3}))
        assert (status, kind) == (CallStatus.REJECTED, ErrorKind.ARGUMENTS)
        assert "odd numbers are not welcome" in said
        assert call("welcome", even={"number": "4"}).json_result == 4

    def test_nobody_is_asked_about_what_the_types_refuse(self, call: Any) -> None:
        reviewer = Answers(Edit({"even": {"number": 5}}), Edit({"even": {"number": 6}}))
        refused = call("welcome_if_agreed", even={"number": 3}, reviewer=reviewer)
        assert (refused.status, reviewer.requests) == (CallStatus.REJECTED, [])
        edited = call("welcome_if_agreed", even={"number": 2}, reviewer=reviewer)
        assert (edited.status, len(reviewer.requests)) == (CallStatus.REJECTED, 1)
        assert call("welcome_if_agreed", even={"number": 2}, reviewer=reviewer).json_result == 6


class TestKinds:
    def test_a_toolkit_s_tools_share_one_object(self, loading: Loading) -> None:
        own = loading.tools(EVERYTHING)
        loading.call(own, "count_up", {"by": 5})
        assert loading.call(own, "total").json_result == 5

    def test_what_a_worker_tells_of_is_made_once(self, loading: Loading) -> None:
        text = """
            from tools import prompt, tool, toolkit

            made = []

            @toolkit("Kit")
            class Kit:
                def __init__(self):
                    made.append(self)

                @tool
                def count(self) -> int:
                    "Count."
                    return len(made)

                @tool
                def again(self) -> int:
                    "Count."
                    return len(made)

                @prompt
                def word(self) -> str:
                    "Count."
                    return str(len(made))
        """
        report = loading.load(text)
        assert [loading.call(report.tools, name).json_result for name in ("count", "again")] == [1, 1]
        assert loading.runner.run(rendered(report.prompts[0], {}, loading.pool)).text == "1"

    def test_classes_and_made_tools_run(self, loading: Loading, everything: tuple[Tool, ...], call: Any) -> None:
        shouted = loading.call(everything, "shout", "loud words")  # type: ignore[arg-type]
        assert (shouted.text, [entry.text for entry in shouted.logs]) == ("LOUD WORDS", ["shouting"])
        assert call("by_hand").json_result == {"n": 3}
        assert call("made", x="1.5").json_result == {"x": 1.5}

    def test_a_program_is_started_by_the_program_itself(self, call: Any) -> None:
        response = call("program", input="x")
        assert (response.text, response.worker_pid) == ("hi", None)
        assert "hush" not in str(response.logs)

    def test_prompts_are_rendered_in_a_worker(self, loading: Loading, everything: tuple[Tool, ...]) -> None:
        report = loading.load(EVERYTHING)
        (prompt,) = report.prompts
        assert (prompt.name, prompt.toolkit, prompt.role) == ("cheer", "Counting", Role.USER)
        assert loading.runner.run(rendered(prompt, {"name": "Mira"}, loading.pool)).text == "Go Mira Go Mira"
        with pytest.raises(ToolConfigurationError, match=r"'cheer' of everything_declared\.py can be called in worker"):
            prompt.render({"name": "Mira"})

    def test_calling_it_here_says_what_to_do(self, everything: tuple[Tool, ...]) -> None:
        tool = next(tool for tool in everything if tool.name == "cached_number")
        with pytest.raises(ToolConfigurationError, match=r"worker processes only.*isolation='thread'"):
            tool.function(seed=1)


class App: ...


class Sub(App): ...


APPLICATIONS = """
    from tests.tools.test_execution_workers_declarations import App
    from tools import AbstractTool, supported_for, tool

    @supported_for(App)
    class ForApps(AbstractTool):
        def do_execute(self, text: str) -> str:
            return text

    @tool
    def for_all() -> None: ...
"""


@pytest.mark.parametrize(
    ("application", "names"),
    [(None, ["for_all"]), (Workbench, ["for_all"]), (App, ["for_apps", "for_all"]), (Sub, ["for_apps", "for_all"])],
)
@pytest.mark.reference("C5")
def test_applications_are_compared_by_name(loading: Loading, application: type | None, names: list[str]) -> None:
    report = loading.load(APPLICATIONS, application)
    assert (report.error, [tool.name for tool in report.tools]) == ("", names)
    if "for_apps" in names:
        assert loading.call(report.tools, "for_apps", {"text": "x"}).text == "x"


@pytest.mark.parametrize("card", ["", "(isolation='process')"])
def test_a_tool_that_receives_objects_of_the_program_is_refused_with_what_to_do(loading: Loading, card: str) -> None:
    text = f"""
        from tools import ToolRegistry, tool

        @tool{card}
        def at_home(registry: ToolRegistry) -> int:
            "Need the program."
            return len(registry)
    """

    report = loading.load(text)

    assert "'registry' receives an object of the program (ToolRegistry)" in report.error
    assert "isolation='inline' or 'thread'" in report.error
    assert report.tools == ()
    trusted = loading.load(text.replace("'process'", "'thread'"), where="thread")
    assert trusted.tools[0].isolation is Isolation.THREAD
    assert loading.call(trusted.tools, "at_home", app_objects=[ToolRegistry()]).json_result == 0


def test_what_a_worker_tells_is_not_believed(tmp_path: Path) -> None:
    plugin = PluginFile(tmp_path / "a.py", b"", 1)
    opened = load_plugin(tmp_path / "a.py")._replace(error="", traceback="")
    (good,) = told_of(_report_of(tmp_path))["tools"]
    policies: list[Any] = [
        {"timeout_s": -1},
        {"retry": {"retry_on": ["ValueError"]}},
        {"retry": {"retry_on": [{"function": "f"}]}},
        {"circuit_breaker": {"ignore": [["builtins", "ValueError", "more"]]}},
        {"contract": {"pre": [3]}},
    ]
    nonsense: list[Any] = [None, [], {"tools": 3}, {"tools": [{}]}, {"strange": True}]
    for told in [*nonsense, *({"tools": [{**good, "policies": wrong}]} for wrong in policies)]:
        with pytest.raises(ValueError, match="validation error"):
            read_declarations(told, plugin)

    for wrong in (
        {"card": {**good["card"], "name": "no name"}},
        {"card": {**good["card"], "strange": 1}},
        {"arguments": [{"type": "array"}, {}]},
        {"injected": [["a", "NOTHING", True]]},
    ):
        report = declared(read_declarations({"tools": [{**good, **wrong}]}, plugin), plugin, opened)
        assert report.tools == ()
        assert report.error
        assert "\n" not in report.error


def _report_of(folder: Path) -> SourceReport:
    path = folder / "fine.py"
    path.write_text("from tools import tool\n@tool\ndef fine() -> int:\n    'Work.'\n    return 1\n")
    return load_plugin(path)


def test_probes_are_asked_where_the_file_is_imported(loading: Loading, everything: tuple[Tool, ...]) -> None:
    probed = tuple(tool for tool in everything if tool.probe is not None)
    heard = Recorder()

    async def work(executor: Executor) -> tuple[Check, ...]:
        executor.add_listener(heard)
        registry = ToolHealthRegistry(executor.metrics)
        registry.register_all(executor.registry)
        return await HealthChecks(executor, registry).check_now(tool.name for tool in probed)

    checks = loading.with_executor(probed, work)
    assert [(check.tool_name, check.outcome.value, check.message) for check in checks] == [
        ("doubled", "passed", ""),
        ("alive", "passed", ""),
        ("gone", "failed", "nobody is there"),
        ("left", "passed", ""),
        ("right", "passed", ""),
    ]
    finished = {event.call.name: event.call for event in heard.events if isinstance(event, CallFinished)}
    assert sorted(finished) == ["alive", "doubled", "gone", "left"]
    for call in finished.values():
        assert call.response.worker_pid not in {None, os.getpid()}
    alive = finished["alive"].response
    assert [entry.text for entry in alive.logs] == [f"probe asks in {alive.worker_pid}"]


def test_tools_that_share_a_probe_share_it_here_too(everything: tuple[Tool, ...]) -> None:
    probe_by_name = {tool.name: tool.probe for tool in everything}
    assert probe_by_name["left"] is probe_by_name["right"] is not None
    assert probe_by_name["alive"] is not probe_by_name["gone"]
