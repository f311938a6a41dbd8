"""Collections: several studies as weighted tasks, metrics and systems compared over all of them."""
