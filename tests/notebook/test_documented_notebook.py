"""The notebook of the documentation runs from its first cell to its last."""

import os

import nbformat
import pytest
from django.contrib.auth.models import User
from nbclient import NotebookClient

from config.accounts.tokens import new_token
from corpus.models import Membership, Study
from tests.fixtures.machine import ROOT
from tests.fixtures.notebook_package import unpacked
from tests.fixtures.report_pages import DEMO, imported


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_notebook_runs(live_server, tmp_path, monkeypatch):
    notebook = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    with imported(DEMO, stored=True):
        reader = User.objects.create_user("reader")
        Membership.objects.create(study=Study.objects.get(), user=reader, role="researcher")
        monkeypatch.setenv("TOUCHSTONE_URL", live_server.url)
        monkeypatch.setenv("TOUCHSTONE_TOKEN", new_token(reader, "notebook", "read", None))
        paths = [str(unpacked(tmp_path / "wheel")), os.environ.get("PYTHONPATH", "")]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(tmp_path))
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "application/vnd.vegalite.v6+json"} <= kinds
    words = "".join(output.get("text", "") for output in shown)
    assert "kendall-tau-like" in words
