"""Talk to the notification service of a freedesktop desktop over D-Bus, in a thread of its own.

Source: Desktop Notifications Specification 1.3. Qt's own D-Bus classes cannot send what it asks for: an unsigned number
from Python always leaves as a signed one (PySide6 6.11).
"""

from __future__ import annotations

import html
import logging
import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from console.language import tr

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.threading import DBusConnection


DEFAULT_ACTION: Final = "default"
"""What a click on the notice itself chooses."""

_NAME: Final = "org.freedesktop.Notifications"
_PATH: Final = "/org/freedesktop/Notifications"
_NORMAL, _CRITICAL = 1, 2
_SERVICE_DECIDES: Final = -1
_ANSWER_S: Final = 3.0

_log = logging.getLogger(__name__)


class DesktopNotice(NamedTuple):
    """Something to tell.

    Attributes:
        key: What tells it apart; a later notice of the same key takes its place.
        title: What happened, in a few words.
        text: What it means, in a sentence or two.
        actions: What can be done at once: a key and words for each.
        urgent: Whether it stays until somebody has seen it.
        sounds: Whether the desktop may sound.
    """

    key: str
    title: str
    text: str
    actions: tuple[tuple[str, str], ...] = ()
    urgent: bool = False
    sounds: bool = False


class Chosen(NamedTuple):
    """The person chose an action of a notice, or clicked it."""

    key: str
    action: str


class Closed(NamedTuple):
    """A notice is not shown any more."""

    key: str


class Refused(NamedTuple):
    """This desktop cannot show a notice."""

    notice: DesktopNotice


NoticeEvent = Chosen | Closed | Refused


class DesktopNotices:
    """Show notices, and tell what is done with them. The thread begins with the first notice.

    Args:
        receive: Is told everything; called in the thread of this class.
        connect: Opens the connection to the session's bus.
    """

    def __init__(
        self, receive: Callable[[NoticeEvent], None], connect: Callable[[], DBusConnection] | None = None
    ) -> None:
        self._receive = receive
        self._connect = connect or _connect_to_session
        self._commands: queue.SimpleQueue[DesktopNotice | str | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._connection: DBusConnection | None = None
        self._capabilities: frozenset[str] = frozenset()
        self._number_by_key: dict[str, int] = {}
        self._asked: dict[int, DesktopNotice] = {}
        self._next_by_key: dict[str, DesktopNotice | None] = {}

    def show(self, notice: DesktopNotice) -> None:
        self._commands.put(notice)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="desktop notices", daemon=True)
            self._thread.start()
        self._wake()

    def withdraw(self, key: str) -> None:
        self._commands.put(key)
        self._wake()

    def close(self, timeout_s: float = 1.0) -> None:
        """End the thread; notices that are shown stay the desktop's.

        Args:
            timeout_s: The longest wait in seconds.
        """
        self._commands.put(None)
        self._wake()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _wake(self) -> None:
        connection = self._connection
        if connection is not None:
            connection.interrupt()

    def _run(self) -> None:
        try:
            connection = self._connect()
        except Exception as error:  # noqa: BLE001 -- whatever is wrong with the bus, there is none
            _log.info("this desktop shows no notices: %s", error)
            self._refuse_all()
            return
        try:
            self._serve(connection)
        except OSError as error:
            _log.info("the desktop's bus went away: %s", error)
            self._refuse_all()
        finally:
            self._connection = None
            connection.close()

    def _refuse_all(self) -> None:
        """Tell of each notice that it cannot be shown, until the end."""
        for notice in (*self._asked.values(), *filter(None, self._next_by_key.values())):
            self._receive(Refused(notice))
        while (command := self._commands.get()) is not None:
            if isinstance(command, DesktopNotice):
                self._receive(Refused(command))

    def _serve(self, connection: DBusConnection) -> None:
        from jeepney import HeaderFields, MatchRule, message_bus  # noqa: PLC0415 -- other systems have none
        from jeepney.io.threading import ReceiveStopped  # noqa: PLC0415 -- as above

        connection.send(message_bus.AddMatch(MatchRule(type="signal", interface=_NAME, path=_PATH)))
        self._capabilities = self._ask_capabilities(connection)
        self._connection = connection
        while True:
            while not self._commands.empty():
                command = self._commands.get()
                if command is None:
                    return
                self._obey(connection, command)
            try:
                message = connection.receive()
            except ReceiveStopped:
                connection.reset_interrupt()
                continue
            if message.header.fields.get(HeaderFields.interface) == _NAME:
                self._take_signal(message)
            else:
                self._take_reply(connection, message)

    def _ask_capabilities(self, connection: DBusConnection) -> frozenset[str]:
        from jeepney import HeaderFields, MessageType  # noqa: PLC0415 -- see _serve

        serial = next(connection.outgoing_serial)
        connection.send(_call("GetCapabilities"), serial=serial)
        while True:
            try:
                message = connection.receive(timeout=_ANSWER_S)
            except TimeoutError:
                return frozenset()
            if message.header.fields.get(HeaderFields.reply_serial) == serial:
                is_answer = message.header.message_type is MessageType.method_return
                return frozenset(message.body[0]) if is_answer else frozenset()

    def _obey(self, connection: DBusConnection, command: DesktopNotice | str) -> None:
        key = command.key if isinstance(command, DesktopNotice) else command
        if any(asked.key == key for asked in self._asked.values()):
            # Its number is not known yet, so it can be neither replaced nor closed.
            self._next_by_key[key] = command if isinstance(command, DesktopNotice) else None
        elif isinstance(command, DesktopNotice):
            serial = next(connection.outgoing_serial)
            self._asked[serial] = command
            number = self._number_by_key.get(key, 0)
            connection.send(_call("Notify", "susssasa{sv}i", self._arguments(command, number)), serial=serial)
        elif (number := self._number_by_key.pop(key, 0)) != 0:
            connection.send(_call("CloseNotification", "u", (number,)))

    def _arguments(self, notice: DesktopNotice, number: int) -> tuple[Any, ...]:
        # A text may come from anybody: where the service takes markup, it must not become some.
        text = html.escape(notice.text, quote=False) if "body-markup" in self._capabilities else notice.text
        actions: list[str] = []
        if "actions" in self._capabilities:
            for action, words in ((DEFAULT_ACTION, tr("Show")), *notice.actions):
                actions += [action, words]
        hints = {
            "urgency": ("y", _CRITICAL if notice.urgent else _NORMAL),
            "desktop-entry": ("s", "tool-console"),
            "suppress-sound": ("b", not notice.sounds),
        }
        return ("Tool Console", number, "tool-console", notice.title, text, actions, hints, _SERVICE_DECIDES)

    def _take_reply(self, connection: DBusConnection, message: Message) -> None:
        from jeepney import HeaderFields, MessageType  # noqa: PLC0415 -- see _serve

        notice = self._asked.pop(message.header.fields.get(HeaderFields.reply_serial, 0), None)
        if notice is None:
            return
        if message.header.message_type is MessageType.method_return:
            self._number_by_key[notice.key] = message.body[0]
        else:
            self._receive(Refused(notice))
        if notice.key in self._next_by_key:
            later = self._next_by_key.pop(notice.key)
            self._obey(connection, notice.key if later is None else later)

    def _take_signal(self, message: Message) -> None:
        from jeepney import HeaderFields  # noqa: PLC0415 -- see _serve

        member = message.header.fields.get(HeaderFields.member)
        if member not in {"ActionInvoked", "NotificationClosed"}:
            return
        number, detail = message.body
        key = next((key for key, known in self._number_by_key.items() if known == number), None)
        if key is None:
            return
        if member == "ActionInvoked":
            self._receive(Chosen(key, str(detail)))
        else:
            del self._number_by_key[key]
            self._receive(Closed(key))


def _call(member: str, signature: str | None = None, body: tuple[Any, ...] = ()) -> Message:
    from jeepney import DBusAddress, new_method_call  # noqa: PLC0415 -- see _serve

    address = DBusAddress(_PATH, bus_name=_NAME, interface=_NAME)
    return new_method_call(address, member, signature, body)


def _connect_to_session() -> DBusConnection:
    from jeepney.io.threading import open_dbus_connection  # noqa: PLC0415 -- see _serve

    return open_dbus_connection("SESSION")
