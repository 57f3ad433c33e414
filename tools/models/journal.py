"""The file of a conversation: what was said and done, a line each, from which the conversation goes on.

What is hidden of a call stays out of it: a resumed conversation sends bullets in the place of secrets. Only its owner
can read the file.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tools.errors import ConversationError
from tools.models.messages import Answer, CallResult, CallResults, TurnsSummary, Usage, UserMessage
from tools.paths import is_file, paths_like
from tools.retention import DEFAULT_TURNS_TO_KEEP, RetentionMark

_END: Final = ".jsonl"
DELETED: Final = ".deleted"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")

INTERRUPTED: Final = (
    "Error: the program ended before this call did, so part of its work may be done. Do not repeat it unasked."
)


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_bytes="base64", val_json_bytes="base64")


class Begun(_Line):
    """A conversation began, or went on with another model.

    Attributes:
        provider: The provider, as a command line names it.
        model: The model, as the provider names it.
        instructions: What a person wants of all answers.
        always: What the model must always do.
        never: What it must never do.
        at_s: When, in seconds since the epoch.
    """

    kind: Literal["begun"] = "begun"
    provider: str
    model: str
    address: str = ""
    instructions: str = ""
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    at_s: float = 0.0


class CallEndedLine(_Line):
    """One call of the newest answer ended.

    Attributes:
        position: Which call of the answer it is, from 0.
    """

    kind: Literal["call"] = "call"
    position: int
    result: CallResult


class PartChange(_Line):
    """What a person decided about a part.

    Attributes:
        mark: Whether it is pinned or dropped.
        summary: What stands in the place of the result; None for the result itself.
        turns_to_keep: For how many turns it is sent; None leaves it to its tool.
    """

    kind: Literal["part"] = "part"
    part: int
    mark: RetentionMark = RetentionMark.AUTO
    summary: str | None = None
    turns_to_keep: int | None = None


class Titled(_Line):
    """A person named the conversation."""

    kind: Literal["title"] = "title"
    title: str


class ContextRules(_Line):
    """How much of a conversation is sent.

    Attributes:
        turns_to_keep: For how many turns a result stays whose tool does not say; so many turns stay out of a summary.
        tokens: About how many tokens the model reads at once; None when nobody knows.
        summarises: Whether older turns are summed up when what is sent comes near to that.
        without: The tools that the model is not offered.
        on_demand: Whether many tools are searched for; else all are sent.
    """

    kind: Literal["context"] = "context"
    turns_to_keep: int = DEFAULT_TURNS_TO_KEEP
    tokens: int | None = None
    summarises: bool = True
    without: tuple[str, ...] = ()
    on_demand: bool = True


class Compared(_Line):
    """Another conversation answers the same, side by side, until a person chooses one of both.

    Attributes:
        other: The name of the other one; empty once one was chosen.
        said: With which of the things that the person said both began, from 0.
        is_second: Whether this is the one with the second model.
    """

    kind: Literal["compared"] = "compared"
    other: str = ""
    said: int = 0
    is_second: bool = False


JournalLine = (
    Begun
    | UserMessage
    | Answer
    | CallResults
    | CallEndedLine
    | PartChange
    | Titled
    | TurnsSummary
    | ContextRules
    | Compared
)
_LINE: Final[TypeAdapter[JournalLine]] = TypeAdapter(Annotated[JournalLine, Field(discriminator="kind")])


class KeptConversation(BaseModel):
    """What a file says of a conversation.

    Attributes:
        begun: The newest beginning.
        messages: All messages; the calls of the last answer have results, also those that did not end.
        changes: What was decided about parts, by id.
        title: What a person called it; empty for nothing.
        summary: What is sent in the place of the oldest turns; None when all are sent.
        rules: How much of it is sent.
        summing_up: The tokens that summaries took to write.
        compared: What stands beside it; names no other conversation when nothing does.
    """

    model_config = ConfigDict(frozen=True)

    begun: Begun
    messages: tuple[UserMessage | Answer | CallResults, ...]
    changes: dict[int, PartChange]
    title: str = ""
    summary: TurnsSummary | None = None
    rules: ContextRules = ContextRules()
    summing_up: Usage = Usage()
    compared: Compared = Compared()

    def before(self, said: int) -> KeptConversation:
        """Return the beginning of the conversation, up to something that a person said.

        Args:
            said: Which of the things that a person said is the first one left out, from 0.
        """
        places = [at for at, message in enumerate(self.messages) if isinstance(message, UserMessage)]
        end = places[said] if said < len(places) else len(self.messages)
        covered = 0 if self.summary is None else self.summary.turns
        # What a summary covers beyond this is no part of the beginning.
        summary = self.summary if covered < min(said, len(places)) else None
        return self.model_copy(update={"messages": self.messages[:end], "summary": summary})


class ConversationFile:
    """Write down a conversation, line by line.

    Args:
        path: The file; made when something is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(_END)

    def write(self, line: JournalLine) -> None:
        """Write a line, on the disk when it returns.

        Raises:
            ConversationError: When it cannot be written.
        """
        data = _LINE.dump_json(line, exclude_defaults=False) + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(handle, "ab") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ConversationError(f"the conversation cannot be kept in {self.path}: {error.strerror}") from error

    def read(self) -> KeptConversation:
        """Return what was written until now; half a line at the end is that of a program that was killed.

        Raises:
            ConversationError: When the file cannot be read, or is none of ours.
        """
        lines = list(self._lines())
        begun = [line for line in lines if isinstance(line, Begun)]
        if not begun:
            raise ConversationError(f"expected a conversation in {self.path}, got a file that begins with none")
        changes = {line.part: line for line in lines if isinstance(line, PartChange)}
        title = next((line.title for line in reversed(lines) if isinstance(line, Titled)), "")
        summaries = [line for line in lines if isinstance(line, TurnsSummary)]
        summary = summaries[-1] if summaries else None
        return KeptConversation(
            begun=begun[-1],
            messages=tuple(_messages(lines)),
            changes=changes,
            title=title,
            summary=summary if summary is not None and summary.turns else None,
            rules=next((line for line in reversed(lines) if isinstance(line, ContextRules)), ContextRules()),
            summing_up=sum((line.usage for line in summaries), Usage()),
            compared=next((line for line in reversed(lines) if isinstance(line, Compared)), Compared()),
        )

    def write_all(self, kept: KeptConversation) -> None:
        """Write down a whole conversation, as the beginning of another one.

        Raises:
            ConversationError: When it cannot be written.
        """
        for line in (kept.begun, *kept.messages, *kept.changes.values()):
            self.write(line)
        if kept.title:
            self.write(Titled(title=kept.title))
        if kept.summary is not None:
            self.write(kept.summary)
        self.write(kept.rules)

    def put_aside(self) -> None:
        """Take the conversation off the list; `bring_back` undoes it.

        Raises:
            ConversationError: When it cannot be moved.
        """
        self._move(self.path, self._aside)

    def bring_back(self) -> None:
        """Put a conversation that was put aside on the list again.

        Raises:
            ConversationError: When it cannot be moved.
        """
        self._move(self._aside, self.path)

    @property
    def _aside(self) -> Path:
        return self.path.with_suffix(DELETED)

    def _move(self, from_path: Path, to_path: Path) -> None:
        try:
            from_path.replace(to_path)
        except OSError as error:
            raise ConversationError(f"the conversation {self.name} cannot be moved: {error.strerror}") from error

    def _lines(self) -> Iterator[JournalLine]:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            raise ConversationError(f"no conversation is called {self.name!r}; --list names them") from None
        except OSError as error:
            raise ConversationError(f"the conversation {self.path} cannot be read: {error.strerror}") from error
        whole, _, _ = data.rpartition(b"\n")
        for number, text in enumerate(whole.split(b"\n") if whole else (), 1):
            try:
                yield _LINE.validate_json(text)
            except ValidationError as error:
                raise ConversationError(
                    f"line {number} of {self.path} is no line of a conversation ({error.errors()[0]['msg']});"
                    " take it out, or begin a new conversation"
                ) from error


def _messages(lines: list[JournalLine]) -> Iterator[UserMessage | Answer | CallResults]:
    asked: Answer | None = None
    ended: dict[int, CallResult] = {}
    for line in lines:
        if isinstance(line, CallEndedLine):
            ended[line.position] = line.result
            continue
        if not isinstance(line, UserMessage | Answer | CallResults):
            continue
        if asked is not None and not isinstance(line, CallResults):
            yield _ended_results(asked, ended)
        asked, ended = (line if isinstance(line, Answer) and line.calls else None), {}
        yield line
    if asked is not None:
        yield _ended_results(asked, ended)


def _ended_results(asked: Answer, ended: dict[int, CallResult]) -> CallResults:
    """Return the results of calls of which only some ended before the program did."""
    return CallResults(
        results=tuple(
            ended.get(position)
            or CallResult(
                part=0, name=call.name, arguments=call.arguments, status="interrupted", text=INTERRUPTED, is_error=True
            )
            for position, call in enumerate(asked.calls)
        )
    )


def new_file(folder: Path, now_s: float | None = None) -> ConversationFile:
    """Return the file of a new conversation, called after the time."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now_s))
    number, name = 1, stamp
    while (folder / f"{name}{_END}").exists():
        number += 1
        name = f"{stamp}-{number}"
    return ConversationFile(folder / f"{name}{_END}")


def file_of(folder: Path, name: str) -> ConversationFile:
    """Return the file of a conversation.

    Raises:
        ConversationError: When that is no name of one.
    """
    if not _NAME.fullmatch(name):
        raise ConversationError(f"expected the name of a conversation, such as 20261128-203500, got {name!r}")
    return ConversationFile(folder / f"{name}{_END}")


def kept_files(folder: Path) -> list[ConversationFile]:
    """Return the files of all conversations, the newest first."""
    found = [path for path in paths_like(folder, f"*{_END}") if is_file(path)]
    return [ConversationFile(path) for path in sorted(found, key=lambda path: path.stem, reverse=True)]


def drop_deleted(folder: Path) -> None:
    """Remove the conversations that were put aside, for good."""
    for path in paths_like(folder, f"*{DELETED}"):
        path.unlink(missing_ok=True)


def shown_arguments(arguments: Any) -> str:
    """Return arguments as JSON text."""
    return json.dumps(arguments, ensure_ascii=False)
