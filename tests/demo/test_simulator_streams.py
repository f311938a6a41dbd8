"""Random numbers are addressed, reproducible and well distributed."""

import numpy as np
from scipy import stats

from demo.streams import GOLDEN_GAMMA, addressed_words, normals, splitmix, uniforms


def test_splitmix_gives_the_published_sequence_for_seed_1234567():
    states = np.uint64(1234567) + np.arange(5, dtype=np.uint64) * GOLDEN_GAMMA
    assert splitmix(states).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_seed_and_every_part_and_their_order_matter():
    words = [addressed_words(*address)[0] for address in [(1, 2, 3), (1, 3, 2), (2, 2, 3), (1, 2)]]
    assert len(set(words)) == 4


def test_uniforms_and_normals_follow_their_distributions():
    address = np.arange(400)[:, None], np.arange(400)
    assert stats.kstest(uniforms(11, *address).ravel(), "uniform").pvalue > 0.001
    drawn = normals(11, *address)
    assert stats.kstest(drawn.ravel(), "norm").pvalue > 0.001
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 0.01
    assert abs(np.corrcoef(drawn[:, :-1].ravel(), drawn[:, 1:].ravel())[0, 1]) < 0.01
