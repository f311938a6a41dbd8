"""Random numbers addressed by what they are for, not by the order in which they are drawn."""

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
WordArray = npt.NDArray[np.uint64]

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MULTIPLIER = np.uint64(0x94D049BB133111EB)


def splitmix(state: WordArray) -> WordArray:
    """Advance SplitMix64 states by one step and return the outputs.

    Parameters
    ----------
    state : array of uint64, any shape, at least one dimension
        Generator states; each one is an independent stream.

    Returns
    -------
    array of uint64, same shape
        The next output of each stream, by Steele, Lea and Flood (2014),
        "Fast splittable pseudorandom number generators".
    """
    mixed = state + GOLDEN_GAMMA
    mixed = (mixed ^ (mixed >> np.uint64(30))) * FIRST_MULTIPLIER
    mixed = (mixed ^ (mixed >> np.uint64(27))) * SECOND_MULTIPLIER
    return mixed ^ (mixed >> np.uint64(31))


def addressed_words(seed: int, *address: npt.ArrayLike) -> WordArray:
    """Return one 64-bit word per address.

    Parameters
    ----------
    seed : int
        Taken modulo 2**64.
    *address : array_like of non-negative int
        Parts of the address, broadcast against each other; their order matters.

    Returns
    -------
    array of uint64, at least one dimension
        The same seed and address give the same word on every machine, whatever
        else is drawn, before or after.
    """
    parts = np.broadcast_arrays(*(np.atleast_1d(np.asarray(part)) for part in address))
    shape = parts[0].shape if parts else (1,)
    words = splitmix(np.full(shape, seed % 2**64, dtype=np.uint64))
    for part in parts:
        if part.size and part.min() < 0:
            raise ValueError("an address is made of non-negative integers")
        words = splitmix(words ^ splitmix(part.astype(np.uint64)))
    return words


def uniforms(seed: int, *address: npt.ArrayLike) -> FloatArray:
    """Return one number per address, uniform on the open interval (0, 1)."""
    words = addressed_words(seed, *address) >> np.uint64(12)
    centred: FloatArray = (words.astype(np.float64) + 0.5) / 2.0**52
    return centred


def normals(seed: int, *address: npt.ArrayLike) -> FloatArray:
    """Return one standard normal number per address (Box and Muller 1958)."""
    radius = np.sqrt(-2.0 * np.log(uniforms(seed, *address, 0)))
    angle = 2.0 * np.pi * uniforms(seed, *address, 1)
    result: FloatArray = radius * np.cos(angle)
    return result
