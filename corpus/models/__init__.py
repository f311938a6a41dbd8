"""Studies, texts, membership, jobs and the staging tables of imports."""

from corpus.models.audit import AuditEntry
from corpus.models.job import Job
from corpus.models.staging import StagedSegment, StagedSystem, StagedText
from corpus.models.study import Membership, Study
from corpus.models.text import Output, Segment, System

__all__ = [
    "AuditEntry",
    "Job",
    "Membership",
    "Output",
    "Segment",
    "StagedSegment",
    "StagedSystem",
    "StagedText",
    "Study",
    "System",
]
