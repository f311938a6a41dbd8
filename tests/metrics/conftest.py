"""The study of a test file: made once a run, and as it was for each test."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings


@pytest.fixture
def study(study_made_once: Any) -> Any:
    """The study, without a trace of other tests."""
    return study_made_once


@pytest.fixture
def owner(client: Any, study: Any) -> Any:
    """Its owner, who is signed in."""
    from tests.fixtures.campaign_pages import member

    person = member("owner", study)
    client.force_login(person)
    return person


@pytest.fixture
def own_files(tmp_path: Path) -> Iterator[None]:
    """Keep the files of each test apart."""
    with override_settings(MEDIA_ROOT=tmp_path / "files"):
        yield
