"""Write down what is made from the code: the built-in tools, and the reference pages of the help (`make catalogue`)."""

from pathlib import Path

from console.browser.presenter import tool_row
from console.startup.early_window import ROWS_FILE, rows_text
from tools.catalog import HELP_PAGE, help_text, snapshot
from tools.catalog._snapshot import FILE_NAME, written
from tools.cli.help_pages import commands_page, decorators_page

if __name__ == "__main__":
    resources = Path(__file__).parent.parent / "resources"
    pages = resources / "help"
    toolkits = snapshot()
    rows = (tool_row(card) for toolkit in toolkits.toolkits for card in toolkit.tools)
    for target, text in (
        (resources / FILE_NAME, written(toolkits)),
        (resources / ROWS_FILE, rows_text(rows)),
        (pages / HELP_PAGE, help_text()),
        (pages / "decorators.md", decorators_page()),
        (pages / "commands.md", commands_page()),
    ):
        target.write_text(text, encoding="utf-8", newline="\n")
