from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from console.theme import ThemeController, load_theme
from console.theme.current import set_application_theme
from console.widgets import (
    Badge,
    Banner,
    BarFrame,
    Button,
    Collapsible,
    CompactingRow,
    CountdownRing,
    CountPill,
    Divider,
    ElidedLabel,
    EmptyState,
    FocusRing,
    IconButton,
    IconLabel,
    KeyCaps,
    Menu,
    PanelHeader,
    Scrim,
    SearchField,
    TextLabel,
    ThinSplitter,
    paint_match,
    paint_row,
    set_reduced_motion,
    set_surface,
    text_face,
    tone_color,
)

THEME = load_theme("light")
Show = Callable[..., QWidget]


@pytest.fixture
def themed(qapp: QApplication) -> Iterator[ThemeController]:
    yield ThemeController(qapp, "light")
    qapp.setStyleSheet("")
    set_application_theme(qapp, None)


@pytest.fixture
def ring(qapp: QApplication) -> Iterator[FocusRing]:
    watcher = FocusRing(qapp)
    yield watcher
    watcher.deleteLater()


def _colors(widget: QWidget) -> set[str]:
    image = widget.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def _shows(widget: QWidget, color: QColor) -> bool:
    """Say whether a colour is painted; letters are so thin that no pixel may have it to the last bit."""

    def distance(other: QColor) -> int:
        parts = ((color.red(), other.red()), (color.green(), other.green()), (color.blue(), other.blue()))
        return max(abs(one - another) for one, another in parts)

    return any(distance(QColor(name)) <= 12 for name in _colors(widget))


# --- labels


def test_a_label_never_obeys_markup(qtbot: QtBot) -> None:
    label = TextLabel("<b>rm -rf</b>", "small", "text2")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.font().pixelSize() == 12
    label.set_font_role("title")
    assert label.font().pixelSize() == 16


def test_a_label_shows_its_tone(themed: ThemeController, show: Show) -> None:
    label = TextLabel("Failed", "display", "text")
    show(label)
    assert _shows(label, themed.theme.color.text)
    label.set_tone("error")
    assert _shows(label, themed.theme.status.error.text)


def test_tones_have_colours() -> None:
    assert tone_color(THEME, "accent") == THEME.color.accent_text
    assert tone_color(THEME, "text3") == THEME.color.text3
    assert tone_color(THEME, "warn") == THEME.status.warn.text


def test_a_shortened_label_offers_the_whole_text(show: Show) -> None:
    label = ElidedLabel("/home/mira/exports/2023/report.csv", elide=Qt.TextElideMode.ElideMiddle)
    show(label)
    label.setFixedWidth(80)
    assert label.toolTip() == label.text == label.accessibleName()
    label.setFixedWidth(600)
    assert label.toolTip() == ""


def test_badges_pills_and_keys_have_their_heights(show: Show) -> None:
    badge, pill, keys = Badge("Read-only", icon="eye"), CountPill("233"), KeyCaps("Ctrl+K")
    show(badge, pill, keys)
    assert (badge.height(), pill.height(), keys.height()) == (20, 16, 18)
    assert keys.accessibleName() == "Ctrl+K"
    assert [child.accessibleName() for child in keys.findChildren(QWidget)] == ["Ctrl", "K"]
    width = badge.width()
    badge.set_text("Read-only by policy")
    assert badge.sizeHint().width() > width
    assert badge.text == badge.accessibleName() == "Read-only by policy"


def test_a_count_of_nothing_hides_its_pill(show: Show) -> None:
    pill = CountPill("3", accent=True)
    show(pill)
    assert _shows(pill, THEME.color.accent)
    pill.set_text("")
    assert pill.isHidden()
    pill.set_text("4")
    assert not pill.isHidden()


def test_only_a_tinted_badge_is_tinted(show: Show) -> None:
    neutral, warned, accent = Badge("Fast"), Badge("Edited", tone="warn"), Badge("New", tone="accent")
    show(neutral, warned, accent)
    assert _shows(neutral, THEME.status.idle.soft)
    assert _shows(warned, THEME.status.warn.soft)
    assert _shows(accent, THEME.color.accent_soft)


def test_an_icon_with_words_changes_state(show: Show) -> None:
    label = IconLabel("circle-check", "7 of 7 valid", icon_tone="ok")
    show(label)
    label.show_state("octagon-x", "1 of 7 not valid", "error")
    assert label.text == label.accessibleName() == "1 of 7 not valid"
    assert _shows(label, THEME.status.error.text)


def test_lines_are_one_pixel(show: Show) -> None:
    across, down = Divider(length=40), Divider(Qt.Orientation.Vertical, length=16)
    show(across, down)
    assert (across.width(), across.height()) == (40, 1)
    assert (down.width(), down.height()) == (1, 16)
    assert _colors(across) == {THEME.color.border.name()}


def test_surfaces_fill_and_follow_the_theme(themed: ThemeController, qtbot: QtBot) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    set_surface(panel, "panel")
    panel.resize(20, 20)
    panel.show()
    assert _colors(panel) == {load_theme("light").color.panel.name()}
    themed.set_mode("dark")
    assert _colors(panel) == {load_theme("dark").color.panel.name()}


# --- the search field


def test_the_search_field_counts_clears_and_passes_on(show: Show, qtbot: QtBot) -> None:
    field = SearchField("Filter tools", command="filter_tools")
    show(field)
    assert field.accessibleName() == field.placeholderText() == "Filter tools"
    empty = field.textMargins().right()
    qtbot.keyClicks(field, "file")
    field.set_match_count("18 of 44")
    assert field.textMargins().right() > empty - 40
    assert field.accessibleDescription() == "18 of 44"
    with qtbot.waitSignal(field.down_requested):
        qtbot.keyClick(field, Qt.Key.Key_Down)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_the_cross_clears_the_search(show: Show, qtbot: QtBot) -> None:
    field = SearchField("Filter tools")
    show(field)
    extra = IconButton("list-filter", "Filters", size=24)
    field.add_trailing(extra)
    field.resize(300, 28)
    field.setText("file")
    field.set_match_count("3 of 9")
    trailing = next(child for child in field.findChildren(QWidget) if child is not extra and child.width() > 20)
    assert trailing.geometry().right() < extra.geometry().left()
    qtbot.mouseClick(trailing, Qt.MouseButton.LeftButton, pos=QPoint(2, 5))
    assert field.text() == "file"
    qtbot.mouseClick(trailing, Qt.MouseButton.LeftButton, pos=QPoint(trailing.width() - 8, trailing.height() // 2))
    assert field.text() == ""


# --- sections


@pytest.fixture
def moving() -> Iterator[None]:
    set_reduced_motion(reduced=False)
    yield
    set_reduced_motion(reduced=False)


def _open(section: Collapsible) -> bool:
    return section.body.isVisible()


def _head(section: Collapsible) -> QAbstractButton:
    return section.findChildren(QAbstractButton)[0]


def _section(*, expanded: bool) -> Collapsible:
    section = Collapsible("Arguments", expanded=expanded)
    inside = QVBoxLayout()
    inside.addWidget(QLabel("inside"))
    section.set_body_layout(inside)
    return section


def test_a_section_opens_and_closes_by_key_and_mouse(show: Show, qtbot: QtBot) -> None:
    set_reduced_motion(reduced=True)
    section = _section(expanded=True)
    show(section)
    section.set_summary('url="https://example.org"')
    assert _open(section)
    with qtbot.waitSignal(section.toggled, check_params_cb=lambda expanded: not expanded):
        qtbot.keyClick(_head(section), Qt.Key.Key_Left)
    assert not _open(section)
    qtbot.keyClick(_head(section), Qt.Key.Key_Right)
    assert _open(section)
    qtbot.mouseClick(_head(section), Qt.MouseButton.LeftButton)
    assert not _open(section)
    section.set_expanded(expanded=True)
    assert _open(section)
    set_reduced_motion(reduced=False)


def test_a_section_moves_to_its_full_height(show: Show, qtbot: QtBot, moving: None) -> None:
    section = _section(expanded=False)
    show(section)
    section.set_expanded(expanded=True)
    qtbot.waitUntil(lambda: section.body.maximumHeight() > 10_000)
    assert section.body.isVisible()
    section.set_expanded(expanded=False)
    qtbot.waitUntil(lambda: not section.body.isVisible())


def test_an_empty_state_offers_one_action_and_perhaps_another(show: Show, qtbot: QtBot) -> None:
    state = EmptyState("activity", "No calls yet", "Every call shows here.", action="Run a tool", other="Read help")
    show(state)
    other = next(button for button in state.findChildren(Button) if button.text() == "Read help")
    with qtbot.waitSignal(state.other_requested):
        qtbot.mouseClick(other, Qt.MouseButton.LeftButton)
    assert state.accessibleName() == "No calls yet. Every call shows here."
    assert state.button is not None
    with qtbot.waitSignal(state.action_requested):
        qtbot.mouseClick(state.button, Qt.MouseButton.LeftButton)
    state.show_text("No calls match", "Clear the filter.")
    assert state.accessibleName() == "No calls match. Clear the filter."
    plain = EmptyState("activity", "No calls yet", "Every call shows here.")
    qtbot.addWidget(plain)
    assert plain.button is None


def test_a_banner_says_which_action(show: Show, qtbot: QtBot) -> None:
    banner = Banner("warn", "2 definitions changed.", "Both tools are paused.", actions={"review": "Review both"})
    show(banner)
    button = banner.findChildren(Button)[0]
    with qtbot.waitSignal(banner.action_requested, check_params_cb=lambda key: key == "review"):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert _shows(banner, THEME.status.warn.soft)
    banner.show_text("1 definition changed.", "The tool is paused.")
    assert banner.accessibleName() == "1 definition changed. The tool is paused."


def test_a_panel_head_keeps_its_order(show: Show) -> None:
    header = PanelHeader("Activity", height=32)
    badge, button, second = Badge("3 running"), IconButton("list-filter", "Filter"), IconButton("x", "Close")
    header.add_button(button)
    header.add_label(badge)
    header.add_button(second)
    window = show(header)
    window.resize(600, 60)
    assert header.height() == 32
    assert header.title.x() < badge.x() < button.x() < second.x()
    assert header.width() - second.geometry().right() < 12


@pytest.mark.parametrize(("edge", "rows"), [("top", {0}), ("bottom", {35}), ("both", {0, 35}), ("none", set())])
def test_a_bar_has_lines_at_its_edges(show: Show, edge: str, rows: set[int]) -> None:
    bar = BarFrame(36, edge=edge)  # type: ignore[arg-type]
    show(bar)
    image = bar.grab().toImage()
    assert {y for y in range(36) if image.pixelColor(3, y) == THEME.color.border} == rows


# --- overlays


def test_the_scrim_covers_and_follows(show: Show, qtbot: QtBot) -> None:
    button = Button("Run")
    window = show(button)
    scrim = Scrim(window)
    scrim.show()
    window.resize(333, 222)
    assert scrim.size() == window.size()
    assert window.childAt(button.geometry().center()) is scrim


def test_the_countdown_empties_and_turns_red(show: Show) -> None:
    countdown = CountdownRing(20)
    show(countdown)
    countdown.set_left(0.5)
    assert _shows(countdown, THEME.status.warn.fill)
    countdown.set_left(-1, urgent=True)
    assert _shows(countdown, THEME.status.error.border)
    assert not _shows(countdown, THEME.status.error.fill)


def _marked(ring: FocusRing) -> QWidget | None:
    return ring.target


def _focus(qtbot: QtBot, widget: QWidget) -> None:
    widget.window().activateWindow()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


def test_focus_is_marked_for_the_keyboard_only(show: Show, qtbot: QtBot, ring: FocusRing) -> None:
    first, second = QLineEdit(), Button("Run")
    window = show(first, second)
    _focus(qtbot, first)
    assert _marked(ring) is None
    handle = window.windowHandle()
    qtbot.keyClick(handle, Qt.Key.Key_Tab)
    assert second.hasFocus()
    assert _marked(ring) is second
    qtbot.mouseClick(handle, Qt.MouseButton.LeftButton, pos=first.geometry().center())
    assert _marked(ring) is None


def test_the_ring_follows_what_it_marks(show: Show, qtbot: QtBot, ring: FocusRing) -> None:
    first, second = Button("Run"), QTreeView()
    window = show(first, second)
    _focus(qtbot, second)
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_Backtab)
    assert _marked(ring) is first
    marked = window.grab().toImage()
    assert marked.pixelColor(first.x() - 2, first.geometry().center().y()) == THEME.color.focus
    window.resize(500, 400)
    moved = window.grab().toImage()
    assert moved.pixelColor(first.x() - 2, first.geometry().center().y()) == THEME.color.focus
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_Tab)
    assert _marked(ring) is second
    assert second.grab().toImage().pixelColor(0, 40) == THEME.color.focus
    second.hide()
    assert _marked(ring) is not second


def _differing(first: QImage, second: QImage) -> set[tuple[int, int]]:
    """Return the places where two pictures of one size differ."""
    places = ((x, y) for x in range(first.width()) for y in range(first.height()))
    return {(x, y) for x, y in places if first.pixel(x, y) != second.pixel(x, y)}


@pytest.mark.parametrize(
    "make",
    [
        partial(TextLabel, "Wjgq|", selectable=True),
        partial(TextLabel, "Wjgq| and\nfurther", "code", wrap=True, selectable=True),
        partial(Button, "Wjgq|"),
        partial(QCheckBox, "Wjgq|"),
        partial(QLineEdit, "Wjgq|"),
        partial(QPlainTextEdit, "Wjgq|\nWjgq|"),
    ],
)
def test_a_focus_frame_covers_no_text(
    show: Show, qtbot: QtBot, ring: FocusRing, make: Callable[[], QLabel | QAbstractButton | QLineEdit | QPlainTextEdit]
) -> None:
    target = make()
    target.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window = show(QLineEdit(), target, QLineEdit())
    target.setFixedSize(target.size())
    with_text = window.grab().toImage()
    text = target.toPlainText() if isinstance(target, QPlainTextEdit) else target.text()
    set_text = target.setPlainText if isinstance(target, QPlainTextEdit) else target.setText
    set_text("")
    ink = _differing(with_text, window.grab().toImage())
    assert ink
    set_text(text)
    (first, *_) = (field for field in window.findChildren(QLineEdit) if field is not target)
    _focus(qtbot, first)
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_Tab)
    assert _marked(ring) is target
    marked = window.grab().toImage()
    frame = {place for place in _differing(with_text, marked) if marked.pixelColor(*place) == THEME.color.focus}
    assert frame
    assert not frame & ink


def test_a_dialog_that_opens_shows_its_first_focus(show: Show, qtbot: QtBot, ring: FocusRing) -> None:
    window = show(QLineEdit())
    dialog = QDialog(window)
    column = QVBoxLayout(dialog)
    deny = QPushButton("Deny")
    column.addWidget(deny)
    deny.setFocus()
    dialog.open()
    qtbot.waitUntil(deny.hasFocus)
    assert _marked(ring) is deny
    dialog.close()


def test_a_box_that_qt_made_itself_is_watched_as_well(show: Show, qtbot: QtBot, ring: FocusRing) -> None:
    window = show(QLineEdit())
    dialog = QFileDialog(window)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    name = dialog.findChild(QLineEdit)
    assert name is not None
    qtbot.waitUntil(name.hasFocus)
    name.setText("not there.yaml")
    seen: list[tuple[str, bool]] = []

    def answer() -> None:
        box = QApplication.activeWindow()
        if not isinstance(box, QMessageBox):
            return
        waiting.stop()
        seen.append((box.text(), bool(box.windowHandle().property("toolConsoleFocusRing"))))
        qtbot.keyClick(box.windowHandle(), Qt.Key.Key_Escape)

    waiting = QTimer(dialog)
    waiting.setInterval(5)
    waiting.timeout.connect(answer)
    waiting.start()
    qtbot.keyClick(dialog.windowHandle(), Qt.Key.Key_Return)
    assert [("File not found" in text, is_watched) for text, is_watched in seen] == [(True, True)]
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(dialog.windowHandle(), Qt.Key.Key_Escape)


# --- splitter, menu, rows


def test_the_splitter_is_thin_but_easy_to_grip(show: Show) -> None:
    splitter = ThinSplitter()
    left, right = QWidget(), QWidget()
    splitter.addWidget(left)
    splitter.addWidget(right)
    window = show(splitter)
    window.resize(400, 200)
    handle = splitter.handle(1)
    assert right.x() - left.geometry().right() == 2
    assert handle.width() == 8
    assert handle.contentsRect().width() == 1
    assert handle.mapToParent(handle.contentsRect().topLeft()).x() == left.geometry().right() + 1


def test_a_splitter_may_stand(show: Show) -> None:
    splitter = ThinSplitter(Qt.Orientation.Vertical)
    splitter.addWidget(QWidget())
    splitter.addWidget(QWidget())
    window = show(splitter)
    window.resize(200, 400)
    assert splitter.handle(1).height() == 8
    assert splitter.handle(1).contentsRect().height() == 1


def test_a_menu_has_a_name_and_lets_its_corners_through(qtbot: QtBot) -> None:
    menu = Menu("Copy as")
    qtbot.addWidget(menu)
    assert menu.accessibleName() == "Copy as"
    assert menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)


def _row(state: QStyle.StateFlag) -> QColor:
    image = QImage(40, 24, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    option = QStyleOptionViewItem()
    option.rect = image.rect()
    option.state = state
    painter = QPainter(image)
    paint_row(painter, option, THEME, divider=True)
    painter.end()
    assert image.pixelColor(3, 23) == THEME.color.divider
    return image.pixelColor(3, 3)


def test_rows_show_their_state() -> None:
    flag = QStyle.StateFlag
    assert _row(flag.State_Selected | flag.State_Active) == THEME.color.selected
    assert _row(flag.State_Selected) == THEME.color.selected_inactive
    assert _row(flag.State_MouseOver) == THEME.color.hover
    assert _row(flag.State_None) == QColor("white")


def test_matched_letters_are_marked(qapp: QApplication) -> None:
    image = QImage(120, 24, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setFont(THEME.font("body"))
    start = painter.fontMetrics().horizontalAdvance("read_")
    paint_match(painter, image.rect(), "read_file", [(5, 9)], THEME)
    painter.end()
    assert image.pixelColor(start + 8, 12) == THEME.color.match_bg
    assert image.pixelColor(start - 4, 12) == QColor("white")


def _inked(text: str, *, at_right: bool) -> tuple[int, int]:
    """Paint a text between 20 and 100 and return where it begins and ends."""
    image = QImage(120, 24, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    text_face(THEME.font("small")).paint(painter, QColor("black"), text, 20, 0, 80, 24, at_right=at_right)
    painter.end()
    columns = [x for x in range(120) if any(image.pixelColor(x, y) != QColor("white") for y in range(24))]
    return columns[0], columns[-1]


def test_a_line_of_a_table_stands_at_its_edge_and_stays_in_its_place(qapp: QApplication) -> None:
    begin, end = _inked("words", at_right=False)
    assert 20 <= begin <= 22
    assert end < 80
    begin, end = _inked("words", at_right=True)
    assert begin > 40
    assert 97 <= end <= 100
    for at_right in (False, True):
        begin, end = _inked("far more words than there is room for", at_right=at_right)
        assert begin >= 20
        assert end <= 100


def test_a_face_measures_what_it_shows_and_knows_a_changed_font_for_another(qapp: QApplication) -> None:
    font = THEME.font("small")
    face = text_face(font)
    shown, taken = face.shortened("two\nlines that are far too long", 60)
    assert shown.startswith("two ")
    assert shown.endswith("\N{HORIZONTAL ELLIPSIS}")
    assert taken == face.advance(shown) <= 60
    assert face.shortened("short", 60) == ("short", face.advance("short"))
    font.setPixelSize(font.pixelSize() * 2)
    assert text_face(font).advance("short") > face.advance("short")
    assert text_face(QFont(face.font)) is face


def test_buttons_of_a_narrow_row_become_icons_one_after_the_other(qtbot: QtBot) -> None:
    bar = BarFrame(40)
    buttons = [Button("Examples", icon="book-open"), Button("Copy as", icon="copy"), Button("Plain")]
    for button in buttons:
        bar.row.addWidget(button)
    CompactingRow(bar, buttons)
    holder = QWidget()
    bar.setParent(holder)
    qtbot.addWidget(holder)
    holder.resize(800, 60)
    holder.show()

    def compact_at(width: int) -> list[bool]:
        bar.resize(width, 40)
        return [button.is_compact for button in buttons]

    full = bar.row.sizeHint().width()
    assert compact_at(full) == [False, False, False]
    assert compact_at(full - 1) == [True, False, False]
    assert (buttons[0].text(), buttons[0].toolTip()) == ("Examples", "Examples")
    assert compact_at(100) == [True, True, False]
    assert compact_at(full) == [False, False, False]
    assert buttons[0].toolTip() == ""
