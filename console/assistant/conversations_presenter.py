"""What stands behind the list of conversations: listed, filtered, renamed, deleted and brought back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.assistant.model_dialog import TitleDialog
from console.assistant.rows import Called, ConversationRow, has_words

if TYPE_CHECKING:
    from console.assistant.engine_assistant import EngineAssistant
    from console.assistant.model import ConversationModel
    from console.assistant.open_conversations import OpenConversations
    from console.assistant.ports import WaitingQuestions
    from console.assistant.view import AssistantView

_TYPING_MS: Final = 150
"""A search waits so long for the next letter."""


class ConversationsPresenter(QObject):
    """Fill the list of conversations, and change what it lists.

    Args:
        start: Starts some work under a name; what keeps it from being done is told.

    Signals:
        open_requested(str, list): This conversation is to be shown, where a message has these words; none, at its end.
        current_deleted(): The conversation that is shown is not kept any more.
    """

    open_requested = Signal(str, list)
    current_deleted = Signal()

    def __init__(
        self,
        view: AssistantView,
        model: ConversationModel,
        talks: OpenConversations,
        port: EngineAssistant,
        *,
        questions: WaitingQuestions,
        start: Callable[[Coroutine[Any, Any, None], str], None],
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._model = model
        self._talks = talks
        self._port = port
        self._questions = questions
        self._start = start
        self._now = now
        self._rows: Sequence[ConversationRow] = ()
        self._listings = 0
        self._words: list[str] = []
        self._excerpts: dict[str, str] = {}
        self._is_searching = False
        self._typing = QTimer(self, interval=_TYPING_MS, singleShot=True)
        self._typing.timeout.connect(self._on_typing_timeout)
        self._deleted: list[tuple[str, str]] = []
        self._renamed = ""
        listed = view.conversations
        listed.chosen.connect(self._on_conversations_chosen)
        listed.rename_requested.connect(self._rename)
        listed.delete_requested.connect(self._on_conversations_delete_requested)
        listed.undo_requested.connect(self._on_conversations_undo_requested)
        listed.searched.connect(self._on_conversations_searched)
        view.rename_requested.connect(self._on_view_rename_requested)
        view.delete_requested.connect(self._on_view_delete_requested)

    def close(self) -> None:
        """Search for nothing that was just typed."""
        self._typing.stop()

    async def refresh(self) -> None:
        self._listings += 1
        listing = self._listings
        rows = await self._port.conversations()
        if listing != self._listings:
            return  # another listing began since; what this one read may be older
        self._rows = rows
        self.show()
        if self._words:
            await self._search(self._words)

    @Slot()
    def show(self) -> None:
        """List what the filter leaves, with what goes on in open conversations."""
        words = self._words
        waiting = {request.call.id for request in self._questions.open_requests}
        rows = []
        for row in self._rows:
            talk = self._talks.get(row.name)
            if talk is not None:
                is_waiting = any(
                    isinstance(one, Called) and one.elapsed_s is None and one.call_id in waiting for one in talk.entries
                )
                row = row._replace(is_running=talk.is_running, is_waiting=is_waiting)  # noqa: PLW2901
            if not words:
                rows.append(row)
            elif row.name in self._excerpts:
                rows.append(row._replace(found=self._excerpts[row.name]))
            elif has_words(row.title, words):
                rows.append(row)
        self._model.show_rows(rows, self._now(), words)
        self._view.conversations.follow_rows(is_searching=self._is_searching)
        current = self._talks.current
        self._view.conversations.choose("" if current is None else current.name)

    @Slot(str)
    def _on_conversations_searched(self, text: str) -> None:
        former, self._words = self._words, text.casefold().split()
        if not self._words or not " ".join(self._words).startswith(" ".join(former)):
            # What has more words is among what was found already; it stays until the search is over.
            self._excerpts = {}
        self._is_searching = bool(self._words)
        self._typing.start()
        self.show()

    @Slot()
    def _on_typing_timeout(self) -> None:
        if self._words:
            self._start(self._search(self._words), "search conversations")

    async def _search(self, words: list[str]) -> None:
        found = await self._port.search(words)
        # Other words may have been typed since.
        if words == self._words:
            self._excerpts = dict(found)
            self._is_searching = False
            self.show()

    @Slot(str)
    def _on_conversations_chosen(self, name: str) -> None:
        self.open_requested.emit(name, self._words if name in self._excerpts else [])

    @Slot(str)
    def _rename(self, name: str) -> None:
        title = next((row.title for row in self._rows if row.name == name), "")
        dialog = self._view.ask(TitleDialog, title)
        self._renamed = name
        dialog.submitted.connect(self._on_dialog_submitted)

    @Slot(str)
    def _on_dialog_submitted(self, title: str) -> None:
        self._start(self._call_it(self._renamed, title), "rename a conversation")

    async def _call_it(self, name: str, title: str) -> None:
        await self._port.rename(name, title)
        talk = self._talks.get(name)
        if talk is not None:
            talk.title = title
            if talk is self._talks.current:
                self._view.show_title(title)
        await self.refresh()

    @Slot(str)
    def _on_conversations_delete_requested(self, name: str) -> None:
        self._start(self._delete(name), "delete a conversation")

    async def _delete(self, name: str) -> None:
        title = next((row.title for row in self._rows if row.name == name), name)
        talk = self._talks.get(name)
        if talk is not None and talk.other:
            await self._port.choose(name)
            self._talks.part(talk)
        await self._port.put_aside(name)
        self._deleted.append((name, title))
        self._talks.drop(name)
        if talk is self._talks.current:
            self.current_deleted.emit()
        self._view.conversations.show_deleted(title)
        await self.refresh()

    @Slot()
    def _on_conversations_undo_requested(self) -> None:
        if self._deleted:
            self._start(self._bring_back(), "bring a conversation back")

    async def _bring_back(self) -> None:
        name, _ = self._deleted.pop()
        await self._port.bring_back(name)
        self._view.conversations.show_deleted(self._deleted[-1][1] if self._deleted else "")
        await self.refresh()
        self.open_requested.emit(name, [])

    @Slot()
    def _on_view_rename_requested(self) -> None:
        if self._talks.current is not None:
            self._rename(self._talks.current.name)

    @Slot()
    def _on_view_delete_requested(self) -> None:
        if self._talks.current is not None:
            self._on_conversations_delete_requested(self._talks.current.name)
