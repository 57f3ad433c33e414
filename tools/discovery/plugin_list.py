"""Which plugin files a person chose."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import platformdirs

from tools.atomic_write import write_whole
from tools.errors import DiscoveryError
from tools.spec import Isolation

APP_NAME: Final = "tool-console"

LOADING_S: Final = 20.0
"""Seconds a plugin file may take to be loaded, where nobody says otherwise."""


_Word = TypeVar("_Word")


class _Listed(NamedTuple):
    files: tuple[Path, ...] = ()
    isolation: dict[Path, Isolation] = {}  # noqa: RUF012 -- never changed in place
    trust: dict[Path, bool] = {}  # noqa: RUF012 -- as above
    loading_s: float = LOADING_S


class PluginList:
    """Remember which plugin files a person chose, for the window and the command line alike.

    The list is a JSON file: `{"files": ["/a/notes.py"], "isolation": {"/a": "thread"}}`. What it says of a file or a
    folder under `isolation` holds for the tools in it that do not say themselves where they run; `"loading_s": 60`
    gives each file that many seconds to be loaded in a worker process. The code of a file or a folder with false under
    `trust` is not run; where nothing is said, it is.

    Args:
        folder: The settings folder; None is the user's own.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or platformdirs.user_config_path(APP_NAME)

    @property
    def folder(self) -> Path:
        return self._folder / "plugins"

    @property
    def file(self) -> Path:
        return self._folder / "plugins.json"

    def paths(self) -> list[Path]:
        """Return the files of the plugin folder, then those chosen elsewhere.

        Raises:
            DiscoveryError: When the folder or the list cannot be read; both are left as they are.
        """
        inside = self.folder_files()
        return inside + [path for path in self._read().files if path not in inside]

    def folder_files(self) -> list[Path]:
        """Return the files of the plugin folder.

        Raises:
            DiscoveryError: When the folder cannot be read.
        """
        try:
            # Path.glob finds nothing in a folder that it may not read.
            inside = list(self.folder.iterdir())
        except FileNotFoundError:
            return []
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            msg = f"the plugin folder {self.folder} cannot be read ({why}); let your user read it"
            raise DiscoveryError(msg) from error
        return sorted(path for path in inside if path.suffix == ".py" and not path.name.startswith("_"))

    def add(self, path: Path) -> None:
        listed = self._read()
        if path.absolute() not in listed.files:
            self._write(listed._replace(files=(*listed.files, path.absolute())))

    def remove(self, path: Path) -> None:
        listed = self._read()
        self._write(listed._replace(files=tuple(item for item in listed.files if item != path.absolute())))

    def isolation_of(self, path: Path) -> Isolation:
        """Return where the tools of a file run that do not say: as its own entry or its nearest folder's says.

        Raises:
            DiscoveryError: When the list cannot be read.
        """
        return _nearest(path, self._read().isolation, Isolation.PROCESS)

    def set_isolation(self, place: Path, isolation: Isolation | None) -> None:
        """Remember where the tools of a file or folder run that do not say; None forgets it."""
        listed = self._read()
        said = {key: word for key, word in listed.isolation.items() if key != place.absolute()}
        if isolation is not None:
            said[place.absolute()] = isolation
        self._write(listed._replace(isolation=said))

    def is_trusted(self, place: Path) -> bool:
        """Return whether the code of a file or folder may run: as its own entry or its nearest folder's says.

        Raises:
            DiscoveryError: When the list cannot be read.
        """
        return _nearest(place, self._read().trust, True)

    def set_trusted(self, place: Path, *, trusted: bool) -> None:
        """Remember whether the code of a file, or of all files in a folder, may run; what was said below it goes.

        Raises:
            DiscoveryError: When the list cannot be read.
        """
        listed, place = self._read(), place.absolute()
        said = {path: word for path, word in listed.trust.items() if not path.is_relative_to(place)}
        if _nearest(place, said, True) is not trusted:
            said[place] = trusted
        self._write(listed._replace(trust=said))

    @property
    def loading_s(self) -> float:
        """Seconds a file may take to be loaded in a worker process.

        Raises:
            DiscoveryError: When the list cannot be read.
        """
        return self._read().loading_s

    def _read(self) -> _Listed:
        try:
            listed = json.loads(self.file.read_text("utf-8"))
            said = {Path(place): Isolation(word) for place, word in listed.get("isolation", {}).items()}
            return _Listed(tuple(Path(item) for item in listed["files"]), said, _trust(listed), _seconds(listed))
        except FileNotFoundError:
            return _Listed()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            msg = f"the plugin list {self.file} cannot be read ({error}); mend or delete it"
            raise DiscoveryError(msg) from error

    def _write(self, listed: _Listed) -> None:
        said: dict[str, object] = {"files": [str(path) for path in listed.files]}
        if listed.isolation:
            said["isolation"] = {str(place): word.value for place, word in listed.isolation.items()}
        if listed.trust:
            said["trust"] = {str(place): trusted for place, trusted in listed.trust.items()}
        if listed.loading_s != LOADING_S:
            said["loading_s"] = listed.loading_s
        write_whole(self.file, json.dumps(said, indent=2) + "\n")


def _nearest(path: Path, said: Mapping[Path, _Word], default: _Word) -> _Word:
    places = (path.absolute(), *path.absolute().parents)
    return next((said[place] for place in places if place in said), default)


def _trust(listed: dict[str, Any]) -> dict[Path, bool]:
    said = {Path(place): trusted for place, trusted in listed.get("trust", {}).items()}
    wrong = next((trusted for trusted in said.values() if not isinstance(trusted, bool)), None)
    if wrong is not None:
        msg = f"trust is true or false, but here {wrong!r}"
        raise ValueError(msg)
    return said


def _seconds(listed: dict[str, Any]) -> float:
    seconds = listed.get("loading_s", LOADING_S)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < inf:
        msg = f"loading_s is a number of seconds above 0, but here {seconds!r}"
        raise ValueError(msg)
    return float(seconds)
