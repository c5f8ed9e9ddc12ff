/* 256 lanes with the instructions of AVX-512. */
#include "../../runtime/portable.h"

#if X86
#define TABLE satdoku_avx512vl
#define FEATURES AVX512_FEATURES
#define AVX512 1
#define LANES 256
#define NARROW satdoku_narrow
#include "body.h"
#endif
