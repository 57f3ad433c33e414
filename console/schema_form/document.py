"""One set of arguments, edited as a form and as text at the same time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from time import monotonic
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.schema_form.json_text import TextProblem, parse_object, write_json
from console.schema_form.paths import ABSENT, Path, difference, removed, replaced, same, value_at
from console.schema_form.resolving import Schema, property_names, resolved
from console.schema_form.validation import ArgumentValidator, FieldError

__all__ = ["Document", "Draft", "Validity", "initial_value"]

_MOST_STEPS: Final = 200
_PAUSE_S: Final = 1.0
"""Letters after a pause this long are a change of their own."""
_NO_DRAFTS: Final[Mapping[Path, Draft]] = MappingProxyType({})


class Draft(NamedTuple):
    """What stands in one field as long as it is no value yet.

    Attributes:
        text: As typed.
        message: What was expected and what came.
    """

    text: str
    message: str


class Validity(NamedTuple):
    """How much of a form is in order.

    Attributes:
        valid: Whether nothing at all is wrong.
        fitting: How many of the tool's arguments have nothing wrong.
        total: How many arguments the tool has.
    """

    valid: bool
    fitting: int
    total: int


class _State(NamedTuple):
    value: Mapping[str, Any]
    text: str | None = None
    problem: TextProblem | None = None
    drafts: Mapping[Path, Draft] = _NO_DRAFTS


class Document:
    """Hold one JSON object of arguments and the text a person types for it.

    Values are never changed in place, so a document that was handed out stays as it was. Arguments the schema does not
    know survive everything. While the text is no JSON, the last good value stays and `text` is what was typed.

    Args:
        schema: What the arguments should look like.
        value: What they are at first; None takes the schema's defaults.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        schema: Schema | None = None,
        value: Mapping[str, Any] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._clock = clock
        self._edited_at = 0.0
        self._listeners: list[Callable[[], None]] = []
        self._errors: tuple[FieldError, ...] | None = None
        self._last_edit: object = None
        self._past: list[_State] = []
        self._future: list[_State] = []
        self.reset({} if schema is None else schema, value)

    @property
    def schema(self) -> Schema:
        """Return the schema of the whole document."""
        return self._schema

    @property
    def schema_problem(self) -> str | None:
        """Return why the schema cannot be used for checking; None when it can."""
        return self._validator.schema_problem

    @property
    def text(self) -> str:
        """Return the document as text: as typed, or freshly written after a change elsewhere."""
        return write_json(self._state.value) if self._state.text is None else self._state.text

    @property
    def text_problem(self) -> TextProblem | None:
        """Return where the text stops being JSON; None when it is."""
        return self._state.problem

    def reset(self, schema: Schema, value: Mapping[str, Any] | None = None, *, is_checked: bool = False) -> None:
        """Begin anew for another schema; what was done before cannot be undone any more.

        Args:
            schema: What the arguments should look like.
            value: What they are at first; None takes the schema's defaults.
            is_checked: Whether the schema is known to be one, as that of a declared tool is; looking takes long.
        """
        self._schema = schema
        self._validator = ArgumentValidator(schema, is_checked=is_checked)
        self._past.clear()
        self._future.clear()
        self._last_edit = None
        self._show(_State(initial_value(schema) if value is None else deepcopy(dict(value))))

    def value(self) -> dict[str, Any]:
        """Return the arguments as last understood; the caller may change what it gets."""
        return deepcopy(dict(self._state.value))

    def get(self, path: Path) -> Any:
        """Return what stands at a path, or `ABSENT`. It is shared: look at it, do not change it."""
        return value_at(self._state.value, path)

    def draft(self, path: Path) -> Draft | None:
        """Return what was typed into the field of a path, if it is no value yet."""
        return self._state.drafts.get(path)

    def set(self, path: Path, value: Any) -> None:
        """Put a value at a path.

        Args:
            path: Where; what is missing on the way is made.
            value: Any JSON value; None is null.
        """
        new = self._in_order(replaced(self._state.value, path, value), path)
        self._commit(_State(new, drafts=self._drafts_without(path)), edit=("set", path))

    def unset(self, path: Path) -> None:
        """Leave out what stands at a path."""
        self._commit(_State(removed(self._state.value, path), drafts=self._drafts_without(path)), edit=("unset", path))

    def reject(self, path: Path, text: str, message: str) -> None:
        """Keep what was typed into a field although it is no value; the document's value stays as it was.

        Args:
            path: The field.
            text: As typed.
            message: What was expected and what came.
        """
        drafts = {**self._drafts_without(path), path: Draft(text, message)}
        self._commit(self._state._replace(drafts=drafts), edit=("set", path))

    def set_text(self, text: str) -> None:
        """Take the whole document as text. What is no JSON is kept as typed, and the value stays as it was."""
        value, problem = parse_object(text)
        kept = self._state.value if value is None else value
        self._commit(_State(kept, text, problem), edit="text")

    def replace(self, value: Mapping[str, Any]) -> None:
        """Put other arguments in the place of all."""
        self._commit(_State(deepcopy(dict(value))), edit=None)

    def errors(self) -> tuple[FieldError, ...]:
        """Name everything that is wrong: text that is no JSON, fields that hold no value, values that do not fit."""
        if self._errors is None:
            self._errors = self._checked()
        return self._errors

    def validity(self) -> Validity:
        """Count the arguments that are in order."""
        names = resolved(self._schema, self._schema).get("properties", {})
        bad = {error.path[0] for error in self.errors() if error.path}
        fitting = sum(name not in bad for name in names)
        return Validity(not self.errors(), fitting, len(names))

    def undo(self) -> Path | None:
        """Take back the last change.

        Returns:
            Where it was, as near as one path can say; None when there was none.
        """
        return self._step(self._past, self._future)

    def redo(self) -> Path | None:
        """Make the change again that was taken back last.

        Returns:
            Where it is, as near as one path can say; None when there was none.
        """
        return self._step(self._future, self._past)

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a function after each change.

        Args:
            listener: Takes nothing.

        Returns:
            The undo of this call; a second call of it does nothing.
        """
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def _checked(self) -> tuple[FieldError, ...]:
        problem = self._state.problem
        if problem is not None:
            return (FieldError((), str(problem)),)
        drafts = tuple(FieldError(path, draft.message) for path, draft in self._state.drafts.items())
        held = set(self._state.drafts)
        return drafts + tuple(error for error in self._validator.errors(self._state.value) if error.path not in held)

    def _in_order(self, new: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
        """Put what was not there before where the schema names it, not at the end."""
        for depth, name in enumerate(path):
            around = path[:depth]
            if not isinstance(name, str) or value_at(self._state.value, (*around, name)) is not ABSENT:
                continue
            owner = value_at(new, around)
            known = property_names(self._schema, around)
            order = [*(part for part in known if part in owner), *(part for part in owner if part not in known)]
            new = replaced(new, around, {part: owner[part] for part in order})
        return new

    def _drafts_without(self, path: Path) -> dict[Path, Draft]:
        depth = len(path)
        return {place: draft for place, draft in self._state.drafts.items() if place[:depth] != path}

    def _commit(self, state: _State, *, edit: object) -> None:
        if state[1:] == self._state[1:] and same(state.value, self._state.value):
            return
        now = self._clock()
        # Letters typed one after the other into the same field are one change.
        if edit is None or edit != self._last_edit or now - self._edited_at > _PAUSE_S:
            self._past.append(self._state)
            del self._past[:-_MOST_STEPS]
        self._edited_at = now
        self._future.clear()
        self._last_edit = edit
        self._show(state)

    def _step(self, source: list[_State], target: list[_State]) -> Path | None:
        if not source:
            return None
        before, after = self._state, source.pop()
        target.append(before)
        self._last_edit = None
        self._show(after)
        drafts = before.drafts.items() ^ after.drafts.items()
        return min((path for path, _ in drafts), key=len) if drafts else difference(before.value, after.value)

    def _show(self, state: _State) -> None:
        self._state = state
        self._errors = None
        for listener in tuple(self._listeners):
            listener()


def initial_value(schema: Schema, root: Schema | None = None) -> dict[str, Any]:
    """Return the object a form starts with: each declared default that is not null, and required objects inside.

    Args:
        schema: The schema of the object.
        root: The document its references lead into; None when it is the document.
    """
    root = schema if root is None else root
    owner = resolved(schema, root)
    value: dict[str, Any] = {}
    for name, part in owner.get("properties", {}).items():
        node = resolved(part, root)
        if node.get("default") is not None:
            value[name] = deepcopy(node["default"])
        elif name in owner.get("required", ()) and node.get("type") == "object" and not _refers_back(node, owner):
            value[name] = initial_value(node, root)
    return value


def _refers_back(node: Schema, owner: Schema) -> bool:
    """Tell whether an object holds itself, which no finite value can satisfy."""
    return node.get("properties") is owner.get("properties")
