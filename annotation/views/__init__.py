"""Pages of campaigns: for annotators who rate, and for owners who run them."""
