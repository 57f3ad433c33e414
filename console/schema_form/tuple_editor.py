"""The field of a tuple: a row for each place that has a meaning of its own, and for the items behind them."""

from __future__ import annotations

from typing import Any, Final

from console.schema_form.rows_editor import RowsEditor

_LABEL_WIDTH: Final = 112


class TupleEditor(RowsEditor):
    """A list whose first places have schemas of their own; only what follows them can be added, moved or taken away."""

    @property
    def fixed(self) -> int:
        """Return how many places have schemas of their own."""
        return len(self.field.schema.get("prefixItems", ()))

    def label_width(self) -> int:
        """Return the width of the names of places, which may be titles."""
        return _LABEL_WIDTH

    def words_for(self, value: Any) -> str:
        """Say how many places there are."""
        if not self.fits(value):
            return super().words_for(value)
        if self.takes_more():
            return super().words_for(value)
        return f"{len(value)} of {self.fixed}" if len(value) < self.fixed else f"{self.fixed} items"

    def takes_more(self) -> bool:
        """Tell whether items may follow the places that have schemas of their own."""
        schema = self.field.schema
        rest = schema.get("items", schema.get("unevaluatedItems", True))
        most = schema.get("maxItems")
        return rest is not False and (most is None or most > self.fixed)

    def begin(self) -> None:
        """Offer to add only where something may follow."""
        super().begin()
        for button in (self.add_button, self.paste_button):
            button.setVisible(self.takes_more())
