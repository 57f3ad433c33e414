"""Files and folders: list, read, search, compare, write, copy, move, rename, delete, watch."""

from __future__ import annotations

from tools.catalog.files_compare import ComparingFiles
from tools.catalog.files_read import ReadingFiles
from tools.catalog.files_rename import RenamingFiles
from tools.catalog.files_search import SearchingFiles
from tools.catalog.files_watch import WatchingFiles
from tools.catalog.files_write import WritingFiles
from tools.declare import toolkit


@toolkit("Files", category="files", description="Look at files and folders, search them, change them.")
class Files(ReadingFiles, SearchingFiles, ComparingFiles, WatchingFiles, WritingFiles, RenamingFiles):
    """Look at files and folders, search them, change them."""
