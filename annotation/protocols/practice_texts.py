"""Texts of practice items that an owner wrote: practice need not use outputs of the study."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.protocols.protocol import Config, Protocol
from annotation.protocols.ranking import MOST as MOST_RANKED

LONGEST_TEXT = 2000
LONGEST_STYLE = 100
Shown = dict[str, str]


@dataclass(frozen=True, slots=True)
class OwnText:
    """One text that a practice item may have.

    Parameters
    ----------
    name, label
        Its key in the item's `texts`, and its name in a form.
    required
        Whether the item cannot be shown without it.
    longest
        How many characters it may have.
    """

    name: str
    label: str
    required: bool = True
    longest: int = LONGEST_TEXT


def own_texts(rules: Protocol, config: Config) -> tuple[OwnText, ...]:
    """Return which texts a practice item of a campaign has.

    Where several outputs are put in order, `output` stands for each of them.

    Examples
    --------
    >>> from annotation.protocols.catalogue import protocol
    >>> [text.name for text in own_texts(protocol("relative_naturalness"), {})]
    ['source', 'output']
    """
    texts: list[OwnText] = []
    blind = rules.layout in ("sides", "order") and rules.compares != "source"
    if rules.layout != "text" and (not blind or rules.setting(config, "show_source")):
        texts.append(OwnText("source", "Source"))
    if rules.has("show_reference") and rules.setting(config, "show_reference"):
        texts.append(OwnText("reference", "Reference", required=False))
    texts.append(OwnText("output", "Text" if rules.layout == "text" else "Output"))
    if rules.compares == "outputs":
        texts.append(OwnText("against", "The other output"))
    if rules.shows_target_style(config):
        texts.append(OwnText("target_style", "Target style", False, LONGEST_STYLE))
    return tuple(texts)


def read_own_texts(rules: Protocol, config: Config, given: Any) -> dict[str, Any]:
    """Check the texts of a practice item.

    Returns
    -------
    dict
        The texts by name; where outputs are put in order, `outputs` is a list of them.

    Raises
    ------
    ValueError
        Naming the text that cannot be used: ``"source: …"``.
    """
    if not isinstance(given, Mapping):
        raise ValueError("texts: expected an object such as {source: …, output: …}")
    known = {text.name: text for text in own_texts(rules, config)}
    texts = dict(given)
    result: dict[str, Any] = {}
    if rules.layout == "order":
        result["outputs"] = _several(texts.pop("outputs", None), known.pop("output"))
    if unknown := [name for name in texts if name not in known]:
        raise ValueError(f"texts: {unknown[0]!r} is not shown; shown are: {', '.join(known)}")
    result |= {name: _text(texts.get(name, ""), known[name]) for name in known}
    return {name: text for name, text in result.items() if text}


def shown_texts(rules: Protocol, texts: Mapping[str, Any]) -> list[Shown]:
    """Return what each item of a practice screen shows, as items keep it."""
    beside = {
        name: str(texts[name]) for name in ("source", "reference", "target_style") if name in texts
    }
    if rules.layout == "order":
        return [{**beside, "first": text} for text in texts["outputs"]]
    if rules.compares == "source":
        return [{"first": str(texts["source"]), "second": str(texts["output"])}]
    shown = {**beside, "first": str(texts["output"])}
    return [shown | {"second": str(texts["against"])} if "against" in texts else shown]


def sides_of_texts(rules: Protocol) -> dict[str, str]:
    """Return which of two texts stands first in a practice item, by name."""
    if rules.compares == "source":
        return {"output": "second", "source": "first"}
    return {"output": "first", "against": "second"} if rules.compares else {}


def _several(given: Any, each: OwnText) -> list[str]:
    if not isinstance(given, list | tuple) or not 2 <= len(given) <= MOST_RANKED:
        raise ValueError(f"texts: expected a list of 2 to {MOST_RANKED} outputs")
    outputs = [_text(text, each) for text in given]
    if len(set(outputs)) < len(outputs):
        raise ValueError("texts: two outputs are the same text")
    return outputs


def _text(given: Any, text: OwnText) -> str:
    if not isinstance(given, str) or len(given) > text.longest:
        raise ValueError(f"{text.name}: expected a text of up to {text.longest} characters")
    if text.required and not given.strip():
        raise ValueError(f"{text.name}: write this text; annotators see it")
    return given
