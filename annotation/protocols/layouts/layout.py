"""What every layout can do; by default, one output is judged at a time.

Everything that depends on the layout of a protocol is asked of its layout: which items a campaign
has, what a screen shows and asks, how answers are read, practice, control items and preview.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.designs.preview import Answers as Kind
from annotation.protocols.layouts.exercises import (
    Exercise,
    Finder,
    PracticeError,
    read_expected,
    read_feedback,
)
from annotation.protocols.layouts.texts import (
    OUTPUT,
    REFERENCE,
    SOURCE,
    TARGET_STYLE,
    Candidate,
    Group,
    OwnText,
    Shown,
    Texts,
    dealt,
    read_texts,
    shown_beside,
)
from annotation.protocols.questions import AnswerError, Answers, Question, Scale, read_answers

if TYPE_CHECKING:
    from annotation.protocols.protocol import Config, Protocol

Side = Literal["first", "second"]
Sides = Mapping[str, Side]


class Layout:
    """How the texts of a screen are arranged; here, one output by itself or with its source."""

    template: ClassVar[str] = "annotation/layouts/items.html"
    """Shows the texts and questions of a screen."""
    outputs: ClassVar[int] = 1
    """How many outputs a screen has at most that are judged together."""
    named: ClassVar[Mapping[str, str]] = {"output": "Output of"}
    """Which outputs of a segment a practice item names, with words for a form."""
    place: ClassVar[str] = ""
    """What a form calls the answer about one of several outputs."""
    sides: ClassVar[Sides] = {}
    """Of a comparison, which text comes first where an owner wrote both."""
    compares: ClassVar[Literal["", "source", "outputs"]] = ""
    """What two texts are set side by side: a source and its output, or two outputs."""
    has_source: ClassVar[bool] = True
    """Whether the source is among what is seen, so that outputs are judged relative to it."""
    is_relative: ClassVar[bool] = False
    """Whether outputs are judged relative to others of the screen."""
    lower_is_better: ClassVar[bool] = False
    score_scale: ClassVar[tuple[float, float] | None] = None
    """Least and largest score of an output; None where it is the answer itself, on its scale."""
    score_words: ClassVar[str] = "on the scale of the ratings"
    """Where a difference of two scores is stated, for a form."""
    rates_sources: ClassVar[bool] = True
    """Whether the source can be rated as an output is."""
    takes_pairs: ClassVar[bool] = False
    """Whether a campaign can ask for some pairs of systems only."""
    takes_table: ClassVar[bool] = True
    """Whether all outputs of a source can be judged on one screen."""
    degraded_is: ClassVar[str] = "to be rated lower than originals"
    reference_is: ClassVar[str] = (
        "Shown as outputs, to be rated higher than the outputs of their source."
    )
    """What is expected of control items; empty where a reference cannot be one."""

    @property
    def chooses(self) -> bool:
        """Whether an answer is one of two texts, or neither, and no number."""
        return bool(self.compares)

    # Items

    def has_many(self, config: "Config") -> bool:
        """Whether screens may have several items."""
        return self.outputs > 1 or bool(config.get("table"))

    def screens(self, group: Group, random: np.random.Generator) -> Iterable[Candidate]:
        """Lay the texts of one segment out."""
        if group.table:
            return dealt(group.judged, random, len(group.judged))
        return (Candidate(text.segment, text.system, ((text, None),)) for text in group.judged)

    # Questions and answers

    def question(self, rules: "Protocol", config: "Config", aspect: str, text: str) -> Question:
        """Return the question about one aspect."""
        assert rules.scale is not None  # noqa: S101  (who asks for numbers says from where to where)
        step = rules.setting(config, "step", 1.0)
        return Scale(aspect, text, *rules.scale, step, rules.words_on_scale(config, aspect))

    def answers(self, questions: Sequence[Question]) -> Kind:
        """Return of which kind the answers are, which agreement depends on."""
        categorical = all(isinstance(each, Scale) and each.is_categorical for each in questions)
        return "categories" if categorical else "continuous"

    def scores(
        self, answers: NDArray[np.float64], outputs: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return scores, higher for better, of which stopping rules take means.

        Parameters
        ----------
        answers
            The stored number, or a mean of several, of each output.
        outputs
            How many outputs the screen of each one has.
        """
        return answers

    def shows_source(self, rules: "Protocol", config: "Config") -> bool:
        """Whether the source stands beside what is judged."""
        return self.has_source and bool(rules.setting(config, "show_source", True))

    def fields(
        self, questions: Sequence[Question], number: int, count: int
    ) -> list[dict[str, Any]]:
        """Return what is asked at one item of a screen with so many of them.

        The answer to each arrives under its ``"asked"``.
        """
        return [question.field() for question in questions]

    def read(
        self,
        rules: "Protocol",
        config: "Config",
        given: Sequence[Mapping[str, str]],
        swapped: Sequence[bool],
    ) -> list[Answers]:
        """Read the answers to a screen.

        Parameters
        ----------
        rules, config
        given
            What was sent about each item, by what was asked.
        swapped
            Of each item, whether the first text stood on side B.

        Raises
        ------
        AnswerError
            If an answer is missing or impossible; keys are ``"<item>-<asked>"``.
        """
        questions = rules.questions(config)
        result: list[Answers] = []
        problems: dict[str, str] = {}
        for number, (answers, side) in enumerate(zip(given, swapped, strict=True)):
            try:
                result.append(read_answers(questions, answers, side))
            except AnswerError as error:
                problems |= {f"{number}-{aspect}": text for aspect, text in error.problems.items()}
        if problems:
            raise AnswerError(problems)
        return result

    def sent(
        self, questions: Sequence[Question], stored: Sequence[Answers], swapped: Sequence[bool]
    ) -> list[dict[str, str]]:
        """Return the answers to a screen as they were sent: the reverse of `read`."""
        return [
            {
                each.aspect: each.write(answers[each.aspect], side)
                for each in questions
                if each.aspect in answers
            }
            for answers, side in zip(stored, swapped, strict=True)
        ]

    # Practice

    def own_texts(self, rules: "Protocol", config: "Config") -> tuple[OwnText, ...]:
        """Return which texts an owner writes for a practice item.

        Where several outputs are judged together, `output` stands for each of them.

        Examples
        --------
        >>> from annotation.protocols.catalogue import protocol
        >>> rules = protocol("relative_naturalness")
        >>> [text.name for text in rules.layout.own_texts(rules, {})]
        ['source', 'output']
        """
        texts = [SOURCE] if self.shows_source(rules, config) else []
        texts += [REFERENCE] if rules.setting(config, "show_reference", False) else []
        texts += self.judged_texts()
        texts += [TARGET_STYLE] if rules.shows_target_style(config) else []
        return tuple(texts)

    def judged_texts(self) -> list[OwnText]:
        """Return those of them that are judged."""
        return [OUTPUT]

    def read_own_texts(
        self, rules: "Protocol", config: "Config", given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Check the texts that an owner wrote.

        Raises
        ------
        ValueError
            Naming the text that cannot be used: ``"source: …"``.
        """
        return read_texts(given, self.own_texts(rules, config))

    def shown_texts(self, texts: Mapping[str, Any]) -> list[Shown]:
        """Return what each item of a practice screen shows, as items keep it."""
        return [{**shown_beside(texts), "first": str(texts["output"])}]

    def named_texts(
        self, entry: Mapping[str, Any], find: Finder, where: str
    ) -> tuple[tuple[Texts, ...], Sides]:
        """Find the outputs that a practice item names, and which text of two comes first."""
        return ((find.output(entry.get("output"), f"{where}, output"), None),), {}

    def expected(
        self,
        questions: Sequence[Question],
        entry: Mapping[str, Any],
        count: int,
        sides: Sides,
        where: str,
    ) -> tuple[Mapping[str, Any], ...]:
        """Read what is expected of each item of a practice screen."""
        return (read_expected(questions, entry.get("expected", {}), sides, where),)

    def exercise(
        self, rules: "Protocol", config: "Config", entry: Any, find: Finder, where: str
    ) -> Exercise:
        """Read a practice item.

        Raises
        ------
        PracticeError
            If it cannot be shown or judged.
        """
        if not isinstance(entry, Mapping):
            names = "outputs" if self.outputs > 1 else "output"
            raise PracticeError(f"{where}: expected an object with {names}, expected and feedback")
        questions = rules.questions(config)
        if "texts" not in entry:
            items, sides = self.named_texts(entry, find, where)
            expected = self.expected(questions, entry, len(items), sides, where)
            return Exercise(items, expected, read_feedback(entry, where))
        if entry.keys() & {"output", "outputs", "against"}:
            raise PracticeError(f"{where}: give texts of this study or your own, not both")
        try:
            if not isinstance(entry["texts"], Mapping):
                raise ValueError("texts: expected an object such as {source: …, output: …}")
            texts = self.read_own_texts(rules, config, entry["texts"])
        except ValueError as error:
            raise PracticeError(f"{where}, {error}") from None
        count = len(texts.get("outputs", [""]))
        expected = self.expected(questions, entry, count, self.sides, where)
        return Exercise((), expected, read_feedback(entry, where), texts)

    # Control items

    def takes_controls(self, config: "Config") -> bool:
        """Whether control items can be mixed in."""
        return not self.has_many(config)

    def spoilt(self, count: int, random: np.random.Generator) -> tuple[int, Side]:
        """Choose which item of a screen is made worse, and which of its texts."""
        return 0, "first"


SOURCE_AND_OUTPUT = Layout()


class Text(Layout):
    """One text by itself."""

    has_source = False

    def judged_texts(self) -> list[OwnText]:
        """Return the text, which is not called an output here."""
        return [OwnText("output", "Text")]


TEXT = Text()
