"""Choices of the mapping page, kept for each person until the files are imported."""

from django.contrib.auth.models import User

from corpus.imports.choices import Choices
from corpus.imports.options import ImportOptions
from corpus.imports.uploads import upload_path
from corpus.models import ImportDraft, Study
from corpus.write_turn import in_write_turn


@in_write_turn
def keep_choices(study: Study, upload: str, user: User, choices: Choices) -> None:
    """Keep what a person chose, in the place of what they chose before."""
    ImportDraft.objects.update_or_create(
        study=study, upload=upload, user=user, defaults={"choices": choices.to_dict()}
    )


def begun(study: Study, upload: str, user: User) -> Choices:
    """Return a person's choices, else the latest of somebody else, else of the latest attempt."""
    drafts = list(study.import_drafts.filter(upload=upload))
    for draft in sorted(drafts, key=lambda draft: draft.user_id != user.pk):
        return Choices.from_dict(draft.choices)
    path = str(upload_path(upload).resolve())
    job = study.jobs.filter(kind="import", parameters__path=path).first()
    if job is None:
        return Choices()
    return Choices.of_options(ImportOptions.from_dict(job.parameters.get("options", {})))
