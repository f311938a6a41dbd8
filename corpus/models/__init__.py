"""Studies, texts, lexicons, membership, jobs and the staging tables of imports."""

from corpus.models.access import AccessEntry, Invitation, RateLimit
from corpus.models.audit import AuditEntry, Permission
from corpus.models.job import Job
from corpus.models.staging import (
    ImportDraft,
    StagedMaskedText,
    StagedSegment,
    StagedSystem,
    StagedText,
)
from corpus.models.study import Membership, Study
from corpus.models.text import MaskedText, Output, Segment, StyleLexicon, System
from corpus.models.worker import Worker

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
