"""Check collections row by row, file by file and between files, and report what was found."""
