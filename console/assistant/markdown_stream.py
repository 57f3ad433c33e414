"""Markdown that is still being written, cut into pieces of which only the last one grows."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_PIECE: Final = 1_500
"""Letters after which a piece ends with its paragraph: laying it out anew takes a few milliseconds."""

_LONGEST: Final = 6_000
"""Letters after which a piece ends with its line, wherever that is."""

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$")
_CONTINUES: Final = re.compile(r"\s|[-*+>|]|\d+[.)]\s")
"""A line that may belong to what stands above an empty line."""

_DELIMITERS: Final = re.compile(r"[ :|-]*-[ :|-]*$")
"""The line under the names of a table's columns."""


class MarkdownPiece(NamedTuple):
    """A part of an answer.

    Attributes:
        text: Markdown, or the lines of a block of code without its fences.
        language: What its fence names; empty for nothing.
    """

    text: str
    is_code: bool = False
    language: str = ""


class MarkdownStream:
    """Take an answer bit by bit, and keep it as pieces.

    Attributes:
        pieces: All pieces; those before the last one never change again.
    """

    def __init__(self) -> None:
        self.pieces: list[MarkdownPiece] = []
        self._fence = ""
        self._line = ""
        self._body: list[str] = []
        self._letters = 0
        self._is_open = False
        self._table: tuple[str, ...] = ()

    def feed(self, text: str) -> None:
        """Take the next words."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._take(self._rest_of(line))
        self._line = self._rest_of(self._line)
        self._show_last()

    def _rest_of(self, line: str) -> str:
        """Take of a very long line of prose what is settled, and return its rest."""
        while len(line) > _LONGEST and not self._fence:
            end = line.rfind(" ", 1, _LONGEST) + 1 or _LONGEST
            self._take(line[:end])
            self._end_piece()
            line = line[end:]
        return line

    def _take(self, line: str) -> None:
        fence = _FENCE.match(line)
        if self._fence:
            if fence is not None and fence[1].startswith(self._fence) and not fence[2]:
                self._end_piece()
                self._fence = ""
            else:
                self._add(line)
            return
        if fence is not None:
            self._table = ()
            self._end_piece()
            self._fence = fence[1]
            self._begin_piece(MarkdownPiece("", is_code=True, language=fence[2]))
            return
        self._cut_table(line)
        ends_paragraph = bool(self._body) and not self._body[-1].strip() and _CONTINUES.match(line) is None
        if (self._letters > _PIECE and line.strip() and ends_paragraph) or self._letters > _LONGEST:
            self._end_piece()
        if line.strip() or self._body:
            self._add(line)

    def _cut_table(self, line: str) -> None:
        """Let a long table go on in another piece, under the names of its columns: a table is laid out as a whole."""
        if "|" not in line:
            self._table = ()
        elif self._table and self._letters > _PIECE:
            self._end_piece()
            for head in self._table:
                self._add(head)
        elif not self._table and self._body and "|" in self._body[-1] and _DELIMITERS.match(line):
            self._table = self._body[-1], line

    def _add(self, line: str) -> None:
        if not self._is_open:
            self._begin_piece(MarkdownPiece(""))
        self._body.append(line)
        self._letters += len(line) + 1

    def _begin_piece(self, piece: MarkdownPiece) -> None:
        self.pieces.append(piece)
        self._body, self._letters, self._is_open = [], 0, True

    def _end_piece(self) -> None:
        if self._is_open:
            self.pieces[-1] = self.pieces[-1]._replace(text="\n".join(self._body).rstrip("\n"))
        self._body, self._letters, self._is_open = [], 0, False

    def _show_last(self) -> None:
        """Bring the last piece up to date, with the line that is not whole yet."""
        may_close = self._fence and self._line.strip().startswith(self._fence[0] * 2)
        line = "" if may_close else self._line
        if line and not self._is_open:
            self._begin_piece(MarkdownPiece(""))
        if self._is_open:
            self.pieces[-1] = self.pieces[-1]._replace(text="\n".join((*self._body, line)).rstrip("\n"))
