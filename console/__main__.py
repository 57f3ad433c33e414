"""`tool-console`: the window, or with a command after it the command line."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

WORKER: Final = "--tool-worker"
"""What makes the frozen program a worker process, which is the program itself; see `tools.execution.workers.launch`."""
COMMANDS: Final = (
    "list, info, call, batch, ask, evaluate, search, history, health, audit, policy, mcp, openapi, wire, schema, "
    "lint, check, doctor, manifest, prompt, config, agent, connect, serve, bridge"
)
"""Those of `tools.cli`, which nothing imports before the window is shown."""

_NO_DISPLAY: Final = (
    "no window can open here: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it in a desktop session or over ssh -X;"
    " commands such as tool-console list need no display"
)
"""Qt would blame a library that is there, and abort."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the window or the command line.

    Args:
        arguments: The words after the program's name; None takes those of this process.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == [WORKER]:
        with _garbage_left():
            from tools.execution.workers.worker import main as worker  # noqa: PLC0415 -- a worker needs nothing else

        return worker(words[1:])
    if words and not words[0].startswith("-"):
        with _garbage_left():
            from tools.cli import main as command_line  # noqa: PLC0415 -- the window does not need it

        return command_line(words)
    options = _parser().parse_args(words)
    if options.version:
        from importlib.metadata import version  # noqa: PLC0415 -- it takes a while, and nobody else asks

        print(f"tool-console {version('tool-console')}")
        return 0
    if _has_no_display(os.environ):
        sys.stderr.write(f"tool-console: {_NO_DISPLAY}\n")
        return 1
    if options.project is not None and not options.project.is_dir():
        sys.stderr.write(f"tool-console: --project: {options.project} is no folder\n")
        return 2
    # Qt is imported only for the window: the command line must work where no display library is installed.
    try:
        with _garbage_left():
            from console.responsiveness.plain_import import import_plainly  # noqa: PLC0415 -- it must come before all others

            import_plainly()
            from console import language, preferences  # noqa: PLC0415

            # Words at the top of a module are made while it is imported.
            kept = "" if options.safe_mode else preferences.saved_language()
            try:
                language.use(options.language or kept)
            except OSError as error:
                sys.stderr.write(f"tool-console: {error}\n")
            from console.app.start import run_window  # noqa: PLC0415
    except ImportError as error:
        told = f"the window cannot be loaded: {error}. `tool-console doctor` says what to do."
        sys.stderr.write(f"tool-console: {told}\n")
        return 1
    if options.safe_mode and options.plugin:
        sys.stderr.write("tool-console: --safe-mode loads no plugin files; leave out --plugin\n")
        return 2
    ending = run_window(
        options.project,
        options.plugin,
        options.plan,
        safe_mode=options.safe_mode,
        right_to_left=options.right_to_left,
    )
    if ending.restarts:
        _start_again(_words_again(options, is_same_language=preferences.saved_language() == kept))
    if not ending.is_clean:
        # A tool's thread that nobody can stop would keep the interpreter from ending.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ending.code)
    return ending.code


def _words_again(options: argparse.Namespace, *, is_same_language: bool) -> list[str]:
    """Return the words for another start: project and plan come back by themselves, as they are by now."""
    words = [word for plugin in options.plugin for word in ("--plugin", str(plugin))]
    if options.language and is_same_language:
        words += ["--language", options.language]
    return [*words, "--right-to-left"] if options.right_to_left else words


def _start_again(words: Sequence[str]) -> None:
    """Start the program anew in the place of this one, with the same interpreter and other words."""
    if getattr(sys, "frozen", False):
        command = [sys.executable, *words]
    else:
        command = [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1], *words]
    sys.stdout.flush()
    sys.stderr.flush()
    if sys.platform == "win32":
        import subprocess  # noqa: PLC0415 -- nothing else here needs it

        # Another program there cannot take the place of this one.
        subprocess.Popen(command)
    else:
        os.execv(command[0], command)  # noqa: S606 -- as above


def _has_no_display(environ: Mapping[str, str]) -> bool:
    named = any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    return sys.platform == "linux" and not named


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Import without looking for garbage: modules make many objects, nearly all stay, and to look takes a tenth.

    They are not looked at afterwards either: all of them would be young, and the first look walk every one.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tool-console",
        description=f"Open the window. With a command ({COMMANDS}), use the command line.",
        epilog="tool-console COMMAND --help tells more about a command.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    parser.add_argument("--project", type=Path, metavar="DIR", help="the project folder")
    parser.add_argument(
        "--plugin", type=Path, action="append", default=[], metavar="FILE", help="load this plugin file as well"
    )
    # A desktop that opens no plan starts the program with this word all the same.
    parser.add_argument("--plan", type=Path, nargs="?", metavar="FILE", help="open this plan on the Batch page")
    parser.add_argument(
        "--safe-mode",
        action="store_true",
        help="open with no plugins, no servers, no restored session and default settings, and keep none",
    )
    parser.add_argument("--language", choices=("de", "en"), help="the language of the window, for this run")
    parser.add_argument("--right-to-left", action="store_true", help="lay out the window from right to left")
    return parser


if __name__ == "__main__":
    sys.exit(main())
