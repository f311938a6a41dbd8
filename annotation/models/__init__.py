"""Human judgements: campaigns, annotators, items, assignments, submissions and ratings."""

from annotation.models.assignment import Assignment, Draft, Item
from annotation.models.campaign import Annotator, Campaign, Contact, OtherTasks, Withdrawal
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
    "Item",
    "OtherTasks",
    "Panel",
    "PanelEntry",
    "Participant",
    "Rating",
    "RatingQuerySet",
    "StagedRating",
    "Submission",
    "Withdrawal",
]
