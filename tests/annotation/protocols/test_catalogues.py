"""Catalogues of the rating pages' languages: whole, and fit for what is put into them."""

import re
import runpy
from types import SimpleNamespace

import pytest

from annotation.markdown import markdown
from annotation.protocols.catalogue import LIVE
from annotation.protocols.guidelines.asked import Direction
from annotation.protocols.guidelines.catalogue import brought
from annotation.protocols.language import ENGLISH, LANGUAGES
from tests.fixtures.machine import ROOT

catalogues = SimpleNamespace(**runpy.run_path(str(ROOT / "scripts" / "catalogues.py")))
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
WAYS = [
    Direction(*way)
    for way in (("informal", "formal"), ("positive", "negative"), ("neutral", "subjective"))
]


@pytest.fixture(scope="module")
def messages():
    found = catalogues.template()
    assert len(found) > 550
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated_with_its_values_and_none_is_left_over(language, messages):
    assert catalogues.problems(language, messages) == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_pages_read_is_compiled_from_what_translators_write(language):
    compiled = catalogues.compiled(catalogues.read(language))
    assert catalogues.compiled_path(language).read_bytes() == compiled


@pytest.mark.parametrize("language", OTHERS)
def test_each_catalogue_begins_with_its_terms(language):
    assert re.search(r"target style +\S", catalogues.read(language).header_comment)


@pytest.mark.parametrize("key", LIVE)
@pytest.mark.parametrize("language", OTHERS)
def test_no_mark_of_markdown_is_left_in_guidelines(language, key):
    rules = LIVE[key]
    for way in WAYS:
        text = brought(rules, {"language": language}, [way]).guidelines
        assert text != brought(rules, {}, [way]).guidelines
        assert not re.search(r"[*`{}]", re.sub(r"<[^>]+>", "", markdown(text))), text
