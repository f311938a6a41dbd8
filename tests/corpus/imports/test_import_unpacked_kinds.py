"""Workbooks, archives and markup are imported like the tables that they hold."""

import io
import tarfile
import zipfile

import openpyxl
import pytest

from corpus.models import Output
from tests.fixtures.harmful_files import written
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db
SEGMENTS = [{"segment": "1", "source": "it depends"}, {"segment": "2", "source": "dunno"}]
OUTPUTS = [{"segment": "1", "system": "A", "output": "It depends."}]


def book(**sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        sheet.append(list(rows[0]))
        for row in rows:
            sheet.append(list(row.values()))
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def texts():
    """Return every text stored, sources too, under the key of its segment."""
    return sorted(Output.objects.values_list("segment__key", "text"))


EXPECTED = [("1", "It depends."), ("1", "it depends"), ("2", "dunno")]


def test_the_sheets_of_one_workbook_are_a_study(tmp_path):
    (tmp_path / "study.xlsx").write_bytes(
        book(segments=SEGMENTS, outputs=OUTPUTS, notes=[{"a": 1}])
    )
    job = import_path(tmp_path / "study.xlsx")
    assert job.state == "done", job.error
    assert texts() == EXPECTED
    assert [name for name, _ in job.result["unrecognised"]] == ["study.xlsx/notes"]


@pytest.mark.parametrize(
    ("kind", "packed"),
    [("xlsx", "tgz"), ("ods", "zip"), ("xml", "folder"), ("sgml", "tgz"), ("json", "zip")],
)
def test_each_kind_of_file_is_imported_from_archives_and_folders(tmp_path, kind, packed):
    files = {
        f"segments.{kind}": written(f"segments.{kind}", SEGMENTS),
        f"outputs.{kind}": written(f"outputs.{kind}", OUTPUTS),
    }
    path = tmp_path / f"study.{packed}"
    if packed == "folder":
        path.mkdir()
        for name, data in files.items():
            (path / name).write_bytes(data)
    elif packed == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
    else:
        with tarfile.open(path, "w:gz") as tar:
            for name, data in files.items():
                info = tarfile.TarInfo(f"study/{name}")
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    job = import_path(path)
    assert job.state == "done", job.error
    assert texts() == EXPECTED
