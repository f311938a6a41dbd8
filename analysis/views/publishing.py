"""Publishing a study, its datasheet, and the public pages of what was published."""

from typing import TypeVar, cast

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.datasheets.datasheet import datasheet, ethics_sheet, methods
from analysis.models import Publication
from analysis.publishing.checks import BLOCKING, gravest_first, objections
from analysis.publishing.forms import AskingForm, DetailsForm, change_details
from analysis.publishing.options import PublishingError
from analysis.publishing.public_page import (
    DOWNLOADS,
    AddressForm,
    change_page,
    file_of,
    page_context,
    zip_path,
)
from analysis.publishing.service import ask_for_publication, check, delete_publication
from annotation.models import Campaign
from corpus.access.guard import study_view
from corpus.access.log import client_address
from corpus.access.rate_limits import in_words, take
from corpus.jobs.queue import JobActive
from corpus.models import Study
from corpus.pages.frame import actor, page_with_form, study_frame


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def publish_page(request: HttpRequest, study: Study) -> HttpResponse:
    """Show checks and what was published; by POST, check with other choices, or publish."""
    form = AskingForm(study, request.POST if request.method == "POST" else None)
    try:
        options = form.options()
        checks = check(study, options, quickly=True)
    except PublishingError as error:
        messages.error(request, str(error))
        return redirect("study-publish", study.slug)
    form.offer(checks)
    in_the_way = objections(checks, options.accept)
    if request.POST.get("publish") and not in_the_way:
        try:
            job = ask_for_publication(study, options, actor(request))
        except JobActive as active:
            messages.info(request, "This study is being published already; here it is.")
            job = active.job
        return redirect("job", job.pk)
    context = study_frame(study, "study-publish", "Publish") | {
        "details": DetailsForm.of(study),
        "checks": gravest_first(checks),
        "in_the_way": in_the_way,
        "must_correct": any(check.verdict == BLOCKING for check in in_the_way),
        "form": form,
        "publications": study.publications.select_related("created_by"),
    }
    refused = bool(request.POST.get("publish"))
    return render(request, "analysis/publish.html", context, status=400 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def details(request: HttpRequest, study: Study) -> HttpResponse:
    """Show licence, authors and the rest as a form; by POST, store them."""
    form = DetailsForm(request.POST) if request.method == "POST" else DetailsForm.of(study)
    if request.method == "POST" and form.is_valid():
        changed = change_details(study, form.stated, actor(request))
        messages.success(request, "Saved." if changed else "Nothing had changed.")
        return redirect("study-publish", study.slug)
    context = study_frame(study, "study-publish", "Details of the publication") | {"form": form}
    return page_with_form(request, "analysis/publication_details.html", context)


@require_safe
@study_view(owner=True)
def publication(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show what was published, and whether it has a page that anybody may open."""
    made = get_object_or_404(Publication, pk=pk, study=study)
    return _publication(request, study, made, AddressForm.of(made))


def _publication(
    request: HttpRequest, study: Study, made: Publication, form: AddressForm
) -> HttpResponse:
    address = reverse("published", args=[made.address]) if made.address else ""
    context = study_frame(study, "study-publish", f"Publication of {made.record['date']}") | {
        "made": made,
        "form": form,
        "public_url": request.build_absolute_uri(address) if address else "",
        "is_there": zip_path(made).is_file(),
    }
    return page_with_form(request, "analysis/publication.html", context)


@require_safe
@study_view(owner=True)
def publication_zip(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Send the zip of a publication."""
    made = get_object_or_404(Publication, pk=pk, study=study)
    try:
        file = zip_path(made).open("rb")
    except FileNotFoundError:
        messages.error(request, "This zip is not there; publish the study again.")
        return redirect("study-publish", study.slug)
    reply = FileResponse(file, as_attachment=True, filename=f"{study.slug}-publication.zip")
    return cast(HttpResponse, reply)


@require_POST
@study_view(owner=True)
def publication_page(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Give a publication a page that anybody may open, change it, or take it away."""
    made = get_object_or_404(Publication, pk=pk, study=study)
    user = actor(request)
    if request.POST.get("stop"):
        change_page(made, None, user)
        messages.success(request, "The page is gone. Copies that were downloaded stay.")
        return redirect("study-publication", study.slug, pk)
    form = AddressForm(request.POST, publication=made)
    if not form.is_valid():
        return _publication(request, study, made, form)
    change_page(made, form, user)
    messages.success(request, "Whoever has the address may open the page now.")
    return redirect("study-publication", study.slug, pk)


@require_POST
@study_view(owner=True)
def remove_publication(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Delete a publication with its zip and its page."""
    delete_publication(get_object_or_404(Publication, pk=pk, study=study), actor(request))
    messages.success(request, "The publication was deleted here. Copies of it stay elsewhere.")
    return redirect("study-publish", study.slug)


R = TypeVar("R", bound=HttpResponseBase)


@require_http_methods(["GET", "HEAD"])
@never_cache
def published(request: HttpRequest, address: str) -> HttpResponse:
    """Show a publication to whoever has its address."""
    made = _open(address)
    return _private(render(request, "analysis/published.html", page_context(made)), made)


@require_safe
def published_file(request: HttpRequest, address: str, file: str) -> HttpResponseBase:
    """Send one file of a publication."""
    made = _open(address)
    if (refused := _too_many(request)) is not None:
        return refused
    content = file_of(made, file)
    if content is None:
        raise Http404(f"no file {file!r} in this publication")
    name = file.rpartition("/")[2]
    return _private(FileResponse(content, as_attachment=True, filename=name), made)


@require_safe
def published_zip(request: HttpRequest, address: str) -> HttpResponseBase:
    """Send the zip of a publication, unless its page leaves texts out."""
    made = _open(address)
    if not made.with_texts:
        raise Http404("this publication has no zip")
    if (refused := _too_many(request)) is not None:
        return refused
    try:
        file = zip_path(made).open("rb")
    except FileNotFoundError:
        raise Http404("this publication has no zip") from None
    slug = made.record["content"]["slug"]
    return _private(FileResponse(file, as_attachment=True, filename=f"{slug}.zip"), made)


def _open(address: str) -> Publication:
    """Return the publication with a page at an address, unless its study is to be deleted."""
    return get_object_or_404(Publication, address=address, study__deletion_asked_at=None)


def _too_many(request: HttpRequest) -> HttpResponse | None:
    wait = take((DOWNLOADS, f"publications for {client_address(request)}"))
    if not wait:
        return None
    words = f"Too many downloads. Please try again in {in_words(wait)}.\n"
    reply = HttpResponse(words, status=429, content_type="text/plain; charset=utf-8")
    reply["Retry-After"] = str(int(wait) + 1)
    return reply


def _private(reply: R, made: Publication) -> R:
    """Keep an address from being passed on, and from search engines unless they are welcome."""
    reply["Referrer-Policy"] = "no-referrer"
    if not made.may_be_indexed:
        reply["X-Robots-Tag"] = "noindex"
    return reply


@require_safe
@study_view
def campaign_datasheet(request: HttpRequest, study: Study, campaign: str) -> HttpResponse:
    """Show all texts, to be copied."""
    found = get_object_or_404(Campaign, study=study, slug=campaign)
    context = study_frame(study, "study-campaigns", f"{found}: for the paper") | {
        "campaign": found,
        "methods": methods(found),
        "datasheet": datasheet(found),
        "ethics": ethics_sheet(found),
    }
    return render(request, "analysis/datasheet.html", context)


SHEETS = {"datasheet": datasheet, "ethics": ethics_sheet}


@require_safe
@study_view
def sheet_file(request: HttpRequest, study: Study, campaign: str, sheet: str) -> HttpResponse:
    """Send the datasheet or the ethics sheet as Markdown."""
    found = get_object_or_404(Campaign, study=study, slug=campaign)
    reply = HttpResponse(SHEETS[sheet](found), content_type="text/markdown; charset=utf-8")
    name = f"{study.slug}-{found.slug}-{sheet}.md"
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
