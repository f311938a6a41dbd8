"""The try-it pages: what models and metrics make of two texts, and the nearest rated segments."""

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from analysis.data import matrices
from corpus.models import Membership
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import integrated_gradients
from metrics.attribution.masking import MaskingRule, mask_by_attribution
from metrics.models import WordAttributions
from metrics.resources.trained_models import folder_of, stored_classifier
from metrics.trials.trial import LONGEST_TEXT, own_turn
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import parse, tables, words
from tests.fixtures.study_files import TABLES
from tests.fixtures.style_training import train, transformer

pytestmark = pytest.mark.django_db
SOURCE = "the food was awful with the soup 1 ."
OUTPUT = "the food was lovely with the soup 1 ."


@pytest.fixture(autouse=True)
def _files_apart(tmp_path, one_thread):
    from analysis.nearest import _embedded_sources

    # Studies of other tests had the same keys.
    _embedded_sources.cache_clear()
    with override_settings(MEDIA_ROOT=tmp_path / "files"):
        yield


FILES = TABLES


@pytest.fixture(autouse=True)
def _no_matrices():
    matrices.forget()


@pytest.fixture
def client(study):
    return signed_in("reader", study)


def signed_in(name, *studies):
    person = User.objects.create_user(name)
    for study in studies:
        Membership.objects.create(study=study, user=person, role="researcher")
    client = Client()
    client.force_login(person)
    return client


def send(client, address="/try/", status=200, **given):
    reply = client.post(address, {"source": SOURCE, "output": OUTPUT, **given})
    assert reply.status_code == status, reply.content[:2000]
    return parse(reply.content.decode())


def coloured(page):
    """Words of the page with the numbers above them, text by text."""
    return [
        [(ruby.text, ruby.find("rt").text, ruby.get("class", "")) for ruby in part.iter("ruby")]
        for part in page.iter("p")
        if "attributed" in part.get("class", "")
    ]


# What is shown


def test_each_model_shows_styles_before_and_after(client, study, tmp_path, own):
    model = train(study, tmp_path)
    shown = tables(send(client))["Styles before and after"]
    expected = stored_classifier(model).predict([SOURCE, OUTPUT], [-1, -1])
    for column, style in at_least_one(enumerate(model.styles)):
        (row,) = [cells for _, cells in shown.rows if cells[0].text == style]
        numbers = [cell.text.replace("−", "-") for cell in row[1:]]
        wanted = [*expected[:, column], expected[1, column] - expected[0, column]]
        assert [float(each) for each in numbers] == pytest.approx(wanted, abs=6e-4)


def test_words_carry_their_share_as_text_and_masks_are_those_of_the_rule(
    client, study, tmp_path, own
):
    model = transformer(study, tmp_path)
    page = send(client, target_style="positive")
    classifier = TransformerClassifier(folder_of(model))
    found = integrated_gradients(classifier, [SOURCE, OUTPUT], [1, 1])
    assert "".join(word for word, _, _ in coloured(page)[1]) == OUTPUT.replace(" ", "")
    for shares in coloured(page):
        assert sum(abs(int(n.replace("−", "-"))) for _, n, _ in shares) == pytest.approx(100, abs=5)
    shown = tables(page)
    for name, text, attribution in zip(("Source", "Output"), (SOURCE, OUTPUT), found, strict=True):
        for _, cells in shown[f"{name} masked"].rows:
            masked = mask_by_attribution(text, attribution, MaskingRule(float(cells[0].text)))
            assert cells[1].text == masked.text
    assert WordAttributions.objects.count() == 0


def test_metrics_show_scores_reasons_and_what_is_missing(client, own):
    page = send(client, reference="a reference")
    shown = tables(page)["Metrics"]
    rows = {(cells[0].text.split()[-1], cells[1].text): cells for _, cells in shown.rows}
    assert float(rows["edit-distance", "source"][2].text) > 0
    assert ("length-ratio", "reference") in rows
    assert "against" not in rows
    for _, cells in shown.rows:
        assert cells[3].text


def test_style_metrics_ask_for_a_target_style_and_use_the_chosen_model(
    client, study, tmp_path, monkeypatch
):
    from metrics.scorers import registry

    chosen = {key: registry.scorers()[key] for key in ("sti", "style-score", "exact-match")}
    monkeypatch.setattr("metrics.trials.scores.scorers", lambda: chosen)
    assert "choose a style classifier" in words(send(client))
    model = train(study, tmp_path)
    before, after = stored_classifier(model).predict([SOURCE, OUTPUT], [-1, -1])[:, 1]
    rows = tables(send(client, target_style="positive"))["Metrics"].rows
    assert float(rows[0][1][2].text) == pytest.approx(after - before, abs=6e-4)
    assert "choose a style model that grades one style" in rows[1][1][3].text
    assert "Undefined, because" in tables(send(client))["Metrics"].rows[0][1][3].text


# Who may see what


def test_models_of_other_studies_are_neither_shown_nor_taken(client, tmp_path, own):
    from corpus.imports.service import create_study

    other = create_study("other", User.objects.create_user("somebody"))
    hidden = train(other, tmp_path)
    assert "There is no trained style model" in words(send(client))
    send(client, status=400, model=str(hidden.pk))
    hidden.study = None
    hidden.save()
    assert "Styles before and after" in tables(send(client))


def test_a_study_of_others_is_not_told(client):
    stranger = signed_in("stranger")
    assert stranger.get("/try/?study=small").status_code == 404
    assert stranger.post("/studies/small/try/", {"source": "a", "output": "b"}).status_code == 404
    assert Client().get("/try/").status_code == 302


# Input


def test_bad_input_is_said_beside_its_field(client):
    page = send(client, status=400, source="a" * (LONGEST_TEXT + 1), output=" ")
    text = words(page)
    assert f"The text has {LONGEST_TEXT + 1} characters" in text
    assert "This field is required" in text
    send(client, status=400, target_style="rude")


def test_a_second_trial_at_a_time_is_told_to_come_again(client, own, monkeypatch):
    monkeypatch.setattr("metrics.trials.views.own_turn", partial(own_turn, 0.2))
    with own_turn():
        assert "try again in a few seconds" in words(send(client, status=503))
    send(client)


# In a study
