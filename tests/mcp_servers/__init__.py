"""MCP servers that tests start as programs of their own."""
