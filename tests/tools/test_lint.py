"""What is wrong with how a tool is described to a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator

from tools import Param, Tool, ToolExample, ToolRegistry, make_tool, resolve_tools, tool
from tools.card import SourceKind, ToolSource
from tools.lint import Finding, LintRule, Severity, estimated_tokens, lint_registry, lint_tool, token_costs
from tools.workbench import Workbench

FILE = '"path":{"type":"string","description":"Which file to read."}'
CITY = {"city": {"type": "string", "description": "Where"}, "days": {"type": "integer", "description": "How many"}}


def capital(city: str) -> str:
    if not city[:1].isupper():
        raise ValueError("a city is written with a capital")
    return city


def made(
    *examples: ToolExample,
    name: str = "forecast",
    description: str = "Tell the weather of the next days.",
    properties: Mapping[str, Any] = CITY,
) -> Tool:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": dict(properties),
        "required": ["city"] if "city" in properties else [],
    }
    return make_tool(name, description, lambda **given: str(given), schema, examples=examples)


def good(city: str = "Oslo", **more: Any) -> ToolExample:
    return ToolExample(input={"city": city, **more})


def found(tool: Tool) -> set[tuple[LintRule, str]]:
    return {(finding.rule, finding.where) for finding in lint_tool(tool)}


def test_a_tool_that_is_described_well_has_no_findings() -> None:
    assert lint_tool(made(good(), good("Bergen", days=3))) == ()


class TestDescriptions:
    @pytest.mark.parametrize("description", ["", "  \n"])
    def test_none(self, description: str) -> None:
        assert (LintRule.DESCRIPTION_MISSING, "/description") in found(made(description=description))

    @pytest.mark.parametrize("description", ["Weather", "forecast", "Forecast.", "FORE-CAST"])
    def test_one_that_says_less_than_the_name(self, description: str) -> None:
        assert (LintRule.DESCRIPTION_SHORT, "/description") in found(made(description=description))

    @pytest.mark.parametrize(
        "words", ["This tool tells", "this function will tell", "The tool tells", "A tool to tell"]
    )
    def test_one_that_begins_with_words_that_say_nothing(self, words: str) -> None:
        assert (LintRule.DESCRIPTION_EMPTY_WORDS, "/description") in found(made(description=f"{words} the weather."))

    def test_a_parameter_has_none_or_its_name_once_more(self) -> None:
        properties = {
            "city": {"type": "string"},
            "days/ahead": {"type": "integer", "description": "Days ahead"},
            "any": True,
            "unit": {"$ref": "#/$defs/unit"},
        }
        schema: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "$defs": {"unit": {"enum": ["C", "F"], "description": "Degrees"}},
        }
        odd = make_tool("forecast", "Tell the weather of tomorrow.", lambda **given: given, schema)
        places = {where for rule, where in found(odd) if rule is LintRule.PARAMETER_UNDESCRIBED}
        start = "/input_schema/properties"
        assert places == {f"{start}/city", f"{start}/days~1ahead", f"{start}/any"}


class TestExamples:
    @pytest.mark.reference("B2")
    def test_an_input_that_does_not_fit_is_a_finding_and_the_tool_is_declared_all_the_same(self) -> None:
        @tool(examples=[ToolExample(input={"citty": "Oslo"}), ToolExample(input={"city": "Oslo", "days": "many"})])
        def forecast(city: Annotated[str, Param("Where")], days: Annotated[int, Param("How many")] = 1) -> str:
            """Tell the weather of the next days."""
            return f"{city} {days}"

        registry = ToolRegistry(resolve_tools([forecast]))
        invalid = [one for one in lint_registry(registry) if one.rule is LintRule.EXAMPLE_INVALID]
        assert [one.where for one in invalid] == ["/examples/0/input", "/examples/1/input"]
        assert "citty" in invalid[0].message
        assert "days: expected" in invalid[1].message
        assert {one.severity for one in invalid} == {Severity.ERROR}

    def test_inputs_are_checked_as_calls_are_beyond_what_the_schema_can_say(self) -> None:
        @tool(examples=[ToolExample(input={"city": "oslo"})])
        def forecast(city: Annotated[str, AfterValidator(capital), Param("Where")]) -> str:
            """Tell the weather of tomorrow."""
            return city

        (declared,) = resolve_tools([forecast])
        assert (LintRule.EXAMPLE_INVALID, "/examples/0/input") in found(declared)
        # Of the card there is only the schema to go by.
        assert LintRule.EXAMPLE_INVALID not in {one.rule for one in lint_tool(declared.card)}

    def test_a_card_is_checked_like_its_tool(self) -> None:
        bad = made(good(days="many"), ToolExample(input={"city": "foo"}, negative=True), description="")
        assert lint_tool(bad.card) == lint_tool(bad) != ()

    @pytest.mark.reference("B15")
    def test_more_than_four_are_too_many(self) -> None:
        cities = ("Oslo", "Bergen", "Bodø", "Tromsø", "Molde")
        assert found(made(*map(good, cities[:4]))) == set()
        (many,) = lint_tool(made(*map(good, cities)))
        assert (many.rule, many.severity) == (LintRule.EXAMPLES_MANY, Severity.WARNING)
        assert "5 examples" in many.message

    def test_fewer_than_two_are_a_hint_where_arguments_can_be_combined(self) -> None:
        assert [(one.rule, one.severity) for one in lint_tool(made(good()))] == [(LintRule.EXAMPLES_FEW, Severity.HINT)]
        assert found(made(properties={"city": CITY["city"]})) == set()

    def test_of_a_server_no_examples_are_asked(self) -> None:
        assert found(made().with_source(ToolSource(SourceKind.SERVER, "weather"))) == set()

    @pytest.mark.reference("B16", "B5")
    def test_a_bad_one_says_why(self) -> None:
        bad = ToolExample(input={"city": "Oslo", "days": 400}, negative=True)
        reasoned = bad.model_copy(update={"why_bad": "Nothing is known of more than ten days."})
        assert found(made(good(), bad)) == {(LintRule.NEGATIVE_WITHOUT_REASON, "/examples/1/why_bad")}
        assert found(made(good(), reasoned)) == set()

    @pytest.mark.reference("B5")
    def test_a_good_one_has_no_reason_why_it_is_bad(self) -> None:
        odd = ToolExample(input={"city": "Oslo"}, why_bad="It is cold there.")
        assert found(made(good("Bergen"), odd)) == {(LintRule.REASON_WITHOUT_NEGATIVE, "/examples/1/why_bad")}

    @pytest.mark.reference("B18")
    def test_a_bad_one_warns_of_what_nothing_else_tells(self) -> None:
        schema_knows = ToolExample(input={"town": "Oslo"}, negative=True, why_bad="It is called city.")
        selection = ToolExample(input={"city": "Oslo"}, negative=True, why_bad="Wrong tool: ask tides for the sea.")
        assert found(made(schema_knows, selection)) == {
            (LintRule.NEGATIVE_OBVIOUS, "/examples/0/input"),
            (LintRule.NEGATIVE_OBVIOUS, "/examples/1"),
        }

    @pytest.mark.reference("B17")
    @pytest.mark.parametrize(
        "city", ["x", "foo", "Foo Bar", "string", "test", "test1", "example", "<city>", "your_city"]
    )
    def test_a_placeholder_is_no_realistic_input(self, city: str) -> None:
        assert found(made(good(), good(city))) == {(LintRule.EXAMPLE_UNREALISTIC, "/examples/1/input/city")}

    @pytest.mark.reference("B17")
    @pytest.mark.parametrize(
        "city", ["Å i Lofoten", "Testbourne", "Barcelona", "examples/oslo.txt", "<b>Oslo</b>", "7"]
    )
    def test_words_that_only_look_like_one_are_realistic(self, city: str) -> None:
        assert found(made(good(), good(city))) == set()

    @pytest.mark.reference("B17")
    def test_names_of_one_letter_inside_an_input_are_unrealistic(self) -> None:
        properties = {**CITY, "where": {"type": "object", "description": "Labels"}}
        odd = made(good(), good(where={"q": ["Oslo", "bar"]}), properties=properties)
        assert found(odd) == {
            (LintRule.EXAMPLE_UNREALISTIC, "/examples/1/input/where/q"),
            (LintRule.EXAMPLE_UNREALISTIC, "/examples/1/input/where/q/1"),
        }

    def test_a_value_that_the_schema_lists_is_realistic(self) -> None:
        @tool(examples=[ToolExample(input={"kind": "bar"}), ToolExample(input={"kind": "x"})])
        def draw(kind: Annotated[Literal["bar", "x"], Param("Which chart")]) -> str:
            """Draw a chart of the sales."""
            return kind

        assert found(resolve_tools([draw])[0]) == set()


class TestNames:
    def test_a_name_that_is_too_long_for_providers(self) -> None:
        longer = make_tool(
            "a" * 64, "Tell the weather of tomorrow, in more words than its name has letters.", lambda: ""
        )
        assert found(longer) == set()
        card = longer.card
        beyond = card.__class__(
            **{**card.__dict__, "spec": card.spec.model_copy(update={"name": f"server.{'a' * 64}"})}
        )
        assert (LintRule.NAME_TOO_LONG, "/name") in {(one.rule, one.where) for one in lint_tool(beyond)}

    def test_names_that_differ_in_case_and_separators_only(self) -> None:
        names = ("get_issue", "getIssue", "GET__ISSUE", "get_issues")
        tools = [make_tool(name, "Return one issue of a project.", lambda: "") for name in names]
        told = {one.tool: one.message for one in lint_registry(tools) if one.rule is LintRule.NAME_COLLISION}
        assert set(told) == {"get_issue", "getIssue", "GET__ISSUE"}
        assert "'getIssue', 'GET__ISSUE'" in told["get_issue"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4), st.dictionaries(st.text(max_size=6), JSON, max_size=3))
def test_any_input_and_any_words_of_a_foreign_schema_give_findings_and_nothing_worse(
    given_input: dict[str, Any], properties: dict[str, Any]
) -> None:
    described = {name: {"description": part, "properties": part} for name, part in properties.items()}
    card = made(ToolExample(input=given_input), ToolExample(input=given_input, negative=True)).card
    odd = card.__class__(**{**card.__dict__, "input_schema": {"type": "object", "properties": described}})
    for finding in lint_tool(odd):
        assert finding.message
        assert finding.fix


def test_each_rule_has_words_without_gaps() -> None:
    for rule in LintRule:
        finding = Finding(rule, "forecast", "/", "so")
        assert "{" not in finding.message + finding.fix
        assert finding.message.endswith(".")
        assert finding.fix.endswith(".")


async def test_the_built_in_tools_are_without_findings() -> None:
    bench = Workbench(installed=())
    await bench.load()
    try:
        assert len(bench.registry) > 40
        assert [f"{one.tool} {one.where}: {one.message}" for one in lint_registry(bench.registry)] == []
    finally:
        await bench.aclose()


class TestTokens:
    # Counted with o200k_base, the tables of GPT-4o and later.
    @pytest.mark.parametrize(
        ("counted", "text"),
        [
            (6, "Count the words of a text"),
            (12, '{"path":"data/orders.csv","max_rows":20}'),
            (15, "It returns at most 1,000 rows (default: 20)."),
            (27, f'{{"type":"object","properties":{{{FILE}}},"required":["path"]}}'),
            (8, "0.1 + 0.2"),
            (11, "这是一个测试文本，用于计算词元数量。"),
            (8, "検索する文字列を指定します。"),
        ],
    )
    def test_an_estimate_is_near_what_a_tokenizer_counts(self, counted: int, text: str) -> None:
        assert abs(estimated_tokens(text) - counted) <= max(2, counted * 0.25)

    def test_nothing_costs_nothing(self) -> None:
        assert estimated_tokens("") == 0

    @given(st.text(), st.text())
    def test_more_text_is_never_cheaper(self, text: str, more: str) -> None:
        assert 0 <= estimated_tokens(text) <= estimated_tokens(f"{text} {more}") + 1

    @pytest.mark.reference("E44", "B19")
    def test_a_tool_costs_its_definition_and_each_example(self) -> None:
        bare, told = made(), made(good(), good("Bergen", days=3))
        costs = token_costs(told)
        assert costs.definition == token_costs(bare).total > 0
        assert len(costs.examples) == 2
        assert costs.total == costs.definition + sum(costs.examples)
