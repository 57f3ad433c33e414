"""Settings of tools, from files and the environment: what a `Configurator` holds, and which tools may be called.

The person's file and a project's are properties files. A variable of the environment counts before the person's file,
and that before a project's: a project is somebody else's, and what it says is only where nobody else says anything.
`disabled_toolkits` and `enabled_tools` narrow, wherever they stand, and no place takes back what another one narrows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import platformdirs

from tools.atomic_write import write_whole
from tools.config import Configurator
from tools.errors import ToolSettingsError, VaultError
from tools.java_properties import Property, properties_in, with_property
from tools.keyring_secrets import KeyringSecrets, Secrets
from tools.masking import is_secret_parameter
from tools.paths import at_home, is_file
from tools.protected import PROJECT_FOLDER
from tools.registry import Disabled
from tools.watched_file import WatchedFile

if TYPE_CHECKING:
    from tools.tool import Tool

SETTINGS_NAME: Final = "settings.properties"
"""The name of a settings file, in the person's settings folder and in that of a project."""

PREFIX: Final = "TOOL_CONSOLE_SETTING_"
"""What a variable of the environment begins with that is a setting; `__` in the rest is a dot of the name."""

DISABLED_TOOLKITS: Final = "disabled_toolkits"
ENABLED_TOOLS: Final = "enabled_tools"
DENYLIST: Final = "command_denylist"
"""The settings that the program itself goes by."""

PATTERN_TIMEOUT_S: Final = 0.05
"""How long one pattern may look at one name, in seconds; a longer one fits nothing."""

_SERVICE: Final = "tool-console-settings"
_INSTEAD: Final = f"set it in the environment as {PREFIX}NAME"
_OWN: Final = (DISABLED_TOOLKITS, ENABLED_TOOLS, DENYLIST)
_ALIKE: Final = 0.85
_REFERENCE: Final = re.compile(r"\$\{keyring:([^{}]*)\}")
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]{0,199}")


class SettingOrigin(StrEnum):
    """Where a setting stands; the first that has it counts."""

    ENVIRONMENT = "environment"
    USER = "user"
    PROJECT = "project"


class Setting(NamedTuple):
    """One setting as it stands in one place.

    Attributes:
        value: Its value as people may see it: nothing of a secret.
        where: The same for a person: the file and its line, or the variable.
        is_secret: Whether its value is in the keyring.
        counts: Whether no other place outweighs it.
    """

    name: str
    value: str
    origin: SettingOrigin
    where: str
    is_secret: bool = False
    counts: bool = True


class _Pattern(NamedTuple):
    """One pattern of `enabled_tools`."""

    compiled: Any

    def fits(self, text: str) -> bool:
        try:
            return self.compiled.search(text, timeout=PATTERN_TIMEOUT_S) is not None
        except TimeoutError:
            return False


class _Toolkit(NamedTuple):
    """One name of `disabled_toolkits`."""

    name: str
    setting: Setting


class _Narrowing(NamedTuple):
    """One `enabled_tools`: a tool that fits none of its patterns is disabled."""

    patterns: tuple[_Pattern, ...]
    setting: Setting


class SettingsContent(NamedTuple):
    """What all places say together.

    Attributes:
        values: What counts, by name, with secrets; for tools only.
        settings: Every setting of every place, those that count first.
        problems: What is wrong, one sentence each.
        narrowings: What tools have to fit.
        denylist: The person's list of commands that never run; None for the usual file.
    """

    values: Mapping[str, str] = {}
    settings: tuple[Setting, ...] = ()
    problems: tuple[str, ...] = ()
    toolkits: tuple[_Toolkit, ...] = ()
    narrowings: tuple[_Narrowing, ...] = ()
    denylist: Path | None = None

    @property
    def config(self) -> Configurator:
        return Configurator(self.values)

    @property
    def own_values(self) -> dict[str, str]:
        """What counts and is the person's own: none of it comes from a project, which may be somebody else's."""
        own = [one.name for one in self.settings if one.counts and one.origin is not SettingOrigin.PROJECT]
        return {name: self.values[name] for name in own if name in self.values}

    def refusal(self, tool: Tool) -> Disabled | None:
        """Return why a tool is disabled; None when it is not."""
        own = {group.casefold() for group in (tool.toolkit, tool.spec.category, tool.source.name) if group}
        for toolkit in self.toolkits:
            if toolkit.name.casefold() in own:
                where = toolkit.setting.where
                return Disabled(
                    f"is disabled: {DISABLED_TOOLKITS} in {where} names {toolkit.name!r}",
                    f"Take {toolkit.name!r} out there.",
                )
        qualified = f"{tool.toolkit or tool.source.name}:{tool.own_name}"
        for narrowing in self.narrowings:
            if not any(pattern.fits(qualified) for pattern in narrowing.patterns):
                where = narrowing.setting.where
                return Disabled(
                    f"is disabled: no pattern of {ENABLED_TOOLS} in {where} fits {qualified!r}",
                    "Add a pattern there that fits it.",
                )
        return None


def user_settings_file() -> Path:
    """Return the person's settings file; `TOOL_CONSOLE_CONFIG` moves the folder that it is in."""
    moved = os.environ.get("TOOL_CONSOLE_CONFIG", "")
    folder = Path(moved) if moved else platformdirs.user_config_path("tool-console", appauthor=False)
    return folder / SETTINGS_NAME


class ToolSettings:
    """Read the settings of tools, and write them.

    It reads files and may wait for a keyring, so a window asks it in a thread.

    Args:
        user_file: The person's file; it need not exist.
        project_dir: The project folder; None has no settings.
        environ: The variables of the environment; None takes those of this process.
        secrets: Keeps values that nobody may read; None is the system's keyring.
    """

    def __init__(
        self,
        user_file: Path,
        project_dir: Path | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        self._user = WatchedFile(user_file)
        self._project = None if project_dir is None else WatchedFile(_project_file(project_dir))
        self._environ = os.environ if environ is None else environ
        self._secrets = KeyringSecrets(_SERVICE, _INSTEAD) if secrets is None else secrets

    def follow_project(self, folder: Path | None) -> None:
        """Let the settings of another project count."""
        self._project = None if folder is None else WatchedFile(_project_file(folder))

    def file_of(self, origin: SettingOrigin) -> Path | None:
        """Return the file of a place; None when it has none."""
        file = self._user if origin is SettingOrigin.USER else self._project
        return None if file is None or origin is SettingOrigin.ENVIRONMENT else file.path

    def has_changed(self) -> bool:
        """Return whether a file is another one than `read` found."""
        return any(file.has_changed() for file in (self._user, self._project) if file is not None)

    def read(self) -> SettingsContent:
        """Return what all places say now; what means nothing is a problem and stops nothing else."""
        problems: list[str] = []
        found = [*self._of_environment(), *self._of_file(self._user, SettingOrigin.USER, problems)]
        if self._project is not None:
            found += self._of_file(self._project, SettingOrigin.PROJECT, problems)
        values: dict[str, str] = {}
        settings: list[Setting] = []
        for name, value, origin, where in found:
            counts = name not in values or name in {DISABLED_TOOLKITS, ENABLED_TOOLS}
            text, is_secret = self._meant(name, value, origin, where, problems)
            shown = "" if is_secret or is_secret_parameter(name) else text
            settings.append(Setting(name, shown, origin, where, is_secret or is_secret_parameter(name), counts))
            if not is_secret or text:
                values.setdefault(name, text)
        toolkits = [
            _Toolkit(name.strip(), one)
            for one in settings
            if one.name == DISABLED_TOOLKITS
            for name in one.value.split(",")
            if name.strip()
        ]
        narrowings = [
            _Narrowing(tuple(_patterns(one, problems)), one)
            for one in settings
            if one.name == ENABLED_TOOLS and one.value.split()
        ]
        # A project may not take the person's list away by naming another one.
        lists = [one for one in settings if one.name == DENYLIST and one.origin is not SettingOrigin.PROJECT]
        denylist = at_home(lists[0].value) if lists and lists[0].value else None
        if denylist is not None and not is_file(denylist):
            problems.append(
                f"{lists[0].where}: {DENYLIST} names {str(denylist)!r}, where no file is; it denies nothing"
            )
        problems += filter(None, map(_misspelled, settings))
        settings.sort(key=lambda one: (not one.counts, one.name))
        return SettingsContent(values, tuple(settings), tuple(problems), tuple(toolkits), tuple(narrowings), denylist)

    def set(self, name: str, value: str, origin: SettingOrigin = SettingOrigin.USER) -> None:
        """Write a setting; what is called like a secret goes into the keyring, and the file refers to it.

        Raises:
            ToolSettingsError: When the name or the value means nothing, the file cannot be written, or no keyring
                takes a secret; everything is as it was.
        """
        if not _NAME.fullmatch(name):
            msg = f"expected a name of letters, digits, dots, - and _ that begins with a letter, got {name!r}"
            raise ToolSettingsError(msg)
        if name == ENABLED_TOOLS:
            problems: list[str] = []
            list(_patterns(Setting(name, value, origin, "the new value"), problems))
            if problems:
                raise ToolSettingsError(problems[0])
        if is_secret_parameter(name):
            if origin is SettingOrigin.PROJECT:
                msg = f"{name!r} is a secret, and a project's file may be everybody's; set it for yourself"
                raise ToolSettingsError(msg)
            try:
                self._secrets.put(name, value)
            except VaultError as error:
                instead = PREFIX + name.replace(".", "__")
                secret = f"{name!r} is called like a secret, and no keyring takes it"
                msg = f"{secret}; unlock or install one, or set {instead}"
                raise ToolSettingsError(msg) from error
            value = f"${{keyring:{name}}}"
        self._change(origin, name, value)

    def unset(self, name: str, origin: SettingOrigin = SettingOrigin.USER) -> None:
        """Take a setting out of its file, and its secret out of the keyring.

        Raises:
            ToolSettingsError: When it does not stand there, or the file cannot be written.
            VaultError: When the keyring does not let it go.
        """
        self._change(origin, name, None)
        if origin is SettingOrigin.USER and is_secret_parameter(name):
            self._secrets.remove(name)

    def _of_environment(self) -> Iterator[tuple[str, str, SettingOrigin, str]]:
        for variable, value in sorted(self._environ.items()):
            if variable.startswith(PREFIX) and len(variable) > len(PREFIX):
                name = variable.removeprefix(PREFIX).replace("__", ".")
                yield name, value, SettingOrigin.ENVIRONMENT, f"the variable {variable}"

    def _of_file(
        self, file: WatchedFile, origin: SettingOrigin, problems: list[str]
    ) -> Iterator[tuple[str, str, SettingOrigin, str]]:
        file.look()
        try:
            text = file.text() or ""
        except (OSError, ValueError) as error:
            problems.append(f"{file.path} cannot be read, so none of its settings counts: {error}")
            return
        by_name: dict[str, Property] = {}
        for found in properties_in(text):
            if not found.name:
                problems.append(f"{file.path}, line {found.line}: expected name=value, got no name")
            elif (before := by_name.get(found.name)) is not None:
                where = f"{file.path}, line {found.line}"
                problems.append(f"{where}: {found.name!r} stands in line {before.line} as well; this line counts")
            by_name[found.name] = found
        for found in by_name.values():
            if found.name:
                yield found.name, found.value, origin, f"{file.path}, line {found.line}"

    def _meant(self, name: str, value: str, origin: SettingOrigin, where: str, problems: list[str]) -> tuple[str, bool]:
        """Return a value with what the keyring has of it, and whether that is a secret."""
        reference = _REFERENCE.fullmatch(value.strip())
        if reference is None:
            return value, False
        if origin is SettingOrigin.PROJECT:
            problems.append(f"{where}: a project's file may not refer to your keyring; set {name!r} for yourself")
            return "", True
        try:
            found = self._secrets.get(reference[1])
        except VaultError as error:
            problems.append(f"{where}: {error}")
            return "", True
        if found is None:
            problems.append(f"{where}: the keyring has no {reference[1]!r}; set it again")
        return found or "", True

    def _change(self, origin: SettingOrigin, name: str, value: str | None) -> None:
        file = {SettingOrigin.USER: self._user, SettingOrigin.PROJECT: self._project}.get(origin)
        if file is None:
            is_project = origin is SettingOrigin.PROJECT
            why = "no project is open" if is_project else "a variable is set where a program starts"
            msg = f"{name!r} cannot be changed there: {why}"
            raise ToolSettingsError(msg)
        try:
            with file.locked():
                text = file.text() or ""
                if value is None and name not in {found.name for found in properties_in(text)}:
                    msg = f"{name!r} does not stand in {file.path}"
                    raise ToolSettingsError(msg)
                write_whole(file.path, with_property(text, name, value))
        except (OSError, ValueError) as error:
            raise ToolSettingsError(f"{file.path} cannot be changed and is as it was: {error}") from error


def _project_file(folder: Path) -> Path:
    return folder / PROJECT_FOLDER / SETTINGS_NAME


def _misspelled(setting: Setting) -> str:
    """Return what is wrong with a name that nearly is one of the program's own; tools have names of their own."""
    near = () if setting.name in _OWN else get_close_matches(setting.name, _OWN, 1, _ALIKE)
    return f"{setting.where}: the program goes by {near[0]!r}, not by {setting.name!r}; mend the name" if near else ""


def _patterns(setting: Setting, problems: list[str]) -> Iterator[_Pattern]:
    """Yield the patterns of `enabled_tools`; one that means nothing fits nothing."""
    import regex  # noqa: PLC0415 -- few people narrow their tools

    for text in setting.value.split():
        try:
            yield _Pattern(regex.compile(text))
        except regex.error as error:
            problems.append(f"{setting.where}: {text!r} of {ENABLED_TOOLS} is no regular expression ({error})")
