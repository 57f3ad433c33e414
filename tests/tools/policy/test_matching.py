from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.tools.policy.calling import where
from tools.policy import Predicate, matching
from tools.policy.matching import Subject, compiled_predicate, exact_name, fits_name, pattern_of
from tools.secret_scan import SecretScan

PROJECT = Path("/project")
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0eF5hJ7"
NARROW, WIDE = False, True


def fits(predicate: dict[str, Any], arguments: dict[str, Any], *, wide: bool = NARROW, folder: Path = PROJECT) -> bool:
    return compiled_predicate(Predicate.model_validate(predicate), wide=wide)(Subject(arguments, folder))


class TestNames:
    def test_a_pattern_has_stars_and_question_marks_and_minds_capitals(self) -> None:
        assert fits_name("*", "")
        assert fits_name("git_*", "git_log")
        assert fits_name("g?t", "git")
        assert not fits_name("git_*", "Git_log")
        assert not fits_name("git", "git_log")
        assert not fits_name("agent:*", "you")

    @pytest.mark.parametrize("name", ["plain", "my [old] server", "what?", "a*b", "[[", "]"])
    def test_a_name_with_signs_of_patterns_is_quoted_into_one_that_fits_it_alone(self, name: str) -> None:
        assert fits_name(pattern_of(name), name)
        assert exact_name(pattern_of(name)) == name
        assert not fits_name(pattern_of("a*b"), "axb")
        assert exact_name("git_*") is None


class TestSecrets:
    @pytest.mark.parametrize("wide", [NARROW, WIDE])
    def test_a_secret_is_found_in_one_argument_or_in_any(self, wide: bool) -> None:
        sent = {"to": "a.org", "body": {"text": f"my token: {SECRET}"}}
        assert fits({"path": "", "holds_secret": True}, sent, wide=wide)
        assert fits({"path": "body", "holds_secret": True}, sent, wide=wide)
        assert not fits({"path": "to", "holds_secret": True}, sent, wide=wide)
        assert fits({"path": "to", "holds_secret": False}, sent, wide=wide)
        assert not fits({"path": "", "holds_secret": False}, sent, wide=wide)

    def test_what_cannot_be_told_in_time_fits_a_rule_that_asks_and_none_that_allows(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(matching, "SecretScan", partial(SecretScan, 0.0))
        for holds in (True, False):
            said = {"path": "", "holds_secret": holds}
            assert fits(said, {"text": "a key"}, wide=WIDE)
            assert not fits(said, {"text": "a key"}, wide=NARROW)


class TestValues:
    @pytest.mark.parametrize("wide", [NARROW, WIDE])
    def test_one_and_one_point_nought_are_equal_and_true_is_neither(self, wide: bool) -> None:
        assert fits(where("n", equals=1), {"n": 1.0}, wide=wide)
        assert not fits(where("n", equals=1), {"n": True}, wide=wide)
        assert not fits(where("n", equals=1), {"n": "1"}, wide=wide)
        assert fits(where("n", in_=[1, None]), {"n": None}, wide=wide)
        assert not fits(where("n", equals=None), {}, wide=wide)

    def test_all_arguments_together_are_compared_whatever_their_order(self) -> None:
        exactly = where("", equals={"a": 1, "b": [True, {"c": None}]})
        assert fits(exactly, {"b": [True, {"c": None}], "a": 1.0})
        assert not fits(exactly, {"a": 1, "b": [True, {"c": None}], "more": 0})

    def test_of_several_values_an_allowing_rule_wants_all_and_others_one(self) -> None:
        several = {"items": [{"name": "a"}, {"name": "b"}]}
        assert fits(where("items[].name", equals="a"), several, wide=WIDE)
        assert not fits(where("items[].name", equals="a"), several)
        assert fits(where("items[].name", in_=["a", "b"]), several)
        assert not fits(where("items[].name", in_=["a", "b"]), {"items": []})
        assert fits(where("items[1].name", equals="b"), several)
        assert fits(where("*.x", equals=1), {"a": {"x": 1}, "b": {"x": 1}, "c": 3})

    def test_other_forms_of_the_same_letters_deceive_no_rule_that_denies(self) -> None:
        fullwidth = {"text": "ｒｍ -rf"}
        assert fits(where("text", prefix="rm"), fullwidth, wide=WIDE)
        assert not fits(where("text", prefix="rm"), fullwidth)
        assert fits(where("text", equals="rm -rf"), fullwidth, wide=WIDE)
        assert fits(where("text", matches="rm"), fullwidth, wide=WIDE)

    def test_numbers_are_compared_and_texts_only_by_rules_that_deny(self) -> None:
        for comparison, fitting, other in (("above", 2.5, 2), ("below", 1, 2), ("at_least", 2, 1.9), ("at_most", 2, 3)):
            rule = {"path": "n", comparison: 2}
            assert fits(rule, {"n": fitting})
            assert not fits(rule, {"n": other})
            assert not fits(rule, {"n": True})
        assert fits(where("n", above=2), {"n": "3"}, wide=WIDE)
        assert not fits(where("n", above=2), {"n": "3"})
        assert not fits(where("n", above=2), {"n": "many"}, wide=WIDE)

    def test_an_allowing_pattern_is_about_the_whole_text(self) -> None:
        assert fits(where("command", matches="git (log|status)"), {"command": "git log"})
        assert not fits(where("command", matches="git (log|status)"), {"command": "git log; rm -rf /"})
        assert not fits(where("command", matches="git log"), {"command": "git log\n"})
        assert fits(where("command", matches="rm -rf"), {"command": "git log; rm -rf /"}, wide=WIDE)

    def test_a_pattern_that_takes_too_long_allows_nothing_and_denies(self) -> None:
        endless = {"text": "a" * 40 + "b"}
        assert not fits(where("text", matches="(a|a|aa)+$"), endless)
        assert fits(where("text", matches="(a|a|aa)+$"), endless, wide=WIDE)


class TestFolders:
    def test_only_what_is_really_inside_is_inside(self, tmp_path: Path) -> None:
        project = tmp_path / "project"
        (project / "src" / "deep").mkdir(parents=True)
        (tmp_path / "project2").mkdir()
        (project / "out").symlink_to(tmp_path / "project2")
        (tmp_path / "in").symlink_to(project / "src")

        def inside(path: str, folder: str = "src", *, wide: bool = NARROW) -> bool:
            return fits(where("path", inside=folder), {"path": path}, wide=wide, folder=project)

        assert inside("src")
        assert inside("src/deep/new.txt")
        assert inside(str(project / "src" / "a"))
        assert inside("a", str(project))
        assert not inside("src/../a")
        assert not inside("srcs/a")
        assert not inside("out/a", str(project))
        assert not inside("../project2/a", str(project))
        assert not inside("~nobody_of_that_name/a")
        # What lies outside and leads inside: an allowing rule trusts it no more than it trusts what leads outside.
        assert not inside(str(tmp_path / "in"))
        assert inside(str(tmp_path / "in" / "deep"))
        assert inside(str(tmp_path / "in"), wide=WIDE)
        assert inside("out/a", str(project), wide=WIDE)
        assert inside("out/a", str(tmp_path / "project2"), wide=WIDE)
        assert inside("SRC/a", wide=WIDE)
        assert inside("~nobody_of_that_name/a", wide=WIDE)

    def test_several_paths_must_all_lie_inside(self) -> None:
        both = {"paths": ["/project/a", "/etc/passwd"]}
        assert not fits(where("paths[]", inside="/project"), both)
        assert fits(where("paths[]", inside="/etc"), both, wide=WIDE)


class TestHosts:
    @pytest.mark.parametrize(
        "address",
        [
            "https://example.org/a",
            "HTTPS://EXAMPLE.ORG./",
            "http://user:word@example.org:8080/?q",
            "example.org",
            "example.org:443",
        ],
    )
    def test_a_host_is_found_in_an_address(self, address: str) -> None:
        assert fits(where("url", host_in=["example.org"]), {"url": address})

    @pytest.mark.parametrize(
        "address",
        [
            "https://example.org.evil.net/",
            "https://evil.net/?example.org",
            "https://example.org@evil.net/",
            "https://evil.net\\@example.org/",
            "https://example.org\n.evil.net/",
            " https://example.org/",
            "https://exаmple.org/",
            "file:///etc/passwd",
            "https://[::1",
            "",
        ],
    )
    def test_what_only_looks_like_it_is_not_allowed(self, address: str) -> None:
        assert not fits(where("url", host_in=["example.org"]), {"url": address})

    def test_a_star_is_every_host_below(self) -> None:
        below = where("url", host_in=["*.example.org"])
        assert fits(below, {"url": "https://a.b.example.org"})
        assert not fits(below, {"url": "https://example.org"})
        assert not fits(below, {"url": "https://badexample.org"})

    def test_an_international_name_is_one_in_both_spellings(self) -> None:
        assert fits(where("url", host_in=["bücher.example"]), {"url": "https://xn--bcher-kva.example/"})
        assert fits(where("url", host_in=["xn--bcher-kva.example"]), {"url": "https://bücher.example/"})

    @pytest.mark.parametrize("address", ["http://2130706433/", "http://0x7f.1/", "http://127.1", "https://[::1", "//"])
    def test_a_rule_that_denies_knows_other_spellings_and_fears_what_it_cannot_read(self, address: str) -> None:
        assert fits(where("url", host_in=["127.0.0.1"]), {"url": address}, wide=WIDE)

    def test_addresses_of_version_six_have_one_spelling(self) -> None:
        assert fits(where("url", host_in=["0:0:0:0:0:0:0:1"]), {"url": "http://[::1]:80/"}, wide=WIDE)
        assert fits(where("url", host_in=["::1"]), {"url": "http://[::1]:80/"})


@pytest.mark.parametrize(
    ("predicate", "problem"),
    [
        (where("a"), "expected exactly one comparison, such as equals, in, prefix or inside, got none"),
        (where("a", equals=1, above=2), "got above and equals"),
        (where("", prefix="x"), "an empty path means all arguments together"),
        (where("", equals=[1]), "an empty path means all arguments together"),
        (where("a..b", equals=1), "is no path"),
        (where("a", matches="(("), "is no regular expression"),
        (where("a", above=float("nan")), "which nothing is above or below"),
        (where("a", prefix=None), "expected a value for prefix, got none"),
        (where("a", equal=1), "Extra inputs are not permitted"),
        (where("a", in_=[]), "at least 1 item"),
        (where("a", inside=""), "at least 1 character"),
    ],
)
def test_a_predicate_that_makes_no_sense_is_refused(predicate: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Predicate.model_validate(predicate)

    assert problem in str(raised.value)


def test_all_patterns_of_a_call_share_their_time() -> None:
    """Somebody else's project may have a thousand of them."""
    subject = Subject({"text": "a"}, PROJECT)
    subject.left_s = 0
    never_tried = Predicate(path="text", matches="b")
    assert compiled_predicate(never_tried, wide=WIDE)(subject)
    assert not compiled_predicate(Predicate(path="text", matches="a"), wide=NARROW)(subject)
