"""The stand-in report: whether a judge or metric may take the place of a rater."""
