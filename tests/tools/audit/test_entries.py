from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.audit.logs import KEY, make_line
from tools.audit.entries import (
    GENESIS,
    AuditEntry,
    EntryDraft,
    EntryError,
    bare_line,
    masked_line,
    plain,
    read_line,
    seal_of,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
VALUES = st.dictionaries(st.sampled_from(["arguments", "error", "result", "words"]), JSON, max_size=3)


def entry_of(draft: EntryDraft, key: bytes | None = None) -> AuditEntry:
    line, own = make_line(draft, 1, GENESIS, key)
    entry = read_line(line.encode())
    assert entry.hash == own
    return entry


class TestLines:
    @given(st.dictionaries(st.text(), JSON, max_size=3), VALUES, VALUES)
    def test_what_was_written_is_read(
        self, facts: dict[str, Any], values: dict[str, Any], withheld: dict[str, Any]
    ) -> None:
        withheld = {name: value for name, value in withheld.items() if name not in values}
        line, own = make_line(EntryDraft(facts, values, withheld), 7, "a" * 64, KEY)
        assert "\n" not in line
        entry = read_line(line.encode())
        assert (entry.seq, entry.prev, entry.hash, entry.seal) == (7, "a" * 64, own, seal_of(KEY, own))
        assert (entry.facts, entry.values) == (plain(facts), plain(values))
        assert entry.withheld.keys() == withheld.keys()
        assert json.loads(line)["body"] == entry.facts

    def test_a_value_that_is_withheld_is_in_no_form_in_the_line(self) -> None:
        line, _ = make_line(EntryDraft({"kind": "x"}, {}, {"arguments": {"pin": "4711"}}), 1, GENESIS)
        assert "4711" not in line
        other, _ = make_line(EntryDraft({"kind": "x"}, {}, {"arguments": {"pin": "4711"}}), 1, GENESIS)
        assert json.loads(line)["withheld"] != json.loads(other)["withheld"]

    @pytest.mark.parametrize(
        "value",
        [
            "\udcff.txt",
            "line\u2028separator",
            math.nan,
            math.inf,
            10**5000,
            {1: "number"},
            {"a": {1, 2}},
            b"\xff",
            object(),
        ],
        ids=["surrogate", "separator", "nan", "infinity", "digits", "key", "set", "bytes", "object"],
    )
    def test_values_of_any_kind_get_a_line_that_is_json(self, value: Any) -> None:
        line, _ = make_line(EntryDraft({"kind": "x"}, {"arguments": {"value": value}}, {}), 1, GENESIS)
        read_line(line.encode())
        json.loads(line, parse_constant=pytest.fail, parse_int=str)

    def test_a_structure_deeper_than_the_stack_gets_a_line(self) -> None:
        deep: Any = "bottom"
        for _ in range(100_000):
            deep = [deep]
        line, _ = make_line(EntryDraft({"kind": "x"}, {"arguments": deep}, {}), 1, GENESIS)
        assert "…" in json.dumps(read_line(line.encode()).values["arguments"], ensure_ascii=False)
        while isinstance(deep, list):
            deep = deep.pop()

    def test_neighbours_in_writing_are_different_content(self) -> None:
        """`1` and `1.0`, another order of keys, the two ways to write é: each is a change like any other."""
        line, _ = make_line(EntryDraft({"kind": "x"}, {"arguments": {"a": 1, "b": "é"}}, {}), 1, GENESIS)
        for written, instead in (
            ('"a":1', '"a":1.0'),
            ('"a":1,"b":"é"', '"b":"é","a":1'),
            ("é", "e\u0301"),
            ("é", "\\u00e9"),
            ('"a":1', '"a": 1'),
            ('"a":1', '"a":2,"a":1'),
            ('"kind":"x"', '"kind":"x","kind":"x"'),
            ('{"seq":1', '{"seq":01'),
            ('{"seq":1', '{"seq":1.0'),
            ('{"seq":1', ' {"seq":1'),
            ('"values":{"arguments"', '"values":{,"arguments"'),
            ("}}", "}} "),
        ):
            changed = line.replace(written, instead, 1)
            assert changed != line
            with pytest.raises(EntryError):
                read_line(changed.encode())

    @given(st.data())
    def test_no_byte_of_a_line_can_be_changed(self, data: st.DataObject) -> None:
        line = make_line(
            EntryDraft({"kind": "x", "n": 12.5}, {"arguments": {"a": [1, "ü"]}, "by": "you"}, {"error": "e"}),
            12,
            GENESIS,
        )[0].encode()
        place = data.draw(st.integers(0, len(line) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[place]))
        with pytest.raises(EntryError):
            read_line(line[:place] + bytes([byte]) + line[place + 1 :])

    @given(st.data())
    def test_no_part_of_a_line_can_be_taken_out_or_doubled(self, data: st.DataObject) -> None:
        line = make_line(EntryDraft({"kind": "x"}, {"arguments": {"a": [1]}, "by": "you"}, {"error": "e"}), 1, GENESIS)[
            0
        ]
        start = data.draw(st.integers(0, len(line) - 1))
        end = data.draw(st.integers(start + 1, len(line)))
        for changed in (line[:start] + line[end:], line[:end] + line[start:]):
            if changed != line:
                with pytest.raises(EntryError):
                    read_line(changed.encode())

    @pytest.mark.parametrize("line", [b"", b"{}", b"null", b"\x00" * 40, b"\xff\xfe", b"[" * 100_000, b'{"seq":1}'])
    def test_what_is_no_entry_is_told(self, line: bytes) -> None:
        with pytest.raises(EntryError, match="not written as entries are"):
            read_line(line)


class TestMasking:
    DRAFT = EntryDraft({"kind": "x"}, {"arguments": {"a": 1}, "by": "Mira", "error": "no"}, {"result": "hidden"})

    @pytest.mark.parametrize("key", [None, KEY])
    @given(st.sets(st.sampled_from(["arguments", "by", "error", "result"])))
    def test_any_values_can_be_masked_and_the_hash_stays(self, key: bytes | None, fields: set[str]) -> None:
        entry = entry_of(self.DRAFT, key)
        line = masked_line(entry, fields)
        masked = read_line(line.encode())
        assert (masked.hash, masked.prev, masked.seal, masked.facts) == (
            entry.hash,
            entry.prev,
            entry.seal,
            entry.facts,
        )
        assert masked.values.keys() == {"arguments", "by", "error"} - fields
        assert masked.withheld.keys() == {"result"} | fields
        assert masked_line(masked, ()) == line
        assert ("Mira" in line) == ("by" not in fields)

    def test_what_was_not_masked_cannot_be_changed(self) -> None:
        line = masked_line(entry_of(self.DRAFT), {"arguments"})
        for written, instead in (("Mira", "Mara"), ('"kind":"x"', '"kind":"y"'), ('"no"', '"yes"')):
            with pytest.raises(EntryError, match="hash"):
                read_line(line.replace(written, instead).encode())

    def test_a_bare_line_holds_the_place_of_an_entry(self) -> None:
        entry = entry_of(self.DRAFT, KEY)
        line = bare_line(entry)
        bare = read_line(line.encode())
        assert (bare.seq, bare.prev, bare.hash, bare.seal) == (entry.seq, entry.prev, entry.hash, entry.seal)
        assert not bare.facts
        assert not bare.values
        with pytest.raises(EntryError):
            read_line(line.replace('{"seq":1', '{"seq":2').encode())
