"""Where the files of APIs are, for programs that look whether there are any before they import what reads them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import platformdirs

from tools.protected import PROJECT_FOLDER

APIS_FILE: Final = "apis.json"
"""The file of APIs, in the settings folder and in a project's `.tool-console`."""

COPIES_FOLDER: Final = "apis"
"""Where the copies of documents are, in the data folder."""


def user_apis_file() -> Path:
    """Return the person's APIs; `TOOL_CONSOLE_CONFIG` moves the folder that the file is in."""
    moved = os.environ.get("TOOL_CONSOLE_CONFIG", "")
    folder = Path(moved) if moved else platformdirs.user_config_path("tool-console", appauthor=False)
    return folder / APIS_FILE


def project_apis_file(project_dir: Path) -> Path:
    """Return the file of a project's APIs."""
    return project_dir / PROJECT_FOLDER / APIS_FILE


def may_have_apis(project_dir: Path) -> bool:
    """Return whether there are files of APIs, or folders that do not let this be known."""
    try:
        return user_apis_file().exists() or project_apis_file(project_dir).exists()
    except OSError:
        return True
