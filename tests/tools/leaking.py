"""A tool that gives away everything it is told; a worker process finds it by name."""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypedDict
from urllib.parse import quote

from pydantic import BaseModel, Field, SecretStr

from tools import Concern, Param, ToolContext, ToolFailure, ToolResult, security, tool

CANARY = 'C4nary-"sings" töö lóud'
MASKED = ["rows[].secret", "headers.Authorization", "plain", "result.token", "result.rows[].key"]


class Login(BaseModel):
    user: str
    token: SecretStr


class Row(TypedDict):
    n: int
    secret: str


def _quoting(arguments: Mapping[str, Any], _project: Path) -> list[Concern]:
    return [Concern("sends_data", "Sends data", f"{arguments['rows']} to {arguments['url']}")]


@tool(concerns=_quoting)
@security(audit="full", mask_fields=MASKED)
def leak(  # noqa: PLR0917 -- one for each place a secret can stand
    login: Login,
    plain: Annotated[str, Param(name="plainKey")],
    rows: list[Row],
    headers: dict[str, str],
    url: Annotated[str, Field(json_schema_extra={"format": "uri"})],
    how: str,
    ctx: ToolContext,
    notes: list[str] | None = None,
) -> Any:
    """Say everything it knows, in every way there is."""
    told = [*(notes or ()), login.token.get_secret_value(), plain, rows[0]["secret"], headers["Authorization"], url]
    for secret in told:
        ctx.count(f"of {secret}")
        if how == "print":
            print(f"printed {secret}", file=sys.stderr)  # noqa: T201 -- a worker's output becomes log lines
        ctx.log("debug", f"got {secret} and {secret!r} and {json.dumps(secret)} and {quote(secret)}")
        ctx.progress(1, 2, f"sending {base64.b64encode(secret.encode()).decode()}")
        ctx.attach(b"harmless", name=f"{secret}.txt")
    if how == "ask":
        ctx.request_approval(f"Send {told}?", prompt=f"as {plain}").wait()
    if how == "fail":
        raise ToolFailure(f"refused: {told}")
    if how == "die":
        os._exit(3)
    if how == "raise":
        raise ValueError(f"refused: {told}")
    if how == "return failure":
        return ToolResult.failure(f"refused: {told}")
    if how == "text":
        return f"all: {told}"
    if how == "output":
        return ToolResult.ok(f"all: {told}, made {CANARY}", structured={"token": CANARY})
    return {"token": CANARY, "rows": [{"key": CANARY}], "all": told, CANARY: "a key"}
