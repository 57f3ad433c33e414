"""`MainWindow`: bars, docks and the stack of pages. Boring on purpose: what is in them is decided in `console.app`."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QWidget,
)

from console.assets import paint_icon
from console.keymap import WindowCommand
from console.language import in_sentence, tr
from console.theme import Theme, ThemeMode, painter_of, theme_of
from console.widgets import (
    Banner,
    CommandAction,
    KeyTip,
    Menu,
    Scrim,
    focus_begin,
    paint_box,
    paint_focus_ring,
    paint_text,
    vbox,
)
from console.window.status_bar import StatusBar
from console.window.top_bar import TopBar

_COUNT: Final = 16
"""Height of the count in logical pixels."""

_MOST: Final = 99
_SIZE: Final = QSize(1440, 900)
"""Of the window on a first start."""


class RailButton(QToolButton):
    """One page's button: an icon, the accent line when it is the current page, a count when something waits."""

    def __init__(self, icon: str, action: QAction) -> None:
        super().__init__()
        self._icon_name = icon
        self.count = 0
        self.setDefaultAction(action)
        self.setAccessibleName(action.text())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        theme = theme_of(self)
        return QSize(theme.size.rail, theme.size.rail_button + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.size.rail_button
        box = QRect((self.width() - side) // 2, (self.height() - side) // 2, side, side)
        current = self.isChecked()
        if current or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color.accent_soft if current else theme.color.hover)
            painter.drawRoundedRect(QRectF(box), theme.radius.medium, theme.radius.medium)
        size = theme.size.icon_large
        inner = QRect(0, 0, size, size)
        inner.moveCenter(box.center())
        paint_icon(painter, inner, self._icon_name, theme.color.accent_text if current else theme.color.text2, theme)
        if current:
            paint_box(painter, QRect(0, box.top() + 8, 2, side - 16), 0, fill=theme.color.accent)
        if self.count:
            self._paint_count(painter, box, theme)
        if self.hasFocus():
            paint_focus_ring(painter, box, theme.radius.medium, theme)

    def set_count(self, count: int) -> None:
        self.count = count
        text = self.defaultAction().text()
        self.setAccessibleName(tr("{text}, {count} waiting", text=text, count=count) if count else text)
        self.update()

    def _paint_count(self, painter: QPainter, box: QRect, theme: Theme) -> None:
        text = str(self.count) if self.count <= _MOST else f"{_MOST}+"
        font = theme.font("caption", tabular=True)
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.DemiBold)
        width = max(_COUNT, QFontMetrics(font).horizontalAdvance(text) + 8)
        badge = QRect(box.right() + 3 - width, box.top(), width, _COUNT)
        painter.setPen(Qt.PenStyle.NoPen)
        # A gap in the colour of the bar keeps the count apart from the icon.
        painter.setBrush(theme.color.window)
        painter.drawRoundedRect(QRectF(badge).adjusted(-2, -2, 2, 2), _COUNT / 2 + 2, _COUNT / 2 + 2)
        painter.setBrush(theme.color.accent)
        painter.drawRoundedRect(QRectF(badge), _COUNT / 2, _COUNT / 2)
        paint_text(painter, badge, text, font, theme.color.on_accent, align=Qt.AlignmentFlag.AlignCenter)


class Rail(QToolBar):
    """The vertical bar of pages."""

    page_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Pages"), parent)
        self.setObjectName("rail")
        self.setProperty("edge", "left" if self.isRightToLeft() else "right")
        self.setMovable(False)
        self.setOrientation(Qt.Orientation.Vertical)
        self.setFixedWidth(theme_of(self).size.rail + 1)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._group = QActionGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, RailButton] = {}
        column = self._column = QWidget()
        self._layout = vbox(column, margins=(0, 4, 0, 4))
        self._layout.addStretch(1)
        self.addWidget(column)
        column.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def add_page(self, key: str, text: str, icon: str) -> None:
        """Add a page's button, which has a command of its own; the first one is current."""
        place = len(self._group.actions())
        button = self._button(key, icon, CommandAction(f"page.{key}", self._column))
        KeyTip(button, text, f"page.{key}")
        self._layout.insertWidget(place, button)

    def add_last(self, key: str, text: str, icon: str) -> None:
        """Add the button of the page that stands at the bottom; the menu has its shortcut."""
        button = self._button(key, icon, QAction(text, self._column))
        KeyTip(button, text, key)
        self._layout.addWidget(button)

    def _button(self, key: str, icon: str, action: QAction) -> RailButton:
        action.setCheckable(True)
        action.setChecked(not self._group.actions())
        action.setData(key)
        action.triggered.connect(self._on_action_triggered)
        self._group.addAction(action)
        button = self._buttons[key] = RailButton(icon, action)
        return button

    def set_count(self, key: str, count: int) -> None:
        """Show on a page's button how much waits there."""
        self._buttons[key].set_count(count)

    def count(self, key: str) -> int:
        """Give how much waits behind a page's button."""
        return self._buttons[key].count

    def choose(self, key: str) -> None:
        """Bring a page to the front."""
        for action in self._group.actions():
            if action.data() == key:
                action.setChecked(True)
                self.page_requested.emit(key)

    @Slot()
    def _on_action_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.page_requested.emit(action.data())


_FRAME: Final = QSize(4, 40)
_THEMES: tuple[tuple[ThemeMode, str], ...] = (
    ("light", tr("Light")),
    ("dark", tr("Dark")),
    ("system", tr("As the system")),
)


class _PageStack(QStackedWidget):
    """Pages of which one is shown, and needs its room; Qt's own stack needs that of the widest, at the panels' cost."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self._on_self_current_changed)

    @Slot(int)
    def _on_self_current_changed(self, _: int) -> None:
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint().expandedTo(page.minimumSize())


class MainWindow(QMainWindow):
    """Hold bars, docks and pages.

    Signals:
        closing(): The person wants to close the window; whoever listens decides and calls `close_now`.
        filter_requested(): The person wants to look for a tool; the panel of tools is shown.
        theme_chosen(str): The person chose "light", "dark" or "system".
        plugin_requested(): The person wants to add a plugin file.
        api_requested(): The person wants to add an API.
        settings_requested(): The person wants to see or change settings.
        export_requested(): The person wants a file with everything that is known of the tools.
        new_tool_requested(): The person wants to begin a tool of their own.
        reload_requested(): The person wants changed plugin files loaded again.
        first_steps_requested(): The person wants to be led through the first steps.
        about_requested(): The person wants to know what this is.
        installation_requested(): The person wants to know what is wrong with the installation.
        crash_reports_requested(): The person wants to see what failed in the program itself.
        oldest_question_requested(): The person wants to see the oldest open question.
        pause_requested(): The calls of all agents are to be held, or to go on when they are.
        next_tab_requested(int): Show the tab so many steps further.
        close_tab_requested(): Close the tab in front.
    """

    closing = Signal()
    filter_requested = Signal()
    theme_chosen = Signal(str)
    plugin_requested = Signal()
    api_requested = Signal()
    export_requested = Signal()
    settings_requested = Signal()
    new_tool_requested = Signal()
    reload_requested = Signal()
    first_steps_requested = Signal()
    about_requested = Signal()
    installation_requested = Signal()
    crash_reports_requested = Signal()
    oldest_question_requested = Signal()
    pause_requested = Signal()
    next_tab_requested = Signal(int)
    close_tab_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Tool Console")
        self.setObjectName("mainWindow")
        self.setMinimumSize(900, 480)
        self.resize(_SIZE)
        # Where panels stood in a window of the other direction says nothing for this one.
        self.state_version: Final = int(self.isRightToLeft())
        self._may_close = False
        self._bottom_height = 0
        self.top_bar = TopBar(self)
        self.rail = Rail(self)
        self.status_bar = StatusBar(self)
        self.pages = _PageStack()
        self._theme_actions: dict[str, QAction] = {}
        self._key_by_page: dict[str, QWidget] = {}
        self._whole_pages: set[str] = set()
        self._awaited_page = ""
        self._bottom_bars: list[QToolBar] = []
        self._closed_docks: tuple[QDockWidget, ...] | None = None
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.top_bar)
        self.setStatusBar(self.status_bar)
        self._banners = QWidget()
        vbox(self._banners, margins=(12, 12, 12, 12), spacing=8)
        self._banners.hide()
        centre = QWidget()
        column = vbox(centre)
        column.addWidget(self._banners)
        column.addWidget(self.pages, 1)
        self.setCentralWidget(centre)
        self.left_dock = self._place_sides()
        self.bottom_dock = self._dock("activityDock", Qt.DockWidgetArea.BottomDockWidgetArea)
        self.left_dock.setMinimumWidth(theme_of(self).size.dock_min)
        self.top_bar.left_toggled.connect(self.left_dock.setVisible)
        self.top_bar.bottom_toggled.connect(self.bottom_dock.setVisible)
        self.left_dock.visibilityChanged.connect(self._on_dock_visibility_changed)
        self.bottom_dock.visibilityChanged.connect(self._on_dock_visibility_changed)
        self.rail.page_requested.connect(self.show_page)
        self._build_menu()
        self._add_shortcuts()

    def _add_shortcuts(self) -> None:
        for command, slot in (
            ("oldest_question", self.oldest_question_requested),
            ("pause_agents", self.pause_requested),
            ("close_tab", self.close_tab_requested),
            ("next_tab", self._on_next_triggered),
            ("previous_tab", self._on_previous_triggered),
            ("next_region", self._on_next_region_triggered),
            ("previous_region", self._on_previous_region_triggered),
            ("palette", self.top_bar.search_requested),
            ("filter_tools", self.show_tools),
        ):
            CommandAction(command, self).triggered.connect(slot)

    def _place_sides(self) -> QDockWidget:
        """Put the rail and the panel of tools where reading begins: Qt mirrors what stands there, but not that."""
        is_reversed, area = self.isRightToLeft(), Qt.DockWidgetArea
        side = area.RightDockWidgetArea if is_reversed else area.LeftDockWidgetArea
        corner = Qt.Corner.BottomRightCorner if is_reversed else Qt.Corner.BottomLeftCorner
        self.addToolBar(Qt.ToolBarArea.RightToolBarArea if is_reversed else Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.setCorner(corner, side)
        return self._dock("toolsDock", side)

    def _dock(self, name: str, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(self)
        dock.setObjectName(name)
        dock.setTitleBarWidget(QWidget(dock))
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.addDockWidget(area, dock)
        return dock

    def _build_menu(self) -> None:
        menu = Menu(tr("Main menu"), self.top_bar.menu_button)
        self._add_file_actions(menu)
        self._action(menu, "reload_plugins").triggered.connect(self.reload_requested)
        menu.addSeparator()
        left = self._action(menu, "left_panel")
        left.triggered.connect(self._on_left_triggered)
        bottom = self._action(menu, "bottom_panel")
        bottom.triggered.connect(self._on_bottom_triggered)
        themes = Menu(tr("Theme"), menu)
        menu.addMenu(themes)
        group = QActionGroup(self)
        for mode, text in _THEMES:
            title = tr("Theme: {name}", name=in_sentence(text))
            action = self._action(themes, WindowCommand(f"theme.{mode}", text, tr("Settings"), title=title))
            action.setCheckable(True)
            action.setData(mode)
            action.triggered.connect(self._on_theme_triggered)
            group.addAction(action)
            self._theme_actions[mode] = action
        self._action(menu, "settings").triggered.connect(self.settings_requested)
        menu.addSeparator()
        self._action(menu, "help").triggered.connect(self.top_bar.help_requested)
        check = self._action(menu, "check_installation")
        check.triggered.connect(self.installation_requested)
        self._action(menu, "crash_reports").triggered.connect(self.crash_reports_requested)
        self._action(menu, "first_steps").triggered.connect(self.first_steps_requested)
        self._action(menu, "about").triggered.connect(self.about_requested)
        menu.addSeparator()
        quit_action = self._action(menu, "quit")
        quit_action.triggered.connect(self.close)
        self.top_bar.menu_button.setMenu(menu)
        CommandAction("menu", self).triggered.connect(self.top_bar.menu_button.showMenu)

    def _add_file_actions(self, menu: Menu) -> None:
        self._action(menu, "open_folder").triggered.connect(self.top_bar.folder_requested)
        self._action(menu, "new_tool").triggered.connect(self.new_tool_requested)
        self._action(menu, "add_plugin").triggered.connect(self.plugin_requested)
        self._action(menu, "add_api").triggered.connect(self.api_requested)
        self._action(menu, "export_tools").triggered.connect(self.export_requested)

    def _action(self, menu: Menu, command: WindowCommand | str) -> CommandAction:
        action = CommandAction(command, self)
        menu.addAction(action)
        return action

    def add_page(self, key: str, page: QWidget, *, whole: bool = False) -> None:
        """Add a page; when its button on the rail was pressed already, it comes to the front.

        Args:
            key: What it is called in code, as its button is.
            whole: Whether it takes the whole window, so that the panels beside it close while it is shown.
        """
        self._key_by_page[key] = page
        if whole:
            self._whole_pages.add(key)
        self.pages.addWidget(page)
        if key == self._awaited_page:
            self.show_page(key)

    def add_bottom_bar(self, bar: QToolBar) -> None:
        """Put a bar between the panels and the status bar."""
        self._bottom_bars.append(bar)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, bar)

    def add_banner(self, banner: Banner) -> None:
        """Say something above the pages, whichever is shown."""
        # It is as high as its words need at this width.
        banner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        column = self._banners.layout()
        if column is not None:
            column.addWidget(banner)
        self._banners.show()

    def take_banner(self, banner: Banner) -> None:
        column = self._banners.layout()
        if column is not None:
            column.removeWidget(banner)
            self._banners.setVisible(not column.isEmpty())
        banner.hide()
        banner.deleteLater()

    @Slot(str)
    def show_page(self, key: str) -> None:
        """Show a page, and open or close the panels beside it; one that is not there yet, as soon as it is."""
        self._awaited_page = "" if key in self._key_by_page else key
        if self._awaited_page:
            return
        whole = key in self._whole_pages
        docks = (self.left_dock, self.bottom_dock)
        if whole and self._closed_docks is None:
            self._closed_docks = tuple(dock for dock in docks if not dock.isHidden())
            for dock in docks:
                dock.hide()
        page = self._key_by_page[key]
        self.pages.setCurrentWidget(page)
        if not whole and self._closed_docks is not None:
            for dock in self._closed_docks:
                dock.show()
            self._closed_docks = None
        if whole:
            _focus_where_it_begins(page)

    @Slot()
    def show_tools(self) -> None:
        """Show the panel of tools, from whatever page, and ask for its filter."""
        self.rail.choose("tools")
        self.left_dock.show()
        self.filter_requested.emit()

    def show_theme_mode(self, mode: ThemeMode) -> None:
        self._theme_actions[mode].setChecked(True)

    @Slot(bool)
    def dim(self, dimmed: bool) -> None:
        """Lay the dimmer over the window while a question is open, or take it away."""
        if dimmed:
            Scrim.lay(self, self)
        else:
            Scrim.lift(self, self)

    def restore(self, geometry: bytes, state: bytes) -> None:
        """Restore size and panels; values of another version change nothing."""
        if not (geometry and self.restoreGeometry(QByteArray(geometry))):
            # With room for the title bar, which is not ours: the status bar must not end below the edge of the screen.
            self.resize(self.size().boundedTo(self.screen().availableSize() - _FRAME))
        if not (state and self.restoreState(QByteArray(state), self.state_version)):
            size = theme_of(self).size
            self.resizeDocks([self.left_dock], [size.dock_width], Qt.Orientation.Horizontal)
            self.resizeDocks([self.bottom_dock], [180], Qt.Orientation.Vertical)

    def reset(self) -> None:
        """Be as large as on a first start, with panels, parts of pages and columns as they were then."""
        # The window is painted before there are tables.
        from console.widgets import TableView, ThinSplitter  # noqa: PLC0415

        for dock in (self.left_dock, self.bottom_dock):
            dock.setFloating(False)
            if self._closed_docks is None:
                dock.show()
        if self._closed_docks is not None:
            self._closed_docks = (self.left_dock, self.bottom_dock)
        self.showNormal()
        self.resize(_SIZE)
        self.restore(b"", b"")
        for table in self.findChildren(TableView):
            table.reset_widths()
        for splitter in self.findChildren(ThinSplitter):
            splitter.reset()

    def close_now(self) -> None:
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let whoever listens to `closing` decide."""
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.closing.emit()

    @Slot(bool)
    def shrink_bottom(self, shrunk: bool) -> None:
        """Give the bottom dock only its header's height, or back what it had."""
        header = self.bottom_dock.widget().minimumSizeHint().height()
        if shrunk:
            self._bottom_height = self.bottom_dock.height()
            self.resizeDocks([self.bottom_dock], [header], Qt.Orientation.Vertical)
        else:
            self.resizeDocks([self.bottom_dock], [max(self._bottom_height, header + 96)], Qt.Orientation.Vertical)

    @Slot()
    def _on_next_triggered(self) -> None:
        self.next_tab_requested.emit(1)

    @Slot()
    def _on_previous_triggered(self) -> None:
        self.next_tab_requested.emit(-1)

    @Slot()
    def _on_next_region_triggered(self) -> None:
        self._step_region(1)

    @Slot()
    def _on_previous_region_triggered(self) -> None:
        self._step_region(-1)

    def _step_region(self, by: int) -> None:
        """Move the focus to the next region that shows: tools, page, activity, bars below, top bar."""
        regions: list[QWidget] = [self.left_dock, self.pages, self.bottom_dock, *self._bottom_bars, self.top_bar]
        shown = [region for region in regions if region.isVisible()]
        focus = QApplication.focusWidget()
        inside = [focus is not None and region.isAncestorOf(focus) for region in shown]
        here = inside.index(True) if True in inside else min(-by, 0)
        for step in range(1, len(shown) + 1):
            # A region may have no place for the focus, as a page that only tells something.
            for child in shown[(here + by * step) % len(shown)].findChildren(QWidget):
                if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    child.setFocus(Qt.FocusReason.TabFocusReason)
                    return

    @Slot()
    def _on_theme_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.theme_chosen.emit(action.data())

    @Slot()
    def _on_left_triggered(self) -> None:
        self.left_dock.setVisible(not self.left_dock.isVisible())

    @Slot()
    def _on_bottom_triggered(self) -> None:
        self.bottom_dock.setVisible(not self.bottom_dock.isVisible())

    @Slot()
    def _on_dock_visibility_changed(self) -> None:
        self.top_bar.show_panels(left=not self.left_dock.isHidden(), bottom=not self.bottom_dock.isHidden())


def _focus_where_it_begins(page: QWidget) -> None:
    """Move the focus into a page that says where it begins; Qt leaves it in the top bar, or nowhere."""
    focus, first = QApplication.focusWidget(), focus_begin(page)
    is_inside = focus is not None and page.isAncestorOf(focus)
    if not is_inside and first.focusPolicy() & Qt.FocusPolicy.TabFocus:
        first.setFocus(Qt.FocusReason.OtherFocusReason)
