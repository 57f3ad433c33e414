"""The head of the page: the tool's name, where it belongs, facts about it, Stop and Run, what it does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QStyle, QVBoxLayout, QWidget

from console.assets import Picture
from console.call_result.badges import ToolBadge
from console.call_result.rows import ToolHeading
from console.keymap import COMMANDS
from console.language import tr
from console.tool_page.lint_rows import LintFindingRow, LintRows
from console.widgets import (
    Badge,
    Button,
    CommandAction,
    CompactingRow,
    ElidedLabel,
    IconButton,
    IconLabel,
    KeyTip,
    Menu,
    MenuKeys,
    TextLabel,
    WindowDialog,
    hbox,
    set_surface,
    vbox,
)

_WIDTH: Final = 600
_MARGIN: Final = 20
_MOST_HEIGHT: Final = 480


class FindingsDialog(WindowDialog):
    """List findings with what to do about each, to be read and copied.

    Args:
        title: The tool, as people know it.
    """

    def __init__(self, title: str, lint: LintRows, parent: QWidget) -> None:
        super().__init__(tr("Findings in {title}", title=title), parent)
        self._text = lint.text
        column = vbox(self, margins=(_MARGIN, _MARGIN, _MARGIN, 16), spacing=8)
        column.addWidget(TextLabel(self.windowTitle(), "title"))
        column.addWidget(TextLabel(tr("What a model reads of the tool, and how it reads better."), "body", "text2"))
        column.addSpacing(4)
        column.addWidget(_list_of(lint.findings, self), 1)
        column.addSpacing(8)
        row = QHBoxLayout()
        row.addStretch(1)
        self.copy = Button(tr("Copy"), icon="copy", large=True)
        self.copy.clicked.connect(self._on_copy_clicked)
        close = Button(tr("Close"), large=True, shortcut_hint="Esc")
        close.clicked.connect(self.accept)
        close.setDefault(True)
        row.addWidget(self.copy)
        row.addWidget(close)
        column.addLayout(row)
        self.setMinimumWidth(_WIDTH)
        close.setFocus()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


def _list_of(findings: Iterable[LintFindingRow], parent: QWidget) -> QScrollArea:
    area = QScrollArea(parent)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(tr("Findings"))
    inside = QWidget(area)
    set_surface(inside, "raised")
    column = vbox(inside, margins=(0, 0, 8, 0), spacing=12)
    for finding in findings:
        column.addLayout(_entry(finding))
    column.addStretch(1)
    area.setWidget(inside)
    area.setFixedHeight(min(column.totalHeightForWidth(_WIDTH - 2 * _MARGIN), _MOST_HEIGHT))
    return area


def _entry(finding: LintFindingRow) -> QVBoxLayout:
    entry = vbox(spacing=2)
    head = hbox(spacing=8)
    head.addWidget(Badge(finding.word, tone=finding.tone))
    head.addWidget(TextLabel(finding.where, "code", "text3", selectable=True))
    head.addStretch(1)
    entry.addLayout(head)
    entry.addWidget(TextLabel(finding.message, "body", wrap=True, selectable=True))
    entry.addWidget(TextLabel(finding.fix, "small", "text2", wrap=True, selectable=True))
    return entry


_GAP: Final = 4
_PICTURE: Final = 20


class _BadgeStrip(QWidget):
    """Facts about a tool, as many as there is room for; the rest is counted and listed in a tooltip."""

    def __init__(self, badges: tuple[ToolBadge, ...], parent: QWidget) -> None:
        super().__init__(parent)
        # What they would like does not count: name and breadcrumb are shortened only where no badge is left.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(20)
        self.setAccessibleName(tr("Facts"))
        self._rows = badges
        self._state: ToolBadge | None = None
        self._badges: list[Badge] = []
        for row in badges:
            self._badges.append(self._made(row))
        self._rest = Badge("", parent=self)
        self._rest.hide()
        self._describe()

    def show_badges(self, badges: tuple[ToolBadge, ...]) -> None:
        if badges == self._rows:
            return
        kept = self._badges[: len(self._badges) - len(self._rows)]
        for gone in self._badges[len(kept) :]:
            gone.hide()
            gone.deleteLater()
        self._rows = badges
        self._badges = [*kept, *map(self._made, badges)]
        self._describe()
        self.updateGeometry()
        self._arrange()

    def show_state(self, state: ToolBadge | None) -> None:
        """Show in front of the facts how the tool stands just now; None for nothing worth telling."""
        if state == self._state:
            return
        if self._state is not None:
            gone = self._badges.pop(0)
            gone.hide()
            gone.deleteLater()
        self._state = state
        if state is not None:
            self._badges.insert(0, self._made(state))
        self._describe()
        self.updateGeometry()
        self._arrange()

    def _made(self, row: ToolBadge) -> Badge:
        badge = Badge(row.text, icon=row.icon, tone=row.tone, parent=self)  # type: ignore[arg-type]
        badge.setToolTip(row.tip)
        return badge

    def _describe(self) -> None:
        state = () if self._state is None else (self._state,)
        self.setAccessibleDescription(", ".join(row.text for row in (*state, *self._rows)))

    def sizeHint(self) -> QSize:
        widths = [badge.sizeHint().width() + _GAP for badge in self._badges]
        return QSize(max(0, sum(widths) - _GAP), 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 20)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._arrange()

    def _arrange(self) -> None:
        everything = self.sizeHint().width() <= self.width()
        room = self.width() if everything else self.width() - 36
        left, shown = 0, 0
        for badge in self._badges:
            size = badge.sizeHint()
            fits = left + size.width() <= room and shown == self._badges.index(badge)
            badge.setVisible(fits)
            if fits:
                self._place(badge, left, size.width())
                left += size.width() + _GAP
                shown += 1
        hidden = self._badges[shown:]
        self._rest.setVisible(bool(hidden) and self.width() >= 36)
        if hidden:
            self._rest.set_text(f"+{len(hidden)}")
            self._rest.setToolTip("\n".join(f"{badge.text}: {badge.toolTip()}" for badge in hidden))
            self._place(self._rest, left, self._rest.sizeHint().width())

    def _place(self, badge: QWidget, left: int, width: int) -> None:
        badge.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), QRect(left, 0, width, 20)))


class ToolHeaderView(QWidget):
    """Name the tool and offer to run and to stop it.

    Signals:
        stop_requested: Stop was pressed.
    """

    stop_requested = Signal()

    def __init__(self, heading: ToolHeading, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = vbox(self, margins=(20, 14, 20, 9), spacing=3)
        row = hbox(spacing=8)
        column.addLayout(row)
        self._picture = IconLabel("wrench", size=_PICTURE)
        self._picture.hide()
        self._name = ElidedLabel("", "title", elide=Qt.TextElideMode.ElideMiddle)
        self._breadcrumb = ElidedLabel("", "small", "text3")
        self._badges = _BadgeStrip(heading.badges, self)
        # In this order things give way when there is no room: badges, then the breadcrumb, then the name.
        row.addWidget(self._picture)
        row.addWidget(self._name)
        row.addWidget(self._breadcrumb)
        row.addSpacing(4)
        row.addWidget(self._badges, 1)
        row.addSpacing(8)
        self._make_buttons(row)
        self._description = ElidedLabel("", "body", "text2")
        self.tokens = TextLabel("", "small", "text3")
        self.findings = Button("", kind="ghost", icon="message-square-text")
        self.findings.setObjectName("findings")
        # The page must not move when it comes.
        policy = self.findings.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.findings.setSizePolicy(policy)
        self.findings.clicked.connect(self._on_findings_clicked)
        self._lint: LintRows | None = None
        below = hbox(spacing=8)
        # The button is higher than a line of words and reaches into the space around it.
        below.setContentsMargins(0, -4, 0, -4)
        below.addWidget(self._description, 1)
        for widget in (self.findings, self.tokens):
            widget.hide()
            below.addWidget(widget)
        column.addLayout(below)
        self.show_heading(heading)

    def show_heading(self, heading: ToolHeading) -> None:
        self._name.set_text(heading.title)
        self._breadcrumb.set_text(heading.breadcrumb)
        for label, least in ((self._name, 160), (self._breadcrumb, 0)):
            label.setMinimumWidth(min(least, label.sizeHint().width()))
        self._badges.show_badges(heading.badges)
        self._description.set_text(" ".join(heading.description.split()))
        self._description.setToolTip(heading.description)
        for key in ("bypass", "clear_cache"):
            self.menu_action(key).setEnabled(heading.is_cached)

    def show_lint(self, lint: LintRows) -> None:
        """Say what is wrong with how the tool is described, and what it costs a model."""
        self._lint = lint
        self.tokens.setText(lint.tokens)
        self.tokens.setToolTip(lint.tokens_tip)
        self.tokens.show()
        self.findings.setText(lint.heading)
        self.findings.setToolTip(tr("What is wrong with how models are told of this tool"))
        self.findings.setVisible(bool(lint.findings))

    def _on_findings_clicked(self) -> None:
        if self._lint is not None:
            dialog = FindingsDialog(self._name.text, self._lint, self.window())
            dialog.open()

    def _make_buttons(self, row: QHBoxLayout) -> None:
        self.more = IconButton("ellipsis", tr("More actions"))
        self._menu = Menu(tr("More actions"), self)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for key in ("bypass", "clear_cache", "copy_name", "fold"):
            if key == "bypass":
                # The command is the page's.
                action = QAction(COMMANDS["tool.bypass"].text, self._menu)
                MenuKeys(action, "tool.bypass")
            else:
                action = CommandAction(f"tool.{key}", self, context=inside)
            action.setData(key)
            action.setObjectName(f"action {key}")
            self._menu.addAction(action)
        self.more.setMenu(self._menu)
        self.batch_button = Button(tr("Add to batch"), icon="list-plus")
        KeyTip(self.batch_button, tr("Add a step with these arguments to the plan on the Batch page"), "tool.batch")
        self.stop_button = Button(tr("Stop"), icon="square")
        self.stop_button.setObjectName("stop")
        self.stop_button.setAccessibleName(tr("Stop"))
        self.stop_button.setEnabled(False)
        self.stop_button.setToolTip(tr("Nothing is running"))
        self.stop_button.clicked.connect(self.stop_requested)
        self._stop = CommandAction("tool.stop", self, context=inside)
        self._stop.setEnabled(False)
        self._stop.triggered.connect(self.stop_requested)
        self.run_button = Button(tr("Run"), kind="primary", icon="play", command="tool.run")
        self.run_button.setObjectName("run")
        self.run_button.setAccessibleName(tr("Run"))
        for widget in (self.more, self.batch_button, self.stop_button, self.run_button):
            row.addWidget(widget)
        CompactingRow(self, (self.batch_button, self.stop_button))

    def show_state(self, state: ToolBadge | None) -> None:
        """Say in a word how the tool stands just now; None for nothing worth telling."""
        self._badges.show_state(state)

    @property
    def picture(self) -> Picture | None:
        """Give the tool's own icon; None for a tool that has none."""
        return self._picture.picture

    def show_picture(self, picture: Picture | None) -> None:
        """Show the tool's own icon before its name; None for a tool that has none."""
        self._picture.show_picture(picture)
        self._picture.setVisible(picture is not None)

    def menu_action(self, key: str) -> QAction:
        return next(action for action in self._menu.actions() if action.data() == key)

    def show_former(self, *, is_former: bool) -> None:
        """Say whether Run runs the version before the one that does not load."""
        words = tr("Run former version") if is_former else tr("Run")
        self.run_button.setText(words)
        self.run_button.setAccessibleName(words)
        self.run_button.updateGeometry()

    def show_run(self, *, enabled: bool, reason: str) -> None:
        """Allow or forbid Run.

        Args:
            reason: The tooltip: what it does, or why it cannot be pressed.
        """
        self.run_button.setEnabled(enabled)
        self.run_button.setToolTip(reason)

    def show_stop(self, *, enabled: bool, stopping: bool) -> None:
        self.stop_button.setText(tr("Stopping…") if stopping else tr("Stop"))
        self.stop_button.setEnabled(enabled)
        self._stop.setEnabled(enabled)
        reason = tr("The tool was asked to stop") if stopping else tr("Nothing is running")
        self.stop_button.setToolTip(tr("Stop the call (Esc)") if enabled else reason)
