"""The layouts of the page on import formats are read as the page prints them, most unasked."""

import re

import pytest

from corpus.tabular.opening.files import FORMATS, SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.query_files import read_queries
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.machine import ROOT
from tests.fixtures.tabular_reading import records
from tests.fixtures.tabular_specs import SPECS, spec_named

PAGE = ROOT / "docs" / "import-formats.md"
EXAMPLES = re.findall(
    r"^`([\w.]+)`\n\n```(?:csv|jsonl?|text|xml)\n(.*?)```\n\n```sql\n(.*?)```",
    PAGE.read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)
COUNTS = {
    "human.csv": [5],
    "automatic.csv": [6],
    "BART.csv": [2],
    "everything.jsonl": [2, 3, 2],
    "by_id.json": [2, 3],
    "Batch_1_results.csv": [1, 2, 6],
    "test.sgm": [2],
}
WITH_A_MAPPING = {"systems.json": [4], "annotations.json": [3], "judged.csv": [2]}
"""What is not proposed, because the file does not say what it holds."""


def test_the_page_shows_each_layout():
    assert [name for name, _, _ in EXAMPLES] == [*COUNTS, *WITH_A_MAPPING]


@pytest.mark.parametrize(("name", "text", "printed"), EXAMPLES)
def test_the_printed_mappings_are_proposed_and_read(name, text, printed, tmp_path):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    source = SourceFile(path, name, FORMATS[path.suffix[1:]])
    written = read_queries(printed)
    log = ProblemLog()
    read = [list(records(source, each, spec_named(each.table), log)) for each in written]
    assert list(map(len, read)) == (COUNTS | WITH_A_MAPPING)[name]
    found = guess_file(source, SPECS)
    proposed = [
        list(records(source, mapping, spec_named(mapping.table), log))
        for mapping in found.mappings
        if mapping.table not in found.missing
    ]
    assert (found.is_complete and list(map(len, proposed)) == COUNTS.get(name)) is (name in COUNTS)
    assert log.problems == ()
