"""The page of settings: a search field on top, sections on the left, rows with their controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QScrollArea, QWidget

from console.assets import icon
from console.language import tr
from console.schema_form.choice_editors import ChoiceBox
from console.settings.preference import OneOf, OnOff, Preference, SettingAction, SettingsSection, WholeNumber
from console.theme import theme_of
from console.widgets import (
    BarFrame,
    Button,
    CommandAction,
    Divider,
    EmptyState,
    SearchField,
    SegmentedControl,
    SpinBox,
    Switch,
    TextLabel,
    hbox,
    lead_focus,
    set_surface,
    vbox,
)

_SIDE_WIDTH: Final = 220
_FIELD_WIDTH: Final = 280
_WIDTH: Final = 760
_MOST_SEGMENTS: Final = 3
_NUMBER_WIDTH: Final = 140
_TEXT_WIDTH: Final = 240
_IN_PAGE: Final = Qt.ShortcutContext.WidgetWithChildrenShortcut

Control: TypeAlias = Switch | SpinBox | QLineEdit | SegmentedControl | ChoiceBox | Button


class PreferenceRow(QWidget):
    """Show one setting: its name and sentence, what is wrong, its control, and the way back to its default.

    When another value counts only from the next start on, the row offers that start.

    Signals:
        changed(str, object): The setting of this key shall have this value.
        restart_requested(): The program is to start again, so that the setting counts.
    """

    changed = Signal(str, object)
    restart_requested = Signal()

    def __init__(self, preference: Preference) -> None:
        super().__init__()
        self.preference = preference
        self.setObjectName(preference.key)
        self.reset = Button(tr("Reset to default"), kind="ghost", icon="rotate-ccw")
        self.reset.setAccessibleName(tr("Reset {title} to its default", title=preference.title))
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.problem.hide()
        self.fact = TextLabel("", "small", "text", wrap=True, selectable=True)
        self.fact.hide()
        self.restart = Button(tr("Restart now"), icon="refresh-cw")
        self.restart.setAccessibleDescription(tr("Restarts the program; what is open comes back."))
        self.restart.setToolTip(self.restart.accessibleDescription())
        self.restart.hide()
        self._options = preference.kind.options if isinstance(preference.kind, OneOf) else ()
        self.control: Control = self._make_control()
        self.control.setAccessibleName(preference.title)
        self.control.setAccessibleDescription(preference.sentence)
        words = vbox(spacing=2)
        words.addWidget(TextLabel(preference.title))
        words.addWidget(TextLabel(preference.sentence, "small", "text2", wrap=True))
        words.addWidget(self.fact)
        words.addWidget(self.problem)
        words.addWidget(self.restart, 0, Qt.AlignmentFlag.AlignLeading)
        row = hbox(margins=(0, 12, 0, 12), spacing=16)
        row.addLayout(words, 1)
        for widget in (self.reset, self.control):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        column = vbox(self)
        column.addLayout(row)
        column.addWidget(Divider())
        self.reset.clicked.connect(self._on_reset_clicked)
        self.restart.clicked.connect(self.restart_requested)

    def _make_control(self) -> Control:
        kind = self.preference.kind
        if isinstance(kind, OnOff):
            switch = Switch(self.preference.title)
            switch.toggled.connect(self._on_control_changed)
            return switch
        if isinstance(kind, SettingAction):
            button = Button(kind.verb)
            button.clicked.connect(self._on_control_changed)
            return button
        if isinstance(kind, OneOf):
            return self._make_choice(tuple(text for _, text in kind.options))
        if isinstance(kind, WholeNumber):
            number = SpinBox()
            number.setRange(kind.least, kind.most)
            number.setSuffix(f" {kind.unit}" if kind.unit else "")
            number.setSpecialValueText(kind.least_words)
            number.setGroupSeparatorShown(kind.most > 99_999)
            # A number that is still being typed is none that somebody wants.
            number.setKeyboardTracking(False)
            number.setFixedWidth(_NUMBER_WIDTH)
            number.valueChanged.connect(self._on_control_changed)
            return number
        text = QLineEdit()
        text.setPlaceholderText(kind.example)
        text.setFixedWidth(_TEXT_WIDTH)
        text.editingFinished.connect(self._on_control_changed)
        return text

    def _make_choice(self, texts: tuple[str, ...]) -> SegmentedControl | ChoiceBox:
        if len(texts) <= _MOST_SEGMENTS:
            segments = SegmentedControl(texts, self.preference.title)
            segments.selected.connect(self._on_control_changed)
            return segments
        box = ChoiceBox()
        box.addItems(texts)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.activated.connect(self._on_control_changed)
        return box

    @property
    def value(self) -> bool | int | str:
        control = self.control
        if isinstance(control, Switch):
            return control.isChecked()
        if isinstance(control, SpinBox):
            return control.value()
        if isinstance(control, QLineEdit):
            return control.text().strip()
        if isinstance(control, Button):
            return ""
        return self._options[control.index if isinstance(control, SegmentedControl) else control.currentIndex()][0]

    def show_value(self, value: bool | int | str) -> None:
        """Show which value counts; tells nobody."""
        control = self.control
        if isinstance(control, Button):
            self.fact.setText(str(value))
            self.fact.setVisible(bool(value))
            self.reset.hide()
            self.show_problem("")
            return
        control.blockSignals(True)
        if isinstance(control, Switch):
            control.setChecked(bool(value))
        elif isinstance(control, SpinBox):
            control.setValue(int(value))
        elif isinstance(control, QLineEdit):
            control.setText(str(value))
        else:
            place = next(place for place, (key, _) in enumerate(self._options) if key == value)
            if isinstance(control, SegmentedControl):
                control.select(place)
            else:
                control.setCurrentIndex(place)
        control.blockSignals(False)
        self.reset.setVisible(value != self.preference.default)
        self.restart.setVisible(self.preference.begun not in {None, value})
        self.show_problem("")

    def show_problem(self, problem: str) -> None:
        """Say what is wrong with what was chosen; "" takes it away."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.control.setProperty("error", bool(problem))
        self.control.style().unpolish(self.control)
        self.control.style().polish(self.control)

    @Slot()
    def _on_control_changed(self) -> None:
        self.changed.emit(self.preference.key, self.value)

    @Slot()
    def _on_reset_clicked(self) -> None:
        self.changed.emit(self.preference.key, self.preference.default)


class SectionPart(QWidget):
    """What stands in a section below its settings."""

    def narrow(self, wanted: Sequence[str]) -> tuple[int, int]:
        """Show only what is found by these words; return how many that are, and of how many."""
        del wanted
        return 0, 0


class _SectionView(QWidget):
    """The rows of one section below its heading, and what else stands in it."""

    def __init__(self, section: SettingsSection, rows: Sequence[PreferenceRow], more: SectionPart | None) -> None:
        super().__init__()
        self._words = f"{section.title} {section.sentence}".casefold()
        self._rows = rows
        self._more = more
        column = vbox(self, margins=(0, 0, 0, 24))
        column.addWidget(TextLabel(section.title, "title"))
        column.addSpacing(4)
        column.addWidget(TextLabel(section.sentence, "small", "text2", wrap=True))
        column.addSpacing(8)
        column.addWidget(Divider())
        for row in rows:
            column.addWidget(row)
        if more is not None:
            column.addSpacing(16)
            column.addWidget(more, 1)

    def narrow(self, wanted: Sequence[str]) -> tuple[int, int]:
        """Show only what is found by these words; return how many settings that are, and of how many."""
        found = [row.preference.matches(wanted) for row in self._rows]
        for row, is_found in zip(self._rows, found, strict=True):
            row.setVisible(is_found)
        count, total = 0, 0
        if self._more is not None:
            is_named = all(word in self._words for word in wanted)
            count, total = self._more.narrow(() if is_named else wanted)
            self._more.setVisible(is_named or count > 0)
        return sum(found) + count, len(found) + total

    @property
    def has_more(self) -> bool:
        return self._more is not None and not self._more.isHidden()


class AllSettingsView(QWidget):
    """Show all settings.

    Args:
        preferences: They, in the order of the page.
        more: What else stands in some sections, below their settings.

    Attributes:
        search: Finds settings in all sections.
        sections: The list of sections.
        row_by_key: The rows.

    Signals:
        changed(str, object): The setting of this key shall have this value.
        restart_requested(): The program is to start again, so that a setting counts.
        shown(): The page comes into sight.
    """

    changed = Signal(str, object)
    restart_requested = Signal()
    shown = Signal()

    def __init__(self, preferences: Sequence[Preference], more: Mapping[SettingsSection, SectionPart]) -> None:
        super().__init__()
        self.row_by_key = {preference.key: PreferenceRow(preference) for preference in preferences}
        self.search = SearchField(tr("Search settings"), command="settings.search")
        self.search.setFixedWidth(_FIELD_WIDTH)
        self.sections = QListWidget()
        self._areas: list[_SectionView] = []
        self._nothing = EmptyState(
            "search", tr("No setting is found by that"), tr("Clear the search to see all of them.")
        )
        self._lay_out(more)
        for row in self.row_by_key.values():
            row.changed.connect(self.changed)
            row.restart_requested.connect(self.restart_requested)
        self.search.textChanged.connect(self._show_found)
        self.sections.itemSelectionChanged.connect(self._on_sections_item_selection_changed)
        self.sections.setCurrentRow(0)
        find = CommandAction("settings.search", self, context=_IN_PAGE)
        find.triggered.connect(self._on_find_triggered)
        lead_focus(self, self.search)

    def _lay_out(self, more: Mapping[SettingsSection, SectionPart]) -> None:
        head = BarFrame(48, margins=(20, 20))
        head.row.addWidget(TextLabel(tr("Settings"), "title"))
        head.row.addStretch(1)
        head.row.addWidget(self.search)
        side = QWidget()
        side.setFixedWidth(_SIDE_WIDTH)
        set_surface(side, "panel")
        self.sections.setAccessibleName(tr("Sections of the settings"))
        self.sections.setFrameShape(QFrame.Shape.NoFrame)
        icon_side = theme_of(self).size.icon
        self.sections.setIconSize(QSize(icon_side, icon_side))
        set_surface(self.sections, "panel")
        vbox(side, margins=(8, 8, 8, 8)).addWidget(self.sections)
        content = QWidget()
        column = vbox(content, margins=(24, 20, 24, 0))
        for section in SettingsSection:
            item = QListWidgetItem(icon(section.icon), section.title)
            item.setSizeHint(QSize(0, theme_of(self).size.control_large))
            self.sections.addItem(item)
            rows = [row for row in self.row_by_key.values() if row.preference.section is section]
            area = _SectionView(section, rows, more.get(section))
            area.setMaximumWidth(_WIDTH)
            self._areas.append(area)
            column.addWidget(area)
        column.addWidget(self._nothing)
        column.addStretch(1)
        set_surface(content, "surface")
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Settings"))
        self._scroll.setProperty("focusRing", "none")
        self._scroll.setWidget(content)
        whole = vbox(self)
        whole.addWidget(head)
        body = hbox()
        body.addWidget(side)
        body.addWidget(Divider(Qt.Orientation.Vertical))
        body.addWidget(self._scroll, 1)
        whole.addLayout(body, 1)

    def showEvent(self, event: QShowEvent) -> None:
        self.shown.emit()
        super().showEvent(event)

    def show_setting(self, key: str) -> None:
        """Bring a setting into sight, with the focus on its control."""
        self.search.clear()
        row = self.row_by_key[key]
        self.show_section(row.preference.section)
        self._scroll.ensureWidgetVisible(row)
        row.control.setFocus(Qt.FocusReason.TabFocusReason)

    def show_section(self, section: SettingsSection) -> None:
        self.search.clear()
        self.sections.setCurrentRow(list(SettingsSection).index(section))

    @Slot()
    def _on_find_triggered(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @Slot()
    def _on_sections_item_selection_changed(self) -> None:
        if not self.sections.selectedItems():
            return
        if self.search.text():
            self.search.clear()
        else:
            self._show_found()

    @Slot()
    def _show_found(self) -> None:
        wanted = self.search.text().casefold().split()
        count, total, here = 0, 0, self.sections.currentRow()
        # What is found stands in any section; the one that was shown can be chosen again.
        self.sections.item(here).setSelected(not wanted)
        for place, area in enumerate(self._areas):
            found, of = area.narrow(wanted)
            count, total = count + found, total + of
            area.setVisible(bool(found) or area.has_more if wanted else place == here)
        self._nothing.setVisible(all(area.isHidden() for area in self._areas))
        self.search.set_match_count(tr("{count} of {total}", count=count, total=total) if wanted else "")
        self._scroll.verticalScrollBar().setValue(0)
