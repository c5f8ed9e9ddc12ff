"""Models for Z3, stated from the witness's rules, and questions to them."""
