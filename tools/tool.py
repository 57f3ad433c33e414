"""`Tool`: the one abstraction behind a function, a method, a class, a program or a remote tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, Self

from tools import schema
from tools.card import PROGRAM, PromptCard, ToolCard, ToolFacts, ToolSource, policy_card
from tools.errors import ToolConfigurationError, ToolFailure
from tools.spec import Concern, DryRun, Isolation, PathRole, Policies, Role, ShellCommand, ToolSpec

if TYPE_CHECKING:
    from pydantic import JsonValue

ConcernsOf = Callable[[Mapping[str, Any], Path], Iterable[Concern]]
"""Names what a person should know before a call: (converted arguments, project folder) -> reasons to ask."""

DryRunOf = Callable[[Mapping[str, Any], Path], DryRun | None]
"""Says what a call would do, and does nothing: (converted arguments, project folder) -> that, or None if it cannot."""


class PluginFile(NamedTuple):
    """A plugin file as it was when it was loaded: what a worker process runs, whatever the disk says by then.

    Attributes:
        number: Counts loads, so that one that was loaded again is not taken for the former.
        isolation: Where those of its tools run that do not say.
    """

    path: Path
    text: bytes
    number: int
    isolation: Isolation = Isolation.PROCESS


class RemoteFunction:
    """Stand for a function of a plugin file that this process never imports: it exists in worker processes only.

    Args:
        name: What the function belongs to, for messages.

    Attributes:
        beside: What stands beside it and may answer in its place, as tools of their own, by name.
    """

    def __init__(self, plugin: PluginFile, name: str, parameters: Iterable[str] = ()) -> None:
        self.plugin = plugin
        self.beside: dict[str, Tool] = {}
        self.__name__ = name
        self.__signature__ = Signature([Parameter(item, Parameter.KEYWORD_ONLY) for item in parameters])

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Refuse.

        Raises:
            ToolConfigurationError: Always; the message says what to do.
        """
        msg = (
            f"{self.__name__!r} of {self.plugin.path.name} can be called in worker processes only, which an Executor"
            f" does; to call it here, load the file with isolation={Isolation.THREAD.value!r}"
        )
        raise ToolConfigurationError(msg)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool may return to say more than a plain value does.

    The output is given out as it is, whereas `${argument}` is replaced in a text that is returned plainly.

    Attributes:
        output: The text for the caller.
        error: What went wrong; None on success.
        structured: A value beside the text, for programs; None when there is none.
        written: All of it as a server wrote it, for whoever hands it on; None when no server did.
    """

    success: bool
    output: str = ""
    error: str | None = None
    structured: Any = None
    written: Mapping[str, Any] | None = None

    @classmethod
    def ok(cls, output: str | None = None, structured: Any = None) -> Self:
        """Return a success; no output is the empty text."""
        return cls(success=True, output=output or "", structured=structured)

    @classmethod
    def failure(cls, message: str | None = None) -> Self:
        return cls(success=False, error=message or "The tool failed and gave no reason.")


@dataclass(frozen=True, eq=False)
class Probe:
    """Say how to find out whether a tool works: by a harmless call of itself, or by a function of its own.

    A function fails by raising, by returning False, or as a `ToolResult` does. It takes no arguments but what the
    framework injects.

    Attributes:
        arguments: Of the call of the tool itself; None when a function is called instead.
        function: What is called instead, or a tool made of it; None when the tool itself is called.
        on_request: Whether it is made only when a person asks for it, as it calls a service of others.
    """

    arguments: Mapping[str, Any] | None = None
    function: Callable[..., Any] | Tool | None = None
    on_request: bool = False

    def __post_init__(self) -> None:
        """Refuse what says neither or both.

        Raises:
            ValueError: It does.
        """
        if (self.arguments is None) is (self.function is None):
            raise ValueError("a probe has either arguments for the tool itself, or a function")


class Injection(Enum):
    """What the framework puts into a parameter that no caller sees."""

    CONTEXT = auto()
    CONFIG = auto()
    PROJECT_DIR = auto()
    OBJECT = auto()
    SESSION = auto()


class Injected(NamedTuple):
    """One parameter filled by the framework.

    Attributes:
        python_name: The function's parameter.
        type: The class of an app object; `str` for a project folder wanted as text; None otherwise.
        optional: Whether None will do when no such app object exists.
    """

    python_name: str
    kind: Injection
    type: type | None = None
    optional: bool = False


@dataclass(frozen=True, eq=False)
class Tool(ToolFacts):
    """Be one callable tool: what it says of itself, how its arguments are checked, and what runs.

    Attributes:
        arguments: Checks and converts arguments; nothing may assume a Python signature behind it.
        output: Writes results as JSON.
        function: Takes the converted arguments and the injected values by name; a `RemoteFunction` where only worker
            processes have it.
        is_async: Whether calling `function` gives an awaitable.
        policies: What surrounds each call.
        injected: The parameters the framework fills.
        concerns_of: Names further reasons to ask a person; None when there are none.
        toolkit: The toolkit's title; empty when it stands alone.
        toolkit_description: What the toolkit's tools have in common; empty when it says nothing.
        owner: Who declared it, for messages (`module.qualname`).
        path_roles: Arguments that name files or folders, by Python name; the executor keeps them in the project folder.
        raw_input: The argument that receives text which is no JSON object; None when such text is refused.
        origin: What declares it: a function, a class, an object or a plugin file. A worker process finds it by that.
        probe: How to find out whether it works; None when nobody said.
        dry_run: Says what a call would do; None when it cannot.
        shell_commands: Arguments that are command lines, by the names callers use.
        replaces: What the built-in tool is called now whose name it took; empty when it took none.
        replaced_by: The source of the tool that took its name; empty when it has its own.
        is_loaded: Whether its code is there; what asks for more than its card imports it.
    """

    is_loaded: ClassVar[bool] = True

    spec: ToolSpec
    arguments: schema.Arguments
    output: schema.Output
    function: Callable[..., Any]
    is_async: bool
    policies: Policies = field(default_factory=Policies)
    injected: tuple[Injected, ...] = ()
    concerns_of: ConcernsOf | None = None
    toolkit: str = ""
    toolkit_description: str = ""
    source: ToolSource = PROGRAM
    owner: str = ""
    path_roles: tuple[tuple[str, PathRole], ...] = ()
    raw_input: str | None = None
    origin: object = None
    probe: Probe | None = None
    dry_run: DryRunOf | None = None
    shell_commands: tuple[tuple[str, ShellCommand], ...] = ()
    replaces: str = ""
    replaced_by: str = ""

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        return self.arguments.input_schema

    @property
    def output_schema(self) -> dict[str, JsonValue] | None:
        """The JSON Schema of its result; None when it returns nothing or nobody said."""
        return self.output.output_schema

    @cached_property
    def takes_folder(self) -> bool:
        """Whether the framework gives it the project folder."""
        return any(item.kind is Injection.PROJECT_DIR for item in self.injected)

    @cached_property
    def isolation(self) -> Isolation:
        """Where it runs: as its policies say, else its card, else its plugin file; otherwise in a thread.

        A plugin's tool that receives objects of the program cannot leave the program's process unless it says so.
        """
        said = self.policies.isolation or self.spec.isolation
        if said is None and isinstance(self.origin, PluginFile):
            at_home = any(item.kind is Injection.OBJECT for item in self.injected)
            said = Isolation.THREAD if at_home else self.origin.isolation
        return said or Isolation.THREAD

    @cached_property
    def card(self) -> ToolCard:
        """What is known of it, as a value."""
        return ToolCard(
            spec=self.spec,
            input_schema=self.input_schema,
            output_schema=self.output_schema,
            policies=policy_card(self.policies),
            isolation=self.isolation,
            toolkit=self.toolkit,
            source=self.source,
            owner=self.owner,
            path_roles=self.path_roles,
            shell_commands=self.shell_commands,
            takes_folder=self.takes_folder,
            has_probe=self.probe is not None,
            probes_on_request=self.probe is not None and self.probe.on_request,
            replaces=self.replaces,
            replaced_by=self.replaced_by,
        )

    def with_source(self, source: ToolSource) -> Tool:
        """Return this tool listed under another source."""
        return replace(self, source=source)

    def replacing(self, other: Tool) -> Tool:
        """Return this tool as the one that takes the name of a built-in tool."""
        return replace(self, replaces=other.name_aside)

    def giving_way(self, to: ToolSource) -> Tool:
        """Return this built-in tool under its qualified name, because a tool of another source has its own one."""
        return replace(self, spec=self.spec.model_copy(update={"name": self.name_aside}), replaced_by=to.name)


@dataclass(frozen=True, slots=True)
class Prompt:
    """Be a reusable text with parameters, declared with `@prompt` or offered by a server.

    Attributes:
        role: Who the text speaks as; None where each message says so itself.
        arguments: Checks the parameters, as for tools.
        function: Makes the text; that of a server is awaited and gives a `PromptText`.
        toolkit: The toolkit's title; empty when it stands alone.
        title: A name for people; empty for none.
        is_remote: Whether a server makes the text.
    """

    name: str
    description: str
    role: Role | None
    arguments: schema.Arguments
    function: Callable[..., Any]
    toolkit: str = ""
    owner: str = ""
    source: ToolSource = PROGRAM
    title: str = ""
    is_remote: bool = False

    @property
    def card(self) -> PromptCard:
        """What is known of it, as a value."""
        return PromptCard(
            name=self.name,
            title=self.title,
            description=self.description,
            role=self.role,
            input_schema=self.arguments.input_schema,
            toolkit=self.toolkit,
            source=self.source,
        )

    def with_source(self, source: ToolSource) -> Prompt:
        """Return this prompt listed under another source."""
        return replace(self, source=source)

    def render(self, arguments: Mapping[str, Any] | None = None) -> str:
        """Return the text for these arguments.

        Raises:
            ArgumentsError: When they do not fit.
            ToolFailure: When the function returns no text.
        """
        text = self.function(**self.arguments.validate(arguments or {}))
        if not isinstance(text, str):
            msg = f"the prompt {self.name!r} must return its text as str; it returned {type(text).__name__}"
            raise ToolFailure(msg)
        return text
