"""The Activity dock: every call, newest first, whoever made it."""
