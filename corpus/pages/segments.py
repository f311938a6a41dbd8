"""The browser of segments with all their texts."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpus.access.guard import study_view
from corpus.models import Study
from corpus.pages.choices import offer
from corpus.pages.frame import study_frame
from corpus.studies.overview import ARROW, directions
from corpus.texts.segments import (
    Attribute,
    SegmentFilter,
    filtered_segments,
    segment_attributes,
    segment_texts,
)


class SegmentFilterForm(forms.Form):
    """Which segments to show: direction, text, and each attribute of the study."""

    q = forms.CharField(
        label="Text or key",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    direction = forms.ChoiceField(required=False)

    def __init__(
        self,
        data: Mapping[str, Any],
        directions: Sequence[Mapping[str, Any]],
        attributes: Sequence[Attribute],
    ) -> None:
        super().__init__(data, auto_id="filter_%s")
        self._directions = {
            f"{row['source_style']}{ARROW}{row['target_style']}": row for row in directions
        }
        found = [
            (key, f"{row['name']} ({row['segments']})") for key, row in self._directions.items()
        ]
        offer(self, "direction", [("", "all"), *found])
        self._attributes = {f"attribute-{each.name}": each.name for each in attributes}
        for each in attributes:
            self.fields[f"attribute-{each.name}"] = _attribute_field(each)

    @property
    def wanted(self) -> SegmentFilter:
        """The filter; a field with an error filters nothing."""
        self.is_valid()
        values = self.cleaned_data
        row = self._directions.get(values.get("direction", ""))
        return SegmentFilter(
            direction=(row["source_style"], row["target_style"]) if row else None,
            attributes={
                name: values[key] for key, name in self._attributes.items() if values.get(key)
            },
            text=values.get("q", ""),
        )

    @property
    def is_filtering(self) -> bool:
        """Whether anything is asked for."""
        return self.wanted != SegmentFilter()


def _attribute_field(attribute: Attribute) -> forms.Field:
    if not attribute.values:
        return forms.CharField(label=attribute.name, required=False, max_length=200)
    choices = [("", "all"), *((value, value) for value in attribute.values)]
    return forms.ChoiceField(label=attribute.name, required=False, choices=choices)


SEGMENTS_PER_PAGE = 20


@require_safe
@study_view
def segments(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the segments that a filter leaves, page by page."""
    form = SegmentFilterForm(request.GET, directions(study), segment_attributes(study))
    found = filtered_segments(study, form.wanted)
    page = Paginator(found, SEGMENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = study_frame(study, "study-segments", "Segments") | {
        "form": form,
        "page_obj": page,
        "segments": segment_texts(list(page.object_list)),
        "filtered": form.is_filtering,
    }
    return render(request, "corpus/segments.html", context)
