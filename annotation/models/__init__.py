"""Human judgements: campaigns, annotators, items, assignments, submissions and ratings."""

from annotation.models.assignment import Assignment, Draft, Item
from annotation.models.campaign import (
    Annotator,
    Campaign,
    Contact,
    Invitee,
    OtherTasks,
    Place,
    Withdrawal,
)
from annotation.models.campaign_set import CampaignSet, Participant
from annotation.models.panel import Panel, PanelEntry
from annotation.models.rating import Rating, RatingQuerySet, StagedRating, Submission

__all__ = [
    "Annotator",
    "Assignment",
    "Campaign",
    "CampaignSet",
    "Contact",
    "Draft",
    "Invitee",
    "Item",
    "OtherTasks",
    "Panel",
    "PanelEntry",
    "Participant",
    "Place",
    "Rating",
    "RatingQuerySet",
    "StagedRating",
    "Submission",
    "Withdrawal",
]
