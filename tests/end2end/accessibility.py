"""What a screen reader learns of a running program: its widgets, their names and states, read over AT-SPI.

Spoken in plain D-Bus, because the usual bindings belong to the system's Python and not to `.venv`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeAlias

from jeepney import DBusAddress, Message, MessageType, Properties, new_method_call
from jeepney.io.blocking import open_dbus_connection

REGISTRY: Final = DBusAddress("/org/a11y/atspi/accessible/root", "org.a11y.atspi.Registry", "org.a11y.atspi.Accessible")
REPLY_S: Final = 20.0
# Their cells are many, and are asked for by `Screen.rows` only.
LARGE: Final = frozenset({"tree", "table", "list", "tree table"})


class State(IntEnum):
    """The bits of AT-SPI's state set that tests look at."""

    CHECKED = 4
    FOCUSED = 12
    ENABLED = 8
    SELECTED = 23
    SENSITIVE = 24
    SHOWING = 25


Reference: TypeAlias = tuple[str, str]
"""Where an accessible object lives: the name of its program on the bus, and its path there."""


class Widget(NamedTuple):
    """What was seen of a widget, and where to ask for more."""

    reference: Reference
    name: str
    role: str
    states: frozenset[State]

    @property
    def enabled(self) -> bool:
        return State.ENABLED in self.states

    @property
    def focused(self) -> bool:
        return State.FOCUSED in self.states


class Rectangle(NamedTuple):
    """A place on the screen, in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y + self.height // 2


def _address(reference: Reference, interface: str) -> DBusAddress:
    return DBusAddress(reference[1], reference[0], f"org.a11y.atspi.{interface}")


class Screen:
    """The widgets of one process.

    Args:
        pid: The process.
    """

    def __init__(self, pid: int) -> None:
        with open_dbus_connection("SESSION") as session:
            bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            (address,) = session.send_and_get_reply(new_method_call(bus, "GetAddress"), timeout=REPLY_S).body
        self._connection = open_dbus_connection(address)
        self._pid = pid
        self._application: Reference | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()

    def windows(self) -> list[Widget]:
        """Return the windows that show, the newest last; a dialog is newer than the window below it."""
        application = self._find_application()
        return self._showing([application]) if application is not None else []

    def widgets(self) -> Iterator[Widget]:
        """Walk through everything that shows, from the windows inwards; the rows of trees and tables are left out."""
        return self._inside(self.windows())

    def _inside(self, level: list[Widget]) -> Iterator[Widget]:
        while level:
            yield from level
            level = self._showing([widget.reference for widget in level if widget.role not in LARGE])

    def _showing(self, parents: Iterable[Reference]) -> list[Widget]:
        return [widget for widget in self._look_at(self._children(parents)) if State.SHOWING in widget.states]

    def rows(self, widget: Widget) -> list[Widget]:
        """Look at the rows of a tree or a table that the widget knows of."""
        return [row for row in self._look_at(self._children([widget.reference])) if row.role != "column header"]

    def find(self, name: str, role: str = "") -> Widget | None:
        """Return the innermost widget that shows and has this name, of the newest window that has one."""
        for window in reversed(self.windows()):
            found = [item for item in self._inside([window]) if item.name == name and role in {"", item.role}]
            if found:
                return found[-1]
        return None

    def matching(self, pattern: str) -> list[Widget]:
        """Return what shows and whose name has the pattern in it."""
        return [widget for widget in self.widgets() if re.search(pattern, widget.name)]

    def names(self) -> list[str]:
        return [f"{widget.role} {widget.name!r}" for widget in self.widgets() if widget.name]

    def focus(self) -> Widget | None:
        """Return the innermost widget that has the keyboard; Qt says so of every selected tab as well."""
        focused = [widget for widget in self.widgets() if widget.focused and widget.role != "page tab" and widget.name]
        return focused[-1] if focused else None

    def again(self, widget: Widget) -> Widget | None:
        """Look at a widget once more; None when it is gone."""
        return next(iter(self._look_at([widget.reference])), None)

    def rectangle(self, widget: Widget) -> Rectangle:
        ((x, y, width, height),) = self._ask(widget.reference, "Component", "GetExtents", "u", (0,))
        return Rectangle(x, y, width, height)

    def text(self, widget: Widget) -> str:
        (text,) = self._ask(widget.reference, "Text", "GetText", "ii", (0, -1))
        return str(text)

    def description(self, widget: Widget) -> str:
        """Return what a widget says of itself besides its name."""
        ((_, text),) = self._replies([Properties(_address(widget.reference, "Accessible")).get("Description")])[0] or (
            ("s", ""),
        )
        return str(text)

    def interfaces(self, widget: Widget) -> list[str]:
        """Return what can be asked of a widget, as in `Text` and `Value`."""
        (names,) = self._ask(widget.reference, "Accessible", "GetInterfaces")
        return [name.rpartition(".")[2] for name in names]

    def _find_application(self) -> Reference | None:
        if self._application is None:
            (children,) = self._reply(new_method_call(REGISTRY, "GetChildren")).body
            bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
            for child in children:
                answer = self._reply(new_method_call(bus, "GetConnectionUnixProcessID", "s", (child[0],)))
                if answer.header.message_type is MessageType.method_return and answer.body == (self._pid,):
                    self._application = child
        return self._application

    def _children(self, parents: Iterable[Reference]) -> list[Reference]:
        asked = [new_method_call(_address(parent, "Accessible"), "GetChildren") for parent in parents]
        return [child for answer in self._replies(asked) if answer for child in answer[0]]

    def _look_at(self, references: Sequence[Reference]) -> list[Widget]:
        asked: list[Message] = []
        for reference in references:
            address = _address(reference, "Accessible")
            asked += (
                Properties(address).get("Name"),
                new_method_call(address, "GetRoleName"),
                new_method_call(address, "GetState"),
            )
        answers = self._replies(asked)
        seen = []
        for index, reference in enumerate(references):
            name, role, states = answers[3 * index : 3 * index + 3]
            if name and role and states:
                bits = states[0][0]
                known = frozenset(state for state in State if bits >> state & 1)
                seen.append(Widget(reference, name[0][1], role[0], known))
        return seen

    def _ask(
        self,
        reference: Reference,
        interface: str,
        method: str,
        signature: str | None = None,
        body: tuple[Any, ...] = (),
    ) -> tuple[Any, ...]:
        message = new_method_call(_address(reference, interface), method, signature, body)
        answer = self._replies([message])[0]
        if answer is None:
            raise LookupError(f"{reference!r} does not answer {interface}.{method}; perhaps it is gone")
        return answer

    def _reply(self, message: Message) -> Message:
        return self._connection.send_and_get_reply(message, timeout=REPLY_S)

    def _replies(self, messages: Sequence[Message]) -> list[tuple[Any, ...] | None]:
        """Send all at once, and return the bodies of the answers in their order; None for what failed.

        One message a turn would take a walk of the window half a second.
        """
        found: dict[int, tuple[Any, ...] | None] = {}
        serials = []
        for message in messages:
            serials.append(next(self._connection.outgoing_serial))
            self._connection.send(message, serial=serials[-1])
        deadline = time.monotonic() + REPLY_S
        while len(found) < len(serials):
            answer = self._connection.receive(timeout=max(0.0, deadline - time.monotonic()))
            serial = answer.header.fields.get(5)
            if serial is not None:
                found[serial] = answer.body if answer.header.message_type is MessageType.method_return else None
        return [found.get(serial) for serial in serials]
