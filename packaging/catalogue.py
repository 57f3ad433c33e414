"""Write the built-in tools down, for quick starts and in the help: `make catalogue` does, after a change of one."""

from pathlib import Path

from tools.catalog import HELP_PAGE, help_text, snapshot
from tools.catalog._snapshot import FILE_NAME, written

if __name__ == "__main__":
    resources = Path(__file__).parent.parent / "resources"
    for target, text in ((resources / FILE_NAME, written(snapshot())), (resources / "help" / HELP_PAGE, help_text())):
        target.write_text(text, encoding="utf-8", newline="\n")
