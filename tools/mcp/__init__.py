"""Servers of the Model Context Protocol as sources of tools.

The SDK takes most of a second to import, so nothing here does that before a server is really used.

`supervisor` starts and restarts a server, `connection` is one open connection, `transports` and `stdio_framing` carry
messages, `direct_calls` makes calls of tools past the SDK's session, `message_recorder` notes messages before the SDK's
types drop unknown fields, `tool_sync` keeps the registry's tools as the server lists them. A `RemoteTool` is a usual
tool function, so calls need no special case. Failures become a `ServerFault` with a kind that the window offers an
action for; a new one gets a misbehaving server in `tests/mcp_servers/misbehaving.py`.

What a person trusts is stored in three files: entries (`servers.json`, edited in place, so comments stay), consents
and approvals. A new field of an entry or a definition belongs into its digest, or needs a reason not to. Secrets are
references into the keyring and are filled in on the way to a connection.
"""
