"""Segments and outputs that a file of an upload names and nothing gives: said before the import."""

from collections.abc import Sequence

from corpus.imports.places import PSEUDO_SYSTEMS
from corpus.imports.trial import Trial
from corpus.models import Output, Study


def note_unknown(study: Study, trials: Sequence[Trial], *, is_all: bool) -> None:
    """Note in each trial the segments and outputs that neither study nor upload has.

    Parameters
    ----------
    study
        What it holds is known.
    trials
        Of the tables of one upload.
    is_all
        Whether no other table comes with them. If one does, or if one was not read whole, keys
        that nothing is seen to give are left to the import, and the trial says so.
    """
    of_segments = [trial for trial in trials if trial.spec.name == "segments"]
    of_outputs = [trial for trial in trials if trial.spec.name == "outputs"]
    segments = {key for trial in of_segments for key in trial.names.get("segment", ())}
    outputs = {pair for trial in of_outputs for pair in trial.pairs}
    for trial in trials:
        if trial.spec.name == "segments" or not trial.pairs:
            continue
        named = dict.fromkeys(key for key, _ in trial.pairs if key not in segments)
        if named:
            stored = study.segments.filter(key__in=list(named)).values_list("key", flat=True)
            for key in stored:
                del named[key]
        pairs: dict[tuple[str, str], None] = {}
        if trial.spec.name != "outputs":
            pairs = {
                pair: None
                for pair in trial.pairs
                if pair not in outputs and pair[0] not in named and pair[1] not in PSEUDO_SYSTEMS
            }
            for pair in _stored_outputs(study, pairs):
                pairs.pop(pair, None)
        givers = [*(of_segments if named else ()), *(of_outputs if pairs else ())]
        if is_all and all(each.is_whole and not each.refused for each in givers):
            trial.unknown_segments, trial.unknown_outputs = tuple(named), tuple(pairs)
        elif named or pairs:
            trial.is_left_to_import = True


def _stored_outputs(study: Study, pairs: dict[tuple[str, str], None]) -> set[tuple[str, str]]:
    """Return segment and system of each output that is stored, of those that are asked for."""
    systems = study.systems.filter(name__in={system for _, system in pairs})
    if not pairs or not systems.exists():
        return set()
    found = Output.objects.filter(
        study=study, system__in=systems, segment__key__in={key for key, _ in pairs}
    )
    return set(found.values_list("segment__key", "system__name"))
