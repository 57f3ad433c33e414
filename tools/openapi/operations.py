"""The operations of a document, each read by itself: a broken one is reported and takes no other along."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin

from tools import schema
from tools.errors import ApiError, DeclarationError
from tools.openapi.document import ApiDocument
from tools.openapi.parameters import STYLES_BY_PLACE, Style
from tools.openapi.schemas import ComponentSchemas
from tools.openapi.security import Scheme, schemes_of

MOST_OPERATIONS: Final = 5_000
"""The most operations of a document."""

READING_S: Final = 120.0
"""Seconds that the reading of all operations may take."""

READING: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that change nothing. Source: RFC 9110, 9.2.1."""

_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_PLACES: Final = tuple(STYLES_BY_PLACE)
_OF_CLIENT: Final = frozenset({"accept", "content-type", "authorization"})
"""Headers that a document describes elsewhere. Source: OpenAPI 3.1.1, "Parameter Object"."""

_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")
_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")
_LONGEST_NAME: Final = 64
_LONGEST_WORDS: Final = 4_000
_JSON: Final = re.compile(r"(application|text)/([\w.+-]+\+)?json|\*/\*")


class OperationParameter(NamedTuple):
    """One parameter.

    Attributes:
        argument: What callers call it.
        name: What the document calls it.
        place: `path`, `query`, `header` or `cookie`.
        explode: Whether each of its parts stands alone.
        allow_reserved: Whether reserved characters stay as they are.
        is_json: Whether its value is sent as JSON text.
    """

    argument: str
    name: str
    place: str
    style: Style
    explode: bool
    allow_reserved: bool = False
    is_json: bool = False


class Body(NamedTuple):
    """What an operation is sent.

    Attributes:
        argument: What callers call it.
        schema: What it is, as JSON Schema whose references lead into the operation's `input_schema`.
        encodings: What the document says of the parts of a form.
    """

    argument: str
    media_type: str
    schema: Mapping[str, Any]
    encodings: Mapping[str, Mapping[str, Any]]

    @property
    def is_json(self) -> bool:
        return is_json(self.media_type)


@dataclass(frozen=True, eq=False)
class Operation:
    """Be one operation that can become a tool.

    Attributes:
        key: Its method and path, such as `GET /pets/{id}`: what tells it from all others.
        name: What its tool is called, without the API's name.
        path: Its path, with variables in braces.
        server: The address before the path; relative when the document names none.
        tag: Its first tag; empty when it has none.
        parameters: What goes into path, query, headers and cookies.
        body: What it is sent; None for nothing.
        security: What signs it: one of these, each with all of its schemes; nothing needs no signing.
        output_schema: What its answer is; None when nothing is said.
        accepts: The media types that it answers with.
        shared: What its schemas have in common with those of the other operations.
    """

    key: str
    name: str
    method: str
    path: str
    server: str
    summary: str
    description: str
    tag: str
    parameters: tuple[OperationParameter, ...]
    body: Body | None
    security: tuple[tuple[Scheme, ...], ...]
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    accepts: tuple[str, ...]
    shared: schema.SharedParts

    @property
    def only_reads(self) -> bool:
        """Whether its method changes nothing."""
        return self.method in READING

    @property
    def effect(self) -> str:
        """What its method does, in a word or two."""
        return "reads" if self.only_reads else "deletes" if self.method == "DELETE" else "changes"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """All that may sign it."""
        return tuple(dict.fromkeys(scheme for group in self.security for scheme in group))


class ApiContents(NamedTuple):
    """What a document offers.

    Attributes:
        operations: Its operations, in order.
        schemes: What signs requests, by name.
        problems: What of it cannot be used, one sentence each.
    """

    title: str
    operations: tuple[Operation, ...]
    schemes: Mapping[str, Scheme]
    problems: tuple[str, ...]

    @property
    def needed(self) -> tuple[Scheme, ...]:
        """The schemes that an operation asks for, in order."""
        return tuple(dict.fromkeys(scheme for operation in self.operations for scheme in operation.schemes))


def contents_of(document: ApiDocument, *, address: str = "", base: str = "") -> ApiContents:
    """Return the operations of a document.

    Args:
        address: Where it came from, which relative addresses in it are relative to; empty for a file.
        base: What stands in the place of all its addresses; empty leaves them.

    Raises:
        ApiError: It has too many operations, or none.
    """
    reader = _Reader(document, address, base)
    operations: list[Operation] = []
    problems = list(reader.problems)
    found = list(_nodes(document, problems))
    if len(found) > MOST_OPERATIONS:
        raise ApiError(f"{document.name} has {len(found):,} operations; expected at most {MOST_OPERATIONS:,}")
    names: set[str] = set()
    end = time.monotonic() + READING_S
    for method, path, item, node in found:
        if time.monotonic() > end:
            raise ApiError(f"{document.name} takes more than {READING_S:g} s to read; take out what is not needed")
        key = f"{method.upper()} {path}"
        try:
            operation = reader.operation(method, path, item, node)
        except (ApiError, DeclarationError) as error:
            problems.append(f"{key}: {error}")
            continue
        name = _unused(operation.name, names)
        names.add(name)
        operations.append(replace(operation, name=name))
    if not found and not problems:
        raise ApiError(f"{document.name} has no operations; expected some under `paths`")
    return ApiContents(document.title, tuple(operations), reader.schemes, (*problems, *reader.notes))


def _nodes(document: ApiDocument, problems: list[str]) -> Iterator[tuple[str, str, Mapping[str, Any], Any]]:
    paths = document.content.get("paths")
    if paths is not None and not isinstance(paths, Mapping):
        raise ApiError(f"{document.name}: expected `paths` to be an object, with one entry for each path")
    for path, node in (paths or {}).items():
        if path.startswith("x-"):
            continue
        if not path.startswith("/"):
            problems.append(f"{path!r} under `paths` is no path; expected one that begins with /")
            continue
        try:
            item = document.resolved(node, f"the path {path}")
        except ApiError as error:
            problems.append(f"{path}: {error}")
            continue
        for method in _METHODS:
            if method in item:
                yield method, path, item, item[method]


def _unused(name: str, taken: set[str]) -> str:
    number, plain = 1, name
    while name in taken:
        number += 1
        name = f"{plain[: _LONGEST_NAME - 6]}_{number}"
    return name


def is_json(media_type: str) -> bool:
    """Return whether what has this media type is JSON."""
    return _JSON.fullmatch(media_type.partition(";")[0].strip().lower()) is not None


class _Arguments(NamedTuple):
    """The arguments of an operation while it is read.

    Attributes:
        properties: Their schemas, by name.
        required: Those that must be given.
    """

    properties: dict[str, Any]
    required: list[str]


class _Reader:
    """Reads the operations of one document."""

    def __init__(self, document: ApiDocument, address: str, base: str) -> None:
        self._document = document
        self._address = address
        self._base = base
        self._requests = ComponentSchemas(document, for_request=True)
        self._answers = ComponentSchemas(document, for_request=False)
        self._shared = schema.SharedParts()
        self.schemes, self._unknown = schemes_of(document)
        self.problems = tuple(self._unknown.values())
        self.notes: list[str] = []

    def operation(self, method: str, path: str, item: Mapping[str, Any], node: Any) -> Operation:
        """Return an operation.

        Raises:
            ApiError: It means nothing.
            DeclarationError: Its schema cannot be used.
        """
        node = self._document.resolved(node, "the operation")
        said = node.get("operationId")
        name = _NOT_IN_NAMES.sub("_", said if isinstance(said, str) and said else f"{method}_{path.strip('/')}").strip(
            "_"
        )
        name = name[:_LONGEST_NAME] or method
        key = f"{method.upper()} {path}"
        security = self._security(node)
        arguments = _Arguments({}, [])
        given = (*_listed(item, "parameters"), *_listed(node, "parameters"))
        parameters = self._parameters(path, given, arguments, security)
        body = self._body(node, arguments)
        tags = node.get("tags")
        output, accepts = self._output(key, node)
        summary, description = _words(node.get("summary")), _words(node.get("description"))
        if node.get("deprecated") is True:
            summary = f"Deprecated: {summary or description or key}"
        document: dict[str, Any] = {
            "type": "object",
            "properties": arguments.properties,
            "required": arguments.required,
            "additionalProperties": False,
        }
        if definitions := self._requests.definitions_of(arguments.properties):
            document["$defs"] = definitions
        schema.SchemaArguments(document, owner="its parameters", shared=self._shared)
        return Operation(
            key=key,
            name=name,
            method=method.upper(),
            path=path,
            server=self._server(item, node),
            summary=summary,
            description=description,
            tag=str(tags[0]) if isinstance(tags, list) and tags else "",
            parameters=parameters,
            body=body,
            security=security,
            input_schema=document,
            output_schema=output,
            accepts=accepts,
            shared=self._shared,
        )

    def _parameters(
        self,
        path: str,
        given: Iterable[Any],
        arguments: _Arguments,
        security: tuple[tuple[Scheme, ...], ...],
    ) -> tuple[OperationParameter, ...]:
        """Return the parameters, and put their schemas among those of the arguments; of two the last counts."""
        signed = {(scheme.kind, scheme.parameter.lower()) for group in security for scheme in group}
        by_identity: dict[tuple[str, str], Mapping[str, Any]] = {}
        for item in given:
            one = self._document.resolved(item, "a parameter")
            name, place = one.get("name"), one.get("in")
            if not isinstance(name, str) or not name or place not in _PLACES:
                raise ApiError(
                    f"a parameter has no name, or no place among {', '.join(_PLACES)}: {name!r} in {place!r}"
                )
            by_identity[str(place), name] = one
        variables = set(_VARIABLE.findall(path))
        if missing := variables - {name for place, name in by_identity if place == "path"}:
            raise ApiError(f"its path names {', '.join(sorted(missing))}, which is no parameter of it")
        found: list[OperationParameter] = []
        for (place, name), one in sorted(by_identity.items(), key=lambda pair: _PLACES.index(pair[0][0])):
            is_of_client = place == "header" and name.lower() in _OF_CLIENT
            if is_of_client or (place, name.lower()) in signed or (place == "path" and name not in variables):
                continue
            argument = _argument(name, place, arguments.properties)
            found.append(self._parameter(argument, place, name, one))
            arguments.properties[argument] = self._schema_of(name, one)
            if one.get("required") is True or place == "path":
                arguments.required.append(argument)
        return tuple(found)

    def _parameter(self, argument: str, place: str, name: str, one: Mapping[str, Any]) -> OperationParameter:
        styles = STYLES_BY_PLACE[place]
        said = one.get("style", styles[0])
        if said not in styles:
            known = ", ".join(styles)
            raise ApiError(f"the parameter {name!r} has the style {said!r}; expected one of {known} in a {place}")
        style = Style(said)
        explode = one.get("explode")
        if not isinstance(explode, bool):
            explode = style in {Style.FORM, Style.DEEP_OBJECT}
        reserved = one.get("allowReserved") is True
        return OperationParameter(argument, name, place, style, explode, reserved, is_json="content" in one)

    def _schema_of(self, name: str, one: Mapping[str, Any]) -> Any:
        node = one.get("schema", {})
        content = one.get("content")
        if isinstance(content, Mapping):
            media: Any = next(iter(content.values()), {})
            node = media.get("schema", {}) if isinstance(media, Mapping) else {}
        if not isinstance(node, Mapping | bool):
            raise ApiError(f"expected the schema of the parameter {name!r} to be an object")
        return _described(self._requests.written(node), one)

    def _body(self, node: Mapping[str, Any], arguments: _Arguments) -> Body | None:
        given = node.get("requestBody")
        if given is None:
            return None
        body = self._document.resolved(given, "the request body")
        content = body.get("content")
        if not isinstance(content, Mapping) or not content:
            raise ApiError("its request body does not say of which media type it is")
        media_type = min(content, key=_preference)
        media = self._document.resolved(content[media_type], f"the request body as {media_type}")
        said = media.get("schema", {})
        if not isinstance(said, Mapping | bool):
            raise ApiError("expected the schema of its request body to be an object")
        written = self._requests.written(said)
        if not is_json(media_type):
            written = _of_media_type(media_type, written)
        encodings = media.get("encoding")
        argument = _argument("body", "request", arguments.properties)
        arguments.properties[argument] = described = _described(written, body)
        if body.get("required") is True:
            arguments.required.append(argument)
        return Body(argument, media_type, described, _encodings(encodings))

    def _output(self, key: str, node: Mapping[str, Any]) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
        """Return what a good answer is, and the media types of all answers."""
        accepts: dict[str, None] = {}
        found: dict[str, Any] | None = None
        responses = node.get("responses")
        try:
            for code, given in sorted(responses.items()) if isinstance(responses, Mapping) else ():
                content = self._document.resolved(given, f"the response {code}").get("content")
                for media_type, media in content.items() if isinstance(content, Mapping) else ():
                    accepts[media_type] = None
                    is_wanted = found is None and code.startswith("2") and is_json(media_type)
                    if is_wanted and isinstance(media, Mapping) and isinstance(media.get("schema"), Mapping):
                        written = self._answers.written(media["schema"])
                        definitions = self._answers.definitions_of(written)
                        found = {**written, "$defs": definitions} if definitions else written
        except ApiError as error:
            self.notes.append(f"{key}: its answer is not described, {error}")
            found = None
        if found is not None and not schema.is_sound(found, self._shared):
            self.notes.append(f"{key}: its answer is not described, the schema cannot be used")
            found = None
        return found, tuple(accepts)

    def _security(self, node: Mapping[str, Any]) -> tuple[tuple[Scheme, ...], ...]:
        said = node.get("security", self._document.content.get("security"))
        if not isinstance(said, list) or not said:
            return ()
        groups: list[tuple[Scheme, ...]] = []
        why = ""
        for group in said:
            names = list(group) if isinstance(group, Mapping) else []
            unknown = next((name for name in names if name not in self.schemes), None)
            if unknown is None:
                groups.append(tuple(self.schemes[name] for name in names))
            else:
                why = self._unknown.get(unknown, f"it asks for the security scheme {unknown!r}, which is not described")
        if not groups:
            raise ApiError(why)
        return tuple(groups)

    def _server(self, item: Mapping[str, Any], node: Mapping[str, Any]) -> str:
        if self._base:
            return self._base
        lists = (_listed(node, "servers"), _listed(item, "servers"), _listed(self._document.content, "servers"))
        server = next((one[0] for one in lists if one), {"url": "/"})
        url = server.get("url") if isinstance(server, Mapping) else None
        if not isinstance(url, str):
            raise ApiError("expected the url of its server to be a text")
        variables = server.get("variables")
        for name in _VARIABLE.findall(url):
            variable = variables.get(name) if isinstance(variables, Mapping) else None
            value = variable.get("default") if isinstance(variable, Mapping) else None
            if value is None:
                raise ApiError(f"the address {url} names {name}, which has no value; give the address with --base")
            url = url.replace(f"{{{name}}}", str(value))
        return urljoin(self._address, url) if self._address else url


def _listed(node: Mapping[str, Any], key: str) -> list[Any]:
    found = node.get(key)
    return found if isinstance(found, list) else []


def _argument(name: str, place: str, taken: Mapping[str, Any]) -> str:
    """Return what callers call a parameter: its name, behind its place where another one has that name already."""
    if name not in taken:
        return name
    number, plain = 1, f"{place}_{name}"
    found = plain
    while found in taken:
        number += 1
        found = f"{plain}_{number}"
    return found


def _words(text: Any) -> str:
    """Return a text that people and models read; each request to a model carries it, so it has an end."""
    plain = text.strip() if isinstance(text, str) else ""
    return plain if len(plain) <= _LONGEST_WORDS else f"{plain[:_LONGEST_WORDS]}…"


def _described(written: Any, one: Mapping[str, Any]) -> Any:
    words = _words(one.get("description"))
    if one.get("deprecated") is True:
        words = f"Deprecated. {words}".rstrip()
    if isinstance(written, bool):
        written = {} if written else {"not": {}}
    return {**written, "description": words} if words else written


def _preference(media_type: str) -> tuple[int, str]:
    kind = media_type.partition(";")[0].strip().lower()
    order = (
        kind == "application/json",
        is_json(kind),
        kind == "application/x-www-form-urlencoded",
        kind == "multipart/form-data",
        kind.startswith("text/"),
    )
    return next((place for place, fits in enumerate(order) if fits), len(order)), media_type


def _of_media_type(media_type: str, written: Any) -> Any:
    """Return the schema of a body that is no JSON: a form is an object, everything else a text, bytes as base64."""
    kind = media_type.partition(";")[0].strip().lower()
    if kind in {"application/x-www-form-urlencoded", "multipart/form-data"}:
        return written
    if kind.startswith("text/") or kind.endswith(("/xml", "+xml", "/yaml", "javascript", "graphql")):
        return {"type": "string", "description": f"Sent as it is, as {media_type}."}
    return {
        "type": "string",
        "contentEncoding": "base64",
        "description": f"The bytes, in base64; sent as {media_type}.",
    }


def _encodings(node: Any) -> dict[str, Mapping[str, Any]]:
    items = node.items() if isinstance(node, Mapping) else ()
    return {name: value for name, value in items if isinstance(value, Mapping)}
