from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from pytestqt.qtbot import QtBot

from console.assets import Picture
from console.browser.model import ITEM_ROLE, ItemKind, ToolTreeModel, TreeItem
from console.browser.tool_tree import Family, ToolRow, ToolSourceRow, Traits, distance, filter_words

BUILT_IN = ToolSourceRow("built-in", "Built-in")
PROGRAM = ToolSourceRow("program", "Program")
SERVER = ToolSourceRow("server", "github")
MINE = ToolSourceRow("plugin", "my_tools.py", "/plugins/my_tools.py")
BROKEN = ToolSourceRow("plugin", "broken.py", "/plugins/broken.py", "SyntaxError: invalid syntax", "Traceback: line 3")


def built_in(name: str, group: str = "Files", **more: object) -> ToolRow:
    return ToolRow(name, BUILT_IN, group, **more)  # type: ignore[arg-type]


def mine(name: str) -> ToolRow:
    return ToolRow(name, MINE, "my_tools.py")


ROWS = (
    built_in("read_file"),
    built_in("write_file", asks_first=True),
    built_in("make_folder"),
    built_in("fetch_page", "Web"),
    mine("customer_profile"),
    mine("ping"),
)


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[ToolTreeModel]:
    model = ToolTreeModel()
    # It warns when the model breaks a rule, and a warning fails the test.
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield model
    tester.deleteLater()
    model.deleteLater()


def tree(model: ToolTreeModel, parent: QModelIndex | None = None, depth: int = 0, *, whole: bool = False) -> list[str]:
    """Write the tree as one would see it with everything open; without the servers, of whom most tests have none."""
    parent = parent if parent is not None else QModelIndex()
    lines = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        item: TreeItem = index.data(ITEM_ROLE)
        if item.text == "MCP servers" and not whole:
            continue
        lines.append("  " * depth + f"{item.text} {item.count}".rstrip() + (" (dim)" if item.dimmed else ""))
        lines += tree(model, index, depth + 1)
    return lines


class Changes:
    """Note what the model tells its views."""

    def __init__(self, model: ToolTreeModel) -> None:
        self.told: list[str] = []
        model.modelReset.connect(self._on_reset)
        model.rowsInserted.connect(self._on_inserted)
        model.rowsRemoved.connect(self._on_removed)

    def _on_reset(self) -> None:
        self.told.append("reset")

    def _on_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        self.told.append(f"inserted {last - first + 1} in {parent.data()}")

    def _on_removed(self, parent: QModelIndex, first: int, last: int) -> None:
        self.told.append(f"removed {last - first + 1} from {parent.data()}")


@pytest.mark.reference("A1")
def test_the_tree_counts_what_there_is(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)

    assert tree(model) == [
        "Built-in 4",
        "  Files 3",
        "    read_file",
        "    write_file",
        "    make_folder",
        "  Web 1",
        "    fetch_page",
        "Plugins 2",
        "  my_tools.py 2",
        "    customer_profile",
        "    ping",
    ]
    assert (model.total, model.found) == (6, 6)


def test_without_plugins_stands_what_to_do(model: ToolTreeModel) -> None:
    model.set_rows(ROWS[:1])

    assert tree(model) == [
        "Built-in 1",
        "  Files 1",
        "    read_file",
        "Plugins 0",
        "  No plugin files yet.",
        "  Choose a Python file…",
    ]
    plugins = model.index(1, 0)
    kinds = [model.item(model.index(row, 0, plugins)).kind for row in (0, 1)]
    assert kinds == [ItemKind.FACT, ItemKind.LINK]
    assert not model.flags(model.index(0, 0, plugins)) & Qt.ItemFlag.ItemIsSelectable
    assert model.flags(model.index(1, 0, plugins)) & Qt.ItemFlag.ItemIsSelectable


def test_nothing_is_said_to_be_missing_while_tools_are_looked_for(model: ToolTreeModel) -> None:
    model.set_loading(loading=True)
    looking = "  Looking for them…"
    assert tree(model) == ["Built-in 0", looking, "Plugins 0", looking, "  Choose a Python file…"]

    model.apply([ROWS[0]], [])
    assert tree(model)[-3:] == ["Plugins 0", looking, "  Choose a Python file…"]
    model.set_loading(loading=False)
    assert tree(model)[-3:] == ["Plugins 0", "  No plugin files yet.", "  Choose a Python file…"]


def test_traits_leave_tools_out_as_words_do(model: ToolTreeModel) -> None:
    model.set_rows((*ROWS, built_in("slow_file", latency="slow"), built_in("quick_file", latency="fast")))

    model.set_filter("", Traits(asks_first=True))
    assert tree(model)[:3] == ["Built-in 1 of 6", "  Files 1 of 5", "    write_file"]
    model.set_filter("quick", Traits(latencies=frozenset({"slow", "fast"})))
    assert tree(model)[:3] == ["Built-in 1 of 6", "  Files 1 of 5", "    quick_file"]
    model.set_filter("", Traits(latencies=frozenset({"slow", "fast"})))
    assert model.found == 2


def test_a_filter_shows_how_many_of_how_many(model: ToolTreeModel) -> None:
    model.set_rows((*ROWS, ToolRow("other", ToolSourceRow("plugin", "other.py", "/o.py"), "other.py")))
    model.set_filter("file")

    assert tree(model) == [
        "Built-in 2 of 4",
        "  Files 2 of 3",
        "    read_file",
        "    write_file",
        "Plugins 1 of 3",
        "  my_tools.py 1 of 2",
        "    customer_profile",
        "  other.py 0 of 1 (dim)",
    ]
    assert (model.found, model.total) == (3, 7)
    assert model.item(model.first_tool()).spans == ((5, 9),)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("hang", "hang", (0, 0)),
        ("read_file", "read file", (0, 0)),
        ("read_file", "read", (0, 1)),
        ("read_file", "file", (0, 2)),
        ("git_status", "hang", (1, 2)),
        ("read_file", "read changes", (1, 1)),
    ],
)
def test_names_are_nearer_the_more_they_are_what_was_typed(name: str, text: str, expected: tuple[int, int]) -> None:
    assert distance(name, filter_words(text)) == expected


def test_the_best_tool_is_the_one_whose_name_was_typed(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_filter("file")
    assert model.item(model.best_tool()).text == "read_file"
    model.set_filter("profile")
    assert model.item(model.best_tool()).text == "customer_profile"
    model.set_filter("zzz")
    assert not model.best_tool().isValid()


def test_a_family_without_a_match_stays_dimmed(model: ToolTreeModel) -> None:
    model.set_rows(ROWS[:4])
    model.set_filter("zzz")

    assert tree(model) == ["Built-in 0 of 4 (dim)", "Plugins 0 (dim)"]
    assert not model.first_tool().isValid()


def test_the_filter_can_be_taken_back(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    before = tree(model)
    model.set_filter("page")
    model.set_filter("")

    assert tree(model) == before
    assert not model.filtered


def test_a_change_inserts_and_removes_rows_without_a_reset(model: ToolTreeModel) -> None:
    model.set_rows(ROWS[:4])
    changes = Changes(model)

    model.apply([built_in("list_files"), built_in("copy_file")], [])
    model.apply([mine("ping"), mine("pong")], [])
    model.apply([], ["make_folder", "fetch_page", "unknown"])

    assert changes.told == [
        "inserted 2 in Files",
        "removed 2 from Plugins",
        "inserted 1 in Plugins",
        "removed 1 from Files",
        "removed 1 from Built-in",
    ]
    assert tree(model) == [
        "Built-in 4",
        "  Files 4",
        "    read_file",
        "    write_file",
        "    list_files",
        "    copy_file",
        "Plugins 2",
        "  my_tools.py 2",
        "    ping",
        "    pong",
    ]


def test_the_notice_comes_back_with_the_last_plugin_gone(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    changes = Changes(model)

    model.apply([], ["customer_profile", "ping"])

    assert changes.told == ["removed 1 from my_tools.py", "removed 1 from Plugins", "inserted 2 in Plugins"]
    assert tree(model)[-2:] == ["  No plugin files yet.", "  Choose a Python file…"]


def test_the_programs_own_tools_have_a_row_only_while_there_are_some(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.apply([ToolRow("adder", PROGRAM, "Sums")], [])
    assert tree(model)[-3:] == ["Program 1", "  Sums 1", "    adder"]

    model.apply([], ["adder"])
    assert tree(model)[-1] == "    ping"


def test_a_new_version_of_a_tool_stays_where_it_is(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    changes = Changes(model)

    model.apply([built_in("read_file", asks_first=True, latency="slow")], ["read_file"])

    item = model.item(model.index_of("read_file"))
    assert item.tool is not None
    assert (item.tool.asks_first, item.tool.latency) == (True, "slow")
    assert changes.told == []
    assert model.index_of("read_file").row() == 0


def test_a_tool_can_move_to_another_group(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)

    model.apply([built_in("read_file", "Web")], [])

    assert tree(model)[:6] == [
        "Built-in 4",
        "  Files 2",
        "    write_file",
        "    make_folder",
        "  Web 2",
        "    fetch_page",
    ]
    assert model.index_of("read_file").parent().data() == "Web"


def test_a_change_under_a_filter_is_filtered_as_well(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_filter("file")

    model.apply([built_in("copy_file"), built_in("hash")], ["read_file"])

    assert tree(model)[:4] == ["Built-in 2 of 5", "  Files 2 of 4", "    write_file", "    copy_file"]


def test_a_large_change_is_one_reset(model: ToolTreeModel) -> None:
    changes = Changes(model)

    model.apply([built_in(f"tool_{number}") for number in range(500)], [])

    assert changes.told == ["reset"]
    assert model.total == 500


def test_a_failed_plugin_stands_among_the_plugins_with_its_reason(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_failures([BROKEN])

    assert tree(model)[7:] == ["Plugins 2", "  broken.py", "  my_tools.py 2", "    customer_profile", "    ping"]
    index = model.index(0, 0, model.index(1, 0))
    assert model.item(index).failure == BROKEN
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "broken.py could not be loaded: SyntaxError: invalid syntax"
    assert "could not be loaded" in index.data(Qt.ItemDataRole.AccessibleTextRole)

    model.set_failures([])
    assert "  broken.py" not in tree(model)


def test_a_plugin_that_broke_keeps_its_former_tools_in_sight(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_failures([ToolSourceRow("plugin", "my_tools.py", MINE.path, "NameError: x", "Traceback")])

    group = model.index_of("ping").parent()
    assert model.item(group).failure is not None
    assert model.item(group).count == "2"

    model.apply([], ["ping", "customer_profile"])
    assert tree(model)[-2:] == ["Plugins 0", "  my_tools.py"]


def test_what_a_row_says_to_a_screen_reader(model: ToolTreeModel) -> None:
    model.set_rows(
        [built_in("write_file", asks_first=True, latency="fast", title="Write a file", description="Write.")]
    )
    tool = model.index_of("write_file")

    spoken = tool.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "write_file, No run lately, Asks before it runs, Usually fast"
    tip = tool.data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "Write a file\nWrite.\nNo run lately · Asks before it runs · Usually fast"
    assert tool.parent().data(Qt.ItemDataRole.AccessibleTextRole) == "Files, 1 tool"


@pytest.mark.reference("E44")
def test_a_tool_a_toolkit_and_all_of_a_kind_say_what_they_cost_in_tokens(model: ToolTreeModel) -> None:
    server = ToolSourceRow("server", "notes")
    model.set_rows(
        [
            built_in("read_file", tokens=300),
            built_in("write_file", tokens=1200),
            built_in("fetch_page", "Web", tokens=50),
            built_in("old_page", "Web", tokens=7, disabled="is disabled"),
            ToolRow("notes.find", server, "notes", tokens=80),
            mine("ping"),
        ]
    )

    def told(index: QModelIndex) -> str:
        return str(index.data(Qt.ItemDataRole.ToolTipRole))

    words = "≈ {} tokens in each request, estimated"
    read, fetch, find = (model.index_of(name) for name in ("read_file", "fetch_page", "notes.find"))
    assert told(read).endswith(f"No run lately · {words.format(300)}")
    assert (told(read.parent()), told(fetch.parent())) == (words.format("1,500"), words.format(50))
    assert told(read.parent().parent()) == words.format("1,550")
    assert told(find.parent()) == told(find.parent().parent()) == words.format(80)
    assert told(model.index_of("ping").parent()) == "/plugins/my_tools.py"


_FAMILIES: tuple[Family, ...] = ("built-in", "plugin", "server", "program")
_CHANGES = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 9), st.sampled_from(_FAMILIES), st.integers(0, 2)), max_size=5),
        st.lists(st.integers(0, 9), max_size=4),
        st.sampled_from(("", "", "1", "tool")),
    ),
    max_size=6,
)


def _made(number: int, family: Family, group: int) -> ToolRow:
    title = f"group_{group}"
    return ToolRow(f"tool_{number}", ToolSourceRow(family, title), title)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_CHANGES, st.none() | st.frozensets(st.integers(0, 20).map("tool_{}".format), max_size=8))
def test_changes_lead_where_a_fresh_start_leads(
    model: ToolTreeModel,
    changes: list[tuple[list[tuple[int, Family, int]], list[int], str]],
    chosen: frozenset[str] | None,
) -> None:
    model.set_filter("")
    model.set_chosen(chosen)
    model.set_rows([])
    there: dict[str, ToolRow] = {}
    for made, gone, text in changes:
        added = {row.name: row for row in (_made(*facts) for facts in made)}
        removed = [f"tool_{number}" for number in gone if f"tool_{number}" not in added]
        model.set_filter(text)
        model.apply(list(added.values()), removed)
        there = {name: row for name, row in there.items() if name not in removed} | added

    fresh = ToolTreeModel()
    fresh.set_chosen(chosen)
    fresh.set_rows(there.values())
    model.set_filter("")
    assert sorted(tree(model)) == sorted(tree(fresh))
    assert model.total == len(there)
    fresh.deleteLater()


def test_each_server_is_a_group_of_its_own_and_without_one_stands_what_to_do() -> None:
    model = ToolTreeModel()
    model.set_rows([ToolRow("read_file", BUILT_IN, "Files")])
    nobody = ["MCP servers 0", "  No servers connected.", "  Connect a server…"]
    assert tree(model, whole=True)[-3:] == nobody
    link = model.item(model.index(1, 0, model.index(2, 0)))
    assert (link.kind, link.family) == (ItemKind.LINK, "server")

    model.apply(
        [ToolRow("github.push", SERVER, "github"), ToolRow("clock.now", ToolSourceRow("server", "clock"), "clock")], []
    )
    servers = model.index(2, 0)
    assert (model.item(servers).text, model.item(servers).count) == ("MCP servers", "2")
    groups = [model.item(model.index(row, 0, servers)) for row in range(model.rowCount(servers))]
    assert [(group.text, group.server, group.count) for group in groups] == [
        ("clock", "clock", "1"),
        ("github", "github", "1"),
    ]

    model.apply([ToolRow("github.push", SERVER, "github", label="push")], [])
    item = model.item(model.index_of("github.push"))
    assert (item.key, item.text) == ("github.push", "push")
    model.apply([], ["github.push", "clock.now"])
    assert tree(model, whole=True)[-3:] == nobody


def test_a_server_in_trouble_says_why_and_keeps_its_place_without_tools() -> None:
    model = ToolTreeModel()
    model.set_failures([ToolSourceRow("server", "staging", error="It ended with exit code 1.\nMore.")])
    group = model.index(0, 0, model.index(2, 0))
    assert model.item(group).failure is not None
    assert group.data(Qt.ItemDataRole.ToolTipRole) == "staging is not connected: It ended with exit code 1."
    assert group.data(Qt.ItemDataRole.AccessibleTextRole) == "staging, is not connected: It ended with exit code 1."


def of_server(name: str, server: str = "github") -> ToolRow:
    return ToolRow(f"{server}.{name}", ToolSourceRow("server", server), server, label=name)


def icons(model: ToolTreeModel, *names: str) -> list[tuple[str, bool]]:
    items = [model.item(model.index_of(name)) for name in names]
    return [(item.icon, item.picture is not None) for item in items]


def test_tools_of_a_server_have_icons_once_one_of_them_has_its_own(model: ToolTreeModel) -> None:
    picture = Picture(QImage(4, 4, QImage.Format.Format_RGB32), QImage(4, 4, QImage.Format.Format_RGB32))
    model.set_rows([*ROWS, of_server("push"), of_server("pull"), of_server("now", "clock")])
    names = ("github.push", "github.pull", "clock.now", "read_file")
    servers = [model.index_of(name).parent() for name in ("github.push", "clock.now")]
    assert icons(model, *names) == [("", False)] * 4
    assert [model.item(server).icon for server in servers] == ["", ""]
    spy = QSignalSpy(model.dataChanged)
    model.set_pictures({"github": picture}, {"github.push": picture, "clock.later": picture})
    told = spy.count()
    assert told
    assert icons(model, *names) == [("wrench", True), ("wrench", False), ("", False), ("", False)]
    assert [(model.item(server).icon, model.item(server).picture is picture) for server in servers] == [
        ("server", True),
        ("server", False),
    ]
    model.set_pictures({"github": picture}, {"github.push": picture, "clock.later": picture})
    assert spy.count() == told
    # The icon may be there before the tool.
    model.apply([of_server("later", "clock")], [])
    assert icons(model, "clock.now", "clock.later") == [("wrench", False), ("wrench", True)]
    model.set_pictures({}, {})
    assert icons(model, *names) == [("", False)] * 4


def test_only_the_chosen_built_in_tools_are_shown_and_a_last_row_offers_all(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_chosen({"read_file"})

    assert tree(model) == [
        "Built-in 1 of 4",
        "  Files 1 of 3",
        "    read_file",
        "  Show all 4 built-in tools",
        "Plugins 2",
        "  my_tools.py 2",
        "    customer_profile",
        "    ping",
    ]
    assert model.leaves_out("fetch_page")
    assert not model.leaves_out("ping")

    model.set_shows_all(shows_all=True)
    assert tree(model)[0] == "Built-in 4"
    assert "  Show those chosen for this project" in tree(model)
    assert not model.leaves_out("fetch_page")


def test_a_filter_finds_tools_that_were_not_chosen(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_chosen({"read_file"})

    model.set_filter("fetch")
    assert tree(model)[:3] == ["Built-in 1 of 4", "  Web 1 of 1", "    fetch_page"]
    model.set_filter("", Traits(asks_first=True))
    assert tree(model)[:3] == ["Built-in 1 of 4", "  Files 1 of 3", "    write_file"]
    model.set_filter("")
    assert tree(model)[:2] == ["Built-in 1 of 4", "  Files 1 of 3"]


def test_kept_tools_stay_beside_the_chosen_ones(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_chosen({"read_file"})

    model.set_kept({"fetch_page", "ping", "gone"})
    assert tree(model)[:4] == ["Built-in 2 of 4", "  Files 1 of 3", "    read_file", "  Web 1"]

    changes = Changes(model)
    model.set_kept({"fetch_page", "ping", "read_file"})
    assert changes.told == []
    model.set_kept(())
    assert tree(model)[0] == "Built-in 1 of 4"


def test_new_versions_of_tools_that_are_left_out_change_no_row(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_chosen({"read_file"})
    changes = Changes(model)

    model.apply([built_in("fetch_page", "Web", title="Page"), built_in("read_file", title="File")], ())

    assert changes.told == []
    shown: TreeItem = model.index_of("read_file").data(ITEM_ROLE)
    assert shown.tool is not None
    assert shown.tool.title == "File"
    model.set_chosen(None)
    fetched: TreeItem = model.index_of("fetch_page").data(ITEM_ROLE)
    assert fetched.tool is not None
    assert fetched.tool.title == "Page"
    assert model.offer == ""


def test_a_star_is_told_with_its_tool(model: ToolTreeModel) -> None:
    model.set_rows(ROWS)
    model.set_starred(["ping"])

    index = model.index_of("ping")
    assert index.data(ITEM_ROLE).starred
    assert "Starred" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    model.set_starred([])
    assert not index.data(ITEM_ROLE).starred
