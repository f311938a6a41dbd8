"""Another package adds a format by an entry point; one that fails does not stop imports."""

import pytest

from corpus.formats import catalogue

MODULE = """
from corpus.formats.format import Format, ReadAs


class Lists(Format):
    name = "lists"
    title = "Lists of somebody"

    def recognises(self, files):
        return bool(files.ending_with(".list"))

    def read(self, files, folder, chosen):
        return ReadAs(notes=["read"])


FORMAT = Lists()
"""
POINTS = """[touchstone.formats]
lists = somebodys_lists:FORMAT
broken = somebodys_broken:FORMAT
ours = corpus.formats.comet:FORMAT
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package that names three formats."""
    (tmp_path / "somebodys_lists.py").write_text(MODULE)
    info = tmp_path / "somebodys_lists-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys-lists\nVersion: 1\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    catalogue.formats.cache_clear()
    yield
    catalogue.formats.cache_clear()


def test_an_entry_point_adds_a_format_and_a_broken_one_is_passed_over(installed):
    known = catalogue.formats()
    assert known["lists"].title == "Lists of somebody"
    assert list(known)[-1] == "lists"
    assert "broken" not in known
    assert known["comet"] is catalogue.format_named("comet")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(catalogue.UnknownFormatError, match="mt-metrics-eval-v2"):
        catalogue.format_named("odd")
