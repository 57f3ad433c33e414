"""Trees whose rows are made when they are looked at: what their models have in common."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex

BLOCK: Final = 500
"""How many rows are made at a time."""

NOWHERE: Final = QModelIndex()
"""The parent of the top rows."""

Index = QModelIndex | QPersistentModelIndex


class GrowingModel(QAbstractItemModel):
    """A tree of one column. Qt makes the first rows inside a row, and who shows the tree asks for more of them."""

    def has_more(self, parent: Index) -> bool:
        """Tell whether rows inside are yet to be made."""
        raise NotImplementedError

    def make_more(self, parent: Index, count: int = BLOCK) -> None:
        """Make the next rows inside.

        Args:
            parent: The row they lie in.
            count: About how many.
        """
        raise NotImplementedError

    def columnCount(self, parent: Index = NOWHERE) -> int:
        """Return the one column there is."""
        return 1

    def canFetchMore(self, parent: Index) -> bool:
        """Tell whether the first rows inside are yet to be made; a tree view would ask on until all are made."""
        return parent.isValid() and not self.rowCount(parent) and self.has_more(parent)

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self.make_more(parent)
