"""The port of whoever answers questions, and the answerers that need no window."""

from tools.review.handlers import AutoApproveHandler, ReviewHandler, ask_handler, check_handler, handler_name
from tools.review.human_input import HumanInputTool
from tools.review.terminal import TerminalReviewHandler
from tools.review.webhook import WebhookReviewHandler

__all__ = [
    "AutoApproveHandler",
    "HumanInputTool",
    "ReviewHandler",
    "TerminalReviewHandler",
    "WebhookReviewHandler",
    "ask_handler",
    "check_handler",
    "handler_name",
]
