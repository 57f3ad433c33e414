"""The commands of the window and the keys that call them: as shipped, and as a person chose."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QKeySequence

from console.language import tr
from console.preferences import put_aside
from tools.atomic_write import write_whole

SHORTCUTS_FILE: Final = "shortcuts.json"
_PROPERTY: Final = "toolConsoleKeymap"
_FORMAT: Final = 1
_ANYWHERE: Final = tr("Everywhere")
_EVERYWHERE: Final = frozenset({_ANYWHERE, tr("Window"), tr("Page"), tr("Help"), tr("Approvals"), tr("Gateway")})
"""The places whose commands can be called wherever the focus is."""

_WORD_BY_KEY: Final = {
    "Ctrl": tr("Ctrl"),
    "Shift": tr("Shift"),
    "Return": tr("Enter"),
    "Enter": tr("Enter"),
    "Backspace": tr("Backspace"),
    "Del": tr("Del"),
    "Ins": tr("Ins"),
    "Home": tr("Home", "key"),
    "End": tr("End", "key"),
    "PgUp": tr("PgUp"),
    "PgDown": tr("PgDown"),
    "Left": tr("Left", "key"),
    "Right": tr("Right", "key"),
    "Up": tr("Up", "key"),
    "Down": tr("Down", "key"),
    "Space": tr("Space", "key"),
}
"""What people call the keys that Qt's portable form has names for."""

_log = logging.getLogger(__name__)


class WindowCommand(NamedTuple):
    """Something that the window does when it is asked to.

    Attributes:
        key: What it is called in code; in the file of shortcuts as well, if it is one of `COMMANDS`.
        place: Where it belongs: "Window", "Tool"; those of "Settings" are listed apart.
        keys: Its shortcut as shipped, in Qt's portable form; empty for none.
        title: The same as `text` where no menu stands around it; empty for the text.
    """

    key: str
    text: str
    place: str
    keys: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        return (self.title or self.text).removesuffix("…")


class FixedKey(NamedTuple):
    """Keys that always do the same.

    Attributes:
        keys: They, in Qt's portable form.
        place: Where; "Everywhere", or the place of commands that they would meet.
    """

    keys: str
    name: str
    place: str = _ANYWHERE


_WINDOW: Final = (
    WindowCommand("palette", tr("Command palette"), tr("Window"), "Ctrl+K"),
    WindowCommand("menu", tr("Main menu"), tr("Window"), "F10"),
    WindowCommand("filter_tools", tr("Filter the tools"), tr("Window"), "Ctrl+L"),
    WindowCommand("open_folder", tr("Open folder…"), tr("Window"), "Ctrl+O"),
    WindowCommand("new_tool", tr("New tool…"), tr("Window"), "Ctrl+N"),
    WindowCommand("add_plugin", tr("Add a plugin file…"), tr("Window"), "Ctrl+Shift+O"),
    WindowCommand("add_api", tr("Add an API…"), tr("Window")),
    WindowCommand("export_tools", tr("Export all tools…"), tr("Window")),
    WindowCommand("reload_plugins", tr("Reload changed plugins"), tr("Window"), "F5"),
    WindowCommand("left_panel", tr("Show or hide tools"), tr("Window"), "Ctrl+B"),
    WindowCommand("bottom_panel", tr("Show or hide activity"), tr("Window"), "Ctrl+J"),
    WindowCommand("settings", tr("Settings"), tr("Window"), "Ctrl+,"),
    WindowCommand("close_tab", tr("Close the tab"), tr("Window"), "Ctrl+W"),
    WindowCommand("next_tab", tr("Next tab"), tr("Window"), "Ctrl+Tab"),
    WindowCommand("previous_tab", tr("Previous tab"), tr("Window"), "Ctrl+Shift+Tab"),
    WindowCommand("next_region", tr("Next region of the window"), tr("Window"), "F6"),
    WindowCommand("previous_region", tr("Previous region of the window"), tr("Window"), "Shift+F6"),
    WindowCommand("quit", tr("Quit"), tr("Window"), "Ctrl+Q"),
    WindowCommand("oldest_question", tr("Answer the oldest question"), tr("Approvals"), "Ctrl+Shift+P"),
    WindowCommand(
        "pause_agents",
        tr("Hold the calls of all agents, or let them go on"),
        tr("Gateway"),
        "Ctrl+Shift+H",
    ),
    WindowCommand("help", tr("Shortcuts and help"), tr("Help"), "Ctrl+/"),
    WindowCommand("check_installation", tr("Check the installation…"), tr("Help")),
    WindowCommand("crash_reports", tr("Crash reports…"), tr("Help")),
    WindowCommand("first_steps", tr("First steps"), tr("Help")),
    WindowCommand("about", tr("About Tool Console"), tr("Help")),
)

_PAGES: Final = tuple(
    WindowCommand(f"page.{key}", page, tr("Page"), f"Ctrl+{place}", tr("Go to {page}", page=page))
    for place, (key, page) in enumerate(
        (
            ("tools", tr("Tools")),
            ("health", tr("Health")),
            ("batch", tr("Batch")),
            ("approvals", tr("Approvals")),
            ("servers", tr("Servers")),
            ("assistant", tr("Assistant")),
            ("history", tr("History")),
            ("prompts", tr("Prompts")),
            ("agents", tr("Agents")),
        ),
        start=1,
    )
)

_TOOL: Final = (
    WindowCommand("tool.run", tr("Run"), tr("Tool"), "Ctrl+Return"),
    WindowCommand("tool.bypass", tr("Run, passing over the cache"), tr("Tool"), "Ctrl+Shift+Return"),
    WindowCommand("tool.stop", tr("Stop the call"), tr("Tool")),
    WindowCommand("tool.batch", tr("Add to batch"), tr("Tool"), "Ctrl+Shift+A"),
    WindowCommand("tool.mode", tr("Change between form and JSON"), tr("Tool"), "Ctrl+Shift+J"),
    WindowCommand("tool.examples", tr("Choose an example"), tr("Tool"), "Ctrl+E"),
    WindowCommand("tool.save", tr("Save the arguments under a name"), tr("Tool"), "Ctrl+S"),
    WindowCommand("tool.paste", tr("Paste arguments"), tr("Tool"), "Ctrl+Shift+V"),
    WindowCommand("tool.next_problem", tr("Next argument that is missing or wrong"), tr("Tool"), "F8"),
    WindowCommand("tool.previous_problem", tr("Previous argument that is missing or wrong"), tr("Tool"), "Shift+F8"),
    WindowCommand("tool.find", tr("Find in the result or the logs"), tr("Tool"), "Ctrl+F"),
    WindowCommand("tool.result", tr("Show the result"), tr("Tool"), "Alt+1"),
    WindowCommand("tool.logs", tr("Show the logs"), tr("Tool"), "Alt+2"),
    WindowCommand("tool.attachments", tr("Show the attachments"), tr("Tool"), "Alt+3"),
    WindowCommand("tool.timing", tr("Show the timing"), tr("Tool"), "Alt+4"),
    WindowCommand("tool.wire", tr("Show what providers are sent of the tool"), tr("Tool"), "Alt+5"),
    WindowCommand("tool.history", tr("Show the history of the tool"), tr("Tool"), "Alt+6"),
    WindowCommand("tool.schema", tr("Show the schemas of the tool"), tr("Tool"), "Alt+7"),
    WindowCommand("tool.check", tr("Check this tool"), tr("Tool"), "Alt+8"),
    WindowCommand("tool.run_again", tr("Run the chosen call again"), tr("Tool"), "Ctrl+R"),
    WindowCommand("tool.clear_cache", tr("Clear the cache"), tr("Tool")),
    WindowCommand("tool.copy_name", tr("Copy the name"), tr("Tool")),
    WindowCommand("tool.fold", tr("Fold or unfold the arguments"), tr("Tool")),
)

_OTHER_PAGES: Final = (
    WindowCommand("batch.run", tr("Run the plan"), tr("Batch"), "Ctrl+Return"),
    WindowCommand("batch.pause", tr("Pause the run"), tr("Batch")),
    WindowCommand("batch.resume", tr("Resume the run"), tr("Batch")),
    WindowCommand("batch.cancel", tr("Cancel the run"), tr("Batch")),
    WindowCommand("batch.retry", tr("Retry what failed"), tr("Batch")),
    WindowCommand("batch.save", tr("Save the plan"), tr("Batch"), "Ctrl+S"),
    WindowCommand("history.search", tr("Search the history"), tr("History"), "Ctrl+F"),
    WindowCommand("history.run_again", tr("Run the chosen call again"), tr("History"), "Ctrl+R"),
    WindowCommand("history.compare", tr("Compare the chosen call with another"), tr("History"), "Ctrl+D"),
    WindowCommand("comparison.next", tr("Next difference"), tr("Comparison"), "F8"),
    WindowCommand("comparison.previous", tr("Previous difference"), tr("Comparison"), "Shift+F8"),
    WindowCommand("comparison.arguments", tr("Compare the arguments"), tr("Comparison"), "Alt+1"),
    WindowCommand("comparison.result", tr("Compare the results"), tr("Comparison"), "Alt+2"),
    WindowCommand("assistant.new", tr("New conversation"), tr("Assistant"), "Ctrl+Shift+N"),
    WindowCommand("settings.search", tr("Search settings"), tr("Settings page"), "Ctrl+F"),
)

COMMANDS: Final[Mapping[str, WindowCommand]] = {
    command.key: command for command in (*_WINDOW, *_PAGES, *_TOOL, *_OTHER_PAGES)
}
"""Everything that can have a shortcut, in the order of the list of shortcuts."""

FIXED_KEYS: Final = (
    FixedKey("Ctrl+C", tr("Copy")),
    FixedKey("Ctrl+X", tr("Cut")),
    FixedKey("Ctrl+V", tr("Paste")),
    FixedKey("Ctrl+A", tr("Select all")),
    FixedKey("Ctrl+Z", tr("Undo")),
    FixedKey("Ctrl+Shift+Z", tr("Redo")),
    FixedKey("Ctrl+Y", tr("Redo")),
    FixedKey("Ctrl+Backspace", tr("Delete the word before the caret")),
    FixedKey("Ctrl+Del", tr("Delete the word behind the caret")),
    FixedKey("Ctrl+Left", tr("One word to the left")),
    FixedKey("Ctrl+Right", tr("One word to the right")),
    FixedKey("Ctrl+Home", tr("To the beginning")),
    FixedKey("Ctrl+End", tr("To the end")),
    FixedKey("Ctrl+Shift+C", tr("Copy the path, or the rows as a table")),
    FixedKey("Shift+F10", tr("Context menu")),
    FixedKey("Alt+F4", tr("Close the window")),
    FixedKey("Ctrl+Shift+Backspace", tr("Leave the field out"), tr("Tool")),
    FixedKey("Ctrl+Shift+N", tr("Set the field to null"), tr("Tool")),
    FixedKey("Ctrl+Shift+D", tr("Restore the field's default"), tr("Tool")),
    FixedKey("Ctrl+Shift+E", tr("Set the field to empty text"), tr("Tool")),
    FixedKey("Alt+Up", tr("Move the item up"), tr("Tool")),
    FixedKey("Alt+Down", tr("Move the item down"), tr("Tool")),
    FixedKey("Alt+Ins", tr("Add an item"), tr("Tool")),
    FixedKey("Alt+Del", tr("Remove the item"), tr("Tool")),
    FixedKey("Alt+Shift+Down", tr("Duplicate the item"), tr("Tool")),
    FixedKey("F2", tr("Edit the cell"), tr("Batch")),
    FixedKey("F4", tr("Edit the step"), tr("Batch")),
    FixedKey("Ctrl+D", tr("Duplicate the steps"), tr("Batch")),
    FixedKey("Alt+Up", tr("Move the steps up"), tr("Batch")),
    FixedKey("Alt+Down", tr("Move the steps down"), tr("Batch")),
    FixedKey("Ctrl+Return", tr("Allow"), tr("Questions")),
    FixedKey("Ctrl+Return", tr("Send the message"), tr("Assistant")),
)
"""Keys that no command can be given. Keys without Ctrl or Alt, function keys aside, are all fixed besides."""


class KeyHolder(NamedTuple):
    """What has some keys already.

    Attributes:
        command: It; None if its keys are fixed.
    """

    name: str
    command: WindowCommand | None


class Keymap(QObject):
    """Know the keys of each command, and keep what a person chose.

    Args:
        path: The file of what differs from the shipped keys; None to keep nothing.

    Attributes:
        problem: What is wrong with the file, and what became of it, in a sentence; empty when nothing is.

    Signals:
        changed(): A command has other keys now.
    """

    changed = Signal()

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self._path = path
        self._own: dict[str, str] = {}
        self.problem = "" if path is None else self._read(path)
        if self.problem:
            _log.warning("%s", self.problem)

    def keys(self, key: str) -> str:
        """Return the keys of a command in Qt's portable form; empty for none."""
        return self._own.get(key, COMMANDS[key].keys if key in COMMANDS else "")

    def shown(self, key: str) -> str:
        """Return the same as people read it: `Ctrl+Enter`."""
        return readable(self.keys(key))

    def is_own(self, key: str) -> bool:
        return key in self._own

    @property
    def has_own(self) -> bool:
        return bool(self._own)

    def holders(self, key: str, keys: str) -> list[KeyHolder]:
        """Return what would be called by the same keys as a command, if it had them; what is fixed comes first."""
        place = COMMANDS[key].place
        fixed = [KeyHolder(one.name, None) for one in FIXED_KEYS if one.keys == keys and _meet(one.place, place)]
        others = (other for other in COMMANDS.values() if other.key != key and keys and self.keys(other.key) == keys)
        return [*fixed, *(KeyHolder(other.name, other) for other in others if _meet(other.place, place))]

    def assign(self, key: str, keys: str) -> None:
        """Give a command other keys, and keep that; commands that had them lose them.

        Args:
            keys: In Qt's portable form; empty for none.

        Raises:
            ValueError: When these keys cannot be a shortcut or are fixed; nothing changed then.
            OSError: When it cannot be kept; nothing changed then.
        """
        if keys and (reason := why_no_shortcut(keys)):
            raise ValueError(reason)
        own = dict(self._own)
        for holder in self.holders(key, keys):
            if holder.command is None:
                msg = tr("{keys} is fixed: {name}", keys=readable(keys), name=holder.name)
                raise ValueError(msg)
            own[holder.command.key] = ""
        self._keep({**own, key: keys})

    def reset(self, key: str) -> None:
        """Give a command its shipped keys again; a command that has them meanwhile loses them.

        Raises:
            OSError: When it cannot be kept; nothing changed then.
        """
        self.assign(key, COMMANDS[key].keys)

    def reset_all(self) -> None:
        """Give all commands their shipped keys.

        Raises:
            OSError: When it cannot be kept; nothing changed then.
        """
        self._keep({})

    def _keep(self, own: Mapping[str, str]) -> None:
        own = {key: keys for key, keys in own.items() if keys != COMMANDS[key].keys}
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps({"format": _FORMAT, "keys": own}, indent=2) + "\n")
        self._own = dict(own)
        self.changed.emit()

    def _read(self, path: Path) -> str:
        try:
            text = path.read_text("utf-8")
            own = _own_keys(json.loads(text))
        except FileNotFoundError:
            return ""
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            return tr("The shortcuts in {path} cannot be read ({why}); those of the program count.", path=path, why=why)
        except (ValueError, RecursionError):
            return put_aside(path, tr("The file of your shortcuts"))
        self._own = own
        return ""


class _InUse:
    """Hold the keymap of an application: Qt would keep no more of it than an address that may be dead."""

    def __init__(self, keys: Keymap) -> None:
        self.keymap = keys


def keymap() -> Keymap:
    """Give the keys that count in this application.

    They stand beside the theme as a property of the application object, so that no widget needs them in its
    constructor; as long as nobody called `use_keymap`, the shipped ones count.
    """
    in_use = _application().property(_PROPERTY)
    return in_use.keymap if isinstance(in_use, _InUse) else use_keymap(Keymap())


def use_keymap(chosen: Keymap) -> Keymap:
    """Let these keys count for all widgets that are made from now on, and return them."""
    _application().setProperty(_PROPERTY, _InUse(chosen))
    return chosen


def _application() -> QCoreApplication:
    application = QCoreApplication.instance()
    if application is None:
        msg = "shortcuts need an application; make a QApplication first"
        raise RuntimeError(msg)
    return application


def sequences(keys: str) -> list[QKeySequence]:
    """Return what Qt must be told for a shortcut: Enter counts on the number pad as well."""
    if not keys:
        return []
    both = (keys, keys.replace("Return", "Enter")) if keys.endswith("Return") else (keys,)
    return [QKeySequence(one) for one in both]


def portable(sequence: QKeySequence) -> str:
    """Return a key sequence as this module writes it."""
    text = sequence.toString(QKeySequence.SequenceFormat.PortableText)
    return text.replace("Backtab", "Tab").replace("Enter", "Return")


def readable(keys: str) -> str:
    """Return keys as people read them: `Ctrl+Enter`."""
    return "+".join(_WORD_BY_KEY.get(cap, cap) for cap in caps_of(keys))


def why_no_shortcut(keys: str) -> str:
    """Say why keys cannot be a shortcut; "" if they can."""
    sequence = QKeySequence(keys)
    # The stubs forget that one can be indexed.
    pressed: QKeyCombination | None = sequence[0] if sequence.count() == 1 else None  # type: ignore[index]
    if pressed is None or pressed.key() in {Qt.Key.Key_unknown, Qt.Key(0)}:
        return tr("expected one key with Ctrl, Alt or Shift, got {keys!r}", keys=keys)
    modifiers = pressed.keyboardModifiers()
    is_function = Qt.Key.Key_F1 <= pressed.key() <= Qt.Key.Key_F35
    strong = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
    if not is_function and not modifiers & strong:
        return tr(
            "{keys} alone writes text or moves in lists; use it with Ctrl or Alt, or take a function key",
            keys=readable(keys),
        )
    return ""


def caps_of(keys: str) -> tuple[str, ...]:
    """Return the keys of a shortcut one by one, as caps are painted."""
    if keys.endswith("+") and keys != "+":
        return (*caps_of(keys[:-1].removesuffix("+")), "+")
    return tuple(keys.split("+")) if keys not in {"", "+"} else tuple(keys)


def _meet(place: str, other: str) -> bool:
    """Say whether what belongs to two places can be called at the same time."""
    return place == other or place in _EVERYWHERE or other in _EVERYWHERE


def _own_keys(content: Any) -> dict[str, str]:
    if not isinstance(content, dict) or content.get("format") != _FORMAT or not isinstance(content.get("keys"), dict):
        msg = "expected an object with format and keys"
        raise ValueError(msg)
    own: dict[str, str] = {}
    for key, keys in content["keys"].items():
        if not isinstance(keys, str):
            msg = f"expected keys as text for {key!r}"
            raise ValueError(msg)  # noqa: TRY004 -- what a file has is a value
        # A command that is gone, as after an update, has no keys; what no one can press is none.
        if key in COMMANDS and (not keys or not why_no_shortcut(keys)):
            own[key] = keys
    return own
