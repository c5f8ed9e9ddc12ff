"""The rules a second time, in other words: checks, SMT-LIB and Z3 models."""
