"""What the parts of a question have in common: the heading, the width of labels, growing with the width."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme import theme_of
from console.widgets import TextLabel

__all__ = ["LABEL_WIDTH", "grow_with_width", "small_heading"]

LABEL_WIDTH: Final = 153
"""Where the fields below the arguments begin, in logical pixels: in line with the values above."""


def small_heading(text: str, parent: QWidget | None = None) -> TextLabel:
    """Return the heading of one part of the question."""
    label = TextLabel(text, "small", parent=parent)
    font = label.font()
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    label.setFixedHeight(theme_of(label).line_height("small"))
    return label


def grow_with_width(widget: QWidget) -> None:
    """Let a widget's height follow its width, as texts need it that break into lines."""
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    widget.setSizePolicy(policy)
