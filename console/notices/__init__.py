"""What the desktop tells the person while they look at another program: notices with answers, and the tray icon."""

from console.notices.desktop import Chosen, Closed, DesktopNotice, DesktopNotices, NoticeEvent, Refused
from console.notices.notices import DesktopPort, DesktopPresence, Notices, TrayPort
from console.notices.tray_view import TrayIcon

__all__ = [
    "Chosen",
    "Closed",
    "DesktopNotice",
    "DesktopNotices",
    "DesktopPort",
    "DesktopPresence",
    "NoticeEvent",
    "Notices",
    "Refused",
    "TrayIcon",
    "TrayPort",
]
