"""Processes that we start: each with all its children, until none of them is left.

Invariant: only processes of the program are signalled or reaped here, also where satdoku is a
library in a process with children of its own.

    child        a process of ours, which runs a function of the package
    supervisor   the process between us and a program: the reaper of all that the program starts
    supervised   our side: start, listen, end
"""
