"""Which program a stdio server is, as the system finds it, and what to install where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import ServerConfigError, ToolFailure
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.process import environment
from tools.mcp.start_preview import program_name
from tools.mcp.supervisor import Resolve
from tools.programs import find_program

_BROUGHT_BY: Final = {
    **dict.fromkeys(("npx", "npm", "node"), "Node.js (https://nodejs.org)"),
    **dict.fromkeys(("uvx", "uv"), "uv (https://docs.astral.sh/uv)"),
    **dict.fromkeys(("python", "python3", "py", "pip"), "Python (https://www.python.org)"),
    **dict.fromkeys(("bun", "bunx"), "Bun (https://bun.sh)"),
    **dict.fromkeys(("pnpm", "pnpx"), "pnpm (https://pnpm.io)"),
    "yarn": "Yarn (https://yarnpkg.com)",
    "deno": "Deno (https://deno.com)",
    "pipx": "pipx (https://pipx.pypa.io)",
    "docker": "Docker (https://docs.docker.com/get-docker)",
    "podman": "Podman (https://podman.io)",
    "go": "Go (https://go.dev)",
    "java": "a Java runtime (https://adoptium.net)",
    "dotnet": ".NET (https://dotnet.microsoft.com)",
    "cargo": "Rust (https://rustup.rs)",
}
"""What brings the programs that servers are started with."""


class ProgramLocation(NamedTuple):
    """Where the program of a server is.

    Attributes:
        path: The file that is started; empty when there is none, or nothing is started at all.
        problem: Why there is none; empty when all is well.
        advice: What to do about it; empty when nothing is known.
    """

    path: str = ""
    problem: str = ""
    advice: str = ""


def what_brings(program: str) -> str:
    """Return what has to be installed for a program, with its address; empty when nothing is known."""
    return _BROUGHT_BY.get(program_name(program), "")


def located(config: ServerConfig, resolve: Resolve) -> ProgramLocation:
    """Return which program a server is, found as it is when the server starts. It looks at the disk.

    Args:
        resolve: Fills entries in.
    """
    if config.transport is not Transport.STDIO:
        return ProgramLocation()
    path = {name: text for name, text in config.env.items() if name.upper() in {"PATH", "PATHEXT"}}
    # Nothing else decides which file is started, and some of it may not be filled in yet.
    deciding = config.model_copy(update={"args": (), "env": path, "url": "", "headers": {}, "client": None})
    try:
        target = resolve(deciding)
        return ProgramLocation(find_program(target.argv[0], target.cwd or Path.home(), environment(target.env)))
    except (ToolFailure, ServerConfigError) as error:
        brought = what_brings(config.command)
        return ProgramLocation(problem=str(error), advice=f"Install {brought}" if brought else "")
    except (OSError, ValueError) as error:
        return ProgramLocation(problem=f"{config.command!r} cannot be looked for: {error}")
