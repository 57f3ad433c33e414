"""Which files a command line may write, move, replace or delete."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.policy.shell import touched_paths

HERE = Path("/project")


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("cat a | sort", []),
        ("rm -rf x", ["x"]),
        ("cp a b/../c", ["c"]),
        ("cd sub && touch x", ["sub/x", "x"]),
        ("rm src/*.py", ["src"]),
        ("sort -o.tool-console/policy.toml f", [".tool-console/policy.toml"]),
        ("sort --output=x y", ["x"]),
        ("sort a", []),
        ("find . -name x -delete", ["."]),
        ("echo x > .git/hooks/pre-commit", [".git/hooks/pre-commit"]),
        ("sh -c 'rm a > b'", ["a", "b"]),
        ("cp -t /etc a", ["/etc"]),
        ("sed -i s/a/b/ c", ["c"]),
        ("cp a ~/.bashrc", [str(Path("~/.bashrc").expanduser())]),
        ("sudo tee /etc/x", None),
    ],
)
def test_paths_that_may_change_are_named(line: str, paths: list[str] | None) -> None:
    touched = touched_paths(line, HERE, posix=True)
    assert touched.is_complete == (paths is not None)
    if paths is not None:
        assert set(touched.paths) == {HERE / path for path in paths}


@pytest.mark.parametrize(
    "line",
    [
        "frob .git/config",
        "python x.py .git/config",
        "make .git/config",
        "curl -o .git/config https://x",
        "git add --x=.git/config",
    ],
)
def test_what_an_unknown_program_names_may_change_and_more(line: str) -> None:
    touched = touched_paths(line, HERE, posix=True)
    assert HERE / ".git/config" in touched.paths
    assert not touched.is_complete


@pytest.mark.parametrize(
    "line", ["rm $x", "cd $x; touch y", "tar xf a.tgz", "ls | xargs rm", "make", "git add .", "echo x > $f", "X=1 frob"]
)
def test_what_is_known_only_when_it_runs_is_not_complete(line: str) -> None:
    assert not touched_paths(line, HERE, posix=True).is_complete
