"""The turns of a conversation with a model: run them, let people decide about them, keep what is of use.

`tools.session.context_window` has tools that let a model shape its own context. Whoever offers them imports it:
declaring tools takes longer than all the rest of this package.
"""

from tools.session.session import Session
from tools.session.turns import KeptPart, PartsOwner, Turn, TurnPart, TurnResult
from tools.session.wording import response_for_model

__all__ = ["KeptPart", "PartsOwner", "Session", "Turn", "TurnPart", "TurnResult", "response_for_model"]
