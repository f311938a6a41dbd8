"""Metrics that are computed here stand under the aspects of a published study."""

from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study

# In every run `tests/corpus/test_aspects_page.py` tests what metrics measure, without training any.
pytestmark = [pytest.mark.nightly, pytest.mark.slow, pytest.mark.django_db]
COMPUTED = {"style": {"sti"}, "content": {"wmd", "bleu", "cps"}}


def test_metrics_computed_on_mir2019_measure_its_aspects(studies: Path, corpora: Path) -> None:
    matrices.forget()
    call_command("import_study", studies / "mir2019", sample=15, verbosity=0)
    call_command(
        "train_style", corpora / "yelp_sentiment.csv.gz", study="mir2019", name="yelp",
        texts=4000, verbosity=0,
    )  # fmt: skip
    call_command("score", "mir2019", "sti", "wmd", "bleu", "cps", verbosity=0)
    study = Study.objects.get(slug="mir2019")
    correlation = report(study, "correlation", Question(resamples=100))["content"]
    for aspect, metrics in COMPUTED.items():
        own = [r for r in correlation["rows"] if r["aspect"] == aspect and r["relation"] == "own"]
        ours = {r["metric"].removesuffix(" (computed)") for r in own if r["origin"] == "computed"}
        assert ours == metrics
        assert {row["metric_family"] for row in own} == {aspect}
        question = Question(aspect=aspect, resamples=100)
        for kind, key in (("comparison", "metrics"), ("accuracy", "rows")):
            shown = report(study, kind, question)["content"][key]
            assert metrics <= {row["metric"].removesuffix(" (computed)") for row in shown}
    # Published metrics without an aspect of their own are known by their names.
    imported = {r["metric"] for r in correlation["rows"] if r["origin"] == "imported"}
    assert any("WMD" in name.upper() for name in imported)
