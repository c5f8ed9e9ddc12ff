"""What people hold in Python, as arrays; results as frames."""
