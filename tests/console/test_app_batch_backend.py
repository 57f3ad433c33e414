"""Plans of the Batch page on a real Dask cluster, chosen in the plan's menu and remembered."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from console.batch.parameters_view import ValuesDialog
from console.schema_form.field_row import FieldRow
from console.theme import ThemeController
from tests.clusters import Cluster
from tests.console.test_app_batches import Page, batch_page, page_of
from tests.console.test_app_console import Start, started
from tests.tools.batch import travelling
from tools import resolve_tools

pytestmark = [
    pytest.mark.expects_log("tools.calls"),
    pytest.mark.skipif(sys.platform == "win32", reason="it ends processes as other systems do"),
]
PLAN = """name: away
steps:
  - id: where
    tool: where
  - id: twice
    tool: double
    arguments: {number: 21}
    depends_on: [where]
"""


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster with one worker."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.add_workers(1)
        yield made
    finally:
        made.close()


async def ask(start: Start, page: Page) -> ValuesDialog:
    menu = start.console.batches.parts
    assert menu is not None
    menu.menu.ask_for_backend()

    def shown() -> list[ValuesDialog]:
        return [dialog for dialog in page.view.window().findChildren(ValuesDialog) if dialog.isVisible()]

    await start.until(shown)
    (dialog,) = shown()
    await start.until(lambda: any(row.isVisible() for row in dialog.form.findChildren(FieldRow)))
    return dialog


def backend_of(start: Start) -> str:
    parts = start.console.batches.parts
    assert parts is not None
    runs = parts.runs
    return runs.backend


async def keep(start: Start, page: Page, backend: str) -> None:
    dialog = await ask(start, page)
    values = {"cluster": backend} if backend else {}
    dialog.form.set_value(values)
    await start.until(lambda: dialog.form.value() == values and not dialog.form.errors())
    dialog.go.click()
    assert not dialog.isVisible()
    await start.until(lambda: backend_of(start) == backend)


async def test_a_plan_runs_on_the_cluster_that_was_chosen_which_is_remembered(
    theme: ThemeController, tmp_path: Path, cluster: Cluster
) -> None:
    async with started(theme, tmp_path) as start:
        start.console._workbench.registry.register_all(resolve_tools([travelling.where, travelling.double]))
        page = await page_of(start)
        await page.open(tmp_path / "away.yaml", PLAN, 2)
        await keep(start, page, cluster.backend)
        await start.until(page.view.header.run.isEnabled)
        await page.press_until("Run", "Done")
        # The tool tells whose child it was: the worker's, and not ours.
        assert [row.facts.result for row in page.model.rows] == [str(cluster.workers[0].pid), "42"]
    async with started(theme, tmp_path) as start:
        await page_of(start)
        assert backend_of(start) == cluster.backend
        await keep(start, page_again := await page_of(start), "")
        assert (await ask(start, page_again)).form.value() == {}
        assert start.preferences.batch_backend == ""


def shown_words(dialog: ValuesDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


@pytest.mark.parametrize("words", ["127.0.0.1:8786", "dask://nobody", "tcp://127.0.0.1:8786"])
async def test_what_is_no_address_of_a_cluster_is_refused_in_the_field(
    theme: ThemeController, tmp_path: Path, words: str
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        dialog = await ask(start, page)
        dialog.form.set_value({"cluster": words})
        dialog.go.click()
        assert dialog.isVisible()
        assert "Expected an address such as dask://host:8786" in shown_words(dialog)
        assert backend_of(start) == ""
        dialog.form.set_value({"cluster": "dask://host:1"})
        await start.until(lambda: "Expected an address such as dask://host:8786" not in shown_words(dialog))
        dialog.reject()
