"""Human judgements: campaigns, annotators, items, assignments, submissions and ratings."""

from annotation.models.assignment import Assignment, Draft, Item
from annotation.models.campaign import Annotator, Campaign, Contact, Withdrawal
from annotation.models.rating import Rating, RatingQuerySet, StagedRating, Submission

__all__ = [
    "Annotator",
    "Assignment",
    "Campaign",
    "Contact",
    "Draft",
    "Item",
    "Rating",
    "RatingQuerySet",
    "StagedRating",
    "Submission",
    "Withdrawal",
]
