"""The reference that metrics of a task were given, under all names that a study has for it."""

from corpus.models import Output, Study, System

COMPARED = 50
"""Segments whose texts say which numbered reference a named one is."""


def reference_number(study: Study, name: str) -> int:
    """Return the number of a reference: said by its name, or by equal texts; 0 if unknown.

    A reference that was released as a system too has the name of that system.
    """
    stem, _, number = name.rpartition(".")
    if stem == "reference" and number.isdecimal():
        return int(number)
    outputs = Output.objects.filter(study=study)
    named = dict(
        outputs.filter(system__name=name, system__kind=System.Kind.SYSTEM, variant=1)
        .order_by("ordinal")
        .values_list("segment_id", "text")[:COMPARED]
    )
    if not named:
        return 0
    differs: dict[int, bool] = {}
    references = outputs.filter(system__kind=System.Kind.REFERENCE, segment__in=list(named))
    for segment, variant, text in references.values_list("segment_id", "variant", "text"):
        differs[variant] = differs.get(variant, False) or text != named[segment]
    return min((variant for variant, is_other in differs.items() if not is_other), default=0)


def names_of_reference(study: Study, name: str) -> tuple[str, ...]:
    """Return what metrics may say that they were compared with, if it was this reference."""
    if not name:
        return ()
    number = reference_number(study, name)
    return (name, f"reference.{number}") if number else (name,)
