"""One screen of work: what is judged together, with its texts and what was answered so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.models import Annotator, Assignment, Campaign, Draft, Submission
from annotation.protocols.questions import Question
from annotation.statements import segment_texts
from corpus.models import System

NO_REASON = "no reason given"
"""What is stored of who cannot judge a screen and does not say why."""


@dataclass(frozen=True)
class ShownItem:
    """One item as the page shows it.

    `texts` are the judged texts in the order of the page: one, or side A and side B.
    """

    assignment: Assignment
    texts: tuple[str, ...]
    answers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Screen:
    """Everything that a rating page needs; nothing in it tells a system."""

    campaign: Campaign
    annotator: Annotator
    items: tuple[ShownItem, ...]
    source: str
    references: tuple[str, ...]
    target_style: str
    questions: tuple[Question, ...]
    revision: int
    draft_version: int
    comment: str = ""
    reason: str = ""

    @property
    def lead(self) -> Assignment:
        """The assignment that stands for the screen."""
        return self.items[0].assignment


def build_screen(annotator: Annotator, assignments: Sequence[Assignment]) -> Screen:
    """Read the texts of a screen, its draft, and the last answers where there are some.

    Parameters
    ----------
    annotator
        With its campaign loaded.
    assignments
        All of one screen, the lead first, with item loaded.
    """
    campaign = annotator.campaign
    rules = campaign.rules
    texts = _Texts(assignments)
    lead = assignments[0]
    earlier = _latest(assignments) if lead.state == Assignment.State.SUBMITTED else {}
    draft = _draft(lead)
    typed = draft.answers if draft else {}
    questions = rules.questions(campaign.config)
    sent = _sent(campaign, assignments, earlier)
    items = tuple(
        ShownItem(
            assignment,
            judged_texts(assignment, texts.by_pk),
            typed.get("answers", {}).get(str(number)) or sent[number],
        )
        for number, assignment in enumerate(assignments)
    )
    last = earlier.get(lead.item_id)
    return Screen(
        campaign=campaign,
        annotator=annotator,
        items=items,
        source=texts.source if rules.layout.shows_source(rules, campaign.config) else "",
        references=texts.references[:1]
        if rules.setting(campaign.config, "show_reference", False)
        else (),
        target_style=texts.target_style if rules.shows_target_style(campaign.config) else "",
        questions=questions,
        revision=last.revision + 1 if last else 1,
        draft_version=draft.version if draft else 0,
        comment=typed.get("comment", last.comment if last else ""),
        reason=typed.get("reason", last.reason if last else ""),
    )


def _draft(lead: Assignment) -> Draft | None:
    try:
        return lead.draft
    except Draft.DoesNotExist:
        return None


def judged_texts(assignment: Assignment, texts: Mapping[int, str] | None = None) -> tuple[str, ...]:
    """Return the text that is judged, or side A and side B, as they are shown.

    Which of two texts stands first in the item must not be told by any page.

    Parameters
    ----------
    assignment
    texts
        Stored texts by the primary key of the output; those of the item where not given.
    """
    item = assignment.item
    shown = dict(item.shown or {})
    stored = (("first", item.first_id), ("second", item.second_id))
    for side, pk in stored:
        if pk is not None and side not in shown:
            shown[side] = texts[pk] if texts else getattr(item, side).text
    if not item.is_pair:
        return (shown["first"],)
    sides = (shown["first"], shown["second"])
    return sides[::-1] if assignment.swapped else sides


class _Texts:
    """The texts of one segment, by one query; of practice that its owner wrote, what is shown."""

    def __init__(self, assignments: Sequence[Assignment]) -> None:
        output, shown = assignments[0].item.first_id, assignments[0].item.shown or {}
        if output is None:
            self.by_pk: dict[int, str] = {}
            self.target_style = shown.get("target_style", "")
            self.source = shown.get("source", "")
            self.references = tuple(shown[name] for name in ("reference",) if name in shown)
            return
        rows = segment_texts(output)
        self.by_pk = {pk: text for pk, text, *_ in rows}
        self.target_style = rows[0][4]
        source = (text for _, text, _, kind, _ in rows if kind == System.Kind.SOURCE)
        self.source = shown.get("source") or next(source, "")
        references = [(row[2], row[1]) for row in rows if row[3] == System.Kind.REFERENCE]
        self.references = tuple(text for _, text in sorted(references))


def _latest(assignments: Sequence[Assignment]) -> dict[int, Submission]:
    """Return the last submission of each item by this annotator."""
    submissions = Submission.objects.filter(
        annotator_id=assignments[0].annotator_id,
        item__in=[assignment.item_id for assignment in assignments],
    ).order_by("revision")
    return {each.item_id: each for each in submissions.prefetch_related("ratings")}


def _sent(
    campaign: Campaign, assignments: Sequence[Assignment], earlier: Mapping[int, Submission]
) -> list[dict[str, str]]:
    """Return the stored answers to a screen as they were sent; empty where there are none."""
    rules = campaign.rules
    found = [earlier.get(assignment.item_id) for assignment in assignments]
    stored = [each.answers if each else {} for each in found]
    swapped = [bool(each and each.swapped) for each in found]
    return rules.layout.sent(rules.questions(campaign.config), stored, swapped)
