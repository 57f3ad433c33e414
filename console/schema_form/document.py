"""One set of arguments, edited as a form and as text at the same time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar, cast

from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.expectations import expectation
from console.schema_form.fields import Field, FieldKind, Fields, type_named
from console.schema_form.flat_schema import Schema
from console.schema_form.initial_values import carried_over, starting_object, starting_value
from console.schema_form.json_text import TextProblem, parse_object, write_json
from console.schema_form.paths import ABSENT, NAME, Path, difference, removed, replaced, same, value_at
from console.schema_form.state import PendingInput, State, Steps, moved, state_kept, written
from console.schema_form.validation import DocumentCheck, FieldError, unmasked

_T = TypeVar("_T")
_PATIENCE_S: Final = 2.0
_TEXTS: Final = frozenset({FieldKind.TEXT, FieldKind.LINES})


class FormValidity(NamedTuple):
    """How much of a form is in order.

    Attributes:
        valid: Whether nothing at all is wrong.
        fitting: How many of the tool's arguments have nothing wrong.
        total: How many arguments the tool has.
    """

    valid: bool
    fitting: int
    total: int


class Document:
    """Hold one JSON object of arguments and the text a person types for it.

    Values are never changed in place, so a document that was handed out stays as it was. Arguments the schema does not
    know survive everything. While the text is no JSON, the last good value stays and `text` is what was typed.
    """

    def __init__(
        self,
        schema: Schema | None = None,
        value: Mapping[str, Any] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._clock = clock
        self._steps = Steps(clock)
        self._listeners: list[Callable[[], None]] = []
        self._errors: tuple[FieldError, ...] | None = None
        self._named: tuple[FieldError, ...] = ()
        self._asked: dict[tuple[str, Path], object] = {}
        self.reset({} if schema is None else schema, value)

    @property
    def schema(self) -> Schema:
        return self._schema

    @property
    def text(self) -> str:
        """Return the document as text: as typed, or freshly written after a change elsewhere, secrets as bullets."""
        if self._state.text is not None:
            return self._state.text
        return write_json(self.shown(()))

    @property
    def text_problem(self) -> TextProblem | None:
        return self._state.problem

    def reset(self, schema: Schema, value: Mapping[str, Any] | None = None) -> None:
        """Begin anew for another schema, with its defaults if no value is given; nothing of before can be undone."""
        self._take_schema(schema)
        self._asked.clear()
        self._state = self._parked = State({})
        self._show(State(self.initial_value() if value is None else deepcopy(dict(value))))

    def change_schema(self, schema: Schema) -> None:
        """Go on with another schema of the same arguments; what was done before cannot be undone any more.

        Values, what was typed and picks stay. Arguments that are new have their defaults, untouched ones follow theirs;
        those that are gone come back as they were when a later schema has them again.
        """
        known, started = self._schema.get("properties", {}), self.initial_value()
        self._take_schema(schema)
        named, begun = schema.get("properties", {}), self.initial_value()
        gone = {name for name in known if name not in named}
        state, parked = self._state, self._parked
        untouched = {
            name
            for name in known
            if name not in gone
            and same(value_at(state.value, (name,)), value_at(started, (name,)))
            and (name,) not in state.drafts
        }
        value: dict[str, Any] = {
            name: held for name, held in state.value.items() if name not in gone and name not in untouched
        }
        coming = {name for name in named if name not in known and name not in value}
        back = {name: parked.value[name] for name in coming if name in parked.value}
        value |= {name: begun[name] for name in coming | untouched if name in begun} | back
        typed = {**parked.drafts, **state.drafts}
        drafts = {path: draft for path, draft in typed.items() if path and path[0] in named}
        self._parked = State(
            {**parked.value, **{name: held for name, held in state.value.items() if name in gone}},
            drafts={path: draft for path, draft in typed.items() if path and path[0] not in named},
        )
        ordered = {name: value[name] for name in (*named, *value) if name in value}
        variants = {path: index for path, index in state.variants.items() if not path or path[0] in named}
        text = state.text if state.problem is not None or same(ordered, state.value) else None
        # Told once, with what was typed: an editor that hears of a state without it would take it for given up.
        self._state = State(ordered, text, state.problem if text is not None else None, variants=variants)
        left = self._understood(drafts)
        self._show(self._state._replace(drafts=left))

    def _take_schema(self, schema: Schema) -> None:
        self._schema = schema
        self._shapes = EffectiveSchemas(schema, self._clock)
        self._fields = Fields(self._shapes)
        self._check = DocumentCheck(schema, self._shapes)
        self._left: dict[tuple[Path, int], Any] = {}
        self._steps.clear()

    def _understood(self, drafts: Mapping[Path, PendingInput]) -> dict[Path, PendingInput]:
        """Take over what was no value for the schema before and is one now; return what still is none."""
        left: dict[Path, PendingInput] = {}
        value: Mapping[str, Any] = self._state.value
        for path, draft in drafts.items():
            field = self.field(path)
            if field.kind in _TEXTS:
                value = replaced(value, path, draft.text)
            else:
                left[path] = draft
        if value is not self._state.value:
            self._state = self._state._replace(value=value)
        return left

    def initial_value(self, path: Path = ()) -> Any:
        """Return what a place starts with: declared defaults, and in objects those of required parts.

        Returns:
            The value; for an object at least an empty one, for others without a default `ABSENT`.
        """
        owner = self._shapes.at(path, self._state.value, self._state.variants).schema
        if type_named(owner) == "object" or not path:
            return starting_object(self._shapes, owner)
        return starting_value(self._shapes, owner)

    def field(self, path: Path) -> Field:
        """Describe the field of a place as the arguments are now."""
        return self._known("field", path, self._fields.at)

    def branch(self, path: Path) -> Field:
        """Describe the field of the variant that a place is, to stand below the choice of it."""
        return self._known("branch", path, self._fields.branch_at)

    def fields(self, path: Path = ()) -> tuple[Field, ...]:
        """Describe the fields inside an object or a list as the arguments are now."""
        return self._known("fields", path, self._fields.inside)

    def _known(self, what: str, path: Path, ask: Callable[[Path, Any, Mapping[Path, int]], _T]) -> _T:
        """Ask about a place only once as long as the document is the same."""
        key = (what, path)
        if key not in self._asked:
            self._asked[key] = ask(path, self._state.value, self._state.variants)
        return cast("_T", self._asked[key])

    def expectation(self, path: Path) -> str:
        """Say what a place asks for: `a whole number from 1 to 50`, `text or null`."""
        return expectation(self._shapes.node_at(path, self._state.value, self._state.variants), self._shapes)

    def variant(self, path: Path) -> int | None:
        """Return which of its variants a place is, as picked or as its value says; None without variants."""
        return self._shapes.at(path, self._state.value, self._state.variants).variant

    def choose_variant(self, path: Path, index: int) -> None:
        """Make a place another of its variants. Names and values that fit stay; the rest comes back on the way back."""
        shape = self._shapes.at(path, self._state.value, self._state.variants)
        if shape.variant is None or shape.variant == index:
            return
        old = self.get(path)
        self._left[(path, shape.variant)] = old
        picked = {**self._state.variants, path: index}
        # While the old value stands there it may say that it is none of this kind.
        branch = self._shapes.at(path, replaced(self._state.value, path, None), picked).schema
        kept = self._left.get((path, index), ABSENT)
        if isinstance(kept, Mapping) and isinstance(old, Mapping):
            kept = {**kept, **{name: value for name, value in old.items() if name in kept}}
        new = carried_over(self._shapes, branch, old if kept is ABSENT else kept)
        variant = shape.variants[index]
        if variant.discriminator is not None and isinstance(new, Mapping):
            new = {variant.discriminator: variant.tags[0], **new, variant.discriminator: variant.tags[0]}
        if new is ABSENT and path and isinstance(path[-1], int):
            # The items behind it stay where they are.
            new = {"string": "", "boolean": False}.get(type_named(branch))
        whole = removed(self._state.value, path) if new is ABSENT else replaced(self._state.value, path, new)
        state = State(self._in_order(whole, path), drafts=self._state.drafts_outside(path), variants=picked)
        self._commit(state, edit=None)

    def value(self) -> dict[str, Any]:
        """Return the arguments as last understood; the caller may change what it gets."""
        return deepcopy(dict(self._state.value))

    def get(self, path: Path) -> Any:
        """Return what stands at a path, or `ABSENT`. It is shared: look at it, do not change it."""
        return value_at(self._state.value, path)

    def shown(self, path: Path) -> Any:
        """Return what stands at a path as everybody may read it, with bullets for secrets; `ABSENT` for nothing."""
        masking = self._check.masking
        return value_at(self._state.value if masking is None else masking.arguments(self._state.value), path)

    def draft(self, path: Path) -> PendingInput | None:
        """Return what was typed into the field of a path, if it is no value yet."""
        return self._state.drafts.get(path)

    def set(self, path: Path, value: Any) -> None:
        """Put a value at a path, None for null; what is missing on the way is made."""
        new = self._in_order(replaced(self._state.value, path, value), path)
        self._commit(self._state.changed(new, path), edit=("set", path))

    def unset(self, path: Path) -> None:
        new = removed(self._state.value, path)
        self._commit(self._state.changed(new, path), edit=("unset", path))

    def rearrange(self, path: Path, order: Sequence[int | None], new: Sequence[Any] = ()) -> None:
        """Put the items of a list into another order; what was typed into them and picked for them moves with them.

        Args:
            path: The list; it is made if it is not there yet.
            order: For each place afterwards, the place where its item is now; None for a new item.
            new: The values of the new items.
        """
        held = self.get(path)
        items = held if isinstance(held, list | tuple) else ()
        values = iter(new)
        value = [next(values) if old is None else items[old] for old in order]
        places: dict[str | int, str | int] = {old: place for place, old in enumerate(order) if old is not None}
        self._put_moved(path, value, places, edit=None)

    def rename(self, path: Path, old: str, new: str) -> None:
        """Give a value of an object another name, in its place; what was typed into it and picked for it stays.

        No other value has the new name. A draft of the name itself, at the value's path and `NAME`, is settled by that.
        """
        owner = self.get(path)
        if not isinstance(owner, Mapping) or old not in owner or new in owner:
            return
        names = [new if name == old else name for name in owner]
        value = dict(zip(names, owner.values(), strict=True))
        places: dict[str | int, str | int] = dict(zip(owner, names, strict=True))
        self._put_moved(path, value, places, edit=("rename", path, names.index(new)))

    def reject(self, path: Path, text: str, message: str) -> None:
        """Keep what was typed into a field although it is no value; the document's value stays as it was."""
        drafts = {**self._state.drafts_outside(path), path: PendingInput(text, message)}
        self._commit(self._state._replace(drafts=drafts), edit=("set", path))

    def set_text(self, text: str) -> None:
        """Take the whole document as text. What is no JSON is kept as typed, and the value stays as it was.

        Bullets stand for the secrets that are there already.
        """
        value, problem = parse_object(text)
        masking = self._check.masking
        if value is not None and masking is not None:
            value, problem = unmasked(masking, value, self._state.value, text)
        kept = self._state.value if value is None else value
        self._commit(State(kept, text, problem), edit="text")

    def hide_secrets(self) -> None:
        """Write the text anew, with bullets for what is secret in it, if it was typed and is JSON."""
        if self._state.text is not None and self._state.problem is None and self._check.masking is not None:
            self._show(self._state._replace(text=None))

    def replace(self, value: Mapping[str, Any]) -> None:
        self._commit(State(deepcopy(dict(value))), edit=None)

    def kept(self, left_out: Collection[str] = (), *, as_typed: bool = True) -> str:
        """Write down what stands here, for `restore` at another start; see `state.written`."""
        return written(self._state, left_out, as_typed=as_typed)

    def restore(self, kept: str) -> bool:
        """Show what `kept` wrote down; what was done before cannot be undone any more.

        Returns:
            Whether the text could be understood; if not, everything stays as it is.
        """
        state = state_kept(kept)
        if state is None:
            return False
        self._steps.clear()
        self._show(state)
        return True

    def errors(self) -> tuple[FieldError, ...]:
        """Name everything that is wrong: text that is no JSON, fields that hold no value, values that do not fit.

        Of a document so large that checking it would be felt, this is what is known so far; see `is_checked`. As long
        as it is the same, it is the same tuple.
        """
        if self._errors is None:
            found = self._check.errors(self._state)
            self._errors = self._named = self._named if found == self._named else found
        return self._errors

    @property
    def is_checked(self) -> bool:
        """Return whether `errors` knows all about the document as it is now; if not, ask for `check_more`."""
        self.errors()
        return self._check.is_done

    def check_more(self) -> bool:
        """Look whether the thread that checks a large document is done; listeners hear of it when it is.

        Returns:
            Whether it is.
        """
        was_checked = self.is_checked
        if not was_checked:
            self._errors = None
            self.errors()
            if self._check.is_done:
                self._tell()
        return self._check.is_done

    def finish_checking(self) -> None:
        """Check all there is before the arguments are used, or as much as people wait for; the tool checks the rest."""
        if not self.is_checked:
            self._check.wait(_PATIENCE_S)
            self.check_more()

    def validity(self) -> FormValidity:
        names = self._shapes.at((), self._state.value, self._state.variants).schema.get("properties", {})
        bad = {error.path[0] for error in self.errors() if error.path}
        fitting = sum(name not in bad for name in names)
        return FormValidity(not self.errors(), fitting, len(names))

    def undo(self) -> Path | None:
        """Take back the last change.

        Returns:
            Where it was, as near as one path can say; None when there was none.
        """
        return self._go_to(self._steps.back(self._state))

    def redo(self) -> Path | None:
        """Make the change again that was taken back last.

        Returns:
            Where it is, as near as one path can say; None when there was none.
        """
        return self._go_to(self._steps.forth(self._state))

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a function after each change.

        Returns:
            The undo of this call; a second call of it does nothing.
        """
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def _put_moved(self, path: Path, value: Any, places: Mapping[str | int, str | int], *, edit: object) -> None:
        whole = self._in_order(replaced(self._state.value, path, value), path)
        self._left = {key: left for key, left in self._left.items() if key[0][: len(path)] != path}
        drafts = moved(self._state.drafts, path, places)
        for place in places.values() if edit is not None else ():
            drafts.pop((*path, place, NAME), None)
        self._commit(State(whole, drafts=drafts, variants=moved(self._state.variants, path, places)), edit=edit)

    def _in_order(self, new: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
        """Put what was not there before where the schema names it, not at the end."""
        for depth, name in enumerate(path):
            around = path[:depth]
            if not isinstance(name, str) or value_at(self._state.value, (*around, name)) is not ABSENT:
                continue
            owner = value_at(new, around)
            known = self._shapes.at(around, new, self._state.variants).schema.get("properties", {})
            order = [*(part for part in known if part in owner), *(part for part in owner if part not in known)]
            new = replaced(new, around, {part: owner[part] for part in order})
        return new

    def _commit(self, state: State, *, edit: object) -> None:
        if state[1:] == self._state[1:] and same(state.value, self._state.value):
            return
        self._steps.add(self._state, edit)
        self._show(state)

    def _go_to(self, after: State | None) -> Path | None:
        if after is None:
            return None
        before = self._state
        self._show(after)
        drafts = before.drafts.items() ^ after.drafts.items()
        return min((path for path, _ in drafts), key=len) if drafts else difference(before.value, after.value)

    def _show(self, state: State) -> None:
        self._state = state
        self._errors = None
        self._asked.clear()
        self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()
