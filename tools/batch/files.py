"""Plans in files: YAML or JSON, read with the place of every mistake, saved with comments and order as they were."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from tools.atomic_write import write_whole
from tools.batch.plan import BatchPlan
from tools.batch.yaml_text import fresh, rewritten, yaml
from tools.errors import PlanError, PlanProblem

_ENDINGS: Final = (".yaml", ".yml", ".json")
_LARGEST_BYTES: Final = 20_000_000
_MOST_VALUES: Final = 1_000_000
_DEEPEST: Final = 100
_WORDS: Final[Mapping[str, str]] = {"tuple": "list", "dictionary": "mapping"}
"""What people call what pydantic calls otherwise."""
_OURS: Final = re.compile(r"\b(?:tuple|dictionary)\b")
_INSTANCE: Final = re.compile(r" or instance of \w+")
_CHOICES: Final = re.compile(r"\^\(([a-z|]+)\)\$")
_AS_THEY_ARE: Final = frozenset({str, int, float, bool, type(None)})
"""Most values of a plan; to ask what each of them is like takes several times as long."""


class PlanFile:
    """Be a plan in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tree: Any = None
        self._text = ""
        self._plan: BatchPlan | None = None
        self._left = 0

    def load(self) -> BatchPlan:
        """Read the plan.

        Raises:
            PlanError: When there is no such file, or what is in it is no plan; every mistake has its line.
        """
        try:
            if self.path.stat().st_size > _LARGEST_BYTES:
                self._refuse(
                    f"expected a plan of at most {_LARGEST_BYTES / 1e6:g} MB; put long rows into files of their own"
                )
            text = self.path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            self._refuse("expected text in UTF-8, got something else; save it as UTF-8")
        except OSError as error:
            problem = PlanProblem("", f"the plan {self.path} cannot be read: {error.strerror or error}")
            raise PlanError([problem]) from error
        return self.read(text)

    def read(self, text: str) -> BatchPlan:
        """Return the plan that a text means, as if it stood in the file.

        Raises:
            PlanError: When it is no plan; every mistake has its line.
        """
        self._text, self._plan = text, None
        self._tree = self._parsed(text)
        if not isinstance(self._tree, Mapping):
            came = (
                "a list" if isinstance(self._tree, Sequence) and not isinstance(self._tree, str) else _came(self._tree)
            )
            self._refuse(f"expected a plan with steps, got {'nothing' if self._tree is None else came:.60}")
        self._left = _MOST_VALUES
        try:
            self._plan = BatchPlan.model_validate(self._plain(self._tree, ""))
        except ValidationError as error:
            problems = [self._problem(detail) for detail in error.errors(include_url=False, include_input=True)]
            # Of a value that may be one of several things, each of them is told with the same words.
            raise PlanError(list(dict.fromkeys(problems)), str(self.path)) from error
        return self._plan

    def text_of(self, plan: BatchPlan) -> str:
        return self._written(plan)[0]

    def save(self, plan: BatchPlan) -> None:
        """Write the plan; whatever is in the file and did not change stays as it is, comments too.

        Raises:
            PlanError: When the file cannot be written; it is as it was then.
        """
        text, tree = self._written(plan)
        try:
            write_whole(self.path, text)
        except OSError as error:
            self._refuse(f"the plan cannot be written: {error.strerror or error}")
        self._text, self._plan, self._tree = text, plan, tree

    def _written(self, plan: BatchPlan) -> tuple[str, Any]:
        """Return a plan as it would stand in the file, and that read, if it was."""
        if self.path.suffix == ".json":
            value = plan.model_dump(mode="json", by_alias=True, exclude_defaults=True)
            return json.dumps(value, ensure_ascii=False, indent=2) + "\n", None
        if self._plan is None:
            return fresh(plan), None
        if plan == self._plan:
            return self._text, self._tree
        # Whatever comes of it, the tree is not what it was.
        tree, self._tree = self._parsed(self._text) if self._tree is None else self._tree, None
        changed = PlanFile(self.path)
        text = rewritten(self._text, tree, self._plan, plan)
        with contextlib.suppress(PlanError):
            # What would not mean the plan, to the letter, is never written.
            if changed.read(text).model_dump_json() == plan.model_dump_json():
                return text, changed._tree
        return fresh(plan), None

    def _parsed(self, text: str) -> Any:
        if self.path.suffix not in _ENDINGS:
            self._refuse(f"expected a name that ends in {', '.join(_ENDINGS)}, got {self.path.name!r}")
        try:
            if self.path.suffix == ".json":
                return json.loads(text, object_pairs_hook=self._object)
            return yaml().load(text)
        except json.JSONDecodeError as error:
            self._refuse(f"line {error.lineno}, column {error.colno}: expected JSON: {error.msg}")
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = "" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}: "
            self._refuse(f"{where}expected YAML: {error.problem or error}")
        except (YAMLError, RecursionError, ValueError) as error:
            self._refuse(f"expected {'JSON' if self.path.suffix == '.json' else 'YAML'}: {error}")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in found if names.count(name) > 1)
            self._refuse(f"the key {twice!r} stands more than once in one object; leave only one of them")
        return found

    def _plain(self, value: Any, where: str) -> Any:
        self._left -= 1
        if self._left < 0:
            # Aliases let a short file mean more than any memory holds.
            self._refuse(f"{where[:80]}: expected a plan of at most {_MOST_VALUES:,} values")
        if where.count(".") + where.count("[") > _DEEPEST:
            self._refuse(f"{where[:80]}…: expected values at most {_DEEPEST} deep")
        if type(value) in _AS_THEY_ARE:
            return value
        if isinstance(value, Mapping):
            for name in value:
                if not isinstance(name, str):
                    self._refuse(
                        f"{where or 'the plan'}: expected names that are texts, got {name!r}; put it in quotes"
                    )
            return {
                str(name): self._plain(item, f"{where}.{name}" if where else str(name)) for name, item in value.items()
            }
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            return [self._plain(item, f"{where}[{index}]") for index, item in enumerate(value)]
        for kind in (str, int, float):
            if isinstance(value, kind):
                return kind(value)
        if isinstance(value, date | datetime):
            return value.isoformat()
        return self._refuse(f"{where}: expected a value that JSON has, got {type(value).__name__}")

    def _problem(self, detail: ErrorDetails) -> PlanProblem:
        where, line, node = "", 0, self._tree
        step, places = "", detail["loc"]
        for number, part in enumerate(places, 1):
            is_missing = detail["type"] == "missing" and number == len(places)
            if not is_missing and not _has(node, part):
                # What follows is no place of the file, but one of the types that the value may have.
                break
            where += f"[{part}]" if isinstance(part, int) else f"{'.' if where else ''}{part}"
            line = _line_of(node, part) or line
            try:
                node = node[part]
            except (KeyError, IndexError, TypeError):
                node = None
            if isinstance(part, int) and isinstance(node, Mapping) and where == f"steps[{part}]":
                step = str(node.get("id", ""))
        at = f"line {line}, {where}" if line else where
        return PlanProblem(at, problem_words(detail), step)

    def _refuse(self, message: str) -> NoReturn:
        raise PlanError([PlanProblem("", message)], str(self.path))


def problem_words(detail: ErrorDetails) -> str:
    """Say what is wrong with a value of a plan, without where it is."""
    kind, place = detail["type"], detail["loc"]
    name, came = place[-1] if place else "", _came(detail["input"])
    if kind == "missing":
        return "expected a value, got none; it is required"
    if kind == "extra_forbidden":
        return f"there is no {name!r} here; take it out, or look at its spelling"
    if kind == "string_pattern_mismatch":
        choices = _CHOICES.fullmatch(detail["ctx"]["pattern"])
        if choices is not None:
            return f"expected one of {', '.join(choices[1].split('|'))}, got {came}"
        return f"expected a letter or _, then letters, digits, _, - and ., at most 100, got {came}"
    if place[-2:-1] == ("values",) and kind in {"list_type", "string_type"}:
        return f"expected a list of rows, or an expression that means one, got {came}"
    words = detail["msg"].removeprefix("Value error, ")
    words = f"{words[:1].lower()}{words[1:]}"
    if kind == "value_error":
        return words
    if kind.endswith(("_parsing", "int_from_float")):
        words = words.partition(",")[0]
    return f"{_OURS.sub(lambda found: _WORDS[found[0]], _INSTANCE.sub('', words))}, got {came}"


def _came(value: Any) -> str:
    """Return a value as it may stand in a plan, in a line."""
    if value is None or isinstance(value, bool | Mapping | list | tuple):
        return f"{json.dumps(value, ensure_ascii=False, default=str):.60}"
    return f"{value!r:.60}"


def _has(node: Any, part: Any) -> bool:
    if isinstance(part, int):
        return isinstance(node, Sequence) and not isinstance(node, str) and part < len(node)
    return isinstance(node, Mapping) and part in node


def _line_of(node: Any, part: Any) -> int:
    """Return the line where a part of a YAML tree begins; 0 when it is not known."""
    try:
        if isinstance(node, CommentedMap):
            return int(node.lc.key(part)[0]) + 1
        if isinstance(node, CommentedSeq):
            return int(node.lc.item(part)[0]) + 1
    except (KeyError, AttributeError, TypeError):
        pass
    return 0
