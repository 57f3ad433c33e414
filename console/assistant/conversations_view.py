"""The conversations at the left: searched, chosen, renamed and deleted."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from console.assets import paint_icon
from console.assistant.model import CONVERSATION_ROLE, ConversationModel
from console.assistant.rows import ConversationRow
from console.language import tr
from console.theme import Theme, mirror, theme_of
from console.widgets import (
    Button,
    EmptyState,
    IconButton,
    Menu,
    PanelHeader,
    SearchField,
    TextLabel,
    ToneFrame,
    hbox,
    paint_marked,
    paint_row,
    paint_text,
    set_surface,
    text_face,
    vbox,
)
from console.widgets.matches import match_spans

_HEADING: Final = 28
_ROW: Final = 48
_RENAME, _DELETE = "rename", "delete"


class _ConversationDelegate(QStyledItemDelegate):
    """Paint a title over a line about the conversation, and headings of days."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, _HEADING if index.data(CONVERSATION_ROLE) is None else _ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        view = option.widget
        theme = theme_of(view)
        rect: QRect = option.rect
        row = index.data(CONVERSATION_ROLE)
        painter.save()
        mirror(painter, rect)
        if isinstance(row, ConversationRow):
            _paint_conversation(painter, option, row, index.model(), theme)
        else:
            paint_text(painter, rect.adjusted(12, 4, -12, 0), index.data(), theme.font("small"), theme.color.text3)
        painter.restore()


def _paint_conversation(
    painter: QPainter, option: QStyleOptionViewItem, row: ConversationRow, model: QAbstractItemModel, theme: Theme
) -> None:
    rect: QRect = option.rect
    now = model.now if isinstance(model, ConversationModel) else row.at
    searched = model.searched if isinstance(model, ConversationModel) else ()
    paint_row(painter, option, theme)
    state = option.state
    is_selected = bool(state & QStyle.StateFlag.State_Selected)
    right = 36 if row.is_waiting or row.problem else 12
    title = QRect(rect.x() + 12, rect.y() + 5, rect.width() - 12 - right, 20)
    words = QRect(rect.x() + 12, rect.y() + 25, rect.width() - 24, 16)
    ink = theme.color.text2 if is_selected else theme.color.text3
    face = text_face(theme.font("body"))
    paint_marked(painter, title, row.title, match_spans(row.title, searched), face, theme.color.text, theme)
    line, face = row.words(now), text_face(theme.font("small"))
    spans = match_spans(line, searched) if row.found else []
    paint_marked(painter, words, line, spans, face, ink, theme)
    if row.is_waiting or row.problem:
        icon = "shield-question-mark" if row.is_waiting else "triangle-alert"
        box = QRect(rect.right() - 27, title.y() + 3, 14, 14)
        paint_icon(painter, box, icon, theme.tone("warn").text, theme)


class _ConversationList(QListView):
    """The list; Delete removes, F2 renames."""

    delete_pressed = Signal()
    rename_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        elif event.key() == Qt.Key.Key_F2:
            self.rename_pressed.emit()
        else:
            super().keyPressEvent(event)


class ConversationsView(QWidget):
    """List the conversations.

    Signals:
        chosen(str): Show this conversation.
        new_requested(): Begin another one.
        rename_requested(str): Call it otherwise.
        delete_requested(str): Take it off the list.
        undo_requested(): Bring back what was deleted last.
        searched(str): List those whose title or messages have these words.
    """

    chosen = Signal(str)
    new_requested = Signal()
    rename_requested = Signal(str)
    delete_requested = Signal(str)
    undo_requested = Signal()
    searched = Signal(str)

    def __init__(self, model: ConversationModel) -> None:
        super().__init__()
        set_surface(self, "panel")
        self._model = model
        self._opened = ""
        self.new = IconButton("square-pen", tr("New conversation"), command="assistant.new")
        self.search = SearchField(tr("Filter"))
        self.search.setAccessibleName(tr("Filter conversations"))
        self.list = _ConversationList()
        self.list.setObjectName("conversations")
        self.list.setAccessibleName(tr("Conversations"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setModel(model)
        self.list.setItemDelegate(_ConversationDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        set_surface(self.list, "panel")
        self._pages = QStackedWidget()
        self._empty = EmptyState(
            "messages-square", tr("No conversations yet"), tr("What you ask a model is kept here.")
        )
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.list)
        self.undo = Button(tr("Undo"), kind="soft")
        self.undo.setAccessibleName(tr("Undo the deletion"))
        self._deleted = TextLabel("", "small", "text2", wrap=True)
        self._deleted_bar = self._made_bar()
        head = PanelHeader(tr("Conversations"))
        head.add_button(self.new)
        column = vbox(self)
        column.addWidget(head)
        field = vbox(margins=(8, 0, 8, 8))
        field.addWidget(self.search)
        column.addLayout(field)
        column.addWidget(self._pages, 1)
        column.addWidget(self._deleted_bar)
        self._menu = Menu(tr("Conversation"), self.list)
        self._menu.add_entry(_RENAME, tr("Rename…"))
        self._menu.add_entry(_DELETE, tr("Delete"))
        self._connect()
        self.follow_rows()

    def _made_bar(self) -> QWidget:
        bar = QWidget(self)
        outer = vbox(bar, margins=(8, 8, 8, 8))
        frame = ToneFrame("run")
        row = hbox(frame, margins=(12, 4, 4, 4), spacing=8)
        row.addWidget(self._deleted, 1)
        row.addWidget(self.undo)
        outer.addWidget(frame)
        bar.hide()
        return bar

    def _connect(self) -> None:
        self.new.clicked.connect(self.new_requested)
        self.search.textChanged.connect(self.searched)
        self.list.selectionModel().currentChanged.connect(self._on_list_current_changed)
        self.list.clicked.connect(self._on_list_clicked)
        self.list.activated.connect(self._on_list_activated)
        self.list.delete_pressed.connect(self._on_delete_asked)
        self.list.rename_pressed.connect(self._on_rename_asked)
        self.list.customContextMenuRequested.connect(self._on_list_menu_requested)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.undo.clicked.connect(self.undo_requested)

    @property
    def current(self) -> str:
        """The chosen conversation; empty for none."""
        row = self.list.currentIndex().data(CONVERSATION_ROLE)
        return row.name if isinstance(row, ConversationRow) else ""

    def choose(self, name: str) -> None:
        """Mark a conversation, without opening it again; "" marks none."""
        selection = self.list.selectionModel()
        selection.blockSignals(True)
        place = self._model.place_of(name)
        self.list.setCurrentIndex(place)
        selection.blockSignals(False)
        self.list.viewport().update()

    def follow_rows(self, *, is_searching: bool = False) -> None:
        """Say that there are none, or list them.

        Args:
            is_searching: Whether messages are still searched.
        """
        has_rows = self._model.rowCount() > 0 or is_searching
        if not has_rows and self.search.text():
            self._empty.show_text(tr("Nothing matches"), tr("Filter for other words of titles or messages."))
        elif not has_rows:
            self._empty.show_text(tr("No conversations yet"), tr("What you ask a model is kept here."))
        self._pages.setCurrentIndex(1 if has_rows else 0)

    def show_deleted(self, title: str) -> None:
        """Offer to bring a conversation back; "" offers nothing."""
        self._deleted.setText(tr("Deleted “{title}”", title=title))
        self._deleted_bar.setVisible(bool(title))

    @Slot(QModelIndex, QModelIndex)
    def _on_list_current_changed(self, current: QModelIndex, _former: QModelIndex) -> None:
        row = current.data(CONVERSATION_ROLE)
        if isinstance(row, ConversationRow):
            self._opened = row.name
            self.chosen.emit(row.name)

    @Slot(QModelIndex)
    def _on_list_clicked(self, index: QModelIndex) -> None:
        """Go to what was found in the conversation that is open already."""
        row, opened, self._opened = index.data(CONVERSATION_ROLE), self._opened, ""
        if isinstance(row, ConversationRow) and row.found and row.name != opened:
            self.chosen.emit(row.name)

    @Slot(QModelIndex)
    def _on_list_activated(self, index: QModelIndex) -> None:
        row = index.data(CONVERSATION_ROLE)
        if isinstance(row, ConversationRow) and row.found:
            self.chosen.emit(row.name)

    @Slot()
    def _on_delete_asked(self) -> None:
        if self.current:
            self.delete_requested.emit(self.current)

    @Slot()
    def _on_rename_asked(self) -> None:
        if self.current:
            self.rename_requested.emit(self.current)

    @Slot(QPoint)
    def _on_list_menu_requested(self, at: QPoint) -> None:
        if self.list.indexAt(at).data(CONVERSATION_ROLE) is not None:
            self._menu.popup(self.list.viewport().mapToGlobal(at))

    @Slot(QAction)
    def _on_menu_triggered(self, action: QAction) -> None:
        if action.data() == _RENAME:
            self._on_rename_asked()
        else:
            self._on_delete_asked()
