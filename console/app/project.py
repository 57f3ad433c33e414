"""The project folder: what relative paths mean, and the sample that stands in for it on a first start."""

from __future__ import annotations

import shutil
from pathlib import Path

import platformdirs

from console.assets import resource_path


def branch_of(folder: Path) -> str:
    """Return the git branch a folder is on, from its files; empty when there is none."""
    for candidate in (folder, *folder.parents):
        marker = candidate / ".git"
        try:
            if marker.is_file():
                marker = (candidate / marker.read_text("utf-8").removeprefix("gitdir:").strip()).resolve()
            head = (marker / "HEAD").read_text("utf-8").strip()
        except OSError:
            continue
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref:") else head[:9]
    return ""


def sample_project(data_dir: Path | None = None) -> Path:
    """Return a small project to try tools on, made when it is not there yet.

    Args:
        data_dir: Where it is put; None is the user's data folder.
    """
    target = (data_dir or platformdirs.user_data_path("tool-console")) / "support-agent"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(resource_path("samples", "support-agent"), target, ignore=shutil.ignore_patterns("__pycache__"))
    return target
