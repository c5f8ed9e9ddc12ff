"""How any work runs: its limits, its end, its progress and its processes.

Invariant: nothing else of satdoku is imported here, so every part may import from it.

    errors       what satdoku raises, and `Status`
    limits       limits on the time of a call
    interrupts   Ctrl-C and SIGTERM
    progress     how far a long call has come
    child        a process of ours, which runs a function of the package
    supervisor   the process between us and a program: the reaper of all that the program starts
    supervised   our side of that: start, listen, end
    workers      work shared among threads, processes or any executor
    processes    a pool of processes that survives the death of any of them
    cluster      a Dask cluster as workers
    package      the version, and the hook by which notebooks draw

Beside them lie the C headers that all extensions share.
"""
