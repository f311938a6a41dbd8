"""An import says how it orients metrics; a report warns where systems speak against it."""

import numpy as np
import pytest

from analysis.data import matrices
from analysis.reports.correlation.content import MetricRow
from analysis.reports.correlation.run_checks import orientation_doubts
from analysis.stats.results import Estimate, Interval
from corpus.models import AuditEntry
from metrics.models import Metric
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.campaign_pages import member
from tests.fixtures.html_forms import fields_of
from tests.fixtures.report_pages import open_page, parse, tables, words
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SYSTEMS = [f"sys{n}" for n in range(8)]
SEGMENTS = [f"s{n}" for n in range(12)]
ADDRESS = "/studies/small/correlation/?resamples=100"
DECLARED = {"metrics": {"ours": {"orientation": "higher"}}}


def files(ter_sign):
    """Systems of falling quality, a TER that grows or, stored as -TER, falls, and a BLEU."""
    draw = np.random.default_rng(5)
    segments = [["segment_id", "source", "source_style", "target_style"]]
    segments += [[key, f"a source {key}", "informal", "formal"] for key in SEGMENTS]
    outputs = [["segment_id", "system", "output"]]
    ratings = [["segment_id", "system", "rater", "aspect", "score"]]
    scores = [["segment_id", "system", "metric", "aspect", "score"]]
    for quality, system in enumerate(SYSTEMS):
        for key in SEGMENTS:
            outputs.append([key, system, f"an output {key} {system}"])
            noise = draw.normal(0, 0.5, 5)
            content, style = 2 * quality + noise[0], 20 - 2 * quality + noise[1]
            ratings.append([key, system, "r1", "content", f"{content:.3f}"])
            ratings.append([key, system, "r1", "style", f"{style:.3f}"])
            for name, value in {
                "TER": ter_sign * (60 - 5 * quality + noise[2]),
                "bleu": 5 * quality + noise[3],
                "ours": quality + noise[4],
                "odd": quality + noise[4],
            }.items():
                aspect = "" if name == "odd" else "content"
                scores.append([key, system, name, aspect, f"{value:.3f}"])
    return {
        "segments.csv": segments,
        "outputs.csv": outputs,
        "ratings.csv": ratings,
        "metric_scores.csv": scores,
        "study.json": DECLARED,
    }


def imported(folder, ter_sign):
    matrices.forget()
    job = import_path(write_files(folder / "small", files(ter_sign)))
    assert job.error == ""
    return job


def own(client, study):
    person = member("owner", study)
    client.force_login(person)


def doubts(client):
    page = open_page(client, ADDRESS)
    notes = [each for each in page.iter("div") if each.get("aria-label") == "Orientation in doubt"]
    return " ".join(words(each) for each in notes)


# What an import says


def test_the_result_of_an_import_says_which_metrics_it_oriented_and_by_what_rule(tmp_path, client):
    job = imported(tmp_path, 1)
    told = {
        each["metric"]: (each["orientation"], each["rule"]) for each in job.result["orientations"]
    }
    assert told == {
        "TER": ("lower", "catalogue"),
        "bleu": ("higher", "catalogue"),
        "ours": ("higher", "declared"),
        "odd": ("unknown", "unknown"),
    }
    own(client, job.study)
    page = parse(client.get(f"/jobs/{job.pk}/").text)
    table = tables(page)["Direction of metrics"]
    shown = {cells[0].text: (cells[1].text, cells[2].text) for _, cells in table.rows}
    assert shown["TER"][0] == "lower is better"
    assert shown["TER"][1] == "from the catalogue of published metrics, by its name"
    assert shown["ours"][1] == "declared in the files"
    assert "correlations stay raw until an owner does" in shown["odd"][1]
    answer = client_of("ada", job.study, "owner").get(f"{API}jobs/{job.pk}/").json()
    assert answer["result"]["orientations"] == job.result["orientations"]


# What a report warns of


def test_a_ter_that_is_stored_negative_is_doubted_until_the_owner_turns_it(tmp_path, client):
    job = imported(tmp_path, -1)
    own(client, job.study)
    warned = doubts(client)
    assert "TER is oriented as “lower is better”, but over 8 systems" in warned
    assert "human scores of content is clearly negative: r = −0.9" in warned
    assert "bleu" not in warned
    link = "/studies/small/metrics/#better"
    assert f'href="{link}"' in client.get(ADDRESS).text
    prefix = f"metric-{Metric.objects.get(name='TER').pk}"
    fields = fields_of(client.get("/studies/small/metrics/").text, f"{prefix}-orientation")
    client.post("/studies/small/metrics/", fields | {f"{prefix}-orientation": ["higher"]})
    entry = AuditEntry.objects.get(action="declare metric")
    assert (entry.object, entry.before["orientation"]) == ("TER", "lower")
    assert doubts(client) == ""


# The rule


def row(value, low, high, n=8, **more):
    result = Estimate(value, n, interval=Interval(low, high, 0.95, "percentile bootstrap"))
    named = {"run": "r", "metric": "m", "name": "m", "note": "", "conditions": {}, "raw": {}}
    named |= {"metric_aspect": "content", "compared_to": "", "text_setting": ""}
    facts = {
        "aspect": "content",
        "own_aspect": True,
        "relation": "own",
        "orientation": "oriented",
        "better": "higher",
        "results": {"system_pearson": result},
    }
    return MetricRow(**named | facts | more)


OTHER = {"own_aspect": False, "relation": "other"}
POSSIBLE = {"own_aspect": False, "relation": "possible"}


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([row(-0.95, -0.99, -0.9)], 1),
        ([row(-0.95, -0.99, 0.01)], 0),
        ([row(-0.95, -0.99, -0.9, n=3)], 0),
        ([row(-0.5, -0.6, -0.4)], 0),
        ([row(-0.95, -0.99, -0.9, orientation="raw")], 0),
        ([row(-0.95, -0.99, -0.9, better="target")], 0),
        ([row(-0.95, -0.99, -0.9, **OTHER)], 0),
        ([row(-0.95, -0.99, -0.9, **POSSIBLE)], 1),
        ([row(-0.95, -0.99, -0.9, **POSSIBLE), row(0.9, 0.8, 0.99, aspect="style", **POSSIBLE)], 0),
    ],
)
def test_only_what_is_clearly_negative_among_enough_systems_is_doubted(rows, count):
    assert len(list(orientation_doubts(rows))) == count
