"""The Assistant page: conversations at the left, one of them in the middle, what is sent next at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.assistant.compare_view import CompareView
from console.assistant.composer_view import ComposerView
from console.assistant.context_bar_view import ContextBar
from console.assistant.context_view import ContextView
from console.assistant.conversations_view import ConversationsView
from console.assistant.model import ConversationModel
from console.assistant.rows import ContextRow, ContextSettings, ModelRef, TokenCount, model_ref
from console.assistant.thread_view import ThreadView
from console.assistant.tools_view import ConversationToolsView
from console.assistant.usage_view import UsageView
from console.language import tr
from console.widgets import (
    BarFrame,
    Button,
    CentredDialog,
    CommandAction,
    ElidedLabel,
    EmptyState,
    IconButton,
    InnerTabBar,
    Menu,
    TextLabel,
    ThinSplitter,
    ask_open_path,
    ask_save_path,
    lead_focus,
    set_surface,
    vbox,
)

AnyDialog = TypeVar("AnyDialog", bound=CentredDialog)

_HEAD: Final = 52
_LEFT: Final = 280
_RIGHT: Final = 304
_LEAST_WITH_PANEL: Final = 1_080
_FACT: Final = tr("Ask a model that uses the tools")
_CHOOSE: Final = tr("Choose a model, write below and send. Nothing is sent anywhere before, and risky calls ask you.")
_WRITE: Final = tr("Write below and send. The model may call the tools; risky calls ask you first.")
_NONE: Final = tr(
    "No model answers on this computer, and no key of a provider was found. Start Ollama, llama.cpp or LM Studio,"
    " or set a key such as ANTHROPIC_API_KEY, then look again."
)
_TABS: Final = (tr("Context"), tr("Tools"), tr("Usage"))
_OTHER, _LOOK, _ALONE = "other", "look", "alone"
_COMPARING: Final = tr(
    "Both models answer, side by side. Before the second one repeats what may change something, you are asked."
)
_EXPORTS: Final = {
    "md": (tr("Export as Markdown…"), tr("Export the conversation"), (tr("Markdown (*.md)"),)),
    "json": (tr("Export as JSON…"), tr("Export the conversation"), (tr("JSON (*.json)"),)),
    "py": (tr("Make this a test…"), tr("A file for pytest that makes the calls again"), (tr("Test (*.py)"),)),
}
_RENAME, _DELETE, _INSTRUCTIONS, _BATCH = "rename", "delete", "instructions", "batch"


class AssistantView(QWidget):
    """Show conversations with models.

    Signals:
        model_chosen(object): This `ModelRef` is to answer.
        other_model_requested(): Another model is to be named.
        look_requested(): Models are to be looked for again.
        export_chosen(str): Write the conversation to this file.
        file_chosen(str): This file is to go with the next message.
        rename_requested(): Call the conversation otherwise.
        delete_requested(): Take it off the list.
        instructions_requested(): The instructions and rules are to be changed.
        second_chosen(object): This `ModelRef` is to answer beside the first one; None has none do so.
        parts_moved(): The parts of the page have other widths.
        other_second_requested(): Another model is to be named that answers beside the first one.
        batch_requested(): Its calls are to become a batch.
    """

    parts_moved = Signal()
    second_chosen = Signal(object)
    other_second_requested = Signal()
    shown = Signal()
    hidden = Signal()
    model_chosen = Signal(object)
    other_model_requested = Signal()
    look_requested = Signal()
    export_chosen = Signal(str)
    file_chosen = Signal(str)
    rename_requested = Signal()
    delete_requested = Signal()
    instructions_requested = Signal()
    batch_requested = Signal()

    def __init__(self, model: ConversationModel) -> None:
        super().__init__()
        self.setObjectName("assistant")
        self.setAccessibleName(tr("Assistant"))
        set_surface(self, "surface")
        self.conversations = ConversationsView(model)
        self.messages = ThreadView()
        self.composer = ComposerView()
        self.context = ContextView()
        self.tools = ConversationToolsView()
        self.usage = UsageView()
        self.panel_tabs = InnerTabBar(tr("Panel of the conversation"), margin=12)
        self.context_bar = ContextBar()
        self.title = ElidedLabel(tr("New conversation"), "title")
        self.model = Button(tr("Choose a model"), icon="cpu")
        self._models = Menu(tr("Models"), self.model)
        self.model.setMenu(self._models)
        self.second = Button(tr("Compare"), icon="columns-2")
        self.second.setToolTip(tr("Have a second model answer side by side"))
        self._seconds = Menu(tr("Second model"), self.second)
        self.second.setMenu(self._seconds)
        self.compare = CompareView()
        self._comparing = TextLabel(_COMPARING, "small", "text2", wrap=True)
        self._comparing.hide()
        self.more = IconButton("ellipsis", tr("More about the conversation"))
        self._more = Menu(tr("Conversation"), self.more)
        for kind, (text, _, _) in _EXPORTS.items():
            self._more.add_entry(kind, text)
        self._more.add_entry(_BATCH, tr("Make this a batch…"))
        self._more.addSeparator()
        self._more.add_entry(_INSTRUCTIONS, tr("Instructions and rules…"))
        self._more.add_entry(_RENAME, tr("Rename…"))
        self._more.add_entry(_DELETE, tr("Delete"))
        self.more.setMenu(self._more)
        self._empty = EmptyState("message-square-text", _FACT, _CHOOSE, action=tr("Choose a model…"))
        self._lay_out()
        self._connect()
        lead_focus(self, self.composer)
        self.new_action = CommandAction("assistant.new", self)
        self.new_action.triggered.connect(self.conversations.new_requested)
        self.show_empty(is_empty=True)

    def _lay_out(self) -> None:
        head = BarFrame(_HEAD, margins=(20, 20))
        head.row.addWidget(self.title, 1)
        head.row.addWidget(self.model)
        head.row.addWidget(self.second)
        head.row.addWidget(self.more)
        centre = QWidget()
        set_surface(centre, "surface")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.messages)
        self._pages.addWidget(self.compare)
        column = vbox(centre)
        column.addWidget(head)
        column.addWidget(self.context_bar)
        column.addWidget(self._pages, 1)
        foot = vbox(margins=(20, 4, 20, 16), spacing=6)
        foot.addWidget(self._comparing)
        foot.addWidget(self.composer)
        column.addLayout(foot)
        splitter = self._splitter = ThinSplitter(Qt.Orientation.Horizontal)
        for part in (self.conversations, centre, self._made_panel()):
            splitter.addWidget(part)
        self.conversations.setMinimumWidth(200)
        splitter.setStretchFactor(1, 1)
        splitter.begin_with([_LEFT, 3 * _LEFT, _RIGHT])
        vbox(self).addWidget(splitter)

    def _made_panel(self) -> QWidget:
        panel = self._panel = QWidget()
        set_surface(panel, "panel")
        panel.setMinimumWidth(_RIGHT - 44)
        pages = QStackedWidget()
        for name, page in zip(_TABS, (self.context, self.tools, self.usage), strict=True):
            self.panel_tabs.add_tab(name)
            pages.addWidget(page)
        self.panel_tabs.currentChanged.connect(pages.setCurrentIndex)
        bar = BarFrame(_HEAD, surface="panel")
        bar.row.addWidget(self.panel_tabs)
        column = vbox(panel)
        column.addWidget(bar)
        column.addWidget(pages, 1)
        return panel

    @property
    def sizes(self) -> tuple[int, ...]:
        """The widths of conversations, middle and panel."""
        return tuple(self._splitter.sizes())

    def set_sizes(self, sizes: Sequence[int]) -> None:
        """Give the parts other widths; none leave them as they are."""
        if len(sizes) == self._splitter.count():
            self._splitter.setSizes(list(sizes))

    def _connect(self) -> None:
        self._splitter.splitterMoved.connect(self._on_splitter_moved)
        self._models.triggered.connect(self._on_models_triggered)
        self._seconds.triggered.connect(self._on_seconds_triggered)
        self._more.triggered.connect(self._on_more_triggered)
        self._empty.action_requested.connect(self._on_empty_action_requested)
        self.composer.attach_requested.connect(self._on_composer_attach_requested)

    def show_empty(self, *, is_empty: bool) -> None:
        """Show the conversation, or say how to begin one."""
        self._pages.setCurrentIndex(0 if is_empty else 1)
        self.more.setEnabled(not is_empty)

    def show_compared(self) -> None:
        """Show two conversations side by side."""
        self._pages.setCurrentWidget(self.compare)
        self.more.setEnabled(True)

    def show_second(
        self, choices: Sequence[tuple[ModelRef, str]], second: ModelRef | None, *, is_offered: bool, is_pair: bool
    ) -> None:
        """Offer models that answer beside the first one.

        Args:
            second: The one that does; None when none does.
            is_offered: Whether there is anything to choose now.
            is_pair: Whether two answers stand side by side already.
        """
        self._seconds.clear()
        alone = self._seconds.add_entry(_ALONE, tr("No second model"))
        alone.setCheckable(True)
        alone.setChecked(second is None)
        self._seconds.addSeparator()
        for ref, words in choices:
            action = self._seconds.add_entry(ref.written, words)
            action.setCheckable(True)
            action.setChecked(ref == second)
        self._seconds.add_entry(_OTHER, tr("Another model…"))
        self.second.setText(tr("Compare") if second is None else tr("with {model}", model=second.model))
        self.second.setAccessibleName(
            tr("Compare with a second model") if second is None else tr("Second model {model}", model=second.model)
        )
        self.second.updateGeometry()
        self.second.setEnabled(is_offered)
        self.model.setEnabled(not is_pair)
        self._comparing.setVisible(second is not None)

    def show_title(self, title: str) -> None:
        self.title.set_text(title or tr("New conversation"))

    def show_models(
        self, choices: Sequence[tuple[ModelRef, str]], current: ModelRef | None, *, is_looking: bool
    ) -> None:
        """Offer models.

        Args:
            current: The one that answers; None while none is chosen.
        """
        self._models.clear()
        for ref, words in choices:
            action = self._models.add_entry(ref.written, words)
            action.setCheckable(True)
            action.setChecked(ref == current)
        if not choices:
            entry = self._models.add_entry(None, tr("Looking for models…") if is_looking else tr("No model was found"))
            entry.setEnabled(False)
        self._models.addSeparator()
        self._models.add_entry(_OTHER, tr("Another model…"))
        self._models.add_entry(_LOOK, tr("Look again"))
        self.model.setText(tr("Choose a model") if current is None else current.model)
        self.model.setAccessibleName(
            tr("Choose a model") if current is None else tr("Model {model}", model=current.model)
        )
        self.model.updateGeometry()
        self.composer.set_model(chosen=current is not None)
        missing = not choices and not is_looking and current is None
        self._empty.show_text(_FACT, _WRITE if current is not None else _NONE if missing else _CHOOSE)
        if self._empty.button is not None:
            self._empty.button.setVisible(current is None)

    def show_context(self, rows: Sequence[ContextRow], settings: ContextSettings) -> None:
        """Show what is sent next, and what is set about it."""
        self.context.show_rows(rows)
        self.context.show_limit(settings.tokens)
        self.tools.show_settings(settings)
        self.context_bar.show_rows(rows, settings)
        tokens = sum(row.tokens for row in rows)
        offered = next((row.label for row in rows if row.kind == "tools"), tr("no tools"))
        self.composer.show_facts(offered, tokens)

    def show_used(self, used: TokenCount) -> None:
        self.context.show_used(used)

    def ask(self, make: Callable[..., AnyDialog], *shown: object) -> AnyDialog:
        """Open a dialog over the window, made of what it shows."""
        dialog = make(*shown, self.window())
        dialog.open()
        return dialog

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.hidden.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the panel at the right out where there is no room for it."""
        super().resizeEvent(event)
        self._panel.setVisible(self.width() >= _LEAST_WITH_PANEL)

    @Slot(int, int)
    def _on_splitter_moved(self, _position: int, _index: int) -> None:
        self.parts_moved.emit()

    @Slot(QAction)
    def _on_models_triggered(self, action: QAction) -> None:
        key = action.data()
        if key == _OTHER:
            self.other_model_requested.emit()
        elif key == _LOOK:
            self.look_requested.emit()
        elif (ref := model_ref(key)) is not None:
            self.model_chosen.emit(ref)

    @Slot(QAction)
    def _on_seconds_triggered(self, action: QAction) -> None:
        key = action.data()
        if key == _OTHER:
            self.other_second_requested.emit()
        else:
            self.second_chosen.emit(None if key == _ALONE else model_ref(key))

    @Slot()
    def _on_empty_action_requested(self) -> None:
        self.model.showMenu()

    @Slot(QAction)
    def _on_more_triggered(self, action: QAction) -> None:
        kind = action.data()
        if kind == _RENAME:
            self.rename_requested.emit()
        elif kind == _DELETE:
            self.delete_requested.emit()
        elif kind == _BATCH:
            self.batch_requested.emit()
        elif kind == _INSTRUCTIONS:
            self.instructions_requested.emit()
        else:
            _, title, kinds = _EXPORTS[kind]
            name = "test_conversation.py" if kind == "py" else f"conversation.{kind}"
            ask_save_path(self, title, name, self.export_chosen, kinds)

    @Slot()
    def _on_composer_attach_requested(self) -> None:
        ask_open_path(self, tr("Attach a file"), str(Path.home()), tr("Text files and pictures (*)"), self.file_chosen)
