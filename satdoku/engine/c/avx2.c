/* 256 lanes. */
#include "../../runtime/portable.h"

#if X86
#define TABLE satdoku_avx2
#define FEATURES AVX2_FEATURES
#define LANES 256
#include "body.h"
#endif
