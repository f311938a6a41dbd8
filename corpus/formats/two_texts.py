"""Two texts of one record, shown side by side: which of its fields hold them, and their systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corpus.formats.judged_items import meaning
from corpus.tabular.column_names import canonical


@dataclass(frozen=True)
class Shown:
    """A text and the system that it is of: the one named beside it, else its field's name."""

    system: str
    text: str
    is_named: bool


def shown(left: str, right: str, fields: Mapping[str, Any]) -> tuple[Shown, Shown] | None:
    """Return the texts on both sides; None if they cannot be told, or are of one system.

    What is shown has names, and fields have others that end like them: `a` and `b` are
    `output_A` and `output_B`, of the systems in `model_A` and `model_B`. Fields of the same names
    come first, then those known as outputs, then the only ones.

    Examples
    --------
    >>> shown("txt-1", "txt-2", {"text1": "Hi.", "text2": "Ho.", "model1": "A", "model2": "B"})
    (Shown(system='A', text='Hi.', is_named=True), Shown(system='B', text='Ho.', is_named=True))
    """
    names = {canonical(name): name for name, value in fields.items() if isinstance(value, str)}
    ends = [canonical(left), canonical(right)]
    same = (n for n, (one, other) in enumerate(zip(*ends, strict=False)) if one != other)
    stem = ends[0][: next(same, min(map(len, ends)))]
    ends = [end.removeprefix(stem) for end in ends]
    stems = {
        name.removesuffix(ends[0]): [name, name.removesuffix(ends[0]) + ends[1]]
        for name in names
        if name.endswith(ends[0]) and name.removesuffix(ends[0]) + ends[1] in names
    }
    of_systems = [each for each in stems if meaning(each) == "system"]
    of_texts = [each for each in stems if each not in of_systems]
    known = [each for each in of_texts if meaning(each) == "output"]
    found = [stem] if stem in of_texts else known or of_texts
    if ends[0] == ends[1] or len(found) != 1 or len(of_systems) > 1:
        return None
    texts = [names[name] for name in stems[found[0]]]
    systems = [str(fields[names[name]]) for each in of_systems for name in stems[each]] or texts
    if systems[0] == systems[1] or not all(systems):
        return None
    one, other = (
        Shown(system, str(fields[name]), bool(of_systems))
        for system, name in zip(systems, texts, strict=True)
    )
    return one, other
