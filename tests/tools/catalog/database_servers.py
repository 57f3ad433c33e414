"""Private PostgreSQL and MariaDB servers on loopback, for the tests that need real ones."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pymysql
import pytest

PASSWORD = "p'ss w:rd%/@?"
SUPERUSER_PASSWORD = "of the superuser"
_SHARED_SQL = Path("/usr/share/mysql")
_NOBODY = "nobody"
_STARTED_S = 60.0


class DatabaseServer(NamedTuple):
    """A running server.

    Attributes:
        kind: `postgresql` or `mysql`.
        port: Where it listens on 127.0.0.1.
        process: The server itself.
    """

    kind: str
    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"{self.kind}://keeper@127.0.0.1:{self.port}/shop"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"url": self.url, "password": PASSWORD}

    @property
    def superuser(self) -> dict[str, Any]:
        user = "postgres" if self.kind == "postgresql" else "root"
        return {"url": self.url.replace("keeper", user), "password": SUPERUSER_PASSWORD}

    def execute(self, *statements: str) -> list[Any]:
        """Run statements beside the tools; return the rows of the last."""
        if self.kind == "postgresql":
            with psycopg.connect(
                host="127.0.0.1", port=self.port, dbname="shop", user="keeper", password=PASSWORD, autocommit=True
            ) as connection:
                cursor: Any = connection.cursor()
                for statement in statements:
                    cursor.execute(statement.encode())
                return list(cursor.fetchall()) if cursor.description else []
        with pymysql.connect(
            host="127.0.0.1", port=self.port, database="shop", user="keeper", password=PASSWORD, autocommit=True
        ) as other:
            cursor = other.cursor()
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())


def _program(name: str) -> Path:
    """Return where a server's program is; skip where it is not installed, but never where it must be."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = places[0] if places else shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        why = f"{name} is not installed; run packaging/bootstrap services"
        if os.environ.get("SERVICES") == "required":
            pytest.fail(why)
        pytest.skip(why)
    return Path(found)


def _as_nobody() -> dict[str, Any]:
    """Return how a program is started without rights, as neither server runs as root."""
    rights: dict[str, Any] = {"user": _NOBODY, "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    return {**rights, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@contextmanager
def _folder() -> Iterator[Path]:
    # The test's own folders are closed to everybody else.
    with tempfile.TemporaryDirectory(prefix="database-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, _NOBODY)
        yield folder


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def _running(kind: str, port: int, words: list[Any], folder: Path, connect: Any) -> Iterator[DatabaseServer]:
    log = folder / "log"
    with log.open("wb") as stream, subprocess.Popen(words, cwd=folder, **{**_as_nobody(), "stderr": stream}) as process:
        try:
            give_up = time.monotonic() + _STARTED_S
            while not connect(port):
                assert process.poll() is None, log.read_text(errors="replace")
                assert time.monotonic() < give_up, log.read_text(errors="replace")
                time.sleep(0.02)
            yield DatabaseServer(kind, port, process)
        finally:
            process.kill()


@contextmanager
def postgresql() -> Iterator[DatabaseServer]:
    """Run PostgreSQL with the database `shop`, which `keeper` owns."""
    server, make = _program("postgres"), _program("initdb")
    with _folder() as folder:
        secret = folder / "password"
        secret.write_text(SUPERUSER_PASSWORD)
        secret.chmod(0o644)
        words: list[Any] = [make, "-D", "data", "-U", "postgres", "--auth=scram-sha-256", f"--pwfile={secret}"]
        subprocess.run(
            [*words, "--no-sync", "--encoding=UTF8", "--locale=C"],
            cwd=folder,
            check=True,
            timeout=_STARTED_S,
            **_as_nobody(),
        )
        port = _free_port()
        words = [server, "-D", folder / "data", "-p", str(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"]
        words += ["-c", "fsync=off", "-c", "shared_buffers=8MB", "-c", "max_connections=20"]
        with _running("postgresql", port, words, folder, _postgresql_answers) as running:
            yield running


def _postgresql_answers(port: int) -> bool:
    keys: dict[str, Any] = {"host": "127.0.0.1", "port": port, "user": "postgres", "password": SUPERUSER_PASSWORD}
    try:
        with psycopg.connect(**keys, dbname="postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE shop")
            quoted = PASSWORD.replace("'", "''")
            connection.execute(f"CREATE ROLE keeper LOGIN PASSWORD '{quoted}'".encode())
            connection.execute("ALTER DATABASE shop OWNER TO keeper")
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def mariadb() -> Iterator[DatabaseServer]:
    """Run MariaDB with the database `shop`, which belongs to `keeper`."""
    server = _program("mariadbd")
    with _folder() as folder:
        data = folder / "data"
        data.mkdir()
        if os.geteuid() == 0:
            shutil.chown(data, _NOBODY)
        words: list[Any] = [
            server,
            "--no-defaults",
            f"--datadir={data}",
            f"--tmpdir={folder}",
            "--innodb-log-file-size=4M",
        ]
        words += ["--innodb-buffer-pool-size=8M", "--innodb-flush-log-at-trx-commit=0"]
        tables = "".join(
            (_SHARED_SQL / name).read_text() for name in ("mysql_system_tables.sql", "mysql_system_tables_data.sql")
        )
        script = folder / "tables.sql"
        script.write_text(f"CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n{tables}")
        with script.open("rb") as stream:
            made = {**_as_nobody(), "stdin": stream}
            subprocess.run([*words, "--bootstrap"], cwd=folder, check=True, timeout=_STARTED_S, **made)
        port, quoted = _free_port(), PASSWORD.replace("'", "''")
        users = folder / "users.sql"
        users.write_text(
            f"CREATE DATABASE shop CHARACTER SET utf8mb4;\nCREATE USER keeper@'%' IDENTIFIED BY '{quoted}';\n"
            f"GRANT ALL ON shop.* TO keeper@'%';\nSET PASSWORD FOR root@localhost = PASSWORD('{SUPERUSER_PASSWORD}');\n"
        )
        users.chmod(0o644)
        words += [f"--port={port}", "--bind-address=127.0.0.1", f"--socket={folder / 'socket'}", f"--init-file={users}"]
        with _running("mysql", port, words, folder, _mariadb_answers) as running:
            yield running


def _mariadb_answers(port: int) -> bool:
    try:
        pymysql.connect(host="127.0.0.1", port=port, database="shop", user="keeper", password=PASSWORD).close()
    except pymysql.OperationalError:
        return False
    return True
