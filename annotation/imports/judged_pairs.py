"""Judgements of pairs by a model that was asked here: stored like those of an imported table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Annotator, Campaign, Item, Rating, Submission
from corpus.models import AuditEntry, Output, Study

PROTOCOL = "output_against_output"


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """One judgement of two outputs by their keys.

    Attributes
    ----------
    first, second
        Primary keys of outputs.
    second_is_a
        Whether the second was shown on side A.
    choice
        first, second or tie; empty where there is no answer.
    reason
        Why there is none.
    seconds
        Until it was there.
    """

    first: int
    second: int
    second_is_a: bool
    choice: str
    reason: str = ""
    seconds: float | None = None


_TURNED = {"first": "second", "second": "first"}


def store_judged_pairs(
    study: Study,
    slug: str,
    config: Mapping[str, Any],
    judgements: Mapping[str, Iterable[JudgedPair]],
    *,
    title: str,
    aspect: str,
    user: User | None,
) -> int:
    """Store judgements of model raters, by their names; return how many are new.

    The campaign is made with the first of them. What a rater has judged already stays.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        campaign, _ = Campaign.objects.get_or_create(
            study=study,
            slug=slug,
            defaults={
                "title": title,
                "protocol": PROTOCOL,
                "origin": Campaign.Origin.IMPORTED,
                "config": {**config, "aspects": [aspect]},
            },
        )
        added = sum(
            _store(campaign, rater, list(rows), aspect) for rater, rows in judgements.items()
        )
        if added:
            study.revision += 1
            study.save(update_fields=["revision"])
            after = {"judgements": added, "raters": sorted(judgements)}
            AuditEntry.record(study, user, "judge pairs", slug, after=after)
    return added


def _store(campaign: Campaign, name: str, rows: list[JudgedPair], aspect: str) -> int:
    rater, _ = Annotator.objects.get_or_create(
        campaign=campaign, pseudonym=name, defaults={"kind": Annotator.Kind.MODEL}
    )
    keys = {key for row in rows for key in (row.first, row.second)}
    ordinals = dict(Output.objects.filter(pk__in=keys).values_list("pk", "ordinal"))
    # Of two texts the one that came first into the study is the first of an item.
    in_order = {
        (row.first, row.second): row
        if ordinals[row.first] < ordinals[row.second]
        else JudgedPair(
            row.second,
            row.first,
            not row.second_is_a,
            _TURNED.get(row.choice, row.choice),
            row.reason,
            row.seconds,
        )
        for row in rows
    }
    wanted = {(row.first, row.second): row for row in in_order.values()}
    known = _items(campaign)
    Item.objects.bulk_create(
        Item(campaign=campaign, first_id=first, second_id=second)
        for first, second in wanted
        if (first, second) not in known
    )
    known = _items(campaign)
    judged = set(rater.submissions.values_list("item_id", flat=True))
    fresh = {known[pair]: row for pair, row in wanted.items() if known[pair] not in judged}
    Submission.objects.bulk_create(
        Submission(
            item_id=item,
            annotator=rater,
            swapped=row.second_is_a,
            active_seconds=row.seconds,
            reason=row.reason,
        )
        for item, row in fresh.items()
    )
    stored = dict(rater.submissions.filter(item__in=fresh).values_list("item_id", "pk"))
    Rating.objects.bulk_create(
        Rating(submission_id=stored[item], aspect=aspect, choice=row.choice)
        for item, row in fresh.items()
        if row.choice
    )
    return len(fresh)


def _items(campaign: Campaign) -> dict[tuple[int, int], int]:
    rows = campaign.items.filter(occasion=1, second__isnull=False)
    return {(first, second): pk for pk, first, second in rows.values_list("pk", "first", "second")}
