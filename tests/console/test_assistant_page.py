"""The Assistant page with a server of models on this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from console.assistant.model_dialog import ModelDialog
from console.assistant.rows import ModelRef
from tests.console.assistant_desk import AssistantDesk, names_of_buttons, press
from tests.memory_keyring import memory_keyring
from tests.tools.models.servers import SPEAKERS, ModelServer, Reply, says
from tests.tools.running import until
from tools.models.providers import MODEL_PROVIDERS, LocalModels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import httpx

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


async def test_a_model_on_this_computer_is_offered_and_answers_only_once_it_is_chosen(
    theme: ThemeController, tmp_path: Path
) -> None:
    async def find(_: httpx.AsyncClient) -> Sequence[LocalModels]:
        return (LocalModels(MODEL_PROVIDERS["llama.cpp"], ("qwen3-4b",)),)

    async with AssistantDesk(tmp_path, find=find) as desk:
        view = desk.view
        menu = view.model.menu()
        assert menu is not None
        await until(lambda: "qwen3-4b · llama.cpp" in [action.text() for action in menu.actions()])
        view.composer.prompt.setPlainText("Hi")
        assert (view.model.text(), view.composer.send.isEnabled()) == ("Choose a model", False)
        next(action for action in menu.actions() if action.text() == "qwen3-4b · llama.cpp").trigger()
        assert (view.model.text(), view.composer.send.isEnabled()) == ("qwen3-4b", True)


async def test_files_go_along_as_far_as_they_can_be_sent(theme: ThemeController, tmp_path: Path) -> None:
    (tmp_path / "dot.png").write_bytes(b"\x89PNG\r\n\x1a\nrest")
    (tmp_path / "notes.md").write_text("Blue.", "utf-8")
    (tmp_path / "data.bin").write_bytes(b"\x00\xff")
    with ModelServer(says("A dot.")) as server:
        async with AssistantDesk(tmp_path) as desk:
            desk.choose(server)
            for name in ("dot.png", "notes.md", "data.bin"):
                desk.view.file_chosen.emit(str(tmp_path / name))
            await until(lambda: desk.noticed)
            assert desk.noticed[0].startswith("data.bin: expected a picture (PNG, JPEG, GIF, WebP) or a text in UTF-8")
            # Each file is read for itself.
            await until(lambda: {"Leave out dot.png", "Leave out notes.md"} <= names_of_buttons(desk.view))
            press(desk.view, "Leave out notes.md")
            await desk.ask("What is this?")
    content = server.requests[0].body["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "image_url"]
    assert content[0]["text"] == "What is this?"


async def test_a_web_search_of_the_settings_goes_to_openai_alone(theme: ThemeController, tmp_path: Path) -> None:
    settings = {"WebSearchTool.type": "web_search", "WebSearchTool.city": "Prague"}
    speaker = next(one for one in SPEAKERS if one.provider == "openai")
    with ModelServer(says("Found.", speaker)) as openai, ModelServer(says("Nothing.")) as other:
        async with AssistantDesk(tmp_path, own_settings=settings) as desk:
            desk.view.model_chosen.emit(ModelRef("openai", "m-1", openai.address))
            await desk.ask("News?")
            desk.view.conversations.new.click()
            desk.choose(other)
            await desk.ask("News?")
    speaker.check(openai.requests[0].body)
    search = {"type": "web_search", "user_location": {"type": "approximate", "city": "Prague"}}
    assert search in openai.requests[0].body["tools"]
    assert "web_search" not in str(other.requests[0].body)
