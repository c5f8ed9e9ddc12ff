"""Which processes are there, by the /proc of Linux."""

from pathlib import Path


def members(group):
    """Processes of a process group that are more than a name in the table."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it is gone
            continue
        if int(its_group) == group and state != "Z":
            found.append(path.parent.name)
    return found
