"""What tools say beforehand is what they do, and saying it changes nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, dry_run_of
from tests.tools.catalog.sample_project import snapshot
from tools import DryRun
from tools.catalog.databases import Databases
from tools.catalog.files import Files
from tools.catalog.system import System
from tools.catalog.web import Web


@pytest.fixture(autouse=True)
def link(project: Path) -> None:
    (project / "src/link.py").symlink_to(project / "src/router.py")


def look(kit: object, project: Path, name: str, **arguments: Any) -> DryRun:
    return dry_run_of(kit, name, arguments, project)


def counts(found: DryRun) -> dict[str, int]:
    return {count.kind: count.amount for count in found.counts}


@pytest.mark.parametrize(
    ("name", "arguments", "text", "items"),
    [
        ("delete_file", {"path": "README.md"}, "Delete the file README.md. This cannot be undone.", ("README.md",)),
        (
            "delete_file",
            {"path": "src", "recursive": True},
            "Delete the folder src with everything in it. This cannot be undone.",
            ("src/link.py", "src/router.py", "src/deep/memory.py"),
        ),
        (
            "delete_file",
            {"path": "src/link.py"},
            "Delete the link src/link.py, and not what it leads to. This cannot be undone.",
            ("src/link.py",),
        ),
        ("delete_file", {"path": "none", "missing_ok": True}, "Nothing: there is no none.", ()),
        (
            "move_file",
            {"source": "docs", "target": "a/manual", "create_folders": True},
            "Move the folder docs with everything in it to a/manual.",
            ("docs/guide.md",),
        ),
        (
            "copy_file",
            {"source": "CHANGES.md", "target": "README.md", "overwrite": True},
            "Copy the file CHANGES.md to README.md, in the place of the file there.",
            ("CHANGES.md",),
        ),
        ("write_file", {"path": "x.txt", "text": "äb"}, "Make the file x.txt with 3 bytes of text.", ("x.txt",)),
        (
            "write_file",
            {"path": "README.md", "text": "", "overwrite": True},
            "Replace all of README.md with 0 bytes of text.",
            ("README.md",),
        ),
        (
            "append_file",
            {"path": "CHANGES.md", "text": "x\n"},
            "Add 3 bytes of text to the end of CHANGES.md.",
            ("CHANGES.md",),
        ),
        ("make_folder", {"path": "a/b", "create_folders": True}, "Make the folder a/b.", ("a", "a/b")),
        ("make_folder", {"path": "src"}, "Nothing: the folder src is there already.", ()),
    ],
)
def test_a_change_of_files_is_told_before_and_then_made(
    project: Path, name: str, arguments: dict[str, Any], text: str, items: tuple[str, ...]
) -> None:
    found = look(Files, project, name, **arguments)
    assert (found.text, found.items, found.more) == (text, items, 0)

    response = call(Files, name, arguments, project, Reviewer())
    assert response.error is None
    told = counts(found)
    result = response.result
    for kind, fields in (("files", ("files",)), ("bytes", ("written_bytes", "size_bytes"))):
        done = [getattr(result, field) for field in fields if hasattr(result, field)]
        assert done[:1] in ([], [told.get(kind, 0)])


def test_what_is_lost_is_a_warning(project: Path) -> None:
    found = look(Files, project, "copy_file", source="CHANGES.md", target="README.md", overwrite=True)
    size_bytes = (project / "README.md").stat().st_size
    assert found.warnings == (f"What is in README.md now is lost: {size_bytes} bytes.",)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("delete_file", {"path": "none"}),
        ("delete_file", {"path": "src"}),
        ("delete_file", {"path": "READMEE.md"}),
        ("delete_file", {"path": "."}),
        ("move_file", {"source": "src", "target": "src/deep/more"}),
        ("copy_file", {"source": "README.md", "target": "CHANGES.md"}),
        ("copy_file", {"source": "README.md", "target": "a/b.md"}),
        ("write_file", {"path": "README.md", "text": "x"}),
        ("write_file", {"path": "new", "text": "ä", "encoding": "ascii"}),
        ("append_file", {"path": "logo.png", "text": "x"}),
        ("make_folder", {"path": "README.md"}),
    ],
)
def test_what_will_fail_says_so_with_the_tools_own_words(project: Path, name: str, arguments: dict[str, Any]) -> None:
    found = look(Files, project, name, **arguments)
    response = call(Files, name, arguments, project, Reviewer())
    assert found.text == "Nothing: the call will fail."
    assert response.error is not None
    message = response.error.message
    assert found.warnings == (f"{message[:1].upper()}{message[1:]}{'' if message.endswith('?') else '.'}",)


def test_many_files_are_listed_in_part(project: Path) -> None:
    for number in range(250):
        (project / "docs" / f"{number}.md").write_text("x")
    found = look(Files, project, "delete_file", path="docs", recursive=True)
    assert (len(found.items), found.more) == (200, 51)
    assert [count.words for count in found.counts] == ["251 files", "1 folder", "274 bytes"]


class TestWeb:
    def test_a_request_names_the_host_and_how_much_is_sent(self, project: Path) -> None:
        url = "https://api.example.org/items?key=hush#part"
        found = look(Web, project, "http_request", url=url, method="POST", json={"name": "Lämp"})
        assert found.text == "Send POST to api.example.org with 17 bytes of data."
        assert found.items == ("POST api.example.org/items",)
        assert [count.words for count in found.counts] == ["1 host", "17 bytes sent"]
        assert look(Web, project, "http_request", url="http://a.org/").warnings == ("What is sent is not encrypted.",)

    def test_a_download_names_source_and_target(self, project: Path) -> None:
        found = look(Web, project, "download_file", url="https://a.org/x", target="README.md", overwrite=True)
        assert found.text == "Download a file of at most 100.0 MB from a.org to README.md."
        assert found.warnings == ("What is in README.md now is lost.",)

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("http_request", {"url": "ftp://a.org"}),
            ("http_request", {"url": "https://a.org", "json": 1, "text": "x"}),
            ("download_file", {"url": "https://a.org", "target": "README.md"}),
            ("download_file", {"url": "https://a.org", "target": "none/x"}),
        ],
    )
    def test_what_will_fail_says_so(self, project: Path, name: str, arguments: dict[str, Any]) -> None:
        assert look(Web, project, name, **arguments).text == "Nothing: the call will fail."


class TestCommands:
    def test_what_a_line_would_run_is_listed_and_counted(self, project: Path) -> None:
        found = look(System, project, "run_command", command="git push -f | tee log; ls", shell=True, folder="src")
        assert found.text.startswith("Run a command in src.")
        assert found.items == (
            "git deletes or overwrites: git push -f",
            "tee changes something: tee log",
            "ls only reads: ls",
        )
        assert [count.words for count in found.counts] == [
            "1 destructive or unknown step",
            "1 step that changes or sends",
            "1 harmless step",
        ]

    @pytest.mark.parametrize(
        "line",
        [
            "rm -rf src",
            "rm README.md CHANGES.md",
            "rm *.md",
            "rm -f *.none ./*.tmp",
            "rm src; rm README.md",
            "rm -f nothing && rm -r src/deep",
            "rm 'a*' src/r?uter.py 'READ'ME.*",
            "cd src && rm -r deep",
            "rm -rf .. . /; rm [A-C]*.md",
            "rm src/link.py",
            "mkdir empty; rmdir docs; unlink note.tmp",
            "rm -d docs",
            "sh -c 'rm README.md'",
            "mv README.md CHANGES.md",
            "mv -n README.md CHANGES.md",
            "cp README.md src; ls | cat; rm logo.png",
        ],
    )
    def test_files_that_a_line_deletes_are_those_that_are_gone_afterwards(self, project: Path, line: str) -> None:
        found = look(System, project, "run_command", command=line, shell=True)
        before = {name for name, content in snapshot(project).items() if content is not None}
        call(System, "run_command", {"command": line, "shell": True}, project, Reviewer())
        gone = before - snapshot(project).keys()
        moved = {"README.md"} if line.startswith("mv") and "README.md" in gone else set()
        # What a move overwrites is lost as well, though its name stays.
        overwritten = {"CHANGES.md"} if moved else set()
        assert set(found.items) & before == (gone - moved) | overwritten
        assert counts(found).get("files", 0) == len((gone - moved) | overwritten)
        assert not [warning for warning in found.warnings if "not known" in warning]

    @pytest.mark.parametrize(
        "line",
        [
            'rm "$x"',
            "ls | xargs rm",
            "for f in *.md; do rm $f; done",
            "cd $x; rm README.md",
            "cd src; rm a",
            "cd src; cd ..; rm README.md",
            "cd src && ls; rm a",
            "cd src && ls || rm a",
            "cd src && sleep 1 & rm a",
            "(cd src; ls); rm a",
            "rm -Z a",
        ],
    )
    def test_what_cannot_be_known_beforehand_is_said(self, project: Path, line: str) -> None:
        found = look(System, project, "run_command", command=line, shell=True)
        assert found.warnings == ("What rm takes away is not known beforehand.",)
        assert "files" not in counts(found)

    def test_without_a_shell_wildcards_are_plain_letters(self, project: Path) -> None:
        found = look(System, project, "run_command", command="rm *.md", arguments=["README.md"], folder="docs")
        assert found.warnings == ("There is no docs/*.md.", "There is no docs/README.md.")

    def test_a_line_that_needs_a_shell_will_fail_without_one(self, project: Path) -> None:
        found = look(System, project, "run_command", command="ls; rm x")
        response = call(System, "run_command", {"command": "ls; rm x"}, project, Reviewer())
        assert found.text == "Nothing: the call will fail."
        assert response.error is not None
        assert found.warnings[0].endswith(f"{response.error.message[1:]}.")


class TestSql:
    def look(self, project: Path, sql: str, **more: Any) -> DryRun:
        arguments = {"path": "data/shop.db", "sql": sql} | more
        return look(Databases, project, "change_database", **arguments)

    @pytest.mark.parametrize(
        ("sql", "text", "rows", "warnings"),
        [
            ("DELETE FROM orders WHERE id > 1", "Delete from orders in data/shop.db.", 2, ()),
            (
                "DELETE FROM orders",
                "Delete from orders in data/shop.db.",
                3,
                ("That is every row of orders.",),
            ),
            (
                "UPDATE orders SET total = total * 2",
                "Change orders in data/shop.db.",
                3,
                ("That is every row of orders.",),
            ),
            ("DROP TABLE orders", "Drop orders in data/shop.db.", 3, ("That is every row of orders.",)),
            ("INSERT INTO orders (id) VALUES (7), (8)", "Add to orders in data/shop.db.", 2, ()),
            ("CREATE TABLE more (a)", "Make more in data/shop.db.", 0, ()),
            ("CREATE INDEX by_total ON orders (total)", "Make the index by_total, Build anew by_total", 0, ()),
        ],
    )
    def test_a_statement_is_tried_and_rolled_back(
        self, project: Path, sql: str, text: str, rows: int, warnings: tuple[str, ...]
    ) -> None:
        found = self.look(project, sql)
        assert found.text.startswith(text)
        assert (counts(found)["rows"], found.warnings) == (rows, warnings)

    def test_parameters_count(self, project: Path) -> None:
        found = self.look(project, "DELETE FROM orders WHERE id = :id", parameters={"id": 2})
        assert counts(found)["rows"] == 1

    def test_triggers_count_too(self, project: Path) -> None:
        with closing(sqlite3.connect(project / "data/shop.db")) as database:
            database.executescript(
                "CREATE TABLE gone (id);"
                " CREATE TRIGGER t AFTER DELETE ON orders BEGIN INSERT INTO gone VALUES (old.id); END"
            )
        found = self.look(project, "DELETE FROM orders WHERE id > 1")
        assert (found.items, counts(found)["rows"]) == (("orders", "gone"), 4)

    @pytest.mark.parametrize(
        "sql", ["VACUUM", "COMMIT", "PRAGMA user_version = 3", "ATTACH 'x.db' AS x", "SAVEPOINT s"]
    )
    def test_what_would_leave_the_transaction_is_not_tried(self, project: Path, sql: str) -> None:
        assert self.look(project, sql).text == "Change data/shop.db in a way that cannot be tried beforehand."

    def test_reading_needs_no_trial(self, project: Path) -> None:
        assert self.look(project, "SELECT * FROM orders").text == "Read data/shop.db. Nothing in it would change."

    def test_what_takes_too_long_is_said(self, project: Path) -> None:
        endless = (
            "WITH RECURSIVE n(x) AS (SELECT 9 UNION ALL SELECT x + 1 FROM n) INSERT INTO orders (id) SELECT x FROM n"
        )
        found = self.look(project, endless)
        assert found.text == "Change data/shop.db; how much would take too long to find out."

    def test_wrong_statements_and_locks_are_told(self, project: Path) -> None:
        assert "no such table" in self.look(project, "DELETE FROM missing").warnings[0]
        with closing(sqlite3.connect(project / "data/shop.db", isolation_level=None)) as database:
            database.execute("BEGIN EXCLUSIVE")
            assert "locked" in self.look(project, "DELETE FROM orders").warnings[0]
