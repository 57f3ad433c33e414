"""Which addresses are public, however they are spelled."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools import ToolFailure
from tools.network_hosts import Address, address_of
from tools.web.addresses import admitted_addresses, host_of, is_public, parse_url, private_host_concerns, resolve

PRIVATE = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.1.2.3",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.32.0.1", "2606:4700:4700::1111", "2a00:1450:4001::64"]


@pytest.mark.parametrize("text", PRIVATE)
def test_private_addresses_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", [*PUBLIC, "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_the_open_internet_is_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0x7F.1", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("0", "0.0.0.0"),
        ("0251.0376.0251.0376", "169.254.169.254"),
        ("::1", "::1"),
        ("example.org", None),
        ("999999999999", None),
        ("1.2.3.4.5", None),
        ("127.0.0.1.example", None),
    ],
)
def test_every_spelling_of_an_address_is_read(spelled: str, meant: str | None) -> None:
    assert address_of(spelled) == (ip_address(meant) if meant else None)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:8080/x",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://0177.1/",
        "http://127.1/",
        "http://0/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "https://169.254.169.254/latest/meta-data",
        "http://[fd00:ec2::254]/",
    ],
)
def test_a_private_host_needs_a_person_in_any_spelling(url: str) -> None:
    (concern,) = private_host_concerns(url)

    assert concern.kind == "private_host"
    assert concern.grants == f"host:{host_of(httpx.URL(url))}"
    with pytest.raises(ToolFailure, match="private address"):
        asyncio.run(admitted_addresses(parse_url(url), frozenset(), resolve))


def test_a_public_host_needs_nobody() -> None:
    assert private_host_concerns("https://8.8.8.8/") == []
    assert private_host_concerns("not an address") == []
    # Names that nobody knows raise no question; the tool itself will fail.
    assert private_host_concerns("https://nowhere.example/") == []


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    async def look_up(host: str, port: int) -> tuple[Address, ...]:
        return ip_address("8.8.8.8"), ip_address("10.0.0.1")

    with pytest.raises(ToolFailure, match=r"'mixed\.example' resolves to 10\.0\.0\.1, a private address"):
        asyncio.run(admitted_addresses(parse_url("http://mixed.example/"), frozenset(), look_up))


def test_a_grant_is_for_one_host() -> None:
    granted = frozenset({"host:127.0.0.1"})

    assert asyncio.run(admitted_addresses(parse_url("http://127.0.0.1:1/"), granted, resolve))
    with pytest.raises(ToolFailure, match="private address"):
        asyncio.run(admitted_addresses(parse_url("http://localhost:1/"), granted, resolve))
    with pytest.raises(ToolFailure, match="private address"):
        asyncio.run(admitted_addresses(parse_url("http://127.0.0.2:1/"), granted, resolve))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.org",
        "/etc/passwd",
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://127.0.0.1:70/",
        "javascript:alert(1)",
        "http://",
        "http:///path",
        "http://user:secret@example.org/",
        "http://user@example.org/",
        "http://[::1/",
        "http://exa mple.org/",
        "http://example.org:99999/",
    ],
)
def test_addresses_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ToolFailure):
        parse_url(text)


@given(st.text(max_size=60) | st.text(max_size=40).map("http://{}".format))
def test_any_text_is_an_address_or_a_failure(text: str) -> None:
    try:
        url = parse_url(text)
    except ToolFailure:
        return
    assert url.scheme in {"http", "https"}
    assert host_of(url)
    private_host_concerns(text)


def test_an_unknown_host_fails_with_its_name() -> None:
    with pytest.raises(ToolFailure, match=r"the host 'nowhere\.example' cannot be found"):
        asyncio.run(resolve("nowhere.example", 80))
