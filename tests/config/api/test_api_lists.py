"""Long lists of the API: what their rows say, pages that meet, and what a page costs."""

import csv
import io
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.exports.bundle import write_bundle
from corpus.models import Study
from tests.corpus.imports.test_import_costs import sized
from tests.fixtures.api_clients import API, client_of, every_row, is_error
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SCORES,
    SEGMENTS,
    TABLES,
    import_path,
    write_files,
)

pytestmark = pytest.mark.django_db
LISTS = ("segments", "systems", "outputs", "ratings", "scores")


@pytest.fixture
def small(small_study, db):
    """A client that reads the small study."""
    return client_of("reader", Study.objects.get(slug="small"), "researcher")


def rows(client, part, query=""):
    return every_row(client, f"{API}studies/small/{part}/{query}")


def test_segments_come_with_their_sources_and_references(small):
    first, *_, last = rows(small, "segments")
    assert first == {
        "ordinal": 0,
        "segment": "s1",
        "source_style": "informal",
        "target_style": "formal",
        "attributes": {"domain": "mail"},
        "source": "gonna be late",
        "references": ["I will be late.", "I shall be late."],
    }
    assert (last["segment"], last["references"]) == ("s4", [])


def test_ratings_are_the_rows_of_the_bundle(small, tmp_path):
    judged = [["segment_id", "system", "against", "rater", "aspect", "judgement", "comment"]]
    judged += [
        ["s1", "BART", "T5", "r1", "fluency", "T5", "so so"],
        ["s1", "BART", "", "r1", "fluency", "source", ""],
        ["s2", "T5", "", "", "fluency", "tie", ""],
    ]
    assert import_path(write_files(tmp_path / "more", {"judged.csv": judged})).state == "done"
    listed = rows(small, "ratings", "?limit=7")
    write_bundle(Study.objects.get(slug="small"), tmp_path / "x.zip")
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        exported = csv.DictReader(io.StringIO(archive.read("ratings.csv").decode(), newline=""))
        expected = list(exported)
    assert len(listed) == len(expected) == 35
    for row, other in zip(listed, expected, strict=True):
        as_text = {name: "" if row[name] is None else str(row[name]) for name in other}
        assert as_text == other
    assert len({row["id"] for row in listed}) == 35


def test_ratings_of_other_studies_do_not_come_between(small, tmp_path):
    import_path(write_files(tmp_path / "other", TABLES), slug="other")
    more = [RATINGS[0], ["s1", "T5", "r9", "content", "50"]]
    import_path(write_files(tmp_path / "more", {"ratings.csv": more}))
    listed = rows(small, "ratings", "?limit=10")
    assert len(listed) == 33
    assert listed[-1]["rater"] == "r9"


def test_scores_come_run_by_run_with_the_text_they_are_about(small):
    listed = rows(small, "scores", "?limit=5")
    assert len(listed) == 16
    found = {(row["metric"], row["segment"], row["system"]): row["values"] for row in listed}
    expected = {(row[2], row[0], row[1]): {"score": float(row[4])} for row in SCORES[1:]}
    assert found == expected
    assert listed[0]["signature"] == "bleu|compared-to:reference|origin:imported"
    assert listed[0]["compared_to"] == "reference"


def test_a_missing_score_is_null_with_its_reason_and_a_distribution_has_several(tmp_path):
    missing = [["segment", "system", "metric", "score"], ["s1", "T5", "bleu", ""]]
    missing += [["s4", "T5", "bleu", "0.5"]]
    spread = [
        ["segment", "system", "classifier", "p_a", "p_b"],
        ["s2", "T5", "cnn", "0.25", "0.75"],
    ]
    mapping = {
        "table": "metric_scores",
        "columns": {n: n for n in missing[0]} | {"score": "= missing(score, [''])"},
    }
    files = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS}
    files |= {"metric_scores.csv": missing, "style_distributions.csv": spread}
    mappings = {"metric_scores.csv": [mapping]}
    job = import_path(write_files(tmp_path / "1", files), slug="other", mappings=mappings)
    assert job.state == "done", job.error
    client = client_of("reader", job.study, "researcher")
    for limit in (1, 2, 100):
        listed = every_row(client, f"{API}studies/other/scores/?limit={limit}")
        assert [(row["segment"], row["values"]) for row in listed] == [
            ("s1", {"score": None}),
            ("s4", {"score": 0.5}),
            ("s2", {"a": 0.25, "b": 0.75}),
        ]
        assert listed[0]["reasons"] == {"score": "missing in the imported table"}


def test_pages_of_any_size_give_the_same_rows_once(small):
    for part in LISTS:
        whole = rows(small, part)
        for limit in (3, len(whole), len(whole) + 1):
            assert rows(small, part, f"?limit={limit}") == whole


def test_scores_of_several_blocks_are_read_to_the_end(tmp_path):
    study = import_path(write_files(tmp_path / "1", sized(2500)), slug="large").study
    client = client_of("reader", study, "researcher")
    listed, counts, address = [], [], f"{API}studies/large/scores/?limit=700"
    client.get(address)  # The first page in an hour is logged.
    while address:
        with CaptureQueriesContext(connection) as captured:
            page = client.get(address).json()
        address = page["next"]
        listed += page["results"]
        counts.append(len(captured))
    assert len(set(counts)) == 1, "a later page takes as many queries as the first"
    of_bleu = [row["values"]["score"] for row in listed if row["metric"] == "bleu"]
    assert of_bleu == [float(f"0.{n}") for n in range(2500)]
    assert len(listed) == 5000


def test_a_page_takes_as_many_queries_for_any_number_of_rows(tmp_path):
    counts = {part: [] for part in LISTS}
    for size in (20, 200):
        import_path(write_files(tmp_path / str(size), sized(size)), slug=f"n{size}")
        client = client_of(f"r{size}", Study.objects.get(slug=f"n{size}"), "researcher")
        for part in LISTS:
            page = f"{API}studies/n{size}/{part}/?limit={size // 2}"
            client.get(page)  # The first page in an hour is logged.
            with CaptureQueriesContext(connection) as captured:
                assert client.get(page).status_code == 200
            counts[part].append(len(captured))
    assert all(few == many <= 7 for few, many in counts.values()), counts


def test_a_limit_or_a_place_that_makes_no_sense_is_refused(small):
    odd = {
        "limit": ["0", "-1", "1001", "x", "", "1.5", "9" * 5000, "²"],
        "after": ["x", "-1", "1-", "-", "1-2-3", "9" * 50, "²", "1-²"],
    }
    for part in LISTS:
        for column, values in odd.items():
            for value in values:
                answer = small.get(f"{API}studies/small/{part}/", {column: value})
                assert is_error(answer, 400)["problems"][0]["column"] == column, (part, value)
