"""The C extension, which takes and gives what `reference` does."""

from .reference import trim as trim
