"""Somebody who reads the study of a test."""

from typing import Any

import pytest

from tests.fixtures.report_pages import reader


@pytest.fixture
def client(study: Any) -> Any:
    """Return a browser of somebody who may read the study and nothing else."""
    return reader("ada", study.slug)
