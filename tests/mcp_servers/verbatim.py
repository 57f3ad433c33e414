"""A server that answers what a file says, letter by letter, without an SDK, which would drop fields.

Started as `python verbatim.py FILE ERA`. The file maps methods to results; those of calls, prompts and resources are
mapped by their name or address once more. Who subscribes to a resource is told of a change at once.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
RESULTS: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
ERA = sys.argv[2]
CAPABILITIES = {"tools": {}, "resources": {"subscribe": True, "listChanged": True}, "prompts": {}, "completions": {}}
INFO = {"name": "verbatim", "version": "1"}


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize" and ERA == "legacy":
        return {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "serverInfo": INFO}
    if method == "server/discover" and ERA == "modern":
        return {"supportedVersions": ["2026-07-28"], "capabilities": CAPABILITIES, "serverInfo": INFO}
    if method in {"ping", "resources/subscribe", "resources/unsubscribe"}:
        return {}
    found: dict[str, Any] = RESULTS[method]
    return found[params[NAMED[method]]] if method in NAMED else found


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        try:
            result = result_of(message["method"], message.get("params") or {})
            if ERA == "modern":
                result = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **result}
            answer = {"result": result}
        except KeyError:
            answer = {"error": {"code": -32601, "message": "Method not found"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}) + "\n")
        if message["method"] == "resources/subscribe":
            note = {"method": "notifications/resources/updated", "params": {"uri": message["params"]["uri"]}}
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", **note}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
