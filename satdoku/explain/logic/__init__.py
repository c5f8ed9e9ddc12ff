"""Steps that a person would take, found in the model's houses and clues."""
