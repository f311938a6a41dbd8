"""The package for notebooks: the statistics of the workbench without anything else of it."""

import subprocess
import sys
from pathlib import Path

import pytest

import analysis.stats
from tests.fixtures.machine import ROOT
from tests.fixtures.notebook_package import unpacked

HEAVY = {"django", "torch", "rest_framework", "pyarrow", "analysis", "corpus", "metrics"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return unpacked(tmp_path_factory.mktemp("notebook"))


def test_building_it_leaves_no_temporary_files(tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    unpacked(tmp_path)
    assert not list(temporary.iterdir())


def run(site, code):
    """Run code where nothing but the package and its requirements can be imported."""
    program = f"import sys; sys.path.insert(0, {str(site)!r})\n{code}"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_statistic_is_in_it_under_one_import(site):
    published = run(site, "from touchstone import statistics; print(*dir(statistics))").split()
    assert published == analysis.stats.__all__
    assert len(published) > 60
    inside = {
        path.relative_to(ROOT / "analysis/stats")
        for path in (ROOT / "analysis/stats").rglob("*.py")
    }
    assert {
        path.relative_to(site / "touchstone/statistics")
        for path in (site / "touchstone/statistics").rglob("*.py")
    } == inside | {Path("progress.py"), Path("style_transfer_intensity.py")}


def test_nothing_else_of_the_workbench_is_needed(site):
    code = (
        "import importlib, pkgutil, touchstone.statistics as s\n"
        "for each in pkgutil.walk_packages(s.__path__, s.__name__ + '.'):\n"
        "    importlib.import_module(each.name)\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    imported = set(run(site, code).split())
    assert {"touchstone", "numpy", "scipy"} <= imported
    assert not imported & HEAVY


def test_values_are_those_of_the_workbench(site):
    code = (
        "from touchstone import statistics as s\n"
        "found = s.krippendorff_alpha([[1, 2], [2, 2], [4, 3], [5, 5]], 'ordinal')\n"
        "print(found.value, found.interval.low, found.signature)"
    )
    expected = analysis.stats.krippendorff_alpha([[1, 2], [2, 2], [4, 3], [5, 5]], "ordinal")
    value, low, signature = run(site, code).split(maxsplit=2)
    assert (float(value), float(low)) == (expected.value, expected.interval.low)
    assert signature.strip() == expected.signature


def test_a_client_alone_imports_no_numbers(site):
    code = "import touchstone; touchstone.connect; print('numpy' in sys.modules)"
    assert run(site, code) == "False\n"


def test_the_page_names_every_statistic():
    page = (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8")
    assert {name for name in analysis.stats.__all__ if f"`{name}`" not in page} == set()
