"""Encode, authenticate, sign and encrypt texts; tokens, passwords, certificates."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import quopri
import secrets
import string
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote, unquote_to_bytes

from annotated_types import Ge, Le, Len
from pydantic import JsonValue

from tools.catalog._paths import need_file, refusals, shown
from tools.catalog._words import WORDS
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.declare.decorators import security
from tools.errors import ToolFailure
from tools.spec import Param, PathRole, ToolExample

Text = Annotated[str, Len(0, 10_000_000)]
Secret = Annotated[str, Len(1, 10_000)]
Encoding = Literal["base64", "base64url", "base32", "hex", "url", "quoted-printable"]

_SALT_BYTES: Final = 16
_NONCE_BYTES: Final = 12
_WORK: Final = 2**15
_SEALED: Final = "tc1."
_MOST_PEM_BYTES: Final = 5_000_000
_SHOWN: Final = 40
_WEAK_BITS: Final = 60
_STRONG_BITS: Final = 80
_ALGORITHMS: Final = (
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "PS256", "EdDSA",
)  # fmt: skip
_EXAMPLE_PUBLIC: Final = (
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA2S/ZhNU5Seum+O+gQVBzb4W/Eg5WSMVYvIF/DPu7whI=\n"
    "-----END PUBLIC KEY-----\n"
)
_EXAMPLE_KEY: Final = (
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIGYLodLAl4kNO2kRjNqJXUnjeGiGFl4CnYY0pFOQ2eLY\n"
    "-----END PRIVATE KEY-----\n"
)
_EXAMPLE_SIGNATURE: Final = "O6RGO6DoplLJm7SozWoHsnpCaN+BXIDF0OOAIctX3/Pt9Sdg0xIg0QbbW6qB/jlR+LY62ERnuhe1FWqyuzyKDw=="
_EXAMPLE_TOKEN: Final = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ.3jzHB20lBVlsTrAbVQ6a2AMstxCuvmJrD5BHpk_jNRY"  # noqa: S105
)
_EXAMPLE_SEALED: Final = "tc1.MDAwMDAwMDAwMDAwMDAwMDExMTExMTExMTExMS2nWEJsBYCOnAsbEmnST-GUKo8elOoTqszGrmc="


@dataclass(frozen=True)
class DecodedContent:
    """What an encoded text stood for.

    Attributes:
        text: The content as text; None when it is no text, and then it is attached.
        size_bytes: How long it is.
    """

    text: str | None
    size_bytes: int


@dataclass(frozen=True)
class DecodedToken:
    """What a JSON Web Token says; nothing of it is to be believed unless it was verified.

    Attributes:
        header: How it is signed.
        claims: What it says.
        verified: Whether its signature and its times were checked and hold.
        expires_at: When it ends; None when it never does.
        expired: Whether that is over.
    """

    header: dict[str, JsonValue]
    claims: dict[str, JsonValue]
    verified: bool
    expires_at: datetime | None
    expired: bool


@dataclass(frozen=True)
class KeyPair:
    """A new pair of Ed25519 keys.

    Attributes:
        private_key: What signs, as PEM; whoever has it can sign in your name.
        public_key: What verifies, as PEM or as OpenSSH's line; everybody may have it.
    """

    private_key: str
    public_key: str


@dataclass(frozen=True)
class Verified:
    """Whether a signature belongs to a text.

    Attributes:
        valid: Whether it does.
    """

    valid: bool


@dataclass(frozen=True)
class Password:
    """A new password.

    Attributes:
        password: The password.
        entropy_bits: How hard it is to guess: each bit doubles the work.
        strength: `weak`, `fair` or `strong` against somebody who can try billions a second.
    """

    password: str
    entropy_bits: float
    strength: Literal["weak", "fair", "strong"]


@dataclass(frozen=True)
class CertificateFact:
    """What one certificate of a file says.

    Attributes:
        subject: Whom it is for.
        issuer: Who signed it.
        valid_from: From when on it holds.
        valid_until: Until when.
        days_left: Whole days until then; negative when it is over.
        names: The host names and addresses it holds for.
        serial_number: Its number, in hexadecimal digits.
        is_authority: Whether it may sign others.
        key: Kind and size of its key, such as `RSA 2048`.
        sha256: Its fingerprint.
    """

    subject: str
    issuer: str
    valid_from: datetime
    valid_until: datetime
    days_left: int
    names: tuple[str, ...]
    serial_number: str
    is_authority: bool
    key: str
    sha256: str


@toolkit("Crypto", category="crypto")
class Crypto:
    """Encode, authenticate, sign and encrypt texts; tokens, passwords, certificates."""

    @tool(
        keywords=("base64", "base32", "hex", "percent", "url", "quoted-printable", "escape", "binary"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"text": "Hello"}, output="SGVsbG8=", description="Base64"),
            ToolExample(
                input={"text": "a b&c", "encoding": "url"}, output="a%20b%26c", description="For use in an address"
            ),
        ),
    )
    def encode_text(
        self,
        text: Annotated[Text, Param("The text; its UTF-8 bytes are encoded")],
        encoding: Annotated[Encoding, Param("How; base64url has - and _ instead of + and /")] = "base64",
    ) -> str:
        """Encode a text as Base64, Base32, hexadecimal digits, for an address (percent) or as quoted-printable."""
        content = _utf8(text)
        match encoding:
            case "base64":
                return base64.b64encode(content).decode()
            case "base64url":
                return base64.urlsafe_b64encode(content).decode()
            case "base32":
                return base64.b32encode(content).decode()
            case "hex":
                return content.hex()
            case "url":
                return quote(content, safe="")
            case "quoted-printable":
                return quopri.encodestring(content).decode()

    @tool(
        keywords=("base64", "base32", "hex", "percent", "url", "quoted-printable", "unescape", "binary"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"text": "SGVsbG8="}, output={"text": "Hello", "size_bytes": 5}, description="Base64"),
            ToolExample(
                input={"text": "a%20b%26c", "encoding": "url"},
                output={"text": "a b&c", "size_bytes": 5},
                description="A part of an address",
            ),
        ),
    )
    def decode_text(
        self,
        text: Annotated[Text, Param("The encoded text; Base64 of either alphabet, its padding may be missing")],
        encoding: Annotated[Encoding, Param("How it is encoded")] = "base64",
        *,
        ctx: ToolContext,
    ) -> DecodedContent:
        """Decode Base64, Base32, hexadecimal, percent-encoded or quoted-printable text; other content is attached."""
        content = decoded(text, encoding)
        try:
            return DecodedContent(content.decode(), len(content))
        except UnicodeDecodeError:
            ctx.attach(content, "application/octet-stream", "decoded.bin")
            return DecodedContent(None, len(content))

    @tool(
        keywords=("hmac", "mac", "webhook", "signature", "authenticate"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"text": "Hello", "key": "a shared key", "expected": "00"},
                description="Check what a webhook said",
                output={"valid": False},
            ),
            ToolExample(
                input={"text": "Hello", "key": "a shared key", "expected": "00", "algorithm": "sha512"},
                description="With a longer hash",
            ),
        ),
    )
    @security(mask_fields=("key",))
    def check_hmac(
        self,
        text: Annotated[Text, Param("The text that was authenticated, exactly as it came")],
        key: Annotated[Secret, Param("The shared key")],
        expected: Annotated[str, Len(1, 200), Param("The code that came with it, in hexadecimal digits or Base64")],
        algorithm: Annotated[Literal["sha256", "sha512", "sha1"], Param("The hash in it")] = "sha256",
    ) -> Verified:
        """Check a message authentication code (HMAC), as webhooks send one, in a time that tells nothing of it."""
        code = hmac.new(_utf8(key), _utf8(text), algorithm).digest()
        said = expected.strip().removeprefix(f"{algorithm}=")
        is_hex = hmac.compare_digest(_utf8(said.lower()), code.hex().encode())
        is_base64 = hmac.compare_digest(_utf8(said), base64.b64encode(code))
        return Verified(is_hex or is_base64)

    @tool(
        keywords=("hmac", "mac", "webhook", "authenticate", "hash"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"text": "Hello", "key": "a shared key"}, description="With SHA-256"),
            ToolExample(
                input={"text": "Hello", "key": "a shared key", "algorithm": "sha512"}, description="With a longer hash"
            ),
        ),
    )
    @security(mask_fields=("key",))
    def make_hmac(
        self,
        text: Annotated[Text, Param("The text")],
        key: Annotated[Secret, Param("The shared key")],
        algorithm: Annotated[Literal["sha256", "sha512", "sha1"], Param("The hash in it")] = "sha256",
    ) -> str:
        """Calculate a message authentication code (HMAC) of a text, in hexadecimal digits."""
        return hmac.new(_utf8(key), _utf8(text), algorithm).hexdigest()

    @tool(
        keywords=("jwt", "token", "claims", "bearer", "verify", "signature"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."},
                description="Look into a token, believing nothing",
                output={"claims": {"sub": "ada"}, "verified": False},
            ),
            ToolExample(
                input={"token": _EXAMPLE_TOKEN, "key": "a shared key of thirty-two bytes"},
                description="Verified with the shared key",
                output={"claims": {"sub": "ada"}, "verified": True},
            ),
        ),
    )
    @security(mask_fields=("key", "token"))
    def read_token(
        self,
        token: Annotated[str, Len(1, 100_000), Param("The JSON Web Token, three parts with dots between")],
        *,
        key: Annotated[
            str, Len(0, 20_000), Param("Secret or public key (PEM) to verify it with; empty only looks into it")
        ] = "",
        algorithm: Annotated[
            Literal[_ALGORITHMS], Param("How it must be signed, whatever the token says of itself")  # type: ignore[valid-type]
        ] = "HS256",
        audience: Annotated[str, Len(0, 500), Param("Whom it must be for; empty for anybody")] = "",
    ) -> DecodedToken:
        """Look into a JSON Web Token (JWT): header, claims, when it ends. With a key its signature is verified."""
        import jwt  # noqa: PLC0415 -- the tools are listed without it

        plain = token.strip().removeprefix("Bearer ").strip()
        try:
            header = jwt.get_unverified_header(plain)
            claims = jwt.decode(plain, options={"verify_signature": False})
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise ToolFailure(f"expected a JSON Web Token of three parts, got something else: {error}") from error
        if key:
            _verify(plain, key, algorithm, audience)
        ends = claims.get("exp")
        expires = _moment(ends) if isinstance(ends, int | float) else None
        expired = expires is not None and expires <= datetime.now(UTC)
        return DecodedToken(header, claims, bool(key), expires, expired)

    @tool(
        keywords=("ed25519", "key pair", "public key", "private key", "generate"),
        latency="fast",
        idempotent=False,
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={}, description="A new pair"),
            ToolExample(input={"openssh": True}, description="A pair whose public key goes to a server of SSH"),
        ),
    )
    @security(mask_fields=("result.private_key",))
    def make_key_pair(
        self, *, openssh: Annotated[bool, Param("Write the public key as OpenSSH's authorized_keys has it")] = False
    ) -> KeyPair:
        """Make a pair of Ed25519 keys for signing, as PEM; logs and history never hold the private one."""
        from cryptography.hazmat.primitives import serialization as forms  # noqa: PLC0415 -- as above
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 -- as above

        key = Ed25519PrivateKey.generate()
        private = key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
        form = (
            (forms.Encoding.OpenSSH, forms.PublicFormat.OpenSSH)
            if openssh
            else (forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo)
        )
        public = key.public_key().public_bytes(*form)
        return KeyPair(private.decode(), public.decode())

    @tool(
        keywords=("ed25519", "signature", "sign", "private key"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"text": "Hello", "private_key": "no key"},
                negative=True,
                description="Something that is no key",
                why_bad="It needs a private key as PEM; make_key_pair makes one.",
            ),
            ToolExample(input={"text": "Hello", "private_key": _EXAMPLE_KEY}, description="With a key"),
        ),
    )
    @security(mask_fields=("private_key",))
    def sign_text(
        self,
        text: Annotated[Text, Param("The text; its UTF-8 bytes are signed")],
        private_key: Annotated[Secret, Param("The Ed25519 private key, as PEM without a password")],
    ) -> str:
        """Sign a text with an Ed25519 key; returns the signature as Base64."""
        from cryptography.hazmat.primitives import serialization as forms  # noqa: PLC0415 -- as above
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 -- as above

        try:
            key = forms.load_pem_private_key(_utf8(private_key), None)
        except (ValueError, TypeError) as error:
            raise ToolFailure("expected an Ed25519 private key as PEM without a password, got none") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise ToolFailure(f"expected an Ed25519 private key, got {type(key).__name__}")
        return base64.b64encode(key.sign(_utf8(text))).decode()

    @tool(
        keywords=("ed25519", "signature", "check", "public key", "authentic"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"text": "Hello", "signature": "AAAA", "public_key": _EXAMPLE_PUBLIC},
                description="A signature that is none",
                output={"valid": False},
            ),
            ToolExample(
                input={"text": "Hello", "signature": _EXAMPLE_SIGNATURE, "public_key": _EXAMPLE_PUBLIC},
                description="A signature that holds",
                output={"valid": True},
            ),
        ),
    )
    def verify_signature(
        self,
        text: Annotated[Text, Param("The text, exactly as it was signed")],
        signature: Annotated[str, Len(1, 1000), Param("The signature, as Base64")],
        public_key: Annotated[str, Len(1, 10_000), Param("The Ed25519 public key, as PEM")],
    ) -> Verified:
        """Check whether an Ed25519 signature belongs to a text."""
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 -- as above
        from cryptography.hazmat.primitives import serialization as forms  # noqa: PLC0415 -- as above
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 -- as above

        try:
            key = forms.load_pem_public_key(_utf8(public_key))
        except (ValueError, TypeError) as error:
            raise ToolFailure(f"expected an Ed25519 public key as PEM, got {public_key[:_SHOWN]!r}") from error
        if not isinstance(key, Ed25519PublicKey):
            raise ToolFailure(f"expected an Ed25519 public key, got {type(key).__name__}")
        try:
            key.verify(decoded(signature, "base64"), _utf8(text))
        except InvalidSignature:
            return Verified(valid=False)
        return Verified(valid=True)

    @tool(
        keywords=("encrypt", "seal", "passphrase", "aes", "secret"),
        latency="medium",
        idempotent=False,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"text": "Meet at nine", "passphrase": "dora mila sato"}, description="A short message"),
            ToolExample(
                input={"text": "At the bridge", "passphrase": "seven small owls at dusk"},
                description="With a phrase that nobody guesses",
            ),
        ),
    )
    @security(mask_fields=("text", "passphrase"))
    def encrypt_text(
        self,
        text: Annotated[str, Len(0, 1_000_000), Param("The text")],
        passphrase: Annotated[Secret, Param("Whoever knows it can read the text again")],
    ) -> str:
        """Encrypt a text with a passphrase (scrypt and AES-256-GCM); decrypt_text reads it again."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 -- as above

        salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
        sealed = AESGCM(_key(passphrase, salt)).encrypt(nonce, _utf8(text), _SEALED.encode())
        return _SEALED + base64.urlsafe_b64encode(salt + nonce + sealed).decode()

    @tool(
        keywords=("decrypt", "open", "passphrase", "aes", "secret"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"text": "Meet at nine", "passphrase": "dora mila sato"},
                negative=True,
                description="A text that is not encrypted",
                why_bad="It opens what encrypt_text made, nothing else.",
            ),
            ToolExample(
                input={"text": _EXAMPLE_SEALED, "passphrase": "dora mila sato"},
                description="What encrypt_text made",
                output="Meet at nine",
            ),
        ),
    )
    @security(mask_fields=("passphrase", "result"))
    def decrypt_text(
        self,
        text: Annotated[str, Len(1, 2_000_000), Param("What encrypt_text returned; it begins with tc1.")],
        passphrase: Annotated[Secret, Param("The passphrase it was encrypted with")],
    ) -> str:
        """Read a text again that encrypt_text encrypted."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 -- as above
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 -- as above

        plain = text.strip()
        if not plain.startswith(_SEALED):
            raise ToolFailure(f"expected what encrypt_text made, which begins with {_SEALED}; got something else")
        whole = decoded(plain.removeprefix(_SEALED), "base64")
        salt, nonce = whole[:_SALT_BYTES], whole[_SALT_BYTES : _SALT_BYTES + _NONCE_BYTES]
        sealed = whole[_SALT_BYTES + _NONCE_BYTES :]
        try:
            return AESGCM(_key(passphrase, salt)).decrypt(nonce, sealed, _SEALED.encode()).decode()
        except (InvalidTag, ValueError) as error:
            raise ToolFailure("the passphrase is another one, or the text was changed") from error

    @tool(
        keywords=("password", "passphrase", "generate", "random", "secret", "strength"),
        latency="fast",
        idempotent=False,
        read_only=True,
        open_world=False,
        timeout_s=10,
        examples=(
            ToolExample(input={}, description="Twenty letters and digits", output={"strength": "strong"}),
            ToolExample(input={"kind": "words", "length": 6}, description="Six words that can be said"),
        ),
    )
    @security(mask_fields=("result.password",))
    def make_password(
        self,
        kind: Annotated[
            Literal["letters", "symbols", "words", "digits"],
            Param("Letters and digits, with signs as well, words that can be said, or digits alone"),
        ] = "letters",
        length: Annotated[int, Ge(4), Le(256), Param("How many characters or words it has")] = 20,
    ) -> Password:
        """Make a random password or passphrase, and tell how hard it is to guess; logs and history never hold it."""
        letters = string.ascii_letters + string.digits
        choices: tuple[str, ...] = {
            "letters": tuple(letters),
            "symbols": tuple(letters + "!#$%&*+-./:;<=>?@^_~"),
            "words": WORDS,
            "digits": tuple(string.digits),
        }[kind]
        made = ("-" if kind == "words" else "").join(secrets.choice(choices) for _ in range(length))
        bits = length * math.log2(len(choices))
        strength: Literal["weak", "fair", "strong"] = (
            "weak" if bits < _WEAK_BITS else "fair" if bits < _STRONG_BITS else "strong"
        )
        return Password(made, round(bits, 1), strength)

    @tool(
        keywords=("x509", "tls", "ssl", "pem", "expiry", "fingerprint"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"path": "data/site.pem"}, description="Until when a site's certificate holds"),
            ToolExample(
                input={"path": "README.md"},
                negative=True,
                description="A file without certificates",
                why_bad="It reads certificates as PEM or DER; file_info tells what any file is.",
            ),
        ),
    )
    def read_certificate(
        self, path: Annotated[Path, Param("The certificate file, PEM or DER"), PathRole()], *, ctx: ToolContext
    ) -> list[CertificateFact]:
        """Read the certificates of a file: whom they are for, who signed them, until when they hold, fingerprints."""
        from cryptography import x509  # noqa: PLC0415 -- as above

        name = shown(path, ctx.project_dir)
        if need_file(path, ctx.project_dir).st_size > _MOST_PEM_BYTES:
            raise ToolFailure(f"{name!r} is larger than {_MOST_PEM_BYTES:,} bytes, so it is no certificate")
        with refusals(f"read {name!r}"):
            content = path.read_bytes()
        try:
            if b"-----BEGIN" in content:
                found = x509.load_pem_x509_certificates(content)
            else:
                found = [x509.load_der_x509_certificate(content)]
            return [_fact(one) for one in found]
        except (ValueError, TypeError) as error:
            raise ToolFailure(f"{name!r} holds no certificate that can be read: {error}") from error


def decoded(text: str, encoding: Encoding) -> bytes:
    """Return what an encoded text stands for.

    Raises:
        ToolFailure: It is not encoded so.
    """
    compact = "".join(text.split())
    try:
        match encoding:
            case "base64" | "base64url":
                plain = compact.replace("-", "+").replace("_", "/").rstrip("=")
                return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
            case "base32":
                plain = compact.rstrip("=").upper()
                return base64.b32decode(plain + "=" * (-len(plain) % 8))
            case "hex":
                return bytes.fromhex(compact)
            case "url":
                return unquote_to_bytes(text.encode())
            case "quoted-printable":
                return quopri.decodestring(text.encode())
    except (binascii.Error, ValueError) as error:
        spelled = {"base32": "Base32 (A to Z, 2 to 7)", "hex": "pairs of digits from 0 to f"}
        wanted = spelled.get(encoding, "Base64 (letters, digits, + and /)")
        raise ToolFailure(f"expected {wanted}, got {text[:_SHOWN]!r}: {error}") from error


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ToolFailure(f"{text[error.start]!r} is half of a sign and has no UTF-8") from error


def _key(passphrase: str, salt: bytes) -> bytes:
    return hashlib.scrypt(_utf8(passphrase), salt=salt, n=_WORK, r=8, p=1, maxmem=2**27, dklen=32)


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _verify(token: str, key: str, algorithm: str, audience: str) -> None:
    import jwt  # noqa: PLC0415 -- as above
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 -- as above

    options: Any = {"verify_aud": bool(audience), "require": []}
    try:
        jwt.decode(token, key, algorithms=[algorithm], audience=audience or None, options=options)
    except jwt.ExpiredSignatureError as error:
        raise ToolFailure("the signature is right, but the token has expired") from error
    except jwt.PyJWTError as error:
        raise ToolFailure(f"the token is not to be believed: {error}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise ToolFailure(f"the key does not fit {algorithm}: expected a secret or a public key as PEM") from error


def _fact(one: Any) -> CertificateFact:
    from cryptography import x509  # noqa: PLC0415 -- as above
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 -- as above

    names: list[str] = []
    is_authority = False
    with suppress(x509.ExtensionNotFound):
        said = one.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        names = [str(name.value) for name in said]
    with suppress(x509.ExtensionNotFound):
        is_authority = one.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    key = one.public_key()
    kind = type(key).__name__.removeprefix("_").removesuffix("PublicKey").removesuffix("Public")
    size = getattr(key, "key_size", None)
    ends = one.not_valid_after_utc
    return CertificateFact(
        one.subject.rfc4514_string(),
        one.issuer.rfc4514_string(),
        one.not_valid_before_utc,
        ends,
        (ends - datetime.now(UTC)).days,
        tuple(names),
        f"{one.serial_number:x}",
        is_authority,
        f"{kind} {size}" if size else kind,
        one.fingerprint(hashes.SHA256()).hex(),
    )
