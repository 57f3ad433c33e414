from __future__ import annotations

import base64
import datetime as dt
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.catalog.calling import call, failure_of, result_of
from tools.catalog.crypto import Crypto, Encoding, decoded

KEY = "a key of at least thirty-two bytes"


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Crypto(), name, arguments, folder)


@given(
    st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["base64", "base64url", "base32", "hex", "url"])
)
def test_what_is_encoded_comes_back(text: str, encoding: Encoding) -> None:
    assert decoded(Crypto().encode_text(text, encoding), encoding).decode() == text


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("SGVsbG8=", "Hello"),
        ("SGVsbG8", "Hello"),
        (" SGVs\nbG8= ", "Hello"),
        ("w7_Dvw", "ÿÿ"),
        ("w7/Dvw==", "ÿÿ"),
        ("", ""),
    ],
)
def test_base64_of_either_alphabet_is_decoded(tmp_path: Path, text: str, meant: str) -> None:
    assert run(tmp_path, "decode_text", text=text).text == meant


def test_decoded_bytes_that_are_no_text_are_attached(tmp_path: Path) -> None:
    response = call(Crypto(), "decode_text", {"text": "/9j/"}, tmp_path)

    assert (response.result.text, response.result.size_bytes) == (None, 3)
    assert response.attachments[0].data == b"\xff\xd8\xff"


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("SGVsbG8!", "base64", "expected Base64"),
        ("A", "base64", "expected Base64"),
        ("1", "base32", "Base32"),
        ("xyz", "hex", "digits"),
    ],
)
def test_what_is_encoded_otherwise_is_refused(tmp_path: Path, text: str, encoding: str, expected: str) -> None:
    assert expected in failure_of(Crypto(), "decode_text", {"text": text, "encoding": encoding}, tmp_path)


def test_an_hmac_is_checked_in_both_spellings(tmp_path: Path) -> None:
    code = run(tmp_path, "make_hmac", text="what do ya want for nothing?", key="Jefe")

    # RFC 4231, test case 2.
    assert code == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    for said in (code, f"sha256={code}", base64.b64encode(bytes.fromhex(code)).decode()):
        assert run(tmp_path, "check_hmac", text="what do ya want for nothing?", key="Jefe", expected=said).valid
    assert not run(tmp_path, "check_hmac", text="what?", key="Jefe", expected=code).valid


def test_a_token_is_believed_only_with_its_key(tmp_path: Path) -> None:
    token = jwt.encode({"sub": "ada", "exp": 4_000_000_000, "aud": "us"}, KEY, algorithm="HS256")

    seen = run(tmp_path, "read_token", token=token)
    assert (seen.claims["sub"], seen.verified, seen.expired) == ("ada", False, False)
    assert run(tmp_path, "read_token", token=token, key=KEY, audience="us").verified
    for wrong in ({"key": KEY + "x"}, {"key": KEY, "audience": "them"}, {"key": KEY, "algorithm": "HS512"}):
        message = failure_of(Crypto(), "read_token", {"token": token, **wrong}, tmp_path)
        assert "not to be believed" in message
        assert KEY not in message


def test_a_token_that_has_ended_is_told(tmp_path: Path) -> None:
    token = jwt.encode({"exp": 1}, KEY, algorithm="HS256")

    assert run(tmp_path, "read_token", token=token).expired
    assert "has expired" in failure_of(Crypto(), "read_token", {"token": token, "key": KEY}, tmp_path)


def test_a_signature_belongs_to_one_text(tmp_path: Path) -> None:
    keys = run(tmp_path, "make_key_pair")
    signature = run(tmp_path, "sign_text", text="Grüße", private_key=keys.private_key)

    assert run(tmp_path, "verify_signature", text="Grüße", signature=signature, public_key=keys.public_key).valid
    assert not run(tmp_path, "verify_signature", text="Grusse", signature=signature, public_key=keys.public_key).valid


def test_only_the_passphrase_opens_a_text(tmp_path: Path) -> None:
    sealed = run(tmp_path, "encrypt_text", text="Grüße", passphrase="one")

    assert run(tmp_path, "decrypt_text", text=sealed, passphrase="one") == "Grüße"
    assert "another one" in failure_of(Crypto(), "decrypt_text", {"text": sealed, "passphrase": "two"}, tmp_path)
    assert sealed != run(tmp_path, "encrypt_text", text="Grüße", passphrase="one")


@pytest.mark.parametrize(
    ("kind", "length", "bits", "strength"),
    [("digits", 4, 13.3, "weak"), ("words", 7, 70.0, "fair"), ("letters", 20, 119.1, "strong")],
)
def test_a_password_is_as_strong_as_it_says(tmp_path: Path, kind: str, length: int, bits: float, strength: str) -> None:
    made = run(tmp_path, "make_password", kind=kind, length=length)

    assert (made.entropy_bits, made.strength) == (bits, strength)
    assert len(made.password.split("-") if kind == "words" else made.password) == length


def test_a_certificate_is_read(tmp_path: Path) -> None:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site")])
    begins = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(255)
        .not_valid_before(begins)
        .not_valid_after(begins + dt.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("example.org")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (tmp_path / "site.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM) * 2)
    (tmp_path / "site.der").write_bytes(made.public_bytes(serialization.Encoding.DER))

    first, second = run(tmp_path, "read_certificate", path="site.pem")
    assert first == second == run(tmp_path, "read_certificate", path="site.der")[0]
    assert (first.subject, first.names, first.serial_number, first.key) == (
        "CN=site",
        ("example.org",),
        "ff",
        "EC 256",
    )
    assert first.days_left < 0
