"""The mapping page says which format was recognised, and lets another one be chosen."""

import pytest

from corpus.models import Segment, Study
from tests.fixtures.import_pages import done
from tests.fixtures.mt_metrics_eval_tree import tree
from tests.fixtures.named_files import NAMED
from tests.fixtures.study_files import write_zip

pytestmark = pytest.mark.django_db


def test_of_several_pairs_one_is_chosen_on_the_page(pages, tmp_path):
    path = write_zip(tmp_path / "two.zip", {**tree(), **tree("zh-en")})
    address, page = pages.upload({"two.zip": path.read_bytes()})
    assert "Read as: <strong>WMT metrics task (mt-metrics-eval v2)</strong>" in page.text
    refused = pages.press(address, page)
    assert refused.status_code == 400
    assert "choose the language pair" in refused.text
    looked = pages.look(address, page, {"select": "zh-en"})
    assert "language pair zh-en</strong>" in looked.text
    assert "sources/zh-en.txt" in looked.text
    job = done(pages.press(address, looked))
    assert job.result["read_as"].endswith("zh-en")
    assert Study.objects.get().title == "two zh-en"
    assert Segment.objects.count() == 3


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in ("comet", "label-studio", "sacrebleu")
        else pytest.param(name, marks=pytest.mark.nightly)
        for name in NAMED
    ],
)
def test_each_named_format_goes_in_without_a_decision(pages, tmp_path, name):
    if name == "sacrebleu":
        texts = {
            "segments.csv": [["segment", "source"], ["s1", "Hallo"]],
            "outputs.csv": [["segment", "system", "output"], ["s1", "A", "Hi"]],
        }
        done(pages.press(*pages.upload(texts)))
    path = write_zip(tmp_path / "files.zip", NAMED[name])
    address, page = pages.upload({"files.zip": path.read_bytes()})
    assert "Read as: <strong>" in page.text
    assert "The import would be refused" not in page.text
    job = done(pages.press(address, page))
    assert job.result["read_as"]
    assert any(counts["added"] for counts in job.result["tables"].values())
