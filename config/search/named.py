"""Things found by their names: those of studies, reports and other pages, and the help."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, When, Window
from django.db.models.functions import Length
from django.urls import reverse

from analysis.models import Collection
from analysis.study_sections import SECTIONS, SETTINGS, Page
from annotation.models import Campaign, CampaignSet
from annotation.protocols.catalogue import PROTOCOLS
from config.help.library import find_help
from config.help.views import the_library
from config.search.query import Group, Hit, Query, Scope
from corpus.models import Study, System
from metrics.models import Metric, MetricRun

MOST_STUDIES = 3
"""Of so many studies pages are offered to who searches from no study's page."""
NAMES: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("statistics.toml").read_text(encoding="utf-8")
)
"""Names of statistics by key of a kind of report."""


def find_studies(query: Query, scope: Scope, most: int) -> Group:
    """Return the studies whose title, slug or description has every word."""
    named = _having(query, "title", "slug", "description")
    studies = Study.objects.visible_to(scope.user).filter(named)
    return _group("Studies", studies, ("title", "slug"), "pk", scope, most, _study)


def find_collections(query: Query, scope: Scope, most: int) -> Group:
    """Return the collections whose title, slug or description has every word."""
    named = _having(query, "title", "slug", "description")
    found = Collection.objects.visible_to(scope.user).filter(named)
    return _group("Collections", found, ("title", "slug"), None, scope, most, _collection)


def find_campaigns(query: Query, scope: Scope, most: int) -> Group:
    """Return the campaigns and sets of campaigns with every word in their names."""
    campaigns = _of_studies(Campaign, query, scope, "title", "slug")
    # The campaigns of an imported set have no page of the set.
    live = CampaignSet.objects.filter(campaigns__origin=Campaign.Origin.LIVE).values("pk")
    sets = _of_studies(CampaignSet, query, scope, "title", "slug").filter(pk__in=live)
    names = ("title", "slug")
    tasks = _group("Campaigns", campaigns, names, "study", scope, most, _campaign(scope))
    together = _group("", sets, names, "study", scope, most, _campaign_set)
    return _joined("Campaigns", together, tasks, most)


def find_systems(query: Query, scope: Scope, most: int) -> Group:
    """Return the systems with every word in their names."""
    systems = _of_studies(System, query, scope, "name").filter(kind=System.Kind.SYSTEM)
    return _group("Systems", systems, ("name",), "study", scope, most, _system)


def find_metrics(query: Query, scope: Scope, most: int) -> Group:
    """Return runs of metrics, and metrics without any, with every word in their names."""
    runs = _of_studies(MetricRun, query, scope, "name", "metric__name").select_related("metric")
    bare = _of_studies(Metric, query, scope, "name").filter(runs=None)
    scored = _group("Metrics", runs, ("name",), "study", scope, most, _run)
    declared = _group("", bare, ("name",), "study", scope, most, _metric)
    return _joined("Metrics", scored, declared, most)


def _having(query: Query, *fields: str) -> Q:
    """Return the condition that each word is in one of the fields."""
    every = Q()
    for word in query.words:
        every &= _in_any(word, fields)
    return every


def _of_studies(model: Any, query: Query, scope: Scope, *fields: str) -> QuerySet[Any]:
    """Return rows of studies with each word in a field or the study's name, one in a field."""
    some = Q()
    for word in query.words:
        some |= _in_any(word, fields)
    every = _having(query, *fields, "study__title", "study__slug")
    studies = Study.objects.visible_to(scope.user).values("pk")
    rows: QuerySet[Any] = model.objects.filter(some, every, study__in=studies)
    return rows.select_related("study")


def _in_any(word: str, fields: Sequence[str]) -> Q:
    found = Q()
    for field in fields:
        found |= Q(**{f"{field}__has": word})
    return found


def _group(
    title: str,
    rows: QuerySet[Any],
    names: Sequence[str],
    study: str | None,
    scope: Scope,
    most: int,
    hit: Callable[[Any], Hit],
) -> Group:
    """Return the first rows: of the current study, then those with the shortest names."""
    order: list[Any] = [each for name in names for each in (Length(name), F(name))]
    if study:
        order.insert(0, Case(When(**{study: scope.current_pk}, then=0), default=1))
    counted = rows.annotate(in_all=Window(Count("*"))).order_by(*order, "-pk")
    found = list(counted[:most])
    in_all = found[0].in_all if found else 0
    return Group(title, [hit(row) for row in found], in_all - len(found))


def _joined(title: str, first: Group, second: Group, most: int) -> Group:
    hits = [*first.hits, *second.hits]
    return Group(title, hits[:most], first.more + second.more + max(0, len(hits) - most))


def _study(study: Study) -> Hit:
    return Hit(str(study), reverse("study", args=[study.slug]), detail=study.description)


def _collection(collection: Collection) -> Hit:
    address = reverse("collection", args=[collection.slug])
    return Hit(str(collection), address, detail=collection.description)


def _campaign(scope: Scope) -> Callable[[Campaign], Hit]:
    def hit(campaign: Campaign) -> Hit:
        page = "campaign"
        if campaign.origin == Campaign.Origin.IMPORTED:
            page = "campaign-datasheet"
        elif campaign.state == Campaign.State.DRAFT:
            owned = campaign.study_id in scope.owned
            page = "campaign-edit" if owned else "campaign-preview"
        known = PROTOCOLS.get(campaign.protocol)
        detail = known.title if known else campaign.protocol
        address = reverse(page, args=[campaign.study.slug, campaign.slug])
        return Hit(str(campaign), address, str(campaign.study), detail)

    return hit


def _campaign_set(together: CampaignSet) -> Hit:
    address = reverse("campaign-set", args=[together.study.slug, together.slug])
    return Hit(str(together), address, str(together.study), "set of campaigns")


def _system(system: System) -> Hit:
    address = f"{reverse('study-systems', args=[system.study.slug])}#system-{system.pk}"
    return Hit(system.name, address, str(system.study))


def _run(run: MetricRun) -> Hit:
    facts = (run.metric.name if run.metric.name != run.name else "", run.text_setting)
    compared = f"compared with {run.compared_to}" if run.compared_to else ""
    detail = ", ".join(filter(None, (*facts, compared)))
    return Hit(
        run.name, reverse("study-run", args=[run.study.slug, run.pk]), str(run.study), detail
    )


def _metric(metric: Metric) -> Hit:
    address = f"{reverse('study-metrics', args=[metric.study.slug])}#better"
    return Hit(metric.name, address, str(metric.study), "no run")


def find_pages(query: Query, scope: Scope, most: int) -> Group:
    """Return pages whose title, question or statistics have every word, or their study's name."""
    studies = [scope.current] if scope.current else _likely_studies(query, scope)
    ranked = [
        (-rank, _place(page), study, page)
        for study in studies
        for page in _pages(owned=study.pk in scope.owned)
        if (rank := _rank(query, page, study))
    ]
    ranked.sort(key=lambda row: row[:2])
    hits = [
        Hit(page.title, reverse(page.name, args=[study.slug]), str(study), page.asks)
        for _, _, study, page in ranked
    ]
    return Group("Reports and pages", hits[:most], max(0, len(hits) - most))


def find_in_help(query: Query, most: int) -> Group:
    """Return parts of the help that have every word."""
    found = find_help(the_library().pages.values(), query.phrase, limit=most + 1)
    first = reverse("help")
    hits = [
        Hit(
            part.title,
            first + part.address,
            "" if part.page == part.title else part.page,
            part.excerpt,
        )
        for part in found[:most]
    ]
    everything = [("parts of the help", f"{reverse('help-search')}?{query.encoded}")]
    return Group("Help", hits, links=everything if len(found) > most else ())


def _likely_studies(query: Query, scope: Scope) -> list[Study]:
    """Return the studies that the query names, then the newest."""
    by_name = sorted(scope.studies, key=lambda study: -query.found_in(_name(study)))
    return by_name[:MOST_STUDIES]


def _pages(*, owned: bool) -> Iterator[Page]:
    for section in (*SECTIONS, SETTINGS):
        for page in section.pages:
            if owned or not page.for_owners:
                yield page


def _place(page: Page) -> int:
    """Return the place of a report among those that fit equally well, pages after all reports."""
    kind = page.name.removeprefix("study-")
    return [*NAMES].index(kind) if kind in NAMES else len(NAMES)


def _rank(query: Query, page: Page, study: Study) -> int:
    """Return how well a page fits, 0 if a word is missing or only the study has them."""
    statistics = NAMES.get(page.name.removeprefix("study-"), "")
    own = " ".join((page.title, page.asks, page.when, statistics))
    if not query.found_in(own) or query.missing_in(f"{own} {_name(study)}"):
        return 0
    return 4 * query.found_in(page.title) + 2 * query.found_in(statistics) + query.found_in(own)


def _name(study: Study) -> str:
    return f"{study.title} {study.slug}"
