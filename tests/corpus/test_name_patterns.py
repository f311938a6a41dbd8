"""Patterns that users give for names are matched in linear time: no pattern can stop the site."""

import doctest
import re
import subprocess
import sys
from itertools import product

import pytest
from django.urls import reverse

from corpus.models import System
from corpus.vocabulary import names
from corpus.vocabulary.names import NamePattern
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import SEGMENTS, import_path, write_files

HOSTILE = "".join(f"{{{letter}}}" for letter in "abcdefghijklmnopqrstuvw") + "Z"
LONG = "a" * 190
# What takes longer than this would not end under a matcher that goes back.
SECONDS = 120


def files(**study):
    outputs = [["segment_id", "system", "output"], ["s1", LONG, "x"], ["s1", "bart-1", "x"]]
    return {"segments.csv": SEGMENTS, "outputs.csv": outputs, "study.json": study}


def test_examples_are_true():
    assert doctest.testmod(names).failed == 0


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_attributes_are_those_of_a_matcher_that_tries_everything(groups):
    names = "xyz"[:groups]
    texts = ["".join(each) for n in range(6) for each in product("ab-", repeat=n)]
    for first, *after in product(["-", "a", "ab", "", "b-"], repeat=groups + 1):
        pattern, brute = first, re.escape(first)
        for name, literal in zip(names, after, strict=True):
            pattern += f"{{{name}}}{literal}"
            brute += f"(?P<{name}>.+?){re.escape(literal)}"
        matches = map(re.compile(brute).fullmatch, texts)
        expected = [match.groupdict() if match else {} for match in matches]
        read = NamePattern.of(pattern)
        assert [read.attributes(text) for text in texts] == expected, pattern


@pytest.mark.parametrize(
    "pattern", ["", "model", "{}", "{a", "a}", "{a}}", "{{a}", "{a}{a}", "{a b}"]
)
def test_what_is_no_pattern_is_refused(pattern):
    with pytest.raises(ValueError, match=r"in braces|twice"):
        NamePattern.of(pattern)


@pytest.mark.django_db
def test_the_systems_page_answers_a_hostile_pattern(tmp_path, client, owner, study):
    script = (
        "from corpus.vocabulary.names import attributes_from_name as read\n"
        f"assert read({HOSTILE!r}, {LONG!r}) == {{}}\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=SECONDS)
    job = import_path(write_files(tmp_path / "files", files()), slug="small")
    assert job.state == "done", job.error
    page = client.get(reverse("study-systems", args=["small"]), {"pattern": HOSTILE})
    assert page.status_code == 200
    assert LONG in page.text
    page = client.get(reverse("study-systems", args=["small"]), {"pattern": "{model}-{value}"})
    assert 'value="bart"' in page.text
    assert not System.objects.filter(attributes__has_key="model").exists()
