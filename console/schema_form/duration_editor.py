"""The field of a duration: ISO 8601, read aloud beside it; typed as people write it, it is put into that form."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from console.schema_form.document import Document
from console.schema_form.durations import duration_words, iso_duration
from console.schema_form.fields import Field
from console.schema_form.text_editors import TextEditor


class DurationEditor(TextEditor):
    """A duration as text. What a person writes, such as `90 min`, becomes `PT90M` when the field is left.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.line.editingFinished.connect(self._on_line_editing_finished)

    def show_value(self, value: Any) -> None:
        """Show the text, and say what it means."""
        super().show_value(value)
        text = self.line.text()
        meant = iso_duration(text)
        self.show_hint(duration_words(text) if meant is None else f"becomes {meant} when the field is left")

    def placeholder(self, value: Any) -> str:
        """Return an example where nothing else is to be said."""
        return super().placeholder(value) or "PT1H30M, or 1h 30m"

    def _on_line_editing_finished(self) -> None:
        meant = iso_duration(self.line.text())
        if meant is not None:
            self.write(meant)
