"""The page that ranks systems by human scores."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from analysis.forms import OF_RATINGS
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.views.pages import Report, ReportPage, report_page
from analysis.wording import aspect_heading, selection_words
from corpus.access import study_view
from corpus.models import Study


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return one table per aspect."""
    content = report["content"]
    return {
        "selection": selection_words(address.question.but(humans="out")),
        "rankings": [
            {
                "aspect": table["aspect"],
                "heading": aspect_heading(table["aspect"]),
                "note": table["note"],
                "grouped": any(system["group"] for system in table["systems"]),
                "systems": [_system(system) for system in table["systems"]],
            }
            for table in content["tables"]
        ],
        "rated": any(
            system["raw"]["rank"] for table in content["tables"] for system in table["systems"]
        ),
    }


def _system(system: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": system["system"],
        "human": system["human"],
        "group": system["group"],
        "raw_rank": system["raw"]["rank"],
        "raw": number(system["raw"]["result"]),
        "z_rank": system["z"]["rank"],
        "z": number(system["z"]["result"]),
        "n": system["raw"]["result"]["n"],
    }


PAGE = ReportPage(
    kind="ranking",
    title="Ranking",
    fields=(
        "aspect",
        "direction",
        "withdrawn",
        *OF_RATINGS,
        "systems",
        "leave_out",
        "where",
        "ddof",
    ),
    present=present,
)


@require_safe
@study_view
def ranking(request: HttpRequest, study: Study) -> HttpResponse:
    """Show which systems people rate best."""
    return report_page(request, study, PAGE)
