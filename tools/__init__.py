"""Declare, discover, run, guard and measure the tools that language models call. Knows no Qt.

```python
from typing import Annotated
from tools import Executor, Param, ToolRegistry, resolve_tools, tool


@tool(read_only=True)
def greet(name: Annotated[str, Param("Whom to greet")]) -> str:
    '''Greet somebody.'''
    return f"Hello, {name}"


executor = Executor(ToolRegistry(resolve_tools([greet])))
print(executor.run("greet", {"name": "Mira"}).text)
```

The console uses no more than a part of it. For programs that embed `tools` there are besides:

- conversations: `Session`, `RetentionMark`, `response_for_model`, and the tools of
  `tools.session.context_window.ContextWindow`, by which a model shapes its own context;
- policies without an executor: `enhance`, `has_enhancements`;
- say in each call: `AccessProvider`, `CallFilter`, `CallListener`, `tools.execution.audit.only_audited`;
- tools for LangChain, the OpenAI Agents SDK and Pydantic AI: `tools.adapters.ExportedTools`;
- what a model's provider is sent: `tools.wire.WireTools`; tools found by words: `tools.search.SearchAnswer`;
- several tools as one: `ToolPipeline`; all that is known of them as a document: `tools.manifest.Manifest`;
- schemas of types: `tools.schema.for_type`;
- numbers for other programs: `tools.health.ToolHealthRegistry`, `tools.health.telemetry.Telemetry`,
  `tools.metrics.percentile`;
- plans from what tools say of each other: `tools.batch.ToolDependencyGraph`;
- plugin files, servers and the history by hand: `tools.workbench.Workbench`, `tools.discovery.PluginList`,
  `tools.discovery.load_plugin`, `tools.mcp.servers.Servers`, `tools.history.History`.
"""

import importlib
import logging
import sys
import types
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tools.calls import (
        Advice,
        Attachment,
        CallerAwaited,
        CallError,
        CallFinished,
        CallProposed,
        CallStarted,
        CallStatus,
        Continue,
        Edit,
        Event,
        ExitEarly,
        GuardChanged,
        GuardKind,
        GuardState,
        LogEntry,
        OnTimeout,
        Progress,
        ReviewAsked,
        ReviewDecided,
        ReviewDecision,
        ReviewRequest,
        ReviewTiming,
        StepFinished,
        StepKind,
        ToolCall,
        ToolResponse,
        TraceStep,
    )
    from tools.card import ToolSource
    from tools.config import Configurator
    from tools.context import PendingReview, ToolContext
    from tools.declare import (
        AbstractTool,
        AgentTool,
        PipelineStep,
        ToolPipeline,
        has_tools,
        make_tool,
        process_tool,
        prompt,
        resolve_tools,
        supported_for,
        tool,
        toolkit,
    )
    from tools.declare.decorators import cached, contract, hedge, rate_limit, resilience, retry, security
    from tools.errors import (
        ArgumentProblem,
        ArgumentsError,
        CallStateError,
        ContractError,
        DeclarationError,
        DeniedError,
        DiscoveryError,
        DuplicateToolError,
        ExitEarlyError,
        PolicyError,
        RateLimitError,
        ReviewTimeoutError,
        ToolConfigurationError,
        ToolCrashError,
        ToolError,
        ToolFailure,
        ToolNotFoundError,
        ToolTimeoutError,
        TransientError,
        UnavailableError,
        VaultError,
    )
    from tools.execution.access import AccessProvider, StaticAccess
    from tools.execution.call_listeners import CallListener, CompositeCallListener
    from tools.execution.enhance import CachedTool, RateLimitedTool, RetryableTool, enhance, has_enhancements
    from tools.execution.executor import Executor
    from tools.execution.filters import Allow, Block, CallAction, CallFilter, Fallback, Guide
    from tools.execution.run import Run
    from tools.execution.workers import WorkerLimits, WorkerPool
    from tools.metrics import ToolMetrics
    from tools.policy import (
        Autonomy,
        Effect,
        Facts,
        Permission,
        PlacedRule,
        Policy,
        Predicate,
        ResultVerdict,
        Rule,
        RuleLocation,
        RuleMoment,
        RuleUses,
        Verdict,
    )
    from tools.registry import ToolRegistry
    from tools.retention import RetentionMark
    from tools.review import AutoApproveHandler, ReviewHandler
    from tools.review.human_input import HumanInputTool
    from tools.review.terminal import TerminalReviewHandler
    from tools.review.webhook import WebhookReviewHandler
    from tools.session import Session, TurnResult, response_for_model
    from tools.spec import (
        AuditLevel,
        Backoff,
        CachePolicy,
        CircuitBreaker,
        Concern,
        Contract,
        Count,
        DryRun,
        FailureBlock,
        Hedge,
        Isolation,
        Latency,
        Param,
        Parameter,
        PathRole,
        PipelineErrorStrategy,
        Policies,
        ProjectDir,
        RateLimit,
        Retry,
        RiskClass,
        Role,
        Security,
        ShellCommand,
        ToolExample,
        ToolSpec,
    )
    from tools.tool import Probe, Prompt, Tool, ToolResult
    from tools.vault import Vault

__all__ = [
    "AbstractTool",
    "AccessProvider",
    "Advice",
    "AgentTool",
    "Allow",
    "ArgumentProblem",
    "ArgumentsError",
    "Attachment",
    "AuditLevel",
    "AutoApproveHandler",
    "Autonomy",
    "Backoff",
    "Block",
    "CachePolicy",
    "CachedTool",
    "CallAction",
    "CallError",
    "CallFilter",
    "CallFinished",
    "CallListener",
    "CallProposed",
    "CallStarted",
    "CallStateError",
    "CallStatus",
    "CallerAwaited",
    "CircuitBreaker",
    "CompositeCallListener",
    "Concern",
    "Configurator",
    "Continue",
    "Contract",
    "ContractError",
    "Count",
    "DeclarationError",
    "DeniedError",
    "DiscoveryError",
    "DryRun",
    "DuplicateToolError",
    "Edit",
    "Effect",
    "Event",
    "Executor",
    "ExitEarly",
    "ExitEarlyError",
    "Facts",
    "FailureBlock",
    "Fallback",
    "GuardChanged",
    "GuardKind",
    "GuardState",
    "Guide",
    "Hedge",
    "HumanInputTool",
    "Isolation",
    "Latency",
    "LogEntry",
    "OnTimeout",
    "Param",
    "Parameter",
    "PathRole",
    "PendingReview",
    "Permission",
    "PipelineErrorStrategy",
    "PipelineStep",
    "PlacedRule",
    "Policies",
    "Policy",
    "PolicyError",
    "Predicate",
    "Probe",
    "Progress",
    "ProjectDir",
    "Prompt",
    "RateLimit",
    "RateLimitError",
    "RateLimitedTool",
    "ResultVerdict",
    "RetentionMark",
    "Retry",
    "RetryableTool",
    "ReviewAsked",
    "ReviewDecided",
    "ReviewDecision",
    "ReviewHandler",
    "ReviewRequest",
    "ReviewTimeoutError",
    "ReviewTiming",
    "RiskClass",
    "Role",
    "Rule",
    "RuleLocation",
    "RuleMoment",
    "RuleUses",
    "Run",
    "Security",
    "Session",
    "ShellCommand",
    "StaticAccess",
    "StepFinished",
    "StepKind",
    "TerminalReviewHandler",
    "Tool",
    "ToolCall",
    "ToolConfigurationError",
    "ToolContext",
    "ToolCrashError",
    "ToolError",
    "ToolExample",
    "ToolFailure",
    "ToolMetrics",
    "ToolNotFoundError",
    "ToolPipeline",
    "ToolRegistry",
    "ToolResponse",
    "ToolResult",
    "ToolSource",
    "ToolSpec",
    "ToolTimeoutError",
    "TraceStep",
    "TransientError",
    "TurnResult",
    "UnavailableError",
    "Vault",
    "VaultError",
    "Verdict",
    "WebhookReviewHandler",
    "WorkerLimits",
    "WorkerPool",
    "cached",
    "contract",
    "enhance",
    "has_enhancements",
    "has_tools",
    "hedge",
    "make_tool",
    "process_tool",
    "prompt",
    "rate_limit",
    "resilience",
    "resolve_tools",
    "response_for_model",
    "retry",
    "security",
    "supported_for",
    "tool",
    "toolkit",
]

_LATER: Final = {
    "AbstractTool": "tools.declare",
    "AccessProvider": "tools.execution.access",
    "Advice": "tools.calls",
    "AgentTool": "tools.declare",
    "Allow": "tools.execution.filters",
    "ArgumentProblem": "tools.errors",
    "ArgumentsError": "tools.errors",
    "Attachment": "tools.calls",
    "AuditLevel": "tools.spec",
    "AutoApproveHandler": "tools.review",
    "Autonomy": "tools.policy",
    "Backoff": "tools.spec",
    "Block": "tools.execution.filters",
    "CachePolicy": "tools.spec",
    "CachedTool": "tools.execution.enhance",
    "CallAction": "tools.execution.filters",
    "CallError": "tools.calls",
    "CallFilter": "tools.execution.filters",
    "CallFinished": "tools.calls",
    "CallerAwaited": "tools.calls",
    "CallListener": "tools.execution.call_listeners",
    "CallProposed": "tools.calls",
    "CallStarted": "tools.calls",
    "CallStateError": "tools.errors",
    "CallStatus": "tools.calls",
    "CircuitBreaker": "tools.spec",
    "CompositeCallListener": "tools.execution.call_listeners",
    "Concern": "tools.spec",
    "Configurator": "tools.config",
    "Continue": "tools.calls",
    "Contract": "tools.spec",
    "ContractError": "tools.errors",
    "Count": "tools.spec",
    "DeclarationError": "tools.errors",
    "DeniedError": "tools.errors",
    "DiscoveryError": "tools.errors",
    "DryRun": "tools.spec",
    "DuplicateToolError": "tools.errors",
    "Edit": "tools.calls",
    "Effect": "tools.policy",
    "Event": "tools.calls",
    "Executor": "tools.execution.executor",
    "ExitEarly": "tools.calls",
    "ExitEarlyError": "tools.errors",
    "Facts": "tools.policy",
    "FailureBlock": "tools.spec",
    "Fallback": "tools.execution.filters",
    "GuardChanged": "tools.calls",
    "GuardKind": "tools.calls",
    "GuardState": "tools.calls",
    "Guide": "tools.execution.filters",
    "Hedge": "tools.spec",
    "HumanInputTool": "tools.review.human_input",
    "Isolation": "tools.spec",
    "Latency": "tools.spec",
    "LogEntry": "tools.calls",
    "OnTimeout": "tools.calls",
    "Param": "tools.spec",
    "Parameter": "tools.spec",
    "PathRole": "tools.spec",
    "PendingReview": "tools.context",
    "Permission": "tools.policy",
    "PipelineErrorStrategy": "tools.spec",
    "PipelineStep": "tools.declare",
    "PlacedRule": "tools.policy",
    "Policies": "tools.spec",
    "Policy": "tools.policy",
    "PolicyError": "tools.errors",
    "Predicate": "tools.policy",
    "Probe": "tools.tool",
    "Progress": "tools.calls",
    "ProjectDir": "tools.spec",
    "Prompt": "tools.tool",
    "RateLimit": "tools.spec",
    "RateLimitError": "tools.errors",
    "RateLimitedTool": "tools.execution.enhance",
    "ResultVerdict": "tools.policy",
    "RetentionMark": "tools.retention",
    "Retry": "tools.spec",
    "RetryableTool": "tools.execution.enhance",
    "ReviewAsked": "tools.calls",
    "ReviewDecided": "tools.calls",
    "ReviewDecision": "tools.calls",
    "ReviewHandler": "tools.review",
    "ReviewRequest": "tools.calls",
    "ReviewTimeoutError": "tools.errors",
    "ReviewTiming": "tools.calls",
    "RiskClass": "tools.spec",
    "Role": "tools.spec",
    "Rule": "tools.policy",
    "RuleLocation": "tools.policy",
    "RuleMoment": "tools.policy",
    "RuleUses": "tools.policy",
    "Run": "tools.execution.run",
    "Security": "tools.spec",
    "Session": "tools.session",
    "ShellCommand": "tools.spec",
    "StaticAccess": "tools.execution.access",
    "StepFinished": "tools.calls",
    "StepKind": "tools.calls",
    "TerminalReviewHandler": "tools.review.terminal",
    "Tool": "tools.tool",
    "ToolCall": "tools.calls",
    "ToolConfigurationError": "tools.errors",
    "ToolContext": "tools.context",
    "ToolCrashError": "tools.errors",
    "ToolError": "tools.errors",
    "ToolExample": "tools.spec",
    "ToolFailure": "tools.errors",
    "ToolMetrics": "tools.metrics",
    "ToolNotFoundError": "tools.errors",
    "ToolPipeline": "tools.declare",
    "ToolRegistry": "tools.registry",
    "ToolResponse": "tools.calls",
    "ToolResult": "tools.tool",
    "ToolSource": "tools.card",
    "ToolSpec": "tools.spec",
    "ToolTimeoutError": "tools.errors",
    "TraceStep": "tools.calls",
    "TransientError": "tools.errors",
    "TurnResult": "tools.session",
    "UnavailableError": "tools.errors",
    "Vault": "tools.vault",
    "VaultError": "tools.errors",
    "Verdict": "tools.policy",
    "WebhookReviewHandler": "tools.review.webhook",
    "WorkerLimits": "tools.execution.workers",
    "WorkerPool": "tools.execution.workers",
    "cached": "tools.declare.decorators",
    "contract": "tools.declare.decorators",
    "enhance": "tools.execution.enhance",
    "has_enhancements": "tools.execution.enhance",
    "has_tools": "tools.declare",
    "hedge": "tools.declare.decorators",
    "make_tool": "tools.declare",
    "process_tool": "tools.declare",
    "prompt": "tools.declare",
    "rate_limit": "tools.declare.decorators",
    "resilience": "tools.declare.decorators",
    "resolve_tools": "tools.declare",
    "response_for_model": "tools.session",
    "retry": "tools.declare.decorators",
    "security": "tools.declare.decorators",
    "supported_for": "tools.declare",
    "toolkit": "tools.declare",
}
"""The module of each public name that is imported when it is first asked for; see `__getattr__`."""

logging.getLogger(__name__).addHandler(logging.NullHandler())


if not TYPE_CHECKING:
    # Type checkers would take every name for one of this package; they read the imports above.
    def __getattr__(name: str) -> object:
        """Return a public name that is imported when it is first asked for.

        A window paints before it needs a tool, and a list of tools needs nothing that runs calls, judges them or asks
        about them. To declare a tool takes pydantic, 100 ms of processor.
        """
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(_LATER[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, "tool"})

    class _Package(types.ModuleType):
        """Keep the decorator `tool` apart from the module `tools.tool`, which importing binds to the same name."""

        @property
        def tool(self) -> object:
            """The decorator that makes a tool of a function."""
            return importlib.import_module("tools.declare").tool

        @tool.setter
        def tool(self, _submodule: types.ModuleType) -> None:
            # The import system binds each submodule as an attribute; whoever wants this one imports `tools.tool`.
            pass

    sys.modules[__name__].__class__ = _Package
