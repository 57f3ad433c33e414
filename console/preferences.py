"""What the window remembers from one start to the next."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args
from urllib.parse import quote

import platformdirs
from PySide6.QtCore import QByteArray, QSettings

from console.language import LANGUAGES, tr
from console.theme import ThemeMode
from console.theme.tokens import Density
from tools.gateway.defaults import (
    CALLS_A_MINUTE,
    LAST_PORT,
    MOST_CALLS_A_MINUTE,
    MOST_WAIT_MIN,
    PORT,
    WAIT_MIN,
    GatewayLimits,
)
from tools.paths import WINDOW_FILE

if TYPE_CHECKING:
    from tools.network import NetworkSettings

DENSITIES: Final[tuple[Density, ...]] = ("comfortable", "compact")
"""How high rows can be, the usual first."""

SCALES: Final = (100, 125, 150, 175, 200)
"""How large everything can be drawn, in percent."""

_LANGUAGE: Final = "window/language"
_MAX_RECENT: Final = 10
_MAX_PROJECTS: Final = 100
_MAX_ARGUMENTS_CHARS: Final = 200_000

_log = logging.getLogger(__name__)


class RecentProject(NamedTuple):
    """A project folder that was open before.

    Attributes:
        opened: When it was opened last; None when nobody noted it.
        is_missing: Whether the folder is gone; nobody looked as long as it is False.
    """

    folder: Path
    opened: datetime | None = None
    is_missing: bool = False


def preferences_path() -> Path:
    """Give the file in the user's configuration folder that holds the preferences."""
    return platformdirs.user_config_path("tool-console", appauthor=False) / WINDOW_FILE


def saved_language() -> str:
    """Give the language that was chosen, before anything else of the window is imported.

    Returns:
        One of `LANGUAGES`; "" for the desktop's, and when the file says nothing that counts.
    """
    return _language_in(QSettings(str(preferences_path()), QSettings.Format.IniFormat))


def _language_in(settings: QSettings) -> str:
    value = settings.value(_LANGUAGE, "")
    return value if isinstance(value, str) and value in LANGUAGES else ""


class Preferences:
    """Typed access to what the window remembers.

    A value that cannot be read, because the file was edited or comes from another version, is logged and counts as not
    set; so a broken file never keeps the window from opening. A file that is damaged is put aside under another name,
    and a new one begun.

    Args:
        path: The file; None for the one in the user's configuration folder.

    Attributes:
        problem: What keeps the file from being read, and what became of it, in a sentence; empty when nothing does.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = preferences_path() if path is None else path
        self.problem = _put_aside_if_damaged(self._path)
        self._settings = QSettings(str(self._path), QSettings.Format.IniFormat)
        if not self.problem and self._settings.status() is not QSettings.Status.NoError:
            self.problem = tr(
                "The window's settings in {path} cannot be read; defaults count, and none is kept.", path=self._path
            )
        if self.problem:
            _log.warning("%s", self.problem)

    @property
    def path(self) -> Path:
        return self._path

    @property
    def theme_mode(self) -> ThemeMode:
        """Give the chosen theme; "system" if none was chosen."""
        value = self._settings.value("theme/mode")
        if value in get_args(ThemeMode):
            mode: ThemeMode = value
            return mode
        self._complain("theme/mode", value, "light, dark or system")
        return "system"

    @theme_mode.setter
    def theme_mode(self, mode: ThemeMode) -> None:
        self._settings.setValue("theme/mode", mode)

    @property
    def window_geometry(self) -> bytes | None:
        """Give what `QWidget.saveGeometry` returned last, None at the first start."""
        return self._bytes("window/geometry")

    @window_geometry.setter
    def window_geometry(self, geometry: bytes) -> None:
        self._settings.setValue("window/geometry", QByteArray(geometry))

    @property
    def window_state(self) -> bytes | None:
        """Give what `QMainWindow.saveState` returned last, None at the first start."""
        return self._bytes("window/state")

    @window_state.setter
    def window_state(self, state: bytes) -> None:
        self._settings.setValue("window/state", QByteArray(state))

    @property
    def open_tabs(self) -> tuple[str, ...]:
        """Give the names of the tools whose tabs were open, left to right."""
        return self._strings("tabs/open")

    @open_tabs.setter
    def open_tabs(self, tools: tuple[str, ...]) -> None:
        self._store("tabs/open", list(tools))

    @property
    def current_tab(self) -> str:
        """Give the name of the tool whose tab was in front, "" for none."""
        value = self._load("tabs/current", "")
        return value if isinstance(value, str) else ""

    @current_tab.setter
    def current_tab(self, tool: str) -> None:
        self._store("tabs/current", tool)

    @property
    def recent_projects(self) -> tuple[RecentProject, ...]:
        """Give the project folders used last, latest first; they may be gone by now."""
        return tuple(map(_project_of, self._strings("projects/recent")))

    def add_recent_project(self, folder: Path, opened: datetime) -> None:
        """Put a project folder first; the oldest beyond ten is forgotten."""
        others = [known for known in self.recent_projects if known.folder != folder]
        self._keep_projects([RecentProject(folder, opened), *others][:_MAX_RECENT])

    def remove_recent_project(self, folder: Path) -> None:
        self._keep_projects([known for known in self.recent_projects if known.folder != folder])

    def _keep_projects(self, projects: Collection[RecentProject]) -> None:
        texts = [f"{'' if opened is None else opened.isoformat()} {folder}" for folder, opened, _ in projects]
        self._store("projects/recent", texts)

    @property
    def open_plan(self) -> Path | None:
        """Give the file of the batch plan that is open, None for none."""
        value = self._load("plans/open", "")
        return Path(value) if isinstance(value, str) and value else None

    @open_plan.setter
    def open_plan(self, path: Path | None) -> None:
        self._store("plans/open", "" if path is None else str(path))

    @property
    def recent_plans(self) -> tuple[Path, ...]:
        """Give the batch plans opened last, latest first; they may be gone by now."""
        return tuple(Path(text) for text in self._strings("plans/recent"))

    def add_recent_plan(self, path: Path) -> None:
        """Put a plan first; the oldest beyond ten is forgotten."""
        others = [str(known) for known in self.recent_plans if known != path]
        self._store("plans/recent", [str(path), *others][:_MAX_RECENT])

    @property
    def recent_picks(self) -> tuple[str, ...]:
        """Give what was chosen in the command palette last, latest first; it may be gone by now."""
        return self._strings("palette/recent")

    def add_recent_pick(self, pick: str) -> None:
        """Put a choice first; the oldest beyond ten is forgotten."""
        others = [known for known in self.recent_picks if known != pick]
        self._store("palette/recent", [pick, *others][:_MAX_RECENT])

    @property
    def recent_models(self) -> tuple[str, ...]:
        """Give the models that conversations were held with, as the Assistant page writes them, the newest first."""
        return self._strings("recent/models")

    def add_recent_model(self, model: str) -> None:
        others = [other for other in self.recent_models if other != model]
        self._store("recent/models", [model, *others][:_MAX_RECENT])

    @property
    def density(self) -> Density:
        return "compact" if self.choice("density", DENSITIES, DENSITIES[0]) == "compact" else "comfortable"

    @density.setter
    def density(self, density: Density) -> None:
        self.set_choice("density", density)

    @property
    def language(self) -> str:
        """Give the chosen language of the window, one of `LANGUAGES`; "" for the desktop's."""
        return _language_in(self._settings)

    @language.setter
    def language(self, code: str) -> None:
        self._settings.setValue(_LANGUAGE, code)

    @property
    def scale(self) -> int:
        """Give how large everything is drawn, in percent of what the desktop says."""
        value = self._load("window/scale", 100)
        if isinstance(value, int) and SCALES[0] <= value <= SCALES[-1]:
            return value
        self._complain("window/scale", value, f"a whole number from {SCALES[0]} to {SCALES[-1]}")
        return 100

    @scale.setter
    def scale(self, percent: int) -> None:
        self._store("window/scale", percent)

    def forget_layout(self) -> None:
        """Forget how large windows, columns and parts of pages were."""
        for group in ("window/geometry", "window/state", "sizes"):
            self._settings.remove(group)

    @property
    def network(self) -> NetworkSettings:
        """Give how the network is reached; what is damaged counts as not set."""
        # The window is painted before anything of the network is loaded.
        from tools.network import (  # noqa: PLC0415
            NO_PROXY,
            SYSTEM,
            NetworkSettings,
            checked_hosts,
            checked_proxy,
        )

        default = NetworkSettings()
        proxy, hosts, certificates = (self._load(f"network/{name}", "") for name in default._fields)
        try:
            if proxy not in {"", SYSTEM, NO_PROXY}:
                proxy = checked_proxy(str(proxy))
            return NetworkSettings(proxy or SYSTEM, checked_hosts(str(hosts)), str(certificates))
        except ValueError as error:
            _log.warning("how the network is reached cannot be read from %s: %s", self._path.name, error)
            return default

    @network.setter
    def network(self, settings: NetworkSettings) -> None:
        self._store("network/proxy", settings.proxy)
        self._store("network/allowed_hosts", " ".join(settings.allowed_hosts))
        self._store("network/certificates", settings.certificates)

    @property
    def own_roles(self) -> tuple[str, ...]:
        return self._strings("roles/own")

    @own_roles.setter
    def own_roles(self, names: tuple[str, ...]) -> None:
        self._store("roles/own", list(names))

    @property
    def own_keys(self) -> tuple[str, ...]:
        """Give the names of keys that a person keeps besides those that the program knows."""
        return self._strings("keys/own")

    def add_own_key(self, name: str) -> None:
        self._store("keys/own", sorted({*self.own_keys, name}))

    def remove_own_key(self, name: str) -> None:
        self._store("keys/own", [other for other in self.own_keys if other != name])

    @property
    def assistant_settings(self) -> str:
        """Give what new conversations with models begin with, as the Assistant page writes it; "" for nothing."""
        value = self._load("assistant/settings", "")
        return value if isinstance(value, str) else ""

    @assistant_settings.setter
    def assistant_settings(self, settings: str) -> None:
        self._store("assistant/settings", settings)

    @property
    def starred_tools(self) -> tuple[str, ...]:
        """Give the names of the tools that the person starred; they may be gone by now."""
        return self._strings("tools/starred")

    def star_tool(self, tool: str, *, starred: bool) -> None:
        """Keep that the person starred a tool, or forget it."""
        others = [known for known in self.starred_tools if known != tool]
        self._store("tools/starred", [*others, tool] if starred else others)

    def chosen_tools(self, folder: Path | None) -> tuple[str, ...]:
        """Give the names of the built-in tools that were chosen for a project; none for another than the last one."""
        key, *names = self._strings("tools/chosen_in") or ("",)
        return tuple(names) if folder is not None and key == str(folder) else ()

    def set_chosen_tools(self, folder: Path, names: Collection[str]) -> None:
        """Keep which built-in tools were chosen for a project, so that the next start shows them at once."""
        self._store("tools/chosen_in", [str(folder), *names])

    def shows_all_tools(self, folder: Path | None) -> bool:
        """Give whether all built-in tools are shown in a project, and not those that were chosen for it.

        Args:
            folder: The project folder; None for no project.
        """
        return str(folder or "") in self._strings("tools/all_shown_in")

    def set_shows_all_tools(self, folder: Path | None, *, shows_all: bool) -> None:
        """Keep which built-in tools are shown in a project; the oldest beyond a hundred is forgotten."""
        key = str(folder or "")
        others = [known for known in self._strings("tools/all_shown_in") if known != key]
        self._store("tools/all_shown_in", [*([key] if shows_all else []), *others][:_MAX_PROJECTS])

    @property
    def batch_backend(self) -> str:
        """Give the cluster that tools of batches run on, as dask://host:port; empty is this computer."""
        value = self._load("batch/backend", "")
        if isinstance(value, str):
            return value
        self._complain("batch/backend", value, "a text")
        return ""

    @batch_backend.setter
    def batch_backend(self, backend: str) -> None:
        self._store("batch/backend", backend)

    @property
    def gateway_port(self) -> int:
        """Give the port on which agents are served; 0 takes any that is free."""
        value = self._load("gateway/port", PORT)
        if isinstance(value, int) and 0 <= value <= LAST_PORT:
            return value
        self._complain("gateway/port", value, f"a whole number from 0 to {LAST_PORT}")
        return PORT

    @gateway_port.setter
    def gateway_port(self, port: int) -> None:
        self._store("gateway/port", port)

    @property
    def gateway_limits(self) -> GatewayLimits:
        calls = self._number("gateway/calls_a_minute", CALLS_A_MINUTE, MOST_CALLS_A_MINUTE)
        return GatewayLimits(calls, self._number("gateway/wait_min", WAIT_MIN, MOST_WAIT_MIN))

    @gateway_limits.setter
    def gateway_limits(self, limits: GatewayLimits) -> None:
        self._store("gateway/calls_a_minute", limits.calls_a_minute)
        self._store("gateway/wait_min", limits.wait_min)

    def _number(self, key: str, default: int, most: int) -> int:
        value = self._load(key, default)
        if isinstance(value, int) and 1 <= value <= most:
            return value
        self._complain(key, value, f"a whole number from 1 to {most}")
        return default

    def sizes(self, view: str) -> tuple[int, ...]:
        """Give the column widths of a table or the parts of a splitter.

        Args:
            view: Object name of the table or splitter.

        Returns:
            Logical pixels; empty if they were never kept.
        """
        key = f"sizes/{quote(view, safe='')}"
        value = self._load(key, [])
        if isinstance(value, list) and all(isinstance(size, int) and size >= 0 for size in value):
            return tuple(value)
        self._complain(key, value, "a list of whole numbers")
        return ()

    def set_sizes(self, view: str, sizes: tuple[int, ...]) -> None:
        """Keep the column widths of a table or the parts of a splitter, in logical pixels."""
        self._store(f"sizes/{quote(view, safe='')}", list(sizes))

    def choice(self, name: str, choices: Collection[str], default: str) -> str:
        """Give one of a few things a person chose.

        Args:
            name: What was chosen among.
            choices: What there is; something else that was kept counts as not set.
            default: What counts when nothing was chosen.
        """
        value = self._settings.value(f"choices/{name}")
        if value in choices:
            return str(value)
        self._complain(f"choices/{name}", value, f"one of {', '.join(choices)}")
        return default

    def set_choice(self, name: str, choice: str) -> None:
        self._settings.setValue(f"choices/{name}", choice)

    def flag(self, name: str, *, default: bool) -> bool:
        """Give a yes or no, as whether a panel is shown."""
        value = self._load(f"flags/{name}", default)
        if isinstance(value, bool):
            return value
        self._complain(f"flags/{name}", value, "true or false")
        return default

    def set_flag(self, name: str, *, value: bool) -> None:
        self._store(f"flags/{name}", value)

    def last_arguments(self, tool: str) -> dict[str, Any] | None:
        """Give the arguments a tool was run with last, None if it was not.

        Args:
            tool: Full name of the tool.

        Returns:
            A JSON object.
        """
        key = self._arguments_key(tool)
        value = self._load(key, None)
        if value is None or isinstance(value, dict):
            return value
        self._complain(key, value, "a JSON object")
        return None

    def last_run(self, tool: str) -> str | None:
        """Give the same as it was kept, so that a number in it may have more digits than a float.

        Args:
            tool: Full name of the tool.
        """
        value = self._settings.value(self._arguments_key(tool))
        return value if isinstance(value, str) else None

    def set_last_run(self, tool: str, text: str) -> None:
        """Keep the arguments a tool was run with; arguments too large to be worth it are forgotten instead.

        Args:
            tool: Full name of the tool.
            text: A JSON object. The caller has taken out what is secret: the file is plain text.
        """
        self._keep_text(self._arguments_key(tool), text)

    def draft(self, tool: str) -> str | None:
        """Give what stood in the form of a tool last, None if nothing was kept.

        Args:
            tool: Full name of the tool.

        Returns:
            Text that the form understands.
        """
        value = self._settings.value(f"drafts/{quote(tool, safe='')}")
        return value if isinstance(value, str) else None

    def set_draft(self, tool: str, text: str) -> None:
        """Keep what stands in the form of a tool; what is too large to be worth it is forgotten instead.

        Args:
            tool: Full name of the tool.
            text: Of the form. The caller has taken out what is secret: the file is plain text.
        """
        self._keep_text(f"drafts/{quote(tool, safe='')}", text)

    def save(self) -> str:
        """Write to the file now; Qt does so later by itself, but not if the program is killed.

        Returns:
            Why that cannot be done, in a sentence; empty when it was done.
        """
        self._settings.sync()
        if self._settings.status() is QSettings.Status.AccessError:
            # Qt never forgets a failure; another object over the same file shares the changes, and tells of now.
            self._settings = QSettings(str(self._path), QSettings.Format.IniFormat)
            self._settings.sync()
        if self._settings.status() is not QSettings.Status.AccessError:
            return ""
        _log.warning("the window's settings cannot be written to %s; they last until the end", self._path.name)
        return tr("It counts until the program ends: {path} cannot be written.", path=self._path)

    def _keep_text(self, key: str, text: str) -> None:
        if len(text) > _MAX_ARGUMENTS_CHARS:
            self._settings.remove(key)
        else:
            self._settings.setValue(key, text)

    @staticmethod
    def _arguments_key(tool: str) -> str:
        return f"arguments/{quote(tool, safe='')}"

    def _bytes(self, key: str) -> bytes | None:
        value = self._settings.value(key)
        if isinstance(value, QByteArray):
            return bytes(value.data())
        self._complain(key, value, "bytes")
        return None

    def _strings(self, key: str) -> tuple[str, ...]:
        value = self._load(key, [])
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self._complain(key, value, "a list of texts")
        return ()

    def _load(self, key: str, default: object) -> Any:
        text = self._settings.value(key)
        if text is None:
            return default
        try:
            return json.loads(text)
        except (TypeError, ValueError, RecursionError):
            self._complain(key, text, "JSON")
            return default

    def _store(self, key: str, value: object) -> None:
        self._settings.setValue(key, json.dumps(value))

    def _complain(self, key: str, value: object, expected: str) -> None:
        if value is not None:
            shown = repr(value)[:80]
            _log.warning("expected %s for %s in %s, got %s; the default counts", expected, key, self._path.name, shown)


def _project_of(text: str) -> RecentProject:
    """Read a moment and a folder, apart by a space; without a moment that can be read only the folder counts."""
    moment, _, folder = text.partition(" ")
    try:
        opened = datetime.fromisoformat(moment) if moment else None
    except ValueError:
        return RecentProject(Path(text))
    return RecentProject(Path(folder), opened if opened is None or opened.tzinfo else opened.replace(tzinfo=UTC))


def _put_aside_if_damaged(path: Path) -> str:
    """Move a file away that QSettings would read in part and write over; return a sentence about it, or nothing."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        return tr(
            "The window's settings in {path} cannot be read ({why}); the defaults count, and none is kept.",
            path=path,
            why=why,
        )
    if not _is_damaged(content):
        return ""
    return put_aside(path, tr("The file of the window's settings"))


def put_aside(path: Path, what: str) -> str:
    """Give a damaged file another name, so that a new one can be begun; return a sentence about it.

    Args:
        what: What people call it, as a sentence begins with it.
    """
    aside = path.with_name(f"{path.name}.damaged-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    try:
        path.replace(aside)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        return tr(
            "{what}, {path}, is damaged and cannot be put aside ({why}); the defaults count.",
            what=what,
            path=path,
            why=why,
        )
    return tr("{what} was damaged; it is kept as {name}, and the defaults count.", what=what, name=aside.name)


def _is_damaged(content: bytes) -> bool:
    """Return whether a file is none of those that QSettings writes: names with values, below names in brackets."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    lines = [line.strip() for line in text.splitlines()]
    sections = [line for line in lines if line.startswith("[")]
    return (
        "\0" in text
        or not all(line.endswith("]") for line in sections)
        or not all(not line or line.startswith(("[", ";", "#")) or "=" in line for line in lines)
    )
