"""The agreement report on choices: page, command, API, monitor; and circular preferences."""

import csv
import io
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from demo.simulator import Annotator as Simulated
from demo.simulator import simulate_choices
from tests.fixtures.report_pages import open_page, reader, tables
from tests.fixtures.study_files import imported_study

pytestmark = pytest.mark.django_db
SYSTEMS = ("A", "B", "C", "D")
SEGMENTS = 12
STATISTICS = ("percent-agreement", "fleiss-kappa", "alpha-nominal", "gwet-ac1")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    matrices.forget()


def study_of(folder: Path, ratings: list[list[Any]], protocol: str) -> Study:
    files = {
        "segments.csv": [
            ["segment_id", "source", "source_style", "target_style", "survey"],
            *([f"s{n}", f"source {n}", "informal", "formal", n % 2 + 1] for n in range(SEGMENTS)),
        ],
        "outputs.csv": [
            ["segment_id", "system", "output"],
            *([f"s{n}", name, f"text {n} {name}"] for n in range(SEGMENTS) for name in SYSTEMS),
        ],
        "ratings.csv": ratings,
        "study.json": {"protocol": {"ratings.csv": protocol}},
    }
    return imported_study(folder / "small", files, slug="small")


def choices_of(study: Study, question: Question = Question()) -> dict[tuple[str, str], Any]:  # noqa: B008
    rows = report(study, "agreement", question)["content"]["choices"]
    assert len({row["asked"] for row in rows}) == 1
    return {(row["batch"], row["statistic"]): row for row in rows}


RATERS = [Simulated(noise=9), Simulated(noise=11), Simulated(noise=14)]
HEAD = ["segment_id", "system", "against", "rater", "aspect", "judgement"]
WORDS = {"first": "output", "second": "source"}


def simulated(pairs: int, ties: float = 0.0, seed: int = 3) -> np.ndarray:
    """Choices of three simulated raters: pairs × raters of first, tie, second."""
    draw = np.random.default_rng(seed)
    one, other = draw.normal(50, 12, (2, pairs))
    swapped = draw.random((pairs, len(RATERS))) < 0.5
    found = simulate_choices(one, other, swapped, RATERS, seed=seed, ties=ties)
    return found.choice.reshape(pairs, len(RATERS))


def against_sources(choices: np.ndarray) -> list[list[Any]]:
    outputs = [(n, name) for n in range(SEGMENTS) for name in SYSTEMS]
    return [
        HEAD,
        *(
            [f"s{n}", name, "(source)", f"r{rater}", "naturalness", WORDS.get(choice, "tie")]
            for (n, name), answers in zip(outputs, choices, strict=True)
            for rater, choice in enumerate(answers)
        ),
    ]


def against_outputs(choices: np.ndarray) -> list[list[Any]]:
    pairs = [(n, *two) for n in range(SEGMENTS) for two in combinations(SYSTEMS, 2)]
    return [
        HEAD,
        *(
            [f"s{n}", one, other, f"r{rater}", "overall", {"first": one, "second": other}[choice]]
            for (n, one, other), answers in zip(pairs, choices, strict=True)
            for rater, choice in enumerate(answers)
        ),
    ]


def coded(choices: np.ndarray) -> np.ndarray:
    return np.searchsorted(["first", "second", "tie"], choices)


@pytest.fixture
def natural(tmp_path) -> tuple[Study, np.ndarray]:
    choices = simulated(SEGMENTS * len(SYSTEMS), ties=6)
    return study_of(tmp_path, against_sources(choices), "relative_naturalness"), choices


@pytest.fixture
def compared(tmp_path) -> tuple[Study, np.ndarray]:
    choices = simulated(SEGMENTS * 6)
    return study_of(tmp_path, against_outputs(choices), "output_against_output"), choices


def test_relative_naturalness_has_every_statistic_with_an_interval_per_batch_and_over_all(natural):
    study, choices = natural
    rows = choices_of(study, Question(batch="survey"))
    assert set(rows) == {(b, s) for b in ("1", "2", "all") for s in STATISTICS}
    for row in rows.values():
        assert row["result"]["kind"] == "estimate"
        assert row["result"]["interval"]["low"] <= row["result"]["value"]
        assert row["raters"] == 3
        assert row["asked"] == "naturalness, source against output, ties allowed"
    expected = fleiss_kappa(aggregate_raters(coded(choices))[0])
    assert rows["all", "fleiss-kappa"]["result"]["value"] == pytest.approx(expected)
    assert rows["all", "fleiss-kappa"]["pairs"] == SEGMENTS * len(SYSTEMS)
    in_first = np.repeat(np.arange(SEGMENTS) % 2 == 0, len(SYSTEMS))
    expected = fleiss_kappa(aggregate_raters(coded(choices[in_first]))[0])
    assert rows["1", "fleiss-kappa"]["result"]["value"] == pytest.approx(expected)


def test_consistency_is_shown_for_raters_all_together_and_the_majority(compared):
    study, choices = compared
    content = report(study, "agreement", Question())["content"]
    found = {(r["rater"], r["statistic"]): r["result"] for r in content["consistency"]}
    raters = ("r0", "r1", "r2")
    assert {rater for rater, _ in found} == {"all raters", "majority", *raters}
    shares = [brute_share(coded(choices)[:, rater]) for rater in range(3)]
    for rater, share in zip(raters, shares, strict=True):
        assert found[rater, "circular-triads"]["value"] == pytest.approx(share)
    assert found["all raters", "circular-triads"]["value"] == pytest.approx(np.mean(shares))
    most = (coded(choices).mean(axis=1) > 0.5).astype(int)
    assert found["majority", "circular-triads"]["value"] == pytest.approx(brute_share(most))
    assert found["majority", "coefficient-of-consistence"]["value"] == pytest.approx(
        1 - 2 * brute_share(most)
    ), "of four outputs at most half of the four triads are circular"
    page = open_page(reader("ada", "small"), "/studies/small/agreement/")
    table = tables(page)["Circular triads: Overall, output against output, no ties"]
    assert [cells[0].text for _, cells in table.rows] == ["all raters", "majority", *raters]


def brute_share(choices: np.ndarray) -> float:
    """Share of circular triads of one rater, by looking at each."""
    names = list(combinations(range(len(SYSTEMS)), 2))
    circular = 0
    for n in range(SEGMENTS):
        over = {}
        for (i, j), answer in zip(names, choices[n * 6 : n * 6 + 6], strict=True):
            over[i, j], over[j, i] = answer, 1 - answer
        for a, b, c in combinations(range(len(SYSTEMS)), 3):
            circular += over[a, b] == over[b, c] == over[c, a]
    return circular / (SEGMENTS * 4)


def test_raters_without_a_triad_are_counted_once_with_the_reason(tmp_path, admin_client):
    triad = (("A", "B"), ("B", "C"), ("A", "C"))
    votes = [
        [f"s{n % (SEGMENTS - 1)}", *triad[n % 3], f"r{n}", "overall", triad[n % 3][n % 2]]
        for n in range(115)
    ]
    votes += [[f"s{SEGMENTS - 1}", *pair, "whole", "overall", pair[0]] for pair in triad]
    study = study_of(tmp_path, [HEAD, *votes], "output_against_output")
    orders = report(study, "agreement", Question())["content"]["consistency"]
    known = [row for row in orders if row["result"]["kind"] == "estimate"]
    assert {row["rater"] for row in known} == {"all raters", "majority", "whole"}
    [triads, order] = [row for row in orders if row["result"]["kind"] == "undefined"]
    assert (triads["rater"], triads["rater_count"]) == ("115 raters", 115)
    assert triads["result"]["reason"] == (
        "nobody judged all three pairs of three outputs of one segment"
    )
    assert order["rater_count"] == 115
    address = "/api/v1/studies/small/reports/agreement/?format=csv&table=consistency"
    table = admin_client.get(address).content.decode("utf-8-sig")
    assert len(list(csv.DictReader(io.StringIO(table)))) == len(orders) == 8
    page = open_page(admin_client, "/studies/small/agreement/")
    [found] = [each for name, each in tables(page).items() if name.startswith("Circular triads")]
    assert len(found.rows) == 4
    assert found.number("Circular triads", "115 raters").why.endswith("outputs of one segment.")
