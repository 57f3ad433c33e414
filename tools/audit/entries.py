"""Audit entries: how one becomes a line of text, how lines are chained, and how a line is checked.

```text
{"seq":N,"prev":P,"hash":H,"seal":K,"salt":S,"body":{facts},
 "values":{name: value},"salts":{name: salt},"withheld":{name: commitment}}
```

`H` is the SHA-256 of `N`, `P` and the body's digest; the body's digest is taken from `S`, the facts and one commitment
for each value: the SHA-256 of its salt and its JSON text. So a value and its salt can be taken out of a line and the
commitment left in their place (`withheld`), and the line is still checked. In a line that is left out of an export, the
body's digest stands for all of it. `K`, where there is a key, is an HMAC of `H`. Groups that are empty are not there.

Facts and values are hashed letter by letter as they stand in the line, so nobody has to write JSON as we do to check
it: `1` is not `1.0`, and no space, escape or order of keys can be changed without being seen.
"""

from __future__ import annotations

import hmac
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pydantic import JsonValue
from pydantic_core import PydanticSerializationError, to_json

GENESIS: Final = "0" * 64
"""What the first entry has before it."""
SEAL_LETTERS: Final = 32
SALT_BYTES: Final = 16
_SALT_LETTERS: Final = SALT_BYTES * 2
_DEEPEST: Final = 50
_LARGEST: Final = 1 << 53
"""Greater numbers are written as hexadecimal text when a structure cannot be written as it is."""

_NO_COMMITMENTS: Final[Mapping[str, str]] = MappingProxyType({})

_HEX: Final = "[0-9a-f]"
_START: Final = re.compile(
    rf'\{{"seq":([1-9][0-9]*),"prev":"({_HEX}{{64}})","hash":"({_HEX}{{64}})",(?:"seal":"({_HEX}{{32}})",)?'
    rf'(?:"body":"({_HEX}{{64}})"\}}|"salt":"({_HEX}{{32}})","body":)'
)
_VALUES: Final = ',"values":{'
_VALUE_NAME: Final = re.compile(r',?"([a-z_]+)":')
_SALTS: Final = re.compile(rf'\}},"salts":(\{{(?:,?"[a-z_]+":"{_HEX}{{32}}")+\}})')
_REST: Final = re.compile(rf'(?:,"withheld":(\{{(?:,?"[a-z_]+":"{_HEX}{{64}}")+\}}))?\}}')
_MOST_DIGITS: Final = 4000


def _number(digits: str) -> int | str:
    # Python refuses to read longer numbers, lest they take for ever.
    return int(digits) if len(digits) < _MOST_DIGITS else digits


_scan: Final = json.JSONDecoder(parse_int=_number).raw_decode


class EntryError(Exception):
    """Report a line that is no entry as it was written; the message says what is wrong with it."""


class Draft(NamedTuple):
    """What an entry says, before it has a place in the chain.

    Attributes:
        facts: What anybody may read, in every export.
        values: What an export may leave out.
        withheld: What is not written at all; its commitment stands for it.
    """

    facts: dict[str, JsonValue]
    values: dict[str, JsonValue]
    withheld: dict[str, JsonValue]


class Entry(NamedTuple):
    """A line that is whole in itself; whether it is in its place is for its reader to see.

    Attributes:
        seq: Its number, from 1.
        prev: The hash of the entry before it.
        hash: Its own.
        seal: The HMAC; empty without a key.
        body_digest: What a line that was left out has in place of all the rest.
        salt: What keeps the facts from being guessed in a line that was left out.
        body: The text of its facts; empty when an export left the entry out.
        facts: What it says.
        values: What it says besides.
        texts: The same as they stand in the line.
        salts: The salt of each of them.
        withheld: The commitments of values that are not there.
    """

    seq: int
    prev: str
    hash: str
    seal: str
    body_digest: str
    salt: str = ""
    body: str = ""
    facts: Mapping[str, Any] = {}
    values: Mapping[str, Any] = {}
    texts: Mapping[str, str] = {}
    salts: Mapping[str, str] = {}
    withheld: Mapping[str, str] = {}


def text_of(value: JsonValue) -> str:
    """Return the JSON text of any value that may come."""
    try:
        return to_json(value, inf_nan_mode="strings").decode()
    except (PydanticSerializationError, ValueError, RecursionError):
        # Text that is not Unicode, a structure deeper than the stack: a log takes what comes.
        return json.dumps(_writable(value, 0), separators=(",", ":"))


def _writable(value: Any, depth: int) -> JsonValue:
    if value is None or isinstance(value, bool | str):
        return value
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {str(name): _writable(part, depth + 1) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(part, depth + 1) for part in value]
    if isinstance(value, int):
        return int(value) if abs(value) < _LARGEST else hex(value)
    return repr(value)


def make_lines(drafts: Sequence[Draft], seq: int, prev: str, key: bytes | None = None) -> tuple[list[str], str]:
    """Return the lines of entries that follow each other, without their ends, and the hash of the last.

    Args:
        drafts: What they say.
        seq: The number of the first.
        prev: The hash of the entry before it.
        key: What they are sealed with; None leaves them unsealed.
    """
    # To ask for each salt by itself takes as long as to hash it.
    count = sum([1 + len(values) + len(withheld) for _, values, withheld in drafts])
    random = os.urandom(SALT_BYTES * count).hex()
    salts = iter([random[start : start + _SALT_LETTERS] for start in range(0, len(random), _SALT_LETTERS)])
    lines: list[str] = []
    for number, draft in enumerate(drafts, seq):
        facts, values, withheld = draft
        salt, body = next(salts), text_of(facts)
        digest, rest = _with_values(draft, salt, body, salts) if values or withheld else (_body_digest(salt, body), "")
        own = _hash(number, prev, digest)
        seal = "" if key is None else f'"seal":"{seal_of(key, own)}",'
        lines.append(f'{{"seq":{number},"prev":"{prev}","hash":"{own}",{seal}"salt":"{salt}","body":{body}{rest}}}')
        prev = own
    return lines, prev


def _with_values(draft: Draft, salt: str, body: str, more_salts: Iterator[str]) -> tuple[str, str]:
    """Return the digest of a body with the values beside it, and what stands behind it in the line."""
    texts: dict[str, str] = {}
    salts: dict[str, str] = {}
    commitments: dict[str, str] = {}
    for name, value in draft.values.items():
        text, own_salt = text_of(value), next(more_salts)
        texts[name], salts[name], commitments[name] = text, own_salt, _commitment(own_salt, text)
    if not draft.withheld:
        return _body_digest(salt, body, commitments), _groups(texts, salts, {})
    withheld = {name: _commitment(next(more_salts), text_of(value)) for name, value in draft.withheld.items()}
    return _body_digest(salt, body, commitments | withheld), _groups(texts, salts, withheld)


def _groups(texts: Mapping[str, str], salts: Mapping[str, str], withheld: Mapping[str, str]) -> str:
    """Return what stands behind the body."""
    groups = f'{_VALUES}{_joined(texts)}}},"salts":{_flat(salts)}' if texts else ""
    return f'{groups},"withheld":{_flat(withheld)}' if withheld else groups


def _commitment(salt: str, text: str) -> str:
    return sha256(f"{salt}{text}".encode()).hexdigest()


def _body_digest(salt: str, body: str, commitments: Mapping[str, str] = _NO_COMMITMENTS) -> str:
    parts = "".join([f"\n{name}:{commitments[name]}" for name in sorted(commitments)]) if commitments else ""
    return sha256(f"{salt}\n{body}{parts}".encode()).hexdigest()


def _hash(seq: int, prev: str, body_digest: str) -> str:
    return sha256(f"{seq}\n{prev}\n{body_digest}".encode()).hexdigest()


def seal_of(key: bytes, text: str) -> str:
    """Return what only the holder of the key can make of a text."""
    return hmac.digest(key, text.encode(), "sha256").hex()[:SEAL_LETTERS]


def _flat(texts: Mapping[str, str]) -> str:
    """Return the JSON text of names and hexadecimal numbers."""
    return "{" + ",".join([f'"{name}":"{text}"' for name, text in texts.items()]) + "}"


def read_line(line: bytes) -> Entry:
    """Return the entry that a line holds, after checking it.

    Raises:
        EntryError: When the line is not as it was written.
    """
    try:
        entry = _parsed(line.decode())
    except (ValueError, RecursionError) as error:
        raise EntryError("it is not written as entries are") from error
    if entry.hash != _hash(entry.seq, entry.prev, entry.body_digest):
        raise EntryError("its content does not have the hash that stands in it")
    return entry


def _parsed(line: str) -> Entry:
    """Read a line from its start to its end.

    Raises:
        ValueError: When something else stands where a part of an entry must.
    """
    start = _expected(_START.match(line))
    seq, prev, own, seal, body_digest, salt = start.groups()
    at = start.end()
    if body_digest is not None:
        _expected(at == len(line) or None)
        return Entry(int(seq), prev, own, seal or "", body_digest)
    facts, end = _scan(line, at)
    _expected(isinstance(facts, dict) or None)
    body, at = line[at:end], end
    values: dict[str, Any] = {}
    texts: dict[str, str] = {}
    salts: dict[str, str] = {}
    if line.startswith(_VALUES, at):
        at = first = at + len(_VALUES)
        while name := _VALUE_NAME.match(line, at):
            values[name[1]], at = _scan(line, name.end())
            texts[name[1]] = line[name.end() : at]
        group = _expected(_SALTS.match(line, at))
        salts = json.loads(group[1])
        _expected((line[first:at] == _joined(texts) and group[1] == _flat(salts) and [*salts] == [*texts]) or None)
        at = group.end()
    rest = _expected(_REST.fullmatch(line, at))
    withheld: dict[str, str] = json.loads(rest[1] or "{}")
    _expected((not values.keys() & withheld.keys() and rest[1] in {None, _flat(withheld)}) or None)
    commitments = {**withheld, **{name: _commitment(salts[name], text) for name, text in texts.items()}}
    digest = _body_digest(salt, body, commitments)
    return Entry(int(seq), prev, own, seal or "", digest, salt, body, facts, values, texts, salts, withheld)


def _joined(texts: Mapping[str, str]) -> str:
    return ",".join([f'"{name}":{text}' for name, text in texts.items()])


def _expected(found: Any) -> Any:
    if found is None:
        raise ValueError("something else stands there")
    return found


def masked_line(entry: Entry, fields: Collection[str]) -> str:
    """Return an entry's line without the values that `fields` names; it has the same hash and is checked as before."""
    hidden = {name: _commitment(entry.salts[name], text) for name, text in entry.texts.items() if name in fields}
    texts = {name: text for name, text in entry.texts.items() if name not in fields}
    rest = _groups(texts, {name: entry.salts[name] for name in texts}, {**entry.withheld, **hidden})
    seal = f'"seal":"{entry.seal}",' if entry.seal else ""
    return (
        f'{{"seq":{entry.seq},"prev":"{entry.prev}","hash":"{entry.hash}",{seal}"salt":"{entry.salt}",'
        f'"body":{entry.body}{rest}}}'
    )


def bare_line(entry: Entry) -> str:
    """Return a line that says nothing of an entry but holds its place in the chain."""
    seal = f'"seal":"{entry.seal}",' if entry.seal else ""
    return f'{{"seq":{entry.seq},"prev":"{entry.prev}","hash":"{entry.hash}",{seal}"body":"{entry.body_digest}"}}'
