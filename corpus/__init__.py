"""Studies, texts and the jobs that move them."""
