"""What a conversation took: in all, turn by turn, and of its budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from console.assistant.rows import TokenCount
from console.language import number, tr
from console.widgets import SegmentedControl, TextLabel, format_count, set_surface, vbox

if TYPE_CHECKING:
    from console.charts.turns_plot import TurnsPlot

_TOKENS, _COST = tr("Tokens"), tr("Cost")
_FIGURES: Final = {
    "turns": tr("Turns"),
    "tokens": _TOKENS,
    "read": tr("Input"),
    "written": tr("Output"),
    "cached": tr("From cache"),
    "cost": _COST,
}
_PLOT_HEIGHT: Final = 200


class UsageView(QWidget):
    """Show what a conversation took.

    Signals:
        plot_needed(): It is shown for the first time: load what plots need, then call `make_plot`.
    """

    plot_needed = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_surface(self, "panel")
        self.setAccessibleName(tr("Usage of the conversation"))
        self._turns: Sequence[TokenCount] = ()
        self.plot: TurnsPlot | None = None
        self.kind = SegmentedControl((_TOKENS, _COST), tr("What the bars show"))
        self.caption = TextLabel("", "small", "text2", wrap=True)
        self.budget = TextLabel("", "small", "text2", wrap=True)
        self.figures = {key: TextLabel("", "title") for key in _FIGURES}
        grid = QGridLayout()
        grid.setVerticalSpacing(2)
        for at, (key, figure) in enumerate(self.figures.items()):
            grid.addWidget(TextLabel(_FIGURES[key], "small", "text3"), 2 * (at // 2), at % 2)
            grid.addWidget(figure, 1 + 2 * (at // 2), at % 2)
            figure.setAccessibleName(tr("{name} in all", name=_FIGURES[key]))
        column = vbox(self, margins=(12, 10, 12, 12), spacing=10)
        column.addWidget(TextLabel(tr("This conversation"), "heading"))
        column.addLayout(grid)
        column.addWidget(self.budget)
        column.addWidget(self.kind)
        self._bars = vbox()
        column.addLayout(self._bars)
        column.addWidget(self.caption)
        column.addStretch(1)
        self.kind.selected.connect(self._draw)
        self.show_turns((), 0)

    def make_plot(self) -> None:
        """Put the plot here, once what it needs is loaded."""
        from console.charts.turns_plot import TurnsPlot  # noqa: PLC0415 -- see console.charts

        if self.plot is None:
            self.plot = TurnsPlot(tr("Usage by turn"), self)
            self.plot.setFixedHeight(_PLOT_HEIGHT)
            self._bars.addWidget(self.plot)
            self._draw()

    def show_turns(self, turns: Sequence[TokenCount], budget: int) -> None:
        """Show what each turn took.

        Args:
            turns: The turns, the oldest first.
            budget: Tokens that the conversation may take; 0 without a limit.
        """
        self._turns = turns
        read, written = sum(one.read for one in turns), sum(one.written for one in turns)
        cached = sum(one.cached for one in turns)
        costs = [one.cost for one in turns if one.cost is not None]
        about = "~" if any(one.estimated for one in turns) else ""
        shown = {
            "turns": format_count(len(turns)),
            "tokens": f"{about}{format_count(read + written)}",
            "read": f"{about}{format_count(read)}",
            "written": f"{about}{format_count(written)}",
            "cached": f"{cached / read:.0%}" if read else tr("n/a"),
            "cost": f"${number(sum(costs), '.4f')}" if costs else tr("n/a"),
        }
        for key, text in shown.items():
            self.figures[key].setText(text)
        used = read + written
        self.budget.setText(
            tr("{share:.0%} of the budget of {budget:,} tokens", share=used / budget, budget=budget)
            if budget
            else tr("No budget; set one under Context")
        )
        self.budget.set_tone("warn" if budget and used > 0.8 * budget else "text2")
        self._draw()

    @Slot()
    def _draw(self) -> None:
        shows_cost = self.kind.index == 1
        turns = self._turns
        if shows_cost:
            known = any(one.cost is not None for one in turns)
            self.caption.setText(tr("Cost by turn, in dollars") if known else tr("The provider tells no cost"))
        else:
            self.caption.setText(
                tr("Tokens by turn: read below, written above") if turns else tr("No turn has ended yet")
            )
        if self.plot is None:
            return
        if shows_cost:
            self.plot.show_bars([[one.cost or 0.0 for one in turns]])
        else:
            self.plot.show_bars([[one.read for one in turns], [one.written for one in turns]])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.plot is None:
            self.plot_needed.emit()
