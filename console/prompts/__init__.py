"""Prompts of toolkits, plugins and servers: listed, filled in, shown as they would be sent, copied.

The Prompts page and the Prompts tab of a server are the same view over the same port.
"""
