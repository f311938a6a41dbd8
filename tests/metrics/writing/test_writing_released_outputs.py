"""Released outputs, one file for each system, are imported as the page says."""

import re
import subprocess

import pytest

from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import import_path
from tests.fixtures.writing_studies import texts_of

pytestmark = pytest.mark.django_db
LINES = {
    "dual-rl": ['he said "no", twice', "50 % off, today"],
    "strap": ["a | b \\ c", "don't worry 😀"],
}


def test_a_file_of_lines_for_each_system_is_imported(tmp_path):
    page = (ROOT / "docs" / "writing.md").read_text(encoding="utf-8")
    (shell,) = re.findall(r"```sh\n(\( echo.*?)\n\.venv", page, flags=re.DOTALL)
    folder = tmp_path / "my-study"
    folder.mkdir()
    (folder / "segments.csv").write_text(
        "segment_id,source,source_style,target_style\n1,one,a,b\n2,two,a,b\n", encoding="utf-8"
    )
    for system, lines in LINES.items():
        (tmp_path / f"{system}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    subprocess.run(["bash", "-euc", shell], cwd=tmp_path, check=True)
    import_path(folder, slug="my-study")
    for system, lines in LINES.items():
        assert list(texts_of(system, "my-study").values()) == lines
