"""Conversations with models on the engine's loop: kept in their files, told to the window at most 30 times a second."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from console.assistant.conversation_index import ConversationIndex, entries_of, title_kept
from console.assistant.paced_provider import PacedProvider
from console.assistant.ports import NamedConversationEvent
from console.assistant.rows import (
    BudgetAsk,
    CallChoice,
    ContextRow,
    ContextSettings,
    ContextShown,
    ConversationRow,
    ConversationTool,
    FoundWords,
    ModelRef,
    OpenedConversation,
    ProviderRow,
    TokenCount,
)
from console.engine import FRAME_MS, Engine, in_thread, on_engine
from console.language import tr, translated
from tools.atomic_write import write_whole
from tools.batch.past_calls import CallOfConversation, plan_of_calls
from tools.card import BUILT_IN
from tools.context import KEYRING_SERVICE, find_api_key
from tools.declare import resolve_tools
from tools.errors import ConversationError, ToolConfigurationError, ToolError
from tools.keyring_secrets import KeyringSecrets
from tools.lint import estimated_tokens
from tools.mcp.reference_properties import provider_tools
from tools.models import (
    Answer,
    CallResults,
    Conversation,
    StandingRules,
    StopReason,
    TextDelta,
    ToolOffer,
    Usage,
    UserMessage,
)
from tools.models.budget import Budget
from tools.models.export import json_of, markdown_of
from tools.models.journal import Compared, ContextRules, Titled, drop_deleted, file_of, new_file, shown_arguments
from tools.models.offered_tools import SEARCH
from tools.models.providers import LOCAL, MODEL_PROVIDERS, LocalModels, find_local, new_client, reach
from tools.models.replay import write_test
from tools.models.scripted import NO_MODEL, NoModel
from tools.models.server_calls import SERVER_CALL
from tools.models.side_by_side import SideBySide
from tools.retention import RetentionMark
from tools.session.context_window import ContextWindow
from tools.wire import WireTools

if TYPE_CHECKING:
    import httpx

    from console.responsiveness.heartbeat import UiHeartbeat
    from tools.batch.past_calls import PlanOfCalls
    from tools.execution.executor import Executor
    from tools.models.budget import BudgetQuestion
    from tools.models.events import ConversationEvent, TaskEnded
    from tools.models.journal import KeptConversation
    from tools.models.messages import CallResult
    from tools.models.port import ModelProvider
    from tools.models.side_by_side import ProposedCalls
    from tools.wire import Image, Provider

CALLER: Final = "agent:assistant"
"""Whose calls they are; rules can name it."""

_MARKS: Final = {"pinned": RetentionMark.PINNED, "left_out": RetentionMark.PRUNED, "sent": RetentionMark.AUTO}
_ABOUT_ITSELF: Final = frozenset({SEARCH, SERVER_CALL, "list_context_parts", "set_turns_to_keep"})
_RUNS_TOOLS: Final = "openai"
"""The provider that runs a web search and calls servers itself."""
_NO_MODEL_TITLE: Final = tr("No model: YAML that names the tool")

FindLocal = Callable[["httpx.AsyncClient"], Awaitable[Sequence[LocalModels]]]


class _Open(NamedTuple):
    """A conversation that goes on.

    Attributes:
        client: Makes its requests; None when it makes none.
    """

    talk: Conversation
    model: ModelRef
    client: httpx.AsyncClient | None


class ConversationRelay(QObject):
    """Bring what conversations tell to the window's thread; words of one answer that wait are put together.

    Args:
        heartbeat: Beats while something comes.

    Signals:
        told(list): What happened, as `NamedConversationEvent`s, oldest first.
        woken(): Something waits; internal, crosses the threads.
    """

    told = Signal(list)
    woken = Signal()

    def __init__(self, heartbeat: UiHeartbeat, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._heartbeat = heartbeat
        self._lock = threading.Lock()
        self._waiting: list[NamedConversationEvent] = []
        self._words: list[str] = []
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self.woken.connect(self._on_woken, Qt.ConnectionType.QueuedConnection)

    def take(self, name: str, event: ConversationEvent | BudgetAsk) -> None:
        """Take what happened; in any thread."""
        with self._lock:
            was_empty = not self._waiting
            last = self._waiting[-1] if self._waiting else None
            if isinstance(event, TextDelta):
                if last is None or last.name != name or not isinstance(last.event, TextDelta):
                    self._join()
                    self._waiting.append(NamedConversationEvent(name, event))
                self._words.append(event.text)
            else:
                self._join()
                self._waiting.append(NamedConversationEvent(name, event))
        if was_empty:
            with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
                self.woken.emit()

    def _join(self) -> None:
        if self._words:
            self._waiting[-1] = self._waiting[-1]._replace(event=TextDelta("".join(self._words)))
            self._words = []

    @Slot()
    def _on_woken(self) -> None:
        if not self._timer.isActive():
            self._heartbeat.hold()
            self._timer.start()
            self._on_timer_timeout()

    @Slot()
    def _on_timer_timeout(self) -> None:
        with self._lock:
            self._join()
            waiting, self._waiting = self._waiting, []
        if waiting:
            self.told.emit(waiting)
        else:
            self._timer.stop()
            self._heartbeat.release()


class EngineAssistant:
    """Hold conversations with models; whatever goes wrong is raised as a `ToolError` with a sentence.

    Args:
        find: Finds the servers of models on this computer.
        own_settings: Returns the person's own settings, which may name what OpenAI runs itself.
    """

    def __init__(
        self,
        engine: Engine,
        executor: Executor,
        folder: Path,
        events: ConversationRelay,
        *,
        find: FindLocal = find_local,
        own_settings: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._engine = engine
        self._executor = executor
        self._folder = folder
        self._events = events
        self._find = find
        self._own_settings = own_settings
        self._index = ConversationIndex(folder)
        self._open: dict[str, _Open] = {}
        self._budgets: dict[str, asyncio.Future[Budget | None]] = {}
        self._settings = ContextSettings()
        self._tokens_by_tool: dict[tuple[str, str], int] = {}
        self._pairs: dict[str, SideBySide] = {}
        self.told = events.told

    async def conversations(self) -> Sequence[ConversationRow]:
        """Return the conversations that are kept, the newest first."""
        return await self._engine.compute(self._index.rows)

    async def search(self, words: Sequence[str]) -> Sequence[FoundWords]:
        """Return the conversations with a message that has all these words, which are case-folded."""
        return await self._engine.compute(self._index.search, words)

    @in_thread
    def open(self, name: str) -> OpenedConversation:
        kept = file_of(self._folder, name).read()
        model = ModelRef(kept.begun.provider, kept.begun.model, _own_address(kept))
        pair = kept.compared
        other = pair.other if pair.other and file_of(self._folder, pair.other).path.exists() else ""
        opened = OpenedConversation(name, title_kept(kept), tuple(entries_of(kept)), model, _used(kept))
        return opened._replace(
            other=other, is_second=pair.is_second, took_s=_took(kept), is_unanswered=_is_unanswered(kept)
        )

    async def rename(self, name: str, title: str) -> None:
        """Call a conversation otherwise."""
        await self._engine.compute(file_of(self._folder, name).write, Titled(title=title))

    async def put_aside(self, name: str) -> None:
        """Take a conversation off the list."""
        await self._engine.call(self._let_go, name)
        await self._engine.compute(file_of(self._folder, name).put_aside)

    async def bring_back(self, name: str) -> None:
        """Put it on the list again."""
        await self._engine.compute(file_of(self._folder, name).bring_back)

    async def providers(self) -> Sequence[ProviderRow]:
        """Return the providers; those on other computers are not asked anything."""
        elsewhere = await self._engine.compute(_elsewhere)
        return (*await self._engine.call(self._found_here), *elsewhere)

    async def keep_key(self, name: str, key: str) -> None:
        """Keep the key of a provider in the system's keyring.

        Raises:
            VaultError: There is no keyring, or it keeps nothing.
        """
        secrets = KeyringSecrets(KEYRING_SERVICE, f"set the environment variable {name}")
        await self._engine.compute(secrets.put, name, key)

    async def _found_here(self) -> list[ProviderRow]:
        async with new_client() as client:
            found = await self._find(client)
        return [ProviderRow(each.provider.name, each.provider.title, each.models) for each in found]

    @on_engine
    async def models_of(self, model: ModelRef) -> Sequence[str]:
        """Ask a provider for the names of its models."""
        known = MODEL_PROVIDERS[model.provider]
        async with new_client() as client:
            provider = await asyncio.to_thread(reach, known, client, model.address, model.key_name)
            return tuple(await provider.models())

    async def prepare(self, name: str, model: ModelRef, tokens: int | None) -> str:
        """Make ready to talk with a model, and return what the conversation is called: a new one is begun for ""."""
        return await self._engine.call(self._prepared, name, model, tokens)

    async def _prepared(self, name: str, model: ModelRef, tokens: int | None = None) -> str:
        file = file_of(self._folder, name) if name else new_file(self._folder)
        held = self._open.get(file.name)
        if held is not None and held.model == model:
            return file.name
        kept = await asyncio.to_thread(file.read) if name else None
        provider, client = await self._reached(model)
        await self._let_go(file.name)
        settings = self._settings if kept is None else _kept_settings(kept)
        if kept is not None and kept.compared.other and file.name not in self._pairs:
            await self._pair_again(file.name, kept)

        def tell(event: ConversationEvent) -> None:
            self._events.take(file.name, event)

        async def ask_budget(question: BudgetQuestion) -> Budget | None:
            return await self._ask_budget(file.name, question)

        async def admit(calls: ProposedCalls) -> None:
            pair = self._pairs.get(file.name)
            if pair is not None:
                await pair.admit(file.name, calls)

        try:
            talk = Conversation(
                self._executor,
                PacedProvider(provider, self._engine.heartbeat.is_late),
                model.model,
                self._offer(provider.wire, model.provider),
                tell=tell,
                write=file.write,
                kept=kept,
                instructions=settings.instructions,
                rules=StandingRules(settings.always, settings.never),
                budget=Budget(tokens=tokens),
                ask_budget=ask_budget,
                caller=CALLER,
                admit=admit,
            )
            talk.change_context(_context_rules(settings))
        except ConversationError:
            if client is not None:
                await client.aclose()
            raise
        self._open[file.name] = _Open(talk, model, client)
        return file.name

    async def _reached(self, model: ModelRef) -> tuple[ModelProvider, httpx.AsyncClient | None]:
        if model.provider == NO_MODEL:
            return NoModel(), None
        known = MODEL_PROVIDERS.get(model.provider)
        if known is None:
            raise ToolConfigurationError(
                tr("no provider is called {provider!r}; choose another model", provider=model.provider)
            )
        client = new_client()
        try:
            # The keyring may ask the person something first.
            return await asyncio.to_thread(reach, known, client, model.address, model.key_name), client
        except ToolConfigurationError:
            await client.aclose()
            raise

    async def _let_go(self, name: str) -> None:
        held = self._open.pop(name, None)
        if held is not None:
            # What came of an answer goes into its file before the file is moved, or the program ends.
            await held.talk.aclose()
            if held.client is not None:
                await held.client.aclose()

    @on_engine
    async def say(self, name: str, text: str, images: Sequence[Image]) -> TaskEnded:
        """Say something, and return how the work on it ended."""
        return await self._prepared_talk(name).say(text, images)

    @on_engine
    async def go_on(self, name: str) -> TaskEnded:
        """Have what was said last answered."""
        return await self._prepared_talk(name).go_on()

    def _prepared_talk(self, name: str) -> Conversation:
        # Asked on the engine, which lets conversations go: one that is known here is not closed yet.
        held = self._open.get(name)
        if held is None:
            raise ConversationError(tr("the conversation was deleted meanwhile; say it again in another one"))
        return held.talk

    def stop(self, name: str) -> None:
        """Stop the answer and the calls of a conversation."""
        self._engine.post(self._stop, name)

    def _stop(self, name: str) -> None:
        held = self._open.get(name)
        if held is not None:
            held.talk.stop()

    @in_thread
    def branch(self, name: str, said: int) -> str:
        """Begin another conversation with what came before something that a person said, and return its name."""
        kept = file_of(self._folder, name).read()
        title = title_kept(kept)
        branch = new_file(self._folder)
        branch.write_all(kept.before(said).model_copy(update={"title": tr("{title} (branch)", title=title)}))
        return branch.name

    def _offer(self, wire: Provider, provider: str) -> ToolOffer:
        beside = resolve_tools([ContextWindow()], source=BUILT_IN)
        own = provider_tools(self._own_settings()) if provider == _RUNS_TOOLS else ()
        return ToolOffer(self._executor.registry, wire, own=own, beside=beside)

    async def compare(self, name: str, title: str, model: ModelRef) -> str:
        """Begin a conversation with another model beside one that is prepared, and return its name.

        It begins with all that was said until now, and is prepared. Both are kept as a pair until one is chosen.
        """
        other = await self._engine.compute(self._paired, name, f"{title} · {model.model}")
        try:
            await self._engine.call(self._compare, name, other, model)
        except ToolError:
            await self.choose(name)
            await self.put_aside(other)
            raise
        return other

    def _paired(self, name: str, title: str) -> str:
        file = file_of(self._folder, name)
        kept = file.read()
        second = new_file(self._folder)
        second.write_all(kept.model_copy(update={"title": title}))
        said = sum(isinstance(message, UserMessage) for message in kept.messages)
        file.write(Compared(other=second.name, said=said))
        second.write(Compared(other=name, said=said, is_second=True))
        return second.name

    async def _compare(self, name: str, other: str, model: ModelRef) -> None:
        self._pairs[name] = self._pairs[other] = SideBySide(self._executor)
        await self._prepared(other, model)

    async def _pair_again(self, name: str, kept: KeptConversation) -> None:
        """Know what both conversations of a pair did before the program started anew."""
        other = file_of(self._folder, kept.compared.other)
        if not other.path.exists():
            return
        pair = SideBySide(self._executor)
        pair.remember(name, kept, kept.compared.said)
        pair.remember(other.name, await asyncio.to_thread(other.read), kept.compared.said)
        self._pairs[name] = self._pairs[other.name] = pair

    async def choose(self, name: str) -> None:
        """End the pair that a conversation belongs to; both are conversations like any other from now on."""
        other = await self._engine.compute(self._parted, name)
        await self._engine.call(self._end_pair, name, other)

    def _parted(self, name: str) -> str:
        file = file_of(self._folder, name)
        other = file.read().compared.other
        file.write(Compared())
        if other and file_of(self._folder, other).path.exists():
            file_of(self._folder, other).write(Compared())
        return other

    async def _end_pair(self, *names: str) -> None:
        for name in names:
            pair = self._pairs.pop(name, None)
            if pair is not None:
                pair.close()

    @in_thread
    def offered(self, model: ModelRef | None) -> Sequence[ConversationTool]:
        provider = "" if model is None else model.provider
        known = MODEL_PROVIDERS.get(provider)
        wire = NoModel().wire if known is None else known.made_format().wire
        registry = self._executor.registry
        rows = []
        for tool in tuple(registry):
            if registry.is_enabled(tool.name):
                key = provider, tool.digest
                if key not in self._tokens_by_tool:
                    written = json.dumps(WireTools((tool,), wire).request, ensure_ascii=False)
                    self._tokens_by_tool[key] = estimated_tokens(written)
                toolkit = translated(tool.toolkit or tool.source.name)
                rows.append(ConversationTool(tool.name, toolkit, tool.description, self._tokens_by_tool[key]))
        return tuple(rows)

    @in_thread
    def usage(self, name: str) -> Sequence[TokenCount]:
        """Return what each turn of a conversation took, the oldest first."""
        return tuple(_turns_used(file_of(self._folder, name).read()))

    @on_engine
    async def context(self, name: str, model: ModelRef | None) -> ContextShown:
        """Return what would be sent next; of a new conversation for ""."""
        held = self._open.get(name)
        if held is not None:
            return _context_shown(held.talk)
        kept = await asyncio.to_thread(file_of(self._folder, name).read) if name else None
        known = None if model is None else MODEL_PROVIDERS.get(model.provider)
        provider = NoModel()
        wire = provider.wire if known is None else known.made_format().wire
        settings = self._settings if kept is None else _kept_settings(kept)
        talk = Conversation(
            self._executor,
            provider,
            NO_MODEL,
            self._offer(wire, "" if model is None else model.provider),
            tell=_nothing,
            kept=kept,
            instructions=settings.instructions,
            rules=StandingRules(settings.always, settings.never),
        )
        talk.change_context(_context_rules(settings))
        talk.close()
        return _context_shown(talk)

    @on_engine
    async def change_part(self, name: str, model: ModelRef, part: int, state: str) -> None:
        """Have a result `pinned`, `left_out`, or `sent` as its age says."""
        (await self._talk(name, model)).change_part(part, mark=_MARKS[state])

    async def _talk(self, name: str, model: ModelRef) -> Conversation:
        if name not in self._open:
            await self._prepared(name, model)
        return self._open[name].talk

    @on_engine
    async def keep_part(self, name: str, model: ModelRef, part: int, turns: int | None) -> None:
        """Have a result sent for so many turns; negative is for ever, None leaves it to its tool."""
        (await self._talk(name, model)).set_turns_to_keep(part, turns)

    def begin_with(self, settings: ContextSettings) -> None:
        self._settings = settings

    @on_engine
    async def change_settings(self, name: str, model: ModelRef, settings: ContextSettings) -> None:
        """Have more or less of a conversation sent, and other instructions and rules."""
        talk = await self._talk(name, model)
        talk.change_context(_context_rules(settings))
        talk.change_instructions(settings.instructions, StandingRules(settings.always, settings.never))

    @on_engine
    async def summarise(self, name: str, model: ModelRef) -> None:
        """Have the model sum up the older turns."""
        # The model that is chosen now writes the summary.
        await self._prepared(name, model)
        await self._open[name].talk.summarise()

    @on_engine
    async def change_summary(self, name: str, model: ModelRef, text: str) -> None:
        """Send other words in the place of the older turns; "" sends the turns again."""
        (await self._talk(name, model)).change_summary(text)

    async def _ask_budget(self, name: str, question: BudgetQuestion) -> Budget | None:
        budget = question.budget.tokens or 0
        larger = max(2 * budget, question.used + question.expected)
        answer: asyncio.Future[Budget | None] = asyncio.get_running_loop().create_future()
        self._budgets[name] = answer
        self._events.take(name, BudgetAsk(question.used, question.expected, budget, larger))
        try:
            return await answer
        finally:
            del self._budgets[name]

    def answer_budget(self, name: str, larger: int | None) -> None:
        """Answer the question about the budget; None stops."""
        self._engine.post(self._answer_budget, name, larger)

    def _answer_budget(self, name: str, larger: int | None) -> None:
        answer = self._budgets.get(name)
        if answer is not None and not answer.done():
            answer.set_result(None if larger is None else Budget(tokens=larger))

    @in_thread
    def calls_of(self, name: str) -> Sequence[CallChoice]:
        """Return the calls of a conversation that ran, oldest first."""
        calls = past_calls(file_of(self._folder, name).read())
        return [CallChoice(number, one.tool, shown_arguments(one.arguments)) for number, one in enumerate(calls)]

    @in_thread
    def plan_of(self, name: str, chosen: Sequence[int]) -> PlanOfCalls:
        """Return a plan that makes some of these calls again, by their numbers."""
        kept = file_of(self._folder, name).read()
        calls = past_calls(kept)
        return plan_of_calls(title_kept(kept), [calls[number] for number in chosen])

    @in_thread
    def export(self, name: str, path: Path) -> str:
        """Write a conversation as Markdown, JSON or a test, as the path ends; return what was done in a sentence."""
        file = file_of(self._folder, name)
        if path.suffix == ".py":
            record = write_test(path, file, self._executor.registry)
            return tr("Wrote the test {name} and its record {record}", name=path.name, record=record.name)
        kept = file.read()
        try:
            write_whole(path, json_of(kept) if path.suffix == ".json" else markdown_of(kept, title_kept(kept)))
        except OSError as error:
            raise ConversationError(tr("{path} cannot be written: {error}", path=path, error=error.strerror)) from error
        return tr("Wrote {name}", name=path.name)

    async def close(self) -> None:
        """Stop what goes on, and remove for good what was deleted."""
        await self._engine.call(self._close)
        await self._engine.compute(drop_deleted, self._folder)

    async def _close(self) -> None:
        for name in tuple(self._open):
            await self._let_go(name)
        await self._end_pair(*self._pairs)


def past_calls(kept: KeptConversation) -> list[CallOfConversation]:
    """Return the calls of a conversation that ran, without those for tools or for the context itself."""
    said, calls = "", []
    for group, message in enumerate(kept.messages):
        if isinstance(message, UserMessage):
            said += f"\n{message.text}"
        for one in message.results if isinstance(message, CallResults) else ():
            if one.status == "executed" and one.name.rpartition(".")[2] not in _ABOUT_ITSELF:
                arguments = json.loads(one.arguments)
                calls.append(CallOfConversation(one.name, arguments, _result(one), group, said))
    return calls


def _result(one: CallResult) -> Any:
    """Return a result as JSON: what a tool returns beside an object is kept as text."""
    if one.structured is not None:
        return one.structured
    try:
        return json.loads(one.text)
    except (ValueError, RecursionError):
        return one.text


def _nothing(_: ConversationEvent) -> None:
    """Tell nobody."""


def _elsewhere() -> list[ProviderRow]:
    """Return the providers elsewhere; it may wait for the keyring."""
    known = [provider for provider in MODEL_PROVIDERS.values() if provider.name not in LOCAL]
    rows = [
        ProviderRow(
            one.name,
            one.title,
            needs_address=not one.address,
            has_key=not one.key_name or find_api_key(one.key_name) is not None,
            key_name=one.key_name,
        )
        for one in known
    ]
    # Those that can be used at once stand first.
    rows.sort(key=lambda row: not row.has_key)
    return [*rows, ProviderRow(NO_MODEL, _NO_MODEL_TITLE, (NO_MODEL,))]


def _own_address(kept: KeptConversation) -> str:
    known = MODEL_PROVIDERS.get(kept.begun.provider)
    return "" if known is not None and known.address == kept.begun.address else kept.begun.address


def _is_unanswered(kept: KeptConversation) -> bool:
    """Return whether the model owes an answer: the last one was cut off, or never began."""
    last = kept.messages[-1] if kept.messages else Answer()
    return not isinstance(last, Answer) or last.stop is StopReason.CUT_OFF


def _took(kept: KeptConversation) -> float | None:
    """Return the seconds between what the person said last and the last answer."""
    said_s = next((one.at_s for one in reversed(kept.messages) if isinstance(one, UserMessage)), 0.0)
    answered_s = next((one.at_s for one in reversed(kept.messages) if isinstance(one, Answer)), 0.0)
    return answered_s - said_s if 0 < said_s < answered_s else None


def _used(kept: KeptConversation) -> TokenCount:
    usages = [message.usage for message in kept.messages if isinstance(message, Answer)]
    costs = [usage.cost for usage in usages if usage.cost is not None]
    return TokenCount(
        sum(usage.input_tokens for usage in usages),
        sum(usage.output_tokens for usage in usages),
        sum(usage.cached_tokens for usage in usages),
        sum(costs) if costs else None,
        any(usage.estimated for usage in usages),
    )


def _turns_used(kept: KeptConversation) -> Iterator[TokenCount]:
    turn: Usage | None = None
    for message in kept.messages:
        if isinstance(message, UserMessage):
            if turn is not None:
                yield _turn_used(turn)
            turn = Usage()
        elif isinstance(message, Answer) and turn is not None:
            turn += message.usage
    if turn is not None:
        yield _turn_used(turn)


def _turn_used(usage: Usage) -> TokenCount:
    return TokenCount(usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.cost, usage.estimated)


def _context_shown(talk: Conversation) -> ContextShown:
    rows = tuple(
        ContextRow(one.kind, one.label, one.tokens, one.part, one.state.value, one.turns_left) for one in talk.context()
    )
    rules, kept = talk.rules, talk.context_rules
    settings = ContextSettings(
        talk.instructions,
        rules.always,
        rules.never,
        kept.turns_to_keep,
        kept.tokens or 0,
        kept.summarises,
        kept.without,
        kept.on_demand,
    )
    return ContextShown(rows, settings, "" if talk.summary is None else talk.summary.text)


def _kept_settings(kept: KeptConversation) -> ContextSettings:
    begun, rules = kept.begun, kept.rules
    return ContextSettings(
        begun.instructions,
        begun.always,
        begun.never,
        rules.turns_to_keep,
        rules.tokens or 0,
        rules.summarises,
        rules.without,
        rules.on_demand,
    )


def _context_rules(settings: ContextSettings) -> ContextRules:
    return ContextRules(
        turns_to_keep=settings.turns_to_keep,
        tokens=settings.tokens or None,
        summarises=settings.summarises,
        without=settings.without,
        on_demand=settings.on_demand,
    )
