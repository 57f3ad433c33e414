"""What each provider is sent of a tool, and what the report says of it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.relevance import server_definitions
from tests.tools.wire.samples import BUILT_IN
from tools import ToolExample
from tools.wire import LONGEST, PROVIDERS, Fix, NameRule, Provider, ToolDefinition, WireEffect, name_of, wire_name
from tools.wire.fidelity import fit

GOOD = ToolExample(input={"session": "q-7c1"}, description="Mid-quiz call", output="What is the capital?")
BAD = ToolExample(input={"session": "q-7c1"}, description="Twice in one turn", negative=True, why_bad="It skips one.")
QUIZ = ToolDefinition(
    "next_question",
    "Return the next question.",
    {"type": "object", "properties": {"session": {"type": "string"}}, "required": ["session"]},
    (GOOD, BAD),
)
ALLOWED = {
    NameRule.DASHES: re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST}}}"),
    NameRule.LETTER_FIRST: re.compile(rf"[A-Za-z_][A-Za-z0-9_-]{{0,{LONGEST - 1}}}"),
    NameRule.IDENTIFIER: re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{LONGEST - 1}}}"),
}


every_provider = pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)


def words_of(document: dict[str, Any]) -> str:
    """Return the description that a provider is sent, wherever it stands."""
    inner = document.get("function") or document.get("toolSpec") or document
    return str(inner["description"])


@pytest.mark.reference("B4", "B9")
def test_anthropic_gets_good_examples_as_such_and_bad_ones_in_the_description() -> None:
    document = PROVIDERS["anthropic"].write(QUIZ).document
    assert document["input_examples"] == [{"session": "q-7c1"}]
    assert document["description"] == (
        "Return the next question.\n\n"
        'Do not call it like this:\n- Twice in one turn: {"session": "q-7c1"} (It skips one.)'
    )


ALL_FOLDED = (
    "Return the next question.\n\n"
    'Examples:\n- Mid-quiz call: {"session": "q-7c1"} → What is the capital?\n\n'
    'Do not call it like this:\n- Twice in one turn: {"session": "q-7c1"} (It skips one.)'
)


@pytest.mark.reference("B1", "B3", "B8", "B10")
@pytest.mark.parametrize("name", ["openai", "openai-chat"])
def test_openai_gets_all_examples_in_the_description(name: str) -> None:
    assert words_of(PROVIDERS[name].write(QUIZ).document) == ALL_FOLDED


@pytest.mark.reference("B11")
def test_gemini_gets_all_examples_in_the_description() -> None:
    assert words_of(PROVIDERS["gemini"].write(QUIZ).document) == ALL_FOLDED


@pytest.mark.reference("B12")
@pytest.mark.parametrize(
    "name", ["mistral", "groq", "openrouter", "ollama", "huggingface", "azure-openai", "minimax", "zhipu"]
)
def test_those_who_take_openais_format_get_all_examples_in_the_description(name: str) -> None:
    document = PROVIDERS[name].write(QUIZ).document
    assert words_of(document) == ALL_FOLDED
    assert set(document["function"]) == {"name", "description", "parameters"}


@pytest.mark.reference("B13")
@pytest.mark.parametrize("name", ["bedrock", "cohere"])
def test_bedrock_and_cohere_get_all_examples_in_the_description(name: str) -> None:
    assert words_of(PROVIDERS[name].write(QUIZ).document) == ALL_FOLDED


def test_an_example_that_does_not_fit_is_no_example_for_anthropic() -> None:
    wrong = QUIZ._replace(examples=(ToolExample(input={"session": 7}),))
    written = PROVIDERS["anthropic"].write(wrong)
    assert "input_examples" not in written.document
    assert written.findings == (("/examples/0", "examples", WireEffect.DROPPED, Fix.FOLD),)


@every_provider
@pytest.mark.parametrize("strict", [False, True])
def test_every_built_in_tool_can_be_sent(provider: Provider, strict: bool) -> None:
    for definition in BUILT_IN:
        written = provider.write(definition, strict=strict)
        assert json.loads(json.dumps(written.document)) == written.document
        assert written.refused == ()


@every_provider
def test_the_tools_of_real_servers_can_be_sent(provider: Provider) -> None:
    definitions = server_definitions()
    assert len(definitions) == 236
    for definition in definitions:
        written = provider.write(definition)
        assert written.refused == (), definition.name


@every_provider
@pytest.mark.parametrize("strict", [False, True])
def test_what_was_rewritten_needs_no_more(provider: Provider, strict: bool) -> None:
    dialect = provider.strict if strict and provider.strict is not None else provider.dialect
    for definition in BUILT_IN:
        once = fit(definition.parameters, dialect)
        assert fit(once.schema, dialect) == (once.schema, ())


@pytest.mark.parametrize("rule", NameRule)
@given(st.text(st.one_of(st.sampled_from("._-xX5fAb2e/ö"), st.characters()), min_size=1, max_size=80))
def test_a_name_is_allowed_everywhere_and_can_be_read_back(rule: NameRule, name: str) -> None:
    written = wire_name(name, rule=rule)
    assert ALLOWED[rule].fullmatch(written)
    assert name_of(written) == name or len(written) == LONGEST


@pytest.mark.parametrize("rule", NameRule)
@given(st.lists(st.text(st.sampled_from("._-x5f2da1"), min_size=1, max_size=12), min_size=2, max_size=8, unique=True))
def test_no_two_names_come_to_the_same_anywhere(rule: NameRule, names: list[str]) -> None:
    assert len({wire_name(name, rule=rule) for name in names}) == len(names)
