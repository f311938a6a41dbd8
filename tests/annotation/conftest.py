"""A study of its owner, which a file replaces where it needs another one."""

import pytest

from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_study


@pytest.fixture
def study(db):
    """A study with texts and no campaign."""
    return make_study()


@pytest.fixture
def owner(study):
    """The browser of the owner of the study."""
    return signed_in("ada", study)
