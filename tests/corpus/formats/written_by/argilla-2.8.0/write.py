"""Write the files beside this script; see README.md."""

from pathlib import Path
from uuid import UUID

from argilla import Record, Response, Suggestion
from argilla.records._io import JsonIO

HERE = Path(__file__).resolve().parent
ANNA, BERT = UUID(int=1), UUID(int=2)


def rated(question: str, value: object, who: UUID, status: str = "submitted") -> Response:
    """Return what somebody answered."""
    return Response(question_name=question, value=value, user_id=who, status=status)


records = [
    Record(
        id="s1-A",
        fields={"source": "Guten Tag.", "output": "Good day."},
        metadata={"segment_id": "s1", "system": "A"},
        suggestions=[Suggestion("fluency", 3, score=0.9, agent="a model")],
        responses=[
            rated("fluency", 5, ANNA),
            rated("verdict", "good", ANNA),
            rated("fluency", 4, BERT),
            rated("remark", 'Café "☕"', BERT),
        ],
    ),
    Record(
        id="s1-B",
        fields={"source": "Guten Tag.", "output": "Hello,\nyou."},
        metadata={"segment_id": "s1", "system": "B"},
        responses=[rated("fluency", 2, ANNA), rated("fluency", 1, BERT, "draft")],
    ),
    Record(
        id="s2-A",
        fields={"source": "Ja.", "output": "Yes."},
        metadata={"segment_id": "s2", "system": "A"},
        responses=[rated("fluency", None, ANNA, "discarded")],
    ),
]
JsonIO.to_json(records, HERE / "records.json")
