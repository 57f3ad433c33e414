"""The tools dock: header, filter, tree and legend."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QFontMetrics, QGuiApplication, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from console.assets import Picture
from console.browser.model import ItemKind, ToolTreeModel, TreeItem
from console.browser.tool_tree import Latency, ToolRow, ToolSourceRow, Traits
from console.browser.tree_view import ToolTreeView
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import (
    BarFrame,
    Button,
    Divider,
    IconButton,
    IconLabel,
    LatencyClass,
    Menu,
    PanelHeader,
    SearchField,
    TextLabel,
    hbox,
    paint_latency_bars,
    paint_status,
    paint_text,
    set_margins,
    set_surface,
    vbox,
)


class FailureDialog(QDialog):
    """Show what a plugin raised while it was loaded; open it with `open()`.

    Signals:
        reload_requested(str): The plugin file with this path shall be loaded again.
        file_requested(str): The plugin file with this path shall be shown.
    """

    reload_requested = Signal(str)
    file_requested = Signal(str)

    def __init__(self, failure: ToolSourceRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._failure = failure
        theme = theme_of(self)
        self.setObjectName("failureDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle(tr("{name} could not be loaded", name=failure.name))
        self.resize(theme.size.dialog_width, 480)
        column = vbox(
            self, margins=(theme.space[5], theme.space[5], theme.space[5], theme.space[4]), spacing=theme.space[2]
        )
        column.addWidget(
            IconLabel(
                "circle-x", tr("{name} could not be loaded", name=failure.name), "title", "text", icon_tone="error"
            )
        )
        column.addWidget(TextLabel(failure.error_line, "body", "text", wrap=True, selectable=True))
        if failure.path:
            column.addWidget(TextLabel(failure.path, "code", "text3", wrap=True, selectable=True))
        self._trace = QPlainTextEdit(failure.traceback or failure.error)
        self._trace.setReadOnly(True)
        self._trace.setFont(theme.font("code"))
        self._trace.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._trace.setAccessibleName(tr("Traceback"))
        column.addWidget(self._trace, 1)
        column.addSpacing(theme.space[1])
        column.addLayout(self._make_buttons())

    def _make_buttons(self) -> QHBoxLayout:
        row = hbox(spacing=8)
        copy = Button(tr("Copy traceback"), icon="copy", large=True)
        copy.clicked.connect(self._on_copy_clicked)
        row.addWidget(copy)
        if self._failure.path:
            show = Button(tr("Show file"), icon="folder-open", large=True)
            show.clicked.connect(self._on_show_clicked)
            row.addWidget(show)
        row.addStretch(1)
        if self._failure.path:
            reload = Button(tr("Load again"), kind="soft", icon="refresh-cw", large=True)
            reload.clicked.connect(self._on_reload_clicked)
            row.addWidget(reload)
        close = Button(tr("Close"), large=True)
        close.clicked.connect(self.reject)
        row.addWidget(close)
        return row

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._trace.toPlainText())

    def _on_show_clicked(self) -> None:
        self.file_requested.emit(self._failure.path)

    def _on_reload_clicked(self) -> None:
        self.reload_requested.emit(self._failure.path)
        self.accept()


_LEGEND: Final[tuple[tuple[LatencyClass, str], ...]] = (
    ("fast", tr("fast")),
    ("medium", tr("med")),
    ("slow", tr("slow")),
)
_FOOTER_HEIGHT: Final = 29
_KINDS: Final = {"asks": tr("Asks before it runs"), "fast": tr("Fast"), "medium": tr("Medium"), "slow": tr("Slow")}


class _Legend(QWidget):
    """Explain the bars and the shield."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("One bar is fast, two are medium, three are slow. A shield asks before it runs."))
        self.setToolTip(tr("Fast: under 100 ms. Slow: over 2 s. Half of the calls take less than that."))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        font = theme.font("caption")
        font.setWeight(QFont.Weight.Normal)
        metrics = QFontMetrics(font)
        left, height = 0, self.height()
        for latency, word in _LEGEND:
            paint_latency_bars(painter, QRect(left, 0, 13, height), latency, theme)
            width = metrics.horizontalAdvance(word)
            paint_text(painter, QRect(left + 20, 0, width + 1, height), word, font, theme.color.text3)
            left += 20 + width + 12
        paint_status(painter, QRect(left, (height - 12) // 2, 12, 12), "needs_approval", theme)
        words = tr("needs approval")
        width = metrics.horizontalAdvance(words) + 1
        if left + 18 + width <= self.width():
            paint_text(painter, QRect(left + 18, 0, width, height), words, font, theme.color.text3)


class BrowserView(QWidget):
    """Find a tool by source, by group or by typing, and open it.

    Ctrl+L goes to the filter from anywhere in the window. Enter opens the best match, Down goes to it in the tree,
    where Down and Up go on to the others, Esc clears the filter.

    Signals:
        opened(str): The tool of this name shall be shown.
        run_again_requested(str): The tool shall run with the arguments it had last.
        batch_requested(str): A step that calls the tool of this name is to be added to the plan that is open.
        copy_requested(str, str): "name", "schema" or "command line" of the named tool shall be copied.
        reload_requested: Changed plugin files shall be loaded again.
        plugin_requested: The person wants to choose a plugin file.
        new_tool_requested: The person wants to begin a tool of their own.
        plugin_reload_requested(str): The plugin file with this path shall be loaded again.
        file_requested(str): The plugin file with this path shall be shown.
        server_requested(str): The server of this name shall be shown.
        connection_requested: The person wants to connect an MCP server.
        api_requested(str, str): "show", "refresh" or "remove" the API of this name, or "add" another one.
        all_requested(bool): All built-in tools shall be shown, or those that were chosen.
        star_requested(str, bool): The tool of this name shall be starred, or no longer.
        related_wanted(str): No name has what was typed; tools that mean the same are wanted, by `set_related`.
    """

    opened = Signal(str)
    run_again_requested = Signal(str)
    batch_requested = Signal(str)
    copy_requested = Signal(str, str)
    reload_requested = Signal()
    plugin_requested = Signal()
    new_tool_requested = Signal()
    plugin_reload_requested = Signal(str)
    file_requested = Signal(str)
    server_requested = Signal(str)
    connection_requested = Signal()
    api_requested = Signal(str, str)
    all_requested = Signal(bool)
    star_requested = Signal(str, bool)
    related_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("browser")
        set_surface(self, "panel")
        self._runnable: frozenset[str] = frozenset()
        self._starred: frozenset[str] = frozenset()
        self._opened: frozenset[str] = frozenset()
        self._awaited: Collection[str] = ()
        self._is_answered = False
        self._guess = TextLabel("", "caption", "text3", wrap=True)
        self._guess.setObjectName("toolsGuess")
        self._guess.setContentsMargins(12, 0, 12, 8)
        self._guess.hide()
        self._menu_item: TreeItem | None = None
        self._model = ToolTreeModel(self)
        self._tree = ToolTreeView(self._model)
        self._filter = SearchField(tr("Filter tools"), command="filter_tools")
        self._filter.setAccessibleName(tr("Tools filter"))
        self._filter.setObjectName("toolsFilter")
        self._narrow = IconButton("list-filter", tr("Narrow by kind"), size=24)
        self._narrow_menu = Menu(tr("Kinds of tools"), self)
        self._make_narrow_menu()
        self._lay_out()
        self._connect()

    def set_rows(self, rows: Iterable[ToolRow]) -> None:
        """Show these tools and no others; what was open or marked stays so."""
        self._model.set_rows(rows)
        self._follow_rows()

    def apply(self, added: Sequence[ToolRow], removed: Collection[str]) -> None:
        """Show new tools or new versions of known ones, and take the named ones away."""
        self._model.apply(added, removed)
        self._follow_rows()

    def set_related(self, text: str, named: Sequence[str], further: Sequence[str]) -> None:
        """Show tools that mean about what was typed, where no name has it.

        Args:
            text: What was typed; when it stands there no more, the answer comes too late.
            named: Tools by whose names, best first.
            further: Tools that are shown where nothing else comes close, best first.
        """
        if text == self._filter.text():
            self._model.set_related(named, further)
            self._is_answered = True
            self._count()

    def set_failures(self, failures: Iterable[ToolSourceRow]) -> None:
        self._model.set_failures(failures)

    def set_pictures(self, servers: Mapping[str, Picture], tools: Mapping[str, Picture]) -> None:
        """Show icons that servers and tools have themselves, by name."""
        self._model.set_pictures(servers, tools)

    def set_runnable(self, names: Iterable[str]) -> None:
        """Say which tools have arguments they ran with last; these stay shown."""
        self._runnable = frozenset(names)
        self._follow_kept()

    def set_chosen(self, names: Collection[str] | None) -> None:
        """Show only these of the built-in tools, as long as nobody looks for others; None shows all."""
        self._model.set_chosen(names)

    def set_starred(self, names: Iterable[str]) -> None:
        """Mark the tools that the person starred; these stay shown."""
        self._starred = frozenset(names)
        self._model.set_starred(self._starred)
        self._follow_kept()

    def set_shows_all(self, *, shows_all: bool) -> None:
        """Show all built-in tools although some were chosen, or the chosen ones."""
        self._model.set_shows_all(shows_all=shows_all)

    def set_awaited(self, names: Collection[str]) -> None:
        """Say which of the tools that are shown are not there yet: they can be opened, and no more."""
        self._awaited = names

    def _follow_kept(self) -> None:
        self._model.set_kept(self._runnable | self._starred | self._opened)

    def set_loading(self, loading: bool) -> None:
        """Show that tools are being looked for, with rings in place of the counts; what is there stays."""
        self._model.set_loading(loading=loading)
        self._tree.set_loading(loading=loading)
        self._reload.setEnabled(not loading)

    def select(self, name: str) -> None:
        """Mark the tool that is shown elsewhere, which stays shown from now on; an unknown name marks nothing."""
        if self._model.leaves_out(name):
            self._opened |= {name}
            self._follow_kept()
        self._tree.select(name)

    def reveal(self, name: str) -> None:
        """Mark a tool where a person sees it; a filter that hides it is cleared."""
        if self._model.total and self._model.filtered and not self._model.index_of(name).isValid():
            for action in self._narrow_menu.actions():
                action.setChecked(False)
            self._filter.clear()
            self._on_filter_changed()
        self.select(name)

    def set_groups_open(self, *, opened: bool) -> None:
        self._tree.set_groups_open(opened=opened)

    def focus_filter(self) -> None:
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    def _lay_out(self) -> None:
        column = vbox(self)
        column.addWidget(self._make_header())
        around_filter = QHBoxLayout()
        around_filter.setContentsMargins(8, 0, 8, 8)
        around_filter.addWidget(self._filter)
        column.addLayout(around_filter)
        column.addWidget(self._guess)
        column.addWidget(Divider())
        column.addSpacing(4)
        column.addWidget(self._tree, 1)
        footer = BarFrame(_FOOTER_HEIGHT, surface="panel", edge="top", margins=(12, 4))
        footer.row.addWidget(_Legend())
        column.addWidget(footer)

    def _make_header(self) -> PanelHeader:
        header = PanelHeader(tr("Tools"), height=theme_of(self).size.panel_header)
        set_margins(header.row, 12, 0, 8, 0)
        buttons = QWidget()
        row = hbox(buttons, spacing=4)
        self._add = IconButton("plus", tr("Add a plugin file…"))
        self._reload = IconButton("refresh-cw", tr("Reload changed plugins"))
        self._collapse = IconButton("list-collapse", tr("Expand all groups"))
        for button in (self._add, self._reload, self._collapse):
            row.addWidget(button)
        header.add_button(buttons)
        return header

    def _make_narrow_menu(self) -> None:
        for key, text in _KINDS.items():
            action = self._narrow_menu.add_entry(key, text)
            action.setCheckable(True)
            if key == "asks":
                self._narrow_menu.addSeparator()
        self._narrow.setCheckable(True)
        self._narrow.hide()
        self._filter.add_trailing(self._narrow)

    def _traits(self) -> Traits:
        chosen = {action.data() for action in self._narrow_menu.actions() if action.isChecked()}
        latencies: set[Latency] = chosen - {"asks"}
        return Traits("asks" in chosen, frozenset(latencies))

    def _connect(self) -> None:
        self._add.clicked.connect(self.plugin_requested)
        self._reload.clicked.connect(self.reload_requested)
        self._collapse.clicked.connect(self._on_collapse_clicked)
        self._filter.textChanged.connect(self._on_filter_changed)
        self._narrow.clicked.connect(self._on_narrow_clicked)
        self._narrow_menu.triggered.connect(self._on_filter_changed)
        self._filter.returnPressed.connect(self._on_filter_return_pressed)
        self._filter.down_requested.connect(self._on_filter_down_requested)
        self._tree.opened.connect(self._on_tree_opened)
        self._tree.menu_requested.connect(self._on_tree_menu_requested)
        self._tree.name_wanted.connect(self._on_tree_name_wanted)
        self._tree.left_upwards.connect(self.focus_filter)
        self._tree.toggled.connect(self._name_collapse)
        self._menu = Menu(tr("Tool"), self)
        self._menu.triggered.connect(self._on_menu_triggered)

    def _follow_rows(self) -> None:
        self._count()
        if self._model.is_guess:
            self.related_wanted.emit(self._filter.text())

    def _count(self) -> None:
        self._guess.setVisible(self._model.is_guess and self._is_answered)
        words = " ".join(self._filter.text().split())
        text = (
            tr("Closest to “{words}”", words=words)
            if self._model.found
            else tr("Nothing comes close to “{words}”", words=words)
        )
        self._guess.setText(text)
        self._filter.set_match_count(
            tr("{count:,} of {total:,}", count=self._model.found, total=self._model.total)
            if self._model.filtered
            else ""
        )
        self._name_collapse()

    def _name_collapse(self) -> None:
        self._collapse.set_name(tr("Collapse all groups") if self._tree.any_group_open() else tr("Expand all groups"))

    def _on_filter_changed(self) -> None:
        traits = self._traits()
        self._narrow.setVisible(bool(traits or self._filter.text()))
        self._narrow.setChecked(bool(traits))
        if not self._filter.text():
            self._is_answered = False
        self._model.set_filter(self._filter.text(), traits)
        self._follow_rows()

    def _on_narrow_clicked(self) -> None:
        # The click toggled it, but it shows whether anything is chosen.
        self._narrow.setChecked(bool(self._traits()))
        self._narrow_menu.popup(self._narrow.mapToGlobal(self._narrow.rect().bottomLeft()))

    def _on_filter_return_pressed(self) -> None:
        best = self._model.best_tool()
        if self._model.filtered and best.isValid():
            name = self._model.item(best).key
            self._tree.select(name)
            self.opened.emit(name)

    def _on_filter_down_requested(self) -> None:
        best = self._model.best_tool()
        if self._model.filtered and best.isValid():
            self._tree.select(self._model.item(best).key)
        self._tree.enter()

    def _on_collapse_clicked(self) -> None:
        self.set_groups_open(opened=not self._tree.any_group_open())

    def _on_tree_opened(self, item: TreeItem) -> None:
        if item.server:
            self.server_requested.emit(item.server)
        elif item.api:
            self.api_requested.emit("show", item.api)
        elif item.failure is not None:
            self._show_failure(item.failure)
        elif item.kind is ItemKind.LINK:
            if item.family == "built-in":
                self._change_shown(item)
                return
            wanted = self.connection_requested if item.family == "server" else self.plugin_requested
            wanted.emit()
        else:
            self.opened.emit(item.key)

    def _on_tree_name_wanted(self, item: TreeItem) -> None:
        self.copy_requested.emit("name", item.key)

    def _show_failure(self, failure: ToolSourceRow) -> None:
        dialog = FailureDialog(failure, self.window())
        dialog.reload_requested.connect(self.plugin_reload_requested)
        dialog.file_requested.connect(self.file_requested)
        dialog.open()

    def _on_tree_menu_requested(self, item: TreeItem, place: QPoint) -> None:
        self._menu_item = item
        self._menu.clear()
        if item.tool is not None:
            self._add_action("open", tr("Open"))
            if item.key in self._runnable:
                self._add_action("run", tr("Run with last arguments"))
            is_there = item.key not in self._awaited
            if is_there:
                self._add_action("batch", tr("Add to batch"))
            if is_there and item.tool.source.family == "built-in":
                self._add_action("star", tr("Remove star") if item.starred else tr("Star, to keep it shown"))
            self._menu.addSeparator()
            self._add_action("name", tr("Copy name"), QKeySequence(QKeySequence.StandardKey.Copy))
            if is_there:
                self._add_action("schema", tr("Copy schema"))
                self._add_action("command line", tr("Copy as command line"))
            if item.path:
                self._menu.addSeparator()
        self._add_source_actions(item)
        if item.path:
            self._add_action("file", tr("Show file"))
            self._add_action("reload", tr("Reload plugin"))
        if item.path or item.family == "plugin" or item.key == "plugin":
            if not self._menu.isEmpty():
                self._menu.addSeparator()
            self._add_action("new", tr("New tool…"))
            self._add_action("plugin", tr("Add a plugin file…"))
        if not self._menu.isEmpty():
            self._menu.popup(place)

    def _add_source_actions(self, item: TreeItem) -> None:
        """Offer what can be done with a server, an API or a plugin that did not load."""
        if item.server:
            self._add_action("server", tr("Show server"))
        elif item.api:
            self._add_action("show", tr("Show what it can do…"))
            if item.failure is None:
                self._add_action("refresh", tr("Read its document again"))
            self._menu.addSeparator()
            self._add_action("remove", tr("Remove…"))
        elif item.failure is not None:
            self._add_action("error", tr("Show error"))
        elif item.key == "built-in" and self._model.offer:
            self._add_action("all", self._model.offer)
        if item.key in {"api", "server"}:
            self._add_action("add", tr("Add an API…"))

    def _add_action(self, key: str, text: str, shortcut: QKeySequence | None = None) -> None:
        action = QAction(text, self._menu)
        action.setData(key)
        if shortcut is not None:
            action.setShortcut(shortcut)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._menu.addAction(action)

    def _change_shown(self, item: TreeItem) -> None:
        """Ask for a star of a tool, or for all tools of the family."""
        if item.tool is None:
            self.all_requested.emit(not self._model.shows_all)
        else:
            self.star_requested.emit(item.key, not item.starred)

    def _on_menu_triggered(self, action: QAction) -> None:
        item = self._menu_item
        if item is None:
            return
        match action.data():
            case "open" | "run" | "batch" as task:
                by_task = {"open": self.opened, "run": self.run_again_requested, "batch": self.batch_requested}
                by_task[task].emit(item.key)
            case "star" | "all":
                self._change_shown(item)
            case "server":
                self.server_requested.emit(item.server)
            case "show" | "refresh" | "remove" | "add" as wish:
                self.api_requested.emit(wish, item.api)
            case "error" if item.failure is not None:
                self._show_failure(item.failure)
            case "file":
                self.file_requested.emit(item.path)
            case "new":
                self.new_tool_requested.emit()
            case "plugin":
                self.plugin_requested.emit()
            case "reload":
                self.plugin_reload_requested.emit(item.path)
            case "name" | "schema" | "command line" as kind:
                self.copy_requested.emit(kind, item.key)
