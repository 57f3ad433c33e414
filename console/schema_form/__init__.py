"""JSON Schema to a form to a value: one document, edited as fields or as text.

`effective_schema` computes what a schema asks of a place of the document; an equal answer is the same object.
`fields` makes the description of an editor from it. `Document` holds values, pending input, choices and undo, and
has a thread check what is large. Widgets know `Field` and `Document` only. A schema that a form must handle gets
an entry in `tests/console/schema_gallery`.
"""

from console.schema_form.arguments import ArgumentsEditor, ArgumentsMode
from console.schema_form.completions import Completions
from console.schema_form.document import Document, FormValidity
from console.schema_form.editor import FieldEditor
from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.field_row import FieldMessage, LegendButton
from console.schema_form.fields import Field, FieldKind, choices_of
from console.schema_form.form import SchemaForm
from console.schema_form.json_editor import JsonEditor, JsonTextEdit
from console.schema_form.json_text import TextProblem, parse_object, parse_value, write_json
from console.schema_form.paths import ABSENT, Absent, Path, label
from console.schema_form.state import PendingInput
from console.schema_form.validation import FieldError, FieldErrorKind
from console.schema_form.variants import Variant

__all__ = [
    "ABSENT",
    "Absent",
    "ArgumentsEditor",
    "ArgumentsMode",
    "Completions",
    "Document",
    "EffectiveSchemas",
    "Field",
    "FieldEditor",
    "FieldError",
    "FieldErrorKind",
    "FieldKind",
    "FieldMessage",
    "FormValidity",
    "JsonEditor",
    "JsonTextEdit",
    "LegendButton",
    "Path",
    "PendingInput",
    "SchemaForm",
    "TextProblem",
    "Variant",
    "choices_of",
    "label",
    "parse_object",
    "parse_value",
    "write_json",
]
