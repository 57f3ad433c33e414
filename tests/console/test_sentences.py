"""What the framework says in English is said in another language where a person reads it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from console.approval.model import estimate_of
from console.batch.rows import RunFacts, why_not
from console.call_result.rows import failure_of
from console.language import sentence_of, tr, translated
from console.sentences import Pattern, Sentences
from console.servers.snapshots import trouble_of
from console.widgets.formats import format_duration_ms
from tools import resolve_tools, tool
from tools.batch.checking import plan_problems
from tools.batch.plan import BatchPlan
from tools.calls import CallError, CallRecord, CallStatus, ErrorKind, ToolRef
from tools.errors import ArgumentsError, ToolConfigurationError
from tools.health.indicator import ToolHealthIndicator
from tools.health.limits import HealthLimits
from tools.mcp.faults import FaultContext, fault_of
from tools.metrics import ToolStats
from tools.registry import ToolRegistry
from tools.schema import SchemaArguments
from tools.spec import Count, DryRun


@tool
def add(first: int, second: int = 1) -> int:
    """Add two numbers."""
    return first + second


BY_ENGLISH = {
    "{1} may not call {2}": "{2} ist für {1} gesperrt",
    "{1} is not there": "{1} fehlt",
    "the file {1} is not there": "die Datei {1} fehlt",
    "it took longer than {1:,} s": "es dauerte länger als {1:,} s",
    "it took longer than {1:,} s{2}": "es dauerte länger als {1:,} s{2}",
    ", {1} calls wait": ", {1} Aufrufe warten",
    "{1} failed: {2}": "{1} schlug fehl: {2}",
    "write {{{1}}} in braces": "schreiben Sie {{{1}}} in Klammern",
    "{1} and {2}": "{1} und {2}",
    "{1:,} times": "{1:,}-mal",
    "{1:,} rows": "{1:,} Zeilen",
    "; failed {1}": "; schlug {1} fehl",
    "; crashed {1}": "; stürzte {1} ab",
    "nothing is there": "nichts ist da",
}


@pytest.fixture
def sentences() -> Sentences:
    patterns = [text for text in BY_ENGLISH if "{" in text]
    return Sentences(patterns, lambda text: BY_ENGLISH.get(text, ""), str.maketrans({",": ".", ".": ","}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("'me' may not call 'tidy'", "'tidy' ist für 'me' gesperrt"),
        ("'a may not b' may not call '{1}'", "'{1}' ist für 'a may not b' gesperrt"),
        ("it took longer than 1,234.5 s", "es dauerte länger als 1.234,5 s"),
        ("it took longer than 5 s, 3 calls wait", "es dauerte länger als 5 s, 3 Aufrufe warten"),
        ("fetch failed: it took longer than 5 s", "fetch schlug fehl: es dauerte länger als 5 s"),
        ("fetch failed: 'it took longer than 5 s'", "fetch schlug fehl: 'es dauerte länger als 5 s'"),
        ("the file 'what {nobody} knows' is not there", "die Datei 'what {nobody} knows' fehlt"),
        ("write {x} in braces", "schreiben Sie {x} in Klammern"),
        ("the file x is not there", "die Datei x fehlt"),
        ("GET /a/{id}: it took longer than 5 s", "GET /a/{id}: es dauerte länger als 5 s"),
        ("1,204 rows", "1.204 Zeilen"),
        ("It took longer than 5 s.", "Es dauerte länger als 5 s."),
        ("x is not there. It took longer than 5 s.", "x fehlt. Es dauerte länger als 5 s."),
        ("x is not there; it took longer than 5 s", "x fehlt; es dauerte länger als 5 s"),
        ("plan.yaml: x is not there", "plan.yaml: x fehlt"),
        (
            "it took longer than 5 s; failed 2 times; crashed 3 times",
            "es dauerte länger als 5 s; schlug 2-mal fehl; stürzte 3-mal ab",
        ),
        ("nothing is there\nit took longer than 5 s", "nichts ist da\nes dauerte länger als 5 s"),
    ],
)
def test_a_sentence_is_said_with_its_values(text: str, said: str, sentences: Sentences) -> None:
    assert sentences.said(text) == said
    assert sentences.said(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "something else entirely",
        "x failed: what nobody knows",
        "the person and the tool went home",
        "what a person wrote. It took longer than 5 s.",
        "may not call",
        "no rows",
        "x" * 5_000 + " is not there",
    ],
)
def test_what_is_no_sentence_whole_stays_as_it_is(text: str, sentences: Sentences) -> None:
    assert sentences.said(text) == text


def test_a_pattern_gives_the_values_of_its_sentences_whatever_they_hold() -> None:
    pattern = Pattern.read("the {1} of {2} is {3:,}{4}")
    assert pattern.values_in("the a\nb of {c} is of is 5; d") == ["a\nb", "{c}", "of is 5", "; d"]
    assert pattern.values_in("the a of b") is None
    assert pattern.forms == ("", "", ",", "")
    assert Pattern.read("{1}s of {2} it").words == ["of", "it"]


@pytest.mark.usefixtures("german")
def test_a_value_that_is_a_sentence_of_the_framework_is_said_in_the_words_around_it() -> None:
    said = tr("Calls are not recorded: {problem}", problem="/x is damaged (no table)")
    assert said == "Aufrufe werden nicht aufgezeichnet: /x ist beschädigt (no table)"
    error = ToolConfigurationError("no plan {1} knows this")
    assert tr("The plan did not run: {error}", error=error) == "Der Plan lief nicht: no plan {1} knows this"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("error", "why", "remedy"),
    [
        (
            CallError(ErrorKind.CALLER, "'agent:x' may not call 'tidy'; it admits the roles 'a' and 'b'"),
            "'agent:x' darf 'tidy' nicht aufrufen; zugelassen sind die Rollen 'a' und 'b'",
            "Bitten Sie, wer das Werkzeug deklariert hat",
        ),
        (
            CallError(ErrorKind.TIMEOUT, "it took longer than 1,200 s; its worker process was ended"),
            "es dauerte länger als 1.200 s; sein Arbeitsprozess wurde beendet",
            "",
        ),
        (
            CallError(
                ErrorKind.UNAVAILABLE,
                "'fetch' was not started: its circuit breaker opened 3 s ago, because it kept failing, the last time"
                " with 'it took longer than 5 s'; a trial call is admitted in 20 s",
                remedy="Wait for the next trial call, or reset the circuit breaker once the cause is mended.",
            ),
            (
                "'fetch' wurde nicht gestartet: sein Schutzschalter öffnete vor 3 s, weil es immer wieder fehlschlug,"
                " das letzte Mal mit 'es dauerte länger als 5 s'; ein Probeaufruf ist in 20 s zugelassen"
            ),
            "setzen Sie den Schutzschalter zurück, sobald die Ursache behoben ist.",
        ),
    ],
)
def test_a_call_that_was_refused_or_failed_says_why_in_german(error: CallError, why: str, remedy: str) -> None:
    record = CallRecord("1", ToolRef("tidy"), "you", 0.0, CallStatus.FAILED, error=error)
    failure = failure_of(record)
    assert failure is not None
    assert failure.why == why
    assert remedy in failure.remedy


@pytest.mark.usefixtures("german")
def test_an_unhealthy_tool_says_why_in_german() -> None:
    failures = {ErrorKind.TIMEOUT: 20, ErrorKind.TOOL: 5}
    stats = ToolStats(count=50, successes=25, failures_by_kind=failures, p95_ms=100.0)
    reason = ToolHealthIndicator("fetch", HealthLimits()).judge(stats).reason
    assert sentence_of(reason or "") == "Der Erfolg ist 50 %, unter 80 %; überschritt das Zeitlimit: 20-mal"


@pytest.mark.usefixtures("german")
def test_a_plan_that_cannot_run_says_why_in_german() -> None:
    plan = BatchPlan.model_validate({"name": "p", "steps": [{"id": "a", "tool": "ad", "arguments": {"first": 1}}]})
    problems = plan_problems(plan, ToolRegistry(resolve_tools([add])))
    assert why_not(RunFacts(), problems) == "a: Kein Werkzeug heißt 'ad'; war 'add' gemeint?"


@pytest.mark.usefixtures("german")
def test_what_a_call_would_do_is_said_in_german() -> None:
    counts = (Count("files", 3, "3 files"), Count("rows", 1204, "1,204 rows"))
    warnings = ("What is in a.txt now is lost: 3 files.",)
    estimate = estimate_of(DryRun("Delete notes.txt.", counts, ("Delete notes.txt.",), 0, warnings))
    assert estimate.text == "notes.txt löschen."
    assert [words for _, words in estimate.counts] == ["3 Dateien", "1.204 Zeilen"]
    assert estimate.listed == "Delete notes.txt."
    assert estimate.warnings == ("Der jetzige Inhalt von a.txt geht verloren: 3 Dateien.",)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ("'a.csv' has no column 'x'; its columns are: y, z", "'a.csv' hat keine Spalte 'x'; die Spalten sind: y, z"),
        ("there is no page 7; the file has 3 pages", "es gibt keine Seite 7; die Datei hat 3 Seiten"),
        ("'a.pdf' is encrypted; the password is wrong", "'a.pdf' ist verschlüsselt; das Passwort ist falsch"),
        (
            "the template was stopped at line 3: it takes more than 5 s; make it smaller",
            "die Vorlage wurde in Zeile 3 angehalten: sie dauert länger als 5 s; machen Sie sie kleiner",
        ),
    ],
)
def test_why_a_built_in_tool_failed_is_said_in_german(failure: str, said: str) -> None:
    assert translated(failure) == said


def _scene(**known: Any) -> FaultContext:
    given = dict.fromkeys(("request", "stderr", "garbage"), "") | {"exit_code": None, "has_process": True, "status": 0}
    return FaultContext(**{"name": "notes", "elapsed_s": 30.0, "at": datetime.now(UTC), **given, **known})


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("error", "scene", "fact"),
    [
        (TimeoutError(), _scene(request="tools/list"), "Es kam keine Antwort auf tools/list innerhalb von 30,0 s."),
        (
            TimeoutError(),
            _scene(garbage="hello"),
            "Es kam keine Antwort innerhalb von 30,0 s. Er schrieb etwas, das keine Nachricht ist: 'hello'.",
        ),
        (None, _scene(exit_code=3), "Er endete mit Exitcode 3."),
        (httpx2.ConnectError("no route"), _scene(has_process=False), "Er ist nicht erreichbar: no route."),
    ],
)
def test_a_server_that_does_not_answer_says_why_in_german(
    error: Exception | None, scene: FaultContext, fact: str
) -> None:
    assert trouble_of(fault_of(error, scene)).fact == fact


@pytest.mark.usefixtures("german")
def test_a_rule_is_said_in_german() -> None:
    words = 'Deny run_command called by agent:x when the call writes or may destroy something and path lies in "src"'
    assert translated(f"{words}; 3 times at most") == (
        "Ablehnen: run_command, aufgerufen von agent:x, wenn der Aufruf schreibt oder kann etwas zerstören und path"
        ' liegt in "src"; höchstens 3-mal'
    )


def test_a_number_that_is_written_in_the_language_of_the_window_stays(sentences: Sentences) -> None:
    assert sentences.said("0,3 rows") == "0,3 rows"
    assert sentences.said("12,50 rows") == "12,50 rows"
    assert sentences.said("1,200 rows") == "1.200 Zeilen"
    assert sentences.said("0.5 rows") == "0,5 Zeilen"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        ({"type": "string", "minLength": 2, "maxLength": 5}, 1, "ein Text mit 2 bis 5 Zeichen; erhalten: 1"),
        ({"type": "string", "minLength": 1}, "", "ein Text mit mindestens 1 Zeichen; erhalten: ''"),
        ({"type": "string", "pattern": "^x"}, "y", "ein Text, passend zu '^x'; erhalten: 'y'"),
        ({"type": ["string", "null"]}, 3, "ein Text oder null; erhalten: 3"),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "uniqueItems": True},
            [1],
            "eine Liste ganzer Zahlen mit mindestens 2 Einträgen, keiner doppelt; erhalten: [1]",
        ),
        (
            {"type": "object", "properties": {name: {} for name in "abcdef"}, "additionalProperties": False},
            {"zz": 1},
            "",
        ),
    ],
)
def test_what_is_asked_of_an_argument_is_said_in_german(schema: dict[str, Any], value: object, said: str) -> None:
    arguments = SchemaArguments({"properties": {"it": schema}}, owner="a tool")
    with pytest.raises(ArgumentsError) as raised:
        arguments.validate({"it": value})
    names = "it.zz: erwartet: kein Argument mit diesem Namen (die bekannten Namen sind a, b, c, d, e, f); erhalten: 1"
    assert translated(raised.value) == (f"it: erwartet: {said}" if said else names)


@pytest.mark.usefixtures("german")
def test_a_duration_in_a_sentence_keeps_its_comma() -> None:
    assert tr("After {elapsed}", elapsed=format_duration_ms(0.3)) == "Nach 0,3 ms"
