"""A server wants to know which folders it may work in: share some, or none."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QListWidget, QListWidgetItem, QWidget

from console.servers.question_dialog import QuestionDialog
from console.servers.questions import FolderChoice, FoldersAsked, ServerAnswer
from console.widgets import Button, TextLabel


class FoldersDialog(QuestionDialog):
    """Let a person choose the folders that a server may know of.

    Args:
        asked: The question.
        parent: The window it stands over.
    """

    def __init__(self, asked: FoldersAsked, parent: QWidget) -> None:
        super().__init__(f"Which folders may {asked.server} know of?", "folder-open", asked.server, "", parent)
        words = "It is told their paths. That alone opens nothing: what its process may read, the system decides."
        self.folders = QListWidget()
        self.folders.setAccessibleName("Folders")
        for folder in asked.folders:
            self._add(folder)
        self.body.addWidget(TextLabel(words, "small", "text2", wrap=True))
        self.body.addWidget(self.folders, 1)
        add = Button("Add a folder…", icon="folder-plus", large=True)
        add.clicked.connect(self._on_add_clicked)
        self.buttons.insertWidget(0, add)
        self.share = Button("Share", large=True)
        self.add_ends(self.share, "Share none")
        self.share.clicked.connect(self._on_share_clicked)
        self.decline.setDefault(True)
        self.decline.setFocus()

    def chosen(self) -> tuple[FolderChoice, ...]:
        """Give the folders that are marked."""
        items = [self.folders.item(place) for place in range(self.folders.count())]
        return tuple(
            FolderChoice(item.text(), Path(item.text()).name)
            for item in items
            if item.checkState() is Qt.CheckState.Checked
        )

    def _add(self, folder: FolderChoice) -> None:
        item = QListWidgetItem(folder.path)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked)
        self.folders.addItem(item)

    def _on_add_clicked(self) -> None:
        path = QFileDialog.getExistingDirectory(self, "Add a folder")
        if path:
            self._add(FolderChoice(path, Path(path).name))

    def _on_share_clicked(self) -> None:
        self.answer(ServerAnswer("accepted", folders=self.chosen()))
