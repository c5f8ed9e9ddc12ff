/* 512 lanes. */
#include "../../runtime/portable.h"

#if X86
#define TABLE satdoku_avx512
#define FEATURES "avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,popcnt"
#define AVX512 1
#define LANES 512
#define NARROW satdoku_narrow
#include "body.h"
#endif
