"""Repeat a conversation without its model: the recorded answers come again, and the calls are made anew."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.atomic_write import write_whole
from tools.calls import CallError, CallStatus, ErrorKind, StepKind
from tools.card import SourceKind
from tools.errors import ConversationError, ModelError, ModelFault, ToolTimeoutError
from tools.masking import MASK
from tools.models.messages import Answer, CallResults, StopReason, UserMessage
from tools.models.port import TextDelta
from tools.models.providers import MODEL_PROVIDERS
from tools.tool import ToolResult
from tools.wire import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tools.calls import ToolCall
    from tools.execution.custom import HandOn
    from tools.execution.executor import Executor
    from tools.execution.run import Run
    from tools.models.journal import ConversationFile, KeptConversation
    from tools.models.messages import AskedCall, CallResult
    from tools.models.port import AnswerDelta, ModelRequest
    from tools.models.side_by_side import ProposedCalls
    from tools.registry import ToolRegistry
    from tools.wire import Provider

_STARTED: Final = frozenset({"executed", "failed", "timed_out"})
_STOPPED: Final = frozenset({"cancelled", "aborted", "interrupted"})
"""How calls end that a person or the end of the program stopped."""
_OF_SESSION: Final = frozenset({ErrorKind.MAX_ITERATIONS.value, ErrorKind.DISABLED.value})
"""Why a conversation lets calls not run that could."""


class RecordedCall(NamedTuple):
    """A call of a record.

    Attributes:
        arguments: What the model asked for; text where that is no JSON object.
    """

    name: str
    arguments: Any
    status: str


class RecordedProvider:
    """Give the answers of a record, whatever is asked."""

    name = "recorded"
    address = ""

    def __init__(self, kept: KeptConversation) -> None:
        known = MODEL_PROVIDERS.get(kept.begun.provider)
        self.wire: Provider = PROVIDERS["openai"] if known is None else known.made_format().wire
        whole = (message for message in kept.messages if isinstance(message, Answer))
        self._answers = [answer for answer in whole if answer.stop is not StopReason.CUT_OFF]
        self._at = 0

    async def stream(self, _: ModelRequest) -> AsyncGenerator[AnswerDelta, None]:
        """Yield the next answer.

        Raises:
            ModelError: When the record has no further one.
        """
        if self._at == len(self._answers):
            raise ModelError(ModelFault.CUT_OFF, "the record has no further answer")
        answer = self._answers[self._at]
        self._at += 1
        if answer.text:
            yield TextDelta(answer.text)
        yield answer


def said_in(kept: KeptConversation) -> list[UserMessage]:
    """Return what a person said in a record and the model answered, as far as that was to the end."""
    answered: list[UserMessage] = []
    last: UserMessage | None = None
    for message in kept.messages:
        if isinstance(message, UserMessage):
            last = message
        elif last is not None and isinstance(message, Answer) and message.stop is not StopReason.CUT_OFF:
            answered.append(last)
            last = None
    return answered


def recorded_calls(kept: KeptConversation) -> list[RecordedCall]:
    """Return the calls of a record, in the order they were asked for.

    Raises:
        ConversationError: When the arguments of one were hidden, so that it cannot be made again.
    """
    found: list[RecordedCall] = []
    for asked, result in _pairs(kept):
        if MASK in asked.arguments:
            raise ConversationError(
                f"call {len(found) + 1} ({result.name}) had secret arguments, which no record has;"
                " a conversation without such calls can be replayed"
            )
        given = asked.received.arguments
        status = CallStatus.CANCELLED.value if result.status in _STOPPED else result.status
        found.append(RecordedCall(result.name, given if isinstance(given, dict) else asked.arguments, status))
    return found


class RecordedCalls:
    """Have the calls of a replay end as those of the record did.

    What did not run then does not run now: it was refused, stopped or skipped. What a person changed before it ran is
    changed alike.

    Args:
        runs: Whether the tools run; else each call gets the result of the record, after all that is checked before.
    """

    def __init__(self, kept: KeptConversation, executor: Executor, *, runs: bool) -> None:
        self._results = iter([result for _, result in _pairs(kept)])
        self._proposals = executor.proposals
        self._result_by_call: dict[ToolCall, CallResult] = {}
        if not runs:
            executor.add_step(self._answer, before=StepKind.ATTEMPT, name="as recorded")

    async def admit(self, calls: ProposedCalls) -> None:
        for call, result in zip(calls, self._results, strict=False):
            self._result_by_call[call] = result
            if call.pending:
                self._prepare(call, result)

    def _prepare(self, call: ToolCall, result: CallResult) -> None:
        if result.error_kind in _OF_SESSION:
            self._proposals.refuse(call, CallError(ErrorKind(result.error_kind), "it did not run in the record either"))
        elif result.status in _STOPPED:
            call.cancel()
        elif result.status not in _STARTED:
            self._proposals.decline(call, f"it was {result.status} in the record", by="the record")
        elif not call.sensitive and (changed := _changed(call, result)):
            self._proposals.revise(call, changed, by="the record")

    async def _answer(self, run: Run, _: HandOn) -> ToolResult:
        result = self._result_by_call[run.call]
        if result.status == CallStatus.TIMED_OUT.value:
            raise ToolTimeoutError(result.text)
        return ToolResult.failure(f"in the record: {result.text}") if result.is_error else ToolResult.ok(result.text)


def _changed(call: ToolCall, result: CallResult) -> dict[str, Any]:
    """Return the arguments that ran in a record; empty when a person left them as they were."""
    now: dict[str, Any] = call.display_arguments()
    then: dict[str, Any] = json.loads(result.arguments)
    # A tool may have other arguments by now; that is no change of a person's.
    return then if any(now[name] != then[name] for name in now.keys() & then.keys()) else {}


def _pairs(kept: KeptConversation) -> list[tuple[AskedCall, CallResult]]:
    found: list[tuple[AskedCall, CallResult]] = []
    for message, behind in zip(kept.messages, kept.messages[1:], strict=False):
        if isinstance(message, Answer) and isinstance(behind, CallResults):
            found += zip(message.calls, behind.results, strict=True)
    return found


_TEST: Final = '''"""The tool calls of a conversation with a model, made again without the model.

The answers of the model stand in {record}, beside this file. Each call is checked as any other is: its tool, its
arguments, your rules. Its result comes from the record; without "--recorded-results" the tools really run.
"""

import json
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).with_name({record!r})

# Each call: the tool, what the model asked for, and how it ended.
EXPECTED = [
{rows}]


def test_{name}(tmp_path: Path) -> None:
    words = ["ask", "--replay", str(RECORD), "--recorded-results", "--output", "json", "--yes", "--no-history"]
    words += ["--project", str(tmp_path){options}]
    done = subprocess.run([sys.executable, "-m", "console", *words], capture_output=True, text=True, check=False)
    assert done.returncode in {{0, 1}}, done.stderr
    calls = json.loads(done.stdout)["calls"]
    assert [(call["name"], call["arguments"], call["status"]) for call in calls] == EXPECTED
'''


def write_test(target: Path, file: ConversationFile, registry: ToolRegistry) -> Path:
    """Write a file for pytest that makes the calls of a record again, and return the copy of the record beside it.

    Args:
        target: The file for pytest.
        registry: Has the tools, and knows which plugin files declare them.

    Raises:
        ConversationError: As `recorded_calls`, or when a file cannot be written.
    """
    record = target.with_suffix(".jsonl")
    text = _replay_test(file.read(), record.name, registry)
    try:
        write_whole(target, text)
        write_whole(record, file.path.read_text("utf-8"))
    except OSError as error:
        raise ConversationError(f"{target} cannot be written: {error.strerror}") from error
    return record


def _replay_test(kept: KeptConversation, record: str, registry: ToolRegistry) -> str:
    calls = recorded_calls(kept)
    rows = "".join(f"    {tuple(call)!r},\n" for call in calls)
    name = re.sub(r"\W+", "_", record.rpartition(".")[0]).strip("_").removeprefix("test_")
    sources = {tool.source for call in calls if (tool := registry.find(call.name)) is not None}
    plugins = sorted(str(source.path.absolute()) for source in sources if source.path is not None)
    options = "".join(f', "--plugin", {json.dumps(path)}' for path in plugins)
    if any(source.kind is SourceKind.SERVER for source in sources):
        options += ', "--servers"'
    return _TEST.format(record=record, rows=rows, name=name, options=options)
