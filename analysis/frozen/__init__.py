"""Reports kept as they were: inputs, numbers, and the proof that one gives the other."""
