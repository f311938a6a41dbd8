"""What annotators see on one page for a paper: printed, as one file, and as PDF by Chromium."""

import base64
import hashlib
import re
import shutil
import subprocess
import sys

import pytest

from annotation.launch.appendix import STYLES, as_pdf
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import parse, words

pytestmark = pytest.mark.django_db
HOME = "/studies/small/campaigns/pilot/"
CHROMIUM = shutil.which("chromium") or ""


@pytest.fixture
def campaign():
    made, _ = make_campaign(
        make_study(2, 1),
        slug="pilot",
        consent="I agree to **take part**.",
        content_warning="Insults occur.",
        guidelines="# Be kind\n\nRead <script>both</script> texts. ![a](../../secret.png)",
        questions=["Your first language"],
    )
    return made


@pytest.fixture
def owner(campaign):
    return signed_in("ada", campaign.study)


@pytest.fixture
def program(tmp_path, settings):
    """Let a small program stand in for Chromium; it keeps its arguments and the page it read."""

    def stand_in(body: str) -> None:
        script = tmp_path / "browser"
        script.write_text(f"#!{sys.executable}\nimport os, sys, pathlib\n{body}\n")
        script.chmod(0o755)
        settings.CHROMIUM, settings.DATA_DIR = str(script), tmp_path

    return stand_in


def test_the_page_has_everything_that_annotators_read(owner, campaign):
    assert f'href="{HOME}appendix/"' in owner.get(f"{HOME}preview/").text
    page = parse(owner.get(f"{HOME}appendix/").text)
    said = words(page)
    for each in ("I agree to take part", "Insults occur", "Be kind", "Your first language"):
        assert each in said
    assert campaign.rules.title in said
    rated = campaign.study.outputs.filter(system__kind="system")
    assert sum(output.text in said for output in at_least_one(rated)) == 1
    assert "Download as PDF" not in said


def test_the_file_loads_nothing_and_has_all_styles(owner):
    reply = owner.get(f"{HOME}appendix.html")
    assert reply["Content-Disposition"] == 'attachment; filename="small-pilot-appendix.html"'
    assert "<link" not in reply.text
    assert not re.search(r"<script [^>]*src|url\(|@import", reply.text)
    [script] = re.findall(r"<script>(.*?)</script>", reply.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = "default-src 'none'; style-src 'unsafe-inline'; "
    assert f"{policy}script-src 'sha256-{digest}'" in reply.text
    [styles] = re.findall(r"<style>(.*?)</style>", reply.text, re.DOTALL)
    for name in STYLES:
        assert (ROOT / "static" / name).read_text("utf-8") in styles
    [token] = re.findall(r'name="csrfmiddlewaretoken" value="([^"]*)"', reply.text)
    assert token == ""
    assert "Download" not in words(parse(reply.text))


def test_the_program_gets_the_page_without_network_and_keys(owner, program, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_JUDGE_KEY", "sk-very-secret")
    program(
        "made = next(a for a in sys.argv if a.startswith('--print-to-pdf=')).partition('=')[2]\n"
        "page = pathlib.Path(sys.argv[-1].removeprefix('file://')).read_text()\n"
        "known = ' '.join([*sys.argv[1:], *os.environ])\n"
        "pathlib.Path(made).write_text('%PDF-' + known + page)"
    )
    reply = owner.get(f"{HOME}appendix.pdf")
    assert reply["Content-Type"] == "application/pdf"
    written = reply.content.decode()
    assert "--host-resolver-rules=MAP * ~NOTFOUND" in written
    assert "I agree to" in written
    assert "PATH" in written
    assert "TOUCHSTONE_JUDGE_KEY" not in written
    assert "Download as PDF" in words(parse(owner.get(f"{HOME}appendix/").text))


def test_one_pdf_is_made_at_a_time(owner, program):
    program(
        "import subprocess\n"
        "folder = pathlib.Path(sys.argv[0]).parent\n"
        "lock = 'import fcntl,sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX|fcntl.LOCK_NB)'\n"
        "taken = subprocess.run([sys.executable, '-c', lock, folder / 'appendix-turn'],\n"
        "                       capture_output=True)\n"
        "sys.exit(40 + bool(taken.returncode))"
    )
    assert "it ended with 41" in owner.get(f"{HOME}appendix.pdf", follow=True).text


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium on this machine")
def test_chromium_makes_a_pdf_with_the_words(tmp_path, settings, owner):
    settings.CHROMIUM, settings.DATA_DIR = CHROMIUM, tmp_path
    made = as_pdf(owner.get(f"{HOME}appendix.html").text)
    assert made.startswith(b"%PDF-")
    assert made.rstrip().endswith(b"%%EOF")
    assert made.count(b"/Type /Page\n") >= 2
    if shutil.which("pdftotext"):
        path = tmp_path / "made.pdf"
        path.write_bytes(made)
        text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
        assert "Be kind" in text.stdout
