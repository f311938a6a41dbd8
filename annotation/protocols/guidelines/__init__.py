"""What annotators read before they rate, and what they practise: one module for each protocol."""
