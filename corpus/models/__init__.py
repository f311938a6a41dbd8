"""Studies, texts, lexicons, membership, jobs and the staging tables of imports."""

from corpus.models.access_entry import AccessEntry
from corpus.models.audit import AuditEntry
from corpus.models.draft import ImportDraft
from corpus.models.invitation import Invitation
from corpus.models.job import Job
from corpus.models.limit import RateLimit
from corpus.models.permission import Permission
from corpus.models.staging import StagedMaskedText, StagedSegment, StagedSystem, StagedText
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
