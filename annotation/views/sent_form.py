"""Submissions and drafts as the form of a rating page sends them."""

import uuid

from django.http import Http404, HttpRequest

from annotation.rating.screens import NO_REASON
from annotation.rating.submitting import LONGEST_COMMENT, Sent


def sent_by(request: HttpRequest) -> tuple[uuid.UUID, Sent]:
    """Read a submission or draft out of a form.

    Raises
    ------
    Http404
        If it does not say what it is about.
    """
    data = request.POST
    try:
        public_id = uuid.UUID(data["assignment"])
        submission = uuid.UUID(data["submission"])
        revision = int(data["revision"])
    except (KeyError, ValueError):
        raise Http404("no such item") from None
    answers: dict[int, dict[str, str]] = {}
    for name in data:
        _, _, rest = name.partition("answer-")
        number, _, aspect = rest.partition("-")
        if number.isdecimal() and len(number) < 4 and aspect and data[name]:
            answers.setdefault(int(number), {})[aspect] = data[name]
    cannot = data.get("action") == "cannot"
    comment, reason = (data.get(name, "").strip() for name in ("comment", "reason"))
    if not cannot:
        # Why something is hard to judge is kept with the answers that were given all the same.
        comment = "\n".join(filter(None, [comment[: LONGEST_COMMENT - len(reason) - 1], reason]))
    sent = Sent(
        uuid=submission,
        revision=revision,
        answers=[answers.get(number, {}) for number in range(max(answers, default=-1) + 1)],
        comment=comment[:LONGEST_COMMENT],
        reason=(reason or NO_REASON) if cannot else "",
        warned=not cannot and data.get("warned") == "yes",
        active_seconds=_seconds(data.get("seconds")),
    )
    return public_id, sent


def _seconds(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 9 else 0
