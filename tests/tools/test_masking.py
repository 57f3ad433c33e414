"""Secrets are hidden by path, in texts and in addresses, and edits put them back where they belong or not at all."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import ArgumentsError
from tools.masking import MASK, Masking, Scrubber, masking_of, parse_path
from tools.masking.addresses import address_secrets, is_secret_parameter, masked_address, restored_address
from tools.masking.paths import PathWildcard

OPEN: dict[str, Any] = {"type": "object", "properties": {}}


def masking(*fields: str, **schema: Any) -> Masking:
    made = masking_of(fields, {**OPEN, **schema}, None)
    assert made is not None
    return made


class TestPaths:
    @pytest.mark.parametrize(
        ("path", "parts"),
        [
            ("token", ("token",)),
            ("auth.token", ("auth", "token")),
            ("items[].secret", ("items", PathWildcard.ITEM, "secret")),
            ("items[2].x", ("items", 2, "x")),
            ("a[][0]", ("a", PathWildcard.ITEM, 0)),
            ("headers.X-Api-Key", ("headers", "xapikey")),
            ('headers["X.Key"]', ("headers", "x.key")),
            ("auth.*", ("auth", PathWildcard.NAME)),
            ("*.token", (PathWildcard.NAME, "token")),
            ("result.api_key", ("result", "apikey")),
        ],
    )
    def test_a_path_has_parts(self, path: str, parts: tuple[object, ...]) -> None:
        assert parse_path(path) == parts

    @pytest.mark.parametrize(
        "path", ["", ".", "a.", ".a", "a..b", "a[", "a[x]", "a]b", "[0]", "[].a", "a[0]b", 'a["b]']
    )
    def test_what_is_no_path_is_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="is no path"):
            parse_path(path)


class TestHiding:
    @pytest.mark.reference("A29")
    @pytest.mark.parametrize(
        ("path", "values", "shown"),
        [
            ("token", {"token": "a", "other": "b"}, {"token": MASK, "other": "b"}),
            ("token", {"token": None}, {"token": MASK}),
            ("token", {"token": ["a", {"b": 1}]}, {"token": MASK}),
            ("auth.token", {"auth": {"token": "a", "user": "b"}}, {"auth": {"token": MASK, "user": "b"}}),
            ("auth.token", {"auth": {"user": "b"}}, {"auth": {"user": "b"}}),
            ("auth.token", {"auth": None}, {"auth": None}),
            (
                "items[].secret",
                {"items": [{"secret": "a"}, {"n": 1}, {"secret": 2, "n": 2}]},
                {"items": [{"secret": MASK}, {"n": 1}, {"secret": MASK, "n": 2}]},
            ),
            ("items[1].x", {"items": [{"x": 1}, {"x": 2}]}, {"items": [{"x": 1}, {"x": MASK}]}),
            ("items[]", {"items": ["a", "b"]}, {"items": [MASK, MASK]}),
            ("head.Author-ity", {"head": {"AUTHOR_ITY": 1, "x": 2}}, {"head": {"AUTHOR_ITY": MASK, "x": 2}}),
            ("api_key", {"apiKey": "a"}, {"apiKey": MASK}),
            ("auth.*", {"auth": {"a": 1, "b": [2]}}, {"auth": {"a": MASK, "b": MASK}}),
            ("*.t", {"a": {"t": 1}, "b": {"t": 2, "c": 3}}, {"a": {"t": MASK}, "b": {"t": MASK, "c": 3}}),
            # Where a path cannot go on, the secret may be anywhere.
            ("auth.token", {"auth": "user:secret"}, {"auth": MASK}),
            ("auth.token", {"auth": [{"token": "a"}]}, {"auth": MASK}),
            ("items[].secret", {"items": {"secret": "a"}}, {"items": MASK}),
        ],
    )  # fmt: skip
    def test_a_path_hides_what_it_leads_to(self, path: str, values: dict[str, Any], shown: dict[str, Any]) -> None:
        before = json.dumps(values)
        assert masking(path).arguments(values) == shown
        assert json.dumps(values) == before

    def test_a_path_into_the_result_leaves_the_arguments_alone(self) -> None:
        made = masking("result.rows[].token")
        assert made.arguments({"rows": [{"token": "a"}]}) == {"rows": [{"token": "a"}]}
        assert made.result({"rows": [{"token": "a", "n": 1}]}) == {"rows": [{"token": MASK, "n": 1}]}
        assert made.result("token: a") == MASK
        assert masking("result").result({"a": 1}) == MASK

    def test_an_argument_called_result_is_hidden_as_well(self) -> None:
        made = masking("result.token", properties={"result": {"type": "object"}})
        assert made.arguments({"result": {"token": "a"}}) == {"result": {"token": MASK}}
        assert made.result({"token": "a"}) == {"token": MASK}

    def test_nothing_to_hide_is_no_masking_at_all(self) -> None:
        assert masking_of((), {**OPEN, "properties": {"a": {"type": "string"}}}, {"type": "object"}) is None

    @pytest.mark.parametrize("secret", [{"writeOnly": True}, {"type": "string", "format": "password"}])
    @pytest.mark.parametrize(
        ("schema", "values", "shown"),
        [
            ({"properties": {"a": "SECRET"}}, {"a": "x"}, {"a": MASK}),
            ({"properties": {"a": {"$ref": "#/$defs/S"}}}, {"a": "x"}, {"a": MASK}),
            ({"properties": {"a": {"anyOf": ["SECRET", {"type": "null"}]}}}, {"a": "x"}, {"a": MASK}),
            ({"properties": {"a": {"items": "SECRET"}}}, {"a": ["x", "y"]}, {"a": [MASK, MASK]}),
            ({"properties": {"a": {"prefixItems": [{}, "SECRET"]}}}, {"a": [1, 2]}, {"a": [1, MASK]}),
            ({"properties": {"a": {"additionalProperties": "SECRET"}}}, {"a": {"k": "x"}}, {"a": {"k": MASK}}),
            ({"properties": {"a": {"patternProperties": {"^x": "SECRET"}}}}, {"a": {"xk": "x"}}, {"a": {"xk": MASK}}),
            ({"properties": {"a": {"allOf": [{"properties": {"b": "SECRET"}}]}}}, {"a": {"b": 1}}, {"a": {"b": MASK}}),
            ({"properties": {"a": {"then": {"properties": {"b": "SECRET"}}}}}, {"a": {"b": 1}}, {"a": {"b": MASK}}),
            ({"dependentSchemas": {"x": {"properties": {"b": "SECRET"}}}}, {"b": 1}, {"b": MASK}),
        ],
    )  # fmt: skip
    def test_a_schema_says_what_is_secret(
        self, secret: dict[str, Any], schema: dict[str, Any], values: dict[str, Any], shown: dict[str, Any]
    ) -> None:
        document = json.loads(json.dumps({**schema, "$defs": {"S": "SECRET"}}).replace('"SECRET"', json.dumps(secret)))
        assert masking(**document).arguments(values) == shown

    def test_a_schema_may_contain_itself(self) -> None:
        node = {"properties": {"key": {"writeOnly": True}, "children": {"items": {"$ref": "#/$defs/Node"}}}}
        made = masking(**{"properties": {"tree": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}})
        leaf = {"key": "c", "n": 3}
        values = {"tree": {"key": "a", "children": [{"key": "b", "children": [leaf]}]}}
        shown = {"tree": {"key": MASK, "children": [{"key": MASK, "children": [{"key": MASK, "n": 3}]}]}}
        assert made.arguments(values) == shown
        assert made.secrets(values) == {"a", "b", "c"}

    @pytest.mark.parametrize("reference", ["#/$defs/Nowhere", "https://example.org/x", "#anchor", "#/$defs/S/9"])
    def test_a_reference_that_leads_nowhere_hides_nothing(self, reference: str) -> None:
        document = {"properties": {"a": {"$ref": reference}, "b": {"writeOnly": True}}, "$defs": {"S": [1]}}
        assert masking(**document).arguments({"a": "x", "b": "y"}) == {"a": "x", "b": MASK}

    def test_of_arguments_that_do_not_fit_more_is_hidden(self) -> None:
        made = masking(
            properties={"auth": {"properties": {"key": {"writeOnly": True}}}, "url": {"format": "uri"}, "n": {}},
            additionalProperties=False,
        )
        given = {"auth": "k3y", "atuh": {"key": "k3y"}, "url": ["https://u:p@h"], "n": [1]}
        assert made.arguments(given, fit=False) == {"auth": MASK, "atuh": MASK, "url": MASK, "n": [1]}
        assert made.secrets(given, fit=False) == {"k3y", "https://u:p@h"}
        # An open object may well have other names.
        assert masking("key").arguments({"other": "a"}, fit=False) == {"other": "a"}

    @pytest.mark.parametrize(
        ("path", "touched"),
        [
            ("auth.key", True),
            ("auth.key.deep", True),
            ("auth", True),
            ("auth.user", False),
            ("list[3].key", True),
            ("list[3].n", False),
            ("list", True),
            ("n", False),
            ('headers["X-Key"]', True),
            ("not a [ path", True),
        ],
    )
    def test_a_problem_s_path_tells_whether_its_value_may_be_shown(self, path: str, touched: bool) -> None:
        made = masking("auth.key", "list[].key", "headers.x_key")
        assert made.touches(path) is touched


class TestAddresses:
    @pytest.mark.parametrize(
        ("address", "shown"),
        [
            ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
            ("https://user:pw@example.org/", f"https://user:{MASK}@example.org/"),
            ("https://user:p@w@example.org/", f"https://user:{MASK}@example.org/"),
            ("https://t0ken@example.org/", f"https://{MASK}@example.org/"),
            ("https://user:@example.org/", "https://user:@example.org/"),
            ("//user:pw@example.org", f"//user:{MASK}@example.org"),
            ("https://h/?api_key=k&x=1", f"https://h/?api_key={MASK}&x=1"),
            ("https://h/?x=1&API-Key=k;token=t", f"https://h/?x=1&API-Key={MASK};token={MASK}"),
            ("https://h/?X-Amz-Signature=k", f"https://h/?X-Amz-Signature={MASK}"),
            ("https://h/#access_token=k&state=s", f"https://h/#access_token={MASK}&state=s"),
            ("https://h/?token=", "https://h/?token="),
            ("https://h/@a:b@c?monkey=1", "https://h/@a:b@c?monkey=1"),
            ("no address", "no address"),
            ("", ""),
        ],
    )
    def test_an_address_shows_neither_password_nor_key(self, address: str, shown: str) -> None:
        assert masked_address(address) == shown
        assert masked_address(shown) == shown

    def test_its_secrets_are_known_as_written_and_as_meant(self) -> None:
        assert set(address_secrets("https://u:p%40w@h/?key=a+b&q=1")) == {"p%40w", "p@w", "a+b", "a b"}

    @pytest.mark.parametrize(
        ("name", "secret"), [("client_secret", True), ("sig", True), ("page", False), ("keyword", False)]
    )
    def test_names_of_parameters_tell(self, name: str, secret: bool) -> None:
        assert is_secret_parameter(name) is secret

    @pytest.mark.parametrize(
        ("edited", "real"),
        [
            (f"https://u:{MASK}@h/new?key={MASK}&n=2", "https://u:pw@h/new?key=k1&n=2"),
            (f"https://v:{MASK}@H/?n=2", "https://v:pw@H/?n=2"),
            ("https://u:typed@h/?key=new", "https://u:typed@h/?key=new"),
            (f"https://u:{MASK}@elsewhere/?key={MASK}", None),
            (f"https://h/?token={MASK}", None),
            (f"https://h/{MASK}", None),
        ],
    )
    def test_its_secrets_come_back_for_the_same_host_only(self, edited: str, real: str | None) -> None:
        assert restored_address(edited, "https://u:pw@h/?key=k1") == real

    def test_two_of_a_name_come_back_in_order(self) -> None:
        real = "https://h/?key=a&x=1&key=b"
        assert restored_address(masked_address(real), real) == real


class TestScrubbing:
    @pytest.mark.parametrize(
        ("secret", "text"),
        [
            ("hunter22", "the password hunter22 is wrong, hunter22!"),
            ('say "hi"\n', json.dumps({"a": 'say "hi"\n'})),
            ("schlüssel", json.dumps({"a": "schlüssel"})),
            ("it's \\ here", repr({"a": "it's \\ here"})),
            ("a b/c?d", "https://h/?q=" + quote("a b/c?d", safe="")),
            ("a b&c", "q=a+b%26c"),
            ("hunter22", base64.b64encode(b"mira:hunter22").decode()),
            ("hunter22", base64.b64encode(b"m:hunter22:x").decode()),
            ("hunter22", base64.b64encode(b"mi:hunter22").decode()),
            ("????>>>>", base64.urlsafe_b64encode(b"????>>>>").decode()),
            ("Bearer abcdefgh", "token=abcdefgh"),
            ("Basic " + base64.b64encode(b"mira:hunter22").decode(), "user mira, password hunter22"),
            ("session=abcdefgh; theme=dark", "the session abcdefgh ended"),
            ("-----BEGIN KEY-----\nMIIBVgIBADAN\n-----END", "line 2: MIIBVgIBADAN"),
            ("  padded1  ", "it was 'padded1'"),
            ("12345", "the number 12345"),
        ],
    )  # fmt: skip
    def test_a_secret_is_found_in_every_form(self, secret: str, text: str) -> None:
        scrubbed = Scrubber([secret])(text)
        assert MASK in scrubbed
        for form in (secret.strip(), "hunter22", "abcdefgh", base64.b64encode(b"hunter22").decode()[2:8], "MIIBVg"):
            assert form not in scrubbed

    def test_messages_cut_long_values(self) -> None:
        scrubber = Scrubber(["sk-0123456789abcdefghij"])
        assert scrubber("input_value='sk-01234567...89abcdefghij'") == f"input_value='{MASK}...{MASK}'"
        assert scrubber("sk-0") == "sk-0"

    def test_short_ones_are_not_looked_for(self) -> None:
        scrubber = Scrubber(["abc", ""])
        assert not scrubber
        assert scrubber("abc") == "abc"

    def test_with_very_many_no_text_is_searched(self) -> None:
        scrubber = Scrubber([f"secret number {number}" for number in range(2000)])
        assert (scrubber("anything"), scrubber("")) == (MASK, "")

    def test_a_value_is_searched_through(self) -> None:
        value: Any = {"hunter22": ["x hunter22", {"n": 1234, "f": 1234.5, "b": True, "z": None}], "m": 12}
        assert Scrubber(["hunter22", "1234"]).value(value) == {
            MASK: [f"x {MASK}", {"n": MASK, "f": MASK, "b": True, "z": None}], "m": 12,
        }  # fmt: skip

    @given(
        secret=st.text(min_size=4, max_size=40).filter(lambda text: len(text.strip()) >= 4 and "•" not in text),
        before=st.text(max_size=20),
        after=st.text(max_size=20),
    )
    def test_no_text_keeps_any_secret(self, secret: str, before: str, after: str) -> None:
        scrubber = Scrubber([secret])
        for form in (secret, json.dumps(secret)[1:-1], quote(secret.encode(errors="surrogatepass"))):
            text = f"{before}{form}{after}"
            assert form not in scrubber(text).replace(MASK, "\0")
            assert scrubber.finds(text)


class TestRestoring:
    def back(self, path: str, real: dict[str, Any], edit: Any) -> Any:
        """Return what comes of an edit of what is shown."""
        made = masking(path)
        shown = made.arguments(real)
        edit(shown)
        return made.restored(shown, real)

    def test_what_was_left_comes_back_and_what_was_typed_stays(self) -> None:
        real = {"auth": {"token": "t", "user": "a"}, "n": 1}
        assert self.back("auth.token", real, lambda shown: shown.update(n=2)) == {
            "auth": {"token": "t", "user": "a"},
            "n": 2,
        }
        assert self.back("auth.token", real, lambda shown: shown["auth"].update(token="new"))["auth"]["token"] == "new"

    def test_a_header_comes_back_whatever_its_letters(self) -> None:
        made = masking("headers.authorization")
        real = {"headers": {"Authorization": "t"}}
        assert made.restored({"headers": {"authorization": MASK}}, real) == {"headers": {"authorization": "t"}}

    @pytest.mark.parametrize(
        ("order", "secrets"),
        [
            ([2, 0, 1], ["c", "a", "b"]),
            ([1], ["b"]),
            ([0, 0, 1], ["a", "a", "b"]),
            ([], []),
        ],
    )
    def test_items_that_moved_keep_their_own_secret(self, order: list[int], secrets: list[str]) -> None:
        real = {"items": [{"n": 1, "secret": "a"}, {"n": 2, "secret": "b"}, {"n": 3, "secret": "c"}]}

        def move(shown: dict[str, Any]) -> None:
            shown["items"] = [shown["items"][place] for place in order]

        assert [item["secret"] for item in self.back("items[].secret", real, move)["items"]] == secrets

    def test_the_one_item_that_was_edited_takes_the_one_secret_left(self) -> None:
        real = {"items": [{"n": 1, "secret": "a"}, {"n": 2, "secret": "b"}]}

        def edit(shown: dict[str, Any]) -> None:
            first, second = shown["items"]
            shown["items"] = [second, {**first, "n": 9}]

        assert self.back("items[].secret", real, edit) == {"items": [{"n": 2, "secret": "b"}, {"n": 9, "secret": "a"}]}

    def test_items_that_look_alike_stay_in_order(self) -> None:
        real = {"items": ["a", "b", "c"]}
        assert self.back("items[]", real, lambda shown: None) == real
        assert self.back("items[]", real, lambda shown: shown["items"].append("d")) == {"items": ["a", "b", "c", "d"]}

    @pytest.mark.parametrize(
        "edited",
        [
            [MASK, MASK],
            [MASK] * 4,
        ],
    )
    def test_where_two_secrets_could_be_meant_neither_is_taken(self, edited: list[str]) -> None:
        with pytest.raises(ArgumentsError, match=r"items\[0\]: expected the value itself"):
            masking("items[]").restored({"items": edited}, {"items": ["a", "b", "c"]})
        # Unless they are the same.
        assert masking("items[]").restored({"items": edited}, {"items": ["a"] * 3}) == {"items": ["a"] * len(edited)}

    def test_two_edited_items_get_no_secret(self) -> None:
        real = {"items": [{"n": 1, "secret": "a"}, {"n": 2, "secret": "b"}]}
        edited = {"items": [{"n": 2.5, "secret": MASK}, {"n": 1.5, "secret": MASK}]}
        with pytest.raises(ArgumentsError) as caught:
            masking("items[].secret").restored(edited, real)
        assert [problem.path for problem in caught.value.problems] == ["items[0].secret", "items[1].secret"]

    @pytest.mark.parametrize(
        ("edited", "path"),
        [
            ({"auth": {"token": "t"}, "copy": MASK}, "copy"),
            ({"auth": {"token": "t"}, "deep": {"list": [MASK]}}, "deep.list[0]"),
            ({"auth": {"user": MASK}}, "auth.user"),
            ({"other": {"token": MASK}}, "other.token"),
        ],
    )
    def test_bullets_in_another_place_are_no_value(self, edited: dict[str, Any], path: str) -> None:
        with pytest.raises(ArgumentsError) as caught:
            masking("auth.token").restored(edited, {"auth": {"token": "t", "user": "a"}})
        assert [problem.path for problem in caught.value.problems] == [path]

    def test_a_value_that_is_really_bullets_stays(self) -> None:
        assert masking("a").restored({"a": "x", "b": MASK}, {"a": "x", "b": MASK}) == {"a": "x", "b": MASK}

    def test_an_address_comes_back(self) -> None:
        made = masking(properties={"url": {"format": "uri"}})
        real = {"url": "https://u:pw@h/?key=k"}
        edited = {"url": f"https://u:{MASK}@h/more?key={MASK}"}
        assert made.restored(edited, real) == {"url": "https://u:pw@h/more?key=k"}
        with pytest.raises(ArgumentsError, match="url: expected the value itself"):
            made.restored({"url": f"https://u:{MASK}@elsewhere/"}, real)

    @given(
        secrets=st.lists(st.integers(0, 5).map(str), max_size=6),
        numbers=st.lists(st.integers(0, 3), min_size=6, max_size=6),
        order=st.permutations(range(6)),
        cut=st.integers(0, 6),
    )
    def test_no_item_ever_gets_a_secret_that_looked_otherwise(
        self, secrets: list[str], numbers: list[int], order: list[int], cut: int
    ) -> None:
        real = {"items": [{"n": number, "secret": secret} for number, secret in zip(numbers, secrets, strict=False)]}
        made = masking("items[].secret")
        shown: Any = made.arguments(real)
        moved = [shown["items"][place] for place in order if place < len(secrets)][:cut]
        try:
            items = made.restored({"items": moved}, real)["items"]
        except ArgumentsError:
            # Only when items look alike and some of them are gone.
            assert len(moved) < len(secrets)
            return
        for item in items:
            assert item in real["items"]


class TestForms:
    def test_a_schema_says_of_everything_hidden_that_nobody_reads_it(self) -> None:
        auth = {"type": "object", "properties": {"token": {"type": "string"}, "user": {"type": "string"}}}
        schema: dict[str, Any] = {
            "properties": {
                "key": {"type": "string", "description": "The key"},
                "auth": {"anyOf": [{"$ref": "#/$defs/Auth"}, {"type": "null"}]},
                "items": {"type": "array", "items": {"$ref": "#/$defs/Auth"}},
                "url": {"type": "string", "format": "uri"},
            },
            "$defs": {"Auth": auth},
        }
        before = json.dumps(schema)
        properties = masking("key", "auth.token", "items[].user", **schema).marked({**OPEN, **schema})["properties"]
        hidden = {"type": "string", "writeOnly": True}
        assert properties["key"] == {**hidden, "description": "The key"}
        assert properties["auth"]["anyOf"][0]["properties"] == {"token": hidden, "user": {"type": "string"}}
        assert properties["items"]["items"]["properties"] == {"token": {"type": "string"}, "user": hidden}
        assert properties["url"] == {"type": "string", "format": "uri"}
        assert json.dumps(schema) == before

    def test_a_schema_that_contains_itself_ends(self) -> None:
        node = {"properties": {"key": {"writeOnly": True}, "next": {"$ref": "#/$defs/Node"}}}
        document: dict[str, Any] = {"properties": {"tree": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
        made = masking(**document).marked({**OPEN, **document})
        assert made["properties"]["tree"]["properties"]["next"] == {"$ref": "#/$defs/Node"}
