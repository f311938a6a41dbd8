"""What people rate under each protocol meets the metrics of its aspect, on every page."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.data.picking import pick
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.protocols.catalogue import LIVE
from corpus.models import Study
from tests.fixtures.campaigns import make_campaign
from tests.fixtures.report_pages import filled, open_page, reader, tables, words
from tests.fixtures.simulated_ratings import rate_everything
from tests.fixtures.study_files import import_path, write_files
from tests.fixtures.style_texts import BAD, GOOD, reviews
from tests.fixtures.style_training import train

# In every run `tests/corpus/test_aspects_page.py` tests what metrics measure, without training any.
pytestmark = [pytest.mark.nightly, pytest.mark.django_db]
STYLES = ("negative", "positive")
SEGMENTS = 12
CONFIG: dict[str, dict[str, Any]] = {"content_preservation": {"masked": False}}
ASKED = {
    "style_transfer_intensity": {"style": "style"},
    "content_preservation": {"content": "content"},
    "relative_naturalness": {"naturalness": "fluency"},
    "absolute_naturalness": {"naturalness": "fluency"},
    "direct_assessment": {"style": "style", "content": "content", "fluency": "fluency"},
    "output_against_output": {"overall": "overall"},
    "ranking": {"overall": "overall"},
    "best_worst": {"overall": "overall"},
    "likert": {"style": "style", "content": "content", "fluency": "fluency", "overall": "overall"},
}
MEASURED_BY = {
    "style": {"sti"},
    "content": {"bleu", "chrf", "wmd", "cps"},
    "fluency": {"adversarial-naturalness-unigram-score", "adversarial-naturalness-neural-score"},
}
DESCRIPTIONS = {"length-ratio", "copy-rate"}
COUNTED = {"resamples": 100}


def _files() -> dict[str, Any]:
    segments = [["segment_id", "source", "source_style", "target_style"]]
    outputs = [["segment_id", "system", "output"]]
    flipped = {**dict(zip(GOOD, BAD, strict=True)), **dict(zip(BAD, GOOD, strict=True))}
    for n, text in enumerate(reviews(SEGMENTS, seed=9).texts):
        segments.append([f"s{n}", text, STYLES[n % 2], STYLES[1 - n % 2]])
        split = text.split()
        made = {
            "flip": [flipped.get(word, word) for word in split],
            "cut": split[n % 4 :],
            "more": [*split, *split[: 1 + n % 5]],
            "both": [flipped.get(word, word) for word in split[: 6 + n % 3]],
        }
        outputs += [[f"s{n}", system, " ".join(output)] for system, output in made.items()]
    return {"segments.csv": segments, "outputs.csv": outputs}


@pytest.fixture(scope="module", autouse=True)
def _scored(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("files")

    def fill() -> None:
        job = import_path(write_files(folder / "study", _files()), slug="small")
        assert job.state == "done", job.error
        train(job.study, folder)
        call_command("score", "small", verbosity=0)
        call_command("score", "small", "cps", verbosity=0)

    with django_db_blocker.unblock(), filled(str(folder), fill):
        yield


@pytest.fixture
def study() -> Study:
    # Ratings of a test before were rolled back; the next ones may get their numbers.
    matrices.forget()
    return Study.objects.get(slug="small")


@pytest.fixture
def client():
    return reader("ada", "small")


def rated(study: Study, protocol: str, **values: Any) -> None:
    values.setdefault("config", CONFIG.get(protocol, {}))
    rate_everything(*make_campaign(study, protocol, annotators=3, **values))


def names_of(entries: list[dict[str, Any]]) -> set[str]:
    return {entry["metric"].removesuffix(" (computed)") for entry in entries}


@pytest.mark.parametrize("protocol", LIVE)
def test_metrics_of_the_family_come_first_in_every_report(study, client, protocol):
    rated(study, protocol)
    data = matrices.load(study)
    found = {measure.name: measure.family for measure in data.judgements.measures}
    assert found == ASKED[protocol]
    correlation = report(study, "correlation", Question(**COUNTED))["content"]
    assert correlation["aspects"] == list(ASKED[protocol])
    page = open_page(client, "/studies/small/correlation/?resamples=100")
    for aspect, family in ASKED[protocol].items():
        wanted = MEASURED_BY.get(family, MEASURED_BY["style"] | MEASURED_BY["content"])
        rows = [row for row in correlation["rows"] if row["aspect"] == aspect]
        own = {row["metric"] for row in rows if row["relation"] in ("own", "possible")}
        assert wanted <= own
        assert not own & DESCRIPTIONS
        if family != "overall":
            assert {row["metric_family"] for row in rows if row["relation"] == "own"} == {family}
            assert not {row["metric"] for row in rows if row["relation"] == "possible"}
        first = tables(page)[f"Metrics and human scores of {aspect}"]
        assert {cells[0].text.split()[0] for _, cells in first.rows} == {
            row["metric"] for row in rows if row["relation"] in ("own", "possible")
        }
        question = Question(aspect=aspect, **COUNTED)
        for kind, key in (
            ("comparison", "metrics"),
            ("accuracy", "rows"),
            ("subgroups", "metrics"),
        ):
            content = report(study, kind, question)["content"]
            assert names_of(content[key]) <= own
            assert content["picked"]["taken"] == len(pick(data, question, aspect).taken)
            assert "length-ratio" in " ".join(content["picked"]["descriptions"])
        assert len(report(study, "comparison", question)["content"]["metrics"]) >= len(wanted & own)
        explorer = open_page(client, f"/studies/small/disagreement/?aspect={aspect}")
        (chosen,) = [s for s in explorer.iter("select") if s.get("name") == "scored_by"]
        assert chosen is not None
        for name in DESCRIPTIONS:
            assert f"{name} and people disagree" not in words(explorer)


def test_every_page_says_what_it_passed_over_and_offers_to_take_it(study, client):
    rated(study, "style_transfer_intensity")
    for kind in ("comparison", "accuracy", "subgroups"):
        page = words(open_page(client, f"/studies/small/{kind}/?resamples=100"))
        assert "1 metric that measures style. Left out:" in page
        assert "copy-rate" in page.split("Nothing is concluded from")[1][:60]
        links = [
            link.get("href")
            for link in open_page(client, f"/studies/small/{kind}/?resamples=100").iter("a")
        ]
        assert any("candidates=all" in link for link in links if link)


def test_without_a_metric_of_the_aspect_no_conclusion_is_drawn(study, client):
    study.runs.filter(metric__name="sti").update(content_sha256="")
    matrices.forget()
    rated(study, "style_transfer_intensity")
    page = open_page(client, "/studies/small/correlation/?resamples=100")
    assert "No metric here measures style." in words(page)
    assert "with human scores over" not in words(page)
    assert "Metrics of another aspect, and human scores of style" in tables(page)
    assert report(study, "comparison", Question(**COUNTED))["content"]["metrics"] == []
