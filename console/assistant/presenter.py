"""What stands behind the Assistant page: which conversation is shown, and what is said in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from console.assistant.attachments_presenter import AttachmentsPresenter
from console.assistant.context_presenter import ContextPresenter
from console.assistant.conversations_presenter import ConversationsPresenter
from console.assistant.export_presenter import ExportPresenter
from console.assistant.models_presenter import ModelsPresenter
from console.assistant.open_conversations import OpenConversation, OpenConversations
from console.assistant.panel_presenter import PanelPresenter
from console.assistant.rows import ModelRef, Said, title_of
from console.assistant.thread_presenter import ThreadPresenter
from console.language import translated
from console.tasks import Compute, OwnTasks, TaskScope
from tools.errors import ToolError
from tools.models.attachments import images_in, with_files
from tools.models.events import TaskEnd, TaskEnded

if TYPE_CHECKING:
    from console.assistant.call_card_view import CallCard
    from console.assistant.engine_assistant import EngineAssistant
    from console.assistant.model import ConversationModel
    from console.assistant.ports import WaitingQuestions
    from console.assistant.view import AssistantView
    from console.call_result.question_view import InlineQuestion
    from console.preferences import Preferences


class AssistantPresenter(QObject):
    """Conduct the page.

    Args:
        inline: Returns the view of a question by its id, to stand in a card; None when it is not open any more.
        caller: Whose calls those of conversations are.

    Signals:
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
        port: EngineAssistant,
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
        self._port = port
        self._now = now
        self._tasks = OwnTasks(scope)
        self._talks = OpenConversations()
        self._is_sending = False
        start = self._start
        self._models = ModelsPresenter(view, self._talks, port, preferences=preferences, start=start, parent=self)
        self._attachments = AttachmentsPresenter(view, compute=compute, start=start, parent=self)
        self._conversations = ConversationsPresenter(
            view, model, self._talks, port, questions=questions, start=start, now=now, parent=self
        )
        self.messages = ThreadPresenter(
            view,
            self._talks,
            self._models,
            port,
            questions=questions,
            inline=inline,
            caller=caller,
            compute=compute,
            scope=scope,
            now=now,
            parent=self,
        )
        self._export = ExportPresenter(view, self._talks, port, start=start, parent=self)
        self._context = ContextPresenter(view, port, preferences=preferences, start=start, parent=self)
        PanelPresenter(view, self._context, port, preferences=preferences, compute=compute, start=start, parent=self)
        self._connect()

    def _connect(self) -> None:
        view, thread = self._view, self._view.messages
        self._models.chosen.connect(self._refresh_context)
        self._conversations.open_requested.connect(self._on_conversations_open_requested)
        self._conversations.current_deleted.connect(self._on_conversations_current_deleted)
        self.messages.questions.looked.connect(self._conversations.show)
        self.messages.noticed.connect(self.noticed)
        self.messages.tool_requested.connect(self.tool_requested)
        self.messages.call_requested.connect(self.call_requested)
        self._export.noticed.connect(self.noticed)
        self._export.batch_requested.connect(self.batch_requested)
        view.conversations.new_requested.connect(self.begin_new)
        view.composer.sent.connect(self._on_composer_sent)
        view.composer.stop_requested.connect(self._on_composer_stop_requested)
        view.context_bar.summarise_requested.connect(self._on_bar_summarise_requested)
        thread.edit_requested.connect(self._on_messages_edit_requested)
        thread.branch_requested.connect(self._on_messages_branch_requested)
        for column in view.compare.columns:
            column.stop_requested.connect(self._on_column_stop_requested)
            column.chosen.connect(self._on_column_chosen)
        for shown in (thread, *(column.messages for column in view.compare.columns)):
            shown.retry_requested.connect(self._on_messages_retry_requested)

    def start(self) -> None:
        """List conversations, and look for models on this computer."""
        self._start(self._conversations.refresh(), "list conversations")
        self._models.look()
        self._refresh_context()

    @property
    def answering(self) -> int:
        """How many models are at work."""
        return sum(talk.is_running for talk in self._talks)

    def close(self) -> None:
        """Let go of what is under way."""
        self._conversations.close()
        self._tasks.cancel()
        self.messages.leave()

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.start(work, name, refused=self.noticed.emit)

    @Slot()
    def _refresh_context(self) -> None:
        current = self._talks.current
        self._context.follow("" if current is None else current.name, self._models.ref)

    def _show(self, talk: OpenConversation | None) -> None:
        self.messages.leave()
        self._talks.show(talk)
        self._attachments.leave_edit()
        self.messages.show()
        current = self._talks.current
        self._view.conversations.choose("" if current is None else current.name)
        self._models.show()
        self.messages.questions.show()
        self._refresh_context()

    @Slot()
    def begin_new(self) -> None:
        """Show an empty conversation; it is kept once something is said."""
        self._show(None)
        self._view.composer.setFocus()

    @Slot(str, list)
    def _on_conversations_open_requested(self, name: str, words: list[str]) -> None:
        self._start(self._open(name, words), "open a conversation")

    @Slot()
    def _on_conversations_current_deleted(self) -> None:
        self._show(None)

    async def _open(self, name: str, words: list[str]) -> None:
        talk = self._talks.get(name)
        if talk is None:
            talk = await self._read(name)
            ref = self._models.ref
            if ref is None or talk.model.provider != ref.provider:
                self._models.choose(talk.model)
        if talk.other and self._talks.get(talk.other) is None:
            await self._read(talk.other)
        if talk not in self._talks.shown:
            self._show(talk)
        thread = self.messages.thread_of(talk)
        if thread is not None and words:
            thread.seek(words, can_leave=not talk.is_running)

    async def _read(self, name: str) -> OpenConversation:
        opened = await self._port.open(name)
        # It may have been opened twice while it was read.
        return self._talks.keep_first(OpenConversation(opened))

    @Slot(str)
    def _on_composer_sent(self, text: str) -> None:
        ref = self._models.ref
        if ref is not None and not self._is_sending and not any(talk.is_running for talk in self._talks.shown):
            self._is_sending = True
            self._start(self._say(text, ref), "say something")

    async def _say(self, text: str, ref: ModelRef) -> None:
        try:
            talks = await self._ready(text, ref)
        finally:
            self._is_sending = False
        files = self._attachments.files
        words = with_files(text, files)
        images = images_in(files)
        self._attachments.clear()
        self._view.composer.prompt.clear()
        for talk in talks:
            said = Said(talk.said, words, len(images), self._now())
            talk.entries.append(said)
            thread = self.messages.thread_of(talk)
            if thread is self._view.messages:
                self._view.show_empty(is_empty=False)
            if thread is not None:
                thread.add_said(said)
        for talk in talks[1:]:
            say = partial(self._port.say, talk.name, words, images)
            self._start(self._work(talk, say), "say something to the second model")
        await self._work(talks[0], partial(self._port.say, talks[0].name, words, images))

    async def _ready(self, text: str, ref: ModelRef) -> tuple[OpenConversation, ...]:
        """Return the conversations in which something is said now, prepared: one, or two side by side."""
        tokens = self._view.context.budget.value() or None
        if self._talks.pair:
            pair = self._talks.pair
            for one in pair:
                await self._port.prepare(one.name, one.model, tokens)
            return pair
        talk, second, edited = self._talks.current, self._models.second, self._attachments.edited
        name = "" if talk is None else talk.name
        if edited is not None and talk is not None:
            name = await self._port.branch(name, edited)
        name = await self._port.prepare(name, ref, tokens)
        if talk is None or talk.name != name:
            talk = await self._begun(name, title_of(text))
        talk.model = ref
        if second is None:
            return (talk,)
        talk.other = await self._port.compare(name, talk.title, second)
        await self._read(talk.other)
        self._models.drop_second()
        self._show(talk)
        return self._talks.pair

    async def _begun(self, name: str, title: str) -> OpenConversation:
        """Show a conversation that was just begun, or branched off."""
        opened = await self._port.open(name)
        talk = OpenConversation(opened, "" if opened.entries else title)
        self._talks.put(talk)
        self._show(talk)
        return talk

    async def _work(self, talk: OpenConversation, work: Callable[[], Awaitable[TaskEnded]]) -> None:
        talk.is_running, talk.ended = True, None
        talk.began = began = self._now()
        self.messages.follow(talk)
        # Beside the work, which begins at once: a stop that comes now has something to stop.
        self._start(self._conversations.refresh(), "list the conversations")
        try:
            await work()
        except ToolError as error:
            talk.ended = TaskEnded(TaskEnd.FAILED, why=translated(error))
        finally:
            talk.is_running = False
            talk.budget = None
            talk.took_s = (self._now() - began).total_seconds()
            self.messages.follow(talk)
        await self._conversations.refresh()
        await self._context.refresh()

    @Slot()
    def _on_messages_retry_requested(self) -> None:
        talk = self.messages.talk_at(self.sender())
        ref = talk.model if talk is not None and talk.other else self._models.ref
        if talk is not None and ref is not None and not talk.is_running:
            self._start(self._go_on(talk, ref), "ask again")

    async def _go_on(self, talk: OpenConversation, ref: ModelRef) -> None:
        await self._port.prepare(talk.name, ref, self._view.context.budget.value() or None)
        await self._work(talk, partial(self._port.go_on, talk.name))

    @Slot()
    def _on_composer_stop_requested(self) -> None:
        for talk in self._talks.shown:
            self._port.stop(talk.name)

    @Slot()
    def _on_column_stop_requested(self) -> None:
        talk = self.messages.talk_at(self.sender())
        if talk is not None:
            self._port.stop(talk.name)

    @Slot()
    def _on_column_chosen(self) -> None:
        talk = self.messages.talk_at(self.sender())
        if talk is not None and talk.other and not talk.is_running:
            self._start(self._go_on_with(talk), "go on with one of two answers")

    async def _go_on_with(self, talk: OpenConversation) -> None:
        """Show one conversation of a pair alone; the other stays in the list."""
        await self._port.choose(talk.name)
        self._talks.part(talk)
        self._models.choose(talk.model)
        self._show(talk)
        await self._conversations.refresh()
        self._view.composer.setFocus()

    @Slot(int)
    def _on_messages_edit_requested(self, number: int) -> None:
        talk = self._talks.current
        if talk is not None and not talk.is_running:
            self._attachments.edit(next(one for one in talk.entries if isinstance(one, Said) and one.number == number))

    @Slot(int)
    def _on_messages_branch_requested(self, number: int) -> None:
        talk = self._talks.current
        if talk is not None and not talk.is_running:
            self._start(self._branch(talk.name, number), "branch a conversation")

    async def _branch(self, name: str, number: int) -> None:
        branch = await self._port.branch(name, number)
        await self._conversations.refresh()
        await self._begun(branch, "")

    @Slot()
    def _on_bar_summarise_requested(self) -> None:
        talk, ref = self._talks.current, self._models.ref
        if talk is not None and ref is not None and not talk.is_running:
            self._start(self._summarise(talk, ref), "sum up older turns")

    async def _summarise(self, talk: OpenConversation, ref: ModelRef) -> None:
        talk.is_running, talk.ended = True, None
        self.messages.follow(talk)
        try:
            await self._port.summarise(talk.name, ref)
        finally:
            talk.is_running = False
            self.messages.follow(talk)
        await self._context.refresh()
