"""One shape of error for every answer of the API: a sentence, and the problems behind it."""

from collections.abc import Iterator
from typing import Any

from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import exception_handler

from corpus.imports.options import OptionsError
from corpus.imports.service import StudyExists
from corpus.imports.uploads import NotAnUpload, UploadTooLarge
from corpus.jobs.fairness import TooManyJobs
from corpus.jobs.queue import JobActive
from corpus.storage.faults import StorageFault, storage_fault
from corpus.tabular.problems import Problem


class ProblemSerializer(serializers.Serializer[Any]):
    """One thing that is wrong, and where: in a file, or in a field of the request."""

    file = serializers.CharField(help_text="Empty where the request itself is meant.")
    line = serializers.IntegerField(allow_null=True)
    column = serializers.CharField(allow_null=True, help_text="Column of a file, or field.")
    found = serializers.CharField()
    expected = serializers.CharField()
    message = serializers.CharField(help_text="What to do.")
    code = serializers.CharField(help_text="A stable word for programs.")


class ErrorSerializer(serializers.Serializer[Any]):
    """What is wrong, in one sentence, and every problem by itself where there are several."""

    detail = serializers.CharField()
    problems = ProblemSerializer(many=True)
    job = serializers.URLField(required=False, help_text="The job that is in the way, if one is.")


class Conflict(APIException):
    """The request contradicts the state of something."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class TooMany(APIException):
    """Somebody has as much waiting as one person may."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "too-many"


class NotStored(APIException):
    """The server cannot store anything at the moment."""

    def __init__(self, fault: StorageFault) -> None:
        super().__init__(fault.words)
        self.status_code = fault.status
        # The framework makes the header Retry-After of it.
        self.wait = fault.retry_after


class TooLarge(APIException):
    """More was sent than the site takes."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too-large"


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an exception of a view as ``{"detail": …, "problems": […]}``."""
    response = exception_handler(_as_api_error(error), context)
    if response is None:
        return None
    detail, problems = _described(response.data)
    response.data = {"detail": detail, "problems": [problem.to_dict() for problem in problems]}
    if isinstance(error, JobActive):
        address = reverse("api-job", args=[error.job.pk], request=context["request"])
        response.data["job"] = response["Location"] = address
    return response


def _as_api_error(error: Exception) -> Exception:
    """Give the exceptions of the services their place among those of the API."""
    if isinstance(error, UploadTooLarge):
        return TooLarge(str(error))
    if isinstance(error, TooManyJobs):
        return TooMany(f"{error}.")
    if isinstance(error, NotAnUpload | OptionsError):
        return ValidationError({"detail": str(error)})
    if isinstance(error, JobActive | StudyExists):
        return Conflict(str(error))
    if fault := storage_fault(error):
        return NotStored(fault)
    return error


def _described(data: Any) -> tuple[str, list[Problem]]:
    """Return one sentence, and a problem for each field that the framework found wrong."""
    if isinstance(data, dict) and set(data) == {"detail"}:
        return str(data["detail"]), []
    problems = list(_field_problems("", data))
    first = problems[0]
    sentence = f"{first.column}: {first.message}" if first.column else first.message
    return sentence, problems


def _field_problems(name: str, data: Any) -> Iterator[Problem]:
    if isinstance(data, dict):
        for key, value in data.items():
            own = "" if key == "non_field_errors" else str(key)
            yield from _field_problems(f"{name}.{own}" if name and own else name or own, value)
    elif isinstance(data, list):
        for value in data:
            yield from _field_problems(name, value)
    else:
        code = getattr(data, "code", "invalid")
        yield Problem("", column=name or None, message=str(data), code=code)
