"""What happened, kept on disk: every call with its arguments, questions, outcome and trace, to be found again."""

from tools.history.history import History
from tools.history.query import NO_LIMIT, DecisionPage, HistoryPage, HistoryQuery
from tools.history.records import (
    UNNAMED,
    CallRecord,
    CallTiming,
    DecidedCall,
    Decision,
    HistoryChange,
    HistoryRow,
    OpenReport,
    Retention,
    StoredAttachment,
)

__all__ = [
    "NO_LIMIT",
    "UNNAMED",
    "CallRecord",
    "CallTiming",
    "DecidedCall",
    "Decision",
    "DecisionPage",
    "History",
    "HistoryChange",
    "HistoryPage",
    "HistoryQuery",
    "HistoryRow",
    "OpenReport",
    "Retention",
    "StoredAttachment",
]
