"""Core schemas as JSON Schema documents, written the way tools want them: no made-up titles, closed objects, base64."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticSerializationError

from tools.schema.inlining import each_schema
from tools.schema.plain_json import plain
from tools.schema.rewriting import hides_secret

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaMode, JsonSchemaValue
    from pydantic_core import CoreSchema, core_schema

REF_TEMPLATE: Final = "#/$defs/{model}"


class SchemaWriter(GenerateJsonSchema):
    """Write one JSON Schema document."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 -- the base class's type

    def __init__(self) -> None:
        super().__init__(by_alias=True, ref_template=REF_TEMPLATE)

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        del parent_key
        return value

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave out titles made from names."""
        del schema
        return False

    def encode_default(self, dft: Any) -> Any:
        try:
            return plain(dft)
        except TypeError as error:
            raise PydanticSerializationError(str(error)) from error

    def field_is_present(self, field: Any) -> bool:
        """Leave out what a dataclass computes for itself and nobody can give."""
        if self.mode == "validation" and field.get("init") is False:
            return False
        return super().field_is_present(field)

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        """Describe bytes as base64 text; lengths count characters of the text."""
        written: JsonSchemaValue = {"type": "string", "contentEncoding": "base64"}
        if (shortest := schema.get("min_length")) is not None:
            written["minLength"] = -(-shortest * 4 // 3)
        if (longest := schema.get("max_length")) is not None:
            written["maxLength"] = -(-longest // 3) * 4
        return written

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Describe a decimal number, which text keeps exact."""
        document = super().decimal_schema(schema)
        for member in document.get("anyOf", [document]):
            if member.get("type") == "string":
                member["format"] = "decimal"
        return document

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return self._tidied(super().model_schema(schema), schema, schema["cls"].__name__)

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return self._tidied(super().dataclass_schema(schema), schema, schema["cls"].__name__)

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        written = super().typed_dict_schema(schema)
        cls = schema.get("cls")
        config = getattr(cls, "__pydantic_config__", None) or {}
        closing = "extra" not in config and schema.get("extra_behavior", "ignore") == "ignore"
        return self._tidied(written, schema, getattr(cls, "__name__", None), closing=closing)

    def _tidied(
        self, written: JsonSchemaValue, schema: Any, automatic: str | None, *, closing: bool = True
    ) -> JsonSchemaValue:
        if written.get("title") == automatic:
            written.pop("title", None)
        explicit = "extra_fields_behavior" in (schema.get("config") or {})
        if self.mode == "validation" and closing and not explicit and written.get("type") == "object":
            written.setdefault("additionalProperties", False)
        return written

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        """Describe one node; an enumeration without a made-up title, any secret as one that is not read back."""
        document = super().generate_inner(schema)
        if hides_secret(schema.get("serialization")):
            document["writeOnly"] = True
        if schema["type"] == "enum":
            target = self.resolve_ref_schema(document)
            if target.get("title") == schema["cls"].__name__:
                del target["title"]
        return document


def written(
    schema: CoreSchema, mode: JsonSchemaMode = "validation", *, writer: type[SchemaWriter] = SchemaWriter
) -> dict[str, Any]:
    """Return the JSON Schema of a core schema.

    Raises:
        PydanticInvalidForJsonSchema: Something in it has no JSON form.
    """
    document = writer().generate(schema, mode)
    definitions = document.get("$defs", {})
    enumerations = {f"#/$defs/{name}": inner for name, inner in definitions.items() if "enum" in inner}
    if not enumerations:
        return document
    for reference in enumerations:
        del definitions[reference.removeprefix("#/$defs/")]
    if not definitions:
        del document["$defs"]
    spelled_out: dict[str, Any] = _spelled_out(document, enumerations)
    return spelled_out


def _spelled_out(node: Any, enumerations: Mapping[str, Any]) -> Any:
    """Put enumerations where they are used: a list of values is clearer in place, to people, forms and models."""
    if not isinstance(node, Mapping):
        return node
    written = each_schema(node, lambda inner: _spelled_out(inner, enumerations))
    reference = str(written.get("$ref"))
    if reference in enumerations:
        del written["$ref"]
        return {**enumerations[reference], **written}
    return written
