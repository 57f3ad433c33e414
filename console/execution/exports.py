"""Results written down: as text, onto the clipboard, into files, all away from the window's thread."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from console.execution.call_view import CallView
from console.execution.ports import Compute
from console.execution.result_view import Content, ContentKind
from console.widgets.formats import format_count

__all__ = ["Exports"]


class Exports:
    """Write what is shown of a call, and tell the person about it.

    Args:
        view: Where results are shown.
        compute: Runs what takes more than a frame.
        notify: Says a sentence about what was done.
    """

    def __init__(self, view: CallView, compute: Compute, notify: Callable[[str], None]) -> None:
        self._view = view
        self._compute = compute
        self._notify = notify

    async def show_text(self, content: Content) -> None:
        """Show a result as text, unless another one is shown by then."""
        text = await self._compute(_written, content)
        if self._view.content is content:
            self._view.show_result_text(text)

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


def _written(content: Content) -> str:
    if content.kind is ContentKind.JSON:
        return json.dumps(content.value, indent=2, ensure_ascii=False)
    return "" if content.value is None else str(content.value)
