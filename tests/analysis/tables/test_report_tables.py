"""Every table of every report opens in pandas: alone by its name, or in a zip of all of them."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import call_command

from analysis.filter.question import Question
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from analysis.tables.flat_table import FlatTable
from analysis.tables.latex import LONGEST, latex_table
from analysis.tables.of_reports import flat_tables
from corpus.models import Study
from tests.fixtures.api_clients import API, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
REPORTS = f"{API}studies/formality-demo/reports/"


def _command(*arguments: Any) -> None:
    call_command("report", "formality-demo", "--format", "csv", *arguments)


def _frames(content: bytes) -> dict[str, pd.DataFrame]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name.removesuffix(".csv"): pd.read_csv(archive.open(name))
            for name in archive.namelist()
            if name.endswith(".csv")
        }


@pytest.mark.parametrize("kind", KINDS)
def test_pandas_reads_every_table_of_the_zip_of_a_report(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    _command("--kind", kind, "--output", path)
    frames = _frames(path.read_bytes())
    expected = flat_tables(report(Study.objects.get(), kind, Question()))
    assert list(frames) == [table.name for table in expected]
    for table in expected:
        frame = frames[table.name]
        assert list(frame.columns) == ["simulated", *table.columns]
        assert len(frame) == len(table.rows)
        assert set(frame["simulated"]) <= {"simulated ratings"}
        if "value" in table.columns:
            place = table.columns.index("value")
            values = pd.Series([row[place] for row in table.rows], dtype=float)
            pd.testing.assert_series_equal(
                frame["value"].astype(float), values, check_names=False, check_exact=True
            )


def test_pandas_reads_every_table_of_the_document_of_all_reports(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    _command("--output", path)
    frames = _frames(path.read_bytes())
    assert {"agreement", "agreement-raters", "ranking", "correlation-headline"} <= set(frames)
    assert set(frames["correlation-headline"]["part"]) >= {"all", "direction informal-to-formal"}


def test_one_table_by_its_name_is_one_csv(capsys: pytest.CaptureFixture[str]) -> None:
    _command("--kind", "correlation", "--aspect", "style", "--table", "ceilings")
    frame = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert set(frame["aspect"]) == {"style"}
    assert {"number", "value", "signature"} <= set(frame.columns)


@pytest.fixture
def api() -> Any:
    return client_of("ada", Study.objects.get(), "researcher")


@pytest.mark.parametrize("kind", ["agreement/", ""])
def test_the_api_sends_all_tables_as_a_zip(api: Any, kind: str) -> None:
    answer = api.get(f"{REPORTS}{kind}?format=csv")
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].endswith('.zip"')
    assert len(_frames(answer.content)) > 1


def test_no_row_of_latex_begins_as_an_option_or_star_of_the_line_before():
    for size in (1, LONGEST):
        rows = tuple((name, 0.5) for name in ("[2cm] of cloth", "*", "plain"))
        text = latex_table(FlatTable("t", "T", ("[name]", "value"), rows * size))
        for line in text.splitlines():
            assert not line.lstrip().startswith(("[", "*")), line
        assert r"{}[2cm] of cloth & 0.500 \\" in text


def test_the_caption_of_the_first_table_says_the_verdict() -> None:
    made = report(Study.objects.get(), "ranking", Question())
    [first, *others] = flat_tables(made)
    assert first.verdict == made["verdict"][0]
    assert not any(each.verdict for each in others)
    caption = latex_table(replace(first, title="T", verdict="It holds of 50 %.")).splitlines()
    assert any(
        line.startswith(r"\caption{T (simulated ratings). It holds of 50 \%.}") for line in caption
    )
