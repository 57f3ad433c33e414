"""Servers of the Model Context Protocol as sources of tools.

The SDK takes most of a second to import, so nothing here does that before a server is really used.
"""
