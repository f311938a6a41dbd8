"""Every command and example that pages of docs show does what it says, run as it is written."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

RUN_PAGES = ("docs/how-to/automate.md", "docs/style-resources.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def _commands(page: str) -> list[str]:
    lines = "".join(_blocks(page, "sh")).replace("\\\n", "").splitlines()
    return [line for line in lines if line.startswith(".venv/bin/python manage.py ")]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("page", RUN_PAGES)
def test_the_commands_of_a_page_run_in_their_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "demo").symlink_to(ROOT / "demo")
    monkeypatch.chdir(tmp_path)
    for command in at_least_one(_commands(page)):
        _, _, rest = command.partition("manage.py ")
        call_command(*shlex.split(rest))
        output = capsys.readouterr().out
        target = re.search(r"--output (\S+)", rest)
        assert (tmp_path / target[1]).stat().st_size if target else output


@pytest.mark.parametrize(
    ("page", "said"),
    [(RUN_PAGES[0], "kendall-tau-like"), (RUN_PAGES[1], r"\A1\.0 \[\[0\.\d+ 0\.\d+\]\]\n\Z")],
)
def test_the_python_examples_of_a_page_run(
    page: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for example in at_least_one(_blocks(page, "python")):
        exec(compile(example, page, "exec"), {})
        assert re.search(said, capsys.readouterr().out)


def test_links_of_the_readme_lead_somewhere() -> None:
    page = ROOT / "README.md"
    for target in at_least_one(re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))):
        assert "://" in target or (ROOT / target).exists(), target
