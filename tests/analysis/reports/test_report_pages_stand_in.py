"""Judges and metrics tested in place of a rater: from files to the sentence on the page."""

import json
import random
from urllib.parse import urlencode

import numpy as np
import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.agreement.alternative_annotator import alternative_annotator_test
from analysis.stats.correlation.calibration import cross_fitted_line
from analysis.stats.saving.prediction_powered import prediction_powered_mean
from corpus.models import Study
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.study_files import import_path, imported_study, write_files

pytestmark = pytest.mark.django_db
PEOPLE = ("ann", "ben", "cem")
SEGMENTS = 90
SYSTEMS = ("one", "two")
TABLE = "Judges and metrics in place of a rater"


def answers() -> dict[str, dict[tuple[int, str], float]]:
    """Return what everybody gave: people who agree, a judge like them and one that guesses."""
    draw = random.Random(3)
    found: dict[str, dict[tuple[int, str], float]] = {
        who: {} for who in (*PEOPLE, "good-judge", "guessing-judge", "nearness")
    }
    for segment in range(SEGMENTS):
        for system in SYSTEMS:
            truth = draw.gauss(3, 1.2)
            near = {who: draw.gauss(truth, 0.8) for who in (*PEOPLE, "good-judge")}
            for who, value in near.items():
                found[who][segment, system] = min(5, max(1, round(value)))
            found["guessing-judge"][segment, system] = draw.randint(1, 5)
            found["nearness"][segment, system] = 100 + 10 * draw.gauss(truth, 0.1)
    return found


@pytest.fixture(scope="module")
def given():
    return answers()


@pytest.fixture(scope="module", autouse=True)
def _study(import_once, given):
    rated = [(who, "person") for who in PEOPLE]
    rated += [(who, "model") for who in ("good-judge", "guessing-judge")]
    import_once(
        {
            "segments.csv": [
                ["segment_id", "source"],
                *([f"s{n}", f"source {n}"] for n in range(SEGMENTS)),
            ],
            "outputs.csv": [
                ["segment_id", "system", "output"],
                *([f"s{n}", each, f"{each} {n}"] for n in range(SEGMENTS) for each in SYSTEMS),
            ],
            "ratings.csv": [
                ["segment_id", "system", "rater", "rater_kind", "aspect", "score"],
                *(
                    [f"s{n}", system, who, kind, "fluency", str(value)]
                    for who, kind in rated
                    for (n, system), value in given[who].items()
                ),
            ],
            "study.json": {"metrics": {"nearness": {"orientation": "higher"}}},
            "metric_scores.csv": [
                ["segment_id", "system", "metric", "aspect", "score"],
                *(
                    [f"s{n}", system, "nearness", "fluency", repr(value)]
                    for (n, system), value in given["nearness"].items()
                ),
            ],
        },
        "judged",
    )


def laid_out(values) -> np.ndarray:
    return np.array([[values[n, system] for system in SYSTEMS] for n in range(SEGMENTS)])


def test_judges_and_metrics_are_tested_beside_people_and_the_page_says_who_may(study, given):
    page = open_page(reader("ria", "judged"), "/studies/judged/stand-in/?resamples=100")
    table = tables(page)[TABLE]
    verdicts = {
        cells[0].text.split()[0]: cells[1].text.split(" about")[0] for _, cells in table.rows
    }
    assert verdicts["good-judge"] == verdicts["nearness"] == "may"
    assert verdicts["guessing-judge"] == "may not"
    assert {verdicts[who] for who in PEOPLE} == {"may"}
    (answer,) = [each for each in page.iter("section") if each.get("class") == "answer"]
    said = words(answer)
    assert (
        "nearness and good-judge on fluency (models) may take the place of a rater of fluency."
        in said
    )
    assert (
        "guessing-judge on fluency (models) may not take the place of a rater of fluency." in said
    )
    assert "By the same test 3 of 3 raters may take the place of the others." in said

    # The numbers are those of the test on the same values, a metric's on the raters' scale.
    ratings = np.array([laid_out(given[who]) for who in PEOPLE])
    human = ratings.mean(axis=0)
    judged = {
        "good-judge": laid_out(given["good-judge"]),
        "guessing-judge": laid_out(given["guessing-judge"]),
        "nearness": cross_fitted_line(laid_out(given["nearness"]), human, seed=Question().seed),
    }
    rows = {
        row["metric"].split()[0]: row
        for row in report(study, "stand-in", Question(resamples=100))["content"]["rows"]
    }
    assert rows.keys() == judged.keys()
    for name, values in judged.items():
        expected = alternative_annotator_test(
            ratings.reshape(3, -1), values.ravel(), scoring="squared error", epsilon=0.15
        )
        results = rows[name]["results"]
        assert results["winning-rate"]["value"] == expected.winning_rate.value
        assert results["advantage"]["value"] == pytest.approx(expected.advantage.value)
        assert results["advantage"]["interval"]["method"].endswith("over segments")
        assert rows[name]["fitted"] == (name == "nearness")
        assert [each["rater"] for each in rows[name]["beside"]] == [*PEOPLE]


def test_shares_and_means_of_unrated_outputs_are_corrected_for_the_errors_of_a_judge(tmp_path):
    draw = random.Random(6)
    rows = [["segment_id", "system", "rater", "rater_kind", "aspect", "score"]]
    people, judge = {}, {}
    for segment in range(120):
        for system, lift in (("one", 0.0), ("two", 1.0)):
            truth = draw.gauss(2.6 + lift, 1.0)
            judge[segment, system] = min(5, max(1, round(truth + 0.7 + draw.gauss(0, 0.7))))
            rows.append(
                [f"s{segment}", system, "judge", "model", "fluency", judge[segment, system]]
            )
            for who in PEOPLE if segment < 60 else ():
                value = min(5, max(1, round(draw.gauss(truth, 0.5))))
                people.setdefault((segment, system), []).append(value)
                rows.append([f"s{segment}", system, who, "person", "fluency", value])
    matrices.forget()
    import_path(
        write_files(
            tmp_path / "small",
            {
                "segments.csv": [["segment_id", "source"], *([f"s{n}", "x"] for n in range(120))],
                "outputs.csv": [
                    ["segment_id", "system", "output"],
                    *([f"s{n}", each, f"{each} {n}"] for n in range(120) for each in SYSTEMS),
                ],
                "ratings.csv": [[str(cell) for cell in row] for row in rows],
            },
        )
    )
    study = Study.objects.get(slug="small")
    content = report(study, "stand-in", Question(resamples=100))["content"]
    assert content["cut"] == 3
    human = {at: np.mean(values) for at, values in people.items()}
    is_so = np.array([human[at] >= 3 for at in human])
    said = np.array([judge[at] >= 3 for at in human])
    (error,) = content["errors"]
    assert error["sensitivity"]["value"] == pytest.approx(said[is_so].mean())
    assert error["specificity"]["value"] == pytest.approx((~said[~is_so]).mean())
    told = {(row["of"], row["system"]): row["results"] for row in content["told"]}
    assert told.keys() == {
        *(("share", each) for each in SYSTEMS),
        *(("mean", each) for each in SYSTEMS),
        ("difference", "one − two"),
    }
    more = np.array([judge[n, "one"] >= 3 for n in range(60, 120)])
    share = told["share", "one"]
    assert share["judge"]["value"] == pytest.approx(more.mean())
    right, wrong = said[is_so].mean(), (~said[~is_so]).mean()
    corrected = (more.mean() + wrong - 1) / (right + wrong - 1)
    assert share["corrected"]["value"] == pytest.approx(corrected)
    # The judge is too kind; of unrated outputs of this system fewer count than it says.
    assert share["corrected"]["value"] < share["judge"]["value"]
    expected = prediction_powered_mean(
        [human[n, "one"] - human[n, "two"] for n in range(60)],
        [judge[n, "one"] - judge[n, "two"] for n in range(60)],
        [judge[n, "one"] - judge[n, "two"] for n in range(60, 120)],
        clipped=False,
    )
    difference = told["difference", "one − two"]
    assert difference["powered"]["value"] == pytest.approx(expected.powered.value)
    assert difference["rated"]["value"] == pytest.approx(expected.classical.value)
    page = tables(open_page(reader("ria", "small"), "/studies/small/stand-in/?resamples=100"))
    assert len(page["Shares of outputs estimated from ratings and judges"].rows) == 2
    cut = report(study, "stand-in", Question(resamples=100, cut=4.0))["content"]
    assert cut["errors"][0]["sensitivity"]["value"] != error["sensitivity"]["value"]
    matrices.forget()


RELEASED = {"wax": "relation", "10k_prompts": "quality", "cebab_stars": "stars"}


def released_files(folder, name: str) -> dict[str, object]:
    """The files of a released data set: words as judgements with their categories, or numbers."""
    aspect, words = RELEASED[name], name == "wax"
    rows = [["segment_id", "system", "rater", "rater_kind", "aspect"]]
    rows[0].append("judgement" if words else "score")
    for who, kind in (("human", "person"), ("llm", "model")):
        answers = json.loads((folder / name / f"{who}_annotations.json").read_text())
        for rater, given in answers.items():
            rows += [[item, "given", rater, kind, aspect, str(given[item])] for item in given]
    met = sorted({row[-1] for row in rows[1:]})
    declared = {"categories": {aspect: met}} if words else {"scales": {aspect: [1, 5]}}
    return {"ratings.csv": rows, "study.json": {"without_texts": True, **declared}}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == "wax" else pytest.mark.nightly) for name in RELEASED],
)
def test_released_sets_go_in_and_come_out_by_page_command_and_api(golden, tmp_path, name):
    matrices.forget()
    folder = golden / "alttest"
    expected = json.loads((folder / "expected.json").read_text())["data_sets"][name]
    job = import_path(write_files(tmp_path / "small", released_files(folder, name)))
    assert job.state == "done", job.result
    query = {"aspect": RELEASED[name], "epsilon": str(expected["epsilon"]), "resamples": "100"}
    client = reader("ria", "small")
    written = tmp_path / "report.json"
    options = [part for each in query.items() for part in (f"--{each[0]}", each[1])]
    call_command("report", "small", "--kind", "stand-in", *options, "--output", str(written))
    by_api = client.get("/api/v1/studies/small/reports/stand-in/", query).json()["content"]
    assert json.loads(written.read_text())["content"] == by_api
    rows = {row["name"].partition(" on ")[0]: row for row in by_api["rows"]}
    assert rows.keys() == expected["judges"].keys()
    page = open_page(client, f"/studies/small/stand-in/?{urlencode(query)}")
    shown = tables(page)[TABLE]
    for judge, wanted in expected["judges"].items():
        results = rows[judge]["results"]
        assert results["winning-rate"]["value"] == pytest.approx(wanted["winning_rate"], abs=1e-8)
        assert results["winning-rate"]["n"] == wanted["items_used"]
        advantage = wanted["advantage_probability"]
        assert results["advantage"]["value"] == pytest.approx(advantage, abs=1e-9)
        assert (rows[judge]["verdict"] == "may") == wanted["passes"]
        assert {each["rater"] for each in rows[judge]["beside"]} == {*wanted["per_annotator"]}
        for each in rows[judge]["beside"]:
            line = wanted["per_annotator"][each["rater"]]
            assert each["items"] == line["items"]
            assert each["judge_as_good"] == pytest.approx(line["judge_as_good"], abs=1e-9)
            assert each["rater_as_good"] == pytest.approx(line["annotator_as_good"], abs=1e-9)
            assert each["p_value"] == pytest.approx(line["p"], abs=1e-9)
        (cells,) = [cells for _, cells in shown.rows if cells[0].text.split()[0] == judge]
        facts = cells[shown.headings.index("As good as a rater, ρ")].numbers[0].facts
        assert float(facts["unrounded"]) == pytest.approx(advantage, abs=1e-9)
    assert not rows[judge]["fitted"]
    matrices.forget()


def test_votes_are_tested_by_accuracy_and_both_orders_of_a_pair_are_one_answer(tmp_path):
    draw = random.Random(8)
    rows = [["segment_id", "system", "against", "rater", "rater_kind", "judgement"]]
    answers = {who: [] for who in (*PEOPLE, "judge", "guess, few-shot", "guess, zero-shot")}

    def vote(who: str, kind: str, segment: int, better: str) -> None:
        pair = draw.sample(SYSTEMS, 2)
        rows.append([f"s{segment}", *pair, who, kind, better])

    for segment in range(60):
        truth = draw.choice([*SYSTEMS, "tie"])
        for who in PEOPLE:
            better = truth if draw.random() < 0.7 else draw.choice(SYSTEMS)
            vote(who, "person", segment, better)
            answers[who].append(better)
        orders = [truth if draw.random() < 0.8 else draw.choice(SYSTEMS) for _ in range(2)]
        for order, better in zip(("one order", "other order"), orders, strict=True):
            vote(f"judge, {order}", "model", segment, better)
        answers["judge"].append(orders[0] if orders[0] == orders[1] else "tie")
        for who in ("guess, few-shot", "guess, zero-shot"):
            answers[who].append(draw.choice(SYSTEMS))
            vote(who, "model", segment, answers[who][-1])
    matrices.forget()
    files = {"ratings.csv": rows, "study.json": {"without_texts": True}}
    study = imported_study(tmp_path / "small", files)
    content = report(study, "stand-in", Question(resamples=100))["content"]
    assert (content["answered_by"], content["raters"]) == ("choices", len(PEOPLE))
    codes = {who: [[*SYSTEMS, "tie"].index(b) for b in given] for who, given in answers.items()}
    assert {row["name"] for row in content["rows"]} == {*codes} - {*PEOPLE}
    for row in content["rows"]:
        expected = alternative_annotator_test(
            [codes[who] for who in PEOPLE], codes[row["name"]], scoring="accuracy", epsilon=0.15
        )
        assert row["results"]["winning-rate"]["value"] == expected.winning_rate.value
        assert row["results"]["advantage"]["value"] == pytest.approx(expected.advantage.value)
        assert "scoring:accuracy" in row["results"]["advantage"]["signature"]
        assert row["results"]["alpha-with"]["signature"].startswith("krippendorff-alpha")
    page = open_page(reader("ria", "small"), "/studies/small/stand-in/?resamples=100")
    verdicts = {cells[0].text: cells[1].text for _, cells in tables(page)[TABLE].rows}
    assert verdicts["judge"] == "may"
    assert "how many of the other raters of a pair gave the same answer" in words(page)
    one = report(study, "stand-in", Question(resamples=100, metric=("judge*",)))["content"]
    assert [row["name"] for row in one["rows"]] == ["judge"]
    matrices.forget()
