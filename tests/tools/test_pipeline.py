"""Several tools as one: each step is a call of its own, and nothing that guards it is passed by."""

from __future__ import annotations

import asyncio
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import Answers, Recorder, Silence, execute, run, start, until
from tools import (
    CallStatus,
    DeclarationError,
    Executor,
    ExitEarly,
    ExitEarlyError,
    PipelineErrorStrategy,
    PipelineStep,
    Policies,
    Security,
    ToolContext,
    ToolFailure,
    ToolPipeline,
    ToolResult,
    resilience,
    resolve_tools,
    security,
    tool,
)
from tools.calls import CallFinished, ErrorKind, Logged
from tools.discovery import PluginList
from tools.workbench import Workbench

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@tool(read_only=True)
async def words(text: str) -> list[str]:
    """Cut a text into words."""
    return text.split()


@tool(read_only=True)
def longest(items: list[str]) -> str:
    """Return the longest of some words."""
    if not items:
        raise ToolFailure("there are no words")
    return max(items, key=len)


@tool
def shout(text: str, marks: int = 1) -> str:
    """Write a text in capitals."""
    return text.upper() + "!" * marks


@tool
def scale(number: float, factor: float) -> float:
    """Multiply two numbers."""
    return number * factor


@tool(destructive=True)
def burn(text: str) -> str:
    """Burn a text."""
    return f"ashes of {text}"


@tool
def crash(text: str) -> str:
    """Raise what nobody expects."""
    raise ValueError(f"cannot take {text}")


TOOLS = (words, longest, shout, scale, burn, crash)


def ended(heard: Recorder) -> list[tuple[str, CallStatus]]:
    """Return which calls ended how, in that order."""
    return [(event.call.name, event.call.response.status) for event in heard.events if isinstance(event, CallFinished)]


async def piped(executor_of: ExecutorOf, pipeline: ToolPipeline, arguments: dict[str, Any], **ports: Any) -> Any:
    return await execute(executor_of(*TOOLS, pipeline, **ports), pipeline.name, arguments)


@pytest.mark.reference("D42")
@pytest.mark.reference("D43")
def test_a_pipeline_is_one_tool_whose_steps_are_calls_of_their_own(executor_of: ExecutorOf) -> None:
    pipeline = ToolPipeline.of(words, longest, shout)
    heard = Recorder()

    response = run(piped(executor_of, pipeline, {"text": "a longer one"}, listeners=[heard]))

    assert response.text == "LONGER!"
    steps = ["words", "longest", "shout"]
    assert ended(heard) == [(name, CallStatus.EXECUTED) for name in (*steps, "words_then_longest_then_shout")]
    said = [event.entry.text for event in heard.events if isinstance(event, Logged)]
    assert [line.partition(":")[0] for line in said] == [f"step {n} of 3, {name}" for n, name in enumerate(steps, 1)]


@pytest.mark.reference("D49")
def test_a_pipeline_names_and_describes_itself_after_its_steps() -> None:
    made = resolve_tools([ToolPipeline.of(words, "longest")])[0]

    assert (made.name, made.description) == ("words_then_longest", "Pipeline: words -> longest")
    assert made.input_schema["required"] == ["text"]
    named = ToolPipeline.of(words, name="cut", description="Cut it.", keywords=["split"])
    assert (named.as_tool().name, named.as_tool().description) == ("cut", "Cut it.")
    assert named.as_tool().spec.keywords == ("split",)


def test_a_pipeline_only_reads_when_all_of_its_steps_do() -> None:
    assert ToolPipeline.of(words, longest).as_tool().spec.read_only_hint is True
    assert ToolPipeline.of(words, burn).as_tool().spec.read_only_hint is False
    assert ToolPipeline.of("words", longest).as_tool().spec.read_only_hint is None


@pytest.mark.reference("D45")
def test_the_first_failure_ends_a_pipeline_and_names_its_step(executor_of: ExecutorOf) -> None:
    heard = Recorder()
    pipeline = ToolPipeline.of(words, longest, shout, name="fast")

    response = run(piped(executor_of, pipeline, {"text": ""}, listeners=[heard]))

    assert response.status is CallStatus.FAILED
    assert response.error.message == "step 2 of 3, longest: there are no words"
    assert "shout" not in dict(ended(heard))


@pytest.mark.reference("D46")
def test_a_pipeline_that_goes_on_hands_on_the_message_of_a_failure(executor_of: ExecutorOf) -> None:
    pipeline = ToolPipeline.of(words, longest, shout, error_strategy="continue_on_failure", name="slow")

    response = run(piped(executor_of, pipeline, {"text": ""}))

    assert response.text == "THERE ARE NO WORDS!"
    assert pipeline.error_strategy is PipelineErrorStrategy.CONTINUE_ON_FAILURE


@pytest.mark.reference("D47")
def test_adapters_run_after_success_only_and_never_after_the_last_step(executor_of: ExecutorOf) -> None:
    asked: list[str] = []

    def adapter(result: ToolResult) -> str:
        asked.append(result.output)
        return f"{result.output}?"

    steps = [PipelineStep(name, adapter=adapter) for name in ("shout", "crash", "shout")]
    going_on = ToolPipeline.of(*steps, name="on", error_strategy="continue_on_failure")

    response = run(piped(executor_of, going_on, {"text": "a"}))

    assert asked == ["A!"]
    assert response.text == "CANNOT TAKE A!?!"


def test_an_adapter_may_be_an_expression_over_text_and_value(executor_of: ExecutorOf) -> None:
    step = PipelineStep("words", adapter="{text: join('-', result), marks: length(result)}")

    response = run(piped(executor_of, ToolPipeline.of(step, shout, name="joined"), {"text": "a b c"}))

    assert response.text == "A-B-C!!!"
    with pytest.raises(DeclarationError, match="the adapter of step 'words' is no JMESPath expression"):
        PipelineStep("words", adapter="a..b")


@pytest.mark.reference("D48")
def test_a_pipeline_without_steps_gives_back_what_it_got(executor_of: ExecutorOf) -> None:
    response = run(piped(executor_of, ToolPipeline.of(name="nothing"), {"input": "as it is"}))

    assert response.text == "as it is"


@pytest.mark.reference("D48")
@pytest.mark.parametrize(
    ("step", "words_of_error"),
    [
        (None, "step 1 of a pipeline is None"),
        (" ", "step 1 of a pipeline has no name"),
        (3, "an object of type 'builtins.int' is no tool"),
    ],
)
def test_a_step_that_is_no_tool_is_refused(step: object, words_of_error: str) -> None:
    with pytest.raises(DeclarationError, match=words_of_error):
        ToolPipeline.of(step)


@pytest.mark.reference("D48")
def test_wrong_names_and_strategies_are_refused() -> None:
    with pytest.raises(DeclarationError, match="name"):
        ToolPipeline.of(words, name="no name!").as_tool()
    with pytest.raises(DeclarationError, match="error strategy is 'fail_fast' or 'continue_on_failure', not 'later'"):
        ToolPipeline.of(words, error_strategy="later")


@pytest.mark.reference("D48")
def test_what_a_step_raises_and_what_its_adapter_raises_are_failures_of_that_step(executor_of: ExecutorOf) -> None:
    def adapter(result: ToolResult) -> str:
        raise KeyError(result.output)

    crashed = run(piped(executor_of, ToolPipeline.of(crash, shout, name="one"), {"text": "a"}))
    step = PipelineStep("shout", adapter=adapter)
    adapted = run(piped(executor_of, ToolPipeline.of(step, shout, name="two"), {"text": "a"}))

    assert crashed.error.message == "step 1 of 2, crash: cannot take a"
    assert adapted.error.message == "step 1 of 2, shout: its adapter failed: KeyError: 'A!'"


@pytest.mark.reference("D48")
def test_an_adapter_that_returns_nothing_hands_on_the_empty_text(executor_of: ExecutorOf) -> None:
    step = PipelineStep("shout", adapter=lambda _: None)

    assert run(piped(executor_of, ToolPipeline.of(step, shout, name="none"), {"text": "a"})).text == "!"


@tool
@security(mask_fields=["token"])
def log_in(token: str) -> str:
    """Log in."""
    return f"logged in with {len(token)} letters"


def test_what_a_step_hides_is_not_shown_by_the_pipeline(executor_of: ExecutorOf) -> None:
    heard = Recorder()
    pipeline = ToolPipeline.of(log_in, shout, name="log_in_loudly")
    executor = executor_of(log_in, *TOOLS, pipeline, listeners=[heard])

    response = run(execute(executor, "log_in_loudly", {"token": "s3cret-token"}))

    assert response.text == "LOGGED IN WITH 12 LETTERS!"
    records = [event.record for event in heard.events if isinstance(event, CallFinished)]
    assert [record.tool.name for record in records] == ["log_in", "shout", "log_in_loudly"]
    assert "s3cret-token" not in str(records)


def test_a_pipeline_of_tools_that_hide_nothing_shows_its_arguments() -> None:
    assert not ToolPipeline.of(words, longest).as_tool().sensitive
    assert ToolPipeline.of("words", longest).as_tool().sensitive
    assert not ToolPipeline.of("words", policies=Policies(security=Security())).as_tool().sensitive


async def test_pipelines_stand_inside_each_other(executor_of: ExecutorOf) -> None:
    inner = ToolPipeline.of(words, longest, name="longest_word")
    outer = ToolPipeline.of(inner, shout, name="shout_longest")
    assert (
        await execute(executor_of(*TOOLS, inner, outer), "shout_longest", {"text": "a longer one"})
    ).text == "LONGER!"


def test_arguments_that_are_always_the_same_are_not_asked_for(executor_of: ExecutorOf) -> None:
    made = ToolPipeline.of(words, longest, PipelineStep("shout", {"marks": 3}), name="loud")

    assert run(piped(executor_of, made, {"text": "a b"})).text == "A!!!"


def test_input_that_fits_no_argument_says_what_to_do(executor_of: ExecutorOf) -> None:
    response = run(piped(executor_of, ToolPipeline.of(shout, scale, name="odd"), {"text": "a"}))

    assert response.error.message == (
        "step 2 of 2, scale: it takes number, factor, and the step before says for none of them what it is; give that"
        " one an adapter"
    )


def test_a_step_that_is_not_registered_is_named(executor_of: ExecutorOf) -> None:
    response = run(piped(executor_of, ToolPipeline.of("shuot", longest, name="typo"), {"text": "a"}))

    assert response.error.message == "step 1 of 2, shuot: no tool is called 'shuot'"


async def test_a_step_takes_arguments_from_what_was_given_and_from_any_step_before(executor_of: ExecutorOf) -> None:
    pipeline = ToolPipeline.of(
        PipelineStep("words", takes={"text": "given.sentence"}),
        PipelineStep("longest", takes={"items": "step1.result"}),
        PipelineStep("shout", takes={"text": "step1.result[0]", "marks": "given.marks"}),
        name="first_word",
        input_schema={"properties": {"sentence": {"type": "string"}, "marks": {"type": "integer"}}},
    )
    executor = executor_of(*TOOLS, pipeline)
    given = ({"sentence": "a longer one", "marks": 3}, {"sentence": "a longer one"})
    assert [(await execute(executor, "first_word", arguments)).text for arguments in given] == ["A!!!", "A!"]


@pytest.mark.reference("D46")
def test_a_step_takes_the_message_of_a_step_that_failed(executor_of: ExecutorOf) -> None:
    pipeline = ToolPipeline.of(
        words,
        longest,
        PipelineStep("shout", takes={"text": "step2.result"}),
        name="on",
        error_strategy="continue_on_failure",
    )

    assert run(piped(executor_of, pipeline, {"text": ""})).text == "THERE ARE NO WORDS!"


def test_what_cannot_be_taken_is_told_before_and_while_it_runs(executor_of: ExecutorOf) -> None:
    with pytest.raises(DeclarationError, match="what there is when it begins: given, step1"):
        ToolPipeline.of("words", PipelineStep("longest", takes={"items": "step2.result"}))
    with pytest.raises(DeclarationError, match="the argument 'items' of step 'longest' is no JMESPath expression"):
        PipelineStep("longest", takes={"items": "step1..result"})
    pipeline = ToolPipeline.of(words, PipelineStep("shout", takes={"text": "join(`1`, step1.result)"}), name="odd")

    response = run(piped(executor_of, pipeline, {"text": "s3cret"}))

    assert response.error.message == (
        "step 2 of 2, shout: its argument 'text' cannot be worked out from 'join(`1`, step1.result)': JMESPathTypeError"
    )


def test_a_pipeline_is_kept_encrypted_when_a_step_is() -> None:
    @tool
    @security(encrypt=True)
    def diary(text: str) -> str:
        """Keep a text."""
        return text

    assert ToolPipeline.of(words, diary).policies.security == Security(encrypt=True)
    assert ToolPipeline.of("words", diary).policies.security == Security(sensitive=True)


@pytest.mark.reference("D44")
def test_rules_and_questions_of_each_step_hold_inside_a_pipeline(executor_of: ExecutorOf) -> None:
    answers = Answers(ExitEarly("not this one"))
    pipeline = ToolPipeline.of(words, longest, burn, name="burn_longest")

    response = run(piped(executor_of, pipeline, {"text": "a longer one"}, review_handler=answers))

    assert [request.call.tool.name for request in answers.requests] == ["burn"]
    assert response.status is CallStatus.FAILED
    assert response.error.message.startswith("step 3 of 3, burn: ")
    assert "not this one" in response.error.message


def test_a_reviewer_who_stops_everything_stops_the_pipeline_as_well(executor_of: ExecutorOf) -> None:
    answers = Answers(ExitEarly("enough", stop_run=True))

    with pytest.raises(ExitEarlyError, match="enough"):
        run(piped(executor_of, ToolPipeline.of(burn, shout, name="stopped"), {"text": "a"}, review_handler=answers))


async def test_time_limits_of_a_pipeline_stand_still_while_a_person_is_asked(executor_of: ExecutorOf) -> None:
    @tool
    @resilience(timeout_s=0.2)
    async def outer(ctx: ToolContext) -> str:
        """Burn something."""
        return (await ctx.run_tool("burn", {"text": "a"})).output

    silence = Silence()
    executor = executor_of(outer, burn, review_handler=silence)
    call, task = start(executor, "outer")
    await silence.asked.wait()
    seen = call.response.status
    await asyncio.sleep(0.4)
    waiting = not task.done()
    call.cancel()
    await asyncio.wait([task])
    assert (seen, waiting, silence.withdrawn, call.response.status) == (
        CallStatus.WAITING_FOR_REVIEW,
        True,
        True,
        CallStatus.CANCELLED,
    )


def test_stopping_a_pipeline_stops_the_step_that_runs(executor_of: ExecutorOf) -> None:
    @tool
    async def forever(text: str) -> str:
        """Never end."""
        await asyncio.Event().wait()
        return text

    async def work() -> list[tuple[str, CallStatus]]:
        heard = Recorder()
        executor = executor_of(forever, ToolPipeline.of(forever, shout, name="endless"), shout, listeners=[heard])
        call, task = start(executor, "endless", {"text": "a"})
        await until(lambda: len(executor.open_calls) == 2)
        call.cancel()
        await asyncio.wait([task])
        return [
            (event.call.name, event.call.response.status) for event in heard.events if isinstance(event, CallFinished)
        ]

    assert run(work()) == [("forever", CallStatus.CANCELLED), ("endless", CallStatus.CANCELLED)]


def test_a_tool_that_runs_itself_without_an_end_is_stopped(executor_of: ExecutorOf) -> None:
    @tool
    async def again(ctx: ToolContext) -> str:
        """Run this again."""
        result = await ctx.run_tool("again", {})
        return result.output if result.success else f"inside: {result.error}"

    assert run(execute(executor_of(again), "again")).text == (
        "inside: 8 calls stand inside each other already, so again is not run as well"
    )


def test_a_synchronous_tool_is_told_that_it_cannot_run_others(executor_of: ExecutorOf) -> None:
    @tool
    def outer(ctx: ToolContext) -> str:
        """Run something from a thread."""
        return asyncio.run(ctx.run_tool("shout", {"text": "a"})).output

    response = run(execute(executor_of(outer, shout), "outer"))

    assert response.error.message == (
        "outer cannot run shout: only asynchronous tools in the program itself can; make it async with"
        " isolation='inline', or declare a ToolPipeline"
    )


PLUGIN = """
    from tools import PipelineStep, ToolPipeline, tool

    @tool
    def halves(text: str) -> list[str]:
        "Cut a text in two."
        return [text[: len(text) // 2], text[len(text) // 2 :]]

    @tool
    def join(items: list[str]) -> str:
        "Put texts together."
        return "+".join(items)

    both = ToolPipeline.of(halves, join, name="halve_and_join")
    swapped = ToolPipeline.of(PipelineStep("halves", adapter={adapter}), join, name="swap")
"""


@pytest.mark.parametrize(("adapter", "loads"), [("'reverse(result)'", True), ("lambda result: ''", False)])
def test_a_plugin_file_declares_pipelines_as_data(tmp_path: Path, adapter: str, *, loads: bool) -> None:
    path = tmp_path / "plugin.py"
    path.write_text(textwrap.dedent(PLUGIN).replace("{adapter}", adapter), encoding="utf-8")

    async def work() -> Any:
        bench = Workbench(PluginList(tmp_path / "settings"), installed=())
        executor = Executor(bench.registry, project_dir=tmp_path, workers=bench.workers)
        try:
            await bench.load_plugins([path])
            report = bench.reports[0]
            if report.error:
                return report.error
            return [(await execute(executor, name, {"text": "abcd"})).text for name in ("halve_and_join", "swap")]
        finally:
            await executor.aclose()
            await bench.aclose()

    if loads:
        assert run(work()) == ["ab+cd", "cd+ab"]
    else:
        assert "the adapter of 'halves' is a function" in run(work())


def test_what_a_pipeline_cannot_run_is_an_error_of_its_own_kind(executor_of: ExecutorOf) -> None:
    response = run(piped(executor_of, ToolPipeline.of(crash, name="alone"), {"text": "a"}))

    assert response.error.kind is ErrorKind.TOOL
