"""Human judgements, wherever they came from."""
