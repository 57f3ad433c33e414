"""XML as plain values and back. Entities are refused, so no text can grow while it is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*")
_DEEPEST: Final = 100


def parse_root(text: str, name: str) -> Element:
    """Return the root of an XML text.

    Args:
        name: What it is called in messages.

    Raises:
        ToolFailure: It is no XML, or has a DOCTYPE or entities.
    """
    import defusedxml  # noqa: PLC0415 -- only XML needs it
    import defusedxml.ElementTree  # noqa: PLC0415 -- as above

    try:
        root: Element = defusedxml.ElementTree.fromstring(text.removeprefix("\ufeff").lstrip(), forbid_dtd=True)
    except defusedxml.DefusedXmlException as error:
        raise ToolFailure(f"{name} has a DOCTYPE or entities, which are not read; remove them") from error
    except (SyntaxError, ValueError) as error:
        raise ToolFailure(f"{name} is no XML: {error}") from error
    return root


def parse(text: str, name: str) -> Any:
    """Return an XML text as objects: attributes as `@name`, words beside them as `#text`, repeated elements as lists.

    Raises:
        ToolFailure: It is no XML.
    """
    root = parse_root(text, name)
    return {local_name(root.tag): _value(root, 0)}


def local_name(tag: Any) -> str:
    """Return a name without its namespace."""
    return str(tag).rpartition("}")[2]


def _value(element: Element, depth: int) -> Any:
    if depth > _DEEPEST:
        raise ToolFailure(f"the XML is nested more than {_DEEPEST} levels deep")
    found: dict[str, Any] = {f"@{local_name(key)}": value for key, value in element.attrib.items()}
    repeated: set[str] = set()
    for child in element:
        name, value = local_name(child.tag), _value(child, depth + 1)
        if name not in found:
            found[name] = value
            continue
        if name not in repeated:
            found[name] = [found[name]]
            repeated.add(name)
        found[name].append(value)
    words = "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
    if not found:
        return words or None
    return {**found, "#text": words} if words else found


def value_of(element: Element) -> Any:
    """Return an element as plain data, as `parse` does."""
    return _value(element, 0)


def write(value: Any) -> str:
    """Return plain data as XML, the reverse of `parse`.

    Raises:
        ToolFailure: It has not exactly one name at the top, or a name that XML cannot have.
    """
    from xml.etree import ElementTree as ET  # noqa: PLC0415 -- only XML needs it; nothing is read with it

    if not isinstance(value, dict) or len(value) != 1:
        raise ToolFailure("XML has one element at the top: expected an object with one name")
    (name, inner), *_ = value.items()
    if isinstance(inner, list):
        raise ToolFailure(f"XML has one element at the top, but {name!r} is a list; put it into an object first")
    root = ET.Element(_checked(name))
    _fill(root, inner)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _fill(element: Element, value: Any) -> None:
    from xml.etree.ElementTree import SubElement  # noqa: PLC0415 -- see write

    if not isinstance(value, dict):
        element.text = _words(value)
        return
    for key, item in value.items():
        if key == "#text":
            element.text = _words(item)
        elif key.startswith("@"):
            element.set(_checked(key[1:]), _words(item))
        else:
            for one in item if isinstance(item, list) else [item]:
                _fill(SubElement(element, _checked(key)), one)


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ToolFailure(f"{name!r} cannot be the name of an XML element; rename it first")
    return name


def _words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        raise ToolFailure("an XML element cannot hold a list within a list")
    text = value if isinstance(value, str) else str(value)
    if any(ord(sign) < 32 and sign not in "\t\n\r" for sign in text):  # noqa: PLR2004 -- what XML cannot hold
        raise ToolFailure("a text holds control characters, which XML cannot have")
    return text
