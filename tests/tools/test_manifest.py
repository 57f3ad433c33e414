"""Everything that is known of tools, as one document."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import jsonschema
import pytest

from tools import (
    CircuitBreaker,
    Param,
    Retry,
    ToolExample,
    ToolRegistry,
    contract,
    resilience,
    resolve_tools,
    security,
    tool,
)
from tools.cli import main
from tools.manifest import SCHEMA_VERSION, Manifest

if TYPE_CHECKING:
    from pathlib import Path

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def is_open() -> bool:
    return True


@tool(
    category="money",
    version="2.1.0",
    keywords=("transfer",),
    latency="slow",
    depends_on=("balance",),
    priority=70,
    parallelizable=False,
    requires_confirmation=True,
    destructive=True,
    timeout_s=4,
    examples=[ToolExample(input={"amount": 5, "to": "a|b"}, description="A *small* one")],
)
@contract(pre=["amount > 0", is_open], post="result", invariants="to")
@resilience(retry=Retry(max_attempts=3, initial_delay_s=0.25), circuit_breaker=CircuitBreaker())
@security(audit="full", sensitive=True, allowed_callers=["you"], mask_fields=["to"])
def pay(amount: Annotated[float, Param("How much | in euros")], to: str = "me") -> bool:
    """Pay `somebody` <now>."""
    return bool(amount and to)


@tool
def balance() -> float:
    """Say what is left."""
    return 0.0


@pytest.mark.reference("A97")
def test_a_manifest_has_every_field_of_a_tool_and_its_policies() -> None:
    entry = Manifest.of(resolve_tools([pay])).tools[0].model_dump(mode="json")

    assert {key: entry[key] for key in ("name", "description", "category", "version", "keywords", "latency")} == {
        "name": "pay",
        "description": "Pay `somebody` <now>.",
        "category": "money",
        "version": "2.1.0",
        "keywords": ["transfer"],
        "latency": "slow",
    }
    assert (entry["depends_on"], entry["priority"]) == (["balance"], 70)
    assert (entry["idempotent"], entry["parallelizable"], entry["requires_confirmation"]) == (True, False, True)
    assert (entry["read_only"], entry["destructive"], entry["asks_first"]) == (None, True, True)
    assert entry["contract"] == {
        "preconditions": ["amount > 0", "is_open(...)"],
        "postconditions": ["result"],
        "invariants": ["to"],
    }
    assert entry["resilience"] == {
        "max_attempts": 3,
        "backoff_ms": 250.0,
        "timeout_ms": 4000.0,
        "circuit_breaker": True,
    }
    assert entry["security"] == {
        "approval_required": False,
        "audit": "full",
        "sensitive": True,
        "allowed_callers": ["you"],
        "mask_fields": ["to"],
    }
    assert entry["policies"]["retry"]["max_attempts"] == 3
    assert entry["examples"] == [{"input": {"amount": 5, "to": "a|b"}, "description": "A *small* one"}]
    assert entry["digest"] == resolve_tools([pay])[0].digest


@pytest.mark.reference("A98")
def test_a_manifest_is_sorted_by_name_and_says_version_and_time() -> None:
    made = Manifest.of(resolve_tools([pay, balance]), generated_at=NOON)

    assert [entry.name for entry in made.tools] == ["balance", "pay"]
    assert (made.schema_version, made.generated_at) == (SCHEMA_VERSION, NOON)


@pytest.mark.reference("A95")
def test_a_manifest_is_made_of_a_registry_of_given_tools_or_of_their_cards() -> None:
    registry = ToolRegistry(resolve_tools([pay, balance]))

    whole = Manifest.of(registry, generated_at=NOON)

    assert len(whole.tools) == 2
    assert [entry.name for entry in Manifest.of([registry.get("pay")]).tools] == ["pay"]
    assert Manifest.of([one.card for one in registry], generated_at=NOON) == whole


@pytest.mark.reference("A96")
def test_a_manifest_is_json_text_or_a_file_and_reads_back_equal(tmp_path: Path) -> None:
    made = Manifest.of(resolve_tools([pay, balance]), generated_at=NOON)

    made.write_to(tmp_path / "new" / "manifest.json")

    text = (tmp_path / "new" / "manifest.json").read_text(encoding="utf-8")
    assert text == made.to_json() + "\n"
    assert Manifest.model_validate_json(text) == made


def test_the_manifest_of_the_catalogue_fits_the_schema_that_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manifest"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert main(["manifest", "--schema"]) == 0

    assert len(made["tools"]) > 40
    jsonschema.validate(made, json.loads(capsys.readouterr().out))


def test_the_page_for_people_shows_foreign_texts_as_they_are(tmp_path: Path) -> None:
    Manifest.of(resolve_tools([pay]), generated_at=NOON).write_to(tmp_path / "tools.md")

    page = (tmp_path / "tools.md").read_text(encoding="utf-8")
    assert r"Pay \`somebody\` \<now\>." in page
    assert r"| `amount` | a number | required | How much \| in euros |" in page
    assert r'| `to` | a text | `"me"` | To |' in page
    assert r"Example: A \*small\* one" in page


@pytest.mark.parametrize("words", [(), ("--markdown",), ("--schema",), ("--category", "math", "calculate")])
def test_the_command_writes_what_it_is_asked_for(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manifest", *words]) == 0

    out = capsys.readouterr().out
    assert out.startswith("# Tools\n" if "--markdown" in words else "{\n")
    if "calculate" in words:
        assert [entry["name"] for entry in json.loads(out)["tools"]] == ["calculate"]


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert main(["manifest", "calculat"]) == 2
    assert main(["manifest", "--category", "maths"]) == 2
    assert main(["manifest", "--to", str(tmp_path / "file" / "x.json")]) == 5

    said = capsys.readouterr().err.splitlines()
    assert said[0] == "tool-console: no tool is called 'calculat'; did you mean 'calculate'?"
    assert said[1].startswith("tool-console: no tool is in the category 'maths'; there are: ")
    assert said[2].startswith(f"tool-console: {tmp_path / 'file' / 'x.json'} cannot be written: ")
