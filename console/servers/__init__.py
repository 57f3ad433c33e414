"""MCP servers: which there are, how each does, what it offers, what changed, and what it says."""
