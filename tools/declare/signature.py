"""Read a Python signature: which parameters callers give, and which the framework fills."""

from __future__ import annotations

import functools
import inspect
import re
import typing
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path, PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, Union
from uuid import UUID

from pydantic import BaseModel, PydanticSchemaGenerationError, TypeAdapter
from pydantic.fields import FieldInfo

from tools.config import Configurator
from tools.context import ToolContext
from tools.errors import DeclarationError
from tools.sentences import begin_sentence
from tools.spec import MISSING, Param, Parameter, ProjectDir
from tools.tool import Injected, Injection

PROJECT_DIR_NAME: Final = "project_dir"
"""The parameter name that always receives the project folder. Source: seed 1, "@Param"."""
SESSION_NAME: Final = "mcp_client_session_id"
"""The parameter name that always receives the id of the session. Source: seed 1, `SESSION_ID_PARAM_NAME`."""

_STYLES: Final = (
    # Names of `docstring_parser.DocstringStyle`.
    (re.compile(r"^\s*(Args|Arguments|Parameters|Params|Returns|Raises):\s*$", re.MULTILINE), "GOOGLE"),
    (re.compile(r"^\s*(Parameters|Returns)\s*\n\s*-{3,}", re.MULTILINE), "NUMPYDOC"),
    (re.compile(r"^\s*:(param|arg|returns?|raises)\b", re.MULTILINE), "REST"),
)


class Docs(NamedTuple):
    """What a docstring says.

    Attributes:
        description: Everything before the parameter section.
        parameters: Descriptions by Python name.
    """

    description: str
    parameters: dict[str, str]


class Signature(NamedTuple):
    """A callable's parameters, sorted by who fills them.

    Attributes:
        injected: What the framework gives.
        returns: The return annotation; `inspect.Signature.empty` when there is none.
        docs: The docstring's words.
    """

    parameters: tuple[Parameter, ...]
    injected: tuple[Injected, ...]
    returns: Any
    docs: Docs


def read_docs(target: object) -> Docs:
    """Read a docstring in Google, NumPy or reST style; only the style it is written in is parsed.

    An object without one has none: what it inherits was written about something else.
    """
    text = inspect.cleandoc(getattr(target, "__doc__", None) or "")
    for pattern, style in _STYLES:
        if pattern.search(text):
            # Few docstrings have parts, and a list of the built-in tools reads none.
            from docstring_parser import DocstringStyle, parse  # noqa: PLC0415 -- see above

            parsed = parse(text, style=DocstringStyle[style])
            body = "\n\n".join(part for part in (parsed.short_description, parsed.long_description) if part)
            return Docs(body, {item.arg_name: item.description or "" for item in parsed.params})
    return Docs(text, {})


def plain_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function behind a partial application, or the method behind an object that can be called."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isroutine(function) or isinstance(function, type):
        return function
    method: Callable[..., Any] = getattr(function, "__call__", function)  # noqa: B004 -- the method itself is wanted
    return method


def beside(function: Callable[..., Any], name: str) -> Any:
    """Return what has a name beside a function: in its object, else in its module; None when nothing has."""
    plain = inspect.unwrap(function)
    owner = getattr(plain, "__self__", None)
    found = getattr(owner, name, None) if owner is not None else None
    return getattr(plain, "__globals__", {}).get(name) if found is None else found


def _spelled(name: str) -> str:
    """Return a parameter's name as words, which is its description where nobody wrote one."""
    words = name.replace("_", " ").strip()
    return begin_sentence(words)


def read_signature(function: Callable[..., Any], *, owner: str) -> Signature:
    """Read a function's or bound method's signature.

    Raises:
        DeclarationError: When callers could not give a parameter by name.
    """
    signature = inspect.signature(function)
    plain = plain_function(function)
    try:
        hints = typing.get_type_hints(plain, include_extras=True)
    except Exception as error:
        msg = f"{owner}: its type hints cannot be read ({error}); import the names they use at module level"
        raise DeclarationError(msg) from error
    docs = read_docs(plain)
    parameters: list[Parameter] = []
    injected: list[Injected] = []
    for item in signature.parameters.values():
        if item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD, item.POSITIONAL_ONLY):
            msg = f"{owner}: parameter {item!s} cannot be given by name; spell out named parameters instead"
            raise DeclarationError(msg)
        annotation = hints.get(item.name, Any)
        filled = _injection(item, annotation)
        if filled is not None:
            injected.append(filled)
        else:
            parameters.append(_parameter(item, annotation, docs, owner))
    return Signature(tuple(parameters), tuple(injected), hints.get("return", inspect.Signature.empty), docs)


def _parameter(item: inspect.Parameter, annotation: Any, docs: Docs, owner: str) -> Parameter:
    note = Param()
    field_description = ""
    factory: Callable[[], Any] | None = None
    default: Any = MISSING if item.default is item.empty else item.default
    for extra in typing.get_args(annotation)[1:] if typing.get_origin(annotation) is Annotated else ():
        if isinstance(extra, Param):
            note = extra
        elif isinstance(extra, FieldInfo):
            field_description = extra.description or ""
            factory = typing.cast("Callable[[], Any] | None", extra.default_factory)
    if isinstance(default, FieldInfo):
        msg = f"{owner}: put Field(...) of parameter {item.name!r} inside Annotated[...], and the default after '='"
        raise DeclarationError(msg)
    if note.default is not MISSING:
        default = note.default
    return Parameter(
        name=note.name or item.name,
        python_name=item.name,
        annotation=annotation,
        default=default,
        default_factory=factory if default is MISSING else None,
        description=note.description or field_description or docs.parameters.get(item.name) or _spelled(item.name),
        unit=note.unit,
    )


def _injection(item: inspect.Parameter, annotation: Any) -> Injected | None:
    if item.name == PROJECT_DIR_NAME:
        return Injected(item.name, Injection.PROJECT_DIR, str if annotation is str else None)
    if item.name == SESSION_NAME:
        return Injected(item.name, Injection.SESSION)
    if typing.get_origin(annotation) is Annotated:
        inner, *extras = typing.get_args(annotation)
        if any(isinstance(extra, ProjectDir) or extra is ProjectDir for extra in extras):
            return Injected(item.name, Injection.PROJECT_DIR)
        if any(isinstance(extra, Param) for extra in extras):
            return None
        annotation = inner
    members = [part for part in typing.get_args(annotation) if part is not NoneType]
    optional = typing.get_origin(annotation) in (Union, UnionType) and len(members) == 1
    if optional:
        annotation = members[0]
    if annotation is ToolContext:
        return Injected(item.name, Injection.CONTEXT)
    if annotation is Configurator:
        return Injected(item.name, Injection.CONFIG)
    if isinstance(annotation, type) and not _has_json_form(annotation):
        return Injected(item.name, Injection.OBJECT, annotation, optional or item.default is None)
    return None


_JSON_TYPES: Final = frozenset(
    {str, int, float, bool, bytes, list, dict, set, tuple, frozenset, object, NoneType, Path, PurePath}
    | {date, datetime, time, timedelta, Decimal, UUID}
)


def _has_json_form(annotation: type) -> bool:
    # Only what is none of these is worth asking pydantic about, which takes longer than all the rest of a declaration.
    if annotation in _JSON_TYPES or issubclass(annotation, Enum | BaseModel):
        return True
    try:
        TypeAdapter(annotation)
    except PydanticSchemaGenerationError:
        return False
    except Exception:  # noqa: BLE001 -- an unfinished forward reference is still a data type; the schema says more
        return True
    return True
