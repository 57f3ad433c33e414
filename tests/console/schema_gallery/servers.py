"""The tools of well-known MCP servers, with the schemas those servers declare."""

from __future__ import annotations

from typing import Any, Final

from console.schema_form import FieldKind as Kind
from tests.console.schema_gallery.case import Case

__all__ = ["SERVERS"]

# Two of the generators that servers use: zod writes draft-07, pydantic names no draft.
_ZOD: Final = {"$schema": "http://json-schema.org/draft-07/schema#", "additionalProperties": False}
_PATH: Final = {"type": "string"}
_ENTITY: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The name of the entity"},
        "entityType": {"type": "string", "description": "The type of the entity"},
        "observations": {
            "type": "array",
            "items": {"type": "string"},
            "description": "An array of observation contents associated with the entity",
        },
    },
    "required": ["name", "entityType", "observations"],
}
_RELATION: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "from": {"type": "string", "description": "The name of the entity where the relation starts"},
        "to": {"type": "string", "description": "The name of the entity where the relation ends"},
        "relationType": {"type": "string", "description": "The type of the relation"},
    },
    "required": ["from", "to", "relationType"],
}
_OBSERVED: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"entityName": {"type": "string"}, "contents": {"type": "array", "items": {"type": "string"}}},
    "required": ["entityName", "contents"],
}
_REPO: Final[dict[str, Any]] = {"title": "Repo Path", "type": "string"}


def zod(name: str, properties: dict[str, Any], required: list[str], *values: Any, **kinds: Kind) -> Case:
    """Make the case of a tool whose schema zod wrote."""
    schema = {"type": "object", "properties": properties, "required": required, **_ZOD}
    return _tool(name, schema, required, values, kinds)


def model(name: str, properties: dict[str, Any], required: list[str], *values: Any, **kinds: Kind) -> Case:
    """Make the case of a tool whose schema pydantic wrote."""
    title = "".join(part.capitalize() for part in name.rsplit(maxsplit=1)[-1].split("_"))
    schema = {"title": title, "type": "object", "properties": properties, "required": required}
    return _tool(name, schema, required, values, kinds)


def _tool(name: str, schema: dict[str, Any], required: list[str], values: Any, kinds: dict[str, Kind]) -> Case:
    first = values[0] if values else {}
    invalid: list[Any] = [({part: first[part] for part in first if part != left}, (left,)) for left in required]
    for part in first:
        of_another_type = "many" if schema["properties"][part].get("type") in {"integer", "number"} else 1
        invalid.append(({**first, part: of_another_type}, (part,)))
    return Case(name, schema, values, invalid, {(part,): kind for part, kind in kinds.items()})


_EVERYTHING: Final = (
    zod(
        "everything echo",
        {"message": {"type": "string", "description": "Message to echo"}},
        ["message"],
        {"message": "hi"},
        message=Kind.LINES,
    ),
    zod(
        "everything add",
        {"a": {"type": "number"}, "b": {"type": "number"}},
        ["a", "b"],
        {"a": 1, "b": 0.5},
        a=Kind.NUMBER,
    ),
    zod("everything printEnv", {}, [], {}),
    zod(
        "everything longRunningOperation",
        {"duration": {"type": "number", "default": 10}, "steps": {"type": "number", "default": 5}},
        [],
        {"duration": 3, "steps": 2},
        {},
        duration=Kind.NUMBER,
    ),
    zod(
        "everything sampleLLM",
        {"prompt": {"type": "string"}, "maxTokens": {"type": "number", "default": 100}},
        ["prompt"],
        {"prompt": "a", "maxTokens": 5},
        prompt=Kind.LINES,
    ),
    zod(
        "everything annotatedMessage",
        {
            "messageType": {"type": "string", "enum": ["error", "success", "debug"]},
            "includeImage": {"type": "boolean", "default": False},
        },
        ["messageType"],
        {"messageType": "debug", "includeImage": True},
        messageType=Kind.CHOICE,
        includeImage=Kind.BOOLEAN,
    ),
    zod(
        "everything getResourceReference",
        {"resourceId": {"type": "number", "minimum": 1, "maximum": 100}},
        ["resourceId"],
        {"resourceId": 100},
        resourceId=Kind.NUMBER,
    ),
    zod(
        "everything getResourceLinks",
        {"count": {"type": "number", "minimum": 1, "maximum": 10, "default": 3}},
        [],
        {"count": 1},
        {},
    ),
    zod(
        "everything structuredContent",
        {"location": {"type": "string", "minLength": 1}},
        ["location"],
        {"location": "Oslo"},
    ),
    zod(
        "everything zip",
        {"files": {"type": "object", "additionalProperties": {"type": "string", "format": "uri"}}},
        ["files"],
        {"files": {"a.txt": "https://example.org/a"}},
        files=Kind.MAP,
    ),
)

_FILESYSTEM: Final = (
    zod(
        "filesystem read_text_file",
        {"path": _PATH, "tail": {"type": "number"}, "head": {"type": "number"}},
        ["path"],
        {"path": "a", "tail": 5},
    ),
    zod("filesystem read_media_file", {"path": _PATH}, ["path"], {"path": "a.png"}),
    zod(
        "filesystem read_multiple_files",
        {"paths": {"type": "array", "items": _PATH, "minItems": 1}},
        ["paths"],
        {"paths": ["a", "b"]},
        paths=Kind.LIST,
    ),
    zod(
        "filesystem write_file",
        {"path": _PATH, "content": {"type": "string"}},
        ["path", "content"],
        {"path": "a", "content": "b\nc"},
        content=Kind.LINES,
    ),
    zod(
        "filesystem edit_file",
        {
            "path": _PATH,
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"oldText": {"type": "string"}, "newText": {"type": "string"}},
                    "required": ["oldText", "newText"],
                    "additionalProperties": False,
                },
            },
            "dryRun": {"type": "boolean", "default": False},
        },
        ["path", "edits"],
        {"path": "a", "edits": [{"oldText": "b", "newText": "c"}], "dryRun": True},
        edits=Kind.TABLE,
    ),
    zod("filesystem create_directory", {"path": _PATH}, ["path"], {"path": "a/b"}),
    zod(
        "filesystem list_directory_with_sizes",
        {"path": _PATH, "sortBy": {"type": "string", "enum": ["name", "size"], "default": "name"}},
        ["path"],
        {"path": "a", "sortBy": "size"},
        sortBy=Kind.CHOICE,
    ),
    zod(
        "filesystem directory_tree",
        {"path": _PATH, "excludePatterns": {"type": "array", "items": {"type": "string"}, "default": []}},
        ["path"],
        {"path": "a", "excludePatterns": ["*.o"]},
        excludePatterns=Kind.LIST,
    ),
    zod(
        "filesystem move_file",
        {"source": _PATH, "destination": _PATH},
        ["source", "destination"],
        {"source": "a", "destination": "b"},
    ),
    zod(
        "filesystem search_files",
        {
            "path": _PATH,
            "pattern": {"type": "string"},
            "excludePatterns": {"type": "array", "items": {"type": "string"}, "default": []},
        },
        ["path", "pattern"],
        {"path": "a", "pattern": "*.py"},
    ),
    zod("filesystem get_file_info", {"path": _PATH}, ["path"], {"path": "a"}),
    zod("filesystem list_allowed_directories", {}, [], {}),
)

_MEMORY: Final = (
    zod(
        "memory create_entities",
        {"entities": {"type": "array", "items": _ENTITY}},
        ["entities"],
        {"entities": [{"name": "a", "entityType": "b", "observations": ["c"]}]},
        entities=Kind.TABLE,
    ),
    zod(
        "memory create_relations",
        {"relations": {"type": "array", "items": _RELATION}},
        ["relations"],
        {"relations": [{"from": "a", "to": "b", "relationType": "c"}]},
        relations=Kind.TABLE,
    ),
    zod(
        "memory add_observations",
        {"observations": {"type": "array", "items": _OBSERVED}},
        ["observations"],
        {"observations": [{"entityName": "a", "contents": []}]},
        observations=Kind.TABLE,
    ),
    zod(
        "memory delete_entities",
        {"entityNames": {"type": "array", "items": {"type": "string"}}},
        ["entityNames"],
        {"entityNames": ["a"]},
        entityNames=Kind.LIST,
    ),
    zod("memory read_graph", {}, [], {}),
    zod("memory search_nodes", {"query": {"type": "string"}}, ["query"], {"query": "a"}, query=Kind.LINES),
    zod("memory open_nodes", {"names": {"type": "array", "items": {"type": "string"}}}, ["names"], {"names": []}),
)

_GIT: Final = (
    model("git git_status", {"repo_path": _REPO}, ["repo_path"], {"repo_path": "."}),
    model(
        "git git_diff_unstaged",
        {"repo_path": _REPO, "context_lines": {"default": 3, "title": "Context Lines", "type": "integer"}},
        ["repo_path"],
        {"repo_path": ".", "context_lines": 5},
        context_lines=Kind.INTEGER,
    ),
    model(
        "git git_diff",
        {
            "repo_path": _REPO,
            "target": {"title": "Target", "type": "string"},
            "context_lines": {"default": 3, "title": "Context Lines", "type": "integer"},
        },
        ["repo_path", "target"],
        {"repo_path": ".", "target": "main"},
    ),
    model(
        "git git_commit",
        {"repo_path": _REPO, "message": {"title": "Message", "type": "string"}},
        ["repo_path", "message"],
        {"repo_path": ".", "message": "a"},
        message=Kind.LINES,
    ),
    model(
        "git git_add",
        {"repo_path": _REPO, "files": {"items": {"type": "string"}, "title": "Files", "type": "array"}},
        ["repo_path", "files"],
        {"repo_path": ".", "files": ["a"]},
        files=Kind.LIST,
    ),
    model(
        "git git_log",
        {
            "repo_path": _REPO,
            "max_count": {"default": 10, "title": "Max Count", "type": "integer"},
            "start_timestamp": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "default": None,
                "title": "Start Timestamp",
                "description": "Such as 2 weeks ago",
            },
        },
        ["repo_path"],
        {"repo_path": ".", "max_count": 1, "start_timestamp": None},
        start_timestamp=Kind.TEXT,
    ),
    model(
        "git git_create_branch",
        {
            "repo_path": _REPO,
            "branch_name": {"title": "Branch Name", "type": "string"},
            "base_branch": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "Base Branch"},
        },
        ["repo_path", "branch_name"],
        {"repo_path": ".", "branch_name": "a", "base_branch": "b"},
    ),
    model(
        "git git_branch",
        {
            "repo_path": _REPO,
            "branch_type": {"title": "Branch Type", "type": "string"},
            "contains": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            "not_contains": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        ["repo_path", "branch_type"],
        {"repo_path": ".", "branch_type": "all"},
    ),
)

_TIME: Final = (
    zod("time get_current_time", {"timezone": {"type": "string"}}, ["timezone"], {"timezone": "Europe/Oslo"}),
    zod(
        "time convert_time",
        {"source_timezone": {"type": "string"}, "time": {"type": "string"}, "target_timezone": {"type": "string"}},
        ["source_timezone", "time", "target_timezone"],
        {"source_timezone": "UTC", "time": "16:30", "target_timezone": "Asia/Tokyo"},
    ),
)

SERVERS: Final = (*_EVERYTHING, *_FILESYSTEM, *_MEMORY, *_GIT, *_TIME)
