"""The Wire tab: what a provider is sent of the tool, and beside it what the provider does not take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.definition.wire_rows import FidelityRow, WireChoice, WireRows
from console.language import tr
from console.viewers import Content, ContentKind, ContentView, Representation
from console.widgets import (
    Badge,
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    PanelHeader,
    Switch,
    TextLabel,
    ThinSplitter,
    format_count,
    lead_focus,
    set_surface,
)
from tools.sentences import full_sentence

_COMBO_WIDTH: Final = 208
_REPORT_SHARE: Final = 0.38
_LEAST_REPORT: Final = 232


class WireView(QWidget):
    """Show what one provider is sent of one tool.

    Args:
        name: The tool, for the names of files.
        providers: The providers' names, each with what people call it.
        choice: What is chosen at first.

    Signals:
        chosen(WireChoice): Another provider, strictness or rewrite is to be shown.
    """

    chosen = Signal(object)

    def __init__(self, name: str, providers: Iterable[tuple[str, str]], choice: WireChoice) -> None:
        super().__init__()
        self._name = name
        self.choice = choice
        self.setAccessibleName(tr("Wire format of {name}", name=name))
        self.provider = QComboBox()
        self.provider.setAccessibleName(tr("Provider"))
        self.provider.setFixedWidth(_COMBO_WIDTH)
        self.provider.setMaxVisibleItems(16)
        for key, title in providers:
            self.provider.addItem(title, key)
        self.provider.setCurrentIndex(max(0, self.provider.findData(choice.provider)))
        self.strict = Switch(tr("Strict"), checked=choice.strict)
        self._strict_label = TextLabel(tr("Strict"), "body", "text2")
        self.tokens = ElidedLabel("", "small", "text3")
        self.shown = ContentView(tr("Definition"), forms=(Representation.TREE, Representation.TEXT))
        self.shown.choose_form(Representation.TEXT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_bar())
        self._parts = ThinSplitter(Qt.Orientation.Horizontal, self)
        self._parts.addWidget(self.shown)
        self._parts.addWidget(self._make_report())
        self._parts.setStretchFactor(0, 1)
        self._parts.setSizes([round(1000 * (1 - _REPORT_SHARE)), round(1000 * _REPORT_SHARE)])
        column.addWidget(self._parts, 1)
        lead_focus(self, self.provider)
        self.provider.currentIndexChanged.connect(self._on_provider_index_changed)
        self.strict.toggled.connect(self._on_strict_toggled)
        self.rewrite.clicked.connect(self._on_rewrite_clicked)

    def _make_bar(self) -> BarFrame:
        bar = BarFrame(44, surface="surface", edge="bottom", margins=(20, 20), spacing=8)
        bar.row.addWidget(self.provider)
        bar.row.addSpacing(8)
        bar.row.addWidget(self.strict)
        bar.row.addWidget(self._strict_label)
        bar.row.addStretch(1)
        bar.row.addWidget(self.tokens)
        return bar

    def _make_report(self) -> QWidget:
        report = QWidget(self)
        report.setMinimumWidth(_LEAST_REPORT)
        set_surface(report, "panel")
        column = QVBoxLayout(report)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head = PanelHeader(tr("Fidelity"), edge="bottom")
        self.headline = TextLabel("", "small", "text2")
        self._head.add_label(self.headline)
        self.rewrite = Button(tr("Apply safe rewrite"), kind="soft")
        self.rewrite.hide()
        self._head.add_button(self.rewrite)
        column.addWidget(self._head)
        self._list = QScrollArea(report)
        self._list.setWidgetResizable(True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName(tr("Fidelity report"))
        self._clean = EmptyState(
            "circle-check", tr("Nothing is lost"), tr("The provider takes the tool as it is declared.")
        )
        self._clean.hide()
        column.addWidget(self._list, 1)
        column.addWidget(self._clean, 1)
        return report

    def show_rows(self, rows: WireRows, *, can_be_strict: bool) -> None:
        """Show what the provider is sent, and what that loses."""
        self.choice = rows.choice
        self.strict.setVisible(can_be_strict)
        self._strict_label.setVisible(can_be_strict)
        self.strict.setToolTip(tr("Have the provider hold its model to the schema"))
        self.tokens.set_text(rows.tokens)
        self.tokens.setToolTip(tr("What this definition adds to each request; no provider tells how it counts exactly"))
        self.headline.setText(rows.headline)
        self.headline.set_tone(rows.tone)
        self.rewrite.setVisible(rows.can_rewrite)
        self.rewrite.setText(tr("Show as declared") if rows.choice.rewrite else tr("Apply safe rewrite"))
        self.rewrite.updateGeometry()
        self.shown.show_content(Content(ContentKind.JSON, rows.document, f"{self._name}-{rows.choice.provider}"))
        self._list.setWidget(_report_of(rows.rows))
        self._list.setVisible(bool(rows.rows))
        self._clean.setVisible(not rows.rows)

    def _choose(self, choice: WireChoice) -> None:
        self.choice = choice
        self.chosen.emit(choice)

    def _on_provider_index_changed(self) -> None:
        self._choose(self.choice._replace(provider=self.provider.currentData()))

    def _on_strict_toggled(self, strict: bool) -> None:
        self._choose(self.choice._replace(strict=strict))

    def _on_rewrite_clicked(self) -> None:
        self._choose(self.choice._replace(rewrite=not self.choice.rewrite))


def _report_of(rows: Iterable[FidelityRow]) -> QWidget:
    inside = QWidget()
    set_surface(inside, "panel")
    column = QVBoxLayout(inside)
    column.setContentsMargins(12, 12, 12, 12)
    column.setSpacing(12)
    for row in rows:
        column.addLayout(_entry(row))
    column.addStretch(1)
    return inside


def _entry(row: FidelityRow) -> QVBoxLayout:
    entry = QVBoxLayout()
    entry.setSpacing(2)
    head = QHBoxLayout()
    head.setSpacing(8)
    head.addWidget(Badge(row.word, tone=row.tone))
    head.addWidget(TextLabel(row.keyword, "code", "text", selectable=True))
    if row.times > 1:
        head.addWidget(TextLabel(tr("{times} times", times=format_count(row.times)), "small", "text3"))
    head.addStretch(1)
    entry.addLayout(head)
    entry.addWidget(TextLabel(full_sentence(row.fix), "body", "text2", wrap=True, selectable=True))
    places = ElidedLabel(row.places[0] if row.times == 1 else "  ".join(row.places), "code", "text3")
    more = row.times - len(row.places)
    places.setToolTip("\n".join((*row.places, *((tr("and {more} more", more=format_count(more)),) if more else ()))))
    entry.addWidget(places)
    return entry
