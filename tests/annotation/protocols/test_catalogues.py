"""Catalogues of the rating pages' languages: whole, and fit for what is put into them."""

import re
import subprocess
import sys
from itertools import product

import pytest
from django.utils.translation import to_locale

from annotation.protocols.catalogue import LIVE
from annotation.protocols.guidelines.asked import Direction
from annotation.protocols.guidelines.documents import brought
from annotation.protocols.language import ENGLISH, LANGUAGES
from annotation.views.places import markdown
from tests.fixtures.machine import ROOT

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
WAYS = [
    Direction(*way)
    for way in (("informal", "formal"), ("positive", "negative"), ("neutral", "subjective"))
]


def catalogue(language):
    folder = ROOT / "locale" / to_locale(language) / "LC_MESSAGES"
    return (folder / "django.po").read_text(encoding="utf-8")


def test_every_message_is_translated_with_its_values_and_compiled_and_none_is_left_over():
    command = [sys.executable, "scripts/catalogues.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("language", OTHERS)
def test_each_catalogue_begins_with_its_terms_and_has_every_message(language):
    header, *messages = catalogue(language).split("\nmsgid ")
    assert re.search(r"^# target style +\S", header, re.MULTILINE)
    assert len(messages) > 550


@pytest.mark.parametrize("language", OTHERS)
def test_no_mark_of_markdown_is_left_in_guidelines(language):
    for rules, way in product(LIVE.values(), WAYS):
        text = brought(rules, {"language": language}, [way]).guidelines
        assert text != brought(rules, {}, [way]).guidelines
        assert not re.search(r"[*`{}]", re.sub(r"<[^>]+>", "", markdown(text))), text
