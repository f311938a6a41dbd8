"""No line ends between a number and its percent sign."""

import re
from pathlib import Path

from corpus.pages.unbroken import unbroken
from tests.fixtures.nonempty import at_least_one

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
MAY_BREAK = re.compile(r"(?:\d|\}\}|endif %\}) %(?!\})")


def test_every_number_of_a_sentence_keeps_its_percent_sign():
    said = "chrf puts 90 % (95 % CI 80 to 95 %) of 10 pairs"
    assert unbroken(said) == "chrf puts 90\xa0% (95\xa0% CI 80 to 95\xa0%) of 10 pairs"


def test_templates_write_percentages_with_no_break_spaces():
    found = {
        str(path.relative_to(TEMPLATES)): MAY_BREAK.findall(COMMENT.sub("", path.read_text()))
        for path in at_least_one(TEMPLATES.rglob("*.html"))
    }
    assert {name: places for name, places in found.items() if places} == {}
