"""The metrics page: which way is better, declared by owners."""

import pytest

from corpus.models import AuditEntry
from metrics.models import Metric
from tests.fixtures.html_forms import fields_of
from tests.fixtures.study_files import TABLES

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/metrics/"
SCORES = [
    ["segment_id", "system", "metric", "score"],
    *(["s1", "T5", name, "0.5"] for name in ("bleu", "brand-new", "formal-share")),
]
STYLES = [["segment_id", "system", "classifier", "p_formal", "p_informal"]]
STYLES += [["s1", "T5", "our-classifier", "0.75", "0.25"]]


FILES = {"segments.csv": TABLES["segments.csv"], "outputs.csv": TABLES["outputs.csv"]}
FILES |= {"metric_scores.csv": SCORES, "distributions.csv": STYLES}


def declare(client, name, **values):
    """Fill in the row of a metric and save."""
    prefix = f"metric-{Metric.objects.get(name=name).pk}"
    fields = fields_of(client.get(ADDRESS).text, f"{prefix}-orientation")
    fields |= {f"{prefix}-{key}": [value] for key, value in values.items()}
    return client.post(ADDRESS, fields, follow=True)


def test_a_declaration_is_saved_with_a_record_and_a_new_revision(client, owner, study):
    page = declare(client, "formal-share", orientation="higher", speaks_of="formal", midpoint="0.5")
    assert "Saved: formal-share." in page.text
    metric = Metric.objects.get(name="formal-share")
    assert (metric.orientation, metric.speaks_of, metric.midpoint) == ("higher", "formal", 0.5)
    entry = AuditEntry.objects.get(action="declare metric")
    assert (entry.actor, entry.object) == (owner, "formal-share")
    assert entry.before["orientation"] == "unknown"
    assert entry.after["speaks_of"] == "formal"
    before = study.revision
    study.refresh_from_db()
    assert study.revision == before + 1


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"orientation": "higher", "speaks_of": "formal"}, "say its midpoint"),
        ({"orientation": "higher", "midpoint": "half"}, "Enter a number"),
        ({"orientation": "target", "target": "inf"}, "Enter a number"),
        ({"orientation": "sideways"}, "Select a valid choice"),
        ({"orientation": "higher", "speaks_of": "rude"}, "Select a valid choice"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_saved(client, owner, values, words):
    page = declare(client, "brand-new", **values)
    assert page.status_code == 400
    assert words in page.text
    assert Metric.objects.get(name="brand-new").orientation == "unknown"


def test_researchers_read_the_table_and_cannot_change_it(client, owner, study):
    prefix = f"metric-{Metric.objects.get(name='bleu').pk}"
    study.memberships.update(role="researcher")
    page = client.get(ADDRESS)
    assert "higher is better" in page.text
    assert "<select" not in page.text
    assert client.post(ADDRESS, {f"{prefix}-orientation": "lower"}).status_code == 403
    assert Metric.objects.get(name="bleu").orientation == "higher"
