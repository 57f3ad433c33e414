"""The lists of rules and permissions: models, views by click and key, and the policy behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QComboBox, QLabel, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console.app.autonomy import AutonomyChooser
from console.permissions.model import PermissionModel, RuleModel
from console.permissions.page import PermissionsPage
from console.permissions.rows import PermissionMode, PermissionRow, PermissionSourceRow, RuleExpiry, RuleRow, ToolColumn
from console.permissions.view import PermissionsTree, PermissionsView, RuleDialog, RulesView, wish_at
from console.policies import PolicyController, make_policy
from console.tasks import TaskScope
from console.theme import theme_of
from console.widgets import SegmentedControl, Switch
from console.window.status_bar import StatusBar
from tests.console.approval_questions import TOOLS
from tests.console.tool_cards import tools_of
from tools import ToolRegistry, resolve_tools
from tools.errors import PolicyError
from tools.policy import Effect, Permission, Predicate, Rule, RuleLocation
from tools.policy.rule_toml import rule_from_text

Kind = TypeVar("Kind", bound=QWidget)
RULES = (
    RuleRow("a", "allow", "Allow read_file", "Until it is removed", "Your file", 1_204, "14:32:07", "", "", True, ""),
    RuleRow("b", "deny", "Deny http_*", "Until it is removed", "The project", 0, "", "staging only", "", True, "fixed"),
    RuleRow("c", "allow", "Allow move_file", "Today", "Your file", 2, "yesterday", "", "the tool changed", True, ""),
)
SOURCES = (
    PermissionSourceRow(
        "Built-in",
        PermissionMode.DEFAULT,
        (
            PermissionRow("read_file", "Low risk", PermissionMode.ALWAYS),
            PermissionRow("delete_file", "High risk", PermissionMode.DEFAULT),
        ),
    ),
    PermissionSourceRow(
        "my_tools.py", PermissionMode.NEVER, (PermissionRow("refund", "High risk", PermissionMode.DEFAULT),)
    ),
)


def received(spy: QSignalSpy) -> list[list[Any]]:
    return [spy.at(number) for number in range(spy.count())]


def named(view: QWidget, kind: type[Kind], name: str) -> Kind:
    found = [widget for widget in view.findChildren(kind) if widget.accessibleName() == name]
    assert len(found) == 1, [widget.accessibleName() for widget in view.findChildren(kind)]
    return found[0]


def words(view: QWidget) -> set[str]:
    return {label.text() for label in view.findChildren(QLabel) if label.isVisible()} | {
        widget.accessibleName() for widget in view.findChildren(QWidget) if widget.isVisible()
    }


@pytest.fixture
def rules_view(qtbot: QtBot) -> RulesView:
    model = RuleModel()
    view = RulesView(model)
    model.setParent(view)
    qtbot.addWidget(view)
    view.resize(1_000, 500)
    view.show()
    model.show_rows(RULES)
    return view


@pytest.fixture
def tree(qtbot: QtBot) -> PermissionsTree:
    model = PermissionModel()
    model.show_sources(SOURCES)
    tree = PermissionsTree(model)
    model.setParent(tree)
    qtbot.addWidget(tree)
    tree.resize(1_000, 400)
    tree.show()
    qtbot.waitExposed(tree)
    return tree


def test_the_list_of_rules_is_a_model_and_changes_only_what_changed(qtmodeltester: ModelTester) -> None:
    model = RuleModel()
    model.show_rows(RULES)
    qtmodeltester.check(model)
    assert [model.index(0, column).data() for column in range(model.columnCount())] == [
        "Allow",
        "Allow read_file",
        "Until it is removed",
        "Your file",
        "1,204",
        "14:32:07",
    ]
    resets, changes = QSignalSpy(model.modelReset), QSignalSpy(model.dataChanged)
    model.show_rows((RULES[0], RULES[1]._replace(uses=1), RULES[2]))
    assert (resets.count(), changes.count()) == (0, 1)
    model.show_rows(RULES[1:])
    assert (resets.count(), model.rowCount()) == (0, 2)


def test_tools_stand_below_their_sources_and_are_narrowed_by_a_text(qtmodeltester: ModelTester) -> None:
    model = PermissionModel()
    model.show_sources(SOURCES)
    qtmodeltester.check(model)
    model.set_filter("FILE")
    assert [source.name for source in model.sources] == ["Built-in"]
    model.set_filter("delete")
    assert [tool.name for tool in model.sources[0].tools] == ["delete_file"]
    model.set_filter("my_tools")
    assert [tool.name for source in model.sources for tool in source.tools] == ["refund"]
    model.set_filter("")
    changes = QSignalSpy(model.dataChanged)
    model.show_sources((SOURCES[0]._replace(wish=PermissionMode.ASK), SOURCES[1]))

    assert model.index(0, ToolColumn.WISH).data() == "Ask"
    assert changes.count() == 2


def test_the_chosen_rule_is_shown_whole_with_why_it_does_not_count(rules_view: RulesView) -> None:
    rules_view.table.selectRow(2)
    assert {"Allow move_file", "It does not count: the tool changed"} <= words(rules_view)
    rules_view.table.selectRow(1)

    assert {"Deny http_*. Reason: “staging only”", "fixed"} <= words(rules_view)
    assert not named(rules_view, SegmentedControl, "What the rule answers").isEnabled()
    assert not rules_view.remove.isEnabled()


@pytest.mark.reference("E26")
def test_a_rule_is_changed_and_removed(qtbot: QtBot, rules_view: RulesView) -> None:
    spies = [
        QSignalSpy(signal)
        for signal in (
            rules_view.effect_chosen,
            rules_view.switched,
            rules_view.end_chosen,
            rules_view.remove_requested,
        )
    ]
    rules_view.table.selectRow(0)
    named(rules_view, SegmentedControl, "What the rule answers").select(1)
    named(rules_view, Switch, "Whether the rule counts").click()
    ends = named(rules_view, QComboBox, "When the rule ends")
    ends.setCurrentIndex(2)
    ends.activated.emit(2)
    qtbot.keyClick(rules_view.table, Qt.Key.Key_Delete)

    assert [received(spy) for spy in spies] == [[["a", "ask"]], [["a", False]], [["a", RuleExpiry.HOUR]], [["a"]]]


def test_the_same_rule_stays_chosen_when_others_come_and_go(rules_view: RulesView) -> None:
    rules_view.table.selectRow(2)
    model = rules_view.table.model()
    assert isinstance(model, RuleModel)
    model.show_rows(RULES[1:])
    chosen = rules_view.chosen
    assert chosen is not None
    assert chosen.id == "c"
    assert rules_view.table.currentIndex().row() == 1
    model.show_rows(RULES[:1])
    assert rules_view.chosen is None


def _cell(tree: PermissionsTree, name: str, column: int) -> QModelIndex:
    model = tree.model()
    found = model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, name, 1, Qt.MatchFlag.MatchRecursive)
    return found[0].siblingAtColumn(column)


@pytest.mark.reference("E43")
def test_a_permission_is_chosen_by_click(qtbot: QtBot, tree: PermissionsTree) -> None:
    spy = QSignalSpy(tree.wish_chosen)
    rect = tree.visualRect(_cell(tree, "delete_file", ToolColumn.WISH))
    theme = theme_of(tree)
    places = {
        wish: QPoint(x, rect.center().y())
        for x in range(rect.left(), rect.right(), 4)
        if (wish := wish_at(rect, theme, QPoint(x, rect.center().y()))) is not None
    }
    assert set(places) == set(PermissionMode)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=places[PermissionMode.NEVER])
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=places[PermissionMode.DEFAULT])

    assert received(spy) == [["Built-in", "delete_file", PermissionMode.NEVER]]


@pytest.mark.reference("E43")
def test_a_permission_is_chosen_by_key_for_a_tool_and_for_a_source(qtbot: QtBot, tree: PermissionsTree) -> None:
    spy = QSignalSpy(tree.wish_chosen)
    tree.setCurrentIndex(_cell(tree, "read_file", 0))
    qtbot.keyClick(tree, Qt.Key.Key_N)
    tree.setCurrentIndex(_cell(tree, "my_tools.py", 0))
    qtbot.keyClick(tree, Qt.Key.Key_R)

    assert received(spy) == [
        ["Built-in", "read_file", PermissionMode.NEVER],
        ["my_tools.py", "", PermissionMode.DEFAULT],
    ]


class _Pane:
    """The pane over a real policy."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.file = folder / "policy.toml"
        self.bar = StatusBar()
        qtbot.addWidget(self.bar)
        self.scope = TaskScope("permissions")
        self.registry = ToolRegistry(resolve_tools(list(TOOLS)))
        self.policy = make_policy(self.file, folder)
        self.policy.project_dir = folder
        self.policies = PolicyController(
            self.policy, self.registry, file=self.file, compute=asyncio.to_thread, scope=self.scope, parent=self.bar
        )
        AutonomyChooser(self.policies, self.bar, self.scope, self.bar)
        self.permissions = PermissionsPage(self.policies, tools_of(self.registry), scope=self.scope, parent=self.bar)
        self.counts: list[int] = []
        self.permissions.counted.connect(self.counts.append)
        qtbot.addWidget(self.permissions.widget)

    async def view(self) -> PermissionsView:
        self.permissions.widget.show()
        found = self.permissions.widget.findChildren(PermissionsView)
        await self.settle()
        return found[0]

    async def settle(self) -> None:
        """Let what was begun end."""
        async with asyncio.timeout(10):
            await asyncio.sleep(0)
            while self.scope.busy:  # noqa: ASYNC110 -- a scope sets no event
                await asyncio.sleep(0.005)

    async def close(self) -> None:
        self.permissions.close()
        self.policies.close()
        await self.scope.close()


Open = Callable[[], AbstractAsyncContextManager[_Pane]]


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Open:
    @asynccontextmanager
    async def pane_of_test() -> AsyncIterator[_Pane]:
        pane = _Pane(qtbot, tmp_path)
        try:
            yield pane
        finally:
            await pane.close()

    return pane_of_test


@pytest.mark.reference("E43")
async def test_permissions_become_rules_and_are_undone(opened: Open) -> None:
    async with opened() as pane:
        view = await pane.view()
        source = view.tools.model().index(0, 0).data()
        view.tools.wish_chosen.emit(source, "repeat", PermissionMode.ALWAYS)
        view.tools.wish_chosen.emit(source, "", PermissionMode.NEVER)
        await pane.settle()
        tool = pane.registry.get("repeat")
        assert pane.policy.permission_of(tool) is Permission.ALWAYS
        assert pane.policy.permission_of(tool.source) is Permission.NEVER
        assert view.tools.model().index(0, ToolColumn.WISH).data() == "Never"
        assert pane.counts[-1] == 2
        pane.bar.undo_requested.emit()
        await pane.settle()
        assert pane.policy.permission_of(tool.source) is Permission.DEFAULT
        view.tools.wish_chosen.emit(source, "repeat", PermissionMode.DEFAULT)
        await pane.settle()
        assert pane.policy.rules == ()


@pytest.mark.reference("E26")
async def test_rules_are_listed_changed_and_removed_where_they_stand(opened: Open) -> None:
    async with opened() as pane:
        inside = Predicate(path="text", prefix="a")
        pane.policy.add(
            Rule(id="mine", effect=Effect.ALLOW, tool="repeat", where=(inside,), max_uses=3), RuleLocation.USER
        )
        pane.policy.add(Rule(id="now", effect=Effect.ASK, tool="pair"), RuleLocation.SESSION)
        view = await pane.view()
        model = view.rules.table.model()
        assert isinstance(model, RuleModel)
        lasts = {row.id: (row.place, row.lasts) for row in model.rows}
        assert lasts == {
            "mine": ("Your file", "Until it is removed"),
            "now": ("This session", "Until the program ends"),
        }
        view.rules.effect_chosen.emit("mine", "deny")
        view.rules.end_chosen.emit("mine", RuleExpiry.HOUR)
        view.rules.switched.emit("mine", False)
        await pane.settle()
        changed = next(placed.rule for placed in pane.policy.rules if placed.rule.id == "mine")
        assert (changed.effect, changed.enabled, changed.where) == (Effect.DENY, False, (inside,))
        assert changed.expires_at is not None
        view.rules.end_chosen.emit("mine", RuleExpiry.NEVER)
        view.rules.remove_requested.emit("now")
        await pane.settle()
        assert [(row.id, row.is_on, row.lasts) for row in model.rows] == [("mine", False, "Until it is removed")]


async def test_a_new_rule_begins_with_what_is_often_wanted(opened: Open) -> None:
    async with opened() as pane:
        view = await pane.view()
        meanings = []
        for action in view.new.menu().actions():
            action.trigger()
            dialog = view.findChildren(RuleDialog)[-1]
            assert dialog.save.isEnabled()
            meanings.append(dialog.meaning.text())
            dialog.reject()
        assert meanings[1:] == [
            "Ask about all tools called by agent:* when an argument holds a secret",
            "Hand on results of all tools called by agent:* with secrets hidden",
        ]


async def test_a_rule_is_written_and_edited_as_its_text(opened: Open, qtbot: QtBot) -> None:
    async with opened() as pane:
        view = await pane.view()
        view.new.menu().actions()[0].trigger()
        (dialog,) = view.findChildren(RuleDialog)
        assert dialog.meaning.text().startswith("Ask")
        dialog.text.setPlainText('effect = "perhaps"')
        assert "effect" in dialog.meaning.text()
        assert not dialog.save.isEnabled()
        dialog.text.setPlainText('effect = "deny"\ntool = "repeat"\n\n[[where]]\npath = "text"\nprefix = "b"\n')
        dialog.save.click()
        await pane.settle()
        [placed] = pane.policy.rules
        assert (placed.place, placed.rule.effect) == (RuleLocation.USER, Effect.DENY)
        assert placed.rule.where == (Predicate(path="text", prefix="b"),)

        view.rules.table.selectRow(0)
        QTest.keyClick(view.rules.table, Qt.Key.Key_Return)
        dialog = view.findChildren(RuleDialog)[-1]
        assert 'prefix = "b"' in dialog.text.toPlainText()
        dialog.text.setPlainText(dialog.text.toPlainText().replace('"b"', '"c"'))
        dialog.save.click()
        await pane.settle()
        [changed] = pane.policy.rules
        assert (changed.rule.id, changed.rule.where) == (placed.rule.id, (Predicate(path="text", prefix="c"),))
        pane.bar.undo_requested.emit()
        await pane.settle()
        assert pane.policy.rules[0].rule == placed.rule


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("effect = ", "expected TOML"),
        ("", "effect: Field required"),
        ('effect = "allow"\ncolour = "red"', "colour: Extra inputs"),
        ('effect = "deny"\nmax_uses = 3', "expected max_uses in a rule that allows only"),
    ],
)
def test_a_text_that_is_no_rule_says_why(text: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        rule_from_text(text, "new")


async def test_rules_of_the_project_are_shown_but_not_changed_here(opened: Open, tmp_path: Path) -> None:
    async with opened() as pane:
        folder = tmp_path / ".tool-console"
        folder.mkdir()
        (folder / "policy.toml").write_text('[[rule]]\nid = "theirs"\neffect = "deny"\ntool = "upload"\n', "utf-8")
        pane.policy.refresh()
        view = await pane.view()
        view.rules.table.selectRow(0)
        chosen = view.rules.chosen
        assert chosen is not None
        assert (chosen.place, bool(chosen.fixed)) == ("The project", True)
        assert not view.rules.remove.isEnabled()


async def test_a_file_that_cannot_be_read_is_told_above_the_rules(opened: Open) -> None:
    async with opened() as pane:
        pane.file.write_text("[[rule", "utf-8")
        pane.policy.refresh()
        view = await pane.view()
        assert any("Until then every call is asked about." in text for text in words(view))


async def test_nothing_remembered_says_how_something_would_be(opened: Open) -> None:
    async with opened() as pane:
        view = await pane.view()
        assert any(text.startswith("Nothing is remembered") for text in words(view))
        assert any(text.startswith("Where no rule speaks, ") for text in words(view))
        view.choice.select(1)
        assert view.filter.isVisible()
        notices: list[str] = []
        pane.policies.noticed.connect(notices.append)
        view.file.click()
        assert notices == ["There is no file with your rules yet: nothing is remembered in it"]
