"""Tables that are sent to people hold no formula, and no module writes one its own way."""

import ast
import csv
import io

from corpus.tabular.spreadsheets import spreadsheet_csv
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

WRITERS = {
    "corpus/tabular/spreadsheets.py",  # for people
    "corpus/exports/bundle.py",  # study archives: texts as they are, or marked for spreadsheets
    "corpus/tabular/database.py",  # to the database of an import; nobody else sees it
}
FORMULAS = ("=cmd|'/C calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1")


def test_only_one_function_writes_tables_for_people():
    found = set()
    for app in ("analysis", "annotation", "config", "corpus", "metrics"):
        for path in at_least_one((ROOT / app).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if not any(word in text for word in ("csv.writer", "DictWriter", "to_csv", "to_excel")):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Attribute) and (
                    node.attr in ("DictWriter", "to_csv", "to_excel")
                    or (node.attr == "writer" and ast.unparse(node.value) == "csv")
                ):
                    found.add(str(path.relative_to(ROOT)))
    assert found == WRITERS


def test_no_cell_of_a_table_for_people_is_a_formula_or_breaks_its_row():
    inside = [f"text{end}{formula}" for formula in FORMULAS for end in ("\r", "\n", "\r\n")]
    table = spreadsheet_csv([FORMULAS, inside, [-1.5, None, "plain"]])
    marked, kept, numbers = csv.reader(io.StringIO(table, newline=""))
    assert marked == ["'" + formula for formula in FORMULAS]
    assert kept == inside
    assert numbers == ["-1.5", "", "plain"]
    assert table.count('"text') == len(inside)
