"""The code that keys stored results changes with what computes them, and with nothing else."""

import shutil
from pathlib import Path

import pytest

from analysis.code_version import code_sha256, computing_modules
from tests.fixtures.machine import ROOT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the code, to be edited."""
    for room in ("analysis", "annotation", "corpus", "metrics"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def _edit(root: Path, name: str, old: str, new: str) -> None:
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{name} has no {old!r} any more"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_copy_of_the_code_has_the_same_hash(copy: Path) -> None:
    assert code_sha256(copy) == code_sha256(ROOT)


def test_comments_docstrings_and_formatting_change_nothing(copy: Path) -> None:
    name = "analysis/stats/agreement/fleiss.py"
    text = (copy / name).read_text(encoding="utf-8")
    start = text.index('"""')
    (copy / name).write_text(
        "# A comment.\n"
        + text[:start]
        + '"""Other words.'
        + text[start + 3 :]
        + "\n\n# Its end.\n",
        encoding="utf-8",
    )
    _edit(
        copy,
        "analysis/stats/correlation/tau_like.py",
        "import numpy as np",
        "import numpy  as  np  # arrays",
    )
    assert code_sha256(copy) == code_sha256(ROOT)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("analysis/stats/resampling/multiplicity.py", "adjusted, 1.0", "adjusted, 0.99"),
        ("analysis/reports/correlation/report.py", "MOST_CURVES = 40", "MOST_CURVES = 41"),
        ("analysis/data/study_data.py", "variant_of_output == 1", "variant_of_output == 2"),
        ("analysis/wording.py", "p_value >= 0.0001", "p_value >= 0.001"),
        ("analysis/sweeps/service.py", "np.isfinite(human)", "np.isnan(human)"),
        ("metrics/runs/corpus_scores.py", "return None", "return 0.0"),
    ],
)
def test_what_is_computed_changes_it(copy: Path, name: str, old: str, new: str) -> None:
    _edit(copy, name, old, new)
    assert code_sha256(copy) != code_sha256(ROOT)


@pytest.mark.parametrize(
    "name",
    [
        *("analysis/filter/form.py", "analysis/views/pages.py", "analysis/api/views.py"),
        *(
            "analysis/charts/scatter.py",
            "analysis/tables/latex.py",
            "analysis/tables/of_reports.py",
        ),
        *("analysis/models.py", "analysis/reports/service.py", "metrics/scorers/bleu.py"),
        *("analysis/monitoring.py", "corpus/jobs/queue.py", "annotation/models/rating.py"),
    ],
)
def test_pages_files_and_storage_do_not(copy: Path, name: str) -> None:
    with (copy / name).open("a", encoding="utf-8") as module:
        module.write("\n\nADDED = 1\n")
    assert code_sha256(copy) == code_sha256(ROOT)


def test_every_statistic_of_a_report_is_part_of_it() -> None:
    names = {str(path.relative_to(ROOT)) for path in computing_modules(ROOT)}
    for needed in (
        *(
            "analysis/estimates/agreements.py",
            "analysis/filter/question.py",
            "analysis/data/selection.py",
        ),
        *("analysis/reports/agreement/report.py", "analysis/reports/frame.py"),
        *("analysis/stats/results.py", "analysis/stats/correlation/nested_selection.py"),
        *("analysis/text_map/layout.py", "metrics/scorers/overall.py"),
    ):
        assert needed in names
    shown = ("/views/", "/migrations/", "/page.py", "/tables.py")
    assert not [name for name in names if any(part in name for part in shown)]
