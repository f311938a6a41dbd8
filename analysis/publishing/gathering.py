"""Gathering what the documents of a publication say of a study."""

from collections.abc import Iterator, Sequence

from django.conf import settings
from django.db.models import Count
from django.utils.text import slugify

from analysis.publishing.content import CampaignFacts, Content, DataFile, ReportFile
from analysis.publishing.options import Options
from annotation.campaigns.rater_kinds import kinds_in_words
from annotation.models import Annotator, Campaign, Rating, RatingQuerySet, Submission
from corpus.models import Study
from corpus.studies.overview import provenance_words
from corpus.vocabulary.publication_details import details_shown
from metrics.models import MetricRun

SHEETS = "heds"


def content_of(
    study: Study,
    options: Options,
    data: Sequence[DataFile],
    reports: Sequence[ReportFile],
    checks: Sequence[str],
) -> Content:
    """Return all that the documents of a publication say; files that come later are added."""
    rows = {file.table: file.rows for file in data}
    return Content(
        slug=study.slug,
        title=study.title or study.slug,
        description=study.description,
        language=study.language,
        simulated=study.simulated,
        details=details_shown(study.declarations),
        date=options.date,
        version=settings.VERSION,
        counts={
            "segments": rows.get("segments", 0),
            "systems": study.systems.filter(kind="system").count(),
            "ratings": Rating.objects.counted(study).count(),
            "runs": MetricRun.objects.filter(study=study).published().count(),
            "runs_computed_here": study.runs.published().computed_here().count(),
        },
        data=tuple(data),
        reports=tuple(reports),
        campaigns=tuple(_campaigns(study)),
        preparation=tuple(provenance_words(entry) for entry in study.provenance),
        checks=tuple(checks),
    )


def rated_campaigns(study: Study) -> list[Campaign]:
    """Return the campaigns of which there are ratings, in the order in which they were made."""
    rated = Rating.objects.counted(study).order_by().values("submission__item__campaign")
    return list(Campaign.objects.filter(pk__in=rated).order_by("pk"))


def sheets_of(study: Study) -> dict[int, str]:
    """Return the path of each campaign's datasheet without its ending; slugs may hold anything."""
    return {
        campaign.pk: f"{SHEETS}/{place:02d}-{slugify(campaign.slug)[:60] or 'campaign'}"
        for place, campaign in enumerate(rated_campaigns(study), start=1)
    }


def _campaigns(study: Study) -> Iterator[CampaignFacts]:
    sheets = sheets_of(study)
    for campaign in rated_campaigns(study):
        current = Rating.objects.counted(study).filter(submission__item__campaign=campaign)
        aspects = current.order_by().values_list("aspect", flat=True).distinct()
        raters = (
            Annotator.objects.filter(
                campaign=campaign, submissions__in=Submission.objects.counted(study)
            )
            .order_by()
            .values_list("kind", "raters")
        )
        kinds = raters.annotate(annotators=Count("pk", distinct=True))
        live = campaign.origin == Campaign.Origin.LIVE
        yield CampaignFacts(
            slug=campaign.slug,
            title=campaign.title,
            protocol=campaign.rules.title,
            aspects=tuple(sorted(aspects)),
            origin="rated here, in the browser" if live else "imported",
            ratings=current.count(),
            raters=tuple(kinds_in_words(kinds)),
            per_item=_per_item(current),
            consented="yes" if campaign.consent else "not asked here",
            sheet=sheets[campaign.pk],
        )


def _per_item(ratings: RatingQuerySet) -> str:
    counts = (
        ratings.order_by()
        .values("submission__item", "aspect")
        .annotate(raters=Count("pk"))
        .values_list("raters", flat=True)
    )
    found = sorted(set(counts))
    if not found:
        return "none"
    many = f"{found[0]}" if len(found) == 1 else f"{found[0]} to {found[-1]}"
    return f"{many} rating{'s' if many != '1' else ''} for each item and aspect"
