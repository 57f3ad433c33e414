"""OpenAPI documents as one meets them, written for the tests."""

from __future__ import annotations

import json
from typing import Any


def document(paths: dict[str, Any], /, version: str = "3.1.0", **more: Any) -> dict[str, Any]:
    """Return a document with these paths."""
    return {"openapi": version, "info": {"title": "Things", "version": "1"}, "paths": paths, **more}


def operation(*parameters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"parameters": list(parameters), "responses": {"200": {"description": "ok"}}, **more}


def parameter(name: str, place: str, schema: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    needed = {"required": True} if place == "path" else {}
    return {"name": name, "in": place, "schema": {} if schema is None else schema, **needed, **more}


def encoded(content: dict[str, Any]) -> bytes:
    return json.dumps(content).encode()


PETSTORE = """\
openapi: 3.0.3
info: {title: Pet Store API, version: 1.0.0}
servers:
  - url: "{scheme}://{host}/v1"
    variables:
      scheme: {default: https, enum: [https, http]}
      host: {default: pets.example.org}
tags: [{name: pets}]
security: [{api_key: []}]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      summary: List pets
      security: []
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 0, exclusiveMinimum: true, maximum: 100}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
      responses:
        200:
          description: The pets
          content:
            application/json:
              schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}
        default: {$ref: "#/components/responses/Problem"}
    post:
      operationId: createPet
      tags: [pets]
      summary: Add a pet
      description: Adds one pet, and answers with what was kept.
      requestBody:
        required: true
        description: The new pet
        content:
          application/xml: {schema: {$ref: "#/components/schemas/Pet"}}
          application/json: {schema: {$ref: "#/components/schemas/Pet"}}
      responses:
        201:
          description: Kept
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
  /pets/{petId}:
    parameters:
      - {$ref: "#/components/parameters/PetId"}
    get:
      operationId: getPet
      tags: [pets]
      summary: Find a pet by its number
      responses:
        200:
          description: The pet
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
    delete:
      operationId: deletePet
      tags: [pets]
      deprecated: true
      responses: {204: {description: Gone}}
  /pets/{petId}/photo:
    get:
      summary: Get the photo
      parameters: [{$ref: "#/components/parameters/PetId"}]
      responses: {200: {description: The photo, content: {image/png: {schema: {type: string, format: binary}}}}}
    put:
      summary: Replace the photo
      parameters: [{$ref: "#/components/parameters/PetId"}]
      requestBody: {content: {image/png: {schema: {type: string, format: binary}}}}
      responses: {204: {description: Kept}}
components:
  parameters:
    PetId: {name: petId, in: path, required: true, description: The number of the pet, schema: {type: integer}}
  responses:
    Problem:
      description: What went wrong
      content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, example: Rex}
        tag: {type: string, nullable: true}
        mother: {$ref: "#/components/schemas/Pet"}
        secret: {type: string, writeOnly: true}
    Problem: {type: object, properties: {title: {type: string}, detail: {type: string}}}
  securitySchemes:
    api_key: {type: apiKey, in: header, name: X-API-Key}
"""

REPOSITORIES: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Code hosting", "version": "2"},
    "servers": [{"url": "https://api.code.example"}],
    "security": [{"token": []}],
    "paths": {
        "/repos/{owner}/{repo}/issues": {
            "parameters": [{"$ref": "#/components/parameters/owner"}, {"$ref": "#/components/parameters/repo"}],
            "get": {
                "operationId": "issues/list-for-repo",
                "tags": ["issues"],
                "summary": "List repository issues",
                "parameters": [
                    {"name": "state", "in": "query", "schema": {"type": "string", "enum": ["open", "closed", "all"]}},
                    {"name": "labels", "in": "query", "schema": {"type": "string"}},
                    {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}},
                ],
                "responses": {
                    "200": {
                        "description": "Issues",
                        "headers": {"Link": {"schema": {"type": "string"}}},
                        "content": {
                            "application/json": {
                                "schema": {"type": "array", "items": {"$ref": "#/components/schemas/issue"}}
                            }
                        },
                    }
                },
            },
            "post": {
                "operationId": "issues/create",
                "tags": ["issues"],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["title"],
                                "properties": {
                                    "title": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
                                    "labels": {"type": "array", "items": {"type": "string"}},
                                    "milestone": {
                                        "oneOf": [{"type": "string"}, {"type": "integer"}],
                                        "nullable": True,
                                    },
                                },
                            }
                        }
                    },
                },
                "responses": {"201": {"description": "Made"}},
            },
        },
        "/repos/{owner}/{repo}/releases/{id}/assets": {
            "post": {
                "operationId": "repos/upload-release-asset",
                "servers": [{"url": "https://uploads.code.example"}],
                "parameters": [
                    {"$ref": "#/components/parameters/owner"},
                    {"$ref": "#/components/parameters/repo"},
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "name", "in": "query", "required": True, "schema": {"type": "string"}},
                ],
                "requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}},
                "responses": {"201": {"description": "Kept"}},
            }
        },
    },
    "components": {
        "parameters": {
            "owner": {"name": "owner", "in": "path", "required": True, "schema": {"type": "string"}},
            "repo": {"name": "repo", "in": "path", "required": True, "schema": {"type": "string"}},
        },
        "schemas": {
            "issue": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "user": {"$ref": "#/components/schemas/nullable-user"},
                    "parent": {"nullable": True, "allOf": [{"$ref": "#/components/schemas/issue"}]},
                },
            },
            "nullable-user": {"type": "object", "nullable": True, "properties": {"login": {"type": "string"}}},
        },
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    },
}

WEBHOOKS: dict[str, Any] = {
    "openapi": "3.1.1",
    "info": {"title": "Orders", "version": "1", "summary": "Of a shop"},
    "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
    "servers": [{"url": "https://shop.example"}],
    "paths": {
        "/orders": {
            "post": {
                "operationId": "placeOrder",
                "requestBody": {"$ref": "#/components/requestBodies/Order"},
                "responses": {"202": {"description": "Taken"}},
            }
        },
        "/health": {"get": {"responses": {"200": {"description": "ok", "content": {"text/plain": {}}}}}},
    },
    "webhooks": {
        "orderShipped": {"post": {"requestBody": {"content": {"application/json": {"schema": {}}}}}},
    },
    "components": {
        "requestBodies": {
            "Order": {
                "required": True,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}},
            }
        },
        "schemas": {
            "Order": {
                "type": "object",
                "required": ["items"],
                "properties": {
                    "items": {"type": "array", "prefixItems": [{"type": "string"}], "minItems": 1},
                    "note": {"type": ["string", "null"], "examples": ["Ring twice"]},
                    "amount": {"type": "number", "exclusiveMinimum": 0},
                    "kind": {"const": "order"},
                },
            }
        },
    },
}
