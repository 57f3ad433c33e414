"""What every test runs under: no network, no home, no leaks. Qt's own fixtures live in `tests/console/conftest.py`."""

from __future__ import annotations

import asyncio.tasks
import gc
import inspect
import ipaddress
import logging
import os
import socket
import threading
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import hypothesis
import pytest

from tools.file_lock import held

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

_T = TypeVar("_T")

# How long something that is already ending may take to end before it counts as leaked.
_ENDING_S = 2.0

# Timings never decide a test, and a run finds what the run before it found.
hypothesis.settings.register_profile(
    "house",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("house")


_tests_with_widgets: list[str] = []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let what widgets left behind go on this thread: collected in a tool's thread, it would end the process."""
    if "qapp" in getattr(item, "fixturenames", ()):
        _tests_with_widgets.append(item.nodeid)
    elif _tests_with_widgets:
        _tests_with_widgets.clear()
        gc.collect()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function in a loop of its own; of a test of the window, in Qt's."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    run: Any = pyfuncitem.funcargs.get("run_in_qt", asyncio.run)
    run(pyfuncitem.obj(**given))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Escape halves of letters in what a test process reports: it could not be sent, and all tests would end."""
    return _sendable((yield))


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_sendable(key): _sendable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_sendable(inner) for inner in value)
    return value


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a `reference` marker that names no row."""
    rows = tomllib.loads((Path(__file__).parent / "reference_rows.toml").read_text(encoding="utf-8"))
    known = {row for rows_by_id in rows.values() for row in rows_by_id}
    for item in items:
        for marker in item.iter_markers("reference"):
            if unknown := [row for row in marker.args if row not in known]:
                message = f"{item.nodeid}: expected rows of tests/reference_rows.toml, got {unknown!r}"
                raise pytest.UsageError(message)


@pytest.fixture(scope="session", autouse=True)
def strange_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep tests away from the person's settings, keyring and git identity."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "DATA", "CACHE", "STATE"):
            patch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
        patch.delenv("TOOL_CONSOLE_DATA", raising=False)
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "Tester")
            patch.setenv(f"GIT_{role}_EMAIL", "tester@example.org")
        yield home


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], bytes]], bytes]:
    """Return a function that makes bytes in a folder once for all processes of a test run."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    shared = tmp_path_factory.getbasetemp().parent if run else tmp_path_factory.mktemp("made")

    def once(name: str, make: Callable[[Path], bytes]) -> bytes:
        folder = shared / f"{name}{run}"
        folder.mkdir(exist_ok=True)
        made = folder / "made"
        with held(folder / "lock", timeout_s=300):
            if not made.exists():
                made.write_bytes(make(folder))
        return made.read_bytes()

    return once


def _is_local(address: object) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket's path
    host = address[0]
    if host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Let sockets reach this machine's loopback only, and names resolve nothing else."""
    real_connect = socket.socket.connect
    real_connect_ex = socket.socket.connect_ex
    real_getaddrinfo = socket.getaddrinfo

    def connect(self: socket.socket, address: Any) -> None:
        if not _is_local(address):
            raise OSError(f"tests have no network, so no connection to {address!r}")
        real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        if not _is_local(address):
            raise OSError(f"tests have no network, so no connection to {address!r}")
        return real_connect_ex(self, address)

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode("ascii") if isinstance(host, bytes) else host
        if name is not None and not _is_local((name,)):
            try:
                ipaddress.ip_address(name)
            except ValueError:
                raise socket.gaierror(socket.EAI_NONAME, f"tests have no network, so no {name!r}") from None
        return real_getaddrinfo(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket.socket, "connect_ex", connect_ex)
        patch.setattr(socket, "getaddrinfo", getaddrinfo)
        yield


def _copy(changing: Iterable[_T]) -> set[_T]:
    """Copy a set that other threads may change while we look."""
    while True:
        try:
            return set(changing)
        except RuntimeError:
            continue


def _tasks() -> set[asyncio.Task[Any]]:
    """Return the tasks of every loop of every thread that have not ended."""
    # Python 3.11 keeps all tasks in one set, 3.12 and 3.13 the eager ones apart.
    sets = [getattr(asyncio.tasks, name, ()) for name in ("_all_tasks", "_scheduled_tasks", "_eager_tasks")]
    found: set[asyncio.Task[Any]] = set()
    for tasks in sets:
        found |= _copy(tasks)
    return {task for task in found if not task.done()}


def _threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.is_alive()}


def _still_there(now: Callable[[], set[_T]], before: set[_T]) -> set[_T]:
    """Return what is new and does not end by itself."""
    deadline = time.monotonic() + _ENDING_S
    while (leaked := now() - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    return leaked


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a task or a thread behind; one that ends by itself within two seconds is fine."""
    tasks, threads = _tasks(), _threads()
    yield
    leaked_threads = _still_there(_threads, threads)
    leaked_tasks = _still_there(_tasks, tasks)
    leaks = [f"thread {thread.name!r}" for thread in leaked_threads]
    leaks += [f"task {task.get_name()!r} running {task.get_coro()!r}" for task in leaked_tasks]
    if leaks:
        pytest.fail(f"{request.node.name} leaked {', '.join(sorted(leaks))}", pytrace=False)


class _WarningKeeper(logging.Handler):
    """Keep what is logged at WARNING and above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.kept: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(record)


@pytest.fixture
def usual_loggers() -> tuple[str, ...]:
    """Return the loggers that any test may make warn; a folder of tests has its own."""
    return ()


@pytest.fixture(autouse=True)
def no_unexpected_log(request: pytest.FixtureRequest, usual_loggers: tuple[str, ...]) -> Iterator[None]:
    """Fail a test during which something warned.

    A test that asks for `caplog` looks at the log itself; another one names the loggers it makes warn:
    `@pytest.mark.expects_log("tools.execution")` (children included).
    """
    keeper = _WarningKeeper()
    logging.getLogger().addHandler(keeper)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(keeper)
    if "caplog" in request.fixturenames:
        return
    expected = [*usual_loggers]
    expected += [name for marker in request.node.iter_markers("expects_log") for name in marker.args]
    surprises = [
        f"{record.levelname} {record.name}: {record.getMessage()}"
        for record in keeper.kept
        if not any(record.name == name or record.name.startswith(f"{name}.") for name in expected)
    ]
    if surprises:
        pytest.fail(f"{request.node.name} logged unexpectedly: {'; '.join(surprises)}", pytrace=False)
