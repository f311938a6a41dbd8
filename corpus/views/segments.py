"""The browser of segments with all their texts."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpus.access import study_view
from corpus.models import Study
from corpus.segment_filter import SegmentFilterForm
from corpus.segments import filtered_segments, segment_attributes, texts_of
from corpus.studies import directions

SEGMENTS_PER_PAGE = 20


@require_safe
@study_view
def segments(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the segments that a filter leaves, page by page."""
    form = SegmentFilterForm(request.GET, directions(study), segment_attributes(study))
    found = filtered_segments(study, form.wanted)
    page = Paginator(found, SEGMENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "form": form,
        "page_obj": page,
        "segments": texts_of(list(page.object_list)),
        "heading": "Segments",
        "tab": "study-segments",
        "filtered": form.is_filtering,
    }
    return render(request, "corpus/segments.html", context)
