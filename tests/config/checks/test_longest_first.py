"""Which test files come first."""

from tests.fixtures.machine import ROOT


def test_files_that_come_first_exist():
    names = (ROOT / "tests" / "longest_first.txt").read_text(encoding="utf-8").split()
    assert len(names) == len(set(names))
    assert set(names) <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}
