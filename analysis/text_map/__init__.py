"""A study's texts as a picture: sentence embeddings laid out in a plane by t-SNE."""
