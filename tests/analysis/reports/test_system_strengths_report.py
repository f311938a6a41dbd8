"""Outputs judged against each other give strengths of systems, as far as these are finite."""

import csv
import io
import shutil

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.proportion import proportion_confint

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Rating
from annotation.queue.handing_out import next_assignments
from corpus.models import Study
from tests.fixtures.campaigns import make_campaign, make_study, send
from tests.fixtures.report_pages import open_page, tables, words
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db
SIDE = 0.6
"""True log advantage of side A."""


@pytest.fixture
def study():
    """A study of which somebody judged 60 pairs, better systems winning more often."""
    matrices.forget()
    study = make_study(20, 3)
    _, [annotator] = make_campaign(study, "output_against_output", annotators=1)
    generator = np.random.default_rng(4)
    while screen := next_assignments(annotator):
        item = screen[0].item
        shown = (item.second, item.first) if screen[0].swapped else (item.first, item.second)
        on_a, on_b = (output.system.ordinal for output in shown)
        gap = SIDE - 0.8 * (on_a - on_b)
        answer = "a" if generator.random() < 1 / (1 + np.exp(-gap)) else "b"
        send(annotator, screen[0], {"overall": answer})
    return study


def test_strengths_are_those_of_a_logistic_regression(study):
    (fit,) = report(study, "system-comparison", Question())["content"]["strengths"]
    assert fit["judgements"] == 60
    names = [entry["system"] for entry in fit["systems"]]
    rows, won = [], []
    votes = {name: [0, 0] for name in names}
    for rating in Rating.objects.select_related("submission__item__first__system"):
        item = rating.submission.item
        sides = [item.first.system.name, item.second.system.name]
        preferred = sides[0] if rating.choice == "first" else sides[1]
        on_a, on_b = sides[::-1] if rating.submission.swapped else sides
        rows.append([1.0, *((name == on_a) - (name == on_b) for name in names[1:])])
        won.append(preferred == on_a)
        for name in sides:
            votes[name][0] += name == preferred
            votes[name][1] += 1
    oracle = sm.Logit(np.array(won, dtype=float), np.array(rows)).fit(disp=0).params
    expected = np.array([0.0, *oracle[1:]])
    found = [entry["result"]["value"] for entry in fit["systems"]]
    assert found == pytest.approx(expected - expected.mean(), abs=1e-5)
    assert fit["position"]["value"] == pytest.approx(oracle[0], abs=1e-5)
    for entry in fit["systems"]:
        share, (wins, count) = entry["won"], votes[entry["system"]]
        assert (share["value"], share["n"]) == (pytest.approx(wins / count), count)
        exact = proportion_confint(wins, count, method="beta")
        assert (share["interval"]["low"], share["interval"]["high"]) == pytest.approx(exact)


def test_the_page_of_votes_has_shares_of_wins_and_no_field_without_effect(study, admin_client):
    page = open_page(admin_client, f"/studies/{study.slug}/system-comparison/")
    [table] = [each for name, each in tables(page).items() if name.startswith("Strengths by")]
    assert table.headings == ["System", "Log strength", "Won, percent"]
    names = {field.get("name") for field in page.iter("select")}
    assert not names & {"test", "correction", "model", "scores"}
    assert "penalty" in names


GAMMA = "Without a finite strength, and not ranked here: gamma (it lost all of its 10 judgements)."


@pytest.fixture
def winless(tmp_path, cases):
    """Votes on four systems, of which gamma lost ten of ten."""
    folder = tmp_path / "small"
    folder.mkdir()
    shutil.copy(cases / "field" / "16" / "p3_winless.csv", folder)
    assert import_path(folder, without_texts=True).state == "done"
    return Study.objects.get(slug="small")


def strengths_of(study, **asked):
    [fit] = report(study, "system-comparison", Question(**asked))["content"]["strengths"]
    return fit


def test_a_system_without_a_win_is_named_and_the_others_keep_their_strengths(winless, admin_client):
    fit = strengths_of(winless)
    alone = strengths_of(winless, leave_out=("gamma",))
    assert fit["systems"] == alone["systems"]
    assert (fit["judgements"], fit["within"]) == (31, 21)
    [unbounded] = fit["unbounded"]
    assert unbounded["system"] == "gamma"
    assert unbounded["result"]["reason"] == "it lost all of its 10 judgements"
    page = open_page(admin_client, "/studies/small/system-comparison/")
    assert "Log strengths from 21 of 31 judgements" in words(page)
    assert GAMMA in words(page)
    assert "gammait lost all of its 10 judgements" in words(page)
    assert len(tables(page)["Strengths by overall"].rows) == 3
    assert GAMMA in words(open_page(admin_client, "/studies/small/"))
    [way_out] = [a for a in page.iter("a") if words(a) == "penalise strengths"]
    penalised = open_page(admin_client, f"/studies/small/system-comparison/{way_out.get('href')}")
    shown = tables(penalised)["Strengths by overall"]
    assert [cells[0].text for _, cells in shown.rows] == ["alpha", "beta", "delta", "gamma"]
    address = "/api/v1/studies/small/reports/system-comparison/?format=csv&table=strengths"
    rows = csv.DictReader(io.StringIO(admin_client.get(address).content.decode("utf-8-sig")))
    assert {row["system"]: row["reason"] for row in rows}["gamma"].startswith("it lost all")
