"""Find out whether models reach for the right tools: prompts with the calls that they should lead to.

A prompt file is YAML:

```yaml
descriptions:                     # optional: other descriptions of some tools, to compare with their own
  file_info: Tell size, age and kind of a file or folder.
prompts:
  - ask: How large is README.md?
    expect:
      - tool: file_info
        arguments: {path: README.md}    # optional: arguments that must be these; the others are free
    never: [delete_file]
```
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tools.calls import Continue
from tools.errors import ToolConfigurationError
from tools.models.events import AskedFor, TaskEnd
from tools.models.messages import Usage
from tools.tool import ToolResult

if TYPE_CHECKING:
    from pathlib import Path

    from tools.calls import ReviewDecision, ReviewRequest
    from tools.execution.custom import HandOn
    from tools.execution.run import Run
    from tools.models.conversation import Conversation
    from tools.models.events import ConversationEvent
    from tools.registry import ToolRegistry
    from tools.review import ReviewHandler

NOT_RUN: Final = "This is a test of your choice of tools, so the call was not run. Go on as if it had worked."
"""What a model is told of a call that changes something."""

_Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExpectedCall(_Strict):
    """A call that a prompt should lead to.

    Attributes:
        tool: The tool's name.
        arguments: Arguments that must have these values; others are free.
    """

    tool: _Text
    arguments: dict[str, Any] = {}

    def is_met_by(self, call: MadeCall) -> bool:
        given = call.arguments
        return call.tool == self.tool and all(
            name in given and given[name] == value for name, value in self.arguments.items()
        )


class EvaluatedPrompt(_Strict):
    """A prompt with the calls that it should and should not lead to.

    Attributes:
        expect: Calls that must be made, in any order; further calls do no harm.
        never: Tools that must not be called.
    """

    ask: _Text
    expect: tuple[ExpectedCall, ...] = ()
    never: tuple[_Text, ...] = ()


class PromptFile(_Strict):
    """The content of a prompt file.

    Attributes:
        descriptions: Other descriptions to compare with, by the names of tools.
        instructions: What holds for all answers.
    """

    prompts: tuple[EvaluatedPrompt, ...] = Field(min_length=1)
    descriptions: dict[str, _Text] = {}
    instructions: str = ""

    def check_tools(self, registry: ToolRegistry) -> None:
        """Refuse names of tools that do not exist.

        Raises:
            ToolConfigurationError: There is one; the closest name is told.
        """
        named = [name for prompt in self.prompts for name in (*(one.tool for one in prompt.expect), *prompt.never)]
        for name in (*named, *self.descriptions):
            if name not in registry:
                near = registry.closest(name)
                raise ToolConfigurationError(f"no tool is called {name!r}" + (f"; there is {near!r}" if near else ""))


class MadeCall(NamedTuple):
    """A call that a model asked for.

    Attributes:
        tool: The tool's name.
        arguments: What it was given, secrets hidden; empty where that was no JSON object.
    """

    tool: str
    arguments: Mapping[str, Any]


class PromptOutcome(NamedTuple):
    """What came of a prompt.

    Attributes:
        calls: The calls that the model asked for, in order.
        cost: What it cost; None when no price is known.
        elapsed_s: Seconds until the answer.
        why: What kept the model from an answer; empty for nothing.
    """

    prompt: EvaluatedPrompt
    calls: tuple[MadeCall, ...]
    usage: Usage
    cost: float | None
    elapsed_s: float
    why: str = ""

    @property
    def missing(self) -> tuple[ExpectedCall, ...]:
        """The expected calls that were not made."""
        left = list(self.calls)
        missing = []
        for expected in self.prompt.expect:
            met = next((call for call in left if expected.is_met_by(call)), None)
            if met is None:
                missing.append(expected)
            else:
                left.remove(met)
        return tuple(missing)

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The tools that were called and should not have been."""
        return tuple(dict.fromkeys(call.tool for call in self.calls if call.tool in self.prompt.never))

    @property
    def is_reached(self) -> bool:
        """Whether the model answered, with the calls that were expected and none of the others."""
        return not (self.missing or self.forbidden or self.why)


def read_prompts(path: Path) -> PromptFile:
    """Return the content of a prompt file.

    Raises:
        ToolConfigurationError: It cannot be read, or says something else.
    """
    from ruamel.yaml import YAML  # noqa: PLC0415 -- only this file needs it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 -- as above

    try:
        content: Any = YAML(typ="safe", pure=True).load(path.read_text("utf-8"))
        return PromptFile.model_validate(content)
    except OSError as error:
        raise ToolConfigurationError(f"{path} cannot be read: {error.strerror}") from error
    except (YAMLError, UnicodeDecodeError) as error:
        raise ToolConfigurationError(f"{path}: expected YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise ToolConfigurationError(f"{path}: {where}: {first['msg']}; got {first['input']!r:.80}") from error


@contextmanager
def with_descriptions(registry: ToolRegistry, descriptions: Mapping[str, str]) -> Iterator[None]:
    """Give tools other descriptions for a while.

    Raises:
        ToolNotFoundError: There is no such tool.
    """
    own = [registry.get(name) for name in descriptions]
    other = [replace(tool, spec=tool.spec.model_copy(update={"description": descriptions[tool.name]})) for tool in own]
    registry.swap(own, other)
    try:
        yield
    finally:
        registry.swap(other, own)


async def only_reading(run: Run, call_next: HandOn) -> object:
    """Step of an executor that answers calls which change something, so that an evaluation changes nothing."""
    return await call_next(run) if run.tool.hints.read_only else ToolResult.ok(NOT_RUN)


class EvaluationReviewer:
    """Ask a person about calls that are made, and about none that `only_reading` keeps from being made."""

    def __init__(self, person: ReviewHandler) -> None:
        self._person = person

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        is_made = request.tool is None or request.tool.hints.read_only
        return await self._person.review(request) if is_made else Continue()


async def evaluate(
    prompts: Iterable[EvaluatedPrompt],
    converse: Callable[[Callable[[ConversationEvent], None]], Conversation],
    tell: Callable[[PromptOutcome], None],
) -> list[PromptOutcome]:
    """Ask each prompt in a conversation of its own.

    Args:
        converse: Makes a conversation that tells what happens to a function.
        tell: Is told each outcome as it comes.
    """
    outcomes = []
    for prompt in prompts:
        calls: list[MadeCall] = []

        def note(event: ConversationEvent, calls: list[MadeCall] = calls) -> None:
            if isinstance(event, AskedFor):
                calls.append(MadeCall(event.name, _arguments(event.arguments)))

        conversation = converse(note)
        began = time.perf_counter()
        try:
            ended = await conversation.say(prompt.ask)
        finally:
            conversation.close()
        why = "" if ended.end is TaskEnd.ANSWERED else ended.why or str(ended.end)
        elapsed_s = time.perf_counter() - began
        outcome = PromptOutcome(prompt, tuple(calls), conversation.usage, conversation.cost, elapsed_s, why)
        tell(outcome)
        outcomes.append(outcome)
    return outcomes


def _arguments(text: str) -> Mapping[str, Any]:
    try:
        read = json.loads(text)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
