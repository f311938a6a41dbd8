"""The filter of the report pages: the address is the filter, the form is its picture."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms
from django.forms import BoundField
from django.utils.datastructures import MultiValueDict

from analysis.data.measures import MODEL, RATER_WORDS
from analysis.data.selection import NONE, metric_columns, rated_aspects
from analysis.data.study_data import StudyData
from analysis.explorer.exploration import EXPLORED
from analysis.filter.field import FilterField, Pairs
from analysis.filter.question import DEFAULTS, FILTER_FIELDS, OF_RATINGS, SEVERAL, Question
from analysis.reports.page_address import CHOICES
from annotation.protocols.catalogue import PROTOCOLS

MOST_VALUES_OF_AN_ATTRIBUTE = 20
_DECIMAL: Mapping[str, str | int] = {"inputmode": "decimal", "size": 6}
FIELDS: Mapping[str, FilterField] = {
    **FILTER_FIELDS,
    "represented_by": FilterField("Texts as seen by"),
    "perplexity": FilterField("Perplexity", typed={**_DECIMAL, "placeholder": "30"}),
    **CHOICES,
    **EXPLORED,
    "metric_from": FilterField("Metric score from", typed=_DECIMAL),
    "metric_to": FilterField("Metric score to", typed=_DECIMAL),
    "human_from": FilterField("Human score from", typed=_DECIMAL),
    "human_to": FilterField("Human score to", typed=_DECIMAL),
}
"""Fields of questions, and those that choose what a page shows of the answer."""
_LISTS = (*SEVERAL, "panels")
MOST_OPEN = 4
"""Fields of the filter that stand open; the others are added on demand."""
VARIANTS = tuple(name for name, each in FIELDS.items() if each.is_variant)
"""Fields that are folded away."""


def fixed_choices(name: str, known: Sequence[str] = ()) -> Pairs:
    """Return the choices of a field that no study changes, the default as the empty one.

    Parameters
    ----------
    name
    known
        The values that a kind of report knows; empty for all.
    """
    words = FIELDS[name].words
    values = [value for value in words if not known or value in known]
    return tuple(("" if place == 0 else value, words[value]) for place, value in enumerate(values))


def offer(data: StudyData, **more: Pairs) -> dict[str, Pairs]:
    """Return the choices of each field that a study offers, and `more` that a report adds."""
    columns = metric_columns(data, Question())
    directions = sorted(data.directions_met)
    systems = _named(system.name for system in data.systems)
    pairs: dict[str, Pairs] = {
        **{name: fixed_choices(name) for name in FIELDS},
        "aspect": (("", "all"), *_named(rated_aspects(data))),
        "metric": _named(dict.fromkeys(column.name for column in columns)),
        "compared_to": _settings(column.run.compared_to for column in columns),
        "text_setting": _settings(column.run.text_setting for column in columns),
        "direction": (("", "both together"), *((d, d.replace("-", " ")) for d in directions)),
        "systems": systems,
        "leave_out": systems,
        "where": _attribute_values(data),
        "batch": (("", "what raters follow"), *_named(data.segment_attribute_names)),
        **_of_ratings(data),
    }
    if not any(system.human for system in data.systems):
        pairs["humans"] = ()
    if not data.has_withdrawn:
        pairs["withdrawn"] = ()
    return pairs | more


def _of_ratings(data: StudyData) -> dict[str, Pairs]:
    """Return what tells ratings apart: campaigns, protocols, texts shown, kinds of raters."""
    judged = data.judgements
    protocols = dict.fromkeys(campaign.protocol for campaign in judged.campaigns)
    shown = sorted({measure.shown for measure in judged.measures} - {""})
    kinds = dict.fromkeys(annotator.kind for annotator in judged.annotators)
    words = [(kind, RATER_WORDS[kind]) for kind in RATER_WORDS if kind in kinds]
    usual = "all but models" if MODEL in kinds else "all"
    answers = dict.fromkeys(
        (question, str(answer))
        for annotator in judged.annotators
        for question, answer in annotator.about.items()
        if answer
    )
    return {
        "campaign": _if_several(_named(campaign.slug for campaign in judged.campaigns)),
        "protocol": _if_several(tuple((key, PROTOCOLS[key].title) for key in protocols)),
        "shown": (("", "masked and plain"), *((name, name) for name in shown)) if shown else (),
        "raters": (
            (("", usual), *words, *([("all", "all, models too")] if MODEL in kinds else []))
            if len(kinds) > 1
            else ()
        ),
        "about": tuple((f"{name}:{answer}", f"{name}: {answer}") for name, answer in answers),
    }


def _if_several(pairs: Pairs) -> Pairs:
    return (("", "all"), *pairs) if len(pairs) > 1 else ()


def _named(names: Iterable[str]) -> Pairs:
    return tuple((name, name) for name in names)


def _settings(values: Iterable[str]) -> Pairs:
    found = dict.fromkeys(values)
    named = [(value, value) for value in found if value]
    if not named:
        return ()
    return (("", "any"), *named, *([(NONE, "none")] if "" in found else []))


def _attribute_values(data: StudyData) -> Pairs:
    return tuple(
        (f"{name}:{value}", f"{name} {value}")
        for name, found in data.attribute_values.items()
        if len(found) <= MOST_VALUES_OF_AN_ATTRIBUTE
        for value in sorted(found)
        if value
    )


class FilterForm(forms.Form):
    """The fields of a filter, showing what the address holds, possible or not.

    Parameters
    ----------
    shown
        Names of the fields, in order; one that has nothing to choose from is left out.
    offered
        The choices of the study.
    given
        Values in the address by name.
    error
        Why the address cannot be answered: "name…: reason", shown at that field.
    """

    use_required_attribute = False

    def __init__(
        self,
        shown: Sequence[str],
        offered: Mapping[str, Pairs],
        given: Mapping[str, Sequence[str]],
        error: str = "",
    ) -> None:
        # What is shown where nothing is chosen may also be named.
        self.given = {
            name: [
                value
                for value in values
                if name not in shown or offered[name][:1] != (("", value),)
            ]
            for name, values in given.items()
        }
        data = MultiValueDict(
            {name: [_as_offered(name, v) for v in values] for name, values in self.given.items()}
        )
        super().__init__(data=data, auto_id="filter_%s")
        for name in shown:
            field = self._field(name, offered[name])
            if field is not None:
                self.fields[name] = field
        self.full_clean()
        self.error = error
        if error:
            name = error.split(":")[0].split("=")[0].strip()
            self.add_error(name if name in self.fields else None, error)

    def _field(self, name: str, pairs: Pairs) -> forms.Field | None:
        given = self.given.get(name, [])
        label = FIELDS[name].label
        if typed := FIELDS[name].typed:
            widget = forms.TextInput(attrs=dict(typed))
            return forms.CharField(label=label, required=False, widget=widget)
        known = {value for value, _ in pairs}
        # What the address holds stays visible, be it a pattern or a mistake.
        foreign = [(v, v) for v in dict.fromkeys(given) if _as_offered(name, v) not in known]
        if name in _LISTS:
            if not pairs and not foreign:
                return None
            return forms.MultipleChoiceField(
                label=label,
                required=False,
                choices=[*foreign, *pairs],
                widget=forms.CheckboxSelectMultiple,
            )
        if len(pairs) < 2 and not foreign:
            return None
        choices = [*(pairs or (("", "all"),)), *foreign]
        return forms.ChoiceField(label=label, required=False, choices=choices)

    def _selects(self) -> list[forms.BoundField]:
        folded = (*_LISTS, *VARIANTS, *OF_RATINGS)
        return [self[name] for name in self.fields if name not in folded]

    def usual(self) -> list[forms.BoundField]:
        """The fields that are used most, which stand open."""
        return self._selects()[:MOST_OPEN]

    def selects(self) -> list[forms.BoundField]:
        """The other fields of one choice that are neither of ratings nor variants."""
        return self._selects()[MOST_OPEN:]

    @property
    def others_wrong(self) -> bool:
        """Whether a field that does not stand open is wrong, so that it must be seen."""
        return bool(self.errors.keys() - {field.name for field in self.usual()})

    def lists(self) -> list[tuple[forms.BoundField, int, bool]]:
        """Lists of choices: the field, how many are chosen, whether one of them is wrong."""
        return [
            (self[name], len(self.given.get(name, [])), name in self.errors)
            for name in self.fields
            if name in _LISTS and name not in OF_RATINGS
        ]

    def ratings(self) -> list[forms.BoundField]:
        """Fields that choose ratings."""
        return [self[name] for name in self.fields if name in OF_RATINGS]

    @property
    def ratings_chosen(self) -> str:
        """How many of these fields choose something, in words; empty where none does."""
        chosen = sum(any(self.given.get(field.name, [])) for field in self.ratings())
        return f"{chosen} filter{'s' if chosen > 1 else ''}" if chosen else ""

    @property
    def ratings_open(self) -> bool:
        """Whether one of these fields is chosen or wrong, so that it must be seen."""
        return bool(self.ratings_chosen) or any(name in self.errors for name in OF_RATINGS)

    def variants(self) -> list[forms.BoundField]:
        """Fields for the variants of the statistics."""
        return [self[name] for name in self.fields if name in VARIANTS]

    @property
    def variants_open(self) -> bool:
        """Whether a variant is chosen or wrong, so that it must be seen."""
        chosen = any(any(self.given.get(name, [])) for name in VARIANTS)
        return chosen or any(name in self.errors for name in VARIANTS)

    def carried(self) -> list[tuple[str, str]]:
        """What the address holds beside the fields shown, to be kept."""
        return [
            (name, value)
            for name, values in self.given.items()
            if name not in self.fields
            for value in values
        ]


def _as_offered(name: str, value: str) -> str:
    """Return the empty choice for a default that the address spells out."""
    is_chosen = name in FIELDS and bool(FIELDS[name].words)
    return "" if is_chosen and value == str(DEFAULTS.get(name)) else value


@dataclass(frozen=True)
class Chip:
    """A condition in words, and the query string of the page without it."""

    label: str
    words: str
    query: str


def chips(form: FilterForm) -> list[Chip]:
    """Return the conditions that no field in the open shows."""
    open_fields = {field.name for field in form.usual()}
    return [
        Chip(str(form[name].label), _words(form[name], value), urlencode(rest, doseq=True))
        for name in form.fields
        if name not in open_fields
        for value, rest in _without_each(form, name)
    ]


def _without_each(form: FilterForm, name: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    values = [value for value in form.given.get(name, []) if value]
    for value in values:
        yield value, form.given | {name: [other for other in values if other != value]}


def _words(field: BoundField, value: str) -> str:
    """Return a value as its list of choices names it."""
    choices = getattr(field.field, "choices", ())
    return str(next((words for known, words in choices if str(known) == value), value))
