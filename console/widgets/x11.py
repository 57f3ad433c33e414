"""What only the C library of X11 tells."""

from __future__ import annotations

import ctypes
from typing import Any


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Reply(ctypes.Structure):
    _fields_ = (
        ("response_type", ctypes.c_uint8),
        ("pad", ctypes.c_uint8),
        ("sequence", ctypes.c_uint16),
        ("length", ctypes.c_uint32),
        ("value", ctypes.c_uint32),
    )


def owner_of_compositing() -> int:
    """Return the window that mixes the others; 0 for none.

    Raises:
        OSError: When the C library of X11 is not there.
        AttributeError: When it is another one.
    """
    xcb: Any = ctypes.CDLL("libxcb.so.1")
    free: Any = ctypes.CDLL(None).free
    free.argtypes = (ctypes.c_void_p,)
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.POINTER(ctypes.c_int))
    for function in (xcb.xcb_disconnect, xcb.xcb_connection_has_error):
        function.argtypes = (ctypes.c_void_p,)
    xcb.xcb_intern_atom.restype = xcb.xcb_get_selection_owner.restype = _Cookie
    xcb.xcb_intern_atom.argtypes = (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint16, ctypes.c_char_p)
    xcb.xcb_get_selection_owner.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    replies = (xcb.xcb_intern_atom_reply, xcb.xcb_get_selection_owner_reply)
    for reply in replies:
        reply.restype = ctypes.POINTER(_Reply)
        reply.argtypes = (ctypes.c_void_p, _Cookie, ctypes.c_void_p)
    screen = ctypes.c_int(0)
    connection = xcb.xcb_connect(None, ctypes.byref(screen))
    try:
        if xcb.xcb_connection_has_error(connection):
            return 0
        name = f"_NET_WM_CM_S{screen.value}".encode()
        atom = _value(replies[0](connection, xcb.xcb_intern_atom(connection, 0, len(name), name), None), free)
        return _value(replies[1](connection, xcb.xcb_get_selection_owner(connection, atom), None), free)
    finally:
        xcb.xcb_disconnect(connection)


def _value(reply: Any, free: Any) -> int:
    """Return what a reply says, and let it go; 0 when none came."""
    if not reply:
        return 0
    value = int(reply.contents.value)
    free(reply)
    return value
