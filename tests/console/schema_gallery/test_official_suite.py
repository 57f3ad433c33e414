"""The official test suite of JSON Schema, as far as a form without a network has to do with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from console.schema_form import Document, EffectiveSchemas, FieldError
from console.schema_form.paths import ABSENT, same, value_at
from console.schema_form.validation import named_errors
from tests.console.schema_gallery.test_gallery import opened

SUITE: Final = Path(__file__).parents[3] / "build" / "json-schema-suite" / "json" / "tests"
DRAFTS: Final = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
NOT_OURS: Final = {
    "content": "base64 is checked here, so that a wrong file is seen before the tool runs",
    "format": "formats are checked here",
    "refRemote": "nothing is fetched",
    "vocabulary": "no schema switches rules off",
}
# A reference that means something else on each way to it is taken as it is on the way from the root.
DYNAMIC: Final = {"dynamicRef", "recursiveRef"}
LENIENT: Final = {
    "date-time": ("leap second on a wrong",),
    "email": ("IPv4-address-literal",),
    "time": ("wrong hour", "wrong minute", "no time offset"),
}
FORMATS: Final = (
    *("date", "date-time", "duration", "email", "hostname", "idn-email", "ipv4", "ipv6", "iri-reference"),
    *("json-pointer", "regex", "relative-json-pointer", "time", "uri", "uri-reference", "uri-template", "uuid"),
)


class Group(NamedTuple):
    """Some instances of one schema."""

    name: str
    schema: Any
    tests: list[dict[str, Any]]


def groups(draft: str, *names: str) -> list[Group]:
    """Read the groups of some files of the suite; of all but those that are not ours when none is named."""
    if not SUITE.is_dir():
        pytest.fail("expected the test suite of JSON Schema in build/json-schema-suite; run packaging/bootstrap test")
    files = [SUITE / draft / f"{name}.json" for name in names] or sorted((SUITE / draft).glob("*.json"))
    found = []
    for file in files:
        if not names and file.stem in {*NOT_OURS, *DYNAMIC}:
            continue
        for group in json.loads(file.read_text(encoding="utf-8")):
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            found.append(Group(f"{file.stem}: {group['description']}", schema, group["tests"]))
    return found


def errors_of(shapes: EffectiveSchemas, value: Any) -> tuple[FieldError, ...]:
    return named_errors(shapes, shapes.check.errors(value).errors, value)


@pytest.mark.parametrize("draft", DRAFTS)
def test_each_instance_is_judged_as_the_suite_says(draft: str) -> None:
    wrong = [
        f"{group.name}: {test['description']}"
        for group in groups(draft)
        for shapes in [EffectiveSchemas(group.schema)]
        for test in group.tests
        if (not errors_of(shapes, test["data"])) is not test["valid"]
        and "$dynamicRef" not in group.name
        and "$recursiveRef" not in group.name
        and "schema that uses custom metaschema" not in group.name
    ]

    assert wrong == []


@pytest.mark.parametrize("draft", ["draft7", "draft2020-12"])
def test_what_is_wrong_is_said_at_a_place_of_the_instance(draft: str) -> None:
    for group in groups(draft):
        shapes = EffectiveSchemas(group.schema)
        for test in group.tests:
            for error in errors_of(shapes, test["data"]):
                assert value_at(test["data"], error.path[:-1]) is not ABSENT, group.name
                assert error.message
                assert "\n" not in error.message


@pytest.mark.parametrize("draft", ["draft7", "draft2020-12"])
def test_each_object_of_the_suite_opens_as_fields_and_comes_back_unchanged(draft: str) -> None:
    count = 0
    for group in groups(draft):
        for test in group.tests:
            if isinstance(test["data"], dict) and isinstance(group.schema, dict):
                document = Document(group.schema, test["data"])
                assert all(field.path for field in opened(document)), group.name
                assert same(document.value(), test["data"])
                assert (document.errors() == ()) is test["valid"], group.name
                count += 1

    assert count > 100


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_judged_as_the_suite_says(name: str) -> None:
    wrong = []
    for group in groups("draft2020-12", f"optional/format/{name}"):
        shapes = EffectiveSchemas(group.schema)
        wrong += [
            test["description"]
            for test in group.tests
            if (errors_of(shapes, test["data"]) == ()) is not test["valid"]
            and not any(words in test["description"] for words in LENIENT.get(name, ()))
        ]

    assert wrong == []


@pytest.mark.parametrize("draft", ["draft7", "draft2020-12"])
def test_what_lies_outside_is_left_to_the_tool(draft: str) -> None:
    for group in groups(draft, "refRemote"):
        for test in group.tests:
            assert errors_of(EffectiveSchemas(group.schema), test["data"]) == () or not test["valid"], group.name
