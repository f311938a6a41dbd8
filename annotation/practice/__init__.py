"""Practice items: written by owners, shown first, and who qualifies by them."""
