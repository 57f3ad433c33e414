"""APIs behind the window: read away from it, registered on the engine's thread, told as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from console.apis.rows import ApiDraft, ApiKeyRow, ApiPreview, OperationRow
from console.engine import Engine
from console.language import tr
from tools.errors import ApiError, VaultError
from tools.openapi.apis_file import config_of
from tools.openapi.config import ApiConfig, is_address, suggested_name, whole_path
from tools.openapi.document import ApiDocument, parsed_document
from tools.openapi.fetching import fetched
from tools.openapi.operations import ApiContents, contents_of
from tools.openapi.security import ApiKeys
from tools.openapi.store import ApiStore, needs_base
from tools.openapi.suspicions import suspicions_of
from tools.workbench import Workbench


class EngineApis:
    """Look at APIs, and keep them.

    Args:
        workbench: Has their tools among all others.
        store: What the disk knows of them.
    """

    def __init__(self, workbench: Workbench, store: ApiStore, engine: Engine) -> None:
        self._apis = workbench.apis_of(store)
        self._store = store
        self._engine = engine
        self._shown: tuple[str, ApiDocument] | None = None

    async def load(self) -> None:
        await self._engine.call(self._apis.load)

    def has_changed(self) -> bool:
        """Return whether a file of APIs changed since it was read; from any thread, as it asks the disk."""
        return self._store.has_changed()

    @property
    def troubles(self) -> Mapping[str, str]:
        """Why APIs have no tools, by name."""
        return self._apis.troubles

    @property
    def problems(self) -> tuple[str, ...]:
        """What of the files of APIs means nothing."""
        return self._apis.problems

    def follow_project(self, folder: Path | None) -> None:
        """Let the APIs of another project count."""
        self._store.follow_project(folder)

    async def preview(self, source: str, base: str) -> ApiPreview:
        """Return what the document at some place offers; nothing is kept.

        Raises:
            ApiError: It cannot be read.
        """
        place = source if is_address(source) else str(whole_path(source))
        document = await self._read(place)
        name = suggested_name(document.title, place)
        return await self._engine.compute(self._previewed, _config(name, place, base), document)

    async def known(self, name: str) -> ApiPreview:
        """Return what an API offers that is there: of one that nobody allowed, its document as it is now.

        Raises:
            ApiError: It cannot be read.
        """
        config = await self._engine.compute(self._store.find, name)
        try:
            document = await self._engine.compute(self._store.document_of, config)
        except ApiError:
            document = await self._read(config.source)
        self._shown = config.source, document
        return await self._engine.compute(self._previewed, config, document)

    async def add(self, draft: ApiDraft) -> None:
        """Keep a new API, whose document is the one that was shown.

        Raises:
            ApiError: It cannot be kept.
            VaultError: The keyring keeps none of its keys.
        """
        await self._keep(_config(draft.name, draft.source, draft.base), draft, is_new=True)

    async def save(self, draft: ApiDraft) -> None:
        """Keep what a person decided about an API that is there, whose document is the one that was shown.

        Raises:
            ApiError: It cannot be kept.
            VaultError: The keyring keeps none of its keys.
        """
        config = await self._engine.compute(self._store.find, draft.name)
        if config.project_dir is None:
            config = _config(config.name, config.entry.source, draft.base)
        await self._keep(config, draft, is_new=False)

    async def refresh(self, name: str) -> str:
        """Read a document again; return what changed, as a sentence.

        Raises:
            ApiError: It cannot be read.
        """
        config = await self._engine.compute(self._store.find, name)
        document = await self._read(config.source)
        found = await self._engine.compute(self._store.renew, config, document)
        await self.load()
        counts = (
            tr("{count:,} added", count=len(found.added)) if found.added else "",
            tr("{count:,} removed", count=len(found.removed)) if found.removed else "",
            tr("{count:,} changed", count=len(found.changed)) if found.changed else "",
        )
        said = ", ".join(filter(None, counts))
        if not said:
            return tr("{name} is as it was", name=name)
        return tr("Operations of {name}: {counts}", name=name, counts=said)

    async def remove(self, name: str) -> None:
        """Forget an API.

        Raises:
            ApiError: It cannot be.
            VaultError: The keyring does not answer.
        """
        await self._engine.compute(self._store.remove, name)
        await self.load()

    async def _read(self, place: str) -> ApiDocument:
        data = await self._engine.call(fetched, place)
        document = await self._engine.compute(parsed_document, data, place)
        self._shown = place, document
        return document

    async def _keep(self, config: ApiConfig, draft: ApiDraft, *, is_new: bool) -> None:
        if self._shown is None or self._shown[0] != config.source:
            raise ApiError(tr("the document changed while you looked at it; look at it again"))
        await self._engine.compute(self._kept, config, self._shown[1], draft, is_new)
        await self.load()

    def _kept(self, config: ApiConfig, document: ApiDocument, draft: ApiDraft, is_new: bool) -> None:
        contents = contents_of(document, address=_address(config), base=config.entry.base_url)
        every = {operation.key for operation in contents.operations}
        if config.project_dir is None and set(draft.operations) < every:
            config = config.model_copy(
                update={"entry": config.entry.model_copy(update={"operations": tuple(draft.operations)})}
            )
        if is_new:
            # Before its keys take the place of another API's.
            self._store.refuse_known(config.name)
        # Keys first: an API that is there without them would only be half of what the person asked for.
        keys = self._store.keys_of(config)
        for scheme in contents.schemes.values():
            if secret := draft.keys.get(scheme.name):
                keys.put(scheme, secret)
        if is_new:
            self._store.add(config, document)
        else:
            self._store.renew(config, document)

    def _previewed(self, config: ApiConfig, document: ApiDocument) -> ApiPreview:
        contents = contents_of(document, address=_address(config), base=config.entry.base_url)
        chosen = config.entry.operations
        servers = tuple(dict.fromkeys(operation.server for operation in contents.operations))
        base = "" if not servers or needs_base(contents) else servers[0]
        keys = self._store.keys_of(config)
        return ApiPreview(
            source=config.source,
            title=contents.title,
            name=config.name,
            base=base,
            given_base=config.entry.base_url,
            hosts=servers[1:],
            operations=tuple(
                OperationRow(
                    operation.key,
                    operation.method,
                    operation.path,
                    operation.effect,
                    f"{config.name}.{operation.name}",
                    operation.summary or operation.description.partition("\n")[0],
                    is_chosen=chosen is None or operation.key in chosen,
                )
                for operation in contents.operations
            ),
            keys=_keys(contents, keys),
            problems=contents.problems,
            suspicions=suspicions_of(contents),
        )


def _keys(contents: ApiContents, keys: ApiKeys) -> tuple[ApiKeyRow, ...]:
    """Return the keys that operations ask for; a keyring that does not answer has none of them."""
    found = []
    for scheme in contents.needed:
        try:
            is_kept = bool(keys.get(scheme))
        except VaultError:
            is_kept = False
        found.append(ApiKeyRow(scheme.name, scheme.words, keys.variable(scheme), is_kept))
    return tuple(found)


def _config(name: str, source: str, base: str) -> ApiConfig:
    return config_of(name, {"source": source, "baseUrl": base})


def _address(config: ApiConfig) -> str:
    return config.source if is_address(config.source) else ""
