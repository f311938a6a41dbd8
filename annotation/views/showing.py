"""A screen as the rating page shows it, with how far the work is."""

import itertools
import json
import math
import uuid
from functools import lru_cache
from statistics import median
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext

from annotation.models import Annotator, Campaign, Item
from annotation.protocols.contradictions import contradictions
from annotation.protocols.language import counted, translated
from annotation.protocols.layouts.layout import Layout
from annotation.protocols.questions import Question
from annotation.rating.differences import Run, marked_differences
from annotation.rating.screens import NO_REASON, Screen, ShownItem
from annotation.rating.tasks import ahead_of
from annotation.statements import latest_seconds
from annotation.views.stencil import Hole, filled

FAIR_AFTER = 3
"""How many screens tell an annotator's pace."""
LATEST = 31
"""Of how many items, the latest, the times are the pace."""


def shown_screen(
    screen: Screen,
    token: str,
    given: list[dict[str, str]] | None = None,
    problems: dict[str, str] | None = None,
    *,
    submit_to: str = "",
    surplus: bool = False,
    conflict: str = "",
    unstored: str = "",
) -> SafeString:
    """Return a screen as HTML.

    Parameters
    ----------
    screen
    token
        Which the form is sent with, against forgery.
    given, problems
        What was sent before, by item, and what is wrong with it, by ``"<item>-<asked>"``; `screen`
        has the comment and reason that were sent.
    submit_to
        Where answers are sent, if nobody's.
    surplus, conflict, unstored
        What has become of the last submission, if there is something to say.
    """
    campaign, annotator, lead = screen.campaign, screen.annotator, screen.lead
    mark = bool(campaign.rules.setting(campaign.config, "highlight", False))
    context = {
        "token": Hole(token),
        "submit_to": Hole(submit_to),
        "texts_in": campaign.study.language,
        "annotator": Hole(annotator.public_id),
        "assignment": Hole(lead.public_id),
        "submission": Hole(uuid.uuid4()),
        "revision": screen.revision,
        "version": Hole(screen.draft_version),
        "progress": Hole(_progress(annotator)),
        "percent": Hole(_percent(annotator)),
        "sections": [Hole(part) for part in _sections(annotator)],
        "has_last": lead.position > 0 and screen.revision == 1,
        "surplus": surplus,
        "conflict": conflict,
        "ended": screen.revision > 1 and campaign.state != Campaign.State.OPEN,
        "unstored": Hole(unstored),
        "problems": [Hole(text) for text in (problems or {}).values()],
        "is_practice": lead.item.kind == Item.Kind.PRACTICE,
        "comment": Hole(screen.comment),
        "reason": Hole("" if screen.reason == NO_REASON else screen.reason),
        "layout": campaign.rules.layout.template,
        "source": Hole(_source(screen, mark)),
        "references": [Hole(text) for text in screen.references],
        "target_style": Hole(screen.target_style),
        "asked": Hole(screen.questions[0].text),
        "siblings": len(screen.items) > 1
        and bool(campaign.rules.setting(campaign.config, "siblings", False)),
        "contradictions": Hole(_contradictions(screen)),
        "items": [
            {
                "letter": letter_of(number),
                "texts": _texts(screen, shown, mark),
                "questions": _questions(screen, number, given, problems or {}),
            }
            for number, shown in enumerate(screen.items)
        ],
    }
    return filled("annotation/screen.html", context)


def _contradictions(screen: Screen) -> str:
    """Return what would contradict itself on a screen, as JSON for an attribute in quotes of one.

    Empty where nothing would. Of ten equal outputs it is long: hence no `&quot;` for each quote.
    """
    campaign = screen.campaign
    texts = [item.texts for item in screen.items]
    found = contradictions(campaign.rules, campaign.config, screen.source, texts)
    if not found:
        return ""
    rules = [[each.words, each.conditions] for each in found]
    text = json.dumps(rules, ensure_ascii=False, separators=(",", ":"))
    return mark_safe(escape(text).replace("&quot;", '"'))  # noqa: S308  (escaped but for quotes)


def letter_of(number: int) -> str:
    """Return what an item of a screen is called, by its place."""
    return chr(ord("A") + number)


def _texts(screen: Screen, shown: ShownItem, mark: bool) -> list[dict[str, Any]]:
    letters = ("A", "B") if len(shown.texts) == 2 else ("",)
    marks = mark and bool(screen.source)
    return [
        {
            "letter": letter,
            "text": Hole(_marked(marked_differences(screen.source, text)[1]) if marks else text),
        }
        for letter, text in zip(letters, shown.texts, strict=True)
    ]


def _source(screen: Screen, mark: bool) -> str:
    if mark and len(screen.items) == 1 and screen.source:
        return _marked(marked_differences(screen.source, screen.items[0].texts[0])[0])
    return screen.source


def _marked(runs: list[Run]) -> SafeString:
    """Return a text with its differences marked."""
    return mark_safe(  # noqa: S308  (every run is escaped)
        "".join(
            format_html("<mark>{}</mark>", text) if differs else escape(text)
            for text, differs in runs
        )
    )


def _questions(
    screen: Screen, number: int, given: list[dict[str, str]] | None, problems: dict[str, str]
) -> list[Hole]:
    """Return the questions about an item, with the answers and problems that there may be."""
    answers = given[number] if given and number < len(given) else screen.items[number].answers
    layout, count = screen.campaign.rules.layout, len(screen.items)
    if not answers and not problems:
        return _unanswered(layout, screen.questions, number, count, get_language())
    return [
        _asked(field, number, str(answers.get(field["asked"], "")), problems)
        for field in layout.fields(screen.questions, number, count)
    ]


@lru_cache(maxsize=1000)
def _unanswered(
    layout: Layout,
    questions: tuple[Question, ...],
    number: int,
    count: int,
    language: str | None,
) -> list[Hole]:
    """Render questions once in a language: every screen of a campaign asks them again."""
    return [_asked(field, number, "", {}) for field in layout.fields(questions, number, count)]


def _asked(field: dict[str, Any], number: int, answer: str, problems: dict[str, str]) -> Hole:
    question = field | {
        "name": f"answer-{number}-{field['asked']}",
        "value": answer,
        "problem": problems.get(f"{number}-{field['asked']}", ""),
    }
    text = render_to_string("annotation/question.html", {"question": question})
    return Hole(mark_safe(text.strip()))  # noqa: S308  (as it was rendered)


def _progress(annotator: Annotator) -> str:
    """Say how far an annotator has come."""
    task, left, minutes = task_of(annotator), _left(annotator), _minutes_left(annotator)
    words = [translated("{done} done", done=_submitted(annotator))]
    if left is not None:
        words.append(translated("{left} left", left=left))
    if minutes:
        words.append(
            counted(
                "about {number} minute at your pace", "about {number} minutes at your pace", minutes
            )
        )
    done = pgettext("between facts of a line", ", ").join(words)
    if task is None:
        return done
    return translated("Task {task} of {tasks}: {done}", task=task[0], tasks=task[1], done=done)


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
    """Return how many screens the person has answered, in all of their tasks.

    Practice is said to be practice and left out. Control items are not: nobody may notice them.
    """
    others = annotator.other_tasks
    return annotator.submitted + (others.submitted if others else 0)


def _percent(annotator: Annotator) -> int:
    left, done = _left(annotator), _submitted(annotator)
    # Of a shared queue it is known only that something is left.
    return math.floor(100 * done / max(done + (1 if left is None else left), 1))


def _sections(annotator: Annotator) -> tuple[int, ...]:
    """Return how far each section is; of a shared queue, whose end nobody knows, the whole."""
    left, done = _left(annotator), _submitted(annotator)
    return (_percent(annotator),) if left is None else sections(done, done + left)


def _left(annotator: Annotator) -> int | None:
    """Return how many items are left of all lists; of a shared queue nobody knows."""
    if annotator.campaign.design == Campaign.Design.QUEUE:
        return None
    others = annotator.other_tasks
    return max(annotator.assigned - annotator.submitted, 0) + (others.left if others else 0)


def _minutes_left(annotator: Annotator) -> int | None:
    """Return how long the rest takes at the annotator's own pace, once that is known.

    The median of the latest times is the pace: one pause, or a slow beginning, does not change it.
    """
    left = _left(annotator)
    if left is None or annotator.submitted < FAIR_AFTER:
        return None
    seconds = latest_seconds(annotator, LATEST)
    return math.ceil(left * median(seconds) / 60) if seconds else None


MOST_SECTIONS = 10
SHORTEST_SECTION = 5
"""Screens of the shortest section: shorter ones would end before they are noticed."""


def sections(done: int, total: int) -> tuple[int, ...]:
    """Return how much of each section is done, in percent.

    Examples
    --------
    >>> sections(7, 20)
    (100, 40, 0, 0)
    """
    count = max(1, min(MOST_SECTIONS, total // SHORTEST_SECTION))
    ends = [total * number // count for number in range(count + 1)]
    return tuple(
        max(0, min(100, 100 * (done - start) // max(end - start, 1)))
        for start, end in itertools.pairwise(ends)
    )
