r"""The programs of the command line that are known, each with the options that are known to be harmless.

A line of the table reads `class names | options | operands`; one that begins with a blank goes on.

- The class: `r` reads, `b` builds or tests, `w` changes something, `n` reaches beyond this computer, `d` deletes only
  what its words name, `x` runs another program behind its own words.
- Names stand between commas; further words are a command of the program, such as `git log`, or its first option.
- Options: `-abc` are three flags, `-n:` takes a value, `-j?` may have one joined, `-#` is a number such as `-20`;
  `--name` is a flag, `--name=` takes a value, `--name?` may have one behind `=`. A kind may follow `:`, `=` or `?`.
  `*` stands for any option at all, and behind `WORDS` a single dash begins a whole word, as in `-name`.
- Operands are kinds of `shell_options`, in their order; `kind*` stands for any number of them.

Whatever is not named here is unknown, and so is an abbreviation. Before an option is added: does it write, run or send
something in any version of the program, may its value do so, and may a settings file of a project?

A new entry needs its lines in `tests/tools/policy/test_shell.py`, where real shells check that what is called
harmless runs nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tools.policy.shell_options import CommandForm
from tools.spec import RiskClass

_TABLE: Final = r"""
r echo, true, false, :, set, ps, type, which | * | any*
r env, xargs | |
r command -v | | text*
r python -V, python3 -V, python --version, python3 --version, git --version, node --version, npm --version,
  java --version, ruby --version, php --version, docker --version, cargo --version, pip --version, pytest --version | |
r test | -bcdefghLnprsSuwxz | any*
r exit, break, continue, wait, sleep, basename, whoami, nproc | | text*
r tr | -cCdst | text*
r cd, pushd, popd, dirname | | any*
r read | -r | own*
r printf | | text any*
r pwd | -LP |
r cat | -AbeEnstTuv | any*
r head, tail | -qvfF -# -n: -c: --lines= --bytes= | any*
r wc | -clLmw --lines --words --bytes | any*
r ls | -1aAbBcCdDfFgGhHiklLmnNopqQrRsStTuUvxXZ --all --color? --recursive --sort= --time= | any*
r stat, readlink, realpath | -Lf -c: | any*
r cut | -b: -c: -d: -f: -s --delimiter= --fields= | any*
r diff | -abBdiNpqrsuwy -U:number --brief --color? --recursive --unified? | read*
r date | -u -d: -r: -I? --utc --date= | stamp*
r df, du | -0abBcDhHiklLmsTx -d:number --all --human-readable --max-depth= --summarize | any*
r grep | -EFGPabcHhILlnoqrRsTUvwxyziZ -# -A:number -B:number -C:number -e: -m:number --color? --count --exclude=
  --exclude-dir= --include= --line-number --max-count= --only-matching --recursive | any*
r rg | -aclnNoiSsuUvwxFHILPq0. -A:number -B:number -C:number -e: -g: -m:number -t: -T: --color= --count --files --glob=
  --hidden --json --line-number --no-heading --no-ignore --type= | read*
r find | WORDS -H -L -P -maxdepth:number -mindepth:number -depth -mount -xdev -name: -iname: -path: -ipath: -regex:
  -type: -size: -empty -newer: -mtime: -mmin: -perm: -prune -print -print0 -printf: -ls -not -and -or -o ! ( ) | read*
r sort | -bcCdfghiMmnRrsuVz -k: -t: --key= --numeric-sort --reverse --unique | read*
r uniq | -cdDiuz --count |
r sed | -nErsuz --quiet --regexp-extended | sed read*
r awk | -F: -v: | awk read*
r jq | -cCejMnrRsS --compact-output --null-input --raw-output --slurp --sort-keys | any*
r git status | -bsz -u? --branch --ignored? --porcelain? --short --untracked-files? | read*
r git diff, git show, git log | -abcimprstuwz -# -G: -L: -M? -n:number -S: -U:number --abbrev-commit --after= --all
  --author= --before= --cached --color? --date= --decorate? --diff-filter= --first-parent --follow --format=format
  --graph --grep= --max-count= --merges --name-only --name-status --no-color --no-ext-diff --no-merges --no-patch
  --no-textconv --numstat --oneline --patch --pretty?format --reverse --shortstat --since= --staged --stat? --summary
  --unified= --until= --word-diff? | read*
r git stash list, git reflog | -# -n:number -p --date= --format=format --oneline --stat? |
r git blame | -bcCeflMnpstw -L: --date= --porcelain --since= | read*
r git grep | -EFGHhIiLlnPqvwWz -# -A:number -B:number -C:number -e: --cached --count --no-textconv --untracked | read*
r git ls-files, git ls-tree | -cdmorstzl --cached --deleted --exclude-standard --modified --others | read*
r git rev-parse, git merge-base, git describe | --abbrev-ref? --always --short? --show-toplevel --tags? --verify | read*
r git clean -n, git clean --dry-run | -dqxX | read*
r git branch, git tag | -arvqiln -# --all --contains? --list --remotes --show-current --sort=format --verbose |
r git branch --list, git branch -l, git tag --list, git tag -l | -arvq --all --format=format --sort=format | text*
r git config -l, git config --list | --global --local |
r git config --get, git config --get-all | --global --local | text
r git remote | -v --verbose |
r pip list, pip3 list, pip show, pip freeze, pip check | --files --format= | text*
b make | -knsB -j?number -C:inside --dry-run --jobs? --keep-going --quiet | goal*
b pytest, python -m pytest, python3 -m pytest | -hlqsvx -k: -m: -n:number -r: --co --collect-only --color= --cov?
  --deselect=inside --durations= --exitfirst --ff --last-failed --lf --maxfail= --quiet --showlocals --sw --tb=
  --timeout= --verbose -W: | inside*
b python -m unittest, python3 -m unittest | | inside*
b mypy, python -m mypy | -v --exclude= --ignore-missing-imports --python-version= --strict --verbose -p: | inside*
b ruff check | -qvn --exclude= --ignore= --no-cache --output-format= --preview --select= --statistics --diff | inside*
b ruff format --check, ruff format --diff, black --check, isort --check | -qv --diff --line-length= --preview | read*
b eslint, tsc, jest, vitest | --ci --coverage --ext= --noEmit --run --strict --testNamePattern= -t: | inside*
b cargo build, cargo check, cargo test, cargo clippy, cargo doc, cargo tree | -qvr -p: --all --locked --release | text*
b go build, go test, go vet, go version | WORDS -v -x -race -cover -short -json -run: -count: | inside*
b npm test, npm t, pnpm test, yarn test, yarn build, yarn lint | --silent -s |
b npm run, pnpm run, yarn run | --silent -s --if-present | script
w touch | -acm -d: -t: --no-create | write*
w mkdir | -pv --parents --verbose | write*
w tee | -ai --append | write*
w cp | -aLHPRdinprTuv --archive --no-clobber --recursive --update --verbose | read* write
w ln | -inrsTv --relative --symbolic --verbose | read* write
w mv | -inTuv --interactive --no-clobber --no-target-directory --update --verbose | write*
w chmod | -Rcfv --recursive --verbose | mode write*
w sort | -bcCdfghiMmnRrsuVz -k: -t: -o:write --output=write | read*
w sed -i | -nErsuz --quiet --regexp-extended | sed write*
w ruff check --fix | -qv --exclude= --ignore= --no-cache --preview --select= --unsafe-fixes | write*
w ruff format, black, isort | -qv --exclude= --line-length= --preview --profile= | write*
w git add | -AfnNuv --all --dry-run --force --update --verbose | read*
w git commit -m, git commit -am, git commit -a -m, git commit -qm, git commit -q -m | -aqs -m: --all --allow-empty
  --amend --message= --no-edit --signoff | read*
w git merge, git cherry-pick, git revert, git rebase | -nq -m: --abort --ff-only --no-edit --no-ff --squash | text*
w git switch | -qdt --create= --detach --quiet --track -c: | text*
w git checkout -b | -qt --quiet --track | text
w git checkout -b | -qt --quiet --track | text text
w git branch, git tag | -q --quiet | text*
w git reset | -qN --mixed --quiet --soft | text*
w git stash, git stash push, git stash apply, git stash pop | -qu -m: --include-untracked --message= |
n curl | -fGgIikLnNsSv46# -A: -b: -d: -e: -H: -m: -o:write -r: -u: -X: -O --data= --fail --get --head --header=
  --include --insecure --json= --location --max-time= --output=write --request= --retry= --silent --url= --user= | text*
n git fetch, git pull | -46nqtv --all --depth= --dry-run --ff-only --no-rebase --no-tags --quiet --rebase? --tags | ref*
n git push | -46nqtuv --all --dry-run --follow-tags --quiet --set-upstream --tags --verbose | ref*
n git clone | -lqsv -b: --bare --branch= --depth= --no-checkout --quiet --single-branch --verbose | ref
n git clone | -q -b: --branch= --depth= --quiet | ref write
n pip install, pip3 install, python -m pip install | -qUv -e: -r: -c: --dry-run --quiet --upgrade --user | package*
n npm install, npm i, npm ci, npm audit, npm view, npm ls, npm list, npm outdated, pnpm install, pnpm add, yarn install,
  yarn add | -DEgs --all --dev --frozen-lockfile --global --json --omit= --production --save --save-dev | package*
d rm | -dfiIrRv --dir --force --recursive --verbose | write*
d rmdir | -pv --parents --verbose | write*
d unlink | | write
d mv | -fTuv --force --no-target-directory --update --verbose | write*
x nohup, builtin, busybox, uv run, poetry run | |
x nice | -n:number -# --adjustment=number |
x time | -pv |
x timeout | -v -k: -s: --foreground --signal= --kill-after= | number
x exec, command | |
x env | -i -u: --ignore-environment --unset= |
x xargs | -0rt -n:number -P:number -L:number --null --no-run-if-empty --max-args=number |
"""
_DESTROYS: Final = """
rm, rmdir, unlink, shred, wipe, srm, truncate, kill, pkill, killall, skill, shutdown, reboot, halt, poweroff, del,
  trash, erase, fdisk, sfdisk, gdisk, parted, wipefs, mkswap, mkfs, blkdiscard, dropdb, dropuser |
git, npm, pnpm, yarn, pip, pip3, docker, podman, kubectl, cargo, go, ruff, terraform | rm rmi remove uninstall unpublish
  delete prune clean clear drop destroy kill stop restart down drain evict expire checkout restore filter-branch
  filter-repo update-ref replace
git switch | -f --force --discard-changes -C --force-create
git branch, git tag | -d -D -M -C -f --delete --force
git reset | --hard --merge --keep
git push | -f -d --force --force-with-lease --delete --mirror --prune
cp, ln, mv | -f --force
crontab | -r
dd | of=
tar, bsdtar | --remove --overwrite --unlink --recursive-unlink
zip | -m --move -d
unzip | -o
rsync, find | --del --delete --remove-source-files -delete
"""
_NAMES: Final = """
ESCALATES | sudo sudoedit su doas pkexec runuser gosu su-exec setpriv run0 kdesudo gksudo gksu kdesu beesu dzdo pbrun
  visudo passwd chpasswd useradd userdel usermod adduser deluser groupadd groupdel groupmod gpasswd newgrp setcap vipw
  vigr chsh nsenter
WRITES_THERE | rm rmdir unlink shred truncate touch mkdir mkfifo mktemp tee cp ln mv install chmod chgrp split sort uniq
  xxd sed gsed tar bsdtar gzip gunzip xz unxz bzip2 bunzip2 zstd unzstd zip unzip find ruff black isort autopep8 gofmt
  rustfmt prettier clang-format eslint rsync scp curl wget git cargo go
RUNS_OTHERS | setsid ionice stdbuf chronic caffeinate watch trap eval fd fdfind find pipenv pdm hatch uv poetry sh bash
  dash ash rbash
"""
_RISKS: Final = dict(zip("rbwnxd", RiskClass, strict=False))


def _rows(table: str) -> Iterator[list[str]]:
    for line in table.replace("\n  ", " ").strip().split("\n"):
        yield [part.strip() for part in f"{line} | | ".split(" |")[:3]]


def _options(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with the kind of its value."""
    for name, sign, kind in re.findall(r"(?m)^(:|[^:=?\n]+)([:=?]?)(.*)$", "\n".join(tokens)):
        is_cluster = re.fullmatch(r"-[^-#].*", name) and not sign and "WORDS" not in tokens
        for one in [f"-{letter}" for letter in name[1:]] if is_cluster else [name]:
            yield one, f"{sign}{kind or 'text'}".lstrip(":=") if sign else ""


def _forms() -> Mapping[str, Sequence[CommandForm]]:
    found: dict[str, list[CommandForm]] = {}
    for names, options, operands in _rows(_TABLE):
        form = CommandForm(_RISKS[names[0]], dict(_options(options.split())), tuple(operands.split()))
        for name in names[2:].split(", "):
            found.setdefault(name, []).append(form)
    return found


def _destroying() -> Mapping[str, Sequence[tuple[frozenset[str], Sequence[str]]]]:
    found: dict[str, list[tuple[frozenset[str], Sequence[str]]]] = {}
    for names, spelled, _ in _rows(_DESTROYS):
        for name, *command in map(str.split, names.split(", ")):
            found.setdefault(name, []).append((frozenset(command), spelled.split()))
    return found


_NAMED: Final = {kind: frozenset(names.split()) for kind, names, _ in _rows(_NAMES)}

FORMS: Final = _forms()
"""The ways to call each program, or command of one, that are known."""

DESTROYS: Final = _destroying()
"""What deletes or overwrites: with a command of each, if any, and with words in every spelling, if any."""

ESCALATES: Final = _NAMED["ESCALATES"]
"""What takes another user's rights, however it is called."""

WRITES_THERE: Final = _NAMED["WRITES_THERE"]
"""What may write to whatever place its words name."""

RUNS_OTHERS: Final = _NAMED["RUNS_OTHERS"] | {
    name.partition(" ")[0] for name, forms in FORMS.items() if any(form.risk is RiskClass.UNKNOWN for form in forms)
}
"""What runs another program, so that each of its words may be one where it is not read."""
