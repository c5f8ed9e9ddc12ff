"""Outside programs as processes: each with all its children, until none of them is left.

Invariant: only processes of the program are signalled or reaped here, also where satdoku is a
library in a process with children of its own.

    supervisor   the process between us and a program: the reaper of all that the program starts
    supervised   our side: start, listen, end

It knows no solvers, so that worker processes can be supervised in the same way.
"""
