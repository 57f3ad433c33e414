"""What stands behind a comparison: compares away from the window's thread, and brings what came of it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject

from console.comparison.identity import IgnoredPaths
from console.comparison.lines import TextDifference, compare_texts, unified_diff, written_side_by_side
from console.comparison.model import difference_places
from console.comparison.rows import ARGUMENTS, RESULT, ComparedSide, ComparedTree
from console.comparison.structure import compare, json_patch
from console.comparison.view import ComparisonView
from console.language import tr, tr_count, translated
from console.schema_form import ABSENT
from console.tasks import Compute, OwnTasks, TaskScope

_log = logging.getLogger(__name__)


class ComparisonPresenter(QObject):
    """Compare what a view shows, also what it was given before."""

    def __init__(self, view: ComparisonView, compute: Compute, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._compute = compute
        self._tasks = OwnTasks(scope)
        view.sides_changed.connect(self._on_view_sides_changed)
        view.text_wanted.connect(self._on_view_text_wanted)
        view.patch_requested.connect(self._on_view_patch_requested)
        if view.has_sides:
            self._on_view_sides_changed()

    def close(self) -> None:
        self._tasks.cancel()

    def _start(self, name: str, work: Callable[..., Coroutine[Any, Any, None]], *args: Any) -> None:
        self._tasks.start(self._told(work, *args), name)

    async def _told(self, work: Callable[..., Coroutine[Any, Any, None]], *args: Any) -> None:
        """Do some work; what it cannot do is said in the view."""
        try:
            await work(*args)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the view must not wait for ever
            _log.exception("two calls could not be compared")
            self._view.show_problem(translated(error) or type(error).__name__)

    async def _compare_trees(self, left: ComparedSide, right: ComparedSide, ignored: IgnoredPaths) -> None:
        for part in (ARGUMENTS, RESULT):
            self._view.show_tree(part, await self._compute(_compared_tree, left.part(part), right.part(part), ignored))

    async def _compare_text(self, part: int) -> TextDifference:
        known = self._view.compared_text(part)
        if known is not None:
            return known
        left, right, ignored = self._view.left.part(part), self._view.right.part(part), self._view.ignored
        found: TextDifference = await self._compute(_compared_text, left, right, IgnoredPaths.read(ignored))
        return found

    async def _show_text(self, part: int) -> None:
        self._view.show_text(part, await self._compare_text(part))

    async def _copy_unified(self, part: int) -> None:
        view = self._view
        difference = await self._compare_text(part)
        names = [f"{side.title} {side.subtitle}".strip() for side in (view.left, view.right)]
        text = await self._compute(unified_diff, difference, *names)
        self._copied(text, tr("The unified diff is on the clipboard: {lines:,} lines.", lines=text.count("\n")))

    async def _copy_json(self, part: int) -> None:
        compared = self._view.compared_tree(part)
        if compared is None:
            return
        if compared.tree.root.left is ABSENT or compared.tree.root.right is ABSENT:
            self._view.show_notice(tr("A JSON Patch needs a value on both sides."))
            return
        text, count = await self._compute(_written_patch, compared)
        notice = tr_count(
            count,
            "The JSON Patch is on the clipboard: 1 operation.",
            "The JSON Patch is on the clipboard: {count:,} operations.",
        )
        self._copied(text if count else "", notice)

    def _copied(self, text: str, notice: str) -> None:
        if text:
            self._view.put_on_clipboard(text)
        self._view.show_notice(notice if text else tr("Nothing differs, so there is nothing to copy."))

    def _on_view_sides_changed(self) -> None:
        self.close()
        view = self._view
        ignored = IgnoredPaths.read(view.ignored)
        self._start("compare two calls", self._compare_trees, view.left, view.right, ignored)

    def _on_view_text_wanted(self, part: int) -> None:
        self._start("compare two texts", self._show_text, part)

    def _on_view_patch_requested(self, kind: str) -> None:
        part = self._view.part
        self._start("copy a patch", self._copy_json if kind == "json" else self._copy_unified, part)


def _compared_tree(left: Any, right: Any, ignored: IgnoredPaths) -> ComparedTree:
    tree = compare(left, right, ignored)
    return ComparedTree(tree, tuple(difference_places(tree.root)))


def _compared_text(left: Any, right: Any, ignored: IgnoredPaths) -> TextDifference:
    if ignored:
        try:
            left, right = ignored.pruned(left), ignored.pruned(right)
        except RecursionError:
            _log.info("too many values inside each other to pass any over")
    return compare_texts(*written_side_by_side(left, right))


def _written_patch(compared: ComparedTree) -> tuple[str, int]:
    operations = json_patch(compared.tree)
    return json.dumps(operations, indent=2, ensure_ascii=False), len(operations)
