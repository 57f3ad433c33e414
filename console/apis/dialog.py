"""An API that is added, allowed or changed: where its document is, what it can do, what it asks for."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from console.apis.model import OperationsModel
from console.apis.rows import ApiDraft, ApiPreview, ApiTask, summary_words, warnings
from console.language import tr, translated
from console.widgets import Button, EmptyState, IconLabel, TableView, TextLabel, WindowDialog, ask_open_path
from tools.sentences import full_sentence

_SIZE: Final = QSize(860, 720)
_MARGIN: Final = 48
_PAUSE_MS: Final = 400
_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_FILES: Final = tr("OpenAPI documents (*.json *.yaml *.yml);;All files (*)")
_LABEL_WIDTH: Final = 96
_TITLES: Final = {
    ApiTask.ADD: (tr("Add an API"), tr("Add")),
    ApiTask.ALLOW: (tr("Allow the API {name}"), tr("Allow")),
    ApiTask.CHANGE: (tr("The API {name}"), tr("Save")),
}
_HINT: Final = tr(
    "Each operation of an OpenAPI 3 document becomes a tool. Nothing is sent before a tool runs, and what changes"
    " something asks first."
)


class ApiDialog(WindowDialog):
    """Show what an API can do, and let a person choose what of it becomes tools.

    Args:
        task: What is done about it.
        name: The API, which is there already; empty for a new one.
        parent: The window it stands over.

    Signals:
        preview_wanted(str, str): What the document at this place offers is to be shown, with this base address.
        save_requested(ApiDraft): The API shall be kept so.
    """

    preview_wanted = Signal(str, str)
    save_requested = Signal(object)

    def __init__(self, task: ApiTask, name: str, parent: QWidget) -> None:
        title, verb = (words.format(name=name) for words in _TITLES[task])
        super().__init__(title, parent)
        self._task = task
        self._title = title
        self.setObjectName("apiDialog")
        self.source = _line(tr("File or address"), tr("https://api.example.org/openapi.json, or a file"))
        self.browse = Button(tr("Choose a file…"), icon="folder-open")
        self.name = _line(tr("Name"), tr("What the names of its tools begin with"))
        self.base = _line(tr("Base address"), tr("As the document says"))
        self.meaning = IconLabel("info", "", "small", "text3")
        self.model = OperationsModel(self)
        self.table = TableView(self.model, tr("Operations"), edge=8, left=8)
        self.all = Button(tr("All"))
        self.reading = Button(tr("Only those that read"))
        self.none = Button(tr("None", "operations"))
        self.keys: dict[str, QLineEdit] = {}
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.save = Button(verb, kind="primary", large=True, shortcut_hint="Ctrl+Enter")
        self._left_out = TextLabel("", "small", "warn", wrap=True)
        self._empty = EmptyState(
            "globe", tr("No document yet"), tr("Give the file or the address of an OpenAPI document.")
        )
        self._pages = QStackedWidget()
        self._key_box = QWidget()
        self._preview: ApiPreview | None = None
        self._read = ("", "")
        self._is_busy = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._lay_out()
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))
        self._connect()
        self._follow()

    def _connect(self) -> None:
        for field in (self.source, self.base):
            field.textEdited.connect(self._on_place_edited)
        self.name.textChanged.connect(self._follow)
        self._pause.timeout.connect(self._on_pause_timeout)
        self.browse.clicked.connect(self._on_browse_clicked)
        self.model.chosen_changed.connect(self._follow)
        self.all.clicked.connect(self._on_all_clicked)
        self.reading.clicked.connect(self._on_reading_clicked)
        self.none.clicked.connect(self._on_none_clicked)
        self.save.clicked.connect(self._on_save_clicked)

    def _make_fields(self) -> QGridLayout:
        is_new = self._task is ApiTask.ADD
        self.source.setReadOnly(not is_new)
        self.name.setReadOnly(not is_new)
        self.base.setReadOnly(self._task is ApiTask.ALLOW)
        self.browse.setVisible(is_new)
        self.browse.setAutoDefault(False)
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        fields.setColumnMinimumWidth(0, _LABEL_WIDTH)
        for row, (words, field) in enumerate(
            ((tr("File or address"), self.source), (tr("Name"), self.name), (tr("Base address"), self.base))
        ):
            fields.addWidget(TextLabel(words, "small", "text2"), row, 0)
            fields.addWidget(field, row, 1)
        fields.addWidget(self.browse, 0, 2)
        return fields

    def _lay_out(self) -> None:
        self.problem.hide()
        self._left_out.hide()
        self._pages.addWidget(self.table)
        self._pages.addWidget(self._empty)
        choice = QHBoxLayout()
        choice.setSpacing(8)
        choice.addWidget(self.meaning)
        choice.addStretch(1)
        for button in (self.all, self.reading, self.none):
            button.setAutoDefault(False)
            choice.addWidget(button)
        cancel = Button(tr("Cancel"), large=True, shortcut_hint="Esc")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addWidget(TextLabel(self._title, "title"))
        column.addWidget(TextLabel(_HINT, "small", "text2", wrap=True))
        column.addLayout(self._make_fields())
        column.addLayout(choice)
        column.addWidget(self._pages, 1)
        column.addWidget(self._left_out)
        column.addWidget(self._key_box)
        column.addWidget(self.problem)
        column.addLayout(buttons)

    def begin(self, source: str = "") -> None:
        """Show the dialog; whoever listens is connected by then.

        Args:
            source: Where the document is, where that is known.
        """
        self.source.setText(source)
        if source:
            self._ask()
        elif self._task is not ApiTask.ADD:
            self.preview_wanted.emit("", "")
            self._show_busy()
        self.source.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_preview(self, preview: ApiPreview) -> None:
        """Show what a document offers, if that is still the one that is wanted."""
        if self._task is ApiTask.ADD and (self.source.text().strip(), self._base) != self._read:
            return
        is_first = self._preview is None or self._preview.source != preview.source
        self._is_busy = False
        self._preview = preview
        if self._task is not ApiTask.ADD:
            self.source.setText(preview.source)
        if is_first or not self.name.isModified():
            self.name.setText(preview.name)
        if is_first and not self.base.text():
            self.base.setText(preview.base)
        self.model.show_operations(preview.operations)
        self._left_out.setText("\n".join(warnings(preview)))
        self._left_out.setToolTip("\n".join(map(translated, (*preview.suspicions, *preview.problems[:20]))))
        self._left_out.setVisible(bool(self._left_out.text()))
        self._show_keys(preview)
        self.show_problem("")
        self._follow()

    def show_problem(self, problem: str) -> None:
        """Say why a document cannot be read or an API not be kept; empty when nothing is wrong."""
        self._is_busy = False
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self._follow()

    def forget_preview(self) -> None:
        """Show no operations any more: what is given now is no document."""
        self._preview = None
        self.model.show_operations(())
        self._left_out.hide()
        self._key_box.hide()
        self._follow()

    def draft(self) -> ApiDraft:
        typed = {scheme: field.text() for scheme, field in self.keys.items() if field.text()}
        source = self._preview.source if self._preview is not None else self.source.text().strip()
        return ApiDraft(source, self.name.text().strip(), self._base, self.model.chosen, typed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep it with Ctrl+Enter, read the document with Enter in a field."""
        if event.key() in _RETURN:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier or self.save.hasFocus():
                self.save.click()
            elif self._pause.isActive():
                self._pause.stop()
                self._ask()
        else:
            super().keyPressEvent(event)

    @property
    def _base(self) -> str:
        """Give the base address that a person gave; empty where it is the document's."""
        text, preview = self.base.text().strip(), self._preview
        return preview.given_base if preview is not None and text == preview.base else text

    def _ask(self) -> None:
        source = self.source.text().strip()
        if self._task is not ApiTask.ADD:
            return
        if self._preview is not None and source != self._read[0]:
            # Another document has another server.
            self.base.clear()
            self.forget_preview()
        self._read = (source, self._base)
        if source:
            self._show_busy()
            self.preview_wanted.emit(*self._read)
        else:
            self.forget_preview()

    def _show_busy(self) -> None:
        self._is_busy = True
        self.problem.hide()
        self._follow()

    def _show_keys(self, preview: ApiPreview) -> None:
        typed = {scheme: field.text() for scheme, field in self.keys.items()}
        former = self._key_box
        self._key_box = QWidget(self)
        self.keys = {}
        grid = QGridLayout(self._key_box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
        for row, key in enumerate(preview.keys):
            field = _line(
                tr("Key {scheme}", scheme=key.scheme),
                tr("There already; empty leaves it") if key.is_kept else tr("Kept in the keyring"),
            )
            field.setEchoMode(QLineEdit.EchoMode.Password)
            field.setText(typed.get(key.scheme, ""))
            grid.addWidget(TextLabel(key.scheme, "small", "text2"), 2 * row, 0)
            grid.addWidget(field, 2 * row, 1)
            words = full_sentence(key.words)
            if key.variable:
                words = tr("{key} Or set {variable}.", key=words, variable=key.variable)
            grid.addWidget(TextLabel(words, "caption", "text3", wrap=True), 2 * row + 1, 1)
            self.keys[key.scheme] = field
        layout = self.layout()
        if layout is not None:
            layout.replaceWidget(former, self._key_box)
        former.hide()
        former.deleteLater()
        self._key_box.setVisible(bool(preview.keys))

    def _follow(self) -> None:
        preview = self._preview
        if self._is_busy:
            self.meaning.show_state("loader-circle", tr("Reading the document…"), "text2")
        elif preview is None:
            self.meaning.show_state(
                "info", tr("The document is read once; what it says later changes no tool."), "text3"
            )
        else:
            words = summary_words(preview, len(self.model.chosen))
            self.meaning.show_state("circle-check", f"{words}.", "ok")
        self._pages.setCurrentIndex(0 if preview is not None else 1)
        for button in (self.all, self.reading, self.none):
            button.setVisible(preview is not None and self._task is not ApiTask.ALLOW)
        can_save = preview is not None and bool(self.model.chosen) and bool(self.name.text().strip())
        self.save.setEnabled(can_save and not self._is_busy and not self._pause.isActive())

    def _on_place_edited(self) -> None:
        self._pause.start()
        self._follow()

    def _on_pause_timeout(self) -> None:
        self._ask()
        self._follow()

    def _on_browse_clicked(self) -> None:
        ask_open_path(self, tr("Choose an OpenAPI document"), "", _FILES, self._on_file_selected)

    def _on_file_selected(self, path: str) -> None:
        self.source.setText(path)
        self._ask()

    def _on_all_clicked(self) -> None:
        self.model.choose(row.key for row in self.model.rows)

    def _on_reading_clicked(self) -> None:
        self.model.choose(row.key for row in self.model.rows if row.effect == "reads")

    def _on_none_clicked(self) -> None:
        self.model.choose(())

    def _on_save_clicked(self) -> None:
        self._is_busy = True
        self._follow()
        self.save_requested.emit(self.draft())


def _line(name: str, hint: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    return field
