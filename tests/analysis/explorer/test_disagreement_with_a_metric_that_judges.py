"""The page of disagreements opens with a metric that judges outputs, or says that none does."""

import pytest
from django.contrib.auth.models import User

from analysis.data import matrices
from corpus.models import Membership
from tests.fixtures.report_pages import open_page, words
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/disagreement/"
SYSTEMS = ("near", "far")


def opened(client, folder, metrics: dict[str, str], query: str = "") -> str:
    """Import a study whose metrics have some orientations, and return the words of the page."""
    matrices.forget()
    segments = [["segment_id", "source", "source_style", "target_style"]]
    outputs = [["segment_id", "system", "output"]]
    ratings = [["segment_id", "system", "rater", "aspect", "score"]]
    scores = [["segment_id", "system", "metric", "score"]]
    for row in range(4):
        segments.append([f"s{row}", f"a source {row}", "informal", "formal"])
        for place, system in enumerate(SYSTEMS):
            outputs.append([f"s{row}", system, f"an output {row} of {system}"])
            ratings.append([f"s{row}", system, "r1", "content", str(1 + row + 3 * place)])
            scores += [[f"s{row}", system, name, str(row * place)] for name in metrics]
    declared = {
        name: {"orientation": better} | ({"target": 1.0} if better == "target" else {})
        for name, better in metrics.items()
    }
    files = {
        "segments.csv": segments,
        "outputs.csv": outputs,
        "ratings.csv": ratings,
        "metric_scores.csv": scores,
        "study.json": {"metrics": declared},
    }
    job = import_path(write_files(folder / "small", files))
    assert job.error == ""
    person = User.objects.create_user("reader")
    Membership.objects.create(study=job.study, user=person, role="owner")
    client.force_login(person)
    return words(open_page(client, f"{ADDRESS}?{query}"))


def test_a_metric_with_a_better_side_goes_before_ones_without(client, tmp_path):
    metrics = {"copy-rate": "descriptive", "unsaid": "unknown", "bleu": "higher"}
    text = opened(client, tmp_path, metrics)
    assert "percentile ranks are by bleu and by human scores of content" in text
    assert "It is not declared that" not in text


def test_a_study_whose_metrics_nobody_declared_leads_to_where_to_declare_them(client, tmp_path):
    text = opened(client, tmp_path, {"unsaid": "unknown"})
    assert "ordered by how far apart" not in text
    assert "Declare whether higher or lower is better" in text
    assert 'href="/studies/small/metrics/#better"' in client.get(ADDRESS).text


@pytest.mark.parametrize("query", ["scored_by=copy-rate", "metric=copy-rate"])
def test_one_that_is_asked_for_by_name_is_shown_with_a_warning(client, tmp_path, query):
    metrics = {"copy-rate": "descriptive", "bleu": "higher"}
    text = opened(client, tmp_path, metrics, query)
    assert "percentile ranks are by copy-rate and" in text
    assert "It is not declared that higher or lower is better for copy-rate" in text
    assert "it does not show that either is wrong" in text
