"""What programs of the command line do, and which of their options make it something else.

A program that is not listed is unknown. What is listed tells the least that is certain: where an option may write, run
something or send something, it says so, and an option that is known only when the command runs counts as any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from tools.policy.findings import Finding, worst
from tools.policy.shell_options import (
    BUILD,
    DESTROY,
    ESCALATE,
    NET,
    READ,
    UNKNOWN,
    WRITE,
    Places,
    Program,
    judge_options,
)
from tools.policy.shell_places import judge_place
from tools.policy.shell_words import Known, Word
from tools.spec import RiskClass


def _options(risk: RiskClass, names: str) -> dict[str, RiskClass]:
    return dict.fromkeys(names.split(), risk)


def _same(program: Program, names: str) -> dict[str, Program]:
    return dict.fromkeys(names.split(), program)


_READS: Final = Program(READ)
_BUILDS: Final = Program(BUILD)
_WRITES: Final = Program(WRITE)
_FILES: Final = Program(WRITE, places=Places.ALL)
_TO_LAST: Final = Program(WRITE, places=Places.LAST)
_REACHES: Final = Program(NET)
_DESTROYS: Final = Program(DESTROY)
_NOBODY_KNOWS: Final = Program(UNKNOWN)
_ESCALATES: Final = Program(ESCALATE)

_GIT_LOOKS: Final = Program(READ, _options(WRITE, "--output") | _options(UNKNOWN, "--ext-diff --textconv -O"))
_GIT: Final = Program(
    READ,
    # `ext::` addresses run commands, `+branch` pushes by force, `:branch` deletes it.
    refused=re.compile(r".*::.*|\+.*|:.+"),
    places=Places.SOME,
    before={"-C": 1, "--no-pager": 0, "-P": 0, "--no-optional-locks": 0, "--literal-pathspecs": 0},
    commands=_same(
        _GIT_LOOKS,
        "status log diff show blame annotate ls-files ls-tree cat-file rev-parse rev-list describe shortlog grep"
        " merge-base name-rev count-objects whatchanged range-diff check-ignore check-attr var version help"
        " diff-tree diff-index diff-files for-each-ref show-ref cherry verify-commit verify-tag fsck",
    )
    | _same(
        Program(WRITE, _options(UNKNOWN, "--exec -x --upload-pack --template --unsafe-paths")),
        "add commit mv merge rebase cherry-pick revert init apply am notes gc repack pack-refs",
    )
    | _same(
        Program(NET, _options(UNKNOWN, "--upload-pack -u --exec --template --config -c")),
        "fetch pull clone ls-remote",
    )
    | _same(_DESTROYS, "clean checkout restore rm prune filter-branch filter-repo update-ref replace")
    | {
        "clean": Program(DESTROY, lowered=_options(READ, "-n --dry-run -nd -dn -ndx -ndX")),
        "checkout": Program(DESTROY, lowered=_options(WRITE, "-b")),
        "switch": Program(WRITE, _options(DESTROY, "-f --force --discard-changes -C --force-create")),
        "branch": Program(
            READ,
            _options(DESTROY, "-d -D -M -C -f --delete --force") | _options(WRITE, "-m -c -u --move --copy --edit"),
            most_operands=0,
        ),
        "tag": Program(
            READ, _options(DESTROY, "-d -f --delete --force") | _options(WRITE, "-a -s -m"), most_operands=0
        ),
        "reset": Program(WRITE, _options(DESTROY, "--hard --merge --keep")),
        "push": Program(
            NET,
            _options(DESTROY, "-f -d --force --force-with-lease --delete --mirror --prune")
            | _options(UNKNOWN, "--exec"),
        ),
        "reflog": Program(READ, commands={"show": _READS, "expire": _DESTROYS, "delete": _DESTROYS}),
        "config": Program(UNKNOWN, lowered=_options(READ, "--get --get-all --get-regexp --list -l")),
        "remote": Program(
            READ, lowered=_options(READ, "-v"), commands={"get-url": _READS, "show": _REACHES, "update": _REACHES}
        ),
        "stash": Program(
            WRITE,
            commands=_same(_READS, "list show")
            | _same(_WRITES, "push save apply pop")
            | _same(_DESTROYS, "drop clear"),
        ),
        "worktree": Program(READ, commands={"list": _READS, "add": _WRITES, "remove": _DESTROYS, "prune": _DESTROYS}),
        "submodule": Program(READ, commands={"status": _READS, "update": _REACHES, "add": _REACHES}),
    },
)

_CARGO: Final = Program(
    UNKNOWN,
    commands=_same(_BUILDS, "build check test bench clippy doc b c t")
    | _same(_READS, "tree metadata version")
    | _same(_REACHES, "fetch add update search install publish")
    | {"fmt": Program(WRITE, lowered=_options(READ, "--check")), "clean": _DESTROYS},
)
_GO: Final = Program(
    UNKNOWN,
    commands=_same(Program(BUILD, _options(UNKNOWN, "-exec -toolexec -vettool")), "build test vet")
    | _same(_READS, "version env list doc")
    | _same(_REACHES, "get install")
    | {"fmt": _WRITES, "clean": _DESTROYS, "mod": Program(NET, commands={"*": _REACHES})},
)
_SCRIPTS: Final = _same(_BUILDS, "test build lint check typecheck type-check types compile docs coverage") | _same(
    _NOBODY_KNOWS, "*"
)
_NPM: Final = Program(
    UNKNOWN,
    commands={"run": Program(READ, commands=_SCRIPTS), "run-script": Program(READ, commands=_SCRIPTS)}
    | _same(_BUILDS, "test t build lint")
    | _same(_READS, "ls list ll view outdated why explain root prefix")
    | _same(_REACHES, "install i ci add update upgrade audit publish info search")
    | _same(_DESTROYS, "uninstall remove rm prune unpublish"),
)
_PIP: Final = Program(
    UNKNOWN,
    commands=_same(_READS, "list show freeze check help debug")
    | _same(_REACHES, "install download index wheel search")
    | _same(_DESTROYS, "uninstall"),
)
_DOCKER: Final = Program(
    UNKNOWN,
    commands=_same(_READS, "ps images logs inspect version info top stats port diff history")
    | _same(_REACHES, "pull push search login")
    | _same(_DESTROYS, "rm rmi kill stop restart down prune")
    | dict.fromkeys(
        ("container", "image", "volume", "network", "system", "compose"),
        Program(
            UNKNOWN,
            commands=_same(_READS, "ls ps list inspect logs df config")
            | _same(_DESTROYS, "rm prune kill stop down remove"),
        ),
    ),
)
_KUBECTL: Final = Program(
    UNKNOWN,
    commands=_same(_REACHES, "get describe logs top explain version api-resources cluster-info diff")
    | _same(_DESTROYS, "delete drain evict"),
)
_QUIETLY: Final = {"-q": 0, "--quiet": 0, "-B": 0, "-o": 0, "--offline": 0, "--console=plain": 0}
_FORMATTER: Final = Program(WRITE, places=Places.ALL, lowered=_options(READ, "--check --check-only --diff -c"))
_SUMS: Final = "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum"

PROGRAMS: Final[Mapping[str, Program]] = (
    _same(
        _READS,
        "cat head tail wc ls dir vdir pwd echo true false : id whoami who w users groups uname uptime df du free"
        " ps pgrep pidof stat readlink realpath basename dirname cut tr nl tac rev fold fmt expand unexpand column"
        " paste join comm cmp diff diff3 base64 base32 od hexdump strings nm objdump readelf size seq yes sleep"
        " expr factor which type whereis hash printenv locale nproc arch getconf tty lsblk lscpu lspci lsusb lsmod"
        " findmnt egrep fgrep grep zgrep zcat xzcat bzcat jq cal man apropos whatis shift wait jobs test [ cd pushd"
        " popd dirs times umask break continue return exit set",
    )
    | _same(_READS, _SUMS)
    | {
        "date": Program(READ, _options(UNKNOWN, "-s --set")),
        "hostname": Program(READ, _options(UNKNOWN, "-F -b --file --boot"), most_operands=0),
        "file": Program(READ, _options(WRITE, "-C --compile")),
        "sort": Program(READ, _options(WRITE, "-o --output") | _options(UNKNOWN, "--compress-program")),
        "uniq": Program(READ, most_operands=1),
        "xxd": Program(READ, most_operands=1),
        "sdiff": Program(READ, _options(WRITE, "-o --output") | _options(UNKNOWN, "--diff-program")),
        "tree": Program(READ, _options(WRITE, "-o -R")),
        "rg": Program(READ, _options(UNKNOWN, "--pre --hostname-bin")),
        "less": Program(READ, _options(UNKNOWN, "-o -O -k -t --log-file --LOG-FILE --lesskey-file --tag")),
        "more": _READS,
        "man": Program(READ, _options(UNKNOWN, "-P -H --pager --html")),
        "printf": Program(READ, _options(WRITE, "-v")),
        "yq": Program(READ, _options(WRITE, "-i -s --inplace --split-exp")),
        "mount": Program(UNKNOWN, lowered=_options(READ, "-l")),
        "lsof": _READS,
        "top": Program(READ, _options(UNKNOWN, "-c")),
        "crontab": Program(UNKNOWN, _options(DESTROY, "-r"), lowered=_options(READ, "-l")),
    }
    | _same(_FILES, "touch mkdir tee install patch split csplit mkfifo mktemp zip ar")
    | _same(_WRITES, "chgrp setfacl xattr")
    | _same(_TO_LAST._replace(raised=_options(DESTROY, "-f --force")), "cp ln")
    | {"mv": _FILES._replace(raised=_options(DESTROY, "-f --force"))}
    | _same(
        Program(WRITE, places=Places.ALL, lowered=_options(READ, "-c -dc -cd -l -t --stdout --list --test")),
        "gzip gunzip xz unxz bzip2 bunzip2 zstd unzstd lz4",
    )
    | {
        "zip": Program(
            WRITE,
            places=Places.SOME,
            raised=_options(DESTROY, "-m --move -d") | _options(UNKNOWN, "-TT"),
        ),
        "unzip": Program(WRITE, _options(DESTROY, "-o"), places=Places.SOME, lowered=_options(READ, "-l -t -v -Z")),
        "rsync": Program(
            NET,
            _options(DESTROY, "--del --delete --remove-source-files")
            | _options(UNKNOWN, "-e --rsh --rsync-path --daemon --config"),
            places=Places.SOME,
        ),
        "scp": Program(NET, _options(UNKNOWN, "-S -o -F -J"), places=Places.SOME),
        "sftp": _NOBODY_KNOWS,
        "install": _TO_LAST._replace(raised=_options(UNKNOWN, "--strip-program")),
        "chown": _NOBODY_KNOWS,
    }
    | _same(_DESTROYS, "rm rmdir unlink shred wipe srm truncate kill pkill killall skill shutdown reboot halt poweroff")
    | _same(_DESTROYS, "fdisk sfdisk gdisk parted wipefs mkswap mkfs blkdiscard dropdb dropuser trash del erase")
    | {"kill": Program(DESTROY, lowered=_options(READ, "-l -L")), "mkfs": _DESTROYS}
    | _same(_REACHES, "ping ping6 dig nslookup host traceroute tracepath mtr whois")
    | {
        "curl": Program(NET, _options(UNKNOWN, "-K --config"), places=Places.SOME),
        "wget": Program(NET, _options(UNKNOWN, "-e --execute --use-askpass --config -i --input"), places=Places.SOME),
        "http": _REACHES,
        "https": _REACHES,
    }
    | _same(
        _ESCALATES,
        "sudo sudoedit su doas pkexec runuser gosu su-exec setpriv run0 kdesudo gksudo gksu kdesu beesu dzdo pbrun"
        " visudo passwd chpasswd useradd userdel usermod adduser deluser groupadd groupdel groupmod gpasswd newgrp"
        " setcap vipw vigr chsh nsenter",
    )
    | _same(
        _BUILDS,
        "pytest py.test tox nox mypy dmypy pyright flake8 pylint pyflakes bandit vulture lint-imports tsc jest vitest"
        " mocha ninja ctest shellcheck yamllint hadolint golangci-lint javac rustc coverage basedpyright ty rspec",
    )
    | _same(Program(BUILD, _options(UNKNOWN, "-fplugin -wrapper -B --specs -specs")), "gcc g++ clang clang++ cc c++")
    | _same(_FORMATTER, "black isort autopep8 gofmt clang-format")
    | {
        "ruff": Program(
            READ,
            commands={
                "check": Program(BUILD, _options(WRITE, "--fix --unsafe-fixes --add-noqa -o --output-file")),
                "format": _FORMATTER,
                "rule": _READS,
                "version": _READS,
                "clean": _DESTROYS,
            },
        ),
        "eslint": Program(BUILD, _options(WRITE, "--fix -o --output-file")),
        "prettier": Program(READ, _options(WRITE, "-w --write")),
        "rustfmt": _FORMATTER,
        "cmake": Program(WRITE, _options(UNKNOWN, "-P -E"), lowered=_options(BUILD, "--build")),
        "meson": Program(UNKNOWN, commands=_same(_BUILDS, "compile test setup") | {"introspect": _READS}),
        "git": _GIT,
        "cargo": _CARGO,
        "go": _GO,
        "npm": _NPM,
        "pnpm": _NPM,
        "yarn": _NPM,
        "pip": _PIP,
        "pip3": _PIP,
        "uv": Program(
            UNKNOWN,
            commands={"pip": _PIP, "tree": _READS, "version": _READS} | _same(_REACHES, "sync lock add remove build"),
        ),
        "mvn": Program(UNKNOWN, before=_QUIETLY, commands=_same(_BUILDS, "test compile package verify test-compile")),
        "gradle": Program(
            UNKNOWN, before=_QUIETLY, commands=_same(_BUILDS, "test build check assemble classes") | {"tasks": _READS}
        ),
        "dotnet": Program(UNKNOWN, commands=_same(_BUILDS, "build test") | {"restore": _REACHES}),
        "docker": _DOCKER,
        "podman": _DOCKER,
        "kubectl": _KUBECTL,
        "terraform": Program(
            UNKNOWN,
            commands=_same(_REACHES, "plan init") | _same(_READS, "validate show version") | {"destroy": _DESTROYS},
        ),
        "systemctl": Program(UNKNOWN, commands=_same(_READS, "status show cat list-units is-active is-enabled")),
    }
)
"""What is known, by the program's name."""

RUNS_CODE: Final = frozenset(
    _same(
        _NOBODY_KNOWS,
        "python perl ruby node nodejs deno bun php lua luajit Rscript R osascript tclsh wish expect gdb "
        "ipython irb julia java scala groovy pwsh powershell cmd wsl fish csh tcsh zsh ssh npx bunx uvx "
        "pipx parallel source . vim vi nvim emacs nano ex screen tmux at batch systemd-run script chroot "
        "unshare strace ltrace ldd",
    )
)
"""Programs whose work is to run what they are given, in a language that is not read here."""

_SAYS_ONLY: Final = frozenset({"--version", "--help"})


def judge_program(name: str, words: Sequence[Word], shown: str) -> Finding:
    """Return what a program does with these words.

    Args:
        name: The program, without a folder.
        words: What follows it.
        shown: The whole command, for the reason.
    """
    program = PROGRAMS.get(name)
    if name.startswith("mkfs."):
        program = _DESTROYS
    if program is not None and program.risk is ESCALATE:
        return Finding(ESCALATE, f"{name} takes another user's rights: {shown}")
    if (program is not None or name in RUNS_CODE) and len(words) == 1 and words[0] in {Word(say) for say in _SAYS_ONLY}:
        return Finding(READ, f"{name} only tells about itself: {shown}")
    if program is None:
        why = "runs code that is not read here" if name in RUNS_CODE else "is no program that is known"
        return Finding(UNKNOWN, f"{name!r} {why}: {shown}")
    risk = judge_options(program, list(words))
    found = [Finding(risk, f"{name} {_WORDS[risk]}: {shown}")]
    if risk in {WRITE, NET}:
        places = Places.SOME if program.risk is READ and program.commands is None else program.places
        found += written_places(_git_places(words) if program is _GIT else words, shown, places)
    return worst(found, found[0])


def written_places(words: Sequence[Word], shown: str, which: Places = Places.ALL) -> list[Finding]:
    """Return what it comes to that a program writes where its words point; where it may only read, that is unknown."""
    found = [judge_place(place, shown) for word in words if (place := _place_in(word)).text or place.known]
    if which is Places.ALL:
        return found
    if which is Places.LAST and not any(word.text.startswith(("-t", "--target")) for word in words):
        return found[-1:]
    return [
        finding._replace(risk=UNKNOWN) if finding.risk in {DESTROY, ESCALATE} else finding
        for finding in found
        if which is not Places.NONE
    ]


def _place_in(word: Word) -> Word:
    """Return the path in a word, which may stand behind an option."""
    text = word.text
    if text.startswith("--"):
        text = text.partition("=")[2]
    elif text.startswith("-"):
        text = text[2:]
    elif word.known is not Known.WHOLE:
        return word
    return Word(text, word.known if text else Known.WHOLE)


def _git_places(words: Sequence[Word]) -> list[Word]:
    """Return the other folder that git works in, and a file that it is told to write."""
    folders = [after for before, after in pairwise(words) if before == Word("-C")]
    files = [word for word in words if word.text.startswith("--output")]
    return [word for word in (*folders, *files) if word.known is Known.WHOLE]


_WORDS: Final = {
    READ: "only reads",
    BUILD: "builds or tests",
    WRITE: "changes something",
    NET: "reaches beyond this computer",
    UNKNOWN: "is used in a way that is not known to be harmless",
    DESTROY: "deletes or overwrites",
    ESCALATE: "takes another user's rights",
}
