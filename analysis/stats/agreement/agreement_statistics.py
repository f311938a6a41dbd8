"""The statistics of agreement by name: of ratings as they are, and as a function of weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analysis.stats.agreement.intraclass import (
    Form,
    intraclass_correlation,
    weighted_icc_one_way,
    weighted_icc_two_way,
)
from analysis.stats.agreement.kappas import (
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    weighted_cohen_kappa,
    weighted_fleiss_kappa,
    weighted_gwet_ac,
)
from analysis.stats.agreement.krippendorff_alpha import Scale, krippendorff_alpha, weighted_alpha
from analysis.stats.agreement.rater_pairs import (
    pearson_double_entry,
    pearson_file_order,
    pearson_of_rater_pairs,
    percent_agreement,
    weighted_pearson,
    weighted_percent_agreement,
    weighted_rater_pairs,
)
from analysis.stats.agreement.weighted_ratings import WeightedAgreement, Weights
from analysis.stats.arrays import Columns, FloatArray
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined


@dataclass(frozen=True, slots=True)
class AgreementStatistic:
    """A statistic of ratings, units × raters or × slots.

    Attributes
    ----------
    columns : {"slots", "raters"}
    of : callable
        Takes ratings, all categories of the scale (None where those that occur are taken), and how
        units are drawn where there is no interval by a formula.
    weighted : callable
        Takes categories and ratings per unit (ICC of means); returns a function of weights.
    categorical : bool
        Whether it means nothing of scores that are no categories.
    by_category : bool
        Whether a resample takes time and memory for each category.
    """

    columns: Columns
    of: Callable[[FloatArray, FloatArray | None, Bootstrap | None], Result]
    weighted: Callable[[FloatArray, float | None], WeightedAgreement]
    categorical: bool = False
    by_category: bool = False


def _icc(form: Form) -> AgreementStatistic:
    columns: Columns = "slots" if form.startswith("ICC(1") else "raters"
    mean, absolute = form.endswith("k)"), form.startswith("ICC(2")

    def weighted(categories: FloatArray, k: float | None) -> WeightedAgreement:
        if columns == "slots":
            return weighted_icc_one_way(k if mean else None)
        return weighted_icc_two_way(absolute=absolute, mean=mean)

    return AgreementStatistic(
        columns, lambda r, c, b: intraclass_correlation(r, form, columns=columns), weighted
    )


def _alpha(scale: Scale) -> AgreementStatistic:
    return AgreementStatistic(
        "slots",
        lambda r, c, b: krippendorff_alpha(r, scale, bootstrap=b),
        lambda c, k: weighted_alpha(c, scale),
        categorical=scale in ("ordinal", "nominal"),
        by_category=scale != "interval",
    )


def _cohen(weights: Weights) -> AgreementStatistic:
    def of(
        ratings: FloatArray, categories: FloatArray | None, bootstrap: Bootstrap | None
    ) -> Result:
        if ratings.shape[1] != 2:
            reason = f"Cohen's kappa compares two raters, here are {ratings.shape[1]}"
            return Undefined(reason, n=len(ratings), unit="outputs")
        return cohen_kappa(ratings, weights=weights)

    return AgreementStatistic(
        "raters", of, lambda c, k: weighted_cohen_kappa(c, weights), by_category=True
    )


def _gwet(weights: Weights) -> AgreementStatistic:
    return AgreementStatistic(
        "slots",
        lambda r, c, b: gwet_ac(r, weights=weights, categories=c),
        lambda c, k: weighted_gwet_ac(c, weights),
        categorical=True,
    )


STATISTICS_OF_AGREEMENT: Mapping[str, AgreementStatistic] = {
    "pearson": AgreementStatistic(
        "slots",
        lambda r, c, b: pearson_file_order(r),
        lambda c, k: weighted_pearson(both_ways=False),
    ),
    "pearson-double-entry": AgreementStatistic(
        "slots",
        lambda r, c, b: pearson_double_entry(r, bootstrap=b),
        lambda c, k: weighted_pearson(both_ways=True),
    ),
    "pearson-of-rater-pairs": AgreementStatistic(
        "raters", lambda r, c, b: pearson_of_rater_pairs(r), lambda c, k: weighted_rater_pairs
    ),
    "icc-1-1": _icc("ICC(1,1)"),
    "icc-2-1": _icc("ICC(2,1)"),
    "icc-3-1": _icc("ICC(3,1)"),
    "icc-1-k": _icc("ICC(1,k)"),
    "icc-2-k": _icc("ICC(2,k)"),
    "icc-3-k": _icc("ICC(3,k)"),
    "alpha-interval": _alpha("interval"),
    "alpha-ordinal": _alpha("ordinal"),
    "alpha-ratio": _alpha("ratio"),
    "alpha-nominal": _alpha("nominal"),
    "fleiss-kappa": AgreementStatistic(
        "slots",
        lambda r, c, b: fleiss_kappa(r),
        lambda c, k: weighted_fleiss_kappa(c),
        categorical=True,
    ),
    "cohen-kappa": _cohen("unweighted"),
    "cohen-kappa-linear": _cohen("linear"),
    "cohen-kappa-quadratic": _cohen("quadratic"),
    "gwet-ac1": _gwet("unweighted"),
    "gwet-ac2-linear": _gwet("linear"),
    "gwet-ac2-quadratic": _gwet("quadratic"),
    "percent-agreement": AgreementStatistic(
        "slots",
        lambda r, c, b: percent_agreement(r),
        lambda c, k: weighted_percent_agreement,
        categorical=True,
    ),
}
"""In the order of pages and tables."""
