"""The row over a result with its tabs, facts and buttons, and the bar that searches a result."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.call_result.rows import CallFacts
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import (
    BarFrame,
    Button,
    Divider,
    IconButton,
    InnerTabBar,
    Menu,
    SearchField,
    SegmentedControl,
    TextLabel,
    TurningWidget,
    format_count,
    paint_status,
    paint_text,
    spinner_clock,
    status_color,
)

_WAYS: Final = (tr("Text"), tr("Names"), "JMESPath")
_WIDTH: Final = 320
_WIDTH_OF_EXPRESSION: Final = 560
_EXPRESSION: Final = tr("Pick with JMESPath, such as items[?price > `10`].name")


class FindWay(IntEnum):
    """What the words in the field mean."""

    TEXT = 0
    NAMES = 1
    JMESPATH = 2


class FindBar(BarFrame):
    """Look for a text; Enter goes to the next place, Shift+Enter to the one before, Esc closes.

    Signals:
        find_requested(str, bool): Look for a text; True looks backwards.
        closed: The search was closed.
    """

    find_requested = Signal(str, bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(36, surface="surface", edge="bottom", margins=(12, 12), spacing=4, parent=parent)
        self.field = SearchField(tr("Find"))
        self.field.setFixedWidth(_WIDTH)
        self.field.installEventFilter(self)
        self._previous = IconButton("chevron-up", tr("Previous"), shortcut_hint="Shift+Enter")
        self._next = IconButton("chevron-down", tr("Next"), shortcut_hint="Enter")
        close = IconButton("x", tr("Close the search"), shortcut_hint="Esc")
        self.ways = SegmentedControl(_WAYS, tr("Way to find"), height=24)
        self.ways.hide()
        self._problem = TextLabel("", "small", "error")
        self._placeholder = ""
        self.row.addWidget(self.field)
        self.row.addWidget(self.ways)
        self.row.addWidget(self._previous)
        self.row.addWidget(self._next)
        self.row.addWidget(self._problem, 1)
        self.row.addWidget(close)
        self._previous.clicked.connect(self._on_previous_clicked)
        self._next.clicked.connect(self._on_next_clicked)
        close.clicked.connect(self.close_bar)
        self.field.textChanged.connect(self._on_field_text_changed)
        self.ways.selected.connect(self._show_way)
        self.hide()

    @property
    def way(self) -> FindWay:
        """Return what the words in the field mean."""
        return FindWay(self.ways.index) if self.ways.isVisibleTo(self) else FindWay.TEXT

    def open(self, placeholder: str, *, in_values: bool = False) -> None:
        """Show the search and put the caret into it.

        Args:
            placeholder: What it looks through.
            in_values: Whether it looks through values that have names and can be picked from.
        """
        self._placeholder = placeholder
        self.field.setAccessibleName(placeholder)
        self.ways.setVisible(in_values)
        self._show_way()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        self.hide()
        self.closed.emit()

    def show_found(self, found: bool) -> None:
        self.field.set_match_count("" if found or not self.field.text() else tr("not found"))

    def show_problem(self, problem: str) -> None:
        """Say what is wrong with an expression; "" for nothing."""
        self._problem.setText(problem)
        self._problem.setToolTip(problem)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go on with Enter, go back with Shift+Enter, close with Esc."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._find(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def _find(self, *, backwards: bool) -> None:
        self.find_requested.emit(self.field.text(), backwards)

    def _show_way(self) -> None:
        picks = self.way is FindWay.JMESPATH
        self.field.setPlaceholderText(_EXPRESSION if picks else self._placeholder)
        self.field.setFixedWidth(_WIDTH_OF_EXPRESSION if picks else _WIDTH)
        self._previous.setVisible(not picks)
        self._next.setVisible(not picks)
        self.show_problem("")
        self.show_found(found=True)

    def _on_previous_clicked(self) -> None:
        self._find(backwards=True)

    def _on_next_clicked(self) -> None:
        self._find(backwards=False)

    def _on_field_text_changed(self, text: str) -> None:
        self.show_problem("")
        if not text:
            self.show_found(found=True)


RESULT_TAB, LOGS_TAB, ATTACHMENTS_TAB, TIMING_TAB = range(4)
_TABS: Final = (tr("Result"), tr("Logs"), tr("Attachments"), tr("Timing"))
_DOT_ROOM: Final = 20
_COMPARE: Final = tr("Compare with before")


class FactsView(TurningWidget):
    """Glyph and word of a call's status, then its facts with dots between; the last ones give way first.

    Attributes:
        begins_left: Whether the status stays at the left edge when facts give way; else the last ends at the right one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.facts: CallFacts | None = None
        self.begins_left = False
        self.setObjectName("facts")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(20)

    def show_facts(self, facts: CallFacts | None) -> None:
        """Show how a call stands; None shows nothing."""
        self.facts = facts
        words = " · ".join((facts.word, *facts.parts)) if facts is not None else ""
        self.setAccessibleName(words)
        self.setToolTip("\n".join(part for part in (words, facts.note if facts is not None else "") if part))
        self.follow_clock()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._width_with(None), 20)

    @property
    def useful_width(self) -> int:
        """The width of the status and the first fact."""
        return self._width_with(1)

    def _width_with(self, most: int | None) -> int:
        """Return the width of the status and so many facts, None for all; 0 where nothing is shown."""
        facts = self.facts
        if facts is None:
            return 0
        theme = theme_of(self)
        body = QFontMetrics(theme.font("body"))
        width = 22 + QFontMetrics(theme.font("heading")).horizontalAdvance(facts.word)
        return width + sum(_DOT_ROOM + body.horizontalAdvance(part) for part in facts.parts[:most])

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 16), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        facts = self.facts
        if facts is None:
            return
        theme = theme_of(self)
        painter = painter_of(self)
        heading, body = theme.font("heading"), theme.font("body")
        metrics = QFontMetrics(body)
        width = min(QFontMetrics(heading).horizontalAdvance(facts.word), self.width() - 20)
        room = self.width() - 20 - width
        shown: list[tuple[str, int]] = []
        for part in facts.parts:
            advance = metrics.horizontalAdvance(part)
            room -= _DOT_ROOM + advance
            if room < 0:
                room += _DOT_ROOM + advance
                break
            shown.append((part, advance))
        # What gives way leaves its room at the left, so that the facts end where the buttons begin.
        left = 0 if self.begins_left else max(0, room)
        paint_status(painter, QRect(left, 3, 14, 14), facts.status, theme, turn=spinner_clock().turn)
        left += 20
        paint_text(painter, QRect(left, 0, width + 1, 20), facts.word, heading, status_color(facts.status, theme))
        left += width
        for part, advance in shown:
            dot = QRect(left, 0, _DOT_ROOM, 20)
            paint_text(painter, dot, "·", body, theme.color.text3, align=Qt.AlignmentFlag.AlignCenter)
            paint_text(painter, QRect(left + _DOT_ROOM, 0, advance + 1, 20), part, body, theme.color.text2)
            left += _DOT_ROOM + advance

    def is_turning(self) -> bool:
        return self.facts is not None and self.facts.status == "running"


class ResultHeader(BarFrame):
    """Hold the inner tabs, the facts of the call, its forms, and find, copy, save, compare and maximise.

    Signals:
        find_requested: Find was pressed.
        copy_requested: Copy was pressed.
        save_requested: Save was pressed.
        compare_requested: What is shown is to be compared with the run before.
        compare_past_requested: Two calls of the past are to be compared.
        messages_requested: What went over the wire for the call is to be shown.
    """

    find_requested = Signal()
    copy_requested = Signal()
    save_requested = Signal()
    compare_requested = Signal()
    compare_past_requested = Signal()
    messages_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(36, surface="surface", edge="bottom", margins=(0, 12), spacing=0, parent=parent)
        self.tabs = InnerTabBar(tr("Views of the call"))
        for text in _TABS:
            self.tabs.add_tab(text)
        for index, text in enumerate(_TABS):
            self.tabs.setTabToolTip(index, tr("{text} (Alt+{index})", text=text, index=index + 1))
        self.facts = FactsView()
        self.find_button = IconButton("search", tr("Find"), command="tool.find")
        self.forms = SegmentedControl((), tr("Form of the result"), height=24)
        self.forms.hide()
        self.copy = IconButton("copy", tr("Copy"))
        self.save = IconButton("download", tr("Save as…"))
        self.former = Button(_COMPARE, kind="soft", icon="git-compare")
        self.former.setToolTip(tr("Compare this result with the one before the reload"))
        self.former.setAccessibleName(_COMPARE)
        self.former.hide()
        self.compare = IconButton("git-compare", tr("Compare the result"))
        # Where calls are listed, comparing is theirs to offer.
        self.compare.hide()
        self._can_compare = False
        # Only a tool of a server has any.
        self.messages = IconButton("messages-square", tr("Show messages"))
        self.messages.hide()
        self.maximise = IconButton("maximize-2", tr("Maximise the result"))
        self.maximise.setCheckable(True)
        self.row.addWidget(self.tabs)
        self.row.addSpacing(8)
        self.row.addStretch(1)
        self.row.addWidget(self.facts)
        self.row.addSpacing(14)
        self.row.addWidget(self.former)
        self.row.addSpacing(4)
        self.row.addWidget(self.forms)
        self.row.addSpacing(4)
        self.row.addWidget(Divider(Qt.Orientation.Vertical, length=16))
        self.row.addSpacing(4)
        self.more = IconButton("ellipsis", tr("More actions for the result"))
        self.more.hide()
        self._folding = (self.copy, self.save)
        buttons = (self.find_button, self.copy, self.save, self.compare, self.messages, self.more, self.maximise)
        for button in buttons:
            self.row.addWidget(button)
        self.setMinimumWidth(1)  # or the row would keep the window too wide for anything to be folded
        self._connect_buttons()

    def _connect_buttons(self) -> None:
        self.find_button.clicked.connect(self.find_requested)
        self.copy.clicked.connect(self.copy_requested)
        self.save.clicked.connect(self.save_requested)
        self.former.clicked.connect(self.compare_requested)
        self.compare.clicked.connect(self._on_compare_clicked)
        self.more.clicked.connect(self._on_more_clicked)
        self.messages.clicked.connect(self.messages_requested)
        self.maximise.toggled.connect(self._on_maximise_toggled)

    def show_forms(self, words: tuple[str, ...], index: int) -> None:
        """Offer the forms of a result; a single one is no choice."""
        if len(words) > 1:
            self.forms.set_choices(words, index)
        self.forms.setVisible(len(words) > 1)

    def show_compare(self, *, enabled: bool) -> None:
        self._can_compare = enabled

    def show_former(self, *, is_known: bool) -> None:
        self.former.setVisible(is_known)

    def show_count(self, tab: int, count: int) -> None:
        """Show how much is behind a tab; 0 shows nothing."""
        self.tabs.set_count(tab, format_count(count) if count else "")

    def event(self, event: QEvent) -> bool:
        """Fold buttons into a menu where the row has no room for them and the names of the tabs."""
        handled = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit_former()
            self._fold()
        return handled

    def _fit_former(self) -> None:
        """Make the button that compares only its sign where its words would take the room of the status."""
        others = self.row.sizeHint().width() - self.former.sizeHint().width() - self.facts.sizeHint().width()
        needed = others + self.facts.useful_width + self.former.width_for(compact=False)
        self.former.set_compact(compact=needed > self.width())

    def _fold(self) -> None:
        names = self.tabs.sizeHint().width()
        least_names = self.tabs.minimumWidth() or self.tabs.minimumSizeHint().width()
        saved = sum(button.sizeHint().width() for button in self._folding) - self.more.sizeHint().width()
        is_folded = self.more.isVisibleTo(self)
        needed = self.row.minimumSize().width() - least_names + names + (saved if is_folded else 0)
        is_cramped = needed > self.width()
        # The facts of the call give way before the names of the tabs do.
        has_names = needed - (saved if is_cramped else 0) <= self.width()
        self.tabs.setMinimumWidth(names if has_names else 0)
        self.more.setVisible(is_cramped)
        for button in self._folding:
            button.setVisible(not is_cramped)

    def _on_more_clicked(self) -> None:
        menu = Menu(tr("More actions"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in self._folding:
            action = QAction(button.accessibleName(), menu)
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
            menu.addAction(action)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _on_compare_clicked(self) -> None:
        menu = Menu(tr("Compare"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        run = QAction(tr("With the run before"), menu)
        run.setEnabled(self._can_compare)
        run.triggered.connect(self.compare_requested)
        past = QAction(tr("Calls of the history…"), menu)
        past.triggered.connect(self.compare_past_requested)
        menu.addActions([run, past])
        menu.popup(self.compare.mapToGlobal(QPoint(0, self.compare.height())))

    def _on_maximise_toggled(self, checked: bool) -> None:
        self.maximise.set_name(tr("Show the arguments again") if checked else tr("Maximise the result"))
