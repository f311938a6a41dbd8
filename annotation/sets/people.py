"""The people of a set as its owner sees them: their tasks, their links, who they are."""

import datetime as dt
from dataclasses import dataclass

from annotation.models import Annotator, Campaign, CampaignSet, Contact, Participant
from annotation.people.invited import state_of_link, work


@dataclass(frozen=True)
class Person:
    """Somebody who rates in all campaigns of a set.

    `tasks` are their annotators, in the order of the campaigns.
    """

    participant: Participant
    link: str
    contact: Contact | None
    tasks: list[Annotator]

    @property
    def submitted(self) -> int:
        """How many plain item pages they answered, in all tasks."""
        return sum(task.saved for task in self.tasks)  # type: ignore[attr-defined]

    @property
    def assigned(self) -> int | None:
        """How many plain item pages they have; of a shared queue nobody knows."""
        if any(task.campaign.design == Campaign.Design.QUEUE for task in self.tasks):
            return None
        return sum(task.given for task in self.tasks)  # type: ignore[attr-defined]

    @property
    def percent(self) -> int | None:
        """How much of it they have done."""
        return None if self.assigned is None else 100 * self.submitted // max(self.assigned, 1)

    @property
    def last_seen_at(self) -> dt.datetime | None:
        """When they answered last in any task."""
        return max((each.last_seen_at for each in self.tasks if each.last_seen_at), default=None)

    @property
    def platform(self) -> str:
        """The participant of a crowd platform."""
        return str(self.participant.platform.get("participant", ""))


def people_of(together: CampaignSet, only: int | None = None) -> list[Person]:
    """Return everybody of a set, or one, by as many queries for many as for few."""
    participants = together.participants.select_related("contact").order_by("number")
    annotators = Annotator.objects.filter(participant__set=together).annotate(**work())
    annotators = annotators.select_related("campaign")
    if only is not None:
        participants = participants.filter(pk=only)
        annotators = annotators.filter(participant=only)
    tasks: dict[int | None, list[Annotator]] = {}
    for annotator in annotators.order_by("campaign__position"):
        tasks.setdefault(annotator.participant_id, []).append(annotator)
    return [
        Person(
            participant,
            state_of_link(participant),
            getattr(participant, "contact", None),
            tasks.get(participant.pk, []),
        )
        for participant in participants
    ]
