/* 128 lanes with the instructions of AVX-512. Not a target of its own: a search of few puzzles begins
 * here, and that of a classic one with pauses is done here. */
#include "../../runtime/portable.h"

#if X86
#define TABLE satdoku_narrow
#define FEATURES "avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,popcnt"
#define AVX512 1
#define LANES 128
#include "body.h"
#endif
