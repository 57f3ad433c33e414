"""Compare two calls: arguments and results, as trees and as texts.

`open_comparison` shows a dialog. Whoever puts a `ComparisonView` on a page of its own gives it a `ComparisonPresenter`
as well, before or after `set_sides`: the view only shows what the presenter compares away from the window's thread.
"""

from console.comparison.dialog import ComparisonDialog, open_comparison
from console.comparison.presenter import ComparisonPresenter
from console.comparison.rows import ComparedSide
from console.comparison.view import ComparisonView

__all__ = ["ComparedSide", "ComparisonDialog", "ComparisonPresenter", "ComparisonView", "open_comparison"]
