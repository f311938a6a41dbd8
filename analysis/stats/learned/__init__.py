"""A metric learned from human ratings: weights of other metrics, and what they are worth."""
