"""Files that are dropped on the window: what they are, what will happen, and a sign over the window that says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, Qt, QUrl, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QFontMetrics, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from console.assets import paint_icon
from console.batch.page import BatchPage
from console.browser.presenter import BrowserPresenter
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import paint_box, paint_text
from console.window import MainWindow
from console.window.project import ProjectChooser

_PLANS: Final = frozenset({".yaml", ".yml", ".json"})
_MOST_LINES: Final = 6
_KIND_WORDS: Final = {
    "project": tr("project"),
    "plan": tr("plan"),
    "table": tr("table"),
    "api": tr("api", "kind of a dropped file"),
}
FITTING: Final = tr("a .py file, a folder, a plan or an OpenAPI document (.yaml, .json), or a table (.csv)")
_API: Final = re.compile(rb"""(?:^|[{,])\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?\d""", re.MULTILINE)
"""How a document of an API says what it is, which no plan does."""
_READ_BYTES: Final = 4_096


class DroppedFiles(NamedTuple):
    """What dropped files are.

    Attributes:
        plugins: Python files.
        project: A folder; None for none.
        plan: A plan; None for none.
        api: An OpenAPI document; None for none.
        table: A table; None for none.
        refused: What cannot be taken, one sentence for each.
    """

    plugins: tuple[Path, ...] = ()
    project: Path | None = None
    plan: Path | None = None
    api: Path | None = None
    table: Path | None = None
    refused: tuple[str, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether anything of it can be taken."""
        return bool(self.plugins or self.project or self.plan or self.api or self.table)

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """What will happen, as icon and words."""
        lines: list[tuple[str, str]] = []
        if len(self.plugins) > 1:
            lines.append(
                (
                    "puzzle",
                    tr("Add {count} plugin files: {names}", count=len(self.plugins), names=_names(self.plugins)),
                )
            )
        elif self.plugins:
            lines.append(("puzzle", tr("Add {name} as a plugin and open its first tool", name=self.plugins[0].name)))
        if self.project is not None:
            lines.append(
                ("folder-open", tr("Open {name} as the project folder", name=self.project.name or self.project))
            )
        if self.plan is not None:
            lines.append(("workflow", tr("Open {name} as a plan on the Batch page", name=self.plan.name)))
        if self.api is not None:
            lines.append(("globe", tr("Add the API that {name} describes", name=self.api.name)))
        if self.table is not None:
            lines.append(("table", tr("Make a plan of the rows of {name}", name=self.table.name)))
        lines += [("circle-x", sentence) for sentence in self.refused]
        if len(lines) > _MOST_LINES:
            rest = len(lines) - _MOST_LINES + 1
            lines[_MOST_LINES - 1 :] = [("ellipsis", tr("and {count} more", count=rest))]
        return tuple(lines)


def _names(paths: Sequence[Path]) -> str:
    shown = ", ".join(path.name for path in paths[:3])
    return tr("{names} and {count} more", names=shown, count=len(paths) - 3) if len(paths) > 3 else shown


def read_drop(urls: Iterable[QUrl]) -> DroppedFiles:
    """Say what dropped files are, by their names, and plans and documents of APIs by how they begin."""
    plugins: list[Path] = []
    single: dict[str, Path] = {}
    refused: list[str] = []
    for url in urls:
        if not url.isLocalFile():
            refused.append(tr("{url} is not a file of this computer; save it here first", url=url.toDisplayString()))
            continue
        path = Path(url.toLocalFile())
        kind = _kind(path)
        if kind == "plugin":
            plugins.append(path)
        elif not kind:
            refused.append(
                tr("{name} is nothing that can be opened here; drop {fitting}", name=path.name, fitting=FITTING)
            )
        elif kind in single:
            refused.append(
                tr(
                    "{name} is left out: one {kind} at a time, and {other} came first",
                    name=path.name,
                    kind=_KIND_WORDS[kind],
                    other=single[kind].name,
                )
            )
        elif kind in {"plan", "table"} and single.keys() & {"plan", "table"}:
            refused.append(tr("{name} is left out: the Batch page shows one plan at a time", name=path.name))
        else:
            single[kind] = path
    return DroppedFiles(
        tuple(dict.fromkeys(plugins)),
        project=single.get("project"),
        plan=single.get("plan"),
        api=single.get("api"),
        table=single.get("table"),
        refused=tuple(refused),
    )


def _kind(path: Path) -> str:
    try:
        if path.is_dir():
            return "project"
        if not path.is_file():
            return ""
    except OSError:
        return ""
    suffix = path.suffix.casefold()
    if suffix == ".py":
        return "plugin"
    if suffix == ".csv":
        return "table"
    if suffix not in _PLANS:
        return ""
    return "api" if _API.search(_beginning(path)) else "plan"


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_READ_BYTES)
    except OSError:
        # Whoever opens it says why it cannot be read.
        return b""


class DropIndicator(QWidget):
    """Say over the whole window what will happen to what is being dragged.

    Args:
        over: The window.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setObjectName("dropSign")
        # The drag goes on to the window below, which knows what to do.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._drop = DroppedFiles()
        self.hide()

    @property
    def lines(self) -> tuple[str, ...]:
        """Give what is said."""
        return tuple(words for _, words in self._drop.lines)

    def show_drop(self, drop: DroppedFiles) -> None:
        """Say what will happen."""
        self._drop = drop
        title = tr("Drop to") if drop.is_taken else tr("Nothing of this can be opened")
        self.setAccessibleName(f"{title}: {'; '.join(self.lines)}")
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame around the window, and the card with the lines in its middle."""
        theme = theme_of(self)
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color.scrim)
        tone = theme.color.accent_border if self._drop.is_taken else theme.status.error.border
        painter.setPen(QPen(tone, 2, Qt.PenStyle.DashLine))
        painter.drawRect(self.rect().adjusted(10, 10, -11, -11))
        title, body = theme.font("title"), theme.font("body")
        lines = self._drop.lines
        metrics = QFontMetrics(body)
        most = max(240, self.width() - 160)
        width = min(most, max([320, *(metrics.horizontalAdvance(words) + 84 for _, words in lines)]))
        height = 64 + 30 * len(lines)
        card = QRect((self.width() - width) // 2, (self.height() - height) // 2, width, height)
        paint_box(painter, card, theme.radius.large, fill=theme.color.raised, border=theme.color.border)
        heading = tr("Drop to") if self._drop.is_taken else tr("Nothing of this can be opened")
        paint_text(painter, QRect(card.x() + 24, card.y() + 14, width - 48, 28), heading, title, theme.color.text)
        top = card.y() + 50
        for icon, words in lines:
            is_refused = icon == "circle-x"
            color = theme.status.error.text if is_refused else theme.color.accent_text
            paint_icon(painter, QRect(card.x() + 24, top + 5, 16, 16), icon, color, theme)
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, width - 76)
            ink = theme.color.text2 if is_refused else theme.color.text
            paint_text(painter, QRect(card.x() + 52, top, width - 76, 26), shown, body, ink)
            top += 30


class FileDrops(QObject):
    """Take files that are dropped on the window.

    A field that takes files itself, or text, still does: what is dropped exactly there is its own.

    Args:
        window: The window.
        browser: Loads plugin files.
        project: Has the project folder.
        batches: Have the plan.
        busy: Says why changing the project needs a question; empty when it does not.
        ask: Asks before something is lost, with title, text, verb and what then happens.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
        page_requested(str): This page is to come to the front.
        api_dropped(Path): This OpenAPI document was dropped.
    """

    noticed = Signal(str)
    page_requested = Signal(str)
    api_dropped = Signal(object)

    def __init__(
        self,
        window: MainWindow,
        browser: BrowserPresenter,
        project: ProjectChooser,
        batches: BatchPage,
        *,
        busy: Callable[[], str],
        ask: Callable[[str, str, str, Callable[[], None]], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._browser = browser
        self._project = project
        self._batches = batches
        self._busy = busy
        self._ask = ask
        self._folder: Path | None = None
        self.sign = DropIndicator(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what is dragged over the window."""
        if isinstance(event, QDragEnterEvent):
            return self._entered(event)
        if isinstance(event, QDropEvent) and event.type() is QEvent.Type.Drop:
            return self._dropped(event)
        if isinstance(event, QDragMoveEvent):
            event.acceptProposedAction()
            return True
        if event.type() is QEvent.Type.DragLeave:
            self.sign.hide()
        return False

    def _entered(self, event: QDragEnterEvent) -> bool:
        if not _has_files(event.mimeData()):
            event.ignore()
            return True
        self.sign.show_drop(read_drop(event.mimeData().urls()))
        # Refused files are taken as well, so that their sentence can be read and said again.
        event.acceptProposedAction()
        return True

    def _dropped(self, event: QDropEvent) -> bool:
        self.sign.hide()
        if not _has_files(event.mimeData()):
            event.ignore()
            return True
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.take(read_drop(event.mimeData().urls()))
        return True

    def take(self, drop: DroppedFiles) -> None:
        """Do with dropped files what they are for."""
        if drop.refused:
            first, more = drop.refused[0], len(drop.refused) - 1
            self.noticed.emit(tr("{sentence} (and {count} more)", sentence=first, count=more) if more else first)
        if drop.plugins:
            self._browser.add_plugins(drop.plugins)
        if drop.plan is not None:
            self.page_requested.emit("batch")
            self._batches.open(drop.plan)
        elif drop.table is not None:
            self.page_requested.emit("batch")
            self._batches.open_table(drop.table)
        if drop.api is not None:
            self.api_dropped.emit(drop.api)
        if drop.project is not None:
            self._open_project(drop.project)

    def _open_project(self, folder: Path) -> None:
        self._folder = folder
        busy = self._busy()
        if busy:
            self._ask(
                tr("Open the project {name}?", name=folder.name), busy, tr("Open the project"), self._choose_project
            )
        else:
            self._choose_project()

    def _choose_project(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            self._project.choose(folder)
            self.noticed.emit(tr("The project folder is {folder} now", folder=folder))


def _has_files(data: QMimeData) -> bool:
    return data.hasUrls()
