"""A result on show: its forms, its table, what is picked from it, files, all by key and click."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QFont, QGuiApplication, QTextDocument, QTextTable
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console.call_result.view import AttachmentsView
from console.tasks import TaskScope
from console.theme import load_theme
from console.viewers import Content, ContentKind, ContentPresenter, ContentView, Representation
from console.viewers.preparing import table_of
from console.viewers.rendered_view import MOST_RENDERED, RenderedView
from console.viewers.table_view import RowsModel, TabularView
from tests.console.test_viewers_values import CSV, MARKDOWN, PDF, png
from tools.calls import Attachment

SHOP: dict[str, Any] = {
    "shop": "fruit",
    "rows": [{"name": name, "price": price} for name, price in (("pear", 3), ("apple", 10), ("fig", 7))],
    "more": [{"id": number} for number in range(4)],
}


class Shown:
    """A view with what stands behind it."""

    def __init__(self, qtbot: QtBot, view: ContentView, scope: TaskScope) -> None:
        self.qtbot = qtbot
        self.view = view
        self.scope = scope
        self.said: list[str] = []
        self.opened: list[QUrl] = []
        self.has_program = True
        self.presenter = ContentPresenter(view, self._compute, scope, notify=self.said.append, open_url=self._open)

    async def _compute(self, function: Callable[..., Any], *args: Any) -> Any:
        await asyncio.sleep(0)
        return function(*args)

    def _open(self, url: QUrl) -> bool:
        self.opened.append(url)
        return self.has_program

    async def rest(self) -> None:
        """Wait until everything that was asked for is there."""
        await asyncio.sleep(0)
        while self.scope.busy:  # noqa: ASYNC110 -- the scope sets no event
            await asyncio.sleep(0.001)

    async def show(self, value: Any, **about: Any) -> None:
        kind = ContentKind.JSON
        if isinstance(value, str | bytes):
            kind = ContentKind.TEXT if isinstance(value, str) else ContentKind.BYTES
        self.view.show_content(Content(kind, value, **about))
        await self.rest()

    async def choose(self, form: Representation) -> None:
        self.view.choose_form(form)
        await self.rest()

    def named(self, name: str) -> Any:
        return next(widget for widget in self.view.findChildren(QWidget) if widget.accessibleName() == name)

    def shows(self, form: Representation) -> bool:
        return self.view.form is form

    @property
    def table(self) -> TabularView:
        assert self.view.table is not None
        return self.view.table

    def lines(self) -> list[str]:
        model = self.table.model
        columns = self.table.shown_columns()
        return [" ".join(str(model.index(row, column).data()) for column in columns) for row in range(model.rowCount())]


Show = Callable[[], AbstractAsyncContextManager[Shown]]


@pytest.fixture
def shown(qtbot: QtBot) -> Show:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Shown]:
        scope, view = TaskScope("test"), ContentView()
        qtbot.addWidget(view)
        view.resize(1000, 400)
        view.show()
        view.activateWindow()
        on_show = Shown(qtbot, view, scope)
        try:
            yield on_show
        finally:
            on_show.presenter.close()
            await scope.close()

    return opened


def popup() -> QMenu:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


async def test_the_form_that_was_chosen_stays_where_it_fits(shown: Show) -> None:
    async with shown() as on_show:
        view = on_show.view
        await on_show.show(SHOP)
        assert on_show.shows(Representation.TREE)
        assert list(view.forms) == [Representation.TREE, Representation.TABLE, Representation.TEXT]

        await on_show.choose(Representation.TABLE)
        assert on_show.named("Result table").isVisible()
        await on_show.show({"a": 1})
        assert on_show.shows(Representation.TREE)
        await on_show.show([{"b": 1}])
        assert on_show.shows(Representation.TABLE)
        assert on_show.lines() == ["1"]


async def test_json_in_a_text_is_a_tree_and_what_only_looks_like_it_stays_text(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show('{"a": [1, 2]}')
        assert on_show.named("Result").isVisible()
        assert list(on_show.view.forms) == [Representation.TREE, Representation.TEXT]
        await on_show.choose(Representation.TEXT)
        assert on_show.view.text.text == '{"a": [1, 2]}'

        await on_show.show("[note] it works]")
        await on_show.choose(Representation.TREE)
        assert on_show.view.text.isVisible()
        assert Representation.TREE not in on_show.view.forms
        assert on_show.said[-1].startswith("The text is no JSON: ")


async def test_text_of_a_value_and_source_are_coloured(shown: Show) -> None:
    def has(on_show: Shown, *wanted: QColor) -> bool:
        image = on_show.view.text.viewport().grab().toImage()
        pixels = {image.pixelColor(x, y).rgb() for x in range(300) for y in range(80)}
        found = [QColor.fromRgb(pixel) for pixel in pixels]
        return all(any(_is_near(color, pixel) for pixel in found) for color in wanted)

    async with shown() as on_show:
        syntax = load_theme("light").syntax
        await on_show.show({"a_key_of_many_letters": "a text of many letters"})
        await on_show.choose(Representation.TEXT)
        assert has(on_show, syntax.key, syntax.string)
        await on_show.show("# a comment of many letters\ndef run(): pass\nwhile True: continue\n", name="x.py")
        assert has(on_show, syntax.comment, syntax.keyword)
        assert not has(on_show, syntax.string)


def _is_near(color: QColor, pixel: QColor) -> bool:
    """Tell whether a pixel has a colour, however the system smooths letters."""
    differences = (color.red() - pixel.red(), color.green() - pixel.green(), color.blue() - pixel.blue())
    return max(map(abs, differences)) <= 40


async def test_a_page_of_html_is_source_first_and_its_words_at_will(shown: Show) -> None:
    async with shown() as on_show:
        page = "<html><body><h1>Head</h1><script>run()</script></body></html>"
        await on_show.show(page)
        assert on_show.view.text.text == page
        await on_show.choose(Representation.TEXT)
        assert on_show.view.text.text == "Head"
        await on_show.choose(Representation.SOURCE)
        assert on_show.view.text.text == page


async def test_markdown_is_a_page_whose_links_open_on_click_only(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(MARKDOWN)
        page = on_show.named("Result as a page")
        assert isinstance(page, RenderedView)
        assert page.isVisible()
        assert page.toPlainText() == "Title\nSome bold words and a link."
        assert on_show.opened == []

        places = [QPoint(x, y) for y in range(40, 120, 4) for x in range(20, 400, 4)]
        spot = next(place for place in places if page.anchorAt(place))
        on_show.qtbot.mouseMove(page.viewport(), spot)
        assert on_show.opened == []
        on_show.qtbot.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        assert on_show.opened == [QUrl("https://example.org")]


def test_a_page_fetches_and_opens_nothing_else(qtbot: QtBot, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(png())
    page = RenderedView()
    qtbot.addWidget(page)
    opened: list[QUrl] = []
    page.link_opened.connect(opened.append)
    kinds = QTextDocument.ResourceType

    page.show_markdown(f"![x](file://{secret}) <img src='{secret}'> [run](file://{secret}) [js](javascript:alert)")
    assert page.loadResource(kinds.ImageResource.value, QUrl.fromLocalFile(str(secret))) is None
    for link in (f"file://{secret}", "javascript:alert", "#part"):
        page.anchorClicked.emit(QUrl(link))

    assert opened == []
    assert "<img" in page.toPlainText()


def test_names_of_a_table_stand_in_one_line_also_behind_code(qtbot: QtBot) -> None:
    page = RenderedView()
    qtbot.addWidget(page)
    page.show_markdown("```\ncode\n```\n\n| Lane | Tickets |\n|---|---|\n| fast | 118 |\n")
    (table,) = (frame for frame in page.document().rootFrame().childFrames() if isinstance(frame, QTextTable))

    for column, name in enumerate(("Lane", "Tickets")):
        cursor = table.cellAt(0, column).firstCursorPosition()
        assert cursor.block().text() == name
        assert cursor.block() == table.cellAt(0, column).lastCursorPosition().block()
        cursor.movePosition(cursor.MoveOperation.Right)
        assert cursor.charFormat().fontWeight() == QFont.Weight.DemiBold


def test_the_name_of_a_column_stands_where_its_values_do(qtbot: QtBot) -> None:
    page = RenderedView()
    qtbot.addWidget(page)
    page.show_markdown("| File | Bytes | Lines |\n|---|---:|:--:|\n| notes.txt | 512 | 9 |\n")
    (table,) = (frame for frame in page.document().rootFrame().childFrames() if isinstance(frame, QTextTable))

    def sides(row: int) -> list[Qt.AlignmentFlag]:
        sought = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignHCenter
        cells = (table.cellAt(row, column) for column in range(3))
        return [cell.firstCursorPosition().blockFormat().alignment() & sought for cell in cells]

    nowhere = Qt.AlignmentFlag(0)
    assert sides(0) == sides(1) == [nowhere, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter]


def test_of_a_long_page_the_beginning_is_laid_out(qtbot: QtBot) -> None:
    page = RenderedView()
    qtbot.addWidget(page)
    page.show_markdown("word " * MOST_RENDERED)

    assert len(page.toPlainText()) < MOST_RENDERED + 100
    assert page.toPlainText().endswith("… 120,000 more characters: Source shows them all.")
    page.clear_page()
    assert page.toPlainText() == ""


def test_the_table_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = RowsModel()
    model.show_table(table_of([*SHOP["rows"], {"name": "x" * 999, "other": [1]}]))
    qtmodeltester.check(model)
    model.show_order([2, 0])

    assert (model.rowCount(), model.columnCount()) == (2, 3)
    assert [model.index(0, column).data() for column in range(3)] == ["fig", "7", ""]
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "fig"
    assert model.index(0, 1).data(RowsModel.VALUE_ROLE) == 7
    assert model.headerData(1, Qt.Orientation.Horizontal) == "price"
    model.clear()
    assert model.rowCount() == 0


async def test_rows_are_sorted_by_key_and_click(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(SHOP)
        await on_show.choose(Representation.TABLE)
        table, rows = on_show.table, on_show.table.rows
        assert on_show.lines() == ["pear 3", "apple 10", "fig 7"]
        rows.setCurrentIndex(table.model.index(0, 1))

        def name() -> str:
            return str(table.model.headerData(1, Qt.Orientation.Horizontal))

        for expected, shown_name in (
            (["pear 3", "fig 7", "apple 10"], "price ↑"),
            (["apple 10", "fig 7", "pear 3"], "price ↓"),
        ):
            on_show.qtbot.keyClick(rows, Qt.Key.Key_S)
            await on_show.rest()
            assert on_show.lines() == expected
            assert name() == shown_name
        on_show.qtbot.keyClick(rows, Qt.Key.Key_S)
        await on_show.rest()
        assert on_show.lines() == ["pear 3", "apple 10", "fig 7"]
        assert name() == "price"

        head = rows.horizontalHeader().viewport()
        on_show.qtbot.mouseClick(head, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
        await on_show.rest()
        assert on_show.lines() == ["apple 10", "fig 7", "pear 3"]


async def test_rows_are_filtered_while_one_types(shown: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown() as on_show:
        await on_show.show(SHOP)
        await on_show.choose(Representation.TABLE)
        table = on_show.table
        assert on_show.view.focus_filter()
        on_show.qtbot.keyClicks(table.filter, "P")
        on_show.qtbot.keyClicks(table.filter, "E")
        table._typing.timeout.emit()
        await on_show.rest()
        assert on_show.lines() == ["pear 3"]
        assert table.filter.accessibleDescription() == "1 of 3"

        on_show.qtbot.keyClick(table.filter, Qt.Key.Key_Down)
        assert table.rows.hasFocus()
        on_show.qtbot.keyClick(table.filter, Qt.Key.Key_Escape)
        table._typing.timeout.emit()
        await on_show.rest()
        assert len(on_show.lines()) == 3


async def test_an_order_that_is_not_wanted_any_more_is_passed_over(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(SHOP)
        await on_show.choose(Representation.TABLE)
        table = on_show.table
        table.sort_by(0)
        await on_show.show([{"a": 2}, {"a": 1}])

        assert on_show.lines() == ["2", "1"]
        assert table.arrangement.column is None


async def test_columns_are_chosen_and_the_last_one_stays(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(SHOP)
        await on_show.choose(Representation.TABLE)
        table = on_show.table
        on_show.qtbot.mouseClick(table.columns, Qt.MouseButton.LeftButton)
        menu = popup()
        assert [action.text() for action in menu.actions()] == ["name", "price"]
        menu.actions()[0].trigger()
        menu.close()
        assert on_show.lines() == ["3", "10", "7"]

        on_show.qtbot.mouseClick(table.columns, Qt.MouseButton.LeftButton)
        menu = popup()
        assert [action.isEnabled() for action in menu.actions()] == [True, False]
        menu.close()


async def test_shown_rows_are_exported(shown: Show, tmp_path: Path) -> None:
    async def export(on_show: Shown, number: int, path: Path) -> None:
        on_show.qtbot.mouseClick(on_show.table.export, Qt.MouseButton.LeftButton)
        menu = popup()
        menu.actions()[number].trigger()
        menu.close()
        dialog = on_show.table.findChild(QFileDialog)
        assert dialog is not None
        dialog.fileSelected.emit(str(path))
        dialog.close()
        await on_show.rest()

    async with shown() as on_show:
        await on_show.show(SHOP)
        await on_show.choose(Representation.TABLE)
        on_show.table.sort_by(1)
        await on_show.rest()
        await export(on_show, 0, tmp_path / "rows.csv")
        await export(on_show, 1, tmp_path / "rows.json")
        await export(on_show, 1, tmp_path / "no folder" / "rows.json")

        assert (tmp_path / "rows.csv").read_text() == "name,price\npear,3\nfig,7\napple,10\n"
        assert [row["name"] for row in json.loads((tmp_path / "rows.json").read_text())] == ["pear", "fig", "apple"]
        assert on_show.said[0].startswith("Saved 3 rows as ")
        assert on_show.said[2] == "rows.json could not be saved: No such file or directory. Choose another place."


async def test_selected_rows_are_copied_for_a_spreadsheet(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(SHOP)
        await on_show.choose(Representation.TABLE)
        rows = on_show.table.rows
        rows.setCurrentIndex(on_show.table.model.index(1, 0))
        on_show.qtbot.keyClick(rows, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        on_show.qtbot.keyClick(rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

        assert QGuiApplication.clipboard().text() == "name\tprice\napple\t10\nfig\t7\n"
        assert on_show.said == ["2 rows are on the clipboard."]


async def test_a_row_is_previewed_and_opens_in_the_tree(shown: Show) -> None:
    async with shown() as on_show:
        view = on_show.view
        await on_show.show(SHOP)
        await on_show.choose(Representation.TABLE)
        rows = on_show.table.rows
        rows.setCurrentIndex(on_show.table.model.index(1, 0))
        assert view.preview.path == "$.rows[1]"
        on_show.qtbot.keyClick(rows, Qt.Key.Key_Return)

        assert on_show.shows(Representation.TREE)
        assert view.tree.json_model.path_at(view.tree.currentIndex()) == "$.rows[1]"

        await on_show.show(CSV)
        await on_show.choose(Representation.TABLE)
        rows.setCurrentIndex(on_show.table.model.index(1, 0))
        assert view.preview.path == "Row 2"
        assert json.loads(view.preview.text.text) == {"city": "Rome", "people": "2800000"}
        on_show.qtbot.keyClick(rows, Qt.Key.Key_Return)
        assert on_show.shows(Representation.TABLE)


async def test_any_list_in_the_tree_can_be_the_table(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(SHOP)
        on_show.view.tree.table_requested.emit(("more",))
        await on_show.rest()
        assert on_show.lines() == ["0", "1", "2", "3"]
        assert on_show.table.place.text() == "4 rows of $.more"

        await on_show.show({"deep": {"rows": [{"a": 5}]}})
        assert list(on_show.view.forms) == [Representation.TREE, Representation.TEXT]
        on_show.view.tree.table_requested.emit(("deep", "rows"))
        await on_show.rest()
        assert on_show.shows(Representation.TABLE)
        assert on_show.lines() == ["5"]


async def test_an_expression_shows_what_it_picks_until_the_whole_is_wanted(shown: Show) -> None:
    async with shown() as on_show:
        view = on_show.view
        ended: list[str] = []
        view.query_ended.connect(ended.append)
        await on_show.show(SHOP)
        view.query(" rows[?price > `5`] ")
        await on_show.rest()

        assert view.content is not None
        assert view.content.value == SHOP["rows"][1:]
        assert view.picked.accessibleDescription() == "rows[?price > `5`] picks 2 items"
        assert view.preview.path == "rows[?price > `5`] | [0]"
        await on_show.choose(Representation.TABLE)
        assert on_show.lines() == ["apple 10", "fig 7"]

        view.query("rows[")
        await on_show.rest()
        assert ended[0] == ""
        assert ended[1].startswith("Expected a JMESPath expression")
        assert view.content.value == SHOP["rows"][1:]

        on_show.qtbot.mouseClick(view.picked.whole, Qt.MouseButton.LeftButton)
        await on_show.rest()
        assert view.content.value is SHOP
        assert not view.picked.isVisible()


async def test_an_expression_picks_from_json_in_a_text_too(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show('{"a": [1, 2, 3]}')
        on_show.view.query("a[-1]")
        await on_show.rest()
        assert on_show.view.content is not None
        assert on_show.view.content.value == 3
        on_show.view.query("length(a)")
        await on_show.rest()
        assert on_show.view.content.value == 3
        on_show.view.query("")
        await on_show.rest()
        assert on_show.view.content.kind is ContentKind.TEXT


async def test_what_was_picked_from_another_result_is_passed_over(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(SHOP)
        on_show.view.query("rows")
        await on_show.show({"a": 1})

        assert on_show.view.content is not None
        assert on_show.view.content.value == {"a": 1}


async def test_values_that_do_not_fit_their_schema_are_marked(shown: Show) -> None:
    async with shown() as on_show:
        schema = {"properties": {"shop": {"type": "integer"}}}
        await on_show.show(SHOP, schema=schema)
        image = on_show.view.tree.viewport().grab().toImage()
        image.save("/tmp/colors.png")
        seen = {image.pixelColor(x, y).rgb() for x in range(400) for y in range(100)}

        assert load_theme("light").status.error.text.rgb() in seen


async def test_a_file_that_is_not_shown_opens_elsewhere(shown: Show) -> None:
    async with shown() as on_show:
        await on_show.show(PDF, name="../report.exe", mime_type="application/pdf")
        details = on_show.named("Details")
        assert details.accessibleDescription() == "Name: ../report.exe; Type: application/pdf; Size: 115 B; Pages: 7"
        assert on_show.opened == []
        on_show.qtbot.mouseClick(details.open_button, Qt.MouseButton.LeftButton)
        await on_show.rest()

        path = Path(on_show.opened[0].toLocalFile())
        assert path.name == "report.pdf"
        assert await asyncio.to_thread(path.read_bytes) == PDF
        on_show.has_program = False
        on_show.qtbot.mouseClick(details.open_button, Qt.MouseButton.LeftButton)
        await on_show.rest()
        assert on_show.said == ["There is no program for application/pdf. Save the file to use it elsewhere."]
        on_show.presenter.close()
        assert not await asyncio.to_thread(path.exists)

        await on_show.show(b"\x7fELF\0", name="run", mime_type="application/octet-stream")
        assert not details.open_button.isVisible()
        await on_show.choose(Representation.BYTES)
        assert on_show.view.text.text.startswith("00000000  7f 45 4c 46 00")


async def test_attachments_are_previewed_in_every_form(qtbot: QtBot) -> None:
    view, scope = AttachmentsView(), TaskScope("test")
    qtbot.addWidget(view)
    made: list[Shown] = []

    def stand_behind(preview: ContentView) -> None:
        made.append(Shown(qtbot, preview, scope))

    view.preview_made.connect(stand_behind)
    view.resize(1000, 300)
    view.show()
    files = (
        Attachment("red.png", "image/png", png()),
        Attachment("broken.png", "image/png", b"no picture"),
        Attachment("rows.json", "application/json", b'[{"a": 1}]'),
    )
    view.show_attachments(files)
    preview = made[0]
    await preview.rest()
    picture = preview.named("Picture")
    assert picture.isVisible()
    assert picture.accessibleDescription() == "900 by 40 pixels"
    middle = picture.grab().toImage().pixelColor(picture.width() // 2, picture.height() // 2)
    assert (middle.red(), middle.green()) == (255, 0)

    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    await preview.rest()
    assert preview.named("Details").isVisible()
    assert list(view.forms.choices) == ["Details", "Bytes"]

    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    await preview.rest()
    assert list(view.forms.choices) == ["Tree", "Table", "Text"]
    view.forms.setFocus()
    qtbot.keyClick(view.forms, Qt.Key.Key_Right)
    await preview.rest()
    assert preview.lines() == ["1"]

    view.show_attachments(())
    assert preview.view.content is None
    preview.presenter.close()
    await scope.close()


def test_all_attachments_are_saved_at_once(qtbot: QtBot) -> None:
    view = AttachmentsView()
    qtbot.addWidget(view)
    view.resize(1000, 300)
    view.show()
    files = tuple(Attachment(name, "text/plain", b"x") for name in ("a.txt", "b.txt"))
    view.show_attachments(files[:1])
    assert not view.save_all.isVisible()

    view.show_attachments(files)
    with qtbot.waitSignal(view.save_all_chosen) as chosen:
        qtbot.mouseClick(view.save_all, Qt.MouseButton.LeftButton)
        dialog = view.findChild(QFileDialog)
        assert dialog is not None
        dialog.fileSelected.emit("folder")
        dialog.close()
    assert chosen.args == [files, "folder"]


async def test_every_form_with_words_is_searched(shown: Show) -> None:
    async with shown() as on_show:
        view = on_show.view
        await on_show.show(MARKDOWN + "\nwords again\n")
        page = on_show.named("Result as a page")
        places = []
        for backwards in (False, False, False, True):
            assert view.find("WORDS", backwards=backwards)
            places.append(page.textCursor().position())
        assert places[0] == places[2] < places[1] == places[3]
        assert not view.find("nowhere")
        assert page.textCursor().position() == places[3]

        await on_show.choose(Representation.SOURCE)
        assert view.find("words")
        assert view.text.selected_text == "words"
        await on_show.show(SHOP)
        assert view.find("price", names_only=True)
        await on_show.choose(Representation.TABLE)
        assert not view.find("pear")
        view.focus_page()
        assert on_show.table.rows.isVisible()
