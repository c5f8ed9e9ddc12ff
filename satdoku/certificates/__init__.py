"""Certificates: the format, making them, checking them."""
