"""Generic widgets and paint parts of the design language; panes import them from here.

Those that no first picture of the window shows are imported when they are first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Final

from console.widgets.boxes import grow_with_width, hbox, set_margins, vbox
from console.widgets.buttons import Button, ButtonKind, CompactingRow, IconButton
from console.widgets.fields import (
    Completer,
    DoubleSpinBox,
    KeyCap,
    KeyCaps,
    SearchField,
    SpinBox,
    key_cap_width,
    paint_key_cap,
)
from console.widgets.focus import Anchor, focus_begin, lead_focus, order_focus, tab_stops
from console.widgets.formats import (
    elide_middle,
    format_count,
    format_countdown,
    format_duration_ms,
    format_full_time,
    format_review,
    format_size,
    format_time,
    format_took,
    home_short,
)
from console.widgets.key_hints import KeyTip, MenuKeys
from console.widgets.labels import (
    Badge,
    BadgeTone,
    CountPill,
    Divider,
    ElidedLabel,
    IconLabel,
    TextLabel,
    TextTone,
    set_surface,
    tone_color,
)
from console.widgets.menus import CommandAction, Menu, has_compositor, let_through
from console.widgets.motion import SpinnerClock, TurningWidget, motion_ms, set_reduced_motion, spinner_clock
from console.widgets.overlays import FocusRing, Scrim
from console.widgets.painting import (
    LatencyClass,
    TextFace,
    paint_box,
    paint_focus_ring,
    paint_latency_bars,
    paint_marked,
    paint_match,
    paint_pill,
    paint_row,
    paint_text,
    pill_size,
    text_face,
)
from console.widgets.sections import Banner, BarFrame, Collapsible, EmptyState, PanelHeader, ThinSplitter, ToneFrame
from console.widgets.status import (
    CALL_STATUSES,
    DEGREE_STYLES,
    STATUS,
    DegreeStyle,
    Status,
    StatusGlyph,
    StatusName,
    paint_status,
    status_color,
    status_of_call,
)

if TYPE_CHECKING:
    from console.widgets.choices import SegmentedControl, Switch
    from console.widgets.dialogs import (
        CentredDialog,
        ConfirmLoss,
        CountdownRing,
        QuestionBox,
        WindowDialog,
        ask_folder,
        ask_open_path,
        ask_save_path,
    )
    from console.widgets.list_detail import ListDetailView
    from console.widgets.painted_table import PaintedTable, RowTable, SeenRow, Stripe
    from console.widgets.table_head import TableHead
    from console.widgets.table_model import (
        CELL_ROLE,
        ROOT,
        ROW_ROLE,
        Cell,
        CheckableTableModel,
        Column,
        Index,
        RowOrder,
        TableModel,
        runs_of,
        status_samples,
        words_of,
    )
    from console.widgets.table_view import TableView
    from console.widgets.tabs import DocumentTabBar, InnerTabBar

__all__ = [
    "CALL_STATUSES",
    "CELL_ROLE",
    "DEGREE_STYLES",
    "ROOT",
    "ROW_ROLE",
    "STATUS",
    "Anchor",
    "Badge",
    "BadgeTone",
    "Banner",
    "BarFrame",
    "Button",
    "ButtonKind",
    "Cell",
    "CentredDialog",
    "CheckableTableModel",
    "Collapsible",
    "Column",
    "CommandAction",
    "CompactingRow",
    "Completer",
    "ConfirmLoss",
    "CountPill",
    "CountdownRing",
    "DegreeStyle",
    "Divider",
    "DocumentTabBar",
    "DoubleSpinBox",
    "ElidedLabel",
    "EmptyState",
    "FocusRing",
    "IconButton",
    "IconLabel",
    "Index",
    "InnerTabBar",
    "KeyCap",
    "KeyCaps",
    "KeyTip",
    "LatencyClass",
    "ListDetailView",
    "Menu",
    "MenuKeys",
    "PaintedTable",
    "PanelHeader",
    "QuestionBox",
    "RowOrder",
    "RowTable",
    "Scrim",
    "SearchField",
    "SeenRow",
    "SegmentedControl",
    "SpinBox",
    "SpinnerClock",
    "Status",
    "StatusGlyph",
    "StatusName",
    "Stripe",
    "Switch",
    "TableHead",
    "TableModel",
    "TableView",
    "TextFace",
    "TextLabel",
    "TextTone",
    "ThinSplitter",
    "ToneFrame",
    "TurningWidget",
    "WindowDialog",
    "ask_folder",
    "ask_open_path",
    "ask_save_path",
    "elide_middle",
    "focus_begin",
    "format_count",
    "format_countdown",
    "format_duration_ms",
    "format_full_time",
    "format_review",
    "format_size",
    "format_time",
    "format_took",
    "grow_with_width",
    "has_compositor",
    "hbox",
    "home_short",
    "key_cap_width",
    "lead_focus",
    "let_through",
    "motion_ms",
    "order_focus",
    "paint_box",
    "paint_focus_ring",
    "paint_key_cap",
    "paint_latency_bars",
    "paint_marked",
    "paint_match",
    "paint_pill",
    "paint_row",
    "paint_status",
    "paint_text",
    "pill_size",
    "runs_of",
    "set_margins",
    "set_reduced_motion",
    "set_surface",
    "spinner_clock",
    "status_color",
    "status_of_call",
    "status_samples",
    "tab_stops",
    "text_face",
    "tone_color",
    "vbox",
    "words_of",
]

_LATER: Final = {
    "CELL_ROLE": "table_model",
    "Cell": "table_model",
    "CentredDialog": "dialogs",
    "CheckableTableModel": "table_model",
    "Column": "table_model",
    "ConfirmLoss": "dialogs",
    "CountdownRing": "dialogs",
    "DocumentTabBar": "tabs",
    "Index": "table_model",
    "InnerTabBar": "tabs",
    "ListDetailView": "list_detail",
    "PaintedTable": "painted_table",
    "QuestionBox": "dialogs",
    "ROOT": "table_model",
    "ROW_ROLE": "table_model",
    "RowOrder": "table_model",
    "RowTable": "painted_table",
    "SeenRow": "painted_table",
    "SegmentedControl": "choices",
    "Stripe": "painted_table",
    "Switch": "choices",
    "TableHead": "table_head",
    "TableModel": "table_model",
    "TableView": "table_view",
    "WindowDialog": "dialogs",
    "ask_folder": "dialogs",
    "ask_open_path": "dialogs",
    "ask_save_path": "dialogs",
    "runs_of": "table_model",
    "status_samples": "table_model",
    "words_of": "table_model",
}
"""The module of each name that is imported when it is first asked for; see `__getattr__`."""


if not TYPE_CHECKING:
    # Type checkers would take every name for one of this package; they read the imports above.
    def __getattr__(name: str) -> object:
        """Return a widget whose module is imported when it is first asked for."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
        return value
