"""Look for what a tool's definition tries to do to whoever reads it: findings for a person, never a guarantee.

A new pattern needs a poisoned text in `tests/tools/mcp/descriptions.py` and must not match the honest ones there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice
from typing import Any, Final, NamedTuple

from tools.mcp.confusable_letters import hidden_letters, mixed_words, plain_letters, skeleton, visible_text
from tools.mcp.definitions import JUDGED_KEYS, Definition

MOST_TEXTS: Final = 5_000
"""The most texts of a definition that are looked at."""

LONGEST_TEXT: Final = 100_000
"""Letters of a text that are looked at."""

MOST_LETTERS: Final = 1_000_000
"""Letters of a definition that are looked at, all its texts together."""

MOST_FINDINGS: Final = 100
"""The most findings of one definition."""

_EXCERPT_LETTERS: Final = 80


class PoisoningKind(StrEnum):
    """What a finding is about."""

    INSTRUCTION = "instruction"
    CONCEALMENT = "concealment"
    INVISIBLE = "invisible"
    SECRET = "secret"  # noqa: S105 -- the word for a kind of finding
    OTHER_TOOL = "other_tool"
    LOOK_ALIKE = "look_alike"
    PAYLOAD = "payload"


class PoisoningFinding(NamedTuple):
    """One thing in a definition that a person should look at.

    Attributes:
        words: What is wrong, in one sentence.
        where: The text it is in, such as `description` or `inputSchema.properties.note.description`.
        start: Its first letter in that text.
        end: Behind its last letter.
        excerpt: The place as it may be shown: hidden letters by their numbers.
    """

    trick: PoisoningKind
    words: str
    where: str
    start: int
    end: int
    excerpt: str


class _Sign(NamedTuple):
    trick: PoisoningKind
    words: str
    pattern: re.Pattern[str]


def _sign(trick: PoisoningKind, words: str, pattern: str) -> _Sign:
    return _Sign(trick, words, re.compile(pattern, re.VERBOSE | re.IGNORECASE))


_TOLD_IN_CONFIDENCE: Final = r"""(?: (?:api|access|secret|private|ssh|encryption)[\s_-]?keys? | passwords?
    | passphrases? | credentials? | (?:access|auth|bearer|session|api)[\s_-]?tokens? | secrets | cookies | seed\s+phrase
    | (?:system|previous|above)\s+prompt | (?:conversation|chat)\s+(?:history|log) | environment\s+variables? )"""

_SIGNS: Final = (
    _sign(
        PoisoningKind.INSTRUCTION,
        "it tells the reader to forget what it was told",
        r"""\b(?:ignore|disregard|forget|override|bypass)\b [^.\n]{0,30}
            \b(?:previous|prior|earlier|above|preceding|other|all|any|your|system|safety)\b [^.\n]{0,20}
            \b(?:instructions?|prompts?|rules?|guidelines?|directions?|policies|policy|restrictions?|messages?)\b""",
    ),
    _sign(
        PoisoningKind.INSTRUCTION,
        "it speaks in the place of the system or the person",
        r"""< \s*/?\s* (?:important|system|secret|instructions?|hidden|admin|assistant|critical|override|sys)
            [^<>\n]{0,40} > | \[/?(?:INST|SYSTEM|IMPORTANT\ INSTRUCTIONS?)\] | <\|[a-z_]{2,20}\|>
            | (?m:^)[ \t]*\#{2,}[ \t]*(?:system|instructions?\ for\ (?:the\ )?(?:ai|model|assistant|agent|llm))\b
            | \b(?:system|developer)\s+(?:message|prompt|override)\s*: """,
    ),
    _sign(
        PoisoningKind.INSTRUCTION,
        "it gives the model orders beyond what the tool does",
        r"""\b(?:(?:you|the\ (?:ai|model|assistant|agent|llm))\s+(?:must|shall|have\ to|are\ required\ to)
            \s+(?:always|first|never|also|silently)\b
            | (?:before|prior\ to)\s+(?:using|calling|invoking|running|executing)\s+(?:this|any|other|the)\s+
              (?:other\s+)? (?:tools?|functions?)\s*,?\s+
              (?:you\s+(?:must|should|need\ to)\s+|please\s+|always\s+|first\s+)*
              (?:read|open|send|call|fetch|run|execute|access|list|cat|get|load|collect|include)\b
            | (?:always|first)\s+(?:call|run|use|invoke)\s+this\s+(?:tool|function)\s+
              (?:before|first|whenever|on\ every)
            | you\s+are\s+now\s+(?:a|an|in)\b | from\s+now\s+on\s*,?\s+you\b | new\s+instructions?\s*: )""",
    ),
    _sign(
        PoisoningKind.CONCEALMENT,
        "it asks to keep something from the person",
        r"""\b(?:do\ not|don['’]?t|never|must\ not|should\ not|shouldn['’]?t|without|avoid|no\ need\ to)\s+
            (?:ever\s+|explicitly\s+)?
            (?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|reveal(?:ing)?|show(?:ing)?|disclos(?:e|ing)
              |alert(?:ing)?|ask(?:ing)?|report(?:ing)?|explain(?:ing)?|display(?:ing)?)\b
            [^.\n]{0,40}\b(?:users?|humans?|person|people|operator|customer|anyone|anybody|them|him|her)\b
            | \b(?:hide|conceal|keep)\b[^.\n]{0,40}\b(?:from|secret\ from)\s+(?:the\s+|your\s+)?
              (?:users?|human|operator)\b
            | \bwithout\s+(?:the\s+|their\s+)?(?:users?|human|operator)(?:['’]s)?\s+(?:\w+\s+)?
              (?:knowledge|knowing|noticing|consent|approval|permission|confirmation|awareness)\b
            | \b(?:do\ not|don['’]?t|never)\s+(?:mention|reveal|disclose)\s+(?:this|these|that|it|the\ above)\b
            | \bsilently\s+(?:\w+\s+)?
              (?:send|read|copy|forward|upload|include|call|run|execute|append|add|collect)\w*""",
    ),
    _sign(
        PoisoningKind.SECRET,
        "it names a place where secrets are kept",
        r"""~?/?\.ssh\b(?:/\w+)? | \bid_(?:rsa|ed25519|ecdsa|dsa)\b | \.aws/credentials | \.kube/config
            | \.(?:netrc|pgpass|npmrc|pypirc|git-credentials)\b | /etc/(?:shadow|passwd)\b | \.docker/config\.json
            | \.(?:cursor|claude|vscode|codeium)/\S*\.json | \bclaude_desktop_config\.json | \bkeychain\b | wallet\.dat
            | \.config/gh/hosts | \bbrowser\s+cookies\b | /proc/(?:self|\d+)/environ""",
    ),
    _sign(
        PoisoningKind.SECRET,
        "it asks for secrets, or for what was said before",
        rf"""\b(?:read|send|include|pass|provide|append|attach|copy|forward|upload|collect|extract|leak|exfiltrate|dump
              |paste|put|insert|share|transmit|find)\b
            \s+ (?:(?:me|us|it|all|any|the|your|user['’]?s?|their|its|full|entire|complete|whole|current|available
              |stored|content|contents|value|values|of|and|along|with|local|every)\s+){{1,5}}
            {_TOLD_IN_CONFIDENCE}\b""",
    ),
    _sign(
        PoisoningKind.SECRET,
        "it wants something sent to an address",
        r"""\b(?:send|post|forward|upload|transmit|exfiltrate|copy|bcc|cc|report|leak)\b [^.\n]{0,80}
            \b(?:contents?|results?|outputs?|conversation|history|messages?|emails?|data|arguments?|responses?|files?)\b
            [^.\n]{0,60} (?:\bto\b|\bvia\b|\bat\b) [^.\n]{0,20} (?:https?://\S | \b[\w.+-]{1,64}@[\w-]{1,64}\.\w)""",
    ),
    _sign(
        PoisoningKind.PAYLOAD,
        "it carries a command that loads and runs something",
        r"""\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|;]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b
            | \b(?:bash|sh|zsh)\s+(?:-c\s+)?["']?<?\(?\s*\$?\(?\s*(?:curl|wget)\b | \bbase64\s+(?:-d|--decode)\b
            | \brm\s+-[a-z]*[rf][a-z]*\s+(?:~|/|\$HOME)(?:\s|$)""",
    ),
    _sign(PoisoningKind.PAYLOAD, "it holds a comment that is not shown as text", r"<!--"),
    _sign(
        PoisoningKind.PAYLOAD,
        "it holds a long piece that nobody can read",
        r"""(?<![A-Za-z0-9+/=_-]) (?=[A-Za-z0-9+/_-]*[A-Z]) (?=[A-Za-z0-9+/_-]*[a-z]) (?=[A-Za-z0-9+/_-]*[0-9])
            [A-Za-z0-9+/_-]{100,}={0,2} | \b(?:[0-9a-f]{2}\s?){64,} | data:[\w.+-]+/[\w.+-]+;base64,""",
    ),
    _sign(
        PoisoningKind.INVISIBLE,
        "a wide gap pushes what follows out of sight",
        r"""(?<![ \t\u00a0\u2000-\u200a\u3000])[ \t\u00a0\u2000-\u200a\u3000]{40,}+(?=\S)
            | (?<![ \t\n])(?:[ \t]*+\n){12,}+(?=[ \t]*+\S)""",
    ),
    _sign(
        PoisoningKind.OTHER_TOOL,
        "it says what is to happen when other tools are used",
        r"""\b(?:when(?:ever)?|if|before|after|while|any\ time|every\ time|each\ time)\b [^.\n]{0,30}
            \b(?:us(?:ed?|ing)|call(?:ing|s|ed)?|invok(?:e|ing)|run(?:ning)?|receiv(?:e|ing)|send(?:ing)?)\b
            [^.\n]{0,30} \b(?:any\ other|another|other|all\ other|the\ other|all|every)\s+
            (?:\w+\s+)?(?:tools?|functions?|servers?)\b
            | \b(?:when(?:ever)?|if|before|after|while)\s+(?:any\ other|another|every\ other|all\ other)\s+
              (?:\w+\s+)?(?:tools?|functions?|servers?)\b
            | \b(?:instead\ of|rather\ than|replaces?|supersedes?|in\ place\ of)\s+(?:using\s+)?
              (?:any|all|every)\s+(?:other\s+)?(?:\w+\s+)?tools?\b
            | \b(?:tool|function)\s+(?:is\s+|was\s+)?(?:deprecated|broken|compromised|insecure|disabled)\b[^.\n]{0,40}
              \buse\s+this\b""",
    ),
)


def suspicions(
    definition: Definition, others: Mapping[str, Iterable[str]] | None = None
) -> tuple[PoisoningFinding, ...]:
    """Return what in a definition a person should look at.

    Args:
        others: Names of the tools of other servers, by server; None knows of none.
    """
    found: list[PoisoningFinding] = []
    known = {name: server for server, names in (others or {}).items() for name in names}
    pattern = _names_pattern(name for name in known if name != definition.name)
    left = MOST_LETTERS
    for where, text in islice(texts_of(definition), MOST_TEXTS):
        if left <= 0 or len(found) >= MOST_FINDINGS:
            break
        looked_at = text[: min(left, LONGEST_TEXT)]
        left -= len(looked_at)
        found += islice(_in_text(where, looked_at), MOST_FINDINGS)
        if len(text) > len(looked_at):
            words = f"only the first {len(looked_at):,} of {len(text):,} letters were looked at"
            found.append(_suspicion(PoisoningKind.PAYLOAD, words, where, text, (len(looked_at), len(text))))
        if pattern is not None and where != "name":
            found += _other_tools(where, looked_at, pattern, known)
    found += _look_alikes(definition, known)
    return tuple(found[:MOST_FINDINGS])


def texts_of(definition: Definition) -> Iterator[tuple[str, str]]:
    """Yield every text of a definition that a model or a person may read, names of arguments too, with its place."""
    for key in JUDGED_KEYS:
        yield from _texts(key, definition.raw.get(key))


def _texts(where: str, value: Any) -> Iterator[tuple[str, str]]:
    # No recursion: what a server sends may be as deep as it likes.
    waiting: list[tuple[str, Any]] = [(where, value)]
    while waiting:
        place, part = waiting.pop()
        if isinstance(part, str):
            yield place, part
        elif isinstance(part, dict):
            waiting += [(f"{place}.{name}", inside) for name, inside in reversed(part.items())]
            yield from ((f"{place}.{name}", name) for name in part if not name.isalpha() or not name.isascii())
        elif isinstance(part, list):
            waiting += [(f"{place}[{number}]", inside) for number, inside in reversed(list(enumerate(part)))]


def _in_text(where: str, text: str) -> Iterator[PoisoningFinding]:
    for start, end, words in hidden_letters(text):
        yield _suspicion(PoisoningKind.INVISIBLE, words, where, text, (start, end))
    for start, end in mixed_words(text):
        yield _suspicion(PoisoningKind.LOOK_ALIKE, "a word mixes letters of several scripts", where, text, (start, end))
    # Words are looked for as they would be read: hidden letters between theirs, or odd forms of them, are no way out.
    plain, places = plain_letters(text)
    seen: set[tuple[PoisoningKind, int]] = set()
    for sign in _SIGNS:
        for match in sign.pattern.finditer(plain):
            start, end = places[match.start()], places[match.end() - 1] + 1
            if (sign.trick, start) not in seen:
                seen.add((sign.trick, start))
                yield _suspicion(sign.trick, sign.words, where, text, (start, end))


def _other_tools(
    where: str, text: str, pattern: re.Pattern[str], known: Mapping[str, str]
) -> Iterator[PoisoningFinding]:
    for match in pattern.finditer(text):
        words = f"it speaks of the tool {match[0]!r} of {known[match[0]]}"
        yield _suspicion(PoisoningKind.OTHER_TOOL, words, where, text, match.span())


def _names_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds names that are no ordinary words, such as `send_email`."""
    telling = sorted({name for name in names if re.search(r"[A-Za-z][_.\-/][A-Za-z]|[a-z][A-Z]", name)}, reverse=True)
    if not telling:
        return None
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, telling))})(?![\w-])")


def _look_alikes(definition: Definition, known: Mapping[str, str]) -> Iterator[PoisoningFinding]:
    name = definition.name
    if not name.isascii():
        yield _suspicion(
            PoisoningKind.LOOK_ALIKE, "its name has letters beyond plain ones", "name", name, (0, len(name))
        )
    shape = skeleton(name)
    for other, server in known.items():
        if other != name and skeleton(other) == shape:
            words = f"its name looks like {other!r} of {server}, and is another one"
            yield _suspicion(PoisoningKind.LOOK_ALIKE, words, "name", name, (0, len(name)))


def _suspicion(trick: PoisoningKind, words: str, where: str, text: str, span: tuple[int, int]) -> PoisoningFinding:
    start, end = span
    margin = max(0, (_EXCERPT_LETTERS - (end - start)) // 2)
    first, last = max(0, start - margin), min(len(text), end + margin, start + 2 * _EXCERPT_LETTERS)
    dots = ("…" if first else "", "…" if last < len(text) else "")
    return PoisoningFinding(trick, words, where, start, end, f"{dots[0]}{visible_text(text[first:last])}{dots[1]}")
