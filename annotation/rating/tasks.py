"""The tasks of somebody who rates in a set of campaigns: which comes first, which next."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from annotation.models import Annotator, Assignment, Campaign, Participant


@dataclass(frozen=True)
class Ahead:
    """What comes after a task of which nothing is left to do now.

    Parameters
    ----------
    following
        The next task with something to do; None where there is none now.
    resting
        Whether a task that is paused or closed is not finished.
    """

    following: Annotator | None
    resting: bool


def tasks_of(participant: Participant | int) -> QuerySet[Annotator]:
    """Return somebody's tasks, as annotators of the campaigns in their order."""
    people = Annotator.objects.filter(participant=participant)
    return people.select_related("campaign__study", "campaign__set").order_by("campaign__position")


def current_task(participant: Participant) -> Annotator:
    """Return the first task with something to do; else one that rests, else the last."""
    tasks = list(tasks_of(participant))
    ahead = _ahead(tasks)
    resting = (each for each in tasks if is_resting(each))
    return ahead.following or next(resting, tasks[-1])


def ahead_of(annotator: Annotator) -> Ahead:
    """Return what comes after an annotator's task: later tasks first, then earlier ones."""
    if annotator.participant_id is None:
        return Ahead(None, False)
    tasks = list(tasks_of(annotator.participant_id))
    place = annotator.campaign.position
    return _ahead(
        [each for each in tasks if each.campaign.position > place]
        + [each for each in tasks if each.campaign.position < place]
    )


def is_resting(annotator: Annotator) -> bool:
    """Whether an annotator has something left to do in a campaign that is not open."""
    return annotator.campaign.state != Campaign.State.OPEN and _is_unfinished(annotator)


def is_through(annotator: Annotator) -> bool:
    """Whether nothing is left for the person behind an annotator, in any task."""
    tasks = tasks_of(annotator.participant_id) if annotator.participant_id else [annotator]
    return not any(map(_is_unfinished, tasks))


def _ahead(tasks: list[Annotator]) -> Ahead:
    following = next((each for each in tasks if _has_work(each)), None)
    return Ahead(following, any(is_resting(each) for each in tasks))


def _has_work(annotator: Annotator) -> bool:
    return annotator.campaign.state == Campaign.State.OPEN and _is_unfinished(annotator)


def _is_unfinished(annotator: Annotator) -> bool:
    """Whether something is left for an annotator, or could be in the shared queue."""
    if annotator.qualified is False:
        return False
    mine = annotator.assignments.filter(lead=True)
    if mine.filter(state=Assignment.State.OPEN).exists():
        return True
    if annotator.campaign.design != Campaign.Design.QUEUE:
        return False
    free = annotator.campaign.items.filter(lead=True, taken__lt=F("wanted"))
    # What they gave back may come to them again.
    had = mine.exclude(state=Assignment.State.EXPIRED).values("item")
    return free.exclude(pk__in=had).exists()
