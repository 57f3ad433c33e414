"""Where the person writes to the model."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from console.assistant.composer_view import ComposerView
from console.theme import ThemeController

TEXTS = {"another font": "שלום עולם " * 30, "emoji": "\U0001f469\u200d\U0001f467 " * 40, "long": "a wide word " * 80}
ENOUGH = 100


class Resizes(QObject):
    """Count how often a field is given another size, and hide one that will not rest."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
        if event.type() is QEvent.Type.Resize:
            self.count += 1
            if self.count > ENOUGH:
                watched.removeEventFilter(self)
                watched.setVisible(False)  # type: ignore[attr-defined]
        return False


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_field_comes_to_rest_at_any_width(qapp: QApplication, theme: ThemeController, text: str) -> None:
    composer = ComposerView()
    composer.show()
    composer.prompt.setPlainText(text)
    for width in range(260, 600):
        resizes = Resizes()
        composer.prompt.installEventFilter(resizes)
        composer.resize(width, composer.height())
        # What a new size leads to is posted, and taken in here until nothing is left.
        QApplication.sendPostedEvents()
        composer.prompt.removeEventFilter(resizes)
        assert resizes.count < ENOUGH, width
    composer.deleteLater()


def test_lines_of_another_font_are_seen_whole(qapp: QApplication, theme: ThemeController) -> None:
    composer = ComposerView()
    composer.show()
    composer.prompt.setPlainText("שלום עולם\n\U0001f469 日本語\nlast")
    QApplication.sendPostedEvents()
    prompt = composer.prompt
    prompt.moveCursor(prompt.textCursor().MoveOperation.End)
    end = prompt.cursorRect()
    assert end.bottom() <= prompt.viewport().height()
    assert not prompt.verticalScrollBar().isVisible()
    composer.deleteLater()
