from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from console.theme import load_theme
from console.widgets import DocumentTabBar, InnerTabBar, spinner_clock

THEME = load_theme("light")


@pytest.fixture
def documents(qtbot: QtBot) -> Iterator[DocumentTabBar]:
    window = QWidget()
    qtbot.addWidget(window)
    bar = DocumentTabBar()
    column = QVBoxLayout(window)
    column.addWidget(bar)
    bar.add_document("files.search", "search_files", "up")
    bar.add_document("web.fetch", "fetch_page", "degraded")
    bar.add_document("db.query", "query_database", "down")
    window.resize(800, 100)
    window.show()
    yield bar
    window.close()


def test_tabs_have_the_sizes_of_the_design(documents: DocumentTabBar) -> None:
    assert documents.height() == 36
    # 12 + glyph 10 + 8 + the name + 8 + cross 12 + 12, as in the mock-up
    assert 125 <= documents.tabRect(0).width() <= 136


def test_documents_are_known_by_key(documents: DocumentTabBar) -> None:
    assert documents.keys() == ("files.search", "web.fetch", "db.query")
    assert documents.key(1) == "web.fetch"
    assert documents.index_of("nothing") == -1
    documents.moveTab(0, 2)
    assert documents.keys() == ("web.fetch", "db.query", "files.search")


def test_the_cross_asks_for_closing(documents: DocumentTabBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(documents.close_requested, check_params_cb=lambda key: key == "web.fetch"):
        qtbot.mouseClick(documents, Qt.MouseButton.LeftButton, pos=documents.close_rect(1).center())
    assert documents.currentIndex() == 0
    assert documents.count() == 3


def test_the_middle_button_asks_for_closing(documents: DocumentTabBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(documents.close_requested, check_params_cb=lambda key: key == "db.query"):
        qtbot.mouseClick(documents, Qt.MouseButton.MiddleButton, pos=documents.tabRect(2).center())


def test_a_press_that_leaves_the_cross_closes_nothing(documents: DocumentTabBar, qtbot: QtBot) -> None:
    asked: list[str] = []
    documents.close_requested.connect(asked.append)
    qtbot.mousePress(documents, Qt.MouseButton.LeftButton, pos=documents.close_rect(1).center())
    qtbot.mouseRelease(documents, Qt.MouseButton.LeftButton, pos=documents.tabRect(0).center())
    assert asked == []


def test_a_click_on_the_name_chooses(documents: DocumentTabBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(documents.currentChanged):
        qtbot.mouseClick(documents, Qt.MouseButton.LeftButton, pos=documents.tabRect(1).center())
    image = documents.grab().toImage()
    assert image.pixelColor(documents.tabRect(1).center().x(), 0) == THEME.color.accent
    assert image.pixelColor(documents.tabRect(0).center().x(), 35) == THEME.color.border


def test_a_status_is_told(documents: DocumentTabBar) -> None:
    assert documents.accessibleTabName(1) == "fetch_page, Degraded"
    documents.set_status("web.fetch", "up")
    assert documents.accessibleTabName(1) == documents.tabToolTip(1) == "fetch_page, Up"
    documents.set_status("closed long ago", "up")
    assert documents.count() == 3


def test_a_running_document_turns_the_clock(documents: DocumentTabBar) -> None:
    documents.set_status("web.fetch", "running")
    documents.grab()
    assert spinner_clock().is_active
    documents.set_status("web.fetch", "up")
    documents.grab()
    assert not spinner_clock().is_active


def test_inner_tabs_show_counts_and_do_not_move(qtbot: QtBot) -> None:
    bar = InnerTabBar("Result views")
    qtbot.addWidget(bar)
    for name, count in (("Result", ""), ("Logs", "6"), ("Timing", "")):
        bar.add_tab(name, count=count)
    bar.show()
    assert bar.accessibleTabName(1) == "Logs, 6"
    widths = [bar.tabRect(index).width() for index in range(3)]
    bar.setCurrentIndex(2)
    assert [bar.tabRect(index).width() for index in range(3)] == widths
    image = bar.grab().toImage()
    assert image.pixelColor(bar.tabRect(2).center().x(), 35) == THEME.color.accent
    bar.set_count(1, "1,204")
    assert bar.accessibleTabName(1) == "Logs, 1,204"
    assert bar.tabRect(1).width() > widths[1]
    bar.set_count(1, "")
    assert bar.accessibleTabName(1) == "Logs"


def test_the_first_word_stands_at_the_margin(qtbot: QtBot) -> None:
    bar = InnerTabBar("Result views", margin=20)
    qtbot.addWidget(bar)
    bar.add_tab("Result")
    bar.show()
    image = bar.grab().toImage()
    underline = [x for x in range(bar.width()) if image.pixelColor(x, 35) == THEME.color.accent]
    assert underline[0] == 20
