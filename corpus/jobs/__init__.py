"""Jobs: asked for by services, claimed by workers, told by their row."""
