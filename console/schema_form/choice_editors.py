"""Editors of values chosen from a list: one of them, or several."""

from __future__ import annotations

from typing import Any, Final, Literal

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from console.language import tr
from console.schema_form.document import Document
from console.schema_form.editor import RETURN_KEYS, FieldEditor, is_run, mark
from console.schema_form.fields import Choice, Field
from console.schema_form.layouts import FlowLayout
from console.schema_form.messages import given
from console.schema_form.paths import ABSENT, same
from console.theme import theme_of
from console.widgets import Completer, SearchField, TextLabel, hbox, vbox

BooleanWords = Literal["description", "name", "value"]
"""What stands beside a check box: what it means, the argument's name, or `true` and `false`."""

_STATES: Final = {True: Qt.CheckState.Checked, False: Qt.CheckState.Unchecked}
MOST_UNSEARCHED: Final = 10
"""More choices than this can be searched by typing."""
_CLEARING: Final = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class _TickBox(QCheckBox):
    """A check box whose third state, nothing chosen yet, is left by a click and not entered by one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # Nothing chosen must not look like something switched on.
        self.setProperty("dash", "neutral")

    def nextCheckState(self) -> None:
        is_checked = self.checkState() is Qt.CheckState.Checked
        self.setCheckState(Qt.CheckState.Unchecked if is_checked else Qt.CheckState.Checked)


class _BoxWords(TextLabel):
    """Words beside a check box that toggle it; they wrap, which a check box's own text cannot."""

    def __init__(self, box: QCheckBox, parent: QWidget) -> None:
        super().__init__(wrap=True, parent=parent)
        self._box = box

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._box.isEnabled() and event.button() is Qt.MouseButton.LeftButton:
            self._box.setFocus(Qt.FocusReason.MouseFocusReason)
            self._box.click()


class BooleanEditor(FieldEditor):
    """A check box; a dash in it says that nothing was chosen yet, Delete takes the choice back."""

    def __init__(
        self,
        field: Field,
        document: Document,
        *,
        words: BooleanWords = "description",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(field, document, parent)
        self._words = words
        self.box = _TickBox(self)
        self.box.setFixedWidth(theme_of(self).size.icon)
        self._label = _BoxWords(self.box, self)
        if words != "description":
            self._label.set_font_role("code")
        if words == "name":
            self._label.set_tone("text2")
        self._label.setVisible(words != "description" or bool(field.description))
        row = hbox(self, margins=(0, 4, 0, 4), spacing=8)
        row.addWidget(self.box, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._label, 1 if words != "name" else 0)
        if self._label.isHidden():
            row.addStretch(1)
        self.adopt(self.box)
        self.box.checkStateChanged.connect(self._on_box_check_state_changed)
        self._is_showing = False
        self.refresh()

    def show_value(self, value: Any) -> None:
        self._is_showing = True
        self.box.setCheckState(_STATES[value] if isinstance(value, bool) else Qt.CheckState.PartiallyChecked)
        self._is_showing = False
        self._label.setText(self._words_for(value))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CLEARING:
            self.clear()
            return
        super().keyPressEvent(event)

    def _words_for(self, value: Any) -> str:
        if self._words == "description":
            return self.field.description
        if self._words == "name":
            return self.field.name
        return tr("not set") if value is ABSENT else given(value)

    def _on_box_check_state_changed(self, state: Qt.CheckState) -> None:
        if not self._is_showing:
            self.write(state is Qt.CheckState.Checked)


class ChoiceBox(QComboBox):
    """A combo box that the wheel changes only while it has the focus, so that scrolling a form changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ChoiceEditor(FieldEditor):
    """One of the values that the schema lists. Titled ones show their title, others themselves in the code face."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self._choices = field.choices
        if field.required and field.nullable:
            self._choices = (*self._choices, Choice(None, "null"))
        self.combo = ChoiceBox(self)
        self.combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(8)
        self.combo.setMaxVisibleItems(12)
        is_titled = any(choice.titled for choice in self._choices)
        self.combo.setFont(theme_of(self).font("body" if is_titled else "code"))
        self._offset = 0 if field.required else 1
        if self._offset:
            self.combo.addItem(tr("not set"))
        self.combo.addItems([choice.title for choice in self._choices])
        for index, choice in enumerate(self._choices, start=self._offset):
            if choice.description:
                self.combo.setItemData(index, choice.description, Qt.ItemDataRole.ToolTipRole)
        hbox(self).addWidget(self.combo, 1)
        self._search: QLineEdit | None = None
        self._completer: Completer | None = None
        if len(self._choices) > MOST_UNSEARCHED:
            self._search = QLineEdit(self.combo)
            self._completer = Completer(self.combo.model(), self)
            self._add_search(self._search, self._completer)
        self.adopt(self.combo)
        # On Linux Qt calls a combo box by its value, whatever its name; so what is around it has the name as well.
        self.setAccessibleName(self.field.accessible_name)
        if self.field.example:
            self.combo.setToolTip(tr("For example {example}", example=self.field.example))
        self.combo.activated.connect(self._on_combo_activated)
        self.refresh()

    def show_value(self, value: Any) -> None:
        index = next((at for at, choice in enumerate(self._choices) if same(choice.value, value)), -1)
        self._mark_unset(unset=index < 0 and value is ABSENT)
        if index >= 0:
            self.combo.setCurrentIndex(index + self._offset)
            return
        self.combo.setCurrentIndex(-1)
        words = self._unset_words() if value is ABSENT else given(value)
        self.combo.setPlaceholderText(words)
        if self._search is not None:
            self._search.clear()
            self._search.setPlaceholderText(words)

    def _mark_unset(self, *, unset: bool) -> None:
        """Show what stands in the place of a choice in the tone of hints, which a box does not do by itself."""
        if bool(self.combo.property("unset")) != unset:
            mark(self.combo, "unset", unset)

    def _unset_words(self) -> str:
        """Say that nothing is chosen; an example would stand there as if somebody had chosen it."""
        default = self.field.default
        if default is not ABSENT and default is not None:
            return tr("not set, default {default}", default=given(default))
        return tr("Choose…") if self.field.required else tr("not set")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put the choice back where what was typed is left and is none."""
        if event.type() is QEvent.Type.FocusOut and watched is self._search and not self._is_completing():
            self._settle()
        return super().eventFilter(watched, event)

    def _add_search(self, search: QLineEdit, completer: Completer) -> None:
        """Let a person type a part of the choice; the list shows what holds it."""
        search.setFont(self.combo.font())
        self.combo.setEditable(True)
        self.combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.combo.setLineEdit(search)
        completer.setCompletionMode(Completer.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(12)
        self.combo.setCompleter(completer)
        popup = completer.popup()
        if popup is not None:
            popup.setProperty("popup", True)
        search.installEventFilter(self)
        search.returnPressed.connect(self._settle)

    def _is_completing(self) -> bool:
        popup = None if self._completer is None else self._completer.popup()
        return popup is not None and popup.isVisible()

    def _settle(self) -> None:
        """Take the choice that was typed in full, or the only one that holds what was typed; else the one before."""
        typed = self.combo.currentText().strip().casefold()
        titles = [choice.title.casefold() for choice in self._choices]
        found = [index for index, title in enumerate(titles) if title == typed]
        found = found or [index for index, title in enumerate(titles) if typed and typed in title]
        if len(found) == 1:
            self.write(self._choices[found[0]].value)
        elif not typed and self._offset:
            self.clear()
        self.refresh()

    def _on_combo_activated(self, index: int) -> None:
        if index < self._offset:
            self.clear()
        else:
            self.write(self._choices[index - self._offset].value)


_LINES: Final = 6
_ROW: Final = 24


def selection_editor(field: Field, document: Document, parent: QWidget | None = None) -> FieldEditor:
    """Make the editor of several choices."""
    kind = SearchedSelectionEditor if len(field.choices) > MOST_UNSEARCHED else SelectionEditor
    return kind(field, document, parent)


class SelectionEditor(FieldEditor):
    """Several of the values that the schema lists, as check boxes."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self._choices = field.choices
        self._boxes: list[QCheckBox] = []
        self._is_showing = False
        flow = FlowLayout(16, self)
        flow.setContentsMargins(0, 4, 0, 4)
        font = theme_of(self).font("body" if any(choice.titled for choice in self._choices) else "code")
        for choice in self._choices:
            box = QCheckBox(choice.title.replace("&", "&&"), self)
            box.setFont(font)
            box.setToolTip(choice.description)
            box.setAccessibleName(f"{field.accessible_name}: {choice.title}")
            box.toggled.connect(self._on_box_toggled)
            self._boxes.append(box)
            flow.addWidget(box)
        self.adopt(self)
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Pass the focus on to the first box. A proxy would do so too, but Tab counts it as a stop of its own."""
        self._boxes[0].setFocus(event.reason())

    def show_value(self, value: Any) -> None:
        chosen = value if isinstance(value, list) else []
        self._is_showing = True
        for box, choice in zip(self._boxes, self._choices, strict=True):
            box.setChecked(any(same(choice.value, item) for item in chosen))
        self._is_showing = False

    def _on_box_toggled(self, checked: bool) -> None:
        if self._is_showing:
            return
        kept = self.document.get(self.field.path)
        for box, choice in zip(self._boxes, self._choices, strict=True):
            kept = _with(kept, choice.value, is_in=box.isChecked())
        self.write(kept)


class SearchedSelectionEditor(FieldEditor):
    """Several of many values: a list with ticks, and a search above it. Space ticks, Down leaves the search."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.search = SearchField(tr("Search {count:,} values", count=len(field.choices)), parent=self)
        self.search.setAccessibleName(tr("Search {name}", name=field.accessible_name))
        self.list = QListWidget(self)
        self.list.setProperty("card", "true")
        self.list.setFrameShape(QFrame.Shape.StyledPanel)
        self.list.setUniformItemSizes(True)
        self.list.setFont(theme_of(self).font("body" if any(choice.titled for choice in field.choices) else "code"))
        self.list.setFixedHeight(_LINES * _ROW)
        self._choice_items = [(choice, QListWidgetItem(choice.title, self.list)) for choice in field.choices]
        for choice, item in self._choice_items:
            item.setToolTip(choice.description)
            item.setCheckState(Qt.CheckState.Unchecked)
        self._is_showing = False
        column = vbox(self, spacing=4)
        column.addWidget(self.search)
        column.addWidget(self.list)
        self.adopt(self.list)
        self.search.installEventFilter(self)
        self.search.textChanged.connect(self._on_search_text_changed)
        self.search.down_requested.connect(self._on_search_down_requested)
        self.list.itemChanged.connect(self._on_list_item_changed)
        self.refresh()

    def show_value(self, value: Any) -> None:
        chosen = value if isinstance(value, list) else []
        self._is_showing = True
        for choice, item in self._choice_items:
            item.setCheckState(_STATES[any(same(choice.value, held) for held in chosen)])
        self._is_showing = False
        self.show_hint(tr("{chosen:,} of {count:,} chosen", chosen=len(chosen), count=len(self.field.choices)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tick with Enter as with Space."""
        is_press = watched is self.list and event.type() is QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and event.key() in RETURN_KEYS and not is_run(event):
            item = self.list.currentItem()
            if item is not None:
                item.setCheckState(_STATES[item.checkState() is not Qt.CheckState.Checked])
            return True
        return super().eventFilter(watched, event)

    def _on_search_text_changed(self, words: str) -> None:
        wanted = words.strip().casefold()
        for choice, item in self._choice_items:
            item.setHidden(wanted not in choice.title.casefold())
        # Enter ticks nothing that is not seen.
        self.list.setCurrentRow(-1)

    def _on_search_down_requested(self) -> None:
        self.list.setFocus(Qt.FocusReason.TabFocusReason)
        shown = next((item for _, item in self._choice_items if not item.isHidden()), None)
        if self.list.currentItem() is None and shown is not None:
            self.list.setCurrentItem(shown)

    def _on_list_item_changed(self, changed: QListWidgetItem) -> None:
        if self._is_showing:
            return
        choice = self._choice_items[self.list.row(changed)][0]
        is_in = changed.checkState() is Qt.CheckState.Checked
        self.write(_with(self.document.get(self.field.path), choice.value, is_in=is_in))


def _with(held: Any, value: Any, *, is_in: bool) -> list[Any]:
    """Return a list with a value or without it; what else is in it stays, in its order."""
    items = list(held) if isinstance(held, list) else []
    if is_in and any(same(value, item) for item in items):
        return items
    kept = [item for item in items if not same(value, item)]
    return [*kept, value] if is_in else kept
