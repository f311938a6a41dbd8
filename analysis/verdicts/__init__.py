"""What tests allow to say in answer to the questions of a study, and in which words."""
