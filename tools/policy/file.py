"""Policy files: rules as TOML that people read and edit, comments and order kept when the program adds one."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from tools.errors import PolicyError
from tools.policy.rules import Autonomy, Effect, Moment, Rule

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Table

HEADER: Final = "# Rules of Tool Console: which calls run, which are asked about, which are refused.\n"
_JSON: Final = "_json"
"""What a key ends with whose value is JSON in a text, for what TOML cannot say, such as null."""


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    autonomy: Autonomy | None = None
    rule: tuple[Rule, ...] = ()


class FileContent(NamedTuple):
    """What a policy file says.

    Attributes:
        rules: Its rules.
        autonomy: The level it sets; None when it sets none.
        unreadable: Why nothing of it can be known; empty when it can.
        refused: What it says and may not, one sentence each.
    """

    rules: tuple[Rule, ...] = ()
    autonomy: Autonomy | None = None
    unreadable: str = ""
    refused: tuple[str, ...] = ()


class PolicyFile:
    """One policy file, which need not exist.

    Args:
        path: The file.
        tightens_only: Whether it may only ask and deny, as a project's.
    """

    def __init__(self, path: Path, *, tightens_only: bool = False) -> None:
        self.path = path
        self._tightens_only = tightens_only
        self._stamp: object = ()

    def has_changed(self) -> bool:
        """Return whether the file is another one than `read` found."""
        return self._stamp_now() != self._stamp

    def read(self) -> FileContent:
        """Return what the file says now."""
        self._stamp = self._stamp_now()
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return FileContent()
        except (OSError, UnicodeDecodeError) as error:
            return self._unreadable(str(error))
        try:
            document = _Document.model_validate(from_toml(tomllib.loads(text)))
        except ValidationError as error:
            return self._unreadable("; ".join(map(_problem, error.errors())))
        except (ValueError, RecursionError) as error:
            return self._unreadable(str(error))
        ids = [rule.id for rule in document.rule]
        if twice := sorted({item for item in ids if ids.count(item) > 1}):
            return self._unreadable(f"expected each id once, but {', '.join(map(repr, twice))} came twice; rename one")
        return self._limited(document)

    def _limited(self, document: _Document) -> FileContent:
        if not self._tightens_only:
            return FileContent(document.rule, document.autonomy)
        refused = [
            f"{self.path}: the rule {rule.id!r} would allow calls, but a project's rules can only ask and deny;"
            " move it to your own policy"
            for rule in document.rule
            if _loosens(rule)
        ]
        if document.autonomy is not None:
            refused.append(f"{self.path}: a project cannot set the autonomy level; take it out")
        return FileContent(tuple(rule for rule in document.rule if not _loosens(rule)), None, "", tuple(refused))

    def _unreadable(self, why: str) -> FileContent:
        return FileContent(unreadable=f"The policy file {self.path} cannot be read ({why}); mend it")

    def _stamp_now(self) -> object:
        try:
            found = self.path.stat()
        except OSError as error:
            return type(error)
        return found.st_mtime_ns, found.st_size, found.st_ino

    def add(self, rule: Rule) -> None:
        """Write a rule behind the others.

        Raises:
            PolicyError: When the file cannot be read or written, or has a rule of that id.
        """

        def change(document: TOMLDocument, tables: list[Table]) -> None:
            if any(table.get("id") == rule.id for table in tables):
                raise PolicyError(f"{self.path} has a rule {rule.id!r} already; choose another id")
            import tomlkit  # noqa: PLC0415 -- whoever only reads rules needs none of it

            if not tables:
                document["rule"] = tomlkit.aot()
            document["rule"].append(_table(rule))

        self._edit(change)

    def replace(self, rule: Rule) -> None:
        """Write a rule in the place of the one with the same id.

        Raises:
            PolicyError: When the file cannot be read or written, or has no such rule.
        """

        def change(_: TOMLDocument, tables: list[Table]) -> None:
            table = self._found(tables, rule.id)
            fresh = _table(rule)
            for key in [key for key in table if key not in fresh]:
                del table[key]
            for key, value in fresh.items():
                if key not in table or table[key].unwrap() != value.unwrap():
                    table[key] = value

        self._edit(change)

    def remove(self, rule_id: str) -> None:
        """Take a rule out.

        Raises:
            PolicyError: When the file cannot be read or written, or has no such rule.
        """

        def change(document: TOMLDocument, tables: list[Table]) -> None:
            document["rule"].remove(self._found(tables, rule_id))

        self._edit(change)

    def set_autonomy(self, autonomy: Autonomy) -> None:
        """Write the level.

        Raises:
            PolicyError: When the file cannot be read or written.
        """

        def change(document: TOMLDocument, _: list[Table]) -> None:
            document["autonomy"] = autonomy.value

        self._edit(change)

    def _found(self, tables: list[Table], rule_id: str) -> Table:
        for table in tables:
            if table.get("id") == rule_id:
                return table
        raise PolicyError(f"{self.path} has no rule {rule_id!r} any more; somebody took it out meanwhile")

    def _edit(self, change: Callable[[TOMLDocument, list[Table]], None]) -> None:
        """Change the file as it is now, and put it in its place at once."""
        import tomlkit  # noqa: PLC0415 -- as in `add`

        content = self.read()
        if content.unreadable:
            raise PolicyError(content.unreadable)
        try:
            text = self.path.read_text("utf-8") if self.path.exists() else HEADER
            document = tomlkit.parse(text)
            change(document, list(document.get("rule", ())))
            self._write(tomlkit.dumps(document))
        except OSError as error:
            raise PolicyError(f"the policy file {self.path} cannot be written ({error})") from error

    def _write(self, text: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        scratch = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        with scratch.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(self.path)


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
    if _fits_toml(value):
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


def _table(rule: Rule) -> Table:
    import tomlkit  # noqa: PLC0415 -- as in `PolicyFile.add`

    table = tomlkit.table()
    for key, value in to_toml(rule).items():
        if key != "where":
            table[key] = value
            continue
        predicates = tomlkit.array()
        for predicate in value:
            inline = tomlkit.inline_table()
            inline.update(predicate)
            predicates.append(inline)
        table[key] = predicates.multiline(len(value) > 1)
    return table


def _loosens(rule: Rule) -> bool:
    return rule.effect is Effect.ALLOW and rule.moment is Moment.BEFORE


def _problem(error: Any) -> str:
    where = ".".join(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
    return f"{where}: {error['msg']}" if where else str(error["msg"])
