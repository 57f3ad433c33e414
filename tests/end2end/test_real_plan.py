"""A plan over real data, from a file of rows to a report, through the command line as a person starts it."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Condition, Thread

import pytest

from tests.end2end.conftest import ROOT

WAIT_S = 120.0

KEYRING = """\
import json
from pathlib import Path
from keyring.backend import KeyringBackend

FILE = Path(__file__).with_suffix(".json")

class Chest(KeyringBackend):
    priority = 1

    def get_password(self, service, name):
        return json.loads(FILE.read_text()).get(f"{service} {name}") if FILE.exists() else None

    def set_password(self, service, name, password):
        FILE.write_text(json.dumps({f"{service} {name}": password}))
"""

PLAN = """\
name: prices
parameters:
  server: {{description: Where prices are}}
limits: {{parallelism: 16}}
steps:
  - id: database
    tool: write_file
    arguments: {{path: "{folder}/prices.sqlite", text: ""}}
  - id: table
    tool: change_database
    depends_on: [database]
    arguments: {{path: "{folder}/prices.sqlite", sql: "CREATE TABLE prices (id INT, cents INT)"}}
  # one price for each row of the file
  - id: fetch
    tool: fetch_page
    rows: {{csv: products.csv}}
    arguments: {{url: "${{parameters.server}}/price/${{row.id}}"}}
  - id: parse
    tool: query_json
    rows: {{values: "${{steps.fetch.result}}"}}
    arguments: {{text: "${{row.text}}", expression: "{{id: id, cents: cents}}"}}
  - id: store
    tool: change_database
    depends_on: [table]
    arguments:
      path: "{folder}/prices.sqlite"
      sql: "INSERT INTO prices SELECT value->>'id', value->>'cents' FROM json_each(?)"
      parameters: ["${{to_string(steps.parse.result[].value)}}"]
  - id: sum
    tool: query_database
    depends_on: [store]
    arguments: {{path: "{folder}/prices.sqlite", sql: "SELECT count(*) AS count, sum(cents) AS cents FROM prices"}}
  - id: report
    tool: write_file
    arguments:
      path: "{folder}/report.txt"
      text: "${{steps.sum.result.rows[0].count}} products, ${{steps.sum.result.rows[0].cents}} cents"
"""


class Prices:
    """A server that knows a price for each product, and counts who asked."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()
        self.changed = Condition()
        prices = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                number = int(self.path.rpartition("/")[2])
                body = json.dumps({"id": number, "cents": number * 3, "name": f"product {number}"}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                with prices.changed:
                    prices.asked[number] += 1
                    prices.changed.notify_all()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """Take it that whoever asked was killed meanwhile; what is missing shows in the outcome."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, name="prices")
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def prices() -> Iterator[Prices]:
    server = Prices()
    yield server
    server.close()


class Shop:
    """A folder with a plan and a file of products; runs of it are kept there as well."""

    def __init__(self, folder: Path, count: int, url: str) -> None:
        self.folder = folder
        self.count = count
        (folder / "plan.yaml").write_text(PLAN.format(folder=folder), encoding="utf-8")
        rows = "".join(f"{number},product {number}\n" for number in range(count))
        (folder / "products.csv").write_text(f"id,name\n{rows}", encoding="utf-8")
        (folder / "chest.py").write_text(KEYRING, encoding="utf-8")
        self._set = f"server={url}"

    def start(self, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "console", "batch", *words]
        # Pages may hold secrets, so the journal is sealed, and its key in a keyring.
        chest = {"PYTHONPATH": str(self.folder), "PYTHON_KEYRING_BACKEND": "chest.Chest"}
        environment = {**os.environ, **chest, "TOOL_CONSOLE_DATA": str(self.folder / "data")}
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment
        )

    def run(self) -> subprocess.Popen[str]:
        return self.start("run", str(self.folder / "plan.yaml"), "--set", self._set, "--yes", "--format", "json")

    def check_outcome(self) -> None:
        cents = sum(number * 3 for number in range(self.count))
        assert (self.folder / "report.txt").read_text(encoding="utf-8") == f"{self.count} products, {cents} cents"
        with sqlite3.connect(self.folder / "prices.sqlite") as database:
            rows = database.execute("SELECT id, cents FROM prices ORDER BY id").fetchall()
        database.close()
        assert rows == [(number, number * 3) for number in range(self.count)]


def test_two_thousand_rows_are_fetched_transformed_stored_and_reported(tmp_path: Path, prices: Prices) -> None:
    """From one command to the report; each row was asked for once."""
    shop = Shop(tmp_path, 2_000, prices.url)

    process = shop.run()
    out, err = process.communicate(timeout=WAIT_S)

    assert process.returncode == 0, err
    shop.check_outcome()
    assert set(prices.asked.values()) == {1}
    assert len(prices.asked) == 2_000
    told = json.loads(out)
    assert {name: item["rows"]["done"] for name, item in told["results"].items() if "rows" in item} == {
        "fetch": 2_000,
        "parse": 2_000,
    }
    found = re.search(r"7 of 7 steps done in ([\d.]+) s", err)
    assert found, err
    calls = 2 * 2_000 + 5
    print(f"{calls:,} calls in {found[1]} s: {calls / float(found[1]):,.0f} a second")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal that cannot be caught")
def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path: Path, prices: Prices) -> None:
    """What was fetched is not fetched again, besides what was under way."""
    shop = Shop(tmp_path, 300, prices.url)
    process = shop.run()
    with prices.changed:
        assert prices.changed.wait_for(lambda: len(prices.asked) >= 120, WAIT_S)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=WAIT_S)
    assert not (tmp_path / "report.txt").exists()

    status = shop.start("status", "--output", "json")
    (run,) = json.loads(status.communicate(timeout=WAIT_S)[0])
    assert not run["is_over"]
    resumed = shop.start("resume", run["run"], "--yes")
    _, err = resumed.communicate(timeout=WAIT_S)

    assert resumed.returncode == 0, err
    shop.check_outcome()
    assert len(prices.asked) == 300
    assert sum(prices.asked.values()) <= 300 + 16
