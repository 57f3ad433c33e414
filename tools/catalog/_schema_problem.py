"""What does not fit a JSON Schema, as a value; finding it is the work of `_validation`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """One place that does not fit."""

    path: Annotated[str, Field(description="Where in the data, such as $.people[0].age.")]
    message: Annotated[str, Field(description="What is wrong there.")]
    keyword: Annotated[str, Field(description="The schema's rule that is broken, such as type or required.")]
    schema_path: Annotated[str, Field(description="Where that rule stands in the schema.")]
