"""`ToolPipeline`: several tools one after the other, as one tool that a model calls once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import JsonValue
from pydantic_core import to_json

from tools.card import PROGRAM, ToolSource
from tools.declare.abstract import ToolMaker
from tools.declare.build import AGENT_INPUT, CONTEXT_KEY, bundle_of, make_tool
from tools.errors import DeclarationError
from tools.masking import RESULT
from tools.spec import Isolation, PipelineErrorStrategy, Policies, Security
from tools.tool import Injected, Injection, Tool, ToolResult

if TYPE_CHECKING:
    from tools.card import ToolCard
    from tools.context import ToolContext

_FIRST: Final = re.compile(r"([A-Za-z_]\w*)(?:$|[.\[ |])")

Adapter = Callable[[ToolResult], Any]
"""Makes the input of the next step from the result of one: a text, or an object with arguments."""


@dataclass(frozen=True)
class PipelineStep:
    """One tool of a pipeline.

    Attributes:
        arguments: Arguments that are always the same.
        adapter: Makes the next step's input when this one succeeded: a function, or a JMESPath expression over
            `{"output": text, "result": value}`; None hands on the value, or the text where there is none.
        takes: Arguments that are looked up when the step begins, by name: JMESPath expressions over `{"given": the
            pipeline's arguments, "step1": {"output": text, "result": value}, "step2": …}`. The step gets
            these and its `arguments` only, of an empty mapping none; an expression that finds nothing leaves its
            argument out. None takes what the step before hands on.
    """

    tool: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)
    adapter: str | Adapter | None = None
    takes: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        """Check the expressions.

        Raises:
            DeclarationError: One is no JMESPath expression.
        """
        expressions = {f"argument {name!r}": text for name, text in (self.takes or {}).items()}
        if isinstance(self.adapter, str):
            expressions["adapter"] = self.adapter
        if not expressions:
            return
        import jmespath  # noqa: PLC0415 -- few programs have pipelines
        from jmespath.exceptions import JMESPathError  # noqa: PLC0415 -- as above

        for what, text in expressions.items():
            try:
                jmespath.compile(text)
            except JMESPathError as error:
                msg = f"the {what} of step {self.tool!r} is no JMESPath expression: {error}"
                raise DeclarationError(msg) from error


@dataclass(frozen=True, eq=False)
class ToolPipeline(ToolMaker):
    """Run tools one after the other inside one call; the result of each is the input of the next.

    Each step is a call of its own, with its own rules, questions, limits and record; so the tools have to be registered
    as well. The input of a step goes to the arguments that an object names, else to the one that the tool requires;
    a step that `takes` its arguments looks them up among the pipeline's own and the results of all steps before it.

    ```python
    first_words = ToolPipeline.of(read_file, PipelineStep("truncate_text", {"max_chars": 80}))
    registry.register(resolve_tools([first_words])[0])
    ```

    Attributes:
        steps: The tools, in order; without any, the input comes back as it is.
        name: The unique name callers use; empty is made of the steps' names.
        description: What it does; empty is made of the steps' names.
        error_strategy: What follows when a step does not succeed.
        input_schema: The JSON Schema of its arguments; None takes what the first step takes.
        policies: What surrounds each call of the whole; those of the steps hold as well.
        card: Further fields of `ToolSpec`.

    Source: seed 3, "Tool Pipeline".
    """

    steps: tuple[PipelineStep, ...] = ()
    name: str = ""
    description: str = ""
    error_strategy: PipelineErrorStrategy = PipelineErrorStrategy.FAIL_FAST
    input_schema: Mapping[str, JsonValue] | None = None
    policies: Policies = field(default_factory=Policies)
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        *steps: object,
        name: str = "",
        description: str = "",
        error_strategy: PipelineErrorStrategy | str = PipelineErrorStrategy.FAIL_FAST,
        input_schema: Mapping[str, JsonValue] | None = None,
        policies: Policies | None = None,
        **card: Any,
    ) -> ToolPipeline:
        """Make a pipeline.

        Args:
            *steps: Tools, declared functions, other pipelines, `PipelineStep`s or names of tools.
            name: The unique name callers use; empty is `first_then_second`.
            description: What it does; empty is `Pipeline: first -> second`.
            error_strategy: What follows when a step does not succeed.
            input_schema: The JSON Schema of its arguments; None takes what the first step takes, which a mere name does
                not tell: any object then.
            policies: What surrounds each call of the whole. Without a `security` of its own it hides what its steps
                hide; when a step is only named, which does not tell, all of it stays out of history and logs.
            **card: Further fields of `ToolSpec`.

        Raises:
            DeclarationError: When a step is no tool, or the strategy is unknown.
        """
        told = [_told_step(number, step) for number, step in enumerate(steps, 1)]
        names = [step.tool for step, _ in told]
        tools = [tool for _, tool in told]
        for number, (step, _) in enumerate(told, 1):
            _refuse_later_results(number, step)
        if input_schema is None and tools and tools[0] is not None:
            input_schema = _without(tools[0].input_schema, told[0][0].arguments)
        known = [tool for tool in tools if tool is not None]
        if len(known) == len(tools):
            # Whether it destroys is asked about by the steps themselves, so it is not asked about twice.
            card.setdefault("read_only_hint", all(tool.spec.read_only_hint is True for tool in known))
            card.setdefault("open_world_hint", any(tool.hints.reaches_out for tool in known))
            card.setdefault("idempotent", all(tool.spec.idempotent for tool in known))
        policies = policies or Policies()
        if policies.security is None:
            policies = policies.merged(Policies(security=_hiding(tools)))
        try:
            strategy = PipelineErrorStrategy(error_strategy)
        except ValueError as error:
            known_words = " or ".join(repr(item.value) for item in PipelineErrorStrategy)
            msg = f"a pipeline's error strategy is {known_words}, not {error_strategy!r}"
            raise DeclarationError(msg) from error
        return cls(
            tuple(step for step, _ in told),
            name or "_then_".join(names) or "pipeline",
            description or (f"Pipeline: {' -> '.join(names)}" if names else "Give the input back."),
            strategy,
            input_schema,
            policies,
            card,
        )

    def as_tool(self, *, source: ToolSource = PROGRAM) -> Tool:
        """Return it as a tool.

        Raises:
            DeclarationError: When its name, schema or card is wrong.
        """
        params: Any = (AGENT_INPUT,) if not self.steps else self.input_schema or {"type": "object"}
        card = {"category": "pipelines", "isolation": Isolation.INLINE, **self.card}
        made = make_tool(self.name, self.description, self, params, source=source, **card)
        return replace(
            made,
            is_async=True,
            policies=self.policies,
            injected=(Injected(CONTEXT_KEY, Injection.CONTEXT),),
            owner=f"ToolPipeline({self.name!r})",
        )

    async def __call__(self, **given: Any) -> ToolResult:
        """Run the steps, and return what the last one returned."""
        context: ToolContext = given.pop(CONTEXT_KEY)
        if not self.steps:
            return ToolResult.ok(given[AGENT_INPUT.python_name])
        handed: Any = given
        known: dict[str, Any] = {"given": given}
        result = ToolResult.ok()
        for number, step in enumerate(self.steps, 1):
            context.progress(number - 1, len(self.steps), step.tool)
            began = perf_counter()
            where = f"step {number} of {len(self.steps)}, {step.tool}"
            problem = ""
            arguments: Mapping[str, Any] = {}
            if step.takes is not None:
                arguments, problem = _taken(step, known)
            elif number == 1:
                arguments = {**handed, **step.arguments}
            else:
                arguments, problem = _arguments(step, handed, context.find_tool(step.tool))
            result = ToolResult.failure(problem) if problem else await context.run_tool(step.tool, arguments)
            took = f"{(perf_counter() - began) * 1000:.0f} ms"
            if result.success:
                context.log("info", f"{where}: done in {took}")
            else:
                context.log("warning", f"{where}: did not succeed after {took}: {result.error}")
                if self.error_strategy is PipelineErrorStrategy.FAIL_FAST:
                    return replace(result, error=f"{where}: {result.error}")
            said = result.output if result.success else result.error or ""
            known[f"step{number}"] = {"output": said, "result": result.structured if result.success else said}
            if number < len(self.steps):
                try:
                    handed = _adapted(step, result)
                except Exception as error:  # noqa: BLE001 -- an adapter is foreign code
                    return ToolResult.failure(f"{where}: its adapter failed: {type(error).__name__}: {error}")
        context.progress(len(self.steps), len(self.steps))
        return result


def _told_step(number: int, step: object) -> tuple[PipelineStep, Tool | None]:
    if isinstance(step, PipelineStep):
        return step, None
    if isinstance(step, str):
        if not step.strip():
            raise DeclarationError(f"step {number} of a pipeline has no name")
        return PipelineStep(step), None
    if step is None:
        raise DeclarationError(f"step {number} of a pipeline is None; give it a tool or its name")
    tools = bundle_of(step).tools
    if len(tools) != 1:
        raise DeclarationError(f"step {number} of a pipeline is one tool, not {len(tools)}; name the one that is meant")
    return PipelineStep(tools[0].name), tools[0]


def _hiding(tools: Sequence[Tool | None]) -> Security:
    """Return what hides in a pipeline's own record what its steps hide in theirs; a mere name does not tell."""
    sensitive = any(tool is None or tool.sensitive for tool in tools)
    securities = [tool.security for tool in tools if tool is not None]
    hidden: dict[str, None] = {}
    for place, of_result in ((0, False), (-1, True)):
        tool = tools[place] if tools else None
        if tool is not None and tool.security is not None:
            fields = tool.security.mask_fields
            hidden.update(dict.fromkeys(path for path in fields if path.startswith(RESULT) is of_result))
    # What must not be kept at all is not kept encrypted either.
    encrypt = not sensitive and any(security is not None and security.encrypt for security in securities)
    return Security(sensitive=sensitive, mask_fields=tuple(hidden), encrypt=encrypt)


def _refuse_later_results(number: int, step: PipelineStep) -> None:
    """Refuse an expression that begins with what is not there when the step begins.

    Raises:
        DeclarationError: It begins with a later step, the step itself, or with something else altogether.
    """
    known = ["given", *(f"step{earlier}" for earlier in range(1, number))]
    for argument, expression in (step.takes or {}).items():
        first = _FIRST.match(expression.strip())
        if first is not None and first[1] not in known:
            msg = (
                f"step {number} of a pipeline, {step.tool}, takes its {argument!r} from {expression!r}; what there is"
                f" when it begins: {', '.join(known)}"
            )
            raise DeclarationError(msg)


def _without(schema: Mapping[str, Any], given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    left = dict(schema)
    left["properties"] = {name: node for name, node in schema.get("properties", {}).items() if name not in given}
    left["required"] = [name for name in schema.get("required", ()) if name not in given]
    return left


def _taken(step: PipelineStep, known: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the arguments that a step looks up, and why there are none."""
    import jmespath  # noqa: PLC0415 -- as above
    from jmespath.exceptions import JMESPathError  # noqa: PLC0415 -- as above

    found = {}
    for name, expression in (step.takes or {}).items():
        try:
            value = jmespath.search(expression, known)
        except (JMESPathError, TypeError) as error:
            # The library's words quote the value, which may be hidden.
            return {}, f"its argument {name!r} cannot be worked out from {expression!r}: {type(error).__name__}"
        if value is not None:
            found[name] = value
    return {**found, **step.arguments}, ""


def _adapted(step: PipelineStep, result: ToolResult) -> Any:
    """Return what a step hands on: nothing becomes the empty text."""
    if not result.success:
        return result.error or ""
    value = result.output if result.structured is None else result.structured
    if isinstance(step.adapter, str):
        import jmespath  # noqa: PLC0415 -- as above

        value = jmespath.search(step.adapter, {"output": result.output, "result": result.structured})
    elif step.adapter is not None:
        value = step.adapter(result)
    elif isinstance(value, (list, Mapping)):
        return _Handed(value, result.output)
    return "" if value is None else value


class _Handed(NamedTuple):
    """A value beside the text that says the same, for a step that takes text."""

    value: Any
    text: str


def _arguments(step: PipelineStep, handed: Any, card: ToolCard | None) -> tuple[dict[str, Any], str]:
    """Return the arguments of a step, and why there are none."""
    value, text = handed if isinstance(handed, _Handed) else (handed, None)
    if card is None:  # the call says that there is no such tool
        return dict(step.arguments), ""
    properties: Any = card.input_schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    if isinstance(value, Mapping) and value and set(value) <= properties.keys():
        return {**value, **step.arguments}, ""
    required: Any = card.input_schema.get("required")
    free = [name for name in properties if name not in step.arguments]
    needed = [name for name in free if isinstance(required, list) and name in required]
    one = needed if len(needed) == 1 else free if len(free) == 1 else ()
    if not one:
        takes = ", ".join(free) or "nothing"
        return {}, f"it takes {takes}, and the step before says for none of them what it is; give that one an adapter"
    name = one[0]
    if not isinstance(value, str) and _takes_text_only(properties[name]):
        value = text if text is not None else to_json(value).decode()
    return {name: value, **step.arguments}, ""


def _takes_text_only(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "string"
