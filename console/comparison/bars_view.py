"""The bars around a comparison: whose calls they are, which part, how many differences, how they are shown."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from console.comparison.rows import ComparedSide
from console.theme import theme_of
from console.widgets import (
    BarFrame,
    Button,
    ElidedLabel,
    IconButton,
    IconLabel,
    InnerTabBar,
    Menu,
    SegmentedControl,
    TextLabel,
    paint_box,
    paint_text,
)

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
        painter = QPainter(self)
        fill = syntax.removed_bg if removed else syntax.added_bg
        paint_box(painter, self.rect(), theme.radius.small, fill=fill)
        ink = syntax.removed if removed else syntax.added
        paint_text(painter, self.rect(), self._sign, theme.font("code"), ink, align=_CENTER)


class _SideLabel(QWidget):
    """Name one side."""

    def __init__(self, sign: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        self._title = ElidedLabel("", "heading")
        self._subtitle = ElidedLabel("", "small", "text3")
        words = QVBoxLayout()
        words.setSpacing(0)
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
        self._left = _SideLabel("-", "Before", self)
        self._right = _SideLabel("+", "Now", self)
        swap = IconButton("repeat", "Swap sides")
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
        self.tabs = InnerTabBar("Parts of the call")
        for number, text in enumerate(("Arguments", "Result"), start=1):
            self.tabs.setTabToolTip(self.tabs.add_tab(text), f"{text} (Alt+{number})")
        self.tabs.setCurrentIndex(1)
        self.count = IconLabel("git-compare", "", "heading")
        self.kinds = ElidedLabel("", "small", "text3")
        self.kinds.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.position = TextLabel("", "small", "text2")
        self.previous = IconButton("chevron-up", "Previous difference", shortcut_hint="Shift+F8")
        self.next = IconButton("chevron-down", "Next difference", shortcut_hint="F8")
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
        """Say how many differences there are.

        Args:
            words: The sum; None while it is counted.
            kinds: How many of each kind.
            same: Whether there are none.
        """
        self.count.setVisible(words is not None)
        self.count.show_state("circle-check" if same else "git-compare", words or "", "ok" if same else "text", None)
        self.kinds.set_text(kinds)

    def show_position(self, position: int, count: int) -> None:
        """Say which difference is chosen.

        Args:
            position: From 0; -1 for none.
            count: How many there are.
        """
        self.position.setText(f"{position + 1:,} of {count:,}" if position >= 0 else "")
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
        self.mode = SegmentedControl(("Tree", "Text"), "Shown as")
        self.layout_choice = SegmentedControl(("Unified", "Side by side"), "Texts")
        self.only = Button("Only differences", kind="soft", icon="list-filter")
        self.only.setCheckable(True)
        self.only.setChecked(True)
        self.only.toggled.connect(self._on_only_toggled)
        self._field = QLineEdit()
        self._field.setObjectName("ignored paths")
        self._field.setAccessibleName("Pass over")
        self._field.setPlaceholderText(".elapsed_s, $.stats.time, items[*].id")
        self._field.setToolTip("Values with these paths do not count. $ begins at the whole, * stands for any name.")
        self._field.setFont(theme_of(self).font("code"))
        self._field.setClearButtonEnabled(True)
        self._field.setMaximumWidth(320)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._on_typing_ended)
        self._field.textChanged.connect(self._on_field_text_changed)
        self._field.returnPressed.connect(self._on_typing_ended)
        self.copy = Button("Copy as", icon="copy", chevron=True)
        self._menu = Menu("Copy as", self)
        for key, text in (("unified", "Unified diff"), ("json", "JSON Patch")):
            action = QAction(text, self._menu)
            action.setData(key)
            self._menu.addAction(action)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.copy.setMenu(self._menu)
        self._applied = ""
        for widget in (self.mode, self.layout_choice, self.only):
            self.row.addWidget(widget)
        self.row.addStretch(1)
        self.row.addWidget(TextLabel("Pass over", "small", "text2"))
        self.row.addWidget(self._field, 2)
        self.row.addSpacing(4)
        self.row.addWidget(self.copy)

    @property
    def ignored(self) -> str:
        """Give the paths that are passed over, as they were typed."""
        return self._applied

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
        if text != self._applied:
            self._applied = text
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
        self._copy = IconButton("copy", "Copy path")
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
