"""Masked texts of a campaign: made from a lexicon or imported, corrected by the owner, then fixed.

What a campaign is to do stands in its `selection` until it starts:

``mask``
    The only lexicon of the study where it is absent.
    ``{"lexicon": name or id, "threshold": 0, "placeholder": "[STYLE]"}``, or
    ``{"recipe": name}`` for masked texts that were imported.
``corrections``
    Texts that the owner wrote instead, by the primary key of the output.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import connection
from django.db.models import F

from annotation.models import Campaign
from annotation.protocols.layouts.texts import Text
from corpus.models import MaskedText, Output, Study, StyleLexicon, System
from corpus.texts.lexicons import lexicon_weights
from corpus.texts.masking import PLACEHOLDER, Masked, Masker, PlaceholderError, masker

PKS_AT_ONCE = 500
_SHOWN = """
INSERT INTO corpus_maskedtext (output_id, recipe, text)
SELECT s.output, %s, MIN(s.text) FROM (
    SELECT i.first_id AS output, i.shown ->> 'first' AS text
    FROM annotation_item i
    WHERE i.campaign_id = %s AND i.kind IN ('plain', 'reference', 'practice')
    AND i.first_id IS NOT NULL
    UNION ALL
    SELECT o.id, i.shown ->> 'source'
    FROM annotation_item i
    JOIN corpus_output f ON f.id = i.first_id
    JOIN corpus_output o ON o.segment_id = f.segment_id AND o.variant = 1
    JOIN corpus_system y ON y.id = o.system_id AND y.kind = 'source'
    WHERE i.campaign_id = %s AND i.lead AND i.shown ->> 'source' IS NOT NULL
) s GROUP BY s.output
"""


class MaskError(ValueError):
    """Masked texts that cannot be made; the message says what to do."""


@dataclass(frozen=True)
class MaskedOutput:
    """A text of the study beside what annotators see of it.

    `automatic` is None where no masked text of it was imported; `correction` where the owner
    wrote none.
    """

    original: str
    automatic: str | None
    correction: str | None
    is_emptied: bool = False

    @property
    def shown(self) -> str | None:
        """What annotators see."""
        return self.automatic if self.correction is None else self.correction


@dataclass(frozen=True)
class CampaignMasks:
    """What a masked campaign shows of its outputs, and of the source of each of their segments."""

    texts: Mapping[int, str]
    sources: Mapping[int, int]

    def shown(self, output: Text) -> dict[str, str]:
        """Return the texts that an item shows in place of the stored ones."""
        shown = {"first": self.texts[output.pk]}
        if output.segment in self.sources:
            shown["source"] = self.texts[self.sources[output.segment]]
        return shown


def is_masked(campaign: Campaign) -> bool:
    """Whether a campaign shows masked texts."""
    return bool(campaign.rules.setting(campaign.config, "masked", False))


def masks_for(campaign: Campaign, outputs: Iterable[Text]) -> CampaignMasks | None:
    """Mask everything that a campaign shows; None if it shows plain texts.

    Raises
    ------
    MaskError
        If no mask is chosen, it cannot be made, or a masked text is lacking.
    """
    if not is_masked(campaign):
        return None
    judged = list(outputs)
    sources = sources_of(campaign, {text.segment for text in judged})
    found = masked_outputs(campaign, {*(text.pk for text in judged), *sources.values()})
    lacking = [pk for pk, text in found.items() if text.shown is None]
    if lacking:
        first = Output.objects.select_related("segment", "system").get(pk=min(lacking))
        raise MaskError(
            f"{len(lacking)} of {len(found)} texts have no masked text "
            f"{campaign.selection['mask']['recipe']!r}, such as {first.system} of segment "
            f"{first.segment}: import them, write them on the page “Masked texts”, or choose a "
            "lexicon"
        )
    return CampaignMasks({pk: text.shown or "" for pk, text in found.items()}, sources)


def masked_outputs(campaign: Campaign, outputs: Iterable[int]) -> dict[int, MaskedOutput]:
    """Return outputs by primary key, each with its masked text and the owner's correction.

    Raises
    ------
    MaskError
        If no mask is chosen, or it cannot be used.
    """
    wanted = list(outputs)
    originals: dict[int, str] = {}
    for some in _parts(wanted):
        originals |= dict(Output.objects.filter(pk__in=some).values_list("pk", "text"))
    made = _made(campaign, originals)
    corrections = campaign.selection.get("corrections", {})
    result = {}
    for pk, original in originals.items():
        automatic = made.get(pk)
        result[pk] = MaskedOutput(
            original,
            automatic.text if automatic else None,
            corrections.get(str(pk)),
            automatic.is_emptied if automatic else False,
        )
    return result


def sources_of(campaign: Campaign, segments: Iterable[int]) -> dict[int, int]:
    """Return the source of each segment, both by primary key."""
    wanted = set(segments)
    sources = Output.objects.filter(
        study=campaign.study, system__kind=System.Kind.SOURCE, variant=1
    )
    if len(wanted) <= PKS_AT_ONCE:
        sources = sources.filter(segment__in=wanted)
    rows = sources.values_list("segment_id", "pk")
    return {segment: pk for segment, pk in rows if segment in wanted}


def chosen_mask(campaign: Campaign) -> Mapping[str, object]:
    """Return what masks a campaign's texts; the only lexicon of a study is chosen by itself."""
    chosen: Mapping[str, object] = campaign.selection.get("mask") or {}
    if chosen:
        return chosen
    lexicons = campaign.study.lexicons.values_list("name", flat=True)[:2]
    return {"lexicon": lexicons[0]} if len(lexicons) == 1 else {}


def lacks_mask(campaign: Campaign) -> bool:
    """Whether a campaign is to mask and no mask is chosen that can be used."""
    try:
        check_mask(campaign)
    except MaskError:
        return True
    return False


def check_mask(campaign: Campaign) -> None:
    """Raise `MaskError` if a campaign is to mask and no mask is chosen that can be used."""
    if is_masked(campaign):
        _made(campaign, {})


def recipe_for(campaign: Campaign) -> str:
    """Return the name under which the study will keep what a campaign shows; nothing has it yet."""
    recipe = f"shown in {campaign.slug}"
    if MaskedText.objects.filter(output__study=campaign.study, recipe=recipe).exists():
        recipe = f"{recipe} ({campaign.pk})"
    return recipe


def store_shown(campaign: Campaign, recipe: str, besides: Mapping[int, str]) -> None:
    """Keep what a campaign shows among the masked texts of its study.

    So it travels with the study, and scorers can be given the very texts that people saw. One
    statement copies it from the items, so that it is stored with the campaign's start or not at
    all.

    Parameters
    ----------
    campaign
        With all of its items stored.
    recipe
        A name that the study does not have yet.
    besides
        Texts that no item shows yet, by the primary key of the output.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SHOWN, [recipe, campaign.pk, campaign.pk])
    there = MaskedText.objects.filter(recipe=recipe, output__study=campaign.study)
    known = set(there.values_list("output", flat=True)) if besides else set()
    MaskedText.objects.bulk_create(
        MaskedText(output_id=pk, recipe=recipe, text=text)
        for pk, text in besides.items()
        if pk not in known
    )
    Study.objects.filter(pk=campaign.study_id).update(revision=F("revision") + 1)


def recipes(study: Study) -> list[str]:
    """Return the names of the masked texts that a study has."""
    names = MaskedText.objects.filter(output__study=study).values_list("recipe", flat=True)
    return list(names.order_by("recipe").distinct())


def _made(campaign: Campaign, originals: Mapping[int, str]) -> dict[int, Masked]:
    """Mask texts as the campaign's mask says, without the owner's corrections."""
    chosen = chosen_mask(campaign)
    if "lexicon" in chosen:
        prepared = _prepared(campaign, chosen)
        return {pk: prepared(text) for pk, text in originals.items()}
    if "recipe" in chosen:
        return _imported(campaign, str(chosen["recipe"]), originals)
    raise MaskError(
        "style words are to be masked, and it is not said which: choose a lexicon or masked texts "
        f"on the page “Masked texts”{_if_none(campaign.study)}, or switch masking off to show "
        "plain texts"
    )


def _prepared(campaign: Campaign, chosen: Mapping[str, object]) -> Masker:
    lexicon = _lexicon(campaign.study, chosen["lexicon"])
    threshold = chosen.get("threshold", 0)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or threshold < 0:
        raise MaskError(f"mask: the threshold {threshold!r} is not a number from 0 on")
    placeholder = str(chosen.get("placeholder", PLACEHOLDER))
    try:
        return masker(lexicon_weights(lexicon), threshold=threshold, placeholder=placeholder)
    except PlaceholderError as error:
        raise MaskError(f"mask: {error}") from None


def _lexicon(study: Study, named: object) -> StyleLexicon:
    lexicons = {lexicon.name: lexicon for lexicon in study.lexicons.defer("entries")}
    by_key: dict[object, StyleLexicon] = {lexicon.pk: lexicon for lexicon in lexicons.values()}
    found = lexicons.get(named) if isinstance(named, str) else by_key.get(named)
    if found is None:
        known = ", ".join(lexicons) or "none yet: import one"
        raise MaskError(f"mask: no lexicon {named!r} in this study; there are: {known}")
    return found


def _imported(campaign: Campaign, recipe: str, originals: Mapping[int, str]) -> dict[int, Masked]:
    texts = MaskedText.objects.filter(output__study=campaign.study, recipe=recipe)
    if not texts.exists():
        known = ", ".join(recipes(campaign.study)) or "none yet: import them"
        raise MaskError(f"mask: no masked texts {recipe!r} in this study; there are: {known}")
    found: dict[int, Masked] = {}
    for some in _parts(list(originals)):
        rows = texts.filter(output__in=some).values_list("output_id", "text")
        found |= {pk: Masked(text, ()) for pk, text in rows}
    return found


def _if_none(study: Study) -> str:
    if study.lexicons.exists() or recipes(study):
        return ""
    return " (the study has none yet: import a table of word and weight)"


def _parts(pks: list[int]) -> Iterable[list[int]]:
    return (pks[start : start + PKS_AT_ONCE] for start in range(0, len(pks), PKS_AT_ONCE))
