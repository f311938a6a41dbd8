"""What an import says that it added or found stored already: rows of its files, each once."""

import json
import zipfile

import pytest

from corpus.exports.bundle import write_bundle
from corpus.models import Study
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


def counts(job):
    assert job.state == "done", job.error
    return {name: (t["added"], t["unchanged"]) for name, t in job.result["tables"].items()}


def exported_rows(path):
    """Rows of each table of a bundle, but for study.json."""
    with zipfile.ZipFile(path) as archive:
        members = json.loads(archive.read("manifest.json"))["members"]
        return {
            name.removesuffix(".csv"): facts["rows"]
            for name, facts in members.items()
            if name.endswith(".csv")
        }


def exported(slug, path):
    write_bundle(Study.objects.get(slug=slug), path)
    return path


@pytest.fixture
def bundle(tmp_path, own):
    """A study with imported and computed scores of several numbers, some missing, exported."""
    from corpus.jobs.worker import run_next

    scores = [*TABLES["metric_scores.csv"], ["s1", "T5", "ppl", "", ""]]
    columns = {"segment": "segment_id"} | {name: name for name in scores[0][1:]}
    mapping = {
        "table": "metric_scores",
        "columns": columns | {"score": "= missing(score, [''])"},
    }
    distributions = [
        ["segment", "system", "classifier", "p_formal", "p_informal"],
        ["s1", "BART", "svm", "0.25", "0.75"],
        ["s2", "BART", "svm", "0.5", "0.5"],
    ]
    files = TABLES | {"metric_scores.csv": scores, "style_distributions.csv": distributions}
    folder = write_files(tmp_path / "small", files)
    job = import_path(folder, mappings={"metric_scores.csv": [mapping]})
    assert counts(job)["metric_scores"] == (len(scores) - 1, 0)
    assert counts(job)["style_distributions"] == (2, 0)
    ask_for_runs(
        job.study, [RunRequest("pair"), RunRequest("counting", against="reference.2")], None
    )
    assert run_next().state == "done"
    return exported("small", tmp_path / "bundle.zip")


def test_every_row_of_an_export_is_new_in_a_new_study(bundle):
    job = import_path(bundle, slug="copy")
    assert counts(job) == {name: (rows, 0) for name, rows in exported_rows(bundle).items()}


def test_every_row_of_an_export_is_already_there_in_its_own_study(bundle):
    job = import_path(bundle)
    assert counts(job) == {name: (0, rows) for name, rows in exported_rows(bundle).items()}
