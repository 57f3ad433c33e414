"""The Qt application: the only room that knows a window."""
