"""Scenes for the pictures: the Assistant page, with calls, questions and errors, two models side by side, its tabs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton

from console.assistant.rows import ModelRef
from tests.tools.models.servers import ModelServer, Reply, calls, says

if TYPE_CHECKING:
    from console.assistant.view import AssistantView
    from tests.shots import Stage

__all__ = ["assistant", "assistant_compared"]

_ANSWER: Final = """The export has **three** files, and the largest one is `tickets.csv`.

| File | Bytes |
| --- | ---: |
| tickets.csv | 18,204 |
| notes.txt | 512 |

Read it with pandas:

```python
import pandas as pd

tickets = pd.read_csv("data/tickets.csv")
print(tickets.groupby("state").size())
```

1. The file has a header.
2. Amounts are in **euros**."""


async def assistant(stage: Stage) -> None:
    """The Assistant page."""
    data = stage.home / f"assistant-{stage.theme.mode}"
    data.mkdir()
    await stage.open(first_time=False, data=data)
    console = stage.console
    console.window.rail.choose("assistant")
    await stage.until(lambda: console.assistant.view is not None)
    view = console.assistant.view
    assert view is not None
    await stage.settle()
    await stage.take("assistant-empty")
    replies: list[Reply] = [
        says("Seven of the 41 rejected refunds were over €100. Together they come to **€1,312.40**."),
        calls(("read_file", json.dumps({"path": "src/agents/router.py"})), text="I will look at the file first."),
        says(_ANSWER),
        calls(
            ("delete_file", json.dumps({"path": "exports/2026-10", "recursive": True})),
            text="The export is not needed any more. I can delete it.",
        ),
        says("It was not deleted, as you wished."),
        Reply(status=401, pieces=[b'{"error": {"message": "the key is wrong"}}']),
    ]
    with ModelServer(*replies) as server:
        view.model_chosen.emit(ModelRef("compatible", "qwen3:8b", f"{server.address}/v1"))
        await _say(stage, view, "How many of those were over 100 euros?")
        view.conversations.new.click()
        await _say(stage, view, "Which files are in the export, and how do I read the largest one?")
        await stage.take("assistant")
        card = view.messages.card(1)
        assert card is not None
        card.head.click()
        await stage.take("assistant-call")
        await _say(stage, view, "Delete what is not needed.", waits=False)
        await stage.until(lambda: console.desk.open_requests)
        await stage.take("assistant-question")
        console.window.resize(QSize(1180, 760))
        await stage.take("assistant-question-small")
        console.window.resize(QSize(1440, 900))
        await stage.settle()
        stage.press("Deny")
        await stage.until(lambda: not view.composer.stop.isVisible())
        await _say(stage, view, "And now?")
        await stage.take("assistant-error")
        view.conversations.delete_requested.emit(view.conversations.current)
        await stage.until(view.conversations.undo.isVisible)
        await stage.take("assistant-deleted")
        view.other_model_requested.emit()
        await stage.take("assistant-model")
        stage.find("Choose a model", QDialog).reject()
    await stage.close()


_SHORT: Final = """The export of October is **done**: three files, 18.7 KB in all.

Nothing else has to be deleted."""


async def assistant_compared(stage: Stage) -> None:
    """Two models on one prompt, what the second one repeats, and the tabs of the panel."""
    data = stage.home / f"compared-{stage.theme.mode}"
    data.mkdir()
    await stage.open(first_time=False, data=data)
    console = stage.console
    console.window.rail.choose("assistant")
    await stage.until(lambda: console.assistant.view is not None)
    view = console.assistant.view
    assert view is not None
    deleted = calls(("delete_file", json.dumps({"path": "exports/2026-10", "recursive": True})), text="I delete it.")
    with (
        ModelServer(says("Seven."), says(_ANSWER), deleted, says(_SHORT)) as first,
        ModelServer(says(_SHORT), deleted, says("It is gone already.")) as second,
    ):
        ref = ModelRef("compatible", "qwen3:8b", f"{first.address}/v1")
        view.model_chosen.emit(ref)
        await _say(stage, view, "How many of those were over 100 euros?")
        view.second_chosen.emit(ModelRef("compatible", "llama3.2:3b", f"{second.address}/v1"))
        await stage.take("assistant-second")
        await _say(stage, view, "Which files are in the export?")
        columns = view.compare.columns
        await stage.until(lambda: all(column.choose.isVisible() for column in columns))
        await stage.take("assistant-compared")
        console.window.resize(QSize(2000, 1000))
        await stage.settle()
        await _say(stage, view, "Delete what is not needed.", waits=False)
        # The answer to one call is what the other model's call waits for.
        await stage.until(lambda: [one for one in view.findChildren(QPushButton) if one.text() == "Allow once"])
        await stage.settle()
        allow = next(one for one in view.findChildren(QPushButton) if one.text() == "Allow once")
        await stage.until(allow.isEnabled)
        allow.click()
        await stage.until(lambda: [one.concerns[0].kind for one in console.desk.open_requests] == ["repeated"])
        await stage.take("assistant-repeated")
        stage.press("Deny")
        console.window.resize(QSize(1440, 900))
        await stage.until(lambda: all(column.choose.isVisible() for column in columns))
        columns[0].choose.click()
        await stage.until(view.messages.isVisible)
        for name in ("Tools", "Usage"):
            view.panel_tabs.setCurrentIndex(["Context", "Tools", "Usage"].index(name))
            await stage.until(lambda: not view.tools.isVisible() or view.tools.tree.model().rowCount())
            await stage.take(f"assistant-{name.lower()}")
    await stage.close()


async def _say(stage: Stage, view: AssistantView, words: str, *, waits: bool = True) -> None:
    view.composer.prompt.setFocus()
    QTest.keyClicks(view.composer.prompt, words)
    view.composer.send.click()
    # A short answer may be there before anybody looks.
    await stage.until(lambda: not view.composer.prompt.toPlainText())
    if waits:
        await stage.until(lambda: not view.composer.stop.isVisible())
