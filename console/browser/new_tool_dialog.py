"""Ask for the name, the folder and the kind of a new tool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QLineEdit, QRadioButton, QWidget

from console.language import tr
from console.widgets import Button, TextLabel, WindowDialog, ask_folder, hbox, set_margins, vbox
from tools.paths import at_home
from tools.sentences import begin_sentence


class NewToolDialog(WindowDialog):
    """Let a person begin a tool of their own.

    Args:
        templates: Title and description of what there is to begin with, the plainest first.
        folder: Where it is put at first.
        name_problem: Says why a tool cannot have a name; empty when it can.

    Signals:
        create_requested(str, Path, int, bool): Write a file for a tool of this name into this folder, of the template
            with this index, and open it in the editor or not.
    """

    create_requested = Signal(str, object, int, bool)

    def __init__(
        self,
        templates: Sequence[tuple[str, str]],
        folder: Path,
        name_problem: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        super().__init__(tr("New tool"), parent)
        self._templates = tuple(templates)
        self._name_problem = name_problem
        self.setObjectName("newToolDialog")
        self.setMinimumWidth(520)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name"))
        self.name.setPlaceholderText("count_words")
        self.name.setMaxLength(80)
        self.folder = QLineEdit(str(folder))
        self.folder.setAccessibleName(tr("Folder"))
        self._problem = TextLabel("", "small", "error", wrap=True)
        self._problem.setContentsMargins(0, 0, 0, 4)
        self._place = TextLabel("", "small", "text3", wrap=True)
        self.make = Button(tr("Create"), kind="primary", large=True)
        self.make.setDefault(True)
        self.opens = QCheckBox(tr("Open the file in my editor"))
        self._lay_out()
        self.name.textChanged.connect(self._on_text_changed)
        self.folder.textChanged.connect(self._on_text_changed)
        self.make.clicked.connect(self._on_create_clicked)
        self._on_text_changed()
        self.name.setFocus()

    def _lay_out(self) -> None:
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("New tool"), "title"))
        hint = tr(
            "A Python file with a tool that runs. It becomes a plugin, and its page follows whenever you save it."
        )
        lead = TextLabel(hint, "small", "text2", wrap=True)
        lead.setContentsMargins(0, 0, 0, 4)
        column.addWidget(lead)
        column.addSpacing(4)
        column.addWidget(TextLabel(tr("Name"), "heading"))
        column.addWidget(self.name)
        column.addWidget(self._problem)
        column.addSpacing(4)
        column.addWidget(TextLabel(tr("Begin with"), "heading"))
        self._group = QButtonGroup(self)
        for number, (title, description) in enumerate(self._templates):
            button = QRadioButton(title)
            button.setAccessibleDescription(description)
            button.setChecked(number == 0)
            self._group.addButton(button, number)
            column.addWidget(button)
            line = TextLabel(description, "small", "text3", wrap=True)
            set_margins(line, 26, 0, 0, 4)
            column.addWidget(line)
        column.addWidget(TextLabel(tr("Folder"), "heading"))
        row = hbox(spacing=8)
        browse = Button(tr("Browse…"), icon="folder-open")
        browse.clicked.connect(self._on_browse_clicked)
        row.addWidget(self.folder, 1)
        row.addWidget(browse)
        column.addLayout(row)
        column.addWidget(self._place)
        column.addSpacing(4)
        column.addWidget(self.opens)
        column.addSpacing(8)
        column.addLayout(self.make_ends(self.make))

    def event(self, event: QEvent) -> bool:
        """Grow when a sentence appears for which there is no room, which Qt would cut off."""
        handled = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest and (layout := self.layout()) is not None:
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))
        return handled

    @property
    def problem(self) -> str:
        """Give what is wrong with what was typed; empty when nothing is."""
        return self._problem.text()

    def show_problem(self, problem: str) -> None:
        """Say why the file cannot be made; empty for nothing."""
        self._problem.setText(begin_sentence(problem))
        self._problem.setVisible(bool(problem))
        self.make.setEnabled(not problem and bool(self.name.text()))

    @Slot()
    def _on_text_changed(self) -> None:
        name, folder = self.name.text(), self.folder.text().strip()
        path = at_home(folder) / f"{name or 'name'}.py"
        problem = self._name_problem(name) if name else ""
        if not problem and not folder:
            problem = tr("a folder is needed, such as the project folder")
        self._place.setText(tr("Makes {path}", path=path) if name and not problem else "")
        self._place.setVisible(bool(self._place.text()))
        self.show_problem(problem)

    @Slot()
    def _on_create_clicked(self) -> None:
        folder = at_home(self.folder.text().strip())
        self.create_requested.emit(self.name.text(), folder, self._group.checkedId(), self.opens.isChecked())

    @Slot()
    def _on_browse_clicked(self) -> None:
        ask_folder(self, tr("Choose the folder of the new tool"), self.folder.text(), self.folder.setText)
