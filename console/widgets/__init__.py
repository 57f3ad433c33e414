"""Generic widgets and paint parts of the design language; panes import them from here."""

from console.widgets.buttons import Button, ButtonKind, CompactingRow, IconButton
from console.widgets.call_status import status_of_call
from console.widgets.choices import SegmentedControl, Switch
from console.widgets.completer import Completer
from console.widgets.compositing import has_compositor, let_through
from console.widgets.dialogs import WindowDialog
from console.widgets.fields import DoubleSpinBox, SpinBox
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
from console.widgets.keys import KeyCap, KeyCaps, key_cap_width, paint_key_cap
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
from console.widgets.menus import Menu
from console.widgets.motion import SpinnerClock, motion_ms, set_reduced_motion, spinner_clock
from console.widgets.overlays import CountdownRing, FocusRing, Scrim
from console.widgets.painted_table import PaintedTable, SeenRow, Stripe
from console.widgets.painting import (
    LatencyClass,
    paint_box,
    paint_focus_ring,
    paint_latency_bars,
    paint_match,
    paint_pill,
    paint_row,
    paint_text,
    pill_size,
)
from console.widgets.risk_degrees import DEGREE_STYLES, DegreeStyle
from console.widgets.row_table import RowTable
from console.widgets.search_field import SearchField
from console.widgets.sections import Banner, BarFrame, Collapsible, EmptyState, PanelHeader
from console.widgets.splitter import ThinSplitter
from console.widgets.status import STATUS, Status, StatusGlyph, StatusName, paint_status, status_color
from console.widgets.table_head import TableHead
from console.widgets.table_model import (
    CELL_ROLE,
    ROOT,
    ROW_ROLE,
    Cell,
    Column,
    Index,
    RowOrder,
    TableModel,
    runs_of,
    words_of,
)
from console.widgets.table_view import TableView
from console.widgets.tabs import DocumentTabBar, InnerTabBar
from console.widgets.text_face import TextFace, text_face

__all__ = [
    "CELL_ROLE",
    "DEGREE_STYLES",
    "ROOT",
    "ROW_ROLE",
    "STATUS",
    "Badge",
    "BadgeTone",
    "Banner",
    "BarFrame",
    "Button",
    "ButtonKind",
    "Cell",
    "Collapsible",
    "Column",
    "CompactingRow",
    "Completer",
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
    "LatencyClass",
    "Menu",
    "PaintedTable",
    "PanelHeader",
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
    "WindowDialog",
    "elide_middle",
    "format_count",
    "format_countdown",
    "format_duration_ms",
    "format_full_time",
    "format_review",
    "format_size",
    "format_time",
    "format_took",
    "has_compositor",
    "home_short",
    "key_cap_width",
    "let_through",
    "motion_ms",
    "paint_box",
    "paint_focus_ring",
    "paint_key_cap",
    "paint_latency_bars",
    "paint_match",
    "paint_pill",
    "paint_row",
    "paint_status",
    "paint_text",
    "pill_size",
    "runs_of",
    "set_reduced_motion",
    "set_surface",
    "spinner_clock",
    "status_color",
    "status_of_call",
    "text_face",
    "tone_color",
    "words_of",
]
