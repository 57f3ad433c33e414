"""Scenes for the pictures: an API that is looked at before its operations become tools, and then in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit

from console.apis.dialog import ApiDialog
from tests.memory_keyring import memory_keyring
from tests.tools.openapi.documents import PETSTORE

if TYPE_CHECKING:
    from tests.shots import Stage


async def apis(stage: Stage) -> None:
    """Add an API, and find its operations in the tree."""
    path = stage.home / f"pet-store-{stage.theme.mode}.yaml"
    path.write_text(PETSTORE.replace("  /pets:", "  /broken: {get: 1}\n  /pets:", 1), encoding="utf-8")
    data = stage.home / f"apis-{stage.theme.mode}"
    data.mkdir()
    with memory_keyring():
        await stage.open(first_time=False, data=data)
        stage.console.apis.add()
        await stage.until(lambda: stage.console.window.findChildren(ApiDialog))
        await stage.take("api-empty")
        (dialog,) = stage.console.window.findChildren(ApiDialog)
        dialog.begin(str(path))
        await stage.until(dialog.save.isEnabled)
        dialog.keys["api_key"].setText("open sesame")
        await stage.take("api")
        dialog.save.click()
        await stage.until(lambda: stage.console.tools.find("pet-store.getPet") is not None)
        await stage.until(lambda: not stage.console.window.findChildren(ApiDialog))
        stage.find("Tools filter", QLineEdit).setText("pet")
        stage.console.open_tools.open("pet-store.createPet")
        await stage.take("api-tools")
        await stage.close()
