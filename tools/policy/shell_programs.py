r"""The programs of the command line that are known, each with the options that are known to be harmless.

A line reads `names | options | operands | needed`, and holds for one risk class:

- Names stand between commas; a second and third word is a command of the program, such as `git log`.
- Options: `-abc` are three flags, `-n:` takes a value, `-j?` may have one joined, `-#` is a number such as `-20`;
  `--name` is a flag, `--name=` takes a value, `--name?` may have one behind `=`. A kind may follow `:`, `=` or `?`. `&`
  stands for the options of the program's line before, `*` for any option at all, and behind `WORDS` a single dash
  begins a whole word, as in `-name`.
- Operands are kinds, in their order: `kind?` may be missing, `kind*` stands for any number of them; without any there
  may be none.
- Of the needed options, one has to be there.

Kinds are those of `shell_options`. A line that begins with a blank goes on. Nothing else is harmless: an option that is
not named here is unknown, an abbreviation and one that takes another back as well. Before an option is added: does it
write, run or send something in any version of the program, may its value do so, and may a settings file of a project?
"""

from __future__ import annotations

from typing import Final

READS: Final = r"""
echo, true, false, :, set, ps, type, which | * | any*
test, [ | -abcdefgGhkLnNOprsStuwxz | any*
exit, return, break, continue, shift, wait, jobs, times, umask, dirs | | text*
cd, pushd, popd | -LPe@ | any*
read | -rs -p: -t:number -n:number -N:number -d: -a:own | own*
printf | | text any*
basename, expr, tty, whoami, logname | | text*
pwd | -LP |
arch | |
dirname | -z --zero | any*
cat, tac | -AbeEnstTuv --show-all --number --number-nonblank --show-ends --show-tabs --squeeze-blank | any*
head, tail | -qvzfFr -# -n: -c: -s: --lines= --bytes= --quiet --silent --verbose --follow --retry --pid= | any*
wc | -clLmw --lines --words --bytes --chars --max-line-length | any*
ls, dir, vdir | -1aAbBcCdDfFgGhHiklLmnNopqQrRsStTuUvxXZ -I: -w: --all --almost-all --color? --classify? --full-time
  --group-directories-first --human-readable --inode --recursive --reverse --size --sort= --time= --time-style= --hide=
  --ignore= --directory --numeric-uid-gid --no-group | any*
stat | -Lft -c: --dereference --file-system --terse --format= --printf= | any*
readlink, realpath | -efmnqsvzLP --canonicalize --canonicalize-existing --canonicalize-missing --no-newline
  --no-symlinks --relative-to= --relative-base= | any*
cut | -b: -c: -d: -f: -nsz --bytes= --characters= --delimiter= --fields= --complement --only-delimited
  --output-delimiter= | any*
tr | -cCdst --complement --delete --squeeze-repeats --truncate-set1 | text*
nl, rev, fold, fmt, expand, unexpand, paste, comm, join, column, cmp | -123abcdeilmnopqrstuvwxyzLN -# | any*
diff | -abBcdeEiNpqrstTuwyZ -C:number -U:number -W:number -x: -I: --brief --color? --context? --exclude=
  --ignore-all-space --ignore-blank-lines --ignore-case --ignore-space-change --minimal --new-file --recursive
  --report-identical-files --side-by-side --suppress-common-lines --text --unified? --width= --strip-trailing-cr | read*
base64, base32 | -di -w:number --decode --ignore-garbage --wrap= | any*
od, hexdump, strings | -aAbcCdfoxv -n:number -N:number -j: -s: -t: | read*
seq, yes, sleep, factor, id, groups, users, who, w, uptime, uname, nproc, locale, getconf |
  -aAbdfgGhHilmnopqrsTtuvwz -# --all | text*
md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum, sum, shasum, md5 | -abctwz --check --binary
  --text --quiet --status --strict --tag --ignore-missing --zero | any*
date | -uR -d: -r: -I? --utc --universal --date= --reference= --iso-8601? --rfc-3339= --rfc-email | stamp?
hostname | -adfiIsAyv --fqdn --short --domain --long --ip-address --all-ip-addresses |
df, du | -0abBcDhHiklLmsSTxPt -d:number --all --apparent-size --bytes --exclude= --human-readable --inodes --max-depth=
  --no-dereference --one-file-system --output? --print-type --si --summarize --threshold= --time --total --type= | any*
free | -bkmghltw --human --total --wide |
pgrep, pidof | -acfilnosvwx -P: -u: -U: -t: -g: -d: --full --list-name --list-full --exact --newest --oldest --count |
  text*
printenv | -0 --null | text*
whereis | -bms | text*
lsblk | -abdfJlmnpPrst -o: --all --bytes --fs --json --list --output= --paths | text*
lscpu, lsusb, lspci, lsmod | -v |
grep, egrep, fgrep | -EFGPabcHhILlnoqrRsTUvwxyziZ -# -A:number -B:number -C:number -d: -D: -e: -f: -m:number
  --after-context= --before-context= --context= --basic-regexp --binary-files= --byte-offset --color? --colour? --count
  --exclude= --exclude-dir= --exclude-from= --extended-regexp --file= --files-with-matches --files-without-match
  --fixed-strings --ignore-case --include= --invert-match --line-buffered --line-number --line-regexp --max-count=
  --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive
  --regexp= --silent --text --with-filename --word-regexp | any*
rg | -aclnNoiSsuUvwxFHIhLPqp0. -A:number -B:number -C:number -e: -f: -g: -j:number -m:number -r: -t: -T: -M:number
  --after-context= --before-context= --context= --case-sensitive --color= --column --count --count-matches --files
  --files-with-matches --files-without-match --fixed-strings --follow --glob= --heading --hidden --ignore-case --iglob=
  --invert-match --json --line-number --max-columns= --max-count= --max-depth= --multiline --no-config --no-filename
  --no-heading --no-ignore --no-ignore-vcs --no-line-number --no-messages --null --only-matching --passthru --pcre2
  --quiet --regexp= --replace= --smart-case --sort= --stats --text --trim --type= --type-list --type-not= --vimgrep
  --with-filename --word-regexp | read*
find | WORDS -H -L -P -maxdepth:number -mindepth:number -depth -mount -xdev -name: -iname: -path: -ipath: -wholename:
  -iwholename: -regex: -iregex: -regextype: -lname: -ilname: -type: -xtype: -size: -empty -newer: -newermt: -anewer:
  -cnewer: -mtime: -mmin: -atime: -amin: -ctime: -cmin: -user: -group: -uid: -gid: -nouser -nogroup -perm: -readable
  -writable -executable -links: -inum: -samefile: -prune -quit -print -print0 -printf: -ls -true -false -not -and -or
  -a -o ! ( ) , | read*
fd, fdfind | -acdgFHhiILpsuq01 -d:number -e: -E: -t: -S: --absolute-path --case-sensitive --changed-within= --exclude=
  --extension= --fixed-strings --follow --full-path --glob --hidden --ignore-case --max-depth= --max-results=
  --min-depth= --no-ignore --no-ignore-vcs --print0 --size= --type= --unrestricted | read*
tree | -aACdDfgilnpqrsStuUvxhFJX -I: -L:number -P: --charset= --dirsfirst --du --filelimit= --gitignore --matchdirs
  --noreport --prune --sort= --si | read*
file | -0bEhiLNrsv -F: -P: --brief --dereference --extension --mime --mime-encoding --mime-type --no-dereference
  --no-pad --raw --separator= | read*
sort | -bcCdfghiMmnRrsuVz -k: -S: -t: --buffer-size= --check? --dictionary-order --field-separator=
  --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --key= --merge --month-sort
  --numeric-sort --parallel= --random-sort --reverse --sort= --stable --unique --version-sort --zero-terminated | read*
uniq | -cdDiuz -f:number -s:number -w:number --all-repeated? --count --group? --ignore-case --repeated --skip-chars=
  --skip-fields= --unique --zero-terminated --check-chars= | read?
xxd | -abeEipru -c:number -g:number -l:number -o:number -s: | read?
sed, gsed | -nErsuz --quiet --silent --regexp-extended --separate --null-data --posix | sed read*
sed, gsed | & -e:sed --expression=sed | read* | -e --expression
awk, gawk, mawk, nawk | -F: -v: | awk read*
jq | -aCceghijMnrRsSV --arg= --argjson= --ascii-output --color-output --compact-output --exit-status --join-output
  --monochrome-output --null-input --raw-input --raw-output --seq --slurp --sort-keys --stream --tab --indent= | any*
dd | | source*
man, apropos, whatis | -kfaw -s: | page*
cal | -13jmy | number*
tar, bsdtar | -tvzjJR -f:archive --list --verbose --gzip --bzip2 --xz --file=archive --exclude= | read* | -t --list
gzip, gunzip, xz, unxz, bzip2, bunzip2, zstd, unzstd | -cdkqv0123456789 --stdout --to-stdout --decompress --keep
  --quiet --verbose | read* | -c --stdout --to-stdout
gzip, gunzip, xz, unxz, bzip2, bunzip2, zstd, unzstd | -lqtv --list --test --quiet --verbose | read* | -l -t --list
  --test
zcat, xzcat, bzcat | | read*
unzip | -lptvqC | read* | -l -p -t -v
crontab | -l | | -l
kill | -lL | text? | -l -L
git | --no-pager -P --no-optional-locks --literal-pathspecs |
git status | -bsz -u? --ahead-behind --branch --column? --find-renames? --ignored? --ignore-submodules? --long
  --no-ahead-behind --no-column --no-renames --porcelain? --renames --short --show-stash --untracked-files? | read*
git diff, git show, git log, git whatchanged, git diff-tree, git diff-index, git diff-files, git stash show, git reflog
  show | -abcgimprstuwzR -# -B? -C? -G: -L: -M? -n:number -S: -U:number --abbrev? --abbrev-commit --after= --all
  --all-match --ancestry-path --author= --author-date-order --basic-regexp --before= --binary --boundary --branches?
  --cached --cc --cherry --cherry-mark --cherry-pick --children --color-moved? --color-words? --color? --column
  --combined-all-paths --committer= --compact-summary --cumulative --date-order --date= --decorate-refs= --decorate?
  --diff-algorithm= --diff-filter= --dirstat? --exclude= --exit-code --extended-regexp --find-copies
  --find-copies-harder --find-renames? --first-parent --fixed-strings --follow --format=format --full-history
  --full-index --function-context --glob= --graph --grep= --histogram --ignore-all-space --ignore-blank-lines
  --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-submodules? --indent-heuristic
  --inter-hunk-context= --invert-grep --left-right --max-count= --merge-base --merges --min-parents= --minimal
  --name-only --name-status --no-abbrev-commit --no-color --no-color-moved --no-commit-id --no-decorate --no-ext-diff
  --no-merges --no-notes --no-patch --no-prefix --no-renames --no-show-signature --no-textconv --numstat --oneline
  --parents --patch --patch-with-stat --patience --perl-regexp --pickaxe-all --pickaxe-regex --pretty?format --quiet
  --raw --regexp-ignore-case --relative? --relative-date --remotes? --reverse --root --shortstat --show-pulls
  --simplify-by-decoration --since= --skip= --source --staged --stat-width= --stat? --summary --tags? --text
  --topo-order --unified= --until= --word-diff-regex= --word-diff? --ws-error-highlight= | read*
git stash list, git reflog | -# -n:number -p --date= --format=format --oneline --patch --stat? |
git blame, git annotate | -bcCeflMnpstw -L: --abbrev= --color-by-age --color-lines --date= --line-porcelain --porcelain
  --root --show-email --show-name --show-number --since= | read*
git grep | -acEFGhHiIlLnNopPqrvwWz -# -A:number -B:number -C:number -e: -f: -m:number --after-context= --all-match
  --and --before-context= --break --cached --color? --column --context= --count --exclude-standard --extended-regexp
  --files-with-matches --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case
  --invert-match --line-number --max-count= --max-depth= --name-only --no-color --no-index --no-recursive --no-textconv
  --not --null --only-matching --or --perl-regexp --quiet --recursive --show-function --text --threads= --untracked
  --word-regexp | read*
git ls-files, git ls-tree | -cdimostvzkrl --abbrev? --cached --deleted --deduplicate --directory --eol
  --exclude-standard --exclude= --error-unmatch --full-name --full-tree --ignored --long --modified --name-only
  --name-status --object-only --others --stage --unmerged | read*
git cat-file | -epst | text*
git rev-parse, git rev-list, git merge-base, git name-rev, git describe, git show-ref, git shortlog, git count-objects,
  git cherry, git check-ignore | -acdehnqsvz -# --abbrev-ref? --abbrev? --absolute-git-dir --all --always --branches?
  --contains --count --exact-match --first-parent --git-common-dir --git-dir --head --heads --is-ancestor
  --is-bare-repository --is-inside-git-dir --is-inside-work-tree --left-right --long --match= --max-count= --merges
  --name-only --no-merges --no-walk --objects --octopus --quiet --reverse --short? --show-cdup --show-prefix
  --show-superproject-working-tree --show-toplevel --since= --symbolic --symbolic-full-name --tags? --until= --verify
  --verbose --end-of-options | read*
git for-each-ref | --count= --format=format --sort=format --points-at= --merged? --no-merged? --contains?
  --no-contains? | text*
git clean | -dnqxX -e: --dry-run --exclude= --quiet | read* | -n --dry-run
git branch, git tag | -arvqiln -# --abbrev= --all --color? --column? --contains? --format=format --ignore-case --list
  --merged? --no-color --no-column --no-contains? --no-merged? --points-at= --remotes --show-current --sort=format
  --verbose |
git branch, git tag | & | text* | --list -l
git config | -lz --list --global --local --system --worktree --name-only --null --show-origin --show-scope --includes |
  | --list -l
git config | -z --get --get-all --get-regexp --global --local --system --worktree --name-only --null --show-origin
  --show-scope --includes --type= --bool --int --path --default= | text text? | --get --get-all --get-regexp
git remote | -v --verbose |
git remote get-url | --all --push | text
git worktree list | -vz --porcelain --verbose |
git version | --build-options |
pip list, pip3 list, pip show, pip3 show, pip freeze, pip3 freeze, pip check, pip3 check | -el --editable
  --exclude-editable --files --format= --local --not-required --user --all --verbose -v | text*
docker ps, podman ps, docker images, podman images, docker container ls, docker image ls, docker volume ls, docker
  network ls, docker version, docker info, docker logs, podman logs, docker inspect, docker port, docker top, docker
  diff, docker history | -afqlnst --all --digests --filter= --follow --format= --last= --latest --no-trunc --quiet
  --services --since= --size --tail= --timestamps --type= --until= | text*
systemctl status, systemctl show, systemctl cat, systemctl list-units, systemctl is-active, systemctl is-enabled | -alq
  -n:number -p: -t: --all --full --lines= --no-legend --no-pager --output= --plain --property= --quiet --state= --type=
  --user --value | text*
ruff rule, ruff version | --all --output-format= | text*
"""

BUILDS: Final = r"""
make, gmake | -knsBiqw -j?number -l?number -C:inside --always-make --directory=inside --dry-run --jobs? --just-print
  --keep-going --no-print-directory --output-sync? --question --quiet --silent | goal*
pytest, py.test | -hlqsvx -k: -m: -n:number -r: --co --collect-only --color= --cov? --deselect=inside --durations=
  --durations-min= --exitfirst --failed-first --ff --last-failed --lf --maxfail= --new-first --nf --no-cov --no-header
  --no-summary --numprocesses= --quiet --randomly-seed= --reruns= --runxfail --setup-show --show-capture= --showlocals
  --stepwise --strict-config --strict-markers --sw --tb= --timeout= --verbose -W: | inside*
tox, nox | -qvr -e: -s: --list |
coverage report | -mi --fail-under= --include= --omit= --show-missing --skip-covered --skip-empty --sort= | inside*
mypy, dmypy check, pyright, basedpyright, ty check, pyflakes, lint-imports | -v --check-untyped-defs
  --disallow-untyped-defs --exclude= --explicit-package-bases --follow-imports= --ignore-missing-imports
  --namespace-packages --no-color-output --no-error-summary --no-incremental --outputjson --platform= --pretty
  --python-version= --show-column-numbers --show-error-codes --show-error-context --strict --verbose --warn-unreachable
  --warn-unused-ignores -p: -m: | inside*
flake8, pylint, bandit, vulture, yamllint, hadolint, shellcheck | -jnqrvs --count --disable= --enable= --exclude=
  --extend-ignore= --errors-only --ignore= --max-complexity= --max-line-length= --recursive= --select= --severity=
  --score= --show-source --statistics | inside*
ruff check | -qsvne --exit-zero --extend-select= --exclude= --ignore= --isolated --line-length= --no-cache --no-fix
  --output-format= --preview --quiet --select= --show-fixes --silent --statistics --target-version= --verbose --diff |
  inside*
ruff format | -qv --check --diff --exclude= --isolated --line-length= --no-cache --preview --target-version= | read* |
  --check --diff
black, isort | -qv -l:number --check --check-only --color --diff --exclude= --include= --line-length= --profile=
  --quiet --verbose | read* | --check --check-only --diff
gofmt, autopep8 | -delrsv --diff | read* | -d --diff
rustfmt | --check --edition= | read* | --check
clang-format | -n --dry-run --Werror | read* | -n --dry-run
prettier | --check --list-different -cl | inside* | --check -c --list-different -l
eslint, tsc, jest, vitest, mocha, rspec | --bail? --ci --color --coverage --ext= --max-warnings= --noEmit --no-color
  --pretty --quiet --run --runInBand --silent --skipLibCheck --strict --verbose --testNamePattern= -t: -b | inside*
cargo build, cargo check, cargo test, cargo bench, cargo clippy, cargo doc, cargo tree, cargo metadata, cargo version,
  cargo b, cargo c, cargo t | -qvr -e: -i: -j:number -p: --all --all-features --all-targets --benches --bin= --bins
  --depth= --doc --duplicates --example= --examples --exclude= --features= --format-version= --frozen --invert= --jobs=
  --keep-going --lib --locked --message-format= --no-default-features --no-deps --no-fail-fast --no-run --offline
  --package= --profile= --quiet --release --test= --tests --verbose --workspace | text*
cargo fmt | -qv --all --check | | --check
go build, go test, go vet, go version, go env, go list, go doc | WORDS -v -x -n -a -race -cover -short -json -m -run:
  -bench: -count: -timeout: -parallel: -p: -tags: -cpu: -failfast -benchmem -mod: -deps -e -f: -o:output | inside*
npm test, npm t, npm build, npm lint, pnpm test, pnpm build, pnpm lint, yarn test, yarn build, yarn lint | --silent -s |
npm run, pnpm run, yarn run, npm run-script | --silent -s --if-present | script
mvn | -BeoqUX --batch-mode --offline --quiet --fail-at-end --no-transfer-progress | phase*
gradle | -qio --offline --quiet --console= --info --stacktrace --no-daemon | phase*
dotnet build, dotnet test | -c: -v: --configuration= --no-build --no-restore --nologo --verbosity= | inside*
cmake | --build:inside --build=inside -j?number --parallel? --config= --target=goal -t:goal -v --verbose | | --build
ctest | -VQN -j?number -R: -E: -L: --output-on-failure --parallel= --rerun-failed --verbose |
meson compile, meson test, meson introspect | -v -C:inside --verbose --tests --targets | text*
ninja | -v -j?number -k:number -C:inside -n --verbose | goal*
gcc, g++, clang, clang++, cc, c++ | WORDS -c -S -E -g -O -O0 -O1 -O2 -O3 -Os -Og -Wall -Wextra -Werror -Wpedantic
  -pedantic -fPIC -fsyntax-only -pthread -shared -static -std:standard -lm -lpthread -v -w -o:output | source_file*
javac, rustc | WORDS -g -O -nowarn -d:output -o:output | source_file*
golangci-lint run | -v --verbose --fast --new | inside*
"""

WRITES: Final = r"""
touch | -acm -d: -t: --no-create --date= --time= | write*
mkdir | -pv --parents --verbose -m:mode --mode=mode | write*
mkfifo, mktemp | -dqu -p:write -t | write*
tee | -ai --append --ignore-interrupts | write*
cp | -aLHPRdinprTuvx --archive --dereference --interactive --link --no-clobber --no-dereference --no-target-directory
  --parents --preserve? --recursive --reflink? --symbolic-link --update --verbose | read* write
cp | & -t:write --target-directory=write | read* | -t --target-directory
ln | -inrsTvLP --interactive --no-dereference --no-target-directory --physical --relative --symbolic --verbose | read*
  write
ln | & -t:write --target-directory=write | read* | -t --target-directory
mv | -inTuv --interactive --no-clobber --no-target-directory --update --verbose | write*
mv | & -t:write --target-directory=write | write* | -t --target-directory
install | -Cdpv -m:mode --directory --mode=mode --preserve-timestamps --verbose | write*
chmod | -Rcfv --changes --quiet --recursive --silent --verbose | mode write*
chgrp | -Rcfhv --recursive --verbose | text write*
split | -d -a:number -b: -l:number -n: --bytes= --lines= --number= --numeric-suffixes? | read? write?
sort | -bcCdfghiMmnRrsuVz -k: -S: -t: --key= --numeric-sort --reverse --unique --stable --version-sort -o:write
  --output=write | read* | -o --output
uniq | -cdDiuz -f:number -s:number -w:number | read write
xxd | -abeEipru -c:number -g:number -l:number -o:number -s: | read write
sed, gsed | -nErsuz --quiet --silent --regexp-extended --separate --null-data --posix -i?suffix --in-place?suffix | sed
  write* | -i --in-place
sed, gsed | & -e:sed --expression=sed | write* | -e --expression
tar, bsdtar | -cvzjJa -f:new_archive --create --verbose --gzip --bzip2 --xz --file=new_archive --exclude= | read* | -c
  --create
tar, bsdtar | -xvzjJkp -f:inside --extract --get --verbose --gzip --bzip2 --xz --file=inside --exclude=
  --strip-components= --keep-old-files | read* | -x --extract --get
gzip, gunzip, xz, unxz, bzip2, bunzip2, zstd, unzstd | -dkqv -# --decompress --keep --quiet --verbose | write*
zip | -0123456789jqrv -x: --quiet --recurse-paths --exclude= | write read*
unzip | -jnqu -d:write | read*
ruff check | -qsvne --exit-zero --extend-select= --exclude= --fix --ignore= --isolated --no-cache --preview --quiet
  --select= --show-fixes --unsafe-fixes --add-noqa | write* | --fix --unsafe-fixes --add-noqa
ruff format | -qv --exclude= --isolated --line-length= --no-cache --preview --target-version= | write*
black, isort, autopep8, gofmt, rustfmt, clang-format, prettier | -iqvwl --color --in-place --line-length= --profile=
  --quiet --verbose --write --edition= | write*
eslint | --fix --quiet --ext= | write* | --fix
cargo fmt | -qv --all |
go fmt | | inside*
git add | -AfnNuv --all --dry-run --force --intent-to-add --update --verbose | read*
git commit | -aqs -m: --all --allow-empty --amend --author= --date= --message= --no-edit --quiet --signoff | read*
  | -m --message --no-edit
git mv | -knv --verbose | write*
git merge, git cherry-pick, git revert | -nqvx -m: --abort --ff-only --message= --no-commit --no-edit --no-ff --quiet
  --skip --squash | text*
git rebase | -q --abort --onto= --quiet --skip | text*
git init | -q -b: --initial-branch= --quiet --bare | write?
git apply | -Rv3 -p:number --3way --cached --check --index --reverse --stat --verbose | read*
git switch | -qdt --create= --detach --quiet --track -c: | text*
git checkout | -b: -qt --quiet --track | text? | -b
git branch | -qmc --copy --move --quiet --track? | text*
git tag | | text*
git tag | -a -m: --annotate --message= | text* | -m --message
git reset | -qN --mixed --quiet --soft | text*
git stash | -qu -m: --include-untracked --keep-index --message= --quiet |
git stash push, git stash save, git stash apply, git stash pop | -qu -m: --include-untracked --index --keep-index
  --message= --quiet | text*
git gc, git repack, git pack-refs | -q --quiet --auto |
git worktree add | -q -b: --quiet | write text?
git diff, git show, git log | -# --oneline --output=write --patch --stat -n:number -p | read* | --output
"""

REACHES: Final = r"""
curl | -fGgIikLnNsSv46# -A: -b: -d: -e: -H: -m: -o:write -r: -u: -w:report -X: -C: --compressed --connect-timeout=
  --data-raw= --data-urlencode= --data= --fail --get --globoff --head --header= --http1.1 --http2 --include --insecure
  --json= --location --max-time= --output=write --progress-bar --request= --retry-delay= --retry= --show-error --silent
  --url= --user-agent= --user= --verbose | text*
curl | & -O --remote-name | text* | -O --remote-name
wget | -4cNqSv -O:write -P:write -t: -T: -U: --continue --header= --https-only --max-redirect= --method=
  --no-check-certificate --no-verbose --output-document=write --directory-prefix=write --quiet --server-response
  --spider --timeout= --timestamping --tries= --user-agent= | text*
http, https | | text*
ping, ping6 | -46nq -c:number -i: -W: -w: -s: | text*
dig, nslookup, host, whois, traceroute, tracepath | -46 -t: -x: -p:number -m:number | text*
scp | -346BCpqrv -i: -l: -P:number | read* write
rsync | -acghHlLnoprtuvzEWix --archive --checksum --compress --dry-run --exclude= --human-readable --include= --partial
  --progress --recursive --stats --update --verbose | read* write
git fetch, git pull | -46apqtv --all --dry-run --ff-only --no-rebase --no-tags --prune --quiet --rebase? --tags
  --unshallow --verbose --depth= | ref*
git push | -46nqtuv --all --dry-run --follow-tags --quiet --set-upstream --tags --verbose | ref*
git clone | -lqsv -b: --bare --branch= --depth= --filter= --mirror --no-checkout --no-tags --quiet --shallow-since=
  --single-branch --verbose | ref write?
git ls-remote | -hqt --heads --quiet --refs --symref --tags | ref*
git remote show, git remote update | -np --prune | ref*
pip install, pip3 install, pip download, pip3 download, pip wheel, pip3 wheel | -qUv -e: -r: -c: --constraint=
  --dry-run --editable= --force-reinstall --no-build-isolation --no-cache-dir --no-deps --pre --quiet --requirement=
  --upgrade --user --verbose | package*
pip list, pip3 list, pip index versions | -o -u --outdated --uptodate --format= --pre | text*
npm install, npm i, npm ci, npm add, npm update, npm audit, npm publish, npm info, npm view, npm search, npm ls, npm
  list, npm ll, npm outdated, npm why, npm explain, npm root, npm prefix, pnpm install, pnpm i, pnpm add, pnpm update,
  pnpm ls, pnpm list, yarn install, yarn add, yarn list, yarn info, yarn why | -DEPgs --all --depth= --dev
  --frozen-lockfile --global --json --legacy-peer-deps --long --no-audit --no-fund --no-save --omit= --prod
  --production --save --save-dev --save-exact --silent | package*
cargo fetch, cargo add, cargo update, cargo search, cargo install, cargo publish | -qv --locked --quiet --verbose
  --dry-run --features= --version= | text*
go get, go install, go mod tidy, go mod download, go mod init, go mod verify, go mod graph, go mod vendor, go mod why |
  WORDS -u -v -t -x | text*
uv sync, uv lock, uv add, uv tree, uv version | -qv --all-extras --dev
  --extra= --frozen --group= --locked --no-dev --quiet --upgrade --verbose | text*
docker pull, docker push, docker search, podman pull, podman push | -aq --all-tags --platform= --quiet | text*
kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl version, kubectl api-resources,
  kubectl cluster-info | -Afw -c: -l: -n: -o: --all --all-namespaces --client --container= --follow --namespace=
  --no-headers --output= --previous --selector= --show-labels --since= --sort-by= --tail= --watch | text*
terraform plan, terraform init, terraform validate, terraform show, terraform version | WORDS -json -no-color -upgrade |
dotnet restore | | inside*
"""

DELETES: Final = r"""
rm | -dfiIrRv --dir --force --interactive? --no-preserve-root --one-file-system --preserve-root? --recursive --verbose
  | write*
rmdir | -pv --ignore-fail-on-non-empty --parents --verbose | write*
unlink | | write
shred | -fuvxz -n:number -s: --force --iterations= --remove? --size= --verbose --zero | write*
truncate | -co -s: -r: --no-create --size= --reference= | write*
mv | -fTuv --force --no-target-directory --update --verbose | write*
cp | -afLHPRdpprTuvx --archive --force --recursive --verbose | read* write
ln | -fnrsTv --force --no-dereference --symbolic --verbose | read* write
find | WORDS -maxdepth:number -mindepth:number -depth -xdev -name: -iname: -path: -type: -size: -empty -newer: -mtime:
  -mmin: -user: -not ! -o -delete | write write* | -delete
git rm | -fnqr --cached --dry-run --force --quiet | write*
"""
"""What deletes or overwrites only what its words name."""

DESTROYS: Final = r"""
rm, rmdir, unlink, shred, wipe, srm, truncate, kill, pkill, killall, skill, shutdown, reboot, halt, poweroff
fdisk, sfdisk, gdisk, parted, wipefs, mkswap, mkfs, blkdiscard, dropdb, dropuser, trash, del, erase
git clean, git checkout, git restore, git rm, git prune, git filter-branch, git filter-repo, git update-ref, git replace
git reflog expire, git reflog delete, git stash drop, git stash clear, git worktree remove, git worktree prune
git switch | -f --force --discard-changes -C --force-create
git branch | -d -D -M -C -f --delete --force
git tag | -d -f --delete --force
git reset | --hard --merge --keep
git push | -f -d --force --force-with-lease --delete --mirror --prune
cp, ln, mv | -f --force
crontab | -r
dd | of=
tar, bsdtar | --remove --overwrite --unlink --recursive-unlink
zip | -m --move -d
unzip | -o
rsync | --del --delete --remove-source-files
find | -delete
cargo clean, go clean, ruff clean, pip uninstall, pip3 uninstall, terraform destroy
npm uninstall, npm remove, npm rm, npm prune, npm unpublish, pnpm uninstall, pnpm remove, pnpm rm, pnpm prune
yarn uninstall, yarn remove, yarn rm, yarn prune, yarn unpublish, pnpm unpublish
docker rm, docker rmi, docker kill, docker stop, docker restart, docker down, docker prune
podman rm, podman rmi, podman kill, podman stop, podman restart, podman down, podman prune
docker container rm, docker container prune, docker container kill, docker container stop, docker image rm
docker image prune, docker volume rm, docker volume prune, docker network rm, docker network prune
docker system prune, docker compose rm, docker compose down, docker compose kill, docker compose stop
podman container rm, podman container prune, podman image rm, podman image prune, podman volume rm
podman volume prune, podman network rm, podman network prune, podman system prune, podman compose down
docker system down, docker container remove, docker image remove, docker volume remove, docker network remove
kubectl delete, kubectl drain, kubectl evict
"""
"""What deletes or overwrites however it is called, or with options that are looked for in every spelling."""

ESCALATES: Final = r"""
sudo, sudoedit, su, doas, pkexec, runuser, gosu, su-exec, setpriv, run0, kdesudo, gksudo, gksu, kdesu, beesu, dzdo,
  pbrun
visudo, passwd, chpasswd, useradd, userdel, usermod, adduser, deluser, groupadd, groupdel, groupmod, gpasswd, newgrp
setcap, vipw, vigr, chsh, nsenter
"""
"""What takes another user's rights, however it is called."""

WRAPPERS: Final = r"""
nohup, builtin, busybox, toybox | |
setsid | -cfw --ctty --fork --wait |
nice | -n:number -# --adjustment=number |
ionice | -t -c:number -n:number --ignore --class= --classdata= |
time | -pv |
timeout | -v -k: -s: --foreground --preserve-status --verbose --signal= --kill-after= | text
stdbuf | -i: -o: -e: --input= --output= --error= |
chronic | -ve |
caffeinate | -dimsu -t:number -w:number |
exec | -cl -a: |
command | -p |
env | -i0v -u: --ignore-environment --unset= --null |
xargs | -0rtxp -n:number -P:number -L:number -d: -s:number -a:read -I:mark --null --no-run-if-empty --verbose
  --interactive --exit --max-args=number --max-procs=number --max-lines?number --delimiter= --max-chars=number
  --arg-file=read |
watch | -bcdegtwx -n: --interval= --differences --no-title --exec |
uv run, poetry run, pipenv run, pdm run, hatch run | |
"""
"""Programs that run another one behind their options; what they run is what counts."""

RUNS_CODE: Final = """
python, python3, perl, ruby, node, nodejs, deno, bun, php, lua, luajit, Rscript, osascript, tclsh, expect, gdb, ipython
julia, java, scala, groovy, pwsh, powershell, zsh, fish, bash, ssh, npx, bunx, uvx, pipx, vim, nvim, emacs, npm, yarn
pnpm, uv, poetry, go, cargo, docker, podman, kubectl, terraform, dotnet, git, pip, pip3, ruff, coverage, meson
"""
"""What only tells about itself when all it is given is `--version` or `--help`."""
