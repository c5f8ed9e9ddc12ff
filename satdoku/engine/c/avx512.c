/* 512 lanes. */
#include "../../runtime/portable.h"

#if X86
#define TABLE satdoku_avx512
#define FEATURES AVX512_FEATURES
#define AVX512 1
#define LANES 512
#define NARROW satdoku_narrow
#include "body.h"
#endif
