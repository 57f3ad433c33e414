"""`ToolCard`: what is known of a tool as one value, for whoever must not hold the tool itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import JsonValue

from tools import schema
from tools.masking import Masking, masking_of
from tools.spec import (
    CircuitBreaker,
    Isolation,
    PathRole,
    Policies,
    Retry,
    RiskHints,
    Role,
    Security,
    ShellCommand,
    ToolSpec,
)


class SourceKind(Enum):
    """Where a tool comes from."""

    API = "api"
    BUILT_IN = "built-in"
    PLUGIN = "plugin"
    PROGRAM = "program"
    SERVER = "server"


class ToolSource(NamedTuple):
    """The origin a tool is listed under.

    Attributes:
        name: The name shown, such as `Built-in` or a plugin file's name.
        path: The plugin file; None for anything else.
        is_trusted: Whether a person believes what a server says of its tools. What an API's say is what HTTP means.
    """

    kind: SourceKind
    name: str
    path: Path | None = None
    is_trusted: bool = False


PROGRAM: ToolSource = ToolSource(SourceKind.PROGRAM, "Program")
"""The source of tools that a program registers by hand."""

BUILT_IN: ToolSource = ToolSource(SourceKind.BUILT_IN, "Built-in")
"""The source the built-in tools are listed under."""


class ToolFacts:
    """What follows from how a tool is declared; a tool and its card answer alike."""

    if TYPE_CHECKING:
        # Fields of the one, properties of the other. At run time a dataclass would take these for defaults.
        @property
        def spec(self) -> ToolSpec: ...
        @property
        def input_schema(self) -> dict[str, JsonValue]: ...
        @property
        def output_schema(self) -> dict[str, JsonValue] | None: ...
        @property
        def policies(self) -> Policies: ...
        @property
        def toolkit(self) -> str: ...
        @property
        def source(self) -> ToolSource: ...
        @property
        def path_roles(self) -> tuple[tuple[str, PathRole], ...]: ...
        @property
        def shell_commands(self) -> tuple[tuple[str, ShellCommand], ...]: ...
        @property
        def takes_folder(self) -> bool: ...
        @property
        def replaces(self) -> str: ...
        @property
        def replaced_by(self) -> str: ...

    @property
    def name(self) -> str:
        """The unique name callers use."""
        return self.spec.name

    @property
    def qualified_name(self) -> str:
        """The name with the toolkit's before it, as in `Weather.forecast`; a call may use it too."""
        return f"{self.toolkit}.{self.name}" if self.toolkit and not self.replaced_by else self.name

    @property
    def own_name(self) -> str:
        """The name that it was declared with: the unique one, unless it is a built-in tool that gave way."""
        return self.name.removeprefix(self._prefix) if self.replaced_by else self.name

    @property
    def name_aside(self) -> str:
        """What a built-in tool is called while a tool of the person's has its name."""
        return f"{self._prefix}{self.own_name}"

    @property
    def _prefix(self) -> str:
        return f"{self.toolkit or self.source.name}."

    @property
    def description(self) -> str:
        return self.spec.description

    @cached_property
    def needs_project(self) -> bool:
        """Whether even a call with nothing but what it must give needs the project folder."""
        properties, required = self.input_schema.get("properties"), self.input_schema.get("required")
        fields: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
        least: dict[str, Any] = {
            name: field.get("default") for name, field in fields.items() if isinstance(field, Mapping)
        }
        least.update((str(name), True) for name in (required if isinstance(required, list) else ()))
        return self.uses_project(least)

    def uses_project(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a call needs the project folder.

        Args:
            arguments: Its arguments, by Python name; None is no path.
        """
        return self.takes_folder or any(arguments.get(name) is not None for name, _ in self.path_roles)

    @property
    def hints(self) -> RiskHints:
        """What it says of its risk; what a server leaves out counts as the worse."""
        spec = self.spec
        worst = self.source.kind is SourceKind.SERVER
        return RiskHints(spec.read_only_hint, spec.destructive_hint, spec.open_world_hint, worst)

    @property
    def is_judged_by_line(self) -> bool:
        """Whether the command lines among its arguments say more of a call's risk than its own word does.

        Its word is only that a command line can do anything; it asks a person before each call.
        """
        return bool(self.shell_commands) and self.spec.requires_confirmation

    @property
    def security(self) -> Security | None:
        """What its policies say of secrets and consent; None when they say nothing."""
        return self.policies.security

    @property
    def asks_first(self) -> bool:
        """Whether every call needs a person's consent."""
        security = self.security
        return bool(
            self.spec.requires_confirmation or self.hints.may_destroy or (security and security.approval_required)
        )

    @property
    def sensitive(self) -> bool:
        """Whether arguments and result stay out of logs."""
        return self.security is not None and self.security.sensitive

    @cached_property
    def masking(self) -> Masking | None:
        """What is hidden of its arguments and result, as its policy and its schemas say; None hides nothing."""
        security = self.security
        return masking_of(security.mask_fields if security is not None else (), self.input_schema, self.output_schema)

    def hides(self, argument: str) -> bool:
        """Return whether nobody is shown an argument, or some part of it."""
        return self.masking is not None and self.masking.touches(argument)

    @cached_property
    def digest(self) -> str:
        """A hash of name, version, description and schema: it changes when the definition does."""
        definition: dict[str, JsonValue] = {
            "name": self.own_name,
            "version": self.spec.version,
            "description": self.description,
            "input_schema": self.input_schema,
            "output_schema": self.output_schema,
        }
        if self.replaces:
            # What was agreed to of a built-in tool is not agreed to of the one that takes its name.
            definition["replaces"] = self.replaces
        return sha256(schema.canonical_json(definition).encode()).hexdigest()


@dataclass(frozen=True)
class PromptCard:
    """Be what is known of a prompt as a value, for whoever must not hold the prompt itself.

    Attributes:
        title: A name for people; empty for none.
        role: Who its text speaks as; None where each message says so itself.
        toolkit: The toolkit's title; empty when it stands alone.
    """

    name: str
    title: str
    description: str
    role: Role | None
    input_schema: Mapping[str, JsonValue]
    toolkit: str
    source: ToolSource


class PromptText(NamedTuple):
    """What a prompt says.

    Attributes:
        description: What it is; empty when nothing is said.
        messages: Role and content of each message, in the form of MCP.
        written: All of it as a server wrote it, for whoever hands it on; None when no server did.
    """

    description: str
    messages: tuple[Mapping[str, JsonValue], ...]
    written: Mapping[str, JsonValue] | None = None

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Role and text of each message; what is no text is named in brackets."""
        return tuple((str(message.get("role", "")), _text_of(message.get("content"))) for message in self.messages)

    @property
    def text(self) -> str:
        """The text of the one message, else the texts of all of them, each below its role."""
        parts = self.parts
        return parts[0][1] if len(parts) == 1 else "\n\n".join(f"{role}:\n{text}" for role, text in parts)


def spoken(text: str, role: Role | None) -> PromptText:
    """Return a text as the only message of a prompt."""
    return PromptText("", ({"role": str(role or Role.USER), "content": {"type": "text", "text": text}},))


def _text_of(content: Any) -> str:
    parts = content if isinstance(content, list) else [content]
    return "\n".join(_part(part) for part in parts if isinstance(part, dict))


def _part(part: Mapping[str, Any]) -> str:
    inner = part.get("resource")
    holder = inner if isinstance(inner, dict) else part
    text = holder.get("text")
    return (
        text if isinstance(text, str) else f"[{part.get('type')}: {holder.get('uri') or holder.get('mimeType') or ''}]"
    )


Facts = TypeVar("Facts", bound=ToolFacts)


def find_tool(tools: Mapping[str, Facts], name: str) -> Facts | None:
    """Return the tool of that name, else the only one that differs in case or is meant by `Toolkit.name`.

    Source: seed 1, "Runtime flow" (names are matched in lower case).
    """
    tool = tools.get(name)
    if tool is not None:
        return tool
    folded = name.casefold()
    same = [
        tool
        for key, tool in tools.items()
        if key.casefold() == folded or ("." in folded and tool.qualified_name.casefold() == folded)
    ]
    return same[0] if len(same) == 1 else None


# Names in place of classes are all that makes a value of these; a second set of models would say the rest again.


class RetryCard(Retry):
    """A retry whose exception classes are told by their names."""

    retry_on: tuple[str, ...] = ()  # type: ignore[assignment]
    no_retry_on: tuple[str, ...] = ()  # type: ignore[assignment]


class CircuitBreakerCard(CircuitBreaker):
    """A circuit breaker whose exception classes are told by their names."""

    ignore: tuple[str, ...] = ()  # type: ignore[assignment]


class PolicyCard(Policies):
    """Policies as a value: exception classes are told by their names, functions as calls such as `is_open(...)`."""

    retry: RetryCard | None = None
    circuit_breaker: CircuitBreakerCard | None = None


def policy_card(policies: Policies) -> PolicyCard:
    """Return policies as a value."""
    return PolicyCard.model_validate(policies.model_dump(mode="json", exclude_unset=True, fallback=_words))


def _words(value: Any) -> str:
    """Name a class or function."""
    if isinstance(value, type):
        return value.__qualname__ if value.__module__ == "builtins" else f"{value.__module__}.{value.__qualname__}"
    name = getattr(value, "__name__", type(value).__name__)
    return f"{name}(...)" if name.isidentifier() else "function(...)"


@dataclass(frozen=True)
class ToolCard(ToolFacts):
    """What is known of a tool, with nothing in it that runs: it can be written as JSON and read back.

    Attributes:
        output_schema: The JSON Schema of its result; None when it returns nothing or nobody said.
        policies: What surrounds each call.
        toolkit: The toolkit's title; empty when it stands alone.
        owner: Who declared it, for messages.
        path_roles: Arguments that name files or folders, by Python name.
        shell_commands: Arguments that are command lines, by the names callers use.
        takes_folder: Whether the framework gives it the project folder.
        has_probe: Whether it says how to find out that it works.
        probes_on_request: Whether that is done only when a person asks for it.
        replaces: What the built-in tool is called now whose name it took; empty when it took none.
        replaced_by: The source of the tool that took its name; empty when it has its own.
    """

    spec: ToolSpec
    input_schema: dict[str, JsonValue]
    output_schema: dict[str, JsonValue] | None
    policies: PolicyCard
    isolation: Isolation
    toolkit: str = ""
    source: ToolSource = PROGRAM
    owner: str = ""
    path_roles: tuple[tuple[str, PathRole], ...] = ()
    shell_commands: tuple[tuple[str, ShellCommand], ...] = ()
    takes_folder: bool = False
    has_probe: bool = False
    probes_on_request: bool = False
    replaces: str = ""
    replaced_by: str = ""
