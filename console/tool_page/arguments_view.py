"""The arguments of the page: the row above the form, the form itself, and the one line they fold into."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFontMetrics, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.call_result.rows import ExampleChoice
from console.language import tr
from console.schema_form import ArgumentsEditor, FieldError, FieldErrorKind, FormValidity, LegendButton
from console.theme import Theme, painter_of, theme_of
from console.tool_page.copy_as import COPY_KINDS
from console.tool_page.request_files import SavedRequest
from console.tool_page.requests_dialog import RequestsDialog, SaveRequestDialog
from console.widgets import (
    Button,
    CompactingRow,
    IconLabel,
    KeyTip,
    Menu,
    MenuKeys,
    SegmentedControl,
    TextLabel,
    hbox,
    paint_text,
)

_MOST: Final = 50


class ProblemsButton(Button):
    """Say how much is missing and how much is wrong; its menu goes to each.

    Signals:
        chosen(object): Go to the argument of this path.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", kind="ghost", icon="circle-alert", chevron=True, parent=parent)
        self._problems: tuple[FieldError, ...] = ()
        self._menu = Menu(tr("What is missing or wrong"), self)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._menu.aboutToShow.connect(self._on_menu_about_to_show)
        self.setMenu(self._menu)
        KeyTip(
            self,
            tr("Everything that is missing or wrong, the next and the one before"),
            "tool.next_problem",
            "tool.previous_problem",
        )

    def show_problems(self, problems: Sequence[FieldError]) -> None:
        self._problems = tuple(problems)
        words = problems_summary(problems)
        if words != self.text():
            self.setText(words)
            self.setAccessibleDescription(problems[0].message if problems else "")

    def _ink(self, theme: Theme) -> tuple[QColor, QColor, QColor]:
        text, icon, hint = super()._ink(theme)
        return text, theme.status.error.text if self.isEnabled() else icon, hint

    def _on_menu_about_to_show(self) -> None:
        self._menu.clear()
        for problem in self._problems[:_MOST]:
            self._menu.add_entry(problem.path, problem.message.replace("&", "&&"))
        more = len(self._problems) - _MOST
        if more > 0:
            rest = QAction(tr("{more:,} more", more=more), self._menu)
            rest.setEnabled(False)
            self._menu.addAction(rest)

    def _on_menu_triggered(self, action: QAction) -> None:
        self.chosen.emit(tuple(action.data()))


def problems_summary(problems: Sequence[FieldError]) -> str:
    """Say how much is missing and how much is wrong: `2 missing, 1 wrong`; "" for nothing."""
    missing = sum(problem.kind is FieldErrorKind.MISSING for problem in problems)
    wrong = len(problems) - missing
    parts = (
        tr("{count:,} missing", count=missing) if missing else "",
        tr("{count:,} wrong", count=wrong) if wrong else "",
    )
    return ", ".join(filter(None, parts))


_MOST_IN_MENU: Final = 200


class SavedButton(Button):
    """Offer to save the arguments, to open saved ones, and to look after them.

    Signals:
        wanted: The requests are about to be shown; they may have changed on the disk.
        name_wanted: The arguments are to be saved; `ask_name` asks for the name.
        save_requested(str, bool): Save under this name; whether one that is there is replaced.
        open_requested(str): Fill the form with the request of this place.
        rename_requested(str, str): Move a request to another place.
        delete_requested(str): Delete a request.
        undo_requested: Bring the request back that was deleted last.
    """

    wanted = Signal()
    name_wanted = Signal()
    save_requested = Signal(str, bool)
    open_requested = Signal(str)
    rename_requested = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal()

    def __init__(self, title: str) -> None:
        super().__init__(tr("Saved"), icon="save", chevron=True)
        self._title = title
        self.requests: tuple[SavedRequest, ...] = ()
        self._menus: list[Menu] = []
        self._naming: SaveRequestDialog | None = None
        self._listing: RequestsDialog | None = None
        KeyTip(self, tr("Save the arguments under a name, or open saved ones"), "tool.save")
        self._menu = Menu(tr("Saved requests"), self)
        self._menu.aboutToShow.connect(self.wanted)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._save = QAction(tr("Save…"), self._menu)
        self._save.setObjectName("save request")
        self._manage = QAction(tr("All saved requests…"), self._menu)
        self._fill_menu()
        self.setMenu(self._menu)

    def show_requests(self, requests: Sequence[SavedRequest]) -> None:
        """List the requests, in the menu and in the dialog if it is open."""
        if tuple(requests) != self.requests:
            self.requests = tuple(requests)
            self._fill_menu()
        if self._listing is not None:
            self._listing.show_requests(self.requests)

    def ask_name(self, place: str, note: str) -> None:
        """Ask under which name the arguments are to be saved.

        Args:
            place: The name offered first.
            note: What will not be saved, and why; "" for nothing.
        """
        known = [request.place for request in self.requests]
        self._naming = SaveRequestDialog(place, known, note, self.window())
        self._naming.save_requested.connect(self.save_requested)
        self._naming.finished.connect(self._on_naming_finished)
        self._naming.open()

    def show_saved(self) -> None:
        """Close the question for a name: what was asked for is done."""
        if self._naming is not None:
            self._naming.accept()

    def show_moved(self, place: str) -> None:
        """Keep a renamed request selected."""
        if self._listing is not None:
            self._listing.select_next(place)

    def show_outcome(self, text: str, *, undo: bool = False) -> bool:
        """Say in the dialog that is open what was done, or why it was not.

        Returns:
            Whether a dialog is open.
        """
        if self._naming is not None:
            self._naming.show_problem(text)
        elif self._listing is not None:
            self._listing.show_notice(text, undo=undo)
        return self._naming is not None or self._listing is not None

    def manage(self) -> None:
        """Open the list of the requests."""
        self._listing = RequestsDialog(self._title, self.window())
        self._listing.open_requested.connect(self.open_requested)
        self._listing.rename_requested.connect(self.rename_requested)
        self._listing.delete_requested.connect(self.delete_requested)
        self._listing.undo_requested.connect(self.undo_requested)
        self._listing.finished.connect(self._on_listing_finished)
        self._listing.show_requests(self.requests)
        self._listing.open()

    def _fill_menu(self) -> None:
        """Write the menu anew; it may be open while the files are read."""
        for menu in self._menus:
            menu.deleteLater()
        self._menus.clear()
        for action in self._menu.actions():
            self._menu.removeAction(action)
            if action not in {self._save, self._manage}:
                action.deleteLater()
        self._menu.addActions([self._save, self._manage])
        self._manage.setEnabled(bool(self.requests))
        if self.requests:
            self._menu.addSeparator()
        menu_by_folder: dict[str, Menu] = {"": self._menu}
        for request in self.requests[:_MOST_IN_MENU]:
            menu = self._submenu(request.folder, menu_by_folder)
            action = menu.add_entry(request.place, request.name.replace("&", "&&"))
            action.setEnabled(not request.problem)
            action.setToolTip(request.problem or request.place)

    def _submenu(self, folder: str, menu_by_folder: dict[str, Menu]) -> Menu:
        if folder not in menu_by_folder:
            around, _, name = folder.rpartition("/")
            menu = Menu(name.replace("&", "&&"), self._menu)
            self._submenu(around, menu_by_folder).addMenu(menu)
            self._menus.append(menu)
            menu_by_folder[folder] = menu
        return menu_by_folder[folder]

    def _on_menu_triggered(self, action: QAction) -> None:
        if action is self._save:
            self.name_wanted.emit()
        elif action is self._manage:
            self.manage()
        else:
            self.open_requested.emit(str(action.data()))

    def _on_naming_finished(self, _result: int) -> None:
        self._naming = None

    def _on_listing_finished(self, _result: int) -> None:
        self._listing = None


_LEAST_FORM: Final = 60
_FORM_MARGIN: Final = 16


class _FoldedRow(QAbstractButton):
    """The arguments on one line; pressing it opens the form again."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._summary = ""
        self.setFixedHeight(28)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Show the arguments"))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_summary(self, summary: str) -> None:
        self._summary = summary
        self.setAccessibleDescription(summary)
        self.setToolTip(summary)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        paint_icon(painter, QRect(0, 7, 14, 14), "chevron-right", theme.color.text2, theme)
        heading = theme.font("heading")
        width = QFontMetrics(heading).horizontalAdvance(tr("Arguments"))
        paint_text(painter, QRect(22, 0, width + 1, self.height()), tr("Arguments"), heading, theme.color.text)
        left = 22 + width + 8
        rest = QRect(left, 0, self.width() - left, self.height())
        paint_text(painter, rest, self._summary, theme.font("code"), theme.color.text2)


class _Heading(TextLabel):
    """The word Arguments; a click folds the form."""

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()


class ArgumentsRow(QWidget):
    """Offer Form or JSON, examples, saved requests, Reset and copies, and say what is missing or wrong.

    Signals:
        example_chosen(int): An example was chosen, by its place.
        last_run_requested: The arguments of the last run were asked for.
        paste_requested: What is on the clipboard is to take the place of the arguments.
        copy_requested(str): A copy was asked for, one of `COPY_KINDS`.
        fold_requested(bool): The arguments are to be folded (True) or opened.
    """

    example_chosen = Signal(int)
    last_run_requested = Signal()
    paste_requested = Signal()
    copy_requested = Signal(str)
    fold_requested = Signal(bool)

    def __init__(self, title: str, examples: tuple[ExampleChoice, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(28)
        self._copies: dict[str, QAction] = {}
        self._make_left(title, examples)
        self._make_right()
        self._open_parts = (self._heading, self.mode, self.examples, self.saved, self.reset, self.legend)
        row = hbox(self, margins=(20, 0, 20, 0), spacing=8)
        row.addWidget(self._folded, 100)
        row.addWidget(self._heading)
        row.addSpacing(4)
        row.addWidget(self.mode)
        row.addSpacing(4)
        row.addWidget(self.examples)
        row.addWidget(self.saved)
        row.addWidget(self.reset)
        row.addWidget(self.legend)
        row.addStretch(1)
        row.addWidget(self._validity)
        row.addWidget(self.problems)
        row.addSpacing(4)
        row.addWidget(self._copy)
        CompactingRow(self, (self._copy, self.reset, self.saved, self.examples, self.problems, self._validity))
        self._folded.hide()

    def _make_left(self, title: str, examples: tuple[ExampleChoice, ...]) -> None:
        self._folded = _FoldedRow(self)
        self._folded.clicked.connect(self._on_folded_clicked)
        self._heading = _Heading(tr("Arguments"), "heading")
        self._heading.setToolTip(tr("Fold the arguments"))
        self._heading.pressed.connect(self._on_heading_pressed)
        self.mode = SegmentedControl((tr("Form"), "JSON"), tr("Edit the arguments as"))
        KeyTip(self.mode, tr("Form or JSON"), "tool.mode")
        self.examples = Button(tr("Examples"), icon="book-open", chevron=True)
        self._last_run = QAction(tr("Arguments of the last run"), self)
        self._paste = QAction(tr("Paste arguments"), self)
        MenuKeys(self._paste, "tool.paste")
        self.show_examples(examples)
        KeyTip(self.examples, tr("Fill the form with an example, the last run or the clipboard"), "tool.examples")
        self.saved = SavedButton(title)
        self.reset = Button(tr("Reset"), kind="ghost", icon="rotate-ccw")
        self.reset.setToolTip(tr("Put the defaults in place of all arguments"))
        self.legend = LegendButton()

    def _make_right(self) -> None:
        self._validity = IconLabel("circle-check", "", icon_tone="ok")
        self.problems = ProblemsButton(self)
        self._copy = Button(tr("Copy as"), kind="ghost", icon="copy", chevron=True)
        self._copy.setMenu(self._copy_menu())

    def show_validity(self, validity: FormValidity, problems: Sequence[FieldError]) -> None:
        """Say how many arguments are valid, or what is missing and wrong.

        Args:
            problems: What is wrong, one entry for each place.
        """
        words = (
            tr("{fitting} of {total} valid", fitting=validity.fitting, total=validity.total)
            if validity.total
            else tr("No arguments")
        )
        self._validity.show_state("circle-check", words, "text2", "ok")
        self._validity.setVisible(validity.valid)
        self.problems.show_problems(problems)
        self.problems.setVisible(not validity.valid)

    def show_copies(self, kinds: Collection[str]) -> None:
        """Offer these kinds of copy only."""
        for kind, action in self._copies.items():
            action.setVisible(kind in kinds)

    def show_examples(self, examples: tuple[ExampleChoice, ...]) -> None:
        former = self.examples.menu()
        self.examples.setMenu(self._examples_menu(examples))
        if former is not None:
            former.deleteLater()

    def show_last_run(self, *, known: bool) -> None:
        """Say whether there was a run whose arguments can be brought back."""
        self._last_run.setEnabled(known)

    def show_summary(self, summary: str) -> None:
        self._folded.show_summary(summary)

    def set_folded(self, *, folded: bool) -> None:
        """Show the one line, or the row of the open form."""
        self._folded.setVisible(folded)
        for widget in self._open_parts:
            widget.setVisible(not folded)
        self._copy.setVisible(not folded)

    def _examples_menu(self, examples: tuple[ExampleChoice, ...]) -> Menu:
        menu = Menu(tr("Examples"), self)
        for number, example in enumerate(examples):
            menu.add_entry(number, example.title.replace("&", "&&"))
        menu.addSeparator()
        menu.addActions([self._last_run, self._paste])
        menu.triggered.connect(self._on_examples_triggered)
        return menu

    def _copy_menu(self) -> Menu:
        menu = Menu(tr("Copy as"), self)
        for kind, text in COPY_KINDS.items():
            action = menu.add_entry(kind, text)
            self._copies[kind] = action
        menu.triggered.connect(self._on_copy_triggered)
        return menu

    def _on_examples_triggered(self, action: QAction) -> None:
        if action is self._last_run:
            self.last_run_requested.emit()
        elif action is self._paste:
            self.paste_requested.emit()
        else:
            self.example_chosen.emit(int(action.data()))

    def _on_copy_triggered(self, action: QAction) -> None:
        self.copy_requested.emit(str(action.data()))

    def _on_folded_clicked(self) -> None:
        self.fold_requested.emit(False)

    def _on_heading_pressed(self) -> None:
        self.fold_requested.emit(True)


class FormArea(QWidget):
    """Hold the editor of the arguments with its margins, and know how high it wants to be.

    Attributes:
        editor: The form and the JSON text; it scrolls by itself.

    Signals:
        natural_height_changed(int): The editor wants another height, in logical pixels.
    """

    natural_height_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = ArgumentsEditor(in_slices=True, parent=self)
        self._natural = 0
        self.setMinimumHeight(_LEAST_FORM)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, _FORM_MARGIN, 20, _FORM_MARGIN)
        column.addWidget(self.editor)

    @property
    def natural_height(self) -> int:
        """Give the height that shows the whole editor, in logical pixels."""
        return self.editor.sizeHint().height() + 2 * _FORM_MARGIN

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            natural = self.natural_height
            if natural != self._natural:
                self._natural = natural
                self.natural_height_changed.emit(natural)
        return handled

    def sizeHint(self) -> QSize:
        return QSize(400, self.natural_height)
