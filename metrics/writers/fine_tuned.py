"""Writing by a model that was fine-tuned here on pairs of the study."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from metrics.scorers.spec import Library, Parameter
from metrics.styles.model import read_manifest
from metrics.tuning.pairs import TrainingPair
from metrics.tuning.stored import load
from metrics.writers.writer import (
    Direction,
    Report,
    Source,
    Writer,
    WriterError,
    WriterSpec,
    Written,
)

TOO_LONG = "the source has more tokens than the model was trained to read"
NOTHING = "the model wrote nothing"


class FineTuned(Writer):
    """Rewrites each source by a local model that was fine-tuned on training pairs of this study, on
    the page Styles or with manage.py train_writer.

    Method
    ------
    The model reads the source with its direction, as in training, and writes the likeliest token
    each time until its end symbol. Each source is computed by itself.

    Distrust
    --------
    It writes no source on which it was trained. A model of few pairs may copy the source, or repeat
    itself.

    Citation
    --------
    Hu et al. 2022, LoRA: Low-Rank Adaptation of Large Language Models.
    """

    spec = WriterSpec(
        key="fine-tuned",
        title="Fine-tuned model",
        group="fine-tuning",
        parameters=(
            Parameter(
                "model", "", "Name of a fine-tuned writer of this study; empty: the only one."
            ),
            Parameter("most_tokens", 64, "Longest output, in tokens.", minimum=1, maximum=1024),
        ),
        libraries=(Library("transformers"),),
        together=8,
        is_slow=True,
    )

    def set_up(self) -> None:
        """Find the model."""
        self._name, self._folder = self._found()
        self._manifest: dict[str, Any] = read_manifest(self._folder)

    def _found(self) -> tuple[str, Path]:
        name, known = str(self.parameters["model"]), self.material.trained
        if not known:
            raise WriterError(
                "this study has no fine-tuned writer: train one on the page Styles, or with "
                "manage.py train_writer"
            )
        if not name and len(known) == 1:
            return next(iter(known.items()))
        if name not in known:
            what = f"no fine-tuned writer {name!r}" if name else "choose a fine-tuned writer"
            raise WriterError(f"model: {what}; there are {', '.join(known)}")
        return name, known[name]

    def write(self, sources: Sequence[Source], report: Report = lambda done: None) -> list[Written]:
        """Write each source; see `Writer.write`."""
        model, most = load(self._folder, self.material.cache), int(self.parameters["most_tokens"])
        found = []
        for done, source in enumerate(sources):
            report(done)
            pair = TrainingPair(source.text, "", source.source_style, source.target_style)
            text = model.rewrite(pair, most)
            reason = TOO_LONG if text is None else "" if text else NOTHING
            found.append(Written(text or "", reason))
        return found

    def check(self, directions: Collection[Direction]) -> None:
        """Raise `WriterError` if it was trained on none of the directions."""
        learnt = {tuple(each) for each in self._manifest["directions"]}
        if not learnt & set(directions):
            named = ", ".join(" → ".join(each) for each in sorted(learnt))
            raise WriterError(f"{self._name} was trained on no direction of these ({named} only)")

    def fingerprint(self) -> Mapping[str, str]:
        """Return the hash of the model."""
        return {"model": str(self._manifest["sha256"])}

    @property
    def seen(self) -> Collection[str]:
        """SHA-256 of the sources on which it was trained."""
        return frozenset(self._manifest["seen"])

    @property
    def model(self) -> str:
        """Its name."""
        return self._name


WRITERS = (FineTuned,)
