"""A mapping is saved as a file, used again on the page and by the command, and offered again."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from annotation.models import Rating
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, first_mappings, of_table
from tests.fixtures.import_shapes import TEXTS, UNNAMED
from tests.fixtures.study_files import write_files, write_zip

pytestmark = pytest.mark.django_db
ASPECT = of_table(2, constant_aspect="style")


def downloaded(pages, address, page, changes=()):
    answer = pages.press(address, page, changes, "download")
    assert answer["Content-Disposition"] == 'attachment; filename="mapping-small.json"'
    return json.loads(answer.content)


def use(client, address, content):
    sent = SimpleUploadedFile("mapping.json", content)
    return client.post(address, {"mapping": sent, "use": "1"})


def test_a_mapping_is_downloaded_as_it_is_chosen_and_taken_by_the_command(pages, tmp_path):
    address, page = pages.upload(UNNAMED)
    saved = downloaded(pages, address, page, ASPECT)
    assert list(saved) == ["data.csv"]
    mapping = tmp_path / "mapping.json"
    mapping.write_text(json.dumps(saved), encoding="utf-8")
    path = write_files(tmp_path / "elsewhere", UNNAMED)
    call_command("import_study", str(path), mapping=mapping, verbosity=0)
    assert Rating.objects.filter(aspect="style").count() == 54


def test_a_saved_mapping_is_used_on_the_page(client, pages):
    address, page = pages.upload(UNNAMED)
    saved = downloaded(pages, address, page, ASPECT)
    address, page = pages.upload(UNNAMED, sample="5")
    assert use(client, address, json.dumps(saved).encode()).status_code == 302
    page = client.get(address)
    assert first_mappings(page) == saved["data.csv"]
    assert "please confirm" not in page.text, "who brings a mapping means it"
    assert fields_of(page.text, "layout")["sample"] == ["5"], "what was said stays"


def test_a_mapping_names_files_in_folders_by_their_names_alone(client, pages, tmp_path):
    files = {f"study/{name}": content for name, content in UNNAMED.items()}
    packed = write_zip(tmp_path / "odd.zip", files).read_bytes()
    address, _ = pages.upload({"odd.zip": packed, **{"more.csv": TEXTS["segments.csv"]}})
    plain = [{"table": "segments", "columns": {"segment": "c1", "source": "c2"}}]
    assert use(client, address, json.dumps({"data.csv": plain}).encode()).status_code == 400
    address, _ = pages.upload({"odd.zip": packed})
    assert use(client, address, json.dumps({"data.csv": plain}).encode()).status_code == 302
    assert first_mappings(client.get(address)) == plain


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "Line 1, character 2"),
        (b'{"data.csv": [{"table": "nothing"}]}', "no table &#x27;nothing&#x27;"),
        (b'{"other.csv": [{"table": "segments"}]}', "It names files that are not here: other.csv."),
        (b'{"data.csv": [{"tables": "segments"}]}', "Correct the mapping"),
        (b"[1]", "expected an object of file name"),
        (b"\xff\xfe", "codec can"),
        (b"[" * 100_000, "brackets nested more than 32 deep"),
        (b'{"data.csv": %b}' % (b"[" * 900 + b"]" * 900), "brackets nested more than 32 deep"),
        (b'{"data.csv": [{"table": "segments", "constants": {"segment": [[1]]}}]}', "a list of"),
        (b'{"data.csv": %b}' % (b"9" * 5000), "integer string"),
    ],
)
def test_a_file_that_is_no_mapping_is_refused_in_words(client, pages, content, words):
    address, page = pages.upload(UNNAMED)
    refused = use(client, address, content)
    assert refused.status_code == 400
    assert words in refused.text
    assert first_mappings(client.get(address)) == first_mappings(page)


def test_a_file_like_one_of_an_earlier_import_is_read_in_the_same_way(client, pages):
    address, page = pages.upload(UNNAMED)
    job = done(pages.press(address, page, ASPECT))
    more = [[*row[:4], f"{row[4]} again", row[5]] for row in UNNAMED["data.csv"][1:]]
    address, page = pages.upload({"later.csv": [UNNAMED["data.csv"][0], *more]})
    button = f'name="as" value="file-0:{job.pk}:data.csv"'
    assert button in page.text
    fields = fields_of(page.text, "layout")
    client.post(address, {**fields, "as": f"file-0:{job.pk}:data.csv"})
    page = client.get(address)
    assert button not in page.text
    assert first_mappings(page)[2]["constants"] == {"aspect": "style"}
    done(pages.press(address, page))
    assert Rating.objects.count() == 108


def test_no_earlier_mapping_is_offered_for_other_columns_or_of_other_studies(client, pages):
    done(pages.press(*pages.upload(TEXTS)))
    _, page = pages.upload(UNNAMED)
    assert 'name="as"' not in page.text
    address, page = pages.upload(UNNAMED)
    fields = fields_of(page.text, "layout")
    client.post(address, {**fields, "as": "file-0:999:data.csv"})
    assert first_mappings(client.get(address)) == first_mappings(page)


def test_a_stranger_gets_no_mapping(pages):
    address, _ = pages.upload(UNNAMED)
    answer = Client().post(address, {"download": "1"})
    assert answer.status_code == 302
    assert answer.url.startswith("/sign-in/")


def test_a_file_with_endless_mistakes_is_refused_by_its_first_ones(client, pages):
    wrong = {"table": "segments", **{f"key {number}": 1 for number in range(20_000)}}
    address, _ = pages.upload(UNNAMED)
    refused = use(client, address, json.dumps({"data.csv": [wrong]}).encode())
    assert refused.status_code == 400
    assert "key 0" in refused.text
    assert "more like these" in refused.text
    assert len(refused.text) < 100_000
    others = {f"file {number}.csv": [] for number in range(20_000)}
    refused = use(client, address, json.dumps(others).encode())
    assert "file 0.csv" in refused.text
    assert "and 19,995 more" in refused.text
    assert len(refused.text) < 100_000


def test_a_file_is_not_read_as_more_tables_than_anybody_looks_at(client, pages):
    address, _ = pages.upload(UNNAMED)
    plain = {"table": "segments", "columns": {"segment": "c1", "source": "c2"}}
    refused = use(client, address, json.dumps({"data.csv": [plain] * 101}).encode())
    assert refused.status_code == 400
    assert "at most 100" in refused.text
    where = {"where": [{"column": "c1", "is": ["x"]}] * 101}
    refused = use(client, address, json.dumps({"data.csv": [plain | where]}).encode())
    assert "at most 100" in refused.text
    page = client.get(address)
    changed = {"file-0-text": json.dumps([plain] * 101)}
    assert "at most 100" in pages.look(address, page, changed).text


@pytest.mark.parametrize("text", ["[" * 900 + "]" * 900, "9" * 5000])
def test_odd_json_in_the_field_of_the_mapping_is_refused_in_words(pages, text):
    address, page = pages.upload(UNNAMED)
    answer = pages.look(address, page, {"file-0-text": text})
    assert answer.status_code == 400
    assert "nested" in answer.text or "integer string" in answer.text
