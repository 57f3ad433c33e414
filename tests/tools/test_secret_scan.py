"""Keys, tokens and private keys in texts. The secrets here are made up of random letters at each run."""

from __future__ import annotations

import random
import string
from typing import Any

import pytest

from tools.secret_scan import ScanTimeoutError, SecretScan

_LETTERS = string.ascii_letters + string.digits


def letters(number: int, among: str = _LETTERS) -> str:
    return "".join(random.Random(number).choices(among, k=number))


GITHUB = "ghp_" + letters(36)
AWS = "AKIA" + letters(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
PRIVATE = "\n".join(
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        *(letters(64 + line)[:64] for line in range(6)),
        "-----END RSA PRIVATE KEY-----",
    ]
)


def kinds(text: str) -> set[str]:
    return {found.kind for found in SecretScan(60.0).found(text)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"git clone https://{GITHUB}@github.com/a/b", "github-pat"),
        (f"export AWS_ACCESS_KEY_ID={AWS}", "aws-access-token"),
        (PRIVATE, "private-key"),
        (f'api_key = "{letters(40)}"', "generic-api-key"),
        (f"sk-ant-api03-{letters(93)}AA", "anthropic-api-key"),
        (f"eyJ{letters(30)}.eyJ{letters(41)}.{letters(42)}", "jwt"),
    ],
)
def test_a_secret_is_found_with_what_it_is(text: str, kind: str) -> None:
    assert kind in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Nothing is secret about a key, a token and a password.",
        "password = 'changeme'",
        "api_key = ${API_KEY}",
        "token: abcdefghijklmnopqrstuvwxyz",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ],
)
def test_examples_and_regular_texts_are_no_secrets(text: str) -> None:
    assert not kinds(text)


def test_where_a_secret_stands_is_told_exactly() -> None:
    text = f"before {GITHUB} after"
    [found] = SecretScan(60.0).found(text)
    assert text[found.start : found.end] == GITHUB


def test_values_are_looked_through_with_their_names_to_any_depth() -> None:
    value: Any = {"steps": [{"api_key": letters(40), "note": "plain"}, {"text": f"use {GITHUB}"}], "n": 1, "no": None}
    assert SecretScan(60.0).secrets_in(value) == {letters(40), GITHUB}
    assert SecretScan(60.0).holds_secret(value)
    assert not SecretScan(60.0).holds_secret({"note": "plain", "n": [1, 2.5, None, True]})


def test_a_text_that_takes_too_long_counts_as_a_secret_and_is_told() -> None:
    scan = SecretScan(0.0)
    text = "the key of the house"
    with pytest.raises(ScanTimeoutError):
        scan.holds_secret(text)
    assert scan.secrets_in([text, "nothing"]) == {text}
