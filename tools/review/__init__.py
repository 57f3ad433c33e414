"""The port of whoever answers questions, and the answerers that need no window.

The answerers stand in modules of their own, which a start imports only when somebody uses them: `human_input`,
`terminal` and `webhook`.
"""

from tools.review.handlers import AutoApproveHandler, ReviewHandler, ask_handler, check_handler, handler_name

__all__ = [
    "AutoApproveHandler",
    "ReviewHandler",
    "ask_handler",
    "check_handler",
    "handler_name",
]
