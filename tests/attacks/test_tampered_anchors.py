"""`head.json` of an audit log, put in place by somebody else: told, and never the end of the check."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.tools.audit.logs import KEY, draft, ledger_in, written
from tools.audit import read_head, verify
from tools.audit.folder import HEAD

ENTRIES = 4
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=8,
)
LIKELY: dict[str, st.SearchStrategy[Any]] = {
    "seq": st.sampled_from([0, 1, ENTRIES, ENTRIES + 1, -1, True, 4.0, 10**30, "4"]),
    "hash": st.sampled_from(["zz", "", "0" * 63, "0" * 64, "0" * 65, "A" * 64, "é" * 64, "-" + "1" * 63, 7, None]),
    "segment": st.sampled_from([0, 1, 2, 10**30]),
    "size_bytes": st.sampled_from([0, 1, 10**6, 10**300, -1]),
    "key_id": st.sampled_from(["", "zz", "0badc0de", "\ud800", "A", 3]),
    "check": st.sampled_from(["", "0" * 64, None]),
}


def with_check(head: dict[str, Any]) -> dict[str, Any]:
    """Return an anchor with the check that anybody can make of an unsealed one."""
    told = {name: value for name, value in head.items() if name != "check"}
    return {**told, "check": sha256(json.dumps(told).encode()).hexdigest()}


@st.composite
def tampered(draw: st.DrawFn) -> tuple[dict[str, Any], bool]:
    """Choose parts of an anchor that are other ones now, and whether the check is made anew."""
    names = draw(st.lists(st.sampled_from(sorted(LIKELY)), unique=True, min_size=1))
    return {name: draw(LIKELY[name] | ANY_JSON) for name in names}, draw(st.booleans())


@pytest.fixture(scope="module", params=[None, KEY], ids=["unsealed", "sealed"])
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log that no test changes."""
    return written(tmp_path_factory.mktemp("original") / "audit", ENTRIES, key=request.param)


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "audit"))


many = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@many
@given(change=tampered(), key=st.sampled_from([None, KEY]))
@example(change=({"hash": "zz"}, True), key=None)
@example(change=({"key_id": "0badc0de", "hash": "zz"}, False), key=None)
@example(change=({"key_id": "0badc0de", "seq": 0}, False), key=None)
def test_a_tampered_anchor_is_a_finding(
    original: Path, folder: Path, change: tuple[dict[str, Any], bool], key: bytes | None
) -> None:
    parts, checked = change
    before = json.loads((original / HEAD).read_bytes())
    head = with_check({**before, **parts}) if checked else {**before, **parts}
    (folder / HEAD).write_text(f"{json.dumps(head)}\n")

    report = verify(folder, key=key)

    # A check made anew hides the newest entries of an unsealed log, as a head kept elsewhere shows; and without the key
    # nobody can tell the anchor of a sealed one from another.
    is_forgeable = checked or (before["key_id"] and key is None)
    assert report.entries == ENTRIES
    assert not report.intact or head == before or is_forgeable


@many
@given(content=ANY_JSON.map(json.dumps).map(str.encode) | st.binary())
@example(content=b"[" * 100_000)
@example(content=b'{"seq": ' + b"9" * 5000 + b"}")
def test_what_is_no_anchor_at_all_is_a_finding(folder: Path, content: bytes) -> None:
    (folder / HEAD).write_bytes(content)

    assert [finding.kind for finding in verify(folder).problems][:1] == ["anchor"]


@many
@given(change=tampered())
@example(change=({"size_bytes": 10**300}, True))
def test_a_log_with_a_tampered_anchor_is_written_on(
    folder: Path, original: Path, change: tuple[dict[str, Any], bool]
) -> None:
    before = json.loads((original / HEAD).read_bytes())
    shutil.rmtree(folder)
    shutil.copytree(original, folder)
    parts, checked = change
    head = {**before, **parts, "key_id": before["key_id"]}
    (folder / HEAD).write_text(f"{json.dumps(with_check(head) if checked else head)}\n")
    key = KEY if before["key_id"] else None

    ledger_in(folder, key=key).append([draft(ENTRIES + 1)])

    assert read_head(folder, key) is not None
    assert verify(folder, key=key).entries > 0
