"""One result, in the form a person chooses: tree, table, page, picture, text, source, bytes."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.json_view import (
    JsonTreeView,
    PreviewPane,
    SchemaHints,
    TextView,
    WritePath,
    is_container,
    json_path,
    json_spans,
    size_words,
)
from console.json_view.query import picked_path
from console.language import tr
from console.viewers.preparing import Source, TableContent
from console.viewers.rendered_view import RarePages, RenderedView
from console.viewers.representations import (
    Content,
    ContentKind,
    Representation,
    first_look,
    representations_of,
    table_place,
)
from console.viewers.table_view import TabularView
from console.widgets import BarFrame, Button, ElidedLabel, ThinSplitter, vbox
from tools.spec import MISSING


class SelectionBar(BarFrame):
    """Say what was picked out of a result."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(32, surface="panel", margins=(12, 6), parent=parent)
        self.setAccessibleName(tr("Picked"))
        self._words = ElidedLabel("", "small", "text2", elide=Qt.TextElideMode.ElideMiddle)
        self.whole = Button(tr("Show the whole result"), kind="ghost", icon="undo-2")
        self.row.addWidget(self._words, 1)
        self.row.addWidget(self.whole)
        self.hide()

    def show_picked(self, expression: str, value: Any) -> None:
        amount = size_words(value) if is_container(value) else tr("nothing") if value is None else tr("1 value")
        words = tr("{expression} picks {amount}", expression=expression, amount=amount)
        self._words.set_text(words)
        self.setAccessibleDescription(words)
        self.show()


_LEAST_WIDTH_WITH_PREVIEW: Final = 760
_PREVIEW_SHARE: Final = 0.395
_TEXT_FORMS: Final = (Representation.TEXT, Representation.SOURCE, Representation.BYTES)
_OPENED: Final = ("audio/", "video/", "image/", "application/pdf")


class ContentView(QWidget):
    """Show a result. What takes time is asked for by signals; until it comes, what is there already is shown.

    Args:
        forms: The forms that are offered where they fit; None for all.

    Signals:
        forms_changed: The forms there are, or the one that is shown, changed.
        form_wanted(Content, Form): What a form shows is to be prepared; `show_prepared` takes it.
        hints_wanted(object, object): What a schema says of a value is to be found; `show_hints` takes it.
        query_wanted(object, str): A JMESPath expression is to pick from a value; `show_picked` takes it.
        query_ended(str): A JMESPath expression picked something, or this says why not.
        find_finished(bool): A search that `find` had to leave unfinished ended: whether the text was found.
        open_requested(Content): A file is to be opened elsewhere.
        link_opened(QUrl): A link was clicked.
        noticed(str): The person is to be told a sentence.
        arrangement_wanted(Table, Arrangement): Rows are to be chosen and sorted; `show_order` takes them.
        table_export_chosen(str, str): The shown rows are to be written as one of `EXPORTS` into a file.
        table_copy_requested(object): These rows, by their numbers, are to be copied.
    """

    forms_changed = Signal()
    form_wanted = Signal(object, object)
    hints_wanted = Signal(object, object)
    query_wanted = Signal(object, str)
    query_ended = Signal(str)
    find_finished = Signal(bool)
    open_requested = Signal(object)
    link_opened = Signal(QUrl)
    noticed = Signal(str)
    arrangement_wanted = Signal(object, object)
    table_export_chosen = Signal(str, str)
    table_copy_requested = Signal(object)

    def __init__(
        self,
        name: str = tr("Result"),
        parent: QWidget | None = None,
        *,
        forms: Collection[Representation] | None = None,
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._offered = forms
        self.content: Content | None = None
        self._whole: Content | None = None
        self.forms: tuple[Representation, ...] = ()
        self.form: Representation | None = None
        self._chosen: Representation | None = None
        self._ready: set[Representation] = set()
        self._parsed: Any = None
        self._path_of: WritePath = json_path
        self.table: TabularView | None = None
        column = vbox(self)
        self.picked = SelectionBar(self)
        self._stack = QStackedWidget(self)
        column.addWidget(self.picked)
        column.addWidget(self._stack, 1)
        self._blank = QWidget()
        self._stack.addWidget(self._blank)
        self._has_pages = False
        self.picked.whole.clicked.connect(self.show_whole)

    def make_pages(self) -> None:
        """Make the pages of the forms that most results have: a page that never shows a result does without them."""
        if self._has_pages:
            return
        self._has_pages = True
        self._split = ThinSplitter(Qt.Orientation.Horizontal, self._stack)
        self._values = QStackedWidget(self._split)
        self.tree = JsonTreeView(self._values)
        self.tree.setObjectName("contentTree")
        self.tree.setAccessibleName(self._name)
        self.preview = PreviewPane(parent=self._split)
        self._values.addWidget(self.tree)
        self._split.addWidget(self._values)
        self._split.addWidget(self.preview)
        self.text = TextView(self._stack)
        self.text.setAccessibleName(tr("{name} text", name=self._name))
        for widget in (self._split, self.text):
            self._stack.addWidget(widget)
        self._rare = RarePages(self._stack, self._name)
        self._rare.link_opened.connect(self.link_opened)
        self._rare.open_requested.connect(self._on_rare_open_requested)
        self.tree.path_selected.connect(self.preview.show_value)
        self.tree.table_requested.connect(self._on_tree_table_requested)
        self.tree.opened_only.connect(self._on_tree_opened_only)
        self.tree.find_finished.connect(self.find_finished)
        self.text.find_finished.connect(self.find_finished)
        self.preview.setVisible(self.width() >= _LEAST_WIDTH_WITH_PREVIEW)
        self._fit_preview()

    def show_content(self, content: Content | None) -> None:
        """Show another result, in the form that was chosen last if it fits.

        Args:
            content: The result; None for nothing.
        """
        if content is not None:
            self.make_pages()
        self._whole = content
        self._parsed = None
        self.picked.hide()
        self._show(content, json_path)
        if content is not None and content.kind is ContentKind.JSON and content.schema is not None:
            self.hints_wanted.emit(content.schema, content.value)

    def choose_form(self, form: Representation) -> None:
        """Show the result in another form, and later ones too where it fits."""
        self._chosen = form
        if form in self.forms and form is not self.form:
            self._show_form(form)
            self.forms_changed.emit()

    def show_prepared(self, content: Content, form: Representation, made: Any) -> None:
        """Take what a form shows, unless something else is shown by now.

        Args:
            made: What `prepared` returned.
        """
        if content is not self.content or form not in self.forms:
            return
        self._fill(form, made)
        if form is self.form:
            self._stack_for(form)

    def drop_form(self, content: Content, form: Representation, why: str) -> None:
        """Take note that a form does not fit after all."""
        if content is not self.content or form not in self.forms:
            return
        self.forms = tuple(one for one in self.forms if one is not form)
        if self.form is form and self.forms:
            if self._chosen is form:
                self.noticed.emit(why)
            self._show_form(self.forms[0])
        self.forms_changed.emit()

    def show_hints(self, value: Any, hints: SchemaHints) -> None:
        """Show what a schema says of the values, unless others are shown by now."""
        if self._has_pages and self.tree.json_model.rowCount() and self.tree.json_model.value is value:
            self.tree.show_hints(hints)

    def query(self, expression: str) -> None:
        """Pick values with a JMESPath expression; "" shows the whole again."""
        if not expression.strip():
            self.show_whole()
        elif self._whole is not None:
            self.query_wanted.emit(self._whole_value(), expression.strip())

    def show_picked(self, whole: Any, expression: str, value: Any) -> None:
        """Show what an expression picked, unless something else is shown by now."""
        if self._whole is None or self._whole_value() is not whole:
            return
        self.picked.show_picked(expression, value)
        self._show(Content(ContentKind.JSON, value, self._whole.name), partial(picked_path, expression))
        self.query_ended.emit("")

    def show_query_problem(self, problem: str) -> None:
        """Say why an expression picks nothing."""
        self.query_ended.emit(problem)

    def show_whole(self) -> None:
        if not self.picked.isHidden():
            self.show_content(self._whole)

    # QWidget.find, which looks a widget up by its window id, is no use on an instance.
    def find(  # type: ignore[override]
        self, needle: str, *, backwards: bool = False, names_only: bool = False
    ) -> bool:
        """Go to the next place where a text stands in the form that is shown; behind the last one begin again.

        Args:
            needle: Upper and lower case are the same; "" finds nothing.
            backwards: Whether to look for the one before.
            names_only: Whether values do not count; only a tree has names.

        Returns:
            False if there is none; True if it was found, or if the search still goes on.
        """
        page = self._page()
        if isinstance(page, JsonTreeView):
            return page.find(needle, backwards=backwards, names_only=names_only)
        return isinstance(page, TextView | RenderedView) and page.find(needle, backwards=backwards)

    def focus_page(self) -> None:
        page = self._page()
        if page is not None:
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_filter(self) -> bool:
        """Put the caret into the filter of the table; tell whether a table is shown."""
        if self.form is not Representation.TABLE or self.table is None:
            return False
        self.table.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.table.filter.selectAll()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Close the preview where there is no room for it."""
        super().resizeEvent(event)
        if self._has_pages:
            self.preview.setVisible(self.width() >= _LEAST_WIDTH_WITH_PREVIEW)
            if event.oldSize().width() <= 0 or not self._split.sizes()[0]:
                self._fit_preview()

    def _fit_preview(self) -> None:
        wide = round(self.width() * _PREVIEW_SHARE)
        self._split.setSizes([self.width() - wide, wide])

    def sizeHint(self) -> QSize:
        return QSize(600, 240)

    def _page(self) -> QWidget | None:
        """Return what is shown, as a rule the page of the chosen form."""
        current = self._stack.currentWidget()
        return self._values.currentWidget() if self._has_pages and current is self._split else current

    def _whole_value(self) -> Any:
        whole = self._whole
        return whole.value if whole is not None and whole.kind is ContentKind.JSON else self._parsed

    def _show(self, content: Content | None, path_of: WritePath) -> None:
        self.content = content
        self._path_of = path_of
        self._ready.clear()
        self._let_go()
        fitting = representations_of(content) if content is not None else ()
        self.forms = tuple(form for form in fitting if self._offered is None or form in self._offered)
        self.form = None
        if content is None or not self.forms:
            self._stack.setCurrentWidget(self._blank)
            self.forms_changed.emit()
            return
        if content.kind is ContentKind.JSON:
            self._fill_tree(content.value)
        elif content.kind is ContentKind.TEXT:
            self.text.set_text(content.value)
            if Representation.SOURCE not in self.forms:
                self._ready.add(Representation.TEXT)
        self._show_form(self._chosen if self._chosen in self.forms else self.forms[0])
        self.forms_changed.emit()

    def _let_go(self) -> None:
        """Forget what was shown before something else is: results may be large."""
        if not self._has_pages:
            return
        self.preview.clear()
        self.tree.clear()
        self.text.clear()
        if self.table is not None:
            self.table.clear()
        self._rare.clear()

    def _show_form(self, form: Representation | None) -> None:
        content = self.content
        if content is None or form is None:
            return
        self.form = form
        if form in self._ready:
            self._stack_for(form)
            return
        if Representation.TREE in self._ready:
            self._stack_for(Representation.TREE)
        elif content.kind is ContentKind.TEXT:
            if self.text.text is not content.value:
                self.text.set_text(content.value)
                self._ready.difference_update(_TEXT_FORMS)
            self._stack.setCurrentWidget(self.text)
        else:
            self._stack.setCurrentWidget(self._blank)
        self.form_wanted.emit(content, form)

    def _fill(self, form: Representation, made: Any) -> None:
        if form is Representation.TREE:
            self._parsed = made
            self._fill_tree(made)
            if table_place(made) is None:
                self.forms = tuple(one for one in self.forms if one is not Representation.TABLE)
                self.forms_changed.emit()
        elif form is Representation.TABLE:
            self._fill_table(made)
        elif form is Representation.RENDERED:
            self._rare.rendered.show_markdown(made)
        elif form is Representation.PICTURE:
            self._rare.picture.show_image(made)
        elif form is Representation.DETAILS:
            content = self.content
            can_open = content is not None and content.mime_type.startswith(_OPENED)
            self._rare.details.show_details(made, can_open=can_open)
        else:
            self._fill_text(made)
            self._ready.difference_update(_TEXT_FORMS)
        self._ready.add(form)

    def _fill_tree(self, value: Any) -> None:
        self.tree.set_value(value, self._path_of)
        self._ready.add(Representation.TREE)
        # What a person most likely wants to see in the preview: the first of the things that were found.
        if self.tree.select(first_look(value)):
            self.tree.expand(self.tree.currentIndex())
            self.tree.scrollToTop()

    def _fill_text(self, made: str | Source) -> None:
        if isinstance(made, str):
            is_json = self.content is not None and self.content.kind is ContentKind.JSON
            self.text.set_text(made, spans_of=json_spans if is_json else None)
        elif made.text is self.text.text:
            self.text.set_spans(made.spans)
        else:
            self.text.set_text(made.text, spans=made.spans)

    def _fill_table(self, table: TableContent) -> None:
        name = self.content.name if self.content is not None else ""
        place = "" if not table.place else self._path_of(table.place)
        self._the_table().show_table(table, place, name or "table")

    def _stack_for(self, form: Representation) -> None:
        page: QWidget = self.text
        if form in {Representation.TREE, Representation.TABLE}:
            self._values.setCurrentWidget(self.tree if form is Representation.TREE else self._the_table())
            page = self._split
        elif form is Representation.RENDERED:
            page = self._rare.rendered
        elif form is Representation.PICTURE:
            page = self._rare.picture
        elif form is Representation.DETAILS:
            page = self._rare.details
        self._stack.setCurrentWidget(page)

    def _the_table(self) -> TabularView:
        if self.table is None:
            self.table = TabularView(self._values)
            self.table.rows.setAccessibleName(tr("{name} table", name=self._name))
            self._values.addWidget(self.table)
            self.table.arrangement_wanted.connect(self.arrangement_wanted)
            self.table.export_chosen.connect(self.table_export_chosen)
            self.table.copy_requested.connect(self.table_copy_requested)
            self.table.row_selected.connect(self._on_table_row_selected)
            self.table.row_opened.connect(self._on_table_row_opened)
        return self.table

    def _on_tree_table_requested(self, keys: tuple[str | int, ...]) -> None:
        if self.content is None:
            return
        self.content = self.content._replace(place=keys)
        self._ready.discard(Representation.TABLE)
        if Representation.TABLE not in self.forms:
            self.forms = (
                Representation.TREE,
                Representation.TABLE,
                *(form for form in self.forms if form is not Representation.TREE),
            )
        self.choose_form(Representation.TABLE)

    def _on_tree_opened_only(self, rows: int) -> None:
        self.noticed.emit(
            tr("There is more inside: {rows:,} rows are open. Open further ones as you need them.", rows=rows)
        )

    def _on_table_row_selected(self, row: int) -> None:
        table = self._the_table().model.table
        if table.place is not None:
            self.preview.show_value(self._path_of((*table.place, row)), table.rows[row])
            return
        cells = {name: table.cell(row, column) for column, name in enumerate(table.names)}
        self.preview.show_value(
            tr("Row {row:,}", row=row + 1), {name: cell for name, cell in cells.items() if cell is not MISSING}
        )

    def _on_table_row_opened(self, row: int) -> None:
        place = self._the_table().model.table.place
        if place is not None:
            self.choose_form(Representation.TREE)
            self.tree.select((*place, row))
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_rare_open_requested(self) -> None:
        if self.content is not None:
            self.open_requested.emit(self.content)
