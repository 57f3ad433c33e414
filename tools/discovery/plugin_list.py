"""Which plugin files a person chose."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

from tools.errors import DiscoveryError
from tools.spec import Isolation

APP_NAME: Final = "tool-console"


class PluginList:
    """Remember which plugin files a person chose, for the window and the command line alike.

    The list is a JSON file: `{"files": ["/a/notes.py"], "isolation": {"/a": "thread"}}`. What it says of a file or a
    folder under `isolation` holds for the tools in it that do not say themselves where they run.

    Args:
        folder: The settings folder; None is the user's own.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or platformdirs.user_config_path(APP_NAME)

    @property
    def folder(self) -> Path:
        """Every Python file in this folder is a plugin."""
        return self._folder / "plugins"

    @property
    def _file(self) -> Path:
        return self._folder / "plugins.json"

    def paths(self) -> list[Path]:
        """Return the files of the plugin folder, then those chosen elsewhere.

        Raises:
            DiscoveryError: When the list cannot be read; it is left as it is.
        """
        inside = sorted(path for path in self.folder.glob("*.py") if not path.name.startswith("_"))
        return inside + [path for path in self._chosen() if path not in inside]

    def add(self, path: Path) -> None:
        """Remember a file."""
        chosen = self._chosen()
        if path.absolute() not in chosen:
            self._write([*chosen, path.absolute()])

    def remove(self, path: Path) -> None:
        """Forget a file."""
        self._write([item for item in self._chosen() if item != path.absolute()])

    def isolation_of(self, path: Path) -> Isolation:
        """Return where the tools of a file run that do not say: as its own entry or its nearest folder's says.

        Raises:
            DiscoveryError: When the list cannot be read.
        """
        said = self._read()[1]
        places = (path.absolute(), *path.absolute().parents)
        return next((said[place] for place in places if place in said), Isolation.PROCESS)

    def set_isolation(self, place: Path, isolation: Isolation | None) -> None:
        """Remember where the tools of a file or folder run that do not say; None forgets it."""
        paths, said = self._read()
        said.pop(place.absolute(), None)
        if isolation is not None:
            said[place.absolute()] = isolation
        self._write(paths, said)

    def _chosen(self) -> list[Path]:
        return self._read()[0]

    def _read(self) -> tuple[list[Path], dict[Path, Isolation]]:
        try:
            listed = json.loads(self._file.read_text("utf-8"))
            said = {Path(place): Isolation(word) for place, word in listed.get("isolation", {}).items()}
            return [Path(item) for item in listed["files"]], said
        except FileNotFoundError:
            return [], {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            msg = f"the plugin list {self._file} cannot be read ({error}); mend or delete it"
            raise DiscoveryError(msg) from error

    def _write(self, paths: list[Path], isolation: Mapping[Path, Isolation] | None = None) -> None:
        said = self._read()[1] if isolation is None else isolation
        listed: dict[str, object] = {"files": [str(path) for path in paths]}
        if said:
            listed["isolation"] = {str(place): word.value for place, word in said.items()}
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(listed, indent=2)
        scratch = self._file.with_suffix(".tmp")
        scratch.write_text(text + "\n", "utf-8")
        scratch.replace(self._file)
