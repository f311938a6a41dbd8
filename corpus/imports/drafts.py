"""Choices of the mapping page, kept for each person until the files are imported."""

from dataclasses import dataclass

from django.contrib.auth.models import User

from corpus.imports.choices import Choices
from corpus.imports.options import ImportOptions
from corpus.imports.uploads import upload_path
from corpus.models import ImportDraft, Study
from corpus.write_turn import in_write_turn


@dataclass(frozen=True)
class Begun:
    """What was chosen so far for an upload.

    Attributes
    ----------
    choices
        From which the page goes on; None if nobody chose anything.
    is_own
        Whether they are this person's.
    other
        The latest choices of somebody else, if they are later than this person's or the ones
        from which the page goes on.
    """

    choices: Choices | None
    is_own: bool = False
    other: ImportDraft | None = None


@in_write_turn
def keep_choices(study: Study, upload: str, user: User, choices: Choices) -> None:
    """Keep what a person chose, in the place of what they chose before."""
    ImportDraft.objects.update_or_create(
        study=study, upload=upload, user=user, defaults={"choices": choices.to_dict()}
    )


def begun(study: Study, upload: str, user: User) -> Begun:
    """Return a person's choices, else the latest of somebody else, else of the latest attempt."""
    drafts = list(study.import_drafts.filter(upload=upload).select_related("user"))
    own = next((draft for draft in drafts if draft.user_id == user.pk), None)
    latest = drafts[0] if drafts and drafts[0] is not own else None
    if own is not None:
        return Begun(Choices.from_dict(own.choices), True, latest)
    if latest is not None:
        return Begun(Choices.from_dict(latest.choices), False, latest)
    path = str(upload_path(upload).resolve())
    job = study.jobs.filter(kind="import", parameters__path=path).first()
    if job is None:
        return Begun(None)
    return Begun(Choices.of_options(ImportOptions.from_dict(job.parameters.get("options", {}))))


def take_over(study: Study, upload: str, user: User, other: str) -> bool:
    """Go on with the choices of somebody else; return whether there are any."""
    found = study.import_drafts.filter(upload=upload, user__username=other).first()
    if found is not None:
        keep_choices(study, upload, user, Choices.from_dict(found.choices))
    return found is not None
