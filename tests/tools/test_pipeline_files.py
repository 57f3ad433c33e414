"""Pipelines made of past calls: what each step takes, and the plugin file that says it."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.running import Recorder, execute, run
from tools import Executor, Param, ToolFailure, ToolRegistry, resolve_tools, security, tool
from tools.calls import CallError, CallFinished, CallRecord, CallStatus, ErrorKind, ToolRef
from tools.discovery import PluginList, draft_of, write_pipeline_file
from tools.discovery.pipeline_drafts import EarlierResult, Own, PipelineDraft, StepArgument, StepDraft
from tools.discovery.pipeline_files import pipeline_text
from tools.errors import DiscoveryError
from tools.spec import MISSING, PipelineErrorStrategy
from tools.workbench import Workbench


@tool(read_only=True)
async def find_notes(folder: Annotated[str, Param("Where to look")], limit: int = 10) -> dict[str, Any]:
    """Find notes."""
    return {"notes": [{"path": f"{folder}/first.md"}, {"path": f"{folder}/second.md"}][:limit], "count": 2}


@tool(read_only=True)
async def read_note(path: str) -> str:
    """Read a note."""
    if path.endswith("gone.md"):
        raise ToolFailure(f"there is no {path}")
    return f"text of {path}"


@tool
@security(mask_fields=("key",))
async def send(text: str, to: str, key: str, marks: int = 1) -> str:
    """Send a text."""
    return f"sent {text!r} to {to} with a key of {len(key)} letters{'!' * marks}"


@tool
@security(sensitive=True)
async def whisper(text: str) -> str:
    """Say what nobody may keep."""
    return text.lower()


TOOLS = (find_notes, read_note, send, whisper)
KNOWN = {made.name: made.card for made in resolve_tools(TOOLS)}


def called(*calls: tuple[str, dict[str, Any]]) -> list[CallRecord]:
    """Make calls and return their records."""
    heard = Recorder()

    async def work() -> None:
        executor = Executor(ToolRegistry(resolve_tools(TOOLS)), listeners=[heard])
        for name, arguments in calls:
            await execute(executor, name, arguments)
        await executor.aclose()

    run(work())
    return [event.record for event in heard.events if isinstance(event, CallFinished)]


def drafted(*calls: tuple[str, dict[str, Any]]) -> PipelineDraft:
    return draft_of(called(*calls), KNOWN.get)


def origins(draft: PipelineDraft) -> list[dict[str, Any]]:
    return [{argument.name: argument.origin for argument in step.arguments} for step in draft.steps]


SEQUENCE = (
    ("find_notes", {"folder": "notes"}),
    ("read_note", {"path": "notes/second.md"}),
    ("send", {"text": "text of notes/second.md", "to": "Mira", "key": "s3cret-key", "marks": 2}),
)


@pytest.mark.reference("D42")
def test_what_equals_an_earlier_result_is_taken_from_it() -> None:
    draft = drafted(*SEQUENCE)

    assert draft.name == "find_notes_then_read_note_then_send"
    assert origins(draft) == [
        {"folder": Own.ASKED, "limit": Own.ASKED},
        {"path": EarlierResult(0, "result.notes[1].path")},
        {"text": EarlierResult(1, "result"), "to": Own.FIXED, "key": Own.ASKED, "marks": Own.FIXED},
    ]
    key = draft.steps[2].arguments[2]
    assert (key.name, key.value, key.is_secret) == ("key", MISSING, True)


@pytest.mark.reference("D42", "D43")
def test_the_file_is_a_plugin_whose_pipeline_runs_with_a_call_for_each_step(tmp_path: Path) -> None:
    draft = replace(drafted(*SEQUENCE), name="send_second", description='Send the "second" note.')
    path = write_pipeline_file(tmp_path / "tools", draft)
    text = path.read_text("utf-8")

    assert "s3cret-key" not in text
    assert 'takes={"path": "step1.result.notes[1].path"}' in text
    heard = Recorder()

    async def work() -> list[Any]:
        bench = Workbench(PluginList(tmp_path / "settings"), installed=())
        bench.registry.register_all(resolve_tools(TOOLS))
        executor = Executor(bench.registry, project_dir=tmp_path, workers=bench.workers, listeners=[heard])
        try:
            await bench.load_plugins([path])
            assert [report.error for report in bench.reports] == [""]
            made = bench.registry.get("send_second")
            return [made.card, (await execute(executor, "send_second", {"folder": "other", "key": "s3cret-key"})).text]
        finally:
            await executor.aclose()
            await bench.aclose()

    card, said = run(work())
    assert said == "sent 'text of other/second.md' to Mira with a key of 10 letters!!"
    assert card.input_schema["required"] == ["key"]
    assert card.input_schema["properties"]["folder"]["default"] == "notes"
    assert (card.description, card.sensitive) == ('Send the "second" note.', False)
    records = [event.record for event in heard.events if isinstance(event, CallFinished)]
    assert [record.tool.name for record in records] == ["find_notes", "read_note", "send", "send_second"]
    assert records[-1].arguments is not None
    assert records[-1].arguments["folder"] == "other"
    assert "s3cret-key" not in str(records)


@pytest.mark.reference("D45", "D46")
@pytest.mark.parametrize("strategy", list(PipelineErrorStrategy))
def test_the_file_says_what_follows_a_failure(strategy: PipelineErrorStrategy) -> None:
    text = pipeline_text(replace(drafted(*SEQUENCE), error_strategy=strategy))

    assert f'error_strategy="{strategy.value}"' in text


def test_a_call_of_a_sensitive_tool_asks_for_everything_and_keeps_nothing() -> None:
    records = [
        record._replace(arguments=None, hidden="It is sensitive.") for record in called(("whisper", {"text": "A"}))
    ]
    draft = draft_of(records, KNOWN.get)

    assert draft.steps[0].note == "It is sensitive; each is asked for."
    assert origins(draft) == [{"text": Own.ASKED}]
    assert "Security(sensitive=True)" in pipeline_text(draft)


def test_secrets_that_no_tool_declares_are_asked_for_as_well() -> None:
    @tool
    def fetch(url: str, headers: dict[str, str], api_token: str = "") -> str:
        """Fetch a page."""
        return url

    card = resolve_tools([fetch])[0].card
    url, headers = "https://me:pa55word@host/a?access_token=t0ken", {"Authorization": "b3arer"}
    record = called(("read_note", {"path": "a.md"}))[0]
    sent: dict[str, Any] = {"url": url, "headers": headers, "api_token": "t0ken"}
    second = record._replace(tool=record.tool._replace(name="fetch"), arguments=sent)
    draft = draft_of([record, second], lambda name: card if name == "fetch" else KNOWN.get(name))
    text = pipeline_text(draft)

    assert set(origins(draft)[1].values()) == {Own.ASKED}
    assert not [secret for secret in ("pa55word", "t0ken", "b3arer") if secret in text]


def test_calls_that_cannot_be_made_again_say_why() -> None:
    record = called(("read_note", {"path": "a.md"}))[0]
    gone = record._replace(tool=record.tool._replace(name="files.read", source="files"))
    failed = record._replace(
        status=CallStatus.FAILED, error=CallError(ErrorKind.TOOL, "there is no a.md\nat all", "ToolFailure")
    )
    draft = replace(draft_of([record, gone, failed], KNOWN.get), name="some")

    assert draft.problem == (
        "step 2: the tool 'files.read' of files is gone; load or connect what had it, or leave the step out"
    )
    assert draft.steps[2].note == "This call did not succeed (failed: there is no a.md)."
    assert draft.without(1).problem == ""
    assert draft.without(1).without(0).without(0).problem.startswith("a pipeline needs a step")
    with pytest.raises(DiscoveryError, match=r"files\.read"):
        write_pipeline_file(Path("nowhere"), draft)


def test_a_step_that_is_left_out_gives_nothing_any_more() -> None:
    draft = drafted(*SEQUENCE)
    left = draft.without(1)

    text, _, key, _ = left.steps[1].arguments
    assert (text.origin, text.offers) == (Own.ASKED, (EarlierResult(0, "result"),))
    assert key.origin is Own.ASKED
    assert origins(draft.without(0))[1]["text"] == EarlierResult(0, "result")


def test_small_values_are_no_proof_and_equal_arguments_are_asked_for_once() -> None:
    draft = drafted(("find_notes", {"folder": "notes", "limit": 2}), ("find_notes", {"folder": "notes", "limit": 2}))

    assert origins(draft)[1] == {"folder": Own.ASKED, "limit": Own.FIXED}
    assert pipeline_text(draft).count("given.folder") == 2
    assert list(_schema_in(pipeline_text(draft))["properties"]) == ["folder", "limit"]
    both = draft.with_origin(1, "limit", Own.ASKED)
    assert list(_schema_in(pipeline_text(both))["properties"]) == ["folder", "limit"]


def _call_in(text: str) -> ast.Call:
    found = ast.parse(text).body[-1]
    assert isinstance(found, ast.Assign)
    assert isinstance(found.value, ast.Call)
    return found.value


def _schema_in(text: str) -> dict[str, Any]:
    given = {keyword.arg: keyword.value for keyword in _call_in(text).keywords}
    schema: dict[str, Any] = ast.literal_eval(given["input_schema"])
    return schema


TEXTS = st.text(st.characters(exclude_categories=()), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.reference("D48")
@given(tool_name=TEXTS, description=TEXTS, arguments=st.dictionaries(TEXTS, VALUES, max_size=4), asked=st.booleans())
def test_no_name_and_no_value_of_a_call_becomes_code(
    tool_name: str, description: str, arguments: dict[str, Any], *, asked: bool
) -> None:
    record = CallRecord("1", ToolRef(tool_name, known=True), "you", 0.0, CallStatus.EXECUTED, arguments)
    draft = replace(draft_of([record], lambda _: KNOWN["read_note"]), name="made", description=description)
    for argument in draft.steps[0].arguments:
        draft = draft.with_origin(0, argument.name, Own.ASKED if asked else Own.FIXED)
    text = pipeline_text(draft)

    call = _call_in(text)
    assert ast.unparse(call.func) == "ToolPipeline.of"
    (step,) = call.args
    assert isinstance(step, ast.Call)
    assert ast.literal_eval(step.args[0]) == "read_note"
    for part in (*step.args, *(keyword.value for keyword in step.keywords)):
        ast.literal_eval(part)
    assert (
        ast.literal_eval(next((item.value for item in call.keywords if item.arg == "name"), ast.Constant(""))) == "made"
    )
    json.dumps(_schema_in(text))
    text.encode()


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    draft = PipelineDraft((StepDraft("read_note", (StepArgument("path", {}, "a.md"),)),), "mine")
    (tmp_path / "mine.py").write_text("kept", "utf-8")

    with pytest.raises(DiscoveryError, match="is there already"):
        write_pipeline_file(tmp_path, draft)
    assert (tmp_path / "mine.py").read_text("utf-8") == "kept"
