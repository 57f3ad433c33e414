"""Results written down: onto the clipboard and into files, all away from the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from console.execution.call_view import CallView
from console.json_view import json_text
from console.tasks import Compute
from console.viewers import Content, ContentKind
from console.widgets.formats import format_count
from tools.calls import Attachment


class Exports:
    """Write what is shown of a call, and tell the person about it."""

    def __init__(self, view: CallView, compute: Compute, notify: Callable[[str], None]) -> None:
        self._view = view
        self._compute = compute
        self._notify = notify

    async def copy(self, content: Content) -> None:
        """Put a result onto the clipboard."""
        text = await self._compute(_written, content)
        self._view.put_on_clipboard(text)
        self._notify(f"The result is on the clipboard: {format_count(len(text))} letters.")

    async def save(self, content: Content, path: Path) -> None:
        """Write a result into a file."""
        text = await self._compute(_written, content)
        await self.save_bytes(text.encode(), path)

    async def save_bytes(self, data: bytes, path: Path) -> None:
        """Write bytes into a file; the page says where, or why not."""
        try:
            await self._compute(path.write_bytes, data)
        except OSError as error:
            self._notify(f"{path.name} could not be saved: {error.strerror or error}. Choose another place.")
        else:
            self._notify(f"Saved as {path}.")

    async def save_all(self, attachments: Sequence[Attachment], folder: Path) -> None:
        """Write attachments into a folder, over no file that is there."""
        try:
            await self._compute(_write_all, attachments, folder)
        except OSError as error:
            self._notify(f"Not all attachments could be saved: {error.strerror or error}. Choose another folder.")
        else:
            self._notify(f"Saved {format_count(len(attachments))} attachments in {folder}.")


def _write_all(attachments: Sequence[Attachment], folder: Path) -> None:
    for attachment in attachments:
        # What a tool calls its file may lead anywhere; its last part stays in the folder.
        name = Path(PurePosixPath(attachment.name.replace("\\", "/")).name or "attachment")
        path, number = folder / name, 1
        while path.exists():
            number += 1
            path = folder / f"{name.stem} ({number}){name.suffix}"
        with path.open("xb") as file:
            file.write(attachment.data)


def _written(content: Content) -> str:
    if content.kind is ContentKind.JSON:
        return json_text(content.value)
    return "" if content.value is None else str(content.value)
