"""Help and where the audit log is."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QTextBrowser, QWidget

from console.keymap import COMMANDS, keymap
from console.language import tr
from console.theme import theme_of
from console.theme.files import resource_path, resource_text
from console.viewers.rendered_view import MarkdownPage, format_page
from console.widgets import (
    Button,
    CentredDialog,
    Divider,
    SearchField,
    TextLabel,
    WindowDialog,
    hbox,
    set_surface,
    vbox,
)

_SHORTCUTS_PAGE: Final = "shortcuts.md"


class AuditBox(WindowDialog):
    """Say where the audit log is, and how to see that nobody changed it.

    Args:
        folder: Where it lives.
        problem: Why it cannot be written; empty when all is well.
        parent: The window it stands over.
    """

    def __init__(self, folder: Path, problem: str, parent: QWidget) -> None:
        super().__init__(tr("Audit log"), parent)
        self._command = shlex.join(["tool-console", "audit", "verify", "--folder", str(folder)])
        layout = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        layout.addWidget(TextLabel(tr("Audit log"), "title"))
        words = tr(
            "Every call is written into a chain of entries: what was proposed, shown, decided, executed and returned. "
            "An entry that somebody changes, removes or moves breaks the chain."
        )
        for text, tone in ((words, "text2"), (problem, "error")):
            if text:
                label = TextLabel(text, "body", "error" if tone == "error" else "text2", wrap=True)
                label.setMinimumWidth(480)
                layout.addWidget(label)
        for title, text in ((tr("It lives in"), str(folder)), (tr("This command checks it"), self._command)):
            layout.addSpacing(4)
            layout.addWidget(TextLabel(title, "small", "text3"))
            layout.addWidget(TextLabel(text, "code", wrap=True, selectable=True))
        layout.addSpacing(12)
        row = QHBoxLayout()
        row.addStretch(1)
        copy = Button(tr("Copy the command"), icon="copy", large=True)
        copy.clicked.connect(self._on_copy_clicked)
        close = Button(tr("Close"), large=True, shortcut_hint="Esc")
        close.clicked.connect(self.accept)
        close.setDefault(True)
        row.addWidget(copy)
        row.addWidget(close)
        layout.addLayout(row)
        close.setFocus()

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._command)


class HelpDialog(CentredDialog):
    """Show the help pages.

    Args:
        title: The window's title.
        page: The file shown first.
        parent: The window it stands over.
    """

    def __init__(self, title: str, page: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.resize(860, 640)
        set_surface(self, "surface")
        self._pages = sorted(path.name for path in resource_path("help").glob("*.md"))
        self._search = SearchField(tr("Search the help"))
        self._search.textChanged.connect(self._on_search_text_changed)
        self._search.returnPressed.connect(self._find_next)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Help pages"))
        self._list.setFrameShape(QListWidget.Shape.NoFrame)
        set_surface(self._list, "panel")
        for name in self._pages:
            item = QListWidgetItem(_title(name))
            item.setSizeHint(QSize(0, theme_of(self).size.control_large))
            self._list.addItem(item)
        self._text = MarkdownPage()
        self._text.setAccessibleName(tr("Help text"))
        self._text.setOpenExternalLinks(True)
        self._text.setFrameShape(QTextBrowser.Shape.NoFrame)
        layout = hbox(self)
        side = QWidget()
        side.setFixedWidth(220)
        set_surface(side, "panel")
        column = vbox(side)
        around = vbox(margins=(8, 8, 8, 8))
        around.addWidget(self._search)
        column.addLayout(around)
        column.addWidget(self._list, 1)
        layout.addWidget(side)
        layout.addWidget(Divider(Qt.Orientation.Vertical))
        layout.addWidget(self._text, 1)
        self._list.currentRowChanged.connect(self._on_list_current_row_changed)
        self._list.setCurrentRow(self._pages.index(page))

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll the list to its page, which it cannot do before it is laid out."""
        super().showEvent(event)
        self._list.scrollToItem(self._list.currentItem())

    @Slot(int)
    def _on_list_current_row_changed(self, row: int) -> None:
        theme = theme_of(self)
        document = self._text.document()
        document.setDefaultFont(theme.font("body"))
        document.setDocumentMargin(24)
        text = resource_text("help", self._pages[row])
        self._text.setMarkdown(_with_own_keys(text) if self._pages[row] == _SHORTCUTS_PAGE else text)
        format_page(document, theme)
        self._find_next()

    @Slot(str)
    def _on_search_text_changed(self, text: str) -> None:
        words = text.casefold().split()
        found = []
        for row, name in enumerate(self._pages):
            page = resource_text("help", name).casefold()
            fits = all(word in page for word in words)
            self._list.item(row).setHidden(not fits)
            found += [row] if fits else []
        self._search.set_match_count(tr("{count} of {total}", count=len(found), total=len(self._pages)))
        if found and self._list.currentRow() not in found:
            self._list.setCurrentRow(found[0])
        self._text.moveCursor(QTextCursor.MoveOperation.Start)
        self._find_next()

    @Slot()
    def _find_next(self) -> None:
        """Mark the next place that has what is searched for, or its first word, from the top again after the last."""
        text = " ".join(self._search.text().split())
        for wanted in dict.fromkeys((text, *text.split())):
            if self._text.find(wanted):
                return
            place = self._text.textCursor()
            self._text.moveCursor(QTextCursor.MoveOperation.Start)
            if self._text.find(wanted):
                return
            self._text.setTextCursor(place)


def _title(name: str) -> str:
    first = resource_text("help", name).splitlines()[0]
    return first.lstrip("# ").strip()


def _with_own_keys(text: str) -> str:
    """Return the page of shortcuts with those that a person chose before the first of its tables."""
    keys = keymap()
    own = [command for command in COMMANDS.values() if keys.is_own(command.key)]
    if not own:
        return text
    lines = [f"| {keys.shown(command.key) or tr('None', 'keys')} | {command.name} |" for command in own]
    head = tr("These differ from the tables below, which name the keys as the program brings them.")
    before, heading, after = text.partition("\n## ")
    table = "\n".join((tr("| Keys | What happens |"), "|---|---|", *lines))
    return f"{before}\n## {tr('Yours')}\n\n{head}\n\n{table}\n{heading}{after}"
