"""Command lines that are called harmless run no helper, and delete and write nothing."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import string
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.catalog.calling import Reviewer, executor_for, result_of
from tests.tools.catalog.sample_project import snapshot
from tests.tools.policy.test_shell import TABLE, judge_line, lines
from tools import RiskClass
from tools.catalog.system import System
from tools.policy.shell import judge_words
from tools.policy.shell_options import CommandForm
from tools.policy.shell_programs import DESTROYS, ESCALATES, FORMS, RUNS_OTHERS
from tools.spec import RiskLevel

UP_TO_NETWORK: Final = (RiskClass.READ_ONLY, RiskClass.BUILD_TEST, RiskClass.WRITE, RiskClass.NETWORK)
ORDER: Final = {risk: place for place, risk in enumerate(RiskClass)}
SAMPLES: Final = {
    "any": "a",
    "text": "a",
    "read": "a",
    "write": "a",
    "number": "3",
    "own": "a",
    "stamp": "+%d",
    "mode": "755",
    "sed": "1p",
    "awk": "{print $1}",
    "format": "%h",
    "inside": "a",
    "script": "test",
    "goal": "test",
    "ref": "main",
    "package": "a",
}


ALL: Final = [(name, form) for name, forms in FORMS.items() for form in forms]
KNOWN: Final = [(name, form) for name, form in ALL if form.risk in UP_TO_NETWORK and "*" not in form.options]


def words_of(name: str, form: CommandForm, *more: str) -> list[str]:
    """Return a call that a form knows, with more words between its options and its operands."""
    return [*name.split(), *more, *(SAMPLES[kind.rstrip("*")] for kind in form.operands)]


def with_value(form: CommandForm, option: str) -> list[str]:
    kind = form.options[option]
    return [SAMPLES[kind]] if kind and not kind.startswith("?") else []


def options_by_name() -> dict[str, set[str]]:
    """Return the options of each program in all of its forms."""
    found: dict[str, set[str]] = {}
    for name, form in ALL:
        found.setdefault(name, set()).update(form.options)
        program, _, option = name.rpartition(" ")
        if option.startswith("-"):
            found.setdefault(program, set()).add(option)
    return found


LISTED: Final = options_by_name()


def is_harmless(words: list[str]) -> bool:
    return judge_words(words).risk.level is not RiskLevel.HIGH


@pytest.mark.parametrize("risk", UP_TO_NETWORK)
def test_every_listed_call_is_what_its_table_says_at_most(risk: RiskClass) -> None:
    for name, form in KNOWN:
        if form.risk is not risk or name == "cd":
            continue
        found = judge_words(words_of(name, form))
        assert ORDER[found.risk] <= ORDER[risk], found
        for option in form.options:
            if option.startswith("-") and option not in {"-#", "-"}:
                assert is_harmless(words_of(name, form, option, *with_value(form, option))), (name, option)


def mutations(name: str, form: CommandForm) -> Iterator[tuple[str, ...]]:
    """Yield words that no form of a program knows."""
    listed = LISTED[name]
    letters = {option[1] for option in listed if len(option) == 2}
    if not form.whole:
        yield from ((f"-{letter}",) for letter in string.ascii_letters if letter not in letters)
    yield from (("--zzz",), ("--zzz=a",), ("--zzz", "a"), ("-\N{LATIN SMALL LETTER SHARP S}",), ("-Zz-",))
    for option in sorted(form.options):
        if option.startswith("--"):
            for end in range(3, len(option)):
                short = option[:end]
                if short not in listed:
                    yield (short,)
                    yield (f"{short}=a",)
            if not form.options[option]:
                yield (f"{option}=a",)
            if f"--no-{option[2:]}" not in listed:
                yield (f"--no-{option[2:]}",)
            if option.startswith("--no-") and f"--{option[5:]}" not in listed:
                yield (f"--{option[5:]}",)
            yield (option.upper(),)
        elif len(option) == 2 and option[1].isalpha() and not form.options[option] and not form.whole:
            letter = next(letter for letter in "QYJqyjkKZX" if letter not in letters)
            yield (f"{option}{letter}",)
            yield (f"-{letter}{option[1]}",)


def test_abbreviated_unknown_joined_and_contrary_options_are_never_harmless() -> None:
    tried = 0
    for name, form in KNOWN:
        for more in mutations(name, form):
            words = words_of(name, form, *more)
            tried += 1
            assert not is_harmless(words), words
    assert tried > 5_000


def test_an_option_that_lacks_its_value_is_never_harmless() -> None:
    for name, form in KNOWN:
        for option, kind in form.options.items():
            if kind and not kind.startswith("?") and option.startswith("-") and option != "-#":
                assert not is_harmless([*words_of(name, form._replace(operands=())), option]), (name, option)


DANGEROUS: Final = {
    "git log -3": "--output=x --output\\ x --ext-diff --textconv --show-signature --format=%G? --pretty=%+GK"
    " --pretty=evil",
    "git diff": "--output=x --ext-diff --textconv -Ox --submodule=diff --no-index\\ -O",
    "git show HEAD": "--output=x --ext-diff --textconv --show-signature",
    "git grep a": "-O -Ox --open-files-in-pager --open-files-in-pager=x --textconv --ext-grep",
    "git blame a": "--contents=x --textconv",
    "git status": "--paginate -c\\ core.fsmonitor=x",
    "git branch --list": "-D\\ x -d\\ x -m\\ x -M\\ x -f\\ x --delete\\ x --edit-description --set-upstream-to=x"
    " -u\\ x",
    "git branch": "--edit-description --unset-upstream",
    "git tag": "-d\\ x --delete\\ x -s\\ x",
    "git config --get x": "--unset --add --edit -e --replace-all --rename-section --remove-section",
    "git stash list": "--output=x",
    "git describe": "--dirty --broken",
    "git fetch": "--upload-pack=x --exec=x",
    "git commit -m a": "-e --edit -t\\ x --template=x -S --gpg-sign",
    "git merge a": "-s\\ x --strategy=x -e --edit -S",
    "git clean -n": "-f --force --no-dry-run\\ -f -i",
    "sort a": "-ox -o\\ x --output=x --compress-program=x -Tx --files0-from=x",
    "find .": "-exec\\ x\\ ; -execdir\\ x\\ ; -ok\\ x\\ ; -okdir\\ x\\ ; -delete -fprint\\ x -fprint0\\ x"
    " -fprintf\\ x\\ y -fls\\ x",
    "rg a": "--pre=x --pre\\ x --hostname-bin=x -z --search-zip",
    "diff a b": "-l --paginate --to-file=x",
    "date": "-s\\ x -sx --set=x --set\\ x -f\\ x 01010101",
    "uniq": "b",
    "sed -n 1p": "-i -i.bak --in-place -f\\ x --file=x -e\\ e -ew\\ x",
    "awk {print}": "-f\\ x -i\\ inplace -l\\ x -E\\ x --file=x --load=x -o -p -d",
    "pytest": "-p\\ x -px -c\\ x -o\\ x=y --basetemp=x --rootdir=/x --confcutdir=/x --junitxml=/x /x ../x --pdbcls=x:y"
    " --override-ini=x --import-mode=x --pyargs --trace-config=x --log-file=x --debug",
    "mypy a": "--config-file=x --python-executable=x --install-types --junit-xml=x --html-report=x --cache-dir=x ../x",
    "ruff check a": "--config=x --output-file=x -ox --fix-only --cache-dir=x --watch",
    "ruff format --check a": "--config=x --cache-dir=x",
    "black --check a": "--config=x -cx",
    "eslint a": "-cx --config=x --rulesdir=x --plugin=x --resolve-plugins-relative-to=x -ox --output-file=x -fx"
    " --format=x",
    "go build": "-toolexec=x -toolexec\\ x --toolexec=x -exec=x -ldflags=-extld=x -o=../x -o\\ /x -modfile=x"
    " -overlay=x -C\\ /x",
    "go test": "-exec=x -exec\\ x --exec=x -toolexec=x -o=/x -outputdir=/x -coverprofile=/x -vettool=x",
    "go vet": "-vettool=x --vettool=x -toolexec=x",
    "cargo build": "--config=x --config\\ x --target-dir=/x --manifest-path=/x --out-dir=/x -Zx",
    "make": "CC=x SHELL=x -f\\ x -fx --file=x --eval=x --eval\\ x -C/x -C\\ ../x -I\\ x -E\\ x x VAR=$(shell\\ x)"
    " DEBUG=$(shell\\ x) DEBUG=`x` clean deploy",
    "npm test": "--prefix=x --script-shell=x --scripts-prepend-node-path=x --node-options=x --\\ x",
    "npm run test": "--prefix=x --script-shell=x --\\ --x",
    "python -m pytest": "-p\\ x -c\\ x --basetemp=x",
    "curl a": "-K\\ x -Kx --config=x -c\\ x -Dx --trace=x -w%output{x} -w@x --engine=x --libcurl=x --stderr=x -T\\ x",
    "env": "-S\\ x --split-string=x -C\\ x LD_PRELOAD=x PATH=x PAGER=x GIT_PAGER=x",
    "xargs cat": "-o\\ x --process-slot-var=PATH",
    "pip list": "--log=x --python=x --require-virtualenv=x",
}
"""Options, separated by blanks, that run or write something or name what does; the classes of the causes that"
    " were seen."""


@pytest.mark.parametrize("line", DANGEROUS)
def test_what_runs_or_writes_something_is_never_called_harmless_in_any_spelling(line: str) -> None:
    words = shlex.split(line)
    assert judge_words(words).risk.level < RiskLevel.HIGH
    opening = next((at for at, word in enumerate(words) if word.startswith("-") or at == len(words) - 1), 1)
    for group in re.split(r"(?<!\\) ", DANGEROUS[line]):
        option = group.replace("\\ ", " ").split(" ", 1) if "$(" in group or "`" in group else group.split("\\ ")
        option = [group.replace("\\ ", " ")] if "$(" in group else option
        spellings = [option]
        if option[0].startswith("--"):
            name, equals, value = option[0].partition("=")
            spellings += [[name[:end] + equals + value, *option[1:]] for end in range(4, len(name))]
            spellings += [[name, value, *option[1:]]] if equals else []
        elif re.fullmatch(r"-[a-zA-Z]", option[0]) and len(option) > 1:
            spellings.append([option[0] + option[1], *option[2:]])
        listed = {option for name, options in LISTED.items() if line.startswith(name) for option in options}
        for spelling in spellings:
            if spelling is not option and spelling[0].partition("=")[0] in listed:
                continue  # "--text" is another option than "--textconv"
            for at in {len(words), max(1, opening)}:
                tried = [*words[:at], *spelling, *words[at:]]
                found = judge_words(tried).risk
                assert found.level is not RiskLevel.LOW, tried


PARTS: Final = [line for risk in TABLE for line in lines(TABLE[risk]) if not set("\n#<\\") & set(line)]
SIMPLE: Final = [
    line
    for risk in TABLE
    for line in lines(TABLE[risk])
    if not set("\n\"'\\$`;&|<>(){}!#") & set(line) and len(line.split()) > 1
]
WHOLE: Final = [line for line in SIMPLE if not set("*?[~") & set(line)]
POOL: Final = [
    *sorted({word for line in SIMPLE for word in line.split()}),
    "--zzz",
    "-z",
    "--",
    "-",
    "a",
    "/etc/x",
    "..",
    "=",
]


def weight(line: str) -> int:
    return ORDER[judge_line(line, posix=True).risk]


@given(st.sampled_from(PARTS), st.sampled_from(PARTS), st.sampled_from(["; ", " && ", " || ", " | ", "\n", " & "]))
def test_two_commands_are_never_less_harmful_than_either(first: str, second: str, joint: str) -> None:
    assert weight(first + joint + second) >= max(weight(first), weight(second))


@given(st.sampled_from(WHOLE), st.sampled_from(WHOLE), st.data())
def test_a_word_that_runs_a_command_is_never_less_harmful_than_the_command(
    line: str, inner: str, data: st.DataObject
) -> None:
    words = line.split()
    at = data.draw(st.integers(0, len(words) - 1))
    for held in (
        f"$({inner})",
        f"`{inner}`",
        f'"$({inner})"',
        f"x=$({inner})",
        f"; {inner};",
        f"| {inner} |",
        f"\n{inner}\n",
    ):
        assert weight(" ".join([*words[:at], held, *words[at + 1 :]])) >= weight(inner)


@given(
    st.sampled_from(WHOLE),
    st.sampled_from(["/etc/x", "/etc/sudoers", "../x", "~/.bashrc", '"$x"', ".git/config"]),
    st.data(),
)
def test_a_redirection_is_never_less_harmful_than_its_target(line: str, target: str, data: st.DataObject) -> None:
    words = line.split()
    at = data.draw(st.integers(0, len(words)))
    for sign in (">", ">>", ">|"):
        assert weight(" ".join([*words[:at], f"{sign}{target}", *words[at:]])) >= weight(f": >{target}")


@given(st.sampled_from(WHOLE), st.sampled_from(POOL), st.data())
def test_a_word_nobody_knows_is_never_less_harmful_than_a_plain_word(line: str, word: str, data: st.DataObject) -> None:
    words = line.split()
    at = data.draw(st.integers(0, len(words) - 1))
    known = " ".join([*words[:at], word, *words[at + 1 :]])
    unknown = " ".join([*words[:at], '"$x"', *words[at + 1 :]])
    if word.startswith("-"):
        return  # "cat --zzz" is unknown, though no word at all makes cat do harm
    assert (
        weight(unknown) >= min(weight(known), ORDER[RiskClass.UNKNOWN])
        or judge_line(unknown).risk is RiskClass.READ_ONLY
    )


@given(st.sampled_from(["sudo", "rm", "kill", "mkfs", "su"]), st.sampled_from(WHOLE), st.data())
def test_a_program_that_destroys_is_found_whatever_follows(name: str, line: str, data: st.DataObject) -> None:
    words = line.split()
    words[0] = name
    at = data.draw(st.integers(1, len(words)))
    words.insert(at, data.draw(st.sampled_from(POOL)))
    least = RiskClass.ESCALATION if name in {"sudo", "su"} else RiskClass.DESTRUCTIVE
    if name != "kill":  # "kill -l" only lists
        assert weight(" ".join(words)) >= ORDER[least]


@pytest.mark.parametrize("runner", sorted(RUNS_OTHERS - {"eval"}))
def test_a_program_that_destroys_is_found_whatever_runs_it(runner: str) -> None:
    always = sorted(name for name, ways in DESTROYS.items() if (frozenset(), []) in ways)
    for name in (*always, *sorted(ESCALATES)):
        least = RiskClass.ESCALATION if name in ESCALATES else RiskClass.DESTRUCTIVE
        for held in (f"--zzz {name} a", f"--zzz 3 /bin/{name} a", f"--zzz '{name} a'", f"--zzz '$y' 'ls;{name} a'"):
            assert weight(f"{runner} {held}") >= ORDER[least], held


# Programs that wait for something, or tell of a world that changes by itself.
ENDLESS: Final = frozenset(
    {"yes", "sleep", "tail", "top", "cd", "read", "wait", "ps", "who", "w", "uptime", "dd", "fd", "[", "pip", "pip3"}
)
RUNS: Final = 100
READING: Final = [(name, form) for name, form in ALL if form.risk is RiskClass.READ_ONLY]
RUNNABLE: Final = sorted(
    {name for name, _ in READING if name.split()[0] not in ENDLESS and shutil.which(name.split()[0])}
)


@pytest.fixture(scope="module")
def told() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in RUNNABLE:
        ask = [*name.split(), "-h"] if name.startswith("git ") else [name.split()[0], "--help"]
        ended = subprocess.run(ask, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=20)
        text = (ended.stdout + ended.stderr).decode(errors="replace")
        found[name] = sorted(set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*=?", text)))
    return found


def hostile_repository(folder: Path, canary: Path) -> None:
    """Make a repository whose settings name a program wherever git takes one."""

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True, capture_output=True
        )

    git("init", "-q")
    (folder / "a").write_text("one\n")
    (folder / "b.bin").write_bytes(b"\0\1")
    (folder / "a.c").write_text("int main() { return 0; }\n")
    (folder / ".gitattributes").write_text("* diff=x filter=x\n")
    git("add", ".")
    git("commit", "-qm", "first")
    (folder / "a").write_text("two\n")
    git("commit", "-qam", "second")
    (folder / "a").write_text("six\n")
    for hook in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman"):
        (folder / ".git/hooks" / hook).write_text(f"#!/bin/sh\nexec '{canary}'\n")
        (folder / ".git/hooks" / hook).chmod(0o755)
    named = (
        "core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.alternateRefsCommand core.gitProxy"
        " pager.log pager.diff pager.status pager.show pager.branch diff.external diff.x.textconv diff.x.command"
        " filter.x.clean filter.x.smudge filter.x.process gpg.program gpg.ssh.program credential.helper"
        " interactive.diffFilter sequence.editor alias.evil"
    )
    for name in named.split():
        git("config", name, str(canary))
    git("config", "log.showSignature", "true")
    git("config", "pretty.evil", "%G?")


def make_world(tmp_path: Path) -> tuple[Path, Path, dict[str, str]]:
    """Return a project, a program that tells that it ran, and variables that name it for everybody who looks."""
    project, home, tools_ = tmp_path / "project", tmp_path / "home", tmp_path / "bin"
    for folder in (project, home, tools_):
        folder.mkdir()
    canary = tools_ / "canary"
    canary.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{tmp_path}/ran'\n")
    canary.chmod(0o755)
    for name in ("less", "more", "vi", "vim", "editor", "nano", "xdg-open", "sensible-browser", "pr", "x", "evil"):
        shutil.copy(canary, tools_ / name)
    shutil.copy(canary, project / "x")
    hostile_repository(project, canary)
    subprocess.run(["tar", "-cf", "a.tar", "a"], cwd=project, check=True)
    variables = {
        "PATH": f"{tools_}:{os.environ['PATH']}",
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
    } | dict.fromkeys(
        [
            "PAGER",
            "GIT_PAGER",
            "MANPAGER",
            "EDITOR",
            "VISUAL",
            "GIT_EDITOR",
            "BROWSER",
            "GIT_ASKPASS",
            "SSH_ASKPASS",
            "GIT_SSH",
        ],
        str(canary),
    )
    return project, tmp_path / "ran", variables


def random_line(chance: random.Random, told: dict[str, list[str]]) -> list[str]:
    """Return a call of a program that may be harmless, with options that it really has."""
    name = chance.choice(RUNNABLE)
    form = chance.choice([form for named, form in READING if named == name])
    more: list[str] = []
    for _ in range(chance.randint(0, 3)):
        option = chance.choice([*form.options, *told[name], "-"])
        value = with_value(form, option) if option in form.options else []
        spelled = (
            option[: chance.randint(3, len(option))] if option.startswith("--") and chance.random() < 0.3 else option
        )
        more += [spelled + "./x"] if spelled.endswith("=") else [spelled, *value]
        if chance.random() < 0.1:
            more.append(chance.choice(["./x", "-o", "x", "--output=x", "HEAD", "--", "a"]))
    return [word for word in words_of(name, form, *more) if word not in {"-#", "*", "-f", "--follow", "--retry", "-F"}]


@pytest.mark.skipif(os.name == "nt", reason="programs of a POSIX system are run")
def test_whatever_is_called_harmless_really_runs_no_helper_and_changes_nothing(
    tmp_path: Path, told: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, ran, variables = make_world(tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    before = snapshot(tmp_path)
    chance = random.Random(11)  # the same lines each time
    harmless: list[list[str]] = []
    while len(harmless) < RUNS:
        words = random_line(chance, told)
        if judge_words(words).risk is RiskClass.READ_ONLY:
            harmless.append(words)
    executor = executor_for(System(), project, Reviewer())
    try:
        for words in harmless:
            arguments = {"command": words[0], "arguments": words[1:], "timeout_s": 20}
            assert executor.run("run_command", arguments).error is None, words
            assert not ran.exists(), (words, ran.read_text())
            assert snapshot(tmp_path) == before, words
    finally:
        executor.close()


GIT_READS: Final = [
    *(line for line in lines(TABLE[RiskClass.READ_ONLY]) if line.startswith("git ")),
    "git status --porcelain",
    "git diff",
    "git diff --stat",
    "git diff --cached",
    "git log -p",
    "git log --stat -3",
    "git show",
    "git show HEAD:a",
    "git blame a",
    "git grep -n i",
    "git ls-files -m",
    "git branch -a",
    "git tag",
    "git stash list",
    "git describe --always",
    "git log --format=%h%n%s",
    "git reflog",
]


@pytest.mark.parametrize("line", GIT_READS)
@pytest.mark.expects_log("tools.calls")
def test_git_that_only_reads_runs_nothing_that_the_repository_names(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judge_line(line).risk is RiskClass.READ_ONLY
    project, ran, variables = make_world(tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    before = snapshot(tmp_path)
    result_of(System(), "run_command", {"command": line, "shell": True}, project, Reviewer())
    assert not ran.exists(), ran.read_text()
    assert snapshot(tmp_path) == before


@pytest.mark.expects_log("tools.calls")
def test_a_repository_that_a_clone_brought_along_names_nothing_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, ran, variables = make_world(tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    inner = project / "vendor"
    subprocess.run(["git", "clone", "-q", "--bare", project, inner], check=True, capture_output=True)
    for name, value in (
        ("core.bare", "false"),
        ("core.worktree", str(project)),
        ("core.fsmonitor", variables["PAGER"]),
    ):
        subprocess.run(["git", "config", name, value], cwd=inner, check=True, capture_output=True)
    before = snapshot(tmp_path)
    result_of(System(), "run_command", {"command": "git status", "folder": "vendor"}, project, Reviewer())
    assert not ran.exists(), ran.read_text()
    assert snapshot(tmp_path) == before
    for line in (
        "git -C vendor status",
        "cd vendor && git status",
        "git --git-dir vendor status",
        "(cd vendor; git log)",
    ):
        assert judge_line(line, posix=True).risk is RiskClass.UNKNOWN
