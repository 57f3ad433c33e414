"""The Assistant page with a server of models on this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from tests.console.assistant_desk import AssistantDesk, press
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
