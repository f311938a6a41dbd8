"""What annotators see on one page for a paper: printed, and as one file."""

import base64
import hashlib
import re

import pytest

from annotation.launch.appendix import STYLES
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import parse, words

pytestmark = pytest.mark.django_db
HOME = "/studies/small/campaigns/pilot/"


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


def test_the_page_has_everything_that_annotators_read(owner, campaign):
    assert f'href="{HOME}appendix/"' in owner.get(f"{HOME}preview/").text
    page = parse(owner.get(f"{HOME}appendix/").text)
    said = words(page)
    for each in ("I agree to take part", "Insults occur", "Be kind", "Your first language"):
        assert each in said
    assert campaign.rules.title in said
    rated = campaign.study.outputs.filter(system__kind="system")
    assert sum(output.text in said for output in at_least_one(rated)) == 1


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
