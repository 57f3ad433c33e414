"""Search a folder of texts by words, find texts like one, and what a text is about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from annotated_types import Ge, Le, Len

from tools.catalog._bounds import Skipped
from tools.catalog._documents import file_text
from tools.catalog._knowledge import FoundPassage, TextIndex, TextIndexes, words_of
from tools.catalog._paths import need_folder, shown
from tools.catalog._walking import PathKind, is_matched, matcher, walk
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Param, PathRole, ToolExample

Folder = Annotated[Path, Param("The folder to search, with all folders in it"), PathRole()]
Files = Annotated[str, Len(1, 200), Param("Which files, as a pattern like those of .gitignore, such as *.md")]
Limit = Annotated[int, Ge(1), Le(100), Param("The most passages to return")]

_HERE: Final = Path()
_LIKE_WORDS: Final = 25
_MOST_WORDS: Final = 64
_TEXTS: Final = "*"


@dataclass(frozen=True)
class FoundPassages:
    """The passages of a folder's texts that fit, best first.

    Attributes:
        passages: The passages.
        words: The words that were looked for.
        all_words: Whether every passage has all of them; else those with some are returned.
    """

    passages: tuple[FoundPassage, ...]
    words: tuple[str, ...]
    all_words: bool


@toolkit("Knowledge", category="knowledge")
class FolderKnowledge:
    """Search a folder of texts by words, find texts like one, and what a text is about.

    Indexes are kept in memory while the program runs, and made anew when a file changes; nothing is written.
    """

    def __init__(self) -> None:
        self._indexes = TextIndexes()

    @tool(
        keywords=("search", "full text", "notes", "documentation", "rag", "bm25", "passages"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(
                input={"question": "Which licence does the sample have?", "files": "*.md"},
                description="A question to the notes of a project",
            ),
            ToolExample(
                input={"question": "guide", "folder": "docs", "limit": 1}, description="One word in one folder"
            ),
        ),
    )
    def search_texts(
        self,
        question: Annotated[str, Len(1, 1000), Param("Words or a question; word endings do not matter")],
        folder: Folder = _HERE,
        *,
        files: Files = _TEXTS,
        limit: Limit = 8,
        ctx: ToolContext,
    ) -> FoundPassages:
        """Find the passages of a folder's text files that fit a question best, with file and line (BM25).

        It finds words, not meanings: try other words for the same when nothing fits. search_files finds exact text.
        """
        index = self._index(folder, files, ctx)
        words = tuple(dict.fromkeys(words_of(question)))[:_MOST_WORDS]
        if not words:
            raise ToolFailure(f"expected words to look for, got {question!r}")
        found = index.find(words, limit, every=True)
        if found:
            return FoundPassages(tuple(found), words, all_words=True)
        return FoundPassages(tuple(index.find(words, limit, every=False)), words, all_words=False)

    @tool(
        keywords=("similar", "related", "like this", "duplicates", "recommend"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(
                input={"path": "docs/guide.md", "files": "*.md"}, description="Which other notes are like this one"
            ),
            ToolExample(
                input={"path": "docs/guide.md", "folder": "docs", "limit": 2},
                description="The two nearest in one folder",
            ),
        ),
    )
    def find_similar_texts(
        self,
        path: Annotated[Path, Param("The text file"), PathRole()],
        folder: Folder = _HERE,
        *,
        files: Files = _TEXTS,
        limit: Limit = 8,
        ctx: ToolContext,
    ) -> FoundPassages:
        """Find passages of other files in a folder that share the most telling words with a text file."""
        text = file_text(path, ctx)
        index = self._index(folder, files, ctx)
        words = tuple(index.rare_words(text, _LIKE_WORDS))
        found = index.find(words, limit, every=False, apart_from=shown(path, ctx.project_dir))
        return FoundPassages(tuple(found), words, all_words=False)

    @tool(
        keywords=("keywords", "tags", "topics", "summary", "tf-idf"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "docs/guide.md", "count": 5}, description="What a note is about, in five words"),
            ToolExample(
                input={"path": "docs/guide.md", "folder": "docs"}, description="Beside the other files of its folder"
            ),
        ),
    )
    def extract_keywords(
        self,
        path: Annotated[Path, Param("The text file"), PathRole()],
        folder: Folder = _HERE,
        *,
        files: Files = _TEXTS,
        count: Annotated[int, Ge(1), Le(100), Param("The most words to return")] = 15,
        ctx: ToolContext,
    ) -> list[str]:
        """Tell what a text file is about: the words that are frequent in it and rare in the other files of a folder."""
        text = file_text(path, ctx)
        return self._index(folder, files, ctx).rare_words(text, count)

    def _index(self, folder: Path, files: str, ctx: ToolContext) -> TextIndex:
        need_folder(folder, ctx.project_dir)
        wanted, skipped = matcher([files]), Skipped(ctx)
        found = (
            (one.path, shown(one.path, ctx.project_dir))
            for one in walk(folder, ctx, skip_ignored=True, skipped=skipped)
            if one.kind is PathKind.FILE and is_matched(one, wanted)
        )
        return self._indexes.of(folder, found, files, ctx)
