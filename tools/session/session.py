"""`Session`: the turns of one conversation, who decides about their calls, and how long a model sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from tools.calls import CallError, CallOrigin, ErrorKind, ToolCall
from tools.errors import CallStateError, ExitEarlyError, ReviewTimeoutError, ToolConfigurationError
from tools.retention import DEFAULT_TURNS_TO_KEEP, RetentionMark, inherited, is_visible, turns_left
from tools.session.turns import KeptPart, PartsOwner, Turn, TurnPart, TurnResult

if TYPE_CHECKING:
    from tools.calls import ToolResponse
    from tools.execution.executor import Executor
    from tools.tool import Tool

MOST_NAMED: Final = 10
"""How many ids a message about a wrong one names."""

Asked = tuple[str, Mapping[str, Any] | str | bytes]
"""A tool's name and the arguments, by name or as JSON text."""


class Session:
    """Run what a model asks for, turn by turn, and keep what came of it as long as it is of use.

    A turn whose calls raise no question runs by itself. One with a single call that a person must be asked about waits
    as a whole: nothing of it runs before the person has decided. Use a session from one event loop, one turn at a time.

    Args:
        executor: Runs the calls.
        max_iterations: Most calls until `begin_task`; further ones are skipped and the model is told to answer. None
            means no limit.
        default_turns_to_keep: How long a result stays when neither it, nor its tool, nor the toolkit says anything.
        model: The language model that asks for the calls, as its provider names it; empty when none does.
        allows: Says whether a tool may be called here; a call of another one is refused. None allows all.
        owner: Whose context the tools of `tools.session.context_window` shape; None is the session's own.
        tools: Tools of this session alone, which stand in no registry.

    Source: seed 4, §2.5; seed 3, "Tool System".
    """

    def __init__(
        self,
        executor: Executor,
        *,
        caller: str = "agent",
        max_iterations: int | None = None,
        default_turns_to_keep: int = DEFAULT_TURNS_TO_KEEP,
        model: str = "",
        allows: Callable[[str], bool] | None = None,
        owner: PartsOwner | None = None,
        tools: Iterable[Tool] = (),
    ) -> None:
        if max_iterations is not None and max_iterations < 0:
            msg = f"max_iterations must be 0 or more, or None for no limit; it is {max_iterations}"
            raise ValueError(msg)
        self._executor = executor
        self._caller = caller
        self._max_iterations = max_iterations
        self.default_turns_to_keep = default_turns_to_keep
        own = {tool.name: tool for tool in tools}
        self._origin = CallOrigin(owner=self if owner is None else owner, model=model, tools=own)
        self._allows = allows
        self._turns: list[Turn] = []
        self._part_by_id: dict[int, TurnPart] = {}
        self._part_numbers = count(1)
        self._iterations = 0

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, oldest first."""
        return tuple(self._turns)

    @property
    def iterations_left(self) -> int | None:
        """How many calls the model may still make in this task; None without a limit."""
        return None if self._max_iterations is None else max(0, self._max_iterations - self._iterations)

    def begin_task(self) -> None:
        """Count calls anew: a person has said something new."""
        self._iterations = 0

    async def run_turn(self, calls: Iterable[Asked]) -> TurnResult:
        """Prepare a turn, and run it if nobody has to be asked about any of its calls.

        Returns:
            What came of it; or that it waits, and then `start` runs what a person left of it.

        Raises:
            CallStateError: When the turn before still waits.
            ToolConfigurationError: When the program cannot run one of the tools.
            ExitEarlyError: When a tool's question was answered with a stop of everything.
        """
        turn = await self.prepare_turn(calls)
        if turn.runs_by_itself:
            return await self.start(turn)
        return self.result(turn)

    async def prepare_turn(self, calls: Iterable[Asked]) -> Turn:
        """Check the calls of a turn and find out which of them a person must be asked about; nothing runs.

        An empty turn is one in which the model called nothing; what came before it grows older all the same.

        Raises:
            CallStateError: When the turn before still waits.
        """
        if self._turns and (left := self._turns[-1].pending):
            msg = f"turn {self._turns[-1].number} has {len(left)} calls that wait; start or decline them first"
            raise CallStateError(msg)
        turn = Turn(len(self._turns) + 1)
        self._turns.append(turn)
        turn.parts = tuple(self._propose(turn, name, arguments) for name, arguments in calls)
        await self.look_again(turn)
        return turn

    async def look_again(self, turn: Turn) -> None:
        """Find out anew which calls of a turn a person must be asked about."""
        for part in turn.pending:
            part.concerns = await self._executor.proposals.concerns(part.call)

    async def start(self, turn: Turn, *, by: str = "", feedback: str = "") -> TurnResult:
        """Run what is pending of a turn: side by side, but one at a time of a tool that wants no company.

        Args:
            by: The person who looked at its calls and agrees to them. Empty asks the executor's review handler about
                those that raise a question, all of them before any call runs.
            feedback: The person's words about the calls, for the model.

        Raises:
            ToolConfigurationError: When there is something to ask and nobody to ask, or the program cannot run a tool.
            ReviewTimeoutError: When nobody answered and the question says that this is an error.
            ExitEarlyError: When the reviewer stopped everything; what still ran is stopped too.
        """
        try:
            await self._decide(turn, by, feedback)
            if not any(part.call.aborted for part in turn.parts):
                await self._together([self._run_lane(lane) for lane in _lanes(turn.pending)], turn)
        except ExitEarlyError:
            for part in turn.pending:
                part.call.cancel()
                await self._executor.execute(part.call)
            raise
        return self.result(turn)

    def result(self, turn: Turn) -> TurnResult:
        """Return what came of a turn so far."""
        calls = tuple(part.call for part in turn.parts)
        return TurnResult(turn.number, calls, waits=bool(turn.pending), limit_reached=turn.limit_reached)

    def _propose(self, turn: Turn, name: str, arguments: Mapping[str, Any] | str | bytes) -> TurnPart:
        call = self._executor.create_call(name, arguments, caller=self._caller, origin=self._origin)
        part = TurnPart(next(self._part_numbers), turn.number, call)
        self._part_by_id[part.id] = part
        if self.iterations_left == 0:
            turn.limit_reached = True
            if part.pending:
                self._skip(call)
        else:
            self._iterations += 1
            if part.pending and self._allows is not None and not self._allows(call.name):
                message = f"the tool {call.name!r} is not offered in this session"
                remedy = "Call one of the tools that you were sent."
                self._executor.proposals.refuse(call, CallError(ErrorKind.DISABLED, message, remedy=remedy))
        return part

    def _skip(self, call: ToolCall) -> None:
        self._executor.metrics.count("skipped_max_iterations", tool=call.name)
        message = f"the limit of {self._max_iterations} calls is reached, so {call.name!r} was skipped"
        remedy = "Make no further calls; answer now with what you have."
        self._executor.proposals.refuse(call, CallError(ErrorKind.MAX_ITERATIONS, message, remedy=remedy))

    async def _decide(self, turn: Turn, by: str, feedback: str) -> None:
        """Have every question of a turn answered, before any of its calls runs."""
        proposals = self._executor.proposals
        asked = [part for part in turn.pending if part.concerns]
        if by:
            for part in asked:
                proposals.approve(part.call, part.concerns, by=by, feedback=feedback)
        else:
            await self._together([proposals.ask(part.call) for part in asked], turn)
        if feedback:
            for part in turn.pending:
                proposals.say(part.call, feedback)

    async def _run_lane(self, lane: list[TurnPart]) -> None:
        error: Exception | None = None
        aborted = False
        for part in lane:
            # Somebody may have declined it while it waited for the one before.
            if part.pending and not aborted:
                try:
                    await self._executor.execute(part.call)
                except (ToolConfigurationError, ReviewTimeoutError) as caught:
                    error = error or caught
            # The program ends: nothing more is begun.
            aborted = aborted or part.call.aborted
        if error is not None:
            raise error

    async def _together(self, works: list[Coroutine[Any, Any, None]], turn: Turn) -> None:
        """Do several things at once and wait for all of them; who stops everything stops the others as well."""
        if len(works) == 1:
            await works[0]
            return

        def stop_others(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and isinstance(task.exception(), ExitEarlyError):
                for part in turn.parts:
                    part.call.cancel()

        tasks = [asyncio.ensure_future(work) for work in works]
        for task in tasks:
            task.add_done_callback(stop_others)
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        errors = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        errors.sort(key=lambda error: not isinstance(error, ExitEarlyError))
        if errors:
            raise errors[0]

    async def edit(self, part_id: int, arguments: Mapping[str, Any] | str, *, by: str = "you") -> None:
        """Give a pending call other arguments; whether somebody must be asked about it is found out anew.

        Raises:
            ArgumentsError: When they do not fit; the call is as it was.
            CallStateError: When it is not pending, or there is no such part.
        """
        part = self.part(part_id)
        self._executor.proposals.revise(part.call, arguments, part.concerns, by=by)
        part.concerns = await self._executor.proposals.concerns(part.call)

    def decline(self, part_id: int, reason: str = "", *, by: str = "you") -> None:
        """Refuse a pending call: it never runs, and the model reads so.

        Raises:
            CallStateError: When it is not pending, or there is no such part.
        """
        part = self.part(part_id)
        self._executor.proposals.decline(part.call, reason, part.concerns, by=by)

    def give_feedback(self, part_id: int, words: str) -> None:
        """Add a person's words to what the model reads of a call, before or after it ran.

        Raises:
            CallStateError: When there is no such part.
        """
        self._executor.proposals.say(self.part(part_id).call, words)

    def stop(self, part_id: int | None = None) -> int:
        """Stop a running call, or all of them; one that has not begun ends when it would.

        Returns:
            How many had anything left to stop.
        """
        parts = self._part_by_id.values() if part_id is None else [self.part(part_id)]
        return sum(part.call.cancel() for part in parts)

    async def clear(self, part_id: int, arguments: Mapping[str, Any] | None = None) -> TurnPart:
        """Put a pending repetition in the place of a call that ended; `TurnPart.calls` keeps what came of the old one.

        Args:
            arguments: Other arguments; None takes those that ran.

        Raises:
            CallStateError: When it has not ended, or there is no such part.
        """
        part = self.part(part_id)
        if not part.response.status.final:
            msg = f"part {part_id} ({part.call.name}) has not ended ({part.response.status.value}); stop it first"
            raise CallStateError(msg)
        origin = self._origin._replace(retry_of=part.calls[0].id)
        given = _given(part.call) if arguments is None else arguments
        call = self._executor.create_call(part.call.name, given, caller=self._caller, bypass_cache=True, origin=origin)
        part.calls.append(call)
        part.concerns = await self._executor.proposals.concerns(call)
        return part

    async def run_again(
        self, part_id: int, arguments: Mapping[str, Any] | None = None, *, by: str = ""
    ) -> ToolResponse:
        """Repeat a call that ended, whatever came of it; a known result is passed over.

        Args:
            arguments: Other arguments; None takes those that ran.
            by: The person who asked for it and agrees to it; empty asks the executor's review handler if need be.

        Raises:
            CallStateError: When it has not ended, or there is no such part.
            ToolConfigurationError: As `start`.
            ExitEarlyError: As `start`.
        """
        part = await self.clear(part_id, arguments)
        if part.pending:
            if by and part.concerns:
                self._executor.proposals.approve(part.call, part.concerns, by=by)
            await self._executor.execute(part.call)
        return part.response

    def part(self, part_id: int) -> TurnPart:
        """Return a part.

        Raises:
            CallStateError: When there is none of that id.
        """
        try:
            return self._part_by_id[part_id]
        except KeyError:
            known = [str(known) for known in self._part_by_id]
            newest = ", ".join(known[-MOST_NAMED:]) or "none"
            msg = f"no part of this session has the id {part_id}; the newest are: {newest}"
            raise CallStateError(msg) from None

    def set_turns_to_keep(self, part_id: int, turns: int | None) -> None:
        """Say how long a part stays: 0 is gone next turn, negative is for ever, None leaves it to its tool.

        Raises:
            CallStateError: When there is no such part.
        """
        self.part(part_id).turns_to_keep = turns

    def mark(self, part_id: int, mark: RetentionMark) -> None:
        """Pin or prune a part, or leave it to its age again.

        Raises:
            CallStateError: When there is no such part.
        """
        self.part(part_id).mark = mark

    def mark_turn(self, number: int, mark: RetentionMark) -> None:
        """Pin or prune all parts of a turn, or leave them to their age again.

        Raises:
            CallStateError: When there is no such turn.
        """
        if not 1 <= number <= len(self._turns):
            msg = f"this session has no turn {number}; it has {len(self._turns)}"
            raise CallStateError(msg)
        self._turns[number - 1].mark = mark

    def turns_to_keep(self, part: TurnPart) -> int:
        """Return what holds for a part: its own, else the tool's outcome, the tool, the toolkit, the session."""
        return inherited(self.said_turns_to_keep(part), default=self.default_turns_to_keep)

    def said_turns_to_keep(self, part: TurnPart) -> int | None:
        """Return what a part itself, the tool's outcome, the tool or the toolkit says; None when nothing does."""
        tool = part.call.tool
        # A toolkit's retention is written on the cards of those of its tools that have none.
        declared = None if tool is None else tool.spec.turns_to_keep
        said = (part.turns_to_keep, part.response.turns_to_keep, declared)
        return next((turns for turns in said if turns is not None), None)

    def turns_left(self, part: TurnPart) -> int | None:
        """Return for how many further turns a part stays by its age; None is for ever, below 0 it is gone."""
        return turns_left(self.turns_to_keep(part), self._age(part))

    def is_visible(self, part: TurnPart) -> bool:
        """Return whether the model sees a part; what has not ended is never taken away."""
        if not part.response.status.final:
            return True
        turn = self._turns[part.turn - 1]
        return is_visible(self.turns_to_keep(part), self._age(part), part.mark, turn.mark)

    def visible_parts(self) -> tuple[TurnPart, ...]:
        """Return what the model sees now, in the order it was asked for."""
        return tuple(part for part in self._part_by_id.values() if self.is_visible(part))

    def kept_parts(self, asking: ToolCall) -> list[KeptPart]:
        """Return what the model may know of the parts that it sees, besides the call that asks."""
        return [
            KeptPart(
                part.id,
                part.turn,
                part.call.name,
                part.response.status.value,
                self.turns_left(part),
                part.mark.value,
            )
            for part in self.visible_parts()
            if part.call is not asking
        ]

    def drop_hidden(self) -> int:
        """Let go of what the model no longer sees, for good: its memory is free, and no mark brings it back.

        Returns:
            How many parts that were.
        """
        hidden = [part for part in self._part_by_id.values() if not self.is_visible(part)]
        for part in hidden:
            del self._part_by_id[part.id]
            turn = self._turns[part.turn - 1]
            turn.parts = tuple(other for other in turn.parts if other is not part)
        return len(hidden)

    def _age(self, part: TurnPart) -> int:
        return len(self._turns) - part.turn


def _lanes(parts: Iterable[TurnPart]) -> list[list[TurnPart]]:
    """Return the parts in lanes that run side by side; the calls of a tool that wants no company share one."""
    lanes: list[list[TurnPart]] = []
    lane_by_tool: dict[str, list[TurnPart]] = {}
    for part in parts:
        tool = part.call.tool
        if tool is None or tool.spec.parallelizable:
            lanes.append([part])
        elif part.call.name in lane_by_tool:
            lane_by_tool[part.call.name].append(part)
        else:
            lane_by_tool[part.call.name] = [part]
            lanes.append(lane_by_tool[part.call.name])
    return lanes


def _given(call: ToolCall) -> Mapping[str, Any] | str | bytes:
    """Return the arguments that a repetition gets: those that ran, or those that came when none fitted."""
    if call.tool is None or not call.arguments:
        return call.given
    try:
        return call.tool.arguments.dump(call.arguments)
    except TypeError:
        # A program may pass objects that have no JSON form.
        return call.given
