"""Every report of a study that holds little or nothing is answered in words."""

import pytest

from analysis.reports.catalogue import KINDS
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.study_files import OUTPUTS, SCORES, SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db
TEXTS = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS}
FILES = {
    "outputs": TEXTS,
    "one score": {**TEXTS, "metric_scores.csv": SCORES[:2]},
}


@pytest.mark.parametrize("held", ["nothing", "a run", "outputs", "one score"])
def test_reports_of_a_study_with_little_are_answered(held, tmp_path):
    study = Study.objects.create(slug="new-one")
    client = client_of("owner", study, "owner")
    if held in FILES:
        job = import_path(write_files(tmp_path / "files", FILES[held]), slug="new-one")
        assert job.state == "done", job.error
    elif held == "a run":
        runs = {"runs": [{"metric": "bleu"}]}
        asked = client.post(f"{API}studies/new-one/runs/", runs, format="json")
        assert asked.status_code == 202
        assert run_next().state == "done"
    for kind in KINDS:
        answer = client.get(f"{API}studies/new-one/reports/{kind}/")
        assert answer.status_code in {200, 202, 400}, (kind, answer.content)
        if answer.status_code == 202:
            assert run_next().state == "done", kind
