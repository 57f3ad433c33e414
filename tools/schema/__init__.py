"""Python types and JSON Schema: what arguments and results look like, and the only place that validates them."""

from __future__ import annotations

from tools.schema.documents import for_callable, for_type, response_envelope
from tools.schema.inlining import inlined
from tools.schema.mismatches import Mismatch, Mismatches, MismatchFinder, mismatches
from tools.schema.output import output_for, output_from_schema
from tools.schema.placeholders import substitute
from tools.schema.plain_json import words_for
from tools.schema.ports import Arguments, Output
from tools.schema.remote_arguments import SerializedParameters, arguments_told, parameters_of
from tools.schema.schema_arguments import arguments_from_schema, is_quick
from tools.schema.soundness import is_sound
from tools.schema.text import canonical_json, json_beginning, json_bytes, json_text, json_value
from tools.schema.typed import arguments_for

__all__ = [
    "Arguments",
    "Mismatch",
    "MismatchFinder",
    "Mismatches",
    "Output",
    "SerializedParameters",
    "arguments_for",
    "arguments_from_schema",
    "arguments_told",
    "canonical_json",
    "for_callable",
    "for_type",
    "inlined",
    "is_quick",
    "is_sound",
    "json_beginning",
    "json_bytes",
    "json_text",
    "json_value",
    "mismatches",
    "output_for",
    "output_from_schema",
    "parameters_of",
    "response_envelope",
    "substitute",
    "words_for",
]
