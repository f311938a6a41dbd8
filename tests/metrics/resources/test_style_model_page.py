"""The page of a trained model draws how far it is right when it is sure."""

import csv

import pytest
from django.contrib.auth.models import User
from django.test import Client
from statsmodels.stats.proportion import proportion_confint

from tests.fixtures.rated_reviews import with_words
from tests.fixtures.report_pages import open_page, words

pytestmark = pytest.mark.django_db
prepare = with_words


@pytest.fixture
def model(study):
    model = study.trained_models.get()
    model.report |= {
        "texts": 130,
        "bins": [
            {"low": 0.4, "high": 0.5, "texts": 0, "confidence": None, "accuracy": None},
            {"low": 0.5, "high": 0.6, "texts": 30, "confidence": 0.55, "accuracy": 0.7},
            {"low": 0.9, "high": 1.0, "texts": 100, "confidence": 0.97, "accuracy": 0.91},
        ],
    }
    model.save(update_fields=["report"])
    return model


@pytest.fixture
def client(model):
    client = Client()
    client.force_login(User.objects.create_superuser("somebody"))
    return client


def test_the_picture_and_its_numbers_are_those_of_the_held_out_texts(client, model):
    address = f"/studies/small/styles/models/{model.pk}/"
    page = open_page(client, address)
    [figure] = page.iter("figure")
    assert figure.get("id") == "reliability"
    assert "right 0.700 where sure to 0.550, in 30 texts" in words(figure)
    picture = client.get(f"{address}calibration.svg")
    assert picture.status_code == 200
    assert "Calibration of words" in picture.text
    lines = client.get(f"{address}calibration.csv").content.decode("utf-8-sig").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert [int(row["n"]) for row in rows] == [30, 100]
    for row, right in zip(rows, (21, 91), strict=True):
        interval = proportion_confint(right, int(row["n"]), method="wilson")
        assert (float(row["low"]), float(row["high"])) == pytest.approx(interval, abs=1e-12)
