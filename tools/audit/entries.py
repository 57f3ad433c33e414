"""Audit entries: how one becomes a line of text, how lines are chained, and how a line is checked.

```text
{"seq":N,"prev":P,"hash":H,"seal":K,"salt":S,"body":{facts},
 "values":{name: value},"salts":{name: salt},"withheld":{name: commitment}}
```

`H` is the SHA-256 of `N`, `P` and the body's digest; the body's digest is taken from `S`, the facts and one commitment
for each value: the SHA-256 of its salt and its JSON text. So a value and its salt can be taken out of a line and the
commitment left in their place (`withheld`), and the line is still checked. In a line that is left out of an export, the
body's digest stands for all of it. `K`, where there is a key, is an HMAC of `H`. Groups that are empty are not there.

A line is JSON without spaces. Whoever reads it writes it anew and compares: `1` is not `1.0`, and no space, escape or
order of keys can be changed without being seen.
"""

from __future__ import annotations

import hmac
import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from pydantic import JsonValue
from pydantic_core import PydanticSerializationError, to_json

from tools.schema import json_text

GENESIS: Final = "0" * 64
"""What the first entry has before it."""
SEAL_LETTERS: Final = 32
SALT_BYTES: Final = 16
_DEEPEST: Final = 50
_LARGEST: Final = 1 << 53
"""Greater numbers are written as hexadecimal text when a structure cannot be written as it is."""

_NAME: Final = re.compile(r"[a-z_]+")
_SALT: Final = re.compile(r"[0-9a-f]{32}")
HASH: Final = re.compile(r"[0-9a-f]{64}")


class EntryError(Exception):
    """Report a line that is no entry as it was written; the message says what is wrong with it."""


class EntryDraft(NamedTuple):
    """What an entry says, before it has a place in the chain.

    Attributes:
        facts: What anybody may read, in every export.
        values: What an export may leave out.
        withheld: What is not written at all; its commitment stands for it.
    """

    facts: dict[str, JsonValue]
    values: Mapping[str, JsonValue] = {}
    withheld: Mapping[str, JsonValue] = {}


class AuditEntry(NamedTuple):
    """A line that is whole in itself; whether it is in its place is for its reader to see.

    Attributes:
        seq: Its number, from 1.
        seal: The HMAC; empty without a key.
        salt: What keeps the facts from being guessed in a line that was left out.
        body: What it says; the digest of that when an export left the entry out.
        withheld: The commitments of values that are not there.
    """

    seq: int
    prev: str
    hash: str
    seal: str = ""
    salt: str = ""
    body: Any = ""
    values: Mapping[str, Any] = {}
    salts: Mapping[str, str] = {}
    withheld: Mapping[str, str] = {}

    @property
    def facts(self) -> dict[str, Any]:
        """What it says; nothing when an export left it out."""
        facts: dict[str, Any] = {} if isinstance(self.body, str) else self.body
        return facts

    @property
    def line(self) -> str:
        """The entry as it is written, without the line's end."""
        parts: dict[str, Any] = {
            name: part for name, part in zip(self._fields, self, strict=True) if part or name == "body"
        }
        return json_text(parts)


def plain(value: Any) -> Any:
    """Return any value that may come as it is read again when it was written."""
    try:
        return json.loads(to_json(value, inf_nan_mode="strings"))
    except (PydanticSerializationError, ValueError, RecursionError):
        # Text that is not Unicode, a structure deeper than the stack: a log takes what comes.
        return _writable(value, 0)


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


def make_lines(drafts: Sequence[EntryDraft], seq: int, prev: str, key: bytes | None = None) -> tuple[list[str], str]:
    """Return the lines of entries that follow each other, without their ends, and the hash of the last."""
    lines: list[str] = []
    for number, (facts, values, withheld) in enumerate(drafts, seq):
        said = (
            _new_salt(),
            facts,
            plain(values) if values else {},
            {name: _new_salt() for name in values},
            {name: _commitment(_new_salt(), plain(value)) for name, value in withheld.items()},
        )
        own = _hash(number, prev, _body_digest(*said))
        lines.append(AuditEntry(number, prev, own, "" if key is None else seal_of(key, own), *said).line)
        prev = own
    return lines, prev


def _new_salt() -> str:
    return os.urandom(SALT_BYTES).hex()


def _commitment(salt: str, value: Any) -> str:
    return sha256(f"{salt}{json_text(value)}".encode()).hexdigest()


def _body_digest(
    salt: str, body: Any, values: Mapping[str, Any], salts: Mapping[str, str], withheld: Mapping[str, str]
) -> str:
    if isinstance(body, str):
        return body
    commitments = {name: _commitment(salts[name], value) for name, value in values.items()}
    commitments |= withheld
    parts = "".join([f"\n{name}:{commitments[name]}" for name in sorted(commitments)])
    return sha256(f"{salt}\n{json_text(body)}{parts}".encode()).hexdigest()


def _hash(seq: int, prev: str, body_digest: str) -> str:
    return sha256(f"{seq}\n{prev}\n{body_digest}".encode()).hexdigest()


def seal_of(key: bytes, text: str) -> str:
    """Return what only the holder of the key can make of a text."""
    return hmac.digest(key, text.encode(), "sha256").hex()[:SEAL_LETTERS]


def read_line(line: bytes) -> AuditEntry:
    """Return the entry that a line holds, after checking it.

    Raises:
        EntryError: When the line is not as it was written.
    """
    try:
        entry = AuditEntry(**json.loads(line))
        is_written_so = _has_parts(entry) and entry.line.encode() == line
    except (ValueError, TypeError, RecursionError) as error:
        raise EntryError("it is not written as entries are") from error
    if not is_written_so:
        raise EntryError("it is not written as entries are")
    if entry.hash != _hash(entry.seq, entry.prev, _body_digest(*entry[4:])):
        raise EntryError("its content does not have the hash that stands in it")
    return entry


def _has_parts(entry: AuditEntry) -> bool:
    """Return whether the parts of a line are such that no other parts have the same hash."""
    seq, prev, own, seal, salt, body, values, salts, withheld = entry
    groups_fit: object
    if isinstance(body, str):
        groups_fit = not (salt or values or salts or withheld) and HASH.fullmatch(body)
    else:
        groups_fit = (
            _SALT.fullmatch(salt)
            and isinstance(body, dict)
            and [*values] == [*salts]
            and not values.keys() & withheld.keys()
            and all(map(_NAME.fullmatch, [*values, *withheld]))
            and all(map(_SALT.fullmatch, salts.values()))
            and all(map(HASH.fullmatch, withheld.values()))
        )
    return bool(
        groups_fit
        and type(seq) is int
        and seq > 0
        and HASH.fullmatch(prev)
        and HASH.fullmatch(own)
        and (seal == "" or _SALT.fullmatch(seal))
    )


def masked_line(entry: AuditEntry, fields: Collection[str]) -> str:
    """Return an entry's line without the values that `fields` names; it has the same hash and is checked as before."""
    values, salts, withheld = dict(entry.values), dict(entry.salts), dict(entry.withheld)
    for name in entry.values.keys() & set(fields):
        withheld[name] = _commitment(salts.pop(name), values.pop(name))
    return entry._replace(values=values, salts=salts, withheld=dict(sorted(withheld.items()))).line


def bare_line(entry: AuditEntry) -> str:
    """Return a line that says nothing of an entry but holds its place in the chain."""
    return AuditEntry(entry.seq, entry.prev, entry.hash, entry.seal, body=_body_digest(*entry[4:])).line
