"""Pure statistics of human evaluation and metric correlation: arrays in, typed results out."""
