"""What stands behind the choice of models: those that were found, those used before, and keys for others."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from console.assistant.model_dialog import ModelDialog
from console.assistant.rows import ModelRef, ProviderRow, model_ref
from console.language import full_sentence_of, translated
from tools.errors import ToolError, VaultError

if TYPE_CHECKING:
    from console.assistant.engine_assistant import EngineAssistant
    from console.assistant.open_conversations import OpenConversations
    from console.assistant.view import AssistantView
    from console.preferences import Preferences


class ModelsPresenter(QObject):
    """Offer models, and know which of them answers.

    Args:
        start: Starts some work under a name; what keeps it from being done is told.

    Signals:
        chosen(): The person chose another model.
    """

    chosen = Signal()

    def __init__(
        self,
        view: AssistantView,
        talks: OpenConversations,
        port: EngineAssistant,
        *,
        preferences: Preferences,
        start: Callable[[Coroutine[Any, Any, None], str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._talks = talks
        self._port = port
        self._preferences = preferences
        self._start = start
        self._providers: Sequence[ProviderRow] = ()
        self._ref: ModelRef | None = None
        self._second: ModelRef | None = None
        self._is_looking = False
        self._dialog: ModelDialog | None = None
        view.model_chosen.connect(self._on_view_model_chosen)
        view.other_model_requested.connect(self._on_view_other_model_requested)
        view.look_requested.connect(self.look)
        view.second_chosen.connect(self._on_view_second_chosen)
        view.other_second_requested.connect(self._on_view_other_second_requested)
        for thread in (view.messages, *(column.messages for column in view.compare.columns)):
            thread.model_wanted.connect(self._on_view_other_model_requested)
        self.show()

    @property
    def ref(self) -> ModelRef | None:
        """The model that answers; None while none is chosen."""
        return self._ref

    @property
    def second(self) -> ModelRef | None:
        """The model that answers the next message beside the first one; None when none does."""
        return self._second

    def drop_second(self) -> None:
        """Have no second model answer what is said from now on."""
        self._second = None

    def choose(self, ref: ModelRef) -> None:
        self._ref = ref
        if self._second == ref:
            self._second = None
        self.show()

    @Slot()
    def look(self) -> None:
        """Find what can be used: servers on this computer, and providers whose key is there."""
        self._is_looking = True
        self.show()
        self._start(self._look(), "look for models")

    async def _look(self) -> None:
        try:
            self._providers = await self._port.providers()
        finally:
            self._is_looking = False
            self.show()
        if self._dialog is not None:
            self._dialog.show_providers(self._providers)

    def show(self) -> None:
        titles = {row.name: row.title for row in self._providers}
        reached = {row.name for row in self._providers if row.has_key}
        here = [ModelRef(row.name, name) for row in self._providers for name in row.models]
        known = [ref for ref in map(model_ref, self._preferences.recent_models) if ref is not None]
        usable = [ref for ref in known if ref not in here and ref.provider in reached]
        current = [] if self._ref is None or self._ref in {*here, *usable} else [self._ref]
        choices = [(ref, _words(ref, titles)) for ref in (*current, *usable, *here)]
        pair, talk = self._talks.pair, self._talks.current
        first, second = (pair[0].model, pair[1].model) if pair else (self._ref, self._second)
        self._view.show_models(choices, first, is_looking=self._is_looking)
        others = [choice for choice in choices if choice[0] != first]
        running = talk is not None and talk.is_running
        offered = first is not None and not pair and not running
        self._view.show_second(others, second, is_offered=offered, is_pair=bool(pair))

    @Slot(object)
    def _on_view_model_chosen(self, ref: ModelRef) -> None:
        self.choose(ref)
        self._preferences.add_recent_model(ref.written)
        self.chosen.emit()
        self._view.composer.setFocus()

    @Slot(object)
    def _on_view_second_chosen(self, ref: ModelRef | None) -> None:
        self._second = None if ref == self._ref else ref
        if ref is not None:
            self._preferences.add_recent_model(ref.written)
        self.show()
        self._view.composer.setFocus()

    @Slot()
    def _on_view_other_second_requested(self) -> None:
        self._ask_for_model(self._on_view_second_chosen)

    @Slot()
    def _on_view_other_model_requested(self) -> None:
        self._ask_for_model(self._on_view_model_chosen)

    def _ask_for_model(self, on_chosen: Callable[[ModelRef], None]) -> None:
        dialog = self._dialog = self._view.ask(ModelDialog, self._providers)
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
                self._dialog.show_problem(full_sentence_of(error))
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
                self._dialog.show_problem(translated(error))
            return
        if self._dialog is not None:
            self._dialog.show_models(models)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None


def _words(ref: ModelRef, titles: dict[str, str]) -> str:
    where = ref.address or titles.get(ref.provider, ref.provider)
    return titles.get(ref.provider, ref.model) if ref.provider == ref.model else f"{ref.model} · {where}"
