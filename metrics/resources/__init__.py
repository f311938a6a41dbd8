"""What metric runs compute with: trained models, their training, texts of a study."""
