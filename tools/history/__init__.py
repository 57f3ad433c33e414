"""What happened, kept on disk: every call with its arguments, questions, outcome and trace, to be found again."""

from tools.history.history import History
from tools.history.records import (
    NO_LIMIT,
    UNNAMED,
    CallerUse,
    DecidedCall,
    DecisionPage,
    HistoryChange,
    HistoryPage,
    HistoryQuery,
    HistoryRow,
    OpenReport,
    Retention,
)

__all__ = [
    "NO_LIMIT",
    "UNNAMED",
    "CallerUse",
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
