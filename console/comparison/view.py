"""Two calls beside each other: what differs in their arguments and in their results."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QStackedWidget, QWidget

from console.comparison.lines import TextDifference
from console.comparison.model import TreeRow
from console.comparison.rows import (
    ARGUMENTS,
    RESULT,
    ComparedSide,
    ComparedTree,
    counts_words,
    difference_words,
    text_words,
)
from console.comparison.text_view import DifferenceText
from console.comparison.tree_view import DifferenceTree
from console.language import tr
from console.schema_form import ABSENT
from console.theme import painter_of, theme_of
from console.widgets import (
    BarFrame,
    Button,
    CommandAction,
    ElidedLabel,
    EmptyState,
    IconButton,
    IconLabel,
    InnerTabBar,
    Menu,
    SegmentedControl,
    TextLabel,
    format_count,
    hbox,
    paint_box,
    paint_text,
    set_surface,
    vbox,
)
from tools.spec import MISSING

_TYPING_MS: Final = 350
_CENTER: Final = Qt.AlignmentFlag.AlignCenter


class _SignBox(QWidget):
    """The sign and the colours of one side."""

    def __init__(self, sign: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._sign = sign
        self.setFixedSize(20, 20)
        self.setAccessibleName(name)
        self.setToolTip(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        syntax = theme.syntax
        removed = self._sign == "-"
        painter = painter_of(self)
        fill = syntax.removed_bg if removed else syntax.added_bg
        paint_box(painter, self.rect(), theme.radius.small, fill=fill)
        ink = syntax.removed if removed else syntax.added
        paint_text(painter, self.rect(), self._sign, theme.font("code"), ink, align=_CENTER)


class _SideLabel(QWidget):
    """Name one side."""

    def __init__(self, sign: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        row = hbox(self, spacing=10)
        self._title = ElidedLabel("", "heading")
        self._subtitle = ElidedLabel("", "small", "text3")
        words = vbox()
        words.addWidget(self._title)
        words.addWidget(self._subtitle)
        row.addWidget(_SignBox(sign, name, self))
        row.addLayout(words, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_side(self, side: ComparedSide) -> None:
        self._title.set_text(side.title)
        self._subtitle.set_text(side.subtitle)
        self.setAccessibleName(" · ".join(word for word in (side.title, side.subtitle) if word))


class SidesBar(BarFrame):
    """Name both calls, with a button between them that exchanges them."""

    swap_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(52, surface="surface", edge="bottom", margins=(20, 20), spacing=16, parent=parent)
        self._left = _SideLabel("-", tr("Before"), self)
        self._right = _SideLabel("+", tr("Now"), self)
        swap = IconButton("repeat", tr("Swap sides"))
        swap.clicked.connect(self.swap_requested)
        self.row.addWidget(self._left, 1)
        self.row.addWidget(swap)
        self.row.addWidget(self._right, 1)

    def show_sides(self, left: ComparedSide, right: ComparedSide) -> None:
        """Name two other calls."""
        self._left.show_side(left)
        self._right.show_side(right)


class HeadBar(BarFrame):
    """Choose arguments or result, say how many differences there are, and go through them."""

    next_requested = Signal()
    previous_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(36, surface="surface", edge="bottom", margins=(0, 12), spacing=0, parent=parent)
        self.tabs = InnerTabBar(tr("Parts of the call"))
        for number, text in enumerate((tr("Arguments"), tr("Result")), start=1):
            self.tabs.setTabToolTip(self.tabs.add_tab(text), tr("{part} (Alt+{number})", part=text, number=number))
        self.tabs.setCurrentIndex(1)
        self.count = IconLabel("git-compare", "", "heading")
        self.kinds = ElidedLabel("", "small", "text3")
        self.kinds.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.position = TextLabel("", "small", "text2")
        self.previous = IconButton("chevron-up", tr("Previous difference"), command="comparison.previous")
        self.next = IconButton("chevron-down", tr("Next difference"), command="comparison.next")
        self.previous.clicked.connect(self.previous_requested)
        self.next.clicked.connect(self.next_requested)
        self.row.addWidget(self.tabs)
        self.row.addStretch(1)
        self.row.addWidget(self.count)
        self.row.addSpacing(12)
        self.row.addWidget(self.kinds)
        self.row.addSpacing(16)
        self.row.addWidget(self.position)
        self.row.addSpacing(4)
        self.row.addWidget(self.previous)
        self.row.addWidget(self.next)

    def show_count(self, words: str | None, kinds: str, *, same: bool = False) -> None:
        """Say how many differences there are, in all and of each kind; None while they are counted."""
        self.count.setVisible(words is not None)
        self.count.show_state("circle-check" if same else "git-compare", words or "", "ok" if same else "text", None)
        self.kinds.set_text(kinds)

    def show_position(self, position: int, count: int) -> None:
        """Say which difference is chosen, from 0; -1 for none."""
        self.position.setText(
            tr("{position:,} of {count:,}", position=position + 1, count=count) if position >= 0 else ""
        )
        for button in (self.previous, self.next):
            button.setEnabled(count > 0)


class ToolsBar(BarFrame):
    """Choose how the comparison is shown, what it passes over, and copy it as a patch.

    Signals:
        ignored_changed: Other paths are to be passed over.
        patch_requested(str): The comparison is to be copied as a `unified` diff or as `json`.
    """

    ignored_changed = Signal()
    patch_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(44, surface="surface", edge="bottom", margins=(20, 12), spacing=8, parent=parent)
        self.mode = SegmentedControl((tr("Tree"), tr("Text")), tr("Shown as"))
        self.layout_choice = SegmentedControl((tr("Unified"), tr("Side by side")), tr("Texts"))
        self.only = Button(tr("Only differences"), kind="soft", icon="list-filter")
        self.only.setCheckable(True)
        self.only.setChecked(True)
        self.only.toggled.connect(self._on_only_toggled)
        self._field = QLineEdit()
        self._field.setObjectName("ignored paths")
        self._field.setAccessibleName(tr("Pass over"))
        self._field.setPlaceholderText(".elapsed_s, $.stats.time, items[*].id")
        self._field.setToolTip(
            tr("Values with these paths do not count. $ begins at the whole, * stands for any name.")
        )
        self._field.setFont(theme_of(self).font("code"))
        self._field.setClearButtonEnabled(True)
        self._field.setMaximumWidth(320)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self._on_typing_ended)
        self._field.textChanged.connect(self._on_field_text_changed)
        self._field.returnPressed.connect(self._on_typing_ended)
        self.copy = Button(tr("Copy as"), icon="copy", chevron=True)
        self._menu = Menu(tr("Copy as"), self)
        for key, text in (("unified", tr("Unified diff")), ("json", tr("JSON Patch"))):
            self._menu.addAction(text).setData(key)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.copy.setMenu(self._menu)
        self.ignored = ""
        for widget in (self.mode, self.layout_choice, self.only):
            self.row.addWidget(widget)
        self.row.addStretch(1)
        self.row.addWidget(TextLabel(tr("Pass over"), "small", "text2"))
        self.row.addWidget(self._field, 2)
        self.row.addSpacing(4)
        self.row.addWidget(self.copy)

    def show_text_choices(self, *, visible: bool) -> None:
        """Offer what there is to choose about texts, or not."""
        self.layout_choice.setVisible(visible)

    def sizeHint(self) -> QSize:
        return QSize(640, 44)

    def _on_only_toggled(self, checked: bool) -> None:
        self.only.set_kind("soft" if checked else "normal")

    def _on_field_text_changed(self, text: str) -> None:
        self._typing.start()

    def _on_typing_ended(self) -> None:
        self._typing.stop()
        text = self._field.text().strip()
        if text != self.ignored:
            self.ignored = text
            self.ignored_changed.emit()

    def _on_menu_triggered(self, action: QAction) -> None:
        self.patch_requested.emit(str(action.data()))


class PathBar(BarFrame):
    """Say where the chosen value stands and what became of it, or what the last action did."""

    copy_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(32, surface="panel", edge="top", margins=(20, 12), spacing=12, parent=parent)
        self._path = ElidedLabel("", "code", "text2", elide=Qt.TextElideMode.ElideLeft)
        self._words = TextLabel("", "small", "text3")
        self._notice = ElidedLabel("", "small", "text2")
        self._copy = IconButton("copy", tr("Copy path"))
        self._copy.clicked.connect(self.copy_requested)
        self.row.addWidget(self._path)
        self.row.addWidget(self._copy)
        self.row.addWidget(self._words)
        self.row.addStretch(1)
        self.row.addWidget(self._notice)

    @property
    def notice(self) -> str:
        """Give what is said about the last action."""
        return self._notice.text

    def show_row(self, path: str, words: str) -> None:
        """Show where a value stands; "" for none."""
        self._path.set_text(path)
        self._path.setVisible(bool(path))
        self._words.setText(words)
        self._copy.setVisible(bool(path))
        self._show_if_any()

    def show_notice(self, text: str) -> None:
        """Say something about the last action; "" takes it away."""
        self._notice.set_text(text)
        self._show_if_any()

    def _show_if_any(self) -> None:
        self.setVisible(bool(self._path.text or self._words.text() or self._notice.text))


class ComparisonView(QWidget):
    """Compare two calls: arguments or result, as a tree or as text.

    F8 and Shift+F8, or N and P, go to the next and the previous difference.

    Signals:
        sides_changed: Two other calls are to be compared, or other paths passed over.
        text_wanted(int): The arguments (0) or the result (1) are to be compared as text.
        patch_requested(str): The comparison that is shown is to be copied as a `unified` diff or as `json`.
    """

    sides_changed = Signal()
    text_wanted = Signal(int)
    patch_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left = self.right = ComparedSide("")
        self.has_sides = False
        self._wants_focus = False
        self._trees: list[ComparedTree | None] = [None, None]
        self._texts: list[TextDifference | None] = [None, None]
        self._problem = ""
        self.setAccessibleName(tr("Comparison"))
        set_surface(self, "surface")
        column = vbox(self)
        self.sides = SidesBar(self)
        self.head = HeadBar(self)
        self.bar = ToolsBar(self)
        self._pages = QStackedWidget(self)
        self.tree = DifferenceTree(self._pages)
        self.tree.setAccessibleName(tr("Differences as a tree"))
        self.text = DifferenceText(self._pages)
        self.text.setAccessibleName(tr("Differences as text"))
        self.state = EmptyState("git-compare", tr("Comparing"), tr("What differs is shown here."))
        for page in (self.tree, self.text, self.state):
            self._pages.addWidget(page)
        self.path = PathBar(self)
        self.warning = IconLabel("triangle-alert", "", "small", "text", icon_tone="warn")
        self.warning.setContentsMargins(20, 4, 20, 4)
        self.warning.hide()
        for widget in (self.sides, self.warning, self.head, self.bar):
            column.addWidget(widget)
        column.addWidget(self._pages, 1)
        column.addWidget(self.path)
        self._connect_parts()
        self._show_part()

    def _connect_parts(self) -> None:
        self.sides.swap_requested.connect(self.swap_sides)
        self.head.tabs.currentChanged.connect(self._show_part)
        self.head.next_requested.connect(self.show_next)
        self.head.previous_requested.connect(self.show_previous)
        self.bar.mode.selected.connect(self._show_part)
        self.bar.layout_choice.selected.connect(self._on_layout_choice_selected)
        self.bar.only.toggled.connect(self._on_only_toggled)
        self.bar.ignored_changed.connect(self._forget)
        self.bar.patch_requested.connect(self.patch_requested)
        self.tree.row_selected.connect(self._on_tree_row_selected)
        self.text.row_chosen.connect(self._on_text_row_chosen)
        self.path.copy_requested.connect(self.tree.copy_path)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for command, slot in (
            ("next", self.show_next),
            ("previous", self.show_previous),
            ("arguments", self._on_arguments_shortcut_activated),
            ("result", self._on_result_shortcut_activated),
        ):
            CommandAction(f"comparison.{command}", self, context=inside).triggered.connect(slot)

    def set_sides(self, left: ComparedSide, right: ComparedSide) -> None:
        self.left, self.right = (_cleaned(side) for side in (left, right))
        self.has_sides = True
        self.sides.show_sides(self.left, self.right)
        differ = self.left.title != self.right.title
        words = tr(
            "Two tools: {left} and {right}. What differs may only come of that.",
            left=self.left.title,
            right=self.right.title,
        )
        self.warning.show_state("triangle-alert", words if differ else "", "text", "warn")
        self.warning.setVisible(differ)
        self._forget()

    def swap_sides(self) -> None:
        """Let each side take the other's place."""
        self.set_sides(self.right, self.left)

    @property
    def ignored(self) -> str:
        """Give the paths that are passed over, as they were typed."""
        return self.bar.ignored

    @property
    def part(self) -> int:
        """Give what is shown: the arguments (0) or the result (1)."""
        return self.head.tabs.currentIndex()

    @property
    def shows_text(self) -> bool:
        return self.bar.mode.index == 1 or self._is_plain_text()

    def compared_tree(self, part: int) -> ComparedTree | None:
        """Give the comparison of the arguments (0) or the result (1) as trees; None while it is made."""
        return self._trees[part]

    def compared_text(self, part: int) -> TextDifference | None:
        """Give the comparison of the arguments (0) or the result (1) as text; None until it was wanted and made."""
        return self._texts[part]

    def show_part(self, part: int) -> None:
        """Show the arguments (0) or the result (1)."""
        self.head.tabs.setCurrentIndex(part)

    def show_tree(self, part: int, compared: ComparedTree) -> None:
        """Take the comparison of the arguments (0) or the result (1) as trees."""
        self._trees[part] = compared
        count = compared.tree.counts.total
        self.head.tabs.set_count(part, format_count(count) if count else "")
        if part == self.part:
            self._show_part()

    def show_text(self, part: int, difference: TextDifference) -> None:
        """Take the comparison of the arguments (0) or the result (1) as text."""
        self._texts[part] = difference
        if part == self.part:
            self._show_part()

    def show_problem(self, problem: str) -> None:
        """Say that the comparison could not be made, and why."""
        self._problem = problem
        self._show_part()

    def show_notice(self, text: str) -> None:
        """Say something about the last action."""
        self.path.show_notice(text)

    def put_on_clipboard(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def focus_differences(self) -> None:
        """Put the focus onto the differences, as soon as they are there."""
        self._wants_focus = True
        self.head.tabs.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_part()

    def show_next(self) -> None:
        """Go to the next difference; behind the last one to the first."""
        self._step(1)

    def show_previous(self) -> None:
        """Go to the difference before; before the first one to the last."""
        self._step(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_N and not event.modifiers():
            self.show_next()
        elif event.key() == Qt.Key.Key_P and not event.modifiers():
            self.show_previous()
        else:
            super().keyPressEvent(event)

    def _forget(self) -> None:
        self._trees, self._texts, self._problem = [None, None], [None, None], ""
        for part in (ARGUMENTS, RESULT):
            self.head.tabs.set_count(part, "")
        self.path.show_notice("")
        self._show_part()
        self.sides_changed.emit()

    def _is_plain_text(self) -> bool:
        """Tell whether what is shown has no structure on either side."""
        values = self.left.part(self.part), self.right.part(self.part)
        return any(isinstance(value, str) for value in values) and all(
            isinstance(value, str) or value is ABSENT for value in values
        )

    def _show_part(self) -> None:
        """Show what was compared, or why there is nothing to show."""
        plain = self._is_plain_text()
        reason = tr("Text has no structure") if plain else ""
        self.bar.mode.set_choice_enabled(0, enabled=not plain, reason=reason)
        self.bar.show_text_choices(visible=self.shows_text)
        state = self._state()
        is_new = state is None
        if state is not None:
            self.state.show_text(*state)
        elif self.shows_text:
            is_new = self.text.difference is not self._texts[self.part]
            if is_new:
                self.text.show_difference(self._texts[self.part])
        else:
            compared = self._trees[self.part]
            root = compared.tree.root if compared is not None else None
            self.tree.show_comparison(root, only_differences=self.bar.only.isChecked())
        page = self.state if state is not None else self.text if self.shows_text else self.tree
        self._pages.setCurrentWidget(page)
        if self._wants_focus and page is not self.state:
            self._wants_focus = False
            page.setFocus(Qt.FocusReason.OtherFocusReason)
        self.path.show_row("", "")
        self._show_count()
        if is_new and self._count():
            self._go_to(0)
        self._show_position()

    def _state(self) -> tuple[str, str] | None:
        """Return what stands in place of a comparison; None if there is one to show."""
        part = self.part
        is_result = part == RESULT
        if self._problem:
            return tr("The two could not be compared"), self._problem
        values = self.left.part(part), self.right.part(part)
        if all(value is ABSENT for value in values):
            fact = tr("Neither call has a result") if is_result else tr("Neither call has arguments")
            return fact, tr("There is nothing to compare.")
        compared = self._trees[part]
        if compared is None:
            where = (
                tr("What differs in the result is shown here.")
                if is_result
                else tr("What differs in the arguments is shown here.")
            )
            return tr("Comparing"), where
        if self.shows_text and self._texts[part] is None:
            self.text_wanted.emit(part)
        if self.shows_text and self._texts[part] is None:
            sentence = tr("The result is written as text.") if is_result else tr("The arguments are written as text.")
            return tr("Comparing"), sentence
        if not self._count() and self.bar.only.isChecked():
            fact = tr("Identical result") if is_result else tr("Identical arguments")
            if self.ignored:
                return fact, tr("Nothing differs, apart from what is passed over.")
            return fact, tr("Nothing differs between the two calls.")
        return None

    def _count(self) -> int:
        part = self.part
        if self.shows_text:
            text = self._texts[part]
            return len(text.differing) if text is not None else 0
        tree = self._trees[part]
        return len(tree.places) if tree is not None else 0

    def _show_count(self) -> None:
        tree, text = self._trees[self.part], self._texts[self.part]
        if tree is None or (self.shows_text and text is None):
            self.head.show_count(None, "")
            return
        count = self._count()
        words = text_words(text) if self.shows_text and text is not None else counts_words(tree.tree.counts)
        if not tree.tree.is_complete and not self.shows_text:
            words = tr("{counts} · some only as a whole", counts=words)
        self.head.show_count(difference_words(count), words, same=not count)

    def _position(self) -> int:
        """Return which difference is chosen, from 0; -1 for none."""
        if self.shows_text:
            text = self._texts[self.part]
            hunk = self.text.current_hunk
            if text is None or hunk < 0 or text.hunks[hunk].same:
                return -1
            return bisect_left(text.differing, hunk)
        tree, place = self._trees[self.part], self.tree.current_place()
        if tree is None or place is None:
            return -1
        found = bisect_left(tree.places, place)
        return found if found < len(tree.places) and tree.places[found] == place else -1

    def _step(self, by: int) -> None:
        count = self._count()
        if not count or self._pages.currentWidget() is self.state:
            return
        self._go_to(self._neighbour(by) % count)
        self._show_position()

    def _neighbour(self, by: int) -> int:
        """Return the difference behind or before the chosen row, which need not be one itself."""
        if self.shows_text:
            text, hunk = self._texts[self.part], self.text.current_hunk
            if text is None:
                return 0
            return bisect_right(text.differing, hunk) if by > 0 else bisect_left(text.differing, hunk) - 1
        tree, place = self._trees[self.part], self.tree.current_place()
        if tree is None or place is None:
            return 0 if by > 0 else -1
        return bisect_right(tree.places, place) if by > 0 else bisect_left(tree.places, place) - 1

    def _go_to(self, number: int) -> None:
        text, tree = self._texts[self.part], self._trees[self.part]
        if self.shows_text and text is not None:
            self.text.select_hunk(text.differing[number])
        elif tree is not None:
            self.tree.select_place(tree.places[number])

    def _show_position(self) -> None:
        self.head.show_position(self._position(), self._count())

    def _on_layout_choice_selected(self, choice: int) -> None:
        self.text.set_side_by_side(side_by_side=choice == 1)

    def _on_only_toggled(self, checked: bool) -> None:
        self.text.set_only_differences(only_differences=checked)
        self._show_part()

    def _on_tree_row_selected(self, row: TreeRow) -> None:
        self.path.show_row(self.tree.current_path(), row.words)
        self._show_position()

    def _on_text_row_chosen(self) -> None:
        if self.shows_text:
            self.path.show_row("", self.text.place_words())
            self._show_position()

    def _on_arguments_shortcut_activated(self) -> None:
        self.show_part(ARGUMENTS)

    def _on_result_shortcut_activated(self) -> None:
        self.show_part(RESULT)


def _cleaned(side: ComparedSide) -> ComparedSide:
    """Let a missing value of a response be what a missing value is here."""
    return side._replace(
        arguments=ABSENT if side.arguments is MISSING else side.arguments,
        result=ABSENT if side.result is MISSING else side.result,
    )
