"""Bootstrap and permutation: how units are drawn, and intervals and p-values of the draws."""
