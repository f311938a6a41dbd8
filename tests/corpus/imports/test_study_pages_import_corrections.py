"""The mapping page corrects, leaves out, refuses and takes options."""

import pytest
from django.urls import reverse

from annotation.models import Annotator, Campaign
from corpus.jobs.worker import run_next
from corpus.models import AuditEntry, Job, Output, Segment, Study
from tests.fixtures.foreign_layouts import BATCH
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import (
    done,
    finished,
    first_mappings,
    of_table,
    place_of,
    sent_files,
    texts,
)
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, TABLES, write_zip

pytestmark = pytest.mark.django_db


# Correcting, leaving out, and what cannot be read


def test_missing_fields_are_said_and_a_constant_gives_them(pages):
    address, page = pages.upload(
        {"outputs.csv": [["id", "text"], ["s1", "Hi."]]} | {"t.csv": SEGMENTS}
    )
    assert "outputs lacks system" in page.text
    refused = pages.press(address, page)
    assert "outputs.csv: outputs lacks system. Choose a column" in refused.text
    assert refused.status_code == 400
    assert not Job.objects.exists()
    done(pages.press(address, page, of_table(0, constant_system="BART")))
    assert Output.objects.filter(system__name="BART").get().text == "Hi."


def test_a_column_and_a_constant_for_one_field_are_refused_where_they_stand(pages):
    address, page = pages.upload({"outputs.csv": OUTPUTS, "segments.csv": SEGMENTS})
    refused = pages.press(address, page, of_table(0, constant_system="BART"))
    assert refused.status_code == 400
    assert "Choose a column or a constant, not both." in refused.text
    assert 'value="BART"' in refused.text
    mended = pages.look(address, refused, of_table(0, constant_system=""))
    assert mended.status_code == 200
    assert "not both" not in mended.text


def test_a_file_that_is_left_out_is_not_read(pages):
    address, page = pages.upload(TABLES)
    names = [
        name for name, value in fields_of(page.text, "layout").items() if "ratings" in value[0]
    ]
    left = next(name.removesuffix("-name") for name in names if name.endswith("-name"))
    job = done(pages.press(address, page, {f"{left}-leave_out": "on"}))
    assert "ratings" not in job.result["tables"]
    assert job.result["unrecognised"] == [["ratings.csv", "left out, as its mapping says"]]


def test_a_table_can_be_left_unread_while_the_rest_of_its_file_is_read(pages):
    address, page = pages.upload(
        {"Batch_1_results.csv": BATCH, "study.json": {"protocol": "likert"}}
    )
    assert [m["table"] for m in first_mappings(page)] == ["segments", "outputs", "ratings"]
    job = done(pages.press(address, page, of_table(2, remove="on")))
    assert sorted(job.result["tables"]) == ["outputs", "segments"]


def test_what_is_unknown_is_listed_with_its_reason_and_is_not_fatal(pages):
    files = {"words.csv": [["word", "count"], ["good", "1"]], "paper.pdf": b"%PDF"}
    address, page = pages.upload(TABLES | files)
    assert "<code>paper.pdf</code>: not a format that holds tables" in page.text
    assert "No table has columns like these" in page.text
    job = done(pages.press(address, page))
    assert [name for name, _ in job.result["unrecognised"]] == ["paper.pdf", "words.csv"]


def test_an_upload_without_any_table_is_not_started(pages):
    address, page = pages.upload({"words.csv": [["word", "count"], ["good", "1"]]})
    refused = pages.press(address, page)
    assert refused.status_code == 400
    assert "No file is read as a table." in refused.text


def test_an_unreadable_file_shows_its_problems_and_can_be_left_out(pages):
    address, page = pages.upload({"segments.xlsx": b"PK\x03\x04 no workbook", "t.csv": SEGMENTS})
    assert "cannot be read" in page.text
    refused = pages.press(address, page)
    assert "segments.xlsx cannot be read; leave it out" in refused.text
    done(pages.press(address, refused, {"file-0-leave_out": "on"}))


def test_an_encoding_can_be_corrected(pages):
    latin = "segment,source\ns1,déjà vu\n".encode("windows-1252")
    address, page = pages.upload({"segments.csv": latin})
    mended = pages.press(address, page, {"file-0-encoding": "windows-1252"})
    assert "déjà vu" in mended.text, "it is shown before it is imported"
    done(pages.press(address, mended))
    assert Output.objects.get().text == "déjà vu"


def test_an_encoding_that_there_is_not_is_refused_where_it_stands(pages):
    address, page = pages.upload({"segments.csv": SEGMENTS})
    refused = pages.look(address, page, {"file-0-encoding": "klingon"})
    assert refused.status_code == 400
    assert "encoding &#x27;klingon&#x27; is not known" in refused.text


def test_another_delimiter_makes_other_columns(pages):
    address, page = pages.upload({"segments.csv": "segment|source\ns1|it depends\n"})
    page = pages.look(address, page, {"file-0-delimiter": "vertical bar"})
    assert "segments: source" in page.text
    done(pages.press(address, page))
    assert Output.objects.get().text == "it depends"


def test_a_query_reaches_what_the_fields_do_not(pages):
    address, page = pages.upload({"outputs.csv": OUTPUTS, "t.csv": SEGMENTS})
    query = fields_of(page.text, "layout")["file-0-0-query"][0]
    assert 'FROM files."outputs.csv"' in query
    mended = query.replace('"system"', 'upper("system")', 1)
    wrong = pages.look(address, page, of_table(0, query=query.replace("FROM", "FORM")))
    assert "syntax error" in wrong.text
    page = pages.look(address, page, of_table(0, query=mended))
    assert fields_of(page.text, "layout")["file-0-0-query"] == [mended]
    back = pages.look(address, page, of_table(0, query=""))
    assert fields_of(back.text, "layout")["file-0-0-query"] == [query]
    done(pages.press(address, back, of_table(0, query=mended)))
    assert set(Output.objects.values_list("system__name", flat=True)) >= {"BART", "T5"}


def test_problems_of_an_archive_are_shown_on_the_page(pages, tmp_path):
    path = write_zip(tmp_path / "evil.zip", {"../segments.csv": SEGMENTS})
    _, page = pages.upload({"evil.zip": path.read_bytes()})
    assert "a path that leads out of the archive" in page.text


def test_problems_of_a_study_file_are_shown_on_the_page(pages):
    _, page = pages.upload({"segments.csv": SEGMENTS, "study.json": "{"})
    assert "These files cannot be read" in page.text
    assert "study.json" in page.text


# Options, and what files do not say


def test_one_text_per_line_is_shown_as_it_is_read_and_takes_its_styles(pages):
    files = {"source.txt": "gonna\n", "reference0.txt": "I will\n", "BART.txt": "I shall\n"}
    address, page = pages.upload(files, source_style="informal", target_style="formal")
    assert "outputs of BART" in page.text
    assert "with 1 file of references" in page.text
    done(pages.press(address, page))
    assert Segment.objects.get().source_style == "informal"


def test_a_source_file_of_another_name_is_named_on_the_page(pages):
    address, page = pages.upload({"in.txt": "gonna\n", "BART.txt": "I shall\n"})
    assert "one source file" in page.text
    page = pages.look(address, page, {"source_file": "in.txt"})
    done(pages.press(address, page))
    assert Output.objects.filter(system__name="BART").exists()


def test_options_are_carried_from_upload_to_import_and_recorded(client, pages):
    address, page = pages.upload(TABLES, sample="1", sample_seed="7", collapse_whitespace="on")
    assert fields_of(page.text, "layout")["sample"] == ["1"]
    done(pages.press(address, page))
    study = Study.objects.get()
    assert study.segments.count() == 2
    text = client.get(reverse("study", args=["small"])).text
    assert "A sample of 1 segments of each direction was kept (seed 7)" in text
    assert "white space in texts was collapsed" in text


def test_an_option_that_makes_no_sense_is_refused_where_it_stands(client, study):
    sent = {"files": sent_files({"segments.csv": SEGMENTS}), "system_pattern": "{model"}
    page = client.post(reverse("study-import", args=["small"]), sent)
    assert page.status_code == 400
    assert "expected names of attributes in braces" in page.text


def test_scales_are_said_on_the_page_and_scores_are_held_to_them(client, pages):
    files = {name: content for name, content in TABLES.items() if name != "study.json"}
    address, page = pages.upload(files)
    wrong = pages.press(address, page, {"scales": "style 5"})
    assert "expected an aspect, its lowest and its highest score" in wrong.text
    refused = finished(pages.press(address, page, {"scales": "style 0 20\ncontent 0 100"}))
    assert {p["column"] for p in refused.result["problems"]} == {"score"}
    page = client.get(address)
    done(pages.press(address, page, {"scales": "style: 0 100"}))
    [campaign] = Campaign.objects.all()
    assert campaign.config["scales"] == {"content": [0, 100], "style": [0, 100]}
    assert AuditEntry.objects.filter(action="declare").count() == 2


def test_a_protocol_is_said_as_a_constant_task(pages):
    files = {name: content for name, content in TABLES.items() if name != "study.json"}
    address, page = pages.upload(files)
    place = place_of(page, "ratings.csv")
    done(pages.press(address, page, {f"file-{place}-0-constant_task": "direct_assessment"}))
    assert Campaign.objects.get().protocol == "direct_assessment"


def test_raters_who_are_a_mean_are_said_as_a_constant(pages):
    rows = [["segment", "system", "aspect", "score"], ["s1", "BART", "style", "3.33"]]
    address, page = pages.upload({"a-ratings.csv": rows, **texts()})
    done(pages.press(address, page, of_table(0, constant_rater="mean of 3 raters")))
    assert Annotator.objects.get().raters == 3


# One import at a time, and trying again


def test_a_second_import_waits_for_the_first_and_keeps_its_files(client, pages):
    first, second = pages.upload(TABLES), pages.upload({"segments.csv": SEGMENTS})
    job = pages.press(*first).url.partition("?")[0]
    refused = pages.press(*second)
    assert refused.status_code == 409
    assert "<strong>Not started.</strong>" in refused.text
    assert f'href="{job}"' in refused.text
    assert f'href="{job}"' in client.get(reverse("study-import", args=["small"])).text
    assert run_next().state == "done"
    done(pages.press(*second))


def test_a_refused_import_is_corrected_from_where_it_was(client, pages):
    files = TABLES | {
        "ratings.csv": [["segment", "system", "who", "score"], ["s1", "T5", "r", "9"]]
    }
    address, page = pages.upload(files)
    place = place_of(page, "ratings.csv")
    page = pages.look(address, page, {f"file-{place}-add": "ratings"})
    assert fields_of(page.text, "layout")[f"file-{place}-0-column_score"] == ["column:score"]
    told = {f"file-{place}-0-column_rater": "column:who"}
    refused = finished(pages.press(address, page, told))
    assert refused.state == "failed"
    assert "Which aspect was judged" in refused.result["problems"][0]["message"]
    assert address in client.get(reverse("study-import", args=["small"])).text
    page = client.get(address)
    assert fields_of(page.text, "layout")[f"file-{place}-0-column_rater"] == ["column:who"]
    done(pages.press(address, page, {f"file-{place}-0-constant_aspect": "style"}))


def test_an_upload_that_is_gone_leads_back_to_the_upload(client, study):
    gone = reverse("study-import-mapping", args=["small", "0" * 32])
    assert "these uploaded files are gone" in client.get(gone, follow=True).text.lower()


def test_forms_that_were_tampered_with_are_drawn_anew(pages):
    address, page = pages.upload({"segments.csv": SEGMENTS})
    for name, value in [
        ("file-0-0-was", "{"),
        ("file-0-0-was", '{"table": "nothing"}'),
        ("file-0-tables", "many"),
        ("file-0-dialect", "[1, 2, 3, 4]"),
        ("file-0-name", "other.csv"),
    ]:
        again = pages.look(address, page, {name: value})
        assert again.status_code == 200
        assert first_mappings(again) == first_mappings(page)
