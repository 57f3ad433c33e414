"""What calls may do without a question: the rules, and the permissions of tools and sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QPlainTextEdit,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from console.language import tr
from console.permissions.model import EFFECT_WORDS, WISH_WORDS, PermissionModel, RuleModel
from console.permissions.rows import ParsedRule, PermissionMode, RuleExpiry, RuleRow, ToolColumn
from console.theme import Theme, mirror, place_in, theme_of
from console.widgets import (
    Banner,
    BarFrame,
    Button,
    Divider,
    EmptyState,
    IconLabel,
    Menu,
    SearchField,
    SegmentedControl,
    Switch,
    TableHead,
    TableView,
    TextLabel,
    WindowDialog,
    hbox,
    paint_box,
    paint_row,
    paint_text,
    set_surface,
    vbox,
)

_EFFECTS: Final = tuple(EFFECT_WORDS)
_ENDS: Final = (
    (RuleExpiry.AS_IT_IS, tr("Lasts as it does")),
    (RuleExpiry.NEVER, tr("Until it is removed")),
    (RuleExpiry.HOUR, tr("For 1 hour from now")),
    (RuleExpiry.TODAY, tr("Until the end of today")),
)


class RulesView(QWidget):
    """Show rules, and change the chosen one.

    Signals:
        remove_requested(str): Take this rule out.
        effect_chosen(str, str): This rule shall answer so: `allow`, `ask` or `deny`.
        switched(str, bool): This rule shall count, or not.
        end_chosen(str, object): This rule shall end then, an `RuleExpiry`.
        edit_requested(str): The person wants to edit the text of this rule.
    """

    remove_requested = Signal(str)
    effect_chosen = Signal(str, str)
    switched = Signal(str, bool)
    end_chosen = Signal(str, object)
    edit_requested = Signal(str)

    def __init__(self, model: RuleModel) -> None:
        super().__init__()
        self._is_showing = False
        self.table = TableView(model, tr("Rules"), edge=20)
        self._words = TextLabel("", "body", "text", wrap=True, selectable=True)
        self._words.setAccessibleName(tr("Chosen rule"))
        self._note = IconLabel("circle-pause", "", "small", "text2", icon_tone="warn")
        self.effects = SegmentedControl(tuple(EFFECT_WORDS.values()), tr("What the rule answers"))
        self.ends = QComboBox()
        self.ends.setAccessibleName(tr("When the rule ends"))
        for end, words in _ENDS:
            self.ends.addItem(words, end)
        self.switch = Switch(tr("Whether the rule counts"))
        self._counts = TextLabel(tr("Counts"), "small", "text2")
        self.edit = Button(tr("Edit…"), icon="square-pen")
        self.remove = Button(tr("Remove"), kind="danger", icon="trash-2")
        self._detail = self._build_detail()
        column = vbox(self)
        column.addWidget(self.table, 1)
        column.addWidget(Divider(Qt.Orientation.Horizontal))
        column.addWidget(self._detail)
        self._connect(model)
        self._show_chosen()

    @property
    def chosen(self) -> RuleRow | None:
        row: RuleRow | None = self.table.chosen_row
        return row

    def _build_detail(self) -> QWidget:
        detail = QWidget()
        set_surface(detail, "panel")
        column = vbox(detail, margins=(20, 12, 20, 12), spacing=8)
        column.addWidget(self._words)
        column.addWidget(self._note)
        row = hbox(spacing=12)
        row.addWidget(self.effects)
        row.addWidget(self.ends)
        row.addSpacing(8)
        row.addWidget(self.switch)
        row.addWidget(self._counts)
        row.addStretch(1)
        row.addWidget(self.edit)
        row.addWidget(self.remove)
        column.addLayout(row)
        return detail

    def _connect(self, model: RuleModel) -> None:
        self.table.selectionModel().currentRowChanged.connect(self._show_chosen)
        self.table.remove_requested.connect(self._on_remove_clicked)
        model.rows_changed.connect(self._show_chosen)
        model.dataChanged.connect(self._show_chosen)
        self.effects.selected.connect(self._on_effects_selected)
        self.ends.activated.connect(self._on_ends_activated)
        self.switch.toggled.connect(self._on_switch_toggled)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.edit.clicked.connect(self._on_edit_clicked)
        self.table.opened.connect(self._on_edit_clicked)

    def _show_chosen(self) -> None:
        row = self.chosen
        self._detail.setVisible(row is not None)
        if row is None:
            return
        self._is_showing = True
        self._words.setText(
            tr("{words}. Reason: “{reason}”", words=row.words, reason=row.reason) if row.reason else row.words
        )
        note = row.fixed or (tr("It does not count: {suspended}", suspended=row.suspended) if row.suspended else "")
        self._note.show_state("lock" if row.fixed else "circle-pause", note, "text2", "warn")
        self._note.setVisible(bool(note))
        self.effects.select(_EFFECTS.index(row.effect))
        self.ends.setCurrentIndex(0)
        self.switch.setChecked(row.is_on)
        for part in (self.effects, self.ends, self.switch, self.edit, self.remove):
            part.setEnabled(not row.fixed)
        self._is_showing = False

    def _on_effects_selected(self, index: int) -> None:
        row = self.chosen
        if row is not None and not self._is_showing and _EFFECTS[index] != row.effect:
            self.effect_chosen.emit(row.id, _EFFECTS[index])

    def _on_ends_activated(self, index: int) -> None:
        row = self.chosen
        if row is not None and index:
            self.end_chosen.emit(row.id, _ENDS[index][0])

    def _on_switch_toggled(self, checked: bool) -> None:
        row = self.chosen
        if row is not None and not self._is_showing:
            self.switched.emit(row.id, checked)

    def _on_remove_clicked(self) -> None:
        row = self.chosen
        if row is not None and not row.fixed:
            self.remove_requested.emit(row.id)

    def _on_edit_clicked(self) -> None:
        row = self.chosen
        if row is not None and not row.fixed:
            self.edit_requested.emit(row.id)


_LEFT: Final = 12
_SEGMENT_PADDING: Final = 10
_SEGMENT_HEIGHT: Final = 20
_CENTER: Final = Qt.AlignmentFlag.AlignCenter
Index = QModelIndex | QPersistentModelIndex


class PermissionDelegate(QStyledItemDelegate):
    """Paint a source or a tool, and the choice of its permission."""

    def __init__(self, model: PermissionModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, theme_of().size.row_table)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, column = theme_of(), ToolColumn(index.column())
        painter.save()
        mirror(painter, option.rect)
        paint_row(painter, option, theme, divider=True)
        cell: QRect = option.rect.adjusted(4 if column is ToolColumn.NAME else _LEFT, 0, -4, -1)
        if column is ToolColumn.WISH:
            self._paint_wish(painter, option.rect, theme, index)
        else:
            font = theme.font("small")
            if column is ToolColumn.NAME and self._model.tool_at(index) is None:
                font.setWeight(QFont.Weight.DemiBold)
            ink = theme.color.text if column is ToolColumn.NAME else theme.color.text2
            paint_text(painter, cell, index.data(Qt.ItemDataRole.DisplayRole), font, ink)
        painter.restore()

    def _paint_wish(self, painter: QPainter, rect: QRect, theme: Theme, index: Index) -> None:
        chosen, color = self._model.wish_at(index), theme.color
        places = _segments(rect, theme)
        trough = next(iter(places.values())).united(list(places.values())[-1])
        paint_box(painter, trough, theme.radius.small, fill=color.pressed)
        tones = {
            PermissionMode.ASK: theme.status.warn,
            PermissionMode.ALWAYS: theme.status.ok,
            PermissionMode.NEVER: theme.status.error,
        }
        for wish, place in places.items():
            ink = color.text3
            if wish is chosen:
                paint_box(painter, place, theme.radius.small, fill=color.surface, border=color.border_strong)
                ink = tones[wish].text if wish in tones else color.text
            paint_text(painter, place, WISH_WORDS[wish], theme.font("caption"), ink, align=_CENTER)


def wish_at(rect: QRect, theme: Theme, place: QPoint) -> PermissionMode | None:
    """Return the permission whose words stand at a place of a cell; None when none does."""
    return next((wish for wish, segment in _segments(rect, theme).items() if segment.contains(place)), None)


def _segments(rect: QRect, theme: Theme) -> dict[PermissionMode, QRect]:
    metrics = QFontMetrics(theme.font("caption"))
    top = rect.y() + (rect.height() - 1 - _SEGMENT_HEIGHT) // 2
    left, places = rect.x() + _LEFT, {}
    for wish, words in WISH_WORDS.items():
        width = metrics.horizontalAdvance(words) + 2 * _SEGMENT_PADDING
        places[wish] = QRect(left, top, width, _SEGMENT_HEIGHT)
        left += width
    return places


_KEYS: Final[Mapping[int, PermissionMode]] = MappingProxyType(
    {
        Qt.Key.Key_R: PermissionMode.DEFAULT,
        Qt.Key.Key_Delete: PermissionMode.DEFAULT,
        Qt.Key.Key_A: PermissionMode.ASK,
        Qt.Key.Key_W: PermissionMode.ALWAYS,
        Qt.Key.Key_N: PermissionMode.NEVER,
    }
)
"""What a key says of the current row; the tooltip tells them."""

_TOLD: Final = tr("Press A to ask, W for always, N for never, R for the default: as its source says, else by the risk")
_NAME_WIDTH: Final = 320
_PAGE_LEFT: Final = 20


class PermissionsTree(QTreeView):
    """Show sources with their tools, and take permissions by click, key or menu.

    Signals:
        wish_chosen(str, str, object): For a source, and a tool of it or "" for all of them: what the person wants of
            it, a `PermissionMode`.
    """

    wish_chosen = Signal(str, str, object)

    def __init__(self, model: PermissionModel) -> None:
        super().__init__()
        self._tools = model
        self.setModel(model)
        self.setItemDelegate(PermissionDelegate(model, self))
        self.setHeader(TableHead(self, first=_PAGE_LEFT))
        self.setAccessibleName(tr("Permissions of sources and tools"))
        self.setToolTip(_TOLD)
        set_surface(self, "surface")
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(ToolColumn.RISK, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(ToolColumn.NAME, _NAME_WIDTH)
        last = max(place.right() for place in _segments(QRect(), theme_of(self)).values())
        self.setColumnWidth(ToolColumn.WISH, last + _LEFT)
        self._menu = Menu(tr("Permission"), self)
        self._group = QActionGroup(self._menu)
        self._action_by_wish: dict[PermissionMode, QAction] = {}
        for wish, words in WISH_WORDS.items():
            action = QAction(words, self._group)
            action.setCheckable(True)
            action.setData(wish)
            self._menu.addAction(action)
            self._action_by_wish[wish] = action
        self._group.triggered.connect(self._on_group_triggered)
        model.modelReset.connect(self.expandAll)
        self.expandAll()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        place = event.position().toPoint()
        index = self.indexAt(place)
        if event.button() is Qt.MouseButton.LeftButton and index.column() == ToolColumn.WISH:
            cell = self.visualRect(index)
            wish = wish_at(cell, theme_of(self), place_in(self, place, cell))
            if wish is not None:
                self._choose(index, wish)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wish = _KEYS.get(event.key()) if not event.modifiers() else None
        if wish is not None and self.currentIndex().isValid():
            self._choose(self.currentIndex(), wish)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the choice for the row under the pointer, or the current one."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        self._action_by_wish[self._tools.wish_at(index)].setChecked(True)
        below: QRect = self.visualRect(index)
        place: QPoint = event.globalPos() if by_mouse else self.viewport().mapToGlobal(below.bottomLeft())
        self._menu.popup(place)

    def _choose(self, index: QModelIndex, wish: PermissionMode) -> None:
        if self._tools.wish_at(index) is wish:
            return
        tool = self._tools.tool_at(index)
        source = self._tools.source_at(self._tools.parent(index) if tool is not None else index)
        if source is not None:
            self.wish_chosen.emit(source.name, tool.name if tool is not None else "", wish)

    def _on_group_triggered(self, action: QAction) -> None:
        if self.currentIndex().isValid():
            self._choose(self.currentIndex(), PermissionMode(action.data()))


_WIDTH: Final = 640
_HINT: Final = tr(
    "effect is allow, ask or deny. tool, source and caller are names or patterns; [[where]] says what must hold of the"
    " arguments: a path, and one of equals, in, prefix, inside, matches, above, below, at_least, at_most, host_in,"
    ' holds_secret. With moment = "result", redact and redact_secrets hide parts of results.'
)
_BEGINNINGS: Final = {
    tr("Allow, ask or refuse…"): 'effect = "ask"\ntool = "write_*"\n\n[[where]]\npath = "path"\ninside = "docs"\n',
    tr("Ask before an agent sends a secret…"): (
        'effect = "ask"\ncaller = "agent:*"\nreason = "The arguments hold a key or a token."\n\n[[where]]\npath = ""\n'
        "holds_secret = true\n"
    ),
    tr("Hide secrets from agents…"): 'effect = "allow"\nmoment = "result"\ncaller = "agent:*"\nredact_secrets = true\n',
}


class RuleDialog(WindowDialog):
    """Show a rule's text, and what it means."""

    saved = Signal(str)

    def __init__(self, title: str, text: str, meaning_of: Callable[[str], ParsedRule], parent: QWidget) -> None:
        super().__init__(title, parent)
        self._meaning_of = meaning_of
        self.setMinimumWidth(_WIDTH)
        self.text = QPlainTextEdit(text)
        self.text.setAccessibleName(tr("Rule"))
        self.text.setFont(theme_of(self).font("code"))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(180)
        self.meaning = TextLabel("", "body", "text", wrap=True, selectable=True)
        self.meaning.setAccessibleName(tr("What the rule means"))
        self.save = Button(tr("Save"), kind="primary", large=True, shortcut_hint="Ctrl ↵")
        self.save.setShortcut("Ctrl+Return")
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(title, "title"))
        column.addWidget(TextLabel(_HINT, "small", "text2", wrap=True))
        column.addWidget(self.text, 1)
        column.addWidget(self.meaning)
        column.addSpacing(8)
        column.addLayout(self.make_ends(self.save))
        self.text.textChanged.connect(self._on_text_changed)
        self.save.clicked.connect(self._on_save_clicked)
        self._on_text_changed()
        self.text.setFocus()

    @Slot()
    def _on_text_changed(self) -> None:
        found = self._meaning_of(self.text.toPlainText())
        self.meaning.set_tone("error" if found.problem else "text")
        self.meaning.setText(found.problem or found.words)
        self.save.setEnabled(not found.problem)

    @Slot()
    def _on_save_clicked(self) -> None:
        self.saved.emit(self.text.toPlainText())
        self.accept()


_RULES, _TOOLS = range(2)
_NONE: Final = (
    tr("Nothing is remembered"),
    tr("Choose “This session” or “Always” when you answer a question, and its rule stands here."),
)
_FILTER_WIDTH: Final = 240


class PermissionsView(QWidget):
    """Show rules and permissions, and take changes of them.

    Signals:
        shown(): It came into sight.
        hidden(): It is not in sight any more.
        rule_begun(str): A new rule is to be written that begins with this text.
        rule_written(str, str): The rule with this id shall be so; a new one without an id.
    """

    shown = Signal()
    hidden = Signal()
    rule_begun = Signal(str)
    rule_written = Signal(str, str)

    def __init__(self, rules: RuleModel, tools: PermissionModel) -> None:
        super().__init__()
        self.setAccessibleName(tr("Remembered"))
        set_surface(self, "surface")
        self._rules = rules
        self.choice = SegmentedControl((tr("Rules"), tr("Tools and sources")), tr("What is shown"))
        self._level = TextLabel("", "small", "text2")
        self.filter = SearchField(tr("Filter tools"))
        self.filter.setFixedWidth(_FILTER_WIDTH)
        self.filter.hide()
        self.new = Button(tr("New rule"), icon="plus")
        self._beginnings = Menu(tr("New rule"), self.new)
        for title, text in _BEGINNINGS.items():
            self._beginnings.addAction(title).setData(text)
        self.new.setMenu(self._beginnings)
        self.file = Button(tr("Open the file"), icon="file-text")
        self._edited = ""
        self._problem = Banner("error", tr("The rules cannot be read."), "")
        self._problem.hide()
        self.rules = RulesView(rules)
        self.tools = PermissionsTree(tools)
        self._pages = QStackedWidget()
        for page in (self.rules, self.tools, EmptyState("shield-check", *_NONE)):
            self._pages.addWidget(page)
        head = BarFrame(44, margins=(20, 20))
        head.row.addWidget(self.choice)
        head.row.addSpacing(4)
        head.row.addWidget(self._level)
        head.row.addStretch(1)
        head.row.addWidget(self.filter)
        head.row.addWidget(self.new)
        head.row.addWidget(self.file)
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(self._problem)
        column.addWidget(self._pages, 1)
        self._beginnings.triggered.connect(self._on_beginnings_triggered)
        self.choice.selected.connect(self._choose_page)
        self.filter.textChanged.connect(tools.set_filter)
        rules.modelReset.connect(self._choose_page)
        self._choose_page()

    def edit(self, rule_id: str, text: str, meaning_of: Callable[[str], ParsedRule]) -> None:
        """Let the person edit the text of a rule, or write a new one.

        Args:
            rule_id: The rule; empty for a new one.
        """
        self._edited = rule_id
        dialog = RuleDialog(tr("Edit the rule") if rule_id else tr("New rule"), text, meaning_of, self)
        dialog.saved.connect(self._on_dialog_saved)
        dialog.open()

    @Slot(QAction)
    def _on_beginnings_triggered(self, action: QAction) -> None:
        self.rule_begun.emit(action.data())

    def _on_dialog_saved(self, text: str) -> None:
        self.rule_written.emit(self._edited, text)

    def show_level(self, words: str) -> None:
        """Say what becomes of calls that no rule speaks of."""
        self._level.setText(tr("Where no rule speaks, {level}", level=words))

    def show_problem(self, problem: str) -> None:
        """Say why a file cannot be read, and what that means; empty when all is well."""
        self._problem.show_text(
            tr("The rules cannot be read."), tr("{problem} Until then every call is asked about.", problem=problem)
        )
        self._problem.setVisible(bool(problem))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    def _choose_page(self) -> None:
        shows_tools = self.choice.index == _TOOLS
        self.filter.setVisible(shows_tools)
        rules = _RULES if self._rules.rows else self._pages.count() - 1
        self._pages.setCurrentIndex(_TOOLS if shows_tools else rules)
