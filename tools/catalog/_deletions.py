"""Which files a command line deletes, moves or overwrites, found out by looking only."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.catalog._dry_runs import called
from tools.catalog._paths import shown

if TYPE_CHECKING:
    from tools.policy.shell import Command
    from tools.policy.shell_syntax import Word

_MOST_FOUND: Final = 5_000
_MOST_SAID: Final = 4


class Deletions(NamedTuple):
    """What the commands of a line delete, move or overwrite.

    Attributes:
        paths: What is gone afterwards, with all below it.
        sentences: What happens, for people.
        warnings: What is not known beforehand, and what will fail.
    """

    paths: tuple[Path, ...]
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]


def deletions(commands: Sequence[Command], cwd: Path, project_dir: Path) -> Deletions:
    """Return what plain commands of a line delete; nothing is touched.

    Args:
        commands: The commands; others than `rm`, `rmdir`, `unlink` and `mv` are left out.
        cwd: The folder that the line starts in.
        project_dir: The project folder, for names.
    """
    gone: list[Path] = []
    sentences: list[str] = []
    warnings: list[str] = []
    for command in commands:
        if command.name not in _DELETING:
            continue
        operands = None if command.folder is None else _operands(command, cwd / Path(command.folder).expanduser())
        if operands is None:
            warnings.append(f"What {command.name} takes away is not known beforehand.")
            continue
        for path, words, is_warning in _DELETING[command.name](*operands, project_dir):
            (warnings if is_warning else sentences).append(words)
            if path is not None and not any(path == other or other in path.parents for other in gone):
                gone.append(path)
    more = len(sentences) - _MOST_SAID
    said = [*sentences[:_MOST_SAID], f"The same with {more} more."] if more > 0 else sentences
    return Deletions(tuple(gone), tuple(said), tuple(dict.fromkeys(warnings)))


class _Found(NamedTuple):
    """What a command does with one of its paths: what is gone, and words that say so or why not."""

    path: Path | None
    words: str
    is_warning: bool = False


def _operands(command: Command, folder: Path) -> tuple[frozenset[str], list[str]] | None:
    """Return the options and paths of a command, file names filled in as the shell does; None when one is not known."""
    from tools.policy.shell import named_by  # noqa: PLC0415 -- few who list the tools look at a command
    from tools.policy.shell_syntax import Word  # noqa: PLC0415 -- as above

    words: list[Word] = []
    for word in command.words:
        if word.pattern:
            words += map(Word, _filled_in(word, folder))
        elif word.is_known:
            words.append(word)
        else:
            return None
    if len(words) > _MOST_FOUND:
        return None
    named = named_by(command.name, words)
    if named is None:
        return None
    return named.options, [os.path.join(folder, word.text) for word in named.written()]  # noqa: PTH118 -- a path would lose a last dot


def _filled_in(word: Word, folder: Path) -> list[str]:
    pattern = os.path.expanduser(word.pattern).replace("[^", "[!")  # noqa: PTH111 -- a pattern of the shell is no path
    found = sorted(islice(glob.iglob(pattern, root_dir=folder), _MOST_FOUND + 1))  # noqa: PTH207 -- hides what the shell hides
    # What finds nothing stays as it is written.
    return found or [pattern.replace("[*]", "*").replace("[?]", "?").replace("[[]", "[")]


def _rm(options: frozenset[str], places: Sequence[str], project_dir: Path) -> Iterator[_Found]:
    recursive, empty = bool(options & {"-r", "-R", "--recursive"}), bool(options & {"-d", "--dir"})
    for place in places:
        path = _path(place)
        name = shown(path, project_dir)
        if place.rstrip("/").rpartition("/")[2] in {"", ".", ".."}:
            yield _Found(None, f"rm refuses to delete {place!r}.", is_warning=True)
        elif not os.path.lexists(path):
            if not options & {"-f", "--force"}:
                yield _missing(path, project_dir)
        elif path.is_dir() and not path.is_symlink() and not recursive and not (empty and _is_empty(path)):
            yield _Found(None, f"The folder {name} stays, as it is deleted with -r only.", is_warning=True)
        else:
            yield _Found(path, f"Delete {called(path, project_dir)}.")


def _rmdir(_: frozenset[str], places: Sequence[str], project_dir: Path) -> Iterator[_Found]:
    for path in map(_path, places):
        name = shown(path, project_dir)
        if path.is_symlink() or not path.is_dir() or not _is_empty(path):
            yield _Found(None, f"{name} stays, as it is no empty folder.", is_warning=True)
        else:
            yield _Found(path, f"Delete the empty folder {name}.")


def _mv(options: frozenset[str], places: Sequence[str], project_dir: Path) -> Iterator[_Found]:
    paths = [_path(place) for place in places]
    target, sources = paths[-1], paths[:-1]
    for source in sources:
        inside = target.is_dir() and not options & {"-T", "--no-target-directory"}
        place = target / source.name if inside else target
        name, where = called(source, project_dir), shown(place, project_dir)
        if not os.path.lexists(source):
            yield _missing(source, project_dir)
        elif not place.is_file():
            yield _Found(None, f"Move {name} to {where}.")
        elif options & {"-n", "--no-clobber"}:
            yield _Found(None, f"{shown(source, project_dir)} stays, as there is a {where} already.", is_warning=True)
        else:
            yield _Found(place, f"Move {name} to {where}, in the place of the file there.")


def _missing(path: Path, project_dir: Path) -> _Found:
    return _Found(None, f"There is no {shown(path, project_dir)}.", is_warning=True)


def _path(place: str) -> Path:
    return Path(os.path.normpath(place))


def _is_empty(path: Path) -> bool:
    return not any(path.iterdir())


_DELETING: Final[Mapping[str, Callable[[frozenset[str], Sequence[str], Path], Iterator[_Found]]]] = {
    "rm": _rm,
    "unlink": _rm,
    "rmdir": _rmdir,
    "mv": _mv,
}
