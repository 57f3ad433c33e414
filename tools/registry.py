"""The tools and prompts that exist right now, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from tools.card import PromptCard, ToolCard, ToolSource, find_tool
from tools.errors import DuplicateToolError, ToolNotFoundError
from tools.listeners import listening
from tools.tool import Prompt, Tool

Unregister = Callable[[], None]
"""Takes a registration back; a second call does nothing."""


class RegistryChange(NamedTuple):
    """What a registry gained and lost at once.

    Attributes:
        added: Tools that are new.
        removed: Tools that are gone.
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
        added: The cards of tools that are new.
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

    Attributes:
        lookup: Returns the tool of exactly that name, or None; as fast as a mapping can.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self.lookup: Callable[[str], Tool | None] = self._tools.get
        self._prompts: dict[str, Prompt] = {}
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
            DuplicateToolError: When the name is taken; both owners are named.
        """
        return self.register_all((tool,))

    def register_all(self, tools: Iterable[Tool], prompts: Iterable[Prompt] = ()) -> Unregister:
        """Add several tools and prompts, or none of them.

        Returns:
            The undo for all of them.

        Raises:
            DuplicateToolError: When a name is taken; nothing was added then.
        """
        added = tuple(tools)
        added_prompts = tuple(prompts)
        _refuse_duplicates(self._tools, added)
        _refuse_duplicates(self._prompts, added_prompts)
        self._look_at(added)
        self._tools.update((tool.name, tool) for tool in added)
        self._prompts.update((prompt.name, prompt) for prompt in added_prompts)
        self._tell(RegistryChange(added=added, has_other_prompts=bool(added_prompts)))

        def unregister() -> None:
            removed = tuple(tool for tool in added if self._tools.get(tool.name) is tool)
            for tool in removed:
                del self._tools[tool.name]
            removed_prompts = [prompt for prompt in added_prompts if self._prompts.get(prompt.name) is prompt]
            for prompt in removed_prompts:
                del self._prompts[prompt.name]
            self._tell(RegistryChange(removed=removed, has_other_prompts=bool(removed_prompts)))

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
        gone = tuple(tool for tool in removed if self._tools.get(tool.name) is tool)
        gone_prompts = tuple(prompt for prompt in removed_prompts if self._prompts.get(prompt.name) is prompt)
        coming, coming_prompts = tuple(added), tuple(added_prompts)
        names, prompt_names = {tool.name for tool in gone}, {prompt.name for prompt in gone_prompts}
        _refuse_duplicates({name: tool for name, tool in self._tools.items() if name not in names}, coming)
        _refuse_duplicates(
            {name: one for name, one in self._prompts.items() if name not in prompt_names}, coming_prompts
        )
        self._look_at(coming)
        self._tools.update((tool.name, tool) for tool in coming)
        self._prompts.update((prompt.name, prompt) for prompt in coming_prompts)
        for name in names.difference(tool.name for tool in coming):
            del self._tools[name]
        for name in prompt_names.difference(prompt.name for prompt in coming_prompts):
            del self._prompts[name]
        has_other_prompts = bool(gone_prompts or coming_prompts)
        self._tell(RegistryChange(added=coming, removed=gone, has_other_prompts=has_other_prompts))

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
        """Return whether calls of a tool are accepted."""
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
        """Return how many tools there are."""
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        """Return whether a tool has exactly this name."""
        return name in self._tools


def _refuse_duplicates(
    taken: Mapping[str, Tool] | Mapping[str, Prompt], added: tuple[Tool, ...] | tuple[Prompt, ...]
) -> None:
    seen: dict[str, Tool | Prompt] = dict(taken)
    for item in added:
        if item.name in seen:
            raise DuplicateToolError(item.name, seen[item.name].owner, item.owner)
        seen[item.name] = item


def _nothing(_: Tool) -> None:
    """Disable no tool."""
