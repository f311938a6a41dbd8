"""All ratings of a campaign that was made here were given here: no file adds one."""

import csv
import io

import pytest

from annotation.models import Rating, Submission
from corpus.tables.register import handler_for
from tests.fixtures.by_night import by_night
from tests.fixtures.campaigns import judge, make_campaign, make_study
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db


def ratings_of(study):
    """Return the study's ratings as its archive has them."""
    [table] = handler_for("ratings").export(study)
    out = io.StringIO()
    csv.writer(out).writerows([table.columns, *table.rows])
    return out.getvalue()


def imported(folder, text):
    job = import_path(write_files(folder, {"ratings.csv": text}), slug="small")
    return job, " ".join(problem["message"] for problem in job.result.get("problems", []))


def test_a_file_cannot_add_ratings_to_a_campaign_that_was_made_here(tmp_path):
    study = make_study(3, 2)
    campaign = make_campaign(study, annotators=2)[0]
    for rater in ("forged", "annotator 1"):
        row = f"s0,system-0,{rater},fluency,90,{campaign.slug}\n"
        text = f"segment,system,rater,aspect,score,campaign\n{row}"
        job, messages = imported(tmp_path / rater, text)
        assert job.state == "failed"
        assert f"the ratings of campaign {campaign.slug} are given here" in messages
    assert not Submission.objects.exists()
    assert campaign.annotators.count() == 2
    elsewhere = text.replace(campaign.slug, "elsewhere")
    assert imported(tmp_path / "elsewhere", elsewhere)[0].state == "done"
    assert Rating.objects.get().submission.item.campaign.origin == "imported"


@pytest.mark.parametrize(
    "protocol",
    by_night(
        ["direct_assessment", "relative_naturalness", "output_against_output", "ranking"],
        *("direct_assessment", "output_against_output"),
    ),
)
def test_the_ratings_that_it_has_may_be_imported_again(tmp_path, protocol):
    study = make_study(3, 2)
    for annotator in make_campaign(study, protocol, annotators=2)[0].annotators.all():
        judge(annotator, 3, lambda item: 1 + item.pk % 2)
    text = ratings_of(study)
    before = Rating.objects.count()
    job, messages = imported(tmp_path / "again", text)
    assert job.state == "done", messages
    assert Rating.objects.count() == before > 0
    revised = next(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(revised))
    writer.writeheader()
    writer.writerow(revised | {"revision": "2"})
    job, messages = imported(tmp_path / "revised", out.getvalue())
    assert job.state == "failed"
    assert "are given here" in messages
