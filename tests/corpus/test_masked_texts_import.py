"""Style lexicons and masked texts, in and out: stored once, never changed, errors with places."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, transaction

from corpus.exports.bundle import write_bundle
from corpus.models import MaskedText, StagedMaskedText, Study, StyleLexicon
from corpus.texts.lexicons import LexiconEntry, LexiconError, lexicon_weights, store_lexicon
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db

LEXICON = "word,style,weight\ngonna,informal,-1.5\nshall,formal,2\na lot,,\n"
MASKED = (
    "segment,system,variant,recipe,text\n"
    "s1,(source),,words,[STYLE] be late\n"
    "s1,T5,1,words,T5 [STYLE] 1\n"
    "s2,T5,,words,\n"
    "s1,T5,1,by hand,… writes 1\n"
)
FILES = TABLES | {"style_lexicon.csv": LEXICON, "masked_texts.csv": MASKED}


@pytest.fixture
def imported(tmp_path):
    """Import files into the small study; return the job."""

    def run(files, slug="small", **options):
        folder = write_files(tmp_path / f"study-{len(list(tmp_path.iterdir()))}", files)
        return import_path(folder, slug, **options)

    return run


def problems(job):
    assert job.state == "failed", job.result
    names = ("file", "line", "column", "found", "code")
    return [tuple(problem[name] for name in names) for problem in job.result["problems"]]


def counts(job):
    assert job.state == "done", job.error
    return {
        name: tuple(job.result["tables"][name].values())
        for name in ("style_lexicon", "masked_texts")
        if name in job.result["tables"]
    }


@pytest.mark.dialect
def test_lexicons_and_masked_texts_are_imported_with_the_study(imported):
    assert counts(imported(FILES)) == {"style_lexicon": (3, 0), "masked_texts": (4, 0)}
    lexicon = StyleLexicon.objects.get()
    assert lexicon.name == "style_lexicon"
    assert lexicon_weights(lexicon) == {"gonna": -1.5, "shall": 2, "a lot": float("inf")}
    stored = MaskedText.objects.order_by("id").values_list(
        "output__segment__key", "output__system__name", "recipe", "text"
    )
    assert list(stored) == [
        ("s1", "(source)", "words", "[STYLE] be late"),
        ("s1", "T5", "words", "T5 [STYLE] 1"),
        ("s2", "T5", "words", ""),
        ("s1", "T5", "by hand", "… writes 1"),
    ]
    assert not StagedMaskedText.objects.exists()


def test_the_bundle_travels_to_the_byte(imported, tmp_path):
    imported(FILES)
    imported({"style_lexicon.csv": "lexicon,word,weight\nsecond,x,1e22\nsecond,y,0.1\n"})
    write_bundle(Study.objects.get(), tmp_path / "first.zip")
    Study.objects.update(slug="elsewhere")
    assert import_path(tmp_path / "first.zip").state == "done"
    write_bundle(Study.objects.get(slug="small"), tmp_path / "second.zip")
    assert (tmp_path / "second.zip").read_bytes() == (tmp_path / "first.zip").read_bytes()
    content = members(tmp_path / "first.zip")
    rows = list(csv.reader(io.StringIO(content["masked_texts.csv"].decode())))
    assert rows[0] == ["segment", "system", "variant", "recipe", "text"]
    assert [row[3] for row in rows[1:]] == ["by hand", "words", "words", "words"]
    assert [row[1] for row in rows[2:]] == ["T5", "T5", "(source)"]
    lexicon = content["style_lexicon.csv"].decode().splitlines()
    assert lexicon[0] == "lexicon,word,style,weight"
    assert lexicon[3:5] == ["style_lexicon,a lot,,", "second,x,,1e+22"]


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_is_wrong_with_a_lexicon_is_named_with_its_place(imported):
    header = "word,style,weight\nso,informal,1\n"
    for line, column in ((",formal,1", "word"), ("thus,formal,1,5", None)):
        found = problems(imported({"style_lexicon.csv": f"{header}{line}\n"}))
        assert [each[1:3] for each in found] == [(3, column)]
    twice = "word,style,weight\nso,informal,1\nso,formal,1\nso,informal,2\n"
    assert problems(imported({"style_lexicon.csv": twice})) == [
        ("style_lexicon.csv", 4, "word", "so", "duplicate")
    ]
    number = "word,weight\nso,strong\nas,inf\n"
    assert [each[1:3] for each in problems(imported({"style_lexicon.csv": number}))] == [
        (2, "weight"),
        (3, "weight"),
    ]


@pytest.mark.dialect
def test_a_lexicon_never_changes_under_its_name(imported):
    imported(FILES)
    other = LEXICON.replace("shall,formal,2", "shall,formal,3").replace("gonna", "dunno")
    assert problems(imported({"style_lexicon.csv": other})) == [
        ("style_lexicon.csv", 2, "word", "dunno", "differs"),
        ("style_lexicon.csv", 3, "weight", "3", "differs"),
    ]
    fewer = "".join(LEXICON.splitlines(keepends=True)[:3])
    job = imported({"style_lexicon.csv": fewer})
    assert problems(job) == [("style_lexicon.csv", 2, "word", "2 entries", "differs")]
    with pytest.raises(LexiconError, match="give the new one another name"):
        store_lexicon(Study.objects.get(), "style_lexicon", [LexiconEntry("so")])
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        StyleLexicon.objects.update(name="x")


def test_what_is_wrong_with_masked_texts_is_named_with_its_place(imported):
    imported(FILES)
    wrong = (
        "segment,system,recipe,text\n"
        "s9,T5,new,x\n"
        "s1,GPT,new,x\n"
        "s1,T5,new,x\n"
        "s1,T5,new,y\n"
        "s1,T5,words,other\n"
        "s1,T5,,x\n"
    )
    job = imported({"masked_texts.csv": wrong})
    assert problems(job)[-1] == ("masked_texts.csv", 7, "recipe", "nothing", "empty-key")
    assert [each[1:3] + each[4:] for each in problems(imported(
        {"masked_texts.csv": wrong.removesuffix("s1,T5,,x\n")}
    ))] == [
        (2, "segment", "unknown-segment"),
        (3, "system", "unknown-system"),
        (5, "segment", "duplicate"),
        (6, "text", "differs"),
    ]  # fmt: skip
    assert MaskedText.objects.count() == 4
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        MaskedText.objects.update(text="x")


def test_the_examples_of_the_page_on_masks_are_read_and_run(imported):
    page = (Path(settings.BASE_DIR) / "docs" / "masks.md").read_text(encoding="utf-8")
    lexicon, masked = re.findall(r"^```csv\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    job = imported(TABLES | {"style_lexicon.csv": lexicon, "masked_texts.csv": masked})
    assert counts(job) == {"style_lexicon": (4, 0), "masked_texts": (2, 0)}
    [example] = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    setting, asked, said = re.fullmatch(r"(.*\n)(\S.*?)  # (.*)\n", example, re.DOTALL).groups()
    names: dict[str, object] = {}
    exec(setting, names)
    assert repr(eval(asked, names)) == said
