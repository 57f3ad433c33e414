"""Our tools in other frameworks: each call goes through the executor, and ends as that framework wants it."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain_core.tools import StructuredTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool

from tests.tools.adapters.frameworks import FRAMEWORKS, Framework, ScriptedModel, run_openai_agent
from tests.tools.adapters.samples import ALL, DESCRIBED, PICTURE, echo_of, finished, named, shout
from tests.tools.running import Answers, ExecutorOf
from tools import Edit, ExitEarly, ExitEarlyError, ToolConfigurationError, ToolNotFoundError, resolve_tools, tool
from tools.adapters import ExportedTools
from tools.adapters.shared_loop import SharedLoop

every_framework = pytest.mark.parametrize("framework", FRAMEWORKS.values(), ids=FRAMEWORKS)


@every_framework
def test_a_call_goes_through_the_executor_and_gives_its_text(executor_of: ExecutorOf, framework: Framework) -> None:
    executor = executor_of(*ALL)
    ended = finished(executor)
    with ExportedTools(executor, caller="agent:tester") as exported:
        assert framework(exported, "shout", {"word": "tea", "times": 2}).text == "TEATEA"
    assert ended == [("agent:tester", "shout", "executed")]


@every_framework
def test_a_value_arrives_as_one_or_as_its_json(executor_of: ExecutorOf, framework: Framework) -> None:
    with ExportedTools(executor_of(*ALL)) as exported:
        outcome = framework(exported, "count", {"words": ["a", "b", "a"]})
    assert outcome.value == {"a": 2, "b": 1} or outcome.text == '{"a":2,"b":1}'
    assert not outcome.is_error


@every_framework
def test_pictures_are_seen_and_other_attachments_named(executor_of: ExecutorOf, framework: Framework) -> None:
    with ExportedTools(executor_of(*ALL)) as exported:
        drawn = framework(exported, "draw", {"what": "dot"})
        alone = framework(exported, "photograph", {})
    assert drawn.text.startswith("a dot")
    assert PICTURE in drawn.images
    assert "points.csv" in drawn.text or b"a,b\n" in drawn.images
    assert alone.images == (PICTURE,)


@every_framework
def test_a_failure_is_told_to_the_model_and_ends_nothing(executor_of: ExecutorOf, framework: Framework) -> None:
    executor = executor_of(*ALL)
    ended = finished(executor)
    with ExportedTools(executor) as exported:
        failed = framework(exported, "fail", {"word": "tea"})
        misfit = framework(exported, "shout", {"word": "tea", "times": "often"})
    assert failed.text == "Error: expected no word, got tea"
    assert misfit.text.startswith("Error: ")
    assert "times" in misfit.text
    assert [status for _, _, status in ended] == ["failed", "rejected"]
    # The Agents SDK has no word for a failed call.
    assert failed.is_error == misfit.is_error == (framework is not FRAMEWORKS["openai-agents"])


@every_framework
def test_a_person_is_asked_refuses_and_is_quoted(executor_of: ExecutorOf, framework: Framework) -> None:
    executor = executor_of(*ALL, review_handler=Answers(ExitEarly("not on a Friday")))
    with ExportedTools(executor) as exported:
        refused = framework(exported, "pay", {"amount": 7})
        allowed = framework(exported, "pay", {"amount": 7})
    assert "not on a Friday" in refused.text
    assert allowed.text == "paid 7"


@every_framework
def test_arguments_that_a_person_changed_are_told(executor_of: ExecutorOf, framework: Framework) -> None:
    executor = executor_of(*ALL, review_handler=Answers(Edit({"amount": 5})))
    with ExportedTools(executor) as exported:
        text = framework(exported, "pay", {"amount": 7}).text
    assert text.startswith("paid 5")
    if framework not in {FRAMEWORKS["functions"], FRAMEWORKS["functions-later"]}:
        assert 'A person changed the arguments. It ran with: {"amount":5}' in text


@every_framework
def test_a_person_who_stops_the_run_ends_the_agent(executor_of: ExecutorOf, framework: Framework) -> None:
    executor = executor_of(*ALL, review_handler=Answers(ExitEarly("stop all", stop_run=True)))
    with ExportedTools(executor) as exported, pytest.raises(Exception, match="stop all") as caught:
        framework(exported, "pay", {"amount": 7})
    assert _is_or_stands_behind(caught.value, ExitEarlyError)


def _is_or_stands_behind(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error is not None


@every_framework
def test_a_tool_that_asks_somebody_where_nobody_is_ends_the_agent(
    executor_of: ExecutorOf, framework: Framework
) -> None:
    with ExportedTools(executor_of(*ALL)) as exported, pytest.raises(Exception, match="review") as caught:
        framework(exported, "pay", {"amount": 7})
    assert _is_or_stands_behind(caught.value, ToolConfigurationError)


HOSTILE = ("config", "callbacks", "run_manager", "self", "ctx", "context", "arguments", "input", "two words", "class")


@every_framework
@pytest.mark.parametrize("name", HOSTILE)
def test_an_argument_may_be_called_anything(executor_of: ExecutorOf, framework: Framework, name: str) -> None:
    with ExportedTools(executor_of(echo_of(name))) as exported:
        outcome = framework(exported, "echo", {name: "tea"})
    assert outcome.value == {name: "tea"} or outcome.text == f'{{"{name}":"tea"}}'


@every_framework
def test_a_tool_that_was_switched_off_since_says_so(executor_of: ExecutorOf, framework: Framework) -> None:
    executor = executor_of(*ALL)
    with ExportedTools(executor) as exported:
        executor.registry.disable("shout")
        assert "the tool 'shout' is disabled" in framework(exported, "shout", {"word": "tea"}).text
        assert "shout" not in {each.name for each in ExportedTools(executor).functions()}


@every_framework
def test_a_name_that_no_provider_takes_is_written_otherwise_and_leads_to_the_tool(
    executor_of: ExecutorOf, framework: Framework
) -> None:
    executor = executor_of(named("clock.shout~2"), shout)
    ended = finished(executor)
    with ExportedTools(executor) as exported:
        assert framework(exported, "clock__shout_x7e_2", {"word": "tea"}).text == "TEA"
    assert [name for _, name, _ in ended] == ["clock.shout~2"]


def test_what_a_model_is_told_of_a_tool_is_the_same_everywhere(executor_of: ExecutorOf) -> None:
    executor = executor_of(shout)
    schema = executor.registry.get("shout").input_schema
    exported = ExportedTools(executor)
    (chained,), (agents_tool,) = exported.langchain(), exported.openai_agents()
    (pydantic_tool,), (function,) = exported.pydantic_ai(), exported.functions()

    assert isinstance(chained, StructuredTool)
    assert convert_to_openai_tool(chained)["function"] == {
        "name": "shout", "description": DESCRIBED, "parameters": schema,
    }  # fmt: skip
    assert chained.tags == ["loud"]
    assert (agents_tool.name, agents_tool.description, agents_tool.params_json_schema) == ("shout", DESCRIBED, schema)
    definition = pydantic_tool.tool_def
    assert (definition.name, definition.description) == ("shout", DESCRIBED)
    assert definition.parameters_json_schema == schema
    assert (function.name, function.description, function.input_schema) == ("shout", DESCRIBED, schema)


@pytest.mark.reference("D9")
def test_a_tool_that_went_out_to_langchain_comes_back_the_same(executor_of: ExecutorOf) -> None:
    executor = executor_of(*ALL)
    with ExportedTools(executor) as exported:
        again = resolve_tools(exported.langchain())
        assert [made.name for made in again] == [each.__name__ for each in ALL]
        assert [made.input_schema for made in again] == [made.input_schema for made in executor.registry]
        assert {made.is_async for made in again} == {True}


def test_the_schemas_of_the_agents_sdk_are_strict_where_that_is_asked_and_arguments_come_back_as_ours(
    executor_of: ExecutorOf,
) -> None:
    @tool
    def find(word: str, options: dict[str, int] | None = None, limit: int = 3) -> str:
        """Find a word."""
        return f"{word} {options} {limit}"

    with ExportedTools(executor_of(find)) as exported:
        (strict,) = exported.openai_agents(strict=True)
        assert strict.strict_json_schema
        assert strict.params_json_schema["required"] == ["word", "options", "limit"]
        model = ScriptedModel("find", {"word": "tea", "options": '{"a": 1}', "limit": None})
        assert run_openai_agent([strict], model).output == "tea {'a': 1} 3"


async def test_arguments_that_are_no_json_are_told_and_recorded(executor_of: ExecutorOf) -> None:
    executor = executor_of(shout)
    ended = finished(executor)
    (made,) = ExportedTools(executor).openai_agents()
    context: Any = None
    assert str(await made.on_invoke_tool(context, '{"word": ')).startswith("Error: ")
    assert ended == [("agent", "shout", "rejected")]


def test_langchain_raises_where_it_shall_not_handle_errors(executor_of: ExecutorOf) -> None:
    with ExportedTools(executor_of(*ALL), ["fail"]) as exported:
        (made,) = exported.langchain()
        made.handle_tool_error = False
        with pytest.raises(ToolException, match="expected no word, got tea"):
            made.invoke({"word": "tea"})


def test_tools_that_must_run_alone_do_so_in_pydantic_ai(executor_of: ExecutorOf) -> None:
    @tool(parallelizable=False)
    def alone() -> str:
        """Run alone."""
        return "alone"

    made = ExportedTools(executor_of(alone, shout)).pydantic_ai()
    assert [each.tool_def.sequential for each in made] == [True, False]


def test_a_function_says_of_itself_what_python_functions_say(executor_of: ExecutorOf) -> None:
    both = ExportedTools(executor_of(shout, echo_of("two words"))).functions()
    made = both[0]
    for each in (made.function, made.coroutine):
        assert (each.__name__, each.__doc__) == ("shout", DESCRIBED)
        assert str(inspect.signature(each)) == "(*, word: str, times: int = 1)"
    assert inspect.iscoroutinefunction(made.coroutine)
    assert str(inspect.signature(both[1].function)).startswith("(**arguments")


def test_only_some_tools_go_out_and_one_that_is_not_there_is_refused(executor_of: ExecutorOf) -> None:
    executor = executor_of(*ALL)
    assert [each.name for each in ExportedTools(executor, ["pay", "shout"]).functions()] == ["pay", "shout"]
    with pytest.raises(ToolNotFoundError, match="no tool is called 'nothing'"):
        ExportedTools(executor, ["nothing"])


def test_many_threads_call_at_once_and_none_waits_for_another(executor_of: ExecutorOf) -> None:
    together = threading.Barrier(4, timeout=20)

    @tool
    def meet(word: str) -> str:
        """Wait until four calls run."""
        together.wait()
        return word

    with ExportedTools(executor_of(meet)) as exported, ThreadPoolExecutor(4) as pool:
        (made,) = exported.langchain()
        found = list(pool.map(lambda word: made.invoke({"word": word}), "abcd"))
    assert found == ["a", "b", "c", "d"]


def test_a_tool_may_run_an_agent_that_calls_tools(executor_of: ExecutorOf) -> None:
    executors: list[Any] = []

    @tool
    def ask(word: str) -> str:
        """Have an agent shout."""
        (inner,) = [each for each in executors[0].functions() if each.name == "shout"]
        return str(inner.function(word=word))

    with ExportedTools(executor_of(ask, shout)) as exported:
        executors.append(exported)
        assert exported.functions()[0].function(word="tea") == "TEA"


async def test_a_program_with_a_loop_keeps_its_calls_on_it_from_whatever_thread(executor_of: ExecutorOf) -> None:
    loops: list[Any] = []

    @tool
    async def where() -> str:
        """Note the loop."""
        loops.append(asyncio.get_running_loop())
        return "here"

    exported = ExportedTools(executor_of(where))
    (made,) = exported.functions()
    await made.coroutine()
    assert await asyncio.to_thread(made.function) == "here"
    with pytest.raises(RuntimeError, match="await the asynchronous one"):
        made.function()
    assert loops == [asyncio.get_running_loop()] * 2


def test_a_call_that_was_begun_without_a_loop_is_awaited_from_any(executor_of: ExecutorOf) -> None:
    begun = threading.Event()

    @tool
    async def wait(long: bool = False) -> str:
        """Wait."""
        begun.set()
        await asyncio.sleep(3600 if long else 0)
        return "done"

    executor = executor_of(wait)
    ended = finished(executor)
    with ExportedTools(executor) as exported:
        (made,) = exported.functions()
        assert made.function() == "done"
        begun.clear()

        async def cancelled() -> str:
            task = asyncio.ensure_future(made.coroutine(long=True))
            await asyncio.to_thread(begun.wait, 20)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return "stopped"
            return "went on"

        assert asyncio.run(cancelled()) == "stopped"
    assert [status for _, _, status in ended] == ["executed", "aborted"]


def test_a_shared_loop_that_was_closed_can_be_used_again() -> None:
    home = SharedLoop()

    async def one() -> int:
        return 1

    for _ in range(2):
        assert home.run_blocking(one) == 1
        home.close(one)
    home.close(one)


PACKAGES = ("agents", "langchain_core", "pydantic_ai")


def test_importing_the_tools_and_the_adapters_imports_no_framework() -> None:
    code = "import sys, tools, tools.adapters, tools.wire, tools.catalog, tools.cli.main;"
    code += f"print(sorted({set(PACKAGES)!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("method", "package", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("openai_agents", "agents", "openai-agents"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
    ],
)
def test_a_framework_that_is_not_installed_is_named_with_what_to_do(method: str, package: str, extra: str) -> None:
    code = f"""
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == {package!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from tools import Executor, ToolRegistry, ToolConfigurationError
from tools.adapters import ExportedTools
try:
    ExportedTools(Executor(ToolRegistry())).{method}()
except ToolConfigurationError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        f"tools for {extra} need its package, which is not installed: pip install 'tool-console[{extra}]'"
    )
