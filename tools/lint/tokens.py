"""What a tool's definition costs in tokens, about: it is sent with every request."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pydantic import JsonValue

from tools import schema
from tools.card import ToolFacts
from tools.lint.findings import Finding
from tools.spec import ToolExample

_PIECE: Final = re.compile(r"[A-Za-z]+|[0-9]{1,3}|[^\sA-Za-z0-9]+|\s+")
_WORD_LETTERS: Final = 9
_SIGNS: Final = 4
_FOREIGN_LETTERS: Final = 2


class TokenCosts(NamedTuple):
    """What a tool costs in each request, in estimated tokens.

    Attributes:
        definition: Name, description and schema of the arguments.
        examples: Each of its examples, in order.
    """

    definition: int
    examples: tuple[int, ...]

    @property
    def total(self) -> int:
        return self.definition + sum(self.examples)


class ToolLint(NamedTuple):
    """What is said of how a tool is described."""

    findings: tuple[Finding, ...]
    costs: TokenCosts


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text is, without the tables of any tokenizer.

    Packages that bring their tables along weigh 7 to 26 MB, and no provider tells how it writes a definition for its
    model: no count could be exact. Measured against o200k (OpenAI), nine of ten definitions of this program's tools
    come out 1 % too small to 8 % too large, of 236 tools of MCP servers 0 to 19 % too large; against tekken (Mistral)
    13 % too small to 14 % too large. Other scripts than Latin are told within a factor of two.
    """
    return sum(map(_piece_tokens, _PIECE.findall(text)))


def _piece_tokens(piece: str) -> int:
    if not piece.isascii():
        return -(-len(piece) // _FOREIGN_LETTERS)
    if piece[0].isalpha():
        return -(-len(piece) // _WORD_LETTERS)
    if piece[0].isdigit():
        return 1
    if piece.isspace():
        return int(piece != " ")
    return -(-len(piece) // _SIGNS)


def token_costs(tool: ToolFacts) -> TokenCosts:
    """Return what a tool costs in each request."""
    definition: dict[str, JsonValue] = {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.input_schema,
    }
    return TokenCosts(_tokens(definition), tuple(map(_example_tokens, tool.spec.examples)))


def _example_tokens(example: ToolExample) -> int:
    return _tokens(example.model_dump(mode="json", exclude_defaults=True))


def _tokens(value: JsonValue) -> int:
    return estimated_tokens(schema.json_text(value))
