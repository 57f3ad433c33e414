"""What a server may be sent when it is only to read."""

from __future__ import annotations

import re
from typing import Final

from tools.errors import ToolFailure

# A comment inside a comment ends it elsewhere on each server, so none is skipped.
_SPACE: Final = re.compile(r"(\s|--[^\n]*(\n|$)|#[^\n]*(\n|$)|/\*((?!/\*|\*/).)*\*/)*", re.DOTALL)
_WORD: Final = re.compile(r"\(|[A-Za-z]+")
_HIDDEN: Final = re.compile(r"/\*M?!", re.IGNORECASE)
_FILE_WORDS: Final = re.compile(r"outfile|dumpfile|load_file", re.IGNORECASE)


def need_reading(sql: str, words: frozenset[str], *, mysql: bool = False) -> None:
    """Check that a statement begins like one that reads.

    The server keeps the transaction from writing. Here is refused what such a transaction would still do: copy rows
    into files, end other sessions, change settings.

    Args:
        words: With which it may begin, in small letters.
        mysql: Whether comments may hold statements, and SELECT may write files.

    Raises:
        ToolFailure: It does not.
    """
    if mysql and _HIDDEN.search(sql):
        raise ToolFailure("a comment that begins with /*! is a part of the statement; write it without")
    if mysql and (found := _FILE_WORDS.search(sql)):
        raise ToolFailure(f"{found[0].upper()} reads or writes files of the server, which is not allowed here")
    space = _SPACE.match(sql)
    word = _WORD.match(sql, space.end() if space else 0)
    if word is None or word[0].lower() not in words:
        allowed = ", ".join(sorted(name.upper() for name in words if name.isalpha()))
        came = word[0].upper() if word else sql.strip()[:20]
        raise ToolFailure(f"expected a statement that begins with one of {allowed}, got {came!r}; see change_database")
