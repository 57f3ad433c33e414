"""The tools and prompts that exist right now, by name.

A name means one tool. Two plugins that want the same name are refused, with both owners named. A built-in tool gives
way: with more than two hundred of them, their names would otherwise be forbidden words to the writer of a plugin.
A tool of a plugin or a program takes the name, because the person chose it and means it by that name. The built-in tool
stays under its qualified name, such as `Files.read_file`, and has its own name back when the other tool goes.
`Tool.replaces` and `Tool.replaced_by` tell of it.

A tool of a server or an API never takes the name of a built-in tool: nobody chose its name, and a call of `read_file`
must not reach a stranger. What was said of a built-in tool holds for what takes its place: see `tools.policy.judging`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from tools.card import PromptCard, SourceKind, ToolCard, ToolSource, find_tool
from tools.errors import DuplicateToolError, ToolNotFoundError
from tools.listeners import listening
from tools.tool import Prompt, Tool

Unregister = Callable[[], None]
"""Takes a registration back; a second call does nothing."""

Item = TypeVar("Item", Tool, Prompt)

THE_PERSONS: Final = frozenset({SourceKind.PLUGIN, SourceKind.PROGRAM})
"""The sources whose tools take the name of a built-in one."""


class RegistryChange(NamedTuple):
    """What a registry gained and lost at once.

    Attributes:
        switched: Tools that were disabled or enabled.
        has_other_prompts: Whether prompts came or went.
        has_other_providers: Whether providers came or went.
    """

    added: tuple[Tool, ...] = ()
    removed: tuple[Tool, ...] = ()
    switched: tuple[Tool, ...] = ()
    has_other_prompts: bool = False
    has_other_providers: bool = False


class Disabled(NamedTuple):
    """Why calls of a tool are refused.

    Attributes:
        why: What disabled it, as the end of a sentence that begins with the tool.
        remedy: What to do to have it back; empty when only whoever disabled it knows.
    """

    why: str
    remedy: str = ""


BY_PROGRAM: Final = Disabled("is disabled")


class CardsChange(NamedTuple):
    """The same as a value: what a registry gained and lost at once.

    Attributes:
        removed: The names of tools that are gone; one that comes back changed is among them too.
        disabled: Why calls are refused, of each tool that is new or was switched; None when they are accepted.
        prompts: The cards of all prompts, in order of registration; None when they are the same as before.
    """

    removed: tuple[str, ...] = ()
    added: tuple[ToolCard, ...] = ()
    disabled: Mapping[str, Disabled | None] = {}
    prompts: tuple[PromptCard, ...] | None = None


Filter = Callable[[Tool], Disabled | None]
"""Says why a tool is disabled; None when it is not."""


class ToolRegistry:
    """Hold tools by their unique names, in order of registration, and tell watchers about changes.

    A built-in tool gives way to a plugin's or a program's that has its name; see the module.

    Attributes:
        lookup: Returns the tool of exactly that name, or None; as fast as a mapping can.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self.lookup: Callable[[str], Tool | None] = self._tools.get
        self._built_in: dict[str, Tool] = {}
        self._others: dict[str, Tool] = {}
        self._aside: dict[str, Tool] = {}
        self._prompts: dict[str, Prompt] = {}
        self._built_in_prompts: dict[str, Prompt] = {}
        self._other_prompts: dict[str, Prompt] = {}
        self._providers: list[object] = []
        self._disabled: dict[str, Disabled] = {}
        self._filter: Filter = _nothing
        self._filtered: dict[str, Disabled] = {}
        self._watchers: list[Callable[[RegistryChange], None]] = []
        self.register_all(tools)

    def register(self, tool: Tool) -> Unregister:
        """Add a tool.

        Returns:
            The undo.

        Raises:
            DuplicateToolError: When the name is taken by a tool that does not give way; both owners are named.
        """
        return self.register_all((tool,))

    def register_all(self, tools: Iterable[Tool], prompts: Iterable[Prompt] = ()) -> Unregister:
        """Add several tools and prompts, or none of them.

        Returns:
            The undo for all of them.

        Raises:
            DuplicateToolError: When a name is taken; nothing was added then.
        """
        added, added_prompts = tuple(tools), tuple(prompts)
        self.swap((), added, added_prompts=added_prompts)

        def unregister() -> None:
            self.swap(added, (), removed_prompts=added_prompts)

        return unregister

    def swap(
        self,
        removed: Iterable[Tool],
        added: Iterable[Tool],
        *,
        removed_prompts: Iterable[Prompt] = (),
        added_prompts: Iterable[Prompt] = (),
    ) -> None:
        """Take tools out and put others in, as one change: another thread that looks never misses a tool that stays.

        Args:
            removed: Tools to take out; those that are not registered any more are passed over.
            added: Tools to put in, also under names that become free.
            removed_prompts: Prompts to take out, likewise.
            added_prompts: Prompts to put in, likewise.

        Raises:
            DuplicateToolError: When a name is taken; nothing was changed then.
        """
        tools = _Layers(self._built_in, self._others).swapped(removed, added)
        prompts = _Layers(self._built_in_prompts, self._other_prompts).swapped(removed_prompts, added_prompts)
        names = dict.fromkeys(tools.names)
        for name in tools.names:
            for tool in (self._built_in.get(name), tools.built_in.get(name)):
                if tool is not None:
                    names[tool.name_aside] = None
        self._built_in, self._others = tools.built_in, tools.others
        self._aside = {tool.name_aside: tool for tool in self._built_in.values()}
        self._built_in_prompts, self._other_prompts = prompts.built_in, prompts.others
        gone = tuple(found for name in names if (found := self._tools.get(name)) is not None)
        counting = {name: self._counting(name) for name in names}
        coming = tuple(tool for tool in counting.values() if tool is not None)
        self._look_at(coming)
        for name, found in counting.items():
            _put(self._tools, name, found)
        for name in prompts.names:
            _put(self._prompts, name, prompts.others.get(name) or prompts.built_in.get(name))
        self._tell(RegistryChange(coming, gone, has_other_prompts=bool(prompts.names)))

    def _counting(self, name: str) -> Tool | None:
        """Return the tool that a name means; None when there is none."""
        built_in, other = self._built_in.get(name), self._others.get(name)
        if other is not None:
            return other if built_in is None else other.replacing(built_in)
        if built_in is not None:
            return built_in
        aside = self._aside.get(name)
        taker = None if aside is None else self._others.get(aside.name)
        if aside is None or taker is None:
            return None
        if aside.name in self._disabled:
            # Who disabled the built-in tool by its name meant this one.
            self._disabled[name] = self._disabled[aside.name]
        return aside.giving_way(taker.source)

    def get(self, name: str) -> Tool:
        """Return the tool of that name.

        Raises:
            ToolNotFoundError: When there is none.
        """
        try:
            return self._tools[name]
        except KeyError:
            msg = f"no tool is called {name!r}"
            raise ToolNotFoundError(msg) from None

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name, else the only one that differs in case or is meant by `Toolkit.name`."""
        return self._tools.get(name) or find_tool(self._tools, name)

    def names_aside(self, tools: Iterable[Tool]) -> tuple[str, ...]:
        """Return what the built-in tools are called now whose names some tools took."""
        counting = (self._tools.get(tool.name) for tool in tools)
        return tuple(tool.replaces for tool in counting if tool is not None and tool.replaces)

    def closest(self, name: str) -> str | None:
        """Return the name that looks most like another one; None when none is near."""
        from rapidfuzz import fuzz, process  # noqa: PLC0415 -- only a wrong name needs it

        found = process.extractOne(name, self._tools.keys(), scorer=fuzz.ratio, score_cutoff=60)
        return None if found is None else found[0]

    def disable(self, name: str, reason: Disabled = BY_PROGRAM) -> None:
        """Keep a tool listed, but refuse its calls."""
        tool = self.get(name)
        if self._disabled.get(name) != reason:
            self._disabled[name] = reason
            self._tell(RegistryChange(switched=(tool,)))

    def enable(self, name: str) -> None:
        """Take `disable` back; what a filter says still holds."""
        if self._disabled.pop(name, None) is not None:
            tool = self._tools.get(name)
            self._tell(RegistryChange(switched=() if tool is None else (tool,)))

    def set_filter(self, why_disabled: Filter) -> None:
        """Refuse the calls of tools by what a function says of each, of those that come later too."""
        self._filter, before = why_disabled, self._filtered
        self._filtered = {tool.name: found for tool in self if (found := why_disabled(tool)) is not None}
        self._tell(RegistryChange(switched=tuple(t for t in self if before.get(t.name) != self._filtered.get(t.name))))

    def _look_at(self, coming: Iterable[Tool]) -> None:
        """Ask the filter of tools before anybody can call them."""
        for tool in coming:
            found = self._filter(tool)
            if found is None:
                self._filtered.pop(tool.name, None)
            else:
                self._filtered[tool.name] = found

    def refusal(self, name: str) -> Disabled | None:
        """Return why calls of a tool are refused; None when they are accepted."""
        return self._filtered.get(name) or self._disabled.get(name)

    def is_enabled(self, name: str) -> bool:
        return name not in self._filtered and name not in self._disabled

    def prompt(self, name: str) -> Prompt:
        """Return the prompt of that name.

        Raises:
            ToolNotFoundError: When there is none.
        """
        try:
            return self._prompts[name]
        except KeyError:
            msg = f"no prompt is called {name!r}"
            raise ToolNotFoundError(msg) from None

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """All prompts, in order of registration."""
        return tuple(self._prompts.values())

    @property
    def sources(self) -> tuple[ToolSource, ...]:
        """The sources that have tools, in order of registration."""
        return tuple(dict.fromkeys(tool.source for tool in self._tools.values()))

    def add_provider(self, provider: object) -> Unregister:
        """Add what offers more than tools and prompts, such as servers with their resources.

        Returns:
            The undo.
        """
        self._providers.append(provider)
        self._tell(RegistryChange(has_other_providers=True))

        def remove() -> None:
            if provider in self._providers:
                self._providers.remove(provider)
                self._tell(RegistryChange(has_other_providers=True))

        return remove

    @property
    def providers(self) -> tuple[object, ...]:
        """What offers more than tools and prompts, in order of registration."""
        return tuple(self._providers)

    def watch(self, watcher: Callable[[RegistryChange], None]) -> Unregister:
        """Call a function at each change, in the thread that makes it.

        Returns:
            The undo.
        """
        return listening(self._watchers, watcher)

    def watch_cards(self, watcher: Callable[[CardsChange], None]) -> Unregister:
        """Call a function with all that is there, and at each change, in the thread that makes it; in values only.

        Returns:
            The undo.
        """

        def tell(change: RegistryChange) -> None:
            known = (*change.added, *change.switched)
            disabled = {tool.name: self.refusal(tool.name) for tool in known}
            removed, added = (tool.name for tool in change.removed), (tool.card for tool in change.added)
            prompts = tuple(prompt.card for prompt in self.prompts) if change.has_other_prompts else None
            watcher(CardsChange(tuple(removed), tuple(added), disabled, prompts))

        unwatch = self.watch(tell)
        tell(RegistryChange(added=tuple(self), has_other_prompts=True))
        return unwatch

    def _tell(self, change: RegistryChange) -> None:
        if any(change):
            for watcher in tuple(self._watchers):
                watcher(change)

    def __iter__(self) -> Iterator[Tool]:
        """Iterate over the tools in order of registration."""
        return iter(tuple(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools


class _Layers(NamedTuple, Generic[Item]):
    """Built-in tools or prompts, and the others, by name.

    Attributes:
        names: Those that a change is about, the new ones first.
    """

    built_in: dict[str, Item]
    others: dict[str, Item]
    names: tuple[str, ...] = ()

    def swapped(self, removed: Iterable[Item], added: Iterable[Item]) -> _Layers[Item]:
        """Return copies with some taken out that are there, and others put in.

        Raises:
            DuplicateToolError: When a name is taken.
        """
        gone: list[Item] = [item for item in removed if self._own(item).get(item.name) is item]
        coming: tuple[Item, ...] = tuple(added)
        copies = _Layers(dict(self.built_in), dict(self.others))
        for item in gone:
            del copies._own(item)[item.name]
        for item in coming:
            holder = copies._holder(item)
            if holder is not None:
                raise DuplicateToolError(item.name, holder.owner, item.owner)
            copies._own(item)[item.name] = item
        return copies._replace(names=tuple(dict.fromkeys(item.name for item in (*coming, *gone))))

    def _own(self, item: Item) -> dict[str, Item]:
        return self.built_in if item.source.kind is SourceKind.BUILT_IN else self.others

    def _holder(self, item: Item) -> Item | None:
        """Return what keeps an item from its name; None when nothing does."""
        built_in, other = self.built_in.get(item.name), self.others.get(item.name)
        if item.source.kind is SourceKind.BUILT_IN:
            return built_in or (None if other is None or other.source.kind in THE_PERSONS else other)
        return other or (None if item.source.kind in THE_PERSONS else built_in)


def _put(items: dict[str, Item], name: str, item: Item | None) -> None:
    """Have a name mean an item, in one step; None takes the name out."""
    if item is None:
        items.pop(name, None)
    else:
        items[name] = item


def _nothing(_: Tool) -> None:
    """Disable no tool."""
