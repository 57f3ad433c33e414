"""The dialog that shows and changes profiles: which tools agents see, as what, and at what cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from console.gateway.profile_model import HINTS, ProfileDraft, ProfilePreview, ShownTool, ShownToolModel, ToolWords
from console.language import tr
from console.theme import directed, theme_of
from console.widgets import BarFrame, Button, ElidedLabel, SearchField, TableView, TextLabel, WindowDialog, hbox, vbox

_SIZE: Final = QSize(1120, 720)
_MARGIN: Final = 48
_DETAIL: Final = 400
_DESCRIPTION_HEIGHT: Final = 72
_ANSWERS: Final = ((tr("As it says itself"), None), (tr("Yes"), True), (tr("No"), False))


class ToolWordsForm(QWidget):
    """Say otherwise what one tool says of itself, and show what agents are told then.

    Signals:
        changed(): Something else is said.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(_DETAIL)
        self.tool = ""
        self.served_name = QLineEdit()
        self.served_name.setAccessibleName(tr("Name for agents"))
        self.description = QPlainTextEdit()
        self.description.setAccessibleName(tr("Description for agents"))
        self.description.setFixedHeight(_DESCRIPTION_HEIGHT)
        self.description.setTabChangesFocus(True)
        self.hints: dict[str, QComboBox] = {}
        for hint, words in HINTS.items():
            combo = self.hints[hint] = QComboBox()
            combo.setAccessibleName(words)
            for title, answer in _ANSWERS:
                combo.addItem(title, answer)
            combo.currentIndexChanged.connect(self._on_changed)
        self.definition = QPlainTextEdit()
        self.definition.setReadOnly(True)
        self.definition.setAccessibleName(tr("What agents are told"))
        self.definition.setFont(theme_of(self).font("code"))
        self._title = ElidedLabel("", "title")
        self._origin = ElidedLabel("", "small", "text3")
        self._lay_out()
        self.served_name.textChanged.connect(self._on_changed)
        self.description.textChanged.connect(self._on_changed)

    def _lay_out(self) -> None:
        grid = _grid([(tr("Name for agents"), self.served_name)])
        for row, (hint, combo) in enumerate(self.hints.items(), start=1):
            grid.addWidget(TextLabel(HINTS[hint], "small", "text2"), row, 0)
            grid.addWidget(combo, row, 1)
        column = vbox(self, spacing=8)
        column.addWidget(self._title)
        column.addWidget(self._origin)
        column.addWidget(TextLabel(tr("Description for agents"), "small", "text2"))
        column.addWidget(self.description)
        column.addLayout(grid)
        column.addWidget(TextLabel(tr("What agents are told"), "small", "text2"))
        column.addWidget(self.definition, 1)

    @property
    def words(self) -> ToolWords:
        said = ((hint, combo.currentData()) for hint, combo in self.hints.items())
        return ToolWords(
            self.served_name.text().strip(),
            self.description.toPlainText().strip(),
            tuple((hint, answer) for hint, answer in said if answer is not None),
        )

    def show_tool(self, row: ShownTool, words: ToolWords) -> None:
        """Show a tool; what is typed about it stays while it is the same one."""
        self.definition.setPlainText(row.definition)
        if row.tool == self.tool:
            return
        self.tool = row.tool
        self._title.set_text(row.tool)
        self._origin.set_text(row.source)
        self.served_name.setPlaceholderText(row.served_name)
        self.description.setPlaceholderText(directed(row.description) if self.isRightToLeft() else row.description)
        with QSignalBlocker(self):
            self.served_name.setText(words.name)
            self.description.setPlainText(words.description)
            for hint, combo in self.hints.items():
                combo.setCurrentIndex(combo.findData(dict(words.hints).get(hint)))

    @Slot()
    def _on_changed(self) -> None:
        if self.tool:
            self.changed.emit()


def _grid(fields: Iterable[tuple[str, QWidget]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(8)
    for row, (title, field) in enumerate(fields):
        grid.addWidget(TextLabel(title, "small", "text2"), row, 0)
        grid.addWidget(field, row, 1)
    return grid


class ProfileDialog(WindowDialog):
    """Edit one profile at a time.

    Args:
        parent: The window it stands over.

    Signals:
        chosen(str): This profile is to be shown.
        new_requested(): Another profile is to be begun.
        changed(): The draft is another now; its preview is wanted.
        keep_requested(): The draft is to be kept.
        remove_requested(str): This profile is to be forgotten.
        suited_requested(): The tools that suit the project folder are wanted, by `show_suited`.
    """

    chosen = Signal(str)
    new_requested = Signal()
    changed = Signal()
    keep_requested = Signal()
    remove_requested = Signal(str)
    suited_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Profiles of agents"), parent)
        self.setObjectName("profileDialog")
        self.draft = ProfileDraft()
        self._preview = ProfilePreview()
        self.profiles = QComboBox()
        self.profiles.setAccessibleName(tr("Profile"))
        self.name = self._field(tr("Name"), tr("reading"))
        self.name.setMaxLength(40)
        self.new = Button(tr("New profile"), icon="plus")
        self.remove = Button(tr("Remove"), icon="trash-2")
        self.patterns = self._field(tr("Shows"), tr("Nothing; or names such as read_* github.*"))
        self.without = self._field(tr("Without"), tr("Names such as *secret*"))
        self.prefixes = self._field(tr("Prefixes"), "github=gh_, Files=files_")
        self.search = SearchField(tr("Filter tools"))
        self.search.setAccessibleName(tr("Filter tools of the profile"))
        self.all = Button(tr("All"), kind="ghost")
        self.none = Button(tr("None", "tools"), kind="ghost")
        self.suited = Button(tr("For this project"), kind="ghost")
        self.suited.setToolTip(tr("The built-in tools that the tools tree shows first for the project folder"))
        self.count = TextLabel("", "small", "text2")
        self.count.setFont(theme_of(self).font("small", tabular=True))
        self.model = ShownToolModel(self)
        self.table = TableView(self.model, tr("Tools of the profile"), edge=12, left=12)
        self.form = ToolWordsForm()
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.keep = Button(tr("Save"), kind="primary", large=True, shortcut_hint="Ctrl+Enter")
        self.keep.setShortcut("Ctrl+Return")
        self.done_button = Button(tr("Close"), large=True, shortcut_hint="Esc")
        self._lay_out()
        self._connect()
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))

    def _field(self, name: str, example: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(name)
        field.setPlaceholderText(example)
        return field

    def _lay_out(self) -> None:
        head = hbox(spacing=8)
        head.addWidget(TextLabel(tr("Profile"), "heading"))
        head.addWidget(self.profiles, 1)
        head.addWidget(self.name, 1)
        head.addWidget(self.new)
        head.addWidget(self.remove)
        fields = _grid(((tr("Shows"), self.patterns), (tr("Without"), self.without), (tr("Prefixes"), self.prefixes)))
        bar = hbox(spacing=4)
        bar.addWidget(self.search, 1)
        bar.addWidget(self.all)
        bar.addWidget(self.none)
        bar.addWidget(self.suited)
        left = vbox(spacing=8)
        left.addLayout(fields)
        left.addLayout(bar)
        left.addWidget(self.table, 1)
        left.addWidget(self.count)
        middle = hbox(spacing=20)
        middle.addLayout(left, 1)
        middle.addWidget(self.form)
        body = vbox(margins=(20, 16, 20, 12), spacing=12)
        body.addWidget(TextLabel(tr("Profiles say what agents see, and as what."), "small", "text2"))
        body.addLayout(head)
        body.addLayout(middle, 1)
        body.addWidget(self.problem)
        foot = BarFrame(56, surface="inset", edge="top", margins=(20, 20), spacing=8)
        foot.row.addStretch(1)
        foot.row.addWidget(self.done_button)
        foot.row.addWidget(self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(body, 1)
        column.addWidget(foot)
        for button in (self.new, self.remove, self.all, self.none, self.suited, self.done_button):
            button.setAutoDefault(False)
        # Until the profiles are read, there is none to remove and none to name.
        self.remove.hide()
        self.name.hide()

    def _connect(self) -> None:
        self.profiles.activated.connect(self._on_profiles_activated)
        self.new.clicked.connect(self.new_requested)
        self.remove.clicked.connect(self._on_remove_clicked)
        for field in (self.name, self.patterns, self.without, self.prefixes):
            field.textChanged.connect(self._on_fields_changed)
        self.search.textChanged.connect(self._on_search_text_changed)
        self.all.clicked.connect(self._on_all_clicked)
        self.none.clicked.connect(self._on_none_clicked)
        self.suited.clicked.connect(self.suited_requested)
        self.model.checked.connect(self._on_model_checked)
        self.table.chosen.connect(self._show_tool)
        self.form.changed.connect(self._on_form_changed)
        self.keep.clicked.connect(self.keep_requested)
        self.done_button.clicked.connect(self.accept)

    def show_profiles(self, names: tuple[str, ...], draft: ProfileDraft) -> None:
        self.profiles.clear()
        for name in names:
            self.profiles.addItem(name, name)
        self.profiles.setCurrentIndex(self.profiles.findData(draft.name))
        self.profiles.setVisible(not draft.is_new)
        self.name.setVisible(draft.is_new)
        self.remove.setVisible(not draft.is_new)
        self._set_draft(draft)
        self.name.setText(draft.name)
        if draft.is_new:
            self.name.setFocus()

    def show_preview(self, preview: ProfilePreview) -> None:
        self._preview = preview
        self.count.setText(preview.words)
        self.problem.setText(preview.problem)
        self.keep.setEnabled(not preview.problem and bool(self.draft.name))
        self.model.show_rows(preview.tools)
        if not self.table.chosen_key and self.model.rows:
            self.table.choose(self.model.key_at(0))
        self._show_tool()

    def show_tool(self, tool: str) -> None:
        self.table.choose(tool)
        self._show_tool()

    def show_suited(self, tools: tuple[str, ...]) -> None:
        """Let agents see these tools and no others, once the profile is kept."""
        self._set_draft(self.draft._replace(tools=tools, without=()))

    def show_problem(self, problem: str) -> None:
        """Say why the profile cannot be kept; what was typed stays."""
        self.problem.setText(problem)

    def _set_draft(self, draft: ProfileDraft) -> None:
        self.draft = draft
        for field, text in (
            (self.patterns, " ".join(draft.tools)),
            (self.without, " ".join(draft.without)),
            (self.prefixes, ", ".join(f"{group}={prefix}" for group, prefix in draft.prefixes)),
        ):
            if tuple(field.text().split()) != tuple(text.split()):
                with QSignalBlocker(field):
                    field.setText(text)
        # What is typed about a tool belongs to the former draft.
        self.form.tool = ""
        self.changed.emit()

    @property
    def _tool_row(self) -> ShownTool | None:
        return next((row for row in self._preview.tools if row.tool == self.table.chosen_key), None)

    @Slot()
    def _show_tool(self) -> None:
        row = self._tool_row
        self.form.setEnabled(row is not None)
        if row is not None:
            self.form.show_tool(row, self.draft.words_of(row.tool))

    @Slot(int)
    def _on_profiles_activated(self, _: int) -> None:
        self.chosen.emit(self.profiles.currentData())

    @Slot()
    def _on_remove_clicked(self) -> None:
        self.remove_requested.emit(self.draft.name)

    @Slot()
    def _on_fields_changed(self) -> None:
        pairs = (each.strip().partition("=") for each in self.prefixes.text().split(","))
        self.draft = self.draft._replace(
            name=self.name.text().strip() if self.draft.is_new else self.draft.name,
            tools=tuple(self.patterns.text().replace(",", " ").split()),
            without=tuple(self.without.text().replace(",", " ").split()),
            prefixes=tuple((group, prefix) for group, sign, prefix in pairs if sign and group),
        )
        self.changed.emit()

    @Slot(str)
    def _on_search_text_changed(self, text: str) -> None:
        sought = text.strip().casefold()
        self.model.narrow((lambda row: sought in f"{row.tool} {row.source}".casefold()) if sought else None)

    @Slot()
    def _on_all_clicked(self) -> None:
        self._set_draft(self.draft._replace(tools=("*",), without=()))

    @Slot()
    def _on_none_clicked(self) -> None:
        self._set_draft(self.draft._replace(tools=(), without=()))

    @Slot(str, bool)
    def _on_model_checked(self, tool: str, is_checked: bool) -> None:
        known = [row.tool for row in self._preview.tools]
        self._set_draft(self.draft.with_tool(tool, known, is_seen=is_checked))

    @Slot()
    def _on_form_changed(self) -> None:
        self.draft = self.draft.with_words(self.form.tool, self.form.words)
        self.changed.emit()
