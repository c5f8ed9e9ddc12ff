/* A call from Python that works without the interpreter lock, and asks now and then whether to end.
 *
 * Invariant: where `has_to_end` says yes, an error is set, and the caller returns it: that of a
 * signal, or what the function of the caller raised, as `runtime.limits.check` does in time. */
#ifndef SATDOKU_CALLER_H
#define SATDOKU_CALLER_H

#include "buffers.h"

/* What is asked, or NULL, and the thread of the caller while C works. */
typedef struct {
    PyObject *check;
    PyThreadState *thread;
} Caller;

static inline int has_to_end(void *asked)
{
    Caller *caller = asked;
    PyEval_RestoreThread(caller->thread);
    int ends = PyErr_CheckSignals() != 0;
    if (!ends && caller->check) {
        PyObject *result = PyObject_CallNoArgs(caller->check);
        ends = !result;
        Py_XDECREF(result);
    }
    caller->thread = PyEval_SaveThread();
    return ends;
}

#endif
