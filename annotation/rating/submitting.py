"""Answers of annotators: drafts that change, submissions that do not.

A submission is idempotent: its UUID is chosen by the page before it is sent, so that a double
click, a reload or a retry after a lost connection is recognised and stored once.
"""

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from annotation.models import Annotator, Assignment, Campaign, Draft, Item, Submission
from annotation.practice.items import finish_practice
from annotation.protocols.likert import derived_overall, same_text
from annotation.protocols.protocol import Protocol
from annotation.protocols.questions import Answers
from annotation.queue.handing_out import arrive, next_assignments, renew, waits_for_queue
from annotation.queue.shared_queue import take_place
from annotation.queue.statements import new_place
from annotation.rating import watched
from annotation.selection.screen_places import screen_of
from annotation.statements import find_lead, store_screen
from corpus.models import System
from corpus.storage.write_turn import in_write_turn

LONGEST_COMMENT = 10_000
MOST_SECONDS = 3600.0


class Conflict(Exception):
    """What was sent does not fit what is stored; nothing was stored, and nothing is lost.

    Parameters
    ----------
    reason
        ``"stale"``: the screen was answered in the meantime. ``"reused"``: the UUID was used for
        something else. ``"draft"``: the draft is newer. ``"ended"``: the campaign is paused or
        closed, and takes no corrections.
    """

    def __init__(self, reason: str, draft: Draft | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.draft = draft


@dataclass(frozen=True)
class Sent:
    """A submission as it arrived.

    `answers` has one mapping of aspect to text for each item of the screen, in its order; `warned`
    says that the page asked about a contradiction between them before.
    """

    uuid: uuid.UUID
    revision: int
    answers: Sequence[Mapping[str, str]]
    comment: str = ""
    reason: str = ""
    warned: bool = False
    active_seconds: float | None = None

    @property
    def payload_sha256(self) -> str:
        """A fingerprint of what was answered, whenever and however often it is sent."""
        content = [[dict(each) for each in self.answers], self.comment, self.reason, self.revision]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """What became of a submission, and the screen that comes next.

    After a practice item comes what was expected of it, and no screen yet.
    """

    stored: bool
    surplus: bool = False
    following: list[Assignment] = field(default_factory=list)
    practised: Assignment | None = None


def submit(annotator: Annotator, public_id: uuid.UUID, sent: Sent) -> Outcome:
    """Store the answers to one screen and hand out the next.

    Where the next one comes from a queue that others wait for, it is handed out in a transaction of
    its own, so that nobody waits while answers are stored. If that fails, the same answers sent
    again are recognised.

    Raises
    ------
    Assignment.DoesNotExist
        If the screen is none of this annotator's.
    AnswerError
        If an answer is missing or impossible; keys are ``"<item>-<aspect>"``.
    Conflict
        If the screen was answered from elsewhere, or the UUID was used for something else.
    """
    for attempt in (1, 2):
        try:
            outcome = _submit(annotator, public_id, sent)
        except IntegrityError:
            # The same click may have arrived twice at once; now the first is stored, and known.
            if attempt == 2:
                raise Conflict("reused") from None
            continue
        if outcome.stored:
            for tell in watched.stored:
                tell()
        if outcome.practised is None and waits_for_queue(annotator.campaign):
            return replace(outcome, following=arrive(annotator, has_submitted=True))
        return outcome
    raise AssertionError("unreachable")


@in_write_turn
def save_draft(
    annotator: Annotator,
    public_id: uuid.UUID,
    version: int,
    answers: dict[str, Any],
    page: uuid.UUID | None = None,
) -> int:
    """Keep what was typed so far; return the new version of the draft.

    A draft may arrive after the submission of the same page, on a slow or doubled way: it is older
    than what is stored, and not kept.

    Parameters
    ----------
    annotator, public_id
    version
        That of the draft on which the answers are based.
    answers
    page
        The UUID that the page has for its submission.

    Raises
    ------
    Assignment.DoesNotExist
        If the screen is none of this annotator's.
    Conflict
        With the stored draft, if another device or tab has saved a newer one; without, if it is of
        a correction that the campaign does not take.
    """
    lead = assignment_of(annotator, public_id, hold=True)
    if lead.state == Assignment.State.SUBMITTED:
        if page and _is_stored(lead, page):
            return version
        if annotator.campaign.state != Campaign.State.OPEN:
            raise Conflict("ended")
    renew(lead, annotator.campaign)
    changed = Draft.objects.filter(assignment=lead, version=version).update(
        answers=answers, version=version + 1, updated_at=timezone.now()
    )
    if changed:
        return version + 1
    draft, created = Draft.objects.get_or_create(
        assignment=lead, defaults={"answers": answers, "version": version + 1}
    )
    if not created and draft.answers != answers:
        raise Conflict("draft", draft)
    return draft.version


def _is_stored(lead: Assignment, page: uuid.UUID) -> bool:
    return Submission.objects.filter(
        uuid=page, item=lead.item_id, annotator=lead.annotator_id
    ).exists()


def assignment_of(annotator: Annotator, public_id: uuid.UUID, *, hold: bool = False) -> Assignment:
    """Return the lead of one of this annotator's screens, held until the transaction ends or not.

    Raises
    ------
    Assignment.DoesNotExist
        If it is none of theirs: which of the reasons is not told.
    """
    lead = find_lead(annotator, public_id, hold=hold)
    if lead is None:
        raise Assignment.DoesNotExist("no such screen of this annotator")
    return lead


@in_write_turn
def _submit(annotator: Annotator, public_id: uuid.UUID, sent: Sent) -> Outcome:
    lead = assignment_of(annotator, public_id)
    screen = screen_of(lead, annotator.campaign)
    latest = _latest(lead) if lead.state == Assignment.State.SUBMITTED else None
    if latest is not None and latest.uuid == sent.uuid:
        if latest.payload_sha256 != sent.payload_sha256:
            raise Conflict("reused")
        return _outcome(annotator, lead, False, latest.surplus)
    if latest is not None:
        _refuse_if_ended(annotator.campaign)
    if sent.revision != (latest.revision if latest else 0) + 1:
        raise Conflict("stale")
    answers = _read(annotator.campaign.rules, annotator.campaign.config, screen, sent)
    surplus = latest.surplus if latest else _too_late(screen, annotator.campaign_id)
    now = timezone.now()
    judged = list(zip(_submissions(screen, sent, surplus), answers, strict=True))
    is_work = latest is None and lead.item.kind != Item.Kind.PRACTICE
    # The next screen is handed out by a later commit, which waits for the disk for both.
    is_last = lead.item.kind == Item.Kind.PRACTICE or not waits_for_queue(annotator.campaign)
    store_screen(screen, judged, is_work, now, flushes=is_last)
    annotator.submitted += int(is_work)
    return _outcome(annotator, lead, True, surplus)


def _refuse_if_ended(campaign: Campaign) -> None:
    """Let nobody correct what was answered in a campaign that is not open; hold its state."""
    held = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk)
    campaign.state = held.values_list("state", flat=True).get()
    if campaign.state != Campaign.State.OPEN:
        raise Conflict("ended")


def _outcome(annotator: Annotator, lead: Assignment, stored: bool, surplus: bool) -> Outcome:
    if lead.item.kind == Item.Kind.PRACTICE:
        finish_practice(annotator)
        return Outcome(stored, surplus, practised=lead)
    is_later = waits_for_queue(annotator.campaign)
    following = [] if is_later else next_assignments(annotator, has_submitted=True)
    return Outcome(stored, surplus, following)


def _latest(lead: Assignment) -> Submission | None:
    return (
        Submission.objects.filter(item=lead.item_id, annotator=lead.annotator_id)
        .order_by("-revision")
        .first()
    )


def _read(
    rules: Protocol, config: Mapping[str, Any], screen: Sequence[Assignment], sent: Sent
) -> list[Answers]:
    """Check all answers of a screen; a screen that cannot be judged needs none."""
    if sent.reason.strip():
        return [{} for _ in screen]
    given = [
        sent.answers[number] if number < len(sent.answers) else {} for number in range(len(screen))
    ]
    swapped = [assignment.swapped for assignment in screen]
    answers = rules.layout.read(rules, config, given, swapped)
    return [
        each | _derived(rules, config, assignment, each)
        for assignment, each in zip(screen, answers, strict=True)
    ]


def _derived(
    rules: Protocol, config: Mapping[str, Any], assignment: Assignment, answers: Answers
) -> Answers:
    """Return what is stored beside the answers: the overall that counts under the 0.6 rule."""
    if "overall" not in answers or not rules.setting(config, "six_tenths", False):
        return {}
    output = assignment.item.first
    if output is None:
        # Practice with texts of the owner's is no rating of a system, derived or not.
        return {}
    source = output.segment.outputs.filter(system__kind=System.Kind.SOURCE).first()
    unchanged = source is not None and same_text(source.text, output.text)
    overall = float(answers["overall"])
    return {"overall_derived": derived_overall(overall, unchanged, six_tenths=True)}


def _too_late(screen: Sequence[Assignment], campaign: int) -> bool:
    """Whether a screen was given back and its places are taken by others."""
    if screen[0].state != Assignment.State.EXPIRED:
        return False
    return not take_place([each.item_id for each in screen], new_place(campaign))


def _submissions(screen: Sequence[Assignment], sent: Sent, surplus: bool) -> Iterator[Submission]:
    for number, assignment in enumerate(screen):
        yield Submission(
            uuid=sent.uuid if number == 0 else uuid.uuid5(sent.uuid, str(number)),
            item_id=assignment.item_id,
            annotator_id=assignment.annotator_id,
            revision=sent.revision,
            swapped=assignment.swapped,
            surplus=surplus,
            reason=sent.reason.strip()[:LONGEST_COMMENT],
            comment=sent.comment.strip()[:LONGEST_COMMENT] if number == 0 else "",
            warned=sent.warned,
            active_seconds=_capped(sent.active_seconds),
            payload_sha256=sent.payload_sha256,
        )


def _capped(seconds: float | None) -> float | None:
    """Take a time that a browser measured as far as it can be true."""
    if seconds is None or not 0 <= seconds < float("inf"):
        return None
    return min(seconds, MOST_SECONDS)
