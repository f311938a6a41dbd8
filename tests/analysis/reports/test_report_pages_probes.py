"""What moves a judge: planted effects are found, from files and answers to the page."""

import random

import numpy as np
import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.judging.asked import Judging, ask_judge
from analysis.reports.service import report
from analysis.stats.comparison.clustered_effects import length_correlation, own_family_shift
from corpus.models import Study
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from tests.fixtures.judge_address import judge_address, reply
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SEGMENTS = 30
SYSTEMS = {"own": "big-judge", "other": "small"}


@pytest.fixture
def study(tmp_path) -> Study:
    matrices.forget()
    draw = random.Random(2)
    texts, human, judge = {}, {}, {}
    for segment in range(SEGMENTS):
        for system in SYSTEMS:
            length = draw.randint(3, 12)
            texts[segment, system] = " ".join(["word"] * length) + f" {segment} {system}"
            human[segment, system] = draw.randint(1, 5)
            favour = 1.0 if system == "own" else 0.0
            score = 0.5 * human[segment, system] + favour + 0.3 * length + draw.gauss(0, 0.3)
            judge[segment, system] = score
    rows = [["segment_id", "system", "rater", "rater_kind", "aspect", "score"]]
    rows += [[f"s{n}", each, "ann", "person", "fluency", str(v)] for (n, each), v in human.items()]
    rows += [
        [f"s{n}", each, "big-judge-v2", "model", "fluency", repr(v)]
        for (n, each), v in judge.items()
    ]
    import_path(
        write_files(
            tmp_path / "small",
            {
                "segments.csv": [
                    ["segment_id", "source"],
                    *([f"s{n}", f"source {n}"] for n in range(SEGMENTS)),
                ],
                "outputs.csv": [
                    ["segment_id", "system", "output"],
                    *([f"s{n}", each, text] for (n, each), text in texts.items()),
                ],
                "systems.csv": [["system", "family"], *([n, f] for n, f in SYSTEMS.items())],
                "ratings.csv": rows,
            },
        )
    )
    study = Study.objects.get(slug="small")
    study.texts, study.human, study.judge = texts, human, judge
    yield study
    matrices.forget()


def in_order(values) -> np.ndarray:
    return np.array([values[n, system] for n in range(SEGMENTS) for system in SYSTEMS])


def test_length_and_own_family_are_found_in_existing_scores(study) -> None:
    content = report(study, "probes", Question())["content"]
    (row,) = content["rows"]
    scores, human = in_order(study.judge), in_order(study.human)
    lengths = in_order({at: len(text.split()) for at, text in study.texts.items()})
    results = row["results"]
    assert results["length"]["value"] == pytest.approx(length_correlation(scores, lengths).value)
    partial = length_correlation(scores, lengths, human)
    assert results["length-at-equal-human-score"]["value"] == pytest.approx(partial.value)
    own = np.tile([True, False], SEGMENTS)
    shift = own_family_shift(scores, human, own, np.repeat(np.arange(SEGMENTS), 2))
    assert results["own-family"]["value"] == pytest.approx(shift.value)
    assert results["own-family"]["interval"]["low"] > 0
    page = open_page(reader("ria", "small"), "/studies/small/probes/")
    (answer,) = [each for each in page.iter("section") if each.get("class") == "answer"]
    said = words(answer)
    assert "scores longer outputs higher" in said
    assert "scores outputs of its own family higher" in said
    assert len(tables(page)["Length and own family in scores"].rows) == 1


def test_copies_samples_and_order_of_texts_are_found_by_asking(study) -> None:
    def answer(body):
        prompt = body["messages"][0]["content"]
        if "Text A:" in prompt:
            return 200, reply("A")
        if body["temperature"]:
            return 200, reply("2" if body["seed"] % 2 else "4")
        longer = "nothing more to be said" in prompt
        return 200, reply("4" if longer else "1" if "**" in prompt else "3")

    with judge_address() as server:
        server.answer = answer
        wanted = RunRequest(
            "judge-probes",
            {"base_url": server.url, "model": "m1", "prompt": "Rate {output}", "samples": 2},
        )
        asked, jobs = ask_for_runs(study, [wanted], None)
        assert not asked.refused
        run_by_id(jobs[0].pk)
        (job,) = ask_judge(study, Judging(model="m1", base_url=server.url, segments=10), None)
        assert run_by_id(job.pk).state == "done"
    content = report(study, "probes", Question())["content"]
    (run,) = content["copies"]
    found = {name: result["value"] for name, result in run["results"].items()}
    assert found == {
        "verbosity": pytest.approx(1),
        "format": pytest.approx(-2),
        "order-of-options": pytest.approx(0),
        "repeatability": pytest.approx(2**0.5),
    }
    assert run["outputs"] == SEGMENTS * len(SYSTEMS)
    # Other reports of metrics leave the numbers of probes out.
    assert not [row for row in content["rows"] if "probes" in row["metric"]]
    (pairs,) = content["pairs"]
    assert pairs["pairs"] == 10
    assert pairs["results"]["position"]["value"] == 1
    assert pairs["results"]["position"]["n"] == 20
    assert pairs["results"]["consistency"]["value"] == 0
    page = open_page(reader("ria", "small"), "/studies/small/probes/")
    (answer,) = [each for each in page.iter("section") if each.get("class") == "answer"]
    assert "prefers the text on side A, whichever it is" in words(answer)
    assert "m1: a sentence without content raises its number by 1.00 on average" in words(answer)
