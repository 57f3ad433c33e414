"""Take a command line apart as a shell would, without one: words, variables, and what only a shell can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_PROMPT: Final = re.compile(
    r"[ \t]*(?:PS(?: [A-Za-z]:[^>\n]*)?> ?|[A-Za-z]:\\[^>\n]*> ?|[\w.@~:/-]*[$%][ \t]+|>[ \t]+)"
)
"""What a terminal writes before a command."""

_WINDOWS_VARIABLE: Final = re.compile(r"(?<![\w%/?&])%([A-Z_][A-Z0-9_]{2,})%(?![0-9A-F]{2})|\$env:([A-Za-z_]\w*)")
"""A variable as Windows writes it, and nothing of an address with `%E2%80` in it."""

_WINDOWS: Final = re.compile(
    rf"(?<![A-Za-z])[A-Za-z]:\\|(?<!\S)\\\\\w|\.(?:exe|cmd|bat|ps1)(?![\w.])|{_WINDOWS_VARIABLE.pattern}"
)
_PLACEHOLDER: Final = re.compile(r"<[A-Za-z](?:[^<>|&;\n]{0,80}[^<>|&;\s])?>")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACED: Final = re.compile(r"\$\{[^{}\n]*\}")
_OPERATORS: Final = ("&&", "||", ">>", "<<", ";", "|", "&", ">", "<", "\n")
_SEPARATORS: Final = frozenset({"&&", ";", "\n"})
_FOLDERS: Final = {"PWD": "${workspaceFolder}", "CD": "${workspaceFolder}", "HOME": "${userHome}"}
_WINDOWS_FOLDERS: Final = {**_FOLDERS, "USERPROFILE": "${userHome}"}


class ShellToken(NamedTuple):
    """A word or an operator of a command line.

    Attributes:
        text: The word without its quotes, or the operator.
        is_quoted: Whether any of the word stood in quotes.
    """

    text: str
    is_operator: bool = False
    is_quoted: bool = False


def without_prompt(line: str) -> str:
    """Return a line without what a terminal writes before a command, such as `$ `."""
    found = _PROMPT.match(line)
    return line[found.end() :] if found else line


def commands_in(text: str) -> Iterator[tuple[ShellToken, ...]]:
    """Take a text apart into its commands, which `&&`, `;` or the end of a line part.

    Raises:
        ValueError: When it cannot be done without a shell; the message says which part needs one.
    """
    lines = "\n".join(without_prompt(line) for line in text.split("\n"))
    found: list[ShellToken] = []
    for part in _parts(lines):
        if not part.is_operator:
            found.append(part)
        elif part.text not in _SEPARATORS:
            raise ValueError(f"{part.text!r} needs a shell; paste only the command that starts the server")
        elif found:
            yield tuple(found)
            found = []
    if found:
        yield tuple(found)


def _parts(text: str) -> Iterator[ShellToken]:
    is_windows = _WINDOWS.search(text) is not None
    reading = _WindowsWord(text) if is_windows else _Word(text)
    place = 0
    while place < len(text):
        letter = text[place]
        operator = next((sign for sign in _OPERATORS if text.startswith(sign, place)), "")
        if letter == "<" and _PLACEHOLDER.match(text, place):
            operator = ""
        if operator:
            yield ShellToken(operator, is_operator=True)
            place += len(operator)
        elif letter.isspace():
            place += 1
        elif letter == "#" and not is_windows:
            end = text.find("\n", place)
            place = len(text) if end < 0 else end
        elif (after := reading.continued(place)) > place:
            place = after
        else:
            part, place = reading.word(place)
            yield part


class _Word:
    """Read words as a POSIX shell does: variables are written as entries have them, code to be run is refused."""

    escape = "\\"
    quotes = "\"'"
    folders = _FOLDERS

    def __init__(self, text: str) -> None:
        self.text = text

    def continued(self, place: int) -> int:
        """Return the place behind a line's end that does not end the command; the same place when none is there."""
        found = re.compile(r"[\\`^][ \t]*(?:\r?\n|$)").match(self.text, place)
        return found.end() if found else place

    def word(self, place: int) -> tuple[ShellToken, int]:
        """Return the word that begins at a place, and the place behind it."""
        letters: list[str] = []
        is_quoted, start, text = False, place, self.text
        while place < len(text) and not text[place].isspace() and self.continued(place) == place:
            letter = text[place]
            placeholder = _PLACEHOLDER.match(text, place)
            if placeholder:
                letters.append(placeholder[0])
                place = placeholder.end()
            elif any(text.startswith(sign, place) for sign in _OPERATORS) and not self._is_in_address(start, place):
                break
            elif letter in self.quotes:
                is_quoted = True
                inside, place = self._quoted(place)
                letters.append(inside)
            elif letter == "~" and place == start and re.compile(r"~(?=[/\\\s]|$)").match(text, place):
                letters.append("${userHome}")
                place += 1
            else:
                more, place = self._plain(place)
                letters.append(more)
        return ShellToken("".join(letters), is_quoted=is_quoted), place

    def _is_in_address(self, start: int, place: int) -> bool:
        """Say whether `&` or `;` belongs to an address that nobody put into quotes, as people paste them."""
        word = self.text[start:place]
        follows = self.text[place + 1 : place + 2]
        return self.text[place] == "&" and "://" in word and "?" in word and bool(follows) and follows not in " \t\n&"

    def _quoted(self, place: int) -> tuple[str, int]:
        quote, letters, text = self.text[place], list[str](), self.text
        place += 1
        while place < len(text):
            letter = text[place]
            if letter == quote:
                return "".join(letters), place + 1
            if quote == "'":
                letters.append(letter)
                place += 1
            elif letter == self.escape and text[place + 1 : place + 2] in {'"', "\\", "$", "`", "\n"}:
                letters.append("" if text[place + 1] == "\n" else text[place + 1])
                place += 2
            elif letter in "$`%":
                more, place = self._variable(place)
                letters.append(more)
            else:
                letters.append(letter)
                place += 1
        raise ValueError(f"the quote {quote} has no end; paste the whole command")

    def _plain(self, place: int) -> tuple[str, int]:
        letter = self.text[place]
        if letter == "\\" and place + 1 < len(self.text):
            return self.text[place + 1], place + 2
        if letter in "$`":
            return self._variable(place)
        return letter, place + 1

    def _variable(self, place: int) -> tuple[str, int]:
        text = self.text
        if text.startswith("$(pwd)", place):
            return "${workspaceFolder}", place + len("$(pwd)")
        if text[place] == "`" or text.startswith("$(", place):
            raise ValueError("what stands in $(…) or `…` needs a shell; put what comes of it in its place")
        braced = _BRACED.match(text, place)
        if braced:
            return self.folders.get(braced[0][2:-1], braced[0]), braced.end()
        name = _NAME.match(text, place + 1) if text[place] == "$" else None
        if name:
            return self.folders.get(name[0], f"${{{name[0]}}}"), name.end()
        return text[place], place + 1


class _WindowsWord(_Word):
    """Read words as Windows does: a backslash is a letter of a path, and only double quotes hold words together."""

    escape = ""
    folders = _WINDOWS_FOLDERS

    def _quoted(self, place: int) -> tuple[str, int]:
        quote, letters, text = self.text[place], list[str](), self.text
        place += 1
        while place < len(text):
            if text.startswith('\\"', place) and quote == '"' and not self._ends_word(place + 2):
                letters.append('"')
                place += 2
            elif text[place] == quote:
                return "".join(letters), place + 1
            elif text[place] in "%$" and quote == '"':
                more, place = self._variable(place)
                letters.append(more)
            else:
                letters.append(text[place])
                place += 1
        raise ValueError(f"the quote {quote} has no end; paste the whole command")

    def _ends_word(self, place: int) -> bool:
        """Say whether a word ends here: the backslash before belongs to a folder that stands in quotes."""
        rest = self.text[place:]
        return (not rest or rest[0].isspace()) and '"' not in rest.partition("\n")[0]

    def _plain(self, place: int) -> tuple[str, int]:
        letter = self.text[place]
        return self._variable(place) if letter in "$%" else (letter, place + 1)

    def _variable(self, place: int) -> tuple[str, int]:
        text = self.text
        found = _WINDOWS_VARIABLE.match(text, place)
        if found:
            name = found[1] or found[2]
            return self.folders.get(name.upper(), f"${{{name}}}"), found.end()
        return super()._variable(place) if text[place] == "$" else (text[place], place + 1)
