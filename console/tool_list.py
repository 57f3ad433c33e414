"""The cards of the tools and prompts that exist, as the window knows them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.language import tr, translated
from tools.sentences import begin_sentence

if TYPE_CHECKING:
    from tools.card import PromptCard, ToolCard
    from tools.registry import CardsChange, Disabled, Unregister


class SourceWords(NamedTuple):
    """Words for one kind of source of tools.

    Attributes:
        title: Over all tools of such sources.
        begin: What the place of one of these tools begins with: `Servers › time`.
        short: The same where there is little room.
    """

    title: str
    begin: str
    short: str


SOURCE_WORDS: Final[Mapping[str, SourceWords]] = {
    "built-in": SourceWords(tr("Built-in"), tr("Built-in"), tr("Built-in")),
    "plugin": SourceWords(tr("Plugins"), tr("Plugins"), tr("Plugins")),
    "server": SourceWords(tr("MCP servers"), tr("Servers"), "MCP"),
    "api": SourceWords(tr("APIs"), tr("APIs"), "API"),
    "program": SourceWords(tr("Program"), tr("Program"), tr("Program")),
}
"""By the value of their `SourceKind`."""


def toolkit_words(tool: ToolCard) -> str:
    """Return the title of a tool's toolkit, else of its category; toolkits of other people keep their names."""
    category = tool.spec.category.replace("_", " ")
    if tool.toolkit and tool.source.kind.value != "built-in":
        return tool.toolkit
    return translated(tool.toolkit or begin_sentence(category))


class ToolList(QObject):
    """Follow a registry by the values that it tells; everything but `take` is for the window's thread.

    Signals:
        changed(): Tools or prompts came, went or were switched.
        taken(): Something waits to be told; internal, crosses the threads.
    """

    changed = Signal()
    taken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cards: dict[str, ToolCard] = {}
        self._disabled: dict[str, Disabled | None] = {}
        self._prompts: tuple[PromptCard, ...] = ()
        self._waiting: deque[CardsChange] = deque()
        self._watchers: list[Callable[[CardsChange], None]] = []
        self._is_told = True
        self.taken.connect(self._on_taken, Qt.ConnectionType.QueuedConnection)

    def take(self, change: CardsChange) -> None:
        """Take a change, from any thread."""
        self._waiting.append(change)
        self._is_told = False
        for watcher in tuple(self._watchers):
            watcher(change)
        self.taken.emit()

    def watch(self, watcher: Callable[[CardsChange], None]) -> Unregister:
        """Pass each change on in the thread that brings it, to make of it there what takes longer than a frame.

        Returns:
            The undo.
        """
        self._watchers.append(watcher)

        def unwatch() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)

        return unwatch

    def find(self, name: str) -> ToolCard | None:
        """Return the tool of that name, as forgiving as a call is; see `find_tool`."""
        from tools.card import find_tool  # noqa: PLC0415 -- the tree is painted before a tool is known

        return find_tool(self._known(), name)

    def lookup(self, name: str) -> ToolCard | None:
        return self._known().get(name)

    @property
    def names(self) -> list[str]:
        """The names of all tools, sorted."""
        return sorted(self._known())

    @property
    def prompts(self) -> tuple[PromptCard, ...]:
        """All prompts, in order of registration."""
        self._known()
        return self._prompts

    def refusal(self, name: str) -> Disabled | None:
        """Return why calls of a tool are refused; None when they are accepted."""
        self._known()
        return self._disabled.get(name)

    def _known(self) -> dict[str, ToolCard]:
        # What came counts from when it came: whoever waited for it reads before the event loop has its turn.
        while self._waiting:
            change = self._waiting.popleft()
            for name in change.removed:
                self._cards.pop(name, None)
            self._cards.update((card.name, card) for card in change.added)
            self._disabled.update(change.disabled)
            if change.prompts is not None:
                self._prompts = change.prompts
        return self._cards

    @Slot()
    def _on_taken(self) -> None:
        if not self._is_told:
            self._is_told = True
            self.changed.emit()

    def __iter__(self) -> Iterator[ToolCard]:
        """Iterate over the tools in order of registration."""
        return iter(tuple(self._known().values()))

    def __len__(self) -> int:
        return len(self._known())

    def __contains__(self, name: object) -> bool:
        return name in self._known()
