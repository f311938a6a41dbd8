"""A mapping written as SQL: one SELECT for each table, taken by the command and the API alike."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Rating
from corpus.models import Output, Segment

pytestmark = pytest.mark.django_db
QUERY = """
-- table: segments
SELECT _row, id AS segment, text AS source, topic FROM files."src.csv";
-- table: outputs
SELECT _row, item AS segment, sys AS system, text AS output FROM files."answers.csv";
-- table: ratings
-- file: answers.csv {"delimiter": ";"}
SELECT a._row, a.item AS segment, a.sys AS system, 'style' AS aspect, a.who AS rater,
       likert(a.vote) AS score
FROM files."answers.csv" a JOIN files."src.csv" s ON s.id = a.item
"""
ANSWERS = "item;sys;text;vote;who\n1;A;x;4 – Agree;r1\n1;B;y;5 – yes;r1\n2;A;z;1 – no;r1\n"


@pytest.fixture
def study(tmp_path):
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "src.csv").write_text("id,text,topic\n1,hello,a\n2,bye,b\n")
    (folder / "answers.csv").write_text(ANSWERS)
    return folder


def imported(study, query):
    place = study.parent / "mapping.sql"
    place.write_text(query)
    call_command("import_study", str(study), mapping=place, study="queried")


def test_queries_give_segments_outputs_and_ratings(study):
    imported(study, QUERY)
    assert list(Segment.objects.values_list("key", "attributes__topic")) == [("1", "a"), ("2", "b")]
    outputs = Output.objects.filter(system__kind="system")
    assert sorted(outputs.values_list("text", flat=True)) == ["x", "y", "z"]
    assert sorted(Rating.objects.values_list("value", flat=True)) == [1, 4, 5]


def test_a_wrong_value_has_file_line_field_and_what_to_do(study, capsys):
    (study / "answers.csv").write_text(ANSWERS + "2;B;u;w;r1\n")
    with pytest.raises(CommandError, match="1 problem"):
        imported(study, QUERY)
    assert "answers.csv:5 score: found 'w', expected a finite number." in capsys.readouterr().err
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT 1", "a line `-- table: ratings` before each SELECT"),
        ('-- table: segments\nSELECT 1 AS segment FROM files."x.csv"', "x.csv is not here"),
        ('-- table: segments\nSELECT id AS segment FROM files."src.csv"', "a column source"),
        ('-- table: segments\nSELECT idd AS segment FROM files."src.csv"', '"idd" not found'),
        ('-- table: ratings\nSELECT id AS segmint FROM files."src.csv"', "a field of ratings"),
        ('-- table: segments\nDELETE FROM files."src.csv"', "one SELECT"),
        (
            "-- table: segments\nSELECT id AS segment, text AS source "
            "FROM files.\"src.csv\" WHERE topic = 'z'",
            "matches nothing",
        ),
    ],
)
def test_a_query_that_makes_no_sense_is_refused_in_words(study, capsys, query, words):
    with pytest.raises(CommandError) as caught:
        imported(study, query)
    assert words in f"{caught.value} {capsys.readouterr().err}"
