"""The places that decide what may run: what is there, and whether a path reaches one of them.

A tool that could rewrite its own rules would be bound by none. So these places are known as values, and whoever judges
calls asks `ProtectedPlaces.reached` of every path that a tool may change.

Paths are compared widely: in capitals or not, composed or not, with what other file systems pass over left out, as
they are written and as links lead. A place too many costs a question; one too few costs the rules.
"""

from __future__ import annotations

import copy
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from tools.paths import at_home

PROTECTED: Final = "protected"
"""The kind of concern that only a person's answer to exactly that call settles."""

PROJECT_FOLDER: Final = Path(".tool-console")
"""Where a project keeps what this program reads of it, below its folder."""


class ProtectedKind(StrEnum):
    """What a protected place decides."""

    POLICY = "policy"
    APIS = "apis"
    SERVERS = "servers"
    CONSENTS = "consents"
    DEFINITIONS = "definitions"
    PLUGINS = "plugins"
    LIMITS = "limits"
    SETTINGS = "settings"
    KEYS = "keys"
    AGENTS = "agents"
    AUDIT = "audit"
    HISTORY = "history"
    JOURNALS = "journals"
    PROJECT = "project"
    SHELL = "shell"
    GIT = "git"
    PROGRAMS = "programs"


WHAT_IT_DECIDES: Final = {
    ProtectedKind.POLICY: "which decides what may run",
    ProtectedKind.APIS: "which decide what requests are sent, and where",
    ProtectedKind.SERVERS: "which decide what programs are started",
    ProtectedKind.CONSENTS: "which say what programs may be started",
    ProtectedKind.DEFINITIONS: "which say whose tools may run as they are",
    ProtectedKind.PLUGINS: "which decide what code is loaded",
    ProtectedKind.LIMITS: "which decide when a tool is blocked",
    ProtectedKind.SETTINGS: "which decide how the program behaves",
    ProtectedKind.KEYS: "which open and seal what is kept",
    ProtectedKind.AGENTS: "which say who may call tools",
    ProtectedKind.AUDIT: "which proves what ran",
    ProtectedKind.HISTORY: "which tells what ran",
    ProtectedKind.JOURNALS: "which decide how an interrupted run goes on",
    ProtectedKind.PROJECT: "which decides what may run in the project",
    ProtectedKind.SHELL: "which a shell runs when it starts",
    ProtectedKind.GIT: "whose hooks and settings make git run programs",
    ProtectedKind.PROGRAMS: "which makes other programs run something",
}
"""What each kind of place is protected for, to stand behind what the place is called."""


class ProtectedPlace(NamedTuple):
    """One place that no tool changes unless a person says yes to exactly that.

    Attributes:
        path: The file or folder, which need not exist; everything in it belongs to it.
        called: What it is called, such as `the project's policy`.
    """

    kind: ProtectedKind
    path: Path
    called: str

    @property
    def words(self) -> str:
        """What it is and what it decides, as the end of a sentence."""
        return f"{self.called}, {WHAT_IT_DECIDES[self.kind]}"


class Reached(NamedTuple):
    """A protected place that a path reaches.

    Attributes:
        is_inside: Whether the path is the place or lies in it; otherwise the place lies in the folder that it names.
    """

    place: ProtectedPlace
    is_inside: bool


_SHELL_FILES: Final = (
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login"),
    *(".config/fish", ".config/nushell", ".config/powershell", ".config/environment.d", ".pam_environment"),
    *(".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".xonshrc", ".elvish", ".local/share/powershell"),
)
_GIT_FILES: Final = (".gitconfig", ".config/git", ".githooks", ".husky", ".pre-commit-config.yaml", "lefthook.yml")
_PROGRAM_FILES: Final = (".envrc", ".config/direnv", ".direnv", ".mise.toml", ".ssh", ".config/autostart")
_MORE_PROGRAM_FILES: Final = (".config/systemd/user", "Library/LaunchAgents", ".local/share/keyrings", ".netrc")

_ANYWHERE: Final = {
    str(PROJECT_FOLDER): (ProtectedKind.PROJECT, "a project's Tool Console folder"),
    ".git": (ProtectedKind.GIT, "a repository's own folder"),
    ".githooks": (ProtectedKind.GIT, "a folder of git hooks"),
    ".husky": (ProtectedKind.GIT, "a folder of git hooks"),
    ".envrc": (ProtectedKind.PROGRAMS, "a folder's .envrc"),
}
"""What is protected in whatever folder it lies, by its name."""

_IGNORED: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]")
"""What HFS+ passes over in names."""

_SHORT_GIT: Final = re.compile(r"git~\d")
"""What NTFS calls `.git` in short."""

_HOOKS_PATH: Final = re.compile(r"(?im)^\s*hookspath\s*=\s*\"?(.+?)\"?\s*$")
_GIT_DIR: Final = re.compile(r"gitdir:\s*(.+)")
_MOST_ENTRIES: Final = 50_000
_LARGEST_CONFIG: Final = 100_000


def project_places(folder: Path) -> Iterator[ProtectedPlace]:
    """Yield what is protected in a project, the narrowest places first."""
    ours = folder / PROJECT_FOLDER
    yield ProtectedPlace(ProtectedKind.POLICY, ours / "policy.toml", "the project's policy")
    yield ProtectedPlace(ProtectedKind.SERVERS, ours / "servers.json", "the project's servers")
    yield ProtectedPlace(ProtectedKind.APIS, ours / "apis.json", "the project's APIs")
    yield ProtectedPlace(ProtectedKind.PROJECT, ours, "the project's Tool Console folder")
    yield ProtectedPlace(ProtectedKind.GIT, folder / ".git" / "hooks", "the project's git hooks")
    yield ProtectedPlace(ProtectedKind.GIT, folder / ".git" / "config", "the project's git settings")
    yield ProtectedPlace(ProtectedKind.GIT, folder / ".git", "the project's own git folder")
    yield from _start_files(folder, "the project's")


def person_places(home: Path) -> Iterator[ProtectedPlace]:
    """Yield what is protected in a person's home folder."""
    yield from _start_files(home, "your")


def _start_files(folder: Path, whose: str) -> Iterator[ProtectedPlace]:
    for name in _SHELL_FILES:
        yield ProtectedPlace(ProtectedKind.SHELL, folder / name, f"{whose} shell start file {name}")
    for name in _GIT_FILES:
        yield ProtectedPlace(ProtectedKind.GIT, folder / name, f"{whose} {name}")
    for name in (*_PROGRAM_FILES, *_MORE_PROGRAM_FILES):
        yield ProtectedPlace(ProtectedKind.PROGRAMS, folder / name, f"{whose} {name}")


def _git_places(folder: Path) -> Iterator[ProtectedPlace]:
    """Yield where the git of a project keeps its settings and hooks, when that is not `.git`."""
    git = folder / ".git"
    found = _GIT_DIR.match(_read(git)) if git.is_file() else None
    if found is not None:
        git = folder / found[1].strip()
        yield ProtectedPlace(ProtectedKind.GIT, git, "the project's own git folder")
        shared = git / _read(git / "commondir").strip()
        yield ProtectedPlace(ProtectedKind.GIT, shared, "the project's own git folder")
        git = shared
    for named in _HOOKS_PATH.finditer(_read(git / "config")):
        hooks = folder / at_home(named[1])
        # Hooks in the project folder itself would make everything in it a hook.
        if hooks.resolve() != folder.resolve():
            yield ProtectedPlace(ProtectedKind.GIT, hooks, "the project's git hooks")


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.read(_LARGEST_CONFIG)
    except OSError:
        return ""


class _Known(NamedTuple):
    """A place, prepared for being compared.

    Attributes:
        written: Its path as it is written, folded.
    """

    place: ProtectedPlace
    folder: str
    name: str
    written: str


def _known(place: ProtectedPlace) -> _Known:
    return _Known(place, str(place.path.parent), place.path.name, _folded_place(str(place.path)))


class ProtectedPlaces:
    """Tell which protected place a path reaches, as links lead at the moment of the first question.

    Args:
        further: What else is protected: where the program keeps what it goes by.

    Attributes:
        home: The home folder of the person, as it was when the places were listed.
    """

    def __init__(self, project_dir: Path, further: Iterable[ProtectedPlace] = ()) -> None:
        self.project_dir = project_dir
        self.home = Path.home()
        places = (*further, *person_places(self.home), *project_places(project_dir))
        self._known = tuple(map(_known, places))
        # The names that alone may reach a place.
        self._last_names = frozenset(folded(item.name) for item in self._known) | _ANYWHERE.keys()

    def anew(self) -> ProtectedPlaces:
        """Return the same places for another call, which looks at the disk by itself.

        Only places that were never asked anything are copied: the copy of others would know the disk as it was.
        """
        return copy.copy(self)

    @cached_property
    def _index(self) -> _Index:
        return _Index(self.project_dir, (*self._known, *map(_known, _git_places(self.project_dir))))

    def reached(self, path: Path | str) -> Reached | None:
        """Return the place that whoever changes a path changes, or changes with a folder that holds it.

        Args:
            path: An absolute path, which need not exist.
        """
        written, index = os.path.normpath(path), self._index
        try:
            texts = (written, os.path.realpath(path), _of_link(written))
        except (OSError, ValueError):
            # What no file system takes reaches nothing, but is compared as it is written.
            texts = (written, written, written)
        forms = tuple(dict.fromkeys(map(folded, texts)))
        place = next(filter(None, map(index.holding, forms)), None) or index.identical(texts[1])
        if place is not None:
            return Reached(place, is_inside=True)
        inner = next((form for form in forms if form in index.above), None)
        return None if inner is None else Reached(index.above[inner], is_inside=False)

    def beginning(self, text: str) -> ProtectedPlace | None:
        """Return a place that a path may reach of which only the beginning is known."""
        start = folded(text)
        return next((place for name, place in self._index.names.items() if name.startswith(start)), None)

    def is_name(self, name: str) -> bool:
        """Return whether a name alone may reach a place, in whatever folder it is looked for."""
        return folded(name) in self._last_names


class _Index:
    """Hold what the disk says of protected places at one moment.

    Args:
        known: The places, the narrowest first.

    Attributes:
        names: The places by every path that leads to them, folded.
        above: A place by every folder that holds it, folded.
    """

    def __init__(self, project_dir: Path, known: Iterable[_Known]) -> None:
        self._places = tuple(known)
        self.names: dict[str, ProtectedPlace] = {}
        self.above: dict[str, ProtectedPlace] = {}
        self._identities: dict[tuple[int, int], ProtectedPlace] = {}
        self._folders = tuple({_folded_place(str(project_dir)), _folded_place(os.path.realpath(project_dir))})
        real: dict[str, str] = {}
        for place, folder, name, written in self._places:
            if folder not in real:
                real[folder] = os.path.realpath(folder)
            itself = f"{real[folder]}{os.sep}{name}"
            self.names.setdefault(written, place)
            if real[folder] != folder:
                self.names.setdefault(_folded_place(itself), place)
            if (identity := _identity(itself)) is not None:
                self._identities.setdefault(identity, place)
                self.names.setdefault(_folded_place(os.path.realpath(itself)), place)
        nearest: dict[str, ProtectedPlace] = {}
        for name, place in self.names.items():
            nearest.setdefault(name.rpartition("/")[0], place)
        for folder, place in nearest.items():
            for above in (folder or "/", *_parents(folder)):
                self.above.setdefault(above, place)

    def holding(self, form: str) -> ProtectedPlace | None:
        for text in (form, *_parents(form)):
            if (place := self.names.get(text)) is not None:
                return place
        inside = next((form[len(folder) :] for folder in self._folders if _is_below(form, folder)), form)
        for part in inside.split("/"):
            name = ".git" if _SHORT_GIT.fullmatch(part) else part
            if name in _ANYWHERE:
                kind, called = _ANYWHERE[name]
                return ProtectedPlace(kind, Path(form), called)
        return None

    def identical(self, text: str) -> ProtectedPlace | None:
        """Return the place that is the same file or folder under another name: a hard link, another mount."""
        try:
            status = os.stat(text)  # noqa: PTH116 -- asked for each call
        except (OSError, ValueError):
            pass
        else:
            if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                wanted = status.st_dev, status.st_ino
                return next((item.place for item in self._places if wanted in _files_of(item.place.path)), None)
        for folder in (text, *_parents(text)):
            identity = _identity(folder)
            if identity is not None and (place := self._identities.get(identity)) is not None:
                return place
        return None


def _identity(text: str) -> tuple[int, int] | None:
    """Return what tells a file or folder apart, whatever its name is; None when there is none."""
    try:
        status = os.stat(text)  # noqa: PTH116 -- asked a hundred times for each call
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _files_of(path: Path) -> set[tuple[int, int]]:
    """Return what tells the files of a place apart, for hard links to them."""
    found: set[tuple[int, int]] = set()
    waiting = [path]
    while waiting and len(found) < _MOST_ENTRIES:
        path = waiting.pop()
        try:
            status = path.stat()
            found.add((status.st_dev, status.st_ino))
            if stat.S_ISDIR(status.st_mode):
                # What git keeps of contents is linked between clones, and decides nothing.
                waiting += [item for item in path.iterdir() if item.name != "objects" and not item.is_symlink()]
        except (OSError, ValueError):
            continue
    return found


def _of_link(written: str) -> str:
    """Return a path in the real folder that it lies in: whoever changes a link changes that place."""
    path = Path(written)
    return str(Path(os.path.realpath(path.parent), path.name))


def _parents(text: str) -> Iterator[str]:
    """Yield the folders that a path lies in, the nearest first."""
    while "/" in text.rstrip("/"):
        text = text.rpartition("/")[0]
        yield text or "/"
        if not text:
            return


def _is_below(text: str, folder: str) -> bool:
    return text == folder or text.startswith(folder.rstrip("/") + "/")


def folded(text: str) -> str:
    """Return a path as every file system that takes two spellings for one would compare it."""
    if os.sep != "/":
        text = text.replace(os.sep, "/")
    if not text.isascii():
        text = _IGNORED.sub("", unicodedata.normalize("NFC", text.casefold()))
    parts = text.casefold().split("/")
    # NTFS takes `.git.` and `.git::$DATA` for `.git`; `C:` is a drive.
    return "/".join(part.split(":")[0].rstrip(". ") or part if part[1:] != ":" else part for part in parts)


# For the places alone, a few hundred for each project: what calls ask about is kept nowhere, however long it is.
_folded_place = lru_cache(maxsize=1024)(folded)
