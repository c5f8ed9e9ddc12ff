"""Certificates: their format, how they are made, how they are checked."""
