"""Lists of objects as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHeaderView, QWidget

from console.assets import icon
from console.language import tr
from console.schema_form.document import Document
from console.schema_form.editor import RETURN_KEYS, ItemKey, item_key
from console.schema_form.field_row import FieldRow
from console.schema_form.fields import Field, FieldKind
from console.schema_form.json_text import write_json
from console.schema_form.layouts import bring_into_view
from console.schema_form.messages import given
from console.schema_form.pasting import pasted_records
from console.schema_form.paths import ABSENT, Path, label
from console.schema_form.rows_editor import ITEM_WORDS, ItemsEditor
from console.schema_form.structure_editor import BODY_MARGINS
from console.theme import theme_of
from console.widgets import IconButton, RowTable, TextLabel, vbox

if TYPE_CHECKING:
    from console.schema_form.rows import RowMaker

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NUMBERS: Final = frozenset({FieldKind.INTEGER, FieldKind.NUMBER})
_LOOKED_AT: Final = 200
_MOST_COLUMNS: Final = 40
_LONGEST: Final = 200


def columns_of(document: Document, path: Path) -> tuple[Field, ...]:
    """Return what the columns of a list of objects are: the names its schema knows, then others that its items have."""
    held = document.get(path)
    items = held if isinstance(held, list | tuple) else ()
    new = (*path, len(items))
    known = {field.name: field for field in document.fields(new)}
    for item in items[:_LOOKED_AT]:
        for name in item if isinstance(item, Mapping) else ():
            if name not in known:
                known[name] = document.field((*new, name))
    return tuple(known.values())[:_MOST_COLUMNS]


class ItemsModel(QAbstractTableModel):
    """Show a list of objects; the vertical head names the place of an item, and says if something is wrong with it."""

    def __init__(self, document: Document, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._path = path
        self._items: Sequence[Any] = ()
        self._columns: tuple[Field, ...] = ()
        self._problems: dict[int, str] = {}

    @property
    def columns(self) -> tuple[Field, ...]:
        return self._columns

    def follow(self) -> None:
        held = self._document.get(self._path)
        items: Sequence[Any] = held if isinstance(held, list | tuple) else ()
        if items is not self._items:
            columns = columns_of(self._document, self._path)
            if [field.name for field in columns] == [field.name for field in self._columns]:
                self._follow_items(items)
            else:
                self.beginResetModel()
                self._items, self._columns = items, columns
                self.endResetModel()
        self._follow_problems()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._items)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return self._place(section, role)
        if section >= len(self._columns):
            return None
        field = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return field.name
        if role == Qt.ItemDataRole.TextAlignmentRole and field.kind in _NUMBERS:
            return _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(part for part in (field.title or field.name, field.description) if part)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, field = index.row(), self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, field)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._problems.get(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and self._is_number(row, field):
            return _RIGHT
        return None

    def _place(self, row: int, role: int) -> Any:
        problem = self._problems.get(row, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return str(row)
        if role == Qt.ItemDataRole.DecorationRole:
            return icon("circle-alert", role="error") if problem else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row}, {problem}" if problem else str(row)
        return problem or None if role == Qt.ItemDataRole.ToolTipRole else None

    def _follow_items(self, items: Sequence[Any]) -> None:
        """Tell the view what was put in, taken out or changed between what is the same at both ends."""
        old = self._items
        shorter = min(len(old), len(items))
        start = next((place for place in range(shorter) if old[place] is not items[place]), shorter)
        left = shorter - start
        end = next((place for place in range(left) if old[-1 - place] is not items[-1 - place]), left)
        gone, come = len(old) - start - end, len(items) - start - end
        if gone > come:
            self.beginRemoveRows(_ROOT, start + come, start + gone - 1)
            self._items = items
            self.endRemoveRows()
        elif come > gone:
            self.beginInsertRows(_ROOT, start + gone, start + come - 1)
            self._items = items
            self.endInsertRows()
        self._items = items
        changed = min(gone, come)
        if changed and self._columns:
            self.dataChanged.emit(self.index(start, 0), self.index(start + changed - 1, len(self._columns) - 1))

    def _follow_problems(self) -> None:
        depth = len(self._path)
        problems: dict[int, str] = {}
        for error in self._document.errors():
            place = error.path[depth] if error.path[:depth] == self._path and len(error.path) > depth else None
            if isinstance(place, int):
                problems.setdefault(place, error.message)
        if problems == self._problems:
            return
        self._problems = problems
        if self._items:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self._items) - 1)

    def _text(self, row: int, field: Field) -> str:
        draft = self._document.draft((*self._path, row, field.name))
        if draft is not None:
            return draft.text
        value = self._value(row, field)
        if value is ABSENT:
            return ""
        if field.secret:
            return "••••••"
        return value[:_LONGEST].replace("\n", " ⏎ ") if isinstance(value, str) else given(value)

    def _is_number(self, row: int, field: Field) -> bool:
        value = self._value(row, field)
        return isinstance(value, int | float | Decimal) and not isinstance(value, bool)

    def _value(self, row: int, field: Field) -> Any:
        item = self._items[row]
        return item.get(field.name, ABSENT) if isinstance(item, Mapping) else ABSENT


_MOST_ROWS: Final = 8
_PLACE_WIDTH: Final = 48
_COLUMN_WIDTH: Final = 140
_STRETCHED: Final = 6


class _ItemsTable(RowTable):
    """The items; Tab leaves it, and it is as high as its rows up to some."""

    def __init__(self, owner: TableEditor, model: ItemsModel, parent: QWidget) -> None:
        super().__init__(parent, scrolls_sideways=True)
        self._owner = owner
        theme = theme_of(self)
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        self.setFont(theme.font("code"))
        places = self.verticalHeader()
        places.show()
        places.setFixedWidth(_PLACE_WIDTH)
        places.setHighlightSections(False)
        header = self.horizontalHeader()
        header.setFixedHeight(theme.size.table_header)
        self.follow_columns()
        self.follow_rows()

    def follow_columns(self) -> None:
        """Share the width among the columns, or give each its own if there are many."""
        is_wide = self.model().columnCount() > _STRETCHED
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive if is_wide else QHeaderView.ResizeMode.Stretch)
        header.setDefaultSectionSize(_COLUMN_WIDTH)

    def follow_rows(self) -> None:
        theme = theme_of(self)
        rows = max(1, min(_MOST_ROWS, self.model().rowCount()))
        bar = theme.size.scroll_bar if self.model().columnCount() > _STRETCHED else 0
        self.setFixedHeight(theme.size.table_header + rows * theme.size.row_table + bar)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the fields with Enter, take away with Delete, copy; leave the keys of items to the list."""
        if self._owner.take_table_key(event):
            return
        super().keyPressEvent(event)


_ICONS: Final = {
    ItemKey.UP: "arrow-up",
    ItemKey.DOWN: "arrow-down",
    ItemKey.DUPLICATE: "copy",
    ItemKey.REMOVE: "trash-2",
}


class TableEditor(ItemsEditor):
    """A list of objects."""

    row_depth = 2

    def __init__(self, field: Field, document: Document, maker: RowMaker, parent: QWidget | None = None) -> None:
        self.table: _ItemsTable | None = None
        self._title: TextLabel | None = None
        super().__init__(field, document, maker, parent)
        self.model = ItemsModel(document, field.path, self)
        self.begin()

    def add_tools(self) -> None:
        self._item_buttons = {key: self._tool(key, icon, ITEM_WORDS[key]) for key, icon in _ICONS.items()}

    def paste_words(self) -> str:
        return tr("Paste rows: JSON, or lines from a table or a CSV file")

    def make_body(self) -> QWidget:
        body = QWidget(self.frame)
        column = vbox(body, margins=BODY_MARGINS, spacing=8)
        self.model.follow()
        self.table = _ItemsTable(self, self.model, body)
        self.table.setAccessibleName(self.field.accessible_name)
        self.table.selectionModel().currentRowChanged.connect(self._on_selection_current_row_changed)
        self.table.doubleClicked.connect(self._on_table_double_clicked)
        self.model.modelReset.connect(self._on_model_reset)
        column.addWidget(self.table)
        self._title = TextLabel("", "small", "text3", parent=body)
        column.addWidget(self._title)
        if self.items:
            self.table.selectRow(0)
        column.addWidget(self.make_rows(self._wanted, body))
        return body

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        if self.table is None or self._title is None:
            return
        self.model.follow()
        self.table.follow_rows()
        count = self.model.rowCount()
        self.table.setVisible(count > 0)
        current = self.current()
        if current is None and count:
            self.table.selectRow(count - 1)
            current = count - 1
        self._title.setText("" if current is None else label((*self.field.path, current)))
        self._title.setVisible(current is not None)
        for key, button in self._item_buttons.items():
            is_end = current == {ItemKey.UP: 0, ItemKey.DOWN: count - 1}.get(key, -1)
            button.setEnabled(current is not None and not is_end and not self.field.read_only)

    def reach(self, path: Path) -> FieldRow | None:
        place = path[len(self.field.path)]
        if not isinstance(place, int) or not 0 <= place < len(self.items) or self.table is None:
            return None
        self.table.selectRow(place)
        return super().reach(path)

    def current(self) -> int | None:
        row = -1 if self.table is None else self.table.currentIndex().row()
        return row if 0 <= row < self.model.rowCount() else None

    def go_to_item(self, place: int) -> None:
        """Make an item the current one; the focus goes to its first field, or stays in the table or on a button."""
        if self.table is None:
            return
        was_in_table = self.table.hasFocus()
        was_on_button = any(button.hasFocus() for button in self._item_buttons.values())
        self.table.selectRow(place)
        self.table.scrollTo(self.model.index(place, 0))
        first = next(iter(self.inner_rows()), None)
        if was_on_button:
            return
        if was_in_table or first is None:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            bring_into_view(first)
            first.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)

    def read_items(self, text: str) -> list[Any]:
        return pasted_records(text, self.model.columns or self.document.fields((*self.field.path, len(self.items))))

    def take_table_key(self, event: QKeyEvent) -> bool:
        """Work on the current item; tell whether the key meant something."""
        current = self.current()
        key = item_key(event)
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif key is not None:
            return self.do(key, current)
        elif current is None:
            return False
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(write_json(self.document.shown((*self.field.path, current))))
        elif event.key() == Qt.Key.Key_Delete and not event.modifiers():
            self.remove_item(current)
        elif event.key() in RETURN_KEYS and not event.modifiers():
            self._enter(-1 if self.table is None else self.table.currentIndex().column())
        else:
            return False
        return True

    def _wanted(self) -> Sequence[Field]:
        """Return the fields of the current item, or one for all of it if it is no object."""
        current, items = self.current(), self.items
        # The table still has a row that is just being taken away.
        if current is None or current >= len(items):
            return ()
        path = (*self.field.path, current)
        if isinstance(items[current], Mapping):
            return self.document.fields(path)
        return (self.document.field(path)._replace(kind=FieldKind.JSON),)

    def _tool(self, key: ItemKey, icon: str, words: str) -> IconButton:
        button = IconButton(icon, tr("{action} in {name}", action=words, name=self.field.name), parent=self.frame)
        button.setToolTip(f"{words} ({key})")
        button.setProperty("itemKey", key)
        button.clicked.connect(self._on_tool_clicked)
        self.line.addWidget(button)
        return button

    def _enter(self, column: int) -> None:
        """Put the focus into the field of a column."""
        names = [field.name for field in self.model.columns]
        name = names[column] if 0 <= column < len(names) else ""
        rows = self.inner_rows()
        row = next((row for row in rows if row.field.name == name), next(iter(rows), None))
        if row is not None:
            bring_into_view(row)
            row.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_tool_clicked(self) -> None:
        self.do(ItemKey(self.sender().property("itemKey")), self.current())

    def _on_selection_current_row_changed(self) -> None:
        for rows in self.inner:
            rows.refresh()
        self.refresh()

    def _on_table_double_clicked(self, index: QModelIndex) -> None:
        self._enter(index.column())

    def _on_model_reset(self) -> None:
        if self.table is not None:
            self.table.follow_columns()
