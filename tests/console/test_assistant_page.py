"""The Assistant page with a server of models on this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from console.assistant.model_dialog import ModelDialog
from tests.console.assistant_desk import AssistantDesk, press
from tests.memory_keyring import memory_keyring
from tests.tools.models.servers import ModelServer, Reply
from tests.tools.running import until

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController


async def test_a_refused_key_is_told_in_the_words_of_the_window_with_the_dialog_that_names_one(
    theme: ThemeController, tmp_path: Path
) -> None:
    refused = Reply(status=401, pieces=[b'{"error": {"message": "the key is wrong"}}'])
    with ModelServer(refused) as server:
        async with AssistantDesk(tmp_path) as desk:
            desk.choose(server)
            await desk.ask("Are you there?")
            problem = desk.view.messages.problem
            await until(problem.isVisible)
            assert "the key is wrong" in problem.accessibleName()
            assert "--key" not in problem.accessibleName()
            press(desk.view, "Choose a model…")
            dialog = desk.page.widget.findChild(QDialog, "modelDialog")
            assert dialog is not None
            assert dialog.isVisible()
            dialog.reject()


def opened_dialog(desk: AssistantDesk) -> ModelDialog:
    dialog = desk.view.window().findChild(ModelDialog, "modelDialog")
    assert dialog is not None
    return dialog


async def test_a_key_goes_into_the_keyring_and_its_provider_can_be_used(theme: ThemeController, tmp_path: Path) -> None:
    with memory_keyring() as kept:
        async with AssistantDesk(tmp_path) as desk:
            desk.view.other_model_requested.emit()
            dialog = opened_dialog(desk)
            await until(lambda: dialog.provider.findData("mistral") >= 0)
            dialog.provider.setCurrentIndex(dialog.provider.findData("mistral"))
            assert not dialog.look.isEnabled()
            QTest.keyClicks(dialog.secret, "sk-1234")
            assert dialog.secret.displayText() == "●" * 7
            press(dialog, "Keep in the keyring")
            await until(dialog.look.isEnabled)
            assert dialog.secret.text() == ""
            assert dialog.provider.currentData() == "mistral"
            dialog.model.setEditText("mistral-small")
            assert dialog.choose.isEnabled()
            dialog.reject()
    assert kept.kept == {("tool-console", "MISTRAL_API_KEY"): "sk-1234"}


async def test_without_a_keyring_a_key_is_not_kept_and_the_dialog_says_what_to_do(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with AssistantDesk(tmp_path) as desk:
        desk.view.other_model_requested.emit()
        dialog = opened_dialog(desk)
        await until(lambda: dialog.provider.findData("groq") >= 0)
        dialog.provider.setCurrentIndex(dialog.provider.findData("groq"))
        QTest.keyClicks(dialog.secret, "gsk-1")
        press(dialog, "Keep in the keyring")
        await until(dialog.problem.isVisible)
        assert "set the environment variable GROQ_API_KEY" in dialog.problem.text()
        assert dialog.secret.text() == "gsk-1"
        dialog.reject()
