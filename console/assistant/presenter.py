"""What stands behind the Assistant page: the conversations, the one that is shown, and what becomes of its calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QObject, QUrl, Signal, SignalInstance, Slot
from PySide6.QtGui import QDesktopServices

from console.assistant.context_presenter import ContextPresenter
from console.assistant.panel_presenter import PanelPresenter
from console.assistant.ports import AssistantPort, TalkEvent
from console.assistant.rows import (
    Answered,
    BudgetAsk,
    Called,
    ConversationRow,
    ModelRef,
    OpenedConversation,
    ProviderRow,
    RepeatAsk,
    Said,
    TokenCount,
    model_ref,
    title_of,
)
from console.call_events import CallAdded, CallBegun, CallEnded, QuestionAsked, QuestionDecided, WindowEvent
from console.preferences import Preferences
from console.tasks import Compute, OwnTasks, TaskScope
from console.viewers import ContentPresenter
from tools.errors import ModelFault, ToolError, VaultError
from tools.models.attachments import AttachedFile, images_in, read_file, with_files
from tools.models.events import (
    AnswerEnded,
    AskedFor,
    CallAnswered,
    RequestRetried,
    TaskEnd,
    TaskEnded,
    TurnsSummarised,
)
from tools.models.messages import StopReason
from tools.models.port import TextDelta, ThinkingDelta

if TYPE_CHECKING:
    from console.assistant.call_card_view import CallCard
    from console.assistant.model import ConversationModel
    from console.assistant.model_dialog import ModelDialog
    from console.assistant.thread_view import ThreadView
    from console.assistant.view import AssistantView
    from console.call.question_view import InlineQuestion
    from tools.calls import ReviewRequest

_FACTS: Final = {
    TaskEnd.LENGTH: "The answer reached its limit.",
    TaskEnd.REFUSED: "The model refused to answer.",
    TaskEnd.CALL_LIMIT: "The limit of calls is reached.",
    TaskEnd.REQUEST_LIMIT: "The limit of requests is reached.",
    TaskEnd.BUDGET: "The budget is reached.",
    TaskEnd.STOPPED: "Stopped.",
    TaskEnd.FAILED: "No answer.",
}
_KEY_WORDS: Final = (
    "Put a key that may use it into the environment or the keyring, then Retry; for an address of your own, choose the"
    " model again and name the key in “Key from”."
)
_LEAST_QUESTION: Final = 260


class WaitingQuestions(Protocol):
    """The questions that wait for the person."""

    @property
    def changed(self) -> SignalInstance:
        """(): questions came or went."""

    @property
    def open_requests(self) -> tuple[ReviewRequest, ...]:
        """The open questions, oldest first."""


class _Talk:
    """A conversation while the program runs."""

    def __init__(self, opened: OpenedConversation, title: str = "") -> None:
        self.name = opened.name
        self.title = title or opened.title
        self.entries = list(opened.entries)
        self.used = opened.used
        self.model = opened.model
        self.other = opened.other
        self.is_second = opened.is_second
        self.began: datetime | None = None
        self.took_s = opened.took_s
        self.repeat: RepeatAsk | None = None
        self.words: list[str] = []
        self.is_running = False
        self.ended: TaskEnded | None = None
        self.budget: BudgetAsk | None = None
        self.place_by_part = {one.part: at for at, one in enumerate(self.entries) if isinstance(one, Called)}

    @property
    def said(self) -> int:
        """How often the person said something."""
        return sum(isinstance(entry, Said) for entry in self.entries)

    def take_words(self, *, is_cut: bool = False) -> None:
        """Make the words that came an entry."""
        if self.words:
            self.entries.append(Answered("".join(self.words), is_cut))
            self.words = []

    def put(self, call: Called) -> None:
        """Keep a call, or how it stands now."""
        place = self.place_by_part.get(call.part)
        if place is None:
            self.place_by_part[call.part] = len(self.entries)
            self.entries.append(call)
        else:
            self.entries[place] = call

    def call(self, call_id: str) -> Called | None:
        """Return a call by its id."""
        found = (self.entries[place] for place in self.place_by_part.values())
        return next((one for one in found if isinstance(one, Called) and one.call_id == call_id), None)


class AssistantPresenter(QObject):
    """Conduct the page.

    Args:
        view: The page.
        model: The list of conversations.
        port: Holds the conversations.
        questions: The questions that wait.
        inline: Returns the view of a question by its id, to stand in a card; None when it is not open any more.
        caller: Whose calls those of conversations are.
        preferences: Remember the models.
        compute: Runs what takes more than a frame.
        scope: Owns the tasks.
        now: Gives the time.

    Signals:
        noticed(str): A sentence for the person.
        tool_requested(str): The page of a tool is to be shown.
        call_requested(str): A call is to be shown in the history.
        batch_requested(object): This `PlanOfCalls` is to be opened.
    """

    noticed = Signal(str)
    tool_requested = Signal(str)
    call_requested = Signal(str)
    batch_requested = Signal(object)

    def __init__(
        self,
        view: AssistantView,
        model: ConversationModel,
        port: AssistantPort,
        *,
        questions: WaitingQuestions,
        inline: Callable[[str, CallCard], InlineQuestion | None],
        caller: str,
        preferences: Preferences,
        compute: Compute,
        scope: TaskScope,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._model = model
        self._port = port
        self._questions = questions
        self._inline = inline
        self._caller = caller
        self._preferences = preferences
        self._compute = compute
        self._scope = scope
        self._now = now
        self._tasks = OwnTasks(scope)
        self._talks: dict[str, _Talk] = {}
        self._rows: Sequence[ConversationRow] = ()
        self._current: _Talk | None = None
        self._providers: Sequence[ProviderRow] = ()
        self._ref: ModelRef | None = None
        self._second: ModelRef | None = None
        self._pair: tuple[_Talk, ...] = ()
        self._is_looking = False
        self._is_sending = False
        self._is_shown = False
        self._deleted: list[tuple[str, str]] = []
        self._files: list[AttachedFile] = []
        self._edited: int | None = None
        self._renamed = ""
        self._batched = ""
        self._state_by_call: dict[str, str] = {}
        self._asked: dict[tuple[str, int], str] = {}
        self._contents: list[ContentPresenter] = []
        self._dialog: ModelDialog | None = None
        self._context = ContextPresenter(view, port, preferences=preferences, start=self._start, parent=self)
        PanelPresenter(
            view, self._context, port, preferences=preferences, compute=compute, start=self._start, parent=self
        )
        self._connect()
        self._show_models()

    def _connect(self) -> None:
        view, thread, listed = self._view, self._view.messages, self._view.conversations
        self._port.told.connect(self._on_port_told)
        self._questions.changed.connect(self._show_questions)
        view.shown.connect(self._on_view_shown)
        view.hidden.connect(self._on_view_hidden)
        view.model_chosen.connect(self._on_view_model_chosen)
        view.other_model_requested.connect(self._on_view_other_model_requested)
        view.look_requested.connect(self.look_for_models)
        view.batch_requested.connect(self._on_view_batch_requested)
        view.export_chosen.connect(self._on_view_export_chosen)
        view.file_chosen.connect(self._on_view_file_chosen)
        view.rename_requested.connect(self._on_view_rename_requested)
        view.delete_requested.connect(self._on_view_delete_requested)
        view.composer.sent.connect(self._on_composer_sent)
        view.composer.stop_requested.connect(self._on_composer_stop_requested)
        view.composer.detach_requested.connect(self._on_composer_detach_requested)
        view.context_bar.summarise_requested.connect(self._on_bar_summarise_requested)
        thread.edit_requested.connect(self._on_messages_edit_requested)
        thread.branch_requested.connect(self._on_messages_branch_requested)
        for shown in (thread, *(column.messages for column in view.compare.columns)):
            shown.retry_requested.connect(self._on_messages_retry_requested)
            shown.model_wanted.connect(self._on_view_other_model_requested)
            shown.budget_answered.connect(self._on_messages_budget_answered)
            shown.repeat_answered.connect(self._on_messages_repeat_answered)
            shown.card_opened.connect(self._on_messages_card_opened)
            shown.tool_requested.connect(self.tool_requested)
            shown.call_requested.connect(self.call_requested)
            shown.link_opened.connect(self._on_messages_link_opened)
        for column in view.compare.columns:
            column.stop_requested.connect(self._on_column_stop_requested)
            column.chosen.connect(self._on_column_chosen)
        view.second_chosen.connect(self._on_view_second_chosen)
        view.other_second_requested.connect(self._on_view_other_second_requested)
        listed.chosen.connect(self._on_conversations_chosen)
        listed.new_requested.connect(self.begin_new)
        listed.rename_requested.connect(self._rename)
        listed.delete_requested.connect(self._on_conversations_delete_requested)
        listed.undo_requested.connect(self._on_conversations_undo_requested)
        listed.searched.connect(self._show_rows)

    def start(self) -> None:
        """List conversations, and look for models on this computer."""
        self._start(self._list(), "list conversations")
        self.look_for_models()
        self._refresh_context()

    def close(self) -> None:
        """Let go of what is under way."""
        self._tasks.cancel()
        self._drop_contents()

    def asks_here(self, request: ReviewRequest) -> bool:
        """Say whether a question is asked in the conversation that is shown, so that no dialog comes for it."""
        shown = self._shown
        if not self._is_shown or request.call.caller != self._caller or not any(talk.is_running for talk in shown):
            return False
        others = (other for other in self._talks.values() if other not in shown)
        return not any(other.call(request.call.id) is not None for other in others)

    @property
    def _shown(self) -> tuple[_Talk, ...]:
        """The conversations in sight: one, or two side by side."""
        return self._pair or (() if self._current is None else (self._current,))

    def _thread_of(self, talk: _Talk | None) -> ThreadView | None:
        """Return where a conversation is shown; None when it is not in sight."""
        if talk in self._pair:
            return self._view.compare.columns[self._pair.index(talk)].messages
        return self._view.messages if talk is self._current and talk is not None else None

    def _talk_at(self, sender: QObject | None) -> _Talk | None:
        """Return the conversation that a column, or a view of messages, shows."""
        for column, talk in zip(self._view.compare.columns, self._pair, strict=False):
            if sender in {column, column.messages}:
                return talk
        return self._current

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.start(work, name, refused=self.noticed.emit)

    async def _list(self) -> None:
        self._rows = await self._port.conversations()
        self._show_rows()

    @Slot()
    def _show_rows(self) -> None:
        words = self._view.conversations.search.text().casefold().split()
        waiting = {request.call.id for request in self._questions.open_requests}
        rows = []
        for row in self._rows:
            talk = self._talks.get(row.name)
            if talk is not None:
                is_waiting = any(
                    isinstance(one, Called) and one.elapsed_s is None and one.call_id in waiting for one in talk.entries
                )
                row = row._replace(is_running=talk.is_running, is_waiting=is_waiting)  # noqa: PLW2901
            if all(word in row.title.casefold() for word in words):
                rows.append(row)
        self._model.show_rows(rows, self._now())
        self._view.conversations.follow_rows()
        self._view.conversations.choose("" if self._current is None else self._current.name)

    @Slot()
    def begin_new(self) -> None:
        """Show an empty conversation; it is kept once something is said."""
        self._show(None)
        self._view.composer.setFocus()

    @Slot(str)
    def _on_conversations_chosen(self, name: str) -> None:
        self._start(self._open(name), "open a conversation")

    async def _open(self, name: str) -> None:
        talk = self._talks.get(name)
        if talk is None:
            talk = await self._read(name)
            if self._ref is None or talk.model.provider != self._ref.provider:
                self._choose(talk.model)
        if talk.other and talk.other not in self._talks:
            await self._read(talk.other)
        self._show(talk)

    async def _read(self, name: str) -> _Talk:
        opened = await self._port.open(name)
        # It may have been opened twice while it was read.
        return self._talks.setdefault(name, _Talk(opened))

    @Slot(str)
    def _rename(self, name: str) -> None:
        title = next((row.title for row in self._rows if row.name == name), "")
        dialog = self._view.ask_title(title)
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
            if talk is self._current:
                self._view.show_title(title)
        await self._list()

    @Slot(str)
    def _on_conversations_delete_requested(self, name: str) -> None:
        self._start(self._delete(name), "delete a conversation")

    async def _delete(self, name: str) -> None:
        title = next((row.title for row in self._rows if row.name == name), name)
        talk = self._talks.get(name)
        if talk is not None and talk.other:
            await self._part(talk)
        await self._port.put_aside(name)
        self._deleted.append((name, title))
        self._talks.pop(name, None)
        if talk is self._current:
            self._show(None)
        self._view.conversations.show_deleted(title)
        await self._list()

    @Slot()
    def _on_conversations_undo_requested(self) -> None:
        if self._deleted:
            self._start(self._bring_back(), "bring a conversation back")

    async def _bring_back(self) -> None:
        name, _ = self._deleted.pop()
        await self._port.bring_back(name)
        self._view.conversations.show_deleted(self._deleted[-1][1] if self._deleted else "")
        await self._list()
        await self._open(name)

    @Slot()
    def _on_view_rename_requested(self) -> None:
        if self._current is not None:
            self._rename(self._current.name)

    @Slot()
    def _on_view_delete_requested(self) -> None:
        if self._current is not None:
            self._on_conversations_delete_requested(self._current.name)

    @Slot()
    def look_for_models(self) -> None:
        """Find what can be used: servers on this computer, and providers whose key is there."""
        self._is_looking = True
        self._show_models()
        self._start(self._look(), "look for models")

    async def _look(self) -> None:
        try:
            self._providers = await self._port.providers()
        finally:
            self._is_looking = False
            self._show_models()
        if self._dialog is not None:
            self._dialog.show_providers(self._providers)

    def _show_models(self) -> None:
        titles = {row.name: row.title for row in self._providers}
        reached = {row.name for row in self._providers if row.has_key}
        here = [ModelRef(row.name, name) for row in self._providers for name in row.models]
        known = [ref for ref in map(model_ref, self._preferences.recent_models) if ref is not None]
        usable = [ref for ref in known if ref not in here and ref.provider in reached]
        current = [] if self._ref is None or self._ref in {*here, *usable} else [self._ref]
        choices = [(ref, _words(ref, titles)) for ref in (*current, *usable, *here)]
        pair = self._pair
        first, second = (pair[0].model, pair[1].model) if pair else (self._ref, self._second)
        self._view.show_models(choices, first, is_looking=self._is_looking)
        others = [choice for choice in choices if choice[0] != first]
        running = self._current is not None and self._current.is_running
        offered = first is not None and not pair and not running
        self._view.show_second(others, second, is_offered=offered, is_pair=bool(pair))

    @Slot(object)
    def _on_view_model_chosen(self, ref: ModelRef) -> None:
        self._choose(ref)
        self._preferences.add_recent_model(ref.written)
        self._refresh_context()
        self._view.composer.setFocus()

    def _choose(self, ref: ModelRef) -> None:
        self._ref = ref
        if self._second == ref:
            self._second = None
        self._show_models()

    @Slot(object)
    def _on_view_second_chosen(self, ref: ModelRef | None) -> None:
        self._second = None if ref == self._ref else ref
        if ref is not None:
            self._preferences.add_recent_model(ref.written)
        self._show_models()
        self._view.composer.setFocus()

    @Slot()
    def _on_view_other_second_requested(self) -> None:
        self._ask_for_model(self._on_view_second_chosen)

    @Slot()
    def _on_view_other_model_requested(self) -> None:
        self._ask_for_model(self._on_view_model_chosen)

    def _ask_for_model(self, on_chosen: Callable[[ModelRef], None]) -> None:
        dialog = self._dialog = self._view.ask_model(self._providers)
        dialog.model_chosen.connect(on_chosen)
        dialog.models_wanted.connect(self._on_dialog_models_wanted)
        dialog.key_given.connect(self._on_dialog_key_given)
        dialog.finished.connect(self._on_dialog_finished)

    @Slot(str, str)
    def _on_dialog_key_given(self, name: str, key: str) -> None:
        self._start(self._keep_key(name, key), "keep a key")

    async def _keep_key(self, name: str, key: str) -> None:
        try:
            await self._port.keep_key(name, key)
        except VaultError as error:
            if self._dialog is not None:
                self._dialog.show_problem(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        if self._dialog is not None:
            self._dialog.secret.clear()
        await self._look()

    @Slot(object)
    def _on_dialog_models_wanted(self, ref: ModelRef) -> None:
        self._start(self._ask_for_models(ref), "ask for models")

    async def _ask_for_models(self, ref: ModelRef) -> None:
        try:
            models = await self._port.models_of(ref)
        except ToolError as error:
            if self._dialog is not None:
                self._dialog.show_problem(str(error))
            return
        if self._dialog is not None:
            self._dialog.show_models(models)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def _refresh_context(self) -> None:
        self._context.follow("" if self._current is None else self._current.name, self._ref)

    @Slot()
    def _on_bar_summarise_requested(self) -> None:
        talk = self._current
        if talk is not None and self._ref is not None and not talk.is_running:
            self._start(self._summarise(talk, self._ref), "sum up older turns")

    async def _summarise(self, talk: _Talk, ref: ModelRef) -> None:
        talk.is_running, talk.ended = True, None
        self._follow(talk)
        try:
            await self._port.summarise(talk.name, ref)
        finally:
            talk.is_running = False
            self._follow(talk)
        await self._context.refresh()

    @Slot(str)
    def _on_view_file_chosen(self, path: str) -> None:
        self._start(self._attach(Path(path)), "attach a file")

    async def _attach(self, path: Path) -> None:
        self._files.append(await self._compute(read_file, path))
        self._show_attached()

    @Slot(str)
    def _on_composer_detach_requested(self, name: str) -> None:
        if self._edited is not None and name == _editing(self._edited):
            self._edited = None
        self._files = [file for file in self._files if file.name != name]
        self._show_attached()

    def _show_attached(self) -> None:
        edited = [] if self._edited is None else [_editing(self._edited)]
        self._view.composer.show_attached([*edited, *(file.name for file in self._files)])

    @Slot(str)
    def _on_composer_sent(self, text: str) -> None:
        if self._ref is not None and not self._is_sending and not any(talk.is_running for talk in self._shown):
            self._is_sending = True
            self._start(self._say(text, self._ref), "say something")

    async def _say(self, text: str, ref: ModelRef) -> None:
        files = self._files
        try:
            talks = await self._ready(text, ref)
        finally:
            self._is_sending = False
        words = with_files(text, files)
        images = images_in(files)
        self._files, self._edited = [], None
        self._show_attached()
        self._view.composer.prompt.clear()
        for talk in talks:
            said = Said(talk.said, words, len(images))
            talk.entries.append(said)
            thread = self._thread_of(talk)
            if thread is self._view.messages:
                self._view.show_empty(is_empty=False)
            if thread is not None:
                thread.add_entry(said)
        for talk in talks[1:]:
            say = partial(self._port.say, talk.name, words, images)
            self._start(self._work(talk, say), "say something to the second model")
        await self._work(talks[0], partial(self._port.say, talks[0].name, words, images))

    async def _ready(self, text: str, ref: ModelRef) -> tuple[_Talk, ...]:
        """Return the conversations in which something is said now, prepared: one, or two side by side."""
        tokens = self._view.context.budget.value() or None
        if self._pair:
            pair = self._pair
            for one in pair:
                await self._port.prepare(one.name, one.model, tokens)
            return pair
        talk: _Talk | None = self._current
        second = self._second
        name = "" if talk is None else talk.name
        if self._edited is not None and talk is not None:
            name = await self._port.branch(name, self._edited)
        name = await self._port.prepare(name, ref, tokens)
        if talk is None or talk.name != name:
            talk = await self._begun(name, title_of(text))
        talk.model = ref
        if second is None:
            return (talk,)
        talk.other = await self._port.compare(name, talk.title, second)
        await self._read(talk.other)
        self._second = None
        self._show(talk)
        return self._pair

    async def _begun(self, name: str, title: str) -> _Talk:
        """Show a conversation that was just begun, or branched off."""
        opened = await self._port.open(name)
        talk = self._talks[name] = _Talk(opened, "" if opened.entries else title)
        self._show(talk)
        return talk

    async def _work(self, talk: _Talk, work: Callable[[], Awaitable[TaskEnded]]) -> None:
        talk.is_running, talk.ended = True, None
        talk.began = began = self._now()
        self._follow(talk)
        # Beside the work, which begins at once: a stop that comes now has something to stop.
        self._start(self._list(), "list the conversations")
        try:
            await work()
        except ToolError as error:
            talk.ended = TaskEnded(TaskEnd.FAILED, why=str(error))
        finally:
            talk.is_running = False
            talk.budget = talk.repeat = None
            talk.took_s = (self._now() - began).total_seconds()
            self._follow(talk)
        await self._list()
        await self._context.refresh()

    @Slot()
    def _on_composer_stop_requested(self) -> None:
        for talk in self._shown:
            self._port.stop(talk.name)

    @Slot()
    def _on_column_stop_requested(self) -> None:
        talk = self._talk_at(self.sender())
        if talk is not None:
            self._port.stop(talk.name)

    @Slot()
    def _on_column_chosen(self) -> None:
        talk = self._talk_at(self.sender())
        if talk is not None and talk.other and not talk.is_running:
            self._start(self._go_on_with(talk), "go on with one of two answers")

    async def _go_on_with(self, talk: _Talk) -> None:
        """Show one conversation of a pair alone; the other stays in the list."""
        await self._part(talk)
        self._choose(talk.model)
        self._show(talk)
        await self._list()
        self._view.composer.setFocus()

    async def _part(self, talk: _Talk) -> None:
        await self._port.choose(talk.name)
        for one in (talk, self._talks.get(talk.other)):
            if one is not None:
                one.other = ""

    @Slot()
    def _on_messages_retry_requested(self) -> None:
        talk = self._talk_at(self.sender())
        ref = talk.model if talk is not None and talk.other else self._ref
        if talk is not None and ref is not None and not talk.is_running:
            self._start(self._go_on(talk, ref), "ask again")

    async def _go_on(self, talk: _Talk, ref: ModelRef) -> None:
        await self._port.prepare(talk.name, ref, self._view.context.budget.value() or None)
        await self._work(talk, partial(self._port.go_on, talk.name))

    @Slot(bool)
    def _on_messages_budget_answered(self, goes_on: bool) -> None:
        talk = self._talk_at(self.sender())
        if talk is not None and talk.budget is not None:
            larger = talk.budget.larger if goes_on else None
            talk.budget = None
            if larger is not None:
                self._view.context.budget.setValue(larger)
            self._port.answer_budget(talk.name, larger)
            self._follow(talk)

    @Slot(bool)
    def _on_messages_repeat_answered(self, runs: bool) -> None:
        talk = self._talk_at(self.sender())
        if talk is not None and talk.repeat is not None:
            self._port.answer_repeat(talk.name, runs)
            self._show_repeat(talk, None)

    def _show_repeat(self, talk: _Talk, ask: RepeatAsk | None) -> None:
        """Ask in a call's card whether it runs though the other model made it already; None asks no longer."""
        thread = self._thread_of(talk)
        former, talk.repeat = talk.repeat, ask
        for one, shown in ((former, None), (ask, ask)):
            card = None if one is None or thread is None else thread.card(one.part)
            if card is not None:
                card.show_repeat(shown)
                if shown is not None and thread is not None:
                    thread.reveal(card)

    @Slot(int)
    def _on_messages_edit_requested(self, number: int) -> None:
        talk = self._current
        if talk is None or talk.is_running:
            return
        said = next(one for one in talk.entries if isinstance(one, Said) and one.number == number)
        self._edited = number
        self._show_attached()
        self._view.composer.prompt.setPlainText(said.text)
        self._view.composer.setFocus()

    @Slot(int)
    def _on_messages_branch_requested(self, number: int) -> None:
        talk = self._current
        if talk is not None and not talk.is_running:
            self._start(self._branch(talk.name, number), "branch a conversation")

    async def _branch(self, name: str, number: int) -> None:
        branch = await self._port.branch(name, number)
        await self._list()
        await self._begun(branch, "")

    @Slot()
    def _on_view_batch_requested(self) -> None:
        if self._current is not None:
            self._start(self._ask_for_calls(self._current.name), "list calls")

    async def _ask_for_calls(self, name: str) -> None:
        calls = await self._port.calls_of(name)
        if not calls:
            self.noticed.emit("No call of this conversation ran, so there is nothing to make a batch of")
            return
        self._batched = name
        self._view.ask_calls(calls).submitted.connect(self._on_dialog_calls_submitted)

    @Slot(list)
    def _on_dialog_calls_submitted(self, chosen: list[int]) -> None:
        self._start(self._make_batch(self._batched, chosen), "make a batch")

    async def _make_batch(self, name: str, chosen: list[int]) -> None:
        self.batch_requested.emit(await self._port.plan_of(name, chosen))

    @Slot(str)
    def _on_view_export_chosen(self, path: str) -> None:
        if self._current is not None:
            self._start(self._export(self._current.name, path), "export a conversation")

    async def _export(self, name: str, path: str) -> None:
        self.noticed.emit(await self._port.export(name, path))

    def _show(self, talk: _Talk | None) -> None:
        self._drop_questions()
        self._drop_contents()
        beside = None if talk is None else self._talks.get(talk.other)
        self._pair = () if talk is None or beside is None else tuple(sorted((talk, beside), key=_is_second))
        talk = self._current = self._pair[0] if self._pair else talk
        self._edited = None
        self._show_attached()
        view = self._view
        view.show_empty(is_empty=talk is None)
        if self._pair:
            view.show_compared()
        view.show_title("" if talk is None else talk.title)
        view.show_used(TokenCount() if talk is None else talk.used)
        for column, one in zip(view.compare.columns, self._pair, strict=False):
            column.show_model(one.model.model)
            column.show_used(one.used)
        for thread in (view.messages, *(column.messages for column in view.compare.columns)):
            thread.show_entries([])
        for one in self._shown:
            self._fill(one)
        view.conversations.choose("" if talk is None else talk.name)
        if talk is None:
            self._follow(talk)
        self._show_models()
        self._show_questions()
        self._refresh_context()

    def _fill(self, talk: _Talk) -> None:
        thread = self._thread_of(talk)
        if thread is not None:
            thread.show_entries(talk.entries)
            if talk.words:
                thread.add_text("".join(talk.words))
            self._show_repeat(talk, talk.repeat)
        self._follow(talk)

    def _follow(self, talk: _Talk | None) -> None:
        """Show whether the model of a conversation is at work, and what kept it from an answer."""
        thread = self._view.messages if talk is None else self._thread_of(talk)
        if thread is None:
            return
        running = talk is not None and talk.is_running
        self._view.composer.set_running(running=any(one.is_running for one in self._shown))
        if talk is not None and talk in self._pair:
            column = self._view.compare.columns[self._pair.index(talk)]
            since_s = 0.0 if talk.began is None else (self._now() - talk.began).total_seconds()
            column.show_took(talk.took_s)
            column.set_running(running=running, since_s=since_s)
        else:
            self._show_models()
        thread.earlier.setEnabled(not running)
        thread.show_working("Waiting for the model" if running and talk is not None and not talk.words else "")
        asked = None if talk is None else talk.budget
        thread.show_budget(
            "" if asked is None else "The budget would be passed.",
            ""
            if asked is None
            else f"{asked.used:,} of {asked.budget:,} tokens are used, the next request takes about"
            f" {asked.expected:,}. Go on up to {asked.larger:,}?",
        )
        ended = None if talk is None or running else talk.ended
        is_problem = ended is not None and ended.end is not TaskEnd.ANSWERED
        thread.show_problem(
            _FACTS[ended.end] if ended is not None and is_problem else "",
            _why(ended) if ended is not None and is_problem and ended.end is not TaskEnd.STOPPED else "",
            names_model=ended is not None and _lacks_key(ended),
        )

    @Slot(list)
    def _on_port_told(self, told: list[TalkEvent]) -> None:
        for name, event in told:
            talk = self._talks.get(name)
            if talk is not None:
                self._take(talk, event)

    def _take(self, talk: _Talk, event: object) -> None:
        match event:
            case TextDelta(text):
                talk.words.append(text)
                self._show_working(talk, "")
                thread = self._thread_of(talk)
                if thread is not None:
                    thread.add_text(text)
            case ThinkingDelta():
                self._show_working(talk, "Thinking")
            case AskedFor() | CallAnswered():
                talk.take_words()
                self._take_call(talk, event)
            case AnswerEnded():
                self._take_answer(talk, event)
            case RequestRetried():
                self._show_working(talk, f"Asked again in {event.wait_s:g} s: {event.why}")
            case BudgetAsk() | RepeatAsk() | TaskEnded():
                self._take_state(talk, event)
            case TurnsSummarised(turns=turns) if turns:
                self.noticed.emit("Older turns are summed up; the Context panel shows the summary and undoes it")

    def _take_state(self, talk: _Talk, event: BudgetAsk | RepeatAsk | TaskEnded) -> None:
        if isinstance(event, RepeatAsk):
            self._show_repeat(talk, event)
            return
        if isinstance(event, BudgetAsk):
            talk.budget = event
        else:
            talk.take_words()
            talk.ended = event
        self._follow(talk)

    def _show_working(self, talk: _Talk, words: str) -> None:
        thread = self._thread_of(talk)
        if thread is not None:
            thread.show_working(words)

    def _take_answer(self, talk: _Talk, event: AnswerEnded) -> None:
        talk.take_words(is_cut=event.stop is StopReason.CUT_OFF)
        total = event.total
        talk.used = TokenCount(
            total.input_tokens, total.output_tokens, total.cached_tokens, event.cost, total.estimated
        )
        thread = self._thread_of(talk)
        if thread is not None:
            thread.end_answer()
        if talk is self._current:
            self._view.show_used(talk.used)
        if talk in self._pair:
            self._view.compare.columns[self._pair.index(talk)].show_used(talk.used)

    def _take_call(self, talk: _Talk, event: AskedFor | CallAnswered) -> None:
        if isinstance(event, CallAnswered):
            self._state_by_call.pop(event.call_id, None)
            if talk.repeat is not None and talk.repeat.part == event.part:
                self._show_repeat(talk, None)
            call = Called(
                event.part, event.name, event.arguments, event.status, event.text, event.elapsed_s, event.call_id
            )
        else:
            status = self._state_by_call.get(event.call_id, event.status)
            call = Called(event.part, event.name, event.arguments, status, call_id=event.call_id)
        self._show_call(talk, call)

    def _show_call(self, talk: _Talk, call: Called) -> None:
        talk.put(call)
        thread = self._thread_of(talk)
        if thread is not None:
            thread.show_working("")
            thread.show_call(call)
            self._show_questions()

    @Slot(list)
    def take(self, events: Iterable[WindowEvent]) -> None:
        """Follow the calls of conversations while they run."""
        for event in events:
            match event:
                case CallAdded(record) if record.caller == self._caller:
                    self._state_by_call[record.id] = record.status.value
                case CallBegun():
                    self._note(event.call_id, "executing")
                case QuestionAsked():
                    self._note(event.call_id, "waiting_for_review")
                case QuestionDecided():
                    self._note(event.call_id, "executing")
                case CallEnded(record):
                    self._state_by_call.pop(record.id, None)

    def _note(self, call_id: str, status: str) -> None:
        if call_id not in self._state_by_call:
            return
        self._state_by_call[call_id] = status
        for talk in self._talks.values():
            call = talk.call(call_id)
            if call is not None and call.elapsed_s is None:
                self._show_call(talk, call._replace(status=status))

    @Slot()
    def _show_questions(self) -> None:
        """Ask in the cards of the conversation what waits, as long as the page is in sight."""
        self._show_rows()
        if not self._is_shown:
            return
        open_ids = {request.call.id: request.id for request in self._questions.open_requests}
        for talk in self._shown:
            for entry in talk.entries:
                if isinstance(entry, Called) and entry.call_id in open_ids:
                    self._show_question(talk, entry.part, open_ids[entry.call_id])

    def _show_question(self, talk: _Talk, part: int, question_id: str) -> None:
        thread = self._thread_of(talk)
        card = None if thread is None else thread.card(part)
        is_asked = (talk.name, part) in self._asked
        question = None if card is None or is_asked else self._inline(question_id, card)
        if thread is None or card is None or question is None:
            return
        self._asked[talk.name, part] = question_id
        question.set_most(max(_LEAST_QUESTION, thread.viewport().height() - 80))
        question.setProperty("talk", talk.name)
        question.setProperty("part", part)
        question.over.connect(self._on_question_over)
        card.show_question(question)
        thread.reveal(card)

    @Slot()
    def _on_question_over(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._drop_question(sender.property("talk"), sender.property("part"))
            self._show_questions()

    def _drop_question(self, name: str, part: int) -> None:
        self._asked.pop((name, part), None)
        thread = self._thread_of(self._talks.get(name))
        card = None if thread is None else thread.card(part)
        if card is not None and card.question is not None:
            card.question.leave()
            card.show_question(None)

    def _drop_questions(self) -> None:
        for name, part in tuple(self._asked):
            self._drop_question(name, part)

    @Slot()
    def _on_view_shown(self) -> None:
        self._is_shown = True
        for talk in self._pair:
            self._follow(talk)
        self._show_questions()

    @Slot()
    def _on_view_hidden(self) -> None:
        self._is_shown = False
        self._drop_questions()

    @Slot(object)
    def _on_messages_card_opened(self, card: CallCard) -> None:
        if card.content is not None:
            self._contents.append(
                ContentPresenter(
                    card.content, self._compute, self._scope, notify=self.noticed.emit, parent=card.content
                )
            )

    def _drop_contents(self) -> None:
        for content in self._contents:
            content.close()
        self._contents = []

    @Slot(QUrl)
    def _on_messages_link_opened(self, url: QUrl) -> None:
        if not QDesktopServices.openUrl(url):
            self.noticed.emit(f"There is no program for {url.toString()}.")


def _words(ref: ModelRef, titles: dict[str, str]) -> str:
    where = ref.address or titles.get(ref.provider, ref.provider)
    return titles.get(ref.provider, ref.model) if ref.provider == ref.model else f"{ref.model} · {where}"


def _lacks_key(ended: TaskEnded) -> bool:
    return ended.error is not None and ended.error.fault is ModelFault.KEY


def _why(ended: TaskEnded) -> str:
    """Return why there is no answer, with what to do in this window."""
    if ended.error is None or not _lacks_key(ended):
        return ended.why
    return f"{ended.error.fact}. {_KEY_WORDS}"


def _is_second(talk: _Talk) -> bool:
    return talk.is_second


def _editing(number: int) -> str:
    return f"Instead of message {number + 1}"
