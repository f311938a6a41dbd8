"""Writers that edit without a model: delete style words, retrieve texts of the other style."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from corpus.texts.masking import Masker, masker
from metrics.scorers.spec import Library, Parameter, Value
from metrics.weights import minilm
from metrics.weights.files import fingerprint
from metrics.writers import markers
from metrics.writers.markers import Slot, filled
from metrics.writers.retrieving import EMBEDDINGS, NEAREST_BY, Retriever
from metrics.writers.writer import Need, Report, Source, Writer, WriterSpec, Written

GROUP = "edits"
_LI = "Li, Jia, He and Liang 2018, Delete, Retrieve, Generate."
_ALL_STYLE = "nothing is left of this source without its style words"
_NO_TEXTS = "no text to learn from has the target style {!r}"
_NOTHING_NEAR = "no text of the target style shares a word with this source"


class _Editing(Writer):
    """A writer with markers and, for each style, a retriever."""

    def set_up(self) -> None:
        """Prepare markers and retrievers."""
        self._maskers: dict[tuple[str, str], Masker] = {}
        self._retrievers: dict[tuple[str, str], Retriever] = {}

    @classmethod
    def needs_with(cls, parameters: Mapping[str, Value]) -> frozenset[Need]:
        """Return texts, and what markers are found with."""
        texts: frozenset[Need] = frozenset({"texts"})
        return texts | markers.needs_of(parameters)

    def fingerprint(self) -> Mapping[str, str]:
        """Return the files of the sentence encoder, where it is used."""
        return fingerprint(minilm.files()) if self._nearest_by == EMBEDDINGS else {}

    def write(self, sources: Sequence[Source], report: Report = lambda done: None) -> list[Written]:
        """Edit one source after the other."""
        written = []
        for done, source in enumerate(sources):
            report(done)
            if not self.material.texts.get(source.target_style) and "texts" in self.needs_with(
                self.parameters
            ):
                written.append(Written(reason=_NO_TEXTS.format(source.target_style)))
            else:
                written.append(self.edited(source))
        return written

    def edited(self, source: Source) -> Written:
        """Return the output for a source."""
        raise NotImplementedError

    @property
    def _nearest_by(self) -> str:
        return str(self.parameters.get("nearest_by", ""))

    def _slots(self, text: str, style: str, other: str) -> list[Slot]:
        """Return the style words of a text of a style, compared with another style."""
        if (style, other) not in self._maskers:
            words = markers.marker_words(self.material, self.parameters, style, other)
            self._maskers[style, other] = masker(words)
        return markers.slots_of(text, self._maskers[style, other])

    def _content(self, text: str, style: str, other: str) -> str:
        slots = self._slots(text, style, other)
        return filled(text, slots, [""] * len(slots))

    def _retriever(self, source: Source) -> Retriever:
        style, other = source.target_style, source.source_style
        if (style, other) not in self._retrievers:
            self._retrievers[style, other] = Retriever(
                self.material.texts[style],
                self._nearest_by,
                lambda text: self._content(text, style, other),
            )
        return self._retrievers[style, other]

    def _nearest(self, source: Source) -> str | None:
        """Return the text of the target style whose content is nearest to that of the source."""
        retriever = self._retriever(source)
        content = self._content(source.text, source.source_style, source.target_style)
        found = retriever.nearest(content or source.text)
        return retriever.texts[found[0]] if found else None


class DeleteAndFill(_Editing):
    """Deletes the words of the source style and fills the gaps with words of the target style that
    were seen between the same neighbours. It needs no model.

    Method
    ------
    Style words that stand together leave one gap; the rest is the template. A gap is filled with
    the style words of the target style that stand most often between the same two words in texts of
    that style, then beside one of them; else it stays empty.

    Distrust
    --------
    A source without style words stays as it is. Outputs may be ungrammatical.
    """

    spec = WriterSpec(
        key="delete-template",
        title="Delete style words and fill the template",
        group=GROUP,
        citation="The deletion and template of " + _LI + " The filling by neighbours is ours.",
        needs=frozenset({"texts", "lexicon"}),
        parameters=(
            *markers.PARAMETERS,
            Parameter("fill", True, "Fill the gaps; otherwise style words are only deleted."),
        ),
    )

    def set_up(self) -> None:
        """Prepare what is counted."""
        super().set_up()
        self._seen: dict[tuple[str, str], _Seen] = {}

    @classmethod
    def needs_with(cls, parameters: Mapping[str, Value]) -> frozenset[Need]:
        """Return texts only where gaps are filled or words are counted."""
        texts: frozenset[Need] = frozenset({"texts"} if parameters["fill"] else ())
        return texts | markers.needs_of(parameters)

    def edited(self, source: Source) -> Written:
        """Delete, and fill."""
        slots = self._slots(source.text, source.source_style, source.target_style)
        words = [self._filling(source, slot) for slot in slots]
        made = filled(source.text, slots, words)
        return Written(made) if made else Written(reason=_ALL_STYLE)

    def _filling(self, source: Source, slot: Slot) -> str:
        if not self.parameters["fill"]:
            return ""
        style, other = source.target_style, source.source_style
        if (style, other) not in self._seen:
            self._seen[style, other] = _Seen(
                slot
                for text in self.material.texts[style]
                for slot in self._slots(text, style, other)
            )
        return self._seen[style, other].best(slot)


class _Seen:
    """Style words with the words around them, as texts of a style have them."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._between: dict[tuple[str, str], Counter[str]] = {}
        self._after: dict[str, Counter[str]] = {}
        self._before: dict[str, Counter[str]] = {}
        for slot in slots:
            words = slot.words.lower()
            self._between.setdefault((slot.before, slot.after), Counter())[words] += 1
            self._after.setdefault(slot.before, Counter())[words] += 1
            self._before.setdefault(slot.after, Counter())[words] += 1

    def best(self, slot: Slot) -> str:
        """Return the words seen most often in such a place; empty if none was."""
        between = self._between.get((slot.before, slot.after))
        if between is None:
            between = self._after.get(slot.before, Counter()) + self._before.get(
                slot.after, Counter()
            )
        return min(between, key=lambda words: (-between[words], words), default="")


_retrieving = partial(
    WriterSpec,
    group=GROUP,
    needs=frozenset({"texts", "lexicon"}),
    parameters=(*markers.PARAMETERS, NEAREST_BY),
    libraries=(Library("scikit-learn"),),
)


class Retrieve(_Editing):
    """Takes the text of the target style whose content is nearest to the source.

    Style and fluency are those of real texts, content is often lost.

    Method
    ------
    Content is compared without style words, by TF-IDF or by sentence embeddings; of equally near
    texts the first is taken.
    """

    spec = _retrieving(
        key="retrieve",
        title="Retrieve the nearest text of the target style",
        citation="RetrieveOnly of " + _LI,
    )

    def edited(self, source: Source) -> Written:
        """Retrieve."""
        found = self._nearest(source)
        return Written(found) if found else Written(reason=_NOTHING_NEAR)


class DeleteAndRetrieve(_Editing):
    """Replaces the style words of the source by those of the nearest text of the target style.

    A strong simple baseline for sentiment.

    Method
    ------
    The content of the source finds the nearest text of the target style; the gaps of the source are
    filled with the style words of that text, in their order. What is left of them goes into the
    last gap; gaps for which none is left stay empty.

    Distrust
    --------
    A source without style words stays as it is. Outputs may be ungrammatical.
    """

    spec = _retrieving(
        key="delete-retrieve",
        title="Delete style words and retrieve others",
        citation=f"TemplateBased of {_LI} Its DeleteAndRetrieve writes with a trained network.",
    )

    def edited(self, source: Source) -> Written:
        """Delete, retrieve and fill."""
        slots = self._slots(source.text, source.source_style, source.target_style)
        if not slots:
            return Written(source.text)
        found = self._nearest(source)
        if found is None:
            return Written(reason=_NOTHING_NEAR)
        words = [
            slot.words.lower()
            for slot in self._slots(found, source.target_style, source.source_style)
        ]
        last = len(slots) - 1
        fillings = [*words[:last], " ".join(words[last:])]
        fillings += [""] * (len(slots) - len(fillings))
        made = filled(source.text, slots, fillings)
        return Written(made) if made else Written(reason=_ALL_STYLE)


WRITERS = (DeleteAndFill, Retrieve, DeleteAndRetrieve)
