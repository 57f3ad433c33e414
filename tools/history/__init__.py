"""What happened, kept on disk: every call with its arguments, questions, outcome and trace, to be found again."""

from tools.history.history import History
from tools.history.query import NO_LIMIT, DecisionPage, HistoryPage, HistoryQuery
from tools.history.records import UNNAMED, DecidedCall, HistoryChange, HistoryRow, OpenReport, Retention

__all__ = [
    "NO_LIMIT",
    "UNNAMED",
    "DecidedCall",
    "DecisionPage",
    "History",
    "HistoryChange",
    "HistoryPage",
    "HistoryQuery",
    "HistoryRow",
    "OpenReport",
    "Retention",
]
