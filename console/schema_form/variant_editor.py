"""The field of a value of one of several kinds: the choice of the kind, and the fields of the one chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from console.language import tr
from console.schema_form.choice_editors import ChoiceBox
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.field_row import WIDE_KINDS
from console.schema_form.fields import Field, FieldKind
from console.schema_form.paths import ABSENT, Path, label
from console.schema_form.structure_editor import BODY_MARGINS, PADDING, StructureEditor
from console.schema_form.variants import Variant

if TYPE_CHECKING:
    from console.schema_form.rows import RowMaker

_LETTERS: Final = 8


class VariantBox(ChoiceBox):
    """The choice of the kind that a value is."""

    def __init__(self, document: Document, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._path = path
        self._shown: tuple[Variant, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumContentsLength(_LETTERS)
        self.setAccessibleName(tr("kind of argument {path}", path=label(path)) if path else tr("kind of arguments"))
        self.activated.connect(self._on_activated)
        self.refresh()

    def refresh(self) -> None:
        variants = self._document.field(self._path).variants
        if variants != self._shown:
            self._shown = variants
            self.clear()
            for place, variant in enumerate(variants):
                self.addItem(variant.label)
                self.setItemData(place, variant.description or None, Qt.ItemDataRole.ToolTipRole)
        chosen = self._document.variant(self._path)
        self.setCurrentIndex(-1 if chosen is None else chosen)

    def _on_activated(self, index: int) -> None:
        self._document.choose_variant(self._path, index)


class VariantEditor(StructureEditor):
    """A value of one of several kinds. What fits another kind as well stays when that is chosen.

    A kind of one field stands in the line of the choice, others below it.
    """

    def __init__(self, field: Field, document: Document, maker: RowMaker, parent: QWidget | None = None) -> None:
        self._chosen = document.variant(field.path)
        self._branch = document.branch(field.path)
        super().__init__(field, document, maker, parent)
        self.combo = VariantBox(document, field.path, self.frame)
        self.combo.activated.connect(self._on_combo_activated)
        # Undo and the keys of items go past it.
        self.combo.installEventFilter(self)
        self.line.insertWidget(self.line.indexOf(self.words), self.combo, 0, Qt.AlignmentFlag.AlignTop)
        self.line.insertSpacing(self.line.indexOf(self.words), PADDING)
        # It yields to a field in the line.
        self.line.addStretch(0)
        self.begin()

    @property
    def is_inline(self) -> bool:
        return self._branch.kind not in WIDE_KINDS

    def starts_open(self) -> bool:
        return self.is_inline or super().starts_open()

    def fits(self, value: Any) -> bool:
        return value is not ABSENT and value is not None

    def words_for(self, value: Any) -> str:
        if value is None:
            return "null"
        chosen = self._chosen
        return "" if chosen is None or self.is_inline else self.field.variants[chosen].description

    def is_usable(self, value: Any) -> bool:
        return self.is_inline or super().is_usable(value)

    def make_body(self) -> QWidget:
        if self._branch.kind is FieldKind.OBJECT:
            return self.make_rows(self._wanted, self.frame, margins=BODY_MARGINS)
        editor = self.maker.editor(self._branch, self.document, self.frame)
        self.alone.append(editor)
        editor.problem_changed.connect(self.refresh)
        if isinstance(editor, StructureEditor):
            editor.lose_head()
        return editor

    def place_body(self, body: QWidget) -> None:
        if self.is_inline:
            self.line.addWidget(body, 1)
        else:
            super().place_body(body)

    def refresh(self) -> None:
        chosen, branch = self.document.variant(self.field.path), self.document.branch(self.field.path)
        is_other = (chosen, branch.kind) != (self._chosen, self._branch.kind)
        self._chosen, self._branch = chosen, branch
        if is_other and self.body is not None:
            self.drop_body()
            self._show_body()
        elif self.alone and self.alone[0].field != branch:
            self.alone[0].take_field(branch)
        self.combo.refresh()
        super().refresh()

    def part(self, path: Path) -> FieldEditor:
        self.open()
        if not self.alone:
            return super().part(path)
        inner = self.alone[0]
        return inner.part(path) if isinstance(inner, StructureEditor) else inner

    def _wanted(self) -> Sequence[Field]:
        """Return the fields of the kind without the one that only says which it is."""
        variant = None if self._chosen is None else self.field.variants[self._chosen]
        tag = None if variant is None or len(variant.tags) > 1 else variant.discriminator
        return tuple(field for field in self.document.fields(self.field.path) if field.name != tag)

    def _on_combo_activated(self) -> None:
        self._touched = True
        self.open()
