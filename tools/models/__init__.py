"""Models that use the tools: providers, the conversation with one, what it is sent, and the file it is kept in.

`port` is what a provider is to a conversation; a fake is a generator of deltas and an `Answer`. `http` asks providers
over the net, `chat`, `responses`, `anthropic`, `gemini` and `ollama` are their formats, `providers` lists them.
`conversation` is the loop: request, calls, policy and approval, results, until the model answers. `offer` says which
tools a model is sent, `context` what else, `budget` what it may cost, `journal` keeps it, `events` has what is told.
`replay` repeats a conversation without its model, and `scripted` needs none at all.
"""

from tools.models.budget import Budget, BudgetQuestion, Prices
from tools.models.context import ContextPart, PartState, StandingRules
from tools.models.conversation import Conversation, ConversationLimits
from tools.models.messages import Answer, AskedCall, CallResult, CallResults, StopReason, Usage, UserMessage
from tools.models.offered_tools import ToolOffer
from tools.models.port import ModelProvider, ModelRequest, TextDelta, ThinkingDelta

__all__ = [
    "Answer",
    "AskedCall",
    "Budget",
    "BudgetQuestion",
    "CallResult",
    "CallResults",
    "ContextPart",
    "Conversation",
    "ConversationLimits",
    "ModelProvider",
    "ModelRequest",
    "PartState",
    "Prices",
    "StandingRules",
    "StopReason",
    "TextDelta",
    "ThinkingDelta",
    "ToolOffer",
    "Usage",
    "UserMessage",
]
