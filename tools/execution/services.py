"""What an executor lends to the steps of its calls."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, get_args

from tools.calls import CallFinished, Event, GuardChanged, Measured
from tools.config import Configurator
from tools.execution.access import AccessProvider
from tools.execution.call_log import LogOnce
from tools.execution.open_questions import OpenQuestions
from tools.execution.threads import ToolThreads
from tools.execution.workers import WorkerPool
from tools.http import HttpClients
from tools.metrics import ToolMetrics
from tools.paths import NO_PROJECT, plain_path
from tools.protected import ProtectedKind, ProtectedPlace, ProtectedPlaces
from tools.review import ReviewHandler
from tools.review.handlers import ReviewFunction

if TYPE_CHECKING:
    from tools.calls import CallOrigin, ToolCall, ToolResponse
    from tools.policy import Policy
    from tools.registry import ToolRegistry
    from tools.tool import Tool

Listener = Callable[[Event], None]
"""Receives the events of all calls; from the event loop's thread, logs and progress from the tool's own."""

EVENT_TYPES: Final[tuple[type, ...]] = get_args(Event)
_log = logging.getLogger(__name__)


class CallMaker(Protocol):
    """Makes and executes calls: the executor, as other parts of it see it."""

    @property
    def registry(self) -> ToolRegistry:
        """The tools."""

    async def propose(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        caller: str,
        bypass_cache: bool = False,
        origin: CallOrigin | None = None,
    ) -> ToolCall:
        """Check a call and convert its arguments."""

    async def execute(self, call: ToolCall) -> ToolResponse:
        """Run a call."""


@dataclass(eq=False)
class Services:
    """Hold the ports and counters that all calls of one executor share.

    Attributes:
        lacks_project: Whether no project is open, so that the folder means nothing.
        questions: The questions that are open.
        tool_now: Returns the tool that a new call of a name would run; None when none would.
        calls: Runs the tools that running tools use; None when nothing does.
        tell: Tells whoever wants a type of event; None when nobody does, so that the event need not even be made.
        listener_count: How many listeners are told of the end of a call.
    """

    review_handler: ReviewHandler | ReviewFunction | None = None
    project_dir: Path = field(default_factory=Path.cwd)
    config: Configurator = field(default_factory=Configurator)
    app_objects: tuple[object, ...] = ()
    http: HttpClients = field(default_factory=HttpClients)
    metrics: ToolMetrics = field(default_factory=ToolMetrics)
    workers: WorkerPool = field(default_factory=WorkerPool)
    access: AccessProvider | None = None
    policy: Policy | None = None
    protected: tuple[ProtectedPlace, ...] = ()
    tool_now: Callable[[str], Tool | None] = lambda _: None
    calls: CallMaker | None = None

    def __post_init__(self) -> None:
        self.move_to(self.project_dir)
        self.threads = ToolThreads()
        self._places: ProtectedPlaces | None = None
        self.questions = OpenQuestions()
        self._listeners: dict[type, tuple[Listener, ...]] = {
            **dict.fromkeys(EVENT_TYPES, ()),
            Measured: (self.metrics.take,),
        }
        self._said = LogOnce(_log)
        self._on_listeners_changed()
        self.question_ids = count(1)

    def move_to(self, folder: Path) -> None:
        """Have relative paths mean another folder, for workers as well."""
        self.project_dir = self.workers.folder = plain_path(folder)
        self.lacks_project = self.project_dir == NO_PROJECT

    def add_listener(self, listener: Listener) -> Callable[[], None]:
        """Tell a function about events: all of them, or those types that its attribute `wants` names.

        Returns:
            The undo.
        """
        wanted: Iterable[type] = getattr(listener, "wants", EVENT_TYPES)
        for kind in wanted:
            self._listeners[kind] = (*self._listeners[kind], listener)
        self._on_listeners_changed()

        def remove() -> None:
            for kind, told in self._listeners.items():
                self._listeners[kind] = tuple(item for item in told if item is not listener)
            self._said.forget(listener)
            self._on_listeners_changed()

        return remove

    def _on_listeners_changed(self) -> None:
        self.tell = {kind: self._teller(told) for kind, told in self._listeners.items()}
        self.listener_count = len(self._listeners[CallFinished])

    def _teller(self, listeners: tuple[Listener, ...]) -> Listener | None:
        if len(listeners) != 1:
            return self.emit if listeners else None
        (only,) = listeners

        def tell_one(event: Event) -> None:
            # Every call comes by here four times, and a loop takes as long as the listener; see `new_tuple`.
            try:
                only(event)
            except Exception as error:  # noqa: BLE001 -- a listener is foreign code
                self._complain(only, event, error)

        return tell_one

    def emit(self, event: Event) -> None:
        """Tell everybody who wants this type of event; what a listener raises is logged once and harms nobody."""
        for listener in self._listeners[type(event)]:
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001 -- a listener is foreign code
                self._complain(listener, event, error)

    def _complain(self, listener: Listener, event: Event, error: Exception) -> None:
        call = None if isinstance(event, GuardChanged) else event.call
        self._said.say(listener, error, "a listener failed on %s; the call goes on", type(event).__name__, call=call)

    async def until_recorded(self) -> None:
        """Return when each listener that can say so, by a method of this name, has on disk what it was told."""
        for listener in self._listeners[CallFinished]:
            if (until_recorded := getattr(listener, "until_recorded", None)) is not None:
                await until_recorded()

    @property
    def policy_version(self) -> str:
        """The version of the policy as it is now; empty without one."""
        return "" if self.policy is None else self.policy.version

    def protected_places(self) -> ProtectedPlaces:
        """Return what no tool changes unless a person says yes to exactly that, for one call."""
        places = self._places
        # A program may change its HOME while it runs: the files of the new home decide what runs from then on.
        if places is None or (places.project_dir, places.home) != (self.project_dir, Path.home()):
            file = None if self.policy is None else self.policy.user_path
            own = () if file is None else (ProtectedPlace(ProtectedKind.POLICY, file, "your policy"),)
            places = self._places = ProtectedPlaces(self.project_dir, (*own, *self.protected))
        return places.anew()
