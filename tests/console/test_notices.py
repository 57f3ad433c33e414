"""What is told while the person looks elsewhere: by a desktop's service, by the tray icon, or not at all."""

from __future__ import annotations

import queue
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from jeepney import HeaderFields, Message, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.threading import DBusConnection, ReceiveStopped, open_dbus_connection
from jeepney.wrappers import DBusAddress
from PySide6.QtCore import QObject, Signal
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from console.notices import Chosen, Closed, DesktopNotice, DesktopNotices, NoticeEvent, Notices, Refused, TrayIcon

_NAME = "org.freedesktop.Notifications"
_ADDRESS = DBusAddress("/org/freedesktop/Notifications", interface=_NAME)
_WAIT_S = 5.0


class _Service:
    """A desktop's notification service at the other end of a connection."""

    def __init__(
        self,
        connection: DBusConnection,
        capabilities: tuple[str, ...] = ("actions", "body", "body-markup"),
        *,
        works: bool = True,
    ) -> None:
        self._connection = connection
        self._capabilities = list(capabilities)
        self._works = works
        self._last = 0
        self.calls: queue.Queue[tuple[str, Any]] = queue.Queue()
        self._thread = threading.Thread(target=self._serve, name="service")
        self._thread.start()

    def _serve(self) -> None:
        try:
            while True:
                self._answer(self._connection.receive())
        except (OSError, ReceiveStopped):
            self._connection.close()

    def _answer(self, message: Message) -> None:
        member = message.header.fields[HeaderFields.member]
        if member == "GetCapabilities":
            self._connection.send(new_method_return(message, "as", (self._capabilities,)))
        elif member == "Notify":
            self.calls.put((member, message.body))
            if not self._works:
                self._connection.send(new_error(message, "org.example.NotNow"))
                return
            self._last = message.body[1] or self._last + 1
            self._connection.send(new_method_return(message, "u", (self._last,)))
        elif member == "CloseNotification":
            self.calls.put((member, message.body))

    def signal(self, member: str, signature: str, *body: object) -> None:
        self._connection.send(new_signal(_ADDRESS, member, signature, body))

    def next_call(self) -> tuple[str, Any]:
        return self.calls.get(timeout=_WAIT_S)

    def end(self) -> None:
        if self._thread.is_alive():
            self._connection.interrupt()
            self._thread.join(_WAIT_S)


class _Desk:
    """Notices of a desktop with that service, and what was told of them."""

    def __init__(self, service: _Service, theirs: socket.socket) -> None:
        self.service = service
        self.told: queue.Queue[NoticeEvent] = queue.Queue()
        self.notices = DesktopNotices(self.told.put, lambda: DBusConnection(theirs))

    def show(self, notice: DesktopNotice) -> tuple[Any, ...]:
        self.notices.show(notice)
        member, body = self.service.next_call()
        assert member == "Notify"
        shown: tuple[Any, ...] = body
        return shown

    def next_told(self) -> NoticeEvent:
        return self.told.get(timeout=_WAIT_S)


@pytest.fixture
def desk(request: pytest.FixtureRequest) -> Iterator[_Desk]:
    mine, theirs = socket.socketpair()
    desk = _Desk(_Service(DBusConnection(mine), **getattr(request, "param", {})), theirs)
    yield desk
    desk.notices.close()
    desk.service.end()


QUESTION = DesktopNotice(
    "review-1", "delete_file wants to run", "Delete <b>everything</b>", (("deny", "Deny"),), urgent=True
)


def test_a_notice_says_what_it_is_and_what_can_be_done(desk: _Desk) -> None:
    name, number, _icon, title, text, actions, hints, limit = desk.show(QUESTION)

    assert (name, number, title, limit) == ("Tool Console", 0, "delete_file wants to run", -1)
    assert text == "Delete &lt;b&gt;everything&lt;/b&gt;"
    assert actions == ["default", "Show", "deny", "Deny"]
    assert hints["urgency"] == ("y", 2)
    assert hints["suppress-sound"] == ("b", True)


@pytest.mark.parametrize("desk", [{"capabilities": ("body",)}], indirect=True)
def test_a_desktop_without_actions_and_markup_gets_none(desk: _Desk) -> None:
    shown = desk.show(QUESTION._replace(urgent=False, sounds=True))

    assert (shown[4], shown[5]) == ("Delete <b>everything</b>", [])
    assert shown[6]["urgency"] == ("y", 1)
    assert shown[6]["suppress-sound"] == ("b", False)


def test_the_person_chooses_and_closes(desk: _Desk) -> None:
    desk.show(QUESTION)
    desk.service.signal("ActionInvoked", "us", 1, "deny")
    assert desk.next_told() == Chosen("review-1", "deny")
    desk.service.signal("NotificationClosed", "uu", 99, 2)
    desk.service.signal("NotificationClosed", "uu", 1, 2)
    assert desk.next_told() == Closed("review-1")


def test_a_later_notice_takes_the_place_of_its_key_and_leaves_when_withdrawn(desk: _Desk) -> None:
    desk.show(QUESTION)
    assert desk.show(QUESTION._replace(title="2 calls wait"))[1] == 1
    desk.notices.withdraw("review-1")
    assert desk.service.next_call() == ("CloseNotification", (1,))


@pytest.mark.parametrize("desk", [{"works": False}], indirect=True)
def test_what_the_service_refuses_is_told(desk: _Desk) -> None:
    desk.show(QUESTION)
    assert desk.next_told() == Refused(QUESTION)


def test_without_a_bus_every_notice_is_refused() -> None:
    def connect() -> DBusConnection:
        raise KeyError("DBUS_SESSION_BUS_ADDRESS")

    told: queue.Queue[NoticeEvent] = queue.Queue()
    notices = DesktopNotices(told.put, connect)
    notices.show(QUESTION)
    assert told.get(timeout=_WAIT_S) == Refused(QUESTION)
    notices.show(QUESTION)
    assert told.get(timeout=_WAIT_S) == Refused(QUESTION)
    notices.close()


def test_a_bus_that_goes_away_refuses_what_comes_later(desk: _Desk) -> None:
    desk.show(QUESTION)
    # What is told of it shows that it is known to stand there.
    desk.service.signal("ActionInvoked", "us", 1, "default")
    assert desk.next_told() == Chosen("review-1", "default")
    desk.service.end()
    later = QUESTION._replace(key="review-2")
    desk.notices.show(later)
    assert desk.next_told() == Refused(later)


@pytest.fixture
def bus() -> Iterator[str]:
    """Give the address of a bus that nobody else knows."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None:
        pytest.skip("dbus-daemon is not installed")
    words = [daemon, "--session", "--nofork", "--nopidfile", "--print-address=1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def test_a_notice_and_its_answer_pass_a_real_bus(bus: str) -> None:
    connection = open_dbus_connection(bus)
    connection.send(message_bus.RequestName(_NAME))
    while connection.receive(timeout=_WAIT_S).header.message_type is not MessageType.method_return:
        pass
    service, told = _Service(connection), queue.Queue[NoticeEvent]()
    notices = DesktopNotices(told.put, lambda: open_dbus_connection(bus))
    notices.show(QUESTION._replace(actions=(("allow", "Allow once"), ("deny", "Deny"))))
    member, body = service.next_call()
    assert (member, body[5]) == ("Notify", ["default", "Show", "allow", "Allow once", "deny", "Deny"])
    service.signal("ActionInvoked", "us", 1, "allow")
    assert told.get(timeout=_WAIT_S) == Chosen("review-1", "allow")
    notices.close()
    service.end()


class _Shown:
    """A desktop that keeps what it is to show."""

    def __init__(self) -> None:
        self.notices: dict[str, DesktopNotice] = {}
        self.is_closed = False

    def show(self, notice: DesktopNotice) -> None:
        self.notices[notice.key] = notice

    def withdraw(self, key: str) -> None:
        del self.notices[key]

    def close(self) -> None:
        self.is_closed = True


class _Tray(QObject):
    message_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[tuple[str, str]] = []

    def show_message(self, title: str, text: str) -> None:
        self.messages.append((title, text))


def test_notices_go_to_the_desktop_and_their_choices_come_back(qtbot: QtBot) -> None:
    notices, desktop = Notices(), _Shown()
    notices.set_desktop(desktop)
    notices.post("a", "One\u202e", "Two\x1b\u200b", (("deny", "Deny"),), urgent=True)
    assert desktop.notices == {"a": DesktopNotice("a", "One ", "Two  ", (("deny", "Deny"),), urgent=True)}

    with qtbot.waitSignal(notices.chosen) as chosen:
        notices.receive(Chosen("a", "deny"))
    assert chosen.args == ["a", "deny"]
    notices.withdraw("a")
    notices.withdraw("a")
    assert desktop.notices == {}


def test_do_not_disturb_takes_away_what_is_shown_and_shows_nothing(qtbot: QtBot) -> None:
    notices, desktop = Notices(), _Shown()
    notices.set_desktop(desktop)
    notices.post("a", "One", "Two")
    notices.set_quiet(quiet=True)
    assert (desktop.notices, notices.is_quiet) == ({}, True)
    notices.post("a", "One", "Two")
    assert desktop.notices == {}
    notices.set_quiet(quiet=False)
    notices.post("a", "One", "Two")
    notices.close()
    assert (desktop.notices, desktop.is_closed) == ({}, True)


def test_what_the_desktop_cannot_show_goes_to_the_tray(qtbot: QtBot) -> None:
    notices, desktop, tray = Notices(), _Shown(), _Tray()
    notices.set_desktop(desktop)
    notices.set_tray(tray)
    notices.post("a", "One", "Two")
    assert tray.messages == []
    notices.receive(Refused(desktop.notices["a"]))
    qtbot.waitUntil(lambda: tray.messages == [("One", "Two")])

    with qtbot.waitSignal(notices.chosen) as chosen:
        tray.message_clicked.emit()
    assert chosen.args == ["a", "default"]


def test_the_tray_icon_counts_what_waits_and_leads_to_the_window(qtbot: QtBot) -> None:
    tray = TrayIcon()
    shows = QSignalSpy(tray.show_requested)
    quits = QSignalSpy(tray.quit_requested)
    quiets = QSignalSpy(tray.quiet_toggled)
    assert tray.tooltip == "Tool Console"
    tray.show_waiting(1)
    assert tray.tooltip == "Tool Console: 1 call waits for your approval"
    tray.show_waiting(3)
    assert tray.tooltip == "Tool Console: 3 calls wait for your approval"

    tray.show_quiet(quiet=True)
    assert quiets.count() == 0
    for action in tray.menu.actions():
        if not action.isSeparator():
            action.trigger()
    assert (shows.count(), quits.count(), [quiets.at(place) for place in range(quiets.count())]) == (1, 1, [[False]])
    tray.close()


def test_the_tray_icon_holds_the_calls_of_agents_where_some_are_served(qtbot: QtBot) -> None:
    tray = TrayIcon()
    wanted = QSignalSpy(tray.pause_requested)

    def offered() -> list[str]:
        return [action.text() for action in tray.menu.actions() if "agents" in action.text() and action.isVisible()]

    assert offered() == []
    tray.show_gateway(on=True)
    assert offered() == ["Hold the calls of agents"]
    next(action for action in tray.menu.actions() if action.text() == "Hold the calls of agents").trigger()
    assert wanted.count() == 1
    tray.show_pause(paused=True)
    tray.show_gateway(on=False)
    assert offered() == ["Let the calls of agents go on"]
    tray.show_pause(paused=False)
    assert offered() == []
    tray.close()
