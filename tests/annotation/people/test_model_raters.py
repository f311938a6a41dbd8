"""Ratings by models: recognised at import, corrected on a page, exported and imported again."""

import pytest

from analysis.data import matrices
from analysis.datasheets.datasheet import methods
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Annotator
from annotation.people.invitations import holder_by_code
from corpus.models import AuditEntry, Study
from corpus.vocabulary.rater_names import rater_named
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.html_forms import fields_of
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


def by(raters, header=("segment_id", "system", "rater", "aspect", "score")):
    """Ratings of one output on one aspect, one for each rater with what else the header names."""
    rows = [["s1", "BART", rater, "style", "40", *rest] for rater, *rest in raters]
    return [list(header), *rows]


def imported(tmp_path, rows, name="study", **options):
    folder = write_files(tmp_path / name, TABLES | {"ratings.csv": rows})
    return import_path(folder, **options)


def kinds():
    return dict(Annotator.objects.values_list("pseudonym", "kind"))


MODELS = """
model: gpt-4, gpt-4, GPT-4o, gpt4, gpt-3.5-turbo, ChatGPT, text-davinci-003, claude-3,
claude-3-opus, Claude 3.5 Sonnet, llama-3-70b, Llama2-13b-chat, meta-llama/Llama-3-70B,
gemini-1.5-pro, mixtral-8x7b, qwen2-72b, deepseek-v3, llm-judge, LLM_judge_2, llm-as-a-judge,
judge: gpt-4, rater_gpt-4o, o1-mini, gpt-4.1, gpt-4.1-mini, gpt-5, gpt-5-mini, GPT-4o-2024-11-20,
gpt-oss-120b, o3-mini, o4-mini, o3-2025-04-16, o1-preview, claude-sonnet-4, claude-opus-4-1,
claude-3-7-sonnet-latest, claude-haiku-4-5, gemini-2.5-pro, gemini-2.5-flash,
google/gemma-3-27b-it, meta-llama/Llama-4-Scout, llama-4-maverick, Llama-3.3-70B,
Qwen/Qwen3-235B-A22B, qwen2.5-72b-instruct, QwQ-32B, deepseek-r1, DeepSeek-V3.1,
deepseek-reasoner, mistral-large-2411, mistral-small, ministral-8b, magistral-medium,
command-a-03-2025, command-r-plus, c4ai/aya-expanse-32b, grok-4, kimi-k2, glm-4.5, phi-4,
nova-pro, granite-3.3-8b, OLMo-2-13B, nemotron-70b, jamba-1.5-large, vicuna-13b-v1.5, Yi-34B-Chat,
falcon-40b, judgelm-7b, prometheus-2
"""


def test_a_name_with_the_version_of_a_model_is_a_model():
    names = " ".join(MODELS.split()).split(", ")
    assert len(names) == 70
    assert [name for name in names if rater_named(name).kind != "model"] == []
    assert rater_named("text-bison").kind == "person"


def test_other_names_are_persons_and_some_are_doubtful():
    for name in ("r1", "A1B2C3", "Claudia", "Phil", "o1", "annotator 4", "aisha"):
        assert rater_named(name) == ("person", None, False)
    doubtful = "Claude", "gemini", "llama", "gpt", "model 1", "person with gpt-4", "AI", "bot7 ai"
    for name in doubtful:
        assert rater_named(name) == ("person", None, True)


def test_an_import_asks_who_rated_where_names_are_those_of_models(tmp_path):
    job = imported(tmp_path, by([["r1"], ["gpt-4"], ["llm-judge"], ["Claude"]]))
    assert job.state == "done", job.error
    expected = {"r1": "person", "gpt-4": "model", "llm-judge": "model", "Claude": "person"}
    assert kinds() == expected
    asked = [each for each in job.result["questions"] if each["name"].startswith("models")]
    answers = {tuple(each["subjects"]): each["answer"] for each in asked}
    assert answers == {("gpt-4",): "model", ("llm-judge",): "model", ("Claude",): "person"}


def test_a_column_says_what_raters_are_and_goes_before_their_names(tmp_path):
    header = ("segment_id", "system", "rater", "aspect", "score", "Annotator_Kind")
    raters = [["r1", "LLM"], ["gpt-4", "human"], ["avg", "mean"], ["top", "majority"], ["r2", ""]]
    job = imported(tmp_path, by(raters, header))
    assert job.state == "done", job.error
    expected = {"r1": "model", "gpt-4": "person", "avg": "mean", "top": "majority", "r2": "person"}
    assert kinds() == expected
    assert not any("models" in note for note in job.result["notes"])


HEADER = ("segment_id", "system", "rater", "aspect", "score", "rater_kind")


def test_an_unknown_kind_and_a_second_one_of_a_rater_are_refused_with_their_place(tmp_path):
    job = imported(tmp_path, by([["r1", "person"], ["r2", "robot"]], HEADER))
    [problem] = job.result["problems"]
    assert (problem["line"], problem["column"], problem["found"]) == (3, "rater_kind", "robot")
    assert problem["expected"] == "one of person, place, model, mean, median, majority"
    rows = [*by([["r1", "person"]], HEADER), ["s2", "BART", "r1", "style", "40", "model"]]
    [problem] = imported(tmp_path, rows, name="second").result["problems"]
    assert (problem["line"], problem["code"]) == (3, "rater-kind")


def test_a_stored_kind_stays_and_the_import_says_so(tmp_path):
    imported(tmp_path, by([["r1"]]))
    job = imported(tmp_path, by([["r1", "model"]], HEADER), name="again")
    assert kinds()["r1"] == "person"
    assert any("r1 is a model here and stored as a person" in note for note in job.result["notes"])


# Correcting the kind on a page


def page_of(slug):
    return f"/studies/small/campaigns/{slug}/raters/"


def with_kinds(client, address, **wanted):
    """Send the form of the page of raters with the kinds of some raters changed."""
    places = {a.pseudonym: f"kind-{a.pk}" for a in Annotator.objects.all()}
    fields = fields_of(client.get(address).text, next(iter(places.values())))
    fields |= {places[name]: [kind] for name, kind in wanted.items()}
    return client.post(f"{address}kinds/", fields)


def test_the_owner_marks_an_imported_rater_as_a_model_with_a_record(tmp_path):
    imported(tmp_path, by([["r1"], ["r2"]]))
    study = Study.objects.get()
    owner, revision = signed_in("ada", study), study.revision
    address = page_of("ratings")
    assert address in owner.get("/studies/small/campaigns/").text
    answer = with_kinds(owner, address, r1="model")
    assert answer.status_code == 302
    assert kinds() == {"r1": "model", "r2": "person"}
    entry = AuditEntry.objects.get(action="change kind of rater")
    assert (entry.object, entry.before, entry.after) == (
        "ratings: r1",
        {"kind": "person"},
        {"kind": "model"},
    )
    study.refresh_from_db()
    assert study.revision == revision + 1
    assert "1 human rater<br>1 model" in owner.get("/studies/small/").text
    with_kinds(owner, address, r1="person")
    assert kinds()["r1"] == "person"


def test_a_researcher_sees_the_kinds_and_cannot_change_them(tmp_path):
    imported(tmp_path, by([["r1"], ["gpt-4"]]))
    reader = signed_in("bob", Study.objects.get(), role="researcher")
    page = reader.get(page_of("ratings")).text
    assert "gpt-4" in page
    assert "<select" not in page
    assert reader.post(f"{page_of('ratings')}kinds/").status_code == 403


def test_an_annotator_of_a_live_campaign_is_a_person_or_a_model_and_no_link_is_made_for_a_model():
    study = make_study()
    campaign, [first, second] = make_campaign(study, annotators=2)
    owner = signed_in("ada", study)
    answer = with_kinds(owner, page_of(campaign.slug), **{first.pseudonym: "mean"})
    assert answer.status_code == 400
    with_kinds(owner, page_of(campaign.slug), **{first.pseudonym: "model"})
    assert kinds() == {first.pseudonym: "model", second.pseudonym: "person"}
    annotators = f"/studies/small/campaigns/{campaign.slug}/annotators/"
    page = owner.get(annotators).text
    assert "1 annotator has no link yet" in page
    assert '<span class="badge">model</span>' in page
    owner.post(f"{annotators}links/")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (bool(first.token_sha256), bool(second.token_sha256)) == (False, True)


def test_who_joins_by_the_address_for_all_gets_no_place_of_a_model():
    campaign, [first, second] = make_campaign(make_study(), annotators=2)
    campaign.invite_code = "abc"
    campaign.save()
    Annotator.objects.filter(pk=first.pk).update(kind="model")
    assert holder_by_code("abc", {"participant": "x"}) == second
    assert holder_by_code("abc", {"participant": "y"}) is None


# Who is counted


def test_means_and_models_are_counted_as_no_human_raters(tmp_path):
    raters = [["r1"], ["r2"], ["gpt-4"], ["mean of 3 raters"], ["majority of 5"], [""]]
    study = imported(tmp_path, by(raters)).study
    matrices.forget()
    counts = report(study, "agreement", Question())["counts"]
    kinds = ("annotators", "models", "aggregates")
    assert [counts[name] for name in kinds] == [2, 1, 3]
    owner = signed_in("ada", study)
    page = " ".join(owner.get("/studies/small/agreement/").text.split())
    known = "3 raters known only as a mean, a median, a majority, a number in a list or not at all"
    assert f"2 annotators, 1 model, {known}," in page
    words = "2 human raters, 1 model, mean of 3 raters, majority of 5 raters, not stated"
    assert words in owner.get("/studies/small/campaigns/").text
    paragraph = methods(study.campaigns.get())
    assert "2 annotators, 1 model, mean of 3 raters, majority of 5 raters and" in paragraph
    served = owner.get("/api/v1/studies/small/reports/agreement/").json()
    assert served["counts"]["annotators"] == 2
