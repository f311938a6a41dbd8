"""mt-metrics-eval v2: the layout in which the WMT metrics tasks are released.

`sources`, `references`, `documents`, `system-outputs`, `human-scores` and `metric-scores` beside
each other, for any number of language pairs, each of which is a study.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from corpus.formats.format import CannotWriteError, Offered, ReadAs, WritableFormat, WrittenTable
from corpus.formats.queries import QueryFormat
from corpus.tabular.problems import refused

_PATH = re.compile(
    r"(?:(?P<set>.*?)/)?(?:(?P<kind>sources|documents|references|human-scores)/(?P<pair>[^./]+)\..*"
    r"|(?P<folder>system-outputs|metric-scores)/(?P<inner>[^/]+)/.+)"
)


class MtMetricsEval(QueryFormat, WritableFormat):
    """mt-metrics-eval v2, in and out."""

    def recognises(self, files: Offered) -> bool:
        """Whether there is a pair with sources and outputs."""
        return bool(_pairs(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read the files of one pair."""
        pairs = _pairs(files)
        chosen = chosen or (next(iter(pairs)) if len(pairs) == 1 else "")
        if not chosen:
            return ReadAs(choices=tuple(pairs))
        if chosen not in pairs:
            raise refused("no-such-study", "", chosen, names=", ".join(pairs))
        read = super().read(files.only(pairs[chosen]), folder, chosen)
        read.choices, read.chosen = tuple(pairs), chosen
        return read

    def write(
        self,
        tables: Mapping[str, WrittenTable],
        study: Mapping[str, Any],
        folder: Path,
        chosen: str,
    ) -> list[str]:
        """Write a study with direct scores as one pair."""
        from corpus.formats.mt_metrics_eval_writing import WrittenPair  # No import needs it.

        return WrittenPair(tables, study, folder, chosen).write()


def _pairs(files: Offered) -> dict[str, list[str]]:
    """Return the files of pairs with sources and outputs; of several test sets with their names."""
    found = defaultdict[tuple[str, str], dict[str, str]](dict)
    for name in files.names:
        if m := _PATH.fullmatch(name.removesuffix(".gz")):
            found[m["set"] or "", m["pair"] or m["inner"]][name] = m["kind"] or m["folder"]
    whole = {
        key: list(pair)
        for key, pair in sorted(found.items())
        if {"sources", "system-outputs"} <= {*pair.values()}
    }
    several = len({test_set for test_set, _ in whole}) > 1
    return {f"{s}/{pair}" if several else pair: names for (s, pair), names in whole.items()}


PATH = Path(__file__).with_suffix(".sql")
FORMAT = MtMetricsEval(PATH)


_PAIR = re.compile(r"(?i)\b([a-z]{2,3}(?:_[a-z0-9]+)*)-([a-z]{2,3})((?:_[a-z0-9]+)*)$")


def named_as(study: Mapping[str, Any], chosen: str) -> tuple[str, str]:
    """Return what the folder and the files of a study are called.

    Parameters
    ----------
    study
        What `study.json` says.
    chosen
        A language pair, or a test set and a pair (``wmt23/en-de``). If empty, the pair is the one
        that the title ends in, or the slug, if it is into the study's language; else that
        language is on both sides. A test set that is not said is the slug without the pair.

    Raises
    ------
    CannotWriteError
        If what was chosen is no language pair.
    """
    slug = str(study.get("slug") or "study")
    test_set, _, said = chosen.rpartition("/")
    pair = _pair_in(said) if chosen else _language_pair(study, slug)
    if not pair or (chosen and said.lower() != pair.lower()):
        raise CannotWriteError(
            f"{chosen!r} is no language pair: write it as en-de or, with the test set, wmt23/en-de."
        )
    without = slug[: -len(pair)].rstrip("-_") if slug.lower().endswith(f"-{pair.lower()}") else ""
    return plain(test_set or without or slug), pair


def _language_pair(study: Mapping[str, Any], slug: str) -> str:
    language = str(study.get("language") or "")
    if found := _pair_in(str(study.get("title", ""))):
        return found
    if language and (found := _pair_in(slug)).endswith(f"-{language}"):
        return found
    language = plain(language or "und").replace("-", "_")
    return f"{language}-{language}"


def _pair_in(text: str) -> str:
    """Return the pair that a text ends in, languages in lower case; empty if there is none."""
    found = _PAIR.search(text)
    if not found:
        return ""
    source, _, region = found[1].partition("_")
    return f"{source.lower()}{'_' if region else ''}{region}-{found[2].lower()}{found[3]}"


def plain(name: str, *, dots: bool = True) -> str:
    """Return a name without white space and slashes, which the layout has no place for."""
    name = re.sub(r"[\s/\\\0]+", "_", name).lstrip(".") or "_"
    return name if dots else name.replace(".", "_")


def names_of_files(systems: Iterable[str]) -> dict[str, str]:
    """Return the names of systems as files have them, each once."""
    found: dict[str, str] = {}
    for system in systems:
        name = plain(system)
        while name in found.values():
            name += "_"
        found[system] = name
    return found
