"""A bare Debian in a folder, in which an installer is tried: it sees nothing of this system but the screen."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import psutil

from tests.end2end.conftest import ROOT

PLACE: Final = ROOT / "build" / "bare-root"
PERSON: Final = 1000
HOME: Final = Path("/home/person")
INSTALLERS: Final = runpy.run_path(str(ROOT / "packaging" / "installers.py"), run_name="installers")
LIBRARIES: Final = tuple(name.partition(" ")[0] for name in INSTALLERS["DEPENDS"])
"""The packages of Debian that the documents name."""

# The mounts end with the last process that sees them.
_ENTER: Final = (
    'root=$1; user=$2; shift 2; mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"'
    ' && exec chroot --userspec="$user" "$root" "$@"'
)


class BareRoot:
    """A bare system.

    Args:
        folder: Where it is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def home(self) -> Path:
        """The home folder of the person, seen from outside."""
        return self.outside(HOME)

    def outside(self, path: Path) -> Path:
        """Return where a file of the system is, seen from outside."""
        return self.folder / path.relative_to("/")

    def command(
        self, words: Sequence[str], environment: Mapping[str, str] | None = None, *, as_root: bool = False
    ) -> list[str]:
        """Return what runs a program inside, which keeps the number of the process that is started.

        Args:
            words: The program and its arguments.
            environment: Its environment variables besides PATH, HOME and LANG.
            as_root: Whether root runs it, not the person.
        """
        user, home = ("0:0", "/root") if as_root else (f"{PERSON}:{PERSON}", str(HOME))
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        variables = {"PATH": path, "HOME": home, "LANG": "C.UTF-8", **(environment or {})}
        settings = [f"{name}={value}" for name, value in variables.items()]
        return ["unshare", "--mount", "sh", "-c", _ENTER, "sh", str(self.folder), user, "env", "-i", *settings, *words]

    def run(self, *words: str, expected: int = 0, as_root: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a program inside to its end."""
        more = {"DEBIAN_FRONTEND": "noninteractive", **_proxies()} if as_root else {}
        done = subprocess.run(
            self.command(words, more, as_root=as_root),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=900,
        )
        assert done.returncode == expected, f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done

    def install(self, *packages: str) -> None:
        """Install packages of Debian, by name or as files inside."""
        self.run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages, as_root=True)

    def processes(self) -> Iterator[psutil.Process]:
        """Yield what still runs inside."""
        for process in psutil.process_iter():
            try:
                inside = Path(f"/proc/{process.pid}/root").readlink() == self.folder
            except OSError:  # it has just ended, or is a part of the kernel
                continue
            if inside:
                yield process


def bare_root(name: str) -> BareRoot:
    """Return a new bare system: a copy of one that is made once, with `debootstrap`, as small as that makes them."""
    made = PLACE / "minimal"
    if not made.exists():
        _make(made)
    folder = PLACE / name
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", made, folder], check=True)
    return BareRoot(folder)


def _make(folder: Path) -> None:
    half = folder.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    release = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text("utf-8").splitlines() if "=" in line
    )["VERSION_CODENAME"]
    asked = ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", f"Codename: {release}"]
    sites = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    words = ["debootstrap", "--variant=minbase", release, str(half), sites[0]]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    # Where packages come from is the business of the system that the tests run on.
    for place in ("etc/apt/sources.list", "etc/apt/sources.list.d", "etc/resolv.conf", "etc/hosts"):
        source, copy = Path("/", place), half / place
        if source.is_dir():
            shutil.copytree(source, copy, dirs_exist_ok=True)
        elif source.exists():
            shutil.copyfile(source, copy)
        else:
            copy.unlink(missing_ok=True)
    reached = subprocess.run(["apt-config", "dump", "Acquire"], capture_output=True, text=True, check=True).stdout
    (half / "etc/apt/apt.conf.d/00reached").write_text(reached, encoding="utf-8")
    root = BareRoot(half)
    root.run("useradd", "--create-home", f"--uid={PERSON}", "person", as_root=True)
    root.run("apt-get", "update", "--quiet", as_root=True)
    half.rename(folder)


def _proxies() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
