from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.catalog.sample_project import make_project
from tests.tools.catalog.services import Authority, FakeServices, fake_services


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def others(authority: Authority) -> Iterator[FakeServices]:
    """Serve what other people's services answer."""
    with fake_services(authority) as services:
        yield services
