from __future__ import annotations

import asyncio
import functools
import platform
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import pytest
from annotated_types import Ge
from pydantic import BaseModel

from tests.tools.running import Answers, execute, run
from tools import (
    AbstractTool,
    AuditLevel,
    CallStatus,
    DeclarationError,
    DuplicateToolError,
    Executor,
    Latency,
    Param,
    Parameter,
    PathRole,
    RateLimit,
    Retry,
    Role,
    ToolContext,
    ToolExample,
    ToolFailure,
    ToolPipeline,
    ToolRegistry,
    ToolResult,
    ToolSource,
    cached,
    contract,
    has_tools,
    make_tool,
    process_tool,
    prompt,
    rate_limit,
    resilience,
    resolve_tools,
    retry,
    security,
    supported_for,
    tool,
    toolkit,
)
from tools.card import SourceKind
from tools.declare import bundle_of, supports
from tools.lint import lint_tool
from tools.wire import WireTools

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@tool
def greet(name: str, *, loud: bool = False) -> str:
    """Greet somebody.

    Args:
        name: Whom to greet.
        loud: Whether to shout.
    """
    return f"HELLO {name}" if loud else f"Hello {name}"


@tool
async def greet_later(name: str) -> str:
    """Greet somebody after a while."""
    await asyncio.sleep(0)
    return f"Hello {name}"


@toolkit("Weather", description="What the sky does.", category="data", turns_to_keep=3)
class Weather:
    def __init__(self, place: str = "Bern") -> None:
        self.place = place

    @tool(read_only=True)
    def forecast(self, days: Annotated[int, Ge(1)] = 1) -> str:
        """Tell what comes."""
        return f"{self.place}: sun for {days} days"

    @tool(category="search", turns_to_keep=0, requires_confirmation=True)
    async def look_outside(self, floor: int) -> str:
        """Look out of the window."""
        return f"rain on floor {floor}"

    @prompt
    def small_talk(self, mood: str = "cheerful") -> str:
        """Talk about the weather."""
        return f"Say something {mood} about {self.place}'s weather."

    @tool
    @staticmethod
    def units() -> list[str]:
        """Name the units."""
        return ["°C", "mm"]

    def not_marked(self) -> str:
        return "nobody sees this"


@tool(name="my_tool", description="Does something useful", category="utility", keywords=("custom",), priority=70)
class MyTool(AbstractTool):
    def do_execute(self, query: str) -> str:
        return f"Result for: {query}"


class Visit(BaseModel):
    who: str
    hour: int


TEA = ToolExample(input={"input": "tea"}, description="A drink", output="TEA")
HUSH = ToolExample(input={"input": "hush"}, negative=True, why_bad="Nobody shouts that.")


@tool(examples=[TEA, HUSH])
def call_out(input: str) -> str:  # noqa: A002 -- what a text tool calls its argument
    """Call a text out."""
    return input.upper()


@toolkit("Voices")
class Voices:
    @tool(examples=[TEA, HUSH])
    async def call_out_later(self, input: str) -> str:  # noqa: A002 -- as above
        """Call a text out, later."""
        return input.upper()


@tool(examples=[TEA, HUSH])
class CallOut(AbstractTool):
    def do_execute(self, input: str) -> str:  # noqa: A002 -- as above
        return input.upper()


@tool(examples=[TEA, HUSH])
class CallingAgent:
    name = "calling_agent"
    description = "Call a text out."

    def execute(self, words: str, /) -> str:
        return words.upper()


class ShoutingAgent:
    name = "shout"
    description = "Shout a text."

    def execute(self, words: str, /) -> ToolResult:
        return ToolResult.ok(words.upper())


class TestTheFourWays:
    @pytest.mark.reference("A3", "A4", "C10", "D2", "C28", "E14", "E20", "C43")
    def test_a_function_is_a_tool_with_its_name_docstring_and_parameters(self, executor_of: ExecutorOf) -> None:
        (made,) = resolve_tools([greet])

        assert (made.name, made.description) == ("greet", "Greet somebody.")
        assert made.input_schema["required"] == ["name"]
        assert made.owner == f"{__name__}.greet"
        assert executor_of(greet).run("greet", '{"name": "Mira", "loud": true}').text == "HELLO Mira"

    def test_a_declared_function_still_works_by_hand(self) -> None:
        assert greet("Mira") == "Hello Mira"
        assert get_type_hints(greet)["name"] is str

    def test_an_async_function_is_a_tool_too(self, executor_of: ExecutorOf) -> None:
        assert executor_of(greet_later).run("greet_later", {"name": "Mira"}).text == "Hello Mira"

    @pytest.mark.reference("E5", "E13")
    def test_methods_of_a_toolkit_keep_their_full_types(self, executor_of: ExecutorOf) -> None:
        @toolkit("Diary")
        class Diary:
            @tool
            def plan(self, days: dict[date, list[Visit]], most: Decimal | None = None) -> dict[str, set[int]]:
                """Plan some days."""
                assert most is None or isinstance(most, Decimal)
                assert all(type(day) is date and type(visit) is Visit for day in days for visit in days[day])
                return {str(day): {visit.hour for visit in visits} for day, visits in days.items()}

        (made,) = resolve_tools([Diary])
        visits: Any = made.input_schema["properties"]
        assert visits["days"]["additionalProperties"] == {"type": "array", "items": {"$ref": "#/$defs/Visit"}}
        assert made.output_schema == {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
        }
        given = '{"days": {"2026-01-02": [{"who": "Mira", "hour": 9}]}, "most": "2.50"}'
        assert executor_of(Diary).run("plan", given).result == {"2026-01-02": {9}}

    @pytest.mark.reference("C2", "D8", "E1", "E2", "C28")
    def test_a_toolkit_brings_its_marked_methods_and_nothing_else(self) -> None:
        bundle = bundle_of(Weather("Basel"))

        assert [made.name for made in bundle.tools] == ["forecast", "look_outside", "units"]
        forecast, outside, units = bundle.tools
        assert {made.toolkit for made in bundle.tools} == {"Weather"}
        assert {made.toolkit_description for made in bundle.tools} == {"What the sky does."}
        assert (forecast.spec.category, forecast.spec.turns_to_keep) == ("data", 3)
        assert (outside.spec.category, outside.spec.turns_to_keep, outside.asks_first) == ("search", 0, True)
        assert forecast.input_schema["properties"]["days"]["minimum"] == 1  # type: ignore[index,call-overload]
        assert units.input_schema["properties"] == {}

    def test_methods_keep_their_object(self, executor_of: ExecutorOf) -> None:
        assert executor_of(Weather("Basel")).run("forecast", {"days": 2}).text == "Basel: sun for 2 days"

    def test_a_toolkit_class_is_made_when_it_needs_no_arguments(self) -> None:
        assert resolve_tools([Weather])[0].name == "forecast"

    def test_a_toolkit_class_that_needs_arguments_says_so(self) -> None:
        class Needy:
            def __init__(self, what: str) -> None: ...

            @tool
            def work(self) -> None: ...

        with pytest.raises(DeclarationError, match="register an instance instead"):
            resolve_tools([Needy])

    @pytest.mark.reference("A2", "A14", "A5", "A6", "A7")
    def test_a_subclass_with_one_method_is_a_whole_tool(self, executor_of: ExecutorOf) -> None:
        (made,) = resolve_tools([MyTool])

        assert (made.name, made.description) == ("my_tool", "Does something useful")
        assert (made.spec.category, made.spec.keywords, made.spec.priority) == ("utility", ("custom",), 70)
        assert executor_of(MyTool).run("my_tool", {"query": "cats"}).text == "Result for: cats"
        assert executor_of(MyTool()).run("my_tool", "cats").text == "Result for: cats"

    @pytest.mark.reference("D3", "D7", "D10", "D12")
    def test_any_object_with_name_description_and_execute_is_a_tool(self, executor_of: ExecutorOf) -> None:
        (made,) = resolve_tools([ShoutingAgent()])

        assert made.input_schema["required"] == ["input"]
        assert made.input_schema["properties"]["input"]["type"] == "string"  # type: ignore[index,call-overload]
        assert executor_of(ShoutingAgent()).run("shout", {"input": "hey"}).text == "HEY"

    @pytest.mark.reference("D11")
    @pytest.mark.parametrize("given", ["not json", '{"other": "key"}', "[1, 2]", '{"broken'])
    def test_text_that_holds_no_input_is_the_input(self, executor_of: ExecutorOf, given: str) -> None:
        assert executor_of(ShoutingAgent()).run("shout", given).text == given.upper()

    def test_bytes_that_are_no_text_are_the_input_too(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(ShoutingAgent())
        call = executor.create_call("shout", b"\xffa")
        assert run(executor.execute(call)).text == "\ufffdA"

    def test_an_agent_tool_may_be_async_and_carry_policies(self, executor_of: ExecutorOf) -> None:
        @cached()
        class Slow:
            name = "slow"
            description = "Answer later."

            async def execute(self, words: str, /) -> str:
                await asyncio.sleep(0)
                return words

        executor = executor_of(Slow())
        executor.run("slow", {"input": "a"})
        assert executor.run("slow", {"input": "a"}).from_cache

    @pytest.mark.reference("C40", "C27")
    def test_a_tool_is_made_by_hand_of_parameters_a_schema_or_a_function(self, executor_of: ExecutorOf) -> None:
        def add(a: int, b: int = 2) -> int:
            return a + b

        by_function = make_tool("add", "Add two numbers.", add, category="math")
        by_parameters = make_tool(
            "add_more",
            "Add.",
            add,
            [Parameter("a", "a", int, description="first"), Parameter("b", "b", int, default=5)],
        )
        by_schema = make_tool(
            "add_most",
            "Add.",
            add,
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]},
        )
        executor = executor_of(by_function, by_parameters, by_schema)

        assert by_function.spec.category == "math"
        assert executor.run("add", {"a": 1}).result == 3
        assert executor.run("add_more", {"a": 1}).result == 6
        assert executor.run("add_most", {"a": 1, "b": 9}).result == 10
        assert executor.run("add_most", {"b": 9}).status is CallStatus.REJECTED

    def test_partial_applications_and_callable_objects_are_functions_too(self, executor_of: ExecutorOf) -> None:
        def scale(value: float, factor: float) -> float:
            return value * factor

        class Doubler:
            async def __call__(self, value: int) -> int:
                """Double."""
                return value * 2

        executor = executor_of(
            make_tool("triple", "Triple.", functools.partial(scale, factor=3)),
            make_tool("double", "Double.", Doubler()),
        )
        assert executor.run("triple", {"value": 2}).result == 6
        assert executor.run("double", {"value": 2}).result == 4

    def test_policies_on_a_function_count_for_a_tool_made_by_hand(self) -> None:
        @cached(ttl_s=5)
        def slow() -> str:
            return "x"

        made = make_tool("slow", "Be slow.", slow)
        assert made.policies.cache is not None
        assert made.policies.cache.ttl_s == 5


class TestTheCard:
    @pytest.mark.reference("A5", "A7", "A8", "A9", "A10", "A11", "A12", "A13")
    def test_what_is_said_is_on_the_card_and_the_rest_has_defaults(self) -> None:
        @tool(
            category="search",
            keywords=["web"],
            priority=80,
            latency="medium",
            idempotent=False,
            parallelizable=False,
            requires_confirmation=True,
            depends_on=["log_in"],
            version="2.1.0",
            title="Search the web",
            examples=[ToolExample(input={"query": "cats"})],
            read_only=True,
            open_world=True,
        )
        def web_search(query: str) -> str:
            """Search."""
            return query

        spec = resolve_tools([web_search])[0].spec
        assert (spec.category, spec.keywords, spec.priority, spec.latency) == ("search", ("web",), 80, Latency.MEDIUM)
        assert (spec.idempotent, spec.parallelizable, spec.requires_confirmation) == (False, False, True)
        assert (spec.depends_on, spec.version, spec.title) == (("log_in",), "2.1.0", "Search the web")
        assert (spec.read_only_hint, spec.destructive_hint, spec.open_world_hint) == (True, None, True)
        plain = resolve_tools([greet])[0].spec
        assert (plain.category, plain.priority, plain.latency, plain.version) == ("general", 50, None, "1.0.0")
        assert (plain.idempotent, plain.parallelizable, plain.requires_confirmation) == (True, True, False)
        assert plain.depends_on == ()

    @pytest.mark.reference("A7")
    @pytest.mark.parametrize("priority", [-1, 101])
    def test_a_priority_outside_its_range_is_refused(self, priority: int) -> None:
        @tool(priority=priority)
        def work() -> None: ...

        with pytest.raises(DeclarationError, match=f"work: priority={priority} is wrong"):
            resolve_tools([work])

    def test_a_word_the_card_does_not_know_is_refused(self) -> None:
        with pytest.raises(DeclarationError, match="@tool does not know 'colour'"):
            make_tool("work", "Work.", lambda: None, colour="red")

    @pytest.mark.reference("B6", "B7")
    @pytest.mark.parametrize(
        "declared",
        [
            call_out,
            Voices,
            CallOut,
            CallingAgent(),
            make_tool("made", "Call a text out.", call_out, examples=[TEA, HUSH]),
            process_tool("program", ["cat"], "Call a text out.", examples=[TEA, HUSH]),
            ToolPipeline.of(call_out, examples=[TEA, HUSH]),
        ],
        ids=["function", "method", "class", "object", "by hand", "program", "pipeline"],
    )
    def test_examples_are_part_of_a_declaration_of_any_kind(self, declared: object) -> None:
        (made,) = resolve_tools([declared])
        assert made.spec.examples == (TEA, HUSH)
        assert [one for one in lint_tool(made) if one.where.startswith("/examples")] == []
        (sent,) = WireTools([made]).request
        assert "A drink" in str(sent["description"])
        assert "Nobody shouts that." in str(sent["description"])

    @pytest.mark.reference("B6")
    def test_an_example_stands_in_a_declaration_only(self) -> None:
        with pytest.raises(TypeError, match="'ToolExample' object is not callable"):
            TEA(call_out)  # type: ignore[operator]  # what a decorator would be

    @pytest.mark.reference("D1", "D21")
    @pytest.mark.parametrize("name", ["", " ", "two words", "dash-ed", "1st", "ünï", "a" * 65, "dot.ted"])
    def test_a_badly_spelled_name_is_refused_with_its_owner(self, name: str) -> None:
        class Badly:
            description = "Work."

            def __init__(self) -> None:
                self.name = name

            def execute(self, words: str, /) -> str:
                return words

        with pytest.raises(DeclarationError, match=r"Badly: a tool's name is 1 to 64 letters, digits and underscores"):
            resolve_tools([Badly()])

    @pytest.mark.reference("C11")
    def test_a_description_may_name_the_operating_system(self) -> None:
        made = make_tool("shell", "Run a command on ${OS_NAME}, ${HOME} stays.", lambda: None)
        assert made.description == f"Run a command on {platform.system()}, ${{HOME}} stays."

    @pytest.mark.reference("E6")
    def test_a_tool_is_also_known_under_its_toolkits_name(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(Weather())
        assert executor.registry.get("forecast").qualified_name == "Weather.forecast"
        assert executor.run("weather.forecast", {}).text == "Bern: sun for 1 days"
        assert resolve_tools([greet])[0].qualified_name == "greet"

    def test_an_undocumented_class_says_nothing_rather_than_what_its_base_says(self) -> None:
        class HTTPProbe(AbstractTool):
            def do_execute(self, query: str) -> str:
                return query

        (made,) = resolve_tools([HTTPProbe])
        assert (made.name, made.description) == ("httpprobe", "")

    def test_a_definition_has_a_digest_that_changes_with_it(self) -> None:
        first, same = make_tool("a", "Work.", greet), make_tool("a", "Work.", greet)
        assert first.digest == same.digest
        assert first.digest != make_tool("a", "Work hard.", greet).digest
        assert first.digest != make_tool("a", "Work.", greet, version="2.0.0").digest


class TestPolicies:
    @pytest.mark.reference("A114", "A21", "A22")
    def test_policy_decorators_stack_in_any_order_on_functions_methods_and_classes(self) -> None:
        decorators: list[Callable[[Any], Any]] = [
            tool(category="x"),
            retry(max_attempts=2),
            rate_limit(requests=5),
            cached(ttl_s=9),
            security(audit="full"),
            contract(pre="len(query) > 0"),
            resilience(timeout_s=15),
        ]

        def declared(order: list[Callable[[Any], Any]], target: Any) -> Any:
            for decorator in order:
                target = decorator(target)
            return target

        def function() -> Any:
            def work(query: str) -> str:
                """Work."""
                return query

            return work

        def kit(order: list[Callable[[Any], Any]]) -> Any:
            def work(self: object, query: str) -> str:
                return query

            return type("Kit", (), {"work": declared(order, work)})()

        def class_tool() -> Any:
            class Work(AbstractTool):
                def do_execute(self, query: str) -> str:
                    return query

            return Work

        expected = resolve_tools([declared(decorators, function())])[0].policies
        assert expected.retry == Retry(max_attempts=2)
        assert expected.rate_limit == RateLimit(requests=5)
        assert expected.timeout_s == 15
        assert expected.security is not None
        assert expected.security.audit is AuditLevel.FULL
        for order in (decorators, decorators[::-1], [*decorators[3:], *decorators[:3]]):
            assert resolve_tools([declared(order, function())])[0].policies == expected
            assert resolve_tools([declared(order, class_tool())])[0].policies == expected
        for order in (decorators[:1] + decorators[2:], decorators[:0:-1] + decorators[:1]):
            made = resolve_tools([kit(order)])[0]
            assert made.policies.cache == expected.cache
            assert made.spec.category == "x"

    def test_a_toolkits_policies_hold_for_its_tools_unless_they_say_otherwise(self) -> None:
        @cached(ttl_s=1)
        @toolkit("Kit")
        class Kit:
            @tool
            def plain(self) -> str:
                return "x"

            @tool
            @cached(ttl_s=7)
            def own(self) -> str:
                return "x"

        plain, own = (made.policies.cache for made in resolve_tools([Kit]))
        assert plain is not None
        assert own is not None
        assert (plain.ttl_s, own.ttl_s) == (1, 7)

    def test_declarations_survive_wrapping_decorators_on_either_side(self, executor_of: ExecutorOf) -> None:
        def logged(function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def inner(*args: Any, **kwargs: Any) -> Any:
                return function(*args, **kwargs)

            return inner

        @cached(ttl_s=3)
        @tool
        @logged
        def above(x: int) -> int:
            return x

        @logged
        @tool
        @cached(ttl_s=3)
        def below(x: int) -> int:
            return x

        tools = resolve_tools([above, below])
        assert [made.policies.cache is not None for made in tools] == [True, True]
        assert executor_of(*tools).run("above", {"x": 4}).result == 4

    @pytest.mark.parametrize(
        ("decorate", "message"),
        [
            (lambda: retry(max_attempts=0), r"@retry\(max_attempts=0\)"),
            (lambda: retry(retry_on_response=("(",)), "retry_on_response"),
            (rate_limit, "rate_limit needs requests"),
            (lambda: rate_limit(burst_size=3, timeout_s=0), "timeout_s is the period"),
            (lambda: cached(ttl_s=0), r"@cached\(ttl_s=0\)"),
            (lambda: contract(pre="1 +"), "'1 \\+' is not an expression"),
            (lambda: contract(post=greet_later), "'greet_later' is asynchronous"),
            (lambda: resilience(timeout_s=-1), "timeout_s"),
            (lambda: tool(timeout_s=0)(greet), "timeout_s"),
        ],
    )
    def test_a_wrong_policy_is_refused_where_it_stands(self, decorate: Callable[[], Any], message: str) -> None:
        with pytest.raises(DeclarationError, match=message):
            decorate()

    @pytest.mark.reference("A8")
    def test_a_tool_that_is_not_idempotent_refuses_retries_unless_it_insists(self) -> None:
        @tool(idempotent=False)
        @retry()
        def pay() -> None: ...

        @tool(idempotent=False)
        @retry(even_if_not_idempotent=True)
        def insist() -> None: ...

        with pytest.raises(DeclarationError, match="'pay' is not idempotent"):
            resolve_tools([pay])
        assert resolve_tools([insist])[0].policies.retry is not None

    def test_masked_fields_must_be_arguments_and_are_known_by_both_names(self) -> None:
        @tool
        @security(mask_fields=["apiKey"])
        def log_in(key: Annotated[str, Param(name="apiKey")]) -> None: ...

        @tool
        @security(mask_fields=["pasword"])
        def misspelt(password: str) -> None: ...

        declared = resolve_tools([log_in])[0].policies.security
        assert declared is not None
        assert declared.mask_fields == ("apiKey", "key")
        with pytest.raises(
            DeclarationError, match="mask_fields names 'pasword', which is no argument; there are password"
        ):
            resolve_tools([misspelt])


class TestMarks:
    @pytest.mark.parametrize(
        "annotation",
        [
            Annotated[Path, PathRole(writes=True)],
            Annotated[Path, PathRole(writes=True)] | None,
            list[Annotated[Path, PathRole(writes=True)]],
            dict[str, Annotated[Path, PathRole(writes=True)] | None],
            Annotated[list[Annotated[Path, PathRole(writes=True)]], Param("Where")],
        ],
    )
    def test_a_path_mark_is_found_however_deep_it_stands(self, annotation: Any) -> None:
        made = make_tool("work", "Work.", lambda where: None, [Parameter("where", "where", annotation)])
        assert made.path_roles == (("where", PathRole(writes=True)),)

    def test_a_path_without_the_mark_is_only_a_value(self) -> None:
        assert make_tool("work", "Work.", lambda where: None, [Parameter("where", "where", Path)]).path_roles == ()


class TestClassTools:
    @pytest.mark.reference("A17", "A18")
    @pytest.mark.parametrize("kind", ["mapping", "text"])
    def test_a_hand_written_schema_hands_over_all_arguments(self, executor_of: ExecutorOf, kind: str) -> None:
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {"pattern": {"type": "string"}, "directory": {"type": "string"}},
            "required": ["pattern"],
        }

        class ByMapping(AbstractTool):
            name = "file_search"

            def build_schema(self) -> Mapping[str, Any]:
                return schema

            def do_execute(self, params: Mapping[str, Any]) -> str:
                return f"{params['pattern']} in {params.get('directory', '.')}"

        class ByText(ByMapping):
            def do_execute(self, query: str) -> str:  # type: ignore[override]
                return super().do_execute(self.parse_json(query))

        executor = executor_of(ByMapping if kind == "mapping" else ByText)
        assert executor.run("file_search", {"pattern": "*.py"}).text == "*.py in ."
        assert executor.run("file_search", {"pattern": "*.py", "directory": "src"}).text == "*.py in src"
        assert executor.run("file_search", {"directory": "src"}).status is CallStatus.REJECTED

    def test_a_hand_written_schema_wants_one_parameter(self) -> None:
        class Two(AbstractTool):
            def build_schema(self) -> Mapping[str, Any]:
                return {"type": "object"}

            def do_execute(self, one: str, two: str) -> str:
                return one + two

        with pytest.raises(DeclarationError, match="do_execute takes one parameter"):
            resolve_tools([Two])

    def test_masked_fields_of_a_hand_written_schema_are_its_own(self, executor_of: ExecutorOf) -> None:
        @security(mask_fields=["token"])
        class Send(AbstractTool):
            def build_schema(self) -> Mapping[str, Any]:
                return {"type": "object", "properties": {"token": {"type": "string"}}}

            async def do_execute(self, params: Mapping[str, Any]) -> str:
                await asyncio.sleep(0)
                return str(len(params["token"]))

        executor = executor_of(Send)
        call = executor.create_call("send", {"token": "s3cret"})
        assert run(executor.execute(call)).text == "6"
        assert "s3cret" not in str(call.display_arguments())

    def test_a_class_that_overrides_nothing_is_no_tool(self) -> None:
        class Idle(AbstractTool):
            """Do nothing."""

        with pytest.raises(DeclarationError, match="Idle: override do_execute"):
            resolve_tools([Idle])
        with pytest.raises(ToolFailure, match="Idle does not override do_execute"):
            Idle().do_execute("x")

    @pytest.mark.reference("D22", "D23")
    def test_a_class_tool_asks_through_its_context(self, executor_of: ExecutorOf) -> None:
        class Careful(AbstractTool):
            """Ask first."""

            def do_execute(self, query: str) -> str:
                return str(type(self.request_approval(f"May I {query}?").wait()).__name__)

        reviewer = Answers()
        assert executor_of(Careful, review_handler=reviewer).run("careful", {"query": "dance"}).text == "Continue"
        assert [request.description for request in reviewer.requests] == ["May I dance?"]
        with pytest.raises(Exception, match="only while an Executor runs it"):
            Careful().do_execute("dance")


class TestPrompts:
    @pytest.mark.reference("C24", "C25", "C26")
    def test_a_prompt_has_a_name_a_role_parameters_and_a_text(self) -> None:
        @prompt(name="summary", role="user", description="Ask for a summary.")
        def summarize(topic: str, words: int = 50) -> str:
            return f"Summarize {topic} in {words} words."

        (made,) = bundle_of(summarize).prompts
        assert (made.name, made.role, made.description) == ("summary", Role.USER, "Ask for a summary.")
        assert made.render({"topic": "cats", "words": "7"}) == "Summarize cats in 7 words."
        assert made.arguments.input_schema["required"] == ["topic"]
        (other,) = bundle_of(Weather()).prompts
        assert (other.name, other.role, other.toolkit) == ("small_talk", Role.ASSISTANT, "Weather")
        assert other.description == "Talk about the weather."
        assert other.render() == "Say something cheerful about Bern's weather."

    def test_a_prompt_cannot_be_injected(self) -> None:
        @prompt
        def ask(ctx: ToolContext) -> str:
            return ctx.caller

        with pytest.raises(DeclarationError, match="remove 'ctx'"):
            bundle_of(ask)

    def test_a_badly_spelled_prompt_is_refused(self) -> None:
        with pytest.raises(DeclarationError, match="a prompt's name"):
            bundle_of(prompt(name="two words")(lambda: ""))

    @pytest.mark.reference("C4")
    def test_a_bundle_brings_tools_then_prompts_into_a_registry(self) -> None:
        bundle = bundle_of(Weather())
        registry = ToolRegistry()
        undo = registry.register_all(bundle.tools, bundle.prompts)
        assert [made.name for made in registry] == ["forecast", "look_outside", "units"]
        assert [made.name for made in registry.prompts] == ["small_talk"]
        undo()
        assert (len(registry), registry.prompts) == (0, ())


class TestResolving:
    @pytest.mark.reference("D9", "D18")
    def test_all_kinds_go_into_one_list_in_order(self) -> None:
        tools = resolve_tools([greet, ShoutingAgent(), Weather, MyTool(), make_tool("extra", "More.", lambda: 1)])
        assert [made.name for made in tools] == [
            "greet", "shout", "forecast", "look_outside", "units", "my_tool", "extra",
        ]  # fmt: skip

    @pytest.mark.reference("D20")
    def test_no_tools_at_all_is_fine(self) -> None:
        assert resolve_tools([]) == []

    @pytest.mark.reference("D16")
    @pytest.mark.parametrize("target", [42, "text", object(), print, [greet]])
    def test_what_is_no_tool_is_refused_with_its_type(self, target: object) -> None:
        with pytest.raises(DeclarationError, match=type(target).__name__):
            resolve_tools([target])

    @pytest.mark.reference("D17")
    def test_one_name_twice_is_refused_whatever_the_kinds(self) -> None:
        class Agent:
            name = "greet"
            description = "Greet."

            def execute(self, words: str, /) -> str:
                return words

        with pytest.raises(DuplicateToolError, match="duplicate tool name 'greet'") as caught:
            resolve_tools([greet, Agent()])
        assert (caught.value.name, caught.value.first) == ("greet", f"{__name__}.greet")
        assert caught.value.second.endswith("Agent")

    @pytest.mark.reference("D19")
    def test_whether_an_object_has_marked_methods_can_be_told(self) -> None:
        assert has_tools(Weather())
        assert has_tools(Weather)
        assert not has_tools(ShoutingAgent())
        assert not has_tools("text")

    @pytest.mark.reference("C5")
    def test_a_bundle_may_be_made_for_some_applications_only(self) -> None:
        class App: ...

        class SpecialApp(App): ...

        class Other: ...

        @supported_for(SpecialApp, Other)
        class Kit: ...

        assert supports(Kit(), SpecialApp)
        assert supports(Kit, Other)
        assert not supports(Kit, App)
        assert not supports(Kit, None)
        assert supports(greet, None)
        assert supports(greet, App)
        supported_for(App)(Kit)
        assert supports(Kit, SpecialApp)

    def test_tools_are_listed_under_the_source_they_are_given(self) -> None:
        source = ToolSource(SourceKind.PLUGIN, "mine")
        assert {made.source for made in resolve_tools([greet, Weather, MyTool, ShoutingAgent()], source=source)} == {
            source
        }


@pytest.mark.reference("C45")
def test_a_tool_written_by_the_book_is_short_clear_and_careful(executor_of: ExecutorOf, tmp_path: Path) -> None:
    @tool(read_only=True)
    def head(
        path: Annotated[Path, Param("The text file"), PathRole()],
        lines: Annotated[int, Param("How many lines")] = 2,
        *,
        project_dir: Path,
    ) -> list[str]:
        """Show the first lines of a text file."""
        assert path.is_relative_to(project_dir)
        return path.read_text().splitlines()[:lines]

    (tmp_path / "a.txt").write_text("1\n2\n3\n")
    executor = executor_of(head, review_handler=Answers())
    assert run(execute(executor, "head", {"path": "a.txt"})).result == ["1", "2"]
    assert "project_dir" not in str(executor.registry.get("head").input_schema)


def test_an_executor_takes_tools_from_a_registry_only() -> None:
    executor = Executor(ToolRegistry(resolve_tools([greet])))
    try:
        assert executor.registry.get("greet").name == "greet"
    finally:
        executor.close()
