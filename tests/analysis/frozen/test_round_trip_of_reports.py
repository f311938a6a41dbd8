"""A study that was exported and imported elsewhere gives the same numbers under the same names."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.fields_of_kinds import restricted
from analysis.filter.question import Question
from analysis.reports.agreement.choices import POSITION
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from annotation.models import Annotator, Campaign
from annotation.protocols.catalogue import LIVE
from corpus.models import Study
from tests.fixtures.campaigns import following, make_campaign, make_study, possible_answers, send
from tests.fixtures.report_pages import DEMO, PATTERNS

pytestmark = pytest.mark.django_db(transaction=True)
OF_METRICS = ("planning", "subgroups", "accuracy", "comparison")
OF_RATINGS = ("agreement", "raters", "ranking", "system-comparison")
EVERY_RUN = ("relative_naturalness", "best_worst")
"""Choices, and numbers of several outputs together; the others by night."""
ASKED = Question(resamples=100, metric=("bleu*", "chrf*", "formal-share"))


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    matrices.forget()
    yield
    matrices.forget()


def exported_elsewhere(slug: str, folder: Path) -> tuple[Study, Study]:
    """Export a study and import the archive under another name; return both."""
    path = folder / f"{slug}.zip"
    call_command("export_study", slug, output=path, verbosity=0)
    call_command("import_study", path, study=f"{slug}-elsewhere", verbosity=0)
    return Study.objects.get(slug=slug), Study.objects.get(slug=f"{slug}-elsewhere")


def assert_same_reports(
    here: Study, there: Study, kinds: tuple[str, ...] = KINDS, asked: Question = ASKED
) -> None:
    assert matrices.load(here).ratings_sha256 == matrices.load(there).ratings_sha256
    for kind in kinds:
        question = restricted(kind, asked)
        one, other = report(here, kind, question), report(there, kind, question)
        assert one["signature"] == other["signature"], kind
        # As text, so that every digit counts.
        assert json.dumps(one["content"]) == json.dumps(other["content"]), kind


@pytest.mark.parametrize(
    "kinds",
    [("agreement", "correlation", "metric-means"), pytest.param(KINDS, marks=pytest.mark.nightly)],
    ids=["few", "all"],
)
def test_the_demo_study_gives_the_same_reports_elsewhere(
    kinds: tuple[str, ...], tmp_path: Path
) -> None:
    call_command("import_study", DEMO, verbosity=0)
    assert_same_reports(*exported_elsewhere("formality-demo", tmp_path), kinds)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["lai2022", "mir2019"])
def test_published_studies_give_the_same_reports_elsewhere(
    name: str, studies: Path, tmp_path: Path
) -> None:
    pattern = PATTERNS.get(name, "")
    call_command("import_study", studies / name, accept=True, verbosity=0, system_pattern=pattern)
    here, there = exported_elsewhere(name, tmp_path)
    kinds = tuple(kind for kind in KINDS if kind != "rankings")
    assert_same_reports(here, there, kinds, Question(resamples=100))
    # It compares only so many metrics at once.
    few = Question(
        resamples=100, aspect="content", metric=("bleu*",) if name == "lai2022" else ("BLEU",)
    )
    assert_same_reports(here, there, ("rankings",), few)
    of_content = Question(resamples=100, aspect="content", level="system", by="direction")
    assert_same_reports(here, there, OF_METRICS, of_content)
    planned = Question(resamples=100, aspect="content", goal="correlation")
    assert_same_reports(here, there, ("planning",), planned)


def test_a_study_that_came_in_parts_and_in_another_order_gives_the_same(tmp_path: Path) -> None:
    """Texts, campaigns and raters arrive so that no table has the order of the study."""
    parts = {
        "one": {
            "segments.csv": "segment,source\n" + "".join(f"s{n},source {n}\n" for n in range(8)),
            "outputs.csv": "segment,system,output\n"
            + "".join(f"s{n},{s},{s} text {n}\n" for n in range(8) for s in ("beta", "alpha")),
            "ratings_zebra.csv": _ratings(range(8), ("beta", "alpha"), ("zoe", "ann")),
            "metric_scores.csv": _scores(range(8), ("beta", "alpha")),
        },
        "two": {
            "segments.csv": "segment,source\n"
            + "".join(f"s{n},source {n}\n" for n in range(8, 14)),
            "outputs.csv": "segment,system,output\n"
            + "".join(f"s{n},{s},{s} text {n}\n" for n in range(14) for s in ("gamma",))
            + "".join(f"s{n},{s},{s} text {n}\n" for n in range(8, 14) for s in ("alpha", "beta")),
            "ratings_ape.csv": _ratings(range(13, -1, -1), ("gamma", "beta"), ("bob", "ann")),
            "metric_scores.csv": _scores(range(8, 14), ("alpha", "beta", "gamma")),
        },
    }
    for name, files in parts.items():
        folder = tmp_path / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        call_command("import_study", folder, study="parts", verbosity=0)
    here, there = exported_elsewhere("parts", tmp_path)
    assert_same_reports(here, there, OF_RATINGS, Question(resamples=100))
    drawn = Question(resamples=100, resample="annotators")
    assert_same_reports(here, there, ("agreement", "correlation"), drawn)


def _ratings(rows: range, systems: tuple[str, ...], raters: tuple[str, ...]) -> str:
    return "segment,system,rater,aspect,score\n" + "".join(
        f"s{n},{system},{rater},{aspect},{1 + (5 * n + 3 * place + 2 * who + n * who) % 7}\n"
        for n in rows
        for place, system in enumerate(systems)
        for who, rater in enumerate(raters)
        for aspect in ("style", "content")
    )


def _scores(rows: range, systems: tuple[str, ...]) -> str:
    return "segment,system,metric,aspect,score\n" + "".join(
        f"s{n},{system},own,content,{(7 * n + 5 * place) % 11 / 10}\n"
        for n in rows
        for place, system in enumerate(systems)
    )


@pytest.mark.parametrize(
    "protocol",
    [pytest.param(name, marks=[] if name in EVERY_RUN else pytest.mark.nightly) for name in LIVE],
)
def test_a_campaign_that_was_rated_here_gives_the_same_elsewhere(
    protocol: str, tmp_path: Path
) -> None:
    study = make_study(segments=5, systems=3)
    # The later campaign comes first by name, and one of the annotators never rates.
    for slug, people in (("zebra", 3), ("ape", 2)):
        _rated(study, protocol, slug, people)
    here, there = exported_elsewhere("small", tmp_path)
    assert_same_reports(here, there, OF_RATINGS, Question(resamples=100))
    if LIVE[protocol].layout.compares:
        assert _positions(there)


def _rated(study: Study, protocol: str, slug: str, people: int, **values: Any) -> None:
    """Make a campaign in which the first two annotators rate everything."""
    config = {"masked": False} if protocol == "content_preservation" else {}
    if LIVE[protocol].layout.compares:
        config = {"tie": True}
    campaign, annotators = make_campaign(
        study, protocol, people, slug=slug, config=config, **values
    )
    for place, annotator in enumerate(annotators[:2][::-1]):
        _rate(annotator, campaign, place)


def _rate(annotator: Annotator, campaign: Campaign, place: int) -> None:
    for number in range(40):
        annotator, screen = following(annotator)
        if not screen:
            return
        answers = possible_answers(campaign, len(screen), 1 + (3 * number + 2 * place) % 5)
        if campaign.rules.layout.compares:
            side = "a" if number % 3 else ("b", "tie")[place]
            answers = [dict.fromkeys(given, side) for given in answers]
        send(annotator, screen[0], *answers, active_seconds=7.1 + number / 3)


def _positions(study: Study) -> list[Any]:
    """Return what the agreement report says of sides."""
    rows = report(study, "agreement", Question(resamples=100))["content"]["relative"]
    return [row["result"]["value"] for row in rows if row["statistic"] == POSITION]
