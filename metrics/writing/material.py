"""What a writer may learn from in a study: pairs, texts by style and a style lexicon."""

from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256

from corpus.models import Output, Segment, Study, System
from corpus.texts.lexicons import lexicon_entries
from metrics.writers.writer import Material, Need, Pair, StyleWord, WriterError

AT_A_TIME = 500


def material_of(
    study: Study,
    segments: Sequence[int],
    needs: Collection[Need],
    *,
    lexicon: str = "",
    unlike: Collection[str] = (),
) -> Material:
    """Return what a writer with some needs learns from.

    Parameters
    ----------
    study
    segments
        Primary keys of the segments that may be learnt from, in the order of the study.
    needs
        What is needed; the rest stays empty.
    lexicon
        Name of the style lexicon; the study's only one if empty.
    unlike
        SHA-256 of the sources that are written: a segment with the same source is left out.

    Raises
    ------
    WriterError
        If the study lacks a lexicon that is needed.
    """
    pairs: list[Pair] = []
    texts: dict[str, dict[str, None]] = {}
    if {"pairs", "texts"} & set(needs):
        for pair in _pairs(study, segments, unlike):
            if pair.reference and "pairs" in needs:
                pairs.append(pair)
            if "texts" in needs:
                texts.setdefault(pair.source_style, {})[pair.source] = None
                if pair.reference:
                    texts.setdefault(pair.target_style, {})[pair.reference] = None
    words = style_words(study, lexicon) if "lexicon" in needs else ()
    return Material(pairs, {style: tuple(some) for style, some in texts.items()}, words)


def style_words(study: Study, name: str = "") -> tuple[StyleWord, ...]:
    """Return the entries of a lexicon of the study; its only one if no name is given.

    Raises
    ------
    WriterError
        If there is none, no such one, or several to choose from.
    """
    known = list(study.lexicons.order_by("name"))
    chosen = [each for each in known if each.name == name] if name else known
    if len(chosen) != 1:
        names = ", ".join(each.name for each in known)
        if not known:
            what = "this study has no style lexicon: import or train one under Styles"
        elif name:
            what = f"no style lexicon {name!r}; there are: {names}"
        else:
            what = f"choose one of the style lexicons: {names}"
        raise WriterError(what)
    return tuple(StyleWord(*entry) for entry in lexicon_entries(chosen[0]))


def digest_of(material: Material) -> str:
    """Return a hash of all that is in some material."""
    digest = sha256()
    for pair in material.pairs:
        digest.update(repr(tuple(pair)).encode("utf-8", "surrogatepass"))
    for style, texts in sorted(material.texts.items()):
        digest.update(repr((style, texts)).encode("utf-8", "surrogatepass"))
    for word in sorted(material.lexicon, key=repr):
        digest.update(repr(tuple(word)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _pairs(study: Study, segments: Sequence[int], unlike: Collection[str]) -> Iterator[Pair]:
    """Yield the source of each segment with each of its references; alone if it has none."""
    left_out = frozenset(unlike)
    for start in range(0, len(segments), AT_A_TIME):
        some = segments[start : start + AT_A_TIME]
        rows = Segment.objects.in_bulk(some)
        sources: dict[int, tuple[str, str]] = {}
        references: dict[int, list[str]] = {}
        found = Output.objects.filter(study=study, segment__in=some).exclude(sha256="")
        kinds = (System.Kind.SOURCE, System.Kind.REFERENCE)
        found = found.filter(system__kind__in=kinds).order_by("variant")
        for segment, kind, text, digest in found.values_list(
            "segment_id", "system__kind", "text", "sha256"
        ):
            if kind == System.Kind.REFERENCE:
                references.setdefault(segment, []).append(text)
            else:
                sources.setdefault(segment, (text, digest))
        for pk in some:
            text, digest = sources.get(pk, ("", ""))
            if text.strip() and digest not in left_out:
                row = rows[pk]
                for reference in references.get(pk) or [""]:
                    yield Pair(row.key, text, reference, row.source_style, row.target_style)
