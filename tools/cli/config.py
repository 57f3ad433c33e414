"""`config`: list the settings of tools, set one, or take one out."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import print_rows
from tools.cli.streams import UsageError, say
from tools.errors import ToolSettingsError
from tools.settings import PREFIX, SettingOrigin, ToolSettings, user_settings_file

if TYPE_CHECKING:
    from tools.settings import Setting
    from tools.workbench import Workbench


def add_config(commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    config = commands.add_parser(
        "config",
        help="list the settings of tools, set one, or take one out",
        epilog=f"A variable {PREFIX}NAME counts before your file, and that before the project's. disabled_toolkits"
        " (names, with commas between) and enabled_tools (regular expressions for Toolkit:tool, with blanks between)"
        " say which tools may be called; command_denylist names a file of commands that never run.",
    )
    config.set_defaults(action="list", name="", output="text", in_project=False, project=None)
    actions = config.add_subparsers(dest="action", metavar="list | set | unset")
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    listing = actions.add_parser("list", parents=[where], help="list what is set, and where")
    listing.add_argument("--output", choices=("text", "json"), default="text", help="how results are written")
    setting = actions.add_parser(
        "set", parents=[where], help="set one", epilog="What is called like a secret goes into the system's keyring."
    )
    setting.add_argument("name", metavar="NAME")
    setting.add_argument("value", metavar="VALUE", help="- reads it from standard input")
    unsetting = actions.add_parser("unset", parents=[where], help="take one out")
    unsetting.add_argument("name", metavar="NAME")
    for parser in (setting, unsetting):
        parser.add_argument("--in-project", action="store_true", help="in the project's file instead of yours")


def apply_settings(bench: Workbench, project: Path | None) -> None:
    """Go by the settings of the person and of a project; what is wrong with them is told on standard error."""
    content = _settings(project).read()
    for problem in content.problems:
        say(problem)
    bench.apply(content)


def obey_config(options: argparse.Namespace) -> Exit:
    """List the settings, or change one."""
    settings = _settings(options.project)
    origin = SettingOrigin.PROJECT if options.in_project else SettingOrigin.USER
    try:
        match options.action:
            case "set":
                value = sys.stdin.read().rstrip("\r\n") if options.value == "-" else options.value
                settings.set(options.name, value, origin)
            case "unset":
                settings.unset(options.name, origin)
            case _:
                return _list(settings, options.output)
    except ToolSettingsError as error:
        raise UsageError(str(error)) from error
    say(f"{options.name} is {options.action} in {settings.file_of(origin)}")
    return Exit.OK


def _settings(project: Path | None) -> ToolSettings:
    return ToolSettings(user_settings_file(), (project or Path.cwd()).absolute())


def _list(settings: ToolSettings, output: str) -> Exit:
    content = settings.read()
    if output == "json":
        document = {"settings": [_card(one) for one in content.settings], "problems": content.problems}
        print(json.dumps(document, indent=2, ensure_ascii=False))
    elif content.settings:
        print_rows((one.name, _shown(one)) for one in content.settings)
    elif not content.problems:
        say(f"nothing is set; tool-console config set NAME VALUE writes to {settings.file_of(SettingOrigin.USER)}")
    for problem in content.problems:
        say(problem)
    return Exit.FINDINGS if content.problems else Exit.OK


def _card(setting: Setting) -> dict[str, object]:
    return {**setting._asdict(), "value": None if setting.is_secret else setting.value}


def _shown(setting: Setting) -> str:
    value = "(secret)" if setting.is_secret else setting.value
    return f"{value}  [{setting.origin}]" if setting.counts else f"{value}  [{setting.origin}, outweighed]"


COMMANDS: Final = {"config": CliCommand(add_config, alone=obey_config)}
