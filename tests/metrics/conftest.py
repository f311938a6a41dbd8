"""The study of a test file: made once a run, and as it was for each test."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest


@pytest.fixture(scope="module")
def _made_once(request, shared_folder, django_db_setup, django_db_blocker):
    """Let the tests of a module find its study.

    The module has `FILES` to import, or `prepare`, which makes the study with what was trained on
    it; then its models lie in a folder that the processes of the run share.
    """
    from django.test import override_settings

    from tests.fixtures.report_pages import filled
    from tests.fixtures.study_files import import_path, write_files

    prepare = getattr(request.module, "prepare", None)
    files = None if prepare else request.module.FILES
    key = f"{prepare.__module__}.{prepare.__name__}" if prepare else repr(files)

    def fill():
        with TemporaryDirectory() as folder, patch.dict(os.environ):
            if prepare:
                prepare(Path(folder))
            else:
                job = import_path(write_files(Path(folder) / "small", files))
                assert job.state == "done", job.error

    media = {"MEDIA_ROOT": shared_folder / key} if prepare else {}
    with override_settings(**media), django_db_blocker.unblock(), filled(key, fill):
        yield


@pytest.fixture
def study(_made_once, db):
    """The study, without a trace of other tests."""
    from corpus.models import Study

    return Study.objects.get(slug="small")
