"""The two small studies, imported once for each module of tests."""

import pytest

from analysis.data import matrices
from corpus.models import Study
from tests.fixtures.small_collections import NUMBERS, small_collection, small_studies


@pytest.fixture(scope="module")
def _small_studies(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), small_studies():
        yield


@pytest.fixture(autouse=True)
def _read_anew():
    """Forget the studies as arrays: a test may change them without a new revision."""
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def studies(_small_studies, db):
    """Studies `one` and `two`."""
    return [Study.objects.get(slug=name) for name in NUMBERS]


@pytest.fixture
def collection(studies):
    """A collection of both, which nobody owns."""
    return small_collection(studies)
