"""Characters that no database keeps are refused in words, wherever a request has them."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Draft, Submission
from corpus.models import Job, Study
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.rating_pages import entered, open_screen
from tests.fixtures.secret_study import routes

pytestmark = pytest.mark.django_db
NUL, HALF = "a NUL character", "half of a surrogate pair"
SLOT = re.compile(r"<(?:(\w+):)?(\w+)>")
SAMPLES = {"int": "1", "uuid": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "slug": "small"}


def addresses():
    """Every address with text in it, with a NUL in each of its texts in turn, and in a query."""
    for _, pattern in routes():
        slots = SLOT.findall(pattern)
        texts = [name for kind, name in slots if kind in ("", "str", "path")]

        def fill(at, pattern=pattern):
            def value(found):
                return "a%00b" if found[2] == at else SAMPLES.get(found[1] or "", "x")

            return "/" + SLOT.sub(value, pattern)

        yield from (fill(name) for name in texts)
        if "(" not in pattern:
            yield f"{fill('')}?q=%00"
            yield f"{fill('')}?%00=q"


def test_no_address_takes_a_nul():
    client = signed_in("ada", Study.objects.create(slug="small"))
    sent = list(at_least_one(addresses()))
    assert {"/published/a%00b/", "/join-by-code/a%00b/"} <= set(sent)
    for address in sent:
        for method in (client.get, client.post):
            answer = method(address)
            assert answer.status_code == 400, address
            assert NUL in answer.text, address


def test_no_form_takes_a_nul_in_a_field_or_a_name():
    client = Client()
    answers = []
    for _, pattern in at_least_one(routes()):
        if "<" in pattern or "(" in pattern or pattern.startswith("api/"):
            continue
        file = SimpleUploadedFile("a.csv", b"a")
        forms = ({"code": "a\0"}, {"a\0": "code"}, {"a\0": file})
        answers += [client.post(f"/{pattern}", form) for form in forms]
    assert {answer.status_code for answer in answers} == {400}
    assert all(NUL in answer.text for answer in answers)


def test_ratings_reasons_and_drafts_with_a_nul_are_refused_for_the_script_of_the_page():
    _, [annotator, _] = make_campaign(make_study())
    client = entered(annotator)
    form = open_screen(client, annotator) | {"answer-0-style": "10"}
    for field in ("reason", "comment", "answer-0-content"):
        for page in ("submit", "draft"):
            address, sent = f"/rate/{annotator.public_id}/{page}/", form | {field: "a\0b"}
            answer = client.post(address, sent, headers={"X-Requested-With": "fetch"})
            assert answer.status_code == 400
            assert answer["Content-Type"] == "text/plain; charset=utf-8"
            assert f"The field {field} has {NUL}" in answer.text
    assert not Submission.objects.exists()
    assert not Draft.objects.exists()


@pytest.mark.parametrize(("text", "fault"), [("\0", NUL), ("\ud83d", HALF), ("\udc00a", HALF)])
def test_the_api_takes_no_such_character_escaped_in_json(text, fault):
    study = Study.objects.create(slug="small")
    client = client_of("ada", study)
    for body in ({"title": text}, {text: "title"}, {"a": [{"b": [text]}]}):
        answer = client.post(f"{API}studies/", json.dumps(body), content_type="application/json")
        assert fault[2:] in is_error(answer, 400)["detail"]


def test_the_api_takes_none_in_forms_and_options_of_imports():
    study = Study.objects.create(slug="small")
    client = client_of("ada", study, "owner")
    address = f"{API}studies/small/imports/"
    sent = SimpleUploadedFile("a.csv", b"a")
    options = SimpleUploadedFile("options", b'{"columns": {"a": "\\u0000"}}')
    for form in ({"a\0": sent}, {"a\0": "b"}, {"options": options, "file": sent}):
        answer = client.post(address, form, format="multipart")
        assert NUL[2:] in is_error(answer, 400)["detail"]
    assert not Job.objects.exists()


@pytest.mark.parametrize("headers", [{"HTTP_COOKIE": 'a="\\000"'}, {"HTTP_USER_AGENT": "a\0"}])
def test_headers_and_cookies_take_none(headers):
    answer = Client().get(reverse("account_login"), **headers)
    assert answer.status_code == 400
    assert NUL in answer.text
