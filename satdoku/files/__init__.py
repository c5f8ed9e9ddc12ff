"""Puzzles in and out of files: streams, columns, notations, collections, links."""
