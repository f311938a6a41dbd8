"""The tutorial and the how-tos do what they say: their commands run, their numbers come out."""

import csv
import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

pytestmark = pytest.mark.django_db
COMMAND = re.compile(r"^\.venv/bin/python manage\.py (.*)$", re.MULTILINE)
# The commands for script authors are run as processes, by test_documented_commands.py.
PAGES = sorted(
    path
    for path in ROOT.glob("docs/how-to/*.md")
    if path.stem != "automate" and COMMAND.search(path.read_text("utf-8"))
)
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder where the files of a checkout are, and written ones do no harm."""
    for name in ("demo", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Run a command as it is written; return what it says, or what it wrote."""

    def call(command: str) -> str:
        words = shlex.split(command)
        call_command(*words)
        said = capsys.readouterr().out
        if "--output" in words:
            return Path(words[words.index("--output") + 1]).read_bytes().decode("latin-1")
        return said

    return call


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_how_to_run(page: Path, demo: None, run: Callable[[str], str]) -> None:
    for command in at_least_one(COMMAND.findall(page.read_text(encoding="utf-8"))):
        assert run(command), command


def rows_below(heading: str) -> list[list[str]]:
    """Return the table of a step of the tutorial, without its head."""
    section = TUTORIAL.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_numbers_of_the_tutorial_come_out(run: Callable[[str], str]) -> None:
    said = {command: run(command) for command in at_least_one(COMMAND.findall(TUTORIAL))}
    [imported] = [text for command, text in said.items() if command.startswith("import_study")]
    for count in ("segments: 24 added", "outputs: 120 added", "ratings: 1440 added"):
        assert count in imported

    def table(kind: str) -> list[dict[str, str]]:
        [text] = [said[c] for c in said if f"--kind {kind} " in c and "--format csv" in c]
        return list(csv.DictReader(io.StringIO(text)))

    agreement = {row["statistic"]: row for row in table("agreement")}
    for statistic, value, interval, _ in at_least_one(rows_below("3. Can the ratings be trusted?")):
        row = agreement[statistic]
        assert f"{float(row['value']):.3f}" == value
        assert f"{float(row['low']):.3f} to {float(row['high']):.3f}" == interval
    correlation = {row["metric"]: row for row in table("correlation")}
    steps = at_least_one(rows_below("5. Which metric correlates with the raters?"))
    assert {metric for metric, *_ in steps} == {*correlation}
    for metric, segment, _, system in steps:
        assert f"{float(correlation[metric]['segment_pearson']):.3f}" == segment
        assert f"{float(correlation[metric]['system_pearson']):.3f}" == system
    tested = {
        f"{row['metric']}, {row['other_metric']}": row
        for row in table("comparison")
        if row["test"] == "permutation"
    }
    for pair, difference, adjusted in at_least_one(rows_below("6. Is the difference real?")):
        assert f"{float(tested[pair]['value']):.3f}" == difference
        assert f"{float(tested[pair]['holm']):.3f}".removeprefix("0") == adjusted
