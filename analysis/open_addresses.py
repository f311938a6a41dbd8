"""Shared reports and public pages of a study: named, and ended at once."""

from django.contrib.auth.models import User

from analysis.charts.chart import counted
from analysis.models import FrozenReport, Publication
from corpus.models import Study


def shared_addresses(study: Study) -> list[str]:
    """Say how many reports and publications anybody may open who knows their address."""
    reports = FrozenReport.objects.filter(study=study).exclude(token=None).count()
    pages = Publication.objects.filter(study=study).exclude(address=None).count()
    named = ((reports, "shared report"), (pages, "public page"))
    return [counted(count, words) for count, words in named if count]


def end_shared_addresses(study: Study, actor: User) -> None:
    """Take all these addresses away; the reports and publications stay."""
    from analysis.frozen.service import stop_sharing
    from analysis.publishing.public_page import change_page

    for frozen in FrozenReport.objects.filter(study=study).exclude(token=None):
        stop_sharing(frozen, actor)
    for publication in Publication.objects.filter(study=study).exclude(address=None):
        change_page(publication, None, actor)
