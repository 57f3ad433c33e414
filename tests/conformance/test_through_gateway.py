"""The server scenarios of the official conformance suite, through the gateway in front of the suite's own server.

A requirement set is what the suite asks of a revision of the protocol. That of 2026-07-28 is played before both eras of
the server, so that each side meets the other era once. `packaging/bootstrap conformance` installs what is needed.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.conformance.gateway import gateway_before, own_server
from tests.conformance.test_scenarios import MODULES, NODE
from tools.mcp.config import ProtocolChoice

pytestmark = [
    pytest.mark.conformance,
    # Scenarios try what is refused, and hang up.
    pytest.mark.expects_log("tools.calls", "mcp"),
]

SUITE = MODULES / "conformance-next" / "dist" / "index.js"
SERVER = MODULES.parent / "everything-server.mts"
TIMEOUT_S = 120

_NO_HEADERS = "the suite's server has no tool that wants headers, so nothing can be tried"
_NO_RESULT_TYPE = "in the newer era the suite's server leaves out resultType, which its own check and our client refuse"
_NEWER_ONLY = "the suite's server has this in the newer era only"
_ANY_CLIENT = "our client says of itself that it can answer, whichever agent calls: what one cannot, a person can"
_NOTHING_CHANGED = "the suite's server says so though nothing changed; agents are told of changes only"
_NO_RESUMING = "streams are not resumed: a call goes on without its request, and the next one is attached to it"
_HEADERS: Final = dict.fromkeys(
    (
        "sep-2243-server-no-xmcp-tool",
        "sep-2243-server-decode-base64",
        "sep-2243-server-validate-param-match",
        "sep-2243-server-reject-invalid-param-chars",
        "sep-2243-server-reject-param-mismatch",
    ),
    _NO_HEADERS,
)
_CHANGES: Final = dict.fromkeys(
    (
        "sep-2575-server-sends-prompts-list-changed-on-subscription",
        "sep-2575-server-sends-tools-list-changed-on-subscription",
    ),
    _NOTHING_CHANGED,
)
_TOOLS_OF_NEWER_ERA: Final = dict.fromkeys(
    (
        "sep-2322-elicitation-incomplete",
        "sep-2322-list-roots-incomplete",
        "sep-2322-sampling-incomplete",
        "sep-2322-respect-client-capabilities",
        "sep-2322-ignore-unexpected-params",
        "sep-2322-missing-response-rerequests",
        "sep-2322-multi-round-r1",
        "sep-2322-multiple-inputs-incomplete",
        "sep-2322-non-tool-incomplete",
        "sep-2322-request-state-incomplete",
        "sep-2322-result-type-included",
        "sep-2322-reject-tampered-state",
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    ),
    _NEWER_ONLY,
)
NOT_HELD: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("2025-11-25", "legacy"): {
        "server-sse-priming-event": _NO_RESUMING,
        "server-sse-retry-field": _NO_RESUMING,
    },
    ("2026-07-28", "modern"): {
        **_HEADERS,
        **_CHANGES,
        "tools-call-image": _NO_RESULT_TYPE,
        "tools-call-audio": _NO_RESULT_TYPE,
        "tools-call-embedded-resource": _NO_RESULT_TYPE,
        "tools-call-mixed-content": _NO_RESULT_TYPE,
        "sep-2575-server-rejects-undeclared-capability": _ANY_CLIENT,
        "sep-2575-missing-capability-http-400": _ANY_CLIENT,
    },
    ("2026-07-28", "legacy"): {**_HEADERS, **_CHANGES, **_TOOLS_OF_NEWER_ERA},
}
"""The checks that are not held, recommendations included, and why. All others are."""

EXTENSION = "tasks-"
"""How the scenarios begin of an extension that is no part of a requirement set, and that is not spoken here."""

FEWEST: Final = {"2025-11-25": 30, "2026-07-28": 37}
"""How many scenarios a requirement set has at least."""


def judged(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return what the suite found, by scenario."""
    found = {}
    for place in folder.iterdir():
        scenario = re.sub(r"^server-|-\d{4}-\d{2}-\d{2}T.*$", "", place.name)
        found[scenario] = json.loads((place / "checks.json").read_text(encoding="utf-8"))
    return found


async def played(revision: str, behind: str, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Play a requirement set before an era of the suite's server."""
    results = folder / "results"
    async with (
        asyncio.timeout(TIMEOUT_S),
        own_server(NODE, SERVER) as server,
        gateway_before(server, ProtocolChoice.OLDER if behind == "legacy" else ProtocolChoice.NEWER, folder) as gateway,
    ):
        words = (str(NODE), str(SUITE), "server", "--url", gateway, "--requirements", revision, "-o", str(results))
        program = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        await program.communicate()
    return judged(results)


@pytest.mark.parametrize(("revision", "behind"), NOT_HELD)
async def test_a_requirement_set_is_held_through_the_gateway(revision: str, behind: str, tmp_path: Path) -> None:
    found = await played(revision, behind, tmp_path)
    own = {name: checks for name, checks in found.items() if not name.startswith(EXTENSION)}
    assert len(own) >= FEWEST[revision]
    assert all(checks for name, checks in own.items())
    missed = {
        check["id"]: check.get("errorMessage")
        for checks in own.values()
        for check in checks
        if check["status"] not in {"SUCCESS", "INFO"}
    }
    assert missed.keys() == NOT_HELD[revision, behind].keys(), missed
