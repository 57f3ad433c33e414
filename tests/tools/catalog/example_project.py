"""The project that the examples of the built-in tools run in: whoever adds an example puts here what it needs."""

from __future__ import annotations

import hashlib
import zipfile
from typing import TYPE_CHECKING

from tests.tools.catalog.sample_project import make_project
from tests.tools.catalog.test_git import Repo

if TYPE_CHECKING:
    from pathlib import Path


def make_example_project(folder: Path) -> Path:
    """Make the sample project as a git repository with a past and a staged file."""
    project = make_project(folder)
    (project / "data/SHA256SUMS").write_text(f"{hashlib.sha256(b'').hexdigest()}  README.md\n")
    with zipfile.ZipFile(project / "data/old.zip", "w") as archive:
        archive.writestr("old.md", "# Old\n")
    repo = Repo(project)
    repo.commit("First", **{"libs/parser/x": "1\n", "build/y": "2\n"})
    repo.git("tag", "v1.0")
    repo.commit("Second", **{"libs/parser/x": "2\n"})
    repo.write("libs/new", "3\n")
    repo.git("add", "libs/new")
    return project
