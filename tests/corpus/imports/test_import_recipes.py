"""Each recipe of the page on mappings, imported by the command as the page says."""

import json
import re

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Rating
from corpus.models import Output, Segment
from corpus.tables import handler_for
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.query_files import read_queries
from tests.fixtures.documented_recipes import PAGE, recipes

pytestmark = pytest.mark.django_db
RECIPES = recipes()
COUNTS = {
    "documents.csv": (3, 3, 3),
    "rewrites.csv": (2, 2, 2),
    "answers.csv": (2, 2, 4),
    "crowd.csv": (2, 2, 5),
    "votes.csv": (3, 6, 3),
    "Batch_2_results.csv": (1, 2, 7),
    "nested.jsonl": (2, 2, 8),
}
"""Segments, outputs and ratings of each."""


def imported(folder, name, content, query):
    place = folder / name
    place.write_text(content, encoding="utf-8")
    mapping = folder / "mapping.sql"
    mapping.write_text(query, encoding="utf-8")
    call_command("import_study", str(place), mapping=mapping, study="recipe")


def ratings():
    names = ("submission__item__first__segment__key", "submission__item__first__system__name")
    names += ("submission__annotator__pseudonym", "aspect", "value")
    return sorted(Rating.objects.values_list(*names))


def test_the_page_has_a_recipe_under_each_heading():
    assert list(RECIPES) == list(COUNTS)
    assert len(re.findall(r"^## ", PAGE.read_text(), re.MULTILINE)) == len(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_imports_its_file_whole_and_again_adds_nothing(name, tmp_path, capsys):
    imported(tmp_path, name, *RECIPES[name])
    outputs = Output.objects.filter(system__kind="system")
    assert (Segment.objects.count(), outputs.count(), Rating.objects.count()) == COUNTS[name]
    capsys.readouterr()
    imported(tmp_path, name, *RECIPES[name])
    assert "already held all of this" in capsys.readouterr().out


def test_keys_of_documents_and_sentences_of_the_rows_that_count(tmp_path):
    imported(tmp_path, "documents.csv", *RECIPES["documents.csv"])
    assert list(Segment.objects.values_list("key", flat=True)) == [
        "news-1:1",
        "news-1:2",
        "news-2:1",
    ]


def test_words_are_scores_of_numbered_rows(tmp_path):
    imported(tmp_path, "rewrites.csv", *RECIPES["rewrites.csv"])
    assert ratings() == [
        ("1", "our model", "ann", "style", 1.0),
        ("2", "our model", "bob", "style", 0.0),
    ]


def test_answers_are_taken_out_of_their_cell(tmp_path):
    imported(tmp_path, "answers.csv", *RECIPES["answers.csv"])
    assert [(key, aspect, value) for key, _, _, aspect, value in ratings()] == [
        ("1", "grammaticality", 4.0),
        ("1", "meaning", 5.0),
        ("2", "grammaticality", 5.0),
        ("2", "meaning", 2.0),
    ]


def test_the_position_in_the_cell_is_the_rater(tmp_path):
    imported(tmp_path, "crowd.csv", *RECIPES["crowd.csv"])
    assert [(key, rater, value) for key, _, rater, _, value in ratings()] == [
        ("1", "1", 4.0),
        ("1", "2", 5.0),
        ("1", "3", 3.0),
        ("2", "1", 2.0),
        ("2", "2", 2.0),
    ]


def test_votes_name_the_winner_by_its_place(tmp_path):
    imported(tmp_path, "votes.csv", *RECIPES["votes.csv"])
    names = ("submission__item__first__system__name", "submission__item__second__system__name")
    winners = {
        (*sorted((first, second)), {"first": first, "second": second}.get(choice, choice))
        for first, second, choice in Rating.objects.values_list(*names, "choice")
    }
    assert winners == {("alpha", "beta", "alpha"), ("alpha", "gamma", "tie")}


def test_names_of_columns_say_aspect_and_system(tmp_path):
    imported(tmp_path, "Batch_2_results.csv", *RECIPES["Batch_2_results.csv"])
    assert [rating for rating in ratings() if rating[2] == "w2"] == [
        ("h1", "BART", "w2", "fluency", 4.0),
        ("h1", "BART", "w2", "meaning", 4.0),
        ("h1", "T5-base", "w2", "meaning", 2.0),
    ]


def test_names_of_aspects_and_systems_are_found_before_the_import(tmp_path):
    def found(name, table, field):
        content, query = RECIPES[name]
        place = tmp_path / name
        place.write_text(content, encoding="utf-8")
        with ConfinedReading() as reading:
            [source] = reading.discover(place, tmp_path).files
            work = [(source, each, handler_for(each.table).spec) for each in read_queries(query)]
            reading.judge(work, {})
            return reading.names(table, field)

    batch = "Batch_2_results.csv"
    assert found(batch, "ratings", "aspect") == ["fluency", "meaning"]
    assert found(batch, "ratings", "system") == ["BART", "T5-base"]
    assert found("documents.csv", "outputs", "system") == ["BART"]
    assert found("documents.csv", "segments", "segment") == ["news-1:1", "news-1:2", "news-2:1"]
    assert found("rewrites.csv", "segments", "segment") == ["1", "2"]
    assert found("votes.csv", "outputs", "system") == ["alpha", "beta", "gamma"]


def test_a_score_off_its_scale_is_placed_on_its_line(tmp_path, capsys):
    name = "Batch_2_results.csv"
    content, query = RECIPES[name]
    place = tmp_path / "study" / name
    place.parent.mkdir()
    place.write_text(content.replace("4,,4,2", "4,,4,9"), encoding="utf-8")
    study = {"scales": {"fluency": [1, 5], "meaning": [1, 5]}, "query": query}
    (place.parent / "study.json").write_text(json.dumps(study))
    with pytest.raises(CommandError, match="1 problem"):
        call_command("import_study", str(place.parent))
    said = capsys.readouterr().err
    assert f"{name}:3 score: found '9', expected 1 to 5" in said
    assert not Segment.objects.exists()
