"""Files of each published shape are imported by the page, with three decisions at most."""

import io
import json
from dataclasses import dataclass, field
from typing import Any

import openpyxl
import pytest

from annotation.models import Rating
from corpus.models import Output, Segment
from tests.fixtures.harmful_files import written
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done
from tests.fixtures.import_shapes import (
    RATERS,
    SHAPES,
    SOURCES,
    SPLIT_SCORES,
    SYSTEMS,
    TEXTS,
    TIDY,
    output,
    score,
)

_TABLES = ("segments", "outputs", "ratings")


def _workbook() -> bytes:
    """Return the tidy tables as sheets of one Excel workbook, with a title above one of them."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in _TABLES:
        sheet = book.create_sheet(name)
        if name == "ratings":
            sheet.append(["Ratings of spring"])
        for row in TIDY[f"{name}.csv"]:
            sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _each_as(ending: str) -> dict[str, Any]:
    """Return the tidy tables, each as a file of its own of some kind."""
    found: dict[str, Any] = {"study.json": TIDY["study.json"]}
    for name in _TABLES:
        header, *rows = TIDY[f"{name}.csv"]
        records = [dict(zip(header, row, strict=True)) for row in rows]
        found[f"{name}.{ending}"] = written(f"{name}.{ending}", records)
    return found


def _segs(texts: list[str]) -> str:
    return "".join(f'<seg id="{n}">{text}</seg>\n' for n, text in enumerate(texts, 1))


_OF = {system: [output(system, key) for key in SOURCES] for system in SYSTEMS}
_HYPS = "".join(f'<hyp system="{s}"><p>{_segs(texts)}</p></hyp>\n' for s, texts in _OF.items())
WMT_XML = {
    "newstest.xml": '<?xml version="1.0" encoding="utf-8"?>\n<dataset id="newstest">\n'
    f'<doc id="d1" origlang="en"><src lang="en"><p>{_segs(list(SOURCES.values()))}</p></src>\n'
    f"{_HYPS}</doc>\n</dataset>\n"
}
SGML = {
    "test.src.sgm": '<srcset setid="news" srclang="en">\n<doc docid="d1">\n'
    f"{_segs(list(SOURCES.values()))}</doc>\n</srcset>\n",
    "test.tst.sgm": '<tstset setid="news" srclang="en" trglang="en">\n'
    + "".join(f'<doc sysid={s} docid="d1">\n{_segs(texts)}</doc>\n' for s, texts in _OF.items())
    + "</tstset>\n",
}
PARALLEL_LISTS = {"rewrites.json": json.dumps({"source": list(SOURCES.values()), **_OF})}
UNDER_TWO_KEYS = TEXTS | {
    "annotations.json": json.dumps({r: {k: score(k, r) for k in SOURCES} for r in RATERS})
}
KINDS: dict[str, dict[str, Any]] = {
    "Excel workbook": {"study.xlsx": _workbook(), "study.json": TIDY["study.json"]},
    "OpenDocument workbooks": _each_as("ods"),
    "flat XML": _each_as("xml"),
    "XML of a shared task": WMT_XML,
    "SGML": SGML,
    "parallel lists": PARALLEL_LISTS,
    "values under two keys": UNDER_TWO_KEYS,
}
"""What somebody uploads at once, by its kind."""


pytestmark = pytest.mark.django_db
ALL = SHAPES | KINDS
MOST_DECISIONS = 3


@dataclass
class Way:
    """How a shape goes in.

    Attributes
    ----------
    ratings, outputs
        How many must be stored.
    steps
        Each press of *Look again* or *Import* with the fields that somebody changes before: a
        word of the file's name and the field's name without the file; no word for a field of
        the page.
    """

    ratings: int = 0
    outputs: int = 18
    steps: list[dict[tuple[str, str], object]] = field(default_factory=lambda: [{}])


TWO_KEYS = """
SELECT rater, segment, score, 'BART' AS system, 'style' AS aspect
FROM (UNPIVOT (SELECT "key" AS rater, s1, s2, s3, s4, s5, s6 FROM files."annotations.json")
      ON COLUMNS(* EXCLUDE rater) INTO NAME segment VALUE score)
"""
"""Pasted below "The query"."""
PARTS = """
SELECT segment_id AS segment, "system", rater, aspect,
       replace(score, 'grammaticality=', '') AS score
FROM files."ratings.csv"
"""
WAYS = {
    "tidy tables": Way(108),
    "batch of a crowd platform": Way(108),
    "one column per rater": Way(54, steps=[{("human", "0-column_aspect"): "= 'style'"}]),
    "one column per aspect": Way(216),
    "one column per metric": Way(),
    "one file per system": Way(),
    "one text per line": Way(),
    "names that say nothing": Way(54, steps=[{("data", "2-column_aspect"): "= 'style'"}]),
    "nested JSON Lines": Way(108),
    "JSON document": Way(),
    "archive": Way(108),
    "no header": Way(54, steps=[{("annotations", "0-column_aspect"): "= 'style'"}]),
    "comments and semicolons": Way(54),
    "runs of spaces": Way(steps=[{("bleu", "names"): "segment, system, bleu"}, {}]),
    "short rows": Way(54),
    "keys of several columns": Way(
        steps=[
            {
                ("texts", "0-column_segment"): "= joined([doc, line])",
                ("outputs", "0-column_segment"): "= joined([doc, line])",
            }
        ]
    ),
    "no key": Way(outputs=12),
    "chosen rows": Way(54, steps=[{("ratings", "0-where"): "split = 'test'"}]),
    "yes and no": Way(54),
    "parts of cells": Way(54, steps=[{("ratings", "0-query"): PARTS}]),
    "split cells": Way(54, steps=[{("ratings", "0-query"): SPLIT_SCORES}]),
    "several things in names": Way(
        108,
        steps=[
            {
                ("batch", "columns-group"): "ratings:/score",
                ("batch", "columns-pattern"): "Answer.{aspect}-{system}",
            },
            {},
        ],
    ),
    "votes": Way(18),
    "votes without texts": Way(18, 12, steps=[{("", "answer-without-texts"): "yes"}]),
    "ratings without texts": Way(54, steps=[{("", "answer-without-texts"): "yes"}]),
    "raters without names": Way(54),
    "averages with numbers of raters": Way(36),
    "models as judges": Way(36),
    "Excel workbook": Way(108),
    "OpenDocument workbooks": Way(108),
    "flat XML": Way(108),
    "XML of a shared task": Way(),
    "SGML": Way(),
    "parallel lists": Way(
        steps=[
            {
                ("rewrites", "pick"): ["2", "3", "4"],
                ("rewrites", "columns-group"): "outputs:system/output",
            },
            {("rewrites", "1-column_segment"): '= key("source")'},
        ]
    ),
    "values under two keys": Way(18, steps=[{("annotations", "0-query"): TWO_KEYS}]),
}


def sent(page, changes):
    """Return the fields of a page as somebody has changed them."""
    fields = fields_of(page.text, "layout")
    places = {
        value[0]: name.removesuffix("-name")
        for name, value in fields.items()
        if name.startswith("file-") and name.endswith("-name")
    }
    found = {}
    for (word, name), value in changes.items():
        if not word:
            found[name] = value
            continue
        [prefix] = [place for file, place in places.items() if word in file]
        found[f"{prefix}-{name}"] = value
    return found


def test_every_shape_has_a_way():
    assert set(WAYS) == set(ALL)


IN_EVERY_RUN = {
    "tidy tables",
    "Excel workbook",
    "archive",
    "one column per rater",
    "several things in names",
    "parallel lists",
    "votes without texts",
}
"""Some without a decision and one of each kind of decision; other tests read format by format."""


@pytest.mark.parametrize(
    "shape",
    [
        shape if shape in IN_EVERY_RUN else pytest.param(shape, marks=pytest.mark.nightly)
        for shape in ALL
    ],
)
def test_a_shape_is_imported_with_three_decisions_at_most(pages, shape):
    way = WAYS[shape]
    assert sum(len(step) for step in way.steps) <= MOST_DECISIONS
    address, page = pages.upload(ALL[shape])
    for step in way.steps[:-1]:
        page = pages.look(address, page, sent(page, step))
        assert page.status_code == 200
    done(pages.press(address, page, sent(page, way.steps[-1])))
    assert Segment.objects.count() == 6
    assert Output.objects.filter(system__kind="system").count() == way.outputs
    assert Rating.objects.count() == way.ratings
