"""Control items: made, handed out, and what they tell of each annotator."""
