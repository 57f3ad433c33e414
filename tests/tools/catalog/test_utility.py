"""Identifiers and hashes."""

from __future__ import annotations

import hashlib
import uuid
from pathlib import Path
from typing import Any

from tests.tools.catalog.calling import result_of
from tools.catalog.utility import Utility


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Utility(), name, arguments, folder)


def test_random_identifiers_are_unique(tmp_path: Path) -> None:
    made = run(tmp_path, "make_uuid", count=100).uuids

    assert len(set(made)) == 100
    assert {(uuid.UUID(text).version, uuid.UUID(text).variant) for text in made} == {(4, uuid.RFC_4122)}


def test_a_ulid_begins_with_the_time(tmp_path: Path) -> None:
    kit = Utility(now_ms=lambda: 1469918176385, random_bits=lambda _: 0)

    (made,) = result_of(kit, "make_uuid", {"version": "ulid"}, tmp_path).uuids

    # The example of the specification.
    assert made == "01ARYZ6S410000000000000000"


def test_timed_identifiers_begin_with_the_time(tmp_path: Path) -> None:
    kit = Utility(now_ms=lambda: 0x0123456789AB, random_bits=lambda count: (1 << count) - 1)

    (made,) = result_of(kit, "make_uuid", {"version": 7}, tmp_path).uuids

    assert made == "01234567-89ab-7fff-bfff-ffffffffffff"
    several = run(tmp_path, "make_uuid", version=7, count=20).uuids
    assert list(several) == sorted(set(several))


def test_hashes_are_those_of_the_utf8_bytes(tmp_path: Path) -> None:
    for algorithm in ("sha256", "sha512", "sha3_256", "blake2b", "sha1", "md5"):
        found = run(tmp_path, "hash_text", text="Grüße", algorithm=algorithm)
        assert found.hex == hashlib.new(algorithm, "Grüße".encode()).hexdigest()
        assert found.size_bytes == 7
    assert run(tmp_path, "hash_text", text="Hello", algorithm="crc32").hex == "f7d18982"
