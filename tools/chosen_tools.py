"""Which of the built-in tools a person sees first: 20 to 40 of them, by what the project folder holds."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

FEWEST: Final = 20
MOST: Final = 40
"""How many tools are chosen."""

_DEEPEST: Final = 2
_MOST_ENTRIES: Final = 2_000
_SKIPPED: Final = frozenset(
    {"__pycache__", "build", "dist", "node_modules", "site-packages", "target", "vendor", "venv"}
)


class ProjectKind(NamedTuple):
    """Something that a project folder may hold.

    Attributes:
        patterns: Names of files or folders that show it, in small letters; one is enough.
        tools: The tools for it, the most useful first.
    """

    name: str
    patterns: tuple[str, ...]
    tools: tuple[str, ...]


ALWAYS: Final = (
    "list_files",
    "read_file",
    "find_files",
    "search_files",
    "write_file",
    "edit_file",
    "run_command",
    "fetch_page",
    "http_request",
    "web_search",
    "calculate",
    "current_time",
    "human_input",
    "tool_search",
)
"""Chosen whatever the folder holds."""

KINDS: Final = (
    ProjectKind(
        "git",
        (".git",),
        ("git_status", "git_diff", "git_log", "git_show", "git_blame", "git_commit", "git_switch_branch"),
    ),
    ProjectKind(
        "source code",
        (
            *(
                "*.py",
                "*.js",
                "*.jsx",
                "*.ts",
                "*.tsx",
                "*.go",
                "*.rs",
                "*.java",
                "*.kt",
                "*.c",
                "*.cc",
                "*.cpp",
                "*.h",
            ),
            *("*.cs", "*.rb", "*.php", "*.swift", "*.scala", "*.lua", "*.sh"),
        ),
        ("outline_file", "find_symbols", "find_references", "find_todos", "replace_in_files", "apply_patch_to_file"),
    ),
    ProjectKind(
        "build",
        (
            *("pyproject.toml", "setup.py", "tox.ini", "noxfile.py", "package.json", "go.mod", "cargo.toml", "pom.xml"),
            *("build.gradle*", "makefile", "cmakelists.txt", "justfile", "composer.json", "gemfile"),
        ),
        ("run_tests", "lint_code", "format_code", "run_build_target", "list_dependencies", "find_vulnerabilities"),
    ),
    ProjectKind(
        "tables",
        ("*.csv", "*.tsv", "*.parquet", "*.jsonl", "*.ndjson", "*.feather"),
        ("read_csv", "profile_table", "query_files", "select_rows", "join_tables", "draw_chart", "diff_tables"),
    ),
    ProjectKind(
        "databases",
        ("*.sqlite", "*.sqlite3", "*.db", "*.db3", "*.duckdb"),
        ("list_tables", "describe_table", "query_database", "explain_query", "export_query"),
    ),
    ProjectKind(
        "structured data",
        ("*.json", "*.yaml", "*.yml", "*.toml", "*.xml"),
        ("query_json", "edit_data", "convert_data", "validate_json", "diff_data"),
    ),
    ProjectKind(
        "PDF files",
        ("*.pdf",),
        ("read_pdf", "inspect_pdf", "search_documents", "merge_pdfs", "extract_pdf_pages"),
    ),
    ProjectKind("Word files", ("*.docx",), ("read_docx", "replace_in_docx", "write_docx", "convert_document")),
    ProjectKind("workbooks", ("*.xlsx", "*.xlsm"), ("read_xlsx", "list_sheets", "update_xlsx", "write_xlsx")),
    ProjectKind(
        "texts",
        ("*.md", "*.markdown", "*.rst", "*.html", "*.htm", "*.epub"),
        ("outline_document", "search_texts", "check_links", "markdown_to_html", "html_to_markdown"),
    ),
    ProjectKind(
        "pictures",
        tuple(f"*.{end}" for end in ("png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff")),
        ("image_info", "resize_image", "convert_image", "crop_image", "recognize_text"),
    ),
    ProjectKind(
        "sound and film",
        tuple(f"*.{end}" for end in ("mp3", "wav", "flac", "ogg", "m4a", "mp4", "mkv", "mov", "avi", "webm")),
        ("media_info",),
    ),
    ProjectKind("logs", ("*.log", "*.log.*", "logs"), ("summarize_log", "get_log_matches", "get_log_chunk")),
    ProjectKind(
        "archives",
        tuple(f"*.{end}" for end in ("zip", "tar", "tgz", "gz", "bz2", "xz", "whl", "jar")),
        ("list_archive", "extract_archive", "create_archive"),
    ),
    ProjectKind("mail", ("*.eml", "*.mbox"), ("read_email_file", "compose_email", "search_mail")),
    ProjectKind("calendars", ("*.ics",), ("read_calendar", "plan_meeting", "make_event")),
    ProjectKind("keys", ("*.pem", "*.crt", "*.cer", "*.key"), ("read_certificate", "inspect_certificate")),
    ProjectKind(
        "CI of a forge",
        (".github", ".gitlab-ci.yml"),
        ("list_issues", "list_pull_requests", "list_ci_runs", "read_ci_run"),
    ),
)
"""What is looked for; where there is not room for all, each gives its first tools before any gives its further ones."""

FURTHER: Final = (
    "read_csv",
    "query_json",
    "diff_files",
    "page_links",
    "search_wikipedia",
    "list_archive",
    "convert_units",
    "count_text",
)
"""Chosen where a folder holds little."""


def choose_tools(folder: Path | None) -> tuple[str, ...]:
    """Return the names of the built-in tools to show first for a project folder.

    Files are only listed, not opened, and no more than some thousand names of the top levels are looked at. What cannot
    be listed counts as empty.

    Args:
        folder: The project folder; None is none.

    Returns:
        `FEWEST` to `MOST` names, the most useful first.
    """
    names = set(islice(_names(folder), _MOST_ENTRIES)) if folder is not None else set()
    kinds = [kind for kind in KINDS if any(fnmatchcase(name, form) for form in kind.patterns for name in names)]
    in_turn = (name for turn in zip_longest(*(kind.tools for kind in kinds)) for name in turn if name)
    chosen = list(islice(dict.fromkeys((*ALWAYS, *in_turn)), MOST))
    return tuple(chosen if len(chosen) >= FEWEST else islice(dict.fromkeys((*chosen, *FURTHER)), FEWEST))


def _names(folder: Path) -> Iterator[str]:
    """Give the names below a folder in small letters, the upper levels first; links to folders are not followed."""
    waiting = deque([(str(folder), 0)])
    while waiting:
        path, depth = waiting.popleft()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    name = entry.name.casefold()
                    yield name
                    hidden = name.startswith(".") or name in _SKIPPED
                    if depth < _DEEPEST and not hidden and entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, depth + 1))
        except OSError:
            continue
