"""Each documented mapping, used on the mapping page, gives the study that the command gives."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Study
from corpus.tabular.mapping import Mapping
from tests.fixtures.documented_recipes import examples, recipes
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, place_of
from tests.fixtures.study_files import import_path, stored_content, write_files

pytestmark = pytest.mark.django_db
DOCUMENTED = recipes() | examples()
WITHOUT_TEXTS = ("human.csv", "automatic.csv", "annotations.json", "judged.csv")
SEGMENTS: dict[str, list[list[str]]] = {
    "BART.csv": [["segment", "source"], ["s1", "it depends"], ["s2", "dunno"]],
    "systems.json": [["segment", "source"], ["1", "it depends"], ["2", "dunno"]],
    "test.sgm": [["segment", "source"], ["1", "Es kommt darauf an."], ["2", "Tom & Jerry"]],
}
"""What a file of outputs alone refers to."""


def held(slug: str) -> dict[str, Any]:
    """Return what a study holds, but for what it is called."""
    content = stored_content(slug)
    content["study.json"].pop("title", None)
    return content


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_documented_mapping_does_on_the_page_what_it_does_by_command(
    name, client, pages, tmp_path
):
    content, mappings = DOCUMENTED[name]
    files: dict[str, Any] = {name: content}
    if name == "human.csv":  # What was judged is to be added, as the page says.
        mappings = [{**mappings[0], "constants": {"aspect": "fluency"}}]
    if name in SEGMENTS:
        files["segments.csv"] = SEGMENTS[name]
    folder = write_files(tmp_path / "command", files)
    without_texts = name in WITHOUT_TEXTS
    job = import_path(folder, "command", mappings={name: mappings}, without_texts=without_texts)
    assert job.state == "done", job.result

    address, _ = pages.upload(files)
    saved = SimpleUploadedFile("mapping.json", json.dumps({name: mappings}).encode())
    assert client.post(address, {"mapping": saved, "use": "1"}).status_code == 302
    page = client.get(address)
    prefix = f"file-{place_of(page, name)}"
    changes = {f"{prefix}-{place}-missing": "n/a" for place in range(len(mappings))}
    page = pages.look(address, page, changes)
    said = [{**Mapping.from_dict(each).to_dict(), "missing": ["n/a"]} for each in mappings]
    shown = fields_of(page.text, "layout")[f"{prefix}-text"][0]
    assert json.loads(shown) == said, "what a form was changed beside keeps all it said"
    assert "The import would be refused" not in page.text
    asked = {"without-texts": "yes"} if without_texts else {}
    done(pages.press(address, client.get(address), asked))
    assert Study.objects.count() == 2
    assert held("small") == held("command")
