"""Training and tests of models: questions with their answers, and scores of answers."""
