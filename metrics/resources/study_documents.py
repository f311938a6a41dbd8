"""The texts of a study in which metrics count how common a word piece is."""

import hashlib
from functools import cached_property

from corpus.models import Output, Study, System


class References:
    """References of a study, or its sources where it has none; read when they are first asked for.

    See `metrics.scorers.scorer.StudyDocuments`.
    """

    def __init__(self, study: Study) -> None:
        self._study = study

    @cached_property
    def texts(self) -> list[str]:
        """All of them in their order."""
        return self._of(System.Kind.REFERENCE) or self._of(System.Kind.SOURCE)

    @cached_property
    def sha256(self) -> str:
        """Hash of the texts in their order."""
        digest = hashlib.sha256()
        for text in self.texts:
            encoded = text.encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
        return digest.hexdigest()

    def _of(self, kind: System.Kind) -> list[str]:
        outputs = Output.objects.filter(study=self._study, system__kind=kind)
        return list(outputs.order_by("ordinal").values_list("text", flat=True))
