"""The report of a learned metric: weights of metrics, and what they are worth on unseen outputs."""
