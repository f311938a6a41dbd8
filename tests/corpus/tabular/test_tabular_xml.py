"""Elements that repeat make rows: of the markup of the older tools, and of XML that is flat."""

import pytest

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import preview, records, table
from tests.fixtures.tabular_specs import OUTPUTS, RATINGS

TSTSET = """<!DOCTYPE tstset SYSTEM "ftp://jaguar.ncsl.nist.gov/mt/resources/mteval-xml-v1.3.dtd">
<tstset setid="newstest" srclang="any" trglang="de">
<doc sysid=BART docid="a.1" genre='news'>
<hl>
<seg id="1"> Tom &amp; Jerry & co </seg>
</hl>
<P>
<seg id="2">a < b &#228;</seg>
<SEG
 id="3"></SEG>
</P>
</doc>
<doc sysid="T5" docid="a.1">
<seg id="1">one
two</seg>
</doc>
</tstset>
"""
WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest.en-de">
  <doc id="d1" origlang="en">
    <src lang="en"><p><seg id="1">It depends.</seg><seg id="2">No.</seg></p></src>
    <ref translator="A"><p><seg id="1">Kommt darauf an.</seg><seg id="2">Nein.</seg></p></ref>
    <hyp system="BART" lang="de"><p><seg id="1">Je nachdem.</seg><seg id="2"/></p></hyp>
  </doc>
</dataset>
"""


def saved(folder, text, name="file.xml"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    kinds = {"xml": "xml", "sgm": "sgml"}
    return SourceFile(path, name, kinds[name.rpartition(".")[2]])


def read(source, columns=None, explode=None, **options):
    names, found, _ = table(source, element=explode, **options)
    columns = columns or names
    places = [names.index(name) for name in columns]
    return tuple(columns), [(line, [row[place] for place in places]) for line, row in found]


def test_segments_of_a_test_set_come_with_document_and_system(tmp_path):
    source = saved(tmp_path, TSTSET, "test.sgm")
    columns = ("doc.sysid", "doc.docid", "id", "text", "path")
    assert set(columns) < set(preview(source).columns)
    assert read(source, columns)[1] == [
        (5, ["BART", "a.1", "1", "Tom & Jerry & co", "tstset/doc/hl"]),
        (8, ["BART", "a.1", "2", "a < b ä", "tstset/doc/p"]),
        (9, ["BART", "a.1", "3", "", "tstset/doc/p"]),
        (14, ["T5", "a.1", "1", "one\ntwo", "tstset/doc"]),
    ]


def test_the_newer_test_sets_tell_sources_references_and_outputs_apart(tmp_path):
    source = saved(tmp_path, WMT)
    columns = ("doc.id", "id", "ref.translator", "hyp.system", "text", "path")
    found = read(source, columns)[1]
    assert [row for _, row in found] == [
        ["d1", "1", None, None, "It depends.", "dataset/doc/src/p"],
        ["d1", "2", None, None, "No.", "dataset/doc/src/p"],
        ["d1", "1", "A", None, "Kommt darauf an.", "dataset/doc/ref/p"],
        ["d1", "2", "A", None, "Nein.", "dataset/doc/ref/p"],
        ["d1", "1", None, "BART", "Je nachdem.", "dataset/doc/hyp/p"],
        ["d1", "2", None, "BART", "", "dataset/doc/hyp/p"],
    ]


def test_a_wrong_value_is_placed_where_its_element_begins(tmp_path):
    text = '<r>\n<j seg="s1" sys="A" who="r">\n <style>4</style></j>\n'
    text += '<j seg="s2" sys="A" who="r">\n  <style>x</style></j></r>'
    mapping = Mapping(
        "ratings",
        {"segment": "seg", "system": "sys", "rater": "who", "score": "style"}
        | {"aspect": "= 'style'"},
    )
    log = ProblemLog()
    source = saved(tmp_path, text)
    assert len(list(records(source, mapping, RATINGS, log))) == 0
    log = ProblemLog()
    assert (
        len(list(records(source, Mapping(**{**vars(mapping), "explode": "j"}), RATINGS, log))) == 1
    )
    assert [(p.line, p.column, p.found) for p in log.problems] == [(4, "style", "x")]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("<a>\n<b>x</a>", 2, "mismatched tag"),
        ("<a>\n<b>x</b>", 2, "no element found"),
        ('<!DOCTYPE a [<!ENTITY x "y">]>\n<a>&x;</a>', 1, "a declaration of an entity"),
        ('<!DOCTYPE a SYSTEM "http://x/a.dtd">\n<a>&nbsp;</a>', 2, "&nbsp;"),
        ("<a>" * 200, 1, "more than 100 nested elements"),
        ("", 1, "no element found"),
        (b"<a>\xff</a>", 1, "not well-formed"),
        ("plain text", 1, "syntax error"),
    ],
)
def test_broken_xml_is_refused_where_it_breaks(tmp_path, text, line, words):
    with pytest.raises(TableError) as caught:
        preview(saved(tmp_path, text))
    [problem] = caught.value.problems
    assert words in problem.found
    assert problem.line == line


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("<doc>\n<seg id=1>x</seg>\n<seg id=2>y", 3, "the end of the file"),
        ("<a>" * 200, 1, "more than 100 nested elements"),
        ("<doc " + "x" * 3_000_000, 1, "nothing"),
    ],
)
def test_broken_markup_is_refused_where_it_breaks(tmp_path, text, line, words):
    with pytest.raises(TableError) as caught:
        preview(saved(tmp_path, text, "test.sgm"))
    [problem] = caught.value.problems
    assert words in problem.found
    assert problem.line == line


@pytest.mark.parametrize("name", ["a.xml", "a.sgm"])
def test_limits_hold_for_texts_and_values(tmp_path, name):
    long = f"<a><b>{'x' * 30}</b><b>y</b></a>"
    with pytest.raises(TableError) as caught:
        read(saved(tmp_path, long, name), limits=Limits(field_characters=10))
    assert [p.code for p in caught.value.problems] == ["field-size"]
    with pytest.raises(TableError, match=r"a record of|a line that is too long"):
        read(saved(tmp_path, long, name), limits=Limits(record_characters=20))
    many = "<a><b>" + "".join(f"<c{n}>1</c{n}>" for n in range(50)) + "</b></a>"
    with pytest.raises(TableError, match="51 columns"):
        read(saved(tmp_path, many, name), explode="b", limits=Limits(columns=20))


@pytest.mark.parametrize(
    "middle",
    [
        "<" + "x" * 200_000,
        "<seg " + "x" * 200_000 + ">",
        "<seg " + "x " * 100_000 + ">",
        "<seg a=" + "'" * 200_000 + ">",
        "<seg" + " \n" * 100_000 + ">",
        "<" * 200_000,
    ],
)
def test_marks_that_do_not_end_take_no_more_time_than_others(middle, tmp_path):
    """Time that grew by the square of their length would be minutes here."""
    path = tmp_path / "t.sgml"
    path.write_text(f"<doc><seg id=1>a</seg>\n{middle}\n<seg id=2>b</seg></doc>")
    mapping = Mapping("outputs", {"segment": "id", "output": "seg", "system": "= 'A'"})
    log = ProblemLog()
    found = list(records(SourceFile(path, path.name, "sgml"), mapping, OUTPUTS, log))
    assert found or log.problems
