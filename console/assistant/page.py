"""The Assistant page, made when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.engine import Engine
from console.language import tr
from console.lazy_page import LazyPage
from console.preferences import Preferences
from console.tasks import TaskScope
from tools.execution.executor import Executor

if TYPE_CHECKING:
    from console.assistant.engine_assistant import EngineAssistant, FindLocal
    from console.assistant.ports import WaitingQuestions
    from console.assistant.presenter import AssistantPresenter
    from console.assistant.view import AssistantView
    from console.call_result.question_view import InlineQuestion
    from tools.calls import ReviewRequest


class AssistantPage(QObject):
    """Own the page of conversations with models.

    Args:
        engine: Has the loop that conversations run on.
        inline: Returns the view of a question by its id, to stand in a card; None when it is not open any more.
        find: Finds the servers of models on this computer; None looks at their usual ports.
        own_settings: Returns the person's own settings, which may name what a provider runs itself.

    Attributes:
        view: What is on it; None until somebody looks.

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
        engine: Engine,
        executor: Executor,
        folder: Path,
        *,
        questions: WaitingQuestions,
        inline: Callable[[str, QWidget], InlineQuestion | None],
        preferences: Preferences,
        scope: TaskScope,
        find: FindLocal | None = None,
        own_settings: Callable[[], Mapping[str, str]] = dict,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._executor = executor
        self._folder = folder
        self._questions = questions
        self._inline = inline
        self._preferences = preferences
        self._scope = scope
        self._find = find
        self._own_settings = own_settings
        self._port: EngineAssistant | None = None
        self._presenter: AssistantPresenter | None = None
        self.view: AssistantView | None = None
        self.widget = LazyPage(tr("Assistant"))
        self.widget.wanted.connect(self._on_widget_wanted)

    def asks_here(self, request: ReviewRequest) -> bool:
        return self._presenter is not None and self._presenter.messages.questions.asks_here(request)

    def write(self, text: str) -> None:
        """Put words into the message, behind what stands there; the page is in front already."""
        if self.view is not None:
            self.view.composer.write(text)

    @property
    def answering(self) -> int:
        """How many models are at work."""
        return 0 if self._presenter is None else self._presenter.answering

    @Slot()
    def _on_widget_wanted(self) -> None:
        from console.assistant.engine_assistant import CALLER, ConversationRelay, EngineAssistant  # noqa: PLC0415 -- see console.startup.loading
        from console.assistant.model import ConversationModel  # noqa: PLC0415 -- as above
        from console.assistant.presenter import AssistantPresenter  # noqa: PLC0415 -- as above
        from console.assistant.view import AssistantView  # noqa: PLC0415 -- as above

        events = ConversationRelay(self._engine.heartbeat, self)
        found = {} if self._find is None else {"find": self._find}
        self._port = EngineAssistant(
            self._engine, self._executor, self._folder, events, own_settings=self._own_settings, **found
        )
        model = ConversationModel(self)
        view = self.view = AssistantView(model)
        presenter = self._presenter = AssistantPresenter(
            view,
            model,
            self._port,
            questions=self._questions,
            inline=self._inline,
            caller=CALLER,
            preferences=self._preferences,
            compute=self._engine.compute,
            scope=self._scope,
            parent=self,
        )
        self._engine.events.connect(presenter.messages.take)
        presenter.noticed.connect(self.noticed)
        presenter.tool_requested.connect(self.tool_requested)
        presenter.call_requested.connect(self.call_requested)
        presenter.batch_requested.connect(self.batch_requested)
        self.widget.fill(view)
        presenter.start()

    async def end(self) -> None:
        if self._port is not None:
            await self._port.close()

    def close(self) -> None:
        """Let go of what is under way."""
        if self._presenter is not None:
            self._presenter.close()
