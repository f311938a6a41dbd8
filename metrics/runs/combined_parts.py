"""The scores that a combined metric takes: found by their names, and combined block by block."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from corpus.models import Study
from metrics.models import BLOCK_SIZE, Metric, MetricRun, ScoreBlock, Undefined
from metrics.runs.names import SUFFIX, column_name, number_name, short_hash
from metrics.runs.packed_scores import unpack
from metrics.scorers.combination import Combination, NothingNamed, PartFacts, PartScores
from metrics.scorers.registry import scorers
from metrics.scorers.scorer import Floats, Scores, Texts, Unavailable

MOST_NAMED = 12
COMPARED = ("against:", "compared-to:")
"""What computed and imported signatures put before that which outputs are compared with."""
PLAIN = "plain"
"""What names texts as they are, where other runs have a text setting."""


class PartError(ValueError):
    """A part that is not there, that is ambiguous, or that does not fit; the message says which."""


@dataclass(frozen=True)
class PartColumn:
    """One number of a run."""

    run: MetricRun
    column: int

    @property
    def field(self) -> str:
        """Name of the number within its run."""
        return str(self.run.fields[self.column])

    @property
    def key(self) -> str:
        """Its name in requests and signatures, the same wherever the study is."""
        return part_key(self.run.signature, self.field, self.run.fields)

    @property
    def name(self) -> str:
        """Its name on pages, in commands and in the API; no other number of the study has it."""
        return number_name(self.run.name, self.field, self.run.fields)

    @property
    def shorter_names(self) -> set[str]:
        """Names that may mean other numbers too: metric, comparison and text setting alone."""
        metric = self.run.metric.name
        named = {
            column_name(each, self.field, self.run.fields)
            for each in (metric, metric.removesuffix(SUFFIX))
        }
        for setting in (self.run.compared_to, self.run.text_setting or PLAIN):
            named |= {f"{name}/{setting}" for name in named if setting}
        return named

    @property
    def facts(self) -> PartFacts:
        """What a combination must know to take it or not."""
        metric = self.run.metric
        key = str(self.run.request.get("metric", metric.name))
        statistics = tuple(self.run.statistics)
        return PartFacts(self.name, key, metric.orientation, statistics)

    @property
    def sha256(self) -> str:
        """Hash of all that decides what it gives to a combination."""
        metric = self.run.metric
        turned = (metric.orientation, metric.speaks_of, metric.midpoint)
        text = "|".join([self.run.signature, self.field, *map(str, turned)])
        return sha256(text.encode()).hexdigest()


def part_key(signature: str, field: str, fields: Sequence[str]) -> str:
    """Name one number of a run by its metric, its setting and the hash of its signature.

    Examples
    --------
    >>> part_key("bertscore|against:source", "f", ["p", "r", "f"])
    'bertscore-f/source#51d01f4d4a8e'
    """
    metric, *said = signature.split("|")
    name = column_name(metric.replace(",", " "), field, fields)
    settings = [part.partition(":")[2] for part in said if part.startswith(COMPARED)]
    texts = [part.removeprefix("text:") for part in said if part.startswith("text:")]
    settings += [text.partition("(")[0] for text in texts if text != PLAIN]
    readable = "/".join([name, *(each.replace(",", " ") for each in settings)])
    return f"{readable}#{short_hash(signature)}"


def part_columns(study: Study) -> list[PartColumn]:
    """Return every number of the study's runs, finished or not; distributions are none."""
    runs = study.runs.filter(is_distribution=False).select_related("metric").order_by("pk")
    return [PartColumn(run, place) for run in runs for place in range(len(run.fields))]


def found_parts(study: Study, combination: Combination) -> dict[str, PartColumn]:
    """Return the parts that a combination names, by what each is for.

    Raises
    ------
    PartError
        If one is not there, is ambiguous, or does not fit.
    ParameterError
        If the parameters name none.
    """
    columns = part_columns(study)
    try:
        wanted = combination.parts()
    except NothingNamed as error:
        raise PartError(f"{error}; {_has(columns)}") from None
    parts = {role: _found(study, columns, combination, role, name) for role, name in wanted.items()}
    for role, part in parts.items():
        if why := combination.objection(role, part.facts):
            raise PartError(f"{role}: {part.facts.label} cannot be taken: {why}")
    return parts


def _found(
    study: Study, columns: Sequence[PartColumn], combination: Combination, role: str, name: str
) -> PartColumn:
    """Return the one of a name; where there are several, the one that can be this part."""
    exact = [each for each in columns if name in (each.key, each.name)]
    fits = [each for each in columns if each in exact or name in each.shorter_names]
    able = [each for each in fits if not combination.objection(role, each.facts)]
    for found in ([each for each in exact if each in able], able, [] if able else exact or fits):
        if len(found) == 1:
            return found[0]
    if fits:
        choices = _listed([each.name for each in able or fits])
        raise PartError(f"{role}: {name} is ambiguous, say which: {choices}")
    raise PartError(f"{role}: there are no scores {name!r}; {_help(study, columns, name)}")


def _help(study: Study, columns: Sequence[PartColumn], name: str) -> str:
    """Say how to get a part that is not there."""
    metric, _, against = name.partition("/")
    if metric in scorers():
        option = f" --against {against}" if against else ""
        return (
            f"score it first, on the score page or by manage.py score {study.slug} {metric}{option}"
        )
    return _has(columns)


def _has(columns: Sequence[PartColumn]) -> str:
    names = _listed([each.name for each in columns])
    return f"this study has {names or 'none: score or import some first'}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown} and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else shown


def part_facts(parts: Mapping[str, PartColumn]) -> dict[str, str]:
    """Return what goes into the signature of a combination: each part to its hash."""
    return {role.replace(" ", "-"): part.sha256 for role, part in parts.items()}


def lower_is_better(part: PartColumn) -> bool:
    """Whether a part's lower scores are better."""
    return bool(part.run.metric.orientation == Metric.Orientation.LOWER)


NOT_IMPORTED = "no score was imported for this text"


def combined_scores(
    combination: Combination,
    parts: Mapping[str, PartColumn],
    texts: Texts,
    block: int,
    ordinals: Sequence[int],
) -> Scores:
    """Combine the stored scores of texts, given by their ordinals in a block.

    Raises
    ------
    Unavailable
        If a part that is computed here has no scores of these texts yet.
    """
    found = [_scores_of(part, texts, block, ordinals) for part in parts.values()]
    return combination.combine(texts, found)


def _scores_of(part: PartColumn, texts: Texts, block: int, ordinals: Sequence[int]) -> PartScores:
    label, rows = part.facts.label, [each - block * BLOCK_SIZE for each in ordinals]
    stored = ScoreBlock.objects.filter(run=part.run, number=block).first()
    scores = np.full((max(rows, default=-1) + 1, len(part.run.fields)), np.nan)
    known = np.empty((0, len(part.run.fields)))
    if stored is not None:
        known = unpack(stored.values, len(part.run.fields))[: len(scores)]
    is_imported = part.run.origin == MetricRun.Origin.IMPORTED
    if len(known) < len(scores) and not is_imported:
        raise Unavailable(f"{label} has no scores of these texts yet: score it first")
    scores[: len(known)] = known
    values = scores[rows, part.column]
    undefined = _reasons(part, ordinals)
    if is_imported:
        missing = np.flatnonzero(np.isnan(values)).tolist()
        undefined = dict.fromkeys(missing, NOT_IMPORTED) | undefined
    if part.run.metric.speaks_of:
        values, unrelated = _toward_target(part, values, texts)
        undefined = unrelated | undefined
    return PartScores(label, values, lower_is_better(part), undefined)


def _reasons(part: PartColumn, ordinals: Sequence[int]) -> dict[int, str]:
    """Return why texts have no score of a part, by their place among the rows."""
    if not ordinals:
        return {}
    places = {ordinal: place for place, ordinal in enumerate(ordinals)}
    found = Undefined.objects.filter(
        run=part.run,
        field=part.field,
        output__ordinal__gte=min(ordinals),
        output__ordinal__lte=max(ordinals),
    ).values_list("output__ordinal", "reason")
    return {places[ordinal]: reason for ordinal, reason in found if ordinal in places}


def _toward_target(part: PartColumn, values: Floats, texts: Texts) -> tuple[Floats, dict[int, str]]:
    """Mirror the score of one style where another is wanted, as reports do."""
    style, midpoint = part.run.metric.speaks_of, part.run.metric.midpoint or 0.0
    keep = np.array([target == style for target in texts.target_styles], dtype=bool)
    turn = np.array([source == style for source in texts.source_styles], dtype=bool) & ~keep
    turned = np.where(keep, values, np.where(turn, 2 * midpoint - values, np.nan))
    words = f"it refers to the style {style!r}, which is neither this text's source nor its target"
    return turned, dict.fromkeys(np.flatnonzero(~keep & ~turn).tolist(), words)
