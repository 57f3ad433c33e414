"""Write down the built-in tools in `resources/catalogue.json`: `make catalogue` does, after a change of one."""

from pathlib import Path

from tools.catalog import snapshot
from tools.catalog._snapshot import FILE_NAME, written

if __name__ == "__main__":
    target = Path(__file__).parent.parent / "resources" / FILE_NAME
    target.write_text(written(snapshot()), encoding="utf-8", newline="\n")
