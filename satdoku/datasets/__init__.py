"""Data sets made of collections: unsound rows dropped or repaired, parts that share no puzzle."""
