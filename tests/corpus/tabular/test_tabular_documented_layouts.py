"""The layouts of the page on import formats are proposed exactly as the page prints them."""

import json
import re

import pytest

from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import ProblemLog
from corpus.tabular.records import records
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.machine import ROOT
from tests.fixtures.tabular_specs import SPECS, spec_named

PAGE = ROOT / "docs" / "import-formats.md"
EXAMPLES = re.findall(
    r"^`([\w.]+)`\n\n```(?:csv|jsonl?)\n(.*?)```\n\n```json\n(.*?)```",
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
}


def test_the_page_shows_each_layout():
    assert [name for name, _, _ in EXAMPLES] == list(COUNTS)


@pytest.mark.parametrize(("name", "text", "printed"), EXAMPLES)
def test_the_printed_mappings_are_proposed_and_read(name, text, printed, tmp_path):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    source = SourceFile(path, name, path.suffix[1:])
    written = [Mapping.from_dict(data) for data in json.loads(printed)]
    found = guess_file(source, SPECS)
    assert found.is_complete
    log = ProblemLog()
    for mapping, proposal in zip(written, found.mappings, strict=True):
        spec = spec_named(mapping.table)
        assert list(records(source, mapping, spec, log)) == list(
            records(source, proposal, spec, log)
        )
    counts = [len(list(records(source, m, spec_named(m.table), log))) for m in written]
    assert counts == COUNTS[name]
    assert log.problems == ()
