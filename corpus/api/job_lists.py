"""Lists of a study's jobs of one kind, latest first."""

from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.jobs import JobSerializer
from corpus.api.paging import Page, page_response, read_after, read_limit
from corpus.models import Job, Study


def latest_jobs(request: Request, study: Study, kind: str) -> Response:
    """Answer with a page of a study's jobs; pages go on to earlier ones."""
    limit, after = read_limit(request), read_after(request)
    jobs = Job.objects.filter(study=study, kind=kind).select_related("study").order_by("-pk")
    if after is not None:
        jobs = jobs.filter(pk__lt=after)
    found = list(jobs[: limit + 1])
    more = found[limit - 1].pk if len(found) > limit else None
    page = Page(found[:limit], more)
    rows = JobSerializer(page.rows, many=True, context={"request": request}).data
    return page_response(request, page, list(rows))
