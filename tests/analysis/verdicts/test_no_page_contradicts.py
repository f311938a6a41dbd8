"""Of many studies, Findings and reports state the same verdicts, none stronger than its test."""

import re

import numpy as np
import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.kind import opened
from analysis.reports.service import report
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.report_pages import open_page, reader, words
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SYSTEMS = ("alpha", "beta", "gamma", "delta")
ADDRESS = "/studies/small/"


def tables(segments, raters, *, gap=0.0, aspects=("content",), missing=(), overlap=1.0):
    """Return the files of a study of which systems differ by a gap, and two metrics follow them."""
    rng = np.random.default_rng(segments + 10 * raters)
    rows = {"outputs.csv": [["segment_id", "system", "output"]]}
    ratings = [["segment_id", "system", "rater", "aspect", "score"]]
    scores = [["segment_id", "system", "metric", "compared_to", "score"]]
    for n in range(segments):
        for place, system in enumerate(SYSTEMS):
            if system in missing and n >= segments * overlap:
                continue
            rows["outputs.csv"].append([f"s{n}", system, f"{system} writes {n}"])
            true = 60 - gap * place + rng.normal(0, 8)
            for aspect in aspects:
                for rater in range(raters):
                    given = np.clip(true + rng.normal(0, 6), 0, 100)
                    ratings.append([f"s{n}", system, f"r{rater}", aspect, f"{given:.0f}"])
            for metric, noise in (("near", 4), ("far", 40)):
                scores.append(
                    [f"s{n}", system, metric, "source", f"{true + rng.normal(0, noise):.3f}"]
                )
    rows["segments.csv"] = [
        ["segment_id", "source"],
        *([f"s{n}", f"source {n}"] for n in range(segments)),
    ]
    declared = {
        "scales": {aspect: [0, 100] for aspect in aspects},
        "metrics": {name: {"orientation": "higher"} for name in ("near", "far")},
    }
    return rows | {"ratings.csv": ratings, "metric_scores.csv": scores, "study.json": declared}


STUDIES = {
    "systems differ": tables(24, 3, gap=8),
    "no difference": tables(24, 3),
    "four segments": tables(4, 2, gap=20),
    "one rater": tables(24, 1, gap=8),
    "two aspects": tables(16, 3, gap=6, aspects=("style", "content")),
    "a system of few outputs": tables(24, 3, gap=8, missing=("delta",), overlap=0.2),
}


def sections(page):
    """Return the answer of each card of Findings in words, and of a report."""
    return {
        each.get("id") or "report": words(each)
        for each in page.iter("section")
        if each.get("id") in ("trust", "systems", "metrics", "failures")
        or each.get("class") == "answer"
    }


@pytest.mark.parametrize("name", STUDIES)
def test_findings_and_reports_state_one_verdict_no_stronger_than_its_test(name, tmp_path):
    matrices.forget()
    assert import_path(write_files(tmp_path / "small", STUDIES[name])).state == "done"
    client = reader("ada", "small")
    page = open_page(client, ADDRESS)
    while run_next():
        page = open_page(client, ADDRESS)
    cards = sections(page)
    study = Study.objects.get(slug="small")
    of_systems = opened(report(study, "system-comparison", Question())).content
    of_metrics = opened(report(study, "comparison", Question())).content
    # One aspect for all that are about one.
    assert of_systems.aspect == of_metrics.aspect
    for key, kind, content, compared in (
        ("systems", "system-comparison", of_systems, of_systems.systems),
        ("metrics", "comparison", of_metrics, of_metrics.metrics),
    ):
        names = [getattr(each, "system", "") or each.metric for each in compared]
        answer = sections(open_page(client, f"{ADDRESS}{kind}/"))["report"]
        said = claims(cards[key]), claims(answer)
        for each in said:
            check_claims(each, names, content.pairs)
        assert verdicts(said[0]) == verdicts(said[1]) != set(), said
    answer = sections(open_page(client, f"{ADDRESS}agreement/")).get("report", "")
    of_card = re.findall(r"Agreement (?:is|allows|was|does).*? on \w+", cards["trust"])[:1]
    assert answer.startswith("".join(of_card))
    assert of_card or name == "one rater"


def check_claims(said, names, pairs):
    """A claim of a difference, or of none, is what the adjusted p-values say."""
    detected = {
        (names[pair.first], names[pair.second])[:: 1 if pair.difference > 0 else -1]
        for pair in pairs
        if pair.detected
    }
    assert all(pair.p_value <= 0.05 for pair in pairs if pair.detected)
    assert all(pair.p_value is None or pair.p_value > 0.05 for pair in pairs if not pair.detected)
    if re.search(r"No difference between (any two|the two)", said):
        assert not detected
    if claim := re.search(FIRST, said):
        assert claim[1] == names[0]
        assert detected
    for higher, lower in re.findall(r"(\w+)(?:/source)? exceeds (\w+)", said):
        assert (higher, lower) in detected


FIRST = r"(\w+)(?:/source)? (?:is rated highest|correlates best)"
NONE = r"No difference between [^.;]* was detected|No metric was shown to correlate"


def claims(said):
    """Return what is said without what is true by value alone."""
    return re.sub(r"By value alone[^.]*\.", "", said)


def verdicts(said):
    """Return who is said to be first, or that no difference was detected."""
    return {*re.findall(FIRST, said), *re.findall(NONE, said)}
