"""A server whose tools stand in a JSON file, read anew at each start; started as `python from_file.py tools.json`.

Each tool answers with its arguments, and with what the variable `SHOWN` of its environment is.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        about = {"name": "from-file", "version": "1.0"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))}
    if method == "tools/call":
        text = json.dumps({"called": params["name"], "with": params.get("arguments"), "shown": os.environ.get("SHOWN")})
        return {"content": [{"type": "text", "text": text}]}
    return {} if method == "ping" else None


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = result_of(message["method"], message.get("params") or {})
        answer = {"result": result} if result is not None else {"error": {"code": -32601, "message": "unknown"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
