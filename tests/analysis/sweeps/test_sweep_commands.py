"""Sweeps and trials by the API and by commands give what their pages give."""

import io
import json

import numpy as np
import pytest
from django.core.management import call_command
from django.test import override_settings
from sacrebleu.metrics import CHRF
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.data.selection import human_scores
from analysis.filter.question import Question
from analysis.models import Result
from corpus.jobs.worker import run_next
from corpus.models import Output, Study
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.rated_reviews import rated_reviews
from tests.fixtures.style_training import train

pytestmark = pytest.mark.django_db
BETAS = [1, 3]
SWEEP = {"metric": "chrf", "aspect": "content", "against": "source", "grid": {"beta": BETAS}}
TEXTS = {"source": "the food was rude .", "output": "the food was lovely ."}


@pytest.fixture
def study(tmp_path) -> Study:
    matrices.forget()
    yield rated_reviews(tmp_path / "small")
    matrices.forget()


def expected(study: Study, beta: int) -> float:
    """Pearson's r of chrF with people, by sacreBLEU and SciPy."""
    chrf = CHRF(beta=beta)
    sources = dict(Output.objects.filter(system__kind="source").values_list("segment__key", "text"))
    scores = [
        chrf.sentence_score(output.text, [sources[output.segment.key]]).score
        for output in Output.objects.filter(system__kind="system")
        .select_related("segment")
        .order_by("segment__ordinal", "system__ordinal")
    ]
    data = matrices.load(study)
    human = human_scores(data, Question(), "content")
    return float(pearsonr(np.array(scores), human.ravel()).statistic)


def test_a_sweep_is_started_followed_and_read_through_the_api(study) -> None:
    client = client_of("ada", study, "owner")
    answer = client.post(f"{API}studies/small/sweeps/", SWEEP, format="json")
    assert answer.status_code == 202, answer.content
    job = run_next()
    assert job.state == "done", job.error
    [listed] = client.get(f"{API}studies/small/sweeps/").json()["results"]
    assert (listed["metric"], listed["aspect"], listed["settings"]) == ("chrf", "content", 2)
    assert listed["id"] == client.get(answer["Location"]).json()["result"]["sweep"]
    rows = client.get(listed["url"]).json()["rows"]
    assert [row["line"] for row in rows] == [f"plain texts, beta {n}" for n in BETAS]
    study.refresh_from_db()
    found = [row["result"]["value"] for row in rows]
    assert found == pytest.approx([expected(study, beta) for beta in BETAS], abs=1e-9)


def test_the_command_finds_the_same_and_prints_every_setting(study) -> None:
    out = io.StringIO()
    options = {"against": "source", "grid": ["beta=1,3"], "stdout": out, "verbosity": 0}
    call_command("sweep", "small", "chrf", "content", **options)
    study.refresh_from_db()
    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    for line, beta in zip(lines, BETAS, strict=False):
        assert line.startswith(f"chrf, plain texts, beta {beta}: r {expected(study, beta):.3f} [")
        assert line.endswith("n 32")
    assert lines[2].startswith("choosing the best, held out: r ")
    before = Result.objects.count()
    call_command("sweep", "small", "chrf", "content", **options | {"format": "json"})
    assert Result.objects.count() == before


def test_a_trial_through_the_api_and_by_command_says_what_its_page_says(study, tmp_path) -> None:
    with override_settings(MEDIA_ROOT=tmp_path / "files", DATA_DIR=tmp_path):
        model = train(study, tmp_path)
        reader = client_of("reader", study, "researcher")
        sent = TEXTS | {"target_style": "positive"}
        answer = reader.post(f"{API}studies/small/try/", sent, format="json")
        assert answer.status_code == 200, answer.content
        out = io.StringIO()
        call_command("try_texts", "small", **sent, stdout=out)
        wrong = reader.post(f"{API}studies/small/try/", sent | {"model": "none"}, format="json")
    assert json.loads(out.getvalue()) == answer.json()
    found = answer.json()
    [styles] = found["styles"]
    assert styles["model"] == "words"
    assert styles["output"]["positive"] > styles["source"]["positive"]
    assert found["words"]["missing"] == ""
    strongest = max(found["words"]["texts"][1]["words"], key=lambda word: word["share"])
    assert strongest["text"] == "lovely"
    metrics = {each["metric"]: each for each in found["metrics"]}
    [chrf] = metrics["chrf"]["comparisons"]
    score = CHRF().sentence_score(TEXTS["output"], [TEXTS["source"]]).score / 100
    assert chrf["compared_with"] == "source"
    assert chrf["numbers"]["score"] == pytest.approx(score, abs=1e-12)
    assert metrics["sti"]["quality"].startswith(f"{model.name}: held-out accuracy")
    assert wrong.status_code == 400
    assert "no style model 'none'; there are: words" in wrong.json()["detail"]
