"""The bar above everything: main menu, project, branch, panel switches, help."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolBar, QToolButton, QWidget

from console.assets import icon, paint_icon
from console.keymap import WindowCommand, caps_of, keymap
from console.language import tr
from console.preferences import RecentProject
from console.theme import painter_of, theme_of
from console.widgets import (
    CommandAction,
    IconButton,
    IconLabel,
    KeyTip,
    Menu,
    elide_middle,
    format_full_time,
    format_time,
    hbox,
    home_short,
    key_cap_width,
    paint_box,
    paint_focus_ring,
    paint_key_cap,
    paint_text,
)

_MOST: Final = 12
_MOST_COUNT: Final = 99
_LONGEST: Final = 56
_CENTER: Final = Qt.AlignmentFlag.AlignCenter
_COUNT: Final = 14


class Notification(NamedTuple):
    """Something that happened.

    Attributes:
        icon: Name of a shipped icon.
        title: What happened, in a few words.
        detail: Why; empty when nothing more is known.
    """

    key: int
    at: datetime
    icon: str
    title: str
    detail: str = ""


class NotificationBell(IconButton):
    """Count what happened since the person looked last, and list it.

    Signals:
        chosen(int): The person wants to see where this happened.
        read(): The person has seen the list.
        quiet_toggled(bool): Nothing shall disturb on the desktop, or it may again.
        sounds_toggled(bool): Notices on the desktop may sound, or not.
        allowing_toggled(bool): Calls can be allowed from notices on the desktop, or not.
    """

    chosen = Signal(int)
    read = Signal()
    quiet_toggled = Signal(bool)
    sounds_toggled = Signal(bool)
    allowing_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__("bell", tr("What happened"))
        self._unread: frozenset[int] = frozenset()
        self._is_quiet = False
        self._entries: list[QAction] = []
        self._menu = Menu(tr("What happened"), self)
        self._nothing = self._menu.addAction(tr("Nothing happened yet"))
        self._nothing.setEnabled(False)
        self._line = self._menu.addSeparator()
        self._quiet = CommandAction(WindowCommand("notices.quiet", tr("Do not disturb"), tr("Settings")), self)
        self._sounds = CommandAction(WindowCommand("notices.sounds", tr("Sound with notices"), tr("Settings")), self)
        self._allowing = CommandAction(
            WindowCommand("notices.may_allow", tr("Allow calls from notices"), tr("Settings")), self
        )
        self._menu.addActions([self._quiet, self._sounds, self._allowing])
        for action, toggled in (
            (self._quiet, self.quiet_toggled),
            (self._sounds, self.sounds_toggled),
            (self._allowing, self.allowing_toggled),
        ):
            action.setCheckable(True)
            action.toggled.connect(toggled)
        self._menu.aboutToHide.connect(self.read)
        self.setMenu(self._menu)
        self._name()

    @property
    def entries(self) -> tuple[QAction, ...]:
        """What the menu lists, newest first."""
        return tuple(self._entries)

    def show_notifications(self, kept: Sequence[Notification], unread: Collection[int]) -> None:
        """List what happened.

        Args:
            kept: Newest first; the oldest beyond a dozen are left out.
            unread: The keys of what nobody has seen.
        """
        for action in self._entries:
            self._menu.removeAction(action)
            action.deleteLater()
        self._entries = [self._entry(item, is_new=item.key in unread) for item in kept[:_MOST]]
        self._menu.insertActions(self._line, self._entries)
        self._nothing.setVisible(not kept)
        self._unread = frozenset(unread)
        self._name()
        self.update()

    def show_settings(self, *, sounds: bool, allowing: bool) -> None:
        """Show whether notices sound, and whether calls can be allowed from them; tells nobody."""
        for action, checked in ((self._sounds, sounds), (self._allowing, allowing)):
            _check(action, checked=checked)

    def show_quiet(self, *, quiet: bool) -> None:
        """Show whether nothing disturbs; tells nobody."""
        _check(self._quiet, checked=quiet)
        self._is_quiet = quiet
        self.set_icon("bell-off" if quiet else "bell")
        self._name()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bell, and over it how much is new."""
        super().paintEvent(event)
        if not self._unread:
            return
        theme = theme_of(self)
        text = str(len(self._unread)) if len(self._unread) <= _MOST_COUNT else f"{_MOST_COUNT}+"
        font = theme.font("caption", tabular=True)
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.DemiBold)
        width = max(_COUNT, QFontMetrics(font).horizontalAdvance(text) + 6)
        badge = QRect(self.width() - width, 0, width, _COUNT)
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color.accent)
        painter.drawRoundedRect(badge, _COUNT / 2, _COUNT / 2)
        paint_text(
            painter,
            badge,
            text,
            font,
            theme.color.on_accent,
            align=_CENTER,
        )

    def _name(self) -> None:
        name = tr("What happened, {count} new", count=len(self._unread)) if self._unread else tr("What happened")
        self.set_name(tr("{name}; do not disturb", name=name) if self._is_quiet else name)

    def _entry(self, item: Notification, *, is_new: bool) -> QAction:
        words = f"{item.title}: {item.detail}" if item.detail else item.title
        short = words if len(words) <= _LONGEST else f"{words[:_LONGEST].rstrip()}…"
        # What follows a tabulator stands at the right, as shortcuts do.
        action = QAction(icon(item.icon), f"{short.replace('&', '&&')}\t{format_time(item.at)}", self)
        action.setToolTip(f"{words}\n{format_full_time(item.at)}{tr('; new') if is_new else ''}")
        font = action.font()
        font.setBold(is_new)
        action.setFont(font)
        action.setData(item.key)
        action.triggered.connect(self._on_entry_triggered)
        return action

    @Slot()
    def _on_entry_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.chosen.emit(action.data())


MAX_RECENT: Final = 8
_SEARCH_WIDTH: Final = 440
_SEARCH_LEAST: Final = 160
_BADGE: Final = 20
_PATH_WIDTH: Final = 320


def initials(name: str) -> str:
    """Return one or two letters that stand for a project."""
    words = [word for word in name.replace("_", "-").replace(".", "-").replace(" ", "-").split("-") if word]
    letters = "".join(word[0] for word in words[:2]) if len(words) > 1 else name[:2]
    return letters.upper()


class ProjectButton(QToolButton):
    """Shows the project folder and opens the menu of folders."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._name = ""

    def show_folder(self, folder: Path | None) -> None:
        """Show a folder; None is no project."""
        self._name = folder.name or str(folder) if folder is not None else ""
        self.setAccessibleName(tr("Project {name}", name=self._name) if self._name else tr("No project"))
        self.setToolTip(str(folder) if folder is not None else tr("Open a project folder"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of badge, name and chevron."""
        font = theme_of(self).font("heading")
        badge = _BADGE + 8 if self._name else 0
        width = QFontMetrics(font).horizontalAdvance(self._name or tr("No project"))
        return QSize(8 + badge + min(width, 280) + 2 + 6 + 14 + 8, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color.pressed if self.isDown() else theme.color.hover)
            painter.drawRoundedRect(QRectF(self.rect()), theme.radius.medium, theme.radius.medium)
        left = 8
        if self._name:
            badge = QRect(left, (self.height() - _BADGE) // 2, _BADGE, _BADGE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color.accent)
            painter.drawRoundedRect(QRectF(badge), theme.radius.small, theme.radius.small)
            font = theme.font("caption")
            font.setPixelSize(10)
            font.setWeight(font.Weight.DemiBold)
            paint_text(painter, badge, initials(self._name), font, theme.color.on_accent, align=_CENTER)
            left += _BADGE + 8
        font = theme.font("heading")
        room = self.width() - left - 28
        text = QFontMetrics(font).elidedText(self._name or tr("No project"), Qt.TextElideMode.ElideMiddle, room)
        paint_text(painter, QRect(left, 0, room + 1, self.height()), text, font, theme.color.text)
        chevron = QRect(self.width() - 22, (self.height() - 14) // 2, 14, 14)
        paint_icon(painter, chevron, "chevron-down", theme.color.text2, theme)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect(), theme.radius.medium, theme)


class SearchButton(QPushButton):
    """Looks like a search field and opens the command palette."""

    def __init__(self) -> None:
        super().__init__(tr("Search tools and commands"))
        self.setObjectName("search")
        KeyTip(self, tr("Search tools, commands, calls and settings"), "palette")
        keymap().changed.connect(self._describe)
        self._describe()
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_SEARCH_LEAST)
        self.setMaximumWidth(_SEARCH_WIDTH)

    @Slot()
    def _describe(self) -> None:
        keys = keymap().shown("palette")
        self.setAccessibleDescription(tr("Shortcut {keys}", keys=keys) if keys else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_SEARCH_WIDTH, theme_of(self).size.control)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        fill = theme.color.pressed if self.isDown() else theme.color.hover if self.underMouse() else theme.color.field
        paint_box(painter, self.rect(), theme.radius.medium, fill=fill, border=theme.color.border_strong)
        paint_icon(painter, QRect(9, (self.height() - 14) // 2, 14, 14), "search", theme.color.text3, theme)
        right = self.width() - 5
        for key in reversed(caps_of(keymap().shown("palette"))):
            width = key_cap_width(key, theme)
            paint_key_cap(painter, QRect(right - width, 0, width, self.height()), key, theme)
            right -= width + 3
        words = QRect(30, 0, right - 36, self.height())
        paint_text(painter, words, self.text(), theme.font("body"), theme.color.text3)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect(), theme.radius.medium, theme)


class TopBar(QToolBar):
    """The bar above everything.

    Signals:
        search_requested(): The person wants the command palette.
        project_chosen(Path): Another project folder was picked from the recent ones.
        project_removed(Path): A recent project shall be forgotten.
        folder_requested(): The person wants to choose a folder.
        sample_requested(): The person wants to try the sample project.
        left_toggled(bool): Show or hide the tools.
        bottom_toggled(bool): Show or hide the activity.
        help_requested(): Show the shortcuts.
        quiet_toggled(bool): Nothing shall disturb on the desktop, or it may again.
        sounds_toggled(bool): Notices on the desktop may sound, or not.
        allowing_toggled(bool): Calls can be allowed from notices on the desktop, or not.
        notification_chosen(int): The person wants to see where this happened.
        notifications_read(): The person has seen what happened.
    """

    search_requested = Signal()
    project_chosen = Signal(object)
    project_removed = Signal(object)
    folder_requested = Signal()
    sample_requested = Signal()
    left_toggled = Signal(bool)
    bottom_toggled = Signal(bool)
    help_requested = Signal()
    quiet_toggled = Signal(bool)
    sounds_toggled = Signal(bool)
    allowing_toggled = Signal(bool)
    notification_chosen = Signal(int)
    notifications_read = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Top bar"), parent)
        self.setObjectName("topBar")
        self.setProperty("edge", "bottom")
        self.setMovable(False)
        self.setFixedHeight(theme_of(self).size.top_bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.menu_button = IconButton("menu", tr("Main menu"), command="menu")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._project = ProjectButton()
        self._project_menu = Menu(tr("Project"), self._project)
        self._project.setMenu(self._project_menu)
        self._branch = IconLabel("git-branch", "")
        self._branch.setAccessibleName(tr("Branch"))
        self._left = IconButton("panel-left", tr("Tools panel"), command="left_panel", plain=True)
        self._bottom = IconButton("panel-bottom", tr("Activity panel"), command="bottom_panel", plain=True)
        for button in (self._left, self._bottom):
            button.setCheckable(True)
            button.setChecked(True)
        self._left.clicked.connect(self.left_toggled)
        self._bottom.clicked.connect(self.bottom_toggled)
        help_button = IconButton("circle-question-mark", tr("Shortcuts and help"), command="help")
        help_button.clicked.connect(self.help_requested)
        self.bell = NotificationBell()
        self.bell.quiet_toggled.connect(self.quiet_toggled)
        self.bell.sounds_toggled.connect(self.sounds_toggled)
        self.bell.allowing_toggled.connect(self.allowing_toggled)
        self.bell.chosen.connect(self.notification_chosen)
        self.bell.read.connect(self.notifications_read)
        self._lay_out(help_button)
        self.show_project(None, "", ())

    def _lay_out(self, help_button: IconButton) -> None:
        search = SearchButton()
        search.clicked.connect(self.search_requested)
        row = QWidget()
        layout = hbox(row, margins=(10, 0, 10, 0), spacing=8)
        # Halves of the same width keep the search in the middle of the window.
        left, right = QHBoxLayout(), QHBoxLayout()
        for half in (left, right):
            half.setSpacing(4)
        left.addWidget(self.menu_button)
        left.addSpacing(8)
        left.addWidget(self._project)
        left.addSpacing(4)
        left.addWidget(self._branch)
        left.addStretch(1)
        right.addStretch(1)
        for button in (self._left, self._bottom, self.bell, help_button):
            right.addWidget(button)
        layout.addLayout(left, 1)
        layout.addWidget(search)
        layout.addLayout(right, 1)
        row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.addWidget(row)

    def show_project(self, folder: Path | None, branch: str, recent: Sequence[RecentProject]) -> None:
        """Show the project folder, its git branch and the folders used before."""
        self._project.show_folder(folder)
        self._branch.show_state("git-branch", branch)
        self._branch.setVisible(bool(branch))
        self._project_menu.clear()
        self._project_menu.addAction(tr("Open folder…")).triggered.connect(self.folder_requested)
        self._project_menu.addAction(tr("Try the sample project")).triggered.connect(self.sample_requested)
        others = [item for item in recent if item.folder != folder][:MAX_RECENT]
        if others:
            self._project_menu.addSection(tr("Recent projects"))
        for item in others:
            name = item.folder.name or str(item.folder)
            words = tr("Remove {name} (missing)", name=name) if item.is_missing else name
            # What follows a tabulator stands at the right, as shortcuts do.
            path = elide_middle(home_short(item.folder), self._project_menu.fontMetrics(), _PATH_WIDTH)
            action = self._project_menu.addAction(f"{words.replace('&', '&&')}\t{path.replace('&', '&&')}")
            action.setToolTip(str(item.folder))
            action.setData(item.folder)
            action.triggered.connect(self._on_missing_triggered if item.is_missing else self._on_recent_triggered)

    def show_panels(self, *, left: bool, bottom: bool) -> None:
        self._left.setChecked(left)
        self._bottom.setChecked(bottom)

    @Slot(bool)
    def show_quiet(self, quiet: bool) -> None:
        """Show whether nothing disturbs; tells nobody."""
        self.bell.show_quiet(quiet=quiet)

    def show_notifications(self, kept: Sequence[Notification], unread: Collection[int]) -> None:
        """Show what happened, newest first, and count what nobody has seen."""
        self.bell.show_notifications(kept, unread)

    @Slot()
    def _on_recent_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.project_chosen.emit(action.data())

    @Slot()
    def _on_missing_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.project_removed.emit(action.data())


def _check(action: QAction, *, checked: bool) -> None:
    """Check an action, or not, and tell nobody."""
    action.blockSignals(True)
    action.setChecked(checked)
    action.blockSignals(False)
