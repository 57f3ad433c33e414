"""Render all widgets in both themes, to be looked at beside the mock-ups.

Run it with `python -m tests.console.gallery FOLDER`.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QTableView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from console.theme import ThemeController, theme_of
from console.theme.fonts import load_fonts
from console.widgets import (
    STATUS,
    Badge,
    Banner,
    BarFrame,
    Button,
    Collapsible,
    CountdownRing,
    CountPill,
    Divider,
    DocumentTabBar,
    DoubleSpinBox,
    ElidedLabel,
    EmptyState,
    IconButton,
    IconLabel,
    InnerTabBar,
    KeyCaps,
    Menu,
    PanelHeader,
    SearchField,
    SegmentedControl,
    SpinBox,
    StatusGlyph,
    Switch,
    TextLabel,
    paint_latency_bars,
    paint_status,
    set_surface,
)


class _Bars(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(120, 24)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - overrides Qt
        painter = QPainter(self)
        theme = theme_of(self)
        for index, latency in enumerate(("fast", "medium", "slow")):
            rect = self.rect()
            rect.setWidth(30 * (index + 1))
            paint_latency_bars(painter, rect, latency, theme)  # type: ignore[arg-type]


class _Statuses(QWidget):
    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size
        self.setFixedSize(len(STATUS) * 28, 24)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - overrides Qt
        painter = QPainter(self)
        theme = theme_of(self)
        for index, status in enumerate(STATUS):
            rect = self.rect()
            rect.setX(index * 28)
            rect.setWidth(self._size)
            paint_status(painter, rect, status, theme)


def _row(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    layout = QHBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    return holder


def _disabled(widget: QWidget) -> QWidget:
    widget.setEnabled(False)
    return widget


def _panel() -> QWidget:
    panel = QWidget()
    set_surface(panel, "panel")
    panel.setFixedWidth(280)
    column = QVBoxLayout(panel)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    header = PanelHeader("Tools")
    for icon, name in (("plus", "Add tools"), ("refresh-cw", "Look again"), ("list-collapse", "Close all")):
        header.add_button(IconButton(icon, name))
    column.addWidget(header)
    search = SearchField("Filter tools", command="filter_tools")
    search.setText("file")
    search.set_match_count("18 of 44")
    search.add_trailing(IconButton("list-filter", "Filters", size=24))
    empty = SearchField("Filter tools", command="filter_tools")
    for field in (search, empty):
        holder = QVBoxLayout()
        holder.setContentsMargins(8, 0, 8, 8)
        holder.addWidget(field)
        column.addLayout(holder)
    column.addWidget(Divider())
    column.addWidget(_tree(), 1)
    column.addWidget(EmptyState("arrow-down-to-line", "No calls yet", "Every call shows here.", action="Run a tool"))
    return panel


def _tree() -> QTreeView:
    model = QStandardItemModel()
    for source in ("Built-in", "Plugins"):
        item = QStandardItem(source)
        for name in ("read_file", "write_file", "search_files"):
            item.appendRow(QStandardItem(name))
        model.appendRow(item)
    tree = QTreeView()
    set_surface(tree, "panel")
    model.setParent(tree)
    tree.setModel(model)
    tree.setHeaderHidden(True)
    tree.setIndentation(theme_of(tree).size.indent)
    tree.expandAll()
    tree.setCurrentIndex(model.index(1, 0, model.index(0, 0)))
    tree.setMinimumHeight(200)
    return tree


def _table() -> QTableView:
    model = QStandardItemModel(4, 4)
    model.setHorizontalHeaderLabels(["Time", "Tool", "Caller", "Status"])
    for row in range(4):
        for column, text in enumerate(("14:32:07", "delete_file", "agent:claude", "Success")):
            model.setItem(row, column, QStandardItem(text))
    table = QTableView()
    model.setParent(table)
    table.setModel(model)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.verticalHeader().setDefaultSectionSize(24)
    table.horizontalHeader().setFixedHeight(24)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    table.horizontalHeader().setStretchLastSection(True)
    table.horizontalHeader().setHighlightSections(False)
    table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    table.selectRow(1)
    table.setFixedHeight(130)
    return table


def _fields() -> QWidget:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(8)
    code = theme_of(holder).font("code")
    text = QLineEdit("TODO|FIXME")
    text.setFont(code)
    combo = QComboBox()
    combo.addItems(["Regular expression", "Plain text"])
    spin = SpinBox()
    spin.setRange(1, 5000)
    spin.setValue(200)
    spin.setFont(code)
    suffixed = DoubleSpinBox()
    suffixed.setSuffix(" lines")
    failed = QLineEdit("9000")
    failed.setProperty("error", "true")
    edited = QLineEdit("/home/mira/exports/2023/tmp")
    edited.setProperty("edited", "true")
    hinted = QLineEdit()
    hinted.setPlaceholderText("Optional. Sent to the agent if you deny")
    json_text = QPlainTextEdit('{\n  "query": "TODO -> FIXME"\n}')
    json_text.setFont(code)
    json_text.setFixedHeight(72)
    rows = (text, combo, spin, suffixed, failed, edited, hinted, _disabled(QLineEdit("off")), json_text)
    for index, widget in enumerate(rows):
        grid.addWidget(TextLabel("pattern", "code", "text2"), index // 2, (index % 2) * 2)
        grid.addWidget(widget, index // 2, (index % 2) * 2 + 1)
    return holder


def _buttons() -> list[QWidget]:
    menu = Button("Examples", icon="book-open")
    menu.setMenu(Menu("Examples", menu))
    default = QPushButton("Qt default")
    default.setDefault(True)
    return [
        _row(
            IconButton("star", "Keep as favourite"),
            IconButton("ellipsis", "More"),
            Button("Add to batch", icon="list-plus"),
            _disabled(Button("Stop", icon="square")),
            Button("Run", kind="primary", icon="play", shortcut_hint="Ctrl+Enter"),
            IconButton("folder-open", "Choose a folder", outlined=True),
        ),
        _row(
            TextLabel("Arguments", "heading"),
            SegmentedControl(("Form", "JSON"), "View"),
            menu,
            Button("Reset", kind="ghost", icon="rotate-ccw"),
            IconLabel("circle-check", "7 of 7 valid", "small", "text3", icon_tone="ok"),
            Button("Copy as", kind="ghost", icon="copy", chevron=True),
        ),
        _row(
            Button("Deny", icon="x", shortcut_hint="Esc", large=True),
            Button("Deny && stop the run", kind="danger", icon="octagon-x", large=True),
            Button("Allow edited", kind="primary", icon="check", shortcut_hint="Ctrl+Enter", large=True),
            Button("Raise limit…", kind="soft"),
            QPushButton("Qt button"),
            default,
        ),
    ]


def _choices() -> list[QWidget]:
    on = QCheckBox("merge_overlaps")
    on.setChecked(True)
    partly = QCheckBox("some")
    partly.setTristate(True)
    partly.setCheckState(Qt.CheckState.PartiallyChecked)
    radio = QRadioButton("Only this call")
    radio.setChecked(True)
    ring = CountdownRing()
    ring.set_left(0.8)
    bar = QProgressBar()
    bar.setValue(40)
    bar.setTextVisible(False)
    bar.setFixedWidth(124)
    return [
        _row(
            QCheckBox("Match upper and lower case exactly"),
            on,
            partly,
            _disabled(QCheckBox("off")),
            radio,
            QRadioButton("This session"),
        ),
        _row(Switch("context", checked=True), Switch("other"), _disabled(Switch("off")), ring, bar, CountPill("233")),
    ]


def _page() -> QWidget:
    page = QWidget()
    set_surface(page, "surface")
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    tabs = DocumentTabBar()
    for name, status in (
        ("search_files", "up"),
        ("fetch_page", "degraded"),
        ("query_database", "down"),
        ("x", "running"),
    ):
        tabs.add_document(name, name, status)  # type: ignore[arg-type]
    bar = BarFrame(36, surface="window", margins=(0, 4), spacing=0)
    bar.row.addWidget(tabs, 1)
    bar.row.addWidget(IconButton("plus", "Open a tool"))
    column.addWidget(bar)
    body = QVBoxLayout()
    body.setContentsMargins(20, 16, 20, 16)
    body.setSpacing(12)
    badges = (("eye", "Read-only"), ("repeat", "Idempotent"), ("gauge", "Fast"), ("zap", "Cached 5 min"))
    body.addWidget(
        _row(
            TextLabel("search_files", "title"),
            TextLabel("Built-in › Files", "small", "text3"),
            *(Badge(text, icon=icon) for icon, text in badges),
            Badge("Now destructive", tone="error"),
            Badge("Edited", icon="pencil", tone="warn"),
        )
    )
    body.addWidget(TextLabel("Search the text files under a folder for a word or a regular expression.", tone="text2"))
    for widget in (*_buttons(), _fields(), *_choices()):
        body.addWidget(widget)
    card = QFrame()
    card.setProperty("card", "inset")
    inside = QVBoxLayout(card)
    inside.setContentsMargins(12, 4, 12, 4)
    section = Collapsible("context", code=True)
    lines = QVBoxLayout()
    lines.addWidget(TextLabel("inside the section", "small", "text2"))
    section.set_body_layout(lines)
    inside.addWidget(section)
    closed = Collapsible("Arguments", expanded=False)
    closed.set_summary('url="https://status.acme.dev/history" timeout_s=1.5')
    body.addWidget(card)
    body.addWidget(closed)
    _add_more(body)
    column.addLayout(body)
    _add_result(column)
    column.addStretch(1)
    return page


def _add_more(body: QVBoxLayout) -> None:
    body.addWidget(_row(_Statuses(10)))
    body.addWidget(_row(_Statuses(14)))
    body.addWidget(_row(_Bars(), StatusGlyph("running", 14), KeyCaps("Ctrl+Enter"), KeyCaps("Ctrl+K")))
    elided = ElidedLabel("/home/mira/exports/2023/tmp/a/very/long/name.csv", elide=Qt.TextElideMode.ElideMiddle)
    elided.setFixedWidth(200)
    body.addWidget(_row(elided, TextLabel("2.69 s", "metric"), TextLabel("a -> b != c", "code")))
    actions = {"review": "Review both"}
    body.addWidget(Banner("warn", "2 definitions changed.", "Both tools are paused.", actions=actions))


def _add_result(column: QVBoxLayout) -> None:
    inner = InnerTabBar("Result views")
    for name, count in (("Result", ""), ("Logs", "6"), ("Attachments", "1"), ("Timing", ""), ("History", "233")):
        inner.add_tab(name, count=count)
    head = BarFrame(36)
    head.row.addWidget(inner)
    head.row.addStretch(1)
    head.row.addWidget(IconLabel("circle-check", "Success", "heading", "ok", size=16))
    column.addWidget(head)
    column.addWidget(_table())


def build_gallery() -> QWidget:
    """Build one window that holds every widget."""
    window = QWidget()
    set_surface(window, "window")
    row = QHBoxLayout(window)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(_panel())
    row.addWidget(Divider(Qt.Orientation.Vertical))
    row.addWidget(_page(), 1)
    short = QListView()
    short.setModel(QStringListModel(["one", "two"] * 40, short))
    short.setFixedWidth(100)
    row.addWidget(short)
    window.resize(1240, 1080)
    return window


def main() -> int:
    """Write `gallery-light.png` and `gallery-dark.png`."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    application = QApplication([])
    load_fonts()
    controller = ThemeController(application, "light")
    window = build_gallery()
    window.show()
    for mode in ("light", "dark"):
        controller.set_mode(mode)
        window.grab().save(str(folder / f"gallery-{mode}.png"))
    window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
