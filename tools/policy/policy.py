"""`Policy`: all rules of a session, a person and a project together, for whoever asks and whoever edits them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pydantic import ValidationError

from tools.card import ToolFacts, ToolSource
from tools.errors import ArgumentsError, PolicyError
from tools.listeners import listening
from tools.policy.denylist import DenyList, DenyListFile, project_denylist
from tools.policy.file import FileContent, PolicyFile, Rewriting, project_file
from tools.policy.judging import Clock, IndexedRule, Rules, ToolView, ordered, put_together
from tools.policy.permissions import permission_in, permission_rule, rule_of_permission
from tools.policy.risk import risk_of
from tools.policy.rule_use_counter import RuleUseCounter
from tools.policy.rule_uses import RuleUses
from tools.policy.rules import Autonomy, Effect, Permission, Rule, RuleLocation
from tools.policy.suggested_rules import RuleOffer, possible_offers
from tools.policy.verdicts import Facts, PlacedRule, Verdict
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import ReviewRequest, ToolCall
    from tools.spec import Concern

Undo = Callable[[], None]
"""Takes a change of the policy back."""

Unwatch = Callable[[], None]
"""Ends a watch; a second call does nothing."""


def new_rule_id() -> str:
    """Return an id that no other rule has."""
    return f"rule-{uuid4().hex[:12]}"


class Policy:
    """Say which calls run, which are asked about and which are refused; from any thread.

    The session's rules and the person's are one list; the project's can only tighten what comes of it. What a file
    says counts from the `refresh` that sees it on; a file that cannot be read turns everything that is not denied into
    a question until it can.

    Args:
        user_file: The person's rules; None has none and keeps none.
        project_dir: The project folder, whose rules stand in `.tool-console/policy.toml` and whose deny list beside it;
            None has none.
        denylist: The commands that the person never wants to run; None has none.
        autonomy: What is asked about when no rule speaks; None is as the person's file says, else supervised.
        uses: Counts the uses of rules in files; None counts in memory.
        clock: The time in seconds since the epoch.
        new_id: Makes the ids of rules.
        lookup: Finds a tool by its name, so that the list of rules tells which of them a changed definition suspends;
            None looks at none.
    """

    def __init__(
        self,
        *,
        user_file: Path | None = None,
        project_dir: Path | None = None,
        denylist: Path | None = None,
        autonomy: Autonomy | None = None,
        uses: RuleUses | None = None,
        clock: Clock = time.time,
        new_id: Callable[[], str] = new_rule_id,
        lookup: Callable[[str], ToolFacts | None] | None = None,
    ) -> None:
        self._clock = clock
        self._new_id = new_id
        self._project_dir = project_dir
        self._standing = RuleUseCounter(uses or RuleUses(), clock, lookup)
        self._lock = threading.RLock()
        self._watchers: list[Callable[[], None]] = []
        self._user_file = None if user_file is None else PolicyFile(user_file)
        self._project_file = project_file(project_dir)
        self._denylist_file = None if denylist is None else DenyListFile(denylist)
        self._project_denylist_file = project_denylist(project_dir)
        self._session: dict[str, IndexedRule] = {}
        self._user = FileContent()
        self._project = FileContent()
        self._denylist = self._project_denylist = DenyList()
        self._autonomy = autonomy
        self._views: dict[str, tuple[Tool, ToolView | None]] = {}
        self._rules = Rules()
        self._read(force=True)

    @property
    def version(self) -> str:
        """A hash of every rule and the level: the same policy has the same version."""
        return self._rules.version

    @property
    def project_dir(self) -> Path | None:
        """The project folder, whose rules count; None has none."""
        return self._project_dir

    @project_dir.setter
    def project_dir(self, folder: Path | None) -> None:
        with self._changing():
            self._project_dir = folder
            self._project_file, self._project_denylist_file = project_file(folder), project_denylist(folder)
            self._project, self._project_denylist = FileContent(), DenyList()

    @property
    def denylist_path(self) -> Path | None:
        """The list of commands that the person never wants to run; None without one."""
        return None if self._denylist_file is None else self._denylist_file.path

    @denylist_path.setter
    def denylist_path(self, file: Path | None) -> None:
        if file != self.denylist_path:
            with self._changing():
                self._denylist_file, self._denylist = None if file is None else DenyListFile(file), DenyList()

    @property
    def user_path(self) -> Path | None:
        """The file of the person's rules; None without one."""
        return None if self._user_file is None else self._user_file.path

    @property
    def autonomy(self) -> Autonomy:
        """What is asked about when no rule speaks; setting it holds for this run of the program."""
        return self._rules.autonomy

    @autonomy.setter
    def autonomy(self, autonomy: Autonomy) -> None:
        with self._changing():
            self._autonomy = autonomy

    def keep_autonomy(self, autonomy: Autonomy) -> None:
        """Set the level for this run and later ones.

        Raises:
            PolicyError: When there is no file to keep it in, or it cannot be written.
        """
        file = self._user_file
        if file is None:
            raise PolicyError("no file keeps the level here; set it for this run of the program")
        with self._changing():
            file.set_autonomy(autonomy)
            self._autonomy = None

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the files, one sentence each."""
        user, project = self._user, self._project
        found = (user.unreadable, *user.refused, project.unreadable, *project.refused, self._standing.unwritten)
        found += self._denylist.problems + self._project_denylist.problems
        return tuple(problem for problem in found if problem)

    @property
    def is_closed(self) -> bool:
        """Whether each call is asked about because a file of rules cannot be read: nobody knows what it refuses."""
        return bool(self._rules.closed)

    @property
    def rules(self) -> tuple[PlacedRule, ...]:
        """Every rule and how it fares, what counts first standing first."""
        rules = self._rules
        return self._standing.of((*rules.own, *rules.project))

    def find(self, rule_id: str) -> PlacedRule:
        """Return a rule of that id and where it stands.

        Raises:
            PolicyError: When there is none.
        """
        for entry in (*self._rules.own, *self._rules.project):
            if entry.rule.id == rule_id:
                return entry.placed
        raise PolicyError(f"there is no rule {rule_id!r}; look at the list of rules")

    def add(self, rule: Rule, place: RuleLocation = RuleLocation.USER) -> Undo:
        """Add a rule.

        Returns:
            The undo.

        Raises:
            PolicyError: When another rule has its id, or the file cannot be read or written.
        """
        file = self._file(place)
        self._insert(rule, file)

        def undo() -> None:
            self._take_out(rule.id, file)

        return undo

    def replace(self, rule: Rule) -> Undo:
        """Put a rule in the place of the one with the same id.

        Returns:
            The undo.

        Raises:
            PolicyError: When there is none, or its file cannot be read or written.
        """
        former = self.find(rule.id)
        file = self._file(former.place)
        self._put(rule, file)
        return partial(self._put, former.rule, file)

    def remove(self, rule_id: str) -> Undo:
        """Take a rule out.

        Returns:
            The undo.

        Raises:
            PolicyError: When there is none, or its file cannot be read or written.
        """
        former = self.find(rule_id)
        file = self._file(former.place)
        return partial(self._insert, former.rule, file, self._take_out(rule_id, file))

    def _insert(self, rule: Rule, file: PolicyFile | None, former: Rewriting | None = None) -> None:
        with self._changing():
            if any(known.rule.id == rule.id for known in (*self._rules.own, *self._rules.project)):
                raise PolicyError(f"there is a rule {rule.id!r} already; choose another id")
            if file is None:
                self._session[rule.id] = IndexedRule(rule, RuleLocation.SESSION)
            else:
                file.add(rule, former)

    def _put(self, rule: Rule, file: PolicyFile | None) -> None:
        with self._changing():
            if file is None:
                self._session[rule.id] = IndexedRule(rule, RuleLocation.SESSION)
            else:
                file.replace(rule)

    def _take_out(self, rule_id: str, file: PolicyFile | None) -> Rewriting | None:
        with self._changing():
            if file is not None:
                return file.remove(rule_id)
            self._session.pop(rule_id, None)
            return None

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock while something is changed, and tell of it afterwards."""
        with self._lock:
            yield
            self._read(force=True)
        self._tell()

    def _file(self, place: RuleLocation) -> PolicyFile | None:
        """Return where rules of a place are kept; None for those of the session, which are kept in memory.

        Raises:
            PolicyError: When nothing keeps them.
        """
        if place is RuleLocation.SESSION:
            return None
        file = self._user_file if place is RuleLocation.USER else self._project_file
        if file is None:
            raise PolicyError(f"no file keeps rules of the {place} here; keep the rule for this session")
        return file

    def permission_of(self, of: ToolFacts | ToolSource) -> Permission:
        """Return what a person wants of a tool, or of all tools of a source."""
        return permission_in(permission_rule(self._rules.own, of))

    def set_permission(self, of: ToolFacts | ToolSource, permission: Permission) -> Undo:
        """Say what a person wants of a tool, or of all tools of a source, from now on.

        Returns:
            The undo.

        Raises:
            PolicyError: When the person's file cannot be read or written.
        """
        former = permission_rule(self._rules.own, of)
        if permission is Permission.DEFAULT:
            return self.remove(former.id) if former is not None else _nothing
        rule = rule_of_permission(of, permission, self._new_id() if former is None else former.id, self._now)
        return self.replace(rule) if former is not None else self.add(rule, RuleLocation.USER)

    def watch(self, callback: Callable[[], None]) -> Unwatch:
        """Tell of every change from now on, in the thread that makes it or sees it.

        Returns:
            What ends the watch.
        """
        return listening(self._watchers, callback)

    def refresh(self) -> None:
        """Look whether a file was changed by somebody else, and write down how often rules were used."""
        with self._lock:
            before = self._rules.version, self.problems
            self._read(force=False)
            self._standing.flush()
            changed = (self._rules.version, self.problems) != before
        if changed:
            self._tell()

    def flush(self) -> None:
        """Write down how often rules were used, as `refresh` does now and then; before the program ends."""
        with self._lock:
            self._standing.flush()

    def view_of(self, tool: Tool) -> ToolView | None:
        """Return what is said of a tool's calls now; None when nothing that is said can concern any of them."""
        views = self._views
        known = views.get(tool.name)
        if known is not None and known[0] is tool:
            return known[1]
        view = self._view(tool, self._rules)
        found = view if view.matters else None
        views[tool.name] = tool, found
        return found

    def claim(self, verdict: Verdict) -> bool:
        """Take a use of every rule that a verdict rests on; False means that one was spent meanwhile: judge again.

        A use of a rule that has a limit is written to the disk, so this may take some milliseconds.

        Raises:
            PolicyError: When a use cannot be written down; the call must not run then.
        """
        return self._standing.claim(verdict)

    def explain(
        self, tool: Tool, arguments: Mapping[str, JsonValue], caller: str, concerns: tuple[Concern, ...] = ()
    ) -> Verdict:
        """Return what would become of a call, with everything that was considered.

        Args:
            arguments: As a caller gives them.
            concerns: What the tool itself would give as reasons to ask.

        Raises:
            ArgumentsError: When the arguments do not fit.
        """
        facts = Facts.of(tool, arguments, caller, self._project_dir or Path.cwd(), concerns)
        return self._view(tool, self._rules).judge(facts, in_full=True)

    def offers(self, call: ToolCall, request: ReviewRequest, effect: Effect = Effect.ALLOW) -> tuple[RuleOffer, ...]:
        """Return as what rules an answer can be remembered, the narrowest first.

        Each would really decide the same question by itself, whatever else is said; so there are none when the
        project's rules ask, when somebody in a certain role must answer, or when a file cannot be read.

        Args:
            call: The call that the question is about.
            request: The question, with the arguments that the answer is about.
            effect: The answer: allow or deny.
        """
        tool = call.tool
        if tool is None or request.arguments is None or request.required_role:
            return ()
        try:
            values = call.unmasked(request.arguments)
            facts = Facts.of(tool, values, call.caller, self._project_dir or Path.cwd(), request.concerns)
        except (ArgumentsError, TypeError):
            # An edit that does not fit yet, or objects of the program that no file can hold.
            return ()
        rules = self._rules
        risk = risk_of(tool, facts.arguments, facts.concerns).risk
        try:
            offers = tuple(possible_offers(facts, risk, effect, self._made))
        except ValidationError:
            # Names that are too long for a rule.
            return ()
        return tuple(offer for offer in offers if self._decides(offer.rule, facts, rules))

    def _made(self, said: Mapping[str, Any]) -> Rule:
        return Rule.model_validate({"id": self._new_id(), "created_at": self._now, **said})

    def _decides(self, rule: Rule, facts: Facts, rules: Rules) -> bool:
        """Return whether a rule would decide a call if it stood beside the others."""
        beside = rules._replace(own=ordered([*rules.own, IndexedRule(rule, RuleLocation.SESSION)]))
        verdict = self._view(facts.tool, beside).judge(facts)
        deciding = verdict.spends if verdict.effect is Effect.ALLOW else (verdict.rule,)
        return verdict.effect is rule.effect and any(placed is not None and placed.rule is rule for placed in deciding)

    @property
    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def _view(self, tool: Tool, rules: Rules) -> ToolView:
        return ToolView(tool, rules, self._clock, self._standing.use_left)

    def _read(self, *, force: bool) -> None:
        """Read the files that changed; under the lock."""
        changed = force
        if self._user_file is not None and (force or self._user_file.has_changed()):
            self._user, changed = self._user_file.read(), True
        if self._project_file is not None and (force or self._project_file.has_changed()):
            self._project, changed = self._project_file.read(), True
        if self._denylist_file is not None and (force or self._denylist_file.has_changed()):
            self._denylist, changed = self._denylist_file.read(), True
        if self._project_denylist_file is not None and (force or self._project_denylist_file.has_changed()):
            self._project_denylist, changed = self._project_denylist_file.read(), True
        if changed:
            self._compose()

    def _compose(self) -> None:
        """Put everything together anew; under the lock."""
        own, projects = self._denylist, self._project_denylist
        self._rules = put_together(
            [*self._session.values(), *(IndexedRule(rule, RuleLocation.USER) for rule in self._user.rules)],
            [IndexedRule(rule, RuleLocation.PROJECT) for rule in self._project.rules],
            self._autonomy or self._user.autonomy or Autonomy.SUPERVISED,
            self._user.unreadable or self._project.unreadable,
            DenyList(own.denied + projects.denied, own.problems + projects.problems),
        )
        # Who looks a view up at this moment fills a mapping that nobody asks any more.
        self._views = {}

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()


def _nothing() -> None:
    """Take back what changed nothing."""
