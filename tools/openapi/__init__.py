"""Tools from OpenAPI 3 documents: each operation that a person chose is a tool like any other.

A document is read once, when a person adds or refreshes it, and a copy is kept (`store`): what a file or an address
says later changes no tool. `document` bounds what anybody may have written, `operations` reads each operation by
itself, so that a broken one takes no other along, and `operation_tool` sends what a call asks for, over the client and
by the rules of the built-in web tools.
"""

from __future__ import annotations

from tools.openapi.apis import Apis, ApiState
from tools.openapi.config import APIS_FILE, COPIES_FOLDER, ApiConfig, user_apis_file
from tools.openapi.document import ApiDocument, parsed_document
from tools.openapi.fetching import fetched
from tools.openapi.operations import ApiContents, Operation, contents_of
from tools.openapi.security import ApiKeys, Scheme
from tools.openapi.store import ApiStore

__all__ = [
    "APIS_FILE",
    "COPIES_FOLDER",
    "ApiConfig",
    "ApiContents",
    "ApiDocument",
    "ApiKeys",
    "ApiState",
    "ApiStore",
    "Apis",
    "Operation",
    "Scheme",
    "contents_of",
    "fetched",
    "parsed_document",
    "user_apis_file",
]
