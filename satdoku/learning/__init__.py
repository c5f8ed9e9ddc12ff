"""For those who train or test models: questions with their answers, and scores of answers."""
