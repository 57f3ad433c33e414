"""What the disk knows of APIs: their entries, and the documents as a person saw them; from any thread."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

from tools.atomic_write import write_whole
from tools.errors import ApiError
from tools.keyring_secrets import Secrets
from tools.openapi.api_files import COPIES_FOLDER, project_apis_file, user_apis_file
from tools.openapi.apis_file import ApisFile
from tools.openapi.config import ApiConfig, is_address
from tools.openapi.document import ApiDocument
from tools.openapi.operations import ApiContents, Operation, contents_of
from tools.openapi.security import ApiKeys
from tools.schema import canonical_json

_NEEDS_BASE: Final = (
    "names no address of its server, or one that is relative to it; give a base address, such as --base https://…"
)


class ApiDifferences(NamedTuple):
    """What became of operations when a document was read again, by method and path.

    Attributes:
        added: New ones.
        changed: Those that take, answer, reach or are signed with something else.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class ApiStore:
    """Keep APIs.

    A document counts as it was when a person added, allowed or refreshed it: of that a copy is kept, and the tools are
    made of the copy. So the copy is the consent as well, and a project's API has no tools before a person allows it.

    Args:
        user_file: The person's APIs; None is where they usually are.
        project_dir: The project whose APIs count as well; None has none.
        secrets: Keeps their keys; None is the system's keyring.
    """

    def __init__(
        self,
        data: Path,
        user_file: Path | None = None,
        project_dir: Path | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        self._copies = data / COPIES_FOLDER
        self._user = ApisFile(user_file or user_apis_file())
        self._secrets = secrets
        self._lock = threading.RLock()
        self._project: ApisFile | None = None
        self.follow_project(project_dir)

    def follow_project(self, folder: Path | None) -> None:
        """Let the APIs of another project count."""
        self._project = None if folder is None else ApisFile(project_apis_file(folder), folder)
        self._known_copies: object = ()

    def has_changed(self) -> bool:
        """Return whether a file, a copy of a document or the project is another one than `read` found."""
        return self._copies_now() != self._known_copies or any(file.has_changed() for file in self._files())

    def read(self) -> tuple[tuple[ApiConfig, ...], tuple[str, ...]]:
        """Return all APIs, the person's first, and what of the files means nothing."""
        by_name: dict[str, ApiConfig] = {}
        problems: list[str] = []
        self._known_copies = self._copies_now()
        for file in self._files():
            found = file.read()
            problems += found.problems
            for config in found.configs:
                if config.name in by_name:
                    # A project must not take the place of what the person knows under that name.
                    problems.append(f"the project's API {config.name!r} has the name of one of yours; rename it")
                else:
                    by_name[config.name] = config
        return tuple(by_name.values()), tuple(problems)

    def find(self, name: str) -> ApiConfig:
        """Return the API of that name.

        Raises:
            ApiError: There is none.
        """
        configs, _ = self.read()
        for config in configs:
            if config.name == name:
                return config
        known = f"; there are {', '.join(config.name for config in configs)}" if configs else ""
        raise ApiError(f"no API is called {name!r}{known}")

    def keys_of(self, config: ApiConfig) -> ApiKeys:
        """Return what finds and keeps the secrets of an API."""
        return ApiKeys(config, self._secrets)

    def contents(self, config: ApiConfig) -> ApiContents:
        """Return the chosen operations of an API, from the copy of its document.

        Raises:
            ApiError: Nobody allowed it as it is now, or the copy cannot be read.
        """
        document = self.document_of(config)
        return contents_for(config, document)

    def stamp(self, config: ApiConfig) -> object:
        """Return what tells the copy of a document from one that is kept later."""
        try:
            found = self._path_of(config).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def add(self, config: ApiConfig, document: ApiDocument) -> ApiContents:
        """Keep a new API of the person, who has seen what it offers.

        Raises:
            ApiError: The name is taken, the document is of no use, or something cannot be written.
        """
        with self._lock:
            self.refuse_known(config.name)
            contents = contents_for(config, document)
            if not contents.operations:
                why = f": {contents.problems[0]}" if contents.problems else ""
                raise ApiError(f"{document.name} has no operation that can be used{why}")
            self._keep(config, document)
            self._user.put(config)
            return contents

    def refuse_known(self, name: str) -> None:
        """Refuse a name that an API has already.

        Raises:
            ApiError: One has.
        """
        if any(known.name == name for known in self.read()[0]):
            raise ApiError(f"there is an API {name!r} already; choose another name, or remove it first")

    def renew(self, config: ApiConfig, document: ApiDocument) -> ApiDifferences:
        """Let a document count as it is now: a project's for the first time, or any that was read again.

        Args:
            config: The API; of the person's own, the entry is written as well.

        Raises:
            ApiError: It is of no use, or cannot be written.
        """
        with self._lock:
            now = contents_for(config, document)
            try:
                before: Iterable[Operation] = self.contents(config).operations
            except ApiError:
                before = ()
            self._keep(config, document)
            if config.project_dir is None:
                self._user.put(config)
            return _differences(before, now.operations)

    def remove(self, name: str) -> None:
        """Forget an API, with its document and its keys; a project's entry stays, and is not allowed any more.

        Raises:
            ApiError: There is none, or something cannot be written.
            VaultError: The keyring does not answer.
        """
        with self._lock:
            config = self.find(name)
            try:
                schemes = self.contents(config).schemes
            except ApiError:
                schemes = {}
            self.keys_of(config).forget(schemes)
            if config.project_dir is None:
                self._user.remove(name)
            self._path_of(config).unlink(missing_ok=True)

    def _files(self) -> Iterable[ApisFile]:
        yield self._user
        if self._project is not None:
            yield self._project

    def _copies_now(self) -> object:
        try:
            return self._copies.stat().st_mtime_ns
        except OSError:
            return None

    def _path_of(self, config: ApiConfig) -> Path:
        return self._copies / f"{config.name}-{sha256(config.key.encode()).hexdigest()[:16]}.json"

    def _keep(self, config: ApiConfig, document: ApiDocument) -> None:
        copy = {"entry": _digest(config), "read_at": datetime.now(UTC).isoformat(), "document": document.content}
        try:
            self._copies.mkdir(parents=True, exist_ok=True)
            write_whole(self._path_of(config), json.dumps(copy))
        except OSError as error:
            raise ApiError(f"the copy of {document.name} cannot be written ({error}); see to {self._copies}") from error

    def document_of(self, config: ApiConfig) -> ApiDocument:
        """Return the copy of the document of an API.

        Raises:
            ApiError: Nobody allowed it as it is now, or the copy cannot be read.
        """
        try:
            copy: Any = from_json(self._path_of(config).read_bytes())
        except FileNotFoundError as error:
            raise ApiError(_not_allowed(config, "nobody allowed it yet")) from error
        except (OSError, ValueError) as error:
            raise ApiError(f"the copy of the document of {config.name!r} cannot be read; refresh it") from error
        if not isinstance(copy, dict) or not isinstance(copy.get("document"), dict):
            raise ApiError(f"the copy of the document of {config.name!r} cannot be read; refresh it")
        if config.project_dir is not None and copy.get("entry") != _digest(config):
            raise ApiError(_not_allowed(config, "its entry changed since you allowed it"))
        return ApiDocument(copy["document"], f"the document of {config.name!r}")


def contents_for(config: ApiConfig, document: ApiDocument) -> ApiContents:
    """Return the chosen operations of a document.

    Raises:
        ApiError: It has none that can be reached, or chosen ones are missing.
    """
    address = config.source if is_address(config.source) else ""
    contents = contents_of(document, address=address, base=config.entry.base_url)
    if needs_base(contents):
        raise ApiError(f"{document.name} {_NEEDS_BASE}")
    chosen = config.entry.operations
    if chosen is None:
        return contents
    operations = tuple(operation for operation in contents.operations if operation.key in set(chosen))
    known = {operation.key for operation in contents.operations}
    gone = [f"{key}: the document has no such operation any more" for key in chosen if key not in known]
    said = tuple(problem for problem in contents.problems if problem.partition(": ")[0] in chosen)
    return contents._replace(operations=operations, problems=(*said, *gone))


def needs_base(contents: ApiContents) -> bool:
    """Return whether operations have no address of a server, so that a base address is needed."""
    return any("://" not in operation.server for operation in contents.operations)


def _not_allowed(config: ApiConfig, why: str) -> str:
    whose, verb = ("the", "refresh") if config.project_dir is None else ("the project's", "allow")
    return f"{whose} API {config.name!r} has no tools, as {why}; tool-console openapi {verb} {config.name}"


def _digest(config: ApiConfig) -> str:
    decides = config.entry.model_dump(mode="json")
    return sha256(canonical_json({**decides, "source": config.source}).encode()).hexdigest()


def _differences(before: Iterable[Operation], now: Iterable[Operation]) -> ApiDifferences:
    former = {operation.key: _told(operation) for operation in before}
    current = {operation.key: _told(operation) for operation in now}
    return ApiDifferences(
        added=tuple(key for key in current if key not in former),
        removed=tuple(key for key in former if key not in current),
        changed=tuple(key for key, told in current.items() if key in former and former[key] != told),
    )


def _told(operation: Operation) -> str:
    body = operation.body
    return canonical_json(
        {
            "name": operation.name,
            "server": operation.server,
            "security": [[list(scheme) for scheme in group] for group in operation.security],
            "parameters": [[str(part) for part in parameter] for parameter in operation.parameters],
            "body": None if body is None else [body.argument, body.media_type],
            "input": dict(operation.input_schema),
            "output": None if operation.output_schema is None else dict(operation.output_schema),
            "words": [operation.summary, operation.description],
        }
    )
