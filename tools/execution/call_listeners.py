"""Call listeners: the start and the end of each call, for programs that want no more than that."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from tools.calls import CallFinished, CallStarted, Event
from tools.execution.call_log import LogOnce
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

_log = logging.getLogger(__name__)


class CallListener(Protocol):
    """Be told when calls begin to run and when they ended, on the event loop's thread.

    A call that was refused when it was made never began, so nothing is told of it. What a listener raises harms no
    call and no other listener. Source: seed 2, "See also" (`setToolCallListener`).
    """

    def on_tool_call_start(self, name: str, arguments: Mapping[str, JsonValue], /) -> None:
        """Take note of a call that begins.

        Args:
            arguments: As people may see them.
        """

    def on_tool_call_complete(self, name: str, result: JsonValue, success: bool, latency_ms: float, /) -> None:  # noqa: FBT001 -- the reference's order
        """Take note of a call that ended.

        Args:
            result: The JSON result as people may see it, None when there is none; of a failure the text that tells it.
            success: Whether the tool ran without failing, or its result was known.
            latency_ms: Milliseconds since it began.
        """


class CompositeCallListener:
    """Tell several call listeners, in order, whatever one of them raises.

    Args:
        listeners: Who is told.
    """

    def __init__(self, *listeners: CallListener) -> None:
        self._listeners = listeners
        self._said = LogOnce(_log)

    def on_tool_call_start(self, name: str, arguments: Mapping[str, JsonValue], /) -> None:
        for listener in self._listeners:
            try:
                listener.on_tool_call_start(name, arguments)
            except Exception as error:  # noqa: BLE001 -- a listener is foreign code
                self._said.say(listener, error, "a call listener failed at the start of %s; the call goes on", name)

    def on_tool_call_complete(self, name: str, result: JsonValue, success: bool, latency_ms: float, /) -> None:  # noqa: FBT001 -- the reference's order
        for listener in self._listeners:
            try:
                listener.on_tool_call_complete(name, result, success, latency_ms)
            except Exception as error:  # noqa: BLE001 -- a listener is foreign code
                self._said.say(listener, error, "a call listener failed at the end of %s; the call goes on", name)


class CallEvents:
    """Receive events, and tell a call listener what it wants of them."""

    wants = (CallStarted, CallFinished)

    def __init__(self, listener: CallListener) -> None:
        self._listener = listener
        self._began_by_call: dict[str, float] = {}

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallStarted):
            call = event.call
            self._began_by_call[call.id] = perf_counter()
            self._listener.on_tool_call_start(call.name, call.display_arguments())
        elif isinstance(event, CallFinished):
            began = self._began_by_call.pop(event.call.id, None)
            if began is None:
                return
            call = event.call
            success = call.response.succeeded
            result: Any = call.display_result() if success else call.display_text()
            latency_ms = (perf_counter() - began) * 1000
            self._listener.on_tool_call_complete(call.name, None if result is MISSING else result, success, latency_ms)
