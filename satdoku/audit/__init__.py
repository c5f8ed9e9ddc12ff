"""Is a collection sound: row by row, file by file, between files; and the report of it."""
