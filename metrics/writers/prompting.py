"""Prompting a language model, with examples or none, at an allowed address or on this machine."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from metrics.language_models import causal
from metrics.language_models.chatting import first_line
from metrics.scorers.asking import asking, filled
from metrics.scorers.chat_completions import AddressVoice, ChatCompletions
from metrics.scorers.scorer import Answer
from metrics.scorers.spec import Library, Parameter, Value
from metrics.weights import smollm2
from metrics.weights.files import fingerprint
from metrics.writers.retrieving import Retriever
from metrics.writers.writer import (
    Direction,
    Estimate,
    Need,
    Pair,
    Report,
    Source,
    Writer,
    WriterError,
    WriterSpec,
    Written,
    chance,
)

PROMPTS = Path(__file__).with_name("prompts")
DEFAULT = "default"
FILLED = ("source", "source_style", "target_style", "examples")
AT_ONCE = 4
"""Questions to an address that are under way together."""
WINDOW = 8192
CHARACTERS_A_TOKEN = 4
"""Of English, roughly; for the estimate only."""
SEEDED, NEAREST = "seeded", "nearest"
_LABEL = re.compile(r"^[^\s:{}][^:{}\n]{0,40}:", re.MULTILINE)
_FIELD = re.compile(r"\{(\w+)\}")
_REFUSAL = re.compile(
    r"(?:i['’]m sorry|i am sorry|sorry),? but i (?:can|am|['’]m)|as an ai\b|"
    r"i (?:can['’]t|cannot|am unable to|['’]m unable to) (?:assist|help|comply|fulfil|rewrite)",
    re.IGNORECASE,
)
_QUOTES = (('"', '"'), ("“", "”"), ("'", "'"))


class Prompting(Writer):
    """Asks a language model to rewrite each source, with no examples (zero-shot) or some of the
    study (few-shot).

    Method
    ------
    The prompt is a plain file for each direction, or the default one, or yours. Examples are pairs
    of source and reference of the same direction from training segments: the same ones for every
    source, drawn by the seed, or those whose sources are nearest by TF-IDF. The likeliest answer is
    taken (temperature 0), its first line, without quotation marks around it. A refusal or an empty
    or unfinished answer is a missing output.

    Distrust
    --------
    A provider may change the model behind a name, and answers vary even at temperature 0. Sources
    and examples leave this machine if an address is given.

    Citation
    --------
    Reif et al. 2022, A Recipe for Arbitrary Text Style Transfer with Large Language Models.
    """

    spec = WriterSpec(
        key="prompt",
        title="Prompt a language model",
        group="prompting",
        needs=frozenset({"pairs"}),
        parameters=(
            Parameter(
                "base_url",
                "",
                "OpenAI-compatible address that the administrator allows "
                "(TOUCHSTONE_JUDGE_URLS); empty: a model of this machine.",
            ),
            Parameter(
                "model",
                smollm2.NAME,
                "Name of the model at that address; or smollm2, or a causal language model that "
                "the administrator lists (TOUCHSTONE_MODELS).",
            ),
            Parameter("examples", 0, "Examples in each prompt.", minimum=0, maximum=32),
            Parameter(
                "choose",
                SEEDED,
                "Which examples: the same for all, drawn by the seed; or the nearest sources.",
                choices=(SEEDED, NEAREST),
            ),
            Parameter("seed", 0, "Of the draw of examples.", minimum=0, maximum=2**31 - 1),
            Parameter("most_tokens", 80, "Longest answer, in tokens.", minimum=1, maximum=4096),
            Parameter(
                "prompt",
                "",
                "A prompt instead of those in the files; {source}, {source_style}, {target_style} "
                "and {examples} are filled in, and each example looks like what follows "
                "{examples}.",
            ),
        ),
        libraries=(Library("transformers"),),
        together=AT_ONCE,
        is_slow=True,
    )

    def set_up(self) -> None:
        """Check the prompt, and sort examples by direction."""
        self._count = int(self.parameters["examples"])
        self._prompt = str(self.parameters["prompt"])
        unknown = set(_FIELD.findall(self._prompt)) - set(FILLED)
        if self._prompt and (unknown or "{source}" not in self._prompt):
            what = f"it has {{{min(unknown)}}}" if unknown else "it lacks {source}"
            takes = ", ".join(f"{{{name}}}" for name in FILLED)
            raise WriterError(f"prompt: {what}; it takes {takes}")
        if self._count and self._prompt and "{examples}" not in self._prompt:
            raise WriterError("prompt: examples are wanted, and it lacks {examples}")
        self._most_tokens = int(self.parameters["most_tokens"])
        self._address: AddressVoice | None = None
        if base_url := str(self.parameters["base_url"]):
            self._address = AddressVoice(ChatCompletions(base_url, self.model), self._most_tokens)
        self._pairs: dict[Direction, list[Pair]] = {}
        first: dict[str, Pair] = {}
        for pair in self.material.pairs:
            first.setdefault(pair.key, pair)
        for pair in first.values():
            self._pairs.setdefault(pair.direction, []).append(pair)
        self._retrievers: dict[Direction, Retriever] = {}

    @classmethod
    def needs_with(cls, parameters: Mapping[str, Value]) -> frozenset[Need]:
        """Return pairs where examples are wanted."""
        return frozenset({"pairs"} if parameters["examples"] else ())

    @property
    def model(self) -> str:
        """Name of the model."""
        return str(self.parameters["model"])

    def check(self, directions: Collection[Direction]) -> None:
        """Refuse a direction with fewer examples than each prompt shall have."""
        for direction in sorted(directions):
            found = len(self._pairs.get(direction, ()))
            if found < self._count:
                raise WriterError(
                    f"{self._count} examples are wanted, and there are {found} training segments "
                    f"with a reference for {' → '.join(direction)}"
                )

    def fingerprint(self) -> Mapping[str, str]:
        """Return the hashes of the prompts, and of a local model's files."""
        files = {} if self._prompt else {f"{each.stem}.txt": each for each in _prompt_files()}
        local = {} if self._address else causal.files(self.model)
        return fingerprint({**files, **local})

    def estimate(self, sources: Sequence[Source]) -> Estimate:
        """Return questions and tokens."""
        characters = sum(len(self.prompt_for(source)) for source in sources)
        written = len(sources) * self._most_tokens
        return Estimate(len(sources), characters // CHARACTERS_A_TOKEN, written)

    def write(self, sources: Sequence[Source], report: Report = lambda done: None) -> list[Written]:
        """Ask for each source; an address gets some questions at once."""
        if self._address is None:
            written = []
            for done, source in enumerate(sources):
                report(done)
                written.append(self._asked(source))
            return written
        with asking(AT_ONCE) as pool:
            return list(pool.map(self._asked, sources))

    def prompt_for(self, source: Source) -> str:
        """Return what is asked for a source."""
        template = self._prompt or _prompt_of(source.direction)
        examples = self._examples(source)
        tail = template.partition("{examples}")[2]
        shown = "".join(
            f"{_filled(tail, pair.source, pair.direction)} {pair.reference}\n\n"
            for pair in examples
        )
        return _filled(template, source.text, source.direction, shown)

    def _examples(self, source: Source) -> list[Pair]:
        pairs = self._pairs.get(source.direction, [])
        if not self._count:
            return []
        if self.parameters["choose"] == SEEDED:
            chosen = chance(int(self.parameters["seed"]), *source.direction).sample(
                range(len(pairs)), min(self._count, len(pairs))
            )
            return [pairs[place] for place in chosen]
        if source.direction not in self._retrievers:
            texts = [pair.source for pair in pairs]
            self._retrievers[source.direction] = Retriever(texts)
        near = self._retrievers[source.direction].nearest(source.text, self._count)
        rest = [n for n in range(len(pairs)) if n not in near]
        # The nearest one comes last, next to the question.
        return [pairs[place] for place in reversed([*near, *rest][: self._count])]

    def _asked(self, source: Source) -> Written:
        ask = self._address.answer if self._address else self._locally
        found = ask(self.prompt_for(source))
        return Written(reason=found.reason) if found.reason else self._read(source, found.text)

    def _locally(self, prompt: str) -> Answer:
        model = causal.load(self.model, WINDOW, self.material.cache)
        return first_line(model, prompt, self._most_tokens)

    def _read(self, source: Source, reply: str) -> Written:
        """Take the output out of a reply."""
        template = self._prompt or _prompt_of(source.direction)
        text = next((line.strip() for line in reply.splitlines() if line.strip()), "")
        # Small models write the labels of the prompt again.
        for label in _LABEL.findall(template.partition("{examples}")[2]):
            if text.lower().startswith(label.lower()):
                text = text[len(label) :].strip()
        for left, right in _QUOTES:
            inside = text[1:-1]
            is_quoted = len(text) > 2 and text[0] == left and text[-1] == right
            if is_quoted and left not in inside and not source.text.startswith(left):
                text = inside.strip()
        if _REFUSAL.match(text) and not _REFUSAL.match(source.text):
            return Written(reason=f"the model refused: {text[:200]}")
        return Written(text) if text else Written(reason="the model wrote nothing")


@cache
def _prompt_files() -> tuple[Path, ...]:
    return tuple(sorted(PROMPTS.glob("*.txt")))


def _prompt_of(direction: Direction) -> str:
    """Return the prompt of a direction, or the default one."""
    name = "-".join(style.strip().lower() for style in direction)
    known = {path.stem: path for path in _prompt_files()}
    return _text_of(known.get(name, known[DEFAULT]))


@cache
def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8").rstrip("\n")


def _filled(template: str, source: str, direction: Direction, examples: str = "") -> str:
    """Fill a prompt in; what is filled in is not looked at again."""
    before, after = direction
    values = {
        "source": source,
        "source_style": before or "its present one",
        "target_style": after or "another one",
        "examples": examples,
    }
    return filled(template, values)


WRITERS = (Prompting,)
