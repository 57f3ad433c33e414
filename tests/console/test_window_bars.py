"""The bars around the window and the stack of open pages, each for itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from console.preferences import RecentProject
from console.widgets import DocumentTabBar, ElidedLabel, IconLabel, Menu
from console.window.documents import Documents
from console.window.status_bar import AutonomyLevel, StatusBar
from console.window.top_bar import MAX_RECENT, ProjectButton, TopBar, initials


def named(parent: QWidget, name: str) -> QAbstractButton:
    return next(button for button in parent.findChildren(QAbstractButton) if button.accessibleName() == name)


def received(spy: QSignalSpy) -> list[list[object]]:
    return [spy.at(number) for number in range(spy.count())]


def visible_words(bar: QWidget) -> list[str]:
    texts = [label.text() for label in bar.findChildren(QLabel) if label.isVisible()]
    texts += [
        label.accessibleName()
        for label in [*bar.findChildren(IconLabel), *bar.findChildren(ElidedLabel)]
        if label.isVisible()
    ]
    return [text for text in texts if text and not text.startswith("Python")]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 0, 0), {"0 tools"}),
        ((1, 1, 1, 1), {"1 tool", "1 plugin did not load", "Running 1", "1 waiting for approval"}),
        ((1234, 2, 3, 4), {"1,234 tools", "2 plugins did not load", "Running 3", "4 waiting for approval"}),
    ],
)
def test_the_status_bar_says_what_there_is_and_hides_what_there_is_not(
    qtbot: QtBot, counts: tuple[int, int, int, int], words: set[str]
) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    tools, broken, running, waiting = counts
    bar.show_counts(tools=tools, broken=broken, running=running, waiting=waiting)

    assert set(visible_words(bar)) == words


def test_a_click_on_what_waits_leads_to_it(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.show_counts(tools=1, broken=0, running=0, waiting=1)
    spy = QSignalSpy(bar.waiting_clicked)
    waiting = next(label for label in bar.findChildren(IconLabel) if label.isVisible())
    qtbot.mouseClick(waiting, Qt.MouseButton.LeftButton)

    assert spy.count() == 1


def test_a_notice_stands_until_the_next(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.show_notice("First")
    bar.show_notice("Second")

    assert visible_words(bar) == ["0 tools", "Second"]


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("support-agent", "SA"),
        ("my_first.project", "MF"),
        ("shop", "SH"),
        ("x", "X"),
        ("-x-", "-X"),
        ("", ""),
        ("one two three", "OT"),
    ],
)
def test_a_project_has_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.fixture
def bar(qtbot: QtBot) -> TopBar:
    bar = TopBar()
    qtbot.addWidget(bar)
    bar.show()
    return bar


def recent_menu(bar: TopBar) -> Menu:
    return next(menu for menu in bar.findChildren(Menu) if menu.parent() is bar.findChildren(ProjectButton)[0])


def texts(actions: Sequence[QAction]) -> list[str]:
    return [action.text() for action in actions if not action.isSeparator()]


def test_the_top_bar_names_project_and_branch(bar: TopBar) -> None:
    (project,) = bar.findChildren(ProjectButton)
    (branch,) = bar.findChildren(IconLabel)
    assert (project.accessibleName(), branch.isVisible()) == ("No project", False)
    narrow = project.sizeHint().width()

    bar.show_project(Path("code") / "a-shop-of-a-long-name", "main", ())
    assert project.accessibleName() == "Project a-shop-of-a-long-name"
    assert project.sizeHint().width() > narrow
    assert branch.isVisible()
    assert not project.grab().isNull()


def test_other_folders_used_before_are_offered(bar: TopBar) -> None:
    folders = [Path(f"project-{number}") for number in range(MAX_RECENT + 2)]
    bar.show_project(folders[0], "", [RecentProject(folder) for folder in folders])
    spy = QSignalSpy(bar.project_chosen)
    actions = recent_menu(bar).actions()

    offered = [f"{folder.name}\t{folder.name}" for folder in folders[1 : MAX_RECENT + 1]]
    assert texts(actions) == ["Open folder…", "Try the sample project", *offered]
    next(action for action in actions if action.text().startswith("project-3")).trigger()
    assert received(spy) == [[Path("project-3")]]
    wanted = QSignalSpy(bar.folder_requested)
    actions[0].trigger()
    assert wanted.count() == 1


@pytest.fixture
def documents(qtbot: QtBot) -> Documents:
    documents = Documents(QPushButton("Welcome"))
    qtbot.addWidget(documents)
    documents.show()
    return documents


def state(documents: Documents) -> tuple[list[str], str]:
    return list(documents.keys), documents.current_key


def test_without_pages_the_welcome_page_shows(documents: Documents) -> None:
    assert state(documents) == ([], "")
    assert documents.findChildren(QPushButton)[0].isVisible()
    assert not documents.findChildren(DocumentTabBar)[0].isVisible()
    documents.step(1)
    assert documents.current_key == ""


def test_an_added_page_shows_and_the_last_one_leaves_the_welcome_page(documents: Documents) -> None:
    told = QSignalSpy(documents.current_changed)
    pages = {key: QLineEdit(key) for key in ("read", "write")}
    for key, page in pages.items():
        documents.add(key, key.title(), page)
        assert page.isVisible()
    assert state(documents) == (["read", "write"], "write")
    assert documents.page("read") is pages["read"]

    documents.remove("write")
    assert state(documents) == (["read"], "read")
    assert pages["read"].isVisible()
    documents.remove("read")
    documents.remove("read")
    assert state(documents) == ([], "")
    assert documents.page("read") is None
    assert documents.findChildren(QPushButton)[0].isVisible()
    assert [arguments[0] for arguments in received(told)] == ["read", "write", "read", ""]


def test_pages_are_stepped_through_round_and_round(documents: Documents) -> None:
    for key in ("read", "write", "erase"):
        documents.add(key, key, QLineEdit(key))
    shown = []
    for by in (1, 1, -1, -1):
        documents.step(by)
        shown.append(documents.current_key)

    assert shown == ["read", "write", "read", "erase"]


def test_a_page_is_shown_by_its_key(documents: Documents) -> None:
    for key in ("read", "write"):
        documents.add(key, key, QLineEdit(key))
    documents.show_page("read")

    page = documents.page("read")
    assert page is not None
    assert page.isVisible()
    assert documents.current_key == "read"


def test_the_plus_asks_for_another_tool(documents: Documents, qtbot: QtBot) -> None:
    documents.add("read", "Read", QLineEdit("read"))
    spy = QSignalSpy(documents.new_requested)
    qtbot.mouseClick(named(documents, "Open a tool"), Qt.MouseButton.LeftButton)

    assert spy.count() == 1


def test_a_middle_click_asks_to_close_a_page_and_closes_none(documents: Documents, qtbot: QtBot) -> None:
    documents.add("read", "Read", QLineEdit("read"))
    spy = QSignalSpy(documents.close_requested)
    (tabs,) = documents.findChildren(DocumentTabBar)
    qtbot.mouseClick(tabs, Qt.MouseButton.MiddleButton, pos=tabs.tabRect(0).center())

    assert received(spy) == [["read"]]
    assert documents.keys == ("read",)


def test_a_page_that_is_gone_takes_no_marks(documents: Documents) -> None:
    documents.set_status("gone", "failed")

    assert documents.keys == ()


def test_the_status_bar_counts_how_the_tools_do_once_any_ran(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    assert visible_words(bar) == ["0 tools"]
    bar.show_health(1204, 0, 1)
    assert visible_words(bar) == ["0 tools", "UP 1,204", "DOWN 1"]
    (down,) = [label for label in bar.findChildren(QLabel) if label.text() == "DOWN 1"]
    with qtbot.waitSignal(bar.health_clicked):
        qtbot.mouseClick(down, Qt.MouseButton.LeftButton)


def test_the_status_bar_tells_where_agents_are_served_and_leads_there(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    assert "Gateway" not in " ".join(visible_words(bar))
    bar.show_gateway("127.0.0.1:8620")
    (label,) = [label for label in bar.findChildren(IconLabel) if label.text == "Gateway on 127.0.0.1:8620"]
    assert label.isVisible()
    with qtbot.waitSignal(bar.gateway_clicked):
        qtbot.mouseClick(label, Qt.MouseButton.LeftButton)
    bar.show_pause(True)
    assert label.text == "Agents paused"
    bar.show_pause(False)
    assert label.text == "Gateway on 127.0.0.1:8620"
    bar.show_gateway("")
    assert not label.isVisible()


def test_the_status_bar_tells_of_the_audit_log_and_leads_to_more(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.resize(1200, 24)
    bar.show()
    assert "Audit log on" not in visible_words(bar)

    bar.show_audit(is_on=True, problem="")
    assert "Audit log on" in visible_words(bar)
    bar.show_audit(is_on=True, problem="the disk is full")
    assert "Audit log not written" in visible_words(bar)
    (label,) = [label for label in bar.findChildren(IconLabel) if label.text == "Audit log not written"]
    assert label.toolTip() == "the disk is full"
    with qtbot.waitSignal(bar.audit_clicked):
        qtbot.mouseClick(label, Qt.MouseButton.LeftButton)


def test_a_long_notice_gives_way_to_what_stands_at_the_right(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.resize(900, 24)
    bar.show_notice("Calls are not recorded: " + "the disk is full, " * 40)
    bar.show()

    (python,) = [label for label in bar.findChildren(QLabel) if label.text().startswith("Python ")]
    assert python.mapTo(bar, python.rect().topRight()).x() < 900


LEVELS = (
    AutonomyLevel("supervised", "Supervised", "asks about calls of high risk"),
    AutonomyLevel("manual", "Manual", "asks about every call"),
)


def test_the_status_bar_shows_the_level_of_autonomy_and_takes_another(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.show_level("supervised", LEVELS, "")
    button = named(bar, "Autonomy: Supervised")
    spy = QSignalSpy(bar.level_chosen)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = bar.findChild(Menu)
    assert menu is not None
    assert menu.isVisible()
    shown = {action.text(): action.isChecked() for action in menu.actions()}
    menu.actions()[1].trigger()
    menu.close()

    assert shown == {
        "Supervised: asks about calls of high risk": True,
        "Manual: asks about every call": False,
    }
    assert received(spy) == [["manual"]]


def test_rules_that_cannot_be_read_are_told_in_the_place_of_the_level(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show_level("supervised", LEVELS, "the policy file is no TOML")

    assert named(bar, "Autonomy: Rules cannot be read").toolTip() == "the policy file is no TOML"


def test_a_notice_that_can_be_undone_stays_until_it_is(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.show_undo("Remembered: allow read_file")
    bar.show_notice("read_file is down")
    undo = named(bar, "Undo: Remembered: allow read_file")
    spy = QSignalSpy(bar.undo_requested)
    assert undo.isVisible()
    assert "Remembered: allow read_file" in visible_words(bar)
    undo.click()

    assert received(spy) == [[]]
    assert not undo.isVisible()
    assert "read_file is down" in visible_words(bar)
