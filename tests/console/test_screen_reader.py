"""What a screen reader is told of every page and dialog, and where Tab goes on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QRadioButton, QWidget

from console.theme import ThemeController
from tests.console.screens import EVERYWHERE, opened
from tests.console.test_app_console import started
from tests.console.test_small_window import HEIGHT, WIDTH, once_calm

Role = QAccessible.Role
USED = frozenset(
    {
        Role.Button,
        Role.ButtonMenu,
        Role.ButtonDropDown,
        Role.CheckBox,
        Role.RadioButton,
        Role.ComboBox,
        Role.EditableText,
        Role.SpinBox,
        Role.Slider,
        Role.Link,
        Role.MenuItem,
        Role.PageTab,
        Role.PageTabList,
        Role.Tree,
        Role.Table,
        Role.List,
        Role.Dialog,
    }
)
"""What something can be done with, or what is entered."""
CELLS = 40
MOST_STEPS = 400


def walked(interface: QAccessibleInterface, path: str = "") -> Iterator[tuple[str, QAccessibleInterface]]:
    """Walk through all that is told of a window; of tables and trees only the first cells."""
    state = interface.state()
    if state.invisible:
        return
    yield path, interface
    name = interface.text(QAccessible.Text.Name)
    is_large = interface.role() in {Role.Tree, Role.Table, Role.List}
    count = min(interface.childCount(), CELLS) if is_large else interface.childCount()
    for number in range(count):
        child: Any = interface.child(number)
        if child is not None and child.isValid():
            yield from walked(child, f"{path}/{name or interface.role().name}")


def kind_of(interface: QAccessibleInterface) -> str:
    thing: Any = interface.object()
    return f"{interface.role().name} {type(thing).__name__} {thing.objectName() if thing is not None else ''}"


def without_name(window: QWidget) -> list[str]:
    """Return what can be used and is called nothing."""
    found = []
    for path, interface in walked(QAccessible.queryAccessibleInterface(window)):
        thing = interface.object()
        is_focusable = isinstance(thing, QWidget) and bool(thing.focusPolicy() & Qt.FocusPolicy.TabFocus)
        # A field inside of a spin box or a list of choices is told with it.
        is_inner = isinstance(thing, QWidget) and thing.objectName().startswith("qt_")
        if is_inner or not (interface.role() in USED or is_focusable):
            continue
        if not interface.text(QAccessible.Text.Name).strip():
            found.append(f"{path}: {kind_of(interface)}")
    return found


def twice_in_a_group(window: QWidget) -> list[str]:
    """Return names that different buttons of one group share."""
    found = []
    for path, interface in walked(QAccessible.queryAccessibleInterface(window)):
        if interface.role() in {Role.Tree, Role.Table, Role.List}:
            continue
        children: list[Any] = [interface.child(number) for number in range(interface.childCount())]
        names = Counter(
            child.text(QAccessible.Text.Name)
            for child in children
            if child is not None and child.isValid() and child.role() is Role.Button and not child.state().invisible
        )
        found += [f"{path}: {count} × {name!r}" for name, count in names.items() if count > 1]
    return found


def cells_without_words(window: QWidget) -> list[str]:
    """Return tables and trees with rows whose cells all say nothing."""
    found = []
    for view in window.findChildren(QAbstractItemView):
        model: Any = view.model()
        if not view.isVisible() or model is None or not model.rowCount(view.rootIndex()):
            continue
        columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(view.rootIndex())
        row = [model.index(0, column, view.rootIndex()) for column in range(columns)]
        roles = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole)
        if not any(str(index.data(role) or "").strip() for index in row for role in roles):
            found.append(f"{type(view).__name__} {view.accessibleName()!r}")
    return found


def not_reached(window: QWidget) -> list[str]:
    """Return what Tab should come to and does not, or the place where it stays."""
    wanted = {
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.window() is window
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        # Of several choices Tab comes to the one that is made, arrows to the others.
        and not (isinstance(widget, QRadioButton) and not widget.isChecked())
    }
    seen: list[QWidget] = []
    for _ in range(MOST_STEPS):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        now: Any = QApplication.focusWidget()
        if now is None or (len(seen) > 1 and now is seen[-1]):
            return [f"Tab stays at {type(now).__name__} {now.accessibleName() if now else ''!r}"]
        if now in seen:
            break
        seen.append(now)
    proxies = {widget.focusProxy() for widget in seen}
    # Rows that were not made yet took the focus for the fields that Tab made there.
    missed = [one for one in wanted - set(seen) - proxies if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    return sorted(f"{type(one).__name__} {one.accessibleName()!r}" for one in missed)


async def test_every_page_and_dialog_can_be_heard_read_and_gone_through_by_tab(
    theme: ThemeController, tmp_path: Path
) -> None:
    wrong: dict[str, list[str]] = {}
    async with started(theme, tmp_path) as start:
        start.console.window.resize(WIDTH, HEIGHT)
        for name in EVERYWHERE:
            async with opened(start, name) as shown:
                troubles = [
                    *await once_calm(shown),
                    *without_name(shown),
                    *twice_in_a_group(shown),
                    *cells_without_words(shown),
                ]
                if not isinstance(shown, QMenu):
                    shown.activateWindow()
                    await start.until(shown.isActiveWindow)
                    troubles += not_reached(shown)
                if troubles:
                    wrong[name] = troubles
    assert wrong == {}
