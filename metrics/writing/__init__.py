"""Writing the outputs of a study by a writer: what is asked for, the job, the stored system."""
