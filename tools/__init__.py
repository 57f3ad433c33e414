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

import logging

from tools.calls import (
    Advice,
    Attachment,
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
from tools.execution import Executor
from tools.execution.access import AccessProvider, StaticAccess
from tools.execution.call_listeners import CallListener, CompositeCallListener
from tools.execution.enhance import CachedTool, RateLimitedTool, RetryableTool, enhance, has_enhancements
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
from tools.review import AutoApproveHandler, HumanInputTool, ReviewHandler, TerminalReviewHandler, WebhookReviewHandler
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

logging.getLogger(__name__).addHandler(logging.NullHandler())
