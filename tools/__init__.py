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
"""

import logging

from tools.calls import (
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
    Step,
    StepFinished,
    ToolCall,
    ToolResponse,
)
from tools.config import Configurator
from tools.context import PendingReview, ToolContext
from tools.declare import (
    AbstractTool,
    AgentTool,
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
    RateLimitError,
    ReviewTimeoutError,
    ToolConfigurationError,
    ToolCrashError,
    ToolError,
    ToolFailure,
    ToolNotFoundError,
    TransientError,
    UnavailableError,
    VaultError,
)
from tools.execution import Executor
from tools.execution.access import AccessProvider, StaticAccess
from tools.execution.call_listeners import CallListener, CompositeCallListener
from tools.execution.enhance import CachedTool, RateLimitedTool, RetryableTool, enhance, has_enhancements
from tools.execution.filters import Allow, Block, CallAction, CallFilter, Fallback, Guide
from tools.execution.workers import WorkerLimits, WorkerPool
from tools.metrics import ToolMetrics
from tools.registry import ToolRegistry
from tools.retention import RetentionMark
from tools.review import AutoApproveHandler, ReviewHandler, TerminalReviewHandler
from tools.session import Session, TurnResult, response_for_model
from tools.spec import (
    AuditLevel,
    Backoff,
    CachePolicy,
    CircuitBreaker,
    Concern,
    Contract,
    FailureBlock,
    Isolation,
    Latency,
    Param,
    Parameter,
    PathRole,
    Policies,
    ProjectDir,
    RateLimit,
    Retry,
    Role,
    Security,
    ToolExample,
    ToolSpec,
)
from tools.tool import Prompt, Tool, ToolResult, ToolSource
from tools.vault import Vault

__all__ = [
    "AbstractTool",
    "AccessProvider",
    "AgentTool",
    "Allow",
    "ArgumentProblem",
    "ArgumentsError",
    "Attachment",
    "AuditLevel",
    "AutoApproveHandler",
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
    "DeclarationError",
    "DeniedError",
    "DiscoveryError",
    "DuplicateToolError",
    "Edit",
    "Event",
    "Executor",
    "ExitEarly",
    "ExitEarlyError",
    "FailureBlock",
    "Fallback",
    "GuardChanged",
    "GuardKind",
    "GuardState",
    "Guide",
    "Isolation",
    "Latency",
    "LogEntry",
    "OnTimeout",
    "Param",
    "Parameter",
    "PathRole",
    "PendingReview",
    "Policies",
    "Progress",
    "ProjectDir",
    "Prompt",
    "RateLimit",
    "RateLimitError",
    "RateLimitedTool",
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
    "Role",
    "Security",
    "Session",
    "StaticAccess",
    "Step",
    "StepFinished",
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
    "ToolRegistry",
    "ToolResponse",
    "ToolResult",
    "ToolSource",
    "ToolSpec",
    "TransientError",
    "TurnResult",
    "UnavailableError",
    "Vault",
    "VaultError",
    "WorkerLimits",
    "WorkerPool",
    "cached",
    "contract",
    "enhance",
    "has_enhancements",
    "has_tools",
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
