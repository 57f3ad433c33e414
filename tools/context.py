"""What a running tool may say, ask and use: `ToolContext`, injected by type, never global."""

from __future__ import annotations

import asyncio
import math
import mimetypes
import os
import threading
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from tools.calls import (
    REVIEW_TIMEOUT_S,
    Attachment,
    LogEntry,
    Logged,
    Measured,
    Measurement,
    OnTimeout,
    Progress,
    Progressed,
    ReviewDecision,
    Wrote,
)
from tools.errors import DeniedError, ToolFailure
from tools.paths import NO_PROJECT

if TYPE_CHECKING:
    import httpx

    from tools.calls import Event, ToolCall
    from tools.card import ToolCard
    from tools.config import Configurator
    from tools.http import HttpClients
    from tools.network_hosts import Address
    from tools.tool import ToolResult

LogLevel = Literal["debug", "info", "warning", "error"]
KEYRING_SERVICE: Final = "tool-console"
NO_NESTED_CALLS: Final = (
    "{tool} cannot run {other}: only asynchronous tools in the program itself can; make it async with"
    " isolation='inline', or declare a ToolPipeline"
)
MAX_LOG_ENTRIES: Final = 100_000
MAX_WRITTEN_CHARACTERS: Final = 20_000_000


class AskReview(NamedTuple):
    """A tool's own question while it runs.

    Attributes:
        description: What it wants to do or know.
        prompt: A hint for the answer.
        timeout_s: Seconds until silence counts; 0 waits for ever.
        on_timeout: What silence means.
    """

    description: str
    prompt: str = ""
    timeout_s: float = REVIEW_TIMEOUT_S
    on_timeout: OnTimeout = OnTimeout.EXIT_EARLY


class PendingReview:
    """An open question: `await` it in an async tool, call `.wait()` in a synchronous one."""

    def __init__(
        self, ask: Callable[[], Awaitable[ReviewDecision]], loop: asyncio.AbstractEventLoop, loop_thread: int
    ) -> None:
        self._ask = ask
        self._loop = loop
        self._loop_thread = loop_thread

    def __await__(self) -> Generator[Any, None, ReviewDecision]:
        """Wait for the answer without blocking the event loop."""
        return self._ask().__await__()

    def wait(self) -> ReviewDecision:
        """Block this thread until the question is answered.

        Raises:
            RuntimeError: On the event loop's own thread, where it would wait for itself.
            DeniedError: When the call ended before anybody answered.
        """
        if threading.get_ident() == self._loop_thread:
            msg = "wait() would block the event loop; await the review instead"
            raise RuntimeError(msg)

        async def answer() -> ReviewDecision:
            return await self._ask()

        try:
            return asyncio.run_coroutine_threadsafe(answer(), self._loop).result()
        except CancelledError as error:
            msg = "the call ended before the question was answered"
            raise DeniedError(msg) from error


class ToolContext:
    """Be a tool's line to the outside while one call of it runs.

    It is made on the event loop's thread, and safe to use from the tool's own. Once the call has ended, what a thread
    that was left behind still says is dropped: a final response does not change.

    Attributes:
        config: The program's settings.
        grants: What a person allowed this call beyond the ordinary, such as `host:127.0.0.1`.
        has_reviewer: Whether anybody is there to answer; when not, every question is answered with `Continue`.
    """

    def __init__(
        self,
        call: ToolCall,
        *,
        project_dir: Path,
        config: Configurator,
        http: HttpClients,
        loop: asyncio.AbstractEventLoop,
        emit: Callable[[Event], None],
        ask: Callable[[AskReview], Awaitable[ReviewDecision]],
        grants: frozenset[str],
        has_reviewer: bool = True,
        waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
        run_tool: Callable[[str, Mapping[str, Any]], Awaitable[ToolResult]] | None = None,
        find_tool: Callable[[str], ToolCard | None] | None = None,
        refusal_at: Callable[[str, Iterable[Address]], str] | None = None,
    ) -> None:
        self.call = call
        self._project_dir = project_dir
        self.config = config
        self.grants = grants
        self.has_reviewer = has_reviewer
        self._http = http
        self._loop = loop
        self._loop_thread = threading.get_ident()
        self._emit = emit
        self._ask = ask
        self._waiting = waiting
        self._run_tool = run_tool
        self._find_tool = find_tool
        self._refusal_at = refusal_at
        self._dropped = 0
        self._given_up = False
        self._parts: list[str] | None = None
        self._written = 0
        self._line = ""

    @property
    def project_dir(self) -> Path:
        """The folder that relative paths mean.

        Raises:
            ToolFailure: When no project is open.
        """
        if self._project_dir == NO_PROJECT:
            raise ToolFailure("expected a project folder, but no project is open; open a folder, then run it again")
        return self._project_dir

    @property
    def caller(self) -> str:
        return self.call.caller

    @property
    def session(self) -> str:
        """The id of the session that the call comes in, such as that of an MCP client; empty outside of sessions."""
        return self.call.session

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked to stop; long synchronous tools look now and then."""
        return self.call.cancel_requested or self._over

    @property
    def _over(self) -> bool:
        return self._given_up or self.call.response.status.final

    def give_up(self) -> None:
        """Turn away from this attempt: its time is up, and what its thread still says or asks is dropped."""
        self._given_up = True

    def refusal_at(self, url: str, addresses: Iterable[Address]) -> str:
        """Return why the policy lets nobody go to an address now; empty when it does.

        Ask before each connection, of redirects as well: a name may lead to another address than when the call was
        judged.

        Args:
            addresses: What its host leads to.
        """
        return "" if self._refusal_at is None else self._refusal_at(url, addresses)

    @property
    def http(self) -> httpx.AsyncClient:
        return self._http.asynchronous

    @property
    def blocking_http(self) -> httpx.Client:
        return self._http.blocking

    def log(self, level: LogLevel, text: str) -> None:
        """Write a line to the call's log, shown live.

        Lines after the hundred-thousandth are counted, not kept; the last line says how many.
        """
        if self._over:
            return
        logs = self.call.response.logs
        entry = LogEntry(perf_counter() - self.call.started, level, self.call.scrubbed(text))
        if len(logs) >= MAX_LOG_ENTRIES:
            # The first one too many takes the place of a line, so two are lost then.
            self._dropped += 1 if self._dropped else 2
            entry = entry._replace(level="warning", text=f"{self._dropped:,} more lines were not kept")
            logs[-1] = entry
            return
        logs.append(entry)
        self._emit(Logged(self.call, entry))

    def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        if self._over:
            return
        self._emit(Progressed(self.call, Progress(done, total, self.call.scrubbed(text))))

    def write(self, text: str) -> None:
        """Show a further part of a text while the work goes on, such as an answer that arrives word by word.

        It is no result: what the tool returns stands for itself. Of a call that is stopped, it is what is left. A call
        that has secrets shows whole lines only, for a secret may come in two parts. After 20 million letters no more
        are kept.
        """
        if self._over or not text:
            return
        if self.call.hides_something:
            lines, found, self._line = f"{self._line}{text}".rpartition("\n")
            if not found:
                return
            text = self.call.scrubbed(f"{lines}\n")
        room = MAX_WRITTEN_CHARACTERS - self._written
        if room <= 0:
            return
        if self._parts is None:
            self._parts = []
            self.call.response.parts = self._parts
        start, self._written = self._written, self._written + len(text)
        self._parts.append(text[:room])
        self._emit(Wrote(self.call, text[:room], start))

    def attach(self, content: bytes | Path, mime_type: str | None = None, name: str | None = None) -> None:
        """Add a file to the response; what is in it is nobody's to look through, so put no secret there.

        Args:
            content: The bytes, or a file that is read now.
            mime_type: What it is; None guesses from the name.
            name: The file name; None takes the path's, or numbers it.
        """
        if self._over:
            return
        attachments = self.call.response.attachments
        file = file_of(content, mime_type, name, len(attachments) + 1)
        attachments.append(file._replace(name=self.call.scrubbed(file.name)))

    def detach(self, name: str) -> bool:
        """Take a file out of the response again, the newest of that name.

        Returns:
            Whether there was one.
        """
        if self._over:
            return False
        attachments = self.call.response.attachments
        name = self.call.scrubbed(name)
        for place in reversed(range(len(attachments))):
            if attachments[place].name == name:
                del attachments[place]
                return True
        return False

    def count(self, name: str, value: float = 1.0) -> None:
        """Let a counter of this tool grow; see `ToolMetrics.counter`.

        Raises:
            ValueError: When the value is no finite number.
        """
        self._measured(Measurement(name, value, counted=True))

    def observe(self, name: str, value: float) -> None:
        """Tell one value of many that have a mean and bounds; see `ToolMetrics.measure`.

        Args:
            name: What was measured, with its unit, such as `size_bytes`.

        Raises:
            ValueError: When the value is no finite number.
        """
        self._measured(Measurement(name, value, counted=False))

    def _measured(self, measurement: Measurement) -> None:
        if not math.isfinite(measurement.value):
            msg = f"expected a finite number for {measurement.name!r}, got {measurement.value!r}"
            raise ValueError(msg)
        self._tell_measured(measurement)

    def _tell_measured(self, measurement: Measurement) -> None:
        if not self._over:
            self._emit(Measured(self.call, measurement._replace(name=self.call.scrubbed(measurement.name))))

    def request_approval(
        self,
        description: str,
        *,
        prompt: str = "",
        timeout_s: float = REVIEW_TIMEOUT_S,
        on_timeout: OnTimeout = OnTimeout.EXIT_EARLY,
    ) -> PendingReview:
        """Ask a person in the middle of the work; without a reviewer the answer is `Continue`.

        The tool's timeout does not run while the question is open.

        Args:
            description: What the tool is about to do, or wants to know.
            prompt: A hint for the answer.
            timeout_s: Seconds until silence counts; 0 waits for ever.
            on_timeout: What silence means.
        """
        return self._pending(AskReview(description, prompt, timeout_s, on_timeout))

    def _pending(self, ask: AskReview) -> PendingReview:
        return PendingReview(lambda: self._put(ask), self._loop, self._loop_thread)

    async def run_tool(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run another tool of the program, as a call of its own: with its own rules, questions, limits and record.

        It is for asynchronous tools that run in the program itself. While a person is asked about the other tool, the
        time limits of this one stand still. Who stops this call stops the other one too. What the other tool hides in
        its own record is no secret here: give it to nobody who would show it.

        Returns:
            What came of it: output and structured value, or why it did not succeed.

        Raises:
            ToolFailure: When tools cannot be run from here, or run each other without an end.
            ExitEarlyError: When the reviewer stopped the whole run.
        """
        if self._over:
            raise ToolFailure(f"{self.call.name} cannot run {name}: its call has ended")
        if self._run_tool is None or asyncio.get_running_loop() is not self._loop:
            raise ToolFailure(NO_NESTED_CALLS.format(tool=self.call.name, other=name))
        return await self._run_tool(name, arguments)

    def find_tool(self, name: str) -> ToolCard | None:
        """Return what is known of a tool that `run_tool` would run; None when there is none, or none can be run."""
        return None if self._find_tool is None else self._find_tool(name)

    def waiting_for_person(self) -> AbstractContextManager[None]:
        """Let the call's time limits stand still in a block in which the tool waits for a person by itself.

        It is for the event loop's thread.
        """
        return nullcontext() if self._over else self._waiting()

    async def _put(self, ask: AskReview) -> ReviewDecision:
        if self._over:
            msg = f"the call of {self.call.name!r} has ended, so nobody can be asked any more"
            raise DeniedError(msg)
        return await self._ask(ask)

    def keep_for(self, turns: int) -> None:
        """Say how many turns the result stays in a conversation: 0 is gone next turn, negative is for ever."""
        if not self._over:
            self.call.response.turns_to_keep = turns

    def require_api_key(self, name: str) -> str:
        """Return a secret from the environment, else from the system's keyring.

        Args:
            name: The environment variable, which is also the keyring entry's name.

        Raises:
            ToolFailure: When neither has it; the message names the variable.
        """
        return require_api_key(name)


def file_of(content: bytes | Path, mime_type: str | None, name: str | None, number: int) -> Attachment:
    """Return a file as `ToolContext.attach` takes it; one without a name has that number."""
    if isinstance(content, Path):
        name = name or content.name
        content = content.read_bytes()
    name = name or f"attachment-{number}"
    return Attachment(name, mime_type or mimetypes.guess_type(name)[0] or "application/octet-stream", content)


def find_api_key(name: str) -> str | None:
    """Return a secret from the environment, else from the system's keyring; None when neither has it.

    It may wait for the keyring.
    """
    if value := os.environ.get(name):
        return value
    import keyring  # noqa: PLC0415 -- looks for the system's keyrings, and few calls need one
    import keyring.errors  # noqa: PLC0415 -- as above

    try:
        return keyring.get_password(KEYRING_SERVICE, name) or None
    except keyring.errors.KeyringError:
        return None


def require_api_key(name: str) -> str:
    """Return a secret from the environment, else from the system's keyring.

    Raises:
        ToolFailure: When neither has it; the message names the variable.
    """
    if stored := find_api_key(name):
        return stored
    msg = f"the API key {name!r} is missing: set the environment variable {name}, or store it in the keyring"
    raise ToolFailure(msg)
