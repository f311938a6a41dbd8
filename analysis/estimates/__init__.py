"""Statistics of a study: agreement and correlation of the ratings and scores that are selected."""
