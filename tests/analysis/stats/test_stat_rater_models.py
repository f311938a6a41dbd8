"""Raters as a model: the published solutions, brute force, and simulation with known truth."""

import json
from itertools import product

import numpy as np
import pytest

from analysis.stats.rater_models.labels import Labels, dawid_skene, mace


@pytest.fixture(scope="module")
def expected(golden):
    return json.loads((golden / "rater_models" / "expected.json").read_text())


@pytest.fixture(scope="module")
def patients(golden):
    """Columns patient, observer, occasion and label."""
    path = golden / "rater_models" / "dawid_skene_1979.csv"
    return np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64).T


def labelled(patient, observer, label):
    return Labels(patient - 1, observer - 1, label - 1, 4)


def by_number(values):
    return np.array([values[str(number)] for number in range(1, len(values) + 1)])


def test_the_published_solution_of_dawid_and_skene_comes_out(patients, expected):
    patient, observer, _, label = patients
    found, wanted = dawid_skene(labelled(patient, observer, label)), expected["average_start"]
    assert found.converged
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=1e-6)
    assert found.prevalence == pytest.approx(np.array(wanted["class_proportions"]), abs=1e-6)
    assert found.confusion == pytest.approx(by_number(wanted["confusion"]), abs=1e-6)
    assert found.posterior == pytest.approx(by_number(wanted["posterior"]), abs=1e-6)


def test_first_steps_are_those_of_the_paper(patients, expected):
    patient, observer, _, label = patients
    labels = labelled(patient, observer, label)
    wanted = expected["average_start"]["log_likelihood_of_first_iterations"]
    found = [dawid_skene(labels, most_steps=n + 1).log_likelihood for n in range(len(wanted))]
    assert found == pytest.approx(wanted, abs=1e-6)
    assert not dawid_skene(labels, most_steps=3).converged


@pytest.mark.parametrize("fit", ["variational", "em"])
def test_mace_finds_the_competence_that_its_authors_program_finds(patients, expected, fit):
    patient, observer, occasion, label = patients
    first = occasion == 1
    labels = labelled(patient[first], observer[first], label[first])
    found, wanted = mace(labels, fit=fit), expected["mace_on_the_first_occasion"][fit]
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=2e-6)
    assert found.competence == pytest.approx(np.array(wanted["competence"]), abs=2e-6)
    assert found.posterior == pytest.approx(by_number(wanted["posterior"]), abs=5e-6)


def drawn_labels(generator, items, accuracy, categories=3):
    """Draw labels of raters of known accuracy, who otherwise choose any other label."""
    truth = generator.integers(0, categories, items)
    item, rater = (each.ravel() for each in np.indices((items, len(accuracy))))
    right = generator.random(item.size) < np.array(accuracy)[rater]
    wrong = (truth[item] + generator.integers(1, categories, item.size)) % categories
    return Labels(item, rater, np.where(right, truth[item], wrong), categories), truth


def test_the_likelihood_is_that_of_all_truths_written_out():
    labels, _ = drawn_labels(np.random.default_rng(1), 4, [0.9, 0.7, 0.6])
    found = dawid_skene(labels, most_steps=2)
    likelihood = 0.0
    for truths in product(range(3), repeat=4):
        whole = np.prod(found.prevalence[list(truths)])
        for item, rater, label in zip(labels.item, labels.rater, labels.label, strict=True):
            whole *= found.confusion[rater, truths[item], label]
        likelihood += whole
    # `found` has the parameters of its last step, and the likelihood under them.
    assert found.log_likelihood == pytest.approx(np.log(likelihood))
