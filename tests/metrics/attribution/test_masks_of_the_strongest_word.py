"""The strongest word is always masked; the rule that may leave it is a variant with its name."""

import io
import json

import numpy as np
import pytest
from django.core.management import call_command
from django.test import override_settings

from analysis.data import matrices
from analysis.models import Result
from corpus.jobs.worker import run_next
from metrics.attribution.attribution import PIECE, Attribution
from metrics.attribution.masking import MaskingRule, mask_by_attribution
from metrics.models import MetricRun
from metrics.runs.text_settings import parse as parse_texts
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.html_forms import fields_of
from tests.fixtures.rated_reviews import with_transformer
from tests.fixtures.report_pages import parse, tables

pytestmark = pytest.mark.django_db
prepare = with_transformer
TEXT = "the food was terrible and cold"
SHARES = {"the": 0.02, "food": 0.06, "was": 0.01, "terrible": 0.7, "and": 0.01, "cold": 0.2}
TRIED = {"source": "the food was awful", "output": "the food was lovely"}
MASKED = {"kind": "style_masked", "by": "attribution", "model": "tiny", "threshold": 0.1}
SWEPT = {"metric": "counting", "aspect": "content", "against": "source", "thresholds": [0.1]}
SWEPT |= {"masks": ["padding"], "units": ["words"]}


@pytest.fixture(autouse=True)
def _apart(tmp_path, one_thread):
    matrices.forget()
    with override_settings(DATA_DIR=tmp_path):
        yield
    matrices.forget()


@pytest.fixture
def client(study):
    return signed_in("owner", study)


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5])
def test_the_word_that_carries_the_style_is_masked_at_every_threshold(threshold):
    pieces, place = [], 0
    for word, share in SHARES.items():
        pieces.append((place, place + len(word), False, share))
        place += len(word) + 1
    found = Attribution(0, np.array(pieces, PIECE), np.array([1.0, 0.0]), 0.0)
    masked = mask_by_attribution(TEXT, found, MaskingRule(threshold))
    assert masked.text == TEXT.replace("terrible", "[PAD]")
    kept = mask_by_attribution(TEXT, found, MaskingRule(threshold, at_least_one=False))
    assert kept.text == TEXT


def test_try_it_masks_a_word_at_every_threshold_and_offers_the_other_rule(client, study):
    address = "/studies/small/try/"
    fields = fields_of(client.get(address).text, "source")
    assert fields["rule"] == ["at-least-one"]

    def masked(**changes):
        page = parse(client.post(address, TRIED | changes).content.decode())
        return [cells[1].text for _, cells in tables(page)["Output masked"].rows]

    assert TRIED["output"] not in masked()
    assert masked(rule="within-share")[0] == TRIED["output"]
    out = io.StringIO()
    call_command("try_texts", "small", **TRIED, rule="within-share", stdout=out)
    printed = json.loads(out.getvalue())["words"]
    assert printed["rule"] == "within-share"
    assert printed["texts"][1]["masked"][0]["text"] == TRIED["output"]
    reader = client_of("reader", study, "researcher")
    sent = reader.post(f"{API}studies/small/try/", TRIED, format="json").json()["words"]
    assert sent["rule"] == "at-least-one"
    assert all(row["text"] != TRIED["output"] for row in sent["texts"][1]["masked"])


def test_a_sweep_offers_both_rules_and_takes_the_published_one_by_default(client, own):
    address = "/studies/small/sweep/"
    fields = fields_of(client.get(address).text, "metric")
    assert fields["rules"] == ["at-least-one"]
    both = {"model": "tiny", "scores": "raw", "rules": ["at-least-one", "within-share"]}
    client.post(address, SWEPT | both)
    assert run_next().state == "done"
    lines = [row["line"] for row in Result.objects.get().content["rows"]]
    usual = "[PAD] in their place, whole words"
    other = f"{usual}, nothing is masked where the strongest word alone exceeds the threshold"
    assert lines == ["plain texts", usual, other]
    names = set(MetricRun.objects.values_list("name", flat=True))
    masked = "counting/source/style_masked/attribution/threshold=0.1"
    assert names == {"counting/source", masked, f"{masked}/at_least_one=no"}


def test_the_report_of_2022_is_a_rule_of_its_own_with_pieces_whatever_the_units(study, own):
    out = io.StringIO()
    options = {"threshold": [0.1], "mask": ["padding"], "units": ["words", "pieces"]}
    rules = ["at-least-one", "report-2022"]
    call_command(
        "sweep", "small", "counting", "content", **options, against="source", rule=rules, stdout=out
    )
    preset = parse_texts(study, MASKED | {"preset": "report-2022"}).signature()
    assert "special:ranked" in preset
    assert MetricRun.objects.filter(signature__contains=preset).count() == 1
    # Plain texts, words and pieces by the usual rule, and once the report's settings.
    assert MetricRun.objects.count() == 4
    assert out.getvalue().count("the settings of the report of 2022") == 1
