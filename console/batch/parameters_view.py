"""What holds for a plan as a whole, in a sheet beside it; and the question for the values that a run is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from console.batch.side_view import Sheet, scrolled
from console.language import tr, tr_count
from console.schema_form import SchemaForm
from console.widgets import Button, TextLabel, WindowDialog, vbox

_WIDTH: Final = 504
"""In logical pixels; with less, the heads of its tables do not fit, and what is in it is moved sideways."""
_DIALOG_WIDTH: Final = 560
_MOST_HEIGHT: Final = 560
_AROUND: Final = 160
"""Logical pixels for title, buttons and what stands between everything."""
Schema = Mapping[str, Any]


class SettingsSheet(Sheet):
    """Let a person write what holds for the whole plan."""

    def __init__(self) -> None:
        super().__init__(tr("Parameters and limits"), tr("Close parameters and limits"), _WIDTH)
        self.setObjectName("planSettings")
        self._shown: Mapping[str, Any] = {}
        self._schema: Schema | None = None
        self._came_from: QWidget | None = None
        self.form = SchemaForm()
        self.fill(self.form)
        self.form.changed.connect(self._on_form_changed)
        self.form.submit_requested.connect(self.applied)

    @property
    def values(self) -> dict[str, Any]:
        return self.form.value()

    @property
    def is_dirty(self) -> bool:
        return self.values != self._shown

    def show_settings(self, schema: Schema, values: Mapping[str, Any], *, can_apply: bool = True) -> None:
        """Show what holds for a plan; fields that stay as they are keep their place and the focus."""
        if schema != self._schema:
            self._schema = schema
            self.form.set_schema(schema, value=values)
        elif self.values != values:
            self.form.set_value(values)
        self._shown = self.values
        self.apply.setEnabled(can_apply)
        self.refuse("" if can_apply else tr("A run goes on; this can be changed when it is over"))

    def forget(self) -> None:
        """Begin anew with what is shown next: what was written before is given up."""
        self._schema = None

    def show_sheet(self) -> None:
        """Come into sight, and let the first field be written."""
        if self.isHidden():
            self._came_from = QApplication.focusWidget()
            self.show()
        fields = self.form.fields()
        if fields:
            self.form.focus_field((fields[0].name,))

    def hide_sheet(self) -> None:
        """Go, and let the keys go on where they were before."""
        before, self._came_from = self._came_from, None
        focus = QApplication.focusWidget()
        has_focus = focus is not None and self.isAncestorOf(focus)
        if has_focus and before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def _on_form_changed(self) -> None:
        if self.apply.isEnabled():
            self.refuse("")


class ValuesDialogText(NamedTuple):
    """What a dialog says around its fields."""

    title: str
    sentence: str
    action: str
    icon: str


class ValuesDialog(WindowDialog):
    """Ask for values, such as those that a run of a plan is given.

    Args:
        values: What they are at first; those that are missing have their defaults.
        base: The folder that relative paths start from.
        problem: Says what else is wrong with values that fit the schema; empty when nothing is.

    Signals:
        given(dict): Go on with these values.
    """

    given = Signal(dict)

    def __init__(
        self,
        words: ValuesDialogText,
        schema: Schema,
        values: Mapping[str, Any],
        *,
        base: Path,
        parent: QWidget,
        problem: Callable[[Mapping[str, Any]], str] | None = None,
    ) -> None:
        super().__init__(words.title, parent)
        self._problem = problem
        self.form = SchemaForm(base=base)
        defaults = {name: part["default"] for name, part in schema["properties"].items() if "default" in part}
        self.form.set_schema(schema, value={**defaults, **values})
        self.form.validity_changed.connect(self._on_form_changed)
        self.form.changed.connect(self._on_form_changed)
        self.form.submit_requested.connect(self._on_go_clicked)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel(words.title, "title"))
        sentence = TextLabel(words.sentence, "body", "text2", wrap=True)
        column.addWidget(sentence)
        column.addWidget(scrolled(self.form, (0, 0), "raised"), 1)
        self._said = TextLabel("", "small", "error")
        self.go = Button(words.action, kind="primary", icon=words.icon, large=True, shortcut_hint="Ctrl+Enter")
        self.go.clicked.connect(self._on_go_clicked)
        self.go.setDefault(True)
        column.addLayout(self.make_ends(self.go, before=[self._said]))
        height = _AROUND + sum(part.heightForWidth(_DIALOG_WIDTH - 40) for part in (sentence, self.form))
        self.resize(_DIALOG_WIDTH, min(height, _MOST_HEIGHT))
        first = next(iter(schema["properties"]), None)
        if first is not None:
            self.form.focus_field((first,))

    def _on_form_changed(self) -> None:
        self._said.setText("")

    def _on_go_clicked(self) -> None:
        errors = self.form.errors()
        if errors:
            self.form.reveal_missing()
            self.form.focus_field(errors[0].path)
            count = len(errors)
            self._said.setText(tr_count(count, "1 value is missing or wrong", "{count} values are missing or wrong"))
            return
        if self._problem is not None and (said := self._problem(self.form.value())):
            self._said.setText(said)
            return
        self.accept()
        self.given.emit(self.form.value())
