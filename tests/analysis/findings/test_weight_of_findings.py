"""Findings is light: with all scripts, styles and pictures, packed as a server sends them."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import find

from corpus.jobs.worker import run_next
from tests.fixtures.report_pages import reader

pytestmark = pytest.mark.django_db
HOME = "/studies/formality-demo/"
MOST_BYTES = 150_000
MOST_REQUESTS = 24


def test_findings_weighs_less_than_150_kb(demo_reports):
    client = reader("ada", "formality-demo")
    client.get(HOME)
    while run_next():
        pass
    html = client.get(HOME).text
    static = set(re.findall(r'(?:href|src)="/static/([^"]+\.(?:css|js|svg))"', html))
    pictures = [path.replace("&amp;", "&") for path in re.findall(r'<img src="([^"]+)"', html)]
    assert len(pictures) == 3
    files = [html.encode(), *(Path(find(name)).read_bytes() for name in static)]
    files += [client.get(path).content for path in pictures]
    assert len(static) < len(files) <= MOST_REQUESTS
    assert 30_000 < sum(len(gzip.compress(file)) for file in files) < MOST_BYTES
