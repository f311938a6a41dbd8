"""A screen laid out for the template of the rating page."""

import json
import math
import uuid
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from annotation.models import Annotator, Campaign
from annotation.rating.differences import marked_differences
from annotation.rating.screens import Screen, ShownItem
from annotation.rating.tasks import ahead_of

FAIR_AFTER = 3
"""How many screens tell an annotator's pace."""


def shown_screen(
    screen: Screen,
    given: list[dict[str, str]] | None = None,
    problems: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Lay a screen out for the template."""
    campaign = screen.campaign
    rules = campaign.rules
    mark = bool(rules.setting(campaign.config, "highlight", False))
    items = []
    for number, shown in enumerate(screen.items):
        answers = given[number] if given and number < len(given) else shown.answers
        items.append(
            {
                "number": number,
                "letter": letter_of(number),
                "texts": _texts(screen, shown, mark),
                "questions": [
                    _asked(field, number, answers, problems or {})
                    for field in rules.layout.fields(screen.questions, number, len(screen.items))
                ],
            }
        )
    return {
        "screen": screen,
        "layout": rules.layout,
        "source_runs": _texts_of_source(screen, mark),
        "items": items,
        "several": len(items) > 1,
        "submission": uuid.uuid4(),
        "comment": screen.comment,
        "reason": screen.reason,
        "submit_to": reverse("rate-submit", args=[screen.annotator.public_id]),
        "draft_to": reverse("rate-draft", args=[screen.annotator.public_id]),
        "task": task_of(screen.annotator),
        "submitted": _submitted(screen.annotator),
        "percent": _percent(screen.annotator),
        "left": _left(screen.annotator),
        "minutes": _minutes_left(screen.annotator),
    }


def letter_of(number: int) -> str:
    """Return what an item of a screen is called, by its place."""
    return chr(ord("A") + number)


def _texts(screen: Screen, shown: ShownItem, mark: bool) -> list[dict[str, Any]]:
    letters = ("A", "B") if len(shown.texts) == 2 else ("",)
    return [
        {
            "letter": letter,
            "runs": marked_differences(screen.source, text)[1]
            if mark and screen.source
            else [(text, False)],
        }
        for letter, text in zip(letters, shown.texts, strict=True)
    ]


def _texts_of_source(screen: Screen, mark: bool) -> list[tuple[str, bool]]:
    if mark and len(screen.items) == 1 and screen.source:
        return marked_differences(screen.source, screen.items[0].texts[0])[0]
    return [(screen.source, False)]


def _asked(
    field: dict[str, Any], number: int, answers: dict[str, Any], problems: dict[str, str]
) -> SafeString:
    """Return a question as HTML, with the answer and the problem that there may be."""
    question = field | {
        "name": f"answer-{number}-{field['asked']}",
        "value": str(answers.get(field["asked"], "")),
        "problem": problems.get(f"{number}-{field['asked']}", ""),
    }
    if question["value"] or question["problem"]:
        return render_to_string("annotation/question.html", {"question": question})
    return _unanswered(json.dumps(question))


@lru_cache(maxsize=1000)
def _unanswered(question: str) -> SafeString:
    """Render a question once: every screen of a campaign asks it again."""
    return render_to_string("annotation/question.html", {"question": json.loads(question)})


def shown_end(annotator: Annotator) -> dict[str, Any]:
    """Lay out what is shown where a task has nothing left to do: the next one, or the end."""
    rests = annotator.campaign.state != Campaign.State.OPEN
    ahead = ahead_of(annotator)
    return {
        "paused": rests or ahead.resting,
        "following": ahead.following,
        "submitted": _submitted(annotator),
        "task": task_of(annotator),
    }


def task_of(annotator: Annotator) -> tuple[int, int] | None:
    """Return which of how many tasks an annotator is at; None outside of sets."""
    if annotator.other_tasks is None:
        return None
    return annotator.campaign.position + 1, annotator.other_tasks.campaigns + 1


def _submitted(annotator: Annotator) -> int:
    """Return how many screens the person has answered, in all of their tasks."""
    others = annotator.other_tasks
    return annotator.submitted + (others.submitted if others else 0)


def _percent(annotator: Annotator) -> int:
    others = annotator.other_tasks
    left = max(annotator.assigned - annotator.submitted, 0) + (others.left if others else 0)
    done = _submitted(annotator)
    return math.floor(100 * done / max(done + left, 1))


def _left(annotator: Annotator) -> int | None:
    """Return how many items are left of all lists; of a shared queue nobody knows."""
    if annotator.campaign.design == Campaign.Design.QUEUE:
        return None
    others = annotator.other_tasks
    return max(annotator.assigned - annotator.submitted, 0) + (others.left if others else 0)


def _minutes_left(annotator: Annotator) -> int | None:
    """Return how long the rest takes at the annotator's own pace, once that is known."""
    left, done = _left(annotator), _submitted(annotator)
    others = annotator.other_tasks
    seconds = annotator.active_seconds + (others.active_seconds if others else 0)
    if left is None or done < FAIR_AFTER or not seconds:
        return None
    return math.ceil(left * seconds / done / 60)
