"""The page that says which test shows what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests import reference

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

MARKED = """
import pytest

pytestmark = [pytest.mark.reference("A2"), pytest.mark.slow]

@pytest.mark.reference("A3", "A4")
def test_two(): ...

class TestGroup:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.reference("A5"))])
    async def test_inner(self, x): ...

def helper(): ...
"""


def test_the_page_is_current() -> None:
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "run `make reference`"


def test_markers_are_found_wherever_pytest_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "TESTS", tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "test_x.py").write_text(MARKED, encoding="utf-8")

    assert reference.tests_by_row() == {
        "A2": ["tools/test_x.py::test_two", "tools/test_x.py::TestGroup::test_inner"],
        "A3": ["tools/test_x.py::test_two"],
        "A4": ["tools/test_x.py::test_two"],
        "A5": ["tools/test_x.py::TestGroup::test_inner"],
    }


def test_checking_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reference, "PAGE", tmp_path / "reference.md")

    assert reference.main(["--check"]) == 1
    assert "make reference" in capsys.readouterr().err
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0
