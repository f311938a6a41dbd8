"""The code that keys stored results changes with what computes them, and with nothing else."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.code_version import code_sha256, computing_modules, kept_code_sha256
from tests.fixtures.machine import ROOT


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code."""
    folder = tmp_path_factory.mktemp("code")
    for room in ("analysis", "annotation", "corpus", "metrics"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


class Edited:
    """A copy of the code that is edited for a test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.before: dict[Path, str] = {}

    def __call__(self, name: str, old: str, new: str) -> None:
        """Replace a text in a module that has it."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} has no {old!r} any more"
        self.before.setdefault(path, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def sha256(self) -> str:
        """Return the hash of the copy as it is now."""
        return code_sha256.__wrapped__(self.root)  # type: ignore[attr-defined]

    def restore(self) -> None:
        """Take all edits back."""
        for path, text in self.before.items():
            path.write_text(text, encoding="utf-8")


@pytest.fixture
def edit(copied: Path) -> Iterator[Edited]:
    """Edit the copy: `edit(name, old, new)`."""
    edited = Edited(copied)
    yield edited
    edited.restore()


def test_comments_docstrings_and_formatting_change_nothing(edit: Edited) -> None:
    name = "analysis/stats/agreement/kappas.py"
    edit(name, '"""', '# A comment.\n"""Other words.')
    edit(name, "\n\n\ndef ", "\n\n\n# Its middle.\n\ndef ")
    edit(
        "analysis/stats/correlation/tau_like.py",
        "import numpy as np",
        "import numpy  as  np  # arrays",
    )
    assert edit.sha256() == code_sha256(ROOT)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("analysis/stats/resampling/permutation.py", '"holm"', '"hommel"'),
        ("analysis/reports/correlation/report.py", "MOST_CURVES = 40", "MOST_CURVES = 41"),
        ("analysis/data/study_data.py", "variant_of_output == 1", "variant_of_output == 2"),
        ("analysis/wording.py", "p_value:.3g", "p_value:.4g"),
        ("analysis/sweeps/service.py", "np.isfinite(human)", "np.isnan(human)"),
        ("metrics/runs/listing.py", "return None", "return 0.0"),
    ],
)
def test_what_is_computed_changes_it(edit: Edited, name: str, old: str, new: str) -> None:
    edit(name, old, new)
    assert edit.sha256() != code_sha256(ROOT)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Where the hash is kept."""
    return tmp_path / "data" / "code_version"


def read_again(base: Path, kept: Path) -> str:
    """Return the hash as a new process does."""
    return kept_code_sha256.__wrapped__(base, kept)  # type: ignore[attr-defined, no-any-return]


def test_it_is_kept_until_a_module_changes(
    edit: Edited, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_again(edit.root, kept) == edit.sha256()
    with monkeypatch.context() as patch:
        patch.setattr("analysis.code_version.code_sha256", lambda base: "computed again")
        assert read_again(edit.root, kept) == code_sha256(ROOT)
        edit("corpus/jobs/queue.py", "\n\n", "\n\nADDED = 1\n\n")
        assert read_again(edit.root, kept) == "computed again"


def test_pages_files_and_storage_do_not(edit: Edited) -> None:
    names = (
        *("analysis/filter/form.py", "analysis/views/pages.py", "analysis/api/reports.py"),
        *("analysis/charts/scatter.py", "analysis/tables/latex.py"),
        *("analysis/tables/of_reports.py", "analysis/models.py", "analysis/reports/service.py"),
        *("metrics/scorers/bleu.py", "analysis/monitoring.py", "corpus/jobs/queue.py"),
        "annotation/models/rating.py",
    )
    computing = {str(path.relative_to(ROOT)) for path in computing_modules(ROOT)}
    assert computing.isdisjoint(names)
    for name in names:
        edit(name, "\n\n", "\n\nADDED = 1\n\n")
    assert edit.sha256() == code_sha256(ROOT)
