"""A rule that refuses a host or a path refuses whatever reaches it, in every spelling."""

from __future__ import annotations

import unicodedata
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.catalog.web_server import LocalServer, Page, local_server
from tests.tools.running import Answers
from tools import CallStatus, Executor, ToolRegistry, resolve_tools
from tools.catalog.web import Web
from tools.network_hosts import Address, address_of, forms, host_of, is_this_computer, reached, readings
from tools.policy import Autonomy, Effect, Policy, Predicate, Rule, RuleLocation
from tools.policy.matching import Subject, compiled_predicate
from tools.web.addresses import is_public

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.expects_log("tools.calls")

PROJECT = Path("/project")


def numbers(address: IPv4Address) -> Iterator[str]:
    """Yield every spelling of an IPv4 address that the system's own reader takes."""
    whole, parts = int(address), list(address.packed)
    yield str(address)
    yield from (str(whole), hex(whole), f"0{whole:o}", f"0X{whole:X}", f"0x{whole:020x}")
    yield f"{parts[0]}.{whole & 0xFFFFFF}"
    yield f"{parts[0]:#x}.{whole & 0xFFFFFF:#x}"
    yield f"{parts[0]}.{parts[1]}.{whole & 0xFFFF}"
    yield f"0{parts[0]:o}.0{parts[1]:o}.0{parts[2]:o}.0{parts[3]:o}"
    yield f"0{parts[0]:o}.{parts[1]}.{parts[2]:#x}.{parts[3]}"
    yield ".".join(map(hex, parts))


def carriers(address: IPv4Address) -> Iterator[IPv6Address]:
    """Yield the IPv6 addresses that lead to an IPv4 address."""
    whole = int(address)
    yield IPv6Address(0xFFFF << 32 | whole)
    yield IPv6Address(int(IPv6Address("64:ff9b::")) | whole)
    yield IPv6Address(int(IPv6Address("64:ff9b:1::")) | whole)
    yield IPv6Address(0x2002 << 112 | whole << 80)
    if whole > 1:
        yield IPv6Address(whole)


def written(address: IPv6Address) -> Iterator[str]:
    """Yield spellings of an IPv6 address in brackets."""
    for text in {str(address), address.exploded, address.compressed.upper()}:
        yield from (f"[{text}]", f"[{text}%25eth0]", f"[{text}%eth0]")
    if not int(address) >> 48:
        start = str(IPv6Address(int(address) >> 32 << 32))
        yield f"[{start.removesuffix('0:0') if start != '::' else '::'}{IPv4Address(int(address) & 0xFFFFFFFF)}]"


def dressed(host: str) -> Iterator[str]:
    """Yield a host as it stands in addresses, disguised in every way that programs see through."""
    yield f"http://{host}/"
    yield f"HTTP://{host}:80"
    yield f"http://{host}./" if not host.endswith("]") else f"http://{host}/"
    yield f"https://user:word@{host}:8443/a?b#c"
    yield f"http://good.example@{host}/"
    yield f"//{host}/"
    yield host
    yield f"{host}:8080"
    yield f" http://{host}/ "
    if not host.startswith("["):
        yield f"http://{host.replace('.', chr(0x3002))}/"
        yield f"http://{host.replace('.', chr(0xFF0E))}/"
        yield f"http://{host.replace('.', '%2E')}/"
        yield f"http://{''.join(f'%{byte:02x}' for byte in host.encode())}/"
        yield f"http://{''.join(chr(ord(letter) + 0xFEE0) if letter.isalnum() else letter for letter in host)}/"


def refuses(wanted: str, text: str) -> bool:
    predicate = Predicate.model_validate({"path": "url", "host_in": [wanted]})
    return compiled_predicate(predicate, wide=True)(Subject({"url": text}, PROJECT))


def allows(wanted: str, text: str) -> bool:
    predicate = Predicate.model_validate({"path": "url", "host_in": [wanted]})
    return compiled_predicate(predicate, wide=False)(Subject({"url": text}, PROJECT))


ADDRESSES = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "8.8.8.8"]


class TestAddresses:
    @pytest.mark.parametrize("address", ADDRESSES)
    def test_are_refused_in_every_spelling(self, address: str) -> None:
        spelled = [*numbers(IPv4Address(address))]
        spelled += [text for carrier in carriers(IPv4Address(address)) for text in written(carrier)]
        missed = [text for host in spelled for text in dressed(host) if not refuses(address, text)]
        assert missed == []

    @pytest.mark.parametrize("rule", ["2130706433", "0x7f.1", "::ffff:127.0.0.1", "[::ffff:7f00:1]", "64:ff9b::7f00:1"])
    def test_are_refused_however_the_rule_spells_them(self, rule: str) -> None:
        assert refuses(rule, "http://127.0.0.1/")
        assert refuses(rule, "http://017700000001/")
        assert not refuses(rule, "http://127.0.0.2/")

    @given(st.ip_addresses(v=4), st.data())
    def test_of_every_number_are_the_same_in_every_spelling(self, address: IPv4Address, data: st.DataObject) -> None:
        host = data.draw(st.sampled_from([*numbers(address)]))
        text = data.draw(st.sampled_from([*dressed(host)]))
        assert refuses(str(address), text), text
        other = IPv4Address((int(address) + 0x01010101) & 0xFFFFFFFF)
        # An octal spelling may be meant as decimal figures, and then is refused as both.
        if host == str(address):
            assert not refuses(str(other), text), text

    @given(st.ip_addresses(v=4), st.data())
    def test_that_carry_another_are_that_one_as_well(self, address: IPv4Address, data: st.DataObject) -> None:
        carrier = data.draw(st.sampled_from([*carriers(address)]))
        assert address in reached(carrier)
        text = data.draw(st.sampled_from([item for host in written(carrier) for item in dressed(host)]))
        assert refuses(str(address), text), text
        assert refuses(str(carrier), text), text

    @given(st.ip_addresses(v=6), st.data())
    def test_of_version_six_are_the_same_in_every_spelling(self, address: IPv6Address, data: st.DataObject) -> None:
        text = data.draw(st.sampled_from([item for host in written(address) for item in dressed(host)]))
        assert refuses(str(address), text), text

    @given(st.ip_addresses())
    def test_are_read_back_from_their_own_spelling(self, address: Address) -> None:
        assert address_of(str(address)) == address
        assert str(address) in forms(str(address))

    def test_that_are_allowed_are_so_in_their_usual_spelling_alone(self) -> None:
        assert allows("127.0.0.1", "http://127.0.0.1:8000/")
        for text in ("http://0177.0.0.1/", "http://2130706433/", "http://127.0.0.1@evil.example/", "http://%31.1/"):
            assert not allows("127.0.0.1", text), text
        # To some programs 0177 is 127, to others 177.
        assert not allows("177.0.0.1", "http://0177.0.0.1/")
        assert refuses("177.0.0.1", "http://0177.0.0.1/")

    @given(st.ip_addresses(v=4))
    def test_that_carry_a_private_one_are_not_public(self, address: IPv4Address) -> None:
        if not is_public(address):
            assert not any(map(is_public, carriers(address)))


NAMES = ["example.org", "bücher.example", "straße.example", "sub.example.org", "localhost"]


class TestNames:
    @pytest.mark.parametrize("name", NAMES)
    def test_are_refused_in_every_spelling(self, name: str) -> None:
        ascii_name = name.encode("idna").decode()
        spelled = {name, name.upper(), name.title(), f"{name}.", unicodedata.normalize("NFD", name), ascii_name}
        spelled |= {ascii_name.upper(), name.replace("e", "\u00ade"), name.replace("e", "e\u200b", 1)}
        missed = [text for host in spelled for text in dressed(host) if not refuses(name, text)]
        assert missed == []

    def test_below_a_name_are_refused_with_it(self) -> None:
        for host in ("a.example.org", "A.B.EXAMPLE.ORG.", "a。example。org", "a%2eexample%2eorg"):
            assert refuses("*.example.org", f"https://{host}/"), host
        assert not refuses("*.example.org", "https://badexample.org/")

    @pytest.mark.parametrize(
        "text",
        [
            "http:127.0.0.1/",
            "http:/127.0.0.1/",
            "http:///127.0.0.1/",
            "http:\\\\127.0.0.1\\",
            "http://127.0.0.1\\@good.example/",
            "http://good.example\\@127.0.0.1/",
            "http://a@good.example@127.0.0.1/",
            "ht\ntp://127.0.0.1/",
            "http://127.0.\t0.1/",
            "http://127.0.0.1\u3002/",
            "http://①②⑦.0.0.1/",
            "http://127.0.0.1%00.good.example/",
            "http://%2531%2532%2537.0.0.1/",
            "ftp://127.0.0.1/",
            "http://[::ffff:127.0.0.1",
        ],
    )
    def test_that_programs_read_differently_are_refused(self, text: str) -> None:
        assert refuses("127.0.0.1", text)
        assert not allows("good.example", text)

    @pytest.mark.parametrize(
        "text", ["http://example.org/127.0.0.1", "https://example.org/?u=127.0.0.1", "example.org"]
    )
    def test_that_are_others_are_not(self, text: str) -> None:
        assert not refuses("127.0.0.1", text)
        assert host_of(text) == "example.org"

    @given(st.text(max_size=40))
    def test_no_text_at_all_breaks_the_reading(self, text: str) -> None:
        assert all(form == form.lower() for form in readings(f"http://{text}"))
        assert isinstance(refuses("127.0.0.1", text), bool)
        assert isinstance(host_of(text), str)


def test_servers_are_judged_by_the_same_reading() -> None:
    for host in ("127.0.0.1", "2130706433", "0x7f.1", "::ffff:127.0.0.1", "localhost", "LOCALHOST.", "a.localhost"):
        assert is_this_computer(host), host
    for host in ("example.org", "127.0.0.1.example", "8.8.8.8", "localhost.example"):
        assert not is_this_computer(host), host


def policy_against(host: str) -> Policy:
    policy = Policy(autonomy=Autonomy.FULL_AUTO)
    policy.add(Rule(id="all", effect=Effect.ALLOW, answers=("*",)), RuleLocation.SESSION)
    where = [{"path": "url", "host_in": [host]}]
    policy.add(Rule.model_validate({"id": "no", "effect": "deny", "where": where}), RuleLocation.SESSION)
    return policy


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as running:
        yield running


def fetched(tmp_path: Path, policy: Policy, url: str, kit: Any = None) -> tuple[CallStatus, str]:
    registry = ToolRegistry(resolve_tools([kit or Web()]))
    executor = Executor(registry, project_dir=tmp_path, policy=policy, review_handler=Answers())
    try:
        response = executor.run("fetch_page", {"url": url})
        return response.status, response.text
    finally:
        executor.close()


class TestConnections:
    def test_to_a_name_that_leads_to_a_refused_address_are_refused(self, server: LocalServer, tmp_path: Path) -> None:
        server.pages["/a"] = Page(b"<p>secret</p>")
        status, text = fetched(tmp_path, policy_against("127.0.0.1"), f"http://localhost:{server.port}/a")
        assert (status, server.seen) == (CallStatus.DENIED, [])
        assert text.startswith("Denied by rule")
        assert (
            fetched(tmp_path, policy_against("127.0.0.2"), f"http://localhost:{server.port}/a")[0]
            is CallStatus.EXECUTED
        )

    def test_to_a_name_that_leads_elsewhere_when_it_starts_are_refused(
        self, server: LocalServer, tmp_path: Path
    ) -> None:
        asked: list[str] = []

        async def rebinding(host: str, port: int) -> tuple[Address, ...]:
            asked.append(host)
            return (ip_address("127.0.0.1"),)

        # The system knows no such name; the tool's own look finds the refused address.
        url = f"http://rebinding.example:{server.port}/a"
        status, text = fetched(tmp_path, policy_against("127.0.0.1"), url, Web(look_up=rebinding))
        assert (status, asked, server.seen) == (CallStatus.DENIED, ["rebinding.example"], [])
        assert "127.0.0.1" in text or text.startswith("Denied")

    def test_that_a_redirect_leads_to_are_refused(self, server: LocalServer, tmp_path: Path) -> None:
        server.pages["/go"] = Page(status=302, headers=(("location", f"http://127.0.0.2:{server.port}/a"),))
        server.pages["/a"] = Page(b"<p>secret</p>")
        status, _ = fetched(tmp_path, policy_against("127.0.0.2"), server.url("/go"))
        assert (status, [seen.path for seen in server.seen]) == (CallStatus.DENIED, ["/go"])
        named = policy_against("localhost")
        server.pages["/go"] = Page(status=302, headers=(("location", f"http://LOCALHOST.:{server.port}/a"),))
        assert fetched(tmp_path, named, server.url("/go"))[0] is CallStatus.DENIED
        assert [seen.path for seen in server.seen] == ["/go", "/go"]


def path_refused(folder: str, text: str, project: Path) -> bool:
    predicate = Predicate.model_validate({"path": "path", "inside": folder})
    return compiled_predicate(predicate, wide=True)(Subject({"path": text}, project))


def path_allowed(folder: str, text: str, project: Path) -> bool:
    predicate = Predicate.model_validate({"path": "path", "inside": folder})
    return compiled_predicate(predicate, wide=False)(Subject({"path": text}, project))


class TestPaths:
    def test_are_refused_in_every_spelling(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        project = tmp_path / "project"
        (project / "geheim").mkdir(parents=True)
        (project / "link").symlink_to(project / "geheim")
        for text in (
            *(
                "geheim",
                "geheim/",
                "./geheim/a",
                "x/../geheim/a",
                "geheim//a",
                "GEHEIM/a",
                "link/a",
                "Geheim",
                "geheim.",
            ),
            *("~/project/geheim/a", f"{project}/geheim", f"file://{project}/geheim/a", f"FILE:{project}/geheim/a"),
            *(f"file://{project}/%67eheim/a", "%67eheim/a", "geheim\\a", " geheim/a", "$HOME/project/geheim/a"),
            *("geheim::$DATA", "ge\u200bheim/a", f"/proc/self/root{project}/geheim/a"),
        ):
            assert path_refused("geheim", text, project), text
            assert path_refused(f"{project}/geheim/", text, project), text
        for text in ("offen", "geheim2/a", "offen/geheimnis"):
            assert not path_refused("geheim", text, project), text

    def test_of_composed_letters_are_the_same(self, tmp_path: Path) -> None:
        for folder in ("über", unicodedata.normalize("NFD", "über")):
            for text in ("über/a", unicodedata.normalize("NFD", "Über/a")):
                assert path_refused(folder, text, tmp_path)

    def test_are_allowed_only_when_every_reading_lies_inside(self, tmp_path: Path) -> None:
        project = tmp_path / "project"
        project.mkdir()
        for text in ("a", "./a/b", f"{project}/a", f"file://{project}/a"):
            assert path_allowed(".", text, project), text
        for text in (
            "file:///etc/passwd",
            "..\\x",
            "%2e%2e/x",
            "https://example.org/a",
            "~nobody-at-all/x",
            "a/../../x",
        ):
            assert not path_allowed(".", text, project), text
