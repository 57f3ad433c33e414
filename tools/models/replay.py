"""Repeat a conversation without its model: the recorded answers come again, and the calls are made anew."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import ConversationError, DeniedError, ModelError, ModelFault
from tools.masking import MASK
from tools.models.journal import shown_arguments
from tools.models.messages import Answer, CallResults, StopReason, UserMessage
from tools.models.port import TextDelta
from tools.models.providers import MODEL_PROVIDERS
from tools.whole_file import write_whole
from tools.wire import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tools.execution.custom import CustomStep, HandOn
    from tools.execution.run import Run
    from tools.models.journal import ConversationFile, KeptConversation
    from tools.models.messages import AskedCall, CallResult
    from tools.models.port import AnswerDelta, ModelRequest
    from tools.wire import Provider

_REFUSED: Final = "denied"


class RecordedCall(NamedTuple):
    """A call of a record.

    Attributes:
        name: The tool.
        arguments: What the model asked for; text where that is no JSON object.
        status: How the call ended.
    """

    name: str
    arguments: Any
    status: str


class RecordedProvider:
    """Give the answers of a record, whatever is asked.

    Args:
        kept: The record.
    """

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
    """Return what a person said in a record."""
    return [message for message in kept.messages if isinstance(message, UserMessage)]


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
        found.append(RecordedCall(result.name, given if isinstance(given, dict) else asked.arguments, result.status))
    return found


def refusals(kept: KeptConversation) -> CustomStep:
    """Return a step that refuses the calls which were refused in a record, so that none of them runs after all."""
    refused = {(result.name, result.arguments) for _, result in _pairs(kept) if result.status == _REFUSED}

    async def as_recorded(run: Run, call_next: HandOn) -> object:
        if (run.call.name, shown_arguments(run.call.display_arguments())) in refused:
            raise DeniedError(f"{run.call.name} was refused in the record")
        return await call_next(run)

    return as_recorded


def _pairs(kept: KeptConversation) -> list[tuple[AskedCall, CallResult]]:
    found: list[tuple[AskedCall, CallResult]] = []
    for message, behind in zip(kept.messages, kept.messages[1:], strict=False):
        if isinstance(message, Answer) and isinstance(behind, CallResults):
            found += zip(message.calls, behind.results, strict=True)
    return found


_TEST: Final = '''"""The tool calls of a conversation with a model, made again without the model.

The answers of the model stand in {record}, beside this file.
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
    words = ["ask", "--replay", str(RECORD), "--output", "json", "--yes", "--project", str(tmp_path){plugins}]
    done = subprocess.run([sys.executable, "-m", "console", *words], capture_output=True, text=True, check=False)
    calls = json.loads(done.stdout)["calls"]
    assert [(call["name"], call["arguments"], call["status"]) for call in calls] == EXPECTED
'''


def write_test(target: Path, file: ConversationFile, plugins: list[str]) -> Path:
    """Write a file for pytest that makes the calls of a record again, and return the copy of the record beside it.

    Args:
        target: The file for pytest.
        file: The record.
        plugins: The plugin files that declare its tools.

    Raises:
        ConversationError: As `recorded_calls`, or when a file cannot be written.
    """
    record = target.with_suffix(".jsonl")
    text = _replay_test(file.read(), record.name, plugins)
    try:
        write_whole(target, text)
        write_whole(record, file.path.read_text("utf-8"))
    except OSError as error:
        raise ConversationError(f"{target} cannot be written: {error.strerror}") from error
    return record


def _replay_test(kept: KeptConversation, record: str, plugins: list[str]) -> str:
    rows = "".join(f"    {tuple(call)!r},\n" for call in recorded_calls(kept))
    name = re.sub(r"\W+", "_", record.rpartition(".")[0]).strip("_")
    more = "".join(f', "--plugin", {json.dumps(path)}' for path in plugins)
    return _TEST.format(record=record, rows=rows, name=name, plugins=more)
