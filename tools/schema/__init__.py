"""Python types and JSON Schema: what arguments and results look like, and the only place that validates them."""

from __future__ import annotations

from tools.schema.documents import (
    SchemaPart,
    SchemaStyle,
    for_type,
    in_form,
    response_envelope,
    response_schema,
    titled_schemas,
)
from tools.schema.inlining import inlined, referenced
from tools.schema.interfaces import Arguments, Output
from tools.schema.mismatches import Mismatch, Mismatches, MismatchFinder
from tools.schema.output import PlainOutput, output_for
from tools.schema.placeholders import substitute
from tools.schema.plain_json import words_for
from tools.schema.remote_arguments import SerializedParameters, arguments_told, parameters_of
from tools.schema.schema_arguments import SchemaArguments, is_quick
from tools.schema.soundness import SharedParts, is_sound
from tools.schema.text import canonical_json, json_beginning, json_bytes, json_text, json_value
from tools.schema.typed import arguments_for

__all__ = [
    "Arguments",
    "Mismatch",
    "MismatchFinder",
    "Mismatches",
    "Output",
    "PlainOutput",
    "SchemaArguments",
    "SchemaPart",
    "SchemaStyle",
    "SerializedParameters",
    "SharedParts",
    "arguments_for",
    "arguments_told",
    "canonical_json",
    "for_type",
    "in_form",
    "inlined",
    "is_quick",
    "is_sound",
    "json_beginning",
    "json_bytes",
    "json_text",
    "json_value",
    "output_for",
    "parameters_of",
    "referenced",
    "response_envelope",
    "response_schema",
    "substitute",
    "titled_schemas",
    "words_for",
]
