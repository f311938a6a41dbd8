"""People of one study as clients of the API, and following what it answers."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from config.api_tokens import new_token
from corpus.models import Membership, Study

API = "/api/v1/"


def client_of(name: str, study: Study | None = None, role: str = "") -> APIClient:
    """Return a client that sends the token of a new person, who may be a member."""
    person = User.objects.create_user(name)
    if study is not None and role:
        Membership.objects.create(study=study, user=person, role=role)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {new_token(person, 'tests', 'write', None)}")
    # The first use is noted by a write, which is no query of what a test asks for.
    person.api_tokens.update(last_used_at=timezone.now())
    return client


def every_row(client: APIClient, address: str) -> list[Any]:
    """Follow `next` from the first page to the last one."""
    rows: list[Any] = []
    while address:
        answer = client.get(address)
        assert answer.status_code == 200, answer.content
        page = answer.json()
        rows += page["results"]
        address = page["next"]
    return rows


def is_error(answer: Any, status: int) -> dict[str, Any]:
    """Check that an answer is an error in the one shape, and return it."""
    assert answer.status_code == status, answer.content
    content: dict[str, Any] = json.loads(answer.content)
    assert isinstance(content["detail"], str)
    assert content["detail"]
    assert set(content) - {"job"} == {"detail", "problems"}
    for problem in content["problems"]:
        assert set(problem) == {
            *("file", "line", "column", "position", "found", "expected", "message", "code"),
        }
    return content
