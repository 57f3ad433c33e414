"""Files and folders: list, read, search, write, copy, move, delete."""

from __future__ import annotations

from tools.catalog.files_read import ReadingFiles
from tools.catalog.files_search import SearchingFiles
from tools.catalog.files_write import WritingFiles
from tools.declare import toolkit


@toolkit("Files", category="files", description="Look at files and folders, search them, change them.")
class Files(ReadingFiles, SearchingFiles, WritingFiles):
    """Look at files and folders, search them, change them."""
