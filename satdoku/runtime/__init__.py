"""How any work runs: its limits, its end, its progress and its processes.

Invariant: nothing else of satdoku is imported here, so every part may import from it.

    errors       what satdoku raises, and `Status`
    limits       limits on the time of a call
    interrupts   Ctrl-C and SIGTERM
    progress     how far a long call has come
    child        a process of ours, which runs a function of the package
    supervisor   the process between us and a program: the reaper of all that the program starts
    supervised   our side of that: start, listen, end
    package      the version, and the hook by which notebooks draw

Beside them lie the C headers that all extensions share.
"""
