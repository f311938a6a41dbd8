"""Studies, texts, lexicons, membership, jobs and the staging tables of imports."""

from corpus.models.access import AccessEntry, AuditEntry, Invitation, Permission, RateLimit
from corpus.models.job import Job, Worker
from corpus.models.staging import (
    ImportDraft,
    StagedMaskedText,
    StagedSegment,
    StagedSystem,
    StagedText,
)
from corpus.models.study import Membership, Study
from corpus.models.text import MaskedText, Output, Segment, StyleLexicon, System

__all__ = [
    "AccessEntry",
    "AuditEntry",
    "ImportDraft",
    "Invitation",
    "Job",
    "MaskedText",
    "Membership",
    "Output",
    "Permission",
    "RateLimit",
    "Segment",
    "StagedMaskedText",
    "StagedSegment",
    "StagedSystem",
    "StagedText",
    "Study",
    "StyleLexicon",
    "System",
    "Worker",
]
