"""The study of a test file: made once a run, and as it was for each test."""

from typing import Any

import pytest


@pytest.fixture
def study(study_made_once: Any) -> Any:
    """The study, without a trace of other tests."""
    return study_made_once
