"""The turns of a conversation with a model: run them, let people decide about them, keep what is of use."""

from tools.session.context_window import ContextWindow
from tools.session.parts import Part, Turn, TurnResult
from tools.session.session import Session
from tools.session.wording import response_for_model

__all__ = ["ContextWindow", "Part", "Session", "Turn", "TurnResult", "response_for_model"]
