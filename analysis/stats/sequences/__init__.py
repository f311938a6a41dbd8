"""Sequential statistics: intervals that hold at every look, and rules of stopping built on them."""
