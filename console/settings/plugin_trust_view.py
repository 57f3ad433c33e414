"""The list of plugin files, with a switch for each that says whether its code may run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from console.language import tr
from console.settings.plugin_trust import PluginPlace
from console.settings.view import SectionPart
from console.widgets import Divider, Switch, TextLabel, hbox, home_short, vbox

_INDENT: Final = 24
_HINT: Final = tr(
    "What may not run is not even read: its tools leave the tree at once and stay away. Calls that run now end as"
    " usual; what a file has begun inside this program goes on until the program ends."
)


class _PlaceRow(QWidget):
    """Show one file or folder with its switch.

    Signals:
        trust_requested(Path, bool): The switch was used.
    """

    trust_requested = Signal(object, bool)

    def __init__(self, place: PluginPlace) -> None:
        super().__init__()
        self._path = place.path
        name = home_short(place.path) if place.is_folder else place.path.name
        self.state = TextLabel("", "small", "text2", wrap=True, selectable=True)
        self.switch = Switch(tr("Code of {name} may run", name=name))
        words = vbox(spacing=2)
        words.addWidget(TextLabel(name, "code", wrap=True, selectable=place.is_folder))
        words.addWidget(self.state)
        row = hbox(margins=(0 if place.is_folder else _INDENT, 8, 0, 8), spacing=16)
        row.addLayout(words, 1)
        row.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignVCenter)
        column = vbox(self)
        column.addLayout(row)
        column.addWidget(Divider())
        self.switch.clicked.connect(self._on_switch_clicked)

    def show_place(self, place: PluginPlace) -> None:
        """Show how it stands."""
        self.state.setText(place.state)
        self.state.set_tone("error" if place.is_broken else "text2")
        self.state.setVisible(bool(place.state))
        self.switch.setChecked(place.is_trusted)

    @Slot(bool)
    def _on_switch_clicked(self, checked: bool) -> None:
        self.trust_requested.emit(self._path, checked)


class PluginTrustView(SectionPart):
    """List plugin files below their folders, and let a person say whose code may run.

    Attributes:
        row_by_path: The rows.

    Signals:
        trust_requested(Path, bool): The code of this file, or of all files in this folder, shall run or not.
        shown(): The list comes into sight.
    """

    trust_requested = Signal(object, bool)
    shown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.row_by_path: dict[Path, _PlaceRow] = {}
        self._places: Sequence[PluginPlace] = ()
        self._wanted: Sequence[str] = ()
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.problem.hide()
        self._rows = vbox()
        column = vbox(self)
        column.addWidget(TextLabel(tr("Whose code may run"), "heading"))
        column.addSpacing(4)
        column.addWidget(TextLabel(_HINT, "small", "text2", wrap=True))
        column.addSpacing(8)
        column.addWidget(self.problem)
        column.addLayout(self._rows)

    def showEvent(self, event: QShowEvent) -> None:
        self.shown.emit()
        super().showEvent(event)

    def show_places(self, places: Sequence[PluginPlace], problem: str = "") -> None:
        """Show these, each file below its folder, and why they cannot be known; "" for nothing."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        if [place.path for place in places] != list(self.row_by_path):
            self._make_rows(places)
        self._places = places
        for place in places:
            self.row_by_path[place.path].show_place(place)
        self.narrow(self._wanted)

    def _make_rows(self, places: Sequence[PluginPlace]) -> None:
        for row in self.row_by_path.values():
            row.hide()
            row.deleteLater()
        self.row_by_path = {place.path: _PlaceRow(place) for place in places}
        for row in self.row_by_path.values():
            row.trust_requested.connect(self.trust_requested)
            self._rows.addWidget(row)

    def narrow(self, wanted: Sequence[str]) -> tuple[int, int]:
        """Show only what is found by these words; return how many that are, and of how many."""
        self._wanted = wanted
        found = [place.matches(wanted) for place in self._places]
        for place, is_found in zip(self._places, found, strict=True):
            self.row_by_path[place.path].setVisible(is_found)
        return sum(found), len(found)
