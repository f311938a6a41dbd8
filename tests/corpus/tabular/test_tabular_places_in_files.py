"""Whatever csv writes comes back identical, with the line on which every row begins."""

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import records, table
from tests.fixtures.tabular_specs import RATINGS

texts = st.text(
    st.one_of(
        st.sampled_from(',;\t"\r\n\x0b\x0c\x1a\x1c\x85\u2028\u2029 =aé🎈'),
        st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    ),
    max_size=12,
)


def saved(folder, data, name="outputs.csv"):
    path = Path(folder) / name
    path.write_bytes(data)
    return SourceFile(path, name, "csv")


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=6),
    delimiter=st.sampled_from(",;\t"),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@example([('a"b', "\r", "\n\r\r\n")], ",", "\r", "utf-16")
@example([("", "", "")], ",", "\n", "utf-8")
@example([(",  ", ' "', "\r\n"), ("a", "\x1a", "")], ",", "\r\n", "utf-8")
def test_any_table_comes_back_with_the_line_of_every_row(rows, delimiter, line_end, encoding):
    out = io.StringIO(newline="")
    form = {"quoting": csv.QUOTE_ALL, "delimiter": delimiter, "lineterminator": line_end}
    writer, begins = csv.writer(out, **form), []
    for row in [("a", "b", "c"), *rows]:
        begins.append(1 + len(io.StringIO(out.getvalue(), newline="").readlines()))
        writer.writerow(row)
    with TemporaryDirectory() as folder:
        source = saved(folder, out.getvalue().encode(encoding))
        columns, found, log = table(source, delimiter=delimiter, header=True)
    assert columns == ("a", "b", "c")
    assert [tuple(row) for _, row in found] == rows
    assert [line for line, _ in found] == begins[1:]
    assert not log


def test_a_bad_score_is_named_with_the_line_of_its_row(tmp_path):
    text = 'segment,system,aspect,comment,score\ns0,A,style,"two\nlines",1\ns1,A,style,x,101x\n'
    names = ("segment", "system", "aspect", "comment", "score")
    log = ProblemLog()
    source = saved(tmp_path, text.encode(), "ratings.csv")
    found = list(records(source, Mapping("ratings", {n: n for n in names}), RATINGS, log))
    assert len(found) == 1
    (problem,) = log.problems
    assert str(problem).startswith("ratings.csv:4 score: found '101x', expected a finite number")
