"""Parameter sweeps: ordinary runs, attributions computed once, an honest choice, on pages."""

import os
from unittest.mock import patch

import numpy as np
import pytest
from django.test import Client, override_settings
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.data.picking import pick
from analysis.data.selection import default_columns, human_scores
from analysis.filter.question import Question
from analysis.models import Result
from analysis.sweeps.asked import MOST_SETTINGS, Sweep, SweepError, read_grid
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import integrated_gradients
from metrics.attribution.masking import MaskingRule, mask_by_attribution
from metrics.resources.trained_models import folder_of
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.listed_places import listed
from tests.fixtures.rated_reviews import SEGMENTS, rated_reviews
from tests.fixtures.report_pages import open_page, parse, reader, tables, words
from tests.fixtures.style_training import transformer

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/sweep/"
SENT = {
    "metric": "counting",
    "aspect": "content",
    "scores": "raw",
    "against": "source",
    "model": "tiny",
    "thresholds": ["0.2", "0.5"],
    "masks": ["padding", "removal"],
    "units": ["words"],
}
SYSTEMS = ("cut", "add")


@pytest.fixture(scope="module", autouse=True)
def _reviews(once, tmp_path_factory):
    """The study and its one classifier, which is trained once for all tests."""
    with override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("files")):
        with patch.dict(os.environ):
            once(lambda folder: transformer(rated_reviews(folder / "small"), folder))
        yield


@pytest.fixture(autouse=True)
def _read_anew(one_thread):
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def model(study):
    return study.trained_models.get()


@pytest.fixture
def client(study) -> Client:
    return signed_in("owner", study)


def swept(client, **changes) -> Result:
    """Send the form and let the worker do the job."""
    reply = client.post(ADDRESS, SENT | changes)
    assert reply.status_code == 302, reply.content[:3000]
    job = Job.objects.get(pk=int(reply.url.strip("/").split("/")[-1]))
    run_next()
    job.refresh_from_db()
    assert job.state == "done", job.error
    return Result.objects.get(pk=job.result["sweep"])


def refused(client, **changes) -> str:
    reply = client.post(ADDRESS, SENT | changes)
    assert reply.status_code == 400
    return words(parse(reply.content.decode()))


# What is computed


def test_every_setting_has_the_correlation_of_texts_masked_by_hand(client, study, model, own):
    rows = swept(client).content["rows"]
    data = matrices.load(Study.objects.get())
    # Reports take the plain texts, and the trials where all are asked for.
    [plain] = default_columns(data, Question())
    assert plain.run.text_setting == ""
    assert len(default_columns(data, Question(candidates="all"))) == len(rows)
    assert pick(data, Question(), "content").choice.trials == len(rows) - 1
    human = human_scores(data, Question(), "content")
    classifier = TransformerClassifier(folder_of(model))
    outputs = list(study.outputs.select_related("segment", "system").order_by("ordinal"))
    columns = [model.styles.index(output.segment.target_style) for output in outputs]
    texts = [output.text for output in outputs]
    found = integrated_gradients(classifier, texts, columns)
    assert len(rows) == 5
    scores = []
    for row in rows:
        is_masked = row["threshold"] is not None
        mark = "" if "removed" in row["line"] else "[PAD]"
        rule = MaskingRule(row["threshold"] or 0.0, mark, at_least_one=is_masked)
        lengths = {}
        for output, attribution in zip(outputs, found, strict=True):
            masked = mask_by_attribution(output.text, attribution, rule)
            place = output.segment.key, output.system.name
            lengths[place] = np.nan if masked.is_emptied else len(masked.text)
        scores.append(
            [
                [lengths[key, name] - lengths[key, "(source)"] for name in SYSTEMS]
                for key in data.segment_keys
            ]
        )
    scores = np.array(scores, dtype=float)
    common = np.isfinite(scores).all(axis=0) & np.isfinite(human)
    assert common.sum() > SEGMENTS
    for row, values in zip(rows, scores, strict=True):
        expected = pearsonr(values[common], human[common])[0]
        assert row["result"]["value"] == pytest.approx(expected, abs=1e-9)
        assert row["result"]["interval"]["low"] < expected < row["result"]["interval"]["high"]


def test_a_failing_setting_stops_the_sweep_in_words(client, study, model, own):
    reply = client.post(ADDRESS, SENT | {"metric": "broken", "against": ""})
    job = Job.objects.get(pk=int(reply.url.strip("/").split("/")[-1]))
    run_next()
    job.refresh_from_db()
    assert job.state == "failed"
    assert "out of order" in job.error
    assert not Result.objects.exists()


# What is shown


def test_the_page_tells_the_honest_choice_from_the_apparent_one(client, study, model, own):
    result = swept(client)
    page = open_page(reader("ada", "small"), f"{ADDRESS}{result.pk}/")
    content = result.content
    shown = tables(page)["Settings"]
    assert len(shown.rows) == len(content["rows"])
    for (_, cells), row in zip(shown.rows, content["rows"], strict=True):
        assert cells[2].numbers[0].facts["unrounded"] == f"{row['result']['value']:.10g}"
    text = words(page)
    assert "on segments that did not choose" in text
    assert f"{content['honest']['value']:.3f}".replace("-", "−") in text
    assert open_page(client, ADDRESS) is not None


def test_curves_and_tables_are_downloaded(client, study, model, own):
    result = swept(client)
    for name, start in (("svg", b"<svg"), ("csv", b""), ("json", b"{"), ("vl.json", b"{")):
        reply = client.get(f"{ADDRESS}{result.pk}/curves.{name}")
        assert reply.status_code == 200
        assert reply.content.startswith(start)
    table = client.get(f"{ADDRESS}{result.pk}/curves.csv").content.decode()
    assert "nested selection" in table
    assert client.get(f"{ADDRESS}{result.pk}/heat-map.svg").status_code == 200
    assert client.get(f"{ADDRESS}{result.pk}/curves.exe").status_code == 404
    assert client.get(f"{ADDRESS}{result.pk}/bars.svg").status_code == 404
    assert client.get(f"{ADDRESS}{result.pk}/curves.svg?theme=pink").status_code == 400
    refused = client.get(f"{ADDRESS}{result.pk}/curves.svg?statistic=spearman")
    assert refused.status_code == 400
    assert "the sweep page does not use it" in refused.content.decode()


# Who and what is refused


def test_researchers_look_and_start_nothing(client, study, own):
    ada = reader("ada", "small")
    assert ada.get(ADDRESS).status_code == 200
    assert ada.post(ADDRESS, SENT).status_code == 403
    assert not Job.objects.filter(kind="sweep").exists()


def test_what_cannot_be_swept_is_said_beside_the_form(client, study, model, own):
    assert "line 1" in refused(client, grid="plus: 3")
    assert "found '12', expected a number from 0 to 9" in refused(client, grid="plus = 1, 12")
    assert "2 to" in refused(client, model="", grid="")
    assert f"2 to {MOST_SETTINGS}" in refused(
        client, grid="plus = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9", thresholds=["0.1", "0.2", "0.3", "0.4"]
    )
    assert "the weights are not installed" in refused(client, metric="absent", against="")
    assert "Select a valid choice" in refused(client, aspect="none")


def test_settings_are_every_combination():
    sweep = Sweep("cps", "content", "", "m", (0.1, 0.2), ("padding",), ("words", "pieces"))
    made = sweep.settings()
    assert [each.threshold for each in made] == [None, 0.1, 0.2, 0.1, 0.2]
    assert made[3].request.text["merge_words"] is False
    listed("owner/a", "a")
    assert read_grid("cps", "\n model = a , minilm,a\n") == {"model": ["a", "minilm"]}
    with pytest.raises(SweepError, match=r"model: found '/etc', expected one of minilm, .*a; "):
        read_grid("cps", "model = a, /etc")
    with pytest.raises(SweepError, match=r"no parameter .colour.; parameters: .*model"):
        read_grid("cps", "colour = red")
