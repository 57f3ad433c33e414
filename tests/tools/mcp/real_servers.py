"""The MCP servers of other people that the tests talk to, pinned by the locks in packaging/mcp-servers."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tools.mcp.config import ServerConfig, Transport

PLACE = Path(__file__).parents[3] / "build" / "mcp-servers"


def _installed(program: Path, *, needs_node: bool) -> str:
    """Return where node is; skip where something is not installed, but never where it must be."""
    node = shutil.which("node") or ""
    if not program.exists() or (needs_node and not node):
        why = f"{program} is not installed; run packaging/bootstrap servers"
        if os.environ.get("MCP_SERVERS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    return node


def typescript_sdk() -> tuple[str, Path]:
    """Return where node and the SDK for TypeScript are that the servers use."""
    sdk = PLACE / "node_modules" / "@modelcontextprotocol" / "sdk"
    return _installed(sdk, needs_node=True), sdk


def _stdio(name: str, program: Path, *args: str, **rest: Any) -> ServerConfig:
    """Return the entry of a server; skip where it is not installed, but never where it must be."""
    is_script = program.suffix == ".js"
    node = _installed(program, needs_node=is_script)
    words = [str(program), *args]
    if is_script:
        words.insert(0, node)
    given: dict[str, Any] = {"timeout_s": 30.0, **rest}
    return ServerConfig(name=name, transport=Transport.STDIO, command=words[0], args=tuple(words[1:]), **given)


def _node(name: str, *args: str, **rest: Any) -> ServerConfig:
    script = PLACE / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    return _stdio(name, script, *args, **rest)


def everything(*args: str, **rest: Any) -> ServerConfig:
    """Return the server that shows everything; an argument chooses how it is reached."""
    return _node("everything", *args, **rest)


def filesystem(folder: Path) -> ServerConfig:
    """Return the server that works with the files of one folder."""
    return _node("filesystem", str(folder))


def memory(path: Path) -> ServerConfig:
    """Return the server that keeps a graph of what it is told."""
    return _node("memory", env={"MEMORY_FILE_PATH": str(path)})


def time() -> ServerConfig:
    """Return the server that knows the time."""
    return _stdio("time", PLACE / "python" / "bin" / "mcp-server-time")


def git(folder: Path) -> ServerConfig:
    """Return the server that works with a repository."""
    return _stdio("git", PLACE / "python" / "bin" / "mcp-server-git", "--repository", str(folder))


def sqlite(path: Path) -> ServerConfig:
    """Return the server with an SDK of before the newest protocol."""
    return _stdio("sqlite", PLACE / "python-old" / "bin" / "mcp-server-sqlite", "--db-path", str(path))
