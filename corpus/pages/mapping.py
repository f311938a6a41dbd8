"""The mapping page: how each uploaded file is read, corrected before anything is imported."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from corpus.access.guard import study_view
from corpus.imports.drafts import begun, keep_choices
from corpus.imports.service import ask_for_import
from corpus.imports.uploads import NotAnUpload, upload_path
from corpus.jobs.queue import JobActive
from corpus.mapping.page import MappingPage, mapping_page
from corpus.mapping.upload_forms import MappingFileForm
from corpus.models import Job, Study
from corpus.pages.frame import actor, study_frame
from corpus.pages.imports import mapping_address
from corpus.pages.jobs import THEN_FINDINGS
from corpus.studies.overview import running_import

FILES_WITH_FORMS = 150
"""Further files are read as guessed: a form takes only so many fields."""
FILES_WITH_RECORDS = 10
"""Of more files the first records are folded away, and forms are shown where they are needed."""


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def mapping(request: HttpRequest, study: Study, upload: str) -> HttpResponse:
    """Show how files are read; by POST, correct it, or start the import."""
    try:
        path = upload_path(upload)
    except NotAnUpload as error:
        messages.error(request, f"{str(error).capitalize()}.")
        return redirect("study-import", study.slug)
    earlier = begun(study, upload, actor(request))
    if request.method != "POST":
        return _show(request, study, mapping_page(study, path, earlier))
    if "use" in request.POST:
        return _use_file(request, study, upload, mapping_page(study, path, earlier))
    is_started = "start" in request.POST
    is_read = is_started or "download" in request.POST
    page = mapping_page(study, path, earlier, request.POST, only_choices=not is_read)
    keep_choices(study, upload, actor(request), page.choices())
    return (_start if is_started else _corrected)(request, study, upload, page)


def _start(request: HttpRequest, study: Study, upload: str, page: MappingPage) -> HttpResponse:
    """Ask for the import, if nothing is in its way."""
    if page.problems or page.obstacles:
        return _show(request, study, page, obstacles=page.obstacles, status=400)
    if any(file.read_again for file in page.files):
        messages.info(request, "A file is now read differently. Check its records, then import.")
        return _show(request, study, page)
    if page.questions.is_new:
        messages.info(request, "There are new questions. Check the chosen answers, then import.")
        return _show(request, study, page)
    is_first = not study.outputs.exists()
    try:
        job = ask_for_import(study, upload_path(upload), page.import_options(), actor(request))
    except JobActive as active:
        return _show(request, study, page, running=active.job, status=409)
    shown = reverse("job", args=[job.pk])
    return redirect(f"{shown}?{THEN_FINDINGS}" if is_first else shown)


def _corrected(request: HttpRequest, study: Study, upload: str, page: MappingPage) -> HttpResponse:
    """Show the page again as it was corrected; or give the mapping."""
    data = request.POST
    if page.has_errors:
        return _show(request, study, page, status=400)
    if "download" in data:
        answer = HttpResponse(page.queries, content_type="application/sql")
        answer["Content-Disposition"] = f'attachment; filename="mapping-{study.slug}.sql"'
        return answer
    return redirect(_looked_at(study, upload, data.get("look", "")))


def _use_file(request: HttpRequest, study: Study, upload: str, page: MappingPage) -> HttpResponse:
    """Read the files as a mapping says that was saved before."""
    names = [file.name for file in page.files]
    form = MappingFileForm(names, request.POST, request.FILES)
    if not form.is_valid():
        return _show(request, study, page, mapping_file=form, status=400)
    chosen = page.with_files(form.cleaned_data["mapping"])
    keep_choices(study, upload, actor(request), chosen)
    return redirect(mapping_address(study, upload))


def _looked_at(study: Study, upload: str, place: str) -> str:
    """Return the address of the page at the file beside whose fields the button was."""
    address = mapping_address(study, upload)
    number = place.removeprefix("file-")
    if number == place or not number.isdecimal():
        return address
    return f"{address}?{urlencode({'look': number})}#{place}"


def _show(
    request: HttpRequest,
    study: Study,
    page: MappingPage,
    *,
    obstacles: list[str] | None = None,
    running: Job | None = None,
    mapping_file: MappingFileForm | None = None,
    status: int = 200,
) -> HttpResponse:
    for file in page.files:
        if file.prefix == f"file-{request.GET.get('look')}":
            file.is_opened = True
        elif file.is_named(request.GET.get("file", "")):
            file.point_at(request.GET.get("column", ""))
        file.has_forms = len(page.files) <= FILES_WITH_RECORDS or file.is_to_be_looked_at
    context = study_frame(study, "study-import", "Preview of the import") | {
        "page": page,
        "mapping_file": mapping_file or MappingFileForm(),
        "obstacles": obstacles,
        "running": running or running_import(study),
        "refused": running is not None,
        "most": FILES_WITH_FORMS,
        "is_long": len(page.files) > FILES_WITH_RECORDS,
        "are_all_optional": True,
    }
    return render(request, "corpus/mapping.html", context, status=status)
