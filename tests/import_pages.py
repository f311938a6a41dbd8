"""Going through the import pages as a browser does, and doing the job that comes of it."""

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from html_forms import fields_of
from study_files import text_of
from test_import_layouts import TEXTS

from corpus.jobs.worker import run_next
from corpus.models import Job


class ImportPages:
    """The import pages of the study `small`."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def upload(self, files: dict[str, Any], **options: str) -> tuple[str, HttpResponse]:
        """Upload files; return the address of the mapping page, and the page."""
        sent = sent_files(files)
        page = self.client.post(reverse("study-import", args=["small"]), {"files": sent, **options})
        assert page.status_code == 302, page.text
        return page.url, self.client.get(page.url)

    def press(
        self, address: str, page: HttpResponse, changes: Any = (), button: str = "start"
    ) -> HttpResponse:
        """Press a button of the mapping page after some of its fields were changed."""
        fields = fields_of(page.text, "layout") | dict(changes)
        return self.client.post(address, {**fields, button: "1"})

    def look(self, address: str, page: HttpResponse, changes: Any) -> HttpResponse:
        """Press "Look again" after some fields were changed."""
        return self.press(address, page, changes, "look")


def sent_files(files: dict[str, Any]) -> list[SimpleUploadedFile]:
    """Files as a browser sends them."""
    return [SimpleUploadedFile(name, text_of(content)) for name, content in files.items()]


def finished(answer: HttpResponse) -> Job:
    """Do the job that the page started; return it."""
    assert answer.status_code == 302, answer.text
    job = run_next()
    assert answer.url == reverse("job", args=[job.pk])
    return job


def done(answer: HttpResponse) -> Job:
    """Do the job that the page started, which must end well."""
    job = finished(answer)
    assert job.state == "done", job.error
    return job


def first_mappings(page: HttpResponse) -> list[dict[str, Any]]:
    """The mappings of the first file, as the page shows them in JSON."""
    return json.loads(fields_of(page.text, "layout")["file-0-text"][0])


def place_of(page: HttpResponse, name: str) -> int:
    """The place of a file among the forms of the mapping page."""
    fields = fields_of(page.text, "layout")
    [field] = [field for field, value in fields.items() if value == [name]]
    return int(field.split("-")[1])


def of_table(place: int, **values: Any) -> dict[str, Any]:
    """Fields of one table of the first file."""
    return {f"file-0-{place}-{name}": value for name, value in values.items()}


def texts() -> dict[str, Any]:
    """Segments and outputs that judgements of the foreign layouts speak of."""
    named = {f"t-{name}": content for name, content in TEXTS.items() if name != "study.json"}
    return named | {"study.json": TEXTS["study.json"]}
