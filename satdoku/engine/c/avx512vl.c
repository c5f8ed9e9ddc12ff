/* 256 lanes with the instructions of AVX-512. */
#include "../../runtime/portable.h"

#if X86
#define TABLE satdoku_avx512vl
#define FEATURES "avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,popcnt"
#define AVX512 1
#define LANES 256
#define NARROW satdoku_narrow
#include "body.h"
#endif
