"""Making collections, changing their tasks, deleting them, and who may."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from django.conf import settings as site_settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.db.models import Q

from analysis.collections.content import STATISTICS
from analysis.filter.question import Question, QuestionError
from analysis.models import Collection, CollectionTask
from analysis.stats.correlation.tie_calibration import HumanTies
from corpus.access.guard import named
from corpus.models import AuditEntry
from corpus.storage.write_turn import in_write_turn


def collection_for(user: User | AnonymousUser, slug: str, *, change: bool = False) -> Collection:
    """Return a collection that this person may open: one who may open each of its studies.

    Raises
    ------
    Http404
        If there is no such collection, or one of its studies is closed to this person: which of
        the two is not disclosed.
    PermissionDenied
        If `change` is asked for and the person only reads.
    """
    found = named(Collection.objects.visible_to(user), slug)
    if change and not may_change(user, found):
        raise PermissionDenied("only the owner of this collection may do this")
    return found


def may_change(user: User | AnonymousUser, collection: Collection) -> bool:
    """Whether this person owns the collection."""
    if not user.is_authenticated:
        return False
    return user.is_superuser or collection.owner_id == user.pk


def jobs_seen_by(user: User) -> Q:
    """Return which jobs of collections a person may see.

    A job says how far it is and what is wrong in the words of every study of its collection.
    """
    visible = Collection.objects.visible_to(user).values_list("pk", flat=True)
    return Q(parameters__collection__in=list(visible))


MOST_TASKS = 200
FEWEST_DRAWS = 100
RESERVED_SLUGS = frozenset({"new"})
ASKED = (
    *("aspect", "metric", "candidates", "direction", "systems", "leave_out", "where", "humans"),
    *("campaign", "protocol", "shown", "raters", "about", "withdrawn", "scores", "ddof"),
)
"""Fields of a question that a task may have."""


class CollectionError(ValueError):
    """A collection or a task that makes no sense; the message says what to change."""


@in_write_turn
def create_collection(
    slug: str, title: str, tasks: Sequence[CollectionTask], owner: User | None, **settings: Any
) -> Collection:
    """Make a collection with its tasks.

    Raises
    ------
    CollectionError
        If the slug is taken or the name of a page, or a task makes no sense.
    """
    _check_draws(settings)
    if slug in RESERVED_SLUGS or Collection.objects.filter(slug=slug).exists():
        # One sentence for both: it must not disclose which collections of others there are.
        raise CollectionError(
            f"the name {slug!r} is not available: it is that of a page, or of a collection that "
            "you may not see; choose another name"
        )
    try:
        made = Collection.objects.create(slug=slug, title=title or slug, owner=owner, **settings)
    except IntegrityError:
        raise CollectionError(f"{slug!r}: the name is taken, or a setting out of range") from None
    _write_tasks(made, tasks)
    AuditEntry.record(None, owner, "create collection", slug)
    return made


@in_write_turn
def change_collection(
    collection: Collection,
    actor: User | None,
    tasks: Sequence[CollectionTask] | None = None,
    **settings: Any,
) -> Collection:
    """Change settings of a collection, and put other tasks in the place of its own.

    Raises
    ------
    CollectionError
        If a task makes no sense.
    """
    _check_draws(settings)
    locked = Collection.objects.select_for_update().get(pk=collection.pk)
    if settings:
        for name, value in settings.items():
            setattr(locked, name, value)
        locked.save(update_fields=list(settings))
    if tasks is not None:
        locked.tasks.all().delete()
        _write_tasks(locked, tasks)
    AuditEntry.record(None, actor, "change collection", locked.slug)
    return locked


@in_write_turn
def delete_collection(collection: Collection, actor: User | None) -> None:
    """Delete a collection; its studies stay as they are."""
    AuditEntry.record(None, actor, "delete collection", collection.slug)
    collection.delete()


def _check_draws(settings: Mapping[str, Any]) -> None:
    draws, most = settings.get("draws", FEWEST_DRAWS), site_settings.RESAMPLES_LIMIT
    if not FEWEST_DRAWS <= draws <= most:
        raise CollectionError(f"{draws} draws; expected {FEWEST_DRAWS} to {most:,}")


def _write_tasks(collection: Collection, tasks: Sequence[CollectionTask]) -> None:
    if len(tasks) > MOST_TASKS:
        raise CollectionError(f"{len(tasks)} tasks; a collection has at most {MOST_TASKS}")
    for place, task in enumerate(tasks):
        task.pk, task.collection, task.ordinal = None, collection, place
        task.question = checked(task, place + 1)
        task.name = (task.name or task.study.slug)[:100]
    CollectionTask.objects.bulk_create(tasks)


def checked(task: CollectionTask, number: int) -> dict[str, Any]:
    """Return the question of a task as it is stored, after a look at all of the task.

    Raises
    ------
    CollectionError
    """
    where = f"task {number} ({task.name or task.study.slug})"
    if task.statistic not in STATISTICS:
        known = ", ".join(STATISTICS)
        raise CollectionError(f"{where}: no statistic {task.statistic!r}; there are: {known}")
    if not (math.isfinite(task.weight) and task.weight > 0):
        raise CollectionError(f"{where}: the weight is {task.weight}; it must be above 0")
    if task.pool and not STATISTICS[task.statistic].is_pooled:
        title = STATISTICS[task.statistic].title
        raise CollectionError(f"{where}: {title} cannot be pooled; leave the pool empty")
    if task.human_ties not in get_args(HumanTies):
        raise CollectionError(f"{where}: human ties are exact or rounded, not {task.human_ties!r}")
    if unknown := sorted(set(task.question) - set(ASKED)):
        raise CollectionError(
            f"{where}: a task does not use {unknown[0]}; it uses: {', '.join(ASKED)}"
        )
    try:
        return dict(Question.parse(task.question).to_query())
    except QuestionError as error:
        raise CollectionError(f"{where}: {error}") from None
