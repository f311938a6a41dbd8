"""What the demo study declares: systems, their true quality, annotators and seeds."""

from dataclasses import dataclass

from demo.simulator import Annotator

SEED = 20240229
ASPECTS = ("style", "content", "fluency")
SCALE = (0.0, 100.0)
STEP = 1.0
SEGMENT_SD = 5.0
OUTPUT_SD = 8.0


@dataclass(frozen=True, slots=True)
class System:
    """A system of the demo study and the mean true quality of its outputs per aspect."""

    name: str
    model: str
    parameter: str
    value: str
    group: str
    human: bool
    quality: tuple[float, float, float]


SYSTEMS = (
    System("REF", "first reference", "", "", "human", True, (93, 94, 95)),
    System("careful", "written by hand", "", "", "strong", False, (86, 88, 90)),
    System("plain", "written by hand", "", "", "strong", False, (77, 62, 87)),
    System("rules", "dictionary", "direction", "both", "weak", False, (46, 85, 66)),
    System("template", "stock sentences", "wrong_topics", "0.3", "weak", False, (76, 22, 74)),
    System("scrambled", "shuffled words", "kept_share", "0.7", "broken", False, (27, 40, 14)),
)

# Two surveys of four: in each a precise, a strict, a lenient and a noisy annotator; in the
# second the strict one avoids the ends of the scale and the noisy one is careless.
ANNOTATORS = (
    ("simulated-survey1-rater1", 1, Annotator(severity=0, noise=6)),
    ("simulated-survey1-rater2", 1, Annotator(severity=8, noise=8)),
    ("simulated-survey1-rater3", 1, Annotator(severity=-6, noise=9, scale_use=0.9)),
    ("simulated-survey1-rater4", 1, Annotator(severity=2, noise=14, carelessness=0.02)),
    ("simulated-survey2-rater1", 2, Annotator(severity=-2, noise=7)),
    ("simulated-survey2-rater2", 2, Annotator(severity=6, noise=9, scale_use=0.7)),
    ("simulated-survey2-rater3", 2, Annotator(severity=-8, noise=10)),
    ("simulated-survey2-rater4", 2, Annotator(severity=0, noise=12, carelessness=0.15)),
)

DESCRIPTION = (
    "SIMULATED RATINGS: no person rated anything here. Forty-eight everyday sentences written "
    "for this project, half of them informal to be made formal and half formal to be made "
    "informal, with two references each, five stand-ins for systems of clearly different "
    "quality, and the first reference as a human system. The ratings come from a seeded "
    "simulator of eight annotators in two surveys; the metric scores are computed from the texts."
)
STUDY = {
    "title": "Demo: formality transfer (simulated ratings)",
    "description": DESCRIPTION,
    "language": "en",
    "simulated": True,
    "scales": {aspect: [0, 100] for aspect in ASPECTS},
    "protocol": {"ratings.csv": "direct_assessment"},
    "metrics": {
        "chrf": {"orientation": "higher"},
        "bleu": {"orientation": "higher"},
        "length-ratio": {"orientation": "target", "target": 1.0},
        "formal-share": {"orientation": "higher", "speaks_of": "formal", "kind": "probability"},
    },
}
