"""Conversion from and to arrays and frames."""
