"""Policy files: rules as TOML that people read and edit, comments and order kept when the program adds one."""

from __future__ import annotations

import json
import os
import tomllib
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Final, NamedTuple

import platformdirs
from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, ValidationError

from tools.atomic_write import write_whole
from tools.errors import PolicyError
from tools.policy.rules import Autonomy, Effect, Rule, RuleMoment
from tools.protected import PROJECT_FOLDER
from tools.watched_file import WatchedFile

MOST_RULES: Final = 1000
"""The most rules of a file: each of them may be looked at before a call."""

_JSON: Final = "_json"
"""What a key ends with whose value is JSON in a text, for what TOML cannot say, such as null."""


_NO_RULES: Final = "# Rules that say which calls run, which are asked about, and which are refused. There are none.\n"
"""What a file says whose last rule was taken out."""


PROJECT_FILE: Final = PROJECT_FOLDER / "policy.toml"
"""Where a project keeps its rules, below its folder."""


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    autonomy: Autonomy | None = None
    rule: Annotated[tuple[Rule, ...], MaxLen(MOST_RULES)] = ()


class FileContent(NamedTuple):
    """What a policy file says.

    Attributes:
        autonomy: The level it sets; None when it sets none.
        unreadable: Why nothing of it can be known; empty when it can.
        refused: What it says and may not, one sentence each.
    """

    rules: tuple[Rule, ...] = ()
    autonomy: Autonomy | None = None
    unreadable: str = ""
    refused: tuple[str, ...] = ()


class Rewriting(NamedTuple):
    """What a change made of a file."""

    before: str
    after: str


class PolicyFile(WatchedFile):
    """One policy file, which need not exist.

    Args:
        tightens_only: Whether it may only ask and deny, as a project's.
    """

    def __init__(self, path: Path, *, tightens_only: bool = False) -> None:
        super().__init__(path)
        self._tightens_only = tightens_only

    def read(self) -> FileContent:
        self.look()
        try:
            text = self._text()
            if not text:
                # Most people have no file, and to read one takes as long as to import ten modules.
                return FileContent()
            document = self._parsed(text)
        except PolicyError as error:
            return FileContent(unreadable=str(error))
        if not self._tightens_only:
            return FileContent(document.rule, document.autonomy)
        refused = [self._too_loose(rule) for rule in document.rule if _loosens(rule)]
        if document.autonomy is not None:
            refused.append(f"{self.path}: a project cannot set the autonomy level; take it out")
        return FileContent(tuple(rule for rule in document.rule if not _loosens(rule)), None, "", tuple(refused))

    def _admit(self, rule: Rule) -> None:
        if self._tightens_only and _loosens(rule):
            raise PolicyError(self._too_loose(rule))

    def _too_loose(self, rule: Rule) -> str:
        return (
            f"{self.path}: the rule {rule.id!r} would allow calls, but a project's rules can only ask and deny;"
            " move it to your own policy"
        )

    def _text(self) -> str:
        """Return the file's text; empty when there is no file.

        Raises:
            PolicyError: When it cannot be read.
        """
        try:
            text = self.text()
        except (OSError, ValueError) as error:
            raise self._unreadable(str(error)) from error
        if text is None:
            return ""
        # What the program writes is never empty: a crash or another program took the rules away, and nobody meant it.
        if not text.strip("\0 \t\r\n"):
            raise self._unreadable("it is empty; bring its rules back, or delete the file if there are to be none")
        return text

    def _parsed(self, text: str) -> _Document:
        """Return what a text says.

        Raises:
            PolicyError: When it is no policy.
        """
        try:
            document = _Document.model_validate(from_toml(tomllib.loads(text)))
        except ValidationError as error:
            raise self._unreadable("; ".join(map(problem_words, error.errors()))) from error
        except (ValueError, RecursionError) as error:
            raise self._unreadable(str(error)) from error
        times = Counter(rule.id for rule in document.rule)
        if twice := sorted(rule_id for rule_id, count in times.items() if count > 1):
            raise self._unreadable(f"expected each id once, but {', '.join(map(repr, twice))} came twice; rename one")
        return document

    def _unreadable(self, why: str) -> PolicyError:
        return PolicyError(f"The policy file {self.path} cannot be read, so every call is asked about: {why}")

    def add(self, rule: Rule, former: Rewriting | None = None) -> None:
        """Write a rule behind the others.

        Args:
            former: What its removal made of the file; when that is all that happened since, the file becomes what it
                was before, to the letter.

        Raises:
            PolicyError: When the file cannot be read or written, or has a rule of that id.
        """
        self._admit(rule)

        def change(text: str, document: _Document) -> tuple[str, _Document]:
            if any(known.id == rule.id for known in document.rule):
                raise PolicyError(f"{self.path} has a rule {rule.id!r} already; choose another id")
            if former is not None and former.after == text:
                return former.before, self._parsed(former.before)
            return _texts().with_rule(text, to_toml(rule)), _with_rules(document, (*document.rule, rule))

        self._edit(change)

    def replace(self, rule: Rule) -> None:
        """Write a rule in the place of the one with the same id.

        Raises:
            PolicyError: When the file cannot be read or written, or has no such rule.
        """
        self._admit(rule)

        def change(text: str, document: _Document) -> tuple[str, _Document]:
            place = self._place(document, rule.id)
            rules = (*document.rule[:place], rule, *document.rule[place + 1 :])
            return _texts().with_replaced_rule(text, place, to_toml(rule)), _with_rules(document, rules)

        self._edit(change)

    def remove(self, rule_id: str) -> Rewriting:
        """Take a rule out, with the comment directly above it.

        Returns:
            What it made of the file.

        Raises:
            PolicyError: When the file cannot be read or written, or has no such rule.
        """

        def change(text: str, document: _Document) -> tuple[str, _Document]:
            place = self._place(document, rule_id)
            rules = document.rule[:place] + document.rule[place + 1 :]
            return _texts().without_rule(text, place), _with_rules(document, rules)

        return self._edit(change)

    def set_autonomy(self, autonomy: Autonomy) -> None:
        """Write the level.

        Raises:
            PolicyError: When the file cannot be read or written.
        """

        def change(text: str, document: _Document) -> tuple[str, _Document]:
            changed = _texts().with_setting(text, "autonomy", autonomy.value)
            return changed, document.model_copy(update={"autonomy": autonomy})

        self._edit(change)

    def _place(self, document: _Document, rule_id: str) -> int:
        for place, rule in enumerate(document.rule):
            if rule.id == rule_id:
                return place
        raise PolicyError(f"{self.path} has no rule {rule_id!r} any more; somebody took it out meanwhile")

    def _edit(self, change: Callable[[str, _Document], tuple[str, _Document]]) -> Rewriting:
        """Change the file as it is now, whoever changed it before, and put it in its place at once.

        Args:
            change: Makes of the text, and what it says, the new text and what that has to say.

        Returns:
            The texts before and after.

        Raises:
            PolicyError: When that cannot be done; the file is as it was.
        """
        try:
            with self.locked():
                text = self._text()
                changed = self._changed(text, self._parsed(text), change)
                write_whole(self.path, changed)
                return Rewriting(text, changed)
        except OSError as error:
            raise PolicyError(f"the policy file {self.path} cannot be written ({error})") from error

    def _changed(
        self, text: str, document: _Document, change: Callable[[str, _Document], tuple[str, _Document]]
    ) -> str:
        by_hand = f"{self.path} is written in a way that only a person can change; write each rule under [[rule]]"
        try:
            changed, meant = change(text, document)
            changed = changed if changed.strip() else _NO_RULES
        except (LookupError, ValueError) as error:
            raise PolicyError(by_hand) from error
        try:
            if self._parsed(changed) == meant:
                return changed
        except PolicyError as error:
            raise PolicyError(by_hand) from error
        raise PolicyError(by_hand)


def user_policy_file() -> Path:
    """Return the person's policy file; `TOOL_CONSOLE_CONFIG` moves the folder that it is in."""
    moved = os.environ.get("TOOL_CONSOLE_CONFIG", "")
    folder = Path(moved) if moved else platformdirs.user_config_path("tool-console", appauthor=False)
    return folder / "policy.toml"


def project_file(folder: Path | None) -> PolicyFile | None:
    """Return the policy file of a project folder, which can only tighten; None has none."""
    return None if folder is None else PolicyFile(folder / PROJECT_FILE, tightens_only=True)


def from_toml(value: Any) -> Any:
    """Return what a TOML value means: a key that ends in `_json` holds JSON as a text."""
    if isinstance(value, dict):
        whole: dict[str, Any] = {}
        for key, part in value.items():
            if key in _JSON_KEYS and isinstance(part, str):
                key, part = key.removesuffix(_JSON), json.loads(part)  # noqa: PLW2901 -- as it is meant
            if key in whole:
                msg = f"expected {key} once, got it as TOML and as JSON"
                raise ValueError(msg)
            whole[key] = part if key in _PLAIN_KEYS else from_toml(part)
        return whole
    if isinstance(value, list):
        return [from_toml(part) for part in value]
    return value


_PLAIN_KEYS: Final = frozenset({"equals", "in"})
_JSON_KEYS: Final = frozenset(key + _JSON for key in _PLAIN_KEYS)


def to_toml(rule: Rule) -> dict[str, Any]:
    """Return a rule as TOML has it: what is as usual is left out."""
    said = rule.model_dump(exclude_defaults=True, exclude={"where"})
    plain = {key: _plain(value) for key, value in said.items()}
    if rule.where:
        plain["where"] = [_predicate(item.path, item.comparison.value, item.operand) for item in rule.where]
    order = ("id", "effect", "moment", "source", "tool", "caller", "risk", "where")
    return {key: plain[key] for key in (*order, *(key for key in plain if key not in order)) if key in plain}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return str(value) if isinstance(value, StrEnum) else value


def _predicate(path: str, key: str, operand: Any) -> dict[str, Any]:
    value = list(operand) if isinstance(operand, tuple) else operand
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        value = int(value)
    if key not in _PLAIN_KEYS or _fits_toml(value):
        return {"path": path, key: value}
    return {"path": path, key + _JSON: json.dumps(value)}


def _fits_toml(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_fits_toml, value.values())) and all(map(_fits_toml, value))
    if isinstance(value, list):
        return all(map(_fits_toml, value))
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return abs(value) < _LARGEST
    return isinstance(value, float) or (isinstance(value, str) and value.isprintable())


_LARGEST: Final = 2**53


def _with_rules(document: _Document, rules: tuple[Rule, ...]) -> _Document:
    return document.model_copy(update={"rule": rules})


def _texts() -> ModuleType:
    from tools.policy import toml_text  # noqa: PLC0415 -- whoever only reads rules needs no library that writes them

    return toml_text


def _loosens(rule: Rule) -> bool:
    return rule.effect is Effect.ALLOW and rule.moment is RuleMoment.BEFORE


def problem_words(error: Any) -> str:
    """Return one problem that pydantic found, with its place."""
    where = ".".join(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
    return f"{where}: {error['msg']}" if where else str(error["msg"])
