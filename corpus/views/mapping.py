"""The mapping page: how each uploaded file is read, corrected before anything is imported."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.access import study_view
from corpus.aspect_form import AspectsForm
from corpus.declaration_form import DeclarationForm, declare
from corpus.forms import OptionsForm
from corpus.imports.limits import page_limits
from corpus.imports.options import ImportOptions
from corpus.imports.service import ask_for_import
from corpus.imports.uploads import NotAnUpload, upload_path
from corpus.jobs.queue import JobActive
from corpus.mapping_files import MappedFile
from corpus.models import Job, Study
from corpus.names_in_files import aspects_to_show, systems_to_ask
from corpus.role_form import RolesForm
from corpus.studies import running_import
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError
from corpus.upload_contents import contents

FILES_WITH_FORMS = 150
"""Further files are read as guessed: a form takes only so many fields."""


@dataclass
class _Page:
    options: OptionsForm
    declarations: DeclarationForm
    roles: RolesForm
    aspects: AspectsForm = field(default_factory=lambda: AspectsForm(()))
    files: list[MappedFile] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    problems: tuple[Problem, ...] = ()

    @property
    def has_errors(self) -> bool:
        forms = (self.options, self.declarations)
        return any(form.errors for form in forms) or any(file.has_errors for file in self.files)

    @property
    def obstacles(self) -> list[str]:
        """Why nothing can be imported like this."""
        found = []
        if self.has_errors:
            found.append("Something below makes no sense; it is marked.")
        found += [
            f"{file.name} cannot be read; leave it out, or mend it and upload it again."
            for file in self.files
            if file.is_unreadable
        ]
        found += [
            f"{file.name}: {table.spec.name} lacks {', '.join(table.lacking)}. Choose a column, "
            "give a constant, or tick “Do not read this table”."
            for file in self.files
            if not file.leave_out
            for table in file.tables
            if table.lacking
        ]
        if not (self.lines or any(file.mappings for file in self.files) or found):
            found.append("No file is read as a table. Say below what one of them holds.")
        return found

    def import_options(self) -> ImportOptions:
        """Return the options with the mappings of all files."""
        mappings = {
            file.name: file.mappings for file in self.files if file.mappings or file.leave_out
        }
        chosen = {"mappings": mappings, "system_roles": self.roles.roles}
        return ImportOptions(**{**_plain(self.options.options), **chosen})


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def mapping(request: HttpRequest, study: Study, upload: str) -> HttpResponse:
    """Show how files are read; by POST, correct it, or start the import."""
    try:
        path = upload_path(upload)
    except NotAnUpload as error:
        messages.error(request, f"{str(error).capitalize()}.")
        return redirect("study-import", study.slug)
    data = request.POST if request.method == "POST" else None
    page = _read(study, path, request.GET, data)
    if data is None:
        return _show(request, study, page)
    if "start" not in data:
        return _show(request, study, page, status=400 if page.has_errors else 200)
    if page.problems or page.obstacles:
        return _show(request, study, page, obstacles=page.obstacles, status=400)
    if any(file.read_again for file in page.files):
        messages.info(request, "A file is read in another way now; look at it, then import.")
        return _show(request, study, page)
    actor = cast(User, request.user)
    try:
        declare(study, page.declarations.declared | page.aspects.declared, actor)
        job = ask_for_import(study, path, page.import_options(), actor)
    except JobActive as active:
        return _show(request, study, page, running=active.job, status=409)
    return redirect("job", job.pk)


def _read(study: Study, path: Path, query: QueryDict, data: QueryDict | None) -> _Page:
    """Look at the files, as somebody wants them read by now."""
    earlier = _earlier(study, path)
    if data is not None:
        page = _Page(OptionsForm(data), DeclarationForm(data), RolesForm((), {}, data))
        page.declarations.is_valid()
    else:
        form = OptionsForm(query or _plain(earlier))
        page = _Page(form, DeclarationForm(), RolesForm((), earlier.system_roles, None))
    if not page.options.is_valid():
        return page
    parent = Path(settings.MEDIA_ROOT) / "work"
    parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="mapping-", dir=parent) as workdir,
        ConfinedReading(page_limits()) as reading,
    ):
        options = page.options.options
        chosen = ImportOptions(**{**_plain(options), "mappings": earlier.mappings})
        try:
            found = contents(reading, path, Path(workdir), chosen)
        except TableError as error:
            page.problems = error.problems
            return page
        page.others = found.others
        page.lines = [_line_words(source.name, each) for source, each in found.lines]
        page.files = [
            MappedFile(
                reading, source, number, found.mappings.get(source.name), options.encoding, data
            )
            for number, source in enumerate(found.tables)
        ]
        read = [(file.source, each) for file in page.files for each in file.readable()]
        systems = systems_to_ask(reading, study, [*read, *found.lines], found.declared)
        page.roles = RolesForm(systems, earlier.system_roles, data)
        page.aspects = AspectsForm(aspects_to_show(reading, study, read, found.declared), data)
    return page


def _earlier(study: Study, path: Path) -> ImportOptions:
    """Return the options of the latest attempt to import these files."""
    job = study.jobs.filter(kind="import", parameters__path=str(path.resolve())).first()
    return ImportOptions.from_dict(job.parameters.get("options", {})) if job else ImportOptions()


def _plain(options: ImportOptions) -> dict[str, Any]:
    """Return options but for the mappings, as a form takes them."""
    return {name: value for name, value in options.to_dict().items() if name != "mappings"}


def _line_words(name: str, each: Mapping) -> dict[str, Any]:
    system = each.constants.get("system", "")
    references = each.columns.get("reference", ())
    words = f"outputs of {system}" if system else "sources"
    return {"name": name, "words": words, "references": len(references)}


def _show(
    request: HttpRequest,
    study: Study,
    page: _Page,
    *,
    obstacles: list[str] | None = None,
    running: Job | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "study": study,
        "heading": "Columns",
        "tab": "study-import",
        "page": page,
        "obstacles": obstacles,
        "running": running or running_import(study),
        "refused": running is not None,
        "most": FILES_WITH_FORMS,
    }
    return render(request, "corpus/mapping.html", context, status=status)
