"""The Assistant page alone, over an executor and servers of models on this computer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from console.assistant.answer_view import ProseView
from console.assistant.model import CONVERSATION_ROLE
from console.assistant.page import AssistantPage
from console.assistant.rows import ConversationRow, ModelRef
from console.engine import Engine
from console.preferences import Preferences
from console.tasks import TaskScope
from tests.tools.running import until
from tools import Executor, ToolRegistry, resolve_tools

if TYPE_CHECKING:
    from pathlib import Path

    import httpx
    from PySide6.QtWidgets import QWidget

    from console.assistant.engine_assistant import FindLocal
    from console.assistant.view import AssistantView
    from tests.tools.models.servers import ModelServer
    from tools import ReviewHandler, ReviewRequest
    from tools.models.providers import LocalModels


class _NoQuestions(QObject):
    changed = Signal()
    open_requests: tuple[ReviewRequest, ...] = ()


async def _find_none(_: httpx.AsyncClient) -> Sequence[LocalModels]:
    return ()


class AssistantDesk:
    """One start of the page; what it keeps outlasts it in `home`.

    Args:
        home: Where it keeps things.
        tools: The tools that models may call.
        reviewer: Answers questions about calls; None lets nothing run that asks.
        find: Finds the servers of models on this computer.
        own_settings: The person's own settings.
    """

    def __init__(
        self,
        home: Path,
        *tools: object,
        reviewer: ReviewHandler | None = None,
        find: FindLocal = _find_none,
        own_settings: dict[str, str] | None = None,
    ) -> None:
        self._scope = TaskScope("test")
        self.engine = Engine()
        self.engine.start()
        self.executor = Executor(
            ToolRegistry(resolve_tools(tools)),
            project_dir=home,
            listeners=[self.engine.receive],
            review_handler=reviewer,
        )
        self.noticed: list[str] = []
        self.preferences = Preferences(home / "window.ini")
        self.folder = home / "conversations"
        self.page = AssistantPage(
            self.engine,
            self.executor,
            self.folder,
            questions=_NoQuestions(),
            inline=_no_question,
            preferences=self.preferences,
            scope=self._scope,
            find=find,
            own_settings=(own_settings or {}).copy,
        )
        self.page.noticed.connect(self.noticed.append)

    async def __aenter__(self) -> Self:
        self.page.widget.resize(1440, 860)
        self.page.widget.show()
        await until(lambda: self.page.view is not None and self.view.isVisible())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.page.close()
        await self.page.end()
        await self._scope.close()
        await self.engine.call(self.executor.aclose)
        assert self.engine.stop()
        self.engine.deleteLater()
        self.page.widget.close()
        self.page.widget.deleteLater()
        self.page.deleteLater()

    @property
    def view(self) -> AssistantView:
        assert self.page.view is not None
        return self.page.view

    def choose(self, server: ModelServer, name: str = "m-1") -> ModelRef:
        """Choose a model of a server, as the dialog does."""
        ref = model_of(server, name)
        self.view.model_chosen.emit(ref)
        return ref

    async def ask(self, words: str) -> None:
        """Say something, and wait for the answers."""
        self.send(words)
        await self.answered()

    def send(self, words: str) -> None:
        prompt = self.view.composer.prompt
        prompt.setPlainText(words)
        QTest.keyClick(prompt, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    async def answered(self) -> None:
        composer = self.view.composer
        await until(lambda: not composer.prompt.toPlainText() and not composer.stop.isVisibleTo(composer))

    @property
    def shown_words(self) -> str:
        """The words of the model that are in sight."""
        return "\n".join(piece.toPlainText() for piece in self.view.findChildren(ProseView) if piece.isVisible())

    def rows(self) -> list[ConversationRow]:
        model = self.view.conversations.list.model()
        rows = [model.index(at, 0).data(CONVERSATION_ROLE) for at in range(model.rowCount())]
        return [row for row in rows if row is not None]

    async def open(self, title: str) -> None:
        """Open a conversation of the list with a click."""
        await until(lambda: title in [row.title for row in self.rows()])
        rows = self.view.conversations.list
        indexes = [rows.model().index(at, 0) for at in range(rows.model().rowCount())]
        index = next(one for one in indexes if one.data() == title and one.data(CONVERSATION_ROLE) is not None)
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(index).center())


def model_of(server: ModelServer, name: str = "m-1") -> ModelRef:
    return ModelRef("compatible", name, server.address)


def names_of_buttons(widget: QWidget) -> set[str]:
    """Return the names of the buttons in sight."""
    return {one.accessibleName() for one in widget.findChildren(QAbstractButton) if one.isVisible()}


def press(widget: QWidget, text: str) -> None:
    """Click the button in sight with these words or this name."""
    shown = [one for one in widget.findChildren(QAbstractButton) if one.isVisible()]
    button = next(one for one in shown if text in {one.text(), one.accessibleName()})
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _no_question(_id: str, _card: QWidget) -> None:
    return None
