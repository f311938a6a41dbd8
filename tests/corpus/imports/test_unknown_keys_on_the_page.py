"""The mapping page says which segments and outputs are named and nowhere to be found."""

import pytest

from corpus.imports import trial
from tests.fixtures.import_pages import done
from tests.fixtures.import_shapes import CHOSEN_ROWS, TEXTS, TIDY

pytestmark = pytest.mark.django_db
HEADER = ["segment_id", "system", "rater", "aspect", "score"]


def with_ratings(*rows):
    return TEXTS | {"ratings.csv": [HEADER, *rows]}


def test_segments_that_no_file_has_are_named(pages):
    _, page = pages.upload(CHOSEN_ROWS)
    words = "5 segments that ratings name are neither in these files nor in the study: "
    assert f"{words}dev0, dev1, dev2, dev3, dev4." in page.text
    assert "something is wrong" in page.text


def test_what_the_study_has_already_is_known(pages):
    done(pages.press(*pages.upload(TEXTS)))
    ratings = {"ratings.csv": TIDY["ratings.csv"], "study.json": TEXTS["study.json"]}
    _, page = pages.upload(ratings)
    assert "neither in these files nor in the study" not in page.text
    more = {"ratings.csv": [HEADER, ("s1", "GPT", "ann", "style", 3), ("s9", "T5", "a", "x", 1)]}
    _, page = pages.upload(more)
    assert (
        "1 segment that ratings name is neither in these files nor in the study: s9." in page.text
    )
    assert "1 output that ratings name is neither" in page.text
    assert "GPT of s1." in page.text


def test_what_is_not_read_whole_is_left_to_the_import(pages, monkeypatch):
    monkeypatch.setattr(trial, "MOST_RECORDS", 5)
    _, page = pages.upload(with_ratings(("s9", "BART", "ann", "style", 3)))
    assert "neither in these files" not in page.text
    assert "The import checks that all their segments and outputs exist." in page.text
