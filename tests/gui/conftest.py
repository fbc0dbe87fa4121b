"""The engines of the tests of the host side are started once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gui.stage import Stage


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.close()
