"""Every table of every report opens in pandas: alone by its name, or in a zip of all of them."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.filter.question import Question
from analysis.reports import service
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from analysis.tables.flat_table import FlatTable
from analysis.tables.latex import LONGEST, latex_table
from analysis.tables.of_reports import flat_tables
from corpus.models import Study
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.report_pages import DEMO, open_page, reader

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


def test_the_zip_says_where_its_tables_come_from(tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    _command("--kind", "raters", "--output", path)
    with zipfile.ZipFile(path) as archive:
        about = archive.read("about.txt").decode()
    assert about.startswith("SIMULATED RATINGS")
    for part in ("study: formality-demo", "report: raters", "ratings sha256: ", "rater-pairs.csv"):
        assert part in about


def test_one_table_by_its_name_is_one_csv(capsys: pytest.CaptureFixture[str]) -> None:
    _command("--kind", "correlation", "--aspect", "style", "--table", "ceilings")
    frame = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert set(frame["aspect"]) == {"style"}
    assert {"number", "value", "signature"} <= set(frame.columns)


def test_one_table_can_be_json_or_latex_too(capsys: pytest.CaptureFixture[str]) -> None:
    for form, start in (("json", "{"), ("latex", "% SIMULATED")):
        arguments = ("--kind", "agreement", "--table", "raters", "--format", form)
        call_command("report", "formality-demo", *arguments)
        text = capsys.readouterr().out
        assert text.startswith(start)
        assert "Raters" in text
        assert "Agreement between raters" not in text


def test_an_unknown_table_is_answered_by_the_names_there_are() -> None:
    with pytest.raises(CommandError, match="table=taste: there are raters, rater-pairs"):
        _command("--kind", "raters", "--table", "taste")


def test_a_zip_is_not_written_under_the_name_of_a_csv(tmp_path: Path) -> None:
    with pytest.raises(
        CommandError, match=r"--table NAME \(ranking\), or name a file that ends in \.zip"
    ):
        _command("--kind", "ranking", "--output", tmp_path / "ranking.csv")
    assert not list(tmp_path.iterdir())


def test_a_terminal_gets_a_sentence_and_no_zip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with pytest.raises(
        CommandError, match=r"--output, or choose one with --table NAME \(raters, rater-pairs"
    ):
        _command("--kind", "raters")


def test_a_zip_goes_through_a_pipe(migrated_environment: dict[str, str], tmp_path: Path) -> None:
    def run(*arguments: str) -> bytes:
        program = [sys.executable, str(DEMO.parent.parent / "manage.py"), *arguments]
        done = subprocess.run(
            program, env=migrated_environment, cwd=tmp_path, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("import_study", str(DEMO))
    piped = run("report", "formality-demo", "--kind", "ranking", "--format", "csv")
    assert list(_frames(piped)) == ["ranking"]


@pytest.fixture
def api() -> Any:
    return client_of("ada", Study.objects.get(), "researcher")


def test_the_api_sends_a_table_as_csv(api: Any) -> None:
    answer = api.get(f"{REPORTS}ranking/?aspect=style&format=csv&table=ranking")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="formality-demo-ranking.csv"'
    frame = pd.read_csv(io.BytesIO(answer.content))
    assert set(frame["aspect"]) == {"style"}


@pytest.mark.parametrize("kind", ["agreement/", "scores/", ""])
def test_the_api_sends_all_tables_as_a_zip(api: Any, kind: str) -> None:
    answer = api.get(f"{REPORTS}{kind}?format=csv")
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].endswith('.zip"')
    assert len(_frames(answer.content)) > 1


def test_the_api_sends_a_table_as_json(api: Any) -> None:
    content = api.get(f"{REPORTS}ranking/?table=ranking").json()
    assert content["name"] == "ranking"
    assert content["rows"][0]["aspect"] == "style"


def test_what_the_api_refuses_is_json_whatever_was_asked_for(api: Any, monkeypatch: Any) -> None:
    missing = api.get(f"{REPORTS}raters/?format=csv&table=taste")
    detail = is_error(missing, 400)["detail"]
    assert detail == (
        "table=taste: there are raters, rater-pairs, rater-sides, raters-as-labels, divisions, "
        "divided-items, soft-labels"
    )
    assert is_error(api.get(f"{REPORTS}ranking/?format=csv&aspect=taste"), 400)
    assert is_error(api.get(f"{REPORTS}ranking/?format=xml"), 404)
    monkeypatch.setattr(service, "QUICK", 0)
    waiting = api.get(f"{REPORTS}correlation/?format=csv&statistic=kendall-tau-c")
    assert waiting.status_code == 202
    assert waiting.json()["jobs"]


def test_a_page_links_to_all_of_its_tables_at_once() -> None:
    client = reader("bob", "formality-demo")
    page = open_page(client, "/studies/formality-demo/ranking/?aspect=style")
    [address] = {a.get("href", "") for a in page.iter("a") if "format=csv" in a.get("href", "")}
    frames = _frames(client.get(address).content)
    assert set(frames["ranking"]["aspect"]) == {"style"}


def test_the_files_of_a_page_open_in_pandas() -> None:
    client = reader("cyd", "formality-demo")
    for kind in ("agreement", "correlation", "scores"):
        page = open_page(client, f"/studies/formality-demo/{kind}/")
        links = [a.get("href", "") for a in page.iter("a") if "download" in a.attrib]
        for address in [link for link in links if link.split("?")[0].endswith(".csv")]:
            frame = pd.read_csv(io.BytesIO(client.get(address).content))
            assert frame.columns[0] == "simulated", address


def test_no_row_of_latex_begins_as_an_option_or_star_of_the_line_before():
    for size in (1, LONGEST):
        rows = tuple((name, 0.5) for name in ("[2cm] of cloth", "*", "plain"))
        text = latex_table(FlatTable("t", "T", ("[name]", "value"), rows * size))
        for line in text.splitlines():
            assert not line.lstrip().startswith(("[", "*")), line
        assert r"{}[2cm] of cloth & 0.500 \\" in text
