"""Options that change what is stored: sampling and normalisation, explicit and recorded."""

import pytest

from annotation.models import Item
from corpus.imports.options import ImportOptions, OptionsError
from corpus.models import Output, Segment, System
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db
MANY = {
    "segments.csv": [["segment", "source", "source_style", "target_style"]]
    + [[f"f{n}", "x", "formal", "informal"] for n in range(30)]
    + [[f"i{n}", "x", "informal", "formal"] for n in range(20)]
    + [["u1", "x", "", ""]],
    "outputs.csv": [["segment", "system", "output"]]
    + [
        [f"{d}{n}", system, f"{system} {n}"]
        for system in ("A", "B", "C")
        for d, size in (("f", 30), ("i", 20))
        for n in range(size)
    ],
    "ratings.csv": [["segment", "system", "rater", "aspect", "score"]]
    + [[f"f{n}", "A", "r", "style", "1"] for n in range(30)],
}


def keys():
    return set(Segment.objects.values_list("key", flat=True))


def test_a_sample_is_the_same_for_every_system_and_passes_over_the_rest(tmp_path):
    job = import_path(write_files(tmp_path / "many", MANY), sample=4)
    drawn = keys() - {"u1"}
    for system in System.objects.filter(kind="system"):
        assert set(system.outputs.values_list("segment__key", flat=True)) == drawn
    rated = {key for key in drawn if key.startswith("f")}
    assert set(Item.objects.values_list("first__segment__key", flat=True)) == rated
    assert job.result["tables"]["outputs"] == {"added": 24, "unchanged": 0}
    assert list(Output.objects.values_list("ordinal", flat=True)) == list(range(33))


def test_a_sample_of_a_later_import_leaves_outputs_of_stored_segments_alone(tmp_path):
    import_path(write_files(tmp_path / "1", {"segments.csv": SEGMENTS}))
    further = [SEGMENTS[0], *([f"n{n}", "x", "informal", "formal", "", "", ""] for n in range(9))]
    outputs = [*OUTPUTS, *([f"n{n}", "T5", "x"] for n in range(9))]
    files = {"segments.csv": further, "outputs.csv": outputs}
    job = import_path(write_files(tmp_path / "2", files), sample=2)
    assert job.result["tables"]["outputs"]["added"] == 8 + 2


def test_white_space_and_length_are_changed_only_when_asked_for(tmp_path):
    text = "  one\ttwo \n three  four\u00a0five "
    files = {
        "segments.csv": [["segment", "source", "reference"], ["s1", text, text]],
        "outputs.csv": [["segment", "system", "output"], ["s1", "A", text], ["s1", "B", ""]],
    }
    path = write_files(tmp_path / "spaces", files)
    stored = {}
    for slug, options in {
        "plain": {},
        "spaces": {"collapse_whitespace": True},
        "words": {"truncate_words": 3},
        "both": {"collapse_whitespace": True, "truncate_words": 3},
    }.items():
        assert import_path(path, slug=slug, **options).state == "done"
        outputs = Output.objects.filter(study__slug=slug).order_by("ordinal")
        stored[slug] = list(outputs.values_list("text", flat=True))
    assert stored["plain"] == [text, text, text, ""]
    assert stored["spaces"] == ["one two three four five"] * 3 + [""]
    assert stored["words"] == stored["both"] == ["one two three"] * 3 + [""]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"smaple": 3},
            "unknown option 'smaple'; known options: accept, answers, attach_punctuation, ",
        ),
        ({"sample": 0}, "sample is 0: expected 1 or more"),
        ({"sample": True}, "sample is True: expected a whole number"),
        ({"collapse_whitespace": "yes"}, "collapse_whitespace is 'yes': expected true or false"),
        ({"min_length_percentile": 101}, "min_length_percentile is 101: expected a number from 0"),
        ({"min_length_percentile": 60, "max_length_percentile": 60}, "expected more than the 60"),
        ({"changed_in": "source"}, "changed_in is 'source': expected one of reference, output"),
        ({"layout": "tall"}, "layout is 'tall': expected one of auto, tables, lines"),
        ({"encoding": "klingon"}, "encoding 'klingon' is not known"),
        ({"system_pattern": "model-value"}, "system_pattern 'model-value'"),
        ({"mappings": [1]}, "mappings is [1]: expected an object"),
        ({"mappings": {"x.csv": [{"tabel": "y"}]}}, "mappings['x.csv'][0].table is missing"),
        (
            {"mappings": {"x.csv": [{"table": "outputs", "dialect": {"encoding": "no"}}]}},
            "encoding 'no'",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(OptionsError) as caught:
        ImportOptions.from_dict(options)
    assert message in str(caught.value)
