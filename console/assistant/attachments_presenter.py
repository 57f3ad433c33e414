"""What stands behind what goes with the next message: files, and the message that it takes the place of."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from console.language import tr
from tools.models.attachments import AttachedFile, read_file

if TYPE_CHECKING:
    from console.assistant.rows import Said
    from console.assistant.view import AssistantView
    from console.tasks import Compute


class AttachmentsPresenter(QObject):
    """Keep what goes with the next message.

    Args:
        start: Starts some work under a name; what keeps it from being done is told.
    """

    def __init__(
        self,
        view: AssistantView,
        *,
        compute: Compute,
        start: Callable[[Coroutine[Any, Any, None], str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._compute = compute
        self._start = start
        self._files: list[AttachedFile] = []
        self._edited: int | None = None
        view.file_chosen.connect(self._on_view_file_chosen)
        view.composer.detach_requested.connect(self._on_composer_detach_requested)

    @property
    def files(self) -> Sequence[AttachedFile]:
        """The files that go with the next message."""
        return tuple(self._files)

    @property
    def edited(self) -> int | None:
        """Which of the things that the person said the next message takes the place of; None for none."""
        return self._edited

    def edit(self, said: Said) -> None:
        """Write the next message in the place of another one, beginning with its words."""
        self._edited = said.number
        self._show()
        self._view.composer.prompt.setPlainText(said.text)
        self._view.composer.setFocus()

    def leave_edit(self) -> None:
        """Have the next message take no other's place."""
        self._edited = None
        self._show()

    def clear(self) -> None:
        """Have nothing go with the next message."""
        self._files, self._edited = [], None
        self._show()

    @Slot(str)
    def _on_view_file_chosen(self, path: str) -> None:
        self._start(self._attach(Path(path)), "attach a file")

    async def _attach(self, path: Path) -> None:
        self._files.append(await self._compute(read_file, path))
        self._show()

    @Slot(str)
    def _on_composer_detach_requested(self, name: str) -> None:
        if self._edited is not None and name == _editing(self._edited):
            self._edited = None
        self._files = [file for file in self._files if file.name != name]
        self._show()

    def _show(self) -> None:
        edited = [] if self._edited is None else [_editing(self._edited)]
        self._view.composer.show_attached([*edited, *(file.name for file in self._files)])


def _editing(number: int) -> str:
    return tr("Instead of message {number}", number=number + 1)
