"""Plans in files: YAML or JSON, read with the place of every mistake, saved with comments and order as they were."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from tools.batch.plan import BatchPlan
from tools.batch.yaml_text import fresh, rewritten, yaml
from tools.errors import PlanError, PlanProblem
from tools.whole_file import write_whole

_ENDINGS: Final = (".yaml", ".yml", ".json")
_LARGEST_BYTES: Final = 20_000_000
_MOST_VALUES: Final = 1_000_000
_DEEPEST: Final = 100
_AS_THEY_ARE: Final = frozenset({str, int, float, bool, type(None)})
"""Most values of a plan; to ask what each of them is like takes several times as long."""


class PlanFile:
    """Be a plan in a file.

    Args:
        path: The file, whose name ends in `.yaml`, `.yml` or `.json`.

    Attributes:
        path: The same.
    """

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
            self._refuse(f"the plan cannot be read: {error.strerror or error}")
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
                "a list" if isinstance(self._tree, Sequence) and not isinstance(self._tree, str) else repr(self._tree)
            )
            self._refuse(f"expected a plan with steps, got {'nothing' if self._tree is None else came:.60}")
        self._left = _MOST_VALUES
        try:
            self._plan = BatchPlan.model_validate(self._plain(self._tree, ""))
        except ValidationError as error:
            problems = [self._problem(detail) for detail in error.errors(include_url=False, include_input=True)]
            raise PlanError(problems, str(self.path)) from error
        return self._plan

    def text_of(self, plan: BatchPlan) -> str:
        """Return the plan as it would stand in the file."""
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
            return json.loads(text) if self.path.suffix == ".json" else yaml().load(text)
        except json.JSONDecodeError as error:
            self._refuse(f"line {error.lineno}, column {error.colno}: expected JSON: {error.msg}")
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = "" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}: "
            self._refuse(f"{where}expected YAML: {error.problem or error}")
        except (YAMLError, RecursionError, ValueError) as error:
            self._refuse(f"expected {'JSON' if self.path.suffix == '.json' else 'YAML'}: {error}")

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
        step = ""
        for part in detail["loc"]:
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
    kind, name, given = detail["type"], detail["loc"][-1] if detail["loc"] else "", detail["input"]
    if kind == "missing":
        return "expected a value, got none; it is required"
    if kind == "extra_forbidden":
        return f"there is no {name!r} here; take it out, or look at its spelling"
    if kind == "string_pattern_mismatch" and name == "id":
        return f"expected a letter or _, then letters, digits, _, - and ., at most 100, got {given!r:.60}"
    words = detail["msg"].removeprefix("Value error, ")
    came = "" if kind == "value_error" else f", got {given!r:.60}"
    return f"{words[:1].lower()}{words[1:]}{came}"


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
