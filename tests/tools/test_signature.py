from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from pydantic import Field

from tests.tools.running import execute, run
from tools import (
    CallStatus,
    Configurator,
    DeclarationError,
    Param,
    ProjectDir,
    ToolConfigurationError,
    ToolContext,
    ToolResult,
    make_tool,
    resolve_tools,
    tool,
)
from tools.declare.signature import read_docs, read_signature
from tools.spec import MISSING
from tools.tool import Injection

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


class Database:
    """An app object: it has no JSON form, so the program gives it."""

    def __init__(self, name: str) -> None:
        self.name = name


def google(text: str, limit: int = 3) -> None:
    """Look for something.

    It looks everywhere.

    Args:
        text: What to look for.
        limit: How many
            at most.
    """


def numpy(text: str, limit: int = 3) -> None:
    """Look for something.

    It looks everywhere.

    Parameters
    ----------
    text : str
        What to look for.
    limit : int
        How many
        at most.
    """


def rest(text: str, limit: int = 3) -> None:
    """Look for something.

    It looks everywhere.

    :param text: What to look for.
    :param limit: How many
        at most.
    """


class TestDocumentation:
    @pytest.mark.reference("C13", "D2")
    @pytest.mark.parametrize("function", [google, numpy, rest])
    def test_each_style_gives_a_description_and_words_for_the_parameters(self, function: Any) -> None:
        docs = read_docs(function)
        assert docs.description == "Look for something.\n\nIt looks everywhere."
        assert docs.parameters["text"] == "What to look for."
        assert docs.parameters["limit"].split() == ["How", "many", "at", "most."]

    def test_plain_text_is_all_description(self) -> None:
        def plain() -> None:
            """Look: for something.

            Note: it looks everywhere.
            """

        assert read_docs(plain).description == "Look: for something.\n\nNote: it looks everywhere."

    def test_words_of_param_come_before_field_before_docstring(self) -> None:
        def work(
            a: Annotated[int, Param("from Param"), Field(description="from Field")],
            b: Annotated[int, Field(description="from Field")],
            c: int,
            d: int,
        ) -> None:
            """Work.

            Args:
                a: from docs
                b: from docs
                c: from docs
            """

        described = [item.description for item in read_signature(work, owner="work").parameters]
        assert described == ["from Param", "from Field", "from docs", "D"]

    @pytest.mark.reference("E3")
    def test_a_bare_parameter_is_required_and_described_by_its_name(self) -> None:
        made = make_tool("work", "Work.", lambda amount: amount)
        assert made.input_schema["required"] == ["amount"]
        assert made.input_schema["properties"]["amount"]["description"] == "Amount"  # type: ignore[index, call-overload]

        def spelled(max_age_s: int, *, _dry: bool = False) -> None: ...

        parameters = read_signature(spelled, owner="spelled").parameters
        assert [parameter.description for parameter in parameters] == ["Max age s", "Dry"]


class TestParameters:
    @pytest.mark.reference("C12", "C14", "C16", "C17")
    def test_names_defaults_and_factories_are_read(self) -> None:
        def work(
            a: str,
            b: Annotated[int, Param(name="bee", unit="s")] = 4,
            *,
            c: Annotated[list[int], Field(default_factory=list)],
            d: Annotated[str, Param(default="${a}!")] = "",
        ) -> None: ...

        a, b, c, d = read_signature(work, owner="work").parameters
        assert (a.required, a.default) == (True, MISSING)
        assert (b.name, b.python_name, b.default, b.unit) == ("bee", "b", 4, "s")
        assert (c.required, c.default_factory) == (False, list)
        assert d.default == "${a}!"

    @pytest.mark.parametrize(
        ("function", "shown"),
        [(lambda *args: 0, r"\*args"), (lambda **kwargs: 0, r"\*\*kwargs"), (lambda a, /: 0, "a")],
    )
    def test_what_cannot_be_given_by_name_is_refused(self, function: Any, shown: str) -> None:
        with pytest.raises(DeclarationError, match=f"work: parameter {shown} cannot be given by name"):
            read_signature(function, owner="work")

    def test_a_field_as_default_is_refused_with_the_repair(self) -> None:
        def work(a: int = Field(3, ge=1)) -> None: ...

        with pytest.raises(DeclarationError, match=r"put Field\(...\) of parameter 'a' inside Annotated"):
            read_signature(work, owner="work")

    def test_hints_that_cannot_be_read_are_refused_with_the_repair(self) -> None:
        def work(a: Nowhere) -> None:  # type: ignore[name-defined]  # noqa: F821 -- that is the point
            ...

        with pytest.raises(DeclarationError, match="import the names they use at module level"):
            read_signature(work, owner="work")


@tool
def everything(
    word: str,
    *,
    ctx: ToolContext,
    config: Configurator,
    project_dir: Path,
    folder: Annotated[Path, ProjectDir()],
    base: Database,
    spare: Database | None = None,
) -> str:
    """Use everything."""
    return f"{word} {ctx.caller} {config['greeting']} {project_dir == folder} {base.name} {spare and spare.name}"


@tool
def folder_as_text(project_dir: str) -> str:
    """Say where."""
    return project_dir


@tool
def optional_object(base: Database | None = None) -> str:
    """Do without."""
    return "without" if base is None else base.name


class TestInjection:
    @pytest.mark.reference("C7", "C21", "C22", "C23", "D23")
    def test_what_the_program_gives_is_injected_by_type_and_hidden(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        (made,) = resolve_tools([everything])
        assert list(made.input_schema["properties"]) == ["word"]  # type: ignore[arg-type]
        assert [item.kind for item in made.injected] == [
            Injection.CONTEXT,
            Injection.CONFIG,
            Injection.PROJECT_DIR,
            Injection.PROJECT_DIR,
            Injection.OBJECT,
            Injection.OBJECT,
        ]
        executor = executor_of(everything, config=Configurator({"greeting": "hi"}), app_objects=[Database("main")])
        response = run(execute(executor, "everything", {"word": "x"}, caller="agent:a"))
        assert response.text == "x agent:a hi True main main"

    @pytest.mark.reference("C21")
    def test_the_project_folder_comes_as_the_type_that_is_wanted(self, executor_of: ExecutorOf, tmp_path: Path) -> None:
        assert executor_of(folder_as_text).run("folder_as_text", {}).result == str(tmp_path)

    @pytest.mark.reference("C21")
    @pytest.mark.parametrize("given", [{"project_dir": "/etc"}, '{"project_dir": "/etc"}'])
    def test_a_project_folder_from_the_caller_is_refused_not_obeyed(
        self, executor_of: ExecutorOf, given: dict[str, str] | str
    ) -> None:
        response = executor_of(folder_as_text).run("folder_as_text", given)
        assert response.status is CallStatus.REJECTED
        assert "project_dir" in response.text

    @pytest.mark.reference("C22", "D31")
    def test_a_missing_app_object_reaches_the_caller_by_name(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(everything)
        call = executor.create_call("everything", {"word": "x"})
        with pytest.raises(ToolConfigurationError, match="needs an object of type Database for its parameter 'base'"):
            run(executor.execute(call))
        assert call.response.status is CallStatus.FAILED

    def test_an_optional_app_object_may_be_missing(self, executor_of: ExecutorOf) -> None:
        assert executor_of(optional_object).run("optional_object", {}).text == "without"
        found = executor_of(optional_object, app_objects=["text", Database("main")]).run("optional_object", {})
        assert found.text == "main"

    def test_a_parameter_with_param_is_the_callers_whatever_its_type(self) -> None:
        class Odd: ...

        def work(ctx: Annotated[str, Param("Words")]) -> None: ...

        assert [item.name for item in read_signature(work, owner="work").parameters] == ["ctx"]


class TestPlaceholders:
    @pytest.mark.reference("C29", "C31")
    def test_defaults_take_earlier_arguments(self, executor_of: ExecutorOf) -> None:
        def work(
            name: str,
            greeting: Annotated[str, Param(default="Hello ${name}")],
            other: Annotated[str, Param(default="${nobody} ${nobody:-friend} $${name}")],
        ) -> list[str]:
            return [greeting, other]

        executor = executor_of(make_tool("work", "Work.", work))
        assert executor.run("work", {"name": "Mira"}).result == ["Hello Mira", "${nobody} friend ${name}"]
        assert executor.run("work", {"name": "Mira", "greeting": "Hi"}).result[0] == "Hi"

    @pytest.mark.reference("C30")
    def test_text_results_take_arguments_and_other_results_stay(self, executor_of: ExecutorOf) -> None:
        def text(name: str, more: int = 3) -> str:
            return "Hello ${name} ${more} ${nobody} $${name}"

        def listed(name: str) -> list[str]:
            return ["${name}"]

        executor = executor_of(make_tool("text", "Greet.", text), make_tool("listed", "Greet.", listed))
        response = executor.run("text", {"name": "Mira"})
        assert (response.text, response.json_result) == ("Hello Mira 3 ${nobody} ${name}",) * 2
        assert executor.run("listed", {"name": "Mira"}).json_result == ["${name}"]

    @pytest.mark.reference("C30")
    def test_the_output_of_a_tool_result_is_given_out_as_it_is(self, executor_of: ExecutorOf) -> None:
        def script(name: str) -> ToolResult:
            return ToolResult.ok("echo ${name} ${HOME:-/root}")

        executor = executor_of(make_tool("script", "Show a script.", script))
        assert executor.run("script", {"name": "Mira"}).text == "echo ${name} ${HOME:-/root}"


@pytest.mark.reference("C20")
def test_an_empty_text_stays_empty_and_an_object_an_object(executor_of: ExecutorOf) -> None:
    def work(text: str, thing: dict[str, Any]) -> list[Any]:
        return [text, thing]

    executor = executor_of(make_tool("work", "Work.", work))
    assert executor.run("work", '{"text": "", "thing": {"a": [1]}}').result == ["", {"a": [1]}]


@pytest.mark.reference("C41", "C42")
def test_a_schema_is_an_object_that_no_provider_forces_into_strictness() -> None:
    made = make_tool("work", "Work.", google)
    assert made.input_schema["type"] == "object"
    assert made.input_schema["required"] == ["text"]
    assert "strict" not in made.input_schema
