"""The official conformance suite of MCP, run against our client."""
