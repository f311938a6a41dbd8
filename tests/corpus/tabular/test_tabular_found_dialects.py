"""What is found out about how a delimited file is written: separator, comments, header."""

import pytest

from corpus.tabular.guesses.known_columns import known_names
from corpus.tabular.opening.files import Dialect, SourceFile
from corpus.tabular.problems import ProblemLog
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.tabular_reading import preview, records
from tests.fixtures.tabular_specs import METRIC_SCORES, SPECS

NAMES = known_names(SPECS)


def saved(folder, text, name="table.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return SourceFile(path, name, name.rpartition(".")[2])


def found(folder, text, name="table.csv", **said):
    """Return what a mapping has to say: delimiter, header, comment."""
    shown = preview(saved(folder, text, name), dialect=Dialect(**said), names=NAMES)
    return shown.dialect.delimiter, shown.dialect.header, shown.dialect.comment


PROSE = "it depends on how one looks at it, and on who does; that may be so\n"


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("id,text\n1,a;b\n2,a|b\n", ","),
        ("id\ttext\n1\ta, b\n", "\t"),
        ("id|text\n1|a, b\n2|c\n", "|"),
        ("s1|A|Yes, it is, and so on\ns2|A|No\n", "|"),
        ("s1;A;x, y\ns2;A;z\n", ";"),
        ("a   0.5\nlonger 1.5\n", "whitespace"),
        ('id,text\n1,"a\nb, c|d"\n2,x\n', ","),
        ("text\n" + PROSE * 3, ","),
        ("id,text,score\n1,a\n2,b,3\n", ","),
    ],
)
def test_a_separator_is_found_where_the_usual_one_fits_no_line(tmp_path, text, delimiter):
    assert found(tmp_path, text)[0] == delimiter


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("segment,system,score\ns1,A,1\n", True),
        ("s1,A,1\ns2,A,2\n", False),
        ("s1,A\ns2,A\n", False),
        ("who,what\nA,x\nB,y\n", True),
        ("segment,rater 1,rater 2\ns1,1,2\ns2,3,4\n", True),
        ("segment,system,1,2,3\ns1,A,4,5,3\ns2,A,1,1,2\n", True),
        ("4,4\n3,2\n", False),
        (f"{PROSE[:-1]!r}\t{'short'}\n{PROSE[:-1]!r} too\tshort one\n", False),
        (f"how did you like it, {'really ' * 9}?\twhy\nyes\tdunno\n", True),
        ("system,output\nsystem,output\nA,x\n", True),
        ("id,text\n", True),
        ("a,b,a\nx,y,z\n", False),
    ],
)
def test_a_first_line_like_the_others_is_data(tmp_path, text, header):
    assert found(tmp_path, text)[1] is header


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("# written in 2020\nid,text\n1,x\n", "#"),
        ("#\n# by A, B\nid,text\n1,x\n", "#"),
        ("#id,text\n1,x\n", ""),
        ("id,text\n#1,x\n", ""),
        ("#nothing\n", ""),
    ],
)
def test_comments_are_found_at_the_top(tmp_path, text, comment):
    assert found(tmp_path, text)[2] == comment


def test_what_was_found_out_goes_into_the_proposed_mapping(tmp_path):
    text = "# scores of a metric\nsegment|system|metric|score\ns1|A|bleu|0.5\n"
    source = saved(tmp_path, text, "scores.csv")
    (mapping,) = guess_file(source, SPECS).mappings
    found = mapping.dialect
    assert (found.delimiter, found.comment, found.header) == ("|", "#", True)
    log = ProblemLog()
    assert [values[:2] for _, values in records(source, mapping, METRIC_SCORES, log)] == [
        ("s1", "A")
    ]
    assert log.counted() == ["1 comment line passed over"]
