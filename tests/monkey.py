"""Use the real program at random: clicks, keys, wheel, drags, texts, sizes, pages and harmless tools.

Run by `make monkey` (100,000 events), and short by a test. The seed is printed; the same seed draws the same events
again, whatever the program did meanwhile. What stands at the place of an event can differ, when calls end sooner or
later. Everything that goes wrong is printed with the last events: exceptions, error records of the log, warnings of
Qt, an event that takes too long, and threads, processes and files that are left at the end. How many events a second
there were is printed ten times, with the memory and the widgets that there are after what is garbage is let go of: the
window does so when it rests, which it never does here. What crashes prints where.

There is something to be used at random: tools that ask a person, called by that person and by an agent, tools that are
checked, a plan, an MCP server, another one that asks a person itself, a model that answers and calls tools, and an icon
beside the clock. Which widgets of the program were never shown is told at the end. The program runs in a folder that is
thrown away, and an audit hook of Python keeps it there: what it did by accident outside, over the network or by other
programs is refused, as a full disk or a firewall would.
"""

from __future__ import annotations

import argparse
import asyncio
import faulthandler
import gc
import json
import logging
import os
import pkgutil
import random
import shutil
import sys
import tempfile
import textwrap
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, SupportsIndex

from psutil import Process
from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QtMsgType,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QAction, QCursor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QFileDialog, QWidget
from qasync import QEventLoop
from shiboken6 import isValid

import console as console_package
from console import crash_handler
from console.activity.model import ActivityModel
from console.app.console import Console
from console.app.start import make_application
from console.assistant.rows import ModelRef
from console.batch.view import BatchView
from console.check.view import CheckView
from console.notices.tray_view import TrayIcon
from console.preferences import Preferences
from console.responsiveness.garbage_collector import GarbageCollector
from console.responsiveness.heap import return_large_blocks
from console.theme import ThemeController
from console.theme.files import resource_path
from console.tool_page.view import ExecutionView
from console.widgets import CommandAction, FocusRing, set_reduced_motion
from console.window.project import sample_project
from tests.tools.models.servers import ModelServer, Reply, calls, says
from tools.discovery import PluginList
from tools.mcp.consent import CONSENTS_FILE, Consents
from tools.mcp.servers_file import ServersFile
from tools.workbench import Workbench

EVENTS: Final = 100_000
LONGEST_S: Final = 10.0
"""How long one event may keep the window, on a machine that does much else."""
HANG_S: Final = 60.0
"""After so long without a step, where all threads are is printed, and the run ends."""
PATIENCE_S: Final = 60.0
KEPT: Final = 40
"""How many of the last things done are told of."""
DEEPEST: Final = 4
"""How many loops may run inside each other, as of menus, before the monkey closes them."""
SPOTS: Final = 12
"""So many places of a window are drawn for an event; what looks for an item takes the first that has one."""
MOST_TABS: Final = 12
"""Pages of tools that may stay open; more are closed with the next one, as a person would lose the overview."""
MOST_QUESTIONS: Final = 20
"""Questions that may wait for the person; with so many, agents ask no more."""
REST: Final = 50
"""After so many events, what they led to has `REST_MS` to happen."""
REST_MS: Final = 20

PAGES: Final = (
    *("tools", "assistant", "health", "batch", "approvals", "servers", "agents", "prompts", "history", "settings"),
)
HARMLESS: Final[dict[str, dict[str, Any]]] = {
    "calculate": {"expression": "6 * 7"},
    "count_text": {"text": "one two three"},
    "search_files": {"pattern": "TODO", "path": "."},
    "read_file": {"path": "README.md"},
    "list_files": {"path": "."},
    "profile_table": {"path": "data/tickets.csv"},
    "plan_trip": {
        "leaves": "2026-12-01T08:00:00Z",
        "by": {"kind": "train", "number": 599, "seats": ["12a"]},
        "guests": [{"name": "Mira", "born": "1990-05-01"}],
        "wishes": {"window": 1, "quiet": "very"},
    },
    "share_costs": {"total": 90, "people": 4},
}
ASKING: Final[dict[str, dict[str, Any]]] = {
    "write_file": {"path": "notes/day.txt", "text": "first\nsecond\n"},
    "delete_file": {"path": "exports/2026-10/closed.csv"},
    "edit_file": {"path": "docs/tone.md", "old_text": "the", "new_text": "every"},
    "repository.push_files": {"branch": "main", "files": [], "message": "a change"},
    "people.greet": {},
    "people.folders": {},
    "people.poem": {},
    "people.sign_up": {},
}
"""Tools that a person is asked about before they run, or that ask themselves."""
RULES: Final = """
[[rule]]
id = "people"
effect = "allow"
source = "people"
"""
"""Without it a person would be asked twice."""
AGENT: Final = "agent:claude"
SERVERS: Final = {
    "repository": [str(Path(__file__).parent / "mcp_servers" / "repository.py")],
    "people": [str(Path(__file__).parent / "mcp_servers" / "both_eras.py"), "stdio"],
}
PLUGIN: Final = Path(__file__).parent / "monkey_plugin.py"
PLAN: Final = "first-batch.yaml"
ANSWERS: Final = (
    says(
        "There are **three** files:\n\n| File | Bytes |\n| --- | ---: |\n| tickets.csv | 512 |\n\n```python\n6 * 7\n```"
    ),
    calls(("calculate", json.dumps({"expression": "6 * 7"})), text="I compute it."),
    says("It is 42."),
    calls(("delete_file", json.dumps(ASKING["delete_file"])), ("count_text", json.dumps(HARMLESS["count_text"]))),
    says("It is done."),
    Reply(status=500, pieces=[b'{"error": {"message": "overloaded"}}']),
)
"""What the model says, over and over."""
KEYS: Final = (
    *((Qt.Key.Key_Tab,) * 3),
    *((Qt.Key.Key_Escape,) * 3),
    Qt.Key.Key_Backtab,
    Qt.Key.Key_Return,
    Qt.Key.Key_Space,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_F2,
    Qt.Key.Key_F5,
    Qt.Key.Key_F6,
    Qt.Key.Key_Menu,
    Qt.Key.Key_A,
    Qt.Key.Key_D,
    Qt.Key.Key_1,
)
CHORDS: Final = "KLWFSNZYACVXTHPRBIEDG1234567,"
TEXTS: Final = (
    "",
    "a",
    "TODO|FIXME",
    "-1",
    "1e400",
    "99999999999999999999999999",
    "{",
    '{"a": [1, null, true]}',
    "../../..",
    "${steps.one.result}",
    "שלום עולם",
    "日本語のテキスト",
    "e\u0301\u0323\u200d\U0001f469\u200d\U0001f467",
    "\x00\x1b[31m\u202etxet",
    "line\nother line\ttab",
    "\ud800",
    "x" * 20_000,
    "[" * 3_000,
    "wide " * 2_000,
)
LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NONE, CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
WEIGHTS: Final = {
    "click": 40,
    "press": 25,
    "press_chord": 6,
    "type": 8,
    "turn_wheel": 6,
    "drag": 5,
    "choose_page": 4,
    "run_tool": 3,
    "ask": 1,
    "run_batch": 1,
    "say": 1,
    "check": 1,
    "make_pipeline": 1,
    "use_command": 3,
    "drop": 1,
    "open_tray_menu": 1,
    "close_tab": 3,
    "resize": 2,
    "leave": 1,
}
"""How often each kind of event is drawn."""
AIMS: Final = {"place": 70, "item": 8, "widget": 22}
"""How often a widget is the one at a place of the window, the list at one, or any, also a small one or one below."""
MOST_CHILDREN: Final = 30
"""How many processes the program has at a time at most: workers, servers and what they start."""

QUIET: Final = (
    "Launch of ",
    'Mouse event "MouseMove" not accepted',
    "This plugin does not support ",
    "Could not parse stylesheet of object",
    "Unable to detect a launcher ",
    "QObject::connect: No such signal QPlatformNativeInterface::systemTrayWindowChanged",
)
"""How warnings begin that say something of the platform, or of how the monkey moves the mouse."""


class Event(NamedTuple):
    """One thing that a person could do, drawn without looking at the window.

    Attributes:
        kind: A key of `WEIGHTS`.
        aim: How its widget is found, a key of `AIMS`.
        spots: Places as parts of a width and a height.
        button: Of a click.
        twice: Whether a click is a double click.
        held: Keys that are held during a click or a turn of the wheel.
        key: What is pressed, with `modifiers`.
        modifiers: Held while `key` is pressed.
        letter: What is pressed with `chord`.
        chord: Held while `letter` is pressed.
        text: What is typed or pasted.
        turn: Of the wheel, in eighths of a degree.
        way: How far something is dragged to the right.
        page: A page to go to.
        tool: A harmless tool to run or to check.
        asking: A tool to run that asks.
        by_agent: Whether an agent calls it.
        afresh: Whether the tool runs although its result is known.
        size: A size for the window.
    """

    kind: str
    aim: str
    spots: tuple[tuple[float, float], ...]
    button: Qt.MouseButton
    twice: bool
    held: Qt.KeyboardModifier
    key: Qt.Key
    modifiers: Qt.KeyboardModifier
    letter: str
    chord: Qt.KeyboardModifier
    text: str
    turn: int
    way: int
    page: str
    tool: str
    asking: str
    by_agent: bool
    afresh: bool
    size: tuple[int, int]


def events(seed: int) -> Iterator[Event]:
    """Yield the events of a seed, for ever."""
    chance = random.Random(seed)
    kinds, weights, aims, aimed = tuple(WEIGHTS), tuple(WEIGHTS.values()), tuple(AIMS), tuple(AIMS.values())
    tools, asking = sorted(HARMLESS), sorted(ASKING)
    while True:
        yield Event(
            kind=chance.choices(kinds, weights)[0],
            aim=chance.choices(aims, aimed)[0],
            spots=tuple((chance.random(), chance.random()) for _ in range(SPOTS)),
            button=chance.choices((LEFT, RIGHT, MIDDLE), (85, 12, 3))[0],
            twice=chance.random() < 0.1,
            held=chance.choices((NONE, CTRL, SHIFT), (90, 5, 5))[0],
            key=chance.choice(KEYS),
            modifiers=chance.choices((NONE, SHIFT, ALT), (90, 7, 3))[0],
            letter=chance.choice(CHORDS),
            chord=chance.choices((CTRL, CTRL | SHIFT, ALT), (70, 20, 10))[0],
            text=chance.choice(TEXTS),
            turn=chance.choice((-1200, -120, 120, 1200)),
            way=chance.randint(-99, 99),
            page=chance.choice(PAGES),
            tool=chance.choice(tools),
            asking=chance.choice(asking),
            by_agent=chance.random() < 0.5,
            afresh=chance.random() < 0.5,
            size=(chance.randint(900, 1600), chance.randint(560, 1000)),
        )


class Findings(logging.Handler):
    """Everything that went wrong, with what was done before."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []
        self.done: deque[str] = deque(maxlen=KEPT)

    def add(self, text: str) -> None:
        if text not in self.found:
            self.found.append(text)
            print(f"FOUND {text}", *(f"  after {what}" for what in list(self.done)[-8:]), sep="\n", flush=True)

    def emit(self, record: logging.LogRecord) -> None:
        self.add(self.format(record))

    def on_message(self, kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if kind not in {QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg} and not text.startswith(QUIET):
            self.add(f"Qt: {text}")

    def on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None, *_: object
    ) -> None:
        self.add("".join(traceback.format_exception(kind, error, trace)))


_SERVER_FILES: Final = frozenset(words[0] for words in SERVERS.values())


class Cage:
    """Refuse what would leave the folder that is thrown away."""

    WRITES: Final = frozenset(
        {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod"}
    )

    def __init__(self, folder: Path, model_port: int) -> None:
        self._folders = (str(folder), "/dev/null", "/dev/shm", "/proc/self")
        self._model_port = model_port

    def __call__(self, event: str, values: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = values
            writes = any(letter in (mode or "") for letter in "wax+") or bool(
                isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            )
            self._hold(path, refused=writes)
        elif event in self.WRITES:
            self._hold(values[0], refused=True)
            if event == "os.rename":
                self._hold(values[1], refused=True)
        elif event in {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"}:
            words = [str(word) for word in values[1]] if event != "os.system" else []
            if not any(
                "tools.execution" in word or "resource_tracker" in word or word in _SERVER_FILES for word in words
            ):
                raise PermissionError(f"the monkey starts no programs: {words[:1]}")
        elif event == "socket.connect" and isinstance(values[1], tuple) and values[1][1] != self._model_port:
            raise PermissionError("the monkey has no network")
        elif event == "socket.bind" and isinstance(values[1], tuple) and values[1][1]:
            raise PermissionError("the monkey listens nowhere")

    def _hold(self, path: object, *, refused: bool) -> None:
        if not refused or isinstance(path, int):
            return
        # Not resolved: that would look at the disk for each file that is opened.
        text = os.path.abspath(os.fsdecode(path)) if isinstance(path, str | bytes | os.PathLike) else ""  # noqa: PTH100
        if not text.startswith(self._folders) and "__pycache__" not in text:
            raise PermissionError(f"the monkey writes only where it may, not to {text!r}")


class _Again(list[Reply]):
    """Replies that begin anew when they are over; a model that is asked for hours remembers no request."""

    def __init__(self, model: ModelServer, replies: Sequence[Reply]) -> None:
        super().__init__(replies)
        self._model = model

    def pop(self, index: SupportsIndex = -1) -> Reply:
        self._model.requests.clear()
        reply = super().pop(index)
        self.append(reply)
        return reply


class Monkey(QObject):
    """Do one random thing after the other, each from a timer inside the running loop, also inside loops of menus.

    Args:
        console: The program.
        plan: A plan to open.
        findings: Where trouble is told.
        over: Called after the last one.
        seed: Of what is done.
        number: How many things are done.
    """

    def __init__(
        self, console: Console, plan: Path, findings: Findings, over: Callable[[], None], *, seed: int, number: int
    ) -> None:
        super().__init__()
        self.left = self._number = number
        self.beat = self._told = time.monotonic()
        self._console = console
        self._plan = plan
        self._home = plan.parent.parent
        self._events = events(seed)
        self._findings = findings
        self._over = over
        self._depth = 0
        self.shown: set[type] = set()
        window = console.window
        window.installEventFilter(self)
        for action in window.findChildren(QAction):
            if "Quit" in action.text():
                action.setEnabled(False)
        console.settings.restart_requested.disconnect()
        self._acts: dict[str, Callable[[Event], None]] = {
            "click": self._click,
            "press": self._press,
            "press_chord": self._press_chord,
            "type": self._type,
            "turn_wheel": self._turn_wheel,
            "drag": self._drag,
            "choose_page": self._choose_page,
            "run_tool": self._run_tool,
            "ask": self._ask,
            "run_batch": self._run_batch,
            "say": self._say,
            "check": self._check,
            "make_pipeline": self._make_pipeline,
            "use_command": self._use_command,
            "drop": self._drop,
            "open_tray_menu": self._open_tray_menu,
            "close_tab": self._close_tab,
            "resize": self._resize,
            "leave": self._leave,
        }

    def start(self) -> None:
        QTimer.singleShot(0, self._step)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
        """Keep the window open."""
        if event.type() is not QEvent.Type.Close:
            return False
        # Kept from the window only, the event would hide it.
        event.ignore()
        return True

    def leave(self) -> None:
        """Close what stands in front of the window."""
        popup, dialog = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if popup is not None:
            self._note(f"close {_name(popup)}")
            popup.close()
        elif isinstance(dialog, QDialog):
            self._note(f"reject {_name(dialog)}")
            dialog.reject()

    def _step(self) -> None:
        self.beat = time.monotonic()
        if self.left % REST == 0:
            self._look(QApplication.allWidgets())
        if self.left <= 0:
            if self._depth:
                self.leave()
                # Not at once: a move of the mouse takes in events on a screen until there is none.
                QTimer.singleShot(REST_MS, self._step)
            else:
                self._over()
            return
        self.left -= 1
        if self.left % max(1, self._number // 10) == 0:
            self._tell()
        # The next one is due before this one is done: a menu keeps this one until it is closed.
        QTimer.singleShot(REST_MS if self.left % REST == 0 else 0, self._step)
        self._depth += 1
        began = time.perf_counter()
        try:
            self._act(next(self._events))
        finally:
            self._depth -= 1
        if not self._depth and time.perf_counter() - began > LONGEST_S and not self._nested:
            self._findings.add(f"an event took {time.perf_counter() - began:.1f} s: {self._findings.done[-1]}")

    def _tell(self) -> None:
        now = time.monotonic()
        gc.collect()
        children = len(Process().children())
        if children > MOST_CHILDREN:
            self._findings.add(f"{children} processes were started and have not ended")
        print(
            f"  {self._number - self.left:9,} events  {self._number / 10 / (now - self._told):6.0f} a second"
            f"  {Process().memory_info().rss / 2**20:6.0f} MiB  {len(QApplication.allWidgets()):6,} widgets"
            f"  {len(self._console.documents.keys)} tabs  {threading.active_count()} threads  {children} children",
            flush=True,
        )
        self._told = now

    def _act(self, event: Event) -> None:
        self._nested = self._depth > 1
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            self._answer(dialog, event)
        elif dialog is not None:
            self._look([dialog, *dialog.findChildren(QWidget)])
        if self._depth > DEEPEST:
            self.leave()
        else:
            self._findings.done.append(event.kind)
            self._acts[event.kind](event)

    def _look(self, widgets: Sequence[QWidget]) -> None:
        """Remember what kinds of widgets were on show."""
        self.shown.update(*(type(one).__mro__ for one in widgets if one.isVisible()))

    def _answer(self, dialog: QFileDialog, event: Event) -> None:
        """Choose a file or leave the dialog; at once, because Qt's own dialog of files could delete what it shows."""
        wants_folder = dialog.fileMode() is QFileDialog.FileMode.Directory
        if not event.afresh:
            dialog.reject()
        elif dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave:
            dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
            dialog.setDirectory(str(self._home))
            dialog.accept()
        else:
            dialog.selectFile(str(self._path(event, is_folder=wants_folder)))
            dialog.accept()

    def _path(self, event: Event, *, is_folder: bool) -> Path:
        """Return a file of the project, or a folder, which can be an empty one outside of it."""
        there = sorted(path for path in self._plan.parent.rglob("*") if path.is_dir() is is_folder)
        if is_folder:
            empty = self._home / "empty"
            empty.mkdir(exist_ok=True)
            there.append(empty)
        return there[int(event.spots[0][0] * len(there))] if there else self._plan

    def _note(self, words: str) -> None:
        """Tell more of what is about to be done."""
        if self._findings.done:
            self._findings.done[-1] = words

    def _front(self) -> QWidget:
        """Return the window that gets what a person does."""
        for window in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if window is not None and window.isVisible():
                return window
        active = QApplication.activeWindow()
        return active if active is not None and active.isVisible() else self._console.window

    def _target(self, event: Event) -> QWidget:
        # WORKAROUND PySide6 6.11: when the Python object of a window that Qt made goes, such as of the list below a
        # combo box, those of its children count as deleted.
        front = self._kept = self._front()
        if event.aim == "widget":
            return _below(front, event.spots)
        places = event.spots[1:] if event.aim == "item" else event.spots[1:2]
        # Qt's annotation leaves out that nothing may be there.
        under: list[QWidget | None] = [front.childAt(_place(front, spot)) for spot in places]
        return next((one for one in under if one and isinstance(one.parent(), QAbstractItemView)), under[0] or front)

    def _focus(self) -> QWidget:
        """Return what gets the keys: nothing in a window that another one keeps from being used."""
        front, focus = self._front(), QApplication.focusWidget()
        return focus if focus is not None and focus.window() is front.window() else front

    def _click(self, event: Event) -> None:
        widget = self._target(event)
        place = _place(widget, event.spots[0])
        self._note(f"click {event.button.name} on {_name(widget)} at {place.toTuple()}")
        steps = [QTest.mousePress, QTest.mouseRelease]
        if event.twice:
            steps += [QTest.mouseDClick, QTest.mouseRelease]
        for step in steps:
            # Pressed, it may have opened a menu, which kept this event until the widget was gone.
            if isValid(widget):
                step(widget, event.button, event.held, place)

    def _press(self, event: Event) -> None:
        widget = self._focus()
        self._note(f"press {event.key.name} in {_name(widget)}")
        QTest.keyClick(widget, event.key, event.modifiers)

    def _press_chord(self, event: Event) -> None:
        widget = self._focus()
        self._note(f"press {event.chord.name} {event.letter} in {_name(widget)}")
        QTest.keyClick(widget, ord(event.letter), event.chord)

    def _type(self, event: Event) -> None:
        widget, text = self._focus(), event.text
        if isinstance(widget.window(), QFileDialog):
            # Qt's own dialog warns of it, and nobody can type it.
            text = text.replace("\0", "")
        self._note(f"type {text[:20]!r} ({len(text)}) in {_name(widget)}")
        if len(text) <= 12 and text.isascii() and text.isprintable():
            QTest.keyClicks(widget, text)
        else:
            QGuiApplication.clipboard().setText(_readable(text))
            QTest.keyClick(widget, Qt.Key.Key_V, CTRL)

    def _turn_wheel(self, event: Event) -> None:
        widget = self._target(event)
        place = QPointF(_place(widget, event.spots[0]))
        self._note(f"turn the wheel on {_name(widget)}")
        turn = QWheelEvent(
            place, widget.mapToGlobal(place), QPoint(), QPoint(0, event.turn), Qt.MouseButton.NoButton, event.held,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, turn)

    def _drag(self, event: Event) -> None:
        widget = self._target(event)
        begin, end = _place(widget, event.spots[0]), _place(widget, event.spots[-1]) + QPoint(event.way, 0)
        self._note(f"drag on {_name(widget)} from {begin.toTuple()} to {end.toTuple()}")
        QTest.mousePress(widget, LEFT, NONE, begin)
        for part in (0.3, 0.7, 1.0):
            # As in a click.
            if isValid(widget):
                QTest.mouseMove(widget, begin + (end - begin) * part)
        if isValid(widget):
            QTest.mouseRelease(widget, LEFT, NONE, end)

    def _choose_page(self, event: Event) -> None:
        self._note(f"choose the page {event.page}")
        if self._front() is self._console.window:
            self._console.window.show_page(event.page)

    def _run_tool(self, event: Event) -> None:
        self._run(event.tool, HARMLESS[event.tool], afresh=event.afresh)

    def _run(self, name: str, arguments: Mapping[str, Any], *, afresh: bool) -> None:
        tools = self._console.open_tools
        if self._front() is not self._console.window or self._console.executor.registry.find(name) is None:
            self._note(f"run {name}, which is not to be had now")
            return
        self._note(f"run {name}")
        tools.open(name)
        page = self._console.documents.page(name)
        if isinstance(page, ExecutionView) and tools.current is not None:
            page.document.replace({**page.document.initial_value(), **arguments})
            tools.current.run(bypass_cache=afresh)

    def _ask(self, event: Event) -> None:
        name, arguments = event.asking, ASKING[event.asking]
        if not event.by_agent:
            self._run(name, arguments, afresh=event.afresh)
        elif len(self._console.desk.open_requests) < MOST_QUESTIONS:
            self._note(f"an agent calls {name}")
            executor = self._console.executor
            self._console.engine.submit(executor.execute, executor.create_call(name, arguments, caller=AGENT))

    def _run_batch(self, _event: Event) -> None:
        self._note("run the plan")
        if self._front() is not self._console.window:
            return
        self._console.window.show_page("batch")
        view = next(iter(self._console.window.findChildren(BatchView)), None)
        if view is not None and view.header.run.isEnabled():
            view.header.run.click()
        elif not self._console.batches.goes_on:
            self._console.batches.open(self._plan)

    def _say(self, event: Event) -> None:
        self._note(f"say {event.text[:20]!r} to the model")
        if self._front() is not self._console.window:
            return
        self._console.window.show_page("assistant")
        view = self._console.assistant.view
        if view is not None:
            view.composer.prompt.setPlainText(_readable(event.text))
            view.composer.send.click()

    def _check(self, event: Event) -> None:
        name = event.asking if event.by_agent else event.tool
        self._note(f"check {name}")
        if self._front() is not self._console.window or self._console.executor.registry.find(name) is None:
            return
        self._console.open_tools.open(name)
        page = self._console.documents.page(name)
        if isinstance(page, ExecutionView):
            next(one for one in page.findChildren(CommandAction) if one.command.key == "tool.check").trigger()
            view = page.findChild(CheckView)
            if view is not None and view.start.isEnabled():
                view.start.click()

    def _make_pipeline(self, event: Event) -> None:
        self._note("make a pipeline of past calls")
        view = self._console.activity_view
        table = view.findChild(QAbstractItemView, "activityTable")
        model = None if table is None else table.model()
        if self._front() is self._console.window and isinstance(model, ActivityModel) and len(model.rows):
            rows = model.rows
            chosen = {rows[int(spot[0] * len(rows))].call_id for spot in event.spots[:3]}
            view.pipeline_requested.emit(sorted(chosen))

    def _use_command(self, event: Event) -> None:
        front = self._front()
        actions = [
            one
            for one in front.findChildren(CommandAction)
            if one.isEnabled() and isinstance(owner := one.parent(), QWidget) and owner.isVisible()
        ]
        if actions:
            action = actions[int(event.spots[0][0] * len(actions))]
            self._note(f"use the command {action.command.text!r}")
            action.trigger()

    def _drop(self, event: Event) -> None:
        widget, path = self._target(event), self._path(event, is_folder=event.twice)
        place, data = _place(widget, event.spots[0]), QMimeData()
        self._note(f"drop {path.name} on {_name(widget)}")
        data.setUrls([QUrl.fromLocalFile(str(path))])
        for kind in (QDragEnterEvent, QDragMoveEvent):
            if isValid(widget):
                QApplication.sendEvent(widget, kind(place, Qt.DropAction.CopyAction, data, LEFT, NONE))
        if isValid(widget):
            QApplication.sendEvent(widget, QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, LEFT, NONE))

    def _open_tray_menu(self, _event: Event) -> None:
        self._note("open the menu beside the clock")
        tray = self._console.presence.findChild(TrayIcon)
        if tray is not None and QApplication.activePopupWidget() is None:
            tray.menu.popup(QCursor.pos())

    def _close_tab(self, _event: Event) -> None:
        self._note("close the page in front")
        if self._front() is self._console.window:
            self._console.open_tools.close_current()
            for name in self._console.documents.keys[:-MOST_TABS]:
                self._console.open_tools.close(name)

    def _resize(self, event: Event) -> None:
        self._note(f"resize to {event.size}")
        self._console.window.resize(*event.size)

    def _leave(self, _event: Event) -> None:
        self.leave()


def _readable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _place(widget: QWidget, spot: tuple[float, float]) -> QPoint:
    return QPoint(int(widget.width() * spot[0]), int(widget.height() * spot[1]))


def _below(widget: QWidget, spots: Sequence[tuple[float, float]]) -> QWidget:
    """Return a widget that is seen inside another one, by going down among children.

    Args:
        widget: Where to begin.
        spots: A pair for each level: whether to go on (less often each time), and to which child.
    """
    for level, (further, which) in enumerate(spots):
        inside = [
            one for one in widget.children() if isinstance(one, QWidget) and one.isVisible() and not one.isWindow()
        ]
        if not inside or further * level > 4:
            break
        widget = inside[int(which * len(inside))]
    return widget


def never_shown(shown: set[type]) -> list[str]:
    """Return the classes of widgets that the program has and that are not among some others, in the order of names."""
    for module in pkgutil.walk_packages(console_package.__path__, "console."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    classes, known = [QWidget], {QWidget}
    for one in classes:
        inside = [below for below in one.__subclasses__() if below not in known]
        known.update(inside)
        classes += inside
    names = (f"{one.__module__}.{one.__qualname__}" for one in known - shown)
    return sorted(name.removeprefix("console.") for name in names if name.startswith("console."))


def _name(widget: QWidget) -> str:
    name = widget.accessibleName() or widget.objectName()
    return f"{type(widget).__name__} {name[:40]!r}"


def furnish(theme: ThemeController, home: Path, model: ModelServer) -> tuple[Console, Path]:
    """Return the program, in a folder with everything that can be used, and a plan to open in it."""
    project, data, servers = sample_project(home), home / "data", home / "servers.json"
    data.mkdir()
    started = {name: {"command": sys.executable, "args": words} for name, words in SERVERS.items()}
    servers.write_text(json.dumps({"mcpServers": started}))
    policy = home / "policy.toml"
    policy.write_text(RULES)
    plugins = PluginList(home / "settings")
    plugins.folder.mkdir(parents=True)
    shutil.copyfile(PLUGIN, plugins.folder / "trips.py")
    consents = Consents(data / CONSENTS_FILE)
    for config in ServersFile(servers).read().servers:
        consents.give(config)
    preferences = Preferences(home / "window.ini")
    preferences.gateway_port = 0
    preferences.add_recent_model(ModelRef("compatible", "qwen3:8b", f"{model.address}/v1").written)
    plan = project / PLAN
    shutil.copyfile(resource_path("samples", PLAN), plan)
    workbench = Workbench(plugins, application=Console, installed=())
    console = Console(theme, preferences, workbench, project, data=data, policy_file=policy, servers_file=servers)
    return console, plan


async def live(
    theme: ThemeController, home: Path, model: ModelServer, findings: Findings, *, seed: int, number: int
) -> None:
    """Start the program, let the monkey at it, and end the program."""
    console, plan = furnish(theme, home, model)
    loaded, over, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
    crash_handler.catch_crashes(console.crashed.emit)
    console.crashed.connect(findings.add)
    console.loaded.connect(loaded.set)
    console.ended.connect(ended.set)
    console.start()
    await asyncio.wait_for(loaded.wait(), PATIENCE_S)
    missing = {*HARMLESS, *ASKING}
    async with asyncio.timeout(PATIENCE_S):
        # Those of the server come when it is connected.
        while missing := {name for name in missing if console.executor.registry.find(name) is None}:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    monkey = Monkey(console, plan, findings, over.set, seed=seed, number=number)
    watch = threading.Thread(target=_watch, args=(monkey,), daemon=True)
    watch.start()
    monkey.start()
    await over.wait()
    while QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
        monkey.leave()
        await asyncio.sleep(0.05)
    console.window.removeEventFilter(monkey)
    print(textwrap.fill(f"never shown: {', '.join(never_shown(monkey.shown))}", 120), flush=True)
    monkey.left = -1
    console.end()
    await asyncio.wait_for(ended.wait(), PATIENCE_S)
    if not console.stopped_cleanly:
        findings.add("the program did not stop cleanly")
    console.window.deleteLater()
    console.deleteLater()


def _watch(monkey: Monkey) -> None:
    while monkey.left >= 0:
        time.sleep(1)
        if time.monotonic() - monkey.beat > HANG_S:
            print(f"FOUND a hang of {HANG_S:g} s, {monkey.left} events before the end", flush=True)
            faulthandler.dump_traceback(file=sys.stdout)
            os._exit(3)


def _always() -> bool:
    return True


def left_behind(home: Path) -> list[str]:
    """Return the threads, processes and open files that the program left."""
    mine = Process()
    threads = [one.name for one in threading.enumerate() if one is not threading.main_thread() and not one.daemon]
    files = [entry.path for entry in mine.open_files() if entry.path.startswith(str(home))]
    children = [" ".join(child.cmdline()[:4]) for child in mine.children(recursive=True)]
    children = [words for words in children if "resource_tracker" not in words]
    return [*(f"thread {name}" for name in threads), *(f"file {path}" for path in files), *children]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the monkey; return 1 when it found something."""
    parser = argparse.ArgumentParser(prog="python -m tests.monkey", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="do again what this seed did")
    parser.add_argument("--events", type=int, default=EVENTS)
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    print(f"seed {seed}, {options.events} events", flush=True)
    faulthandler.enable()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    findings = Findings()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="monkey-") as folder:
        home = Path(folder)
        (home / "bin").mkdir()
        os.environ.update(
            {"HOME": folder, "TMPDIR": folder, "PATH": f"{home / 'bin'}", "DBUS_SESSION_BUS_ADDRESS": ""}
            | {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
        )
        tempfile.tempdir = folder
        logging.getLogger().addHandler(findings)
        qInstallMessageHandler(findings.on_message)
        application = make_application()
        sys.excepthook = findings.on_exception
        set_reduced_motion(reduced=True)
        return_large_blocks()
        collector = GarbageCollector(application)
        collector.start()
        # A virtual screen has no place beside a clock, and the icon does without.
        TrayIcon.is_available = staticmethod(_always)  # type: ignore[method-assign]
        theme = ThemeController(application, "light")
        ring = FocusRing(application)
        with ModelServer() as model:
            model.replies = _Again(model, ANSWERS)
            sys.addaudithook(Cage(home, model.port))
            with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
                runner.run(live(theme, home, model, findings, seed=seed, number=options.events))
        del ring
        for what in left_behind(home):
            findings.add(f"left behind: {what}")
        took = time.monotonic() - began
        print(
            f"seed {seed}: {options.events} events in {took:.0f} s, {options.events / took:.0f} a second, "
            f"{len(findings.found)} findings",
            flush=True,
        )
        collector.stop()
    return 1 if findings.found else 0


if __name__ == "__main__":
    sys.exit(main())
