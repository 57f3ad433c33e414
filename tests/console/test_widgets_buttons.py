from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from console.theme import load_theme
from console.widgets import Button, DoubleSpinBox, IconButton, Menu, SegmentedControl, SpinBox, Switch

THEME = load_theme("light")


Show = Callable[..., QWidget]


def _fill(widget: QWidget) -> QColor:
    return widget.grab().toImage().pixelColor(5, widget.height() // 2)


def test_buttons_have_the_heights_of_the_design(qtbot: QtBot, show: Show) -> None:
    small, large = Button("Run"), Button("Allow once", large=True)
    show(small, large)
    assert (small.height(), large.height()) == (28, 32)


@pytest.mark.parametrize(
    ("kind", "fill"),
    [("primary", THEME.color.accent), ("normal", THEME.color.raised), ("soft", THEME.color.accent_soft)],
)
def test_kinds_have_their_fill(qtbot: QtBot, show: Show, kind: str, fill: QColor) -> None:
    button = Button("Run", kind=kind)  # type: ignore[arg-type]
    show(button)
    assert _fill(button) == fill


def test_a_disabled_primary_button_has_no_fill(qtbot: QtBot, show: Show) -> None:
    button = Button("Run", kind="primary")
    button.setEnabled(False)
    show(button)
    assert _fill(button) != THEME.color.accent


def test_a_danger_button_is_never_filled_red(qtbot: QtBot, show: Show) -> None:
    button = Button("Stop the run", kind="danger")
    show(button)
    assert _fill(button) == THEME.color.raised
    button.set_kind("primary")
    assert (button.kind, button.property("kind")) == ("primary", "primary")
    assert _fill(button) == THEME.color.accent


def test_a_button_is_pressed_by_mouse_and_space(qtbot: QtBot, show: Show) -> None:
    button = Button("Run", kind="primary", icon="play", shortcut_hint="Ctrl+Enter")
    show(button)
    with qtbot.waitSignals([button.clicked, button.clicked]):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        qtbot.keyClick(button, Qt.Key.Key_Space)


def test_icon_shortcut_and_chevron_take_room(qtbot: QtBot) -> None:
    plain = Button("Run")
    qtbot.addWidget(plain)
    width = plain.sizeHint().width()
    plain.set_icon("play")
    with_icon = plain.sizeHint().width()
    plain.set_shortcut_hint("Ctrl+Enter")
    with_hint = plain.sizeHint().width()
    plain.setMenu(Menu("Examples", plain))
    assert width < with_icon < with_hint < plain.sizeHint().width()
    assert plain.accessibleDescription() == "Shortcut Ctrl+Enter"
    plain.set_shortcut_hint("")
    assert plain.accessibleDescription() == ""


def test_an_open_menu_closes_when_its_button_is_disabled(qtbot: QtBot, show: Show) -> None:
    button = Button("Compare")
    menu = Menu("Second model", button)
    menu.add_entry("other", "Another model…")
    button.setMenu(menu)
    show(button)
    menu.popup(QPoint(0, 0))
    assert menu.isVisible()
    button.setEnabled(False)
    assert not menu.isVisible()
    button.setEnabled(True)
    assert menu.isEnabled()
    assert not menu.isVisible()


def test_an_ampersand_is_written_twice(qtbot: QtBot) -> None:
    once, twice = Button("Deny & stop"), Button("Deny && stop")
    qtbot.addWidget(once)
    qtbot.addWidget(twice)
    assert twice.sizeHint().width() > once.sizeHint().width()


def test_an_icon_button_has_name_and_tooltip(qtbot: QtBot, show: Show) -> None:
    button = IconButton("panel-left", "Hide the tools", shortcut_hint="Ctrl+B")
    show(button)
    assert button.accessibleName() == "Hide the tools"
    assert button.toolTip() == "Hide the tools (Ctrl+B)"
    assert (button.width(), button.height()) == (28, 28)
    button.set_name("Show the tools")
    assert button.toolTip() == "Show the tools"
    button.setCheckable(True)
    button.setChecked(True)
    assert _fill(button) == THEME.color.accent_soft


def _segments(control: SegmentedControl) -> list[QAbstractButton]:
    return control.findChildren(QAbstractButton)


def test_one_segment_is_chosen_by_click_or_arrow(qtbot: QtBot, show: Show) -> None:
    control = SegmentedControl(("Form", "JSON"), "View")
    show(control)
    assert (control.index, control.height()) == (0, 28)
    form, json = _segments(control)
    with qtbot.waitSignal(control.selected, check_params_cb=lambda index: index == 1):
        qtbot.mouseClick(json, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(control.selected, check_params_cb=lambda index: index == 0):
        qtbot.keyClick(control, Qt.Key.Key_Left)
    qtbot.keyClick(control, Qt.Key.Key_Left)
    assert control.index == 0
    control.select(1)
    assert (form.isChecked(), json.isChecked()) == (False, True)
    assert form.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert json.focusPolicy() is Qt.FocusPolicy.TabFocus


def test_a_forbidden_segment_says_why_and_is_passed_by(qtbot: QtBot, show: Show) -> None:
    control = SegmentedControl(("Form", "JSON"), "View")
    show(control)
    control.set_choice_enabled(1, enabled=False, reason="The arguments have no schema")
    qtbot.keyClick(control, Qt.Key.Key_Right)
    qtbot.mouseClick(_segments(control)[1], Qt.MouseButton.LeftButton)
    assert control.index == 0
    assert _segments(control)[1].toolTip() == "The arguments have no schema"


def test_a_segment_may_change_its_word(qtbot: QtBot) -> None:
    control = SegmentedControl(("All", "Failed"), "Calls", height=24)
    qtbot.addWidget(control)
    before = control.sizeHint().width()
    control.set_text(1, "Failed 12")
    assert control.sizeHint().width() > before


def test_a_switch_toggles_by_mouse_and_space(qtbot: QtBot, show: Show) -> None:
    switch = Switch("context")
    show(switch)
    with qtbot.waitSignal(switch.toggled):
        qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert switch.isChecked()
    assert switch.grab().toImage().pixelColor(6, 9) == THEME.color.accent
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert not switch.isChecked()
    switch.setEnabled(False)
    assert switch.grab().toImage().pixelColor(26, 9) == THEME.color.border


@pytest.mark.parametrize("make", [SpinBox, DoubleSpinBox])
def test_the_wheel_changes_a_number_only_with_the_focus(
    qtbot: QtBot, show: Show, make: type[SpinBox] | type[DoubleSpinBox]
) -> None:
    box = make()
    window = show(box)
    box.setRange(0, 100)
    box.setValue(10)

    def turn_wheel() -> None:
        event = QWheelEvent(
            QPointF(5, 5),
            QPointF(5, 5),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        box.event(event)

    box.clearFocus()
    turn_wheel()
    assert box.value() == 10
    window.activateWindow()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    turn_wheel()
    assert box.value() == 11


def test_hover_is_shown_at_once(qtbot: QtBot, show: Show) -> None:
    button = Button("Reset")
    show(button)
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    button.event(QEvent(QEvent.Type.HoverEnter))
    assert _fill(button) == THEME.color.hover
    button.setDown(True)
    assert _fill(button) == THEME.color.pressed
