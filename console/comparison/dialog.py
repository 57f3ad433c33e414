"""Two calls, compared in a dialog of their own."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.comparison.presenter import ComparisonPresenter
from console.comparison.rows import ComparedSide
from console.comparison.view import ComparisonView
from console.language import tr
from console.tasks import Compute, TaskScope
from console.widgets import CentredDialog, set_surface

_LARGEST = QSize(1160, 760)
_MARGIN = 64


class ComparisonDialog(CentredDialog):
    """Show the comparison of two calls; Esc closes it."""

    def __init__(self, parent: QWidget, compute: Compute, scope: TaskScope) -> None:
        super().__init__(tr("Compare two calls"), parent)
        set_surface(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.view = ComparisonView(self)
        column.addWidget(self.view)
        self._presenter = ComparisonPresenter(self.view, compute, scope, parent=self)
        self.finished.connect(self._on_finished)
        self.resize((parent.window().size() - QSize(_MARGIN, _MARGIN)).boundedTo(_LARGEST))

    def _on_finished(self, result: int) -> None:
        self._presenter.close()


def open_comparison(
    parent: QWidget, left: ComparedSide, right: ComparedSide, *, compute: Compute, scope: TaskScope
) -> ComparisonDialog:
    """Compare two calls, one as before and one as now, in a dialog over a window."""
    dialog = ComparisonDialog(parent, compute, scope)
    dialog.view.set_sides(left, right)
    dialog.open()
    dialog.view.focus_differences()
    return dialog
