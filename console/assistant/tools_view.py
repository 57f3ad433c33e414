"""Which tools a conversation is offered, by toolkit, with the tokens that each definition takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QFrame, QHeaderView, QTreeView, QWidget

from console.assistant.rows import ContextSettings, ConversationTool
from console.language import tr
from console.widgets import Button, Divider, SearchField, TextLabel, format_count, set_surface, vbox

_TOKENS_WIDTH: Final = 64
_NAME: Final = Qt.ItemDataRole.UserRole + 1
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CHECKED: Final = Qt.CheckState.Checked
_UNCHECKED: Final = Qt.CheckState.Unchecked


class ConversationToolsView(QWidget):
    """Tick the tools that a conversation is offered.

    Signals:
        left_out(object): The names of all tools that are not offered, as a sorted tuple.
        on_demand_changed(bool): Many tools are searched for by the model, or all are sent.
        instructions_requested(): The instructions are to be changed.
    """

    left_out = Signal(object)
    on_demand_changed = Signal(bool)
    instructions_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_surface(self, "panel")
        self.setAccessibleName(tr("Tools of the conversation"))
        self._tools: Sequence[ConversationTool] = ()
        self._without: frozenset[str] = frozenset()
        self.search = SearchField(tr("Filter tools"))
        self.search.setAccessibleName(tr("Filter the tools of the conversation"))
        self.total = TextLabel("", "heading")
        self.note = TextLabel("", "small", "text2", wrap=True)
        self.on_demand = QCheckBox(tr("Send tools on demand"))
        self.on_demand.setToolTip(
            tr("Of many tools, the model is sent a search and what it finds, not all definitions")
        )
        self.instructions = Button(tr("Instructions and rules…"), icon="scroll-text")
        self._model = QStandardItemModel(0, 2, self)
        self.tree = QTreeView()
        self.tree.setModel(self._model)
        self.tree.setAccessibleName(tr("Offered tools"))
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_surface(self.tree, "panel")
        head = self.tree.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        head.resizeSection(1, _TOKENS_WIDTH)
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.on_demand.toggled.connect(self.on_demand_changed)
        self.instructions.clicked.connect(self.instructions_requested)
        self._model.itemChanged.connect(self._on_model_item_changed)

    def _lay_out(self) -> None:
        top = vbox(margins=(12, 10, 12, 8), spacing=8)
        top.addWidget(self.total)
        top.addWidget(self.search)
        foot = vbox(margins=(12, 10, 12, 12), spacing=8)
        foot.addWidget(self.on_demand)
        foot.addWidget(self.note)
        foot.addWidget(self.instructions)
        column = vbox(self)
        column.addLayout(top)
        column.addWidget(self.tree, 1)
        column.addWidget(Divider())
        column.addLayout(foot)

    def show_tools(self, tools: Sequence[ConversationTool]) -> None:
        if tools == self._tools:
            return
        self._tools = tools
        groups: dict[str, list[ConversationTool]] = {}
        for tool in tools:
            groups.setdefault(tool.toolkit, []).append(tool)
        self._model.blockSignals(True)
        self._model.setRowCount(0)
        for name in sorted(groups, key=str.casefold):
            group = _item(name, sum(tool.tokens for tool in groups[name]))
            for tool in groups[name]:
                row = _item(tool.name, tool.tokens)
                row[0].setData(tool.name, _NAME)
                row[0].setToolTip(tool.description)
                group[0].appendRow(row)
            self._model.appendRow(group)
        self._model.blockSignals(False)
        self._model.layoutChanged.emit()
        self._tick()
        self._filter()

    def show_settings(self, settings: ContextSettings) -> None:
        self._without = frozenset(settings.without)
        self.on_demand.blockSignals(True)
        self.on_demand.setChecked(settings.on_demand)
        self.on_demand.blockSignals(False)
        self._tick()

    def _tick(self) -> None:
        self._model.blockSignals(True)
        for group in self._groups():
            for child in _children(group):
                child.setCheckState(_UNCHECKED if child.data(_NAME) in self._without else _CHECKED)
            _follow_children(group)
        self._model.blockSignals(False)
        self.tree.viewport().update()
        self._sum_up()

    def _sum_up(self) -> None:
        offered = [tool for tool in self._tools if tool.name not in self._without]
        self.total.setText(tr("{offered:,} of {tools:,} tools offered", offered=len(offered), tools=len(self._tools)))
        tokens = format_count(sum(tool.tokens for tool in offered))
        self.note.setText(
            tr(
                "All definitions take about {tokens} tokens. Of more than 30 tools, the model gets a search and what it"
                " finds.",
                tokens=tokens,
            )
            if self.on_demand.isChecked()
            else tr("All definitions are sent with each turn, about {tokens} tokens.", tokens=tokens)
        )

    def _groups(self) -> Iterator[QStandardItem]:
        for row in range(self._model.rowCount()):
            yield self._model.item(row, 0)

    @Slot()
    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        root = QModelIndex()
        for at, group in enumerate(self._groups()):
            shown = 0
            for row, child in enumerate(_children(group)):
                text = f"{child.text()} {group.text()} {child.toolTip()}".casefold()
                fits = all(word in text for word in words)
                self.tree.setRowHidden(row, group.index(), not fits)
                shown += fits
            self.tree.setRowHidden(at, root, not shown)
            self.tree.setExpanded(group.index(), bool(words))

    @Slot(QStandardItem)
    def _on_model_item_changed(self, item: QStandardItem) -> None:
        self._model.blockSignals(True)
        if item.data(_NAME) is None:
            for child in _children(item):
                child.setCheckState(item.checkState())
        else:
            _follow_children(item.parent())
        self._model.blockSignals(False)
        self.tree.viewport().update()
        unticked = [
            str(child.data(_NAME))
            for each in self._groups()
            for child in _children(each)
            if child.checkState() is _UNCHECKED
        ]
        self._without = frozenset(unticked)
        self._sum_up()
        self.left_out.emit(tuple(sorted(unticked)))


def _item(text: str, tokens: int) -> list[QStandardItem]:
    name, count = QStandardItem(text), QStandardItem(format_count(tokens))
    name.setCheckable(True)
    count.setTextAlignment(_RIGHT)
    return [name, count]


def _children(group: QStandardItem) -> Iterator[QStandardItem]:
    for row in range(group.rowCount()):
        yield group.child(row, 0)


def _follow_children(group: QStandardItem) -> None:
    states = {child.checkState() for child in _children(group)}
    group.setCheckState(states.pop() if len(states) == 1 else Qt.CheckState.PartiallyChecked)
