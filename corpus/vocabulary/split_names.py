"""What data sets call their splits for training, validation and test."""

TRAIN, VALIDATION, TEST = "train", "validation", "test"
SPLITS = (TRAIN, VALIDATION, TEST)
KNOWN = {
    **dict.fromkeys(("train", "training", "trn"), TRAIN),
    **dict.fromkeys(("validation", "valid", "val", "dev", "development", "tune"), VALIDATION),
    **dict.fromkeys(("test", "testing", "eval", "evaluation", "tst"), TEST),
}
"""How splits are written to what they are called here."""


def split_name(name: object) -> str:
    """Return which split a name stands for; empty for none.

    Examples
    --------
    >>> split_name("Dev"), split_name("extra")
    ('validation', '')
    """
    return KNOWN.get(str(name).strip().casefold(), "")
