"""Pages of a study in which aspects were asked in several ways stay readable."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fixtures.report_pages import imported, open_page, reader, tables, words
from tests.fixtures.study_files import TABLES, write_files

pytestmark = pytest.mark.django_db
STUDY = "/studies/small"
TEXTS = [(f"s{n}", system) for n in range(1, 5) for system in ("BART", "T5", "CAAE", "ARAE")]
ASKED = {
    "pilot": ("content_preservation", ("content",), 5),
    "intensity": ("style_transfer_intensity", ("style",), 5),
    "main": ("direct_assessment", ("style", "content", "fluency"), 100),
}
RATINGS: list[list[Any]] = [
    ["segment_id", "system", "rater", "aspect", "score", "campaign"],
    *(
        [segment, system, rater, aspect, 1 + (7 * n + len(aspect + campaign)) % most, campaign]
        for campaign, (_, aspects, most) in ASKED.items()
        for n, (segment, system) in enumerate(TEXTS)
        for rater in ("r1", "r2")
        for aspect in aspects
    ),
]
CONTENT_METRICS = ("bleu", "chrf", "wmd", "rouge-1", "rouge-2", "bertscore", "comet")
SCORES: list[list[Any]] = [
    ["segment_id", "system", "metric", "score"],
    *(
        [segment, system, metric, 0.1 * ((n * n * len(metric)) % 7)]
        for n, (segment, system) in enumerate(TEXTS)
        for metric in (*CONTENT_METRICS, "sti", "ppl")
    ),
]
FILES: dict[str, Any] = {
    "segments.csv": TABLES["segments.csv"],
    "outputs.csv": [
        ["segment_id", "system", "output"],
        *([segment, system, f"{system} writes"] for segment, system in TEXTS),
    ],
    "ratings.csv": RATINGS,
    "metric_scores.csv": SCORES,
    "study.json": {
        "campaigns": {
            slug: {"protocol": protocol, "scales": {a: [0 if most > 5 else 1, most] for a in asked}}
            for slug, (protocol, asked, most) in ASKED.items()
        }
    },
}
MEASURES = (
    *("content (preservation)", "style (transfer intensity)"),
    *("style (direct assessment)", "content (direct assessment)", "fluency"),
)


@pytest.fixture(scope="module", autouse=True)
def _study(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    folder = write_files(tmp_path_factory.mktemp("files") / "small", FILES)
    with django_db_blocker.unblock(), imported(folder):
        yield


@pytest.fixture
def client() -> Any:
    return reader("ada", "small")


def labels(element: Any) -> list[str]:
    return [words(label) for label in element.iter("label")]


def folded_ratings(page: Any) -> Any:
    """Return the list into which filters of ratings are folded."""
    (found,) = [
        details
        for details in page.iter("details")
        if details.get("class") == "choices"
        and words(details.find("summary")).startswith("Ratings")
    ]
    return found


def test_a_page_of_many_measures_names_each_once_and_folds_filters_of_ratings(client):
    page = open_page(client, f"{STUDY}/correlation/")
    (aspect,) = [select for select in page.iter("select") if select.get("name") == "aspect"]
    assert [words(option) for option in aspect.iter("option")] == ["all", *MEASURES]
    closed = folded_ratings(page)
    assert words(closed.find("summary")) == "Ratings: all"
    assert "open" not in closed.attrib
    assert labels(closed) == ["Campaign", "Protocol"]
    sections = {s.get("aria-label", ""): s for s in page.iter("section")}
    said = [words(p) for p in sections["Summary"].iter("p")]
    first = said[: len(MEASURES)]
    assert all(f"On {measure}, " in said for measure, said in zip(MEASURES, first, strict=True))
    assert all("r is above zero for" in each for each in first)
    assert any("On fluency" in e and "Pearson r of means" in e for e in said[len(MEASURES) :])
    opened = folded_ratings(open_page(client, f"{STUDY}/correlation/?campaign=intensity"))
    assert words(opened.find("summary")) == "Ratings: 1 filter"
    assert "open" in opened.attrib


def test_ratings_of_an_output_stand_campaign_by_campaign(client):
    page = open_page(client, f"{STUDY}/disagreement/?aspect=content+(preservation)&scored_by=bleu")
    found = {name: table for name, table in tables(page).items() if name.startswith("Ratings ")}
    shown = {name.rpartition(", ")[2]: table.headings for name, table in found.items()}
    assert shown == {
        "pilot": ["Rater", "content (preservation)"],
        "intensity": ["Rater", "style (transfer intensity)"],
        "main": ["Rater", "style (direct assessment)", "content (direct assessment)", "fluency"],
    }
    assert not any(cell.text == "–" for t in found.values() for _, row in t.rows for cell in row)
