"""The tabs Tools and Usage of the Assistant page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tests.console.assistant_desk import AssistantDesk
from tests.console.test_assistant_compare import look_up_text, publish_text
from tests.tools.models.servers import ModelServer, calls, says
from tests.tools.running import until

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController


async def test_only_ticked_tools_are_sent_also_after_a_restart(theme: ThemeController, tmp_path: Path) -> None:
    with ModelServer(says("Good morning."), says("Still here.")) as server:
        async with AssistantDesk(tmp_path, look_up_text, publish_text) as desk:
            desk.choose(server)
            desk.view.panel_tabs.setCurrentIndex(1)
            tools = desk.view.tools
            await until(lambda: tools.total.text() == "2 of 2 tools offered")
            tools.search.setText("publish")
            group = tools.tree.model().index(0, 0)
            names = [tools.tree.model().index(row, 0, group).data() for row in range(2)]
            shown = [name for row, name in enumerate(names) if not tools.tree.isRowHidden(row, group)]
            assert shown == ["publish_text"]
            index = tools.tree.model().index(names.index("publish_text"), 0, group)
            tools.tree.model().setData(index, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
            assert tools.total.text() == "1 of 2 tools offered"
            await desk.ask("Hello")
            assert _sent(server, 0) == {"look_up_text"}
        async with AssistantDesk(tmp_path, look_up_text, publish_text) as desk:
            assert desk.view.panel_tabs.currentIndex() == 1
            desk.choose(server)
            await desk.open("Hello")
            await until(lambda: desk.view.tools.total.text() == "1 of 2 tools offered")
            await desk.ask("And now?")
            assert _sent(server, 1) == {"look_up_text"}


async def test_what_each_turn_took_is_drawn_and_summed_up(theme: ThemeController, tmp_path: Path) -> None:
    look = calls(("look_up_text", json.dumps({"key": "a"})))
    with ModelServer(says("One."), look, says("Two.")) as server:
        async with AssistantDesk(tmp_path, look_up_text) as desk:
            desk.choose(server)
            usage = desk.view.usage
            desk.view.panel_tabs.setCurrentIndex(2)
            await until(lambda: usage.plot is not None)
            await desk.ask("First")
            await until(lambda: usage.figures["turns"].text() == "1")
            desk.view.context.budget.setValue(1_000)
            await desk.ask("Second")
            await until(lambda: usage.figures["read"].text() == "30")
            assert usage.figures["turns"].text() == "2"
            assert usage.figures["tokens"].text() == "45"
            assert usage.budget.text() == "4% of the budget of 1,000 tokens"


def _sent(server: ModelServer, request: int) -> set[str]:
    tools = server.requests[request].body["tools"]
    return {tool["function"]["name"] for tool in tools} & {"look_up_text", "publish_text"}
